#!/usr/bin/env python3
"""parts.py PROGRAM -- what split and sample write, beside the rows of the text.

Random tables with quoted line ends, delimiters and doubled quotes, CR LF, a byte order mark, blank
lines, a last line without its end; LIBSVM text with comments. The rows are found again by a state
machine of a few lines on bytes, their cells by Python's csv module. Every byte of the text but the
head is in exactly one part, in its order; labels are in proportion to within one row; groups are
whole; what is newer is in TEST, and the number of its rows the nearest that ties allow.
"""
import bz2
import csv
import datetime
import fractions
import gzip
import io
import json
import lzma
import os
import random
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])
CASES = 40 if len(sys.argv) < 3 else int(sys.argv[2])
HOSTILE = ["\n", "\r\n", '"', '""', ",", ";", " ", "ü", "漢字", "x", "", "#", "\n\n", '"\n"']
checks = 0


def check(right, *what):
    global checks
    checks += 1
    if not right:
        sys.exit("FAILED " + " ".join(repr(w)[:600] for w in what))


def run(*words, stdin=b"", status=0):
    p = subprocess.run([TOOL, *words], input=stdin, capture_output=True, check=False)
    check(p.returncode == status, words, p.returncode, p.stderr)
    return p.stdout, p.stderr.decode("utf-8", "replace")


# ----- the rows of a text, once more ---------------------------------------------------------


def records(text, quotes):
    """Lines with their ends; inside quotes a line end is none."""
    found, begin, inside = [], 0, False
    for i, c in enumerate(text):
        inside ^= quotes and c == 0x22
        if c == 0x0a and not inside:
            found.append(text[begin:i + 1])
            begin = i + 1
    return found + ([text[begin:]] if begin < len(text) else [])


def is_gap(line, table):
    return not line.strip() or (not table and line.lstrip().startswith(b"#"))


class Text:
    """head, and the rows, each with the gaps behind it."""

    def __init__(self, text, table=True, header=True):
        self.text, self.head, self.rows, self.plain = text, b"", [], []
        if text.startswith(b"\xef\xbb\xbf"):
            self.head, text = text[:3], text[3:]
        for r in records(text, table):
            gap = is_gap(r, table)
            if not gap and header:
                self.head, header = self.head + r, False
            elif not gap:
                self.rows.append(r)
                self.plain.append(r)
            elif self.rows:
                self.rows[-1] += r
            else:
                self.head += r
        check(self.head + b"".join(self.rows) == self.text, "the rows make the text")

    def part(self, chosen):
        return self.head + b"".join(r for r, c in zip(self.rows, chosen) if c)


def cells(row, delimiter=","):
    found = list(csv.reader(io.StringIO(row.decode().rstrip("\r\n"), newline=""), delimiter=delimiter,
                            skipinitialspace=False))
    check(len(found) == 1, "one row", row)
    return found[0]


def which(text, a, b):
    """For each row whether it is in b; a and b have all of them, in order, and nothing else."""
    check(a.startswith(text.head) and b.startswith(text.head), "heads", text.head, a[:99], b[:99])
    rest, drawn, chosen = a[len(text.head):], b[len(text.head):], []
    for row in text.rows:  # ids make rows different: at most one of the two goes on
        mine = drawn.startswith(row)
        check(mine != rest.startswith(row), "a row is in one part", row, rest[:99], drawn[:99])
        if mine:
            drawn = drawn[len(row):]
        else:
            rest = rest[len(row):]
        chosen.append(mine)
    check(not rest and not drawn, "nothing is left over", rest, drawn)
    return chosen


# ----- random texts ----------------------------------------------------------------------------


def table(rng, rows):
    end = rng.choice(["\n", "\r\n"])
    out = io.StringIO()
    writer = csv.writer(out, lineterminator=end, quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    labels = rng.choice([["a", "b"], ["1", "2", "3"], ['says "no"', "two\nlines", "x,y"]])
    share = [rng.random() + 0.05 for _ in labels]
    writer.writerow(["id", "note", "group", "when", "n", "label"])
    day = datetime.date(1999, 12, 28)
    for i in range(rows):
        note = "".join(rng.choice(HOSTILE) for _ in range(rng.randrange(6)))
        when = day + datetime.timedelta(days=rng.randrange(max(2, rows // 3)))
        writer.writerow([f"r{i}", note, f"g{rng.randrange(max(2, rows // 5))}", when.isoformat(),
                         rng.randrange(rows), rng.choices(labels, share)[0]])
        if rng.random() < 0.1:
            out.write(rng.choice([end, "  " + end]))
    text = out.getvalue()
    if rng.random() < 0.3:
        text = text.rstrip("\r\n ")
    return (b"\xef\xbb\xbf" if rng.random() < 0.3 else b"") + text.encode()


def libsvm(rng, rows):
    lines = ["# made up"] if rng.random() < 0.5 else []
    for i in range(rows):
        n = f" 7:{rng.randrange(9)}" if rng.random() < 0.8 else ""
        lines.append(f"{rng.choice(['1', '-1'])} qid:{rng.randrange(max(2, rows // 4))} 3:{i}{n} 9:1"
                     + rng.choice(["", " # x"]))
        if rng.random() < 0.1:
            lines.append(rng.choice(["", "# a comment", "\t"]))
    return "\n".join(lines).encode() + rng.choice([b"\n", b""])


# ----- what must hold ------------------------------------------------------------------------------


def split(folder, *words, stdin=b""):
    a, b = os.path.join(folder, "a"), os.path.join(folder, "b")
    told, _ = run("split", *words, "--json", "-o", a, b, stdin=stdin)
    check(sorted(f for f in os.listdir(folder) if "tmp" in f) == [], "no temporaries")
    return open(a, "rb").read(), open(b, "rb").read(), json.loads(told)


def counts(values, chosen):
    out = {}
    for v, c in zip(values, chosen):
        out.setdefault(v, [0, 0])[c] += 1
    return out


def in_proportion(values, chosen, wanted):
    """Each label has its share of what is wanted, to within one row."""
    total = len(values)
    for v, (no, yes) in counts(values, chosen).items():
        exact = fractions.Fraction((no + yes) * wanted, total)
        check(abs(yes - exact) < 1, "in proportion", v, no, yes, wanted, total)


def told_labels(told, values, chosen):
    mine = counts(values, chosen)
    check({l["label"]: [l["train"], l["test"]] for l in told["labels"]} == mine, told, mine)


def one_table(rng, folder, rows):
    text = table(rng, rows)
    data = os.path.join(folder, "data.csv")
    open(data, "wb").write(text)
    t = Text(text)
    columns = list(zip(*(cells(r) for r in t.plain)))
    notes, groups, days, numbers, labels = columns[1:]
    check(len(t.rows) == rows, len(t.rows), rows)
    seed = str(rng.randrange(10 ** 6))
    share = rng.choice([0.1, 0.2, 0.25, 0.5])
    wanted = min(rows - 1, max(1, int(share * rows + 0.5)))

    # At random: the number is right; a pipe, a compressed file and other threads give the same.
    a, b, told = split(folder, data, "--test", str(share), "--seed", seed)
    chosen = which(t, a, b)
    check(sum(chosen) == wanted and told["test"]["rows"] == wanted, sum(chosen), wanted)
    check(told["rows"] == rows and told["train"]["rows"] == rows - wanted, told)
    told_labels(told, labels, chosen)
    check(split(folder, "-", "--test", str(share), "--seed", seed, stdin=text)[:2] == (a, b), "a pipe")
    packed = os.path.join(folder, "packed")
    pack = rng.choice([gzip.compress, bz2.compress, lzma.compress])
    open(packed, "wb").write(pack(text))
    check(split(folder, packed, "--test", str(share), "--seed", seed)[:2] == (a, b), "compressed")
    for threads in "128":
        check(split(folder, data, "--test", str(wanted), "--seed", seed, "--threads", threads)[:2] == (a, b),
              threads)

    # Stratified.
    a, b, told = split(folder, data, "--test", str(share), "--seed", seed, "--stratify")
    chosen = which(t, a, b)
    check(sum(chosen) == wanted, sum(chosen), wanted)
    in_proportion(labels, chosen, wanted)
    told_labels(told, labels, chosen)

    # By group.
    if len(set(groups)) == 1:
        run("split", data, "--by", "group:group", "-o", data + "1", data + "2", status=3)
        return
    words = ["--by", "group", "group"] if rng.random() < 0.5 else ["--by=group:group"]
    words += rng.choice([[], ["--stratify"]])
    a, b, told = split(folder, data, "--test", str(share), "--seed", seed, *words)
    chosen = which(t, a, b)
    sides = [{g for g, c in zip(groups, chosen) if c == side} for side in (0, 1)]
    check(not sides[0] & sides[1] and sides[0] and sides[1], sides)
    check(told["groups"]["all"] == len(set(groups)) and told["groups"]["test"] == len(sides[1]), told)
    check(split(folder, "-", "--test", str(share), "--seed", seed, *words, stdin=text)[:2] == (a, b), "a pipe")
    if "--stratify" not in words:  # no single group more would bring it nearer, but for the forced one
        size, now = {g: groups.count(g) for g in set(groups)}, sum(chosen)
        check(len(sides[1]) == 1 or now - wanted < max(size.values()), now, wanted, size)
        for g in sides[0]:
            check(now + size[g] - wanted >= wanted - now, "one more group was nearer", now, wanted, size[g])

    # By time: dates and numbers.
    for column, values in (("when", days), ("5", [int(n) for n in numbers])):
        if len(set(values)) == 1:
            continue
        a, b, told = split(folder, data, "--test", str(share), "--by", f"time:{column}")
        chosen = which(t, a, b)
        new = [v for v, c in zip(values, chosen) if c]
        old = [v for v, c in zip(values, chosen) if not c]
        check(max(old) < min(new), "newer", max(old), min(new))
        check(told["since"] == str(min(new)), told["since"], min(new))
        ordered = sorted(values)
        may = [n for n in range(1, rows) if ordered[rows - n - 1] < ordered[rows - n]]
        check(abs(len(new) - wanted) == min(abs(n - wanted) for n in may), len(new), wanted, may)

    # Samples.
    n = rng.randrange(1, rows + 3)
    drawn, _ = run("sample", data, "--rows", str(n), "--seed", seed)
    rest = [r for r in t.rows]
    at = drawn[len(t.head):]
    check(drawn.startswith(t.head), "head")
    taken = []
    for r in rest:
        taken.append(at.startswith(r))
        at = at[len(r):] if taken[-1] else at
    check(at == b"" and sum(taken) == min(n, rows), at, sum(taken), n)
    check(run("sample", "-", "--rows", str(n), "--seed", seed, stdin=text)[0] == drawn, "a stream")
    for words in (["--share", "0.3"], ["--share", "0.3", "--stratify"], ["--rows", "7", "--stratify"],
                  ["--share", "0.3", "--by", "group:group"]):
        one, _ = run("sample", data, *words, "--seed", seed, "-q")
        check(run("sample", "-", *words, "--seed", seed, stdin=text)[0] == one, words)


def one_libsvm(rng, folder, rows):
    text = libsvm(rng, rows)
    data = os.path.join(folder, "data.svm")
    open(data, "wb").write(text)
    t = Text(text, table=False, header=False)
    words = [r.split(b"#")[0].split() for r in t.plain]
    pairs = [dict(w.split(b":") for w in row[1:]) for row in words]
    a, b, told = split(folder, data, "--stratify")
    chosen = which(t, a, b)
    in_proportion([w[0] for w in words], chosen, max(1, int(0.2 * rows + 0.5)))
    for key in ("qid", "7"):
        values = [p.get(key.encode(), b"") for p in pairs]
        if len(set(values)) == 1:
            continue
        a, b, told = split(folder, data, "--by", "group", key)
        chosen = which(t, a, b)
        sides = [{g for g, c in zip(values, chosen) if c == side} for side in (0, 1)]
        check(not sides[0] & sides[1] and all(sides), sides)
        check(told["groups"]["rows_without"] == values.count(b""), told)
    check(told["format"] == "libsvm", told)
    a, b, told = split(folder, data, "--by", "time:3", "--test", "3")
    check(which(t, a, b) == [False] * (rows - 3) + [True] * 3, "the last three")


def one_objects(rng, folder, rows):
    """JSON lines: the label is the key that training takes, keys may be nested, escaped, or not there."""
    end = rng.choice([b"\n", b"\r\n"])
    key, group, usual = rng.choice([("label", "who.g", True), ("Class", "g", True), ("last", "\u00fc\"", False)])
    texts = ["a", "b"] if rng.random() < 0.5 else ["say \"no\"", "two\nlines", "\u00fc"]
    objects, lines, first = [], [], True
    for i in range(rows):
        g = rng.choice([f"g{rng.randrange(max(2, rows // 4))}", rng.randrange(4), None, True]) if i else "g0"
        o = {"id": i, "x": rng.random(), "y": "no label beside x", **({} if g is None and rng.random() < 0.5 else
             {"who": {"z": [1, 2], "g": g}} if "." in group else {group: g}), "when": rng.randrange(rows), key: rng.choice(texts)}
        objects.append((g, o["when"], o[key]))
        if usual and not first:  # the order of keys says nothing, but for the last of the first line
            o = dict(rng.sample(list(o.items()), len(o)))
        lines.append(json.dumps(o, ensure_ascii=rng.random() < 0.5).encode() + end)
        if rng.random() < 0.1:
            lines[-1] += rng.choice([b"", b"  "]) + end
        first = False
    text = (b"\xef\xbb\xbf" if rng.random() < 0.3 else b"") + b"".join(lines)
    if rng.random() < 0.3:
        text = text.rstrip(b"\r\n ")
    data = os.path.join(folder, "data.jsonl")
    open(data, "wb").write(text)
    t = Text(text, table=False, header=False)
    labels = [o[2] for o in objects]
    words = [[], ["--label", key]][rng.randrange(2)]
    a, b, told = split(folder, data, "--stratify", *words)
    chosen = which(t, a, b)
    in_proportion(labels, chosen, max(1, int(0.2 * rows + 0.5)))
    told_labels(told, labels, chosen)
    check(told["format"] == "jsonl", told)
    check(split(folder, "-", "--stratify", *words, stdin=text)[:2] == (a, b), "a pipe")
    a, b, told = split(folder, data, "--by", "group:" + group)
    chosen = which(t, a, b)
    groups = ["" if o[0] is None else "true" if o[0] is True else str(o[0]) for o in objects]
    sides = [{g for g, c in zip(groups, chosen) if c == side} for side in (0, 1)]
    check(not sides[0] & sides[1] and all(sides), sides)
    check(told["groups"]["rows_without"] == groups.count(""), told)
    a, b, told = split(folder, data, "--by", "time:when")
    chosen = which(t, a, b)
    check(max(o[1] for o, c in zip(objects, chosen) if not c) < min(o[1] for o, c in zip(objects, chosen) if c), "newer")


def big(folder):
    """Longer than a chunk of the reader, with quotes in some of its rows alone."""
    rng = random.Random(9)
    rows = [f'r{i},{"," .join(str(rng.random()) for _ in range(5))},"{"x" * rng.randrange(40)}' +
            ("\n" if i % 7 == 0 else "") + f'",{rng.randrange(3)}' for i in range(60000)]
    text = ("id,a,b,c,d,e,note,label\n" + "\n".join(rows)).encode()
    data = os.path.join(folder, "big.csv")
    open(data, "wb").write(text)
    t = Text(text)
    a, b, told = split(folder, data, "--stratify", "--test", "0.2")
    chosen = which(t, a, b)
    values = [cells(r)[-1] for r in t.plain]
    in_proportion(values, chosen, 12000)
    told_labels(told, values, chosen)
    check(split(folder, "-", "--stratify", "--test", "0.2", stdin=text)[:2] == (a, b), "a pipe")


def draws_are_fair(folder):
    """Every row is drawn about as often as any other, and every pair: 1000 seeds, 5 of 10 rows."""
    data = os.path.join(folder, "ten.csv")
    open(data, "w").write("a,label\n" + "".join(f"{i},{i % 2}\n" for i in range(10)))
    alone, pairs = [0] * 10, {}
    for seed in range(1000):
        out, _ = run("sample", data, "--rows", "5", "--seed", str(seed), "-q")
        got = [int(line.split(b",")[0]) for line in out.split()[1:]]
        for i in got:
            alone[i] += 1
            for j in got:
                pairs[i, j] = pairs.get((i, j), 0) + 1
    # Binomial(1000, 1/2) and (1000, 2/9): five standard deviations.
    check(all(abs(n - 500) < 80 for n in alone), alone)
    check(all(abs(n - 222) < 66 for (i, j), n in pairs.items() if i < j), pairs)


def refusals(folder):
    data = os.path.join(folder, "bad.csv")

    def refused(text, status, *words, says):
        open(data, "wb").write(text)
        before = sorted(os.listdir(folder))
        for command in (["split", data, "-o", os.path.join(folder, "x"), os.path.join(folder, "y")],):
            _, said = run(*command, *words, status=status)
            check(says in said, said, says)
        check(sorted(os.listdir(folder)) == before, "nothing is left")

    good = b"id,g,t,label\n1,a,2024-01-01,x\n2,b,2024-01-02,y\n3,b,2024-01-03,x\n"
    refused(b'a,label\n1,x\n"2,y\n', 3, says="bad.csv:3:1: this quote is never closed")
    refused(b'a,label\n1,x\n2"3,y\n', 3, says="bad.csv:3:2: a quote inside a cell")
    refused(b"a,label\n1,x\n", 3, says="one row cannot be divided")
    refused(b"a,label\n", 3, says="no rows")
    refused(b"", 3, says="no rows")
    refused(b"a,b,label\n1,2,x\n3\n4,5,y\n", 3, "--stratify", says="bad.csv:3: this row has 1 cell")
    refused(b"a,label\n1,x\n2,\n4,y\n", 3, "--stratify", says="bad.csv:3:3: this row has no label")
    refused(good, 2, "--by", "group:labell", says="did you mean label")
    refused(good, 2, "--by", "group:nothing", says="there is no column 'nothing'")
    refused(good, 2, "--by", "g", says="must be group:COLUMN or time:COLUMN")
    refused(good, 2, "--by", "group:", says="must be group:COLUMN or time:COLUMN")
    refused(good, 2, "--by", "time:t", "--stratify", says="leave out --stratify")
    refused(good, 2, "--by", "time:t", "--seed", "3", says="leave out --seed")
    refused(good, 3, "--by", "time:g", says="bad.csv:2:3: 'a' is no time")
    refused(good, 2, "--test", "0", says="--test")
    refused(good, 2, "--test", "1.5", says="--test")
    refused(good, 3, "--test", "3", says="lower --test")
    refused(b"g,label\na,1\na,2\n", 3, "--by", "group:g", says="one group")
    refused(b"t,label\n5,1\n5.0,2\n", 3, "--by", "time:t", says="the same time")
    refused(b"t,label\n5,1\n2024-01-01,2\n", 3, "--by", "time:t", says="bad.csv:3:1: '2024-01-01' is a date")
    refused(b"t,label\n2024-01-01T10:00Z,1\n2024-01-01T10:00,2\n", 3, "--by", "time:t", says="which is earlier")
    some = b'{"x":1,"y":"q","label":"a"}\n{"x":2,"y":"r","label":"b"}\n'
    refused(b"[" + some.replace(b"}\n{", b"},{") + b"]", 3, says="this is an array")
    refused(b"\n [" + some, 3, "--format", "jsonl", says="this is an array")
    refused(some, 2, "--by", "group:nothing", says="there is no column 'nothing'")
    refused(some + b'{"x":1,"label":null}\n', 3, "--stratify", says="bad.csv:3: this row has no label")
    refused(some + b'{"x":1', 3, "--stratify", says="bad.csv:3:7: ")
    refused(b"1 |a b\n-1 |a c\n", 2, "--format", "vw", "--by", "group:b", says="no columns")
    refused(b"1 1:2\n-1 1:3\n", 2, "--by", "group:b", says="which has no column 'b'")
    refused(b"1 1:2\n-1 1:3\n", 2, "--by", "group:-1", says="which has no column '-1'")
    refused(good, 3, "--format", "blocks", says="these are blocks")
    refused(b"a,b,label\n1,2,\"x\"\n3,\"4\"\n5,6,y\n", 3, "--stratify", says="bad.csv:3: this row has 2 cells")
    run("split", ":iris", "-o", os.path.join(folder, "x"), os.path.join(folder, "y"), status=2)
    run("sample", data, status=2)
    run("sample", data, "--rows", "3", "--share", "0.5", status=2)
    run("sample", data, "--rows", "3", "--by", "time:t", status=2)
    run("split", data, "-o", "-", "-", status=2)
    run("split", data, "-o", data, os.path.join(folder, "y"), status=2)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for case in range(CASES):
            rng = random.Random(case)
            one_table(rng, folder, rng.choice([2, 3, 7, 20, 60, 200]) + rng.randrange(5))
            one_libsvm(rng, folder, rng.choice([8, 30, 100]) + rng.randrange(5))
            one_objects(rng, folder, rng.choice([8, 30, 100]) + rng.randrange(5))
        big(folder)
        draws_are_fair(folder)
        refusals(folder)
    print(f"{checks} checks")


main()
