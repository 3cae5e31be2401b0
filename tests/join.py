#!/usr/bin/python3
"""Predictions are joined with their rows by an id.

    join.py PROGRAM

Tables of 10,000 rows, whose ids, notes and labels have line ends, quotes, delimiters, blanks, bytes
that are no text. The judges are Python's csv and json modules, plain predict, and repr for numbers.
"""
import csv
import gzip
import io
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
from decimal import Decimal

TOOL, ROWS = os.path.abspath(sys.argv[1]), 10000
HOSTILE = ["\n", "\r\n", '"', '""', ",", "\t", ";", " ", "  ", "ü", "漢字", "\udcff\udc80", "#", "'", "\\n", "\x1b[2J", "|", "\r"]
LABELS = ["plain", 'says "no"', "two\nlines, and a comma", "ünï\tcode"]
KEPT = ["note", "id", "g", "when"]
checks = 0


def check(right, *what):
    global checks
    checks += 1
    if not right:
        sys.exit("FAILED " + " ".join(repr(w)[:400] for w in what))


def run(*words, stdin=b"", status=0):
    p = subprocess.run([TOOL, *words], input=stdin, capture_output=True, check=False)
    check(p.returncode == status, words, p.returncode, p.stderr)
    return p.stdout, p.stderr.decode("utf-8", "replace")


def decode(data):
    return data.decode("utf-8", "surrogateescape")


def table(rows, names, **how):
    out = io.StringIO()
    writer = csv.writer(out, **how)
    if names:
        writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue().encode("utf-8", "surrogateescape")


def read(data, form):
    """[{name: text}] as Python reads it; numbers stay texts."""
    text = decode(data)
    if form == "jsonl":
        return [json.loads(line, parse_float=str, parse_int=str) for line in text.split("\n")[:-1]]
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t" if form == "tsv" else ",", strict=True))
    check(all(len(row) == len(rows[0]) for row in rows), "ragged")
    check(len(set(rows[0])) == len(rows[0]), "names", rows[0])
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def plain(line):
    """The first word of a line of plain predict, and the numbers behind it."""
    if not line.startswith('"'):
        word, *rest = line.split(" ")
        return word, rest
    word, end = json.JSONDecoder().raw_decode(line)
    return word, line[end:].split()


def shortest(text):
    check(Decimal(text).normalize() == Decimal(repr(float(text))).normalize(), "not the shortest", text)


def make(seed, labels):
    r = random.Random(seed)
    rows = []
    for i in range(ROWS):
        ends = r.choice(HOSTILE), r.choice(HOSTILE)
        note = "".join(r.choice(HOSTILE + list("abc") * 9) for _ in range(r.randrange(300)))
        f, g = r.gauss(0, 1), r.randrange(-9, 10)
        label = labels[(f > 0) + 2 * (g > 1)] if len(labels) > 2 else labels[f + 0.1 * g > 0]
        rows.append([ends[0] + str(i) + ends[1], "2024-%02d-%02d" % (i % 12 + 1, i % 28 + 1), note, "%.6g" % f,
                     str(g), label])
    return ["id", "when", "note", "f", "g", "class"], rows


def compare(data, form, rows, want, kept=KEPT, label="label"):
    """The answers joined with the rows they are of, by the id."""
    names = ["id", "when", "note", "f", "g", "class"]
    got = read(data, form)
    check(len(got) == len(want), "rows", len(got), len(want))
    check(list(got[0])[:len(kept)] == kept, "order", list(got[0]))
    by_id = {row["id"]: row for row in got}
    check(len(by_id) == len(got), "ids that occur twice")
    for row, (answer, numbers) in zip(rows, want):
        at = by_id[row[0]]
        for name in kept:
            check(at[name] == row[names.index(name)], "cell", name, at[name], row)
        check(at[label] == answer, "label", at[label], answer)
        own = [v for k, v in at.items() if k == "score" or k.startswith(("score.", "probability."))]
        check(own == numbers, "numbers", own, numbers)


def answers(model, path, columns, *more):
    """What plain predict says of each row: (label, scores and probabilities)."""
    lines = decode(run("predict", model, path, "--scores", "--proba", *more)[0]).split("\n")[:-1]
    said = []
    for line, label in zip(lines, decode(run("predict", model, path, *more)[0]).split("\n")):
        word, numbers = plain(line)
        check((json.loads(label) if label.startswith('"') else label) == word, "labels", label, word)
        for n in numbers:
            shortest(n)
        said.append((word, numbers[-columns:] + numbers[:-columns]))
    return said


def joined(labels, scores):
    names, rows = make(len(labels), labels)
    whole = table(rows, names)
    with open("d.csv", "wb") as f:
        f.write(whole)
    check(len(whole) > 1 << 20, "one chunk is too few")
    run("train", "d.csv", "--ignore", "id,when,note", "--calibrate", "--epochs", "3", "-o", "m", "-q")
    want = answers("m", "d.csv", scores)
    for form in "csv", "tsv", "jsonl":
        words = ["predict", "m", "d.csv", "--proba", "--format", form, "--keep", "note, id,5,when"]
        one = run(*words, "--threads", "1")[0]
        for threads in "2", "8":
            check(run(*words, "--threads", threads)[0] == one, form, "other bytes with threads", threads)
        compare(one, form, rows, want)
        run(*words, "-o", "out")
        check(open("out", "rb").read() == one, form, "-o")
        words[2] = "-"
        check(run(*words, stdin=whole)[0] == one, form, "standard input")
        check(run(*words, stdin=gzip.compress(whole))[0] == one, form, "compressed")
    own_reader(rows, want)
    other_tables(names, rows, want)
    hostile(names, rows, want)


def own_reader(rows, want):
    """A table of answers is a table that predict reads."""
    for form in "csv", "tsv":
        first = run("predict", "m", "d.csv", "--format", form, "--keep", "id,note,f,g")[0]
        with open("again", "wb") as f:
            f.write(first)
        rest = [k for k in read(first, form)[0] if k.startswith(("label", "score"))]
        places = ",".join(str(5 + i) for i in range(len(rest)))
        again = run("predict", "m", "again", "--ignore", places, "--proba", "--format", "jsonl", "--keep", "note,id,g")
        compare(again[0], "jsonl", rows, want, ["note", "id", "g"])


def other_tables(names, rows, want):
    """Columns that the model does not know, or in another order; no header; a name that an answer has."""
    order = [4, 0, 5, 2, 3, 1]
    some = [[row[k] for k in order] + [str(i)] for i, row in enumerate(rows)]
    more = table(some, [names[k] for k in order] + ["new"], delimiter=";", lineterminator="\n",
                 quoting=csv.QUOTE_ALL)
    out = run("predict", "m", "-", "--proba", "--format", "csv", "--keep", "new,id,class", stdin=more)[0]
    got = read(out, "csv")
    check([r["new"] for r in got] == [str(i) for i in range(ROWS)], "a column that the model does not know")
    check([(r["id"], r["class"], r["label"]) for r in got] == [(r[0], r[5], a) for r, (a, _) in zip(rows, want)], "moved")
    bare = table(rows, None)
    out = read(run("predict", "m", "-", "--header", "no", "--format", "csv", "--keep", "1,x3", stdin=bare)[0], "csv")
    check([(r["x1"], r["x3"], r["label"]) for r in out] == [(r[0], r[2], a) for r, (a, _) in zip(rows, want)], "bare")
    clash = table(rows, ["label"] + names[1:4] + ["g", "class"])
    out = run("predict", "m", "-", "--format", "jsonl", "--ignore", "label", "--keep", "class,label", stdin=clash)[0]
    check([(r["class"], r["input.label"], r["label"]) for r in read(out, "jsonl")] ==
          [(r[5], r[0], a) for r, (a, _) in zip(rows, want)], "a name that an answer has")
    out = run("predict", "m", "-", "--format", "csv", "--keep", "id,when", stdin=table([], names))[0]
    check(out.startswith(b"id,when,label,score") and read(out, "csv") == [], "no rows", out)


def hostile(names, rows, want):
    """Rows that get no answer, or cannot."""
    holes = [list(row) for row in rows]
    for i in range(0, ROWS, 7):
        holes[i][3 + i % 2] = ["", "NA", "?"][i % 3]
    whole = table(holes, names)
    left = [i for i in range(ROWS) if i % 7]
    for threads in "1", "2", "8":
        out, said = run("predict", "m", "-", "--proba", "--missing", "drop", "--format", "csv", "--keep",
                        ",".join(KEPT), "--threads", threads, stdin=whole)
        compare(out, "csv", [rows[i] for i in left], [want[i] for i in left])
        check("rows without an answer (a cell is missing): 1,429" in said, said)
    run("predict", "m", "-", "--missing", "drop", stdin=whole, status=2)
    bad = [list(row) for row in rows]
    bad[ROWS - 9][3] = "1.2.3"
    errors = set()
    for threads in "1", "2", "8":
        words = ["predict", "m", "-", "--format", "csv", "--keep", "id", "--threads", threads, "-o", "never"]
        errors.add(run(*words, stdin=table(bad, names), status=3)[1])
        check(not os.path.exists("never"), "half a file")
    check(len(errors) == 1 and "1.2.3" in errors.pop(), errors)


def numbers():
    """Any doubles: written as repr writes them, digit for digit."""
    r = random.Random(5)
    values = [0.1, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 9007199254740993.0]
    while len(values) < 20000:
        v = struct.unpack("<d", struct.pack("<Q", r.getrandbits(64)))[0]
        if v == v and abs(v) != float("inf"):
            values.append(v)
    text = "".join("%d 1:%.17g\n" % (i % 2, v) for i, v in enumerate(values))
    out = run("convert", "-", "-", "--to", "libsvm", stdin=text.encode())[0].decode().split("\n")[:-1]
    for line, v in zip(out, values):
        word = line.split(":")[1]
        check(float(word) == v, word, v)
        shortest(word)


def main():
    with tempfile.TemporaryDirectory() as where:
        os.chdir(where)
        joined(LABELS, 4)
        joined(LABELS[1:3], 1)
        numbers()
        os.chdir("/")
    print("%d checks" % checks)


if __name__ == "__main__":
    main()
