#!/usr/bin/python3
"""What logistic regression promises, checked by a plain second implementation.

    logistic_reference.py PROGRAM [GROUP...]

Data are small whole numbers with ties, duplicates and contradictions. The optimum is found here
by another method than the library's, without packages: with l2 by Newton's method on the matrix
of all numbers, with l1 and elastic net by one coordinate after the other, each to its best value
by bisection. It is believed once its own (sub)gradient is as good as 0. What the tool says has to
be true of its model (the objective of the weights in the file, the bound below the optimum), and
its model near the optimum; and where its gap is small, the (sub)gradient at its weights too.

    none   there is an optimum exactly where the weights for penalties of 1e-6 and 1e-9 are the same

A group that checked nothing fails. The first mismatch ends the program, with the data, the
command, what came and what was expected. The data follow from fixed seeds.
"""
import json
import math

import online_reference as online
import svm_reference as svm
from online_reference import Mismatch, must_fail

LEARNERS = ["logistic"]  # what this is a reference of: tests/registry.py
COSTS = ["0.001", "0.1", "0.3", "1", "2.5", "10", "100"]


def dot(u, v):
    return math.fsum(a * b for a, b in zip(u, v))


def log_1_plus_exp(f):
    return max(f, 0.0) + math.log1p(math.exp(-abs(f)))


def solve(matrix, right):
    """Gauss with pivots, in doubles; the matrix is positive definite."""
    n = len(right)
    m = [list(row) + [b] for row, b in zip(matrix, right)]
    for c in range(n):
        p = max(range(c, n), key=lambda i: abs(m[i][c]))
        m[c], m[p] = m[p], m[c]
        for i in range(c + 1, n):
            f = m[i][c] / m[c][c]
            if f:
                m[i] = [a - f * b for a, b in zip(m[i], m[c])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (m[i][n] - dot(m[i][i + 1:n], x[i + 1:])) / m[i][i]
    return x


class Task:
    """Rows x (the offset's 1 last), the class of each, its cost; `vectors` of them: 1 is for two
    classes, whose scores are (0, s). The penalty of number j: t_j |w_j| + r_j w_j^2 / 2."""

    def __init__(self, x, y, cost, vectors, share, free, ridge=1.0):
        self.x, self.y, self.cost, self.vectors = x, y, cost, vectors
        self.d = len(x[0])
        charged = self.d - 1 if free else self.d
        one = [1.0] * charged + [0.0] * (self.d - charged)
        self.t = [share * a for a in one] * vectors
        self.r = [(1 - share) * ridge * a for a in one] * vectors

    def scores(self, w, x):
        s = [dot(w[c * self.d:(c + 1) * self.d], x) for c in range(self.vectors)]
        return s if self.vectors > 1 else [0.0] + s

    def shares(self, w, x):
        s = self.scores(w, x)
        e = [math.exp(a - max(s)) for a in s]
        p = [a / math.fsum(e) for a in e]
        return p if self.vectors > 1 else p[1:]

    def value(self, w):
        loss = []
        for x, y, c in zip(self.x, self.y, self.cost):
            s = self.scores(w, x)
            top = max(s)
            rest = math.fsum(math.exp(a - top) for k, a in enumerate(s) if k != s.index(top))
            loss.append(c * (top - s[y] + math.log1p(rest)))
        return math.fsum(loss) + math.fsum(t * abs(a) + r * a * a / 2
                                           for t, r, a in zip(self.t, self.r, w))

    def gradient(self, w):
        """Of all but the sizes."""
        g = [r * a for r, a in zip(self.r, w)]
        for x, y, c in zip(self.x, self.y, self.cost):
            for k, p in enumerate(self.shares(w, x)):
                own = y == k if self.vectors > 1 else y == 1
                for j in range(self.d):
                    g[k * self.d + j] += c * (p - own) * x[j]
        return g

    def wrong(self, w):
        """The largest part of the least (sub)gradient."""
        return max(abs(g + math.copysign(t, a)) if a else max(abs(g) - t, 0)
                   for g, t, a in zip(self.gradient(w), self.t, w))

    def hessian(self, w):
        n = len(w)
        h = [[self.r[i] if i == j else 0.0 for j in range(n)] for i in range(n)]
        for x, c in zip(self.x, self.cost):
            p = self.shares(w, x)
            for k in range(self.vectors):
                for l in range(self.vectors):
                    f = c * p[k] * ((k == l) - p[l])
                    for i in range(self.d):
                        row = h[k * self.d + i]
                        for j in range(self.d):
                            row[l * self.d + j] += f * x[i] * x[j]
        return h

    def newton(self):
        w = [0.0] * (self.d * self.vectors)
        for _ in range(200):
            g, h = self.gradient(w), self.hessian(w)
            for i in range(len(w)):
                h[i][i] += 1e-11 * (1 + h[i][i])   # a free offset of all classes may be any
            s = solve(h, [-a for a in g])
            step, now = 1.0, self.value(w)
            while step > 1e-12 and not self.value([a + step * b for a, b in zip(w, s)]) < now:
                step /= 2
            if step <= 1e-12:
                break
            w = [a + step * b for a, b in zip(w, s)]
        return w

    def coordinates(self):
        """Two classes: one number after the other, until nothing moves."""
        w = [0.0] * self.d
        m = [0.0] * len(self.x)                    # scores
        for _ in range(20000):
            moved = 0.0
            for j in range(self.d):
                rows = [(i, x[j]) for i, x in enumerate(self.x) if x[j]]
                new = self.best_of(j, w[j], m, rows)
                for i, a in rows:
                    m[i] += (new - w[j]) * a
                moved = max(moved, abs(new - w[j]))
                w[j] = new
            if moved < 1e-13:
                break
        return w

    def best_of(self, j, now, m, rows):
        def slope(v, sign):
            s = [(m[i] + (v - now) * a, a, i) for i, a in rows]
            return math.fsum([self.r[j] * v, sign * self.t[j]] +
                             [self.cost[i] * a * (1 / (1 + math.exp(-f)) - self.y[i])
                              for f, a, i in s])
        if slope(0.0, -1) <= 0 <= slope(0.0, 1):
            return 0.0
        sign = 1 if slope(0.0, 1) < 0 else -1
        low, high = 0.0, float(sign)
        while slope(high, sign) * sign < 0:
            low, high = high, 2 * high
            if abs(high) > 500:
                return high                        # a free offset of one class
        for _ in range(80):
            mid = (low + high) / 2
            low, high = (mid, high) if slope(mid, sign) * sign < 0 else (low, mid)
        return (low + high) / 2

    def optimum(self):
        w = self.newton() if not any(self.t) else self.coordinates()
        if self.wrong(w) > 1e-6 * (1 + sum(self.cost)):
            raise AssertionError("the reference has not found the optimum: %g" % self.wrong(w))
        return w


def share_of(o):
    return {"l1": 1.0, "elastic-net": float(o.get("l1-ratio", "0.5"))}.get(o.get("penalty"), 0.0)


def tasks_of(data, o, ridge=1.0):
    """A list of (task, classes of the vectors) for a run."""
    case = svm.Case(data, o)
    c = float(o.get("C", "1"))
    cost = [c * float(case.weights[i]) for i in case.rows]
    x = [[float(a) for a in row] for row in case.augmented()]
    labels = [data.labels[i] for i in case.rows]
    joint = "positive" not in o and (o.get("multiclass") == "native" or (
        o.get("multiclass", "auto") == "auto" and len(data.classes) > 2 and
        o.get("penalty", "l2") == "l2"))
    free = bool(o.get("offset-free"))
    if joint:
        y = [data.classes.index(k) for k in labels]
        return [Task(x, y, cost, len(data.classes), 0.0, free, ridge)]
    return [Task(x, [int(k == p) for k in labels], cost, 1, share_of(o), free, ridge)
            for p in case.positives]


def numbers_of(model, o):
    """The vectors of the file as the tasks have them, the offset last."""
    return [list(v[:-1]) + ([] if o.get("no-offset") else [v[-1]]) for v in model.machine()]


def check(tool, data, o, form):
    tasks = tasks_of(data, o)
    _, report, model = tool.answer(data, o, form)
    vectors = numbers_of(model, o)
    gap = float(o["gap"])
    each = [sum(vectors, [])] if len(tasks) == 1 else vectors
    value = math.fsum(t.value(w) for t, w in zip(tasks, each))
    best = math.fsum(t.value(t.optimum()) for t in tasks)
    tool.true("solved: %s" % report["stop"], report["stop"] == "solved")
    tool.close("primal", report["primal"], svm.Fraction(value))
    tool.at_most("dual", report["dual"], svm.Fraction(best))
    tool.at_most("the optimum", best, svm.Fraction(report["primal"]))
    tool.at_most("the gap", report["primal"] - report["dual"],
                 svm.Fraction(gap) * svm.Fraction(report["primal"]), 1e-6)
    for t, w in zip(tasks, each):
        if gap < 1e-8 and not o.get("offset-free"):
            # g'Hg/|g|^2 <= L, so that P falls by |g|^2 / 2L at least
            size = 1 + max(t.cost) * sum(dot(x, x) for x in t.x)
            tool.true("gradient %g" % t.wrong(w),
                      t.wrong(w) ** 2 <= 2 * size * (gap * report["primal"] + 1e-12) * 4)
        if any(t.t):
            tool.compared += sum(a == 0 for a in w)
    check_probabilities(tool, data, tasks, each, model, form)


def check_probabilities(tool, data, tasks, each, model, form):
    out = tool.call("predict", tool.path("model"), tool.path("data"), "--proba", "--from", form,
                    *(["--weight", "weight"] if data.weights else []))
    case = svm.Case(data, {} if tasks[0].x and len(tasks[0].x[0]) > data.columns
                    else {"no-offset": True})
    rows = [[float(a) for a in row] + ([1.0] if case.offset else []) for row in data.rows]
    for line, x in zip(out.splitlines(), rows):
        p = [float(a) for a in line.split()[1:]]
        if len(tasks) == 1:
            want = tasks[0].shares(each[0], x)
            want = want if len(want) > 1 else [1 - want[0], want[0]]
        else:
            each_p = [t.shares(w, x)[0] for t, w in zip(tasks, each)]
            want = [q / math.fsum(each_p) for q in each_p]
        tool.true("probabilities %s, expected %s" % (p, want),
                  len(p) == len(want) and all(abs(a - b) <= 1e-9 for a, b in zip(p, want)))


def draw(r, penalty, classes, weighted=False):
    while True:
        data = svm.draw_small(r, weighted)
        if (len(data.classes) > 2) == (classes > 2):
            break
    o = {"algorithm": "logistic", "C": r.pick(COSTS), "gap": r.pick(["0.001", "1e-6", "1e-9"])}
    if penalty != "l2":
        o["penalty"] = penalty
    if penalty == "elastic-net" and r.below(2):
        o["l1-ratio"] = r.pick(["0.1", "0.9", "1"])
    kind = r.below(4)
    if kind == 0:
        o["no-offset"] = True
    elif kind == 1:
        o["offset-free"] = True
    if classes > 2 and r.below(3) == 0:
        o["multiclass"] = r.pick(["ovr"] if penalty != "l2" else ["ovr", "native"])
    elif r.below(4) == 0:
        o["positive"] = r.pick(data.classes)
    if penalty == "l2" and classes == 2 and r.below(5) == 0 and "positive" not in o:
        o["multiclass"] = "native"
    return data, o


def counted(data):
    """Every class has a row of weight above 0: else a free offset has no optimum."""
    return not data.weights or all(any(float(w) > 0 and k == c for w, k in
                                       zip(data.weights, data.labels)) for c in data.classes)


def group(penalty, classes, cases):
    def run(tool, r):
        for k in range(cases):
            data, o = draw(r, penalty, classes, weighted=k % 3 == 0)
            if data.weights and r.below(2):
                o["class-weight"] = "%s=%s" % (r.pick(data.classes), r.pick(["2", "0.25"]))
            if counted(data):
                check(tool, data, o, "csv" if data.weights else svm.draw_form(data, r))
    return run


def group_none(tool, r):
    """Without a penalty: an optimum, or the answer that there is none."""
    finite = 0
    for _ in range(60):
        data = svm.draw_small(r)
        o = {"algorithm": "logistic", "penalty": "none", "gap": r.pick(["0.001", "1e-9"])}
        if r.below(4) == 0:
            o["no-offset"] = True
        if len(data.classes) > 2:
            o["positive"] = r.pick(data.classes)
        sizes = []
        for ridge in (1e-6, 1e-9):
            (task,) = tasks_of(data, o, ridge)
            w = task.newton()
            sizes.append(max(abs(task.scores(w, x)[1]) for x in task.x))
        rises = sizes[1] > 1.2 * sizes[0] and sizes[1] > 8
        status, report, model = tool.answer(data, o, "csv")
        tool.same("no optimum", bool(status), rises)
        if status:
            tool.true(report["message"], "without a penalty" in report["message"])
            continue
        finite += 1
        (plain,) = tasks_of(data, o, 0.0)
        value = plain.value(numbers_of(model, o)[0])
        tool.true("solved: %s" % report["stop"], report["stop"] == "solved")
        tool.close("primal", report["primal"], svm.Fraction(value))
        tool.at_most("dual", report["dual"], svm.Fraction(task.value(w)), 1e-7)
        tool.at_most("the optimum", value, svm.Fraction(task.value(w)) *
                     (1 + svm.Fraction(float(o["gap"]))), 1e-7)
    tool.true("some of both: %d" % finite, 5 < finite < 55)


def group_threads(tool, r):
    """The same bytes for any number of threads."""
    for k in range(12):
        data, o = draw(r, ["l2", "l1", "elastic-net"][k % 3], 2 + k % 2)
        models = []
        for n in ("1", "2", "8"):
            tool.train(data, dict(o, threads=n))
            with open(tool.path("model"), "rb") as f:
                models.append(f.read())
        tool.true("the same bytes", models[0] == models[1] == models[2])


def group_self(tool, r):
    """The reference: slopes by differences; two ways to one optimum; an error is seen."""
    for k in range(10):
        data, o = draw(r, ["l2", "elastic-net"][k % 2], 2 + k % 3 // 2)
        t = tasks_of(data, o)[0]
        w = [(r.below(9) - 4) / 4 for _ in range(t.d * t.vectors)]
        g = t.gradient(w)
        for j in range(len(w)):
            h = 1e-5
            up, down = [[a + (h * s if i == j else 0) for i, a in enumerate(w)] for s in (1, -1)]
            slope = (t.value(up) - t.value(down)) / (2 * h)
            size = t.t[j] * ((w[j] > 0) - (w[j] < 0))
            tool.true("slope %g, by differences %g" % (g[j] + size, slope),
                      abs(g[j] + size - slope) <= 1e-5 * (1 + sum(t.cost)))
        if t.vectors == 1 and not any(t.t):
            a, b = t.value(t.newton()), t.value(t.coordinates())
            tool.true("%g and %g" % (a, b), abs(a - b) <= 1e-9 * a)
    must_fail(tool, tool.true, "fact", False)
    tool.compared += 1


GROUPS = [
    ("self", group_self),
    ("l2", group("l2", 2, 60)),
    ("l2, several classes", group("l2", 3, 24)),
    ("l1", group("l1", 2, 40)),
    ("l1, several classes", group("l1", 3, 10)),
    ("elastic net", group("elastic-net", 2, 30)),
    ("no penalty", group_none),
    ("threads", group_threads),
]


if __name__ == "__main__":
    online.main(GROUPS, svm.Tool, 20261118)
