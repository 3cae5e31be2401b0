#!/usr/bin/python3
"""The maps of polynomial kernels, from the multinomial theorem, against the tool.

    lift_reference.py PROGRAM [GROUP...]

    identity   phi(x).phi(z) = (x.z + C)^D for the weights that the tool writes. A perceptron
               that is shown one row from zero has w = y phi(x): its weights, by their names,
               are compared with monomials and square roots of whole-number factors computed
               here, and with those factors the identity holds in fractions, exactly.
    mistakes   hundreds of small sets of whole numbers and decimals: the perceptron with the map
               and the one with the kernel make the same mistakes, or the run with the map says
               that there were close calls. Whole numbers: the kernel's run is that of exact
               arithmetic, written down here; products:D has no close call and makes the same
               mistakes always; and a run that differs without a close call is a mismatch.
    picture    plot --lift: the points of the SVG are the projections of (x1^2, sqrt2 x1 x2,
               x2^2), and the corners of the plane lie on w.phi + b = 0.

A group that compared nothing fails.
"""
import html
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction
from itertools import product

from unscaled import unscaled

PROGRAM = ""
FOLDER = tempfile.TemporaryDirectory()


class Mismatch(Exception):
    pass


def expect(same, *words):
    if not same:
        raise Mismatch(" ".join(str(w) for w in words))


def run(*words):
    done = subprocess.run([PROGRAM, *unscaled(words)], capture_output=True, text=True)
    expect(done.returncode == 0, words, done.stderr)
    return done.stdout


def at(name):
    return os.path.join(FOLDER.name, name)


def write(rows, name="data.svm"):
    with open(at(name), "w", encoding="utf-8") as f:
        for y, x in rows:
            f.write(str(y) + "".join(f" {j + 1}:{v}" for j, v in enumerate(x)) + "\n")
    return at(name)


# ----- the mathematics ----------------------------------------------------------------------


def monomials(n, degree, constant):
    """Exponents of the features, with the factor of each in (x.z + C)^D: D!/(e0! e1! ...) C^e0."""
    for e in product(range(degree + 1), repeat=n):
        rest = degree - sum(e)
        if rest < 0 or (rest > 0 and constant == 0):
            continue
        factor = Fraction(math.factorial(degree), math.factorial(rest))
        for k in e:
            factor /= math.factorial(k)
        yield e, factor * constant ** rest


def power(x, e):
    v = Fraction(1)
    for a, k in zip(x, e):
        v *= Fraction(a) ** k
    return v


def kernel(x, z, degree, constant):
    return (sum(Fraction(a) * Fraction(b) for a, b in zip(x, z)) + constant) ** degree


def exponents(name, n):
    """What a name says: exponents and the square of the factor. 'sqrt(2)*x1^2*x3'."""
    e, factor = [0] * n, Fraction(1)
    for word in name.split("*"):
        if m := re.fullmatch(r"x(\d+)(?:\^(\d+))?", word):
            e[int(m[1]) - 1] += int(m[2] or 1)
        elif m := re.fullmatch(r"sqrt\((.*)\)", word):
            factor = Fraction(m[1])
        else:
            factor = Fraction(word) ** 2
    return tuple(e), factor


def weights(rows, *options):
    """The weights of a run, by name, and the offset."""
    run("train", write(rows), "-a", "perceptron", "--order", "file", "-q", "-o", at("m"), *options)
    info = json.loads(run("inspect", at("m"), "--json", "--all"))
    return {w["feature"]: w["weight"] for w in info["weights"]}, info


def weights_of(data):
    run("train", data, "-a", "perceptron", "--map", "lift:2:0", "-q", "-o", at("m"))
    info = json.loads(run("inspect", at("m"), "--json", "--all"))
    return {w["feature"]: w["weight"] for w in info["weights"]}, info


def identity():
    draw = random.Random(1)
    for _ in range(40):
        n, degree = draw.choice([(1, 2), (2, 2), (3, 2), (2, 3), (3, 3), (2, 4), (2, 8), (4, 2)])
        constant = Fraction(draw.choice(["0", "1", "2", "0.5", "4", "3"]))
        x = [draw.choice([-3, -2, -1, 1, 2, 3]) for _ in range(n)]
        # A second row with weights no update can come from: far on its side already.
        rows = [(1, x), (-1, [0] * n)]
        w, _ = weights(rows, "--map", f"lift:{degree}:{float(constant):g}", "--no-offset",
                       "--updates", "1")
        seen = {}
        for name, value in w.items():
            e, factor = exponents(name, n)
            seen[e] = factor
            want = math.sqrt(factor) * float(power(x, e))
            expect(abs(value - want) <= 1e-14 * abs(want), name, value, want, x, degree, constant)
        expect(seen == dict(monomials(n, degree, constant)), "factors", seen, degree, constant)
        for _ in range(5):
            z = [draw.randint(-5, 5) for _ in range(n)]
            total = sum(f * power(x, e) * power(z, e) for e, f in seen.items())
            expect(total == kernel(x, z, degree, constant), "identity", x, z, degree, constant)
        w, _ = weights(rows, "--map", f"products:{degree}", "--no-offset", "--updates", "1")
        expect(len(w) == n ** degree, "columns", len(w), n, degree)
        for name, value in w.items():
            parts = [int(p[1:]) - 1 for p in name.split("*")]
            expect(len(parts) == degree and value == math.prod(x[j] for j in parts), name, value, x)
        expect(len(set(w)) == len(w), "names are not distinct")
    return 40


# ----- the same mistakes --------------------------------------------------------------------


def textbook(rows, degree, constant, passes, offset):
    """The kernel perceptron of the notes in fractions: mistakes, by pass."""
    updates, history = [], []
    for _ in range(passes):
        mistakes = 0
        for y, x in rows:
            s = sum(v * (kernel(z, x, degree, constant) + offset) for v, z in updates)
            if y * s <= 0:
                updates.append((y, x))
                mistakes += 1
        history.append(mistakes)
        if mistakes == 0:
            break
    return history


def report(path, passes, *options):
    text = run("train", path, "-a", "perceptron", "--order", "file", "--json", "-q", "-o", at("m"),
               "--epochs", str(passes), *options)
    r = json.loads(text)
    return [p["mistakes"] for p in r["history"]], r.get("close_calls")


def mistakes():
    draw = random.Random(2)
    close = differ = 0
    for k in range(110):
        n, degree = draw.choice([(1, 2), (2, 2), (2, 3), (3, 2)])
        constant = draw.choice(["0", "1", "2"])
        whole = k % 2 == 0
        value = (lambda: draw.randint(-3, 3)) if whole else (lambda: f"{draw.uniform(-2, 2):.2f}")
        rows = [(draw.choice([-1, 1]), [value() for _ in range(n)])
                for _ in range(draw.randint(3, 9))]
        rows[0], rows[1] = (1, rows[0][1]), (-1, rows[1][1])
        offset = draw.random() < 0.5
        path, passes = write(rows), 6
        more = [] if offset else ["--no-offset"]
        poly = ["--kernel", "poly", "--degree", str(degree)]
        by_kernel, none = report(path, passes, *poly, "--coef0", constant, *more)
        expect(none is None, "a kernel's run counts close calls")
        exact = textbook(rows, degree, Fraction(constant), passes, offset)
        if whole:
            expect(by_kernel == exact, "kernel", by_kernel, exact, rows, degree, constant)
        by_map, calls = report(path, passes, "--map", f"lift:{degree}:{constant}", *more)
        close += calls > 0
        differ += by_map != exact
        expect(by_map == exact or calls > 0, "map without a close call", by_map, exact, rows,
               degree, constant, offset)
        if constant == "0":
            by_map, calls = report(path, passes, "--map", f"products:{degree}", *more)
            expect(by_map == exact or calls > 0, "products", by_map, exact, rows, degree, offset)
            if whole:
                expect(by_map == exact and calls == 0, "whole", by_map, exact, calls, rows)
    expect(0 < differ <= close < 105, "the sets show nothing:", differ, close)
    return 110


# ----- the picture --------------------------------------------------------------------------


def first_numbers(d):
    """Where a path begins, and its first segment: 'M12.5 3l-1 4...'."""
    return [float(v) for v in re.findall(r"-?\d*\.?\d+", d)]


def points_of(d):
    """The corners of a path of moves and lines, absolute or relative."""
    out, x, y = [], 0.0, 0.0
    for letter, body in re.findall(r"([MLmlHhVvz])([^MLmlHhVvz]*)", d):
        v = first_numbers(body)
        if letter in "Mm" or letter in "Ll":
            for i in range(0, len(v), 2):
                relative = letter in "ml" and (out or letter == "l")
                x, y = (x + v[i], y + v[i + 1]) if relative else (v[i], v[i + 1])
                out.append((x, y))
        for one in v if letter in "HhVv" else []:
            if letter in "Hh":
                x = x + one if letter == "h" else one
            else:
                y = y + one if letter == "v" else one
            out.append((x, y))
    return out


class View:
    """A direction to look from, and a box, as docs/report.md says."""

    def __init__(self, space, wide, top):
        a, e, self.axes = space["a"], space["e"], space["axes"]
        self.right = (-math.sin(a), math.cos(a), 0)
        self.up = (-math.cos(a) * math.sin(e), -math.sin(a) * math.sin(e), math.cos(e))
        high = 0.76 * wide
        self.middle = (wide / 2, top + high / 2)
        self.unit = min((wide - 120) / 2 / 1.42, (high - 70) / 2 / 1.42)

    def cube(self, p):
        return [2 * (v - a["from"]) / (a["to"] - a["from"]) - 1 for v, a in zip(p, self.axes)]

    def place(self, p):
        q = self.cube(p)
        return (self.middle[0] + self.unit * sum(r * v for r, v in zip(self.right, q)),
                self.middle[1] - self.unit * sum(u * v for u, v in zip(self.up, q)))

    def back(self, x, y, plane):
        """The point of the plane that is seen at (x, y), in the cube."""
        half = [(a["to"] - a["from"]) / 2 for a in self.axes]
        normal = [w * h for w, h in zip(plane, half)]
        b = plane[3] + sum(w * (a["from"] + h) for w, a, h in zip(plane, self.axes, half))
        rows = [list(self.right) + [(x - self.middle[0]) / self.unit],
                list(self.up) + [(self.middle[1] - y) / self.unit], normal + [-b]]
        for i in range(3):  # Gauss and Jordan
            k = max(range(i, 3), key=lambda j: abs(rows[j][i]))
            rows[i], rows[k] = rows[k], rows[i]
            rows[i] = [v / rows[i][i] for v in rows[i]]
            for j in range(3):
                if j != i:
                    rows[j] = [v - rows[j][i] * u for v, u in zip(rows[j], rows[i])]
        return [r[3] for r in rows]


def look_at(data, *options):
    """Draws it, and returns what it says of itself and its elements."""
    run("plot", data, "--lift", "-q", "-o", at("lift.svg"), *options)
    with open(at("lift.svg"), encoding="utf-8") as f:
        svg = f.read()
    space = json.loads(html.unescape(re.search(r'data-space="([^"]*)"', svg)[1]))
    marks = {int(i): d for i, d in re.findall(r'data-i="(\d+)" d="([^"]*)"', svg)}
    plane = re.search(r'class="[^"]*f-plane" d="([^"]*)"', svg)
    top = 64 if svg.count('class="f-title"') > 1 else 44
    return space, marks, plane and plane[1], View(space, 600, top)


def centre(d):
    """Of a mark: the middle of its corners; a disc begins at its left."""
    disc = re.match(r"M([\d.]+)[ ,]([\d.]+)a([\d.]+)", d)
    if disc:
        return float(disc[1]) + float(disc[3]), float(disc[2])
    corners = points_of(d)
    return (sum(p[0] for p in corners) / len(corners), sum(p[1] for p in corners) / len(corners))


def check_plane(view, d, plane, what):
    for x, y in points_of(d):
        p = view.back(x, y, plane)
        expect(all(abs(v) < 1.02 for v in p), what, "a corner outside the box", p)
        on = sum(abs(abs(v) - 1) < 0.02 for v in p)
        expect(on >= 2, what, "a corner that is on no edge of the box", p)


def picture():
    draw = random.Random(3)
    checked = 0
    sets = [":xor", ":circles"]
    for k in range(6):
        radius = [draw.uniform(0.2, 0.8) if i % 2 else draw.uniform(1.1, 2) for i in range(20)]
        turn = [draw.uniform(0, 7) for _ in radius]
        sets.append(write([(1 if i % 2 else -1, [round(r * math.cos(t), 3), round(r * math.sin(t), 3)])
                           for i, (r, t) in enumerate(zip(radius, turn))], f"ring{k}.svm"))
    for data in sets:
        run("convert", data, at("rows.csv"))
        with open(at("rows.csv"), encoding="utf-8") as f:
            lines = [line.strip().split(",") for line in f]
        rows = [[float(v) for v in line[:2]] for line in lines if not re.match("[a-z]", line[0])]
        space, marks, plane, view = look_at(data)
        expect(len(marks) == len(rows), data, len(marks), len(rows))
        for i, (x1, x2) in enumerate(rows):
            want = (x1 * x1, math.sqrt(2) * x1 * x2, x2 * x2)
            got = space["at"][3 * i:3 * i + 3]
            expect(all(abs(a - b) < 1e-12 for a, b in zip(got, want)), data, i, got, want)
            there, here = view.place(want), centre(marks[i])
            expect(math.dist(there, here) < 0.1, data, i, there, here)
            checked += 1
        # The plane is that of the model which train would save.
        w, info = weights_of(data)
        want = [w["x1^2"], w["sqrt(2)*x1*x2"], w["x2^2"], info["offset"]]
        expect(space["plane"] == want, data, space["plane"], want)
        check_plane(view, plane, space["plane"], data)
        # A kernel with more dimensions: the height is the score over |w|.
        space, marks, plane, view = look_at(data, "--kernel", "poly", "--degree", "2")
        run("train", data, "-a", "perceptron", "--kernel", "poly", "--degree", "2", "-q", "-o",
            at("m"))
        scores = [float(line.split()[-1]) for line in
                  run("predict", at("m"), data, "--scores").splitlines()]
        ratio = {round(s / space["at"][3 * i + 2], 6) for i, s in enumerate(scores)}
        expect(len(ratio) == 1 and ratio.pop() > 0, data, "the distance is not s / |w|", ratio)
        check_plane(view, plane, space["plane"], data)
    return checked


# ----- the command --------------------------------------------------------------------------

GROUPS = {"identity": identity, "mistakes": mistakes, "picture": picture}


def main():
    global PROGRAM
    PROGRAM = sys.argv[1]
    for name in sys.argv[2:] or GROUPS:
        try:
            print(f"{name}: {GROUPS[name]()} checks")
        except Mismatch as m:
            sys.exit(f"{name}: {m}")


main()
