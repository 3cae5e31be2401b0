#!/usr/bin/python3
"""The geometry of linear machines, as numbers and as pictures, checked from the outside.

    figures_reference.py PROGRAM [GROUP...]

Nothing here is taken from the program's own formulas. The point of a plane that is nearest to x
is known by what makes it so: it lies on the plane, and what leads from it to x is a multiple of w
(in fractions; and numpy's least squares find the same). Traces are those of a perceptron written
down here in fractions. Pictures are read as a reader would: the scales from the numbers beside
the axes, the lines from their ends; what they show has to be what the weights in the model file,
read by the layout of safetensors, say.

A group that checked nothing fails, and so does the first mismatch.
"""
import csv
import io
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from fractions import Fraction

from unscaled import unscaled

try:
    import numpy
except ImportError:
    numpy = None

SVG = "{http://www.w3.org/2000/svg}"
checks = 0


def check(true, *what):
    global checks
    checks += 1
    if not true:
        sys.exit("figures: " + " ".join(str(w) for w in what))


def near(a, b, size=1.0, digits=9):
    return abs(float(a) - float(b)) <= 10.0 ** -digits * max(float(size), abs(float(b)))


# ----- the program and its files ------------------------------------------------------------


class Tool:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words, rc=0):
        done = subprocess.run([self.program, *unscaled(words)], capture_output=True, text=True)
        check(done.returncode == rc, *words, "ended with", done.returncode, done.stderr)
        return done.stderr if rc else done.stdout

    def write(self, name, text):
        with open(self.path(name), "w") as f:
            f.write(text)
        return self.path(name)

    def model(self, data, *words):
        self.run("train", data, *words, "-q", "-o", self.path("model"))
        return Model(self.path("model"))

    def picture(self, name, *words):
        self.run("plot", *words, "-q", "--prove-limit", "0", "--picture", name, "-o",
                 self.path("picture.svg"))
        return Picture(self.path("picture.svg"))


class Model:
    """A safetensors file: eight bytes with the length of its header, the header, the numbers."""

    def __init__(self, path):
        with open(path, "rb") as f:
            raw = f.read()
        (length,) = struct.unpack("<Q", raw[:8])
        header, body = json.loads(raw[8:8 + length]), raw[8 + length:]
        self.meta, self.array = header.pop("__metadata__"), {}
        for name, t in header.items():
            begin, end = t["data_offsets"]
            size, letter = {"F64": (8, "d"), "F32": (4, "f")}.get(t["dtype"], (0, ""))
            if size:
                self.array[name] = (t["shape"], struct.unpack("<%d%s" % ((end - begin) // size,
                                                                         letter), body[begin:end]))

    def plane(self):
        """w and b, as fractions."""
        w = [Fraction(v) for v in self.array["weight"][1]]
        return w, Fraction(self.array["offset"][1][0]) if "offset" in self.array else Fraction(0)


def draw_rows(r, rows, columns, places=1):
    """Rows of two classes as decimals, and as LIBSVM."""
    while True:
        data = [(r.choice([-1, 1]), [Fraction(r.randint(-40, 40), 10 ** places)
                                     for _ in range(columns)]) for _ in range(rows)]
        if len({y for y, _ in data}) == 2:
            return data


def libsvm(data):
    return "".join("%+d %s\n" % (y, " ".join("%d:%s" % (j + 1, float(v))
                                              for j, v in enumerate(x))) for y, x in data)


def separable_rows(r, rows, columns):
    """The same, with a plane between the classes."""
    w = [r.randint(1, 5) * r.choice([-1, 1]) for _ in range(columns)]
    while True:
        data = []
        while len(data) < rows:
            x = [Fraction(r.randint(-40, 40), 10) for _ in range(columns)]
            s = sum(a * b for a, b in zip(w, x)) + 1
            if abs(s) > 2:
                data.append((1 if s > 0 else -1, x))
        if len({y for y, _ in data}) == 2:
            return data


def dot(u, v):
    return sum(a * b for a, b in zip(u, v))


# ----- numbers ------------------------------------------------------------------------------


def group_projection(tool, r):
    """predict --projection: on the plane, along w from x, at the distance that is printed."""
    for case in range(10):
        columns = r.randint(1, 5)
        data = draw_rows(r, r.randint(3, 9), columns)
        path = tool.write("data", libsvm(data))
        options = ["-a", r.choice(["perceptron", "averaged", "svm", "pa", "arow"]), "--epochs", "5"]
        options = options[:2] if options[1] == "svm" else options
        w, b = tool.model(path, *options, *(["--no-offset"] if case % 4 == 0 else [])).plane()
        w += [Fraction(0)] * (columns - len(w))
        if not any(w):
            continue
        text = tool.run("predict", tool.path("model"), path, "--projection", "--margins",
                        "--losses", "--scores").splitlines()
        document = json.loads(tool.run("predict", tool.path("model"), path, "--projection",
                                       "--margins", "--losses", "--scores", "--json"))
        norm = math.sqrt(dot(w, w))
        for (y, x), line, row in zip(data, text, document["predictions"]):
            x = [Fraction(float(v)) for v in x]
            words = line.split()
            x0 = [Fraction(float(v)) for v in words[1:1 + columns]]
            distance, margin, loss, s = (float(v) for v in words[1 + columns:])
            size = max(1.0, norm, max(abs(float(v)) for v in x))
            check(near(dot(w, x0) + b, 0, norm * size, 11), line, "is not on the plane")
            way = [a - c for a, c in zip(x, x0)]
            for i in range(columns):  # parallel to w: all minors are 0
                for j in range(i):
                    check(near(way[i] * w[j] - way[j] * w[i], 0, norm * size, 11),
                          line, "does not lead along w")
            check(near(math.sqrt(dot(way, way)), abs(distance), size, 11), line, "distance")
            exact = dot(w, x) + b
            check(near(s, exact, norm * size, 11) and near(distance * norm, exact, norm * size, 11),
                  line, "score")
            check(margin == y * s and loss == max(0.0, -margin), line, "margin and loss")
            check(row["projection"] == [float(v) for v in x0] and row["margin"] == margin
                  and row["loss"] == loss and row["distance"] == distance, row, "is not", line)
            if numpy is not None:  # the shortest step that has w.(x + step) + b = 0
                step = numpy.linalg.lstsq(numpy.array([[float(v) for v in w]]),
                                          numpy.array([-float(exact)]), rcond=None)[0]
                check(all(near(float(a) + d, c, size, 9) for a, d, c in zip(x, step, x0)),
                      line, "is not the least squares answer", step)
    # A file may have fewer features than the model, or more: those that it knows count.
    for _ in range(4):
        w, b = tool.model(tool.write("data", libsvm(separable_rows(r, 8, 3))), "-a",
                          "perceptron").plane()
        x = [[1, 0, 0], [2, 1, 0]]
        for name, more in (("narrow", ""), ("wide", " 9:5")):
            path = tool.write(name, "+1 1:1%s\n-1 1:2 2:1\n" % more)
            for row, line in zip(x, tool.run("predict", tool.path("model"), path, "--projection",
                                             "-q").splitlines()):
                *x0, distance = [float(v) for v in line.split()[1:]]
                check(len(x0) == 3 and near(dot(w, [Fraction(v) for v in x0]) + b, 0, 20, 10),
                      line)
                check(near(math.dist(row, x0), abs(distance), 10, 10), line, row)
    # With a scaling the plane is that of the scaled features.
    data = draw_rows(r, 8, 3)
    path = tool.write("data", libsvm(data))
    w, b = tool.model(path, "--scale", "standard").plane()
    for line in tool.run("predict", tool.path("model"), path, "--projection").splitlines():
        x0 = [Fraction(float(v)) for v in line.split()[1:4]]
        check(near(dot(w, x0) + b, 0, 10, 10), line, "is not on the scaled plane")


def group_refused(tool, r):
    """What has no such plane says so."""
    two = tool.write("two", libsvm(draw_rows(r, 8, 2)))
    for words, why in ((("-a", "perceptron", "--kernel", "rbf"), "has a kernel"),
                       (("-a", "voted"), "vote of many"),
                       (("-a", "second-order"), "not w.x + b"),
                       (("-a", "mlp", "--epochs", "2"), "is a network"),
                       (("-a", "perceptron", "--map", "poly:2"), "products of features")):
        tool.model(two, *words)
        check(why in tool.run("predict", tool.path("model"), two, "--projection", rc=2), words)
    tool.model(":iris", "-a", "perceptron")
    check("one boundary" in tool.run("predict", tool.path("model"), ":iris", "--projection", rc=2))
    tool.model(two, "-a", "mlp", "--epochs", "2")
    check("cross-entropy" in tool.run("predict", tool.path("model"), two, "--losses", rc=2))
    # Margins of several labels are half the gap to the best other; rows without a label have none.
    tool.model(":iris", "-a", "perceptron")
    names = json.loads(tool.run("inspect", tool.path("model"), "--json"))["labels"]
    document = json.loads(tool.run("predict", tool.path("model"), ":iris", "--json", "--scores",
                                   "--margins", "--losses"))["predictions"]
    for i, row in enumerate(document):
        truth = names[i // 50]
        own = row["scores"][names.index(truth)]
        rest = max(s for s, n in zip(row["scores"], names) if n != truth)
        check(near(row["margin"], (own - rest) / 2, 1 + abs(own)), row)
        check(row["loss"] == max(0.0, -row["margin"]), row)
    path = tool.write("bare", "1:1 2:2\n1:3\n")
    tool.model(two, "-a", "perceptron")
    for line in tool.run("predict", tool.path("model"), path, "--margins", "--losses").splitlines():
        check(line.split()[1:] == ["nan", "nan"], line)


def perceptron(data, passes, rate=Fraction(1)):
    """Every step in fractions: pass, row, y s before, w and b after, whether it was a mistake."""
    w, b = [Fraction(0)] * len(data[0][1]), Fraction(0)
    for epoch in range(1, passes + 1):
        mistakes = 0
        for i, (y, x) in enumerate(data):
            m = y * (dot(w, x) + b)
            if m <= 0:
                w = [a + rate * y * v for a, v in zip(w, x)]
                b += rate * y
                mistakes += 1
            yield epoch, i + 1, m, list(w), b, m <= 0
        if mistakes == 0:
            return


def group_trace(tool, r):
    """trace: y s, max(0, -y s) and theta = -b of every step, in all three forms."""
    for _ in range(8):
        data = draw_rows(r, r.randint(2, 6), r.randint(1, 3), places=0)
        path = tool.write("data", libsvm(data))
        steps = list(perceptron(data, 4))
        document = json.loads(tool.run("trace", path, "--epochs", "4", "--json"))
        other = json.loads(tool.run("trace", path, "--epochs", "4", "--json", "--form",
                                    "threshold"))
        table = list(csv.DictReader(io.StringIO(tool.run("trace", path, "--epochs", "4", "--csv",
                                                         "-q", "--form", "threshold"))))
        first, *text = tool.run("trace", path, "--epochs", "4").splitlines()
        check(first == "algorithm: perceptron, order file, seed 0", first)
        check(len(steps) == len(document["steps"]) == len(other["steps"]) == len(table), path)
        check(re.search(r"score +y s +loss +mistake", text[0]), text[0])
        for want, a, c, line, words in zip(steps, document["steps"], other["steps"], table,
                                           text[1:]):
            epoch, row, m, w, b, mistake = want
            check((a["epoch"], a["row"], a["mistake"]) == (epoch, row, mistake), a, want)
            check(a["margin"] == m and a["loss"] == max(0, -m), a, want)
            check(a["w"] == w and a["b"] == b and "theta" not in a, a, want)
            check(c["w"] == w and c["theta"] == -b and "b" not in c, c, want)
            check(float(line["margin"]) == m and float(line["loss"]) == max(0, -m)
                  and float(line["theta"]) == -b, line, want)
            cells = re.sub(r"\([^)]*\)", "", words).split()
            check(float(cells[4]) == m and float(cells[5]) == max(0, -m), words, want)


def group_form(tool, r):
    """inspect, prove and the line of a picture: theta is -b, and everything else is the same."""
    for _ in range(3):
        path = tool.write("data", libsvm(separable_rows(r, 8, 2)))
        w, b = tool.model(path, "-a", "perceptron").plane()
        one, two = (json.loads(tool.run("inspect", tool.path("model"), "--json", "--form", form))
                    for form in ("offset", "threshold"))
        check(one["offset"] == b and two["threshold"] == -b and "offset" not in two, two)
        check(one["weights"] == two["weights"], two)
        one, two = (json.loads(tool.run("prove", path, "--json", "--form", form))["parts"][0]["plane"]
                    for form in ("offset", "threshold"))
        check(one["w"] == two["w"] and two["theta"] == -one["b"] and "b" not in two, one, two)
        text = tool.run("prove", path, "--form", "threshold")
        found = re.search(r"plane +(?:about )?(.*) > (\S+) for label \+?1, < (\S+) for", text)
        check(found and near(float(found[2]), two["theta"], 1, 5) and found[2] == found[3], text)
        about = tool.picture("boundary", path, "-a", "perceptron", "--form", "threshold").about
        found = re.search(r"The line is (\S+) x ([+-]) (\S+) y = (\S+)\.$", about)
        check(found, about)
        line = float(found[1]), float(found[2] + found[3]), float(found[4])
        check(all(near(p, q, 1, 4) for p, q in zip(line, (*w, -b))), about, w, b)
    tool.model(":iris", "-a", "perceptron")
    one, two = (json.loads(tool.run("inspect", tool.path("model"), "--json", "--form", form))
                for form in ("offset", "threshold"))
    for v, u in zip(one["vectors"], two["vectors"]):
        check(u["threshold"] == -v["offset"], u, v)
    check("offset|threshold" in tool.run("inspect", tool.path("model"), "--form", "x", rc=2))


# ----- pictures ------------------------------------------------------------------------------


def points_of(d):
    """The corners of the parts of a path."""
    parts, x, y, start = [], 0.0, 0.0, (0.0, 0.0)
    for letter, rest in re.findall(r"([MmlhvzaA])([^MmlhvzaA]*)", d):
        v = [float(n) for n in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", rest)]
        if letter in "Mm":
            x, y = (v[0], v[1]) if letter == "M" else (x + v[0], y + v[1])
            start = x, y
            parts.append([(x, y)])
        elif letter == "z":
            x, y = start
        elif letter == "a":
            for i in range(0, len(v), 7):
                x, y = x + v[i + 5], y + v[i + 6]
                parts[-1].append((x, y))
        else:
            step = {"l": 2, "h": 1, "v": 1}[letter]
            for i in range(0, len(v), step):
                x += v[i] if letter in "lh" else 0
                y += v[i + 1] if letter == "l" else v[i] if letter == "v" else 0
                parts[-1].append((x, y))
    return parts


class Picture:
    """An SVG file: its scales from the numbers at the axes, and what has which class."""

    def __init__(self, path):
        self.root = xml.parse(path).getroot()
        self.about = self.root.find(SVG + "desc").text
        self.title = self.root.find(SVG + "title").text
        frame = [e for e in self.root.iter(SVG + "path") if e.get("class") == "f-frame"]
        if frame:
            (self.left, self.top), (_, self.bottom), (self.right, _) = \
                points_of(frame[0].get("d"))[0]
            self.x = self.scale("middle", "x", lambda t: float(t.get("y")) < self.bottom + 25)
            self.y = self.scale("end", "y", lambda t: float(t.get("x")) < self.left)

    def scale(self, anchor, key, wanted):
        """From positions to numbers: (factor, constant)."""
        at = []
        for t in self.root.iter(SVG + "text"):
            if t.get("class") == "f-text" and t.get("text-anchor") == anchor and wanted(t):
                shift = 4.5 if key == "y" else 0  # letters stand on a line below their middle
                at.append((float(t.get(key)) - shift, float(t.text.replace("−", "-"))))
        (p, a), (q, b) = at[0], at[-1]
        return (b - a) / (q - p), a - p * (b - a) / (q - p)

    def place(self, point):
        return tuple(f * v + c for v, (f, c) in zip(point, (self.x, self.y)))

    def paths(self, *classes):
        """The paths within the axes that have just these classes: lists of places."""
        out = []
        for e in self.root.iter(SVG + "path"):
            if set((e.get("class") or "").split()) == set(classes):
                for part in points_of(e.get("d")):
                    if len(part) > 1 and all(p[1] <= self.bottom + 0.02 for p in part):
                        out.append([self.place(p) for p in part])
        return out

    def line(self, ends, w):
        """How far from 0, in units of the picture's width, w.x + b is at the ends of a line."""
        return max(abs(dot(w, (*p, 1))) for p in (ends[0], ends[-1])) / math.hypot(*w[:2]) \
            / ((self.right - self.left) * abs(self.x[0]))

    def rings(self):
        """The centres of the rings around rows."""
        return [((min(p[0] for p in r) + max(p[0] for p in r)) / 2,
                 (min(p[1] for p in r) + max(p[1] for p in r)) / 2)
                for r in self.paths("f-alert", "f-ring")]


FINE = 2e-3  # of the width: positions have two decimals, those of marks one


def check_strip(picture, plane, half, rows):
    """Two dashed lines at this distance from the boundary, closest rows ringed on the edge."""
    w, b = [float(v) for v in plane[0]], float(plane[1])
    norm = math.hypot(*w)
    ink = picture.paths("f-ink", "f-line")
    check(len(ink) == 1 and picture.line(ink[0], (*w, b)) < FINE, "boundary", ink, w, b)
    edges = picture.paths("f-faint", "f-line", "f-dash")
    check(len(edges) <= 2, edges)
    shifts = sorted(((b + half * norm), (b - half * norm)))
    for e in edges:
        check(min(picture.line(e, (*w, s)) for s in shifts) < FINE, "edge", e, half)
    width = (picture.right - picture.left) * abs(picture.x[0])
    feet = picture.paths("f-alert", "f-line")
    rings = picture.rings()
    check(rings and len(feet) == len(rings), feet, rings)
    least = min(abs(dot(w, x) + b) / norm for x in rows)
    found = []
    for at, way in zip(rings, feet):
        row = min(rows, key=lambda x: math.dist(x, at))
        check(math.dist(row, at) < FINE * width, "a ring is at", at)
        check(math.dist(way[0], row) < FINE * width, "a way begins at", way)
        check(abs(dot(w, way[-1]) + b) / norm < FINE * width, "its foot is off the boundary", way)
        found.append(abs(dot(w, row) + b) / norm)
        check(abs(math.dist(way[0], way[-1]) - found[-1]) < FINE * width, "length of", way)
    check(near(min(found), least, 1, 6), "the closest row is", least, "away, not", found)


def group_strip(tool, r):
    """plot --picture strip: boundary, edges, closest rows and their distances."""
    edges = 0
    for case in range(8):
        data = separable_rows(r, 12, 2) if case % 2 else draw_rows(r, 12, 2)
        path = tool.write("data", libsvm(data))
        words = ["-a", ["perceptron", "averaged", "svm", "pocket"][case // 2 % 4], "--epochs", "30"]
        words = words[:2] if words[1] == "svm" else words
        w, b = tool.model(path, *words).plane()
        rows = [[float(v) for v in x] for _, x in data]
        norm = math.hypot(*w)
        picture = tool.picture("strip", path, *words)
        least = min(abs(dot(w, x) + b) for _, x in data)
        half = 1 / norm if words[1] == "svm" else float(least) / norm
        check_strip(picture, (w, b), half, rows)
        edges += len(picture.paths("f-faint", "f-line", "f-dash"))
        if words[1] == "svm":  # y s <= 1, within the tolerance of the solver
            count = sum(y * (dot(w, x) + b) <= Fraction(1001, 1000) for y, x in data)
            check(re.search(r"with %d support row" % count, picture.title), picture.title, count)
        errors = sum(y * (dot(w, x) + b) <= 0 for y, x in data)
        if words[1] != "svm" and least > 0:
            number = re.search(r"margin of (\S+):|is (\S+) away", picture.title)
            check(near(float(number[1] or number[2]), half, 1, 5), picture.title, half)
            check(bool(number[1]) == (errors == 0), picture.title, errors)
    check(edges > 8, "hardly any strip has been seen")
    # More than two features: the distance from left to right, so the boundary is at 0.
    data = separable_rows(r, 20, 4)
    path = tool.write("data", libsvm(data))
    w, b = tool.model(path, "-a", "perceptron").plane()
    far = [float(dot(w, x) + b) / math.sqrt(dot(w, w)) for _, x in data]
    picture = tool.picture("strip", path, "-a", "perceptron")
    width = (picture.right - picture.left) * abs(picture.x[0])
    for ends, at in ((picture.paths("f-ink", "f-line")[0], (0,)),
                     *((e, (min(map(abs, far)), -min(map(abs, far))))
                       for e in picture.paths("f-faint", "f-line", "f-dash"))):
        check(min(abs(ends[0][0] - v) for v in at) < FINE * width, ends, at)
    for ring in picture.rings():
        check(min(abs(ring[0] - v) for v in far) < FINE * width, ring)
    # A model over data has the same picture; what has no plane has none.
    tool.picture("strip", tool.path("model"), path)
    tool.run("plot", ":iris", "-q", "--prove-limit", "0", "--picture", "strip", rc=1)
    tool.run("plot", path, "-q", "-a", "perceptron", "--kernel", "rbf", "--picture", "strip", rc=1)


def group_orders(tool, r):
    """plot --orders: as many boundaries as orders, each that of `train` with its seed."""
    for count in (3, 8):
        data = separable_rows(r, 20, 2)
        path = tool.write("data", libsvm(data))
        picture = tool.picture("orders", path, "-a", "perceptron", "--orders", str(count))
        lines = []
        for k in range(count):
            look = ["f-dash"] if k + 2 >= 8 else []
            lines += picture.paths("f-c%d" % ((k + 2) % 8), "f-line", *look)
        check(len(lines) == count, "lines:", len(lines), "orders:", count)
        text = tool.run("plot", path, "-a", "perceptron", "--orders", str(count), "--picture",
                        "order-passes", "--prove-limit", "0").split("in several orders\n")[1]
        table = text.strip().splitlines()[1:]
        check(len(table) == count, text)
        entries = [t.text for t in picture.root.iter(SVG + "text") if "seed " in (t.text or "")]
        for k in range(count):
            report = json.loads(tool.run("train", path, "-a", "perceptron", "--seed", str(k),
                                         "--json", "-o", tool.path("model")))
            w, b = Model(tool.path("model")).plane()
            check(picture.line(lines[k], [float(v) for v in (*w, b)]) < FINE, lines[k], w, b)
            run = report.get("run", report)
            cells = table[k].split()
            numbers = [int(c.replace(",", "")) for c in cells[:3]]
            check(numbers == [k, run["epochs"], run["mistakes"]], table[k], numbers, run)
            check(entries[k].startswith("seed %d: %d mistake" % (k, run["mistakes"])), entries[k])
    check("cannot be combined" in tool.run("plot", path, "--orders", "3", "--compare",
                                           "perceptron,pocket", rc=2))
    check("as they stand in the file" in tool.run("plot", path, "--orders", "3", "--order", "file",
                                                  rc=2))
    check("does not matter" in tool.run("plot", path, "--orders", "3", "-a", "svm", rc=2))


def group_update(tool, r):
    """The pictures of an update: arrows from w before to w after, and both boundaries."""
    seen = 0
    for _ in range(4):
        data = draw_rows(r, 6, 2, places=0)
        path = tool.write("data", libsvm(data))
        updates = [s for s in perceptron(data, 6) if s[5]]
        for k in sorted({1, min(2, len(updates)), min(5, len(updates)), len(updates)}):
            words = (path, "-a", "perceptron", "--order", "file", "--epochs", "6",
                     "--show-update", str(k))
            was, now = ([0, 0], 0) if k == 1 else updates[k - 2][3:5], updates[k - 1][3:5]
            picture = tool.picture("update", *words)
            width = (picture.right - picture.left) * abs(picture.x[0])
            arrow = {c: picture.paths("f-" + c, "f-line") for c in ("alert", "ink", "faint")}
            for colour, begin, end in (("alert", was[0], now[0]), ("ink", (0, 0), now[0]),
                                       ("faint", (0, 0), was[0])):
                if list(begin) == list(end):
                    continue
                ends = arrow[colour][0]
                check(math.dist(ends[0], begin) < FINE * width
                      and math.dist(ends[-1], end) < FINE * width, colour, ends, begin, end)
                heads = picture.paths("f-" + colour, "f-mark")
                check(any(math.dist(h[0], end) < FINE * width for h in heads), colour, heads)
                seen += 1
            picture = tool.picture("turn", *words)
            for lines, (w, b) in ((picture.paths("f-ink", "f-line"), now),
                                  (picture.paths("f-faint", "f-line", "f-dash"), was)):
                for ends in lines[:1] if any(w) else []:
                    check(picture.line(ends, (*w, b)) < FINE, ends, w, b)
            y, x = data[updates[k - 1][1] - 1]
            ring = picture.rings()[0]
            check(math.dist(ring, x) < FINE * 5 * width, ring, x)
            m = float(updates[k - 1][2])
            check("goes from %g to %g" % (m, y * (dot(now[0], x) + now[1])) in picture.title,
                  picture.title, m)
    check(seen > 15, "hardly any arrow has been seen")
    check("made %d updates" % len(updates) in tool.run("plot", *words[:-1], "1999", rc=2))


def group_network(tool, r):
    """A line for each weight of a network, with the number that is in the model file."""
    for data, layers in ((":xor", "2"), (":xor", "3,2"), (":iris", "5")):
        words = (data, "-a", "mlp", "--layers", layers, "--epochs", "20")
        model = tool.model(*words)
        for picture in (tool.picture("network", *words),
                        tool.picture("network", tool.path("model"))):
            edges = [t.text for t in picture.root.iter(SVG + "title") if " to " in (t.text or "")]
            want = []
            for i in range(layers.count(",") + 2):
                (inputs, outputs), w = model.array["layer.%d.weight" % i]
                want += [w[j * outputs + k] for j in range(inputs) for k in range(outputs)]
            check(len(edges) == len(want), len(edges), "edges,", len(want), "weights")
            for text, w in zip(edges, want):
                check(near(float(text.split(": ")[1]), w, abs(w), 5), text, w)
            offsets = [t.text.split(" = ")[1] for t in picture.root.iter(SVG + "title")
                       if ": b = " in (t.text or "")]
            want = [b for i in range(layers.count(",") + 2)
                    for b in model.array["layer.%d.offset" % i][1]]
            check(len(offsets) == len(want), offsets, want)
            for text, b in zip(offsets, want):
                check(near(float(text), b, abs(b), 5), text, b)


def group_neuron(tool, r):
    """A linear machine as a neuron: a line for each weight, and its offset or threshold."""
    for form, letter, sign in (("offset", "b", 1), ("threshold", "theta", -1)):
        path = tool.write("data", libsvm(separable_rows(r, 12, 4)))
        w, b = tool.model(path, "-a", "perceptron").plane()
        picture = tool.picture("network", path, "-a", "perceptron", "--form", form)
        titles = [t.text for t in picture.root.iter(SVG + "title")]
        edges = [float(t.split(": ")[1]) for t in titles if " to " in t]
        check(len(edges) == 4 and all(near(a, c, 1, 4) for a, c in zip(edges, w)), edges, w)
        nodes = [t for t in titles if ": %s = " % letter in t]
        check(len(nodes) == 1 and near(float(nodes[0].split(" = ")[1]), sign * b, 1, 4), nodes, b)


def group_report(tool, r):
    """A report has these pictures where they apply."""
    path = tool.path("page.html")
    for words, has, lacks in (
            ((":blobs85", "-a", "perceptron"), "strip update turn orders order-passes network", "loss"),
            ((":iris", "-a", "mlp", "--layers", "4", "--epochs", "20"), "network", "strip update"),
            ((":and", "-a", "svm"), "strip network", "orders update"),
            ((":and", "--compare", "perceptron,pocket"), "strip-pocket update-pocket", "orders")):
        tool.run("report", *words, "-q", "--prove-limit", "0", "-o", path)
        with open(path) as f:
            ids = set(re.findall(r'<svg [^>]*id="([^"]*)"', f.read()))
        check(set(has.split()) <= ids and not set(lacks.split()) & ids, words, sorted(ids))


def main():
    groups = {name[6:]: f for name, f in globals().items() if name.startswith("group_")}
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(os.path.abspath(sys.argv[1]), folder)
        for name in sys.argv[2:] or groups:
            before = checks
            groups[name](tool, random.Random("figures " + name))
            check(checks > before + 3, name, "checked nothing")
    print(checks, "checks of planes and pictures")


if __name__ == "__main__":
    main()
