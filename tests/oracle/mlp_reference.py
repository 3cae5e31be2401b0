#!/usr/bin/python3
"""A slow reference of multi-layer perceptrons, and its comparison with the tool.

    mlp_reference.py PROGRAM [GROUP...]

Forward, backward and the three optimisers are written down once more from
docs/algorithms/mlp.md, one row and one neuron after the other, in doubles. The start comes
from the tool (`train --epochs 0`); everything after it is computed here: the weights, the
offsets, the moments and the number of steps; the loss and the mistakes of every pass; the
cross-entropy and the errors of the report; scores, answers and probabilities; the log loss
of `test`.

The tool computes in float32. How far that may lead away is not guessed but tried: the
reference runs again with every sum moved by its own rounding (UNIT times the sizes of the
terms, up or down by chance). SAFETY times the largest change of an array is what the tool
may differ by in that array. A run is left out if that is more than SHARP of the largest
number of the array, if a relu neuron was closer to its kink than KINK, or if a decision
was too close to call; of the runs drawn a good part has to be clear. Moments are means with the
momentum and beta that float32 has: 1 - 0.999 is 0.99998713e-3 then, which can be seen in them.

The start itself is random, and its laws are checked: mean, spread and shape of many
weights, and that the weights of a column do not depend on other columns. Dropout, which is
random too, is left to the unit tests.

A group that compared nothing fails. The first mismatch ends the program, with the data,
the command, what came and what was expected. The data follow from fixed seeds.
"""
import json
import math
import os
import struct
import subprocess

import online_reference as online
from online_reference import Mismatch, Rng, label_key, must_fail

LEARNERS = ["mlp"]  # what this is a reference of: tests/registry.py

UNIT = 2.0 ** -23            # what rounding moves a sum by, of the sizes of its terms
SAFETY = 8                   # times what the moved runs differ by
SHARP = 1e-4                 # a bound above this part of an array is of no use
KINK = 1e-5                  # of the sizes of the terms
CLOSE = 1e-4                 # a decision closer than this is not compared

RATES = {"adam": 0.002, "momentum": 0.01, "sgd": 0.1}
BETA, EPSILON = 0.999, 1e-8


# ----- data ---------------------------------------------------------------------------------


class Data:
    """Numbers that float32 has exactly."""

    def __init__(self, rows, labels, weights=None):
        self.rows, self.labels, self.weights = rows, labels, weights
        self.classes = sorted(set(labels), key=label_key)
        self.columns = len(rows[0])

    def libsvm(self, base=1, zeros=False):
        cells = lambda row: ["%d:%r" % (j + base, v) for j, v in enumerate(row) if v or zeros]
        return "".join(" ".join([label] + cells(row)) + "\n"
                       for row, label in zip(self.rows, self.labels))

    def csv(self):
        names = ["f%d" % (j + 1) for j in range(self.columns)]
        lines = [names + (["weight"] if self.weights else []) + ["label"]]
        for i, row in enumerate(self.rows):
            weight = [repr(self.weights[i])] if self.weights else []
            lines.append([repr(v) for v in row] + weight + [self.labels[i]])
        return "".join(",".join(line) + "\n" for line in lines)


def draw_data(r, classes, weighted=False, rows=None, columns=None):
    """Multiples of 1/8, a third of them 0; labels that a curve gives, some of them changed."""
    n, d = rows or 8 + r.below(20), columns or 2 + r.below(5)
    draw = lambda: r.pick([0.0, (1 + r.below(16)) / 8, -(1 + r.below(16)) / 8])
    table = [[draw() for _ in range(d)] for _ in range(n)]
    table[0][-1] = 0.5       # the last column is there, also in a sparse file
    names = r.pick([["10", "9", "-2"], ["pear", "Apple", "fig"], ["1", "-1", "b"]])[:classes]
    labels = []
    for x in table:
        k = int(abs(x[0] * x[1] + x[-1]) * 2) if r.below(6) else r.below(classes)
        labels.append(names[k % classes])
    labels[:classes] = names
    weights = None
    if weighted:
        weights = [r.pick([1.0, 2.0, 0.5, 0.25, 3.0, 0.0]) for _ in range(n)]
        weights[0] = 1.0     # of the first batch at least one counts
    return Data(table, labels, weights)


# ----- the reference ------------------------------------------------------------------------


def sigmoid(z):
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))


ACTIVATION = {"relu": lambda z: max(0.0, z), "sigmoid": sigmoid, "tanh": math.tanh}
SLOPE = {"relu": lambda a: 1.0 if a > 0 else 0.0, "sigmoid": lambda a: a * (1 - a),
         "tanh": lambda a: 1 - a * a}


def probabilities(z):
    """One for each class. A single score is that of the second class, the first has 0."""
    z = [0.0] + z if len(z) == 1 else z
    top = max(z)
    e = [math.exp(v - top) for v in z]
    return [v / sum(e) for v in e]


def surprise(z, k):
    """-log of the probability of class k, also where that is too small for a double."""
    z = [0.0] + z if len(z) == 1 else z
    top = max(z)
    return math.log(sum(math.exp(v - top) for v in z)) - (z[k] - top)


def is_mistake(z, k):
    """A tie is one."""
    z = [0.0] + z if len(z) == 1 else z
    return any(c != k and z[c] >= z[k] for c in range(len(z)))


def lead(z):
    """How far the best is ahead of the second; two that are 0 are 0 beyond doubt."""
    z = sorted([0.0] + z if len(z) == 1 else z)
    return math.inf if z[-1] == z[-2] == 0 else z[-1] - z[-2]


class Reference:
    """A run. `w` and `b` are the layers, `u`, `v` and `ub`, `vb` their moments. plant: the name of
    an error to make, to see that it is found."""

    def __init__(self, data, options, start, noise=None, plant=""):
        self.data, self.o, self.noise, self.plant = data, options, noise, plant
        self.kink = self.close = math.inf
        self.f = options.get("activation", "relu")
        self.offset = "no-offset" not in options
        self.w, self.b = start.layers()
        self.u, self.v = zeros_like(self.w), zeros_like(self.w)
        self.ub, self.vb = zeros_like(self.b), zeros_like(self.b)
        self.steps, self.passes = 0, []
        self.labels()
        self.c = [self.importance(i) for i in range(len(data.rows))]
        for epoch in range(1, int(options["epochs"]) + 1):
            self.learn_pass(epoch)

    def labels(self):
        """Two classes: the negative one is number 0."""
        classes, positive = self.data.classes, self.o.get("positive")
        if positive is None:
            self.names = classes
        else:
            others = [c for c in classes if c != positive]
            self.names = [others[0] if len(others) == 1 else "rest", positive]
        self.truth = [self.names.index(y if y in self.names else "rest") for y in self.data.labels]

    def importance(self, i):
        """The weight of the row times that of its class."""
        given, own = self.o.get("class-weight", ""), 1.0
        if self.data.weights:
            own = self.data.weights[i]
        name = self.names[self.truth[i]] if "positive" in self.o else self.data.labels[i]
        if given == "balanced":
            alike = self.truth.count(self.truth[i])
            return own * len(self.truth) / (len(self.names) * alike)
        factors = dict(pair.rsplit("=", 1) for pair in given.split(",") if pair)
        return own * float(factors.get(name, "1"))

    # --- forward and backward

    def rounded(self, terms):
        """The sum, moved by what rounding might do if this is a run to find that out."""
        s = math.fsum(terms)
        if self.noise is not None:
            s += UNIT * self.noise.pick([-1, 1]) * math.fsum(abs(t) for t in terms)
        return s

    def forward(self, x):
        """The activations of every layer, x first; the last are the scores."""
        a = [x]
        for l, (w, b) in enumerate(zip(self.w, self.b)):
            last, z = l + 1 == len(self.w), []
            for u in range(len(b)):
                terms = [p * w[j][u] for j, p in enumerate(a[-1])] + [b[u]]
                s = self.rounded(terms)
                size = math.fsum(abs(t) for t in terms)
                if not last and self.f == "relu" and size > 0:
                    self.kink = min(self.kink, abs(s) / size)
                z.append(s if last else ACTIVATION[self.f](s))
            a.append(z)
        return a

    def gradient(self, batch):
        """Of the loss of the batch, without the penalty: that of the weights and of the offsets."""
        gw = [[[[] for _ in row] for row in w] for w in self.w]
        gb = [[[] for _ in b] for b in self.b]
        counted = sum(self.c[i] > 0 for i in batch)
        if self.plant == "rows of weight 0 count":
            counted = len(batch)
        for i in batch:
            a, c = self.forward(self.data.rows[i]), self.c[i]
            self.note(i, a[-1])
            p = probabilities(a[-1])
            d = [c * (q - (k == self.truth[i])) / counted for k, q in enumerate(p)]
            d = d[-len(a[-1]):]  # a single score is that of the second class
            for l in reversed(range(len(self.w))):
                for u, du in enumerate(d):
                    gb[l][u].append(du)
                    for j, aj in enumerate(a[l]):
                        gw[l][j][u].append(aj * du)
                if l > 0:
                    d = [self.rounded([du * wu for du, wu in zip(d, self.w[l][j])])
                         * SLOPE[self.f](aj) for j, aj in enumerate(a[l])]
        return ([[[self.rounded(t) for t in row] for row in g] for g in gw],
                [[self.rounded(t) for t in g] for g in gb])

    def note(self, i, z):
        """The loss and the mistakes of a pass, each row before the step of its batch."""
        if self.c[i] > 0:
            self.close = min(self.close, lead(z))
            now = self.passes[-1]
            now["loss"] += self.c[i] * surprise(z, self.truth[i])
            now["mistakes"] += is_mistake(z, self.truth[i])

    # --- steps

    def step(self, batch):
        """A batch in which no row counts makes none."""
        if not any(self.c[i] > 0 for i in batch):
            return
        gw, gb = self.gradient(batch)
        l2 = float(self.o.get("l2", "0"))
        self.steps += 1
        self.passes[-1]["updates"] += 1
        for l, w in enumerate(self.w):
            if self.offset:
                pull = l2 if self.plant == "offsets are in the penalty" else 0
                self.move(self.b[l], self.ub[l], self.vb[l], gb[l], pull)
            for j, row in enumerate(w):
                self.move(row, self.u[l][j], self.v[l][j], gw[l][j], l2)

    def move(self, w, u, v, g, l2):
        """One row of weights."""
        how, mu = self.o.get("optimizer", "adam"), float(self.o.get("momentum", "0.9"))
        rate = float(self.o.get("rate", "0")) or RATES[how]
        epsilon = 1e-7 if self.plant == "another epsilon" else EPSILON
        t = 10 ** 6 if self.plant == "the means are not corrected" else self.steps
        for k in range(len(w)):
            gk = g[k] + l2 * w[k]
            if how == "sgd":
                w[k] -= rate * gk
            elif how == "momentum":
                u[k] = mu * u[k] + gk
                w[k] -= rate * (gk + mu * u[k] if self.plant == "nesterov" else u[k])
            else:
                u[k] = single(mu) * u[k] + (1 - single(mu)) * gk
                v[k] = single(BETA) * v[k] + (1 - single(BETA)) * gk * gk
                mean, square = u[k] / (1 - mu ** t), v[k] / (1 - BETA ** t)
                w[k] -= rate * mean / (math.sqrt(square) + epsilon)
            if self.noise is not None:
                for kept in (w, u, v):
                    kept[k] = self.rounded([kept[k]])

    def learn_pass(self, epoch):
        rows, size = list(range(len(self.data.rows))), int(self.o.get("batch", "32"))
        if self.o.get("order", "shuffle") == "shuffle":
            rows = Rng(int(self.o.get("seed", "0")), epoch + (1 << 32)).shuffled(rows)
        self.passes.append({"loss": 0.0, "mistakes": 0, "updates": 0})
        for at in range(0, len(rows), size):
            self.step(rows[at:at + size])
        self.passes[-1]["loss"] /= sum(c > 0 for c in self.c)

    # --- what is compared

    def arrays(self):
        """By the names of the model file."""
        how, out = self.o.get("optimizer", "adam"), {}
        for l in range(len(self.w)):
            flat = lambda m: [x for row in m for x in row]
            out["layer.%d.weight" % l], out["layer.%d.offset" % l] = flat(self.w[l]), self.b[l]
            if how != "sgd":
                out["state.first.%d.weight" % l] = flat(self.u[l])
                out["state.first.%d.offset" % l] = self.ub[l]
            if how == "adam":
                out["state.second.%d.weight" % l] = flat(self.v[l])
                out["state.second.%d.offset" % l] = self.vb[l]
        return out

    def scores(self):
        return [self.forward(x)[-1] for x in self.data.rows]

    def answer(self, z):
        return self.names[z[0] > 0 if len(z) == 1 else z.index(max(z))]


def single(x):
    """The nearest float32."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def zeros_like(m):
    return [zeros_like(x) for x in m] if isinstance(m, list) else 0.0


def largest(numbers):
    return max((abs(x) for x in numbers), default=0.0)


def distance(a, b):
    return largest([p - q for p, q in zip(a, b)])


# ----- the tool -----------------------------------------------------------------------------


class Model:
    """A safetensors file: its arrays as (shape, numbers, bytes), and its metadata."""

    def __init__(self, path):
        with open(path, "rb") as f:
            raw = f.read()
        (length,) = struct.unpack("<Q", raw[:8])
        header, body = json.loads(raw[8:8 + length]), raw[8 + length:]
        self.meta, self.arrays = header.pop("__metadata__"), {}
        for name, t in header.items():
            begin, end = t["data_offsets"]
            if t["dtype"] != "F32":
                raise Mismatch("%s has the type %s" % (name, t["dtype"]))
            numbers = struct.unpack("<%df" % ((end - begin) // 4), body[begin:end])
            self.arrays[name] = (t["shape"], list(numbers), body[begin:end])

    def rows(self, name):
        (_, columns), numbers, _ = self.arrays[name]
        return [numbers[k:k + columns] for k in range(0, len(numbers), columns)]

    def layers(self):
        """The weights [layer][in][out] and the offsets [layer][out]."""
        count = sum(name.startswith("layer.") and name.endswith(".weight") for name in self.arrays)
        return ([self.rows("layer.%d.weight" % l) for l in range(count)],
                [list(self.arrays["layer.%d.offset" % l][1]) for l in range(count)])

    def bare(self):
        """Everything but the names of the columns and what they entail."""
        names = ("checksum", "schema", "index_base")
        return ({k: v for k, v in self.meta.items() if k not in names},
                {k: (shape, raw) for k, (shape, _, raw) in self.arrays.items()})


class Tool(online.Tool):
    FORMS = {"csv": (Data.csv, ["--format", "csv"]),
             "libsvm": (Data.libsvm, ["--format", "libsvm"]),
             "zeros": (lambda data: data.libsvm(1, True), ["--format", "libsvm"]),
             "from 0": (lambda data: data.libsvm(0), ["--format", "libsvm", "--index", "0"])}

    def write(self, data, form):
        text, self.reading = self.FORMS[form]
        self.about = text(data)
        with open(self.path("data"), "w") as f:
            f.write(self.about)

    def train(self, data, options, form="libsvm", more=(), name="model"):
        self.write(data, form)
        args = ["train", self.path("data"), "-a", "mlp", "--json", "-o", self.path(name)]
        args += self.reading + (["--weight", "weight"] if data.weights else [])
        for option, value in options.items():
            args += ["--" + option] + ([] if value is True else [value])
        report = json.loads(self.call(*args, *more))
        return Model(self.path(name)), report

    def lines(self, *args):
        return [line.split() for line in self.call(*args).splitlines()]

    def feed(self, text, *args):
        """`perceptron learn`, with text on its standard input."""
        line = [self.program, "learn"] + list(args)
        done = subprocess.run(line, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True)
        self.about = "%s\n$ %s" % (text, " ".join(line))
        if done.returncode != 0:
            raise Mismatch("exit status %d: %s" % (done.returncode, done.stderr.strip()))
        return done.stdout

    def within(self, what, got, want, bound):
        self.compared += 1
        if not abs(got - want) <= bound:
            raise Mismatch("%s: differs by %.3g, of which %.3g is rounding\ngot       %r\n"
                           "expected  %r" % (what, got - want, bound, got, want))


# ----- a run of both ------------------------------------------------------------------------


def clear_runs(data, options, start):
    """The reference, and the bounds from two that rounding moves; None: too close to call, or a
    layer did not learn, because its relu neurons are dead."""
    runs = [Reference(data, options, start, noise) for noise in (None, Rng(1, 1), Rng(2, 2))]
    scores = [run.scores() for run in runs]  # also of rows that do not count
    if min(run.kink for run in runs) < KINK or min(run.close for run in runs) < CLOSE:
        return None
    if min(lead(z) for z in scores[0]) < CLOSE:
        return None
    if any(a == b for a, b in zip(runs[0].w, start.layers()[0])):
        return None
    bounds = {}
    for name, want in runs[0].arrays().items():
        moved = max(distance(run.arrays()[name], want) for run in runs[1:])
        bounds[name] = SAFETY * moved + 2 * UNIT * largest(want)
        if bounds[name] > SHARP * largest(want):
            return None
    moved = max(distance(a, b) for run in scores[1:] for a, b in zip(run, scores[0]))
    bounds["scores"] = SAFETY * moved + 2 * UNIT * max(largest(z) for z in scores[0])
    return runs[0], bounds


def compare_arrays(tool, ref, bounds, model):
    want = ref.arrays()
    tool.same("names of the arrays", sorted(model.arrays), sorted(want))
    for name, numbers in want.items():
        _, got, _ = model.arrays[name]
        tool.same("length of " + name, len(got), len(numbers))
        for k, (p, q) in enumerate(zip(got, numbers)):
            tool.within("%s[%d]" % (name, k), p, q, bounds[name])


def compare_counts(tool, ref, model, report):
    meta, passes = model.meta, ref.passes
    tool.same("labels", [meta["label.%d" % k] for k in range(int(meta["labels"]))], ref.names)
    counted = sum(c > 0 for c in ref.c)
    tool.same("steps", [int(meta["steps"]), report["updates"]], [ref.steps, ref.steps])
    tool.same("examples that counted", int(meta["shown"]), counted * len(passes))
    tool.same("mistakes and steps of the passes",
              [[p["mistakes"], p["updates"]] for p in report["history"]],
              [[p["mistakes"], p["updates"]] for p in passes])
    tool.same("mistakes", report["mistakes"], sum(p["mistakes"] for p in passes))


def compare_losses(tool, ref, bounds, report):
    """Of a pass: weighted. Of the report: not, over the rows that count."""
    room = 2 * bounds["scores"] + 1e-14  # the loss of a row moves by no more than two scores
    heaviest = max(ref.c + [1])
    for epoch, (got, want) in enumerate(zip(report["history"], ref.passes)):
        tool.within("loss of pass %d" % (epoch + 1), got["loss"], want["loss"], room * heaviest)
    rows = [(z, k) for z, k, c in zip(ref.scores(), ref.truth, ref.c) if c > 0]
    want = sum(surprise(z, k) for z, k in rows) / len(rows)
    tool.within("cross-entropy", report["cross_entropy"], want, room)
    tool.same("training errors", report["training_errors"], sum(is_mistake(*row) for row in rows))


def compare_answers(tool, ref, bounds):
    """Scores by the reference; probabilities by the scores that the tool gives, closely."""
    args = [tool.path("model"), tool.path("data")] + tool.reading
    asked = ["--from" if word == "--format" else word for word in args]
    plain = tool.lines("predict", *asked, "--scores")
    proba = tool.lines("predict", *asked, "--proba")
    log_loss = 0.0
    for i, (line, p, z) in enumerate(zip(plain, proba, ref.scores())):
        got = [float(s) for s in line[1:]]
        tool.same("number of scores", len(got), len(z))
        for a, b in zip(got, z):
            tool.within("score of row %d" % (i + 1), a, b, bounds["scores"])
        tool.same("answers for row %d" % (i + 1), [line[0], p[0]], [ref.answer(z)] * 2)
        want = probabilities(got)
        tool.same("number of probabilities", len(p) - 1, len(want))
        for a, b in zip(p[1:], want):
            tool.within("probability in row %d" % (i + 1), float(a), b, 1e-14)
        log_loss += surprise(got, ref.truth[i]) / len(plain)
    report = json.loads(tool.call("test", *args, "--json"))
    tool.within("log loss of test", report["log_loss"], log_loss, 1e-12)


def compare(tool, data, options, form="libsvm", answers=True):
    """One run of the tool against one of the reference; False: too close to call."""
    start, _ = tool.train(data, dict(options, epochs="0"), form, name="start")
    runs = clear_runs(data, options, start)
    if runs is None:
        return False
    ref, bounds = runs
    model, report = tool.train(data, options, form)
    compare_arrays(tool, ref, bounds, model)
    compare_counts(tool, ref, model, report)
    compare_losses(tool, ref, bounds, report)
    if answers:
        compare_answers(tool, ref, bounds)
    return True


# ----- groups -------------------------------------------------------------------------------


def draw_options(r, optimizer, activation):
    o = {"optimizer": optimizer, "activation": activation, "order": "file",
         "epochs": r.pick(["1", "2", "3", "5"]), "seed": str(r.below(1000)),
         "layers": r.pick(["3", "5", "4,3", "3,5", "3,2,4"])}
    if r.below(5) > 0:       # else all rows, if there are no more than 32
        o["batch"] = r.pick(["1", "3", "4", "7"])
    if r.below(3) == 0:
        o["no-offset"] = True
    if r.below(2):
        o["l2"] = r.pick(["0.1", "0.01", "0.5"])
    if r.below(2):
        o["rate"] = {"sgd": r.pick(["0.05", "0.3"]), "momentum": r.pick(["0.02", "0.1"]),
                     "adam": r.pick(["0.01", "0.0005"])}[optimizer]
    if optimizer != "sgd" and r.below(3) == 0:
        o["momentum"] = r.pick(["0.5", "0.8", "0"])
    if r.below(4) == 0:
        o["init"] = r.pick(["he", "glorot"])
    return o


def many(tool, draw, count):
    """Until `count` cases were compared; a good part has to be clear enough."""
    done = tried = 0
    while done < count:
        tried += 1
        if tried > 6 * count:
            raise Mismatch("of %d cases only %d could be compared" % (tried, done))
        done += draw()


def group_run(optimizer, activation):
    def run(tool, r):
        def draw():
            data = draw_data(r, r.pick([2, 2, 3]))
            o = draw_options(r, optimizer, activation)
            return compare(tool, data, o, r.pick(["libsvm", "csv"]))
        many(tool, draw, 12)
    return run


def group_weights(tool, r):
    """Of rows, of classes, and both; rows of weight 0 are in their batch and count for nothing."""
    def draw():
        data = draw_data(r, r.pick([2, 3]), r.below(3) > 0)
        o = draw_options(r, r.pick(["sgd", "momentum", "adam"]), r.pick(["relu", "tanh"]))
        if r.below(2) or not data.weights:
            o["class-weight"] = ",".join("%s=%s" % (c, r.pick(["2", "0.5", "0.25", "3"]))
                                         for c in data.classes[r.below(2):])
        return compare(tool, data, o, "csv")
    many(tool, draw, 20)


def group_balanced(tool, r):
    def draw():
        data = draw_data(r, r.pick([2, 3]))
        o = draw_options(r, r.pick(["sgd", "momentum", "adam"]), "tanh")
        return compare(tool, data, dict(o, **{"class-weight": "balanced"}))
    many(tool, draw, 6)


def group_positive(tool, r):
    """One class against all others is a network with one output."""
    def draw():
        data = draw_data(r, 3)
        o = draw_options(r, r.pick(["sgd", "momentum", "adam"]), r.pick(["sigmoid", "tanh"]))
        return compare(tool, data, dict(o, positive=r.pick(data.classes)))
    many(tool, draw, 6)


def group_shuffled(tool, r):
    def draw():
        data = draw_data(r, r.pick([2, 3]))
        o = draw_options(r, r.pick(["sgd", "momentum", "adam"]), r.pick(["relu", "tanh"]))
        return compare(tool, data, dict(o, order="shuffle"))
    many(tool, draw, 8)


def group_small(tool, r):
    """Gradients of the size of adam's epsilon, by rows of next to no weight."""
    def draw():
        data = draw_data(r, 2)
        data.weights = [2.0 ** -r.pick([20, 21, 22]) for _ in data.rows]
        o = draw_options(r, "adam", r.pick(["sigmoid", "tanh"]))
        o.pop("l2", None)
        return compare(tool, data, o, "csv")
    many(tool, draw, 8)


def group_learn(tool, r):
    """Line by line, every row is a batch of one."""
    def draw():
        data = draw_data(r, r.pick([2, 3]))
        o = draw_options(r, r.pick(["sgd", "momentum", "adam"]), r.pick(["relu", "tanh"]))
        o.update(batch="1", epochs="1")
        start, _ = tool.train(data, dict(o, epochs="0"))
        runs = clear_runs(data, o, start)
        if runs is None:
            return False
        ref, bounds = runs
        tool.feed(data.libsvm(), tool.path("model"), "-q")
        compare_arrays(tool, ref, bounds, Model(tool.path("model")))
        tool.same("steps", int(Model(tool.path("model")).meta["steps"]), len(data.rows))
        return True
    many(tool, draw, 10)


def group_forms(tool, r):
    """Rows with and without their zeros are the same data, and one thread does what two do. The
    start depends on the number of a column, and those of a table begin at 0."""
    for k in range(18):
        data = draw_data(r, r.pick([2, 3]), rows=20 + r.below(30), columns=3 + r.below(12))
        o = draw_options(r, ["sgd", "momentum", "adam"][k % 3], ["relu", "sigmoid", "tanh"][k // 6])
        o.update({"order": r.pick(["file", "shuffle"]), "dropout": r.pick(["0", "0.3"])})
        for sparse, forms in (("from 0", ["csv", "from 0"]), ("libsvm", ["zeros", "libsvm"])):
            want = tool.train(data, o, sparse)[0].bare()
            for form in forms:
                more = r.pick([["--threads", "1"], ["--threads", "3"], ["--loop", "textbook"]])
                other = tool.train(data, o, form, more)[0].bare()
                tool.same("metadata, %s %s" % (form, more), other[0], want[0])
                tool.same("arrays, %s %s" % (form, more), other[1], want[1])


def group_stream(tool, r):
    """A stream that is told the number of features, and meets the classes in their order and in its
    first batch, gives the bytes of the data in memory."""
    for k in range(9):
        data = draw_data(r, 2)
        data.labels[:2] = data.classes
        o = draw_options(r, ["sgd", "momentum", "adam"][k % 3], r.pick(["relu", "tanh"]))
        o.update(inputs=str(data.columns), batch=r.pick(["2", "5", "8"]))
        memory = tool.train(data, o)[0]
        stream = tool.train(data, o, more=["--stream"])[0]
        tool.same("metadata of a stream", stream.bare()[0], memory.bare()[0])
        tool.same("arrays of a stream", stream.bare()[1], memory.bare()[1])


# ----- the start ----------------------------------------------------------------------------


def wide_data(columns, classes=2):
    """A row a class, the last column in use."""
    return Data([[0.5] * (columns - 1) + [1.0 + k] for k in range(classes)],
                ["c%02d" % k for k in range(classes)])


def check_normal(tool, what, numbers, variance, width=1):
    """Mean, variance, third and fourth moment of many numbers, and the products of neighbours in
    a row and in a column, within 5 standard deviations of what normal numbers have."""
    n = len(numbers)
    tool.same(what + ": enough of them", n > 1000, True)
    x = [v / math.sqrt(variance) for v in numbers]
    for power, want, spread in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        tool.within("%s: moment %d" % (what, power), math.fsum(v ** power for v in x) / n, want,
                    5 * math.sqrt(spread / n))
    for lag in {1, width}:
        pairs = math.fsum(a * b for a, b in zip(x, x[lag:])) / n
        tool.within("%s: neighbours %d apart" % (what, lag), pairs, 0, 5 / math.sqrt(n))


def group_start(tool, r):
    data = wide_data(60, 40)
    for activation, init, he in (("relu", "auto", True), ("tanh", "auto", False),
                                 ("sigmoid", "auto", False), ("tanh", "he", True),
                                 ("relu", "glorot", False)):
        o = {"layers": "90,30,50", "activation": activation, "init": init, "epochs": "0"}
        model, _ = tool.train(data, o)
        sizes = ((60, 90), (90, 30), (30, 50), (50, 40))
        for l, (n, m) in enumerate(sizes):
            what = "%s, %s, layer %d" % (activation, init, l)
            shape, numbers, _ = model.arrays["layer.%d.weight" % l]
            tool.same(what, shape, [n, m])
            variance = 2 / n if he and l + 1 < len(sizes) else 2 / (n + m)
            check_normal(tool, what, numbers, variance, m)
            tool.same("offsets", set(model.arrays["layer.%d.offset" % l][1]), {0.0})
        tool.same("moments", {x for name, (_, a, _) in model.arrays.items()
                              if name.startswith("state") for x in a}, {0.0})


def group_seeds(tool, r):
    """Other seeds are other numbers, which have nothing to do with the first."""
    starts = [tool.train(wide_data(40), {"layers": "50", "epochs": "0", "seed": seed})[0]
              .arrays["layer.0.weight"][1] for seed in ("0", "1", "2")]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        like = math.fsum(p * q for p, q in zip(starts[a], starts[b])) / 2000 / (2 / 40)
        tool.within("seeds alike", like, 0, 5 / math.sqrt(2000))


def group_columns(tool, r):
    """Columns more or less change the spread of the others alone; with --inputs not even that."""
    start = lambda columns, more: tool.train(
        wide_data(columns), {"layers": "7", "activation": activation, "epochs": "0"},
        more=more)[0].rows("layer.0.weight")
    for activation in ("relu", "tanh"):
        few, most = start(5, []), start(12, [])
        ratio = math.sqrt(5 / 12 if activation == "relu" else (5 + 7) / (12 + 7))
        for p, q in zip(few, most):
            for a, b in zip(p, q):
                tool.within("a column's weight", b, a * ratio, 4 * UNIT * abs(b))
    for inputs in ("9", "12"):
        o = {"layers": "4", "epochs": "1", "inputs": inputs, "optimizer": "sgd", "rate": "1e-30"}
        few, most = (tool.train(wide_data(n), o, more=["--stream"])[0].rows("layer.0.weight")
                     for n in (5, 12))
        tool.same("rows of a stream", most[:5], few)
        tool.same("rows", [len(few), len(most)], [5, 12])
    grown = tool.train(wide_data(5), {"layers": "4", "epochs": "0", "optimizer": "sgd",
                                      "rate": "1e-30"})[0].rows("layer.0.weight")
    tool.feed("c00 3:1 12:1\n", tool.path("model"), "-q")
    later = Model(tool.path("model")).rows("layer.0.weight")
    tool.same("rows that were there", later[:5], grown)
    tool.same("rows now", len(later), 12)
    tool.same("the new ones are drawn", all(v != 0 for row in later[5:] for v in row), True)


# ----- the reference and the comparison themselves ------------------------------------------


PLANTS = [("rows of weight 0 count", {"optimizer": "sgd"}),
          ("offsets are in the penalty", {"optimizer": "sgd", "l2": "0.1"}),
          ("another epsilon", {"optimizer": "adam"}),
          ("the means are not corrected", {"optimizer": "adam"}),
          ("nesterov", {"optimizer": "momentum"})]


def check_plant(tool, r, how, more):
    """The reference without the error agrees, with it it does not."""
    data = draw_data(r, 3, True)
    if how == "another epsilon":
        data.weights = [2.0 ** -20] * len(data.rows)
    o = dict({"layers": "4,3", "activation": "tanh", "order": "file", "batch": "5",
              "epochs": "2", "l2": "0"}, **more)
    start, _ = tool.train(data, dict(o, epochs="0"), "csv", name="start")
    runs = clear_runs(data, o, start)
    if runs is None:
        return False
    model, _ = tool.train(data, o, "csv")
    compare_arrays(tool, runs[0], runs[1], model)
    wrong = Reference(data, o, start, plant=how)
    must_fail(tool, compare_arrays, tool, wrong, runs[1], model)
    return True


def group_self(tool, r):
    """Derivatives against differences of the loss, and planted errors that must be found."""
    for how, more in PLANTS:
        many(tool, lambda: check_plant(tool, r, how, more), 2)
    must_fail(tool, tool.within, "a number", math.nan, 1.0, 1.0)
    must_fail(tool, check_normal, tool, "too wide", [1.1 * x for x in normal(r, 2000)], 1)
    must_fail(tool, check_normal, tool, "uniform", [(r.below(2001) - 1000) / 577.35
                                                    for _ in range(2000)], 1)
    check_normal(tool, "normal", normal(r, 2000), 1)
    for k in range(9):
        check_gradient(tool, r, ["relu", "sigmoid", "tanh"][k % 3])


def normal(r, n):
    """By Box and Muller."""
    real = lambda: (r.below(1 << 40) + 1) / (1 << 40)
    return [math.sqrt(-2 * math.log(real())) * math.cos(2 * math.pi * real()) for _ in range(n)]


def check_gradient(tool, r, activation):
    data, h = draw_data(r, r.pick([2, 3]), True), 1e-6
    o = dict(draw_options(r, "sgd", activation), epochs="0")
    start, _ = tool.train(data, o, "csv")
    ref = Reference(data, o, start)
    ref.b = [[(1 + r.below(9)) / 16 for _ in b] for b in ref.b]  # sums of 0 are at the kink
    ref.passes = [{"loss": 0.0, "mistakes": 0}]
    rows = range(len(data.rows))
    gw, gb = ref.gradient(rows)
    counted = sum(c > 0 for c in ref.c)

    def loss():
        return math.fsum(c * surprise(ref.forward(x)[-1], k)
                         for x, k, c in zip(data.rows, ref.truth, ref.c)) / counted

    for l in range(len(gw)):
        for place, g in list(zip(ref.w[l], gw[l])) + [(ref.b[l], gb[l])]:
            for k, want in enumerate(g):
                was = place[k]
                place[k] = was + h
                above = loss()
                place[k] = was - h
                difference = (above - loss()) / (2 * h)
                place[k] = was
                if ref.kink > 1e-4:  # else a difference may reach over a kink
                    tool.within("derivative in layer %d" % l, difference, want, 1e-7)


GROUPS = [("self", group_self)]
GROUPS += [("%s, %s" % (optimizer, activation), group_run(optimizer, activation))
           for optimizer in RATES for activation in ACTIVATION]
GROUPS += [
    ("weights", group_weights),
    ("balanced", group_balanced),
    ("one against rest", group_positive),
    ("shuffled", group_shuffled),
    ("small gradients", group_small),
    ("line by line", group_learn),
    ("dense and sparse", group_forms),
    ("stream", group_stream),
    ("start", group_start),
    ("seeds", group_seeds),
    ("columns", group_columns),
]

if __name__ == "__main__":
    online.main(GROUPS, Tool, 20260311)
