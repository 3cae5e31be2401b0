"""The benchmark: whole commands, ours and the peers', in turn, in one run.

Every figure is the median over the rounds; a ratio compares medians of the same
run. Data are made by `perceptron generate` with the parameters frozen below.
"""
import json
import os
import platform
import statistics
import subprocess
import sys
import time

TOOL, FOLDER, ROUNDS = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])

TRAIN, TEST = 200_000, 40_000
SPARSE = ["sparse", "--rows", str(TRAIN + TEST), "--features", "50000", "--nonzeros", "63",
          "--digits", "6", "--noise", "0.05", "--seed", "1"]
DENSE = ["halfspace", "--rows", str(TRAIN), "--features", "100", "--margin", "0.01", "--seed", "1"]

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


def run(*command):
    """Wall seconds, peak memory in MB and standard output of a command."""
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - begin
    if child.returncode != 0:
        sys.exit(f"bench: failed with {child.returncode}: {' '.join(command)}")
    return seconds, usage.ru_maxrss / 1024, out


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


class Series:
    """Named measurements, one list each."""

    def __init__(self):
        self.seconds, self.memory = {}, {}

    def add(self, name, seconds, memory=None):
        self.seconds.setdefault(name, []).append(seconds)
        if memory is not None:
            self.memory.setdefault(name, []).append(memory)

    def time(self, name):
        return statistics.median(self.seconds[name])

    def peak(self, name):
        return statistics.median(self.memory[name])

    def ratio(self, slow, fast):
        return self.time(slow) / self.time(fast)


def train(path, *options):
    seconds, memory, out = run(TOOL, "train", path, "--json", "-q", *options)
    return seconds, memory, json.loads(out)


def measure_round(s, data, model):
    """One round: every command once, ours and theirs in turn."""
    sparse, dense = data["sparse.svm"], data["dense.svm"]
    ours = os.path.join(FOLDER, "ours.model")
    out = os.path.join(FOLDER, "out")

    for name, path in (("sparse", sparse), ("dense", dense)):
        seconds, memory, report = train(path, "--epochs", "1", "-o", ours)
        s.add(f"{name}: ours, 1 epoch", seconds, memory)
        s.add(f"{name}: ours, reading", report["read_seconds"])
        _, memory, text = run("/usr/bin/python3", "-c", SKLEARN, path, "1")
        peer = json.loads(text)
        s.add(f"{name}: scikit-learn load + fit, 1 epoch", peer["load"] + peer["fit"], memory)
        seconds, memory, _ = run("liblinear-predict", path, model[name], out)
        s.add(f"{name}: liblinear-predict", seconds, memory)
        seconds, memory, _ = run(TOOL, "predict", ours, path, "-o", out)
        s.add(f"{name}: ours, predict", seconds, memory)
        seconds, memory, more = train(path, "--epochs", "11", "-o", ours)
        s.add(f"{name}: ours, epoch in memory", (more["train_seconds"] - report["train_seconds"]) / 10)
        _, _, text = run("/usr/bin/python3", "-c", SKLEARN, path, "10")
        s.add(f"{name}: scikit-learn, epoch in memory", json.loads(text)["fit"] / 10)

    seconds, memory, _ = train(sparse, "--epochs", "10", "-o", ours)
    s.add("sparse: ours, 10 epochs", seconds, memory)
    seconds, memory, report = train(sparse, "--epochs", "1", "--threads", "1", "-o", ours)
    s.add("sparse: ours, 1 epoch, 1 thread", seconds, memory)
    s.add("sparse: ours, reading, 1 thread", report["read_seconds"])
    seconds, memory, _ = train(sparse, "--epochs", "1", "--stream", "-o", ours)
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


def table(s):
    width = max(len(name) for name in s.seconds)
    print(f"\n{'':{width}}  seconds     range        MB/s  peak MB")
    for name, values in s.seconds.items():
        size = SIZE["sparse.svm" if name.startswith("sparse") else "dense.svm"]
        rate = "" if "epoch in memory" in name else f"{size / s.time(name) / 1e6:9.0f}"
        peak = f"{s.peak(name):9.0f}" if name in s.memory else ""
        print(f"{name:{width}}  {s.time(name):7.4f}  {min(values):.3f}-{max(values):.3f} {rate:>9}{peak:>9}")


def verdict(what, value, bar, low=True):
    good = value >= bar if low else value <= bar
    sign = ">=" if low else "<="
    print(f"{'ok  ' if good else 'MISS'}  {what:66} {value:9.2f}   (wanted {sign} {bar})")


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
    """Epochs of the plain perceptron against liblinear's test error."""
    best, model = None, os.path.join(FOLDER, "reach.model")
    for epochs in ("1", "3", "10", "30"):
        seconds, _, _ = train(data["sparse.svm"], "--epochs", epochs, "-o", model)
        error = test_error(model, data["sparse.t"])
        print(f"      ours after {epochs:>2} epochs: {error:.4f} in {seconds:.2f} s")
        if best is None or error < best[0]:
            best = (error, seconds)
        if error <= goal:
            print(f"      reached liblinear's test error in {seconds:.2f} s")
            return
    print("      not reached: the plain perceptron keeps its last mistakes; averaging is for that")


def describe():
    cpu = "unknown"
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        for line in f:
            if line.startswith("model name"):
                cpu = line.split(":")[1].strip()
                break
    # In a process of its own: what this one has in memory counts in its children's peak.
    sklearn = subprocess.run(["/usr/bin/python3", "-c", "import sklearn; print(sklearn.__version__)"],
                             capture_output=True, text=True, check=True).stdout.strip()
    version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "liblinear-tools"],
                             capture_output=True, text=True, check=False).stdout
    print(f"{cpu}, {os.cpu_count()} cores, {platform.system()}; {platform.python_compiler()}; "
          f"liblinear {version}, scikit-learn {sklearn}; "
          f"load average {os.getloadavg()[0]:.1f}; medians of {ROUNDS}")


DATA = make_data()
SIZE = {name: os.path.getsize(path) for name, path in DATA.items()}


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
    table(s)
    verdicts(s, same_bytes(DATA["sparse.svm"]))
    goal = liblinear_error(model["sparse"], DATA["sparse.t"])
    print(f"\nTest error of liblinear-train -s 1 -B 1: {goal:.4f} in {s.time('sparse: liblinear-train'):.2f} s")
    reach(DATA, goal)


main()
