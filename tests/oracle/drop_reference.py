#!/usr/bin/python3
"""--drop-after, by a loop that is written from its definition, and compared with the program.

    drop_reference.py PERCEPTRON [RUNS]

A row leaves at its S-th mistake, and it was never counted: w is made again from the updates that
remain, in the order in which they were made. Here w is made again from all updates before every
row that is shown, so nothing can be left behind; sums are those of the canonical score, each
operation rounded once, so that every number must agree to the last bit.

    weights   two classes without a kernel: mistakes, updates, passes, rows set aside, (w, b)
    rest      one class against the rest: as many loops of two classes, and runs with --positive
    kernels   the linear kernel and weights make the same mistakes, whatever tells classes apart
    resumed   two runs, one after the other, are one: the same bytes
    refused   what cannot be combined

Everything follows from fixed seeds.
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

from unscaled import unscaled


def run(program, *args, rc=0):
    done = subprocess.run([program, *unscaled(args)], capture_output=True, text=True)
    if done.returncode != rc:
        sys.exit(f"{args}: status {done.returncode}: {done.stderr}")
    return done.stdout if rc == 0 else done.stderr


def same(what, got, want):
    if got != want:
        sys.exit(f"{what}\n got      {got}\n expected {want}")


class Loop:
    """Two classes: y is +1 or -1. Rows in the order of the file."""

    def __init__(self, rows, y, after, offset, passes):
        self.rows, self.y, self.offset = rows, y, offset
        self.made, self.dropped, erred = [], [], [0] * len(rows)
        self.mistakes = self.passes = 0
        while self.passes < passes:
            self.passes += 1
            settled = True
            for i, row in enumerate(rows):
                if i in self.dropped or y[i] * self.score(row) > 0:
                    continue
                settled = False
                self.mistakes += 1
                erred[i] += 1
                if erred[i] < after:
                    self.made.append(i)
                else:
                    self.dropped.append(i)
                    self.made = [k for k in self.made if k != i]
            if settled:
                break

    def vector(self):
        w, b = [0.0] * len(self.rows[0]), 0.0
        for i in self.made:
            w = [p + self.y[i] * x for p, x in zip(w, self.rows[i])]
            b += self.y[i] if self.offset else 0
        return w, b

    def score(self, row):
        w, b = self.vector()
        s = 0.0
        for p, x in zip(w, row):
            s += p * x
        return s + b


def draw(rng, classes, whole):
    """Rows of which some are equal and have other labels."""
    n, features = rng.randint(4, 12), rng.randint(1, 3)
    number = (lambda: float(rng.randint(-3, 3))) if whole else \
        (lambda: rng.choice([rng.randint(-30, 30) / 10, rng.randint(-300, 300) / 100]))
    rows = [[number() for _ in range(features)] for _ in range(n)]
    for _ in range(rng.randint(0, 3)):
        rows[rng.randrange(n)] = list(rows[rng.randrange(n)])
    labels = [rng.randrange(classes) for _ in range(n)]
    labels[:classes] = rng.sample(range(classes), classes)
    return rows, labels


def write(path, rows, labels):
    with open(path, "w", encoding="ascii") as f:
        f.write(",".join(f"x{j}" for j in range(len(rows[0]))) + ",label\n")
        for row, label in zip(rows, labels):
            f.write(",".join(repr(x) for x in row) + f",{'abcd'[label]}\n")


def train(program, path, model, *args, rc=0):
    said = run(program, "train", path, "-a", "perceptron", "--order", "file", "-o", model, "--json",
               *args, rc=rc)
    return json.loads(said) if rc == 0 else said


def arrays(path):
    with open(path, "rb") as f:
        raw = f.read()
    (length,) = struct.unpack("<Q", raw[:8])
    header, body, found = json.loads(raw[8:8 + length]), raw[8 + length:], {}
    for name, t in header.items():
        if name != "__metadata__" and t["dtype"] == "F64":
            begin, end = t["data_offsets"]
            found[name] = struct.unpack(f"<{(end - begin) // 8}d", body[begin:end])
    return found


def options(rng):
    after, passes, offset = rng.choice([2, 2, 3, 4, 5]), rng.choice([3, 40]), rng.random() < 0.7
    args = ["--drop-after", str(after), "--epochs", str(passes)]
    return after, passes, offset, args + ([] if offset else ["--no-offset"])


def group_weights(program, where, runs):
    left = 0
    for seed in range(runs):
        rng = random.Random(seed)
        rows, labels = draw(rng, 2, rng.random() < 0.3)
        after, passes, offset, args = options(rng)
        write(where + "/d.csv", rows, labels)
        ref = Loop(rows, [2 * k - 1 for k in labels], after, offset, passes)
        if len(ref.dropped) == len(rows):
            train(program, where + "/d.csv", where + "/m", *args, rc=3)
            continue
        got = train(program, where + "/d.csv", where + "/m", *args)
        what = f"run {seed}, {args}: "
        same(what + "mistakes, updates, passes", [got["mistakes"], got["updates"], got["epochs"]],
             [ref.mistakes, ref.mistakes, ref.passes])
        same(what + "rows set aside", [r["row"] - 1 for r in got["set_aside"]], ref.dropped)
        w, b = ref.vector()
        have = arrays(where + "/m")
        same(what + "weights", list(have["weight"]), w)
        if offset:
            same(what + "offset", list(have["offset"]), [b])
        left += len(ref.dropped)
    if left < runs // 2:
        sys.exit("weights: too few rows were set aside")
    print(f"weights: {runs} runs, {left} rows set aside")


def group_rest(program, where, runs):
    left = 0
    for seed in range(runs):
        rng = random.Random(seed)
        classes = rng.choice([3, 3, 4])
        rows, labels = draw(rng, classes, True)
        after, passes, offset, args = options(rng)
        write(where + "/d.csv", rows, labels)
        loops = [Loop(rows, [1 if k == c else -1 for k in labels], after, offset, passes)
                 for c in range(classes)]
        kernel = rng.choice(["none", "linear"])
        args += ["--multiclass", "ovr", "--kernel", kernel]
        if any(len(ref.dropped) == len(rows) for ref in loops):
            train(program, where + "/d.csv", where + "/m", *args, rc=3)
            continue
        got = train(program, where + "/d.csv", where + "/m", *args)
        what = f"run {seed}, {args}: "
        same(what + "updates, passes", [got["updates"], got["epochs"]],
             [sum(ref.mistakes for ref in loops), max(ref.passes for ref in loops)])
        for c, ref in enumerate(loops):
            same(what + f"rows set aside, class {c}",
                 [r["row"] - 1 for r in got["set_aside"] if r["class"] == "abcd"[c]], ref.dropped)
            left += len(ref.dropped)
        said = run(program, "predict", where + "/m", where + "/d.csv", "--scores").split("\n")[:-1]
        same(what + "scores", [[float(s) for s in line.split()[1:]] for line in said],
             [[ref.score(row) for ref in loops] for row in rows])
        if seed % 8 == 0: # by the program itself
            c = rng.randrange(classes)
            own = [a for a in args if a not in ("--multiclass", "ovr")]
            one = train(program, where + "/d.csv", where + "/one", "--positive", "abcd"[c], *own)
            same(what + "--positive", [r["row"] - 1 for r in one["set_aside"]], loops[c].dropped)
            same(what + "--positive", [one["mistakes"], one["epochs"]],
                 [loops[c].mistakes, loops[c].passes])
    if left < runs // 2:
        sys.exit("rest: too few rows were set aside")
    print(f"rest: {runs} runs, {left} rows set aside in one class or another")


def group_kernels(program, where, runs):
    for seed in range(runs):
        rng = random.Random(seed)
        rows, labels = draw(rng, rng.choice([2, 3, 4]), True)
        _, _, _, args = options(rng)
        args += ["--multiclass", rng.choice(["native", "ovr"])]
        if rng.random() < 0.5:
            args += ["--order", "shuffle", "--seed", str(seed)]
        write(where + "/d.csv", rows, labels)
        said = []
        for kernel in ("none", "linear"):
            done = subprocess.run([program, "train", where + "/d.csv", "--scale", "none", "-a", "perceptron", "--order",
                                   "file", *args, "--kernel", kernel, "--json", "-o", where + "/m"],
                                  capture_output=True, text=True)
            got = json.loads(done.stdout) if done.returncode == 0 else {}
            said.append([done.returncode] + [got.get(k) for k in (
                "mistakes", "updates", "epochs", "training_errors", "set_aside")])
        same(f"kernels, run {seed}, {args}", said[0], said[1])
    print(f"kernels: {runs} runs")


def group_resumed(program, where, runs):
    for seed in range(runs):
        rng = random.Random(seed)
        rows, labels = draw(rng, rng.choice([2, 3]), False)
        args = ["--drop-after", "4", "--multiclass", rng.choice(["native", "ovr"]), "--kernel",
                rng.choice(["none", "none", "poly"])]
        write(where + "/d.csv", rows, labels)
        train(program, where + "/d.csv", where + "/whole", *args, "--epochs", "6")
        train(program, where + "/d.csv", where + "/half", *args, "--epochs", "2")
        run(program, "train", where + "/d.csv", "--resume", where + "/half", "--epochs", "6", "-q",
            "-o", where + "/both")
        with open(where + "/whole", "rb") as a, open(where + "/both", "rb") as b:
            same(f"resumed, run {seed}, {args}", a.read() == b.read(), True)
    print(f"resumed: {runs} runs")


def group_threads(program, where, _):
    """Data so large that shuffled rows are fetched ahead by another thread: the same bytes."""
    run(program, "generate", "halfspace", "--rows", "20000", "--features", "60", "--noise", "0.01",
        "--digits", "15", "-o", where + "/large.blocks")
    models = []
    for threads in ("1", "2"):
        run(program, "train", where + "/large.blocks", "-a", "perceptron", "--drop-after", "3",
            "--epochs", "6", "--threads", threads, "-q", "-o", where + "/m")
        with open(where + "/m", "rb") as f:
            models.append(f.read())
    same("models of one thread and of two", models[0] == models[1], True)
    print("threads: 2 runs")


def group_refused(program, where, _):
    write(where + "/d.csv", [[1.0], [2.0]], [0, 1])
    for word, args in (("plain rule", ["-a", "averaged"]), ("plain rule", ["-a", "voted"]),
                       ("plain rule", ["-a", "pocket"]), ("plain rule", ["-a", "margin"]),
                       ("starts from zero", ["-a", "perceptron", "--init", "unit"]),
                       ("memory", ["-a", "perceptron", "--stream"])):
        said = run(program, "train", where + "/d.csv", *args, "--drop-after", "3", "-o",
                   where + "/m", rc=2)
        same(f"{args}: {said}", word in said, True)
    print("refused: 6 runs")


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: drop_reference.py PERCEPTRON [RUNS]")
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    with tempfile.TemporaryDirectory() as where:
        for group, share in ((group_weights, 2), (group_rest, 1), (group_kernels, 0.5),
                             (group_resumed, 0.2), (group_threads, 0), (group_refused, 0)):
            group(sys.argv[1], where, int(runs * share))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
