#!/usr/bin/env python3
"""formats_reference.py TOOL [CASES] -- formats of text, read a second time by Python.

JSON lines: random objects, nested, with every kind of escape, are written by Python, read by Python's
json module and by `perceptron convert`, and the tables must be the same, number by number. Then bytes of
them are changed, and what Python's json refuses (or finds a key twice in) must be refused, with a place;
what it takes must be taken, but for what RFC 8259 does not have (NaN) and texts of C cannot hold.

Vowpal Wabbit's text: random examples with namespaces, scales, tags, words as values and features that occur
twice are read a second time in fractions, and each number must be the double next to the true one.
"""
import csv
import io
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

TOOL = os.path.abspath(sys.argv[1])
CASES = int(sys.argv[2]) if len(sys.argv) > 2 else 60
PLACE = re.compile(r"^[^:\n]+:\d+:\d+: .+\(.+\)|^[^:\n]+:\d+:\d+: [^:]+", re.M)


class Wrong(Exception):
    pass


def tool(*words, data=None):
    p = subprocess.run([TOOL, *words], input=data, capture_output=True, timeout=120)
    return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")


def table(path, *words):
    """What the tool makes of a file: names, rows of texts."""
    rc, out, said = tool("convert", path, "-", "--to", "csv", "-q", *words)
    if rc:
        return None, said
    rows = list(csv.reader(io.StringIO(out.decode("utf-8"), newline="")))
    return rows[0], rows[1:]


# ----- JSON lines ------------------------------------------------------------------------

LETTERS = ["a", "Z", "é", "ß", "\U0001F600", "\U0010FFFF", "\u2028", "\"", "\\", "/", "\n", "\t", "\r", "\b", "\x01", "\x7f", ",", " "]


def quote(random_, text):
    """A string of JSON, each character in one of the ways in which it may be written."""
    out = []
    for c in text:
        code = ord(c)
        ways = []
        if code >= 0x20 and c not in "\"\\":
            ways.append(c)
        if c in "\"\\/":
            ways.append("\\" + c)
        if c in "\b\f\n\r\t":
            ways.append({"\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}[c])
        units = c.encode("utf-16-be")
        hexed = "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
        ways += [hexed, hexed.upper().replace("\\U", "\\u")]
        out.append(random_.choice(ways))
    return '"' + "".join(out) + '"'


def number(r):
    kind = r.randrange(6)
    if kind == 0:
        return str(r.randrange(-10**r.randrange(1, 25), 10**r.randrange(1, 25)))
    if kind == 1:
        return repr(r.gauss(0, 1))
    if kind == 2:
        return f"{r.gauss(0, 1):.{r.randrange(1, 40)}f}"
    if kind == 3:
        return f"{r.uniform(-1, 1):.{r.randrange(1, 25)}e}".replace("e", r.choice("eE"))
    if kind == 4:
        return r.choice(["0", "-0", "-0.0", "0e5", "1e308", "4.9e-324", "2.4703282292062327e-324", "1e-400", "17976931348623157e292"])
    # Half way between two doubles: the rounding is decided by the last digit.
    x = math.ldexp(r.getrandbits(53) | 1, r.randrange(-60, 20))
    half = (Fraction(x) + Fraction(math.nextafter(x, math.inf))) / 2
    digits = half.numerator * 5**(half.denominator.bit_length() - 1)
    return f"{digits}e-{half.denominator.bit_length() - 1}"


def shape(r, depth):
    """A random object of numbers: {key: shape} or None for a number, or a list."""
    names = r.sample(["a", "b", "c", "dé", "e f", "g.h", "i\"j", "k\\l", "0", "m"], r.randrange(1, 5))
    return {n: (shape(r, depth - 1) if depth and r.random() < .3 else
                [None] * r.randrange(1, 4) if r.random() < .2 else None) for n in names}


def write(r, s):
    blank = r.choice(["", " ", "\t"])
    if s is None:
        return number(r)
    if isinstance(s, list):
        return "[" + ("," + blank).join(write(r, x) for x in s) + "]"
    pairs = list(s.items())
    r.shuffle(pairs)
    return "{" + ("," + blank).join(quote(r, k) + blank + ":" + write(r, v) for k, v in pairs) + "}"


def flat(value, name=""):
    if isinstance(value, (dict, list)):
        pairs = value.items() if isinstance(value, dict) else ((str(i), v) for i, v in enumerate(value))
        return {k: v for n, x in pairs for k, v in flat(x, f"{name}.{n}" if name else n).items()}
    return {name: value}


def unique(pairs):
    if len({k for k, _ in pairs}) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def no_constant(text):
    raise ValueError(text)


def python(line):
    """The columns of a line, or a ValueError."""
    value = json.loads(line.decode("utf-8"), object_pairs_hook=unique, parse_constant=no_constant, parse_int=float)
    if not isinstance(value, dict):
        raise ValueError("no object")
    if any(0xD800 <= ord(c) <= 0xDFFF or c == "\0" for c in json.dumps(value, ensure_ascii=False)):
        raise ValueError("a lone surrogate")
    return flat(value)


def json_table(r, path):
    s = shape(r, 2)
    names = list(flat({k: v for k, v in s.items()}))
    labels = ["".join(r.choice(LETTERS) for _ in range(r.randrange(4))) for _ in range(3)]
    labels = [f"L{i}{x}z" for i, x in enumerate(labels)]
    lines = []
    for i in range(r.randrange(2, 12)):
        text = write(r, s)
        lines.append(f'{text[:-1]},"label":{quote(r, labels[i % 3])}}}'.encode())
    end = r.choice([b"\n", b"\r\n"])
    with open(path, "wb") as f:
        f.write((b"\xef\xbb\xbf" if r.random() < .2 else b"") + end.join(lines) + (end if r.random() < .5 else b""))
    return lines, names


def check_json(r, path):
    lines, _ = json_table(r, path)
    try:
        want = [python(x) for x in lines]
    except ValueError:
        return check_refused(path)  # g.h beside h inside of g
    if any(isinstance(v, float) and math.isinf(v) for row in want for v in row.values()):
        return check_refused(path)
    names, rows = table(path, "--label", "label", "--format", "jsonl")
    if names is None:
        raise Wrong(f"refused: {rows}")
    if len(rows) != len(want) or sorted(names) != sorted(want[0]):
        raise Wrong(f"{names} {len(rows)} are not {list(want[0])} {len(want)}")
    for row, w in zip(rows, want):
        for name, cell in zip(names, row):
            same = cell == w[name] if name == "label" else \
                float(cell) == w[name] and math.copysign(1, float(cell)) == math.copysign(1, w[name])
            if not same:
                raise Wrong(f"{name}: {cell!r} is not {w[name]!r}")
    return 1


def check_refused(path):
    rc, _, said = tool("convert", path, "-", "--to", "csv", "-q", "--label", "label", "--format", "jsonl")
    if rc != 3 or not PLACE.search(said):
        raise Wrong(f"exit {rc}: {said}")
    return 1


def check_change(r, path):
    """A byte of a line changed, put in or taken out: we refuse what Python refuses."""
    lines, _ = json_table(r, path)
    i = r.randrange(1, len(lines))
    line = bytearray(lines[i])
    at, new = r.randrange(len(line)), r.choice(b"\"\\{}[]:,0123456789.eE+-utfn\x00\x80\xff \tax")
    how = r.randrange(3)
    if how == 0:
        line[at] = new
    elif how == 1:
        line.insert(at, new)
    else:
        del line[at]
    lines[i] = bytes(line)
    with open(path, "wb") as f:
        f.write(b"\n".join(lines) + b"\n")
    try:
        keys = {k for k in python(lines[0])}
        want = [python(x) for x in lines]
        taken = all(set(w) == keys for w in want) and \
            all(isinstance(v, float) and math.isfinite(v) for w in want for k, v in w.items() if k != "label") and \
            all(w["label"] not in ("", None) and not isinstance(w["label"], (bool, float)) for w in want)
    except ValueError:
        return check_refused(path)
    names, rows = table(path, "--label", "label", "--format", "jsonl")
    if taken and names is None:
        raise Wrong(f"refused: {rows}: {lines[i]!r}")
    return 1 if taken else 0


# ----- Vowpal Wabbit's text ----------------------------------------------------------------

def short(r):
    return r.choice([f"{r.randrange(-999, 1000)}", f"{r.uniform(-9, 9):.4f}", f"{r.randrange(1, 99)}e{r.randrange(-3, 4)}"])


def example(r, names):
    """A line, and what it says: label, weight, tag, {feature: Fraction}."""
    label, weight, tag, want = r.choice(["1", "-1", "spam"]), "1", "", {}
    line = label
    if r.random() < .3:
        weight = r.choice(["0.5", "2", "1e-1"])
        line += r.choice([" ", "  "]) + weight
    if r.random() < .3:
        tag = "t" + str(r.randrange(99))
        line += " " + r.choice(["'" + tag + " ", tag])
    else:
        line += " "
    for _ in range(r.randrange(1, 4)):
        space, scale = r.choice(["", "n", "long-name", "é"]), Fraction(1)
        line += "|" + space
        if r.random() < .3:
            text = short(r)
            scale = Fraction(text)
            line += ":" + text
        for _ in range(r.randrange(6)):
            name, value = r.choice(names), Fraction(1)
            line += r.choice([" ", "\t", "  "]) + name
            kind = r.random()
            if kind < .5:
                text = short(r)
                value = Fraction(text)
                line += ":" + text
            elif kind < .6:
                word = r.choice(["red", "v1", "_"])
                line += ":" + word
                name += "^" + word
            full = space + "^" + name if space else name
            want[full] = want.get(full, Fraction(0)) + value * scale
        line += r.choice([" ", ""]) if line[-1] != " " else ""
    return line, (label, weight, tag, want)


def check_vw(r, path):
    names = ["a", "b2", "c.d", "12", "x-y", "ü"]
    both = [example(r, names) for _ in range(r.randrange(3, 15))]
    if not any(w[3] for _, w in both):
        return 0
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(r.choice(["\n", "\r\n"]).join(line for line, _ in both) + "\n")
    names, rows = table(path, "--format", "vw")
    if names is None:
        raise Wrong(f"refused: {rows}")
    weighted = any(float(w[1]) != 1 for _, w in both)
    features = {f for _, w in both for f in w[3]}
    if set(names) != features | {"label"} | ({"weight"} if weighted else set()) or len(rows) != len(both):
        raise Wrong(f"{names} are not {features}")
    for row, (line, (label, weight, _, want)) in zip(rows, both):
        got = dict(zip(names, row))
        if got.pop("label") != label or float(got.pop("weight", "1")) != float(weight):
            raise Wrong(f"label or weight of {line}")
        for name, cell in got.items():
            if float(cell) != float(want.get(name, 0)):
                raise Wrong(f"{name} of {line!r}: {cell} is not {float(want.get(name, 0))!r}")
    return 1


def main():
    done = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data")
        for check in CHECKS:
            r = random.Random(22)
            done[check.__name__] = 0
            for case in range(CASES):
                try:
                    done[check.__name__] += check(r, path)
                except Wrong as wrong:
                    sys.exit(f"{check.__name__}, case {case}: {wrong}")
    few = [name for name, n in done.items() if n < CASES // 3]
    if few:
        sys.exit(f"too few cases of {few}: {done}")
    print(f"{sum(done.values())} passed, 0 failed ({done})")


CHECKS = [check_json, check_change, check_vw]

if __name__ == "__main__":
    main()
