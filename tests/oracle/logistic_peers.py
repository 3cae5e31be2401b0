#!/usr/bin/python3
"""Compares logistic regression with LIBLINEAR and scikit-learn, by the objective.

    logistic_peers.py PROGRAM

Both sides solve the same problem, and the objective of either's weights is computed here: they
must be within 1e-6 of each other. LIBLINEAR has the offset inside the penalty (-B 1): -s 0 and
-s 7 are l2, -s 6 is l1, each one class against the rest; -e 1e-8. scikit-learn has it outside
(--offset-free), and the softmax of several classes.

Exit status: 0 equal, 1 not, 77 neither of the two is installed.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import warnings

from online_reference import Model

try:
    import numpy as np
    from sklearn.linear_model import LogisticRegression
except ImportError as reason:
    print("skipped:", reason)
    sys.exit(77)

NEAR = 1e-6
GAP = "1e-8"


def draw(rows, columns, classes, seed):
    """Gaussian clouds, whose features differ in size; a third of the numbers are 0."""
    r = np.random.RandomState(seed)
    y = r.randint(classes, size=rows)
    x = (r.randn(rows, columns) + r.randn(classes, columns)[y] * 0.7) * r.choice([0.3, 1, 2], columns)
    return np.round(x * (r.rand(rows, columns) < 0.67), 4), y


def objective(x, y, w, b, c, share, inside, joint):
    """Of columns of w; one column is for y == 1."""
    s = x @ w + b
    if joint:
        top = s.max(axis=1)
        loss = top + np.log(np.exp(s - top[:, None]).sum(axis=1)) - s[np.arange(len(y)), y]
    else:
        classes = [1] if s.shape[1] == 1 else range(s.shape[1])
        loss = sum(np.logaddexp(0, np.where(y == k, -s[:, n], s[:, n]))
                   for n, k in enumerate(classes))
    every = np.vstack([w, b]) if inside else w
    return c * loss.sum() + share * abs(every).sum() + (1 - share) * (every ** 2).sum() / 2


def ours(tool, folder, x, y, *options):
    path, model = os.path.join(folder, "data.svm"), os.path.join(folder, "model")
    with open(path, "w") as f:
        for row, label in zip(x.tolist(), y.tolist()):
            f.write("%d %s\n" % (label, " ".join("%d:%r" % (j + 1, v)
                                                 for j, v in enumerate(row) if v)))
    subprocess.run([tool, "train", path, "-a", "logistic", "--gap", GAP, "-q", "-o", model,
                    *options], check=True, stdout=subprocess.DEVNULL)
    vectors = np.array(Model(model).machine()).T
    return vectors[:-1], vectors[-1]


def liblinear(folder, s, c):
    """After ours, for the data it wrote. LIBLINEAR's +1 is the label it meets first."""
    path, model = os.path.join(folder, "data.svm"), os.path.join(folder, "peer")
    subprocess.run(["liblinear-train", "-s", s, "-c", str(c), "-B", "1", "-e", "1e-8", "-q", path,
                    model], check=True, stdout=subprocess.DEVNULL)
    with open(model) as f:
        head = {}
        for line in f:
            if line.strip() == "w":
                break
            name, rest = line.split(None, 1)
            head[name] = rest.split()
        w = np.loadtxt(f, ndmin=2)
    labels = [int(a) for a in head["label"]]
    if w.shape[1] == 1:
        return (w if labels[0] == 1 else -w)[:-1], (w if labels[0] == 1 else -w)[-1]
    w = w[:, np.argsort(labels)]
    return w[:-1], w[-1]


def scikit(x, y, c, share):
    penalty = {0: "l2", 1: "l1"}.get(share, "elasticnet")
    peer = LogisticRegression(penalty=penalty, C=c, l1_ratio=share or None, tol=1e-10,
                              max_iter=20000, solver="newton-cg" if share == 0 else "saga",
                              multi_class="multinomial" if y.max() > 1 else "ovr").fit(x, y)
    return peer.coef_.T, peer.intercept_


def compare(what, a, b, w, v):
    """Objectives; and of l1 the support, but for what is as good as 0."""
    part = abs(a - b) / b
    print("%-44s %.12g  %.12g  %.1e" % (what, a, b, part))
    if not part <= NEAR:
        sys.exit("the objectives differ")
    small = 1e-3 * abs(v).max()
    if ((w == 0) & (abs(v) > small)).any() or ((v == 0) & (abs(w) > small)).any():
        sys.exit("the supports differ")


def main():
    tool, has_liblinear = sys.argv[1], shutil.which("liblinear-train") is not None
    warnings.simplefilter("ignore")  # of tolerances that are not reached, and of l1_ratio
    with tempfile.TemporaryDirectory() as folder:
        for k, (rows, columns, classes) in enumerate([(80, 6, 2), (200, 40, 2), (50, 60, 2),
                                                      (90, 5, 3)]):
            x, y = draw(rows, columns, classes, k)
            x[0, -1] = 1  # the last column is not empty
            for c in (0.05, 1, 20) if columns < 40 else (0.05, 1):
                size = "%d x %d, %d classes, C %g" % (rows, columns, classes, c)
                for s in ("0", "7", "6") if has_liblinear else ():
                    share = 1 if s == "6" else 0
                    w, b = ours(tool, folder, x, y, "--C", str(c), "--penalty",
                                "l1" if share else "l2",
                                *(["--multiclass", "ovr"] if classes > 2 else []))
                    v, d = liblinear(folder, s, c)
                    compare("LIBLINEAR -s %s, %s" % (s, size),
                            objective(x, y, w, b, c, share, True, False),
                            objective(x, y, v, d, c, share, True, False), w, v)
                for share in (0, 0.3, 1) if classes == 2 and columns < 40 else (0,):
                    penalty = {0: "l2", 1: "l1"}.get(share, "elastic-net")
                    w, b = ours(tool, folder, x, y, "--C", str(c), "--penalty", penalty,
                                "--offset-free",
                                *(["--l1-ratio", str(share)] if penalty == "elastic-net" else []))
                    v, d = scikit(x, y, c, share)
                    compare("scikit-learn %s, %s" % (penalty, size),
                            objective(x, y, w, b, c, share, False, classes > 2),
                            objective(x, y, v, d, c, share, False, classes > 2), w, v)


if __name__ == "__main__":
    main()
