"""Two versions of the tool, the older one first: the same commands in turn.

    versus.py OLD NEW FOLDER [ROUNDS]

A row is a command. Its ratio is the time of NEW over that of OLD in the same round, and which of
them goes first changes from round to round; the table has the median and the 95 % interval of the
mean of the logarithms (Student's t). Beside it stands the ratio of the instructions that callgrind
counts, of the same command on a tenth of the rows. A row is marked where the interval lies wholly
above 1.03, or where there are 3 % more instructions.
"""
import math
import os
import re
import statistics
import subprocess
import sys
import time

OLD, NEW, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 20
LIMIT = 1.03
SMALLER = 10  # times fewer rows for callgrind
THREADED = ("convert", "train", "predict", "test", "prove")  # commands that have --threads

# name: words of `generate`; rows come last.
DATA = {
    "sparse.svm": "sparse --features 50000 --nonzeros 63 --digits 6 --noise 0.05 --seed 1 --rows 60000",
    "dense.csv": "halfspace --features 50 --margin 0 --noise 0.1 --seed 1 --rows 30000",
    "five.csv": "blobs --classes 5 --features 20 --spread 3 --seed 2 --rows 30000",
    "moons.csv": "moons --spread 0.3 --seed 3 --rows 3000",
    "apart.svm": "halfspace --features 20 --margin 0.01 --seed 4 --rows 20000",
}

# name: the command. A word NAME.model is written by a row before.
ROWS = {
    "convert, to blocks": "convert sparse.svm out.blocks",
    "convert, to csv": "convert apart.svm out.csv",
    "perceptron": "train sparse.svm -a perceptron --epochs 3 -o perceptron.model",
    "averaged": "train sparse.svm -a averaged --epochs 3 -o averaged.model",
    "averaged, --stream": "train sparse.svm -a averaged --epochs 1 --stream -o stream.model",
    "averaged, one thread": "train sparse.svm -a averaged --epochs 3 --threads 1 -o one.model",
    "averaged, native": "train five.csv -a averaged --multiclass native --epochs 10 -o native.model",
    "margin": "train dense.csv -a margin --epochs 10 -o margin.model",
    "pa1, ovr": "train five.csv -a pa1 --epochs 10 -o pa1.model",
    "pocket": "train dense.csv -a pocket --updates 3000 -o pocket.model",
    "voted": "train dense.csv -a voted --updates 1000 -o voted.model",
    "folds": "train dense.csv -a averaged --epochs 5 --folds 10 -o folds.model",
    "map poly:2": "train five.csv -a averaged --map poly:2 --epochs 1 -o map.model",
    "standard scale": "train dense.csv -a averaged --scale standard --epochs 3 -o scale.model",
    "rbf": "train moons.csv -a perceptron --kernel rbf --epochs 10 -o rbf.model",
    "rbf, budget": "train moons.csv -a perceptron --kernel rbf --budget 100 --epochs 5 -o budget.model",
    "poly, ovr": "train five.csv -a perceptron --kernel poly --epochs 1 --updates 2000 -o poly.model",
    "svm": "train sparse.svm -a svm -o svm.model",
    "svm, --hard": "train apart.svm -a svm --hard -o hard.model",
    "mlp": "train five.csv -a mlp --layers 32 --epochs 3 -o mlp.model",
    "predict": "predict averaged.model sparse.svm -o out",
    "predict, several classes": "predict pa1.model five.csv --scores -o out",
    "predict, rbf": "predict rbf.model moons.csv -o out",
    "predict, voted": "predict voted.model dense.csv -o out",
    "predict, mlp": "predict mlp.model five.csv -o out",
    "test": "test averaged.model sparse.svm --json",
    "learn": "learn --new -a averaged -o learn.model < apart.svm",
    "learn, many columns": "learn --new -a averaged -o learn.model < sparse.svm",
    "inspect": "inspect averaged.model --json",
    "prove, separable": "prove apart.svm -o out.json",
    "prove, not separable": "prove five.csv --positive 1 -o out.json",
    "gate": "gate 'sum = a ^ b ^ c ^ d ^ e; carry = majority(a, b, c, d, e)'",
}


def make_data(folder, smaller):
    os.makedirs(folder, exist_ok=True)
    for name, words in DATA.items():
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            *kind, rows = words.split()
            subprocess.run([NEW, "generate", *kind, str(int(rows) // smaller), "-o", path], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def shell(command, folder):
    p = subprocess.run(command, shell=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if p.returncode not in (0, 1):  # 1: not separable
        sys.exit(f"versus: failed with {p.returncode}: {command}\n{p.stderr.decode()[-500:]}")
    return p.stderr.decode(errors="replace")


def seconds(tool, words, folder):
    begin = time.perf_counter()
    shell(f"{tool} {words}", folder)
    return time.perf_counter() - begin


def instructions(tool, words, folder):
    one = " --threads 1" if words.split()[0] in THREADED and "--threads" not in words else ""
    said = shell(f"valgrind --tool=callgrind --callgrind-out-file=/dev/null {tool} {words}{one}", folder)
    found = re.search(r"Collected : (\d+)", said)
    return int(found.group(1)) if found else sys.exit(f"versus: callgrind did not count: {words}\n{said[-500:]}")


def interval(ratios):
    """The mean of the logarithms, and the half width of its 95 % interval; t for 19 degrees and more
    is at most 2.093."""
    logs = [math.log(r) for r in ratios]
    middle = statistics.fmean(logs)
    half = 2.093 * statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else math.inf
    return math.exp(middle - half), math.exp(middle + half)


def main():
    big, small = os.path.join(FOLDER, "versus"), os.path.join(FOLDER, "versus-small")
    make_data(big, 1)
    make_data(small, SMALLER)
    ratios, times, marked = {}, {}, 0
    for i in range(ROUNDS):
        for name, words in ROWS.items():
            pair = {tool: seconds(tool, words, big) for tool in ((OLD, NEW) if i % 2 else (NEW, OLD))}
            ratios.setdefault(name, []).append(pair[NEW] / pair[OLD])
            times.setdefault(name, []).append(pair[NEW])
        print(f"round {i + 1} of {ROUNDS}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    print(f"{'':26}  seconds   ratio   95 % interval   instructions")
    for name, words in ROWS.items():
        counts = [instructions(tool, words, small) for tool in (OLD, NEW)]
        low, high = interval(ratios[name])
        bad = low > LIMIT or counts[1] > LIMIT * counts[0]
        marked += bad
        print(f"{name:26}  {statistics.median(times[name]):7.3f}  {statistics.median(ratios[name]):6.3f}   "
              f"{low:.3f} - {high:.3f}         {counts[1] / counts[0]:.3f}{'   MORE' if bad else ''}", flush=True)
    print(f"{len(ROWS)} rows, {ROUNDS} rounds, {marked} marked")
    return 1 if marked else 0


sys.exit(main())
