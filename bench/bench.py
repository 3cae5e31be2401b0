"""Reading, training and predicting: whole commands, ours and the peers', in turn.

Data are made by `perceptron generate` with the parameters frozen below.
"""
import json
import os
import sys

from common import FOLDER, ROUNDS, TOOL, Series, describe, run, table, train, verdict

TRAIN, TEST = 200_000, 40_000
SPARSE = ["sparse", "--rows", str(TRAIN + TEST), "--features", "50000", "--nonzeros", "63",
          "--digits", "6", "--noise", "0.05", "--seed", "1"]
DENSE = ["halfspace", "--rows", str(TRAIN), "--features", "100", "--margin", "0.01", "--seed", "1"]

PLAIN = ["--algorithm", "perceptron"]

SKLEARN = """
import json, sys, time
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron
path, epochs = sys.argv[1], int(sys.argv[2])
a = time.perf_counter()
X, y = load_svmlight_file(path)
b = time.perf_counter()
Perceptron(max_iter=epochs, tol=None).fit(X, y)
c = time.perf_counter()
print(json.dumps({"load": b - a, "fit": c - b, "nonzeros": int(X.nnz)}))
"""


def make_data():
    """Writes the data once; later runs find them."""
    os.makedirs(FOLDER, exist_ok=True)
    names = {name: os.path.join(FOLDER, name) for name in ("sparse.svm", "sparse.t", "dense.svm")}
    if not all(os.path.exists(path) for path in names.values()):
        whole = os.path.join(FOLDER, "whole.svm")
        run(TOOL, "generate", *SPARSE, "-o", whole)
        with open(whole, "rb") as f, open(names["sparse.svm"], "wb") as a, \
                open(names["sparse.t"], "wb") as b:
            for i, line in enumerate(f):
                (a if i < TRAIN else b).write(line)
        os.remove(whole)
        run(TOOL, "generate", *DENSE, "-o", names["dense.svm"])
    for path in names.values():  # into the page cache
        with open(path, "rb") as f:
            while f.read(1 << 24):
                pass
    return names


def measure_round(s, data, model):
    """One round: every command once, ours and theirs in turn."""
    sparse, dense = data["sparse.svm"], data["dense.svm"]
    ours = os.path.join(FOLDER, "ours.model")
    out = os.path.join(FOLDER, "out")

    for name, path in (("sparse", sparse), ("dense", dense)):
        seconds, memory, report = train(path, *PLAIN, "--epochs", "1", "-o", ours)
        s.add(f"{name}: ours, 1 epoch", seconds, memory)
        s.add(f"{name}: ours, reading", report["read_seconds"])
        _, memory, text = run("/usr/bin/python3", "-c", SKLEARN, path, "1")
        peer = json.loads(text)
        s.add(f"{name}: scikit-learn load + fit, 1 epoch", peer["load"] + peer["fit"], memory)
        seconds, memory, _ = run("liblinear-predict", path, model[name], out)
        s.add(f"{name}: liblinear-predict", seconds, memory)
        seconds, memory, _ = run(TOOL, "predict", ours, path, "-o", out)
        s.add(f"{name}: ours, predict", seconds, memory)
        seconds, memory, more = train(path, *PLAIN, "--epochs", "11", "-o", ours)
        s.add(f"{name}: ours, epoch in memory", (more["train_seconds"] - report["train_seconds"]) / 10)
        _, _, text = run("/usr/bin/python3", "-c", SKLEARN, path, "10")
        s.add(f"{name}: scikit-learn, epoch in memory", json.loads(text)["fit"] / 10)

    seconds, memory, _ = train(sparse, *PLAIN, "--epochs", "10", "-o", ours)
    s.add("sparse: ours, 10 epochs", seconds, memory)
    seconds, memory, report = train(sparse, *PLAIN, "--epochs", "1", "--threads", "1", "-o", ours)
    s.add("sparse: ours, 1 epoch, 1 thread", seconds, memory)
    s.add("sparse: ours, reading, 1 thread", report["read_seconds"])
    seconds, memory, _ = train(sparse, *PLAIN, "--epochs", "1", "--stream", "-o", ours)
    s.add("sparse: ours, 1 epoch, --stream", seconds, memory)


def test_error(model, path):
    _, _, out = run(TOOL, "test", model, path, "--json")
    return 1 - json.loads(out)["accuracy"]


def liblinear_error(model, path):
    _, _, out = run("liblinear-predict", path, model, os.path.join(FOLDER, "out"))
    return 1 - float(out.decode().split("%")[0].split()[-1]) / 100


def same_bytes(path):
    seen = set()
    for threads in ("1", "2", "3", "8"):
        target = os.path.join(FOLDER, "threads.model")
        train(path, "--epochs", "3", "--threads", threads, "-o", target)
        with open(target, "rb") as f:
            seen.add(f.read())
    return len(seen) == 1


def verdicts(s, same):
    ours = s.time("sparse: ours, 1 epoch")
    print("\nWhat the figures were meant to show (sparse file):")
    verdict("train, 1 epoch, whole command, MB/s", SIZE["sparse.svm"] / ours / 1e6, 700)
    verdict("... times faster than scikit-learn load + Perceptron(max_iter=1)",
            s.ratio("sparse: scikit-learn load + fit, 1 epoch", "sparse: ours, 1 epoch"), 40)
    verdict("... times faster than LIBLINEAR's loading (liblinear-predict)",
            s.ratio("sparse: liblinear-predict", "sparse: ours, 1 epoch"), 12)
    verdict("predict, times faster than liblinear-predict",
            s.ratio("sparse: liblinear-predict", "sparse: ours, predict"), 10)
    verdict("10 epochs over 1 epoch",
            s.ratio("sparse: ours, 10 epochs", "sparse: ours, 1 epoch"), 2, low=False)
    verdict("epoch in memory, times faster than scikit-learn's fit",
            s.ratio("sparse: scikit-learn, epoch in memory", "sparse: ours, epoch in memory"), 1)
    verdict("peak memory over liblinear-train's",
            s.peak("sparse: ours, 1 epoch") / s.peak("sparse: liblinear-train"), 1, low=False)
    verdict("peak memory with --stream, MB", s.peak("sparse: ours, 1 epoch, --stream"), 64, low=False)
    verdict("reading, 2 threads over 1",
            s.ratio("sparse: ours, reading, 1 thread", "sparse: ours, reading"), 1.6)
    verdict("same model bytes for 1, 2, 3 and 8 threads (1 = yes)", float(same), 1)


def reach(data, goal):
    """Epochs of the averaged perceptron against liblinear's test error."""
    model = os.path.join(FOLDER, "reach.model")
    for epochs in ("1", "2", "3", "5", "10", "30"):
        seconds, _, _ = train(data["sparse.svm"], "--epochs", epochs, "-o", model)
        error = test_error(model, data["sparse.t"])
        print(f"      averaged, {epochs:>2} epochs: {error:.4f} in {seconds:.2f} s")
        if error <= goal:
            print(f"      reached liblinear's test error in {seconds:.2f} s")
            return
    print("      not reached")


DATA = make_data()
SIZE = {name: os.path.getsize(path) for name, path in DATA.items()}


def size_of(name):
    return None if "epoch in memory" in name else SIZE[name.split(":")[0] + ".svm"]


def main():
    describe()
    print(f"sparse: {TRAIN} rows, 50000 features, {SIZE['sparse.svm'] / 1e6:.0f} MB; "
          f"dense: {TRAIN} x 100, {SIZE['dense.svm'] / 1e6:.0f} MB; LIBSVM text, page cache warm")
    s, model = Series(), {}
    for name in ("sparse", "dense"):
        model[name] = os.path.join(FOLDER, name + ".liblinear")
        seconds, memory, _ = run("liblinear-train", "-s", "1", "-B", "1", DATA[name + ".svm"], model[name])
        s.add(f"{name}: liblinear-train", seconds, memory)
    for i in range(ROUNDS):
        measure_round(s, DATA, model)
        print(f"round {i + 1} of {ROUNDS}", file=sys.stderr)
    table(s, size_of)
    verdicts(s, same_bytes(DATA["sparse.svm"]))
    goal = liblinear_error(model["sparse"], DATA["sparse.t"])
    print(f"\nTest error of liblinear-train -s 1 -B 1: {goal:.4f} in {s.time('sparse: liblinear-train'):.2f} s")
    reach(DATA, goal)


main()
