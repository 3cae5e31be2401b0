#!/usr/bin/python3
"""What --columns makes of a table, written down again in Python.

    columns_reference.py PROGRAM [GROUP...]

  days     the numbers and parts of thousands of days, beside datetime: all the ways to write one, leap
           years, the first and the last day that there is; and that no other text is a date
  tables   random tables with random treatments: every entry of every row, whatever the number of threads;
           and for a model, other rows of the same columns, in a file, line by line, and after a pass

Features are numbered as docs/columns.md says: numbers and days in the order of the file, the levels of
gaps and of rare levels, then words as they are met, without those that are rare or the reference. The list of stop words is read from its source. The first mismatch ends
the program, and a group that compared nothing fails."""
import datetime
import json
import math
import os
import random
import re
import statistics
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

    def __init__(self, columns, missing, scale):
        self.columns, self.missing, self.scale = columns, missing, scale
        self.number, self.gaps = {}, {}
        self.frequent, self.reference, self.rare = {}, {}, {}
        for name, kind, how in columns:
            if kind == "number" or (kind == "date" and "days" in how):
                self.number[name] = len(self.number)
        for name, kind, how in columns:
            if "indicator" in how or how.get("fill") == "level":
                self.number[name, None] = len(self.number)
            if "rare" in how:
                self.number[name, 0] = len(self.number)

    def fill(self, kind, how):
        return how.get("fill") or (self.missing if kind != "category" or self.missing in ("drop", "error") else "none")

    def stays(self, cells):
        return not any(kind not in ("id", "label", "ignore", "text") and cell in GAPS and self.fill(kind, how) == "drop"
                       for (name, kind, how), cell in zip(self.columns, cells))

    def words(self, kind, how, cell):
        """The levels of a cell that is there."""
        if kind == "category":
            return [cell]
        if kind == "text":
            kept = [w for w in words_of(cell) if "stop" not in how or w not in STOP]
            return [" ".join(kept[i + 1 - n:i + 1]) for i in range(len(kept))
                    for n in range(1, min(int(how.get("ngrams", 1)), i + 1) + 1)]
        if kind == "date":
            day = datetime.datetime.strptime(cell, "%Y-%m-%d %H:%M")
            return [text for part, text in (("weekday", DAYS[day.weekday()]), ("month", MONTHS[day.month - 1]),
                                            ("hour", "hour %d" % day.hour)) if part in how]
        return []

    def learn(self, rows):
        """Measures what there is to measure on these rows, and returns their entries."""
        for i, (name, kind, how) in enumerate(self.columns):
            if kind == "category":
                self.settle(name, how, [r[i] for r in rows])
            elif kind in ("number", "date"):
                self.gaps[name] = sum(r[i] in GAPS for r in rows)
            if self.gaps.get(name) == 0:
                del self.gaps[name]
        for r in rows:
            for (name, kind, how), cell in zip(self.columns, r):
                if kind in ("text", "category", "date") and (kind == "text" or cell not in GAPS):
                    for w in self.words(kind, how, cell):
                        if w != self.reference.get(name) and w not in self.rare.get(name, ()):
                            self.number.setdefault((name, w), len(self.number))
        entries = [self.entries(r) for r in rows]
        self.measure(entries)
        return [self.image(e) for e in entries]

    def settle(self, name, how, cells):
        gaps = [c for c in cells if c in GAPS]
        self.gaps[name] = len(gaps)
        there = [c for c in cells if c not in GAPS]
        count = {}
        for c in there:
            count[c] = count.get(c, 0) + 1
        if how.get("fill") == "frequent" and count:
            self.frequent[name] = max(count, key=count.get)  # of equals the first
            count[self.frequent[name]] += len(gaps)
        least = int(how.get("rare", 0))
        common = [c for c in count if count[c] >= least]
        wanted = how.get("reference", "none")
        if wanted == "first" and common:
            self.reference[name] = common[0]
        elif wanted == "frequent" and common:
            self.reference[name] = max(common, key=count.get)
        elif wanted not in ("first", "frequent", "none"):
            self.reference[name] = wanted
        self.rare[name] = {c for c in count if count[c] < least and c != self.reference.get(name)}

    def entries(self, cells):
        """As they are, gaps of means and medians still None."""
        entries = {}
        for (name, kind, how), cell in zip(self.columns, cells):
            if kind in ("id", "label", "ignore"):
                continue
            if kind != "text" and cell in GAPS:
                fill = self.fill(kind, how)
                if name in self.number:
                    entries[self.number[name]] = (None if fill in ("mean", "median") else 0.0 if fill == "zero" else float(fill))
                if (name, None) in self.number:
                    entries[self.number[name, None]] = 1
                if fill != "frequent" or name not in self.frequent:
                    continue
                cell = self.frequent[name]
            if kind == "number":
                entries[self.number[name]] = float(cell)
            if kind == "date" and "days" in how:
                day = datetime.datetime.strptime(cell, "%Y-%m-%d %H:%M")
                entries[self.number[name]] = float(day.toordinal() - 719163)
            for w in self.words(kind, how, cell):
                j = self.number.get((name, w))
                if j is None and w != self.reference.get(name):
                    j = self.number.get((name, 0))
                if j is not None:
                    entries[j] = entries.get(j, 0) + 1
        return entries

    def measure(self, rows):
        """Fills and scales of numbers, in this order, and how seldom words are."""
        self.filled, self.shift, self.divisor = {}, {}, {}
        for name, kind, how in self.columns:
            if name in self.number:
                j, scale = self.number[name], how.get("scale", self.scale)
                values = [e.get(j, 0.0) for e in rows]
                there = [v for v in values if v is not None]
                if len(there) < len(values) or self.fill(kind, how) in ("mean", "median"):
                    self.filled[j] = ((statistics.median if self.fill(kind, how) == "median" else statistics.fmean)(there)
                                      if there else 0.0)
                values = [self.filled[j] if v is None else v for v in values]
                if scale == "standard":
                    self.shift[j], d = statistics.fmean(values), statistics.pstdev(values)
                elif scale == "minmax":
                    self.shift[j], d = min(values), max(values) - min(values)
                elif scale == "maxabs":
                    d = max(abs(v) for v in values)
                else:
                    d = float(scale[3:]) if scale.startswith("by:") else 1
                self.divisor[j] = d or 1
        told = {name: how for name, _, how in self.columns}
        for key, j in self.number.items():
            if not isinstance(key, str):
                if "tfidf" in told[key[0]]:
                    seen = sum(j in e for e in rows)
                    self.divisor[j] = 1 / (math.log((1 + len(rows)) / (1 + seen)) + 1)
                elif self.scale.startswith("by:"):
                    self.divisor[j] = float(self.scale[3:])

    def image(self, e):
        moved = {j: 0.0 for j in self.shift}
        moved.update({j: self.filled[j] if v is None else v for j, v in e.items()})
        return {j: (v - self.shift.get(j, 0)) / self.divisor.get(j, 1) for j, v in moved.items()}


def random_columns(rng):
    numbers = ["mean", "median", "zero", "drop", "2.5", "-7"]
    out = []
    for i in range(rng.randint(2, 6)):
        kind = rng.choice(["number", "number", "category", "category", "text", "date", "id", "ignore"])
        how = {}
        if kind in ("number", "date") and rng.random() < 0.7:
            how["fill"] = rng.choice(numbers)
        if kind in ("number", "date") and rng.random() < 0.4:
            how["indicator"] = ""
        if kind in ("number", "date") and rng.random() < 0.4:
            how["scale"] = rng.choice(["none", "standard", "minmax", "maxabs", "by:10"])
        if kind == "category":
            if rng.random() < 0.7:
                how["fill"] = rng.choice(["frequent", "level", "none", "drop"])
            if rng.random() < 0.5:
                how["rare"] = str(rng.choice([1, 2, 5, 7, 10, 1000]))
            if rng.random() < 0.5:
                how["reference"] = rng.choice(["first", "frequent", "none", "red"])
        if kind == "text":
            if rng.random() < 0.7:
                how["ngrams"] = str(rng.randint(1, 8))
            if rng.random() < 0.5:
                how["stop"] = "english"
            if rng.random() < 0.5:
                how["tfidf"] = ""
        if kind == "date":
            for part in rng.sample(["days", "weekday", "month", "hour"], rng.randint(1, 4)):
                how[part] = ""
        out.append(("c%d" % i, kind, how))
    out.append(("n", "number", {"fill": "zero"}))
    out.insert(rng.randint(0, len(out)), ("y", "label", {}))
    return out


LEVELS = ["red"] + ["level %d" % i for i in range(12)]


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
            cells.append(rng.choice(rng.choice([["red", "green", "missing", "rare"], LEVELS])) + (str(k) if kind == "id" else ""))
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


def is_measured(reference):
    """Whether something depends on all rows, which a stream does not have."""
    return any(how.get("scale", "none") != "none" or "rare" in how or how.get("reference", "none") != "none" or "tfidf" in how
               or (kind != "text" and reference.fill(kind, how) in ("mean", "median", "frequent"))
               for _, kind, how in reference.columns if kind not in ("label", "id", "ignore"))


def tables():
    rng = random.Random(7)
    for round in range(80):
        columns = random_columns(rng)
        missing = rng.choice(["mean", "median", "zero", "drop"])
        scale = rng.choice(["none", "none", "standard", "minmax", "maxabs", "by:4"])
        write("what", "".join("%s: %s%s\n" % (n, k, "".join(" " + o + ("=" + v if v else "") for o, v in how.items()))
                              for n, k, how in columns))
        lines = [random_cells(rng, columns, k) for k in range(rng.choice([30, 60, 3000]))]
        write("t.csv", table(columns, lines))
        reference = Reference(columns, missing, scale)
        rows = [cells for cells in lines if reference.stays(cells)]
        if len({c[[k for _, k, _ in columns].index("label")] for c in rows}) < 2:
            continue
        want = reference.learn(rows)
        how = ["--columns", "what", "--missing", missing, "--scale", scale]
        texts = set()
        for threads in ("1", "2", "8"):
            run("convert", "t.csv", "t.svm", *how, "--threads", threads, "-q")
            texts.add(open("t.svm").read())
        same("threads", len(texts), 1)
        what = "round %d" % round
        compare(what, rows_of("t.svm"), want)
        # In the model, and what it says of gaps.
        learner = ["-a", "perceptron", "--epochs", "2", "--order", "file"]
        said = json.loads(run("train", "t.csv", *how, *learner, "-o", "m", "--json").stdout)
        same(what + ": gaps", {c["name"]: c["missing"] for c in said.get("columns", []) if c["missing"]}, reference.gaps)
        if scale == "none" and not is_measured(reference):
            run("train", "t.csv", *how, *learner, "-o", "s", "--stream", "-q")
            same(what + ": stream", open("s", "rb").read(), open("m", "rb").read())
        elif is_measured(reference):
            refused = run("train", "t.csv", *how, *learner, "-o", "s", "--stream", "-q", ok=None)
            same(what + ": stream", (refused.returncode, "need" in refused.stderr), (2, True))
        # Blocks have the rows as they are: what is made of them is the same.
        if scale == "none":
            blocks = run("convert", "t.csv", "t.blocks", *how[:4], "--to", "blocks", "-q", ok=None)
            if blocks.returncode == 0:
                run("train", "t.blocks", *learner, "-o", "b", "-q", "--scale", "none")
                same(what + ": blocks", open("b", "rb").read(), open("m", "rb").read())
            else:  # means that no column asks for are an option, which blocks do not have
                same(what + ": " + blocks.stderr, (missing, "scaled or filled" in blocks.stderr), ("mean", True))
        # Other rows: the model knows how. The machine's scores, from its own weights, on expected entries.
        others = [random_cells(rng, columns, k) for k in range(40)]
        write("o.csv", table(columns, others))
        kept = [c for c in others if reference.stays(c)]
        entries = [reference.entries(c) for c in kept]
        if any(v is None and j not in reference.filled for e in entries for j, v in e.items()):
            continue  # a gap where training had none: nothing was measured
        entries = [reference.image(e) for e in entries]
        tested = json.loads(run("test", "m", "o.csv", "--json").stdout)
        same(what + ": rows of the test", tested["data"]["rows"], len(kept))
        write("kept.csv", table(columns, kept))
        scores = [float(s.split()[-1]) for s in run("predict", "m", "kept.csv", "--scores").stdout.splitlines()]
        model = json.loads(run("inspect", "m", "--all", "--json").stdout)
        weight = {w["feature"]: w["weight"] for w in model["weights"]}
        names = {j: (n if isinstance(n, str) else "%s:missing" % n[0] if n[1] is None else "%s:rare" % n[0] if n[1] == 0
                     else "%s=%s" % n) for n, j in reference.number.items()}
        for i, e in enumerate(entries):
            s = model["offset"] + sum(weight.get(names[j], 0) * v for j, v in e.items())
            size = 1 + sum(abs(weight.get(names[j], 0) * v) for j, v in e.items())
            same("%s: score %d" % (what, i), abs(s - scores[i]) <= 1e-9 * size, True)
        # Line by line: the table, one row after the other, gives the same answers.
        answers = [s.split() for s in run("predict", "m", "kept.csv", "--scores").stdout.splitlines()]
        unlabelled = [["" if c[1] == "label" else x for c, x in zip(columns, row)] for row in kept]
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
