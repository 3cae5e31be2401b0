#!/usr/bin/python3
"""What --columns makes of a table, beside scikit-learn's transformers.

    sklearn_columns.py PROGRAM

  numbers     SimpleImputer (mean, median, constant), then StandardScaler, MinMaxScaler, MaxAbsScaler
  categories  SimpleImputer (most_frequent), then OneHotEncoder (min_frequency, drop)
  texts       TfidfVectorizer (norm=None; and its own norm, by --scale unit, where a text is all there is)

The features of the rows learned from, and the scores of other rows, from the weights of our model and
their transformers. Of equals scikit-learn takes the smallest level for a gap, and we the one met first:
the tables have no equals.

Exit status: 0 equal, 1 not, 77 scikit-learn is not installed.
"""
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, OneHotEncoder, StandardScaler
except ImportError as reason:
    print("skipped:", reason)
    sys.exit(77)

TOOL = os.path.abspath(sys.argv[1])
SCALER = {"standard": StandardScaler, "minmax": MinMaxScaler, "maxabs": MaxAbsScaler}
WORDS = ["w%d" % i for i in range(40)]
compared = 0


def run(*words):
    return subprocess.run([TOOL, *words], capture_output=True, text=True, check=True).stdout


def write(name, rows):
    with open(name, "w", newline="") as f:
        csv.writer(f).writerows([["x", "n", "y"]] + rows)


def close(what, got, want):
    global compared
    got, want = np.asarray(got, float), np.asarray(want, float)
    compared += got.size
    if got.shape != want.shape or np.abs(got - want).max(initial=0) > 1e-9 * max(1, np.abs(want).max(initial=0)):
        print("%s\nours\n%s\nscikit-learn\n%s" % (what, got, want))
        sys.exit(1)


def compare(what, line, cells, others, names, theirs, *options):
    """theirs(cells) are the columns called names; those of ours that are nowhere else are 0."""
    rng = random.Random(5)
    for name, column in (("t.csv", cells), ("o.csv", others)):
        write(name, [[c, rng.randint(-9, 9), "ab"[i % 2]] for i, c in enumerate(column)])
    open("what", "w").write("x: %s\ny: label\nn: %s\n" % (line, "number scale=none"))
    n = [float(r["n"]) for r in csv.DictReader(open("t.csv"))]
    own = [float(r["n"]) for r in csv.DictReader(open("o.csv"))]
    how = ["--columns", "what", *options]
    if "unit" in options:  # the row is the text alone
        open("what", "w").write("x: %s\ny: label\nn: ignore\n" % line)
        n, own = [0] * len(n), [0] * len(own)
    run("convert", "t.csv", "f.csv", *how, "-q")
    rows = list(csv.DictReader(open("f.csv")))
    shown = names()
    used = set(rows[0]) - {"n", "label"}
    if used - set(shown):
        print("%s: %s" % (what, used ^ set(shown)))
        sys.exit(1)
    want = theirs(cells)
    close(what, [[float(r.get(name, 0)) for name in shown] for r in rows], want)
    run("train", "t.csv", *how, "--scale", *(["unit"] if "unit" in options else ["none"]), "-a", "averaged", "-o", "m", "-q")
    model = json.loads(run("inspect", "m", "--all", "--json"))
    weight = {w["feature"]: w["weight"] for w in model["weights"]}
    scores = [float(s.split()[-1]) for s in run("predict", "m", "o.csv", "--scores").splitlines()]
    x = theirs(others) @ np.array([weight.get(name, 0) for name in shown])
    close(what + ": other rows", scores, x + weight.get("n", 0) * np.array(own) + model["offset"])


def numbers(rng):
    for strategy in ("mean", "median", "constant"):
        for scale, scaler in SCALER.items():
            cells = ["" if rng.random() < 0.2 else round(rng.gauss(50, 9), 3) for _ in range(301)]
            others = ["" if rng.random() < 0.2 else round(rng.gauss(50, 20), 3) for _ in range(50)]
            impute, fit = SimpleImputer(strategy=strategy, fill_value=7 if strategy == "constant" else None), scaler()
            column = lambda c: np.array([[np.nan if v == "" else v] for v in c])
            fit.fit(impute.fit_transform(column(cells)))
            compare("%s, %s" % (strategy, scale), "number scale=%s fill=%s" % (scale, "7" if strategy == "constant" else strategy),
                    cells, others, lambda: ["x"], lambda c: fit.transform(impute.transform(column(c))))


def categories(rng):
    for rare, drop in ((0, False), (0, True), (3, False), (12, False), (40, False)):
        cells = ["" if rng.random() < 0.1 else "l%d" % int(rng.expovariate(0.3)) for _ in range(300)] + ["l0"] * 20
        others = ["" if rng.random() < 0.1 else "l%d" % int(rng.expovariate(0.2)) for _ in range(80)]
        impute = SimpleImputer(strategy="most_frequent", missing_values="")
        one = OneHotEncoder(sparse_output=False, drop=["l0"] if drop else None, min_frequency=rare or None,
                            handle_unknown="infrequent_if_exist")
        column = lambda c: np.array([[v] for v in c], dtype=object)
        one.fit(impute.fit_transform(column(cells)))
        names = lambda: ["x:rare" if "infrequent" in n else "x=" + n.split("_")[1] for n in one.get_feature_names_out()]
        compare("rare=%d, %s" % (rare, drop),
                "category fill=frequent%s%s" % (" rare=%d" % rare if rare else "", " reference=l0" if drop else ""),
                cells, others, names, lambda c: one.transform(impute.transform(column(c))))


def texts(rng):
    for ngrams in (1, 2, 3):
        for norm in (None, "l2"):
            draw = lambda n: [" ".join(WORDS[int(40 * rng.random() ** 2)] for _ in range(rng.randint(0, 9))) for _ in range(n)]
            cells, others = draw(200), draw(50)
            fit = TfidfVectorizer(token_pattern="[a-z0-9]+", ngram_range=(1, ngrams), norm=norm).fit(cells)
            compare("tfidf, %d, %s" % (ngrams, norm), "text tfidf ngrams=%d" % ngrams, cells, others,
                    lambda: ["x=" + n for n in fit.get_feature_names_out()], lambda c: fit.transform(c).toarray(),
                    *(["--scale", "unit"] if norm else []))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for part in (numbers, categories, texts):
        part(random.Random(11))
    os.chdir("/")
print("%d numbers, all as scikit-learn's" % compared)
sys.exit(0 if compared > 10000 else 1)
