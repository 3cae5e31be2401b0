#!/usr/bin/python3
"""Kernels that are given as a matrix: --kernel precomputed.

    gram_reference.py PROGRAM [GROUP...]

    same      the matrix of a kernel of whole numbers, computed here, is learned from as the kernel
              itself is: mistakes, updates, passes, errors and scores, to the bit, by every learner
    loop      any symmetric matrix, a kernel's or not: the loop of the textbook on whole numbers,
              a_i += 1 on a mistake of row i; counters, passes, and scores of new rows
    part      a part of the rows, numbered: as the same part of the rows with the kernel
    definite  L D L' in fractions decides whether v.K v >= 0 for all v, and the rank; a v that the
              tool gives is multiplied out in fractions. Eigenvalues by Jacobi's rotations, in
              doubles, say the same where they are not near 0
    refused   what is no such matrix, or cannot be done with one

A group that compared nothing fails. The data follow from fixed seeds.
"""
import json
import math
import os
import subprocess
from fractions import Fraction

import online_reference as online
from online_reference import Mismatch, must_fail
from unscaled import unscaled


class Tool:
    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), folder
        self.compared, self.about = 0, ""

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *args, fails=False):
        self.about = " ".join(args)
        done = subprocess.run([self.program, *unscaled(args)], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        if (done.returncode != 0) != fails:
            raise Mismatch("exit status %d: %s" % (done.returncode, done.stderr.decode()))
        return done.stderr.decode() if fails else done.stdout.decode()

    def train(self, data, model, *options):
        return json.loads(self.run("train", data, "-o", model, "--json", *options))

    def scores(self, model, data):
        return self.run("predict", model, data, "--scores").split("\n")

    def same(self, what, got, expected):
        self.compared += 1
        if got != expected:
            raise Mismatch("%s: got %r, expected %r" % (what, got, expected))

    def write(self, name, lines):
        with open(self.path(name), "w") as f:
            f.write("\n".join(lines) + "\n")


# ----- data ---------------------------------------------------------------------------------


def between(r, low, high):
    return low + r.below(high - low + 1)


def draw_points(r, rows, classes):
    """Whole numbers, some rows twice, labels at random."""
    d = between(r, 1, 4)
    x = [[between(r, -4, 4) for _ in range(d)] for _ in range(rows)]
    return x, ["c%d" % (i if i < classes else r.below(classes)) for i in range(rows)]


def kernel(name, x, z):
    dot = sum(a * b for a, b in zip(x, z))
    return {"linear": dot, "poly": (dot + 1) ** 2}[name]


KERNELS = {"linear": ["--kernel", "linear"], "poly": ["--kernel", "poly", "--degree", "2"]}
FORMS = ["csv", "libsvm", "numbered"]


def lines(matrix, labels, form, numbers=None):
    """A matrix as a file: a table with the label in the last column, or LIBSVM text, plain or with
    0:NUMBER; zeros are left out but in the last column, which says how many there are."""
    out = []
    for i, (row, label) in enumerate(zip(matrix, labels)):
        number = numbers[i] if numbers else i + 1
        if form == "csv":
            out.append(",".join([*map(str, row), label]))
            continue
        cells = ["%d:%s" % (j + 1, v) for j, v in enumerate(row) if v or j == len(row) - 1]
        out.append(" ".join([label] + (["0:%d" % number] if form == "numbered" else []) + cells))
    return out


# ----- the same as the kernel -----------------------------------------------------------------

LEARNERS_USED = """
perceptron
perceptron --no-offset
perceptron --loop textbook
perceptron --order file
perceptron --cache 0 --threads 1
perceptron --multiclass native
perceptron --multiclass ovr --order file
perceptron --drop-after 3 --multiclass native
averaged
averaged --multiclass native --rule pa1
voted
voted --multiclass native
pocket
pocket --rule margin --margin 3
margin --margin 2
pa
pa1 --aggressiveness 0.1
pa2
perceptron --budget 6 --budget-policy random
perceptron --budget 6 --budget-policy forgetron
perceptron --budget 6 --budget-policy projectron
pa1 --budget 8 --multiclass native
"""
FACTS = ["mistakes", "updates", "epochs", "examples", "training_errors", "perceptron_loss", "radius",
         "stop"]


def compare(tool, plain, with_kernel, matrix):
    """Two runs: of rows with a kernel, and of the matrix."""
    a = tool.train("x.csv", "x.m", *with_kernel, *plain)
    b = tool.train(matrix, "k.m", "--kernel", "precomputed", *plain)
    for fact in FACTS:
        tool.same(fact, b[fact], a[fact])
    tool.same("scores", tool.scores("k.m", matrix), tool.scores("x.m", "x.csv"))


def group_same(tool, r):
    runs = [line.split() for line in LEARNERS_USED.strip().split("\n")]
    for number, (algorithm, *options) in enumerate(runs):
        for classes in (2, 3):
            if classes == 3 and "forgetron" in options:
                continue
            name = ["linear", "poly"][r.below(2)]
            form = FORMS[number % 3]
            x, labels = draw_points(r, between(r, 5, 40), classes)
            tool.write("x.csv", lines(x, labels, "csv"))
            tool.write("k." + form, lines([[kernel(name, a, b) for b in x] for a in x], labels, form))
            plain = ["-a", algorithm, *options, "--epochs", "6", "--seed", str(r.below(100))]
            compare(tool, plain, KERNELS[name], "k." + form)
            if number % 4 == 0:  # stop and go on
                half = plain[:-4] + ["--epochs", "3"] + plain[-2:]
                tool.train("k." + form, "half.m", "--kernel", "precomputed", *half)
                tool.train("k." + form, "rest.m", "--resume", "half.m", "--epochs", "6")
                with open(tool.path("rest.m"), "rb") as a, open(tool.path("k.m"), "rb") as b:
                    tool.same("bytes after a stop", a.read() == b.read(), True)
    folds = ["-a", "averaged", "--epochs", "4", "--folds", "3"]
    for form in FORMS:
        x, labels = draw_points(r, 30, 2)
        tool.write("x.csv", lines(x, labels, "csv"))
        tool.write("k", lines([[kernel("poly", a, b) for b in x] for a in x], labels, form))
        compare(tool, folds, KERNELS["poly"], "k")
        a = tool.train("x.csv", "x.m", *KERNELS["poly"], *folds)
        b = tool.train("k", "k.m", "--kernel", "precomputed", *folds)
        for what in ("mean", "spread", "each"):
            tool.same("folds", b["cross_validation"][what], a["cross_validation"][what])
        if form == "numbered":
            compare(tool, folds[:4] + ["--holdout", "0.3"], KERNELS["poly"], "k")


# ----- the textbook's loop ---------------------------------------------------------------------


def textbook(k, y, offset, passes):
    """Counters a and offset b; how many passes, and the mistakes of all of them."""
    a, b, mistakes = [0] * len(y), 0, 0
    for epoch in range(1, passes + 1):
        wrong = 0
        for i, target in enumerate(y):
            s = sum(a[j] * y[j] * k[j][i] for j in range(len(y))) + b
            if target * s <= 0:
                a[i] += 1
                b += target if offset else 0
                wrong += 1
        mistakes += wrong
        if wrong == 0:
            break
    return a, b, epoch, mistakes


def group_loop(tool, r):
    for number in range(40):
        n, offset, form = between(r, 2, 9), r.below(2), FORMS[number % 3]
        k = [[0] * n for _ in range(n)]
        for i in range(n):
            for j in range(i + 1):
                k[i][j] = k[j][i] = between(r, -9, 9) + (12 if i == j and r.below(2) else 0)
        labels = ["-1", "1"] + [["-1", "1"][r.below(2)] for _ in range(n - 2)]
        y = [int(label) for label in labels]
        a, b, passes, mistakes = textbook(k, y, offset, 8)
        tool.write("k", lines(k, labels, form))
        said = tool.train("k", "m", "-a", "perceptron", "--kernel", "precomputed", "--order", "file",
                          "--epochs", "8", *([] if offset else ["--no-offset"]))
        tool.same("passes and mistakes", [said["epochs"], said["mistakes"]], [passes, mistakes])
        model = json.loads(tool.run("inspect", "m", "--json"))
        tool.same("counters", sorted((s["row"], s["counter"]) for s in model["support_rows"]),
                  [(i + 1, c) for i, c in enumerate(a) if c])
        new = [[between(r, -9, 9) for _ in range(n)] for _ in range(5)]
        tool.write("new", lines(new, ["1"] * 5, form, [n + 7] * 5))
        scores = [sum(a[j] * y[j] * row[j] for j in range(n)) + b for row in new]
        got = [float(line.split()[1]) for line in tool.scores("m", "new") if line]
        tool.same("scores of new rows", got, [float(s) for s in scores])


def group_part(tool, r):
    for _ in range(8):
        x, labels = draw_points(r, 24, 2)
        k = [[kernel("poly", a, b) for b in x] for a in x]
        some = sorted({0, 1} | {i for i in range(24) if r.below(2)}, key=lambda i: (i * 7) % 24)
        tool.write("x.csv", lines([x[i] for i in some], [labels[i] for i in some], "csv"))
        tool.write("k", lines([k[i] for i in some], [labels[i] for i in some], "numbered",
                              [i + 1 for i in some]))
        compare(tool, ["-a", "pa1", "--epochs", "4"], KERNELS["poly"], "k")
        tool.write("all.csv", lines(x, labels, "csv"))
        tool.write("all", lines(k, labels, "numbered"))
        tool.same("other rows", tool.scores("k.m", "all"), tool.scores("x.m", "all.csv"))


# ----- positive semi-definite? --------------------------------------------------------------------


def definite(k):
    """(True, rank) or (False, 0): by eliminating one variable after the other, in fractions."""
    k, rank = [list(map(Fraction, row)) for row in k], 0
    while k:
        d, column = k[0][0], [row[0] for row in k[1:]]
        if d < 0 or (d == 0 and any(column)):
            return False, 0
        k = [[v - (column[i] * column[j] / d if d else 0) for j, v in enumerate(row[1:])]
             for i, row in enumerate(k[1:])]
        rank += d > 0
    return True, rank


def eigenvalues(k):
    """Jacobi 1846."""
    a = [list(map(float, row)) for row in k]
    n = len(a)
    for _ in range(60):
        for p in range(n):
            for q in range(p + 1, n):
                if a[p][q] == 0:
                    continue
                t = (a[q][q] - a[p][p]) / (2 * a[p][q])
                t = math.copysign(1, t) / (abs(t) + math.hypot(1, t))
                c = 1 / math.hypot(1, t)
                for i in range(n):
                    u, v = a[i][p], a[i][q]
                    a[i][p], a[i][q] = c * (u - t * v), c * (v + t * u)
                for i in range(n):
                    u, v = a[p][i], a[q][i]
                    a[p][i], a[q][i] = c * (u - t * v), c * (v + t * u)
    return sorted(a[i][i] for i in range(n))


def draw_matrix(r):
    """Of a rank, in decimals; often with one entry, or a diagonal, a little off."""
    n, rank, places = between(r, 2, 12), between(r, 1, 8), between(r, 0, 20)
    b = [[between(r, -9, 9) for _ in range(rank)] for _ in range(n)]
    k = [[Fraction(sum(u * v for u, v in zip(x, z)), 10 ** places) for z in b] for x in b]
    off = Fraction([0, 0, 1, -1][r.below(4)], 10 ** (places + r.below(25)))
    i, j = r.below(n), r.below(n)
    k[i][j] += off
    if i != j:
        k[j][i] += off
    return k


def decimal(f):
    """A fraction that is one, in full."""
    places = 0
    while (f * 10 ** places).denominator > 1:
        places += 1
    digits = str(abs(f * 10 ** places).numerator).rjust(places + 1, "0")
    sign = "-" if f < 0 else ""
    return sign + digits[:len(digits) - places] + ("." + digits[len(digits) - places:] if places else "")


def check_verdict(tool, k, said):
    yes, rank = definite(k)
    n = len(k)
    tool.same("semi-definite", [said["semidefinite"], said["rank"]], [yes, rank if yes else None])
    values = eigenvalues(k)
    near = max(map(abs, values)) * 1e-9 + 1e-300
    if abs(values[0]) > near:
        tool.same("the smallest eigenvalue", said["semidefinite"], values[0] > 0)
    if yes:
        return
    v = [int(number) for number in said["v"]]
    value = sum(v[i] * v[j] * k[i][j] for i in range(n) for j in range(n))
    tool.same("v.K v", [Fraction(said["value"]), value < 0], [value, True])


def group_definite(tool, r):
    seen = set()
    for number in range(90):
        k, form = draw_matrix(r), FORMS[number % 3]
        labels = ["ab"[i % 2] for i in range(len(k))]
        tool.write("k", lines([[decimal(v) for v in row] for row in k], labels, form))
        said = tool.train("k", "m", "-a", "perceptron", "--kernel", "precomputed", "--epochs", "0",
                          "--check-kernel")["kernel_check"]
        check_verdict(tool, k, said)
        seen.add((said["semidefinite"], said["rank"] == len(k)))
    tool.same("kinds of matrices", len(seen), 3)


# ----- what is refused ------------------------------------------------------------------------------


def refused(tool, words, *args):
    said = tool.run(*args, fails=True)
    tool.compared += 1
    if words not in said:
        raise Mismatch("expected '%s' in: %s" % (words, said))


def group_refused(tool, r):
    train = ["-o", "none.m", "-a", "perceptron", "--kernel", "precomputed"]
    tool.write("k.csv", ["2,1,a", "1,2,b"])
    tool.write("wide.csv", ["2.5,1,0,a", "1,2,0,b"])
    tool.write("not.csv", ["2,1,a", "1.5,2,b"])
    tool.write("twice.svm", ["a 0:1 1:2 2:1", "b 0:1 1:1 2:2"])
    tool.write("long.csv", ["2,1,a", "1.0000000000000000000001,2,b"])
    refused(tool, "begin with its number", "train", "wide.csv", *train)
    refused(tool, "not.csv:1: K(x_1, x_2) is 1 here and 1.5 on line 2", "train", "not.csv", *train)
    refused(tool, "begins with 1, as one before it", "train", "twice.svm", *train)
    refused(tool, "symmetric", "train", "long.csv", *train, "--check-kernel")
    refused(tool, "leave out --scale", "train", "k.csv", *train, "--scale", "unit")
    refused(tool, "leave out --map", "train", "k.csv", *train, "--map", "poly:2")
    refused(tool, "whole matrix", "train", "k.csv", *train, "--stream", "--epochs", "1")
    tool.same("no model", os.path.exists(tool.path("none.m")), False)


def group_self(tool, r):
    """The references against what is known, and planted errors."""
    tool.same("semi-definite", [definite([[1, 2], [2, 4]]), definite([[1, 2], [2, 3]]),
                                definite([[0, 0], [0, 1]]), definite([[0, 1], [1, 5]])],
              [(True, 1), (False, 0), (True, 1), (False, 0)])
    tool.same("eigenvalues", [round(v, 9) for v in eigenvalues([[2, 1], [1, 2]])], [1, 3])
    tool.same("a decimal", decimal(Fraction(-5, 100)), "-0.05")
    right = {"semidefinite": False, "rank": None, "value": "-3", "v": ["-2", "1"]}
    k = [[Fraction(1), Fraction(2)], [Fraction(2), Fraction(1)]]
    check_verdict(tool, k, right)
    for wrong in ({"value": "-2"}, {"v": ["2", "1"]}, {"semidefinite": True}):
        must_fail(tool, check_verdict, tool, k, {**right, **wrong})


GROUPS = [("self", group_self), ("same", group_same), ("loop", group_loop), ("part", group_part),
          ("definite", group_definite), ("refused", group_refused)]

if __name__ == "__main__":
    online.main(GROUPS, Tool, 20260117)
