"""Support vector machines in turn with LIBLINEAR; folds; probabilities.

    svm.py TOOL FOLDER ROUNDS [SETS]

SETS is as for online.py; without it there is the generated sparse file alone. How good
LIBLINEAR's models are is computed here from its files, and ours has to be as good before
its time counts: the first --gap of GAPS that gets there is taken.
"""
import json
import os
import sys

from common import (FOLDER, ROUNDS, TOOL, Series, describe, find, run, scaled, table, train,
                    verdict)

SPARSE = os.path.join(FOLDER, "sparse.svm")  # made by bench.py
MODEL, PEER = os.path.join(FOLDER, "svm.model"), os.path.join(FOLDER, "svm.liblinear")
GAPS = ["0.0001", "0.00003", "0.00001", "0.000001"]  # the default first
LOSS = {"1": "squared", "2": "squared", "3": "hinge"}  # by liblinear-train's -s
AS_GOOD = 1 + 1e-6

# The objective of models on a data set: arguments DATA, C, then LOSS MODEL of each. One
# number each, the sum over the classes. The constant feature 1 is part of the norm.
OBJECTIVE = """
import json, struct, sys
import numpy as np
from sklearn.datasets import load_svmlight_file

def theirs(path):
    with open(path) as f:
        head = {}
        for line in f:
            if line.strip() == "w":
                break
            name, rest = line.split(None, 1)
            head[name] = rest.split()
        w = np.loadtxt(f, ndmin=2)
    labels = [float(a) for a in head["label"]]
    return w[:-1], w[-1], labels if w.shape[1] > 1 else labels[:1]

def ours(path):
    raw = open(path, "rb").read()
    length = struct.unpack("<Q", raw[:8])[0]
    head = json.loads(raw[8:8 + length])
    def array(name):
        begin, end = head[name]["data_offsets"]
        return np.frombuffer(raw[8 + length + begin:8 + length + end]).reshape(head[name]["shape"])
    meta, w = head["__metadata__"], array("weight")
    labels = [float(meta["label.%d" % k]) for k in range(int(meta["labels"]))]
    w = w.reshape(w.shape[0], -1)
    return w, array("offset"), labels if w.shape[1] > 1 else labels[1:]

X, y = load_svmlight_file(sys.argv[1])
c, out = float(sys.argv[2]), []
for loss, path in zip(sys.argv[3::2], sys.argv[4::2]):
    with open(path, "rb") as f:
        w, b, labels = (theirs if f.read(6) == b"solver" else ours)(path)
    part = X[:, :w.shape[0]]
    total = 0.0
    for k, label in enumerate(labels):
        s = part @ w[:part.shape[1], k] + b[k]
        slack = np.maximum(0, 1 - np.where(y == label, s, -s))
        total += (w[:, k] @ w[:, k] + b[k] ** 2) / 2
        total += c * (slack ** (2 if loss == "squared" else 1)).sum()
    out.append(total)
print(json.dumps(out))
"""

# Our learner inside scikit-learn's calibration. A row is its number; arguments: the
# program, a folder, training set, test set, then options of `train`.
CALIBRATION = """
import json, os, subprocess, sys
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import log_loss
tool, folder, options = sys.argv[1], sys.argv[2], sys.argv[5:]
lines = [open(p).read().splitlines(True) for p in sys.argv[3:5]]
n, rows = len(lines[0]), lines[0] + lines[1]
y = np.array([float(r.split(None, 1)[0]) for r in rows])
part, model = os.path.join(folder, "part.svm"), os.path.join(folder, "part.model")

class Ours(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.write(X)
        subprocess.run([tool, "train", part, "-q", "-o", model, *options], check=True)
        with open(model, "rb") as f:
            self.model_ = f.read()
        return self
    def write(self, X):
        with open(part, "w") as f:
            f.writelines(rows[int(i)] for i in X[:, 0])
    def decision_function(self, X):
        self.write(X)
        with open(model, "wb") as f:
            f.write(self.model_)
        out = subprocess.run([tool, "predict", model, part, "--scores"], check=True,
                             capture_output=True, text=True).stdout
        return np.array([float(line.split()[-1]) for line in out.splitlines()])

X = np.arange(len(rows)).reshape(-1, 1)
made = CalibratedClassifierCV(Ours(), method="sigmoid", cv=5, ensemble=False).fit(X[:n], y[:n])
print(json.dumps({"log_loss": log_loss(y[n:], made.predict_proba(X[n:]))}))
"""


def objectives(path, c, *models):
    """Of (loss, path) each."""
    _, _, out = run("/usr/bin/python3", "-c", OBJECTIVE, path, c, *[a for m in models for a in m])
    return json.loads(out)


def liblinear(path, s, c="1", e=None, target=PEER):
    more = ["-e", e] if e else []
    return run("liblinear-train", "-s", s, "-c", c, "-B", "1", *more, "-q", path, target)


def svm(path, loss, c="1", *more):
    return train(path, "-a", "svm", "--loss", loss, "--C", c, *more, "-o", MODEL)


def accuracy(test):
    _, _, out = run(TOOL, "test", MODEL, test, "--json")
    return 100 * json.loads(out)["accuracy"]


class Race:
    """One data set, one C: which gap of ours is as good as which solver of theirs."""

    def __init__(self, name, path, solvers, options=(), peer_path=None):
        self.name, self.path, self.options = name, path, options
        self.peer_path, self.solvers, self.gap = peer_path or path, solvers, {}
        self.once = {}
        self.reader = None

    def prepare(self):
        """Each of theirs once: its objective, and the loosest gap with which ours is as low."""
        # With this -e they end after a step at most; the fastest tells what reading takes.
        self.reader = min("123", key=lambda s: liblinear(self.peer_path, s, e="1e9")[0])
        peers = {s: f"{PEER}.{s}" for s in self.solvers}
        for s in self.solvers:
            self.once[s], _, _ = liblinear(self.peer_path, s, target=peers[s])
        theirs = objectives(self.peer_path, "1", *[(LOSS[s], peers[s]) for s in self.solvers])
        models = []
        for s, goal in zip(self.solvers, theirs):
            self.gap[s] = self.loosest(LOSS[s], goal)
            models.append((LOSS[s], f"{MODEL}.{s}"))
            os.replace(MODEL, models[-1][1])
        ours = objectives(self.peer_path, "1", *models)  # not what the tool says of itself
        for s, goal, got in zip(self.solvers, theirs, ours):
            print(f"      {self.name}: objective of -s {s} {goal:.8g}, ours {got:.8g} with "
                  f"--gap {self.gap[s]}{'' if got <= goal * AS_GOOD else ': NOT REACHED'}")

    def loosest(self, loss, goal):
        for gap in GAPS:
            _, _, report = svm(self.path, loss, "1", "--gap", gap, *self.options)
            if report["solver"]["primal"] <= goal * AS_GOOD:
                break
        return gap

    def measure(self, s_):
        """A round: theirs and ours in turn. What is slow is not run again."""
        for s in self.solvers:
            loss = LOSS[s]
            seconds = self.once[s]
            if seconds < 20:
                seconds, _, _ = liblinear(self.peer_path, s)
            s_.add(self.theirs(s), seconds)
            seconds, memory, report = svm(self.path, loss, "1", "--gap", self.gap[s], *self.options)
            s_.add(self.ours(s), seconds, memory)
            s_.add(f"{self.ours(s)}, solving", report["train_seconds"])
        seconds, _, _ = liblinear(self.peer_path, self.reader, e="1e9")
        s_.add(f"{self.name}: liblinear-train, reading", seconds)

    def theirs(self, s):
        return f"{self.name}: liblinear-train -s {s}"

    def ours(self, s):
        return f"{self.name}: ours as good as -s {s}"

    def verdict(self, s_, bar):
        best = min(self.solvers, key=lambda s: s_.time(self.theirs(s)))
        reading = s_.time(f"{self.name}: liblinear-train, reading")
        for s in self.solvers:
            ours, theirs = s_.time(f"{self.ours(s)}, solving"), s_.time(self.theirs(s)) - reading
            print(f"      {self.name}, {LOSS[s]}: -s {s} over ours "
                  f"{s_.ratio(self.theirs(s), self.ours(s)):.2f}; solving alone {theirs:.3f} s over "
                  f"{ours:.3f} s: {theirs / ours:.2f}")
        verdict(f"{self.name}: svm, times faster than liblinear's best (-s {best}), whole command",
                s_.ratio(self.theirs(best), self.ours(best)), bar)


def accuracies():
    """Per cent of the test set, against LIBLINEAR's; and how low the objective is."""
    wanted = [("a9a", "squared", "1", [], 84.96, 0.1), ("a9a", "hinge", "1", [], 85.01, 0.1),
              ("mnist", "squared", "0.01", ["--scale", "by:255"], 91.46, 0.3),
              ("20news-bydate", "squared", "1", [], 86.70, 0.3),
              ("dna.scale", "squared", "1", [], 94.44, 0.5)]
    for name, loss, c, options, peer, bar in wanted:
        path, test = find(name), find(name + ".t")
        if path and test:
            svm(path, loss, c, *options)
            got = accuracy(test)
            verdict(f"{name}, {loss}, C = {c}: test accuracy {got:.2f} %, away from {peer}",
                    abs(got - peer), bar, low=False)


def low_objective(path):
    """Parts of 10,000 that the objective is above that of LIBLINEAR run to -e 1e-4."""
    for s in ("1", "3"):
        liblinear(path, s, e="1e-4")
        svm(path, LOSS[s], "1")
        theirs, ours = objectives(path, "1", (LOSS[s], PEER), (LOSS[s], MODEL))
        verdict(f"a9a, {LOSS[s]}: objective above that of -s {s} -e 1e-4, of 10,000",
                1e4 * (ours / theirs - 1), 1, low=False)


def folds(s, path):
    """Ten folds and one training: seconds of each from the report."""
    _, _, report = train(path, "--epochs", "10", "--folds", "10", "-o", MODEL)
    s.add("a9a: averaged, 10 folds", report["cross_validation"]["seconds"])
    s.add("a9a: averaged, one training", report["train_seconds"])


def calibration(path, test):
    for options in (["-a", "averaged", "--epochs", "10"], ["-a", "svm"]):
        train(path, *options, "--calibrate", "-o", MODEL)
        _, _, out = run(TOOL, "test", MODEL, test, "--json")
        ours = json.loads(out)["log_loss"]
        _, _, out = run("/usr/bin/python3", "-c", CALIBRATION, TOOL, FOLDER, path, test, *options)
        theirs = json.loads(out)["log_loss"]
        print(f"      a9a, {options[1]}: log loss {ours:.5f}, scikit-learn's around the same learner "
              f"{theirs:.5f}")
        verdict(f"a9a, {options[1]}: log loss above scikit-learn's, of 1,000",
                1e3 * (ours - theirs), 2, low=False)


def main():
    describe()
    races = [(Race("sparse", SPARSE, ["1", "2", "3"]), 4)]
    a9a, news, mnist = find("a9a"), find("20news-bydate"), find("mnist")
    if a9a:
        races.append((Race("a9a", a9a, ["1", "2", "3"]), 1))
    if news:
        races.append((Race("20news", news, ["1", "2", "3"]), 3))
    if mnist:
        races.append((Race("mnist", mnist, ["1"], ["--scale", "by:255"], scaled(mnist, 255)), 3))
    s = Series()
    for race, _ in races:
        race.prepare()
    for i in range(ROUNDS):
        for race, _ in races:
            race.measure(s)
        if a9a:
            folds(s, a9a)
        print(f"round {i + 1} of {ROUNDS}", file=sys.stderr)
    table(s)
    print("\nWhat the figures were meant to show:")
    for race, bar in races:
        race.verdict(s, bar)
    if a9a:
        verdict("a9a: 10-fold cross-validation of averaged over one training",
                s.ratio("a9a: averaged, 10 folds", "a9a: averaged, one training"), 4, low=False)
        low_objective(a9a)
        if find("a9a.t"):
            calibration(a9a, find("a9a.t"))
    accuracies()


main()
