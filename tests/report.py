#!/usr/bin/env python3
"""report.py TOOL -- the pages of `perceptron report`, read as a browser would read them.

Each page is parsed: elements are closed in order, ids are unique and what refers to one finds
it, nothing comes from elsewhere, the Content-Security-Policy allows just the style and the
program that are there. What the page says is compared with what `train --json` and `trace`
say, texts of the data must come back as texts, the commands that a page shows are run, and a
command that fails leaves nothing behind.
"""
import base64
import csv
import hashlib
import html.parser
import io
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}
LIMIT = 1_000_000  # bytes of a page of ordinary data
checks = 0


def check(true, *what):
    global checks
    checks += 1
    if not true:
        sys.exit("report: " + " ".join(str(w) for w in what))


class Node:
    def __init__(self, tag, attributes, parent):
        self.tag, self.parent, self.children = tag, parent, []
        self.attributes = dict(attributes)

    def walk(self):
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.walk()

    def all(self, tag, **having):
        return [n for n in self.walk() if n.tag == tag
                and all(n.attributes.get(k) == v for k, v in having.items())]

    def text(self):
        return "".join(c if isinstance(c, str) else c.text() for c in self.children)


class Reader(html.parser.HTMLParser):
    """A tree, from a page that closes all it opens."""

    def __init__(self, name):
        super().__init__(convert_charrefs=True)
        self.name = name
        self.root = self.at = Node("", (), None)

    def handle_starttag(self, tag, attributes):
        names = [k for k, _ in attributes]
        check(len(names) == len(set(names)), self.name, "an attribute twice in", tag, names)
        node = Node(tag, attributes, self.at)
        self.at.children.append(node)
        if tag not in VOID:
            self.at = node

    def handle_startendtag(self, tag, attributes):
        self.at.children.append(Node(tag, attributes, self.at))

    def handle_endtag(self, tag):
        check(tag == self.at.tag, self.name, f"</{tag}> closes <{self.at.tag}>")
        self.at = self.at.parent

    def handle_data(self, data):
        self.at.children.append(data)


class Page:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as f:
            self.bytes = f.read()
        self.source = self.bytes.decode("utf-8")  # strictly
        reader = Reader(os.path.basename(path))
        reader.feed(self.source)
        reader.close()
        check(reader.at is reader.root, path, "is not closed:", reader.at.tag)
        self.root = reader.root
        self.ids = [n.attributes["id"] for n in self.root.walk() if "id" in n.attributes]
        self.check_all()

    def node(self, name):
        return next(n for n in self.root.walk() if n.attributes.get("id") == name)

    def section(self, name):
        return self.node("sec-" + name)

    def table(self, caption, within=None):
        for t in (within or self.root).all("table"):
            if t.all("caption")[0].text().startswith(caption):
                return [[c.text() for c in row.walk() if c.tag in ("td", "th")]
                        for row in t.all("tbody")[0].all("tr")]
        check(False, self.path, "has no table", caption)

    def commands(self):
        return [line for pre in self.root.all("pre") for line in pre.text().split("\n")]

    def data(self):
        return json.loads(self.node("data").text())

    # What every page must be.
    def check_all(self):
        self.check_ids()
        self.check_outside()
        self.check_policy()
        self.check_structure()
        self.check_classes()
        check(len(self.bytes) < LIMIT, self.path, "has", len(self.bytes), "bytes")
        check(re.search(r"\bNaN\b|\binf\b|\bnan\b|\(null\)", self.visible()) is None, self.path,
              "shows a number that is none")

    def visible(self):
        return " ".join(s.text() for s in self.root.all("body")[0].children
                        if isinstance(s, Node) and s.tag != "script")

    def check_ids(self):
        twice = {i for i in self.ids if self.ids.count(i) > 1}
        check(not twice, self.path, "has ids twice:", twice)
        for n in self.root.walk():
            for key in ("aria-labelledby", "aria-describedby", "for"):
                for name in n.attributes.get(key, "").split():
                    check(name in self.ids, self.path, key, name, "refers to nothing")
            if n.tag == "a":
                check(n.attributes["href"][1:] in self.ids, self.path, n.attributes["href"])

    def check_outside(self):
        for n in self.root.walk():
            for key, value in n.attributes.items():
                check(not key.startswith("on"), self.path, "has a handler", key)
                check(key != "style", self.path, "has a style attribute")
                if key in ("src", "href", "xlink:href", "action", "data", "srcset", "poster"):
                    check(value.startswith("#"), self.path, key, value, "is elsewhere")
            check(n.tag not in ("link", "iframe", "object", "embed", "base", "form", "img"),
                  self.path, "has a", n.tag)
        style = self.root.all("style")[0].text()
        check("url(" not in style and "@import" not in style, self.path, "style from elsewhere")

    def check_policy(self):
        policy = self.root.all("meta", **{"http-equiv": "Content-Security-Policy"})
        check(len(policy) == 1, self.path, "has no policy")
        parts = dict(p.strip().split(" ", 1) for p in policy[0].attributes["content"].split(";"))
        check(set(parts) == {"default-src", "style-src", "script-src", "base-uri", "form-action"},
              self.path, "allows", parts)
        for name in ("default-src", "base-uri", "form-action"):
            check(parts[name] == "'none'", self.path, name, parts[name])
        styles, scripts = self.root.all("style"), [s for s in self.root.all("script")
                                                    if "type" not in s.attributes]
        check(len(styles) == 1 and len(scripts) == 1, self.path, "has other programs")
        for node, rule in ((styles[0], "style-src"), (scripts[0], "script-src")):
            digest = base64.b64encode(hashlib.sha256(node.text().encode()).digest()).decode()
            check(parts[rule] == f"'sha256-{digest}'", self.path, rule, parts[rule])
        for s in self.root.all("script"):
            check(s.attributes in ({}, {"type": "application/json", "id": "data"}), self.path,
                  "has a script", s.attributes)

    def check_structure(self):
        check(len(self.root.all("h1")) == 1 and len(self.root.all("main")) == 1, self.path, "h1")
        level = 0
        for n in self.root.walk():
            if re.fullmatch("h[1-6]", n.tag):
                check(int(n.tag[1]) <= level + 1, self.path, "skips a heading at", n.text())
                level = int(n.tag[1])
        for t in self.root.all("table"):
            check(len(t.all("caption")) == 1, self.path, "a table without a caption")
            check(all("scope" in h.attributes for h in t.all("th")), self.path, "th without scope")
            width = len(t.all("thead")[0].all("th"))
            for row in t.all("tbody")[0].all("tr"):
                check(len(row.all("td") + row.all("th")) == width, self.path, "a row of",
                      t.all("caption")[0].text(), "has another width")
        for s in self.root.all("svg"):
            check(s.attributes.get("role") == "img" and "aria-labelledby" in s.attributes,
                  self.path, "a picture without a name")
        for b in self.root.all("button") + self.root.all("select"):
            check(b.text().strip() or b.parent.text().strip(), self.path, "a control without a name")

    def check_classes(self):
        style = self.root.all("style")[0].text()
        for n in self.root.walk():
            for name in n.attributes.get("class", "").split():
                if name.startswith("f-"):
                    check(re.search(r"\.%s\b" % re.escape(name), style), self.path, "no rule for",
                          name)


class Tool:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.environment = dict(os.environ, PATH=os.path.dirname(tool) + os.pathsep
                                + os.environ["PATH"])
        self.environment.pop("LC_ALL", None)

    def run(self, *args, rc=0):
        p = subprocess.run([self.tool, *args], cwd=self.folder, env=self.environment, timeout=900,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        check(p.returncode == rc, args, "exits with", p.returncode, p.stderr.decode(errors="replace"))
        return p.stdout.decode(), p.stderr.decode(errors="replace")

    def shell(self, command):
        p = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment,
                           timeout=900, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return p.returncode, p.stdout.decode(errors="replace")

    def page(self, *args, name="report.html"):
        self.run("report", *args, "-o", name, "-q")
        return Page(os.path.join(self.folder, name))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        return name


def count(n):
    return f"{n:,}"


def percent(part):
    return f"{100 * part:.2f} %"


# ----- numbers -------------------------------------------------------------------------------

def numbers_are_those_of_train(t):
    for args in ([":blobs85"], [":iris", "--epochs", "7"], [":xor", "--epochs", "251"],
                 [":xor", "-a", "pocket", "--seed", "3"],
                 [":iris", "--positive", "virginica", "--scale", "standard"],
                 [":cancer", "-a", "perceptron", "--kernel", "rbf"]):
        page = t.page(*args)
        said = json.loads(t.run("train", *args, "--json", "-o", os.devnull)[0])
        text = page.visible()
        # Programs read of epochs, people of passes.
        stop = re.sub(r"the epoch limit \((\d+)\)", r"the limit of \1 passes", said["stop"])
        check(stop in text, args, "does not say", stop)
        check(f"Training error: {percent(said['training_error'])} "
              f"({count(said['training_errors'])} of {count(said['data']['rows'])} rows)" in text,
              args, "training error")
        check(count(said["mistakes"]) in text and count(said["updates"]) in text, args, "mistakes")
        rows = page.table("Passes", page.section("passes"))
        for row in rows:
            h = said["history"][int(row[0].replace(",", "")) - 1]
            check(row[:3] == [count(h[k]) for k in ("epoch", "mistakes", "updates")], args, row)
        check(rows[-1][0] == count(said["epochs"]), args, "the last pass is missing")
        check(rows[-1][3] == percent(said["training_error"]), args, "error after the last pass")


def confusion_is_that_of_test(t):
    t.run("train", ":iris", "-o", "m", "-q")
    said = json.loads(t.run("test", "m", ":iris", "--json")[0])
    page = t.page(":iris")
    rows = page.table("True labels")
    check([[int(c) for c in row[1:4]] for row in rows] == said["confusion"]["counts"]
          if isinstance(said["confusion"], dict) else
          [[int(c) for c in row[1:4]] for row in rows] == said["confusion"], rows)
    for i, row in enumerate(rows):
        right = int(row[1 + i])
        check(row[4] == percent(right / sum(int(c) for c in row[1:4])), "recall", row)
        check(row[5] == percent(right / sum(int(r[1 + i]) for r in rows)), "precision", row)


def weights_are_those_of_inspect(t):
    t.run("train", ":cancer", "-o", "m", "-q", "--scale", "standard")
    said = json.loads(t.run("inspect", "m", "--json")[0])
    page = t.page(":cancer", "--scale", "standard")
    rows = page.table("Largest weights")
    check(len(rows) == 21 and rows[-1][0] == "offset", "20 weights and the offset", len(rows))
    weights = json.dumps(said)
    for name, value, _ in rows[:5]:
        check(json.dumps(name)[1:-1] in weights, name)
        check(any(abs(float(v) - float(value)) <= 1e-5 * abs(float(value))
                  for v in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", weights)), name, value)
    sizes = [abs(float(r[1])) for r in rows[:-1]]
    check(sizes == sorted(sizes, reverse=True), "weights are not sorted", sizes)


def steps_are_those_of_trace(t):
    for data in (":and", ":blobs85", ":xnor"):
        page = t.page(data, "-a", "perceptron", "--order", "file", "--epochs", "20")
        said = list(csv.DictReader(io.StringIO(
            t.run("trace", data, "--order", "file", "--epochs", "20", "--arithmetic", "double",
                  "--csv")[0])))
        said = [s for s in said if s["mistake"] == "1"]
        film = page.data()
        step = film["run"][0]["step"]
        check(len(said) == len(step["row"]) == film["run"][0]["updates"] > 3, data, "steps")
        for i, s in enumerate(said):
            r = step["row"][i]
            check(film["row"]["number"][r] == int(s["row"]), data, i, "row")
            check(step["epoch"][i] == int(s["epoch"]), data, i, "epoch")
            for key in ("score", "w1", "w2", "b"):
                check(abs(step[key][i] - float(s[key])) <= 1e-6 * max(1, abs(float(s[key]))),
                      data, i, key, step[key][i], s[key])
            for key, name in (("x", "x1"), ("y", "x2")):
                check(abs(film["row"][key][r] - float(s[name])) < 1e-6, data, i, name)


def classes_at(film, step):
    """The vector of every label after a step, from what each step has changed; None: not met."""
    at, has = 0, [None] * len(film["labels"])
    for count in step["changed"]:
        for _ in range(count):
            has[step["class"][at]] = [step[key][at] for key in ("w1", "w2", "b")]
            at += 1
        yield list(has)
    check(all(len(step[key]) == at for key in ("class", "w1", "w2", "b")), "columns differ")


def classes_of_trace(steps, labels):
    """Of each update: the margin, and the vectors of the labels that were met by then. One
    vector, with its y of -1 or +1, is that of the upper of two."""
    met = set()
    for s in steps:
        met.add(labels.index(s["label"]))
        w, b = s["w"], s["b"]
        if not isinstance(b, list):
            w, b = [w], [b]
            if s.get("y"):
                w, b = [[-v for v in w[0]], w[0]], [-b[0], b[0]]
        known = sorted(met) if len(b) < len(labels) or len(met) == len(labels) \
            else range(len(labels))
        if s["updated"]:
            yield s, {c: w[i] + [b[i]] for i, c in enumerate(known)}


def classes_are_those_of_trace(t):
    chance = random.Random(4)
    four = t.write("four.csv", "a,b,label\n1,1,d\n0,0,b\n" + "".join(
        f"{chance.gauss(3 * (i % 4), 1):.3f},{chance.gauss((i % 4) ** 2, 1):.3f},{'dbca'[i % 4]}\n"
        for i in range(120)))
    for args in ([], ["--multiclass", "native"], ["--multiclass", "ovr", "-a", "pa1"],
                 ["--order", "shuffle", "--seed", "3"], ["-a", "pocket"], ["-a", "averaged"]):
        args = [four, "-a", "perceptron", "--order", "file", "--epochs", "8"] + args
        film = t.page(*args).data()
        doubles = [] if "pa1" in args else ["--arithmetic", "double"]  # as a report has them
        said = json.loads(t.run("trace", *args, *doubles, "--json", "-q")[0])
        step, run = film["run"][0]["step"], film["run"][0]
        check(film["labels"] == said["labels"], args, "labels")
        said = list(classes_of_trace(said["steps"], said["labels"]))
        frames = list(classes_at(film, step))
        check(len(frames) == len(said) == len(step["row"]) > 20 and run["numbers"], args, "steps")
        check("regions" not in run and not run["cut"], args, "is followed")
        for i, (s, vectors) in enumerate(said):
            check(film["row"]["number"][step["row"][i]] == s["row"], args, i, "row")
            check(abs(step["score"][i] - s["margin"]) <= 1e-6 * max(1, abs(s["margin"])), args, i,
                  "margin", step["score"][i], s["margin"])
            for c, has in enumerate(frames[i]):
                check((has is not None) == (c in vectors), args, i, "label", c)
                for a, b in zip(has or [], vectors.get(c, [])):
                    check(abs(a - b) <= 1e-6 * max(1, abs(b)), args, i, c, has, vectors[c])
    # A kernel has no vectors to show, but its margins are those of the trace, also at first.
    args = [four, "-a", "perceptron", "--order", "file", "--epochs", "3", "--kernel", "rbf"]
    step = t.page(*args).data()["run"][0]["step"]
    said = [s for s in json.loads(t.run("trace", *args, "--json", "-q")[0])["steps"] if s["updated"]]
    check(len(step["score"]) == len(said) > 20, args, "steps")
    for i, s in enumerate(said):
        check(abs(step["score"][i] - s["margin"]) <= 1e-6 * max(1, abs(s["margin"])), args, i,
              "margin", step["score"][i], s["margin"])


def many_classes_stay_small(t):
    """Eight labels that nothing tells apart: every update changes much; a page stays a page."""
    chance = random.Random(5)
    name = t.write("noise.csv", "a,b,c,label\n" + "".join(
        ",".join(f"{chance.gauss(0, 1):.6f}" for _ in range(3)) + f",c{chance.randrange(8)}\n"
        for _ in range(1000)))
    page = t.page(name, "--compare", "perceptron,pa1,margin", "--epochs", "3", "--prove-limit", "0")
    changed = [sum(r["step"]["changed"]) for r in page.data()["run"]]
    check(max(changed) <= 5000 // 3 and min(changed) > 1600, "vectors", changed)
    check(all(r["cut"] for r in page.data()["run"]), "it is said that they are cut")
    kept = [len(r["step"]["row"]) for r in page.data()["run"]]
    check(f"its first {count(min(kept))} to {count(max(kept))} updates"
          in page.section("steps").text(), kept, page.section("steps").text())


# ----- texts of the data ------------------------------------------------------------------------

HOSTILE = ['<script>alert(1)</script>', '</script><img src=x onerror=alert(1)>', '"><b>', "it's",
           '&amp;', '</style>', '<!--', ']]>', 'a\u2028b', '%s%n', '\u202egnp', '\\u003c']


def hostile_texts_stay_texts(t):
    chance = random.Random(1)
    for k in range(0, len(HOSTILE), 2):
        one, other = HOSTILE[k], HOSTILE[k + 1]
        out = io.StringIO()
        w = csv.writer(out)
        w.writerow([one, other, "kind", "label"])
        for i in range(60):
            y = i % 2
            w.writerow([round(chance.gauss(3 * y, 1), 3), round(chance.gauss(-y, 1), 3),
                        (one, other, "plain")[i % 3], (one, other)[y]])
        name = t.write(f"{k}" + re.sub(r"[/\\]", "_", one) + ".csv", out.getvalue())
        page = t.page(name, "--label", "label")
        check_hostile(t, page, name, (one, other))
        page = t.page(name, "--label", "label", "--features", "1,2", "--compare",
                      "perceptron,mlp,svm", "--epochs", "5")
        check_hostile(t, page, name, (one, other))


def check_hostile(t, page, name, texts):
    visible = page.visible()
    controls = re.compile("[\u2028\u2029\u202e]")
    check(controls.sub("\ufffd", name) in visible, "the name of", name, "is not shown")
    for text in texts:
        shown = controls.sub("\ufffd", text)
        check(shown in visible, repr(text), "is not shown")
        check(any(row[0] == shown for row in page.table("Rows of each label")), repr(text))
    raw = [n for n in page.root.walk() if n.tag in ("b", "img")]
    check(not raw, name, "became markup:", [n.tag for n in raw])


def bytes_that_are_no_text(t):
    name = t.write("bytes.csv", b"a\xff,b\x80\xbf,label\n" + b"".join(
        b"%d,%d,%s\n" % (i, i * i % 7, (b"x\xfe", b"y")[i % 2]) for i in range(20)))
    out, err = subprocess.run([t.tool, "report", name, "-o", "bytes.html", "-q"], cwd=t.folder,
                              capture_output=True, timeout=900), None
    check(out.returncode in (0, 3), "bytes that are not UTF-8", out.returncode, err)
    if out.returncode == 0:
        check("\ufffd" in Page(t.path("bytes.html")).visible(), "a byte is lost")


def long_names_and_directions(t):
    """Names of any length are cut or broken; nothing turns the text around it."""
    turn, back, long = "\u202eevil", "\u2067x", "n" * 10000
    name = t.write("long.csv", f"{long},{turn},kind,label\n" + "".join(
        f"{i % 7},{i % 5},{(back, 'b')[i % 2]},{(turn, 'שלום')[i % 3 == 0]}\n" for i in range(60)))
    for more in ([], ["--compare", "perceptron,svm", "--epochs", "3"]):
        page = t.page(name, "--label", "label", *more)
        check(not re.search("[\u202a-\u202e\u2066-\u2069]", page.visible()), "text is turned")
        check(long[:100] in page.visible() and long not in page.visible(), "a name is not cut")
        check("\ufffdevil" in page.visible() and "שלום" in page.visible(), "a name is lost")


# ----- commands ----------------------------------------------------------------------------------

def commands_can_be_run_again(t):
    """The first makes the same page; the others run as they stand."""
    name = t.write("a b$(touch oops)'s.csv", "p q,r,s\n" + "".join(
        f"{i % 5},{i * 7 % 11},{'no' if i % 5 < 2 else 'yes'}\n" for i in range(40)))
    for args in ([name, "--label", "s", "-a", "perceptron"], [":iris", "--positive", "virginica"],
                 [":iris", "--scale", "standard", "--epochs", "5", "--no-offset"],
                 [name, "--label", "s", "--compare", "perceptron,pa1", "--epochs", "3"]):
        page = t.page(*args, name="first page.html")
        commands = page.commands()
        again = [c for c in commands if c.startswith("perceptron report")]
        check(len(again) == 1, commands)
        os.remove(page.path)
        rc, said = t.shell(again[0])
        check(rc == 0, again[0], said)
        with open(page.path, "rb") as f:
            check(f.read() == page.bytes, again[0], "makes another page")
        for c in commands:
            if c.startswith("perceptron train"):
                check(t.shell(c)[0] == 0, c)
        prove = [c for c in commands if c.startswith(("perceptron prove", "perceptron verify"))]
        check(len(prove) == 2 and ("--no-offset" in args) == ("--no-offset" in prove[0]), commands)
        rc, said = t.shell(prove[0])
        check(rc in (0, 1), prove[0], said)
        rc, said = t.shell(prove[1])
        check(rc == 0, prove[1], said)
    check(not os.path.exists(t.path("oops")), "a file name was run")


def same_bytes_on_any_threads(t):
    t.run("generate", "blobs", "--rows", "3000", "-o", "b.svm")
    for args in (["b.svm"], ["b.svm", "--compare", "perceptron,svm,mlp", "--epochs", "3"], [":iris"],
                 [":cancer", "-a", "averaged", "--kernel", "rbf", "--scale", "standard"]):
        pages = [t.page(*args, "--threads", n, name="r.html").bytes for n in ("1", "2", "2")]
        check(pages[0] == pages[1] == pages[2], args, "threads change the page")


def model_format(t):
    with open(t.path("gaps.csv"), "w") as f:
        f.write("a,b,label\n1,,yes\n2,1,no\n")
    t.run("train", "gaps.csv", "--missing", "zero", "-o", "m", "-q")  # the newest format
    with open(t.path("m"), "rb") as f:
        size = struct.unpack("<Q", f.read(8))[0]
        version = json.loads(f.read(size))["__metadata__"]["format_version"]
    version = version.strip('"')
    page = t.page(":and")
    check(f"model files of format {version}" in page.visible(), "format", version)
    check(t.run("--version")[0].strip() in page.visible(), "version")


# ----- all kinds ---------------------------------------------------------------------------------

def all_algorithms(t):
    known = json.loads(t.run("help", "algorithms", "--json")[0])["algorithms"]
    for name in [a["name"] for a in known if a["name"] != "lp"]:  # which says no
        for data in (":blobs85", ":xor", ":iris"):
            page = t.page(data, "-a", name, "--epochs", "20")
            check(f"{name} on {data}" in page.visible(), name, data)
            check(len(page.root.all("figure")) >= 4, name, data, "has too few pictures")
            if name in ("svm", "mlp"):
                check("Not here" in page.section("steps").text(), name)


def all_shapes(t):
    chance = random.Random(2)
    one = t.write("one.csv", "x,label\n" + "".join(f"{i},{int(i > 4)}\n" for i in range(10)))
    wide = t.write("wide.svm", "".join(
        f"{1 if i % 2 else -1} " + " ".join(f"{j}:{chance.random():.2f}" for j in
                                         sorted(chance.sample(range(1, 3000), 40))) + "\n"
        for i in range(120)))
    many = t.write("many.csv", "a,b,label\n" + "".join(
        f"{i % 13},{i % 17},class{i % 12}\n" for i in range(240)))
    words = t.write("words.csv", "colour,size,label\n" + "".join(
        f"{('red', 'green', 'blue')[i % 3]},{i},{('a', 'b')[i % 3 == 0]}\n" for i in range(60)))
    pixels = t.write("pixels.svm", "".join(
        f"{i % 10} " + " ".join(f"{j}:{chance.randrange(1, 256)}" for j in
                               sorted(chance.sample(range(1, 785), 150))) + "\n"
        for i in range(2500)))
    for args in ([one], [wide], [many], [words], [pixels, "--scale", "by:255", "--epochs", "5"],
                 [many, "-a", "perceptron", "--kernel", "poly", "--degree", "2", "--epochs", "3"],
                 [":xor", "--kernel", "gaussian"],
                 [wide, "--compare", "perceptron,pocket,averaged,svm", "--epochs", "30"],
                 [":blobs85", "--compare", "perceptron,pocket,averaged,svm"]):
        page = t.page(*args)
        for s in ("run", "survey", "plane", "steps", "passes", "proof", "theorem", "margins", "roc",
                  "calibration", "confusion", "weights"):
            section = page.section(s)
            check(section.all("figure") or section.all("table")
                  or section.all("p", **{"class": "verdict"})
                  or "not here" in section.text().lower(), args, s, "says nothing")
    check("colour=red" in t.page(words).visible(), "categories are not named")


def kinds_show_what_they_have(t):
    page = t.page(":xor")
    check("overlapping" in page.section("proof").text(), "xor is proved")
    check("have the same midpoint" in page.section("proof").text(), "and it is said why")
    check(sorted(r[0] for r in page.table("Rows that show it")) == ["1", "2", "3", "4"], "witness rows")
    check("No plane separates these classes" in page.visible(), "the head says so")
    page = t.page(":xor", "-a", "perceptron", "--kernel", "rbf", "--gamma", "1")
    rows = page.table("Support vectors")
    check(len(rows) == 4 and sum(int(r[3]) for r in rows) == page.data()["run"][0]["updates"],
          "counters add up to the updates", rows)
    check(not page.root.all("section", id="sec-lift"), "rbf has no picture in space")
    for how in (["--lift"], ["-a", "perceptron", "--kernel", "poly", "--degree", "2"]):
        lift = t.page(":circles", *how).section("lift")
        points = [n for n in lift.all("path") if "data-i" in n.attributes]
        check(len(points) == 24 and all(n.all("title") for n in points), "points of the lift", how)
        space = json.loads(lift.all("g")[0].attributes["data-space"])
        check(len(space["at"]) == 72 and len(space["plane"]) == 4, "what the lift is turned by", how)
        check("lift:2" in lift.text() and "0 of 24 rows" in lift.text(), "its caption", how)
    page = t.page(":xor", "-a", "mlp", "--layers", "8")
    check("Loss" in page.section("passes").text(), "the loss of a network")
    page = t.page(":and", "-a", "perceptron")
    check("at most 51 updates" in page.section("theorem").text(), "the bound of :and")
    page = t.page(":blobs85", "--compare", "perceptron,svm")
    check([r[0] for r in page.table("Results side by side")] == ["perceptron", "svm"], "compare")


# ----- looks ------------------------------------------------------------------------------------

def rules(style):
    """{selector: {property: value}} of a style, outside @media; later rules add to earlier ones."""
    found = {}
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.S)
    while "@media" in style or "@page" in style:
        style = re.sub(r"@(media|page)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", style)
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style):
        for name in selectors.split(","):
            for part in body.split(";"):
                key, _, value = part.partition(":")
                if value:
                    found.setdefault(name.strip(), {})[key.strip()] = " ".join(value.split())
    return found


def variables(style):
    """The colours by name: light, dark by the system, dark by the button."""
    return [dict(re.findall(r"--([\w-]+):\s*(#\w+)", b))
            for b in re.findall(r":root[^{]*\{([^}]*)\}", style)[:3]]


def styles_agree(t):
    """A page and a picture in a file have the same parts in the same colours: the rules stand in
    report.css as well as in figure_svg.c."""
    page = t.page(":and").root.all("style")[0].text()
    t.run("plot", ":and", "--picture", "boundary", "-o", "and.svg", "-q")
    with open(t.path("and.svg"), encoding="utf-8") as f:
        alone = re.search(r"<style>(.*?)</style>", f.read(), re.S).group(1)
    light, dark, chosen = variables(page)
    check(dark == chosen and set(dark) == set(light), "the two dark themes differ")
    own = {k: v for k, v in rules(page).items() if re.fullmatch(r"\.f(-\w+)?", k)}
    night = rules(re.search(r"@media *\(prefers-color-scheme: *dark\) *\{((?:[^{}]*\{[^{}]*\})*)",
                            alone).group(1))
    compared = 0
    for name, part in rules(alone).items():
        check(name in own, name, "has no rule in the page")
        for key, value in part.items():
            there = own[name].get(key, "")
            if there in ("var(--text)", "system-ui, sans-serif"):  # the page's own ink
                continue
            variable = re.fullmatch(r"var\(--([\w-]+)\)", there)
            check((light[variable.group(1)] if variable else there) == value, name, key, value,
                  "but in the page", there)
            if variable and name in night:
                check(dark[variable.group(1)] == night[name][key], name, key, "in the dark")
            compared += 1
    check(compared >= 40, "only", compared, "rules were compared")


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def colours_can_be_told(t):
    """WCAG 2.1: text 4.5 to 1, marks and lines 3 to 1, on the page and in its boxes."""
    for theme in variables(t.page(":and").root.all("style")[0].text()):
        for ground in ("ground", "card"):
            for name in ("text", "soft", "link", "accent", "alert", "ink"):
                ratio = contrast(theme[name], theme[ground])
                check(ratio >= 4.5, name, "on", ground, ratio)
            for name in [f"c{i}" for i in range(8)] + ["faint"]:
                ratio = contrast(theme[name], theme[ground])
                check(ratio >= 3, name, "on", ground, ratio)
        check(contrast(theme["on-accent"], theme["accent"]) >= 4.5, "on the main button")


def says_what_a_clock_did(t):
    page = t.page(":xor", "--prove-limit", "0").section("run").text()
    check("byte for byte, on any number of threads." in page, "without a clock", page)
    page = t.page(":xor").section("run").text()
    check("as long as no limit in seconds comes into it; here none did" in page, page)
    page = t.page(":xor", "-a", "perceptron", "--epochs", "100000000", "--time-limit", "0.05",
                  "--prove-limit", "0").section("run").text()
    check("This page depends on a clock: training was ended by --time-limit" in page
          and "byte for byte" not in page, page)


def says_what_is_on_the_boundary(t):
    """All weights are 0 in the end: four errors, but two of the answers are right."""
    page = t.page(":xor", "-a", "perceptron", "--order", "file", "--epochs", "6")
    check("Training error: 100.00 % (4 of 4 rows)" in page.visible(), "not the case in question")
    text = page.section("confusion").text()
    check("4 errors are counted above, and 2 here" in text and "for 2 of these" in text, text)
    check("on the boundary" not in t.page(":and", "-a", "perceptron").section("confusion").text(),
          "said where there is none")


def film_says_what_it_lacks(t):
    text = t.page(":iris", "--kernel", "rbf").section("steps").text()
    check("is what the finished model answers" in text, text)
    text = t.page(":iris").section("steps").text()
    check("finished model" not in text and "its first 2,000 updates" in text
          and "the weights that averaged learns with" in text, text)
    text = t.page(":blobs85", "-a", "perceptron").section("steps").text()
    check("finished model" not in text and "kept in part" not in text, text)
    page = t.page(":iris", "--positive", "virginica", "--epochs", "300", "--compare",
                  "perceptron,pocket,averaged")
    steps = [len(r["step"]["row"]) for r in page.data()["run"]]
    check(max(steps) == 1333 and "its first 1,333 updates" in page.section("steps").text(), steps)


# ----- failures -----------------------------------------------------------------------------------

def failures_leave_nothing(t):
    t.write("bad.csv", "a,b,label\n1,2,x\n3,oops,y,z\n")
    t.write("kept.html", "kept")
    before = sorted(os.listdir(t.folder))
    t.run("report", "bad.csv", "-o", "new.html", rc=3)
    t.run("report", "bad.csv", "-o", "kept.html", rc=3)
    t.run("report", "missing.csv", "-o", "new.html", rc=4)
    t.run("report", ":xor", "-o", "nowhere/new.html", rc=4)
    t.run("report", ":xor", "-o", ".", rc=4)
    t.run("report", "bad.csv", "-o", "bad.csv", rc=2)
    t.run("report", ":xor", "-a", "wizard", "-o", "new.html", rc=2)
    t.run("report", ":xor", "--compare", "perceptron,wizard", "-o", "new.html", rc=2)
    t.run("report", ":xor", "--compare", "perceptron", "-a", "svm", "-o", "new.html", rc=2)
    t.run("report", ":iris", "--features", "1,wizard", "-o", "new.html", rc=2)
    t.run("report", rc=2)
    check(sorted(os.listdir(t.folder)) == before, "files were left behind",
          set(os.listdir(t.folder)) ^ set(before))
    with open(t.path("kept.html")) as f:
        check(f.read() == "kept", "a page was overwritten by a failure")
    if os.path.exists("/dev/full"):
        t.run("report", ":xor", "-o", "/dev/full", rc=4)
    said = t.run("report", ":xor")[0]
    check("report.html" in said and os.path.exists(t.path("report.html")), "the default name", said)
    out = t.run("report", ":xor", "-o", "-", "-q")[0]
    check(out.startswith("<!DOCTYPE html>") and out.endswith("</html>\n"), "-o -")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    tests = [numbers_are_those_of_train, confusion_is_that_of_test, weights_are_those_of_inspect,
             steps_are_those_of_trace, classes_are_those_of_trace, many_classes_stay_small,
             hostile_texts_stay_texts, bytes_that_are_no_text,
             commands_can_be_run_again, same_bytes_on_any_threads, model_format, all_algorithms,
             all_shapes, kinds_show_what_they_have, styles_agree, colours_can_be_told,
             says_what_a_clock_did, says_what_is_on_the_boundary, film_says_what_it_lacks,
             long_names_and_directions, failures_leave_nothing]
    for test in tests:
        if len(sys.argv) > 2 and test.__name__ not in sys.argv[2:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            test(Tool(os.path.abspath(sys.argv[1]), folder))
    if checks == 0:
        sys.exit("report: nothing was checked")
    print(f"{checks} checks of reports")


if __name__ == "__main__":
    main()
