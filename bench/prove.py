"""Proofs: `perceptron prove` in turn with HiGHS; large sets; which of our solvers is faster.

    prove.py TOOL FOLDER ROUNDS [SETS]

SETS is as for online.py. The peer is scipy.optimize.linprog with method="highs" on the same
question: is there a w with a_i.w >= 1 for all rows, a_i = y_i (x_i, 1)? Its time is that of
the call alone, without reading the file; ours is that of the whole command. It answers in
floating point and to a tolerance, we prove; where the answers differ, that is said.

Sets with more than two labels are each label against the rest, except for mnist and 20news,
of which one label is taken. A peer that has not ended after CAP seconds is stopped.
"""
import json
import os
import statistics
import subprocess
import sys
import time

from common import FOLDER, ROUNDS, SETS, TOOL, Series, describe, find, run, table, verdict

CAP = 120     # seconds for one command
SLOW = 20     # what takes longer than this is run once
QUIET = [0, 1, 5]  # exit statuses of prove and train that are answers

# name, options of prove, the label that is asked about (None: each)
RACES = [("iris", None), ("sonar_scale", None), ("breast-cancer_scale", None),
         ("mushrooms", None), ("svmguide1", None), ("dna.scale", None), ("satimage", None),
         ("pendigits", None), ("a9a", None), ("20news-bydate", "1"), ("mnist", "0")]
DIGITS = ["0", "1", "8"]

# Arguments: DATA, LABEL or "". A line for each problem: the label, seconds, status (0: there
# is such a w, 2: there is none), so that a run that is stopped leaves what it has done.
HIGHS = """
import json, sys, time
import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog
from sklearn.datasets import load_svmlight_file
X, y = load_svmlight_file(sys.argv[1])
labels = np.unique(y)
wanted = [float(sys.argv[2])] if sys.argv[2] else labels if len(labels) > 2 else labels[1:]
A = sp.hstack([X, np.ones((X.shape[0], 1))]).tocsr()
if A.nnz > 0.5 * A.shape[0] * A.shape[1]:
    A = A.toarray()
for label in wanted:
    side = np.where(y == label, -1.0, 1.0)
    ub = sp.diags(side) @ A if sp.issparse(A) else side[:, None] * A
    begin = time.perf_counter()
    r = linprog(np.zeros(A.shape[1]), A_ub=ub, b_ub=-np.ones(len(y)), bounds=(None, None),
                method="highs")
    print(json.dumps([label, time.perf_counter() - begin, int(r.status)]), flush=True)
print("null")
"""


def capped(cap, *command):
    """(wall seconds, output, whether it ended); exits where the status is no answer."""
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        out, _ = child.communicate(timeout=cap)
    except subprocess.TimeoutExpired:
        child.kill()
        out, _ = child.communicate()
        return time.perf_counter() - begin, out, False
    if child.returncode not in QUIET:
        sys.exit(f"bench: failed with {child.returncode}: {' '.join(command)}")
    return time.perf_counter() - begin, out, True


def prove(path, *options):
    """(seconds, report or None where it was stopped)"""
    seconds, out, ended = capped(CAP, TOOL, "prove", path, "--json", "-q", *options)
    return seconds, json.loads(out) if ended else None


def parts(report):
    return report["parts"] if report else []


def words(report):
    """Verdicts and their numbers, as in "3 separable, 1 touching"."""
    if report is None:
        return f"stopped after {CAP} s"
    found = [p["verdict"] for p in parts(report)]
    return ", ".join(f"{found.count(v)} {v}" if len(found) > 1 else v
                     for v in dict.fromkeys(found))


def question(path, label):
    return [path, "--quick", "--problems", "rest"] + (["--positive", label] if label else [])


def highs(path, label):
    """(seconds of all problems, {label: separable}, whether all ended)"""
    _, out, _ = capped(CAP, "/usr/bin/python3", "-c", HIGHS, path, label or "")
    lines = [json.loads(line) for line in out.splitlines()]
    ended = bool(lines) and lines[-1] is None
    done = [line for line in lines if line]
    return sum(s for _, s, _ in done) if ended else CAP, {k: st for k, _, st in done}, ended


def agree(report, statuses):
    """Differences between our verdicts and the peer's, in words."""
    out = []
    for p in parts(report):
        status = statuses.get(float(p["positive"]))
        ours = p["verdict"] == "separable"
        if status not in (0, 2) and status is not None:
            out.append(f"{p['positive']}: HiGHS gives up with status {status}")
        elif status is not None and ours != (status == 0):
            out.append(f"{p['positive']}: we prove {p['verdict']}, HiGHS says "
                       f"{'feasible' if status == 0 else 'infeasible'}")
    return out


def race(s, ratios):
    """--quick against HiGHS on each set; prints a line each."""
    print(f"\n{'prove --quick':24}{'ours s':>9}{'HiGHS s':>10}{'ratio':>9}  verdict")
    for name, label in RACES:
        path = find(name)
        if path is None:
            continue
        ours, theirs, ended, report, statuses = [], [], True, None, {}
        for k in range(ROUNDS):
            if k == 0 or max(ours) < SLOW:
                seconds, report = prove(*question(path, label))
                ours.append(seconds)
            if k == 0 or max(theirs) < SLOW:
                seconds, statuses, ended = highs(path, label)
                theirs.append(seconds)
        mine, peer = statistics.median(ours), statistics.median(theirs)
        more = "" if ended else ">"
        title = name + (f", {label} : rest" if label else "")
        print(f"{title:24}{mine:9.3f}{more + format(peer, '.3f'):>10}"
              f"{more + format(peer / mine, '.2f'):>9}  {words(report)}")
        for line in agree(report, statuses):
            print(f"{'':24}  {line}")
        if report is not None:
            ratios.append(peer / mine)
        s.add(f"{title}: prove --quick", mine)


def generated():
    """100,000 x 50, separable and with noise: {what: path}."""
    out = {}
    for what, more in (("separable", []), ("1 % noise", ["--noise", "0.01"])):
        path = os.path.join(FOLDER, f"prove-{what.split()[0]}.svm")
        if not os.path.exists(path):
            run(TOOL, "generate", "halfspace", "--rows", "100000", "--features", "50",
                "--margin", "0.05", "--seed", "1", *more, "-o", path + ".part")
            os.rename(path + ".part", path)
        out[what] = path
    return out


def full(s, title, path, *options):
    """A full proof, `ROUNDS` times or once where it is slow."""
    name, report = f"{title}: prove", None
    for _ in range(ROUNDS):
        seconds, report = prove(path, *options)
        s.add(name, seconds)
        if seconds > SLOW:
            break
    for p in parts(report):
        witness = p.get("witness") or {}
        print(f"      {title}: {p['verdict']}, rank {p.get('rank')}, witness of "
              f"{len(witness.get('rows', []))} rows, {p.get('listed') or 0} listed, "
              f"by {p['method']}, {p['seconds']:.3f} s without reading")
    if report is None:
        print(f"      {title}: {words(report)}")
    return s.time(name)


def solvers():
    """Wolfe's nearest point (svm --hard) and Clp (lp), whole commands."""
    print(f"\n{'train':24}{'Wolfe s':>9}{'Clp s':>10}{'Clp/Wolfe':>11}")
    for name, label in RACES:
        path = find(name)
        if path is None or label:
            continue
        times, ended = {}, {}
        for algorithm in (["svm", "--hard"], ["lp"]):
            seconds, _, ended[algorithm[0]] = capped(
                CAP, TOOL, "train", path, "-q", "-a", *algorithm,
                "-o", os.path.join(FOLDER, "prove.model"))
            times[algorithm[0]] = seconds
        mark = {a: "" if ended[a] else ">" for a in times}
        print(f"{name:24}{mark['svm'] + format(times['svm'], '.3f'):>9}"
              f"{mark['lp'] + format(times['lp'], '.3f'):>10}{times['lp'] / times['svm']:11.2f}")


def large(s):
    """Bars of the sets that are named in them."""
    bars = [(f"100,000 x 50, {what}", path, [], 2) for what, path in generated().items()]
    a9a, mnist = find("a9a"), find("mnist")
    if a9a:
        bars += [("a9a, quick", a9a, ["--quick"], 0.3), ("a9a", a9a, [], 1.5)]
    if mnist:
        for digit in DIGITS:
            one = ["--problems", "rest", "--positive", digit]
            bars += [(f"mnist {digit}, quick", mnist, ["--quick"] + one, 15),
                     (f"mnist {digit}", mnist, one, None)]
    print()
    results = [(title, full(s, title, path, *options), bar) for title, path, options, bar in bars]
    table(s)
    print()
    for title, seconds, bar in results:
        if bar is not None:
            verdict(f"{title}: prove, seconds", seconds, bar, low=False)


def main():
    s, ratios = Series(), []

    describe()
    os.makedirs(FOLDER, exist_ok=True)
    if SETS:
        race(s, ratios)
        verdict("median: HiGHS over prove --quick", statistics.median(ratios), 1)
        solvers()
    large(s)


if __name__ == "__main__":
    main()
