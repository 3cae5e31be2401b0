#!/usr/bin/python3
"""Tables in every notation beside the same tables written plainly.

    notation_reference.py PROGRAM [GROUP...]

  numbers  random decimals, groups, exponents and what is none of them: which are read, and as what, by the
           rules of docs/formats.md written down again as a regular expression
  tables   random tables in decimal marks x separators x delimiters x quotes x UTF-8, UTF-16LE, UTF-16BE x gzip:
           the same rows, the same model but for what it remembers of the notation, the same answers, from
           a file, line by line, and after --resume, whatever the number of threads
  proofs   certificates about either verify against both

The first mismatch ends the program, and a group that compared nothing fails."""
import gzip
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

BLANKS = [" ", "\u00a0", "\u202f"]
SEPARATORS = {"none": [""], ".": ["."], ",": [","], "_": ["_"], "'": ["'", "\u2019"], "space": BLANKS}
compared = 0


class Mismatch(Exception):
    pass


def same(what, got, want):
    global compared
    compared += 1
    if got != want:
        at = max(0, len(os.path.commonprefix([got, want])) - 60)
        raise Mismatch("%s, at %d\ngot       %s\nexpected  %s" % (what, at, got[at:at + 400], want[at:at + 400]))


def run(*words, stdin=None, ok=0):
    p = subprocess.run([TOOL, *words], input=stdin, capture_output=True)
    if ok is not None and p.returncode != ok:
        raise Mismatch("%s: exit %d\n%s" % (" ".join(words), p.returncode, p.stderr.decode()))
    return p


# ----- one number


def rule(mark, thousands):
    """A number of the notation, as docs/formats.md has it."""
    between = "|".join(re.escape(s) for s in SEPARATORS[thousands]) if thousands != "none" else None
    whole = r"\d*" if between is None else r"(?:\d{1,3}(?:(?:%s)\d{3})+|\d*)" % between
    return re.compile(r"[+-]?(?=%s\d|\d)%s(?:%s\d*)?(?:[eE][+-]?\d+)?" % (re.escape(mark), whole, re.escape(mark)), re.ASCII)


def plain_of(text, mark, thousands):
    """The plain number, or None."""
    if not rule(mark, thousands).fullmatch(text):
        return None
    for s in SEPARATORS[thousands]:
        text = text.replace(s, "") if s else text
    return text.replace(mark, ".")


def numbers(rng):
    for mark in ".,":
        for thousands in SEPARATORS:
            if thousands == mark:
                continue
            for _ in range(60):
                text = "".join(rng.choice("0123456789" * 3 + mark + ".,'_ e-" + rng.choice(SEPARATORS[thousands]) * 3)
                               for _ in range(rng.randint(1, 11)))
                if rng.random() < 0.7:
                    text = written(rng, "%.*f" % (rng.randint(0, 4), rng.uniform(-1e9, 1e9)), mark, thousands)
                    if rng.random() < 0.3:
                        at = rng.randrange(len(text))
                        text = text[:at] + rng.choice(["", rng.choice("0123456789.,")]) + text[at + (rng.random() < 0.5):]
                text = text.strip(" \t")
                if text == "":
                    continue
                rows = "a;y\n" + "1;u\n" * 30 + "2;v\n" + rng.choice(['"%s";v\n', "%s;v\n"]) % text + "3;w\n" * 9
                p = run("convert", "-", "-", "--to", "libsvm", "-q", "--decimal", mark, "--thousands", thousands, "--delimiter", ";",
                        stdin=rows.encode(), ok=None)
                want = plain_of(text, mark, thousands)
                if want is not None and float(want) in (float("inf"), float("-inf")):
                    want = None
                same("%r with %s %s: exit" % (text, mark, thousands), str(p.returncode), "3" if want is None else "0")
                if want is None:
                    if not p.stderr.startswith(b"standard input:33:1: "):
                        raise Mismatch("%r: no place: %s" % (text, p.stderr.decode()))
                    continue
                last = p.stdout.decode().splitlines()[31].split()
                got = float(last[1].split(":")[1]) if len(last) > 1 else 0.0
                same("%r with %s %s" % (text, mark, thousands), repr(got), repr(float(want) + 0.0))


# ----- tables


def written(rng, number, mark, thousands):
    """A plain number in the notation, with or without its separators."""
    sign = number[0] if number[0] in "+-" else ""
    body, _, exponent = number[len(sign):].partition("e")
    whole, point, rest = body.partition(".")
    if thousands != "none" and rng.random() < 0.7:
        groups = []
        while len(whole) > 3:
            groups.insert(0, whole[-3:])
            whole = whole[:-3]
        whole += "".join(rng.choice(SEPARATORS[thousands]) + g for g in groups)
    return sign + whole + (mark + rest if point else "") + ("e" + exponent if exponent else "")


def decimal(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return str(rng.randint(-9999999, 9999999))
    if kind == 1:
        return "%.17g" % rng.gauss(0, 1e5)
    if kind == 2:
        return "%.3e" % rng.gauss(0, 1)
    return "%.*f" % (rng.randint(1, 6), rng.gauss(0, 10 ** rng.randint(0, 8)))


def made(rng, rows):
    """Columns and rows: ("number" | "word" | "label" | "weight", text)."""
    columns = ["number"] * rng.randint(1, 5) + ["word"] * rng.randint(0, 2) + ["weight"] * rng.randint(0, 1)
    rng.shuffle(columns)
    columns.append("label")
    labels = rng.choice([["1.5", "-2.25"], ["yes", "no"], ["1000", "2000.5"], ["a,b", "it's"]])
    table = []
    for i in range(rows):
        row = []
        for c in columns:
            if c == "number":
                row.append(decimal(rng))
            elif c == "weight":
                row.append("%.2f" % rng.uniform(0.1, 2000))
            elif c == "word":
                row.append(rng.choice(["red", "dark blue", "it's", 'say "so"', "a;b", "é", "\U0001f600", "x|y"]))
            else:
                row.append(labels[i % 2] if i < 2 else rng.choice(labels))
        table.append(row)
    names = ["%s%d" % (c, i) for i, c in enumerate(columns)]
    return columns, names, table


def cell(rng, text, delimiter, quote, force):
    if quote is None:
        return text
    if force or any(c in text for c in (delimiter, quote, "\n", "\r")) or rng.random() < 0.1:
        return quote + text.replace(quote, 2 * quote) + quote
    return text


def file_of(rng, columns, names, table, how):
    mark, thousands, delimiter, quote, encoding, packed = how
    lines = [names] + [[written(rng, t, mark, thousands) if c in ("number", "weight") or
                        (c == "label" and re.fullmatch(r"-?\d+(\.\d+)?", t)) else t
                        for c, t in zip(columns, row)] for row in table]
    text = "".join(delimiter.join(cell(rng, t, delimiter, quote, False) for t in line) + rng.choice(["\n", "\r\n"])
                   for line in lines)
    bom = rng.random() < 0.6 or not text[:5].isascii()
    data = (("\ufeff" if bom else "") + text).encode(encoding)
    with (gzip.open if packed else open)("t.gz" if packed else "t.csv", "wb") as f:
        f.write(data)
    return "t.gz" if packed else "t.csv", text


def plain_file(columns, names, table):
    with open("plain.csv", "w") as f:
        for line in [names] + table:
            f.write(",".join('"%s"' % t.replace('"', '""') if re.search('[,;"|\']', t) else t for t in line) + "\n")


def contents(path):
    """A model without what it remembers of how its table was written."""
    raw = open(path, "rb").read()
    n = struct.unpack("<Q", raw[:8])[0]
    head = json.loads(raw[8:8 + n])
    meta = head["__metadata__"]
    for key in [k for k in meta if "version" in k or "checksum" in k or "xxh" in k]:
        del meta[key]
    schema = next((k for k in meta if k.startswith("schema")), None)
    told = json.loads(meta[schema])
    notation = {k: told.pop(k, None) for k in ("decimal", "thousands", "quote", "delimiter")}
    meta[schema] = told
    return repr((head, raw[8 + n:])), notation


def tables(rng):
    quotes = {'"': [], "'": ["--quote", "'"], None: ["--quote", "none"]}
    delimiters = {";": [], "\t": [], ",": ["--delimiter", ","], "|": [], " ": ["--delimiter", "space"], "~": ["--delimiter", "~"]}
    for i in range(60):
        mark = rng.choice(".,,")
        thousands = rng.choice([t for t in SEPARATORS if t != mark])
        delimiter, quote = rng.choice(list(delimiters)), rng.choice(list(quotes))
        columns, names, table = made(rng, rng.randint(12, 60))
        if quote is None or quote == "'":  # what such a table cannot say, or no other way
            bad = [delimiter, '"', ",", " "] + ([quote] if quote else [])
            table = [[t if c not in ("word", "label") or not any(b in t for b in bad) else "w%d" % len(t)
                      for c, t in zip(columns, row)] for row in table]
            if len({row[-1] for row in table}) < 2:
                continue
        if quote is None and (delimiter == mark or delimiter in SEPARATORS[thousands]):
            continue
        encoding = rng.choice(["utf-8", "utf-16-le", "utf-16-be"])
        how = (mark, thousands, delimiter, quote, encoding, rng.random() < 0.3)
        options = ["--decimal", mark, "--thousands", thousands, *quotes[quote], "--delimiter", delimiter]
        known = ["--label", names[-1], "--header", "yes"]
        for c, n in zip(columns, names):
            known += ["--weight", n] if c == "weight" else []
        words = ",".join(n for c, n in zip(columns, names) if c == "word")
        known += ["--categorical", words] if words else []
        plain_file(columns, names, table)
        path, text = file_of(rng, columns, names, table, how)
        what = "table %d %r" % (i, how)
        threads = rng.choice("13")
        for to in ("csv", "jsonl"):
            a = run("convert", path, "-", "--to", to, "-q", "--threads", threads, *options, *known)
            b = run("convert", "plain.csv", "-", "--to", to, "-q", *known)
            same(what + " converted to " + to, a.stdout, b.stdout)
        train = ["-a", rng.choice(["perceptron", "averaged", "logistic"]), "--epochs", "7", "-q"]
        run("train", path, "-o", "m", *train, *options, *known, "--threads", threads)
        run("train", "plain.csv", "-o", "p", *train, *known)
        got, notation = contents("m")
        want, none = contents("p")
        same(what + " trained", got, want)
        same(what + " is remembered", repr(notation), repr({
            "decimal": "," if mark == "," else None, "thousands": thousands if thousands != "none" else None,
            "quote": {'"': None, "'": "single", None: "none"}[quote], "delimiter": delimiter}))
        same(what + " plain is as it was", repr(none), repr({"decimal": None, "thousands": None, "quote": None, "delimiter": ","}))
        # As trained, with nothing said.
        answers = run("predict", "p", "plain.csv", "--format", "csv").stdout
        same(what + " answered", run("predict", "m", path, "--format", "csv", "--header", "yes").stdout, answers)
        if train[1] != "logistic":
            lines = text.replace("\r\n", "\n").split("\n")
            if quote is not None and "\n" in "".join(sum(table, [])):
                continue
            a = run("learn", "m", "-o", "m2", "-q", stdin="\n".join(lines).encode()).stdout
            b = run("learn", "p", "-o", "p2", "-q", stdin=open("plain.csv", "rb").read()).stdout
            same(what + " learned", a.replace(b"to m2", b"to p2"), b)
            same(what + " learned, the model", contents("m2")[0], contents("p2")[0])
            run("train", path, "--resume", "m", "-o", "m3", "-q", "--epochs", "9", *known)
            run("train", "plain.csv", "--resume", "p", "-o", "p3", "-q", "--epochs", "9", *known)
            same(what + " resumed", contents("m3")[0], contents("p3")[0])


def proofs(rng):
    for i in range(12):
        mark = ","
        thousands = rng.choice(["none", ".", "space"])
        columns = ["number"] * rng.randint(1, 3) + ["label"]
        names = ["x%d" % k for k in range(len(columns) - 1)] + ["y"]
        table = [[rng.choice(["", "-"]) + "%d.%d" % (rng.randint(0, 10 ** rng.choice([1, 5, 24])), rng.randint(1, 999))
                  for _ in columns[:-1]] + [["1.5", "-2.25"][k % 2]] for k in range(rng.randint(2, 9))]
        plain_file(columns, names, table)
        path, _ = file_of(rng, columns, names, table, (mark, thousands, ";", '"', rng.choice(["utf-8", "utf-16-le"]), False))
        told = ["--decimal", mark, "--thousands", thousands, "--header", "yes", "--label", "y"]
        a = run("prove", path, "-o", "a.cert", *told, ok=None)
        b = run("prove", "plain.csv", "-o", "b.cert", "--header", "yes", "--label", "y", ok=None)
        if a.returncode not in (0, 1):
            raise Mismatch(a.stderr.decode())
        same("proof %d" % i, str(a.returncode), str(b.returncode))
        same("certificate %d" % i, open("a.cert", "rb").read(), open("b.cert", "rb").read())
        run("verify", "a.cert", "plain.csv", "--header", "yes", "--label", "y")
        run("verify", "b.cert", path, *told)


def main():
    global TOOL, compared
    TOOL = os.path.abspath(sys.argv[1])
    groups = {"numbers": numbers, "tables": tables, "proofs": proofs}
    with tempfile.TemporaryDirectory() as d:
        os.chdir(d)
        for name in sys.argv[2:] or groups:
            compared = 0
            try:
                if name == "proofs" and run("prove", ":and", ok=None).returncode not in (0, 1):
                    print("proofs: this build has none")
                    continue
                groups[name](random.Random("notation " + name))
            except Mismatch as e:
                print("MISMATCH in %s: %s" % (name, e))
                return 1
            if compared == 0:
                print("%s compared nothing" % name)
                return 1
            print("%s: %d compared" % (name, compared))
        os.chdir("/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
