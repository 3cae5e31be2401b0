#!/usr/bin/python3
"""Metrics and thresholds, counted from predictions in fractions, and by scikit-learn where it is.

    metrics_reference.py PERCEPTRON

Scores and probabilities are those that `predict` prints. From them and the labels everything else
is counted here anew, row by row and threshold by threshold, in whole numbers and fractions; nothing
is sorted or added up as the program does it.

    two       what `test` says of two classes, with scores that tie
    three     the same of three
    rare      a class that most rows do not have
    trade     every line of --trade-off
    chosen    thresholds that were chosen on folds, with weights, and the answers that follow

Everything follows from fixed seeds."""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction as F

try:
    import numpy
    from sklearn import metrics as peer
except ImportError:
    peer = None


def run(program, *args, rc=0):
    done = subprocess.run([program, *args], capture_output=True, text=True)
    if done.returncode != rc:
        sys.exit(f"{args}: status {done.returncode}: {done.stderr}")
    return done.stdout if rc == 0 else done.stderr


def near(what, got, want, eps=1e-12):
    if want is None or got is None:
        if want is not got:
            sys.exit(f"{what}: got {got}, expected {want}")
        return
    if abs(got - float(want)) > eps * max(1, abs(float(want))):
        sys.exit(f"{what}: got {got!r}, expected {float(want)!r}")


def write(name, rows, weights=None):
    with open(name, "w") as f:
        f.write("x,y,label" + (",weight" if weights else "") + "\n")
        for i, (x, y, label) in enumerate(rows):
            f.write(f"{x},{y},{label}" + (f",{weights[i]}" if weights else "") + "\n")


def rows_of(seed, n, labels, share=None):
    """Coarse numbers, so that scores tie."""
    g = random.Random(seed)
    out = []
    for i in range(n):
        k = g.randrange(len(labels)) if share is None else int(g.random() < share)
        out.append((round(g.gauss(k, 1)), round(g.gauss(-k, 1)), labels[k]))
    return out


def ratio(a, b):
    return F(a, b) if b else None


def table(truth, answer, labels):
    return {(t, a): sum(x == t and y == a for x, y in zip(truth, answer)) for t in labels for a in labels}


def of_answers(truth, answer, labels):
    """What depends on answers alone, by the definitions."""
    n, c = len(truth), table(truth, answer, labels)
    rows = {t: sum(c[t, a] for a in labels) for t in labels}
    said = {a: sum(c[t, a] for t in labels) for a in labels}
    recalls = [F(c[t, t], rows[t]) for t in labels if rows[t]]
    # Matthews' correlation as that of two columns of indicators (Gorodkin), by covariances.
    def covariance(a, b):
        return sum(F(sum(x == k and y == k for x, y in zip(a, b)), n) - F(a.count(k), n) * F(b.count(k), n)
                   for k in labels)
    xx, yy = covariance(truth, truth), covariance(answer, answer)
    most = max(rows.values())
    return {
        "wrong": n - sum(c[t, t] for t in labels),
        "accuracy": F(sum(c[t, t] for t in labels), n),
        "balanced_accuracy": sum(recalls) / len(recalls),
        "mcc": float(covariance(truth, answer)) / math.sqrt(xx * yy) if xx * yy else None,
        "baseline_error": F(n - most, n),
        "baseline_label": next(t for t in labels if rows[t] == most),
    }


def average_precision(truth, score, positive):
    """Over the thresholds, falling: what recall gains, times the precision there."""
    total, before, out = sum(t == positive for t in truth), 0, F(0)
    for h in sorted(set(score), reverse=True):
        tp = sum(t == positive and s >= h for t, s in zip(truth, score))
        out += F(tp - before, total) * F(tp, sum(s >= h for s in score))
        before = tp
    return out


def check(what, got, truth, answer, labels, score=None, proba=None):
    want = of_answers(truth, answer, labels)
    for key, v in want.items():
        if isinstance(v, (str, int)):
            if got[key] != v:
                sys.exit(f"{what}: {key}: got {got[key]}, expected {v}")
        else:
            near(f"{what}: {key}", got[key], v)
    if score is not None:
        near(f"{what}: average precision", got["average_precision"], average_precision(truth, score, labels[1]))
    if proba is not None:
        index = [labels.index(t) for t in truth]
        near(f"{what}: log loss", got["log_loss"], -sum(math.log(p[i]) for p, i in zip(proba, index)) / len(truth), 1e-10)
        first = 1 if len(labels) == 2 else 0
        near(f"{what}: Brier", got["brier"], sum(
            sum((F(p[k]) - (k == i)) ** 2 for k in range(first, len(labels))) for p, i in zip(proba, index)) / len(truth))
    if peer is None:
        return
    near(f"{what}: sklearn's balanced accuracy", got["balanced_accuracy"], peer.balanced_accuracy_score(truth, answer))
    near(f"{what}: sklearn's MCC", got["mcc"] or 0, peer.matthews_corrcoef(truth, answer))
    near(f"{what}: sklearn's accuracy", got["accuracy"], peer.accuracy_score(truth, answer))
    if score is not None:
        y = [t == labels[1] for t in truth]
        near(f"{what}: sklearn's average precision", got["average_precision"], peer.average_precision_score(y, score))
        near(f"{what}: sklearn's AUC", got["auc"], peer.roc_auc_score(y, score))
        near(f"{what}: sklearn's F1", got["f1"] or 0, peer.f1_score(y, [a == labels[1] for a in answer]))
    if proba is not None:
        near(f"{what}: sklearn's log loss", got["log_loss"], peer.log_loss(truth, numpy.array(proba), labels=list(labels)), 1e-9)
        if len(labels) == 2:
            near(f"{what}: sklearn's Brier", got["brier"],
                 peer.brier_score_loss([t == labels[1] for t in truth], [p[1] for p in proba]))


def predicted(program, model, data, proba, *more):
    """Answers, scores and probabilities, as printed."""
    out = json.loads(run(program, "predict", model, data, "--scores", "--json", *(["--proba"] if proba else []), *more))
    rows = out["predictions"]
    return ([r["label"] for r in rows], [r.get("score", r.get("scores")) for r in rows],
            [r["probabilities"] for r in rows] if proba else None)


def tested(program, what, model, data, rows, labels, proba, *more):
    got = json.loads(run(program, "test", model, data, "--json", *more))
    answer, score, p = predicted(program, model, data, proba, *more)
    check(what, got, [r[2] for r in rows], answer, labels, score if len(labels) == 2 else None, p)
    return answer, score, p


def trade(program, what, model, data, rows, score, answer):
    lines = json.loads(run(program, "test", model, data, "--trade-off", "--json"))["trade_off"]
    truth, values = [r[2] == "b" for r in rows], sorted(set(score), reverse=True)
    if [t["score"] for t in lines] != values:
        sys.exit(f"{what}: not every score has a line")
    for t in lines:
        yes = [s >= t["score"] for s in score]
        tp, said = sum(a and b for a, b in zip(yes, truth)), sum(yes)
        near(what, t["precision"], F(tp, said))
        near(what, t["recall"], F(tp, sum(truth)))
        near(what, t["false_positive_rate"], F(said - tp, len(truth) - sum(truth)))
        near(what, t["f1"], F(2 * tp, said + sum(truth)))
    if peer is not None:
        precision, recall, at = peer.precision_recall_curve(truth, score)
        theirs = {t: (p, r) for t, p, r in zip(at, precision, recall)} # some end at full recall
        for t in lines:
            if t["score"] in theirs:
                near(f"{what}: sklearn's precision", t["precision"], theirs[t["score"]][0])
                near(f"{what}: sklearn's recall", t["recall"], theirs[t["score"]][1])
        if len(theirs) < 5:
            sys.exit(f"{what}: sklearn has only {len(theirs)} thresholds")
    here = [t for t in lines if t["here"]]
    if len(here) != (1 if "b" in answer else 0) or (here and sum(s >= here[0]["score"] for s in score) != answer.count("b")):
        sys.exit(f"{what}: the line of the model is not that of its answers")


def wishes(tp, fp, p, n):
    precision, recall = F(tp, tp + fp), F(tp, p)
    return {
        "best:f1": (F(2 * tp, tp + fp + p),),
        "best:balanced": ((recall + F(n - fp, n)) / 2,),
        "best:cost:2,9": (-(2 * fp + 9 * (p - tp)),),
        "best:precision:0.7": (recall, precision) if precision >= F(7, 10) else None,
        "best:recall:0.6": (precision, recall) if recall >= F(6, 10) else None,
    }


def chosen(program, name, rows, weights):
    """The counts on the folds are of all rows by weight, and good enough; that none is better, the
    unit test counts (test_threshold.c). Answers are cut at the threshold, on rows of their own."""
    write(name, rows, weights)
    data = ["--label", "label", "--weight", "weight"]
    for wish in ("best:f1", "best:balanced", "best:cost:2,9", "best:precision:0.7", "best:recall:0.6"):
        out = json.loads(run(program, "train", name, *data, "-a", "perceptron", "--epochs", "3", "--threshold", wish,
                             "--calibrate", "-o", "chosen", "--json"))
        c, t = out["threshold_choice"], out["threshold"]
        tp, fp, fn, tn = (c[k] for k in ("true_positives", "false_positives", "false_negatives", "true_negatives"))
        total = {y: sum(w for w, r in zip(weights, rows) if r[2] == y) for y in "ab"}
        if tp + fn != total["b"] or fp + tn != total["a"]:
            sys.exit(f"{wish}: the weights on the folds are not those of the rows")
        near(wish, c["precision"], ratio(int(tp), int(tp + fp)))
        near(wish, c["recall"], ratio(int(tp), int(tp + fn)))
        if wishes(int(tp), int(fp), total["b"], total["a"])[wish] is None:
            sys.exit(f"{wish}: not what was asked for")
        # The answers of the model: at the threshold and above, by score and by probability.
        write("other.csv", rows_of(99, 150, "ab"))
        answer, score, p = predicted(program, "chosen", "other.csv", True)
        for a, s in zip(answer, score):
            if (a == "b") != (s >= t["score"]):
                sys.exit(f"{wish}: {s} is {a}, and the threshold {t['score']}")
        for given in ("0.35", "probabilities"):
            answer, score, p = predicted(program, "chosen", "other.csv", True, "--threshold", given)
            limit = 0.5 if given == "probabilities" else float(given)
            for a, q in zip(answer, p):
                if (a == "b") != (q[1] >= limit):
                    sys.exit(f"{given}: {q} is {a}")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for seed in range(6):
            rows, new = rows_of(seed, 80, "ab"), rows_of(seed + 50, 120, "ab")
            write("rows.csv", rows)
            write("new.csv", new)
            run(program, "train", "rows.csv", "-a", "perceptron", "--calibrate", "--seed", str(seed), "-q", "-o", "m")
            answer, score, _ = tested(program, f"two, seed {seed}", "m", "new.csv", new, "ab", True)
            trade(program, f"trade-off, seed {seed}", "m", "new.csv", new, score, answer)
            for t in ("0.2", "0.8", "score:-1", "probabilities"):
                tested(program, f"two, {t}, seed {seed}", "m", "new.csv", new, "ab", True, "--threshold", t)
            three, other = rows_of(seed, 90, "abc"), rows_of(seed + 50, 110, "abc")
            write("rows.csv", three)
            write("new.csv", other)
            run(program, "train", "rows.csv", "--calibrate", "--seed", str(seed), "-q", "-o", "m")
            tested(program, f"three, seed {seed}", "m", "new.csv", other, "abc", True)
            tested(program, f"three, by p, seed {seed}", "m", "new.csv", other, "abc", True, "--threshold", "probabilities")
            rare = rows_of(seed, 200, "ab", 0.08)
            write("rows.csv", rare)
            run(program, "train", "rows.csv", "-a", "mlp", "--layers", "3", "--epochs", "5", "-q", "-o", "m")
            tested(program, f"rare, seed {seed}", "m", "rows.csv", rare, "ab", True)
            g = random.Random(seed)
            chosen(program, "weighted.csv", rows_of(seed + 7, 160, "ab"), [g.randrange(1, 5) for _ in range(160)])
    print("metrics and thresholds agree" + ("" if peer else " (scikit-learn is not installed)"))


main()
