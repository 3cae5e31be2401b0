#!/usr/bin/python3
"""The hash of canonical rows, once more, and its comparison with the tool.

    canonical_reference.py PROGRAM        compare with the certificates of the tool
    canonical_reference.py --hash FILE..  print the hash of each file

The definition is in src/data/canonical.h. Nothing is shared with the library: numbers are
read by Python's decimal module, hashes made by its hashlib. Files are LIBSVM text, or
tables of numbers without a header whose last column is the label.
"""
import gzip
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal

GROUP = 4096
NUMBER = re.compile(r"[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)


def label_text(text):
    """A number as "%.17g" would lay out all its digits; a word as it is."""
    if not NUMBER.match(text):
        return text
    sign, digits, exponent = Decimal(text).as_tuple()
    all_digits = "".join(map(str, digits)).lstrip("0")
    digits = all_digits.rstrip("0") or "0"
    exponent += len(all_digits) - len(digits)
    point = len(digits) + exponent  # digits before the point
    if digits == "0":
        return "0"
    if -4 <= point - 1 < 17:
        if point <= 0:
            out = "0." + "0" * -point + digits
        elif point >= len(digits):
            out = digits + "0" * (point - len(digits))
        else:
            out = digits[:point] + "." + digits[point:]
    else:
        out = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
        out += "e%+03d" % (point - 1)
    return "-" * sign + out


def entry_text(feature, text):
    sign, digits, exponent = Decimal(text).as_tuple()
    digits = "".join(map(str, digits)).lstrip("0")
    if digits == "":
        return ""
    short = digits.rstrip("0")
    exponent += len(digits) - len(short)
    return " %d:%s%se%d" % (feature, "-" * sign, short, exponent)


def libsvm_rows(text):
    """(label or None, {column: text}) of each row, and the index base."""
    rows, zero = [], False
    for line in text.split("\n"):
        words = line.split("#")[0].split()
        if not words:
            continue
        label = None if ":" in words[0] else words.pop(0)
        pairs = [w.split(":") for w in words if not w.startswith("qid:")]
        row = {int(i): v for i, v in pairs}
        zero |= 0 in row
        rows.append((label, row))
    return rows, 0 if zero else 1


def csv_rows(text):
    rows = []
    for line in text.split("\n"):
        cells = [c.strip() for c in line.strip().split(",")]
        if cells != [""]:
            rows.append((cells[-1], dict(enumerate(cells[:-1]))))
    return rows, 0


def row_text(label, row, base, weight=1):
    if weight == 0:
        return b"0\n"
    if label is None:
        out = b"-"
    else:
        name = os.fsencode(label_text(label))
        out = b"%d:" % len(name) + name
    entries = "".join(entry_text(column - base + 1, row[column]) for column in sorted(row))
    return out + entries.encode() + b"\n"


def hash_text(text):
    first = text.split("\n", 1)[0]
    rows, base = libsvm_rows(text) if ":" in first else csv_rows(text)
    return hash_rows([row_text(label, row, base) for label, row in rows])


def hash_rows(texts):
    total = hashlib.sha256(b"perceptron rows 1\n%d\n" % len(texts))
    for at in range(0, len(texts), GROUP):
        group = hashlib.sha256(b"".join(texts[at:at + GROUP])).hexdigest()
        total.update(group.encode() + b"\n")
    return total.hexdigest()


def hash_file(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rb") as f:
        return hash_text(os.fsdecode(f.read()))


# ----- comparison -----------------------------------------------------------------------------


def spell(r, digits, exponent):
    """digits * 10^exponent in one of many ways."""
    way = r.randrange(4)
    if way == 0:
        return "%se%d" % (digits, exponent)
    if way == 1:
        return "%s.%se%d" % (digits[0], digits[1:], exponent + len(digits) - 1)
    if way == 2:
        return "+0%s000E%d" % (digits, exponent - 3)
    return ".%se+%d" % (digits, exponent + len(digits)) if exponent + len(digits) >= 0 \
        else "-0.00%se%d" % (digits, exponent + len(digits) + 2)


def random_file(r, rows, columns, long):
    lines = []
    for i in range(rows):
        words = [r.choice(["1", "+1.0", "-1", "2e0", "a", "007", "9007199254740993", "9007199254740992",
                           "123456789012345678", "0.00001", "1.20e-400"])]
        for j in range(1, columns + 1):
            if r.random() < 0.3:
                continue
            size = r.choice([1, 2, 5, 17, 19, 20, 40] if long else [1, 2, 5])
            digits = str(r.randrange(1, 10 ** size))
            words.append("%d:%s" % (j, spell(r, digits, r.randrange(-30, 5) if long else -2)))
        lines.append(" ".join(words) + r.choice(["", " ", " # note", "\r"]))
    return "\n".join(lines) + "\n"


def compare(program, path, *options, want=None):
    out = path + ".cert"
    subprocess.run([program, "prove", "--quick", path, "-o", out, *options],
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if not os.path.exists(out):
        sys.exit("%s: no certificate" % path)
    with open(out, encoding="utf-8") as f:
        came = json.load(f)["data"]["sha256"]
    want = want or hash_file(path)
    if came != want:
        sys.exit("%s: the tool says %s, the definition %s" % (path, came, want))


def main():
    if sys.argv[1] == "--hash":
        for path in sys.argv[2:]:
            print(hash_file(path), path)
        return 0
    program = sys.argv[1]
    if subprocess.run([program, "prove", "--help"], capture_output=True).returncode != 0:
        return 77
    r = random.Random(6)
    with tempfile.TemporaryDirectory() as where:
        for k, (rows, columns, long) in enumerate(
                [(3, 2, False), (50, 5, True), (4096, 1, False), (4097, 2, True), (9000, 2, True)]):
            text = random_file(r, rows, columns, long)
            path = os.path.join(where, "%d.svm" % k)
            with open(path, "w", newline="", encoding="ascii") as f:
                f.write(text)
            compare(program, path)
        path = os.path.join(where, "weights.csv")
        rows = [(str(r.randrange(9)), r.choice(["0", "0.0", "1", "2.5"]), r.choice("ab")) for _ in range(5000)]
        with open(path, "w", encoding="ascii") as f:
            f.write("".join("%s,%s,%s\n" % row for row in rows))
        compare(program, path, "--weight", "2", "--header", "no",
                want=hash_rows([row_text(y, {0: x}, 0, float(w)) for x, w, y in rows]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
