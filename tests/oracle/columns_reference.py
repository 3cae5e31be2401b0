#!/usr/bin/python3
"""What --columns makes of a table, written down again in Python.

    columns_reference.py PROGRAM [GROUP...]

  days     the numbers and parts of thousands of days, beside datetime: all the ways to write one, leap
           years, the first and the last day that there is; and that no other text is a date
  tables   random tables with random treatments: every entry of every row, whatever the number of threads;
           and for a model, other rows of the same columns, in a file, line by line, and after a pass

Features are numbered as docs/columns.md says: numbers and days in the order of the file, the levels of
gaps, then words as they are met. The list of stop words is read from its source. The first mismatch ends
the program, and a group that compared nothing fails."""
import datetime
import json
import os
import random
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "data", "stop.c")
STOP = set(re.findall(r'"([a-z]+)"', open(SOURCE).read().split("english[] = {")[1].split("};")[0]))
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
MONTHS = "january february march april may june july august september october november december".split()
GAPS = ["", "?", "NA", "n/a", "NaN", "null"]
compared = 0


class Mismatch(Exception):
    pass


def same(what, got, want):
    global compared
    compared += 1
    if got != want:
        raise Mismatch("%s\ngot       %s\nexpected  %s" % (what, got, want))


def run(*words, stdin=None, ok=0):
    p = subprocess.run([TOOL, *words], input=stdin, capture_output=True, text=True)
    if ok is not None and p.returncode != ok:
        raise Mismatch("%s: exit %d\n%s" % (" ".join(words), p.returncode, p.stderr))
    return p


def write(name, text):
    with open(name, "w") as f:
        f.write(text)


def rows_of(name):
    """The rows of LIBSVM text: (label, {index: value})."""
    out = []
    for line in open(name):
        label, *pairs = line.split()
        out.append((label, {int(i): float(v) for i, v in (p.split(":") for p in pairs)}))
    return out


def days():
    rng = random.Random(1)
    first, last = datetime.date.min.toordinal(), datetime.date.max.toordinal()
    ordinals = [first, last, datetime.date(1970, 1, 1).toordinal()]
    for year in (4, 100, 400, 1582, 1600, 1900, 2000, 2023, 2024, 9999):
        end = datetime.date(year, 3, 1).toordinal()
        ordinals += [end - 2, end - 1, end, datetime.date(year, 12, 31).toordinal()]
    ordinals += [rng.randint(first, last) for _ in range(4000)]
    rng.shuffle(ordinals)
    lines, want = ["d,y"], []
    for n in ordinals:
        day = datetime.date.fromordinal(n)
        hour = rng.randrange(24)
        text = rng.choice(["%04d-%02d-%02d" % (day.year, day.month, day.day), "%04d/%02d/%02d" % (day.year, day.month, day.day),
                           "%02d.%02d.%04d" % (day.day, day.month, day.year)])
        if rng.random() < 0.5:
            text += rng.choice("T ") + "%02d:%02d" % (hour, rng.randrange(60))
            if rng.random() < 0.7:
                text += ":%02d" % rng.randrange(60)
                if rng.random() < 0.5:
                    text += rng.choice(".,") + "%d" % rng.randrange(10**rng.randint(1, 9))
            if rng.random() < 0.5:
                text += rng.choice(["Z", "+01:00", "-23:59", "+00:30"])
        else:
            hour = 0
        lines.append('"%s",%s' % (text, rng.choice("ab")))
        want.append((n - datetime.date(1970, 1, 1).toordinal(), DAYS[day.weekday()], MONTHS[day.month - 1], "hour %d" % hour))
    write("days.csv", "\n".join(lines) + "\n")
    write("what", "d: date days weekday month hour\n")
    run("convert", "days.csv", "days.svm", "--columns", "what", "-q")
    number = {}
    for i, ((_, got), parts) in enumerate(zip(rows_of("days.svm"), want)):
        for level in parts[1:]:
            number.setdefault(level, len(number) + 2)
        expected = {number[level]: 1.0 for level in parts[1:]}
        if parts[0] != 0:
            expected[1] = float(parts[0])
        same(lines[i + 1], got, expected)
    for text in ["2023-02-29", "1900-02-29", "2024-04-31", "2024-00-10", "2024-13-10", "2024-01-00", "2024-1-10", "24-01-10",
                 "0000-01-01", "2024-01/10", "10.01.24", "2024-01-10T", "2024-01-10 24:00", "2024-01-10 10:60",
                 "2024-01-10 10:10:60", "2024-01-10 10:10:10.", "2024-01-10 10:10+1:00", "2024-01-10 10:10+24:00",
                 "2024-01-10 10:10:10Zx", "2024-01-10x", "2024-01-10  10:10", "2024-01-10Z", "01/10/2024", "x024-01-10"]:
        write("bad.csv", "d,y\n2024-01-10,a\n%s,b\n" % text)
        write("what", "d: date\n")
        p = run("convert", "bad.csv", "bad.svm", "--columns", "what", ok=3)
        same(text, p.stderr.startswith("bad.csv:3:1: '%s' in column 'd' is not a date" % text), True)


def words_of(text):
    return re.findall(r"[a-z0-9\x80-\uffff]+", re.sub("[A-Z]", lambda m: m[0].lower(), text))


class Reference:
    """The features of a table with these columns: (name, kind, {option: value})."""

    def __init__(self, columns, missing):
        self.columns, self.missing, self.frozen = columns, missing, False
        self.number, self.gaps = {}, {}
        for name, kind, how in columns:
            if kind == "number" or (kind == "date" and "days" in how):
                self.number[name] = len(self.number)
        for name, kind, how in columns:
            if "indicator" in how or how.get("fill") == "level":
                self.number[name, None] = len(self.number)

    def level(self, entries, name, text):
        if (name, text) not in self.number and not self.frozen:
            self.number[name, text] = len(self.number)
        if (name, text) in self.number:
            j = self.number[name, text]
            entries[j] = entries.get(j, 0) + 1

    def fill(self, kind, how):
        return how.get("fill") or (self.missing if kind != "category" or self.missing in ("drop", "error") else "none")

    def row(self, cells):
        """The entries, means still None; None: the row is left out."""
        entries, known, gaps = {}, dict(self.number), []
        for (name, kind, how), cell in zip(self.columns, cells):
            if kind in ("id", "label", "ignore"):
                continue
            if kind == "text":
                kept = [w for w in words_of(cell) if "stop" not in how or w not in STOP]
                for i in range(len(kept)):
                    for n in range(1, min(int(how.get("ngrams", 1)), i + 1) + 1):
                        self.level(entries, name, " ".join(kept[i + 1 - n:i + 1]))
                continue
            if cell in GAPS:
                fill = self.fill(kind, how)
                if fill == "drop":
                    self.number = known
                    return None
                gaps.append(name)
                if name in self.number:
                    entries[self.number[name]] = None if fill == "mean" else 0.0 if fill == "zero" else float(fill)
                if (name, None) in self.number:
                    entries[self.number[name, None]] = 1
                continue
            if kind == "number":
                entries[self.number[name]] = float(cell)
            elif kind == "category":
                self.level(entries, name, cell)
            else:
                day = datetime.datetime.strptime(cell, "%Y-%m-%d %H:%M")
                if "days" in how:
                    entries[self.number[name]] = float(day.toordinal() - 719163)
                for part, text in (("weekday", DAYS[day.weekday()]), ("month", MONTHS[day.month - 1]), ("hour", "hour %d" % day.hour)):
                    if part in how:
                        self.level(entries, name, text)
        if not self.frozen:
            for name in gaps:
                self.gaps[name] = self.gaps.get(name, 0) + 1
        return entries

    def finish(self, rows):
        """Means for gaps, of the rows that are there."""
        if not self.frozen:
            self.mean = {}
            for j in {j for e in rows for j, v in e.items() if v is None}:
                there = [e.get(j, 0) for e in rows if e.get(j, 0) is not None]
                self.mean[j] = sum(there) / len(there)
        return [{j: self.mean[j] if v is None else v for j, v in e.items()} for e in rows]


def random_columns(rng):
    numbers = ["mean", "zero", "drop", "2.5", "-7"]
    out = []
    for i in range(rng.randint(2, 6)):
        kind = rng.choice(["number", "number", "category", "text", "date", "id", "ignore"])
        how = {}
        if kind in ("number", "date") and rng.random() < 0.7:
            how["fill"] = rng.choice(numbers)
        if kind in ("number", "date") and rng.random() < 0.4:
            how["indicator"] = ""
        if kind == "category" and rng.random() < 0.7:
            how["fill"] = rng.choice(["level", "none", "drop"])
        if kind == "text":
            if rng.random() < 0.7:
                how["ngrams"] = str(rng.randint(1, 8))
            if rng.random() < 0.5:
                how["stop"] = "english"
        if kind == "date":
            for part in rng.sample(["days", "weekday", "month", "hour"], rng.randint(1, 4)):
                how[part] = ""
        out.append(("c%d" % i, kind, how))
    out.append(("n", "number", {"fill": "zero"}))
    out.insert(rng.randint(0, len(out)), ("y", "label", {}))
    return out


def random_cells(rng, columns, k):
    vocabulary = "the a not Line slow it's käse bill of is 3.50 very".split()
    cells = []
    for name, kind, how in columns:
        if kind not in ("label", "id", "text") and name != "n" and rng.random() < 0.15:
            cells.append(rng.choice(GAPS))
        elif kind == "label":
            cells.append(rng.choice(["yes", "no"]))
        elif kind == "number":
            cells.append("%d" % rng.randint(-20, 20))
        elif kind == "date":
            day = datetime.datetime(2000, 1, 1) + datetime.timedelta(minutes=rng.randrange(10**7))
            cells.append(day.strftime("%Y-%m-%d %H:%M"))
        elif kind == "text":
            cells.append(" ".join(rng.choice(vocabulary) for _ in range(rng.randint(0, 9))))
        else:
            cells.append(rng.choice(["red", "green", "missing", "rare"]) + (str(k) if kind == "id" else ""))
    return cells


def table(columns, rows):
    return "\n".join([",".join(c[0] for c in columns)] + [",".join(r) for r in rows]) + "\n"


def compare(what, got, want):
    """Rows of LIBSVM text and expected entries: features counted from 1, no zeros."""
    same(what + ": rows", len(got), len(want))
    for i, ((_, g), w) in enumerate(zip(got, want)):
        w = {j + 1: v for j, v in w.items() if v != 0}
        same("%s: row %d" % (what, i + 1), sorted(g), sorted(w))
        for j in g:
            same("%s: row %d, feature %d" % (what, i + 1, j), abs(g[j] - w[j]) <= 1e-12 * max(1, abs(w[j])), True)


def tables():
    rng = random.Random(7)
    for round in range(40):
        columns = random_columns(rng)
        missing = rng.choice(["mean", "zero", "drop"])
        write("what", "".join("%s: %s%s\n" % (n, k, "".join(" " + o + ("=" + v if v else "") for o, v in how.items()))
                              for n, k, how in columns))
        lines = [random_cells(rng, columns, k) for k in range(rng.choice([30, 60, 3000]))]
        write("t.csv", table(columns, lines))
        reference = Reference(columns, missing)
        rows = [(cells, e) for cells in lines for e in [reference.row(cells)] if e is not None]
        if len({c[[k for _, k, _ in columns].index("label")] for c, _ in rows}) < 2:
            continue
        want = reference.finish([e for _, e in rows])
        how = ["--columns", "what", "--missing", missing]
        texts = set()
        for threads in ("1", "2", "8"):
            run("convert", "t.csv", "t.svm", *how, "--threads", threads, "-q")
            texts.add(open("t.svm").read())
        same("threads", len(texts), 1)
        what = "round %d" % round
        compare(what, rows_of("t.svm"), want)
        # In the model, and what it says of gaps.
        said = json.loads(run("train", "t.csv", *how, "-a", "perceptron", "--epochs", "2", "--scale", "none",
                              "--order", "file", "-o", "m", "--json").stdout)
        same(what + ": gaps", {c["name"]: c["missing"] for c in said.get("columns", []) if c["missing"]}, reference.gaps)
        if not any(how.get("fill", missing) == "mean" for _, _, how in columns):
            run("train", "t.csv", *how, "-a", "perceptron", "--epochs", "2", "--order", "file", "-o", "s", "--stream", "-q")
            same(what + ": stream", open("s", "rb").read(), open("m", "rb").read())
        # Other rows: the model knows how. The machine's scores, from its own weights, on expected entries.
        reference.frozen = True
        others = [random_cells(rng, columns, k) for k in range(40)]
        write("o.csv", table(columns, others))
        kept = [(c, e) for c in others for e in [reference.row(c)] if e is not None]
        entries = reference.finish([e for _, e in kept if all(v is not None or j in reference.mean for j, v in e.items())])
        if len(entries) < len(kept):
            continue  # a gap where training had none: nothing was measured
        tested = json.loads(run("test", "m", "o.csv", "--json").stdout)
        same(what + ": rows of the test", tested["data"]["rows"], len(kept))
        write("kept.csv", table(columns, [c for c, _ in kept]))
        scores = [float(s.split()[-1]) for s in run("predict", "m", "kept.csv", "--scores").stdout.splitlines()]
        model = json.loads(run("inspect", "m", "--all", "--json").stdout)
        weight = {w["feature"]: w["weight"] for w in model["weights"]}
        names = {j: (n if isinstance(n, str) else "%s:missing" % n[0] if n[1] is None else "%s=%s" % n)
                 for n, j in reference.number.items()}
        for i, e in enumerate(entries):
            s = model["offset"] + sum(weight.get(names[j], 0) * v for j, v in e.items())
            same("%s: score %d" % (what, i), abs(s - scores[i]) <= 1e-9 * max(1, abs(s)), True)
        # Line by line: the table, one row after the other, gives the same answers.
        answers = [s.split() for s in run("predict", "m", "kept.csv", "--scores").stdout.splitlines()]
        unlabelled = [["" if c[1] == "label" else x for c, x in zip(columns, row)] for row, _ in kept]
        said = run("learn", "m", "-o", "l", stdin=table(columns, unlabelled)).stdout.splitlines()
        same(what + ": line by line", [s.split() for s in said[:len(answers)]], answers)


GROUPS = {"days": days, "tables": tables}


def main():
    global TOOL, compared
    TOOL = os.path.abspath(sys.argv[1])
    for name in sys.argv[2:] or GROUPS:
        compared = 0
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                GROUPS[name]()
            except Mismatch as e:
                print("%s: %s" % (name, e))
                sys.exit(1)
            os.chdir("/")
        print("%s: %d comparisons" % (name, compared))
        if compared == 0:
            sys.exit(1)


if __name__ == "__main__":
    main()
