#!/usr/bin/python3
"""Compares our perceptron with scikit-learn's, weight by weight.

    sklearn_perceptron.py PROGRAM

Both run T passes over the same dense rows in file order, from zero, and never stop
early for a tolerance: Perceptron(shuffle=False, tol=None, max_iter=T). A run of ours
that converges ends before T, but its remaining passes would change nothing.

On whole numbers every sum is exact, so the weights must be equal. On real numbers
scikit-learn adds up the products of a score in the order of the columns, as we do,
and scales by a factor that is 1 here; the weights are equal there too, as long as its
compiler neither fuses nor reorders. Where one does, a score within rounding of 0 could
be judged otherwise and the runs would part. So real data are compared within 1e-12 of
the largest weight, and none of the sets here has a score that close to 0 (the smallest
seen is printed).

Dense data only: for sparse data scikit-learn slows the offset down (intercept_decay),
which is another algorithm.

Exit status: 0 equal, 1 not, 77 scikit-learn is not installed.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from sklearn.linear_model import Perceptron
except ImportError as reason:
    print("skipped:", reason)
    sys.exit(77)


def read_model(path):
    """The tensors of a safetensors file, and what weights are shown times."""
    with open(path, "rb") as f:
        data = f.read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    tensors = {"unit": float(header["__metadata__"].get("unit", 1))}
    for name, t in header.items():
        if name == "__metadata__":
            continue
        assert t["dtype"] == "F64"
        begin, end = t["data_offsets"]
        tensors[name] = np.frombuffer(data[8 + length + begin:8 + length + end], "<f8")
    return tensors


def write_libsvm(path, x, y):
    with open(path, "w") as f:
        for row, label in zip(x.tolist(), y.tolist()):
            pairs = " ".join("%d:%r" % (j + 1, v) for j, v in enumerate(row))
            f.write("%d %s\n" % (label, pairs))


def write_csv(path, x, y, weight):
    with open(path, "w") as f:
        f.write(",".join("f%d" % j for j in range(x.shape[1])) + ",weight,label\n")
        for row, c, label in zip(x.tolist(), weight.tolist(), y.tolist()):
            f.write("%s,%r,%d\n" % (",".join(map(repr, row)), c, label))


def ours(program, folder, x, y, epochs, offset, rate, weight):
    data, model = os.path.join(folder, "data"), os.path.join(folder, "model")
    args = [program, "train", data, "-o", model, "-q", "-a", "perceptron", "--order", "file",
            "--epochs", str(epochs), "--rate", repr(rate)]
    if not offset:
        args.append("--no-offset")
    if weight is None:
        write_libsvm(data, x, y)
        args += ["--format", "libsvm"]
    else:
        write_csv(data, x, y, weight)
        args += ["--format", "csv", "--weight", "weight", "--scale", "none"]
    subprocess.run(args, check=True)
    tensors = read_model(model)
    return (tensors["weight"] * tensors["unit"],
            tensors["offset"][0] * tensors["unit"] if offset else 0.0)


def theirs(x, y, epochs, offset, rate, weight):
    p = Perceptron(shuffle=False, tol=None, max_iter=epochs, fit_intercept=offset, eta0=rate)
    p.fit(x, y, sample_weight=weight)
    return p.coef_[0], p.intercept_[0] if offset else 0.0


def closest_score(x, y, epochs, offset, rate, weight):
    """The smallest |score|, beside exact zeros, that the run ever judges."""
    w, b, least = np.zeros(x.shape[1]), 0.0, np.inf
    sign = np.where(y == y.max(), 1.0, -1.0)
    for _ in range(epochs):
        for i, (row, s) in enumerate(zip(x, sign)):
            score = float(np.dot(w, row)) + b
            if score != 0:
                least = min(least, abs(score))
            if s * score <= 0:
                step = rate * (1 if weight is None else weight[i]) * s
                w = w + step * row
                b += step if offset else 0
    return least


def cases():
    """Name, rows, labels, passes, offset, rate, example weights; exact or not."""
    r = np.random.default_rng(20240229)
    for k in range(6):
        x = r.integers(-9, 10, size=(60 + 20 * k, 3 + 4 * k)).astype(float)
        y = r.integers(0, 2, size=len(x)) * (k + 1) - 1
        yield "whole numbers %d" % k, x, y, 1 + 3 * k, k % 3 != 2, (1.0, 0.5)[k % 2], None, True
    for k in range(6):
        x = r.normal(size=(100, 5 + 15 * k))
        y = (x @ r.normal(size=x.shape[1]) + 0.3 * r.normal(size=len(x)) > 0.2) * 2 - 1
        yield "real numbers %d" % k, x, y, 1 + 4 * k, k % 3 != 1, (1.0, 0.1)[k % 2], None, False
    x = r.integers(-5, 6, size=(150, 8)).astype(float)
    y = (x.sum(axis=1) + r.integers(-6, 7, size=150) > 0) * 1
    yield "example weights", x, y, 10, True, 1.0, r.integers(1, 5, size=150).astype(float), True


def main(program):
    worst, count, failed = 0.0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, x, y, epochs, offset, rate, weight, exact in cases():
            w, b = ours(program, folder, x, y, epochs, offset, rate, weight)
            v, a = theirs(x, y, epochs, offset, rate, weight)
            assert len(np.unique(y)) == 2 and np.abs(v).max() > 0  # guard: something was learned
            apart = max(np.abs(w - v).max(), abs(b - a)) / np.abs(v).max()
            good = apart == 0 if exact else apart <= 1e-12
            least = closest_score(x, y, epochs, offset, rate, weight)
            print("%-18s %3d x %2d, %2d passes: %s, smallest score %.1g" % (
                name, x.shape[0], x.shape[1], epochs,
                "equal" if apart == 0 else "apart by %.3g" % apart, least))
            if not exact:
                assert least > 1e-10  # no score is within rounding of 0
            worst, count, failed = max(worst, apart), count + 1, failed + (not good)
    print("%d sets compared, %d differ, at most %.3g of the largest weight apart"
          % (count, failed, worst))
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: sklearn_perceptron.py PROGRAM")
    sys.exit(main(sys.argv[1]))
