#!/usr/bin/python3
"""Logic formulas, read and evaluated once more, and compared with the library.

    logic_reference.py PROGRAM

PROGRAM is logic_answers, which asks the library. Nothing is shared with it: here words are cut
by one regular expression, operators are read by climbing precedences, and a formula is a Python
function of a dictionary.

    tables   random formulas, written in random ways (spellings, blanks, parentheses that are
             needed or not); the table of every output, also against the tree they were written from
    words    random words in a row: both must accept the same texts, and mean the same by them
    steps    random machines, starts and sequences: every name at every step, and circles
    unroll   the tables of the unrolled machine, from stepping it on every sequence

Neurons that a formula writes are sums of decimals, exact ones, and what a@3 is at a step is looked up in the
rows that were made: no number is scaled, and there is no memory beside the past.

A group that compared nothing fails. The first mismatch ends the program, with the question, what
came and what was expected. Everything follows from fixed seeds.
"""
import itertools
import random
import re
import subprocess
import sys
from decimal import Decimal

WORD = re.compile(r"\s*(<->|<=>|->|=>|&&|\|\||(?:\d+\.\d*|\.\d+)(?![A-Za-z0-9_])"
                  r"|[A-Za-z0-9_]+|[&|^!~(),;='@:+-])", re.ASCII)
NUMBER = re.compile(r"\d+|\d+\.\d*|\.\d+", re.ASCII)
RESERVED = ("not and nand xor or nor implies iff true false"
            " atleast atmost exactly majority neuron").split()
SAME = {"!": "not", "~": "not", "&": "and", "&&": "and", "^": "xor", "|": "or", "||": "or",
        "->": "implies", "=>": "implies", "<->": "iff", "<=>": "iff"}
BINDS = {"and": 5, "nand": 5, "xor": 4, "or": 3, "nor": 3, "implies": 2, "iff": 1}


COUNTING = ("atleast", "atmost", "exactly", "majority", "neuron")


class Refused(Exception):
    pass


# ----- words ------------------------------------------------------------------------------------

def words_of(text):
    words, at = [], 0
    while text[at:].strip(" \t\r\n"):
        m = WORD.match(text, at)
        if m is None:
            raise Refused("unknown character")
        w = m.group(1)
        if w.lower() in RESERVED:
            w = w.lower()
        words.append(SAME.get(w, w))
        at = m.end()
    return words


def is_name(w):
    return re.fullmatch(r"[A-Za-z_]\w*", w, re.ASCII) is not None and w not in RESERVED


# ----- formulas ---------------------------------------------------------------------------------

class Reader:
    def __init__(self, words):
        self.words, self.at = words, 0

    def next(self):
        return self.words[self.at] if self.at < len(self.words) else ""

    def take(self, want=None):
        w = self.next()
        if w == "" or (want is not None and w != want):
            raise Refused(f"{want or 'a word'} expected, {w!r} found")
        self.at += 1
        return w

    def operand(self):
        w = self.take()
        if w == "not":
            return ("not", self.operand())
        if w == "(":
            inside = self.formula(1)
            self.take(")")
            return inside
        if w in ("0", "false", "1", "true"):
            return ("constant", int(w in ("1", "true")))
        if w in ("atleast", "atmost", "exactly", "majority"):
            return self.counting(w)
        if w == "neuron":
            return self.neuron()
        if is_name(w):
            if self.next() != "@":
                return ("name", w)
            self.take()
            k = self.take()
            if not re.fullmatch(r"\d+", k, re.ASCII):
                raise Refused("no number of steps")
            return ("name", f"{w}@{int(k)}" if int(k) > 0 else w)
        raise Refused(f"no operand: {w}")

    def number(self):
        """A decimal, with or without a sign, and whether there are digits; 1 if nothing comes."""
        sign = -1 if self.next() == "-" else 1
        if self.next() in ("+", "-"):
            self.take()
        if NUMBER.fullmatch(self.next()):
            return sign * Decimal(self.take()), True
        return Decimal(sign), False

    def neuron(self):
        self.take("(")
        weights, children, bare = [], [], 0
        while True:
            w, said = self.number()
            weights.append(w)
            if said and self.next() in (",", ":", ")"):
                bare += 1
                children.append(("name", f"x{len(weights)}"))
            else:
                children.append(self.formula(1))
            if self.next() != ",":
                break
            self.take()
        if bare not in (0, len(weights)):
            raise Refused("some without inputs")
        self.take(":")
        t, said = self.number()
        if not said:
            raise Refused("no threshold")
        self.take(")")
        return ("neuron", t, children, weights)

    def counting(self, what):
        self.take("(")
        k = 0
        if what != "majority":
            k = self.take()
            if not k.isdigit():
                raise Refused("no number")
            k = int(k)
            self.take(";")
        children = [self.formula(1)]
        while self.next() == ",":
            self.take()
            children.append(self.formula(1))
        self.take(")")
        n = len(children)
        if what != "majority" and k > n:
            raise Refused("out of range")
        return (what, k, children)

    def formula(self, least):
        """What binds at least so much."""
        left, single, chained = self.operand(), None, set()
        while BINDS.get(self.next(), 0) >= least:
            w = self.take()
            if BINDS[w] != single:
                single, chained = BINDS[w], set()
            if chained and (w in ("nand", "nor") or chained & {"nand", "nor"}):
                raise Refused("nand and nor are not chained")
            chained.add(w)
            right = self.formula(BINDS[w] + (w != "implies"))
            left = (w, left, right)
        return left


def read(text):
    """Names with their definitions, in the order of the text: {name: (primed, formula)}."""
    r = Reader(words_of(text))
    if not r.words:
        raise Refused("empty")
    found = {}
    while r.next():
        name, primed = "out", False
        if is_name(r.next()):
            ahead = r.words[r.at + 1:r.at + 3]
            if ahead[:1] == ["="] or ahead == ["'", "="]:
                name = r.take()
                primed = r.take() == "'"
                if primed:
                    r.take("=")
        tree = r.formula(1)
        if name in found:
            raise Refused("twice")
        found[name] = (primed, tree)
        if r.next():
            r.take(";")
    return found


def leaves(tree):
    if tree[0] == "name":
        yield tree[1]
    elif tree[0] != "constant":
        for child in tree[2] if tree[0] in COUNTING else tree[1:]:
            yield from leaves(child)


def value(tree, of):
    """The tree's value where of(name) is the value of a name."""
    op = tree[0]
    if op == "constant":
        return tree[1]
    if op == "name":
        return of(tree[1])
    if op in ("atleast", "atmost", "exactly", "majority"):
        ones, n = sum(value(c, of) for c in tree[2]), len(tree[2])
        return int({"atleast": ones >= tree[1], "atmost": ones <= tree[1],
                    "exactly": ones == tree[1], "majority": 2 * ones > n}[op])
    if op == "neuron":
        return int(sum(w * value(c, of) for w, c in zip(tree[3], tree[2])) >= tree[1])
    a = value(tree[1], of)
    if op == "not":
        return 1 - a
    b = value(tree[2], of)
    return {"and": a & b, "nand": 1 - (a & b), "or": a | b, "nor": 1 - (a | b), "xor": a ^ b,
            "implies": int(a <= b), "iff": int(a == b)}[op]


class Machine:
    def __init__(self, text):
        self.defined = read(text)
        self.inputs, self.taps, used = [], {}, set()
        for _, tree in self.defined.values():
            for name in leaves(tree):
                now, _, delay = name.partition("@")
                if now not in self.defined and now not in self.inputs:
                    self.inputs.append(now)
                if delay:
                    self.taps[name] = (now, int(delay))
                used.add(name) # what it was some steps ago is another name
        self.primed = [n for n, (primed, _) in self.defined.items() if primed]
        self.states = self.primed + list(self.taps)
        self.wires = [n for n, (primed, _) in self.defined.items() if not primed]
        self.check_circles()
        self.outputs = [n for n in self.wires if n == "out" or n not in used] or self.primed

    def check_circles(self):
        """Takes away wires that use no other, until none is left."""
        left = {w: {n for n in leaves(self.defined[w][1]) if n in self.wires} for w in self.wires}
        while left:
            free = [w for w in left if not left[w] & set(left)]
            if not free:
                raise Refused("a circle")
            for w in free:
                del left[w]

    def now(self, cells):
        """All values, from those of inputs and states."""
        known = dict(cells)

        def of(name):
            if name not in known:
                known[name] = value(self.defined[name][1], of)
            return known[name]
        for w in self.wires:
            of(w)
        return known

    def then(self, known):
        return {s: value(self.defined[s][1], known.get) for s in self.primed}

    def support(self, name):
        """The inputs and states that a definition depends on by its text."""
        seen, todo = set(), list(leaves(self.defined[name][1]))
        while todo:
            n = todo.pop()
            if n in seen:
                continue
            seen.add(n)
            if n in self.wires:
                todo += leaves(self.defined[n][1])
        return [n for n in self.inputs + self.states if n in seen]

    def run(self, start, inputs):
        state, rows = {s: start.get(s, 0) for s in self.primed}, []
        for t, given in enumerate(inputs):
            ago = {tap: rows[t - d][now] if t >= d else int(start.get(tap, "0" * d)[t])
                   for tap, (now, d) in self.taps.items()}
            rows.append(self.now({**given, **state, **ago}))
            state = self.then(rows[-1])
        return rows


def table_text(name, cells, bits):
    return f"{name}({','.join(cells)})={''.join(map(str, bits))} "


def assignments(cells):
    """The first name changes fastest."""
    for bits in itertools.product((0, 1), repeat=len(cells)):
        yield dict(zip(cells, reversed(bits)))


def tables(text):
    m = Machine(text)
    said = ""
    for name in m.outputs:
        cells = m.support(name)
        if len(cells) > 9:
            return None
        rest = {n: 0 for n in m.inputs + m.states}
        bits = []
        for a in assignments(cells):
            known = m.now({**rest, **a})
            bits.append(value(m.defined[name][1], known.get))
        said += table_text(name, cells, bits)
    return said


# ----- random formulas --------------------------------------------------------------------------

def decimal_of(rng):
    """A number as text: a few digits, some of them after a point."""
    text = str(rng.randint(0, 40))
    if rng.random() < 0.5:
        text += "." + "".join(rng.choice("0005123") for _ in range(rng.randint(0, 4)))
    if text.startswith("0.") and len(text) > 2 and rng.random() < 0.3:
        text = text[1:]
    return rng.choice(["", "", "-", "-", "+", "- "]) + text


def tree_of(rng, names, depth, ago=()):
    """A random formula; ago: names whose values of earlier steps may be used."""
    if depth == 0 or rng.random() < 0.15:
        if rng.random() < 0.08:
            return ("constant", rng.randrange(2))
        if ago and rng.random() < 0.3:
            return ("name", f"{rng.choice(ago)}@{rng.choice([1, 1, 2, 3, 5])}")
        return ("name", rng.choice(names or ["a"]))
    op = rng.choice(["not", "and", "nand", "or", "nor", "xor", "implies", "iff", "and", "or",
                     "atleast", "atmost", "exactly", "majority", "neuron", "neuron"])
    if op == "not":
        return (op, tree_of(rng, names, depth - 1, ago))
    if op in BINDS:
        return (op, tree_of(rng, names, depth - 1, ago), tree_of(rng, names, depth - 1, ago))
    children = [tree_of(rng, names, depth - 1, ago) for _ in range(rng.randint(1, 6))]
    n = len(children)
    if op == "neuron":
        words = [rng.choice(["", "", "-", "+"]) if rng.random() < 0.3 else decimal_of(rng)
                 for _ in children]
        total = [Decimal((w + "1" if w in ("", "-", "+") else w).replace(" ", "")) for w in words]
        t = rng.choice([decimal_of(rng), str(int(sum(rng.sample(total, rng.randint(1, n)))))])
        return (op, Decimal(t.replace(" ", "")), children, total, words, t)
    return (op, 0 if op == "majority" else rng.randint(0, n), children)


SPELLED = {"not": ["!", "~", "not ", "NOT "], "and": ["&", "&&", " and ", " AND "],
           "or": ["|", "||", " or ", " Or "], "xor": ["^", " xor "], "nand": [" nand "],
           "nor": [" nor "], "implies": ["->", "=>", " implies "], "iff": ["<->", "<=>", " iff "]}


def blank(rng):
    return rng.choice(["", "", "", " ", "  ", "\t", "\n", " \n "])


def written(rng, tree, binds=0):
    """The tree as text; binds: what it must bind at least to stand without parentheses."""
    op = tree[0]
    if op == "constant":
        text, mine = rng.choice([["0", "false"], ["1", "true"]][tree[1]]), 9
    elif op == "name":
        text, mine = tree[1], 9
    elif op == "not":
        text, mine = rng.choice(SPELLED[op]) + blank(rng) + written(rng, tree[1], 6), 6
    elif op == "neuron":
        parts = []
        for child, w in zip(tree[2], tree[4]):
            part = written(rng, child)
            w = "1" if w == "" and part[0] in "01" else "+1" if w == "+" and part[0] in "01" else \
                "-1" if w == "-" and part[0] in "01" else w
            parts.append(w + ("" if w in ("", "-", "+") else " ") + blank(rng) + part)
        text = (f"{op}{blank(rng)}(" + ("," + blank(rng)).join(parts) + blank(rng) + ":"
                + blank(rng) + tree[5] + blank(rng) + ")")
        mine = 9
    elif op in BINDS:
        mine = BINDS[op]
        # a chain goes on to the left (implies: to the right) where both are the same operator
        left = mine if op in ("and", "or", "xor", "iff") and tree[1][0] == op else mine + 1
        right = mine if op == "implies" else mine + 1
        text = (written(rng, tree[1], left) + blank(rng) + rng.choice(SPELLED[op]) + blank(rng)
                + written(rng, tree[2], right))
    else:
        inside = ("," + blank(rng)).join(written(rng, c) for c in tree[2])
        number = "" if op == "majority" else f"{tree[1]};"
        text, mine = f"{op}{blank(rng)}({number}{blank(rng)}{inside})", 9
    if mine < binds or rng.random() < 0.1:
        text = "(" + blank(rng) + text + blank(rng) + ")"
    return text


def definitions(rng, cells, states, wires):
    """The text of a machine; wires use those before them, and are written in any order."""
    parts = []
    ago = cells + states + wires if rng.random() < 0.5 else ()
    for i, w in enumerate(wires):
        parts.append((w, tree_of(rng, cells + states + wires[:i], rng.randint(1, 3), ago)))
    for s in states:
        parts.append((s + "'", tree_of(rng, cells + states + wires, rng.randint(1, 3), ago)))
    rng.shuffle(parts)
    return ";".join(f"{blank(rng)}{n}{blank(rng)}={blank(rng)}{written(rng, t)}" for n, t in parts)


# ----- questions, answers -----------------------------------------------------------------------

def line_of(question):
    return "\t".join(f.replace("\n", "\\n").replace("\t", "\\t") for f in question)


class Asker:
    def __init__(self, program):
        self.program, self.questions, self.expected = program, [], []

    def ask(self, question, expected):
        self.questions.append(line_of(question))
        self.expected.append(expected)

    def compare(self, group, most_refused=1.0):
        if not self.questions:
            sys.exit(f"{group}: nothing was compared")
        got = subprocess.run([self.program], input="\n".join(self.questions) + "\n",
                             capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
        if len(got) != len(self.questions):
            sys.exit(f"{group}: {len(got)} answers to {len(self.questions)} questions")
        refused = 0
        for q, g, e in zip(self.questions, got, self.expected):
            refused += e == "error"
            if (re.fullmatch(r"error \d+ \d+", g) if e == "error" else g == e):
                continue
            sys.exit(f"{group}: {q!r}\n got      {g!r}\n expected {e!r}")
        if refused > most_refused * len(got) or refused == len(got):
            sys.exit(f"{group}: {refused} of {len(got)} were refused: that proves little")
        print(f"{group}: {len(got)} compared, {refused} of them refused by both")


def group_tables(program):
    asker = Asker(program)
    for seed in range(4000):
        rng = random.Random(seed)
        cells = list("abcdefgh"[:rng.randint(1, 8)])
        if seed % 4 == 0:
            wires = [f"w{i}" for i in range(rng.randint(1, 5))]
            text = definitions(rng, cells, ["s", "t"][:rng.randrange(3)], wires)
        else:
            tree = tree_of(rng, cells, rng.randint(1, 4))
            text = written(rng, tree)
            for a in itertools.islice(assignments(cells), 16): # what was meant was written
                if value(tree, a.get) != value(read(text)["out"][1], a.get):
                    sys.exit(f"tables: this reader is wrong about {text!r}")
        said = tables(text)
        if said is not None:
            asker.ask(["table", text], said)
    asker.compare("tables", 0)


def group_words(program):
    words = ["a", "b", "c", "s", "out", "0", "1", "2", "!", "&", "^", "|", "->", "<->", "(", ")",
             "(", ")", ";", ";", ",", "=", "=", "'", "nand", "nor", "and", "atleast(", "1;",
             "exactly(", "majority(", "TRUE", "1a", "==", "$", "<", "neuron(", "neuron(", ":",
             ": 1)", "1.5", ".5", "-", "@", "@1", "b@2", "2 a"]
    asker = Asker(program)
    for seed in range(14000):
        rng = random.Random(seed)
        if seed % 2 == 0:
            text = " ".join(rng.choice(words) for _ in range(rng.randint(1, 7)))
        else: # a good one, with one word more, less, or another
            text = definitions(rng, list("ab"), ["s"][:rng.randrange(2)], ["w", "out"])
            got = re.findall(r"\d*\.\d+|\d+\.|[A-Za-z0-9_]+|\s+|<->|<=>|->|=>|&&|\|\||.", text)
            at = rng.randrange(len(got))
            got[at:at + rng.randrange(2)] = rng.choice([[], [" " + rng.choice(words) + " "]])
            text = "".join(got)
        try:
            said = tables(text)
        except Refused:
            said = "error"
        if said is not None:
            asker.ask(["table", text], said)
    asker.compare("words", 0.9)


def circle_of(m, start):
    """The whole memory is what the states are, and the last values of what is delayed."""
    state = (tuple(start.get(s, 0) for s in m.primed),
             tuple(tuple(int(c) for c in start.get(tap, "0" * d)) for tap, (_, d) in m.taps.items()))
    seen = {}
    while state not in seen:
        seen[state] = len(seen)
        primed, past = state
        known = m.now({**dict(zip(m.primed, primed)),
                       **{tap: values[0] for tap, values in zip(m.taps, past)}})
        state = (tuple(m.then(known).values()),
                 tuple(values[1:] + (known[now],) for (now, _), values in zip(m.taps.values(), past)))
    return f"circle={seen[state]},{len(seen) - seen[state]}"


def start_of(rng, states):
    start = {s: "".join(rng.choice("01") for _ in range(int(s.partition("@")[2]))) if "@" in s
             else rng.randrange(2) for s in states if rng.random() < 0.7}
    return start, rng.choice([" ", ", "]).join(f"{s}={v}" for s, v in start.items())


def group_steps(program):
    asker = Asker(program)
    for seed in range(1500):
        rng = random.Random(seed)
        states = list("stuv"[:rng.randint(1, 4)])
        cells = list("ab"[:rng.randrange(3)])
        text = definitions(rng, cells, states, [f"w{i}" for i in range(rng.randrange(4))])
        m, steps = Machine(text), rng.randint(1, 12)
        start, start_text = start_of(rng, m.states)
        inputs = [{n: rng.randrange(2) for n in m.inputs} for _ in range(steps)]
        given = [f"{n}={''.join(str(row[n]) for row in inputs)}" for n in m.inputs]
        rng.shuffle(given)
        rows = m.run(start, inputs)
        said = {n: "".join(str(row[n]) for row in rows) for n in rows[0]}
        order = m.inputs + m.states + wires_in_order(m)
        answer = "".join(f"{n}={said[n]} " for n in order)
        if not m.inputs:
            answer += circle_of(m, start)
        asker.ask(["run", str(steps), start_text, " ".join(given), text], answer)
    asker.compare("steps", 0)


def wires_in_order(m):
    """Each after those it uses; else as in the text."""
    done = []

    def visit(w):
        if w in done:
            return
        for n in leaves(m.defined[w][1]):
            if n in m.wires:
                visit(n)
        done.append(w)
    for w in m.wires:
        visit(w)
    return done


def unrolled(m, start, steps, got):
    """What the tables of the unrolled formula are, over the inputs that the answer names: a
    table may leave out an input only where it does not matter."""
    names = [f"{n}.{t}" for t in range(steps) for n in m.inputs]
    outputs = [f"{n}.{t}" for t in range(steps) for n in m.outputs]
    full = {n: [] for n in outputs}
    for a in assignments(names):
        rows = m.run(start, [{n: a[f"{n}.{t}"] for n in m.inputs} for t in range(steps)])
        for t in range(steps):
            for n in m.outputs:
                full[f"{n}.{t}"].append((a, rows[t][n]))
    if [part.split("(")[0] for part in got.split()] != outputs:
        return f"the outputs are {outputs}"
    for part in got.split():
        name, cells, bits = re.fullmatch(r"(.*)\((.*)\)=([01]+)", part).groups()
        cells = cells.split(",") if cells else []
        for a, v in full[name]:
            row = sum(a[c] << i for i, c in enumerate(cells))
            if int(bits[row]) != v:
                return f"{name} where {a} is {v}"
    return None


def group_unroll(program):
    questions, machines = [], []
    for seed in range(700):
        rng = random.Random(seed)
        cells = list("ab"[:rng.randint(1, 2)])
        text = definitions(rng, cells, list("stu"[:rng.randint(1, 3)]),
                           [f"w{i}" for i in range(rng.randrange(3))])
        m, steps = Machine(text), rng.randint(1, 4)
        start, start_text = start_of(rng, m.states)
        machines.append((m, start, steps))
        questions.append(line_of(["unroll", str(steps), start_text, text]))
    got = subprocess.run([program], input="\n".join(questions) + "\n", capture_output=True,
                         text=True, check=True).stdout.split("\n")[:-1]
    if len(got) != len(questions):
        sys.exit("unroll: an answer is missing")
    for q, g, (m, start, steps) in zip(questions, got, machines):
        wrong = "refused" if g.startswith("error") else unrolled(m, start, steps, g)
        if wrong is not None:
            sys.exit(f"unroll: {q!r}\n got      {g!r}\n expected {wrong}")
    print(f"unroll: {len(got)} compared")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: logic_reference.py PROGRAM")
    for group in (group_tables, group_words, group_steps, group_unroll):
        group(sys.argv[1])


if __name__ == "__main__":
    main()
