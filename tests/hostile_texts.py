#!/usr/bin/python3
"""Texts of the input never make a line of their own, nor steer a terminal.

    hostile_texts.py PROGRAM

Hostile texts are labels, names of features, names of files and values of options of every command
that prints them. What comes out on stdout and stderr is then UTF-8 without control characters, a
line ends only where the tool ends one, and a quoted label reads back as what it was.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

TEXTS = [b"x\nack 999999 examples saved to m", b"\x1b[2J\x07\r\t\x01z\x7f", b"a\nb\n\nc\n",
         "\u0085next\u2028line\u2029\u202egnirts\u2066\u200f\u061c\u009b31m".encode(),
         b"caf\xe9\xff\xed\xa0\x80", b'"quoted"', b"two words", b" ends ", b"ack",
         "gr\u00fc\u00df\\n%s%n<b>&';".encode(), b"x" * 300 + b"\n" + b"\x1b" * 400]
# C0 but \n, DEL, C1, bidirectional controls, separators of lines and paragraphs.
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
failed, runs = [], 0


def unquote(s):
    """What a word of the output says: itself, or the bytes of a quoted one."""
    text = json.loads(s) if s.startswith('"') else s
    return text.encode("utf-8", "surrogateescape")


def check(right, *what):
    if not right:
        failed.append(what)
        print("FAILED", *[repr(w)[:300] for w in what])


class Tool:
    def __init__(self, program):
        self.program = os.path.abspath(program)

    def __call__(self, *args, stdin=b""):
        global runs
        runs += 1
        p = subprocess.run([self.program, *args], input=stdin, capture_output=True, check=False)
        for name, data in ("stdout", p.stdout), ("stderr", p.stderr):
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError as e:
                check(False, args, name, "not UTF-8", e)
                continue
            found = CONTROL.search(text)
            check(found is None, args, name, found and text[max(0, found.start() - 40):][:80])
            check(not re.search(r"^(ack 999999|next|b$|c$)", text, re.M), args, name, "forged", text)
        check(p.returncode in (0, 1, 2, 3, 4, 5), args, p.returncode, p.stderr[-200:])
        return p.stdout.decode("utf-8", "replace")


def cell(text):
    return b'"' + text.replace(b'"', b'""') + b'"'


def commands(tool, data, model, reports):
    """Runs what prints labels, names and files; the number of lines of each."""
    lines = []
    for args in reports:
        lines.append((args, tool(*[data if a == "D" else model if a == "M" else a for a in args]).count("\n")))
    return lines


REPORTS = [("train", "D", "-o", "M"), ("train", "D", "-o", "M", "--json"), ("inspect", "M"),
           ("inspect", "M", "--all"), ("inspect", "M", "--json"), ("test", "M", "D"), ("test", "M", "D", "--json"),
           ("predict", "M", "D"), ("predict", "M", "D", "--scores"), ("predict", "M", "D", "--json"),
           ("prove", "D", "-o", "c.json"), ("prove", "D", "--json"), ("verify", "c.json", "D"),
           ("verify", "c.json", "D", "--json"), ("trace", "D", "--epochs", "1"),
           ("trace", "D", "--epochs", "1", "--json"), ("trace", "D", "--epochs", "1", "--format", "csv"),
           ("train", "D", "-o", "M", "--holdout", "0.3"), ("train", "D", "-o", "M", "--folds", "2"),
           ("train", "D", "-o", "M", "--calibrate"), ("predict", "M", "D", "--proba")]


def labels(tool):
    rows = [(1, 2), (3, 1), (5, 6), (7, 8), (2, 9), (4, 4)]

    def table(a, b):
        return b"f,g,class\n" + b"".join(
            b"%d,%d,%s\n" % (x, y, cell(a if x % 3 else b)) for x, y in rows * 2)
    wanted = []
    for other in b"aa", b"zzz":  # before and after it, as +1 is the later one
        with open("plain.csv", "wb") as f:
            f.write(table(other, b"zz"))
        wanted.append(commands(tool, "plain.csv", "m", REPORTS))
    for text in TEXTS:
        want = wanted[text > b"zz"]
        with open("d.csv", "wb") as f:
            f.write(table(text, b"zz"))
        came = commands(tool, "d.csv", "m", REPORTS)
        utf8 = True
        try:
            text.decode()
        except UnicodeDecodeError:
            utf8 = False  # a certificate cannot name it: prove -o and verify have other lines
        for (args, n), (_, k) in zip(came, want):
            if args[0] not in ("verify", "prove") or utf8:
                check(n == k, text, args, n, "lines instead of", k)
        tool("plot", "d.csv")
        tool("train", "d.csv", "-o", "m", "-q")
        answers = tool("predict", "m", "d.csv").split("\n")[:-1]
        check({unquote(a) for a in answers} <= {text.strip(b" "), text, b"zz"}, text, answers)
        for line in tool("predict", "m", "d.csv", "--scores").split("\n")[:-1]:
            word = re.match(r'"([^"\\]|\\.)*"|\S+', line).group()
            check(unquote(word) in (text, text.strip(b" "), b"zz"), text, line)
            check(len(line[len(word):].split()) == 1, text, line)
        said = tool("learn", "m", "-o", "m2", stdin=b"1,2\n5,6\n3,1\n").split("\n")
        check(len(said) == 5 and [s.startswith("ack ") for s in said] == [0, 0, 0, 1, 0], text, said)


def own_words(tool):
    """Labels that the tool itself begins a line with, or says where it knows none."""
    for word in b"?", b"ack", b"error:", b"bound:":
        said = tool("learn", "--new", "-o", "n", stdin=word.replace(b":", b";") + b" 1:1\n1:1\n")
        if b":" not in word:  # not a label in LIBSVM's format
            check(said.split("\n")[1].startswith('"%s" ' % word.decode()), word, said)


def names(tool):
    def table(name):
        return cell(name) + b",g,class\n" + b"".join(b"%d,%d,%d\n" % (x, 9 - x, x > 4) for x in range(9))
    reports = REPORTS + [("inspect", "M", "--top", "1"), ("inspect", "D"), ("plot", "D")]
    with open("plain.csv", "wb") as f:
        f.write(table(b"name"))
    want = commands(tool, "plain.csv", "m", reports)
    for text in TEXTS:
        with open("d.csv", "wb") as f:
            f.write(table(text))
        came = commands(tool, "d.csv", "m", reports)
        for (args, n), (_, k) in zip(came, want):
            check(n == k or args[0] == "plot", text, args, n, "lines instead of", k)


def files(tool):
    good = b"".join(b"%d 1:%d\n" % (x > 4, x) for x in range(9))
    for text in TEXTS[:-1]:  # the last is too long for a name
        data, model = text, text + b".m"
        tool("train", data, "-o", model)  # cannot open it
        with open(data, "wb") as f:
            f.write(good)
        for args in [("train", data, "-o", model), ("predict", model, data, "-o", b"p" + text), ("inspect", model),
                     ("test", model, data), ("prove", data, "-o", b"c" + text), ("verify", b"c" + text, data),
                     ("plot", model, data, "-o", b"s" + text), ("convert", data, b"b" + text + b".csv"),
                     ("learn", model), ("train", data, "--checkpoint", text + b".k", "-o", model),
                     ("report", data, "-o", text + b".html"), ("train", data, "-o", text + b"/x"),
                     ("train", data, "--validate", data, "-o", model), ("inspect", data), ("verify", data, data)]:
            tool(*args, stdin=b"1 1:1\n0 1:2\n")
        with open(data, "ab") as f:
            f.write(b"1 1:" + text.replace(b"\n", b" ") + b"\n" + text)
        tool("train", data, "-o", model)


def options(tool):
    with open("d.svm", "wb") as f:
        f.write(b"".join(b"%d 1:%d\n" % (x % 3, x) for x in range(9)))
    tool("train", "d.svm", "-o", "m", "-q")
    for text in TEXTS:
        tool(text)
        tool("help", text)
        for option in ("--positive", "--classes", "--class-weight", "--label", "--algorithm", "--kernel", "--rate",
                       "--init", "--" + os.fsdecode(text), "--grid", "--validate"):
            tool("train", "d.svm", "-o", "m2", option, text)
        tool("inspect", "m", "--class", text)
        tool("prove", "d.svm", "--positive", text)
        tool("plot", "m", "d.svm", "--picture", text)
        tool("gate", text)
        tool("gate", b"a & " + text)
        tool("learn", "m", "-o", "m3", stdin=text + b" 1:1\n" + b"0 " + text + b"\n")
        tool("learn", "m", "-o", "m3", "--json", stdin=text + b" 1:1\n" + b"0 " + text + b"\n")


def main():
    tool = Tool(sys.argv[1])
    for part in labels, own_words, names, files, options:
        with tempfile.TemporaryDirectory() as where:
            os.chdir(where)
            part(tool)
            os.chdir("/")
    print("%d runs, %d failures" % (runs, len(failed)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
