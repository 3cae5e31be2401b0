#!/usr/bin/python3
"""Neurons and networks with delays, worked out with fractions and compared with `perceptron gate`.

    neuron_reference.py PERCEPTRON [GROUP...]

Nothing is read from formulas here: a network is a list of neurons, made first and then written
down as text. A neuron fires where the sum of its weights, which are fractions, reaches its
threshold; what was d steps ago is looked up in the past.

    neurons   random weights and thresholds: the table, and the formula that names the function
    known     and, or, not, nand, nor, implication, majority, at least k of n
    networks  random networks with circles through delays: the table row by row from the neurons that
              are reported, and every signal at every step
    automata  a counter of two bits, parity, numbers that three divides: against automata

A group that compared nothing fails. Everything follows from fixed seeds.
"""
import itertools
import json
import random
import subprocess
import sys
from fractions import Fraction


def gate(program, *args):
    done = subprocess.run([program, "gate", *args, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{args}: status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def decimal(rng, size):
    return rng.choice(["", "", "-"]) + rng.choice(
        [str(rng.randint(0, size)), f"{rng.randint(0, size)}.{rng.randint(0, 99):02d}",
         f".{rng.randint(1, 999)}"])


def meaning(formula):
    """The formulas that functions are written in, as Python."""
    words = formula.replace("(", " ( ").replace(")", " ) ").replace(",", " , ").replace(";", " , ")
    said = {"!": "not", "&": "and", "|": "or", "->": "<=", "0": "False", "1": "True"}
    out = []
    for w in words.replace("!", " ! ").split():
        number = out and out[-1] == "(" and len(out) > 1 and out[-2] == "atleast"
        out.append(w if number else said.get(w, w))
    return compile(" ".join(out), formula, "eval")


def holds(code, names, row):
    return int(bool(eval(code, {  # pylint: disable=eval-used
        **{n: bool(v) for n, v in zip(names, row)},
        "atleast": lambda k, *x: sum(x) >= k, "majority": lambda *x: 2 * sum(x) > len(x)})))


def group_neurons(program):
    compared = named = 0
    for seed in range(150):
        rng = random.Random(seed)
        words = [decimal(rng, rng.choice([1, 3, 20])) for _ in range(rng.randint(1, 6))]
        weights = [Fraction(w) for w in words]
        t = rng.choice([decimal(rng, 20), str(float(sum(rng.sample(weights, rng.randint(1, len(words))))))])
        got = gate(program, "--neuron", ",".join(words) + ":" + t)
        names = [f"x{i + 1}" for i in range(len(words))]
        if got["inputs"] != names:
            sys.exit(f"{words}: inputs {got['inputs']}")
        last = next(n for n in got["neurons"] if n["name"] == "out")
        code = meaning(last["function"]["formula"])
        for text, out in got["table"]:
            row = [int(c) for c in text]
            want = int(sum(w * x for w, x in zip(weights, row)) >= Fraction(t))
            if out != str(want) or holds(code, names, row) != want:
                sys.exit(f"{words} : {t} at {text}: {out}, {last['function']}, and it is {want}")
            compared += 1
        named += last["function"]["name"] is not None
    if named < 20 or named == 150:
        sys.exit("neurons: all of one kind")
    print(f"neurons: {compared} rows compared")


def group_known(program):
    rng = random.Random(1)
    count = 0
    for n, signs in itertools.product((2, 3, 4, 5), (1, -1)):
        for k in range(1, n + 1):
            # at least k of n, by weights that differ and say the same
            w = [Fraction(10 * n + rng.randint(0, 9), 10 * n) * signs for _ in range(n)]
            t = k - Fraction(1, 20) if signs > 0 else k - n - Fraction(1, 20) - Fraction(9 * n, 10 * n)
            if not all((sum(w[i] for i in s) >= t) == ((len(s) if signs > 0 else n - len(s)) >= k)
                       for r in range(n + 1) for s in itertools.combinations(range(n), r)):
                w, t = [Fraction(signs)] * n, Fraction(k if signs > 0 else k - n)
            scale = 10 * n * 20
            text = ",".join(str(int(x * scale)) for x in w) + ":" + str(int(t * scale))
            f = gate(program, "--neuron", text)["neurons"][0]["function"]
            want = ("and" if signs > 0 else "nor") if k == n else \
                ("or" if signs > 0 else "nand") if k == 1 else \
                "majority" if 2 * k == n + 1 else "at least"
            if f["name"] != want:
                sys.exit(f"{text}: {f}, not {want}")
            count += 1
    for text, want in (("-1:0", "not"), ("-1,1:-0.5", "implication"), ("1,-2:-1", "implication"),
                       ("1:0.1", "identity"), ("1,1:-3", "always"), ("1,1:2.5", "never")):
        f = gate(program, "--neuron", text)["neurons"][0]["function"]
        if f["name"] != want:
            sys.exit(f"{text}: {f}, not {want}")
    print(f"known: {count + 6} compared")


def network(rng):
    """Neurons h0, h1, ... each of inputs, of neurons before it, and of anything some steps ago."""
    inputs = list("ab"[:rng.randint(1, 2)])
    neurons, taps = [], {}
    for i in range(rng.randint(1, 4)):
        now = inputs + [f"h{j}" for j in range(i)]
        heard = []
        for _ in range(rng.randint(1, 4)):
            if rng.random() < 0.4 and len(taps) < 4:
                name, d = rng.choice(inputs + [f"h{j}" for j in range(4)]), rng.choice([1, 2, 3, 9])
                heard.append((name, d))
            else:
                heard.append((rng.choice(now), 0))
        words = [decimal(rng, 3) for _ in heard]
        neurons.append((heard, words, decimal(rng, 3)))
    made = {f"h{j}" for j in range(len(neurons))}
    neurons = [([(n if n in made or n in inputs else "h0", d) for n, d in heard], words, t)
               for heard, words, t in neurons]
    for heard, _, _ in neurons:
        for n, d in heard:
            if d > 0:
                taps[f"{n}@{d}"] = (n, d)
    return inputs, neurons, taps


def group_networks(program):
    compared = 0
    for seed in range(200):
        rng = random.Random(seed)
        inputs, neurons, taps = network(rng)
        text = "; ".join(
            f"h{i} = neuron(" + ", ".join(
                f"{w} {n}" + (f"@{d}" if d else "") for w, (n, d) in zip(words, heard)) + f" : {t})"
            for i, (heard, words, t) in enumerate(neurons))
        steps = rng.randint(4, 14)
        used = [n for n in inputs if any(n == m for heard, _, _ in neurons for m, _ in heard)]
        given = {n: [rng.randrange(2) for _ in range(steps)] for n in used}
        start = {t: [rng.randrange(2) for _ in range(d)] for t, (_, d) in taps.items()
                 if rng.random() < 0.5}
        args = [text, "--steps", str(steps), "--rows", "4096"]
        if used:
            args += ["--input", " ".join(f"{n}={''.join(map(str, v))}" for n, v in given.items())]
        if start:
            args += ["--initial", " ".join(f"{n}={''.join(map(str, v))}" for n, v in start.items())]
        got = gate(program, *args)

        def fire(of, neuron):
            heard, words, t = neuron
            return int(sum(Fraction(w) * of(n, d) for w, (n, d) in zip(words, heard)) >= Fraction(t))
        past = []
        for t in range(steps):
            now = {n: v[t] for n, v in given.items()}

            def ago(n, d):
                if d == 0:
                    return now[n]
                return past[t - d][n] if t >= d else start.get(f"{n}@{d}", [0] * d)[t]
            for i, neuron in enumerate(neurons):
                now[f"h{i}"] = fire(ago, neuron)
            past.append(now)
        for n, signal in got["signals"].items():
            m, d = taps.get(n, (n, 0))
            want = [past[t - d][m] if t >= d else start.get(n, [0] * d)[t] for t in range(steps)]
            if signal != "".join(map(str, want)):
                sys.exit(f"{text}\n {args}\n {n}: {signal}, expected {want}")
            compared += 1
        # The table, from the neurons that were written; those that are reported give it, too.
        cells = got["inputs"] + got["states"]
        for row, out in got["table"]:
            now = dict(zip(cells, map(int, row)))
            for i, neuron in enumerate(neurons):
                now[f"h{i}"] = fire(lambda n, d: now[f"{n}@{d}" if d else n], neuron)
            sources = [int(c) for c in row]
            for k in got["neurons"]:
                total = sum(w * sources[s] for s, w in zip(k["sources"], k["weights"]))
                sources.append(int(total >= k["threshold"]))
                if k["name"] in now and k["name"] not in cells and sources[-1] != now[k["name"]]:
                    sys.exit(f"{text}: neuron {k['name']} in row {row}")
            for o, v in zip(got["outputs"], out):
                name = o["name"] if not o["next_state"] else taps[o["name"][:-1]][0]
                if int(v) != now[name] or sources[o["source"]] != now[name]:
                    sys.exit(f"{text}: {o['name']} in row {row} is {v}")
            compared += 1
    if compared < 2000:
        sys.exit("networks: too little was compared")
    print(f"networks: {compared} signals and rows compared")


def group_automata(program):
    """Each against the automaton, as a table of states: {state: (next on 0, next on 1)}."""
    machines = [
        ("parity = parity@1 ^ x", ["parity"], {0: (0, 1), 1: (1, 0)}, lambda s: [s]),
        ("c = neuron(x, p@1 : 1.5); p = neuron(x, p@1, -2 c : 0.5)", ["p"],
         {0: (0, 1), 1: (1, 0)}, lambda s: [s]),
        ("b0 = b0@1 ^ x; carry = b0@1 & x; b1 = b1@1 ^ carry", ["b0", "b1"],
         {s: (s, (s + 1) % 4) for s in range(4)}, lambda s: [s & 1, s >> 1]),
        ("r1 = neuron(r0@1, 2 x, -3 r1@1, -1 r2@1 : 1.5) | (r2@1 & !x); "
         "r2 = (r1@1 & !x) | (r2@1 & x); r0 = !(r1 | r2)", ["r0"],
         {s: (2 * s % 3, (2 * s + 1) % 3) for s in range(3)}, lambda s: [s == 0]),
    ]
    compared = 0
    for text, outputs, table, show in machines:
        for seed in range(12):
            rng = random.Random(seed)
            x = [rng.randrange(2) for _ in range(rng.randint(1, 60))]
            args = [text, "--input", "x=" + "".join(map(str, x))]
            if "r0@1" in text:
                args += ["--initial", "r0@1=1"]
            got = gate(program, *args)["signals"]
            state = 0
            for t, bit in enumerate(x):
                state = table[state][bit]
                if [int(got[n][t]) for n in outputs] != [int(v) for v in show(state)]:
                    sys.exit(f"{text}: step {t} of {x}: state {state}")
                compared += 1
    print(f"automata: {compared} steps compared")


GROUPS = {"neurons": group_neurons, "known": group_known, "networks": group_networks,
          "automata": group_automata}


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: neuron_reference.py PERCEPTRON [GROUP...]")
    for name in sys.argv[2:] or GROUPS:
        GROUPS[name](sys.argv[1])


if __name__ == "__main__":
    main()
