#!/usr/bin/python3
"""What svm, lp and model selection promise, checked in exact arithmetic.

    svm_reference.py PROGRAM [GROUP...]

Data are small whole numbers with ties, duplicates and contradictions. The optimum of a
support vector machine, the margin of a hard one, and whether a hyperplane separates the
rows are found here in rational numbers, by methods that the library does not use. None of
them has to be believed: each comes with its dual, and is used only after both were seen to
be equal, as fractions. So a reference that is wrong ends the program.

    svm    primal P(w) and a dual vector a with P(w) = D(a): both are the optimum
    margin lambda >= 0 of sum 1 with x = sum lambda_i a_i and a_i.x >= x.x for all i
    no     the same with x = 0: the hulls of the two classes have a point in common

What the tool returns is read from the model file, whose doubles are fractions too.

A group that checked nothing fails. The first mismatch ends the program, with the data, the
command, what came and what was expected. The data follow from fixed seeds.
"""
import json
import math
import os
import subprocess
from fractions import Fraction

import online_reference as online
from online_reference import Data, Mismatch, Model, Rng, must_fail

LEARNERS = ["svm", "lp"]  # what this is a reference of: tests/registry.py

ROUNDING = Fraction(1, 10 ** 9)   # of sums of some dozens of doubles; far more than needed
FINE = {"newton": "1e-10", "dual": "1e-8"}  # gaps that solvers reach
COSTS = ["0.001", "0.01", "0.1", "0.3", "1", "2.5", "10", "100", "1000"]


# ----- linear algebra in fractions ----------------------------------------------------------


def dot(u, v):
    return sum(a * b for a, b in zip(u, v))


def combine(factors, vectors, size):
    """The sum of factor times vector."""
    out = [Fraction(0)] * size
    for f, v in zip(factors, vectors):
        if f:
            out = [o + f * a for o, a in zip(out, v)]
    return out


def solve(matrix, right):
    """(x, None) with matrix x = right, or (None, d) with matrix d = 0, d not 0."""
    n = len(matrix)
    rows = [[Fraction(a) for a in line] + [Fraction(r)] for line, r in zip(matrix, right)]
    for c in range(n):
        pivot = next((i for i in range(c, n) if rows[i][c]), None)
        if pivot is None:         # column c depends on those before it, which are solved
            rest = [Fraction(1)] + [Fraction(0)] * (n - c - 1)
            return None, [-rows[i][c] for i in range(c)] + rest
        rows[c], rows[pivot] = rows[pivot], rows[c]
        scale = rows[c][c]
        rows[c] = [a / scale for a in rows[c]]
        for i in range(n):
            if i != c and rows[i][c]:
                f = rows[i][c]
                rows[i] = [a - f * b for a, b in zip(rows[i], rows[c])]
    return [line[n] for line in rows], None


# ----- the soft margin ----------------------------------------------------------------------


class Task:
    """One class against the rest: rows x (with the constant 1, if it is a feature), signs y,
    what a row costs: C times its weight. free: an offset beside w that costs nothing."""

    def __init__(self, x, y, cost, squared, free):
        self.x, self.y, self.cost, self.squared, self.free = x, y, cost, squared, free
        self.d = len(x[0])
        self.v = [[s * a for a in row] for row, s in zip(x, y)]

    def slacks(self, w, b):
        return [max(Fraction(0), 1 - dot(v, w) - (s * b if self.free else 0))
                for v, s in zip(self.v, self.y)]

    def primal(self, w, b):
        power = 2 if self.squared else 1
        return dot(w, w) / 2 + sum(u * xi ** power for u, xi in zip(self.cost, self.slacks(w, b)))

    def dual(self, a):
        """None: a is not allowed."""
        if any(p < 0 for p in a) or (self.free and dot(a, self.y) != 0):
            return None
        if not self.squared and any(p > u for p, u in zip(a, self.cost)):
            return None
        w = combine(a, self.v, self.d)
        own = sum(p * p / (4 * u) for p, u in zip(a, self.cost)) if self.squared else 0
        return sum(a) - dot(w, w) / 2 - own

    def optimum(self):
        """The least P, proved by its dual."""
        w, b, a = newton(self) if self.squared else active_set(self)
        value = self.primal(w, b)
        if value != self.dual(a):
            raise Mismatch("the reference is wrong: primal %s, dual %s" % (value, self.dual(a)))
        return value


def newton(t):
    """The squared hinge: a quadratic function for each set of rows inside the margin. Where
    the minimum of that function has the same set, it is the minimum of all."""
    n, size = len(t.x), t.d + t.free
    x = [list(row) + [1] * t.free for row in t.x]
    z = [Fraction(0)] * size
    split = (lambda z: (z[:t.d], z[t.d])) if t.free else (lambda z: (z, Fraction(0)))
    for _ in range(500):
        slack = t.slacks(*split(z))
        inside = [i for i in range(n) if slack[i] > 0]
        h = [[Fraction(int(j == k and j < t.d)) for k in range(size)] for j in range(size)]
        r = [Fraction(0)] * size
        for i in inside:
            for j in range(size):
                r[j] += 2 * t.cost[i] * t.y[i] * x[i][j]
                for k in range(size):
                    h[j][k] += 2 * t.cost[i] * x[i][j] * x[i][k]
        if [dot(line, z) for line in h] == r:  # the gradient is zero
            w, b = split(z)
            return w, b, [2 * u * s for u, s in zip(t.cost, slack)]
        if t.free and not inside:
            h[-1][-1], r[-1] = Fraction(1), z[-1]
        step, before = [p - q for p, q in zip(solve(h, r)[0], z)], t.primal(*split(z))
        length = Fraction(1)
        while t.primal(*split([q + length * p for q, p in zip(z, step)])) >= before:
            length /= 2
        z = [q + length * p for q, p in zip(z, step)]
    raise Mismatch("the reference found no optimum (squared hinge)")


def active_set(t):
    """The hinge: the dual by a set of rows that are neither at 0 nor at their cost. Along
    them to the optimum, or to the first that meets a bound and leaves the set; at the
    optimum, the row that could still gain joins."""
    n, r = len(t.x), Rng(len(t.x), t.d)
    q = [[dot(u, v) for v in t.v] for u in t.v]
    a, loose = [Fraction(0)] * n, []
    for turn in range(20000):
        w = combine(a, t.v, t.d)
        g = [1 - dot(v, w) for v in t.v]
        if loose and move(t, q, a, loose, g):
            continue
        b, join = offset_and_violators(t, a, loose, g)
        if not join:
            return w, b, a
        # The largest gain; now and then any, so that it cannot go round in circles.
        loose += [r.pick(join)[1]] if turn % 50 > 40 and len(join[0]) == 2 else list(max(join)[1:])
    raise Mismatch("the reference found no optimum (hinge)")


def move(t, q, a, loose, g):
    """One step in the rows of `loose`; False: they are at their optimum."""
    border = [[t.y[i]] for i in loose] if t.free else [[] for _ in loose]
    m = [[q[i][k] for k in loose] + e for i, e in zip(loose, border)]
    if t.free:
        m.append([t.y[i] for i in loose] + [0])
    d, null = solve(m, [g[i] for i in loose] + [0] * t.free)
    length = Fraction(1) if null is None else None
    if null is not None:          # no curvature: uphill, as far as it goes
        d = null if dot(null, [g[i] for i in loose]) >= 0 else [-p for p in null]
    d = d[:len(loose)]
    if not any(d):
        return False
    stop = None
    for i, p in zip(loose, d):
        if p:
            room = (t.cost[i] - a[i]) / p if p > 0 else a[i] / -p
            if length is None or room < length:
                length, stop = room, i
    for i, p in zip(loose, d):
        a[i] += length * p
    if stop is not None:
        loose.remove(stop)
    return True


def offset_and_violators(t, a, loose, g):
    """The multiplier of sum a_i y_i = 0, and who could gain: (by how much, row), or a pair."""
    if not t.free or loose:
        b = t.y[loose[0]] * g[loose[0]] if t.free else Fraction(0)
        join = []
        for i in range(len(a)):
            gain = g[i] - t.y[i] * b if t.free else g[i]
            if i not in loose and ((a[i] == 0 and gain > 0) or (a[i] == t.cost[i] and gain < 0)):
                join.append((abs(gain), i))
        return b, join
    least, most = None, None      # every row at a bound: b between two of them
    for i in range(len(a)):
        bound = (t.y[i] * g[i], i)
        if (a[i] == 0) == (t.y[i] > 0):
            least = bound if least is None else max(least, bound)
        else:
            most = bound if most is None else min(most, bound)
    if least is None or most is None or least[0] <= most[0]:
        return (least or most)[0], []
    return Fraction(0), [(least[0] - most[0], least[1], most[1])]


# ----- the hard margin ----------------------------------------------------------------------


def nearest(points):
    """The point of their hull that is nearest to 0 (Wolfe 1976), with its proof: (x, lambda)."""
    inside, share = [0], {0: Fraction(1)}
    size = len(points[0])
    for _ in range(100000):
        x = combine(share.values(), [points[i] for i in share], size)
        ahead = min(range(len(points)), key=lambda i: dot(points[i], x))
        if dot(points[ahead], x) >= dot(x, x):
            prove_nearest(points, x, share)
            return x, share
        inside.append(ahead)
        share[ahead] = Fraction(0)
        to_the_plane(points, inside, share)
    raise Mismatch("the reference found no nearest point")


def to_the_plane(points, inside, share):
    """Goes to the point of the plane through those inside, and leaves out who stands in the way."""
    while True:
        m = [[dot(points[i], points[k]) for k in inside] + [1] for i in inside]
        m.append([1] * len(inside) + [0])
        found, _ = solve(m, [0] * len(inside) + [1])
        goal = dict(zip(inside, found))
        if all(goal[i] > 0 for i in inside):
            share.update(goal)
            return
        length = min(share[i] / (share[i] - goal[i]) for i in inside if goal[i] <= 0)
        for i in list(inside):
            share[i] += length * (goal[i] - share[i])
            if share[i] == 0 and goal[i] <= 0:
                inside.remove(i)
                del share[i]


def prove_nearest(points, x, share):
    made = combine(share.values(), [points[i] for i in share], len(x))
    fine = (made == list(x) and sum(share.values()) == 1 and min(share.values()) >= 0
            and all(dot(p, x) >= dot(x, x) for p in points))
    if not fine:
        raise Mismatch("the reference is wrong: not the nearest point")


# ----- a run as problems --------------------------------------------------------------------


class Case:
    """The data and options of a run as one task a vector."""

    def __init__(self, data, options):
        self.data, self.o = data, options
        self.offset = not options.get("no-offset")
        self.free = bool(options.get("offset-free")) and not options.get("hard")
        self.weights = self.row_weights()
        self.rows = [i for i, c in enumerate(self.weights) if c > 0]
        two = "positive" in options or len(data.classes) == 2
        self.positives = [options.get("positive", data.classes[-1])] if two else data.classes
        if options.get("multiclass") == "ovr" and "positive" not in options:
            self.positives = data.classes

    def row_weights(self):
        labels, given = self.data.labels, self.o.get("class-weight", "")
        own = [Fraction(float(w)) for w in self.data.weights or ["1"] * len(labels)]
        if given == "balanced":
            count = {c: sum(1 for k, w in zip(labels, own) if k == c and w > 0)
                     for c in self.data.classes}
            total, classes = sum(count.values()), len(count)
            factor = {c: Fraction(total, classes * n) if n else Fraction(1)
                      for c, n in count.items()}
        else:
            parts = dict(p.rsplit("=", 1) for p in given.split(",") if p)
            factor = {c: Fraction(float(parts.get(c, "1"))) for c in self.data.classes}
        return [w * factor[k] for w, k in zip(own, labels)]

    def signs(self, positive):
        return [1 if self.data.labels[i] == positive else -1 for i in self.rows]

    def augmented(self):
        """The rows that count, with the constant feature where there is an offset."""
        return [list(self.data.rows[i]) + [1] * self.offset for i in self.rows]

    def task(self, positive):
        c = Fraction(float(self.o.get("C", "1")))
        x = [row[:-1] for row in self.augmented()] if self.free else self.augmented()
        return Task(x, self.signs(positive), [c * self.weights[i] for i in self.rows],
                    self.o.get("loss", "squared") == "squared", self.free)

    def points(self, positive):
        return [[s * a for a in row] for row, s in zip(self.augmented(), self.signs(positive))]

    def differences(self, positive):
        """Of all rows of one class with all of the other: half the distance of their hull from
        0 is the geometric margin."""
        x, y = [self.data.rows[i] for i in self.rows], self.signs(positive)
        return [[a - b for a, b in zip(p, q)] for p, s in zip(x, y) if s > 0
                for q, t in zip(x, y) if t < 0]

    def vectors(self, model):
        """The vectors of a model as fractions, each as (w', 0), or (w, b) if b is free."""
        for vector in model.machine():
            z = [Fraction(a) for a in vector]
            if self.free:
                yield z[:-1], z[-1]
            else:
                yield (z if self.offset else z[:-1]), Fraction(0)


class Tool(online.Tool):
    unsolved = 0                  # runs of a group that ended at the limit of passes

    def answer(self, data, options, form, more=()):
        """Status, report and model of `perceptron train`: 0, or 1 (no), and then no model."""
        target = self.path("model")
        if os.path.exists(target):
            os.remove(target)
        try:
            model, report = self.train(data, options, form, more)
            report.update(report["solver"] or {})  # its name, bounds and the like
            return 0, report, model
        except Mismatch as why:
            if not str(why).startswith("exit status 1:"):
                raise
            self.true("no model is written", not os.path.exists(target))
            return 1, {"message": str(why)}, None

    def predict(self, form, data=None):
        """(label, scores) of each row of the data trained last, or of others."""
        if data is not None:
            with open(self.path("asked"), "w") as f:
                f.write(data.csv() if form == "csv" else data.libsvm())
        return self.ask(form, self.path("data" if data is None else "asked"))

    def ask(self, form, path):
        out = self.call("predict", self.path("model"), path, "--scores", "--from", form)
        lines = [line.split() for line in out.splitlines()]
        return [(line[0], [float(s) for s in line[1:]]) for line in lines]

    def true(self, what, fact):
        self.compared += 1
        if not fact:
            raise Mismatch("not true: %s" % what)

    def close(self, what, got, want, part=ROUNDING):
        """Within a part of what is expected."""
        self.compared += 1
        if not isinstance(got, (float, int)) or not abs(Fraction(got) - want) <= part * abs(want):
            raise Mismatch("%s\ngot       %s\nexpected  %.17g" % (what, got, float(want)))

    def at_most(self, what, got, most, part=ROUNDING):
        self.compared += 1
        if not Fraction(got) <= most + part * abs(most):
            raise Mismatch("%s\ngot       %.17g\nat most   %.17g" % (what, float(got), float(most)))


# ----- svm ----------------------------------------------------------------------------------


def check_svm(tool, data, o, form):
    """What the report says of w, and what w is worth."""
    case = Case(data, o)
    status, report, model = tool.answer(data, o, form)
    tool.same("status", status, 0)
    gap = Fraction(float(o.get("gap", "0.001")))
    solved = model.meta["stop"] == "solved"
    if not solved:                # descent is slow where C is large: then it says so
        tool.same("stop", (model.meta["stop"], report["name"]), ("epochs", "dual"))
        tool.unsolved += 1
        gap = 1 - Fraction(report["dual"]) / Fraction(report["primal"])
    total, best = Fraction(0), Fraction(0)
    vectors = list(case.vectors(model))
    tool.same("vectors", len(vectors), len(case.positives))
    for (w, b), positive in zip(vectors, case.positives):
        task = case.task(positive)
        value, optimum = task.primal(w, b), task.optimum()
        if solved:                # each class by itself; else all together
            tool.at_most("primal of %s" % positive, value, optimum / (1 - gap))
        total, best = total + value, best + optimum
    if not case.offset:
        tool.true("no offset", all(v[-1] == 0 for v in model.machine()))
    tool.close("primal", report["primal"], total)
    tool.at_most("primal", total, best / (1 - gap))
    tool.at_most("dual", report["dual"], best)
    tool.at_most("gap", Fraction(report["primal"]) - Fraction(report["dual"]), gap * total)
    tool.same("what is called solved", solved,
              report["primal"] - report["dual"] <= float(o["gap"]) * report["primal"])
    if "solver" in o:
        tool.same("solver", report["name"], o["solver"])
    return report


def draw_form(data, r):
    return "csv" if data.weights else r.pick(["libsvm", "csv"])


def draw_small(r, weighted=False):
    """Fewer rows than online_reference has; the last column is not empty."""
    data = online.draw_data(r, r.pick([2, 2, 2, 3, 4]), weighted)
    n = max(len(data.classes) + 2, 4 + r.below(17))
    keep, seen = [], set()
    for i, label in enumerate(data.labels):    # the first of each label, and any others
        if label not in seen or len(keep) < n:
            keep.append(i)
        seen.add(label)
    rows = [list(data.rows[i]) for i in keep]
    rows[r.below(len(rows))][-1] = 1
    weights = [data.weights[i] for i in keep] if data.weights else None
    if weights:
        weights = [r.pick(["1", "1", "2.25", "0.5", "3", "0"]) for _ in weights]
        weights[0] = "1"
    return Data(rows, [data.labels[i] for i in keep], weights)


def draw_svm(r, loss, solver=None, weighted=False):
    data = draw_small(r, weighted)
    o = {"algorithm": "svm", "loss": loss, "C": r.pick(COSTS),
         "gap": r.pick(["0.001", "1e-6", FINE[solver or "dual"]])}
    kind = r.below(4)
    if kind == 0:
        o["no-offset"] = True
    elif kind == 1:
        o["offset-free"] = True
    if solver:
        o["solver"] = solver
    if r.below(4) == 0:
        o["positive"] = r.pick(data.classes)
    elif r.below(4) == 0:
        o["multiclass"] = "ovr"
    if r.below(3) == 0:
        o["seed"] = r.pick(["1", "77"])
    return data, o


def group_svm(loss, solver, cases):
    def run(tool, r):
        for _ in range(cases):
            data, o = draw_svm(r, loss, solver)
            check_svm(tool, data, o, draw_form(data, r))
        tool.true("few end at the limit: %d of %d" % (tool.unsolved, cases),
                  tool.unsolved <= (0 if solver == "newton" else cases // 6))
    return run


def group_weights(tool, r):
    """Weights of rows and classes; 0 leaves a row out."""
    for k in range(60):
        data, o = draw_svm(r, r.pick(["hinge", "squared"]), None, k % 3 > 0)
        if k % 3 != 1:
            chosen = r.shuffled(data.classes)[:1 + r.below(len(data.classes))]
            o["class-weight"] = "balanced" if r.below(3) == 0 else ",".join(
                "%s=%s" % (c, r.pick(["2", "0.125", "0.3", "10"])) for c in chosen)
        check_svm(tool, data, o, draw_form(data, r))


def group_left_out(tool, r):
    """Rows of weight 0 are as if they were not there, to the bit."""
    for _ in range(20):
        data, o = draw_svm(r, r.pick(["hinge", "squared"]), None, True)
        keep = [i for i, w in enumerate(data.weights) if w != "0"]
        if len({data.labels[i] for i in keep}) < len(data.classes):
            continue
        some = Data([data.rows[i] for i in keep], [data.labels[i] for i in keep],
                    [data.weights[i] for i in keep])
        tool.same("weights", tool.train(data, o, "csv")[0].machine(),
                  tool.train(some, o, "csv")[0].machine())


def group_agree(tool, r):
    """Two solvers, the same w: as near as the gap says, |w - w*|^2 <= 2 (P - P*)."""
    for _ in range(25):
        data, o = draw_svm(r, "squared")
        o["gap"] = FINE["dual"]
        one, two = (tool.train(data, dict(o, solver=s))[0] for s in ("dual", "newton"))
        if one.meta["stop"] != "solved":
            continue
        case = Case(data, o)
        for (u, _), (v, _), positive in zip(case.vectors(one), case.vectors(two), case.positives):
            apart = [a - b for a, b in zip(u, v)]
            most = 8 * Fraction(FINE["dual"]) * case.task(positive).optimum()
            tool.at_most("distance, squared", dot(apart, apart), most)


def group_threads(tool, r):
    """The same bits on any number of threads, and for any order of asking."""
    for _ in range(12):
        data, o = draw_svm(r, r.pick(["hinge", "squared"]))
        models = [tool.train(data, o, "libsvm", ["--threads", t])[0].machine() for t in "123"]
        tool.same("two threads", models[1], models[0])
        tool.same("three threads", models[2], models[0])


# ----- hard margins -------------------------------------------------------------------------


def check_bounds(tool, what, report, key, square, part, rounding=Fraction(1, 10 ** 13)):
    """Bounds that hold the root of the square between them, a part of it apart. The lower one."""
    lower, upper = Fraction(report[key + "_lower"]), Fraction(report[key + "_upper"])
    tool.true("bounds are positive", 0 < lower <= upper * (1 + Fraction(1, 10 ** 14)))
    tool.at_most("lower bound on %s, squared" % what, lower ** 2, square, rounding)
    tool.at_most("%s, squared" % what, square, upper ** 2, rounding)
    tool.at_most("bounds on %s" % what, upper - lower, part * upper, 0)
    return lower


def check_hard(tool, data, o, form, part, rounding=Fraction(1, 10 ** 12)):
    """The bounds hold the margins between them, and the plane has the lower one but for some
    rounding. The report, or None: not separable."""
    case = Case(data, o)
    geometric = (case.offset and not o.get("offset-inside") and
                 all(case.differences(p) for p in case.positives))  # of one class: infinite
    proofs = [nearest(case.points(p))[0] for p in case.positives]
    status, report, model = tool.answer(data, o, form)
    squares = [dot(x, x) for x in proofs]
    tool.same("status", status, 0 if min(squares) > 0 else 1)
    if status != 0:
        tool.true("it says so: %s" % report["message"], "no hyperplane" in report["message"])
        return None
    # Of the class with the smallest one.
    lower = check_bounds(tool, "gamma'", report, "margin", min(squares), part)
    tool.same("a geometric margin", report["geometric_lower"] is not None, geometric)
    if geometric:
        proofs = [nearest(case.differences(p))[0] for p in case.positives]
        lower = check_bounds(tool, "gamma", report, "geometric", min(dot(x, x) for x in proofs) / 4,
                             part)
    reached = []
    for (w, _), positive in zip(case.vectors(model), case.positives):
        worst = min(dot(p, w) for p in case.points(positive))
        tool.true("it separates %s" % positive, worst > 0)
        inside = w[:-1] if geometric else w
        reached.append(worst ** 2 / dot(inside, inside))
    if geometric or not case.offset or o.get("offset-inside"):
        tool.close("lower bound, squared, from the weights", float(min(reached)), lower ** 2,
                   rounding)
    return report


def hard_options(r, data, gap="1e-11"):
    o = {"algorithm": "svm", "hard": True, "gap": gap}
    form = r.pick(["no-offset", "offset-inside", "offset-free", ""])
    if form:
        o[form] = True            # offset-free changes nothing
    if len(data.classes) > 2 and r.below(2):
        o["positive"] = r.pick(data.classes)
    return o


def group_hard(tool, r):
    """Random sets, most of them of two classes; some can be separated."""
    found = [0, 0]
    for k in range(120):
        data = (separable(r, 2 + r.below(4)) if k % 3 == 0 else
                thin(r, 2 + r.below(3)) if k % 3 == 1 else draw_small(r, k % 2 == 0))
        o = hard_options(r, data, r.pick(["1e-11", "1e-11", "0.001"]))
        report = check_hard(tool, data, o, draw_form(data, r), Fraction(float(o["gap"])))
        found[report is None] += 1
    tool.true("some can be separated and some not: %s" % found, min(found) > 20)


def group_shifted(tool, r):
    """The geometric margin does not change when all rows move, or change places with a class."""
    for _ in range(25):
        data = separable(r, 1 + r.below(4))
        o = {"algorithm": "svm", "hard": True, "gap": "1e-9"}
        _, here, _ = tool.answer(data, o, "csv")
        move = [r.pick([1, 1000, 10 ** 6]) * (r.below(7) - 3) for _ in data.rows[0]]
        there = Data([[a + m for a, m in zip(row, move)] for row in data.rows], data.labels)
        report = check_hard(tool, there, o, "csv", Fraction(1, 10 ** 9), Fraction(1, 10 ** 8))
        tool.close("margin of rows that have moved", report["geometric_lower"],
                   Fraction(here["geometric_lower"]), Fraction(1, 10 ** 8))


def group_limit(tool, r):
    """For large C the soft machine tends to the hard one: with the offset outside the norm to the
    largest geometric margin, with the offset inside to the largest gamma'."""
    for _ in range(15):
        data = separable(r, 1 + r.below(3))
        _, hard, _ = tool.answer(data, {"algorithm": "svm", "hard": True}, "csv")
        for free, key in ((True, "geometric_lower"), (False, "margin_lower")):
            o = {"algorithm": "svm", "C": "1e9", "gap": "1e-6", "offset-free": free}
            _, soft, _ = tool.answer(data, {k: v for k, v in o.items() if v}, "csv")
            norm = soft["norm" if free else "norm_augmented"]
            tool.close("1 / |w| of the soft machine, %s" % key, 1 / norm, Fraction(hard[key]),
                       Fraction(1, 1000))


def decimal(value, places):
    """A fraction over 10^places as text."""
    whole = abs(value.numerator * 10 ** places // value.denominator)
    text = "%0*d" % (places + 1, whole)
    return "-" * (value < 0) + text[:-places] + "." + text[-places:]


def between(r):
    """Rows of decimals, with one or two between others, or where rounding puts them, or a unit of
    the last place from there: doubles may tear hulls apart that touch, or make them meet."""
    places = r.pick([1, 1, 2, 13, 15])
    unit, columns = Fraction(1, 10 ** places), 1 + r.below(3)
    number = lambda: Fraction(r.below(31) - 10) / 10 * (1 if r.below(4) else 3)
    rows = [[number() for _ in range(columns)] for _ in range(2 + r.below(3))]
    labels = ["a"] * len(rows)
    for _ in range(1 + r.below(2)):
        p, q, parts = r.pick(rows), r.pick(rows), r.pick([2, 5])
        at = 1 + r.below(parts - 1)
        row = [a + (b - a) * Fraction(at, parts) for a, b in zip(p, q)]
        row = [Fraction(int(a / unit)) * unit for a in row]
        if r.below(2):
            row[r.below(columns)] += r.pick([unit, -unit])
        rows.append(row)
        labels.append("b")
    return [[decimal(v, places) for v in row] for row in rows], labels


def neighbours(r):
    """Doubles next to each other, as their shortest decimals."""
    columns, middle = 1 + r.below(2), r.pick([0.1, 1.0, 3.3, 1e6])
    rows = [[repr(middle * (1 + r.below(9) * 2.0 ** -52)) for _ in range(columns)]
            for _ in range(2 + r.below(3))]
    return rows, [r.pick("ab") for _ in rows[2:]] + ["a", "b"]


def group_decimals(tool, r):
    """What doubles cannot tell is decided as the decimals of the file have it: never a wrong yes,
    never a wrong no; and 5 only where the margin is below 10^-12 R."""
    seen = {0: 0, 1: 0, 5: 0}
    for _ in range(160):
        texts, labels = r.pick([between, between, neighbours])(r)
        lines = ["%s %s" % (c, " ".join("%d:%s" % (j + 1, v) for j, v in enumerate(row)))
                 for row, c in zip(texts, labels)]
        rows = [[Fraction(v) for v in row] for row in texts]
        with open(tool.path("data"), "w") as f:
            f.write("\n".join(lines) + "\n")
        case = Case(Data(rows, labels), {})
        x = nearest(case.differences("b"))[0]
        radius = max(dot(row, row) for row in rows) + 1
        form = r.pick([[], ["--offset-inside"]])
        done = subprocess.run([tool.program, "train", tool.path("data"), "-a", "svm", "--hard",
                               "--json", "-o", tool.path("model")] + form,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        status = done.returncode
        told = "\n".join(lines) + "\n%s: exit status %d, distance %g\n%s" % (
            form, status, math.sqrt(dot(x, x)), done.stderr.decode())
        tool.true(told, status == (1 if not any(x) else 0) or
                  (status == 5 and any(x) and dot(x, x) < Fraction(1, 10 ** 24) * radius))
        seen[status] += 1
        if status == 0:
            tool.same("answers", [a for a, _ in tool.ask("libsvm", tool.path("data"))], labels)
            key = "margin" if form else "geometric"
            square = dot(x, x) / 4
            if form:
                x = nearest(case.points("b"))[0]
                square = dot(x, x)
            got = json.loads(done.stdout)["solver"]
            lost = Fraction(math.sqrt(float(radius / square)) * 4e-16)  # by rounding the decimals
            check_bounds(tool, told, got, key, square, 1, min(lost, Fraction(1, 10 ** 6)))
    tool.true("all answers: %s" % seen, min(seen.values()) > 0)


def separable(r, columns):
    """Two classes that a hidden hyperplane of whole numbers separates."""
    hidden = [0]
    while not any(hidden):
        hidden = [r.below(7) - 3 for _ in range(columns)]
    offset = r.below(5) - 2
    rows, labels = [], []
    while len(rows) < 4 + r.below(20) or len(set(labels)) < 2:
        row = [r.below(11) - 5 for _ in range(columns)]
        s = dot(hidden, row) + offset
        if s:
            rows.append(row)
            labels.append("b" if s > 0 else "a")
        if len(rows) > 200:       # all on one side: another hyperplane
            return separable(r, columns)
    if not any(row[-1] for row in rows):
        return separable(r, columns)
    return Data(rows, labels)


def group_bound(tool, r):
    """Novikoff: at most (R / gamma')^2 mistakes."""
    tight = 0
    for _ in range(300):
        data = separable(r, 1 + r.below(4))
        o = {"algorithm": "svm", "hard": True, "gap": "1e-9"}
        _, hard, _ = tool.answer(data, o, "libsvm")
        _, plain, _ = tool.answer(data, {"algorithm": "perceptron", "order": "file",
                                         "epochs": "1000000"}, "libsvm")
        tool.same("converged", plain["converged"], True)
        radius = max(dot(row, row) + 1 for row in data.rows)
        tool.close("R", hard["radius"], Fraction(math.sqrt(radius)))
        upper = Fraction(hard["margin_upper"])
        tool.at_most("mistakes", plain["mistakes"], radius / upper ** 2)
        tight += plain["mistakes"] * 5 > radius / upper ** 2
    tool.true("the bound is not always far away: %d" % tight, tight > 10)


def hand_made():
    """(name, data, options, the square of the margin: gamma' with the offset inside)."""
    two = Data([[1], [-1]], ["1", "-1"])
    yield "two points, no offset", two, {"no-offset": True}, Fraction(1)
    inside = {"offset-inside": True}
    yield "two points", two, {}, Fraction(1)
    off, close = (Data([[a], [b]], ["1", "-1"]) for a, b in ((3, 1), (1000, 999)))
    yield "two points, off the middle", off, {}, Fraction(1)
    yield "two points, off the middle", off, inside, Fraction(1, 5)
    yield "close points", close, {}, Fraction(1, 4)
    yield "close points", close, inside, nearest_of_two([1000, 1], [-999, -1])
    square = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    yield "a square", Data(square, ["1", "1", "-1", "-1"]), {}, Fraction(1)
    both = Data([[0, 0], [0, 1], [1, 0], [1, 1]], ["0", "0", "0", "1"])
    yield "and", both, {}, Fraction(1, 8)
    yield "and", both, inside, Fraction(1, 17)
    yield ("two and two", Data([[10, 12], [12, 11], [10, 8], [13, 8]], ["1", "1", "-1", "-1"]), {},
           Fraction(9, 4))
    for d in (1, 2, 3, 5, 10, 30):
        unit = [[int(j == k) for j in range(d)] for k in range(d)]
        # All of one class but the last, through the origin: u_j = +-1 / sqrt(d).
        yield ("a simplex in %d dimensions, no offset" % d,
               Data(unit + [[-a for a in unit[-1]]], ["1"] * d + ["-1"]), {"no-offset": True},
               Fraction(1, d))
        # The origin against the corners e_j: u.(e_j, 1) = -u.(0, 1) = gamma' gives
        # u = (2, ..., 2, -1) gamma', gamma'^2 = 1 / (4 d + 1).
        corners = Data(unit + [[0] * d], ["1"] * d + ["-1"])
        yield "a simplex in %d dimensions" % d, corners, inside, Fraction(1, 4 * d + 1)
        if d <= 10:  # the nearest point of their hull is their mean, 1 / sqrt(d) away
            yield "a simplex in %d dimensions" % d, corners, {}, Fraction(1, 4 * d)


def nearest_of_two(p, q):
    """The square of the distance from 0 to the segment between two points."""
    along = [b - a for a, b in zip(p, q)]
    t = min(Fraction(1), max(Fraction(0), Fraction(-dot(p, along), dot(along, along))))
    x = [a + t * s for a, s in zip(p, along)]
    return dot(x, x)


def group_by_hand(tool, r):
    """Margins that are known, to 1e-10."""
    for name, data, o, square in hand_made():
        o = dict(o, algorithm="svm", hard=True, gap="1e-11")
        case = Case(data, o)
        key = "geometric" if case.offset and "offset-inside" not in o else "margin"
        points = case.differences if key == "geometric" else case.points
        found = nearest(points(data.classes[-1]))[0]
        tool.same("the reference, %s" % name, dot(found, found),
                  4 * square if key == "geometric" else square)
        for form in ("libsvm", "csv"):
            report = check_hard(tool, data, o, form, Fraction(1, 10 ** 10))
            for bound in (key + "_lower", key + "_upper"):
                tool.close("%s, %s" % (name, bound), report[bound], Fraction(math.sqrt(square)),
                           Fraction(1, 10 ** 10))
    xor = Data([[0, 0], [0, 1], [1, 0], [1, 1]], ["0", "1", "1", "0"])
    same = Data([[1, 2], [3, 4], [1, 2]], ["a", "a", "b"])
    touch = Data([[0, 0], [2, 0], [1, 0], [1, 1]], ["a", "a", "b", "b"])
    for data in (xor, same, touch):
        for o in ({"algorithm": "svm", "hard": True}, {"algorithm": "lp"}):
            tool.same("no", tool.answer(data, o, "csv")[0], 1)


# ----- lp -----------------------------------------------------------------------------------


def has_lp(tool):
    """A build without Clp says so and has nothing to check."""
    data = Data([[1], [-1]], ["1", "-1"])
    with open(tool.path("data"), "w") as f:
        f.write(data.libsvm())
    done = subprocess.run([tool.program, "train", tool.path("data"), "-a", "lp", "-o",
                           tool.path("model")], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode != 2


def check_lp(tool, data, o, form):
    """Whether there is a hyperplane, and that w is one, exactly."""
    case = Case(data, o)
    proofs = [nearest(case.points(p))[0] for p in case.positives]
    status, report, model = tool.answer(data, o, form)
    tool.same("status", status, 0 if all(any(x) for x in proofs) else 1)
    if status != 0:
        tool.true("it says so: %s" % report["message"], "no hyperplane" in report["message"])
        return False
    reached = []
    for (w, _), positive in zip(case.vectors(model), case.positives):
        worst = min(dot(p, w) for p in case.points(positive))
        tool.true("it separates %s" % positive, worst > 0)
        reached.append(worst ** 2 / dot(w, w))
    lower = Fraction(report["margin_lower"])
    tool.close("margin of the weights, squared", float(min(reached)), lower ** 2)
    tool.at_most("margin, squared", lower ** 2, min(dot(x, x) for x in proofs))
    return True


def touching(r, columns):
    """Hulls that meet in one point: a point of one class between two of the other, and the
    rest on the two sides of a hyperplane."""
    data = separable(r, columns)
    a = [i for i, c in enumerate(data.labels) if c == "a"]
    p, q = data.rows[r.pick(a)], data.rows[r.pick(a)]
    data.rows.append([(u + v) // 2 for u, v in zip(p, q)])  # often, but not always, between
    data.labels.append("b")
    return Data(data.rows, data.labels)


def thin(r, columns):
    """Hulls that would touch, but for one unit in up to a million: apart or not, by little."""
    data, large = touching(r, columns), 10 ** (1 + r.below(5))
    for row in data.rows:
        row[:] = [large * v for v in row]
    data.rows[-1][r.below(columns)] += r.below(3) - 1
    return data


def group_lp(tool, r):
    if not has_lp(tool):
        print("lp: this build has no solver")
        tool.compared += 1
        return
    found = [0, 0]
    for k in range(150):
        kind = k % 4
        data = (separable(r, 1 + r.below(5)) if kind == 0 else
                touching(r, 2 + r.below(2)) if kind == 1 else
                thin(r, 2 + r.below(3)) if kind == 2 else draw_small(r, k % 8 == 3))
        o = {"algorithm": "lp"}
        if r.below(3) == 0:
            o["no-offset"] = True
        if len(data.classes) > 2 and r.below(2):
            o["positive"] = r.pick(data.classes)
        found[check_lp(tool, data, o, draw_form(data, r))] += 1
    tool.true("some can be separated and some not: %s" % found, min(found) > 20)


# ----- folds, held-out rows, searches -------------------------------------------------------


def is_light(data, i):
    return data.weights is not None and float(data.weights[i]) == 0


def deal(data, k, seed):
    """The fold of each row: label after label, each shuffled, dealt in turn; of each label
    first the rows of weight > 0."""
    r, layout = Rng(seed, 0xf01d), []
    for label in data.classes:
        for light in (False, True):
            layout += r.shuffled([i for i, c in enumerate(data.labels)
                                  if c == label and is_light(data, i) == light])
    fold = [0] * len(data.rows)
    for place, i in enumerate(layout):
        fold[i] = place % k
    return fold


def draw_folds(r, algorithms, classes):
    """Data with k rows of weight > 0 of each label, or more; options without a limit in time."""
    k = r.pick([2, 3, 4])
    while True:
        data = online.draw_data(r, r.pick(classes), r.below(3) == 0)
        heavy = [c for i, c in enumerate(data.labels) if not is_light(data, i)]
        if min(heavy.count(c) for c in data.classes) >= k:
            break
    algorithm = r.pick(algorithms)
    o = {"algorithm": algorithm, "seed": r.pick(["0", "1", "77"])}
    if algorithm not in ("svm", "lp"):
        o.update(order=r.pick(["file", "shuffle"]), epochs=r.pick(["1", "3", "10"]))
    else:
        o["C"] = r.pick(["0.1", "1"])
    if r.below(4) == 0:
        o["no-offset"] = True
    if r.below(4) == 0:
        o["class-weight"] = "balanced"
    if r.below(4) == 0:
        o["positive"] = r.pick(data.classes)
    elif algorithm not in ("svm", "lp") and r.below(3) == 0:
        o["multiclass"] = "native"
    return data, o, k


def without(data, left_out):
    """The same rows; some of them with weight 0."""
    weights = data.weights or ["1"] * len(data.rows)
    return Data(data.rows, data.labels,
                ["0" if i in left_out else w for i, w in enumerate(weights)])


def truth_of(data, o):
    """By row: -1 or +1, or the number of the class."""
    if "positive" in o or (len(data.classes) == 2 and o.get("multiclass") != "native"):
        positive = o.get("positive", data.classes[-1])
        return [1 if c == positive else -1 for c in data.labels]
    return [data.classes.index(c) for c in data.labels]


def margin_of(s, true):
    return true * s[0] if len(s) == 1 else s[true] - max(v for k, v in enumerate(s) if k != true)


def measure(scores, truth, rows):
    """Errors, accuracy and area under the curve of some rows."""
    errors = sum(margin_of(scores[i], truth[i]) <= 0 for i in rows)
    if len(scores[0]) > 1:
        right = sum(scores[i].index(max(scores[i])) == truth[i] for i in rows)
        return {"rows": len(rows), "errors": errors, "accuracy": right / len(rows), "auc": None}
    right = sum((scores[i][0] > 0) == (truth[i] > 0) for i in rows)
    up = [scores[i][0] for i in rows if truth[i] > 0]
    down = [scores[i][0] for i in rows if truth[i] < 0]
    wins = sum((a > b) + (a == b) / 2 for a in up for b in down)
    auc = wins / (len(up) * len(down)) if up and down else None
    return {"rows": len(rows), "errors": errors, "accuracy": right / len(rows), "auc": auc}


def compare_measures(tool, what, got, want):
    for key in ("rows", "errors"):
        tool.same("%s, %s" % (what, key), got[key], want[key])
    tool.close("%s, error" % what, got["error"], Fraction(want["errors"], want["rows"]))
    tool.close("%s, accuracy" % what, got["accuracy"], Fraction(want["accuracy"]))
    if want["auc"] is None:
        tool.same("%s, auc" % what, got["auc"], None)
    else:
        tool.close("%s, auc" % what, got["auc"], Fraction(want["auc"]))


def held_out_scores(tool, data, o, k):
    """Folds, and for each row the scores of the model that has not learned from it."""
    fold = deal(data, k, int(o["seed"]))
    scores = [None] * len(data.rows)
    for f in range(k):
        own = [i for i in range(len(fold)) if fold[i] == f]
        tool.train(without(data, set(own)), o, "csv")
        said = tool.predict("csv", data)
        for i in own:
            scores[i] = said[i][1]
    return fold, scores


def group_folds(tool, r):
    """Cross-validation is a loop of trainings with weight 0 for the fold's rows."""
    for _ in range(40):
        data, o, k = draw_folds(r, online.STEPS + online.KEEPERS + ["svm"], [2, 2, 3, 4])
        fold, scores = held_out_scores(tool, data, o, k)
        truth = truth_of(data, o)
        model, report = tool.train(data, o, "csv", ["--folds", str(k)])
        got = report["cross_validation"]
        tool.same("folds", len(got["each"]), k)
        for f in range(k):
            own = [i for i in range(len(fold)) if fold[i] == f]
            compare_measures(tool, "fold %d" % f, got["each"][f], measure(scores, truth, own))
            for c in data.classes:  # each label is spread evenly
                part = sum(data.labels[i] == c for i in own)
                tool.true("stratified", abs(part - Fraction(data.labels.count(c), k)) < 1)
        check_summary(tool, got)
        alone = tool.train(data, o, "csv")[0]
        tool.same("the model is that of all rows", model.arrays, alone.arrays)


def check_summary(tool, got):
    """Means, and standard deviations of k - 1."""
    for key in ("accuracy", "error", "f1", "auc", "perceptron_loss", "hinge_loss"):
        values = [e[key] for e in got["each"]]
        if None in values:
            tool.same("%s, undefined" % key, got["mean"][key], None)
            continue
        mean = math.fsum(values) / len(values)
        spread = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1))
        tool.true("mean of %s" % key, abs(got["mean"][key] - mean) <= 1e-12 * (1 + abs(mean)))
        tool.true("spread of %s" % key, abs(got["spread"][key] - spread) <= 1e-7 * (1 + abs(mean)))


def group_validate(tool, r):
    """With held-out rows: pass by pass, the model that as many passes give; the best is kept."""
    for _ in range(20):
        data, o, _ = draw_folds(r, ["averaged", "perceptron", "pa1", "margin", "pocket"], [2, 3])
        epochs, patience = 8, r.pick([0, 1, 2, 5])
        held = Data(*zip(*[(list(data.rows[i]), data.labels[i])
                           for i in r.shuffled(range(len(data.rows)))[:12]]))
        held = Data([row[:-1] + [r.below(5) - 2] for row in held.rows], held.labels,
                    ["1"] * 12 if data.weights else None)
        truth = truth_of(Data(data.rows + held.rows, data.labels + list(held.labels)), o)
        truth, machines, errors = truth[len(data.rows):], [], []
        for e in range(1, epochs + 1):
            model, report = tool.train(data, dict(o, epochs=str(e)), "csv")
            scores = [s for _, s in tool.predict("csv", held)]
            machines.append(model.machine())
            errors.append(sum(margin_of(s, t) <= 0 for s, t in zip(scores, truth)))
            if report["converged"]:
                break
        with open(tool.path("held"), "w") as f:
            f.write(held.csv())
        model, report = tool.train(data, dict(o, epochs=str(epochs)), "csv",
                                   ["--validate", tool.path("held"), "--patience", str(patience)])
        best, last = 0, 0
        while last + 1 < len(errors) and not (patience and last - best >= patience):
            last += 1
            best = last if errors[last] < errors[best] else best
        counts = [round(len(held.rows) * h["held_error"]) for h in report["history"]]
        tool.same("errors after each pass", counts, errors[:last + 1])
        tool.same("best pass", report["held_out"]["best_epoch"], best + 1)
        tool.same("errors", report["held_out"]["errors"], errors[best])
        tool.same("the model is that of the best pass", model.machine(), machines[best])


def group_search(tool, r):
    """A point of a grid is judged as by itself; the first of the best is trained."""
    for _ in range(10):
        data, o, k = draw_folds(r, ["svm", "pa1"], [2, 3])
        name = "C" if o["algorithm"] == "svm" else "aggressiveness"
        values = ["0.01", "0.1", "1"]
        o.pop(name, None)
        model, report = tool.train(data, o, "csv", ["--folds", str(k), "--search",
                                                    "%s=%s" % (name, ",".join(values))])
        points = report["search"]["points"]
        tool.same("values", [p["values"][name] for p in points],
                  [json.loads(v) for v in values])
        for value, point in zip(values, points):
            alone = tool.train(data, dict(o, **{name: value}), "csv", ["--folds", str(k)])[1]
            tool.same("mean at %s" % value, point["mean"], alone["cross_validation"]["mean"])
        means = [p["mean"]["accuracy"] for p in points]
        best = means.index(max(means))
        tool.same("best", report["search"]["best"], best)
        alone = tool.train(data, dict(o, **{name: values[best]}), "csv")[0]
        tool.same("the model", model.machine(), alone.machine())


def group_curve(tool, r):
    """At all rows a learning curve is cross-validation."""
    for _ in range(6):
        data, o, k = draw_folds(r, ["averaged", "svm"], [2, 3])
        report = tool.train(data, o, "csv", ["--folds", str(k), "--learning-curve"])[1]
        points = report["learning_curve"]["points"]
        tool.same("held-out error of all rows", points[-1]["held"]["error"],
                  report["cross_validation"]["mean"]["error"])
        rows = [p["rows"] for p in points]
        tool.same("rows grow", rows, sorted(rows))
        tool.close("rows", rows[-1], Fraction(len(data.rows) * (k - 1), k))


# ----- probabilities ------------------------------------------------------------------------


def log_1_plus_exp(f):
    return max(f, 0.0) + math.log1p(math.exp(-abs(f)))


class Platt:
    """The sum that a sigmoid 1 / (1 + exp(a s + b)) is to minimise, with its slopes."""

    def __init__(self, s, positive, weight):
        rows = [i for i in range(len(s)) if weight[i] > 0]
        unit = sum(weight[i] for i in rows) / len(rows)
        self.s, self.v = [s[i] for i in rows], [weight[i] / unit for i in rows]
        self.yes = [positive[i] for i in rows]
        n = [math.fsum(v for v, y in zip(self.v, self.yes) if y == side) for side in (False, True)]
        self.t = [(n[1] + 1) / (n[1] + 2) if y else 1 / (n[0] + 2) for y in self.yes]

    def value(self, a, b):
        return math.fsum(v * (t * (a * s + b) + log_1_plus_exp(-(a * s + b)))
                         for s, v, t in zip(self.s, self.v, self.t))

    def best(self):
        """By plain Newton steps, halved while they do not descend; a <= 0."""
        yes = math.fsum(v * t for v, t in zip(self.v, self.t))
        flat = math.log((math.fsum(self.v) - yes) / yes)
        a, b = 0.0, flat
        for _ in range(200):
            p = [math.exp(-log_1_plus_exp(a * s + b)) for s in self.s]
            d = [v * (t - q) for v, t, q in zip(self.v, self.t, p)]
            h = [v * q * (1 - q) for v, q in zip(self.v, p)]
            ga, gb = math.fsum(x * s for x, s in zip(d, self.s)), math.fsum(d)
            haa = math.fsum(x * s * s for x, s in zip(h, self.s)) + 1e-12
            hab, hbb = math.fsum(x * s for x, s in zip(h, self.s)), math.fsum(h) + 1e-12
            det = haa * hbb - hab * hab
            if det <= 0:
                break
            da, db = -(hbb * ga - hab * gb) / det, -(haa * gb - hab * ga) / det
            step, now = 1.0, self.value(a, b)
            while step > 1e-10 and not self.value(a + step * da, b + step * db) < now:
                step /= 2
            if step <= 1e-10:
                break
            a, b = a + step * da, b + step * db
        return min((self.value(a, b) if a <= 0 else math.inf), self.value(0.0, flat))


def sigmoid(g, s):
    return math.exp(-log_1_plus_exp(g["a"] * s + g["b"]))


def group_calibrate(tool, r):
    """Sigmoids are the best for scores of held-out rows; answers do not change."""
    steep = 0
    for _ in range(30):
        data, o, k = draw_folds(r, ["averaged", "perceptron", "pa1", "svm"], [2, 2, 3, 4])
        _, scores = held_out_scores(tool, data, o, k)
        truth = truth_of(data, o)
        plain, _ = tool.train(data, o, "csv")
        answers = tool.predict("csv")
        model, report = tool.train(data, o, "csv", ["--folds", str(k), "--calibrate"])
        tool.same("the weights stay", model.machine(), plain.machine())
        sigmoids = report["calibration"]["sigmoids"]
        tool.same("sigmoids", len(sigmoids), len(scores[0]))
        weight = [float(w) for w in data.weights or ["1"] * len(data.rows)]
        for c, g in enumerate(sigmoids):
            positive = [t > 0 if len(sigmoids) == 1 else t == c for t in truth]
            platt = Platt([s[c] for s in scores], positive, weight)
            tool.true("a = %g <= 0" % g["a"], g["a"] <= 0)
            tool.true("the least sum: %.17g, %.17g" % (platt.value(g["a"], g["b"]), platt.best()),
                      platt.value(g["a"], g["b"]) <= platt.best() * (1 + 1e-9))
            steep += g["a"] < 0
        check_probabilities(tool, data, sigmoids, answers, truth, weight)
    tool.true("sigmoids that rise: %d" % steep, steep > 30)


def check_probabilities(tool, data, sigmoids, answers, truth, weight):
    """predict --proba, and what test says of it."""
    out = tool.call("predict", tool.path("model"), tool.path("data"), "--from", "csv", "--proba",
                    *(["--weight", "weight"] if data.weights else []))
    loss = brier = 0.0
    order = []
    for (label, s), line, true in zip(answers, out.splitlines(), truth):
        said, *p = line.split()
        p = [float(q) for q in p]
        tool.same("answer", said, label)
        raised = [sigmoid(g, a) for g, a in zip(sigmoids, s)]
        want = [1 - raised[0], raised[0]] if len(s) == 1 else [q / sum(raised) for q in raised]
        tool.true("probabilities %s, expected %s" % (p, want),
                  len(p) == len(want) and all(abs(a - b) <= 1e-12 for a, b in zip(p, want)))
        tool.true("sum", abs(sum(p) - 1) <= 1e-15 * len(p))
        order.append((s[0], p[-1]))
        place = (1 if true > 0 else 0) if len(s) == 1 else true
        loss -= math.log(p[place])
        brier += sum((q - (c == place)) ** 2 for c, q in enumerate(p)) / (2 if len(s) == 1 else 1)
    if len(sigmoids) == 1:
        order.sort()
        tool.true("they rise with the score", all(a[1] <= b[1] for a, b in zip(order, order[1:])))
    out = tool.call("test", tool.path("model"), tool.path("data"), "--json", "--format", "csv")
    report = json.loads(out)
    n = len(answers)
    tool.close("log loss", report["log_loss"], Fraction(loss / n))
    tool.close("Brier score", report["brier"], Fraction(brier / n))


# ----- the reference itself -----------------------------------------------------------------


def every_pattern(task):
    """The optimum again, by trying which rows are at 0, at their cost, or between."""
    n = len(task.x)
    q = [[dot(u, v) for v in task.v] for u in task.v]
    best = None
    for number in range((2 if task.squared else 3) ** n):
        states = []
        for _ in range(n):
            number, state = divmod(number, 2 if task.squared else 3)
            states.append(state)
        a = [task.cost[i] if s == 2 else Fraction(0) for i, s in enumerate(states)]
        loose = [i for i, s in enumerate(states) if s == 1]
        right = [1 - dot(q[i], a) for i in loose]
        m = [[q[i][k] + (Fraction(1) / (2 * task.cost[i]) if i == k and task.squared else 0)
              for k in loose] + ([task.y[i]] if task.free else []) for i in loose]
        if task.free and loose:
            m.append([task.y[i] for i in loose] + [0])
            right.append(-dot(task.y, a))
        found = solve(m, right)[0] if loose else []
        if found is None:
            continue
        for i, p in zip(loose, found):
            a[i] = p
        value = task.dual(a)
        if value is not None and (best is None or value > best):
            best = value
    return best


def group_self(tool, r):
    """Two exact methods agree; a comparison finds what is wrong by little more than allowed."""
    for k in range(24):
        data = draw_small(r)
        o = draw_svm(r, ["hinge", "squared"][k % 2])[1]
        o.pop("positive", None)
        o.pop("multiclass", None)
        n = 5 if k % 2 else 4
        some = Data(data.rows[:n], data.labels[:n])
        task = Case(some, o).task(some.classes[-1])
        tool.same("two ways to the optimum", task.optimum(), every_pattern(task))
    one = Fraction(1)
    must_fail(tool, tool.close, "primal", 1 + 2e-9, one)
    must_fail(tool, tool.close, "primal", None, one)
    must_fail(tool, tool.at_most, "dual", one + Fraction(2, 10 ** 9), one)
    must_fail(tool, tool.true, "fact", False)
    must_fail(tool, prove_nearest, [[1, 1], [1, -1]], [1, 1], {0: one})
    must_fail(tool, prove_nearest, [[1, 1], [1, -1]], [1, 0], {0: one})
    tool.compared += 4


GROUPS = [
    ("self", group_self),
    ("svm, hinge, dual", group_svm("hinge", "dual", 120)),
    ("svm, squared, dual", group_svm("squared", "dual", 100)),
    ("svm, squared, newton", group_svm("squared", "newton", 100)),
    ("svm, auto", group_svm("squared", None, 20)),
    ("svm, weights", group_weights),
    ("svm, rows left out", group_left_out),
    ("svm, two solvers", group_agree),
    ("svm, threads", group_threads),
    ("hard", group_hard),
    ("hard, by hand", group_by_hand),
    ("hard, shifted", group_shifted),
    ("hard, large C", group_limit),
    ("hard, decimals", group_decimals),
    ("hard, mistake bound", group_bound),
    ("lp", group_lp),
    ("folds", group_folds),
    ("held-out rows", group_validate),
    ("search", group_search),
    ("learning curve", group_curve),
    ("probabilities", group_calibrate),
]


if __name__ == "__main__":
    online.main(GROUPS, Tool, 20260301)
