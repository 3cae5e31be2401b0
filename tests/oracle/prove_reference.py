#!/usr/bin/python3
"""A second opinion on `perceptron prove` and `perceptron verify`, in fractions.

    prove_reference.py PROGRAM [GROUP...]

Three things are written down here a second time, and share nothing with the library:

    the data      LIBSVM text and CSV as fractions, and the hash of canonical rows
    the verdict   Fourier and Motzkin's elimination: all minimal ways to add rows up to 0 with
                  weights above 0. A row that is in one of them is in C; S is the rest
    the checker   docs/certificate-format.md, word by word

For each of some thousand small data sets, most of them degenerate, the tool's certificate
has to be the truth: its verdict and its counts are those of the elimination, the checker
accepts it, and so does `verify`. A certificate that was tampered with has to be accepted by
both or by neither. What the report says beside (rank, rows of the witness, exit status) is
compared, too, and that the certificate is the same on two threads.

A group that compared nothing fails. The first mismatch ends the program, with the data and
the command. The data follow from fixed seeds.
"""
import hashlib
import json
import os
import re
import subprocess
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import gcd

import online_reference as online
from online_reference import Mismatch, must_fail

NUMBER = re.compile(r"([+-]?)(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?\Z", re.ASCII)
WHOLE = re.compile(r"(0|-?[1-9][0-9]*)\Z", re.ASCII)
GROUP = 4096


# ----- the data -----------------------------------------------------------------------------


def decimal_of(text):
    """(m, e): the number is m 10^e, and m is 0 or no multiple of 10."""
    sign, digits, power = NUMBER.match(text).groups()
    before, _, after = digits.partition(".")
    m, e = int(before + after), int(power or 0) - len(after)
    while m and m % 10 == 0:
        m, e = m // 10, e + 1
    return (-m if sign == "-" else m), e if m else 0


def label_of(text):
    """A number by its value, so that +1, 1.0 and 1 are one label; a word as it is."""
    if not NUMBER.match(text):
        return text
    value = float(text)
    if value == int(value):
        return str(int(value))
    return repr(value)


def label_key(text):
    return (0, float(text), b"") if NUMBER.match(text) else (1, 0, text.encode())


class Rows:
    """What a file says: labels, and of each row {feature from 1: (m, e)} without zeros."""

    def __init__(self, rows, features):
        self.features = features
        self.label = [label_of(label) for label, _ in rows]
        self.x = [{j: d for j, d in row.items() if d[0]} for _, row in rows]
        self.classes = sorted(set(self.label), key=label_key)

    def values(self, i):
        return {j: Fraction(m) * Fraction(10) ** e for j, (m, e) in self.x[i].items()}

    def hash(self):
        lines = []
        for label, row in zip(self.label, self.x):
            entries = "".join(" %d:%de%d" % (j, *row[j]) for j in sorted(row))
            lines.append(b"%d:%s%s\n" % (len(label.encode()), label.encode(), entries.encode()))
        out = hashlib.sha256(b"perceptron rows 1\n%d\n" % len(lines))
        for at in range(0, len(lines), GROUP):
            part = hashlib.sha256(b"".join(lines[at:at + GROUP]))
            out.update(part.hexdigest().encode() + b"\n")
        return out.hexdigest()


def read_libsvm(text):
    found = []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words:
            pairs = [word.split(":") for word in words[1:]]
            found.append((words[0], {int(j): decimal_of(v) for j, v in pairs}))
    base = 0 if any(0 in row for _, row in found) else 1
    rows = [(label, {j - base + 1: d for j, d in row.items()}) for label, row in found]
    return Rows(rows, max([j for _, row in rows for j in row], default=0))


def read_csv(text):
    """With a header; the last column is the label."""
    lines = [line.split(",") for line in text.splitlines()][1:]
    rows = [(cells[-1], {j + 1: decimal_of(v) for j, v in enumerate(cells[:-1])})
            for cells in lines]
    return Rows(rows, len(lines[0]) - 1)


# ----- what planes see ----------------------------------------------------------------------


class Space:
    """The a_i without their sign, as {name: fraction}: names are products of features, sorted
    tuples; () is the constant. rbf: the image of a point is independent of all others."""

    def __init__(self, offset, kernel=None):
        self.offset, self.kernel = offset, kernel

    def image(self, values):
        if self.kernel is None:
            out = {(j,): v for j, v in values.items()}
        elif self.kernel["name"] == "rbf":
            return {tuple(sorted(values.items())): Fraction(1)}
        else:
            degree = self.kernel["degree"]
            sizes = [degree] if self.kernel["homogeneous"] else range(degree + 1)
            out = {}
            for size in sizes:
                for key in combinations_with_replacement(sorted(values), size):
                    v = Fraction(1)
                    for j in key:
                        v *= values[j]
                    out[key] = v
        if self.offset:
            out[()] = Fraction(1)
        return out


def signs(data, positive, negative):
    """{row from 1: y} of a problem; negative None: all other labels."""
    return {i + 1: 1 if label == positive else -1 for i, label in enumerate(data.label)
            if label == positive or negative in (None, label)}


def vectors(data, space, y):
    """{row: a_i}"""
    out = {}
    for i, sign in y.items():
        out[i] = {k: sign * v for k, v in space.image(data.values(i - 1)).items()}
    return out


# ----- the verdict --------------------------------------------------------------------------


def dense(a):
    """Rows of whole numbers, each a positive multiple of a vector of `a`."""
    names = sorted({k for v in a.values() for k in v}, key=repr)
    out = []
    for v in a.values():
        row = [v.get(k, Fraction(0)) for k in names]
        scale = 1
        for x in row:
            scale = scale * x.denominator // gcd(scale, x.denominator)
        out.append(shortened([int(x * scale) for x in row]))
    return out


def shortened(row):
    g = 0
    for x in row:
        g = gcd(g, x)
    return [x // g for x in row] if g > 1 else row


def held(a):
    """C: the rows with a weight above 0 in some sum of rows that is 0. One coordinate after the
    other is made 0, by adding each combination with a positive number there to each with
    a negative one; of combinations, those whose rows include all rows of another are not
    needed (Chernikov 1960). What is left are all minimal sums."""
    rows = [(vector, 1 << k) for k, vector in enumerate(dense(a))]
    for j in range(len(rows[0][0]) if rows else 0):
        kept = [r for r in rows if r[0][j] == 0]
        plus = [r for r in rows if r[0][j] > 0]
        minus = [r for r in rows if r[0][j] < 0]
        new = [(p, q, p[1] | q[1]) for p in plus for q in minus]
        sets = {s for _, s in kept} | {s for _, _, s in new}
        least = []
        for s in sorted(sets, key=lambda s: bin(s).count("1")):
            if not any(t & s == t for t in least):
                least.append(s)
        least = set(least)
        rows = [r for r in kept if r[1] in least]
        done = {s for _, s in rows}
        for p, q, s in new:
            if s in least and s not in done:
                done.add(s)
                rows.append((shortened([u * -q[0][j] + v * p[0][j] for u, v in zip(p[0], q[0])]),
                             s))
    union = 0
    for _, s in rows:
        union |= s
    return {i for k, i in enumerate(a) if union >> k & 1}


def rank(a):
    m, r = [row[:] for row in dense(a)], 0
    for j in range(len(m[0]) if m else 0):
        at = next((i for i in range(r, len(m)) if m[i][j]), None)
        if at is None:
            continue
        m[r], m[at] = m[at], m[r]
        for i in range(r + 1, len(m)):
            if m[i][j]:
                f, g = m[r][j], m[i][j]
                m[i] = shortened([f * u - g * v for u, v in zip(m[i], m[r])])
        r += 1
    return r


def verdict_of(rows, c):
    return "separable" if not c else "overlapping" if len(c) == rows else "touching"


# ----- the checker --------------------------------------------------------------------------


class Refuted(Exception):
    pass


def need(fact, why):
    if not fact:
        raise Refuted(why)


def whole(text):
    need(isinstance(text, str) and WHOLE.match(text), "whole number: %r" % (text,))
    return int(text)


def count(value):
    need(type(value) is int and value >= 0, "count: %r" % (value,))
    return value


def keys_are(thing, *names):
    need(isinstance(thing, dict) and set(thing) == set(names), "fields: %r" % (thing,))


def once(pairs):
    need(len({k for k, _ in pairs}) == len(pairs), "a field is there twice")
    return dict(pairs)


def product(v, w):
    return sum((w[k] * x for k, x in v.items() if k in w), Fraction(0))


def plane_of(part, cert, data):
    """w by names."""
    kernel, out, last = cert["kernel"], {}, 0
    for entry in part["w"]:
        need(isinstance(entry, list) and len(entry) == 2, "an entry of w")
        key = entry[0]
        if kernel is None:
            need(count(key) > last, "features rise")
            last, key = key, (key,)
        else:
            need(isinstance(key, list) and all(count(j) for j in key), "a product")
            need(key == sorted(key) and len(key) <= kernel["degree"], "a product")
            need(len(key) == kernel["degree"] or not kernel["homogeneous"], "a product")
            key = tuple(key)
            need(key != () or not cert["offset"], "the constant is b")
        need(all(1 <= j <= data.features for j in key), "no such feature")
        need(key not in out, "twice")
        out[key] = Fraction(whole(entry[1]))
        need(out[key] != 0, "zeros are left out")
    if cert["offset"]:
        out[()] = Fraction(whole(part["b"]))
    return out


def list_of(thing):
    """{row: weight}"""
    rows, weights = thing["rows"], thing["weights"]
    need(isinstance(rows, list) and isinstance(weights, list), "lists")
    need(len(rows) == len(weights), "as many weights as rows")
    need(all(count(i) for i in rows) and rows == sorted(set(rows)), "rows rise")
    out = dict(zip(rows, map(whole, weights)))
    need(all(w > 0 for w in out.values()), "weights are above 0")
    return out


def sum_is_zero(a, weights):
    total = {}
    for i, weight in weights.items():
        need(i in a, "row %d has no place in the sum" % i)
        for k, x in a[i].items():
            total[k] = total.get(k, Fraction(0)) + weight * x
    need(not any(total.values()), "a sum that is not 0")


def check_fields(part, cert):
    verdict = part.get("verdict")
    need(verdict in ("separable", "touching", "overlapping", "not separable"), "a verdict")
    rbf = cert["kernel"] is not None and cert["kernel"]["name"] == "rbf"
    names = ["positive", "negative", "verdict"]
    if verdict != "not separable":
        names += ["strict", "held"]
    if verdict != "separable":
        names += ["no"]
    if verdict in ("separable", "touching") and not rbf:
        names += ["w", "b"] if cert["offset"] else ["w"]
    if verdict in ("touching", "overlapping") and not rbf:
        names += ["all"]
    keys_are(part, *names)
    return verdict, rbf


def check_part(part, cert, data):
    verdict, rbf = check_fields(part, cert)
    positive, negative = part["positive"], part["negative"]
    need(positive in data.classes, "a label")
    need(negative is None or negative in data.classes and negative != positive, "a label")
    a = vectors(data, Space(cert["offset"], cert["kernel"]), signs(data, positive, negative))
    c = set(a)
    if rbf:
        c = held(a)
    elif "w" in part:
        w = plane_of(part, cert, data)
        side = {i: product(v, w) for i, v in a.items()}
        need(all(s >= 0 for s in side.values()), "a row on the wrong side")
        c = {i for i, s in side.items() if s == 0}
    if verdict != "not separable":
        need([count(part["strict"]), count(part["held"])] == [len(a) - len(c), len(c)], "counts")
        need(verdict == verdict_of(len(a), c) or verdict == "overlapping" and not a, "verdict")
    if verdict != "separable":
        keys_are(part["no"], "rows", "weights")
        no = list_of(part["no"])
        need(no, "an empty witness")
        sum_is_zero(a, no)
        need(not rbf or list(no.values()) == [1, 1], "a pair")
    if "all" in part:
        keys_are(part["all"], "rows", "weights", "others")
        others = whole(part["all"]["others"])
        need(others > 0, "the weight of others")
        sum_is_zero({i: a[i] for i in c}, {**dict.fromkeys(c, others), **list_of(part["all"])})


def check(text, data):
    """Raises Refuted where the certificate does not prove what it says."""
    cert = json.loads(text, object_pairs_hook=once)
    keys_are(cert, "perceptron_certificate", "data", "offset", "kernel", "parts")
    need(type(cert["perceptron_certificate"]) is int, "version")
    need(cert["perceptron_certificate"] == 1, "version")
    need(type(cert["offset"]) is bool, "offset")
    keys_are(cert["data"], "sha256", "rows", "features")
    need(cert["data"] == {"sha256": data.hash(), "rows": len(data.label),
                          "features": data.features}, "other data")
    kernel = cert["kernel"]
    if kernel is not None and kernel.get("name") == "poly":
        keys_are(kernel, "name", "degree", "homogeneous")
        need(1 <= count(kernel["degree"]) <= 100 and type(kernel["homogeneous"]) is bool, "poly")
    elif kernel is not None:
        need(kernel == {"name": "rbf"}, "kernel")
    need(isinstance(cert["parts"], list) and cert["parts"], "parts")
    for part in cert["parts"]:
        check_part(part, cert, data)
    labels = [(part["positive"], part["negative"]) for part in cert["parts"]]
    need(len(set(labels)) == len(labels), "the same labels again")
    return cert


# ----- the tool -----------------------------------------------------------------------------


class Tool(online.Tool):
    def status(self, *args):
        """Runs the tool; its exit status and its output."""
        line = [self.program] + list(args)
        self.about = "%s\n$ %s" % (self.about.split("\n$ ")[0], " ".join(line))
        done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True)
        return done.returncode, done.stdout, done.stderr

    def write(self, text, name="data"):
        with open(self.path(name), "w", newline="") as f:
            f.write(text)
        if name == "data":
            self.about = text

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as f:
            return f.read()

    def prove(self, form, *options):
        """Exit status, report and certificate."""
        if os.path.exists(self.path("cert")):
            os.remove(self.path("cert"))
        status, out, err = self.status("prove", self.path("data"), "--format", form, "--json",
                                       "-o", self.path("cert"), *options)
        if status not in (0, 1):
            raise Mismatch("exit status %d: %s" % (status, err.strip()))
        return status, json.loads(out), self.read("cert")

    def verify(self, form, name="cert"):
        return self.status("verify", self.path(name), self.path("data"), "--format", form)


def problems(classes):
    """In the order of the report."""
    if len(classes) <= 2:
        return [(classes[-1], classes[0] if len(classes) > 1 else None)]
    return [(c, None) for c in classes] + \
           [(q, p) for p, q in combinations(classes, 2)]


def compare_part(tool, part, seen, data, space, quick):
    """A part of the certificate and of the report against the elimination."""
    tool.about += "\n# %s against %s" % (part["positive"], part["negative"])
    a = vectors(data, space, signs(data, part["positive"], part["negative"]))
    c = held(a)
    want = verdict_of(len(a), c)
    if quick and c:
        tool.same("verdict", part["verdict"], "not separable")
    else:
        tool.same("verdict", part["verdict"], want)
        tool.same("S and C", [part["strict"], part["held"]], [len(a) - len(c), len(c)])
        tool.same("S and C of the report", [seen["strict"], seen["held"]],
                  [part["strict"], part["held"]])
    tool.same("verdict of the report", seen["verdict"], part["verdict"])
    tool.same("rows", seen["rows"], len(a))
    if c:
        rows = part["no"]["rows"]
        tool.same("rows of the witness", seen["witness"]["rows"], rows)
        tool.same("weights", seen["witness"]["weights"], part["no"]["weights"])
        tool.same("at most rank + 1 rows", len(rows) <= rank(a) + 1, True)
        tool.same("of the least kind", len(rows) - rank({i: a[i] for i in rows}), 1)
    if "all" in part:
        r = rank({i: a[i] for i in c})
        tool.same("rank", seen["rank"], r)
        tool.same("at most 2 rank rows", len(part["all"]["rows"]) <= 2 * r, True)
    return want


def compare(tool, text, form, space, quick=False, options=()):
    """All about one data set; the verdicts."""
    data = read_csv(text) if form == "csv" else read_libsvm(text)
    options = list(options) + ([] if space.offset else ["--no-offset"]) + ["--quick"] * quick
    tool.write(text)
    status, report, cert = tool.prove(form, *options)
    about = tool.about
    try:
        parts = check(cert, data)["parts"]
    except Refuted as why:
        raise Mismatch("the certificate is refuted: %s\n%s" % (why, cert)) from why
    tool.compared += 1
    tool.same("problems", [(p["positive"], p["negative"]) for p in parts], problems(data.classes))
    found = []
    for part, seen in zip(parts, report["parts"]):
        tool.about = about
        found.append(compare_part(tool, part, seen, data, space, quick))
    tool.same("exit status", status, int(any(v != "separable" for v in found)))
    tool.same("verify", tool.verify(form)[0], 0)
    return found, data, cert


# ----- data sets ----------------------------------------------------------------------------

NAMES = [["-1", "1"], ["+1", "2"], ["no", "yes"], ["0", "1.0", "x"], ["b", "a", "c", "d"],
         ["7"]]


def spell(r, m, e):
    """m 10^e in one of many ways."""
    sign, digits = "-" if m < 0 else r.pick(["", "", "+"]), str(abs(m))
    way = r.below(5)
    if way == 0 or (way == 1 and not -9 < e <= 0):
        return "%s%se%d" % (sign, digits, e)
    if way == 1:
        digits = digits.rjust(1 - e, "0")
        return sign + (digits[:e] + "." + digits[e:] if e else digits)
    if way == 2:
        return "%s0%s00E%d" % (sign, digits, e - 2)
    if way == 3:
        return "%s.%se%d" % (sign, digits, e + len(digits))
    return "%s%s.%se%+d" % (sign, digits[0], digits[1:], e + len(digits) - 1)


def whole_rows(r, n, d):
    """Few values, so that much is equal, collinear or 0."""
    span = r.pick([1, 1, 2, 3])
    return [[r.below(2 * span + 1) - span if r.below(4) else 0 for _ in range(d)]
            for _ in range(n)]


def joined_rows(r, n, d):
    """Some rows, and means of them: faces, edges, touching hulls."""
    rows = whole_rows(r, max(2, n // 2), d)
    while len(rows) < n:
        p, q, k = r.pick(rows), r.pick(rows), r.below(5)
        rows.append([Fraction(k * u + (4 - k) * v, 4) for u, v in zip(p, q)])
    return rows


def split_rows(r, n, d):
    """Rows on one side of a plane, or on it: separable or touching, whatever the labels are."""
    w = [r.below(5) - 2 for _ in range(d)]
    rows = whole_rows(r, n, d)
    return [([-u for u in row] if sum(u * v for u, v in zip(row, w)) < 0 else row)
            for row in rows]


def moved(r, rows, ladder):
    """The same numbers on the scales of `ladder`, some moved by the least bit there."""
    out = []
    scale = [r.pick(ladder) for _ in rows[0]]
    for row in rows:
        new = []
        for u, (e, step) in zip(row, scale):
            u = Fraction(u) * 10 ** 3
            m = int(u) * 10 ** step + (r.below(3) - 1 if step and r.below(3) == 0 else 0)
            new.append((m, e - 3 - step))
        out.append(new)
    return out


PLAIN = [(0, 0)]
LADDERS = [[(0, 0), (-1, 0), (2, 0)],
           [(0, 0), (-20, 0), (20, 0)],
           [(0, 17), (0, 0)],                         # beyond the digits of a double
           [(0, 25), (0, 0)],
           [(-320, 0), (-300, 0), (0, 0)],            # subnormal, or 0 as a double
           [(-400, 0), (0, 0)],
           [(300, 0), (-300, 0)],
           [(250, 20), (-330, 20), (0, 0)]]


def text_of(r, rows, labels, form):
    """rows: lists of (m, e)."""
    out = []
    if form == "csv":
        out.append(",".join(["x%d" % j for j in range(len(rows[0]))] + ["label"]))
        for row, label in zip(rows, labels):
            out.append(",".join([spell(r, *u) for u in row] + [label]))
    else:
        base = 1 if r.below(4) else 0
        for row, label in zip(rows, labels):
            out.append(" ".join([label] + ["%d:%s" % (j + base, spell(r, *u))
                                           for j, u in enumerate(row) if u[0] or not r.below(3)]))
    return "\n".join(out) + "\n"


def draw(r, form, ladders, most=9, dims=3, names=None, rows=None):
    """Text of a data set."""
    d, n = 1 + r.below(dims), 1 + r.below(most)
    made = (rows or r.pick([whole_rows, joined_rows, split_rows]))(r, n, d)
    n = len(made)
    names = r.pick(names or NAMES)
    labels = [r.pick(names) for _ in range(n)]
    if r.below(3) == 0 and len(names) > 1:           # labels that follow the data, and a few not
        labels = [names[sum(row) > 0] if r.below(9) else label
                  for row, label in zip(made, labels)]
    if r.below(4) == 0:                              # a row once more
        made.append(r.pick(made))
        labels.append(r.pick(names))
    return text_of(r, moved(r, made, r.pick(ladders)), labels, form)


# ----- groups -------------------------------------------------------------------------------


def all_met(tool, seen, least, wanted=("separable", "touching", "overlapping")):
    counts = [seen.count(v) for v in wanted]
    tool.same("every verdict came at least %d times (%s)" % (least, counts),
              all(k >= least for k in counts), True)


def group_linear(form, ladders, cases, **how):
    def run(tool, r):
        seen = []
        for k in range(cases):
            text = draw(r, form, ladders, **how)
            seen += compare(tool, text, form, Space(r.below(3) > 0), k % 4 == 0)[0]
        all_met(tool, seen, cases // 12)
    return run


def group_poly(tool, r):
    seen = []
    for k in range(64):
        text = draw(r, "libsvm", LADDERS[:1] + LADDERS[2:5] if k % 3 else [PLAIN], most=8, dims=2)
        homogeneous, offset = r.below(2) == 1, r.below(2) == 1
        degree = 2 + (r.below(4) == 0)
        space = Space(offset or not homogeneous,
                      {"name": "poly", "degree": degree, "homogeneous": homogeneous})
        options = ["--kernel", "poly", "--degree", str(degree), "--coef0",
                   "0" if homogeneous else r.pick(["1", "0.5"])]
        if not offset and space.offset:
            options.append("--no-offset")            # the kernel has a constant of its own
        seen += compare(tool, text, "libsvm", space, k % 5 == 0, options)[0]
    all_met(tool, seen, 10)


def group_rbf(tool, r):
    seen = []
    for k in range(64):
        text = draw(r, r.pick(["libsvm", "csv"]), LADDERS, dims=2)
        form = "csv" if text.startswith("x0") else "libsvm"
        options = ["--kernel", r.pick(["rbf", "gaussian"])]
        seen += compare(tool, text, form, Space(r.below(2) == 1, {"name": "rbf"}), k % 4 == 0,
                        options)[0]
    all_met(tool, seen, 5)


def group_threads(tool, r):
    """The same bytes."""
    for _ in range(25):
        text = draw(r, "libsvm", LADDERS, most=30, dims=6)
        tool.write(text)
        certs = [tool.prove("libsvm", "--threads", k)[2] for k in ("1", "2", "5")]
        tool.same("certificates of one, two and five threads", certs, certs[:1] * 3)


def places(thing, path=()):
    """All places of a JSON value."""
    yield path
    inside = thing.items() if isinstance(thing, dict) else enumerate(thing) \
        if isinstance(thing, list) else ()
    for k, v in inside:
        yield from places(v, path + (k,))


def tampered(r, cert):
    """Another certificate, wrong as a rule: one value in it is changed, or goes."""
    new = json.loads(cert)
    path = r.pick([p for p in places(new) if p and p[:2] != ("data", "sha256") or not r.below(9)])
    if not path:
        return cert
    at = new
    for k in path[:-1]:
        at = at[k]
    old = at[path[-1]]
    way = r.below(6)
    if way == 0:
        if isinstance(at, dict):
            del at[path[-1]]
        else:
            at.pop(path[-1])
    elif isinstance(old, bool):
        at[path[-1]] = not old
    elif isinstance(old, int):
        at[path[-1]] = max(0, old + r.pick([-1, 1, 2]))
    elif isinstance(old, str) and WHOLE.match(old):
        at[path[-1]] = r.pick([str(int(old) + r.pick([-1, 1])), str(-int(old)), str(2 * int(old)),
                               "0", old + "0", "0" + old, "+" + old])
    elif isinstance(old, str):
        at[path[-1]] = r.pick(["separable", "touching", "overlapping", "not separable", old + "x",
                               "1", "a"])
    elif isinstance(old, list) and old:
        at[path[-1]] = r.pick([old[::-1], old[:-1], old + old[-1:], []])
    else:
        at[path[-1]] = None
    return json.dumps(new)


def group_tampered(tool, r):
    """Both checkers accept it, or none does. Some changes are none: twice a plane is that plane."""
    accepted = 0
    for k in range(64):
        kernel, options = None, []
        if k % 5 == 0:
            kernel = {"name": "poly", "degree": 2, "homogeneous": False}
            options = ["--kernel", "poly", "--degree", "2"]
        elif k % 5 == 1:
            kernel, options = {"name": "rbf"}, ["--kernel", "rbf"]
        text = draw(r, "libsvm", LADDERS[:4], most=7, dims=2)
        space = Space(kernel is not None and kernel["name"] == "poly" or r.below(2) == 0, kernel)
        _, data, cert = compare(tool, text, "libsvm", space, k % 3 == 0, options)
        for _ in range(8):
            new = tampered(r, cert)
            try:
                check(new, data)
                want = True
            except Refuted:
                want = False
            except (TypeError, KeyError, AttributeError, ValueError):
                want = False                         # of another type than it should be
            tool.write(new, "new")
            status, _, err = tool.verify("libsvm", "new")
            tool.same("verify: 0, 1 or 3 (%s)" % err, status in (0, 1, 3), True)
            tool.same("verify accepts\n" + new, status == 0, want)
            accepted += want
    tool.same("some stay true (%d), most do not" % accepted, 5 < accepted < 200, True)


def group_other_data(tool, r):
    """A certificate is about these rows and labels in this order, however they are written."""
    for _ in range(60):
        text = draw(r, "libsvm", LADDERS, names=NAMES[:3])
        _, data, _ = compare(tool, text, "libsvm", Space(True))
        lines = text.splitlines()
        k = r.below(len(lines))
        words = lines[k].split()
        other = r.pick([lines[:k] + [lines[k] + " 99:1"] + lines[k + 1:],
                        lines[:k] + lines[k + 1:],
                        lines + lines[k:k + 1],
                        lines[::-1],
                        lines[:k] + [" ".join(["3"] + words[1:])] + lines[k + 1:],
                        ["  ".join(line.split()) + " # the same" for line in lines]])
        if not other:
            continue
        other = "\n".join(other) + "\n"
        new = read_libsvm(other)
        tool.write(other)
        same = (new.hash(), new.features) == (data.hash(), data.features)
        tool.same("verify with other data", tool.verify("libsvm")[0], 0 if same else 1)


def every_circuit(a):
    """C once more: sets of rows that depend on each other as a whole, with weights above 0."""
    out = set()
    for size in range(1, len(a) + 1):
        for rows in combinations(a, size):
            part = {i: a[i] for i in rows}
            if rank(part) == size - 1 and all(rank({i: part[i] for i in rows if i != k}) == size - 1
                                              for k in rows):
                if positive_circuit(dense(part)):
                    out |= set(rows)
    return out


def positive_circuit(m):
    """Whether the one combination of these rows that is 0 has weights of one sign."""
    n = len(m)
    m = [[Fraction(m[i][j]) for i in range(n)] for j in range(len(m[0]))]  # a column a row
    r, pivots = 0, []
    for j in range(n):
        at = next((i for i in range(r, len(m)) if m[i][j]), None)
        if at is None:
            continue
        m[r], m[at] = m[at], m[r]
        m[r] = [x / m[r][j] for x in m[r]]
        for i in range(len(m)):
            if i != r and m[i][j]:
                m[i] = [x - m[i][j] * y for x, y in zip(m[i], m[r])]
        pivots.append(j)
        r += 1
    free = next(j for j in range(n) if j not in pivots)
    return all(m[k][free] < 0 for k in range(len(pivots)))


def group_self(tool, r):
    """Elimination against the enumeration of circuits; planted errors that are found."""
    for _ in range(60):
        data = read_libsvm(draw(r, "libsvm", [PLAIN], most=7))
        y = signs(data, data.classes[-1], None)
        a = vectors(data, Space(r.below(2) == 1), y)
        if all(a.values()):
            tool.same("two ways to C", sorted(held(a)), sorted(every_circuit(a)))
    tool.same("0.10 is 1e-1", decimal_of("+0.10"), (1, -1))
    tool.same("-.5e3 is -5e2", decimal_of("-.5e3"), (-5, 2))
    text = "1 1:1\n-1 1:2\n1 1:3\n"
    space = Space(True)
    tool.same("2 between 1 and 3", held(vectors(read_libsvm(text), space, {1: 1, 2: -1, 3: 1})),
              {1, 2, 3})
    _, data, cert = compare(tool, text, "libsvm", space)
    for old, new in (('"overlapping"', '"touching"'), ('"1"', '"3"'), ('"held":3', '"held":2'),
                     ('"rows":3', '"rows":4'), ("true", "null"), ('"sha256":"', '"sha256":"0')):
        try:
            check(cert.replace(old, new, 1), data)
        except Refuted:
            tool.compared += 1
            continue
        raise Mismatch("%s instead of %s was accepted" % (new, old))
    must_fail(tool, tool.same, "verdict", "touching", "overlapping")


def solved(a, b):
    """The solution of a x = b; None: there is none, or more than one."""
    n, m = len(a), [row + [y] for row, y in zip(a, b)]
    for c in range(n):
        at = next((i for i in range(c, n) if m[i][c]), None)
        if at is None:
            return None
        m[c], m[at] = m[at], m[c]
        for i in range(n):
            if i != c and m[i][c]:
                f = m[i][c] / m[c][c]
                m[i] = [x - f * y for x, y in zip(m[i], m[c])]
    return [m[i][n] / m[i][i] for i in range(n)]


def nearest2(gram, classes):
    """|p|^2 of the point nearest to 0 with weights >= 0 that add up to 1 in each of the classes,
    sets of rows: the least among the nearest points of the planes through some of the rows, as far
    as their weights are right. `gram`: how rows multiply."""
    found, n = [], len(gram)
    for k in range(len(classes), n + 1):
        for some in combinations(range(n), k):
            ones = [[Fraction(i in c) for i in some] for c in classes]
            if any(not any(row) for row in ones):
                continue
            a = [[Fraction(0)] * len(classes) + row for row in ones]
            a += [[row[j] for row in ones] + [gram[i][l] for l in some] for j, i in enumerate(some)]
            x = solved(a, [Fraction(1)] * len(classes) + [Fraction(0)] * k)
            if x and min(x[len(classes):]) >= 0:
                x = x[len(classes):]
                found.append(sum(u * v * gram[i][j] for u, i in zip(x, some)
                                 for v, j in zip(x, some)))
    return min(found)


def plain_nearest2(rows):
    return nearest2([[sum(x * y for x, y in zip(p, q)) for q in rows] for p in rows],
                    [set(range(len(rows)))])


def group_bound(tool, r):
    """(R / gamma')^2 as a fraction."""
    met = 0
    for _ in range(150):
        d, n, offset = 1 + r.below(3), 2 + r.below(6), r.below(3) > 0
        w, b = [r.below(7) - 3 for _ in range(d)], r.below(7) - 3 if offset else 0
        e = [r.pick([0, 0, -1, -2]) for _ in range(d)]
        rows = [[Fraction(r.below(61) - 30) * Fraction(10) ** k for k in e] for _ in range(n)]
        score = [sum(u * v for u, v in zip(w, x)) + b for x in rows]
        a = [[u if s > 0 else -u for u in x + [Fraction(1)] * offset]
             for x, s in zip(rows, score) if s]
        if len({s > 0 for s in score if s}) < 2:
            continue
        tool.write("".join("%d %s\n" % (1 if s > 0 else -1, " ".join(
            "%d:%de%d" % (j + 1, x[j] / Fraction(10) ** e[j], e[j]) for j in range(d)))
            for x, s in zip(rows, score) if s))
        bound = tool.prove("libsvm", "--bound", "--orders", "1",
                           *([] if offset else ["--no-offset"]))[1]["bound"]
        want = max(sum(u * u for u in x) for x in a) / plain_nearest2(a)
        tool.same("bound", Fraction(bound["bound_exact"]), want)
        tool.same("its doubles", Fraction(bound["bound_lower"]) <= want <= Fraction(bound["bound"]),
                  True)
        met += 1
    tool.same("bounds were found", met > 75, True)


def exponential(x):
    """e^x for a fraction x, to about 60 digits."""
    with localcontext() as c:
        c.prec = 80
        return Fraction((Decimal(x.numerator) / Decimal(x.denominator)).exp())


def kernel_of(r):
    """Options, and the function."""
    gamma = r.pick(["1", "0.5", "2", "0.25"])
    if r.below(2):
        d, c = 1 + r.below(3), r.pick(["0", "1", "2.5"])
        return (["--kernel", "poly", "--degree", str(d), "--gamma", gamma, "--coef0", c],
                lambda x, z: (Fraction(gamma) * sum(u * v for u, v in zip(x, z)) + Fraction(c)) ** d)
    return (["--kernel", "rbf", "--gamma", gamma],
            lambda x, z: exponential(-Fraction(gamma) * sum((u - v) ** 2 for u, v in zip(x, z))))


def between(tool, what, pair, square, scale):
    """Whether the bounds are those of scale * sqrt(square), and near each other."""
    low, high = (Fraction(pair[k]) / scale for k in ("lower", "upper"))
    slack = Fraction(1, 10 ** 50)
    tool.same(what, low ** 2 * (1 - slack) <= square <= high ** 2 * (1 + slack), True)
    tool.same(what + ", both bounds", high - low <= high / 10 ** 6, True)


def group_kernel_margin(tool, r):
    """gamma', the geometric margin, R and the bound, in the space of a kernel."""
    met = 0
    for _ in range(60):
        d, n, offset = 1 + r.below(2), 2 + r.below(5), r.below(3) > 0
        e = r.pick([0, -1])
        rows = [[Fraction(r.below(31) - 15) * Fraction(10) ** e for _ in range(d)]
                for _ in range(n)]
        y = [1, -1] + [r.pick([1, -1]) for _ in range(n - 2)]
        options, k = kernel_of(r)
        tool.write("".join("%d %s\n" % (s, " ".join(
            "%d:%de%d" % (j + 1, x[j] / Fraction(10) ** e, e) for j in range(d)))
            for x, s in zip(rows, y)))
        told = tool.prove("libsvm", "--margin", "--bound", "--orders", "2", *options,
                          *([] if offset else ["--no-offset"]))[1]
        part = told["parts"][0]
        if part["verdict"] != "separable":
            continue
        gram = [[s * t * (k(x, z) + offset) for z, t in zip(rows, y)] for x, s in zip(rows, y)]
        square = nearest2(gram, [set(range(n))])
        between(tool, "gamma'", part["margin"], square, 1)
        hulls = [{i for i in range(n) if y[i] == s} for s in (1, -1)] if offset else [set(range(n))]
        between(tool, "geometric margin", part["geometric_margin"], nearest2(gram, hulls),
                Fraction(1, 2) if offset else 1)
        bound = told["bound"]
        most = max(gram[i][i] for i in range(n))
        tool.same("R", 0 <= Fraction(bound["radius"]) ** 2 - most <= most / 10 ** 14, True)
        tool.same("bound", Fraction(bound["bound_lower"]) <= most / square <= Fraction(bound["bound"]),
                  True)
        for run in bound["runs"]:
            tool.same("mistakes", run["converged"] and run["mistakes"] <= most / square, True)
        met += 1
    tool.same("margins were found", met > 30, True)
    must_fail(tool, between, tool, "gamma'", {"lower": 1, "upper": 1.0000001}, Fraction(2), 1)


GROUPS = [
    ("self", group_self),
    ("whole numbers", group_linear("libsvm", [PLAIN], 240)),
    ("whole numbers, 4", group_linear("libsvm", [PLAIN], 60, dims=4, names=NAMES[:3])),
    ("decimals", group_linear("csv", LADDERS[:2], 120)),
    ("long, tiny and huge", group_linear("libsvm", LADDERS[2:], 130)),
    ("long, tiny and huge csv", group_linear("csv", LADDERS[2:], 72)),
    ("touching", group_linear("libsvm", LADDERS[:4], 60, rows=joined_rows, most=12, dims=2)),
    ("poly", group_poly),
    ("rbf", group_rbf),
    ("threads", group_threads),
    ("bound", group_bound),
    ("kernel margin", group_kernel_margin),
    ("tampered", group_tampered),
    ("other data", group_other_data),
]

if __name__ == "__main__":
    online.main(GROUPS, Tool, 20261115)
