#!/usr/bin/python3
"""A slow reference of the kernel machines, and its comparison with the tool.

    kernel_reference.py PROGRAM [GROUP...]

A machine is the list of its updates; a score is their sum in the order in which they were
made, every kernel value computed from the two rows by the formula of the textbook. The
rules, the passes and the shuffling are those of online_reference.py, which does without a
kernel; rows that are set aside and machines that keep B rows are written down here.

Three kinds of arithmetic:

    whole    linear and polynomial kernels of whole numbers: integers and fractions. Every
             score on the way has to be that number, to the bit: none has more than 53 bits,
             which is checked.
    double   the same kernels with fractions as parameters, half of them of rows with decimals:
             the same operations on doubles in the same order, to the bit; the steps of a dot
             product are fused, each an exact fraction that is rounded once. Ties decide
             differently if one of them differs.
    near     exp and tanh, which differ between libraries: scores within 1e-12 of the sum of
             their terms, and only runs of which no decision is closer than 1e-9.

What is compared: the score of every example shown, mistake and update (trace); the list of
updates in the model file, of the fast path and of the plain loop, of one thread and of
two, and with them which example erred when; the counters; the answers and their scores.

A group that compared nothing fails. The first mismatch ends the program, with the data,
the command, what came and what was expected. The data follow from fixed seeds.
"""
import json
import math
import os
import struct
import subprocess
from fractions import Fraction

import online_reference as online
from online_reference import Data, Mismatch, Rng, draw_data, must_fail

RULES = ["perceptron", "margin"]
KEEPERS = ["averaged", "voted", "pocket"]
CLOSE = 1e-9                 # a decision that near to its threshold is not compared
TYPES = {"F64": "d", "I64": "q", "U64": "Q", "U32": "I"}
NO_DOWN = (1 << 32) - 1


# ----- kernels ------------------------------------------------------------------------------


def fused(a, b, s):
    """a b + s, rounded once."""
    return float(Fraction(a) * Fraction(b) + Fraction(s))


def dot(x, z):
    """In the order of the columns, zeros left out."""
    s = x[0] * 0
    for a, b in zip(x, z):
        if a and b:
            s = s + a * b if isinstance(a, int) and isinstance(b, int) else fused(a, b, s)
    return s


def power(x, n):
    """By squaring; of whole numbers that is x ** n."""
    out = x * 0 + 1
    while n > 1:
        if n % 2:
            out = out * x
        x, n = x * x, n // 2
    return out * x


def distance2(x, z):
    return math.fsum((a - b) * (a - b) for a, b in zip(x, z))


class Kernel:
    def __init__(self, options, number):
        self.name = options["kernel"]
        get = lambda name, initial: number(options.get(name, initial))
        if self.name == "linear":
            self.value = dot
        elif self.name == "poly":
            gamma, c, p = get("gamma", "1"), get("coef0", "1"), int(options.get("degree", "3"))
            self.value = lambda x, z: power(gamma * dot(x, z) + c, p)
        elif self.name == "rbf":
            gamma = get("gamma", None)
            self.value = lambda x, z: math.exp(-gamma * distance2(x, z))
        elif self.name == "gaussian":
            sigma = get("sigma", "1")
            self.value = lambda x, z: math.exp(-distance2(x, z) / (2 * sigma * sigma))
        else:
            eta, theta = get("eta", None), get("theta", "0")
            self.value = lambda x, z: math.tanh(eta * dot(x, z) + theta)


# ----- the reference ------------------------------------------------------------------------


class Machine:
    """The first n updates, and the offsets then."""

    def __init__(self, n, b):
        self.n, self.b = n, b


class Reference(online.Reference):
    """A run. `made` has the updates: (example, at, ((vector, step), ...)); `shown` has of
    every example its row, epoch, scores, whether it was a mistake, and updates."""

    slotted = False
    loose = 1  # terms of a sum are at most some; a machine that is projected rounds more

    def __init__(self, data, options, arithmetic):
        self.arithmetic = arithmetic
        self.made_by, self.shown, self.nearest, self.dropped = [], [], math.inf, []
        self.erred, self.summed = [0] * len(data.rows), {}
        self.after = int(options.get("drop-after", "0"))
        super().__init__(data, options, arithmetic == "whole")

    # --- the machine

    def run(self):
        """Shuffled rows of a kernel machine are judged among all classes of the data; in file
        order a run is that of a stream, which knows those that were met."""
        if self.kind == "ovr" and self.o.get("order", "shuffle") != "file":
            self.met = set(range(len(self.data.classes)))
        super().run()

    def rows_of(self, number):
        """A row is its number; the kernel values of all pairs are found first."""
        rows = [[number(v) for v in row] for row in self.data.rows]
        value = Kernel(self.o, number).value
        self.k = [[value(x, z) for z in rows] for x in rows]
        return list(range(len(rows)))

    def size_of(self, x, number):
        """Below 0 for kernels that are not positive definite; a mistake is one even then."""
        return max(0, self.k[x][x] + (1 if self.offset else 0))

    def zero(self, vectors, number):
        return Machine(0, (number(0),) * vectors)

    def sums(self, n, x, factor=None):
        """Of the first n updates for each vector, in order; the sizes of their terms. It goes on
        from the last such sum of row x, if that was of the same updates."""
        vectors = 1 if self.kind == "binary" else len(self.data.classes)
        zero = self.k[x][x] * 0
        was, s, size = 0, [zero] * vectors, [zero] * vectors
        if factor is None and self.summed.get(x, (n + 1,))[0] <= n:
            was, s, size = self.summed[x]
            s, size = list(s), list(size)
        for row, at, moves in self.made_by[was:n]:
            for vector, step in moves:
                g = step if factor is None else step * factor(at)
                t = g * self.k[row][x]
                s[vector] = s[vector] + t
                size[vector] += abs(t)
        if factor is None:
            self.summed[x] = (n, tuple(s), tuple(size))
        return s, size

    def scores_by(self, machine, x):
        s, size = self.sums(machine.n, x)
        self.last_size = [p + abs(q) for p, q in zip(size, machine.b)]
        self.last = [p + q for p, q in zip(s, machine.b)]
        return self.last

    def along(self, i, moves):
        """One update; against the rest, one for every vector."""
        b = list(self.machine.b)
        for k, g in moves:
            if self.offset:
                b[k] = b[k] + g
        at = len(self.trail) + 1
        if self.kind == "ovr":
            self.made_by += [(i, at, (move,)) for move in moves]
        elif moves:
            self.made_by.append((i, at, tuple(moves)))
        if moves:
            self.machine = Machine(len(self.made_by), tuple(b))

    # --- one example

    def step(self, m, i):
        """Notes how near the decision was; a sum of nothing is 0 beyond doubt."""
        goal = self.gap * self.eta * self.size2[i] if self.rule == "margin" else 0
        if m != 0 or any(self.last_size):
            self.nearest = min(self.nearest, abs(m - goal), abs(m))
        return super().step(m, i)

    def clear_rival(self, i):
        """Notes how near the best and the second of the other classes are."""
        others = [(self.before[k], size) for k, size in enumerate(self.last_size)
                  if k in self.met and k != self.truth[i]]
        best, *rest = sorted(others, key=lambda p: -p[0])
        for s, size in rest:
            if size or best[1]:
                self.nearest = min(self.nearest, best[0] - s)

    def watched(self, show, i, ahead):
        before = len(self.made_by)
        mistake, updates = show(i, ahead)
        seen = updates
        if self.kind == "ovr" and not self.slotted:  # of the classes that were met
            seen = sum(m[0][0] in self.met for _, _, m in self.made_by[before:])
        self.shown.append((self.epochs, i, self.seen_score(i), mistake, seen))
        return mistake, updates

    def seen_score(self, i):
        """What trace calls the score of a row: before learning, of two classes s, else half
        the gap to the best of the others."""
        s, true = self.before, self.truth[i]
        if self.kind == "binary":
            return s[0]
        rivals = self.met - {true}
        if not rivals:
            return None
        gap = s[true] - max(s[k] for k in rivals)
        if self.sizes[true] or any(self.sizes[k] for k in rivals):
            self.nearest = min(self.nearest, abs(gap))
        return online.half(gap)

    def show_binary(self, i, ahead):
        return self.watched(self.remember(super().show_binary), i, ahead)

    def show_native(self, i, ahead):
        return self.watched(self.remember(super().show_native), i, ahead)

    def show_ovr(self, i, ahead):
        return self.watched(self.remember(super().show_ovr), i, ahead)

    def remember(self, show):
        def inner(i, ahead):
            was = self.machine
            self.before, self.sizes = self.scores_by(self.machine, i), self.last_size
            if self.kind == "native" and self.met - {self.truth[i]}:
                self.clear_rival(i)
            mistake, updates = show(i, ahead)
            if mistake and self.after:
                self.count(i, was)
            return mistake, updates
        return inner

    # --- rows set aside

    def count(self, i, was):
        """At mistake S the update is not made; those that the row has made were never made."""
        self.erred[i] += 1
        if self.erred[i] < self.after:
            return
        made = [u for u in self.made_by[:was.n] if u[0] != i]
        self.made_by, self.summed = [], {}
        self.machine = Machine(0, tuple(0 * b for b in was.b))
        for row, at, moves in made:
            b = list(self.machine.b)
            for k, g in moves:
                b[k] = b[k] + g if self.offset else b[k]
            self.made_by.append((row, at, moves))
            self.machine = Machine(len(self.made_by), tuple(b))
        self.dropped.append(i)

    def left_out(self, i):
        return super().left_out(i) or i in self.dropped

    # --- what is returned

    def returned(self, x):
        """Scores of what is returned, exact where numbers are; the sizes of their terms."""
        if self.o["algorithm"] != "averaged":
            machine = self.pocket if self.o["algorithm"] == "pocket" else self.machine
            return self.scores_by(machine, x), self.last_size
        total = len(self.trail)
        one = Fraction if self.exact else float
        s, size = self.sums(len(self.made_by), x, lambda at: one(total - at + 1) / total)
        for k in range(len(s)):
            mean = sum(one(m.b[k]) for m in self.trail) / total
            s[k], size[k] = s[k] + mean, size[k] + abs(mean)
        return s, size


# ----- machines that keep B rows ------------------------------------------------------------


class Slots:
    """Rows with a coefficient for every vector, and the offsets."""

    def __init__(self, rows, b):
        self.rows, self.b = rows, b


class Budget(Reference):
    """An update by a row: it takes an empty slot, or what the policy says. `places` has of every
    update how much went where."""
    slotted, loose = True, 1000

    def __init__(self, data, options, arithmetic):
        self.slots, self.policy = int(options["budget"]), options.get("budget-policy", "projectron")
        self.removed = self.q = 0
        self.radius2, self.count_updates, self.places = 1, 0, []
        super().__init__(data, options, arithmetic)

    def zero(self, vectors, number):
        return Slots((), (number(0),) * vectors)

    def scores_by(self, machine, x):
        s, size = [a * 0 for a in machine.b], [abs(a) for a in machine.b]
        for row, a in machine.rows:
            for c, g in enumerate(a):
                s[c] = s[c] + g * self.k[row][x]
                size[c] += abs(g * self.k[row][x])
        self.last_size = size
        return [p + q for p, q in zip(s, machine.b)]

    def along(self, i, moves):
        if not moves:
            return
        self.count_updates += 1
        self.radius2 = max(self.radius2, self.k[i][i] + (1 if self.offset else 0))
        rows, b = [[row, list(a)] for row, a in self.machine.rows], list(self.machine.b)
        share, phi = None, 1
        if self.policy == "projectron":
            share = self.project(i, rows)
        elif len(rows) == self.slots:
            at, phi = self.remove(i, moves, rows, b)
            share = {at: 1}
        if share is None:
            share = {len(rows): 1}
            rows.append([i, [a * 0 for a in b]])
        self.places.append(share)
        for k, g in moves:
            for at, part in share.items():
                rows[at][1][k] += phi * g * part
            if self.offset:
                b[k] += phi * g
        self.machine = Slots(tuple((row, tuple(a)) for row, a in rows), tuple(b))

    def remove(self, i, moves, rows, b):
        """A slot that is emptied for row i; by what the others shrink."""
        at, phi = self.removed % self.slots, 1
        if self.policy == "random":
            at = Rng(~int(self.o.get("seed", "0")), self.removed).below(self.slots)
        else:
            phi = self.shrink_by(i, moves[0][1], rows, b, at)
        for row in rows:
            row[1] = [phi * a for a in row[1]]
        for c, a in enumerate(rows[at][1]):
            b[c] = phi * b[c] - (a if self.offset else 0)
        rows[at] = [i, [a * 0 for a in b]]
        self.removed += 1
        return at, phi

    def shrink_by(self, i, g, rows, b, at):
        """Dekel, Shalev-Shwartz and Singer 2008: the largest phi of which the removal costs no
        more than 15/32 of the updates, less what was spent; found by halving."""
        oldest = rows[at][0]
        f = sum(a[0] * self.k[row][oldest] for row, a in rows) + g * self.k[i][oldest]
        f += b[0] + (g if self.offset else 0)
        sign, sigma = (1 if rows[at][1][0] > 0 else -1), abs(rows[at][1][0]) / self.rate
        mu = sign * f / self.rate / self.radius2
        cost = lambda p: (p * sigma) ** 2 + 2 * p * sigma - 2 * p * sigma * p * mu
        left = 15 / 32 * self.count_updates - self.q
        low, high = 0.0, 1.0
        if cost(1.0) <= left:
            low = 1.0
        for _ in range(200 if low < 1 else 0):
            middle = (low + high) / 2
            low, high = (middle, high) if cost(middle) <= left else (low, middle)
        self.q += cost(low)
        return low

    def project(self, i, rows):
        """{slot: share} of the projection on the rows kept; None if row i is to get a slot."""
        kept = [row for row, _ in rows]
        d = solve([[self.k[p][q] for q in kept] for p in kept], [self.k[p][i] for p in kept])
        far = self.k[i][i] - sum(p * self.k[row][i] for p, row in zip(d, kept))
        part = abs(far) / abs(self.k[i][i]) if self.k[i][i] else 0
        if part and part > 1e-15:
            self.nearest = min(self.nearest, 1e-3 * part)
        if part > 1e-9 and far > 0 and len(kept) < self.slots:
            return None
        return dict(enumerate(d))


def solve(matrix, right):
    """Gauss, the largest pivot first."""
    a = [[Fraction(v) if isinstance(v, int) else v for v in line] + [r]
         for line, r in zip(matrix, right)]
    n = len(a)
    for c in range(n):
        pivot = max(range(c, n), key=lambda i: abs(a[i][c]))
        a[c], a[pivot] = a[pivot], a[c]
        for i in range(n):
            if i != c and a[i][c]:
                f = a[i][c] / a[c][c]
                a[i] = [p - f * q for p, q in zip(a[i], a[c])]
    return [a[i][n] / a[i][i] for i in range(n)]


# ----- the tool -----------------------------------------------------------------------------


class Model(online.Model):
    """Arrays of whole numbers too."""

    def __init__(self, path):
        super().__init__(path)
        with open(path, "rb") as f:
            raw = f.read()
        (length,) = struct.unpack("<Q", raw[:8])
        header, body = json.loads(raw[8:8 + length]), raw[8 + length:]
        del header["__metadata__"]
        for name, t in header.items():
            begin, end = t["data_offsets"]
            kind = TYPES[t["dtype"]]
            size = struct.calcsize("<" + kind)
            numbers = struct.unpack("<%d%s" % ((end - begin) // size, kind), body[begin:end])
            self.arrays[name] = (t["shape"], self.shown(name, numbers))

    def get(self, name):
        return list(self.arrays[name][1]) if name in self.arrays else []

    def updates(self):
        """As Reference.made_by has them."""
        out = []
        for up, down, step, at, example in zip(*[self.get("vote." + n) for n in
                                                 ("up", "down", "step", "at", "example")]):
            moves = ((up, step),) if down == NO_DOWN else ((up, step), (down, -step))
            out.append((example, at, moves))
        return out


class Tool(online.Tool):
    def write(self, data, form):
        text = data.csv() if form == "csv" else data.libsvm()
        with open(self.path("data"), "w") as f:
            f.write(text)
        self.about = text

    @staticmethod
    def arguments(options):
        return [a for name, value in options.items()
                for a in (["--" + name] if value is True else ["--" + name, value])]

    def trace(self, options, form):
        exact = options.get("algorithm", "perceptron") in ("perceptron", "averaged", "margin",
                                                           "pocket", "voted")
        out = self.call("trace", self.path("data"), "--json", "--format", form,
                        *(["--arithmetic", "double"] if exact else []), *self.arguments(options))
        return json.loads(out)["steps"]

    def train(self, data, options, form="libsvm", more=()):
        _, report = super().train(data, options, form, more)
        return Model(self.path("model")), report

    def bytes(self):
        with open(self.path("model"), "rb") as f:
            return f.read()

    def refuse(self, code, word, *args):
        """The tool must end with this exit status, name `word`, and write no model."""
        model = self.path("refused")
        line = [self.program] + list(args) + ["-o", model]
        self.about = " ".join(line)
        done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True)
        self.same("exit status, of: %s" % done.stderr.strip(), done.returncode, code)
        self.same("'%s' in: %s" % (word, done.stderr.strip()), word in done.stderr, True)
        left = [n for n in os.listdir(self.folder) if n.startswith("refused")]
        self.same("no file is left", left, [])

    def close(self, what, got, want, size):
        """Within 1e-12 of the sizes of the terms."""
        self.compared += 1
        if not abs(got - float(want)) <= 1e-12 * (float(size) + 1):
            raise Mismatch("%s\ngot       %r\nexpected  %r" % (what, got, float(want)))


# ----- a run of both ------------------------------------------------------------------------


def as_double(number):
    """A number that the tool must have exactly."""
    out = float(number)
    if isinstance(number, (int, Fraction)) and out != number:
        raise Mismatch("the reference has a number of more than 53 bits: %s" % number)
    return out


def plain(updates):
    """Doubles, a pair of a native machine with its gain first."""
    return [(i, at, tuple(sorted(((k, as_double(g)) for k, g in moves),
                                 key=lambda m: -m[1]) if len(moves) == 2
                          else [(k, as_double(g)) for k, g in moves]))
            for i, at, moves in updates]


def compare_trace(tool, ref, form):
    """Every example that was shown."""
    steps = tool.trace(dict(ref.o, **{"order": ref.o.get("order", "shuffle"),
                                      "epochs": ref.o.get("epochs", "100")}), form)
    shown = ref.shown
    tool.same("examples shown", [(s["epoch"], s["row"] - 1) for s in steps],
              [e[:2] for e in shown])
    tool.same("mistakes", [s["mistake"] for s in steps], [bool(e[3]) for e in shown])
    for s, (epoch, row, want, _, updates) in zip(steps, shown):
        what = "epoch %d, row %d: " % (epoch, row + 1)
        tool.same(what + "updates", int(s["updated"]) > 0, updates > 0)
        got = s["score"] if ref.kind == "binary" else s["margin"]
        if want is None:  # there is no rival yet
            continue
        if ref.arithmetic == "near":
            tool.close(what + "score", got, want, ref.loose * len(ref.shown))
        else:
            tool.same(what + "score", float(got) + 0.0, as_double(want) + 0.0)


def compare_model(tool, ref, model, report):
    tool.same("kernel", model.meta["kernel"] if "kernel" in model.meta else
              model.meta.get("option.kernel"), ref.o["kernel"])
    tool.same("updates", plain(model.updates()), plain(ref.made_by))
    tool.same("examples shown", int(model.meta["shown"]), len(ref.trail))
    want = [ref.mistakes, ref.updates, ref.epochs, ref.stop]
    meta = model.meta
    got = [int(meta["mistakes"]), int(meta["updates"]), int(meta["epoch"]), meta["stop"]]
    tool.same("mistakes, updates, epochs, stop of the model", got, want)
    tool.same("those of the report", [report["mistakes"], report["updates"], report["epochs"]],
              want[:3])
    by_pass = [sum(1 for e in ref.shown if e[0] == k + 1 and e[3]) for k in range(ref.epochs)]
    tool.same("mistakes of each pass", [h["mistakes"] for h in report["history"]], by_pass)
    compare_counters(tool, ref, model)
    pocket = ref.pocket.n if ref.o["algorithm"] == "pocket" else len(ref.made_by)
    erred = {i for i, _, _ in ref.made_by[:pocket]} - set(ref.dropped if ref.after else [])
    tool.same("examples that support it", report["kernel"]["supports"], len(erred))
    if ref.after:
        tool.same("rows set aside", model.get("dropped"), ref.dropped)
    if ref.offset:
        b = model.get("state.offset") or model.get("offset")
        tool.same("offsets", [a + 0.0 for a in b], [as_double(a) + 0.0 for a in ref.machine.b])


def compare_counters(tool, ref, model):
    """How often each distinct row is named; the coefficient of what is returned."""
    names, count, total = {}, {}, len(ref.trail)
    pocket = ref.pocket.n if ref.o["algorithm"] == "pocket" else len(ref.made_by)
    for n, (i, at, moves) in enumerate(ref.made_by):
        name = tuple(ref.data.rows[i])
        at_row = names.setdefault(name, [Fraction(0)] * len(ref.machine.b))
        count[name] = count.get(name, 0) + (n < pocket)
        part = Fraction(total - at + 1, total) if ref.o["algorithm"] == "averaged" else 1
        if n < pocket:
            for k, g in moves:
                at_row[k] += part * Fraction(g)
    if not ref.after:
        tool.same("counters", model.get("counter"), list(count.values()))
    want = [a for row in names.values() for a in row]
    got = model.get("coefficient")
    tool.same("coefficients", len(got), len(want))
    for a, b in zip(got, want):
        tool.close("a coefficient", a, b, max(1, total if ref.arithmetic != "whole" else 1))


def compare_answers(tool, ref, report, form):
    """Scores of all rows by what is returned, answers, and the number of errors."""
    got = tool.predict(form)
    least = most = 0
    voted = ref.o["algorithm"] == "voted"
    runs = ref.runs() if voted else None
    for x, (label, s) in enumerate(got):
        if voted:
            # Votes are counted with the offset of an update added to its kernel value.
            exact = ref.arithmetic == "whole" or (ref.arithmetic == "double" and not ref.offset)
            low, high = ref.vote(x, runs, 0 if exact else CLOSE)
            tool.same("votes for row %d: %s, from %s to %s" % (x + 1, s, low, high),
                      all(a <= b <= c for a, b, c in zip(low, s, high)), True)
            want, doubt = s, 0
        else:
            want, size = ref.returned(x)
            bits = ref.arithmetic != "near" and ref.o["algorithm"] != "averaged"
            doubt = 0 if bits else 1e-12 * (float(max(size)) + 1)
            for a, b, c in zip(s, want, size):
                if bits:
                    tool.same("score of row %d" % (x + 1), a + 0.0, as_double(b) + 0.0)
                else:
                    tool.close("score of row %d" % (x + 1), a, b, c)
        tool.same("answer for row %d, %s" % (x + 1, s), label, ref.label_of(s))
        if ref.c[x]:
            lean = sorted(want, reverse=True)
            near = abs(lean[0]) if len(lean) == 1 else abs(lean[0] - lean[1])
            wrong = ref.is_error(s if voted else want, ref.truth[x])
            least += wrong and near > doubt if doubt else wrong
            most += True if doubt and near <= doubt else wrong
    tool.same("training errors %d, from %d to %d" % (report["training_errors"], least, most),
              least <= report["training_errors"] <= most, True)


def compare_budget(tool, data, options, arithmetic, form):
    """A machine of B rows: scores on the way, what is kept, the answers."""
    ref = Budget(data, options, arithmetic)
    bits = arithmetic == "whole" and ref.policy == "random"
    if not bits and ref.nearest < 1e-7:
        return False
    tool.write(data, form)
    if not bits:
        ref.arithmetic = "near"
    compare_trace(tool, ref, form)
    model, report = tool.train(data, options, form)
    want = [ref.mistakes, ref.updates, ref.epochs]
    tool.same("mistakes, updates, epochs", [report[k] for k in ("mistakes", "updates", "epochs")],
              want)
    tool.same("rows kept are at most B", len(ref.machine.rows) <= ref.slots, True)
    got, a = model.get("coefficient"), [c for _, row in ref.machine.rows for c in row]
    tool.same("coefficients", len(got), len(a))
    for p, q in zip(got, a):
        tool.close("a coefficient", p, q, 1e3 * max(abs(c) for c in a))
    for x, (label, s) in enumerate(tool.predict(form)):
        want = ref.scores_by(ref.machine, x)
        for p, q, size in zip(s, want, ref.last_size):
            tool.close("score of row %d" % (x + 1), p, q, 1e3 * size)
        tool.same("answer for row %d" % (x + 1), label, ref.label_of(s))
    return True


def compare(tool, data, options, arithmetic, form="libsvm", answers=True):
    """One run of the tool against one of the reference; False: too close to call."""
    ref = Reference(data, options, arithmetic)
    if arithmetic == "near" and ref.nearest < CLOSE:
        return False
    tool.write(data, form)
    compare_trace(tool, ref, form)
    model, report = tool.train(data, options, form, ["--threads", "2"])
    compare_model(tool, ref, model, report)
    if answers:
        compare_answers(tool, ref, report, form)
    made = tool.bytes()
    for more in (["--threads", "1", "--cache", "0"], ["--loop", "textbook"]):
        tool.train(data, options, form, more)
        tool.same("bytes with " + " ".join(more), tool.bytes() == made, True)
    return True


# ----- groups -------------------------------------------------------------------------------


def draw_kernel(r, arithmetic):
    if arithmetic == "near":
        return r.pick([{"kernel": "rbf", "gamma": r.pick(["0.1", "0.5", "0.05"])},
                       {"kernel": "gaussian", "sigma": r.pick(["1", "2.5"])},
                       {"kernel": "sigmoid", "eta": r.pick(["0.1", "0.03"]),
                        "theta": r.pick(["0.2", "-0.3"])}])
    o = {"kernel": r.pick(["linear", "poly", "poly"])}
    if o["kernel"] == "poly":
        o["degree"] = r.pick(["1", "2", "3", "4"])
        if arithmetic == "double":
            o.update(gamma=r.pick(["0.1", "0.3"]), coef0=r.pick(["0.7", "1", "-0.1"]))
        else:
            o.update(gamma=r.pick(["1", "2", "0.5"]), coef0=r.pick(["0", "1", "3", "-1"]))
    return o


class Reals(Data):
    """Numbers with two decimals, as they are written."""

    def libsvm(self):
        return "".join(
            " ".join([label] + ["%d:%r" % (j + 1, v) for j, v in enumerate(row) if v]) + "\n"
            for row, label in zip(self.rows, self.labels))


def draw_reals(r, classes):
    """As draw_data, every number a little off; duplicates stay duplicates."""
    data = draw_data(r, classes)
    off = {tuple(row): [v + (r.below(199) - 99) / 100 if v else v for v in row]
           for row in data.rows}
    return Reals([off[tuple(row)] for row in data.rows], data.labels)


def one_hot(r, classes):
    """Rows of three ones among nine columns: many equal products."""
    n = 10 + r.below(21)
    rows = []
    for _ in range(n):
        row = [0] * 9
        for k in range(3):
            row[3 * k + r.below(3)] = 1
        rows.append(row)
    rows[0][8], rows[0][7], rows[0][6] = 1, 0, 0
    labels = [["a", "b", "c", "d"][r.below(classes)] for _ in rows]
    for k in range(classes):
        labels[k] = ["a", "b", "c", "d"][k]
    order = r.shuffled(range(n))
    return Data([rows[i] for i in order], [labels[i] for i in order])


def draw_many(r, classes):
    """Rows for several blocks and panels of the fast path, which has them by the dozen."""
    n, columns = 70 + r.below(130), 3 + r.below(5)
    rows = [online.draw_row(r, columns, 3, r.below(2) == 0) for _ in range(n)]
    for _ in range(r.below(n)):
        rows[r.below(n)] = list(r.pick(rows))
    rows[0][-1] = 1
    numbers = online.taught(r, rows, classes)
    numbers[:classes] = range(classes)
    return Data(rows, [["a", "b", "c", "d"][k] for k in numbers])


def draw_case(r, algorithm, rule, arithmetic, classes=None):
    classes = classes or r.pick([2, 2, 3, 4])
    real = arithmetic == "near" or (arithmetic == "double" and r.below(2))
    make = draw_reals if real else r.pick([one_hot, draw_data, draw_data])
    data = make(r, classes)
    o = {"algorithm": algorithm, "order": r.pick(["file", "shuffle"]),
         "epochs": r.pick(["1", "2", "4", "7"])}
    if o["order"] == "shuffle":
        o["seed"] = r.pick(["0", "1", "77"])
    if algorithm in KEEPERS:
        o["rule"] = rule
    if r.below(2):
        o["no-offset"] = True
    if classes > 2 or r.below(4) == 0:
        how = r.pick(["native", "ovr", "positive"])
        o.update({"positive": r.pick(data.classes)} if how == "positive" else {"multiclass": how})
    if rule == "margin":
        o["margin"] = r.pick(["0", "1", "2", "0.5"])
    if r.below(4) == 0:
        o["rate"] = r.pick(["0.5", "2", "0.25"])
    if algorithm == "pocket":
        o["pocket"] = "literal"
    o.update(draw_kernel(r, arithmetic))
    return data, o, r.pick(["libsvm", "csv"])


def many(tool, draw, count):
    """Until `count` cases were compared; most have to be clear enough."""
    done = tried = 0
    while done < count:
        tried += 1
        if tried > 20 * count:
            raise Mismatch("of %d cases only %d could be compared" % (tried, done))
        done += draw()


def group_rule(algorithm, arithmetic, count):
    def run(tool, r):
        def draw():
            rule = r.pick(RULES) if algorithm in KEEPERS else algorithm
            data, o, form = draw_case(r, algorithm, rule, arithmetic)
            return compare(tool, data, o, arithmetic, form)
        many(tool, draw, count)
    return run


def group_blocks(tool, r):
    def draw():
        algorithm = r.pick(RULES + KEEPERS[:2])
        arithmetic = r.pick(["whole", "double", "near"])
        _, o, form = draw_case(r, algorithm, r.pick(RULES), arithmetic, 2)
        for name in ("rule", "margin", "positive", "multiclass"):
            o.pop(name, None)
        if algorithm == "margin":
            o["margin"] = "0.5"
        data = draw_many(r, r.pick([2, 2, 3]))
        o.update(epochs=r.pick(["1", "2"]))
        if len(data.classes) > 2:
            o["multiclass"] = r.pick(["native", "ovr"])
        if arithmetic == "near":
            data = Reals([[v * 1.0 + (i * 37 % 101) / 1000 * (v != 0) for v in row]
                          for i, row in enumerate(data.rows)], data.labels)
        return compare(tool, data, o, arithmetic, form)
    many(tool, draw, 10)


def group_drop(tool, r):
    """Data that no machine has right: equal rows with other labels."""
    met = 0
    for k in range(40):
        arithmetic = ["whole", "whole", "double"][k % 3]
        data, o, form = draw_case(r, "perceptron", "perceptron", arithmetic)
        if "positive" not in o and len(data.classes) > 2:
            o["multiclass"] = "native"
        elif o.get("multiclass") == "ovr":
            del o["multiclass"]
        o.update({"drop-after": r.pick(["2", "3", "4", "5"]), "epochs": r.pick(["3", "30"])})
        ref = Reference(data, o, arithmetic)
        met += len(ref.dropped)
        compare(tool, data, o, arithmetic, form)
    tool.same("rows were set aside (%d)" % met, met > 40, True)


def group_budget(policy, count):
    def run(tool, r):
        def draw():
            arithmetic = r.pick(["whole", "near"])
            rule = r.pick(RULES)
            data, o, form = draw_case(r, rule, rule, arithmetic,
                                      2 if policy == "forgetron" else r.pick([2, 3]))
            if policy == "forgetron":
                arithmetic = "near" if arithmetic == "near" else "double"
                o.pop("multiclass", None)
            o.update({"budget": r.pick(["1", "2", "4", "7"]), "budget-policy": policy})
            return compare_budget(tool, data, o, arithmetic, form)
        many(tool, draw, count)
    return run


def group_resume(tool, r):
    """Two runs, one after the other, are one."""
    for k in range(24):
        algorithm = (RULES + KEEPERS)[k % 5]
        data, o, form = draw_case(r, algorithm, r.pick(RULES) if k % 5 > 1 else algorithm,
                                  "near" if k % 2 else "double")
        if algorithm == "pocket":
            o["pocket"] = "literal"
        if k % 5 == 0 and "multiclass" not in o:
            o["drop-after"] = "3"
            if len(data.classes) > 2 and "positive" not in o:
                o["multiclass"] = "native"
        tool.train(data, dict(o, epochs="5"), form)
        whole = tool.bytes()
        tool.train(data, dict(o, epochs="2"), form)
        os.replace(tool.path("model"), tool.path("half"))
        tool.call("train", tool.path("data"), "--format", form, "--resume", tool.path("half"),
                  "--epochs", "5", "-q", "-o", tool.path("model"))
        tool.same("bytes of a run that was resumed", tool.bytes() == whole, True)


def group_linear(tool, r):
    """With the linear kernel every score on the way is that of the linear machine."""
    for _ in range(20):
        data = draw_data(r, 2)
        o = {"algorithm": "perceptron", "order": "file", "epochs": "5", "kernel": "linear"}
        if r.below(2):
            o["no-offset"] = True
        tool.write(data, "libsvm")
        with_kernel = tool.trace(o, "libsvm")
        del o["kernel"]
        without = tool.trace(o, "libsvm")
        names = ("epoch", "row", "score", "mistake", "updated")
        tool.same("a linear kernel is no kernel", [[s[n] for n in names] for s in with_kernel],
                  [[s[n] for n in names] for s in without])


def group_stream(tool, r):
    """A stream gives the updates of one pass in file order, if both know as much of the classes."""
    for k in range(20):
        algorithm = (RULES + KEEPERS[:2])[k % 4]
        data, o, form = draw_case(r, algorithm, r.pick(RULES) if k % 4 > 1 else algorithm, "double")
        o.update(order="file", epochs="1")
        o.pop("seed", None)
        if o.get("multiclass") == "native":
            o["classes"] = r.pick([",".join(data.classes), "seen"])
        elif o.get("classes") == "all":
            del o["classes"]
        tool.train(data, o, form)
        memory = tool.bytes()
        tool.train(data, o, form, ["--stream"])
        tool.same("bytes of a stream", tool.bytes() == memory, True)


def group_refused(tool, r):
    tool.write(Data([[1, 2], [3, -1], [200, 3]], ["-1", "1", "1"]), "libsvm")
    data = tool.path("data")
    cases = [
        ("degree", ["--kernel", "poly", "--degree", "0"]),
        ("gamma", ["--kernel", "rbf", "--gamma", "-1"]),
        ("gamma", ["--kernel", "rbf", "--gamma", "0"]),
        ("gamma", ["--kernel", "rbf", "--gamma", "nan"]),
        ("gamma", ["--kernel", "rbf", "--gamma", "much"]),
        ("sigma", ["--kernel", "gaussian", "--sigma", "-2"]),
        ("sigma", ["--kernel", "gaussian", "--sigma", "0"]),
        ("eta", ["--kernel", "sigmoid", "--eta", "-1"]),
        ("degree", ["--kernel", "rbf", "--degree", "2"]),
        ("sigma", ["--kernel", "rbf", "--sigma", "2"]),
        ("kernel", ["--kernel", "cubic"]),
        ("kernel", ["--gamma", "1"]),
        ("cache", ["--kernel", "rbf", "--cache", "0.00001"]),
        ("cache", ["--kernel", "rbf", "--cache", "-1"]),
        ("drop-after", ["-a", "averaged", "--kernel", "rbf", "--drop-after", "3"]),
        ("drop-after", ["-a", "voted", "--kernel", "rbf", "--drop-after", "3"]),
        ("drop-after", ["-a", "margin", "--kernel", "rbf", "--drop-after", "3"]),
        ("drop-after", ["-a", "pocket", "--kernel", "rbf", "--drop-after", "3"]),
        ("every row", ["-a", "perceptron", "--kernel", "rbf", "--drop-after", "1"]),
        ("cache", ["-a", "perceptron", "--kernel", "rbf", "--budget", "3", "--cache", "9"]),
        ("loop", ["-a", "perceptron", "--kernel", "rbf", "--budget", "3", "--loop", "textbook"]),
        ("budget", ["-a", "averaged", "--kernel", "rbf", "--budget", "3"]),
        ("budget", ["-a", "voted", "--kernel", "rbf", "--budget", "3"]),
        ("budget", ["-a", "perceptron", "--budget", "3"]),
        ("drop-after", ["-a", "perceptron", "--kernel", "rbf", "--budget", "3", "--drop-after",
                        "2"]),
        ("init", ["--kernel", "rbf", "--init", "random"]),
        ("gamma", ["-a", "perceptron", "--kernel", "rbf", "--stream"]),
    ]
    for word, args in cases:
        tool.refuse(2, word, "train", data, *args)
    tool.refuse(3, ":3", "train", data, "--kernel", "poly", "--degree", "100")
    tool.refuse(3, "scal", "train", data, "--kernel", "poly", "--degree", "100")


def group_self(tool, r):
    """The reference against itself, and planted errors that the comparison must find."""
    for _ in range(60):
        data, o, _ = draw_case(r, "perceptron", "perceptron", "whole", 2)
        o = {k: v for k, v in o.items() if k not in ("positive", "multiclass")}
        o.update(kernel="linear")
        for name in ("gamma", "coef0", "degree"):
            o.pop(name, None)
        kernel = Reference(data, o, "whole")
        del o["kernel"]
        linear = online.Reference(data, o, True)
        tool.same("linear kernel", [kernel.mistakes, kernel.updates, kernel.epochs],
                  [linear.mistakes, linear.updates, linear.epochs])
        tool.same("scores", [kernel.scores_by(kernel.machine, i) for i in kernel.x],
                  [linear.scores_by(linear.machine, x) for x in linear.x])
    data, o, form = draw_case(Rng(5, 5), "perceptron", "perceptron", "whole", 2)
    ref = Reference(data, o, "whole")
    tool.write(data, form)
    model, report = tool.train(data, o, form)
    for plant in (lambda: ref.made_by.pop(), lambda: setattr(ref, "mistakes", ref.mistakes + 1)):
        plant()
        must_fail(tool, compare_model, tool, ref, model, report)
    must_fail(tool, tool.close, "a score", 1.0, 1.0 + 1e-10, 1)
    must_fail(tool, tool.close, "a score", math.nan, 1.0, 1)
    must_fail(tool, as_double, (1 << 53) + 1)


GROUPS = [("self", group_self)]
for _algorithm in RULES + KEEPERS:
    for _arithmetic, _count in (("whole", 30), ("double", 20), ("near", 20)):
        GROUPS.append(("%s, %s" % (_algorithm, _arithmetic),
                       group_rule(_algorithm, _arithmetic, _count)))
GROUPS += [
    ("blocks", group_blocks),
    ("set aside", group_drop),
    ("budget, random", group_budget("random", 25)),
    ("budget, forgetron", group_budget("forgetron", 20)),
    ("budget, projectron", group_budget("projectron", 20)),
    ("resume", group_resume),
    ("linear kernel", group_linear),
    ("stream", group_stream),
    ("refused", group_refused),
]

if __name__ == "__main__":
    online.main(GROUPS, Tool, 20251107)
