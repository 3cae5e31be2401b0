#!/usr/bin/python3
"""Where a run begins: all classes from the first row on, and starts other than zero.

    start_reference.py PROGRAM [GROUP...]

Kesler's construction turns k classes of rows x into one problem of two classes: a row of class c
stands for k - 1 vectors, x in the part of c and -x in that of a rival. The plain perceptron on
these, which takes the vector that it gets most wrong, is written down here in the large space and
compared with `--multiclass native`, mistake for mistake. Starts are compared with a plain loop from
w_0, and with the theorem: k mistakes at rate eta need

    k eta gamma + w_0.u <= sqrt(|w_0|^2 + k eta^2 R^2)

for any unit u that has every row on its side by gamma. Numbers are small and whole, or halves and
quarters, so that doubles are exact. The data follow from fixed seeds; the first mismatch ends the
program, and a group that compared nothing fails."""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from unscaled import unscaled

NAMES = ["alpha", "beta", "gamma", "delta", "eta"]
compared = 0


class Mismatch(Exception):
    pass


def same(what, got, want):
    global compared
    compared += 1
    if got != want:
        raise Mismatch("%s\ngot       %s\nexpected  %s" % (what, got, want))


class Tool:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, *args, text=None, status=0):
        done = subprocess.run([self.program, *unscaled(args)], input=text, capture_output=True, text=True,
                              check=False, cwd=self.folder)
        if done.returncode != status:
            raise Mismatch("%s: exit status %d\n%s" % (args, done.returncode, done.stderr))
        return done.stdout if status == 0 else done.stderr

    def train(self, data, *args, model="model"):
        with open(self.path("data"), "w", encoding="utf-8") as f:
            f.write(data)
        return json.loads(self.call("train", "data", "-o", model, "--json", *args))

    def weights(self, model="model"):
        """The tensors of a model, as lists."""
        with open(self.path(model), "rb") as f:
            blob = f.read()
        size = int.from_bytes(blob[:8], "little")
        header = json.loads(blob[8:8 + size])
        out = {}
        for name, about in header.items():
            if name == "__metadata__" or about["dtype"] != "F64":
                continue
            a, b = about["data_offsets"]
            out[name] = list(memoryview(blob[8 + size + a:8 + size + b]).cast("d"))
        return out


def libsvm(rows, labels):
    return "".join("%s %s\n" % (y, " ".join("%d:%s" % (j + 1, v) for j, v in enumerate(x)))
                   for x, y in zip(rows, labels))


def table(rows, labels, names):
    """Names say which column of the rows stands where; one that they do not have is left out."""
    lines = [",".join([name for name, _ in names] + ["y"])]
    for x, y in zip(rows, labels):
        lines.append(",".join([str(x[j]) for _, j in names] + [y]))
    return "\n".join(lines) + "\n"


# ----- all classes from the first row on ------------------------------------------------------


def kesler(rows, labels, classes, passes, offset=True):
    """Mistakes of each pass, and the weights, by vectors of the large space."""
    x = [list(row) + ([1] if offset else []) for row in rows]
    n, k = len(x[0]), len(classes)

    def lifted(row, c, rival):
        z = [0] * (n * k)
        z[c * n:c * n + n] = row
        z[rival * n:rival * n + n] = [-v for v in row]
        return z

    w, history, made = [0] * (n * k), [], []
    for _ in range(passes):
        mistakes = 0
        for row, label in zip(x, labels):
            c = classes.index(label)
            around = [lifted(row, c, r) for r in range(k) if r != c]
            scores = [sum(a * b for a, b in zip(w, z)) for z in around]
            worst = scores.index(min(scores))  # the first of equals: the lowest rival
            made.append(scores[worst] <= 0)
            if scores[worst] <= 0:
                mistakes += 1
                w = [a + b for a, b in zip(w, around[worst])]
        history.append(mistakes)
        if mistakes == 0:
            break
    return history, [w[c * n:c * n + n] for c in range(k)], made


def draw_classes(r):
    classes = sorted(r.sample(NAMES, r.randint(2, 5)))
    n, d = r.randint(2, 12), r.randint(1, 3)
    rows = [[r.randint(-3, 3) for _ in range(d)] for _ in range(n)]
    labels = [r.choice(classes) for _ in range(n)]
    return rows, labels, classes


def group_kesler(tool, r):
    three = "low 1:-1\nmiddle 1:0\nhigh 1:1\n"
    report = tool.train(three, "-a", "perceptron", "--order", "file", "--multiclass", "native")
    same("three on a line", (report["mistakes"], report["epochs"]), (10, 6))
    for k in range(200):
        rows, labels, classes = draw_classes(r)
        offset = r.random() < 0.7
        if len(set(labels)) < 2 and k % 3 != 0:
            continue
        history, w, made = kesler(rows, labels, classes, 30, offset)
        args = ["-a", "perceptron", "--multiclass", "native", "--classes", ",".join(classes)]
        if len(classes) == len(set(labels)) and r.random() < 0.7:
            args[-2:] = r.choice([["--classes", "all"], []])  # the default, in memory
        args += [] if offset else ["--no-offset"]
        report = tool.train(libsvm(rows, labels), *args, "--order", "file", "--epochs", "30")
        same("mistakes of each pass", [p["mistakes"] for p in report["history"]], history)
        arrays, d, n = tool.weights(), len(rows[0]), len(classes)
        same("weights", arrays["weight"], [float(w[c][j]) for j in range(d) for c in range(n)])
        if offset:
            same("offsets", arrays["offset"], [float(v[-1]) for v in w])
        if k % 4 == 0 and "--classes" in args and "all" not in args:
            stream = tool.train(libsvm(rows, labels), *args, "--stream", "--epochs", "30",
                                model="other")
            same("a stream", [p["mistakes"] for p in stream["history"]], history)
            with open(tool.path("model"), "rb") as a, open(tool.path("other"), "rb") as b:
                same("bytes of a stream", a.read() == b.read(), True)
            said = tool.call("learn", "--new", "-o", "taught", *args, text=libsvm(rows, labels))
            told = [line.split()[1] for line in said.splitlines() if "(" in line]
            same("line by line", told, ["mistake" if m else "right" for m in made[:len(rows)]])


def group_refused(tool, r):
    rows, labels = [[1], [2], [3]], ["a", "b", "c"]
    for more in ([], ["--stream"]):
        with open(tool.path("data"), "w", encoding="utf-8") as f:
            f.write(libsvm(rows, labels))
        said = tool.call("train", "data", "--classes", "a,b", *more, status=3)
        same("the place", said.startswith("data:3: the label 'c'"), True)
    for spec in ("a", "a,,b", "a,a,b"):
        tool.call("train", "data", "--classes", spec, status=2)
    with open(tool.path("bad"), "w", encoding="utf-8") as f:
        f.write("0.5\n1 # fine\n  2x\n")
    same("the file and the place", tool.call("train", "data", "--init", "bad", status=3)[:8],
         "bad:3:3:")


# ----- a start other than zero ----------------------------------------------------------------


def plain(rows, signs, w, eta, passes):
    """The perceptron from w, (w, b) as one vector; mistakes by pass, and all vectors on the way."""
    history, trail = [], []
    for _ in range(passes):
        mistakes = 0
        for x, y in zip(rows, signs):
            z = list(x) + [1]
            if y * sum(a * b for a, b in zip(w, z)) <= 0:
                w = [a + eta * y * b for a, b in zip(w, z)]
                mistakes += 1
            trail.append(w)
        history.append(mistakes)
        if mistakes == 0:
            break
    return history, w, trail


def draw_two(r):
    """Rows of two classes that a plane through whole numbers separates, and the plane."""
    d = r.randint(1, 4)
    while True:
        u = [r.randint(-3, 3) for _ in range(d + 1)]
        rows = [[r.randint(-4, 4) for _ in range(d)] for _ in range(r.randint(4, 12))]
        sides = [sum(a * b for a, b in zip(u, x + [1])) for x in rows]
        if 0 not in sides and len({s > 0 for s in sides}) == 2:
            return rows, [1 if s > 0 else -1 for s in sides], u


def write_numbers(tool, r, w):
    """w and b in one of the forms of the file."""
    words = [str(float(v)) for v in w[:-1]]
    last = "b %s" % float(w[-1])
    with open(tool.path("w0"), "w", encoding="utf-8") as f:
        f.write(r.choice([" ", "\n", "\t \n", " # remark\n"]).join(words + [last]) + "\n")


def group_numbers(tool, r):
    for k in range(120):
        rows, signs, u = draw_two(r)
        eta = r.choice([Fraction(1), Fraction(1, 4), Fraction(2)])
        w0 = [Fraction(r.randint(-20, 20), 4) for _ in rows[0]] + [Fraction(r.randint(-8, 8), 4)]
        write_numbers(tool, r, w0)
        history, w, trail = plain(rows, signs, w0, eta, 200)
        data = libsvm(rows, ["%+d" % y for y in signs])
        args = ["--order", "file", "--epochs", "200", "--rate", str(float(eta)), "--init", "w0"]
        report = tool.train(data, "-a", "perceptron", *args)
        same("mistakes of each pass", [p["mistakes"] for p in report["history"]], history)
        got = tool.weights()
        same("weights", got["weight"] + got["offset"], [float(v) for v in w])
        length = math.sqrt(sum(a * a for a in u))
        gamma = min(y * sum(a * b for a, b in zip(u, x + [1])) for x, y in zip(rows, signs))
        reach = max(sum(a * a for a in x) + 1 for x in rows)
        count, rate = report["mistakes"], float(eta)
        left = (count * rate * gamma + float(sum(a * b for a, b in zip(w0, u)))) / length
        right = math.sqrt(float(sum(a * a for a in w0)) + count * rate * rate * reach)
        same("the theorem", left <= right * (1 + 1e-12), True)
        if k % 3 == 0:  # every vector on the way votes
            tool.train(data, "-a", "voted", *args)
            lines = tool.call("predict", "model", "data", "--scores").splitlines()
            for line, x in zip(lines, rows):
                ayes = sum(sum(a * b for a, b in zip(v, x + [1])) > 0 for v in trail)
                same("votes", float(line.split()[1]), (2 * ayes - len(trail)) / len(trail))
        if k % 3 == 1:  # three ways to show the rows once
            once, _, trail = plain(rows, signs, w0, eta, 1)
            learns = ["-a", "perceptron", "--rate", str(float(eta)), "--init", "w0", "--classes",
                      "-1,1"]
            report = tool.train(data, *learns, "--stream", "--index", "1", "--epochs", "1")
            same("a stream", report["mistakes"], once[0])
            tool.call("learn", "--new", "-o", "taught", *learns, text=data)
            for model in ("model", "taught"):
                got = tool.weights(model)
                same("weights of " + model, got["weight"] + got["offset"],
                     [float(v) for v in trail[-1]])


def group_unit(tool, r):
    """1/sqrt(n) in every feature; with four of them that is 1/2."""
    for _ in range(20):
        n = r.choice([1, 4])
        rows = [[r.randint(-4, 4) for _ in range(n)] for _ in range(8)]
        rows[0][-1] = 1
        signs = [1, -1] + [r.choice([-1, 1]) for _ in range(6)]
        history, w, trail = plain(rows, signs, [Fraction(1, int(math.sqrt(n)))] * n + [0], 1, 5)
        data = libsvm(rows, [str(y) for y in signs])
        report = tool.train(data, "-a", "perceptron", "--order", "file", "--epochs", "5", "--init",
                            "unit")
        same("mistakes", [p["mistakes"] for p in report["history"]], history)
        said = tool.call("learn", "--new", "-a", "perceptron", "--init", "unit:%d" % n,
                         "--positive", "1", "-o", "taught", text=data)
        same("taught", said.count(" mistake ("), history[0])
        same("weights", tool.weights("taught")["weight"], [float(v) for v in trail[7][:n]])


def group_names(tool, r):
    """The last weights of a run that was stopped are the start of the rest, whatever the order of
    the columns; and any linear model is a start that answers as it does."""
    for k in range(18):
        rows, signs, _ = draw_two(r)
        labels = ["yes" if y > 0 else "no" for y in signs]
        names = [(NAMES[j], j) for j in range(len(rows[0]))]
        mixed = r.sample(names, len(names))
        args = ["-a", "perceptron", "--order", "file", "--epochs"]
        whole = tool.train(table(rows, labels, names), *args, "60")
        first = tool.train(table(rows, labels, names), *args, "2", model="start")
        rest = tool.train(table(rows, labels, mixed), *args, "58", "--init", "start")
        same("mistakes", first["mistakes"] + rest["mistakes"], whole["mistakes"]
             if whole["epochs"] > 2 else first["mistakes"])
        same("found", rest["start"], {"init": "start", "found": len(names), "missing": 0,
                                      "unused": 0})
        algorithm = ["svm", "averaged", "pocket", "arow", "pa1", "lp"][k % 6]
        try:
            tool.train(table(rows, labels, names), "-a", algorithm, model="start")
        except Mismatch:
            if algorithm == "lp":  # Clp may be missing
                continue
            raise
        scores = tool.call("predict", "start", "data", "--scores").split()[1::2]
        for learner in ("perceptron", "averaged", "arow", "voted"):
            tool.train(table(rows, labels, mixed), "-a", learner, "--epochs", "0", "--init", "start")
            if learner == "voted":
                continue
            got = tool.call("predict", "model", "data", "--scores").split()[1::2]
            near = [abs(float(a) - float(b)) <= 1e-9 * (1 + abs(float(a)))
                    for a, b in zip(scores, got)]
            same("scores of %s begun with %s" % (learner, algorithm), all(near), True)
        # of the two classes one has w, the other -w
        tool.train(table(rows, labels, names), "-a", "perceptron", "--epochs", "0", "--init",
                   "start", "--positive", "no")
        same("the other side", [-float(v) for v in scores], [float(v) for v in tool.call(
            "predict", "model", "data", "--scores").split()[1::2]])
        tool.train(table(rows, labels, names), "-a", "pa1", "--epochs", "0", "--init", "start",
                   "--multiclass", r.choice(["native", "ovr"]))
        one, both = tool.weights("start"), tool.weights()
        same("a vector each", both["weight"], [v for w in one["weight"] for v in (-w, w)])
        same("an offset each", both["offset"], [-one["offset"][0], one["offset"][0]])
        if len(names) > 1:
            other = mixed[:-1] + [("unheard", mixed[-1][1])]
            report = tool.train(table(rows, labels, other), "--init", "start")
            same("not found", [report["start"][key] for key in ("found", "missing", "unused")],
                 [len(names) - 1, 1, 1])
        tool.call("train", "data", "--init", "start", "--scale", "by:2", "-o", "none", status=2)


GROUPS = [("kesler", group_kesler), ("refused", group_refused), ("numbers", group_numbers),
          ("unit", group_unit), ("names", group_names)]


def main():
    global compared
    chosen = sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(os.path.abspath(sys.argv[1]), folder)
        for number, (name, run) in enumerate(GROUPS):
            if chosen and name not in chosen:
                continue
            compared = 0
            try:
                run(tool, random.Random(number + 19))
            except Mismatch as wrong:
                with open(tool.path("data"), encoding="utf-8") as f:
                    sys.exit("%s: %s\n%s" % (name, wrong, f.read()))
            print("%-12s %5d comparisons" % (name, compared))
            if compared == 0:
                sys.exit("%s: nothing was compared" % name)


if __name__ == "__main__":
    main()
