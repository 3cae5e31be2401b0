"""The online family: averaged, multi-class, pocket, voted, maps, in turn with scikit-learn.

    online.py TOOL FOLDER ROUNDS [SETS]

SETS is a folder with public data sets in LIBSVM format, of which those that are there
are used: a9a, a9a.t, mnist.xz, mnist.t.xz, 20news-bydate.xz, 20news-bydate.t.xz,
dna.scale, dna.scale.t. Without it only generated data are.
"""
import json
import os
import sys

from common import FOLDER, ROUNDS, TOOL, Series, describe, run, table, train, verdict

SETS = sys.argv[4] if len(sys.argv) > 4 else None
SPARSE = os.path.join(FOLDER, "sparse.svm")  # made by bench.py
MODEL = os.path.join(FOLDER, "online.model")

# The averaged perceptron as scikit-learn has it: loss 0 when right, a step of 1 when not.
SGD = """
import json, sys, time
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import SGDClassifier
X, y = load_svmlight_file(sys.argv[1])
def fit(epochs):
    a = time.perf_counter()
    SGDClassifier(loss="perceptron", penalty=None, learning_rate="constant", eta0=1.0, average=True,
                  max_iter=epochs, tol=None).fit(X, y)
    return time.perf_counter() - a
one = fit(1)
print(json.dumps({"epoch": (fit(11) - one) / 10}))
"""

POCKET = {noise: os.path.join(FOLDER, f"pocket{noise}.svm") for noise in ("0.05", "0.2")}
UPDATES = "20000"

# What must come out, at least: name, options, per cent.
ACCURACY = [
    ("a9a", [], 84.8),
    ("mnist", ["--scale", "by:255", "--multiclass", "ovr"], 91.3),
    ("mnist", ["--scale", "by:255", "--multiclass", "native"], 91.3),
    ("20news-bydate", ["--multiclass", "ovr"], 82.0),
    ("20news-bydate", ["--multiclass", "native"], None),
    ("dna.scale", ["--multiclass", "ovr"], 94.5),
    ("dna.scale", ["--multiclass", "native"], None),
]


def find(name):
    """The path of a public set, plain or compressed; None if it is not there."""
    for end in ("", ".xz"):
        path = os.path.join(SETS, name + end) if SETS else ""
        if os.path.exists(path):
            return path
    return None


def epoch(path, *options):
    """Seconds of one pass in memory: eleven passes less one, divided by ten."""
    _, _, one = train(path, *options, "--epochs", "1", "-o", MODEL)
    _, _, more = train(path, *options, "--epochs", "11", "-o", MODEL)
    return (more["train_seconds"] - one["train_seconds"]) / 10


def make_data():
    for noise, path in POCKET.items():
        if not os.path.exists(path):
            run(TOOL, "generate", "halfspace", "--rows", "20000", "--features", "50", "--margin", "0",
                "--noise", noise, "--seed", "1", "-o", path)


def measure_round(s, mnist):
    for algorithm in ("perceptron", "averaged", "margin", "pa1"):
        s.add(f"sparse: {algorithm}, epoch in memory", epoch(SPARSE, "-a", algorithm))
    _, _, text = run("/usr/bin/python3", "-c", SGD, SPARSE)
    s.add("sparse: scikit-learn SGDClassifier averaged, epoch in memory", json.loads(text)["epoch"])
    if mnist:
        scaled = ["--scale", "by:255"]
        s.add("mnist: averaged, one class, epoch in memory", epoch(mnist, *scaled, "--positive", "5"))
        for kind in ("ovr", "native"):
            s.add(f"mnist: averaged, ten classes ({kind}), epoch in memory",
                  epoch(mnist, *scaled, "--multiclass", kind))
    for noise, path in POCKET.items():
        for how in ("literal", "fast"):
            _, _, report = train(path, "-a", "pocket", "--pocket", how, "--updates", UPDATES, "-o", MODEL)
            s.add(f"pocket, noise {noise}: {how}", report["train_seconds"])
            s.errors[noise, how] = report["training_errors"]
        _, _, report = train(path, "--updates", UPDATES, "-o", MODEL)
        s.errors[noise, "averaged"] = report["training_errors"]


def verdicts(s, mnist):
    plain, averaged = (f"sparse: {a}, epoch in memory" for a in ("perceptron", "averaged"))
    print("\nWhat the figures were meant to show:")
    verdict("averaged over plain, epoch in memory", s.ratio(averaged, plain), 1.3, low=False)
    verdict("averaged, times faster than SGDClassifier(average=True)'s fit",
            s.ratio("sparse: scikit-learn SGDClassifier averaged, epoch in memory", averaged), 4)
    for kind in ("ovr", "native") if mnist else ():
        verdict(f"ten mnist classes over one ({kind})",
                s.ratio(f"mnist: averaged, ten classes ({kind}), epoch in memory",
                        "mnist: averaged, one class, epoch in memory"), 4, low=False)
    for noise in POCKET:
        fast, literal = s.errors[noise, "fast"], s.errors[noise, "literal"]
        print(f"      pocket, noise {noise}: errors {literal} literal, {fast} fast, "
              f"{s.errors[noise, 'averaged']} averaged; {UPDATES} updates, 20,000 x 50")
        verdict(f"pocket, noise {noise}: errors, fast over literal", fast / literal, 1.03, low=False)
        verdict(f"pocket, noise {noise}: errors, fast over averaged",
                fast / s.errors[noise, "averaged"], 1, low=False)
        verdict(f"pocket, noise {noise}: time, literal over fast",
                s.ratio(f"pocket, noise {noise}: literal", f"pocket, noise {noise}: fast"), 10)


def accuracies():
    for name, options, bar in ACCURACY:
        path, test = find(name), find(name + ".t")
        if not path or not test:
            continue
        train(path, *options, "--epochs", "10", "-o", MODEL)
        _, _, out = run(TOOL, "test", MODEL, test, "--json")
        per_cent = 100 * json.loads(out)["accuracy"]
        what = f"{name}, averaged, 10 epochs {' '.join(options)}: test accuracy, %"
        if bar:
            verdict(what, per_cent, bar)
        else:
            print(f"      {what:66} {per_cent:9.2f}")


def voted():
    """What a prediction costs after 10^5 updates, and what it takes to keep them."""
    path = POCKET["0.2"]
    _, memory, _ = train(path, "-a", "voted", "--updates", "100000", "-o", MODEL)
    seconds, _, _ = run(TOOL, "predict", MODEL, path, "-o", os.path.join(FOLDER, "out"))
    print(f"      voted, 100,000 updates on 20,000 x 50: {seconds / 20000 * 1e6:.0f} us a prediction "
          f"(whole command), {os.path.getsize(MODEL) / 1e6:.0f} MB of model, {memory:.0f} MB of memory")


def maps():
    """Peak memory of an explicit map, whose image is never stored."""
    path = find("mnist") or POCKET["0.05"]
    for spec in ("none", "poly:2"):
        seconds, memory, report = train(path, "--map", spec, "--epochs", "1", "--positive",
                                        "5" if "mnist" in path else "1", "-o", MODEL)
        print(f"      {os.path.basename(path)}, --map {spec}: {seconds:.1f} s, peak {memory:.0f} MB, "
              f"training error {report['training_error']:.4f}")


def main():
    describe()
    make_data()
    s = Series()
    s.errors = {}
    mnist = find("mnist")
    for i in range(ROUNDS):
        measure_round(s, mnist)
        print(f"round {i + 1} of {ROUNDS}", file=sys.stderr)
    table(s)
    verdicts(s, mnist)
    accuracies()
    voted()
    maps()


main()
