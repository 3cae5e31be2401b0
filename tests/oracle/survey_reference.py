#!/usr/bin/env python3
"""survey_reference.py PROGRAM [CASES] -- what `inspect DATA` says of data, counted once more.

Random tables with gaps, quotes, line ends in cells, words, dates, texts, ids, columns that follow
from the label, repeated and contradicting rows; as CSV, TSV, JSON lines, and their numbers as LIBSVM
text; in one file or several, plain or compressed, in UTF-8 or UTF-16, with numbers and quotes as they
are written elsewhere. Every number of the document is computed again from Python's own reading of the same rows, with
fractions, sorted lists and dictionaries. What --propose writes trains the model that no file trains,
byte for byte. Then a table above all sizes: what is estimated lies within five standard errors, and
what is bounded within its bound.
"""
import collections
import csv
import datetime
import fractions
import gzip
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

TOOL = None  # the program
MISSING = ["", "?", "NA", "n/a", "NaN", "null"]
checks = 0


def check(right, *what):
    global checks
    checks += 1
    if not right:
        sys.exit("FAILED " + " ".join(repr(w)[:600] for w in what))


def run(*words, stdin=None):
    p = subprocess.run([TOOL, *words], input=stdin, capture_output=True, check=False)
    check(p.returncode == 0, words, p.returncode, p.stderr)
    return p.stdout


def near(a, b):
    return a is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


# ----- tables ----------------------------------------------------------------------------------


def make_number(r):
    return r.choice([str(r.randint(-50, 50)), f"{r.uniform(-1e7, 1e7):.2f}", f"{r.uniform(-3, 3):.2f}", f"{r.randint(1, 9)}e{r.randint(-3, 3)}"])


def make_date(r):
    day = datetime.date(2020, 1, 1) + datetime.timedelta(r.randint(0, 900))
    return r.choice([day.isoformat(), day.strftime("%d.%m.%Y"), day.strftime("%Y/%m/%d")])


WORDS = ["red", "blue", "green", 'say "no"', "a,b", "ü ö", "two\nlines", "tab\there", "#7"]


def make_table(r):
    """Names, kinds and rows of texts; None: a gap."""
    n = r.choice([24, 60, 200])
    labels = r.choice([["yes", "no"], ["a", "b", "c"], ["1", "-1"], ["0.5", "1234.5"]])
    makers = {
        "number": lambda i, y: make_number(r),
        "whole": lambda i, y: str(r.randint(0, 9)),
        "category": lambda i, y: r.choice(WORDS),
        "rare": lambda i, y: "other" if r.random() < 0.02 else "usual",
        "date": lambda i, y: make_date(r),
        "text": lambda i, y: " ".join(r.choice("the line is slow not bad well no".split()) for _ in range(6)) + f" {i} words",
        "id": lambda i, y: f"C{i:04d}",
        "serial": lambda i, y: str(1000 + 3 * i),
        "after": lambda i, y: "left" + y if r.random() < 1 else "",
        "order": lambda i, y: f"{labels.index(y) + r.random() * 0.9:.6f}",
        "cancelled": lambda i, y: make_date(r) if y == labels[0] else None,
        "same": lambda i, y: "7",
    }
    names = r.sample(sorted(makers), r.randint(2, len(makers))) + ["label"]
    rows = []
    for i in range(n):
        y = r.choice(labels) if i >= 2 * len(labels) else labels[i % len(labels)]
        row = [makers[name](i, y) for name in names[:-1]] + [y]
        if i > 3 and r.random() < 0.2 and "id" not in names and "text" not in names and "serial" not in names:
            row = list(r.choice(rows))  # once more; at times with another label
            if r.random() < 0.3:
                row[-1] = r.choice(labels)
        for k, name in enumerate(names[:-1]):
            if name in ("number", "whole", "category", "date") and r.random() < 0.1:
                row[k] = None
        rows.append(row)
    return names, rows


KIND = {"number": "number", "whole": "number", "category": "category", "rare": "category", "date": "date",
        "text": "text", "id": "id", "serial": "number", "after": "category", "order": "number",
        "cancelled": "date", "same": "number", "label": "label"}


class Notation:
    """How the numbers of a table are written: the decimal mark, what stands between thousands, the quote."""

    def __init__(self, r, kind):
        self.point, self.thousands, self.quote = ".", "", '"'
        self.options = []
        if kind == "jsonl" or r.random() < 0.4:
            return
        self.point = r.choice(".,")
        self.thousands = r.choice(["", " ", "_", "'"] + ([".", "."] if self.point == "," else [","]))
        self.quote = r.choice("'\"") if self.thousands != "'" else '"'
        if self.thousands:
            self.options += ["--thousands", "space" if self.thousands == " " else self.thousands]
        if self.quote == "'":
            self.options += ["--quote", "'"]
        if self.point == ",":  # at times the table itself tells
            self.options += ["--decimal", ","] if r.random() < 0.7 else []

    def write(self, r, text):
        """The number `text` in this notation."""
        sign = "-" if text[0] == "-" else ""
        whole, point, rest = text[len(sign):].partition(".")
        if self.thousands and whole.isdigit() and r.random() < 0.8:
            whole = f"{int(whole):,}".replace(",", self.thousands)
        return sign + whole + (self.point + rest if point else "")

    def read(self, text):
        return text.replace(self.thousands or "\0", "").replace(self.point, ".")


def as_csv(r, names, rows, delimiter, how):
    out = io.StringIO()
    w = csv.writer(out, delimiter=delimiter, quotechar=how.quote, lineterminator="\n",
                   quoting=r.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    w.writerow(names)
    for row in rows:
        cells = [r.choice(MISSING) if v is None else v for v in row]
        for k, name in enumerate(names):
            if row[k] is not None and (KIND[name] == "number" or (name == "label" and row[k][-1].isdigit())):
                cells[k] = how.write(r, row[k])
        w.writerow(cells)
    return out.getvalue()


def as_jsonl(r, names, rows):
    lines = []
    for i, row in enumerate(rows):
        cells = {}
        for name, v in zip(names, row):
            if v is None:
                if i == 0 or r.random() < 0.5:
                    cells[name] = None
            elif KIND[name] == "number" and r.random() < 0.7:
                cells[name] = float(v)
            else:
                cells[name] = v
        lines.append(json.dumps(cells, ensure_ascii=r.random() < 0.5))
    return "\n".join(lines) + "\n"


def write_file(r, path, text):
    data = text.encode("utf-16" if r.random() < 0.2 else "utf-8")
    with open(path, "wb") as f:
        f.write(gzip.compress(data) if path.endswith(".gz") else data)
    return data


def cut(r, rows):
    """The rows in up to four parts; what the columns are the first tells."""
    if len(rows) < 60 or r.random() < 0.4:
        return [rows]
    at = sorted(r.sample(range(50, len(rows)), r.randint(1, 3)))
    return [rows[a:b] for a, b in zip([0] + at, at + [len(rows)])]


# ----- the same, counted again -----------------------------------------------------------------


def day_of(text):
    for form in ("%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d"):
        try:
            return datetime.datetime.strptime(text, form).toordinal()
        except ValueError:
            pass
    raise ValueError(text)


def quantile(values, q):
    """Between the two values around (n - 1) q, in fractions."""
    place = fractions.Fraction(q) * (len(values) - 1)
    low = place.numerator // place.denominator
    a, b = fractions.Fraction(values[low]), fractions.Fraction(values[min(low + 1, len(values) - 1)])
    return float(a + (b - a) * (place - low))


def check_numbers(c, values, what):
    values = sorted(values)
    check(c["numbers"] == len(values) and near(c["min"], values[0]) and near(c["max"], values[-1]), what, c)
    exact = [fractions.Fraction(v) for v in values]
    mean = sum(exact) / len(exact)
    check(near(c["mean"], float(mean)), what, c["mean"], float(mean))
    variance = sum((x - mean) ** 2 for x in exact) / len(exact)
    check(math.isclose(c["sd"], math.sqrt(variance), rel_tol=1e-7, abs_tol=1e-9), what, c["sd"], variance)
    for k in range(3):
        check(near(c["quartiles"][k], quantile(values, fractions.Fraction(k + 1, 4))), what, k, c["quartiles"])
    check(c["whole"] == all(v == math.floor(v) for v in values), what, c["whole"])


def multinomial_log(sizes):
    return math.lgamma(sum(sizes) + 1) - sum(math.lgamma(n + 1) for n in sizes)


def leak_of(kind, cells, labels):
    """What the label follows from; None: nothing. ...: too near to a limit to say."""
    n, k = len(cells), len(set(labels))
    groups = collections.defaultdict(set)
    for v, y in zip(cells, labels):
        groups["gap" if v is None else "value"].add(y)
    found = None
    if len(groups) == 2 and all(len(g) == 1 for g in groups.values()) and k >= 2:
        gaps = sum(v is None for v in cells)
        found = "gaps" if multinomial_log([gaps, n - gaps]) > 40 else ...
    values = collections.defaultdict(set)
    for v, y in zip(cells, labels):
        values[v].add(y)
    if found is None and all(len(g) == 1 for g in values.values()) and 2 * len(values) <= n:
        share = max(collections.Counter(labels).values()) / n
        odds = -(n - len(values)) * math.log(share)
        found = "values" if odds > 14 else None if odds < 13.6 else ...
    if found is None and kind in ("number", "date") and k >= 2:
        at = collections.defaultdict(list)
        for v, y in zip(cells, labels):
            if v is not None:
                at[y].append(v)
        spans = sorted((min(v), max(v)) for v in at.values())
        if len(spans) == k and all(a[1] < b[0] for a, b in zip(spans, spans[1:])):
            odds = multinomial_log([len(v) for v in at.values()]) - math.lgamma(k + 1)
            # Told by a lower bound of this, which says less.
            found = "order" if odds > 60 else None if odds < 13 else ...
    return found


def check_survey(d, names, rows, how, what):
    n = len(rows)
    labels = [row[-1] for row in rows]
    check(d["rows"] == n and d["columns_in_all"] == len(names) == len(d["columns"]), what, d)
    check(d["cells"] == n * len(names) and d["wrong"] == 0 and d["unlabelled"] == 0, what, d)
    check(d["gaps"] == sum(v is None for row in rows for v in row), what, d["gaps"])
    count = collections.Counter(labels)
    check({x["label"]: x["rows"] for x in d["labels"]} == dict(count), what, d["labels"])

    keys = []
    columns = list(zip(*rows))
    for name, c, cells in zip(names, d["columns"], columns):
        kind = KIND[name]
        check(c["name"] == name and c["kind"] == kind, what, name, c)
        there = [v for v in cells if v is not None]
        check(c["missing"] == n - len(there), what, name, c)
        read = {"number": float, "date": day_of}.get(kind, str)
        same = [None if v is None else float(v) + 0.0 if kind == "number" else v for v in cells]
        tally = collections.Counter(v for v in same if v is not None)
        check(c["distinct"] == len(tally) and not c["estimated"] and c["short_by"] == 0, what, name, c["distinct"])
        check(sorted((x["rows"] for x in c["levels"]), reverse=True) == [x["rows"] for x in c["levels"]], what, c)
        check([x["rows"] for x in c["levels"]] == sorted(tally.values(), reverse=True)[:20], what, name, c["levels"])
        for x in c["levels"]:
            if kind == "number":
                check(tally[float(x["value"])] == x["rows"], what, name, x)
            elif name == "label" and x["value"][-1].isdigit():
                check(tally[how.read(x["value"])] == x["rows"], what, name, x)
            elif len(x["value"].encode()) < 40:
                check(tally[x["value"]] == x["rows"], what, name, x)
        if kind == "date":
            days = [day_of(v) for v in there]
            check(day_of(c["first"]) == min(days) and day_of(c["last"]) == max(days), what, name, c)
            check(c["min"] is None and c["numbers"] == 0, what, c)
        else:
            numbers = []
            for v in there:
                try:
                    numbers.append(float(v))
                except ValueError:
                    pass
            if numbers:
                check_numbers(c, numbers, (what, name))
            else:
                check(c["numbers"] == 0 and c["min"] is None and c["quartiles"] == [None] * 3, what, c)
        most = max([0] + list(tally.values()))
        constant = len(tally) + (len(there) < n) <= 1
        unique = (kind in ("category", "id", "label") or (kind == "number" and all(float(v) == math.floor(float(v)) for v in there)))
        unique = unique and len(there) >= 20 and len(tally) >= 0.95 * len(there)
        check(c["constant"] == constant, what, name, c)
        check(c["near_constant"] == (not constant and n >= 20 and max(most, n - len(there)) >= 0.99 * n), what, name)
        check(c["near_unique"] == unique, what, name, c, len(tally), len(there))
        if kind in ("label", "id"):
            continue
        keys.append(same)
        typed = [None if v is None else read(v) for v in cells] if kind == "date" else same
        leak = None if unique else leak_of(kind, [v if kind != "date" else v for v in typed], labels)
        if kind == "date" and leak == "values":
            leak = ...  # two forms of one day are two values
        if leak is not ...:
            check(c["leak"] == leak, what, name, c["leak"], leak)

    features = list(zip(*keys)) if keys else [()] * n
    check(d["duplicates"] == n - len(set(zip(features, labels))), what, d["duplicates"])
    of = collections.defaultdict(list)
    for x, y in zip(features, labels):
        of[x].append(y)
    check(d["contradictions"] == sum(len(v) for v in of.values() if len(set(v)) > 1), what, d["contradictions"])
    check(d["duplicates_error"] == 0 and d["contradictions_error"] == 0, what)


def check_proposal(data, names, fill, what):
    text = run("inspect", *data, "--propose").decode()
    check(text == run("inspect", *data, "--columns").decode(), what)
    lines = [x for x in text.splitlines() if not x.startswith("#")]
    check(len(lines) == len(names), what, text)
    with open("columns.txt", "w", encoding="utf-8") as f:
        f.write(text)
    for more in ([], ["--columns", "columns.txt"]):
        run("train", *data, "-a", "perceptron", "--epochs", "2", "-q", "--missing", fill, *more, "-o", f"{len(more)}.m")
    with open("0.m", "rb") as a, open("2.m", "rb") as b:
        check(a.read() == b.read(), what, "the proposal changes the model", text)


def check_libsvm(r):
    columns, n = r.randint(1, 6), r.randint(2, 60)
    rows = [[r.choice([0, 0, r.randint(-3, 3), round(r.uniform(-1, 1), 2)]) for _ in range(columns)] for _ in range(n)]
    rows[0][-1] = 5
    labels = [r.choice(["1", "-1"]) for _ in rows]
    pairs = [[f"{i + 1}:{v}" for i, v in enumerate(row) if v != 0 or r.random() < 0.1] for row in rows]
    d = json.loads(run("inspect", "-", "--json", "--format", "libsvm",
                       stdin="\n".join(" ".join([y] + p) for y, p in zip(labels, pairs)).encode() + b"\n"))["survey"]
    check(d["rows"] == n and d["columns_in_all"] == columns and not d["table"], d)
    check(d["cells"] == sum(v != 0 for row in rows for v in row) and d["gaps"] == 0, d["cells"])
    for i, c in enumerate(d["columns"]):
        values = [float(row[i]) for row in rows]
        check(c["name"] == str(i + 1) and c["distinct"] == len(set(values)), c, values)
        check_numbers(c, values, "libsvm")
        tally = collections.Counter(values)
        check({float(x["value"]): x["rows"] for x in c["levels"]} ==
              dict(tally) if len(tally) <= 20 else True, c["levels"], tally)
        check(c["leak"] in (None, leak_of("number", values, labels)) or leak_of("number", values, labels) is ..., c)
    of = collections.defaultdict(list)
    for x, y in zip(map(tuple, rows), labels):
        of[x].append(y)
    check(d["duplicates"] == n - len(set(zip(map(tuple, rows), labels))), d["duplicates"])
    check(d["contradictions"] == sum(len(v) for v in of.values() if len(set(v)) > 1), d["contradictions"])


# ----- above all sizes -------------------------------------------------------------------------


def check_large():
    r = random.Random(7)
    n, rows = 400000, []
    for i in range(n):
        if i % 5 == 4:
            x, word, y = rows[r.randrange(len(rows))]
            y = y if r.random() < 0.5 else 1 - y
        else:
            x = f"{r.gauss(0, 1):.12g}"
            word = f"w{r.randrange(3)}" if r.random() < 0.3 else f"u{r.randrange(10 ** 9)}"
            y = r.randrange(2)
        rows.append((x, word, y))
    text = "x,word,y\n" + "".join(f"{x},{w},{y}\n" for x, w, y in rows)
    d = json.loads(run("inspect", "-", "--json", "--categorical", "word", stdin=text.encode()))["survey"]
    x, word, _ = d["columns"]
    for c, values in ((x, [float(row[0]) for row in rows]), (word, [row[1] for row in rows])):
        tally = collections.Counter(values)
        check(c["estimated"], c["distinct"])
        check(abs(c["distinct"] / len(tally) - 1) < 5 * d["distinct_error"], c["distinct"], len(tally))
        check(0 < c["short_by"] <= 2 * n / 2 ** 17 + 1, c["short_by"])
        for level in c["levels"][:3] if c is word else []:
            true = tally[level["value"]]
            check(true - c["short_by"] <= level["rows"] <= true, level, true)
    check({level["value"] for level in word["levels"][:3]} == {"w0", "w1", "w2"}, word["levels"][:5])
    values = sorted(float(row[0]) for row in rows)
    check(near(x["min"], values[0]) and near(x["max"], values[-1]), x)
    check(near(x["mean"], math.fsum(values) / n), x["mean"])
    check(x["sampled"], x)
    for k, q in enumerate((0.25, 0.5, 0.75)):
        rank = sum(v <= x["quartiles"][k] for v in values) / n
        check(abs(rank - q) < 5 * d["quartile_error"], rank, q)
    duplicates = n - len(set(rows))
    of = collections.defaultdict(set)
    for row in rows:
        of[row[:2]].add(row[2])
    contradictions = sum(len(of[row[:2]]) > 1 for row in rows)
    for key, true in (("duplicates", duplicates), ("contradictions", contradictions)):
        error = d[key + "_error"]
        check(0 < error < 0.1 * true and abs(d[key] - true) < 5 * error, key, d[key], true, error)


def main():
    global TOOL
    TOOL = os.path.abspath(sys.argv[1])
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        for case in range(cases):
            r = random.Random(case)
            names, rows = make_table(r)
            form = r.choice(["csv", "tsv", "jsonl"])
            how = Notation(r, form)
            delimiter = "\t" if form == "tsv" else ";" if "," in how.point + how.thousands else ","

            def make(part):
                return as_jsonl(r, names, part) if form == "jsonl" else as_csv(r, names, part, delimiter, how)

            alone = write_file(r, f"table.{form}", make(rows))
            d = json.loads(run("inspect", f"table.{form}", *how.options, "--json"))["survey"]
            if how.point == "," and "decimal commas" not in d["note"]:  # it may be something else, too
                how.options += ["--decimal", ","]
                d = json.loads(run("inspect", f"table.{form}", *how.options, "--json"))["survey"]
            check(d == dict(json.loads(run("inspect", "-", *how.options, "--json", stdin=alone))["survey"],
                            data=f"table.{form}"), case, "stdin")
            parts = cut(r, rows)
            paths = [f"{case}-{i}.{form}" + r.choice(["", ".gz"]) for i in range(len(parts))]
            for path, part in zip(paths, parts):
                write_file(r, path, make(part))
            told = r.choice([paths, [f"{case}-*"], [paths[0], f"{case}-[1-9]*"][:len(paths)]])
            whole = json.loads(run("inspect", *told, *how.options, "--json"))["survey"]
            check(whole.pop("files", 1) == len(paths) and whole["data"] == paths[0], case, paths)
            if form == "csv" and not how.options:
                check([c["distinct"] for c in whole["columns"]] == [c["distinct"] for c in d["columns"]], case)
            d = whole
            told += how.options
            if form == "jsonl":  # its columns are in the order in which they were met
                order = [names.index(c["name"]) for c in d["columns"]]
                check(sorted(order) == list(range(len(names))), case, order)
                where = order.index(len(names) - 1)
                d["columns"].append(d["columns"].pop(where))
                order.append(order.pop(where))
                rows = [[row[i] for i in order] for row in rows]
                names = [names[i] for i in order]
            check_survey(d, names, rows, how, (case, form))
            check_proposal(told, names, r.choice(["zero", "mean"] + ["drop"] * ("cancelled" not in names)), (case, form))
            check_libsvm(r)
        check_large()
    print(f"{checks} checks")


if __name__ == "__main__":
    main()
