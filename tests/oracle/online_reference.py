#!/usr/bin/python3
"""A slow reference of the online family, and its comparison with the tool.

    online_reference.py PROGRAM [GROUP...]

The rules are written down here once more, as plainly as they can be: every weight vector
after every example is kept, an average is the sum of all of them, a vote asks each of
them, a pocket counts errors over all rows after every update. Nothing is lazy, nothing is
shared with the library; also the generator that shuffles the rows is written again.

Data are small whole numbers with ties, duplicates and contradictions. Where every number
of a run is exact in binary (whole steps), the reference computes in integers and rationals
and rounds once, at the end. Where it is not (passive-aggressive steps, falling rates), it
makes the same operations on doubles in the same order. Both are compared bit by bit. The
one exception is an average of numbers that are rounded: the tool adds it up in another
way, and the two are compared within 1e-12 of the largest weight, some thousand roundings.

A group that compared nothing fails. The first mismatch ends the program, with the data,
the command, what came and what was expected. The data follow from fixed seeds.
"""
import glob
import importlib.util
import json
import math
import os
import shlex
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

from unscaled import unscaled

STEPS = ["perceptron", "margin", "pa", "pa1", "pa2"]  # Reference.step
KEEPERS = ["averaged", "voted", "pocket"]
HERE = os.path.dirname(os.path.abspath(__file__))


def rules_of_their_own():
    """The rules that are more than a step along the row, from rules/NAME.py: {name: class Rule}.
    A Rule says instead of Reference what a machine is, and how it learns and scores."""
    found = {}
    for path in sorted(glob.glob(os.path.join(HERE, "rules", "*.py"))):
        stem = os.path.splitext(os.path.basename(path))[0]
        spec = importlib.util.spec_from_file_location("rules." + stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found[stem.replace("_", "-")] = module.Rule
    return found


OWN = rules_of_their_own()
RULES = STEPS + list(OWN)
LEARNERS = RULES + KEEPERS  # what this is a reference of: tests/registry.py

# ----- the generator ------------------------------------------------------------------------

WORD = (1 << 64) - 1


class Rng:
    """xoshiro256++ (Blackman and Vigna 2021), seeded from a seed and a stream."""

    def __init__(self, seed, stream):
        a, first = self.splitmix(seed & WORD)
        b = (first + stream) & WORD
        self.s = []
        for _ in range(4):
            b, p = self.splitmix(b)
            a, q = self.splitmix(a)
            self.s.append(p ^ q)

    @staticmethod
    def splitmix(x):
        x = (x + 0x9E3779B97F4A7C15) & WORD
        z = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
        return x, z ^ (z >> 31)

    def u64(self):
        def turn(x, k):
            return ((x << k) | (x >> (64 - k))) & WORD
        a, b, c, d = self.s
        result = (turn((a + d) & WORD, 23) + a) & WORD
        c, d = c ^ a, d ^ b
        self.s = [a ^ d, b ^ c, c ^ ((b << 17) & WORD), turn(d, 45)]
        return result

    def below(self, n):
        """Lemire: the high half of x n, drawn again where small results had an advantage."""
        while True:
            high, low = divmod(self.u64() * n, 1 << 64)
            if low >= (1 << 64) % n:
                return high

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def pick(self, items):
        return items[self.below(len(items))]


# ----- data ---------------------------------------------------------------------------------

LABELS = [
    ["10", "9", "-2", "3", "0.5"],            # numbers, whose order is not that of their text
    ["pear", "Apple", "fig", "zoo", "apple"],
    ["1", "b", "2", "A", "-1"],               # numbers come before words
]


def label_key(text):
    """Numbers by value, then words by bytes."""
    try:
        return (0, float(text), b"")
    except ValueError:
        return (1, 0.0, text.encode())


class Data:
    def __init__(self, rows, labels, weights=None):
        self.rows, self.labels, self.weights = rows, labels, weights
        self.classes = sorted(set(labels), key=label_key)
        self.columns = len(rows[0])

    def libsvm(self):
        return "".join(
            " ".join([label] + ["%d:%d" % (j + 1, v) for j, v in enumerate(row) if v]) + "\n"
            for row, label in zip(self.rows, self.labels))

    def csv(self):
        names = ["f%d" % (j + 1) for j in range(self.columns)]
        lines = [names + (["weight"] if self.weights else []) + ["label"]]
        for i, row in enumerate(self.rows):
            weight = [self.weights[i]] if self.weights else []
            lines.append([str(v) for v in row] + weight + [self.labels[i]])
        return "".join(",".join(line) + "\n" for line in lines)


def draw_row(r, columns, span, dense):
    return [r.below(2 * span + 1) - span if dense or r.below(3) == 0 else 0
            for _ in range(columns)]


def taught(r, rows, classes):
    """Labels that a hidden machine gives, some of them changed: none, 1 of 8, or all."""
    hidden = [draw_row(r, len(rows[0]), 5, True) for _ in range(classes)]
    noise = r.pick([0, 0, 1, 8])
    out = []
    for row in rows:
        scores = [sum(a * b for a, b in zip(h, row)) for h in hidden]
        out.append(r.below(classes) if r.below(8) < noise else scores.index(max(scores)))
    return out


def draw_data(r, classes, weighted=False):
    n, columns = 10 + r.below(31), 2 + r.below(5)
    span, dense = 1 + r.below(4), r.below(2) == 0
    rows = [draw_row(r, columns, span, dense) for _ in range(n)]
    for _ in range(r.below(n // 2)):          # duplicates, perhaps with another label
        rows[r.below(n)] = list(r.pick(rows))
    rows[r.below(n)][-1] = 1                  # the last column is not empty
    numbers = taught(r, rows, classes)
    for k, i in enumerate(r.shuffled(range(n))[:classes]):
        if k not in numbers:
            numbers[i] = k                    # nor should a class be
    names = r.shuffled(r.pick(LABELS))
    order = r.shuffled(range(n))
    if r.below(4) == 0:                       # sorted by class, the classes in any order
        order.sort(key=lambda i: numbers[i])
    weights = [r.pick(["1", "1", "2", "4", "0.5", "0"]) for _ in rows] if weighted else None
    return Data([rows[i] for i in order], [names[numbers[i]] for i in order], weights)


# ----- the reference ------------------------------------------------------------------------


def exact_number(text):
    value = Fraction(text)
    return value.numerator if value.denominator == 1 else value


def score(vector, x):
    """w.x + b in the order of the columns; the offset is the last number of a vector."""
    s = 0
    for j, v in x:
        s = s + vector[j] * v
    return s + vector[-1]


def moved(vector, g, x, offset):
    """w + g x, b + g."""
    out = list(vector)
    for j, v in x:
        out[j] = out[j] + g * v
    if offset:
        out[-1] = out[-1] + g
    return tuple(out)


def half(number):
    return number / 2 if isinstance(number, float) else Fraction(number) / 2


class Reference:
    """A run. After it there are the trail, which is the machine after every example, and the
    counters. A machine is a tuple of vectors: one for two classes, else one a class."""

    def __init__(self, data, options, exact):
        number = exact_number if exact else float
        self.data, self.o, self.exact = data, options, exact
        keeper = options["algorithm"] in KEEPERS
        self.rule = options.get("rule", "perceptron") if keeper else options["algorithm"]
        self.offset = not options.get("no-offset")
        self.rate = number(options.get("rate", "1"))
        self.gap = number(options.get("margin", "1"))
        self.aggressiveness = number(options.get("aggressiveness", "1"))
        self.x = self.rows_of(number)
        self.size2 = [self.size_of(x, number) for x in self.x]
        self.kind = self.kind_of()
        self.truth = [self.truth_of(label) for label in data.labels]
        self.c = [self.importance(i, number) for i in range(len(data.rows))]
        vectors = 1 if self.kind == "binary" else len(data.classes)
        self.machine = self.zero(vectors, number)
        self.trail, self.met = [], set()
        if self.knows_classes():
            self.met = set(range(len(data.classes)))
        self.epochs = self.mistakes = self.updates = 0
        self.stop = None
        self.pocket, self.pocket_at = self.machine, (0, 0)
        self.made, self.counted = (0, 0), 0  # when the machine came to be; classes then
        self.pocket_errors = self.errors(self.machine)
        self.run()

    def rows_of(self, number):
        return [[(j, number(v)) for j, v in enumerate(row) if v] for row in self.data.rows]

    def zero(self, vectors, number):
        return ((number(0),) * (self.data.columns + 1),) * vectors

    def scores_by(self, machine, x):
        return [score(v, x) for v in machine]

    def size_of(self, x, number):
        total = number(0)
        for _, v in x:
            total = total + v * v
        return total + (1 if self.offset else 0)

    def kind_of(self):
        if "positive" in self.o:
            return "binary"
        how = self.o.get("multiclass", "auto")
        if how == "auto":
            return "binary" if len(self.data.classes) == 2 else "ovr"
        return how

    def knows_classes(self):
        """Whether all classes are there before the first row: as asked for; a native machine in
        memory has them, unless it is told not to, and the pocket has seen all rows."""
        asked = self.o.get("classes")
        if self.kind == "native":
            return asked != "seen" and (asked is not None or "stream" not in self.o)
        return asked not in (None, "seen") or (self.o["algorithm"] == "pocket" and self.kind == "ovr")

    def truth_of(self, label):
        """-1 or +1 for two classes, else the number of the class."""
        if self.kind != "binary":
            return self.data.classes.index(label)
        return 1 if label == self.o.get("positive", self.data.classes[-1]) else -1

    def importance(self, i, number):
        label, given = self.data.labels[i], self.o.get("class-weight", "")
        own = number(self.data.weights[i]) if self.data.weights else number(1)
        if given == "balanced":
            rows = self.data.labels
            return own * (len(rows) / (len(self.data.classes) * rows.count(label)))
        factors = dict(pair.rsplit("=", 1) for pair in given.split(",") if pair)
        return own * number(factors.get(label, "1"))

    # --- one example

    def step(self, m, i):
        """How far to go along row i, or None."""
        c, size2, eta = self.c[i], self.size2[i], self.eta
        if self.rule == "perceptron":
            return eta * c if m <= 0 else None
        if self.rule == "margin":
            return eta * c if m <= self.gap * eta * size2 else None
        if m >= 1 or size2 == 0:
            return None
        if self.rule == "pa":
            return (1 - m) / size2
        if self.rule == "pa1":
            return min(self.aggressiveness * c, (1 - m) / size2)
        return (1 - m) / (size2 + 1 / (2 * self.aggressiveness * c))

    def along(self, i, moves):
        """The machine after moves (number of the vector, step) along row i."""
        out = list(self.machine)
        for k, g in moves:
            out[k] = moved(out[k], g, self.x[i], self.offset)
        self.machine = tuple(out)

    def show_binary(self, i, ahead):
        y = self.truth[i]
        m = y * self.scores_by(self.machine, self.x[i])[0]
        g = self.step(m, i)
        if g is not None:
            self.along(i, [(0, g * y)])
        return m <= 0, g is not None

    def show_native(self, i, ahead):
        """The rival is sought among the classes met so far. While there is but one, it is
        the class that comes next."""
        true = self.truth[i]
        s = self.scores_by(self.machine, self.x[i])
        rivals = sorted(self.met - {true})
        if not rivals:
            rivals = [self.truth[k] for k in ahead if self.truth[k] != true][:1]
        rival = max(rivals, key=lambda k: s[k])  # the first of equals
        m = half(s[true] - s[rival])
        g = self.step(m, i)
        if g is not None:
            self.along(i, [(true, g), (rival, -g)])
        return m <= 0, g is not None

    def show_ovr(self, i, ahead):
        """Every class learns from every row; the mistake is judged among those met so far."""
        true = self.truth[i]
        s = self.scores_by(self.machine, self.x[i])
        moves = []
        for k in range(len(s)):
            y = 1 if k == true else -1
            g = self.step(y * s[k], i)
            if g is not None:
                moves.append((k, g * y))
        self.along(i, moves)
        others = [s[k] for k in self.met - {true}]
        return s[true] <= (max(others) if others else 0), len(moves)

    # --- passes

    def order(self, epoch):
        rows = range(len(self.data.rows))
        how = self.o.get("order", "shuffle")
        if how == "file":
            return list(rows)
        if how == "shuffle-once":
            epoch = 1
        return Rng(int(self.o.get("seed", "0")), epoch + (1 << 32)).shuffled(rows)

    def left_out(self, i):
        return self.c[i] == 0

    def eta_at(self, t):
        schedule = self.o.get("schedule", "constant")
        if schedule == "constant":
            return self.rate
        return self.rate / (t if schedule == "1/t" else math.sqrt(t))

    def run(self):
        limit, show = int(self.o.get("updates", "0")), getattr(self, "show_" + self.kind)
        while self.stop is None:
            self.epochs += 1
            before, order = self.updates, self.order(self.epochs)
            for at, i in enumerate(order):
                self.met.add(self.truth[i])  # also by an example that counts for nothing
                if self.left_out(i):
                    continue
                self.eta = self.eta_at(len(self.trail) + 1)
                mistake, updates = show(i, order[at:])
                self.mistakes += mistake
                self.updates += updates
                self.trail.append(self.machine)
                if updates:
                    self.consider()
                if updates and 0 < limit <= self.updates:
                    self.stop = "updates"
                    return
            if self.updates == before:
                self.stop = "converged"
            elif self.epochs == int(self.o.get("epochs", "100")):
                self.stop = "epochs"

    # --- what is kept

    def consider(self):
        """Gallant's ratchet, literally. Weights of a native machine that knew fewer classes
        are not compared: it starts anew with those that stood when a class was met. Two classes
        are known from the start: a native machine of two is the binary one."""
        if self.o["algorithm"] == "pocket":
            if (self.kind == "native" and len(self.data.classes) > 2
                    and self.counted != len(self.met) and len(self.trail) > 1):
                self.pocket, self.pocket_at = self.trail[-2], self.made
                self.pocket_errors = self.errors(self.pocket)
            self.counted, self.made = len(self.met), (self.epochs, self.updates)
            errors = self.errors(self.machine)
            if errors < self.pocket_errors:
                self.pocket, self.pocket_errors = self.machine, errors
                self.pocket_at = (self.epochs, self.updates)

    def errors(self, machine):
        """Rows that are not on the right side; those of weight 0 count for nothing."""
        count = 0
        for x, true, c in zip(self.x, self.truth, self.c):
            if c != 0:
                count += self.is_error(self.scores_by(machine, x), true)
        return count

    def is_error(self, s, true):
        if self.kind == "binary":
            return true * s[0] <= 0
        return s[true] <= max(s[k] for k in range(len(s)) if k != true)

    def average(self):
        def mean(numbers):
            if self.exact:
                return float(Fraction(sum(numbers)) / len(numbers))
            return math.fsum(numbers) / len(numbers)
        return tuple(tuple(mean([m[k][j] for m in self.trail]) for j in range(len(v)))
                     for k, v in enumerate(self.machine))

    def kept(self):
        """What the model has: the average, the pocket or the last machine."""
        if self.o["algorithm"] == "averaged":
            return self.average()
        return doubles(self.pocket if self.o["algorithm"] == "pocket" else self.machine)

    def runs(self):
        """The trail as [machine, how many examples it survived]."""
        out = []
        for machine in self.trail:
            if out and out[-1][0] is machine:
                out[-1][1] += 1
            else:
                out.append([machine, 1])
        return out

    def vote(self, x, runs, doubt=0):
        """The scores of x by vote, at least and at most. Each vector of a native machine votes
        for its best class, the first of equals; else each votes for its own side, 0 for the
        negative one. A lead of no more than `doubt` can go either way."""
        vectors = 1 if self.kind == "binary" else len(self.data.classes)
        least, most = [0] * vectors, [0] * vectors
        for machine, count in runs:
            s = self.scores_by(machine, x)
            if self.kind == "native":
                best = [k for k in range(len(s)) if s[k] >= max(s) - doubt]
                for k in best if doubt else best[:1]:
                    least[k] += count if len(best) == 1 or not doubt else 0
                    most[k] += count
            else:
                for k, a in enumerate(s):
                    least[k] += count if a > doubt else -count
                    most[k] += count if a > -doubt else -count
        total = len(self.trail)
        return [v / total for v in least], [v / total for v in most]

    def votes(self):
        """The scores of every row by vote."""
        runs = self.runs()
        return [self.vote(x, runs)[0] for x in self.x]

    def machine_of(self, model):
        """The machine of a model file, in the form of self.machine."""
        return model.machine()

    def scores(self, machine):
        """The scores that a machine of doubles gives every row."""
        return [[score(v, [(j, float(a)) for j, a in x]) for v in machine] for x in self.x]

    def label_of(self, s):
        classes, positive = self.data.classes, self.o.get("positive", self.data.classes[-1])
        if self.kind != "binary":
            return classes[s.index(max(s))]
        if s[0] > 0:
            return positive
        others = [c for c in classes if c != positive]
        return others[0] if len(others) == 1 else "rest"


def reference(data, options, exact):
    """A run of the rule that the options name."""
    rule = OWN.get(options.get("rule", options["algorithm"]))
    kind = type(rule.__name__, (rule, Reference), {}) if rule else Reference
    return kind(data, options, exact)


def doubles(machine):
    return tuple(tuple(float(a) for a in v) for v in machine)


# ----- the tool -----------------------------------------------------------------------------


class Mismatch(Exception):
    pass


IN_UNITS = ("weight", "offset", "coefficient", "vote.step", "state.", "pocket.weight",
            "pocket.offset", "unseen.")


class Model:
    """A safetensors file: its arrays as (shape, numbers), and its metadata. Weights are those that
    the tool shows: the file's, times its unit."""

    def __init__(self, path):
        with open(path, "rb") as f:
            raw = f.read()
        (length,) = struct.unpack("<Q", raw[:8])
        header, body = json.loads(raw[8:8 + length]), raw[8 + length:]
        self.meta = header.pop("__metadata__")
        self.arrays = {}
        for name, t in header.items():
            begin, end = t["data_offsets"]
            if t["dtype"] == "F64":
                numbers = struct.unpack("<%dd" % ((end - begin) // 8), body[begin:end])
                self.arrays[name] = (t["shape"], self.shown(name, numbers))

    def shown(self, name, numbers):
        if "unit" not in self.meta or not name.startswith(IN_UNITS):
            return numbers
        return tuple(float(self.meta["unit"]) * a for a in numbers)

    def machine(self, prefix="", weight="weight", offset="offset"):
        """Its vectors, each with the offset at the end."""
        shape, w = self.arrays[prefix + weight]
        vectors = shape[1] if len(shape) == 2 else 1
        none = ([vectors], (0.0,) * vectors)
        b = self.arrays.get(prefix + offset, none)[1]
        return tuple(w[k::vectors] + (b[k],) for k in range(vectors))


class Tool:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.compared = 0
        self.about = ""

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, *args):
        """Runs the tool; its output."""
        line = [self.program] + unscaled(args)
        self.about = "%s\n%s" % (self.about.split("\n$ ")[0], "$ " + shlex.join(line))
        done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True)
        if done.returncode != 0:
            raise Mismatch("exit status %d: %s" % (done.returncode,
                                                   done.stderr.strip() or done.stdout))
        return done.stdout

    def train(self, data, options, form="libsvm", more=()):
        """The model and the report of `perceptron train`."""
        text = data.csv() if form == "csv" else data.libsvm()
        with open(self.path("data"), "w") as f:
            f.write(text)
        self.about = text
        args = ["train", self.path("data"), "-o", self.path("model"), "--json", "--format", form]
        if data.weights:
            args += ["--weight", "weight"]
        for name, value in options.items():
            args += ["--" + name] + ([] if value is True else [value])
        report = json.loads(self.call(*args, *more))
        return Model(self.path("model")), report

    def trace(self, data, options, form="csv"):
        """The steps of `perceptron trace`."""
        with open(self.path("data"), "w") as f:
            f.write(data.csv() if form == "csv" else data.libsvm())
        args = [a for name, value in options.items()
                for a in (["--" + name] if value is True else ["--" + name, value])]
        out = self.call("trace", self.path("data"), "--json", "--format", form, "--arithmetic",
                        "double", *args)
        return json.loads(out)["steps"]

    def predict(self, form):
        """(label, scores) of each row, by the model trained last."""
        out = self.call("predict", self.path("model"), self.path("data"), "--scores", "--from",
                        form)
        lines = [line.split() for line in out.splitlines()]
        return [(line[0], [float(s) for s in line[1:]]) for line in lines]

    # --- comparisons

    def same(self, what, got, want):
        self.compared += 1
        if bits(got) != bits(want):
            raise Mismatch("%s\ngot       %s\nexpected  %s" % (what, got, want))

    def near(self, what, got, want):
        """Numbers that were rounded on two ways; see the top."""
        self.compared += 1
        largest = max(abs(a) for v in want for a in v)
        close = all(abs(a - b) <= 1e-12 * largest for v, u in zip(got, want) for a, b in zip(v, u))
        if shape(got) != shape(want) or not close:
            raise Mismatch("%s\ngot       %s\nexpected  %s" % (what, got, want))


def shape(machine):
    return [len(v) for v in machine]


def bits(value):
    """Something that is equal only for the same doubles: -0 is not 0."""
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, (tuple, list)):
        return [bits(v) for v in value]
    if isinstance(value, dict):
        return {k: bits(v) for k, v in value.items()}
    return value


# ----- a run of both ------------------------------------------------------------------------


def compare_labels(tool, ref, meta):
    """Of two classes, the negative one first."""
    two = [ref.label_of([-1]), ref.label_of([1])]
    got = [meta.get("label.%d" % k) for k in range(int(meta["labels"]))]
    tool.same("labels", got, two if ref.kind == "binary" else ref.data.classes)
    tool.same("rest", meta["label.rest"], "true" if "rest" in two else "false")


def compare_counts(tool, ref, model, report):
    want = [ref.mistakes, ref.updates, ref.epochs, ref.stop]
    meta = model.meta
    got = [int(meta["mistakes"]), int(meta["updates"]), int(meta["epoch"]), meta["stop"]]
    tool.same("mistakes, updates, epochs, stop of the model", got, want)
    got = [report["mistakes"], report["updates"], report["epochs"], report["converged"]]
    tool.same("mistakes, updates, epochs, converged of the report", got,
              want[:3] + [ref.stop == "converged"])


def compare_state(tool, ref, model):
    """What a run needs to go on: the last vectors, and the sum of the average."""
    if ref.o["algorithm"] in ("averaged", "pocket"):  # the others return the last weights
        tool.same("last weights", model.machine("state."), doubles(ref.machine))
    tool.same("examples shown", int(model.meta["shown"]), len(ref.trail))
    if ref.o["algorithm"] == "averaged" and ref.exact:
        total = len(ref.trail)
        u = [[total * a - sum(m[k][j] for m in ref.trail) for j, a in enumerate(v)]
             for k, v in enumerate(ref.machine)]
        tool.same("T w - the sum", model.machine("state.", "sum", "sum_offset"), doubles(u))


def compare_errors(tool, ref, model, report):
    """The errors that are reported: of what is returned, and of the last weights."""
    voted = ref.o["algorithm"] == "voted"
    if voted and ref.exact:
        errors = [ref.is_error(s, y) for s, y, c in zip(ref.votes(), ref.truth, ref.c) if c]
        tool.same("training errors", report["training_errors"], sum(errors))
    elif not voted:
        tool.same("training errors", report["training_errors"],
                  ref.errors(ref.machine_of(model)))
    if ref.o["algorithm"] in KEEPERS:
        rows = sum(c != 0 for c in ref.c)
        tool.same("error of the last weights", float(report["last_error"]),
                  ref.errors(ref.machine) / rows)
    if ref.o["algorithm"] == "pocket":
        tool.same("pass and updates of the pocket",
                  (report["found_epoch"], report["found_updates"]), ref.pocket_at)


def compare_predictions(tool, ref, model, form):
    got, voted = tool.predict(form), ref.o["algorithm"] == "voted"
    if ref.exact or not voted:
        want = ref.votes() if voted else ref.scores(ref.machine_of(model))
        tool.same("predictions", got, [(ref.label_of(s), s) for s in want])
        return
    runs = ref.runs()  # a score of 0 in one order of summation may be 1e-16 in another
    for i, (label, s) in enumerate(got):
        least, most = ref.vote(ref.x[i], runs, 1e-12)
        between = all(a <= b <= c for a, b, c in zip(least, s, most))
        tool.same("votes for row %d: %s, between %s and %s" % (i, s, least, most), between, True)
        tool.same("answer for row %d" % i, label, ref.label_of(s))


def compare(tool, data, options, exact, form="libsvm", predict=False):
    """One run of the tool against one of the reference."""
    model, report = tool.train(data, options, form)
    ref = reference(data, options, exact)
    compare_labels(tool, ref, model.meta)
    if options["algorithm"] == "averaged" and not exact:
        tool.near("weights", ref.machine_of(model), ref.kept())
    else:
        tool.same("weights", ref.machine_of(model), ref.kept())
    compare_state(tool, ref, model)
    compare_counts(tool, ref, model, report)
    compare_errors(tool, ref, model, report)
    if predict:
        compare_predictions(tool, ref, model, form)


# ----- groups -------------------------------------------------------------------------------


def draw_options(r, algorithm, data):
    """Common options of a run; whole steps, so that every rule without a division is exact."""
    o = {"algorithm": algorithm, "order": r.pick(["file", "shuffle", "shuffle", "shuffle-once"]),
         "epochs": r.pick(["1", "2", "5", "30"])}
    if o["order"] != "file":
        o["seed"] = r.pick(["0", "1", "77", "8999999999999999"])
    if r.below(3) == 0:
        o["no-offset"] = True
    how = r.pick(["auto", "native", "ovr", "positive"])
    if how == "positive":
        o["positive"] = r.pick(data.classes)
    else:
        if how != "auto":
            o["multiclass"] = how
        classes = r.pick([None, None, "all", "seen", ",".join(reversed(data.classes))])
        if classes and (how == "native" or classes != "seen"):
            o["classes"] = classes
    return o


def draw_case(r, algorithm, rule=None):
    data = draw_data(r, r.pick([2, 2, 3, 4, 5]))
    o = draw_options(r, algorithm, data)
    rule = rule or algorithm
    if rule != algorithm:
        o["rule"] = rule
    if rule in STEPS[:2] and r.below(3) == 0:
        o["rate"] = r.pick(["0.5", "2", "0.25"])
    if rule == "margin":
        o["margin"] = r.pick(["0", "1", "2", "3"])
    if rule in ("pa1", "pa2"):
        o["aggressiveness"] = r.pick(["1", "0.1", "0.03125", "3"])
    if rule in OWN:
        o.update(OWN[rule].draw(r))
    return data, o, r.pick(["libsvm", "csv"])


def group_rule(rule, cases):
    def run(tool, r):
        for k in range(cases):
            data, o, form = draw_case(r, rule)
            compare(tool, data, o, rule in STEPS[:2], form, k % 4 == 0)
    return run


def group_schedules(tool, r):
    for k in range(40):
        data, o, form = draw_case(r, r.pick(["perceptron", "margin"]))
        o["schedule"] = r.pick(["1/t", "1/sqrt"])
        compare(tool, data, o, False, form, k % 4 == 0)


def group_keeper(keeper, cases, exact):
    def run(tool, r):
        for k in range(cases):
            data, o, form = draw_case(r, keeper, r.pick(STEPS[:2] if exact else STEPS))
            if keeper == "pocket":
                o["pocket"] = "literal"
            if not exact and o["rule"] in STEPS[:2]:
                o["schedule"] = r.pick(["1/t", "1/sqrt"])
            compare(tool, data, o, exact, form, keeper == "voted" or k % 4 == 0)
    return run


def group_averaged_own(tool, r):
    """The mean of weights that AROW moves: the variances are the last ones, as they are for it
    alone, with the same mistakes and updates."""
    for k in range(40):
        data, o, form = draw_case(r, "averaged", "arow")
        model, report = tool.train(data, o, form)
        ref, n = reference(data, o, False), data.columns + 1
        tool.near("mean weights", model.machine(), [v[:n] for v in ref.average()])
        tool.same("last weights", model.machine("state."), tuple(v[:n] for v in ref.machine))
        tool.same("variances", tuple(v[n:] for v in ref.machine_of(model)),
                  tuple(v[n:] for v in ref.machine))
        compare_counts(tool, ref, model, report)
        compare_errors(tool, ref, model, report)
        if k % 4 == 0:
            compare_predictions(tool, ref, model, form)


def group_weights(tool, r):
    """Weights of examples and classes: powers of two, and 0."""
    for k in range(100):
        exact = k % 4 > 0
        data = draw_data(r, r.pick([2, 3, 4]), r.below(2) == 0)
        o = draw_options(r, r.pick(STEPS[:2] + KEEPERS if exact else RULES), data)
        if o["algorithm"] == "pocket":
            o["pocket"] = "literal"
        if not exact and o["algorithm"] in STEPS[:2]:
            o["schedule"] = r.pick(["1/t", "1/sqrt"])
        if r.below(3) > 0:
            chosen = r.shuffled(data.classes)[:1 + r.below(len(data.classes))]
            o["class-weight"] = ",".join("%s=%s" % (c, r.pick(["2", "0.5", "8", "1", "0"]))
                                         for c in chosen)
        if any(reference(data, o, exact).c):  # else nothing is learned
            compare(tool, data, o, exact, "csv" if data.weights else "libsvm")


def group_balanced(tool, r):
    for _ in range(20):
        data = draw_data(r, r.pick([2, 3, 4]))
        o = draw_options(r, r.pick(["perceptron", "pa1", "pa2", "margin"] + list(OWN)), data)
        o["class-weight"] = "balanced"
        compare(tool, data, o, False)


def group_updates(tool, r):
    """Runs that a limit ends in the middle of a pass."""
    for _ in range(20):
        data, o, form = draw_case(r, r.pick(RULES + ["averaged"]))
        # Not in the first pass, in which a machine might not meet all classes.
        o["updates"] = str(len(data.rows) * len(data.classes) + r.below(20))
        o["epochs"] = "30"
        compare(tool, data, o, o["algorithm"] in ("perceptron", "margin", "averaged"), form)


def group_fast_pocket(tool, r):
    """The count is that of what is returned, and not above that of the average."""
    for k in range(40):
        data, o, form = draw_case(r, "averaged", r.pick(STEPS))
        errors = reference(data, o, False).errors(tool.train(data, o, form)[0].machine())
        o["algorithm"] = "pocket"
        ref = reference(data, o, False)
        if k % 2:
            o["pocket"] = "fast"
        model, report = tool.train(data, o, form)
        own = ref.errors(model.machine())
        tool.same("training errors", report["training_errors"], own)
        tool.same("not above the average (%d, %d)" % (own, errors), own <= errors, True)
        compare_counts(tool, ref, model, report)
        compare_state(tool, ref, model)
        compare_predictions(tool, ref, model, form)


def group_ovr(tool, r):
    """One against the rest is one run a class, whatever is known of the classes beforehand."""
    for _ in range(25):
        data, o, form = draw_case(r, r.pick(RULES))
        o.pop("positive", None)
        o["multiclass"] = "ovr"
        whole = tool.train(data, o, form)[0]
        del o["multiclass"]
        o.pop("classes", None)
        parts = [tool.train(data, dict(o, positive=c), form)[0] for c in data.classes]
        tool.same("vectors", whole.machine(), tuple(p.machine()[0] for p in parts))
        tool.same("updates", int(whole.meta["updates"]), sum(int(p.meta["updates"]) for p in parts))


def group_stream(tool, r):
    """A stream gives the model of the same passes in file order, if both know as much of their
    classes: a native machine in memory would have them all from the first row on."""
    for algorithm in RULES + ["averaged", "voted"]:
        for k in range(10):
            data, o, form = draw_case(r, algorithm)
            o.update(order="file", epochs="1" if k < 7 else "3")
            if o.get("classes") == "all" or (o.get("multiclass") == "native" and "classes" not in o):
                o["classes"] = r.pick([",".join(data.classes), "seen"])
            memory = tool.train(data, o, form)[0]
            stream = tool.train(data, o, form, ["--stream"])[0]
            tool.same("weights", stream.machine(), memory.machine())
            tool.same("all arrays", stream.arrays, memory.arrays)
            tool.same("metadata", stream.meta, memory.meta)


def group_forms(tool, r):
    """A table and its sparse copy are the same data."""
    for algorithm in RULES + KEEPERS:
        for _ in range(4):
            data, o, _ = draw_case(r, algorithm)
            sparse = tool.train(data, o, "libsvm")[0]
            dense = tool.train(data, o, "csv")[0]
            tool.same("weights", sparse.machine(), dense.machine())


def textbook(rows, signs, eta, passes):
    """The perceptron on paper: whether each example shown was a mistake, and w with b at the end."""
    w, mistakes = [Fraction(0)] * (len(rows[0]) + 1), []
    for _ in range(passes):
        before = sum(mistakes)
        for x, y in zip(rows, signs):
            x = list(x) + [1]
            mistakes.append(y * sum(a * v for a, v in zip(w, x)) <= 0)
            if mistakes[-1]:
                w = [a + eta * y * v for a, v in zip(w, x)]
        if sum(mistakes) == before:
            break
    return mistakes, w


RATES = ["0.1", "0.3", "0.7", "3", "0.3333333333333333", "1e-9", "1e17", "1.1", "0.05"]


def group_rate(tool, r):
    """From a zero start a constant rate scales the weights and changes no mistake: as on paper,
    where the rate is a fraction and nothing is rounded."""
    for k in range(150):
        data, eta = draw_data(r, 2), RATES[k % len(RATES)]
        signs = [1 if label == data.classes[1] else -1 for label in data.labels]
        want, w = textbook(data.rows, signs, Fraction(eta), 8)
        tool.same("paper, by rate 1", textbook(data.rows, signs, 1, 8)[0], want)
        steps = tool.trace(data, {"rate": eta, "epochs": "8"})
        tool.same("mistakes", [s["mistake"] for s in steps], want)
        last = [float(a) for a in steps[-1]["w"] + [steps[-1]["b"]]]
        tool.same("weights", [a + 0.0 for a in last],
                  [float(eta) * float(a / Fraction(eta)) + 0.0 for a in w])


def group_rates(tool, r):
    """The same of every learner that has units: kinds, keepers, kernels, budgets, weights."""
    kernels = [{}, {}, {"kernel": "poly", "degree": "2"}, {"kernel": "rbf", "gamma": "0.3"},
               {"kernel": "poly", "degree": "3", "coef0": "0.1", "drop-after": "3"},
               {"kernel": "rbf", "gamma": "0.1", "budget": "4", "budget-policy": "random"},
               {"kernel": "rbf", "gamma": "0.1", "budget": "5", "budget-policy": "projectron"},
               {"kernel": "rbf", "gamma": "0.1", "budget": "4", "budget-policy": "forgetron"}]
    counts = ("mistakes", "updates", "epochs", "training_errors", "converged")
    for k in range(48):
        more = dict(kernels[k % len(kernels)])
        algorithm = r.pick(STEPS[:2] + KEEPERS if "kernel" not in more or len(more) == 3
                           else ["perceptron"])
        data, o, form = draw_case(r, algorithm, r.pick(STEPS[:2]) if algorithm in KEEPERS else None)
        if more.get("budget-policy") == "forgetron":
            o["positive"] = data.classes[0]
            o.pop("multiclass", None)
        if more.get("drop-after"):
            o["epochs"] = "5"
            o.pop("multiclass", None)
            o["positive"] = data.classes[0]
        if "positive" in o:
            o.pop("classes", None)
        if r.below(3) == 0:
            o["class-weight"] = "%s=0.3" % data.classes[0]
        o.update(more, rate="1")
        one = tool.train(data, o, form)[1]
        answers = [label for label, _ in tool.predict(form)]
        steps = tool.trace(data, o, form)
        o["rate"] = r.pick(RATES)
        model, other = tool.train(data, o, form)
        tool.same("unit", float(model.meta["unit"]), float(o["rate"]))
        tool.same("counts", [other[c] for c in counts], [one[c] for c in counts])
        tool.same("answers", [label for label, _ in tool.predict(form)], answers)
        keys = ("epoch", "row", "mistake", "updated")
        tool.same("steps", [[s[c] for c in keys] for s in tool.trace(data, o, form)],
                  [[s[c] for c in keys] for s in steps])


def group_two(tool, r):
    """Two classes held as two vectors are (-w, +w)."""
    for algorithm in STEPS + KEEPERS:
        for _ in range(4):
            data = draw_data(r, 2)
            o = draw_options(r, algorithm, data)
            o.pop("positive", None)
            two, _ = tool.train(data, dict(o, multiclass="native"))
            o.pop("multiclass", None)
            one, _ = tool.train(data, o)
            w = one.machine()[0]
            tool.same("vectors", two.machine(), (tuple(0 - a for a in w), w))
            tool.same("counts", [two.meta[k] for k in ("mistakes", "updates", "epoch", "stop")],
                      [one.meta[k] for k in ("mistakes", "updates", "epoch", "stop")])


# ----- the reference and the comparison themselves ------------------------------------------


def must_fail(tool, what, *args):
    """A planted error that the comparison has to find."""
    try:
        what(*args)
    except Mismatch:
        tool.compared += 1
        return
    raise Mismatch("a planted error was not found: %r" % (args,))


def group_self(tool, r):
    g = Rng(0, 0)
    tool.same("generator", [g.u64() for _ in range(2)], [0x5FE0799288DE7456, 0x959000AE92D36A9E])
    g.s = [1, 2, 3, 4]  # the published numbers of xoshiro256++
    tool.same("generator", [g.u64() for _ in range(3)], [41943041, 58720359, 3588806011781223])
    must_fail(tool, tool.same, "an ulp", (1.0, 1.0), (1.0, 1.0000000000000002))
    must_fail(tool, tool.same, "-0", ((0.0,),), ((-0.0,),))
    must_fail(tool, tool.same, "a count", [3, 4], [3, 5])
    must_fail(tool, tool.near, "weights", ((1.0, 2.0),), ((1.0, 2.0 + 1e-11),))
    must_fail(tool, tool.near, "weights", ((1.0, math.nan),), ((1.0, 2.0),))
    for k in range(40):
        rule = STEPS[k % len(STEPS)]
        data, o, _ = draw_case(r, "averaged", rule)
        check_lazy_average(tool, data, o)
        check_two_classes(tool, draw_data(r, 2), o)


def check_lazy_average(tool, data, o):
    """T w - u, u the sum over updates of (examples before) times the change, is the sum."""
    o = dict(o, rule="perceptron")
    ref = reference(data, o, True)
    u = [[0] * len(v) for v in ref.machine]
    last = tuple((0,) * len(v) for v in ref.machine)
    for before, machine in enumerate(ref.trail):
        for k, v in enumerate(machine):
            for j, a in enumerate(v):
                u[k][j] += before * (a - last[k][j])
        last = machine
    total = len(ref.trail)
    want = tuple(tuple(float(Fraction(total * a - b) / total) for a, b in zip(v, p))
                 for v, p in zip(ref.machine, u))
    tool.same("lazy average", ref.average(), want)


def check_two_classes(tool, data, o):
    """The native reference on two classes is the binary one, whatever the rule."""
    o = {k: v for k, v in o.items() if k not in ("positive", "multiclass")}
    one, two = reference(data, o, False), reference(data, dict(o, multiclass="native"), False)
    w = one.machine[0]
    tool.same("two classes", two.machine, (tuple(0 - a for a in w), w))
    tool.same("counts", [two.mistakes, two.updates], [one.mistakes, one.updates])


GROUPS = [("self", group_self)]
GROUPS += [(rule, group_rule(rule, 40)) for rule in STEPS]
GROUPS += [
    ("schedules", group_schedules),
    ("averaged", group_keeper("averaged", 60, True)),
    ("averaged, rounded", group_keeper("averaged", 30, False)),
    ("voted", group_keeper("voted", 40, True)),
    ("voted, rounded", group_keeper("voted", 20, False)),
    ("pocket", group_keeper("pocket", 40, True)),
    ("pocket, rounded", group_keeper("pocket", 20, False)),
    ("fast pocket", group_fast_pocket),
    ("weights", group_weights),
    ("balanced", group_balanced),
    ("updates", group_updates),
    ("one against rest", group_ovr),
    ("stream", group_stream),
    ("dense and sparse", group_forms),
    ("two classes", group_two),
]
# Last, so that a new rule leaves the random numbers of the others as they are.
GROUPS += [(rule, group_rule(rule, 40)) for rule in OWN]
GROUPS += [("averaged, arow", group_averaged_own), ("rate", group_rate), ("rates", group_rates)]


def main(groups, new_tool, seed):
    """Runs the groups named on the command line, or all, each with its own random numbers; before
    a release (scripts/test long) PERC_TEST_LONG times."""
    rounds = int(os.environ.get("PERC_TEST_LONG", "1"))
    if len(sys.argv) < 2:
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} PROGRAM [GROUP...]")
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, group) in enumerate(groups):
            if sys.argv[2:] and name not in sys.argv[2:]:
                continue
            tool = new_tool(sys.argv[1], folder)
            try:
                for more in range(rounds):
                    group(tool, Rng(seed + more, number))
                if tool.compared == 0:
                    raise Mismatch("nothing was compared")
            except Mismatch as why:
                sys.exit("%s: MISMATCH after %d comparisons\n%s\n%s"
                         % (name, tool.compared, tool.about, why))
            print("%-22s %5d comparisons" % (name, tool.compared), flush=True)


if __name__ == "__main__":
    main(GROUPS, Tool, 20240229)
