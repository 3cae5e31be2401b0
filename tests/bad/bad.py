#!/usr/bin/env python3
"""bad.py TOOL [--write] -- one bad line in a good file: what we say, and what others do.

Each file beside this script has something wrong in it, as LIBSVM text and, where that makes sense,
as CSV, JSON lines and Vowpal Wabbit's text. Those that ACCEPTED names are read, on purpose; all others are refused with exit status 3, no
model, the place (FILE:LINE:COLUMN, or the file where it is wrong as a whole) and a remedy: in
brackets, or what there must be after a colon or semicolon. Our columns
of docs/bad-input.md are what is printed now, or the test fails; the columns of the others are
printed beside them where they are installed (Debian: liblinear-tools, libsvm-tools, python3-sklearn),
and written down by --write, which leaves the columns of those that are missing as they are.
Compressed files that were damaged are made here; what is said of gzip stands in the page.
"""
import bz2
import gzip
import lzma
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "..", "docs", "bad-input.md")
TOOL = os.path.abspath(sys.argv[1])
REMEDY = re.compile(r"\((?!s\)).+\)|[:;] [^:;]*\b(must|needed|whole numbers)\b")
PATIENCE, MEMORY = 10, 2 << 30  # for others: seconds, bytes; what needs more is said to hang or crash

CASES = {
    "token": "a word in place of index:value", "value": "a word in place of a value",
    "value-missing": "no value", "value-tail": "a letter after a number", "order": "indices out of order",
    "duplicate": "an index, or a name of a column, twice", "nan": "NaN as a value", "infinity": "infinity as a value",
    "overflow": "1e999 as a value", "label-nan": "NaN as a label", "label-missing": "no label",
    "empty-line": "an empty line", "index-zero": "index 0", "index-huge": "index 99999999999",
    "index-signed": "index -1", "label-only": "a label alone", "too-many": "a cell too many",
    "decimal-mixed": "decimal commas beside points", "decimal-or-not": "a comma that is one of two things",
    "utf16-half": "half a character of UTF-16",
    "quote-open": "a quote that is not closed", "zero-byte": "a byte 0", "one-class": "one label in all rows",
    "header-only": "a header and no rows", "empty": "an empty file", "truncated": "a model that was cut off",
}
FORMATS = {  # by ending: the title of our column, and what the files need
    "svm": ("ours, LIBSVM text", []), "csv": ("ours, CSV", ["--label", "y", "--format", "csv"]),
    "jsonl": ("ours, JSON lines", ["--label", "y", "--format", "jsonl"]),
    "vw": ("ours, Vowpal Wabbit's text", ["--format", "vw"]),
}
PACKED = {  # what became of a compressed file
    "a compressed file that was cut off": lambda p: p[:len(p) - 9],
    "a bit of it that is wrong": lambda p: p[:len(p) // 2] + bytes([p[len(p) // 2] ^ 16]) + p[len(p) // 2 + 1:],
    "a bit of its first byte": lambda p: bytes([p[0] ^ 1]) + p[1:],
    "bytes after its end": lambda p: p + b"more\n",
}
FIRST = {
    "svm": "1 1:1\n-1 1:2\n", "csv": "a,b,y\n1,2,p\n2,1,n\n", "jsonl": '{"a":1,"y":"p"}\n{"a":2,"y":"n"}\n',
    "vw": "1 |f a:1\n-1 |f b:2\n",
}
SECOND = {  # files that cannot follow those
    "a second file with its columns in another order": {"csv": "b,a,y\n2,1,p\n"},
    "a second file without the header of the first": {"csv": "1,2,p\n"},
    "a second file in another format": {"svm": "a,b,y\n1,2,p\n", "csv": '{"a":1,"y":"p"}\n', "jsonl": "a,b,y\n1,2,p\n",
                                        "vw": '{"a":1,"y":"p"}\n'},
}
PACKERS = {"gz": lambda t: gzip.compress(t, 0, mtime=0), "bz2": bz2.compress, "xz": lzma.compress}
ACCEPTED = {
    "value.csv": ("a column with a word in its first rows is one of categories, and the report says so", "categories: a"),
    "value-tail.csv": ("likewise", "categories: a"),
    "value-missing.csv": ("it is filled with the mean of its column, and the report counts it", "gaps             1 missing"),
    "value-missing.jsonl": ("likewise", "gaps             1 missing"),
    "nan.csv": ("likewise", "gaps             1 missing"),
    "empty-line.svm": ("nothing is lost with a line that has nothing", "rows             3"),
    "empty-line.csv": ("likewise", "rows             3"),
    "index-zero.svm": ("files count from 0 or from 1: this one from 0", "features         3"),
    "value.jsonl": ("likewise", "categories: a"),
    "value.vw": ("a:xyz is a feature with the value 1", "features         3"),
    "duplicate.vw": ("values of a feature are added up", "rows             4"),
    "empty-line.jsonl": ("likewise", "rows             3"),
    "empty-line.vw": ("likewise", "rows             3"),
    "label-only.vw": ("a row of zeros, likewise", "rows             4"),
    "label-only.jsonl": ("its missing numbers are filled, likewise", "gaps             2 missing"),
    "label-only.svm": ("a row of zeros, as LIBSVM text leaves zeros out", "rows             4"),
}
SKLEARN = """
import sys, warnings
warnings.simplefilter("ignore")
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron
for path in sys.argv[1:]:
    try:
        Perceptron().fit(*load_svmlight_file(path))
        print("silent")
    except Exception as e:
        print(type(e).__name__ + ": " + str(e).split(chr(10))[0][:60])
"""


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def ours(path, folder, where=HERE):
    """(exit status, what is printed without the file's name, whether there is a model)."""
    model, name = os.path.join(folder, "m"), os.path.basename(path)
    if os.path.exists(model):
        os.remove(model)
    words = ["predict", name, ":and"] if name.endswith(".safetensors") else ["train", name, "-o", model]
    words += FORMATS[name.split(".")[-1]][1] if name.split(".")[-1] in FORMATS else []
    p = subprocess.run([TOOL, *words], cwd=where, capture_output=True, timeout=600)
    said = (p.stderr if p.returncode else p.stdout).decode()
    return p.returncode, said.replace(name, ""), os.path.exists(model)


def our_cell(name, folder):
    """What stands in our column, or an exception that says what is wrong."""
    path = os.path.join(HERE, name)
    if not os.path.exists(path):
        return ""
    rc, said, model = ours(path, folder)
    if name in ACCEPTED:
        why, piece = ACCEPTED[name]
        if rc != 0 or not model or piece not in said:
            raise AssertionError(f"{name}: exit {rc}, without '{piece}': {said}")
        return f"accepted: {why}"
    whole = name.split(".")[0] in ("empty", "header-only", "one-class", "truncated")
    if rc != 3 or model or not re.match(r": \S" if whole else r":\d+:\d+: \S", said):
        raise AssertionError(f"{name}: exit {rc}, {'a' if model else 'no'} model, said: {said}")
    said = said.strip().split("\n")[0].lstrip(": ")
    if not REMEDY.search(said):
        raise AssertionError(f"{name}: no remedy in: {said}")
    return said


def second_cell(what, form, folder):
    """What is said of a second file, without its name."""
    if form not in SECOND[what]:
        return ""
    model = os.path.join(folder, "second.m")
    for name, text in ("first", FIRST[form]), ("second", SECOND[what][form]):
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)
    p = subprocess.run([TOOL, "train", "first", "second", "-o", model], cwd=folder, capture_output=True, timeout=600)
    said = p.stderr.decode().strip()
    if p.returncode != 3 or os.path.exists(model) or not re.match(r"second(:\d+:\d+)?: \S", said):
        raise AssertionError(f"{what}: exit {p.returncode}, said: {said}")
    if not REMEDY.search(said):
        raise AssertionError(f"{what}: no remedy in: {said}")
    return said[len("second"):].lstrip(": ")


def packed_cell(what, folder):
    """What is said of gzip; the other formats have a remedy, too."""
    text = "".join(f"{i % 2} 1:{i * i % 97} 2:{i % 13}\n" for i in range(400)).encode()
    cells = []
    for ending, pack in PACKERS.items():
        name = "packed." + ending
        with open(os.path.join(folder, name), "wb") as f:
            f.write(PACKED[what](pack(text)))
        rc, said, model = ours(os.path.join(folder, name), folder, folder)
        said = said.strip().split("\n")[0].lstrip(": ")
        if rc != 3 or model or not REMEDY.search(said):
            raise AssertionError(f"{name}, {what}: exit {rc}, no remedy in: {said}")
        cells.append(said)
    return cells[0]


def peer(train, predict):
    """What a program for LIBSVM text does: `train FILE MODEL`, `predict FILE MODEL OUT`."""
    def run(words):
        try:
            p = subprocess.run(words, capture_output=True, timeout=PATIENCE, preexec_fn=limits)
        except subprocess.TimeoutExpired:
            return f"hangs ({PATIENCE} s)"
        if p.returncode < 0:
            return f"signal {-p.returncode} (with 2 GB of memory)"
        text = (p.stderr + p.stdout).decode(errors="replace").strip().split("\n")
        return None if p.returncode == 0 else text[-1].replace("WARNING: ", "")[:60]

    def cell(name, folder):
        model = os.path.join(folder, "peer")
        if name.startswith("truncated"):
            said = run(train + [os.path.join(HERE, "label-only.svm"), model])
            if said:
                return said
            os.truncate(model, os.path.getsize(model) * 2 // 3)
            said = run(predict + [os.path.join(HERE, "label-only.svm"), model, model + ".out"])
            return said.replace(folder + "/", "") if said else "silent: predicts"
        if os.path.exists(model):
            os.remove(model)
        said = run(train + [os.path.join(HERE, name), model])
        if said is not None:
            return said
        with open(model) as f:
            return "**silent, NaN in the model**" if "nan" in f.read() else "silent"
    return cell


def sklearn(names):
    p = subprocess.run([sys.executable, "-c", SKLEARN, *(os.path.join(HERE, n) for n in names)],
                       capture_output=True, env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
    if p.returncode != 0:
        return None
    return dict(zip(names, p.stdout.decode().split("\n")))


def columns(folder):
    """The others that are here: {name: {case: what it did}}."""
    names = {c: c + ".svm" for c in CASES if os.path.exists(os.path.join(HERE, c + ".svm"))}
    found = {}
    for title, train, predict in (("LIBLINEAR", ["liblinear-train", "-s", "1", "-B", "1", "-q"], ["liblinear-predict"]),
                                  ("LIBSVM", ["svm-train", "-t", "0", "-q"], ["svm-predict"])):
        if shutil.which(train[0]) and shutil.which(predict[0]):
            cell = peer(train, predict)
            found[title] = {c: cell(n, folder) for c, n in names.items()}
            found[title]["truncated"] = cell("truncated", folder)
    answers = sklearn(list(names.values()))
    if answers is not None:
        found["scikit-learn"] = {c: answers[n] for c, n in names.items()}
    return found


def table(rows):
    return "".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |\n" for row in rows)


def main():
    with tempfile.TemporaryDirectory() as folder:
        mine = [[what, *(our_cell(f"{c}.{f}" if (c, f) != ("truncated", "svm") else "truncated.safetensors", folder)
                         for f in FORMATS)] for c, what in CASES.items()]
        mine += [[what, packed_cell(what, folder), *[""] * (len(FORMATS) - 1)] for what in PACKED]
        mine += [[what, *(second_cell(what, f, folder) for f in FORMATS)] for what in SECOND]
        others = columns(folder)
    with open(PAGE) as f:
        text = f.read()
    start = text.index("\n| a line with") + 1
    head, _, *old = [[c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]]
                     for line in text[start:].splitlines()]
    known = {row[0]: dict(zip(head, row)) for row in old}
    theirs = [t for t in head[1:] if not t.startswith("ours")]
    head = [head[0], *(title for title, _ in FORMATS.values()), *theirs]
    rows = [head, ["---"] * len(head)] + [
        m + [others[t].get(c, "") if t in others else known.get(m[0], {}).get(t, "") for t in theirs]
        for m, c in zip(mine, [*CASES, *(None for _ in (*PACKED, *SECOND))])]
    print(table(rows), end="")
    if "--write" in sys.argv:
        with open(PAGE, "w") as f:
            f.write(text[:start] + table(rows))
        return
    stale = [row[0] for row in mine if table([row])[:-1].rstrip("|") not in text]
    if stale:
        sys.exit(f"bad: docs/bad-input.md is not true (bad.py TOOL --write) of: {'; '.join(stale)}")
    cases = sum(c != "" for row in mine for c in row[1:])
    print(f"{cases} passed, 0 failed")


if __name__ == "__main__":
    try:
        main()
    except AssertionError as wrong:
        sys.exit(f"bad: {wrong}")
