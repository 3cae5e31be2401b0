"""Logistic regression: whole commands, ours and LIBLINEAR's, in turn.

LIBLINEAR ends by a rule of its own (-e), we at a duality gap: it runs with the loosest -e whose
objective is as low as ours, both computed here. -s 0 is l2, -s 6 is l1; -B 1 has the offset inside
the penalty, as we have it without --offset-free.
"""
import json
import os
import sys

from common import FOLDER, ROUNDS, Series, describe, find, run, table, train, verdict

SPARSE = os.path.join(FOLDER, "sparse.svm")  # made by bench.py
MODEL, PEER = os.path.join(FOLDER, "logistic.model"), os.path.join(FOLDER, "logistic.peer")
SOLVER = {"l2": "0", "l1": "6"}
STOPS = [f"{a}e-{k}" for k in range(1, 7) for a in (10, 3)]  # 1, 0.3, 0.1, ...
AS_GOOD = 1 + 1e-6

# Of a model of ours and one of theirs: the objectives, and which weights are not 0 in one of the
# two alone. Arguments: DATA, PENALTY, OURS, THEIRS.
COMPARE = """
import json, struct, sys
import numpy as np
from sklearn.datasets import load_svmlight_file
X, y = load_svmlight_file(sys.argv[1])

def theirs(path):
    with open(path) as f:
        for line in f:
            if line.startswith("label"):
                positive = float(line.split()[1])
            if line.strip() == "w":
                break
        w = np.loadtxt(f)
    return w[:-1], w[-1], positive

def ours(path):
    raw = open(path, "rb").read()
    length = struct.unpack("<Q", raw[:8])[0]
    head = json.loads(raw[8:8 + length])
    def array(name):
        begin, end = head[name]["data_offsets"]
        return np.frombuffer(raw[8 + length + begin:8 + length + end])
    return array("weight"), array("offset")[0], float(head["__metadata__"]["label.1"])

def objective(w, b, positive):
    s = X[:, :len(w)] @ w[:X.shape[1]] + b
    size = np.abs(w).sum() + abs(b) if sys.argv[2] == "l1" else (w @ w + b * b) / 2
    return size + np.logaddexp(0, np.where(y == positive, -s, s)).sum()

both = ours(sys.argv[3]), theirs(sys.argv[4])
used = [set(np.nonzero(np.abs(w) > 1e-6)[0]) for w, _, _ in both]
print(json.dumps([objective(*m) for m in both] + [len(used[0]), len(used[0] ^ used[1])]))
"""


class Race:
    def __init__(self, name, path, penalty, bar):
        self.name, self.path, self.penalty, self.bar = f"{name}, {penalty}", path, penalty, bar
        self.ours, self.theirs = f"{self.name}: ours", f"{self.name}: liblinear-train"
        self.stop = None

    def liblinear(self, stop):
        return run("liblinear-train", "-s", SOLVER[self.penalty], "-B", "1", "-e", stop, "-q",
                   self.path, PEER)

    def train(self):
        return train(self.path, "-a", "logistic", "--penalty", self.penalty, "-o", MODEL)

    def compare(self):
        _, _, out = run("/usr/bin/python3", "-c", COMPARE, self.path, self.penalty, MODEL, PEER)
        return json.loads(out)

    def prepare(self):
        self.train()
        for self.stop in STOPS:
            self.liblinear(self.stop)
            ours, theirs, used, other = self.compare()
            if theirs <= ours * AS_GOOD:
                break
        print(f"      {self.name}: objective {ours:.9g}, of -s {SOLVER[self.penalty]} {theirs:.9g} "
              f"with -e {float(self.stop):g}; {used} weights, {other} in one of the two alone")

    def measure(self, s):
        seconds, memory, _ = self.train()
        s.add(self.ours, seconds, memory)
        seconds, memory, _ = self.liblinear(self.stop)
        s.add(self.theirs, seconds, memory)


def main():
    describe()
    races = [Race("sparse", SPARSE, "l2", 4), Race("sparse", SPARSE, "l1", 2)]
    a9a = find("a9a")
    if a9a:
        races += [Race("a9a", a9a, "l2", 1), Race("a9a", a9a, "l1", 2)]
    for race in races:
        race.prepare()
    s = Series()
    for i in range(ROUNDS):
        for race in races:
            race.measure(s)
        print(f"round {i + 1} of {ROUNDS}", file=sys.stderr)
    table(s)
    print("\nWhat the figures were meant to show:")
    for race in races:
        verdict(f"{race.name}: times faster than liblinear-train, whole command",
                s.ratio(race.theirs, race.ours), race.bar)


main()
