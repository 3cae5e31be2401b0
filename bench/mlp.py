"""Networks: in turn with scikit-learn and PyTorch on the processor; what they must reach.

    mlp.py TOOL FOLDER ROUNDS [SETS]

SETS is as for online.py; of it mnist is used, with its test set. Without it there is the
generated dense file alone, on which rows without zeros bring us nothing.

All three make the same steps: the same layers, batch, rate, passes, relu, adam, softmax, in
float32, no penalty, no early stop. The peers use OpenBLAS (FOLDER/openblas, put there by
scripts/bench) in their own processes only, told which processor this is, because a release
older than the processor takes it for a Pentium. What a user of theirs could choose without
learning anything else is tried first, and the fastest is taken: dense or sparse rows, threads,
how a batch is fetched, the form of the optimiser.
"""
import functools
import glob
import json
import os
import sys

from common import FOLDER, ROUNDS, TOOL, Series, describe, find, run, table, train, verdict

MODEL = os.path.join(FOLDER, "mlp.model")
DENSE = [os.path.join(FOLDER, f"net{end}.svm") for end in ("", ".t")]
SHAPE = (20000, 5000, 200, 10)  # rows, test rows, features, classes

# Name, layers, batch, rate, passes, what values are divided by, least test accuracy in per cent.
# With the usual rate of 0.001 a batch of 200 has about 96.8 % after 5 passes, whoever trains.
MNIST = [("mnist, batch 200", "100", 200, 0.003, 5, 255, 97.0),
         ("mnist, batch 32", "100", 32, 0.001, 5, 255, 97.0)]
BLOBS = ("20,000 x 200 dense, batch 100", "256,128", 100, 0.001, 5, 30, None)

# 98 % and more.
LARGE = ["--layers", "400,200", "--batch", "100", "--dropout", "0.3", "--rate", "0.001",
         "--epochs", "20"]

# Data, options, least test accuracy in per cent, for each of ten seeds.
SMALL = [(":xor", ["--layers", "8", "--activation", "tanh", "--rate", "0.01"], 100),
         ("xor", ["--layers", "16", "--rate", "0.01"], 97),
         ("circles", ["--layers", "8", "--rate", "0.01"], 99),
         ("spirals", ["--layers", "16,16", "--rate", "0.01"], 99)]

# What both peers begin with. Arguments: data, test set, divisor, layers, batch, rate, passes,
# then what has been chosen; "tune" there: try and tell.
BEGIN = """
import itertools, json, sys, time, warnings
import numpy as np
from sklearn.datasets import load_svmlight_file
from threadpoolctl import threadpool_info
warnings.simplefilter("ignore")
data, test, divisor, layers, batch, rate, passes, chosen = sys.argv[1:]
divisor, rate, batch, passes = np.float32(divisor), float(rate), int(batch), int(passes)
layers, clock = [int(n) for n in layers.split(",")], time.perf_counter
X, y = load_svmlight_file(data, dtype=np.float32)
X.data /= divisor
features = X.shape[1]
def tune(choices, seconds):
    took = {c: min(seconds(c) for _ in range(2)) for c in choices}
    print(json.dumps({"chosen": min(took, key=took.get), "took": took,
                      "blas": [b.get("architecture", b["internal_api"]) for b in threadpool_info()
                               if b["user_api"] == "blas"]}))
def finish(seconds, right):
    begin = clock()
    T, u = load_svmlight_file(test, dtype=np.float32, n_features=features)
    accuracy = 100 * float(np.mean(right(T.toarray() / divisor, u)))
    print(json.dumps({"seconds": seconds, "accuracy": accuracy, "test": clock() - begin}))
"""

SKLEARN = BEGIN + """
from sklearn.neural_network import MLPClassifier
def fit(rows, epochs):
    m = MLPClassifier(layers, activation="relu", solver="adam", alpha=0, batch_size=batch,
                      learning_rate_init=rate, max_iter=epochs, tol=0, n_iter_no_change=10**9,
                      early_stopping=False, random_state=0)
    begin = clock()
    m.fit(rows, y)
    return clock() - begin, m
if chosen == "tune":
    D = X.toarray()
    tune(["dense", "sparse"], lambda c: fit(D if c == "dense" else X, 1)[0])
else:
    seconds, m = fit(X.toarray() if chosen == "dense" else X, passes)
    assert m.coefs_[0].dtype == np.float32 and m.n_iter_ == passes
    finish(seconds, lambda T, u: m.predict(T) == u)
"""

TORCH = BEGIN + """
import torch
from torch import nn
from torch.nn.functional import cross_entropy
labels, y = np.unique(y, return_inverse=True)
X, y = torch.from_numpy(X.toarray()), torch.from_numpy(y)
def fit(choice, epochs):
    threads, fetch, form = choice.split("/")
    torch.set_num_threads(int(threads))
    torch.manual_seed(0)
    sizes, parts = [features] + layers, []
    for a, b in zip(sizes, layers):
        parts += [nn.Linear(a, b), nn.ReLU()]
    m = nn.Sequential(*parts, nn.Linear(sizes[-1], len(labels)))
    adam = torch.optim.Adam(m.parameters(), rate, foreach=form == "foreach")
    begin = clock()
    for _ in range(epochs):
        order = torch.randperm(len(y))
        if fetch == "pass":
            A, b = X[order], y[order]
        for i in range(0, len(y), batch):
            if fetch == "pass":
                rows, classes = A[i:i + batch], b[i:i + batch]
            else:
                part = order[i:i + batch]
                rows, classes = X.index_select(0, part), y.index_select(0, part)
            loss = cross_entropy(m(rows), classes)
            adam.zero_grad(set_to_none=True)
            loss.backward()
            adam.step()
    return clock() - begin, m
if chosen == "tune":
    every = itertools.product(["2", "1"], ["batch", "pass"], ["single", "foreach"])
    tune(["/".join(c) for c in every], lambda c: fit(c, 1)[0])
else:
    seconds, m = fit(chosen, passes)
    with torch.no_grad():
        finish(seconds, lambda T, u: labels[m(torch.from_numpy(T)).argmax(1).numpy()] == u)
"""

PEERS = {"scikit-learn": SKLEARN, "PyTorch": TORCH}


@functools.cache
def flags():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        return next((set(line.split()) for line in f if line.startswith("flags")), set())


@functools.cache
def environment():
    """Settings of a peer's process, as `env` takes them."""
    found = glob.glob(os.path.join(os.path.abspath(FOLDER), "openblas/usr/lib/*/openblas-*"))
    if not found:
        sys.exit(f"bench: no OpenBLAS in {FOLDER}/openblas: run scripts/bench")
    core = []
    if {"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= flags():
        core = ["OPENBLAS_CORETYPE=SkylakeX"]
    elif {"avx2", "fma"} <= flags():
        core = ["OPENBLAS_CORETYPE=Haswell"]
    return [f"LD_LIBRARY_PATH={found[0]}", "OMP_NUM_THREADS=2", *core]


def peer(name, job, chosen):
    """Wall seconds less those of the test, peak memory, and what it says."""
    data, (_, layers, batch, rate, passes, divisor, _) = job
    seconds, memory, out = run("env", *environment(), "/usr/bin/python3", "-c", PEERS[name], *data,
                               str(divisor), layers, str(batch), str(rate), str(passes), chosen)
    said = json.loads(out)
    return seconds - said.get("test", 0), memory, said


def tune(job):
    """By peer: its fastest way to do the job."""
    chosen = {}
    for name in PEERS:
        _, _, said = peer(name, job, "tune")
        # The reference BLAS, or kernels of 2004 on a processor that has better.
        if said["blas"] in ([], ["Prescott"]) and "avx2" in flags():
            sys.exit(f"bench: {name} does not use OpenBLAS as it should: {said['blas']}")
        took = ", ".join(f"{c} {t:.2f}" for c, t in said["took"].items())
        print(f"      {job[1][0]}: {name} ({' '.join(said['blas'])}), seconds of a pass: {took}")
        chosen[name] = said["chosen"]
    return chosen


def options(job):
    _, (_, layers, batch, rate, passes, divisor, _) = job
    return ["-a", "mlp", "--layers", layers, "--batch", str(batch), "--rate", str(rate),
            "--epochs", str(passes), "--scale", f"by:{divisor}", "-o", MODEL]


def accuracy(test):
    _, _, out = run(TOOL, "test", MODEL, test, "--json")
    return 100 * json.loads(out)["accuracy"]


def measure(s, job, chosen):
    data, (name, *_) = job
    seconds, memory, report = train(data[0], *options(job))
    s.add(f"{name}: ours, whole command", seconds, memory)
    s.add(f"{name}: ours, training", report["train_seconds"])
    s.accuracy[name, "ours"] = accuracy(data[1])
    for other in PEERS:
        seconds, memory, said = peer(other, job, chosen[other])
        s.add(f"{name}: {other}, whole command", seconds, memory)
        s.add(f"{name}: {other}, training", said["seconds"])
        s.accuracy[name, other] = said["accuracy"]


def verdicts(s, jobs):
    print("\nWhat the figures were meant to show:")
    for _, (name, *_, least) in jobs:
        for other, part, bar in (("scikit-learn", "training", 2), ("PyTorch", "training", 1),
                                 ("scikit-learn", "whole command", 4),
                                 ("PyTorch", "whole command", None)):
            value = s.ratio(f"{name}: {other}, {part}", f"{name}: ours, {part}")
            what = f"{name}: times faster than {other}, {part}"
            if bar and least:
                verdict(what, value, bar)
            else:
                print(f"      {what:66} {value:9.2f}")
        if least:
            verdict(f"{name}: test accuracy, %", s.accuracy[name, "ours"], least)
        print("      test accuracy: " + ", ".join(f"{who} {v:.2f} %" for (n, who), v in
                                                  s.accuracy.items() if n == name))


def same(job):
    """The plain loop and one thread: their times, and the same bytes."""
    data, (name, *_) = job
    models, report = [], {}
    for how in ((), ("--threads", "1"), ("--loop", "textbook")):
        _, _, report[how] = train(data[0], *options(job), "--epochs", "1", *how)
        with open(MODEL, "rb") as f:
            models.append(f.read())
    fast, one, plain = (r["train_seconds"] for r in report.values())
    print(f"      {name}: a pass takes {fast:.2f} s, with one thread {one:.2f} s, with "
          f"--loop textbook {plain:.2f} s")
    if models[0] != models[1] or models[0] != models[2]:
        print("MISS  the models differ")


def large(data):
    _, _, report = train(data[0], "-a", "mlp", "--scale", "by:255", *LARGE, "-o", MODEL)
    print(f"      mnist {' '.join(LARGE)}: training {report['train_seconds']:.1f} s")
    verdict(f"mnist {' '.join(LARGE)}: test accuracy, %", accuracy(data[1]), 98.0)


def small():
    """xor, circles and spirals, from ten starts each."""
    path, test = (os.path.join(FOLDER, f"small{end}.csv") for end in ("", ".t"))
    for kind, extra, least in SMALL:
        if not kind.startswith(":"):
            run(TOOL, "generate", kind, "-o", path)
            run(TOOL, "generate", kind, "--seed", "1", "-o", test)
        rows = (kind, kind) if kind.startswith(":") else (path, test)
        worst = 100
        for seed in range(10):
            train(rows[0], "-a", "mlp", *extra, "--seed", str(seed), "-o", MODEL)
            worst = min(worst, accuracy(rows[1]))
        verdict(f"{kind} {' '.join(extra)}: worst of 10 seeds, test accuracy, %", worst, least)


def make_dense():
    """Clouds of one kind, cut into rows to learn from and rows to test."""
    if all(os.path.exists(p) for p in DENSE):
        return
    rows, tests, features, classes = SHAPE
    run(TOOL, "generate", "blobs", "--rows", str(rows + tests), "--features", str(features),
        "--classes", str(classes), "--spread", "30", "--seed", "1", "-o", DENSE[0] + ".part")
    with open(DENSE[0] + ".part", encoding="ascii") as f:
        lines = f.readlines()
    os.remove(DENSE[0] + ".part")
    for path, part in zip(DENSE, (lines[:rows], lines[rows:])):
        with open(path, "w", encoding="ascii") as out:
            out.writelines(part)


def main():
    describe()
    make_dense()
    mnist = find("mnist"), find("mnist.t")
    jobs = [(mnist, m) for m in MNIST if all(mnist)] + [(DENSE, BLOBS)]
    chosen = [tune(job) for job in jobs]
    s = Series()
    s.accuracy = {}
    for i in range(ROUNDS):
        for job, c in zip(jobs, chosen):
            measure(s, job, c)
        print(f"round {i + 1} of {ROUNDS}", file=sys.stderr)
    table(s)
    verdicts(s, jobs)
    same(jobs[0])
    small()
    if all(mnist):
        large(mnist)


main()
