#!/usr/bin/python3
"""Weights that shrink with every example (--decay), by a loop that shrinks them all.

    decay_reference.py PROGRAM

The tool lets its steps grow instead, and walks over the weights now and then. Two oracles:

- The rules once more, with every weight multiplied by 1 - D before each row, and the average added
  up from all weights on the way: mistakes, updates and weights.
- A perceptron that forgets makes the mistakes of one that does not, on rows that count for more and
  more, (1 - D)^-t the t-th.

And what must be the same to the byte: a run in memory, a stream, the lines one by one, and two
halves, one after the other; also where a run begins with a model (--init) and columns come late.
The rows are decimals, so that no score is 0 by chance; the label turns round in the middle.
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

ROWS, COLUMNS = 400, 5
RULES = ["perceptron", "margin", "pa", "pa1", "pa2"]
AGGRESSIVENESS = 0.7


class Failed(Exception):
    pass


def draw(classes, seed):
    r = random.Random(seed)
    rows = [[round(r.gauss(0, 1), 3) for _ in range(COLUMNS)] for _ in range(ROWS)]
    hidden = [[r.gauss(0, 1) for _ in range(COLUMNS)] for _ in range(classes)]
    labels = []
    for i, x in enumerate(rows):
        scores = [sum(a * b for a, b in zip(h, x)) for h in hidden]
        best = scores.index(max(scores))
        labels.append("abc"[best if i < ROWS // 2 else classes - 1 - best])
    return rows, labels


def write(name, rows, labels, weights=None):
    with open(name, "w") as f:
        f.write(",".join("f%d" % j for j in range(COLUMNS)) + (",count" if weights else "") + ",y\n")
        for i, x in enumerate(rows):
            weight = [repr(weights[i])] if weights else []
            f.write(",".join([str(v) for v in x] + weight + [labels[i]]) + "\n")


def step(rule, m, size2, eta):
    if rule == "perceptron":
        return eta if m <= 0 else 0
    if rule == "margin":
        return eta if m <= eta * size2 else 0
    if m >= 1:
        return 0
    if rule == "pa":
        return (1 - m) / size2
    if rule == "pa1":
        return min(AGGRESSIVENESS, (1 - m) / size2)
    return (1 - m) / (size2 + 1 / (2 * AGGRESSIVENESS))


def plain(rule, averaged, decay, eta, rows, labels):
    """Vectors with the offset at the end, mistakes and updates; three classes: each by itself."""
    names = sorted(set(labels))
    targets = names[1:] if len(names) == 2 else names
    vectors = [[0.0] * (COLUMNS + 1) for _ in targets]
    sums = [[0.0] * (COLUMNS + 1) for _ in targets]
    count = mistakes = updates = 0
    for x, label in zip(rows, labels):
        row = x + [1.0]
        size2 = sum(v * v for v in row)
        vectors = [[(1 - decay) * v for v in w] for w in vectors]
        margins = []
        for k, target in enumerate(targets):
            y = 1 if label == target else -1
            margins.append(y * sum(a * b for a, b in zip(vectors[k], row)))
            g = step(rule, margins[k], size2, eta)
            updates += g != 0
            vectors[k] = [a + y * g * b for a, b in zip(vectors[k], row)]
        mistakes += margins[0] <= 0
        sums = [[(1 - decay) * s + v for s, v in zip(*two)] for two in zip(sums, vectors)]
        count = (1 - decay) * count + 1
    if averaged:
        vectors = [[s / count for s in w] for w in sums]
    return vectors, mistakes if len(targets) == 1 else None, updates


def model(path):
    """The vectors that a file shows, and its metadata."""
    with open(path, "rb") as f:
        raw = f.read()
    (length,) = struct.unpack("<Q", raw[:8])
    header, body = json.loads(raw[8:8 + length]), raw[8 + length:]
    meta = header.pop("__metadata__")
    unit = float(meta.get("unit", "1"))

    def numbers(name):
        begin, end = header[name]["data_offsets"]
        return [unit * v for v in struct.unpack("<%dd" % ((end - begin) // 8), body[begin:end])]
    w, b = numbers("weight"), numbers("offset")
    return [w[k::len(b)] + [b[k]] for k in range(len(b))], meta


def far(got, want):
    largest = max(abs(a) for w in want for a in w)
    return max(abs(a - b) for v, w in zip(got, want) for a, b in zip(v, w)) / largest


class Tool:
    def __init__(self, program):
        self.program, self.compared = program, 0

    def call(self, *args, given=None):
        done = subprocess.run([self.program, *args], input=given, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True)
        if done.returncode != 0:
            raise Failed("%s\n%s" % (" ".join(args), done.stderr))
        return done.stdout

    def train(self, out, options, data="data.csv"):
        self.call("train", data, "--scale", "none", "-q", "-o", out, *options)

    def same(self, what, *paths):
        contents = []
        for path in paths:
            with open(path, "rb") as f:
                contents.append(f.read())
        self.compared += 1
        if any(c != contents[0] for c in contents):
            raise Failed("%s: %s differ" % (what, ", ".join(paths)))


def compare_rule(tool, options, decay, eta, data):
    averaged, rule = "averaged" in options, options[-1]
    options = options + ["--decay", repr(decay)]
    if rule in ("perceptron", "margin"):
        options += ["--rate", repr(eta)]
    if rule in ("pa1", "pa2"):
        options += ["--aggressiveness", repr(AGGRESSIVENESS)]
    tool.train("memory", options + ["--epochs", "1", "--order", "file"])
    tool.train("stream", options + ["--epochs", "1", "--stream"])
    tool.same(options, "memory", "stream")
    got, meta = model("memory")
    want, mistakes, updates = plain(rule, averaged, decay, eta, *data)
    distance = far(got, want)
    if int(meta["updates"]) != updates or mistakes not in (None, int(meta["mistakes"])):
        raise Failed("%s: %s mistakes and %s updates, expected %s and %d"
                     % (options, meta["mistakes"], meta["updates"], mistakes, updates))
    if not distance <= 1e-11:
        raise Failed("%s: weights are %g from those expected" % (options, distance))
    tool.compared += 1


def compare_growing(tool, data):
    """(1 - D)^-t in front of row t, and nothing forgotten."""
    for decay in (0.001, 0.03):
        write("growing.csv", *data, weights=[(1 - decay) ** -(t + 1) for t in range(ROWS)])
        once = ["--epochs", "1", "--order", "file", "-a", "perceptron"]
        tool.train("memory", once + ["--decay", repr(decay)])
        tool.train("growing", once + ["--weight", "count"], "growing.csv")
        got, meta = model("memory")
        want, other = model("growing")
        shrunk = [[(1 - decay) ** ROWS * v for v in w] for w in want]
        if meta["mistakes"] != other["mistakes"] or not far(got, shrunk) <= 1e-11:
            raise Failed("decay %g is not a weight that grows" % decay)
        tool.compared += 1


def compare_ways(tool, data):
    """A run, and the same in pieces. 0.9: a walk every 8 examples; 0.001: none in these rows."""
    lines = [" ".join([label] + ["%d:%s" % (j + 1, v) for j, v in enumerate(x)]) + "\n"
             for x, label in zip(*data)]
    for algorithm in ("averaged", "margin", "pa"):
        for decay in ("0.001", "0.2", "0.9"):
            new = ["learn", "--new", "-q", "-a", algorithm, "--decay", decay, "-o"]
            tool.call(*new, "whole", given="".join(lines))
            for at in (1, 8, 100, 399):
                tool.call(*new, "parts", given="".join(lines[:at]))
                tool.call("learn", "parts", "-q", given="".join(lines[at:]))
                tool.same("learn %s --decay %s" % (algorithm, decay), "whole", "parts")
            options = ["-a", algorithm, "--decay", decay, "--order", "file"]
            tool.train("two", options + ["--epochs", "2"])
            tool.train("one", options + ["--epochs", "1"])
            tool.call("train", "data.csv", "--resume", "one", "--epochs", "2", "-q", "-o", "one")
            tool.same("--resume %s --decay %s" % (algorithm, decay), "two", "one")


def compare_start(tool):
    """A model whose columns come late: as if they had been there, and shrunk, from the start."""
    r = random.Random(3)

    def level(i):
        return "abc"[r.randrange(2 + (i > 120))]
    with open("old.csv", "w") as f:
        f.write("kind,v,y\n" + "".join("%s,%.3f,%d\n" % (level(150), r.gauss(0, 1), i % 2)
                                       for i in range(60)))
    with open("new.csv", "w") as f:
        f.write("kind,v,y\n" + "".join("%s,%.3f,%d\n" % (level(i), r.gauss(0, 1), r.randrange(2))
                                       for i in range(200)))
    tool.train("old", [], "old.csv")
    for algorithm in ("perceptron", "averaged", "pa"):
        options = ["-a", algorithm, "--init", "old", "--decay", "0.3", "--epochs", "1"]
        tool.train("memory", options + ["--order", "file"], "new.csv")
        tool.train("stream", options + ["--stream"], "new.csv")
        tool.same("--init and --decay with %s" % algorithm, "memory", "stream")


def main():
    tool = Tool(os.path.abspath(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for classes in (2, 3):
            data = draw(classes, classes)
            write("data.csv", *data)
            for rule in RULES:
                for options in (["-a", rule], ["-a", "averaged", "--rule", rule]):
                    for decay, eta in ((0.0001, 1), (0.01, 3), (0.06, 1), (0.3, 0.1), (0.9, 1)):
                        compare_rule(tool, options, decay, eta, data)
        write("data.csv", *draw(2, 5))
        compare_growing(tool, draw(2, 5))
        compare_ways(tool, draw(2, 5))
        compare_start(tool)
    if tool.compared < 100:
        raise Failed("hardly anything was compared")
    print("decay: %d comparisons" % tool.compared)


if __name__ == "__main__":
    try:
        main()
    except Failed as e:
        sys.exit(str(e))
