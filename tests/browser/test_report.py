#!/usr/bin/python3
"""test_report.py TOOL BUILD [SCENE...] -- what `perceptron report` writes, in a real browser.

Every page is opened from the disk. It may ask nothing of the network, its console has to stay
empty, and the numbers of the animation have to be those of `perceptron trace`.
"""
import os
import re
import sys

import browser
from browser import NARROW, close, numbers_in, same, sums, true

DATA = os.path.join(browser.ROOT, "..", "shared", "data")
EVIL = "<script>window.bad=1;alert(1)</script>"
IMAGE = "<img src=x onerror=alert(2)>"


def report(s, *words, name="report.html"):
    """Makes a page and opens it; it has to be whole, quiet and small."""
    s.look()
    s.tool("report", *words, "-o", name, "-q")
    path = s.path(name)
    s.open(path)
    same("ready", s.js("return document.readyState"), "complete")
    true("it ends as a page does", open(path, "rb").read().rstrip().endswith(b"</html>"))
    size = os.path.getsize(path)
    true(f"{size} bytes: under 1 MB for ordinary data", size < 1000000)
    asked = s.js("return performance.getEntriesByType('resource').map(e => e.name)")
    same("asked of the network", [a for a in asked if not a.startswith("data:")], [])
    policy = s.js("const m = document.querySelector('meta[http-equiv=Content-Security-Policy]');"
                  "return m && m.content")
    true(f"a policy that forbids loading: {policy}", policy and "default-src 'none'" in policy)
    return path


def sections(s):
    return s.js("return [...document.querySelectorAll('main section')]"
                ".map(e => e.id.replace(/^sec-/, ''))")


def sound(s):
    """What holds on every page: headings, links inside it, names, single ids, full pictures."""
    same("h1", s.js("return document.querySelectorAll('h1').length"), 1)
    same("links that lead nowhere", s.js(
        "return [...document.querySelectorAll('a[href^=\"#\"]')].filter(a => "
        "!document.getElementById(a.getAttribute('href').slice(1))).map(a => a.href)"), [])
    same("ids used twice", s.js("""const seen = {}, twice = [];
        for (const e of document.querySelectorAll('[id]'))
          if (seen[e.id]) twice.push(e.id); else seen[e.id] = 1;
        return twice"""), [])
    same("labels of nothing", s.js("""return [...document.querySelectorAll('[aria-labelledby]')]
        .flatMap(e => e.getAttribute('aria-labelledby').split(' '))
        .filter(id => !document.getElementById(id))"""), [])
    same("pictures without a name", s.js("""return [...document.querySelectorAll('svg')].filter(e =>
        e.getAttribute('aria-hidden') !== 'true' && !e.getAttribute('aria-label')
        && !e.getAttribute('aria-labelledby') && !e.querySelector('title')
        && !e.closest('[aria-hidden=true]')).length"""), 0)
    same("controls without a name", s.js("""
        const named = e => (e.labels && [...e.labels].some(l => l.textContent.trim()))
          || e.getAttribute('aria-label') || e.textContent.trim();
        return [...document.querySelectorAll('button, input, select, summary')]
          .filter(e => e.offsetParent !== null && !named(e))
          .map(e => e.tagName + '#' + e.id)"""), [])
    broken = s.js("""return [...document.querySelectorAll('svg *')].filter(e =>
        [...e.attributes].some(a => /NaN|undefined|Infinity|\\binf\\b|\\bnan\\b/.test(a.value)))
        .slice(0, 3).map(e => e.outerHTML.slice(0, 120))""")
    same("numbers that are none, in pictures", broken, [])
    text = s.js("return document.body.innerText")
    true("undefined or NaN in the text",
         not re.search(r"\bundefined\b|\bNaN\b|\bnan\b|\(null\)", text))


def looks(s, name):
    """Light, dark, narrow and printed."""
    s.shot(f"report-{name}-light")
    s.look(dark=True)
    paper = [float(v) for v in re.findall(r"[\d.]+", s.js(
        "return getComputedStyle(document.body).backgroundColor"))]
    true(f"dark paper: {paper}", sum(paper[:3]) < 250)
    s.shot(f"report-{name}-dark")
    s.look(NARROW)
    s.not_wider(name)
    s.shot(f"report-{name}-narrow")
    s.js("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    s.not_wider(name + " unfolded")
    s.look(printed=True, dark=True)
    paper = s.js("return getComputedStyle(document.body).backgroundColor")
    true(f"printed on white: {paper}", paper in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"))
    true("controls of the animation are not printed", s.js(
        "const e = document.querySelector('#film .controls');"
        "return !e || e.offsetParent === null || getComputedStyle(e).display === 'none'"))
    s.shot(f"report-{name}-print")
    s.look()


# ----- the animation ------------------------------------------------------------------------


def film(s):
    """What the animation shows now."""
    return s.js("""const q = id => document.getElementById(id);
        return {at: Number(q('film-at').value), most: Number(q('film-at').max),
                state: q('film-state').innerText, sum: q('film-sum').innerText,
                picture: q('film-picture').innerHTML}""")


def shows(what, text, value):
    """The value, rounded as it may be, is among the numbers of the text."""
    true(f"{what}: {value} is not in {text!r}", any(
        abs(n - value) <= 1e-4 * max(1, abs(value)) for n in numbers_in(text)))


def follow(s, steps, count):
    """Presses Step through the updates; every one has to be the trace's."""
    updates = [t for t in steps if t["updated"]]
    same("updates", film(s)["most"], len(updates))
    s.click("#film-first")
    before = film(s)
    for k, t in enumerate(updates[:count], 1):
        s.click("#film-step")
        now = film(s)
        same("update", now["at"], k)
        true(f"update {k}: the picture or the words did not change",
             (now["picture"], now["state"], now["sum"])
             != (before["picture"], before["state"], before["sum"]))
        said = now["state"] + " " + now["sum"]
        true(f"update {k}, pass: {now['state']}", f": pass {t['epoch']}," in now["state"])
        shows(f"update {k}, row", said, t["row"])
        shows(f"update {k}, score", said, t["score"])
        worked = sums(now["sum"])
        if "w" in t:
            true(f"update {k}: its sums: {now['sum']}", len(worked) >= 2)
            for value in t["w"]:
                shows(f"update {k}, w", said, value)
            shows(f"update {k}, b", said, t["b"])
        before = now
    last = film(s)
    s.click("#film-back")
    same("back", film(s)["at"], last["at"] - 1)
    s.click("#film-step")
    same("and forth", film(s), last)
    s.click("#film-last")
    same("the last", film(s)["at"], len(updates))
    s.click("#film-first")
    same("the first", film(s)["at"], 0)
    return len(updates)


def line_through(pairs):
    """The straight map through the pairs (from, to) that are furthest apart."""
    low, high = min(pairs), max(pairs)
    true("all at one place", high[0] > low[0])
    slope = (high[1] - low[1]) / (high[0] - low[0])
    return lambda v: low[1] + slope * (v - low[0])


def drawn_right(s, steps):
    """The ring is on the row that the trace names, and the tint is what w and b answer there."""
    updates = [t for t in steps if t["updated"]]
    places = []
    s.click("#film-first")
    for t in updates[:12]:
        s.click("#film-step")
        places.append(s.js("const b = document.querySelector('#film-picture .f-alert').getBBox();"
                           "return [b.x + b.width / 2, b.y + b.height / 2]"))
    across = line_through([(t["x"][0], p[0]) for t, p in zip(updates, places)])
    up = line_through([(t["x"][1], p[1]) for t, p in zip(updates, places)])
    for t, p in zip(updates, places):
        close("the ring, across", p[0], across(t["x"][0]), 0.5)
        close("the ring, up", p[1], up(t["x"][1]), 0.5)
    rows = {t["row"]: t for t in steps}.values()
    now, counted = updates[len(places) - 1], 0
    drawn = numbers_in(s.js("return document.querySelector('#film-picture .f-line.f-ink')"
                            ".getAttribute('d').replace(/[ML]/g, ' ')"))
    same("numbers of the line", len(drawn), 4)
    for x, y in (drawn[:2], drawn[2:]):
        at = [(x - across(0)) / (across(1) - across(0)), (y - up(0)) / (up(1) - up(0))]
        score = sum(a * b for a, b in zip(now["w"], at)) + now["b"]
        close("the line is where the score is 0", score, 0, 0.02 * (abs(now["w"][0]) + abs(now["w"][1])))
    tints = s.js("""const tints = [...document.querySelectorAll('#film-picture .f-tint')];
        const svg = tints[0].ownerSVGElement;
        return arguments[0].map(([x, y]) => { const p = svg.createSVGPoint(); p.x = x; p.y = y;
          return tints.map(t => t.isPointInFill(p)); })""",
                 [[across(t["x"][0]), up(t["x"][1])] for t in rows])
    for t, inside in zip(rows, tints):
        score = sum(a * b for a, b in zip(now["w"], t["x"])) + now["b"]
        if abs(score) > 0.05 * max(abs(v) for v in now["w"]):  # not just on the line
            same(f"the tint at row {t['row']}, score {score}", inside[:2], [score < 0, score > 0])
            counted += 1
    true("rows to look at", counted >= 10)


def read_aloud(s):
    return s.js("return document.getElementById('film-state').getAttribute('aria-live')")


def tints(s, places=()):
    """Which tints there are, and for each place in which of them it lies."""
    return s.js("""const tint = [...document.querySelectorAll('#film-picture .f-tint')];
        const svg = tint[0].ownerSVGElement;
        return [tint.map(t => t.getAttribute('d') !== ''), arguments[0].map(([x, y]) => {
          const p = svg.createSVGPoint(); p.x = x; p.y = y;
          return tint.map(t => t.isPointInFill(p)); })]""", list(places))


def kernel_film(s):
    """Counters grow by one, nothing is answered before the first, and in the end each row lies
    in the tint of its label; going back leaves nothing behind."""
    data = s.js("return JSON.parse(document.getElementById('data').textContent)")
    rows, labels = data["run"][0]["step"]["row"], len(data["labels"])
    s.click("#film-first")
    same("tints before the first", any(tints(s)[0]), False)
    places, counters = {}, {}
    for k, r in enumerate(rows, 1):
        s.click("#film-step")
        b = s.js("const b = document.querySelector('#film-picture .f-alert').getBBox();"
                 "return [b.x + b.width / 2, b.y + b.height / 2]")
        places[r] = b
        counters[r] = counters.get(r, 0) + 1
        text = film(s)["sum"]
        true(f"update {k}: the counter, {text}", f"{counters[r] - 1} → {counters[r]}" in text)
        true(f"update {k}: the counters, {text}",
             f"{len(counters)} row" in text and f"sum is {k}" in text)
    for r, inside in zip(places, tints(s, places.values())[1]):
        same(f"the tints at row {r}", inside, [i == data["row"]["label"][r]
                                               for i in range(labels + 1)])
    for _ in rows:
        s.click("#film-back")
    same("tints at the first again", any(tints(s)[0]), False)


def kernel_answers(s, data, *words):
    """In the end the film's tints are what the trained model answers, all over the picture."""
    box = s.js("return JSON.parse(document.getElementById('data').textContent).box")
    f = s.js("const b = document.querySelector('#film-picture .f-frame').getBBox();"
             "return [b.x, b.y, b.width, b.height]")
    at = [((i + .5) / 20, (j + .5) / 20) for i in range(20) for j in range(20)]
    grid = s.path("grid.csv", "x1,x2\n" + "".join(
        f"{box[0] + u * (box[2] - box[0])},{box[1] + v * (box[3] - box[1])}\n" for u, v in at))
    s.tool("train", data, *words, "--scale", "none", "-o", "m", "-q")
    said = s.tool("predict", "m", grid, "--scores", "-q").splitlines()
    s.click("#film-last")
    inside = tints(s, [[f[0] + u * f[2], f[1] + (1 - v) * f[3]] for u, v in at])[1]
    same("places", len(said), len(inside))
    near = max(abs(float(line.split()[-1])) for line in said) / 1000
    compared = [(line, t[:2]) for line, t in zip(said, inside)
                if abs(float(line.split()[-1])) > near]
    true("places to compare", len(compared) > 200)
    for line, t in compared:
        same("the tints where the model says " + line, t, [float(line.split()[-1]) < 0,
                                                           float(line.split()[-1]) > 0])


def vectors_of(steps, labels):
    """{label: (w, b)} after each update of a trace with several labels: those met by then. One
    vector, with its y of -1 or +1, is that of the upper of two."""
    met, all = set(), []
    for t in steps:
        met.add(labels.index(t["label"]))
        w, b = t["w"], t["b"]
        if not isinstance(b, list):
            w, b = ([[-v for v in w], w], [-b, b]) if t.get("y") else ([w], [b])
        if t["updated"]:
            known = sorted(met) if len(b) < len(labels) else range(len(labels))
            all.append({c: (w[i], b[i]) for i, c in enumerate(known)})
    return all


def scores_at(vectors, x):
    return {c: sum(p * q for p, q in zip(w, x)) + b for c, (w, b) in vectors.items()}


def borders_right(s, vectors, place, several):
    """On the lines two labels score alike, and no other more."""
    drawn = numbers_in(s.js("return document.querySelector('#film-picture .f-line.f-ink')"
                            ".getAttribute('d').replace(/[ML]/g, ' ')"))
    true(f"lines between labels: {drawn}", drawn or not several)
    for x1, y1, x2, y2 in zip(*[iter(drawn)] * 4):
        for x, y in [(x1, y1), (x2, y2), ((x1 + x2) / 2, (y1 + y2) / 2)]:
            scores = sorted(scores_at(vectors, place(x, y)).values())
            close(f"the line at {x}, {y}: {scores}", scores[-1] - scores[-2], 0,
                  0.02 * max(abs(z) for z in scores) + 0.05)


def regions_move(s, data, features, *words):
    """After each update the tints are the answers of the trace's weights, all over the picture;
    features that are not drawn have their means."""
    page = s.js("return JSON.parse(document.getElementById('data').textContent)")
    steps, box = s.tool.steps(data, *words), page["box"]
    rows = {t["row"]: t["x"] for t in steps}.values()
    base = [sum(column) / len(rows) for column in zip(*rows)]
    frames = vectors_of(steps, page["labels"])
    same("updates", film(s)["most"], len(frames))
    f = s.js("const b = document.querySelector('#film-picture .f-frame').getBBox();"
             "return [b.x, b.y, b.width, b.height]")
    at = [(f[0] + (i + .5) / 20 * f[2], f[1] + (j + .5) / 20 * f[3])
          for i in range(20) for j in range(20)]

    def place(x, y):
        there = list(base)
        there[features[0]] = box[0] + (x - f[0]) / f[2] * (box[2] - box[0])
        there[features[1]] = box[3] - (y - f[1]) / f[3] * (box[3] - box[1])
        return there

    s.click("#film-first")
    same("nothing is answered before the first", any(tints(s)[0]), False)
    seen, most = set(), 0
    for k, vectors in enumerate(frames[:25], 1):
        s.click("#film-step")
        compared, answers = 0, set()
        for (x, y), tint in zip(at, tints(s, at)[1]):
            scores = scores_at(vectors, place(x, y))
            best = min(scores, key=lambda c: (-scores[c], c))
            near = 0.01 * max(abs(z) for z in scores.values())
            if any(abs(z - scores[best]) < near and vectors[c] != vectors[best]
                   for c, z in scores.items()):
                continue   # on a border
            same(f"update {k}: the tints at {x}, {y}, {scores}", tint,
                 [c == best for c in range(len(page["labels"]) + 1)])
            compared += 1
            answers.add(best)
        true(f"update {k}: {compared} places to compare", compared > 200)
        borders_right(s, vectors, place, len(answers) > 1)
        seen, most = seen | answers, max(most, len(answers))
        last = film(s)
    same("labels that answer somewhere", seen, set(range(len(page["labels"]))))
    true("several at once", most >= 3)
    s.click("#film-last")
    s.js("const e = document.getElementById('film-at'); e.value = arguments[0];"
         "e.dispatchEvent(new Event('input'))", min(25, len(frames)))
    same("there again from the end", film(s), last)


def paper(s):
    """On paper every table is open and the film shows an update; afterwards all is as before."""
    s.click("#film-first")
    opened = "return [...document.querySelectorAll('details')].map(d => d.open)"
    before = s.js(opened)
    s.js("dispatchEvent(new Event('beforeprint'))")
    same("closed on paper", [o for o in s.js(opened) if not o], [])
    same("the film on paper", film(s)["at"], film(s)["most"])
    s.js("dispatchEvent(new Event('afterprint'))")
    same("open afterwards", s.js(opened), before)


def plays(s):
    """Play moves on by itself, and stops when asked."""
    s.look(still=False)
    s.click("#film-first")
    s.choose("#film-speed", "10")
    s.click("#film-play")
    s.wait("the film to move", lambda: film(s)["at"] >= 3)
    paused = s.js("""const [at, state, play] = ['film-at', 'film-state', 'film-play'].map(
            id => document.getElementById(id)), aloud = () => state.getAttribute('aria-live');
        if (Number(at.value) >= Number(at.max)) return null;
        const before = aloud();
        play.click(); // in one breath: between two questions it could come to its end
        return [before, aloud(), Number(at.value)]""")
    if paused:
        same("frames are not read aloud", paused[0], "off")
        same("what is shown after Pause is", paused[1], "polite")
        s.js("return new Promise(r => setTimeout(r, 300))")
        true("it stands after Pause", film(s)["at"] - paused[2] <= 1)
    s.look()


def keyboard(s):
    """Tab to the buttons and the slider; arrow keys step."""
    s.js("document.activeElement.blur(); scrollTo(0, 0)")
    reached = []
    for _ in range(200):
        s.keys("\ue004")
        id, ring = s.js("""const e = document.activeElement, c = getComputedStyle(e);
            return [e.id, (c.outlineStyle !== 'none' && parseFloat(c.outlineWidth) >= 1)
                          || c.boxShadow !== 'none']""")
        true(f"the focus on #{id} is not to be seen", ring or not id)
        reached.append(id)
        if id == "film-step":
            at = film(s)["at"]
            s.keys("\ue007")
            same("Enter steps", film(s)["at"], at + 1)
        if id == "film-at":
            at = film(s)["at"]
            s.keys("\ue014", "\ue014")
            same("arrow keys step", film(s)["at"], at + 2)
            true("and the film with them", film(s)["state"].startswith(f"Update {at + 2} of"))
            s.keys("\ue012")
            same("and back", film(s)["at"], at + 1)
            break
    for id in ["film-play", "film-step", "film-at"]:
        true(f"Tab does not come to {id}: {reached}", id in reached)


# ----- pages --------------------------------------------------------------------------------


def check_xor(s):
    """:xor: opens, sections are there, the film is the trace, witness rows are drawn."""
    report(s, ":xor", "-a", "perceptron", "--order", "file", "--epochs", "6")
    sound(s)
    for id in ["run", "plane", "steps", "passes", "proof", "margins", "confusion", "roc",
               "weights"]:
        true(f"no section {id}: {sections(s)}", id in sections(s))
    steps = s.tool.steps(":xor", "--epochs", "6")
    print(f"  {follow(s, steps, 100)} updates of :xor equal the trace of the tool")
    plays(s)
    paper(s)
    text = s.js("return document.querySelector('#sec-proof').innerText")
    true("the proof says that no plane does it: " + text[:200],
         re.search(r"not separable|no plane|overlap|touch", text))
    true("the witness is drawn", s.all("#sec-proof svg"))
    true("the command", "perceptron report :xor" in s.text("#sec-run"))
    looks(s, "xor")


def check_lift(s):
    """The lift: drawn without the script, turned by buttons, keys and dragging, and back."""
    report(s, ":circles", "--lift")
    sound(s)
    true("a section for it", "lift" in sections(s))
    marks = """return [...document.querySelectorAll('[data-space] [data-i]')]
        .sort((a, b) => a.dataset.i - b.dataset.i)
        .map(e => { const b = e.getBBox(); return [b.x + b.width / 2, b.y + b.height / 2]; })
        .concat([...document.querySelectorAll('[data-space] .f-plane')]
        .map(e => { const b = e.getBBox(); return [b.x + b.width / 2, b.y + b.height / 2]; }))"""
    first = s.js(marks)
    same("points and the plane", len(first), 25)

    def moved(what, here, there, least):
        far = max(abs(a - b) for p, q in zip(here, there) for a, b in zip(p, q))
        true(f"{what}: {far}", far > 1 if least else far < 0.3)

    bar = ".turn button:nth-child"
    s.click(bar + "(1)")
    left = s.js(marks)
    moved("turned left", first, left, True)
    s.click(bar + "(2)")
    moved("and right again, as it was drawn without the script", first, s.js(marks), False)
    s.click(bar + "(3)")
    s.keys("\ue015")   # the focus is on a button: arrow down
    moved("up by a button, down by a key", first, s.js(marks), False)
    s.mouse([s.at("svg.turns", 200, 150), s.at("svg.turns", 260, 170)], True)
    moved("dragged", first, s.js(marks), True)
    same("hints stay", s.js("return document.querySelectorAll('[data-space] title').length"), 24)
    s.shot("report-lift-dragged")
    s.click(bar + "(5)")
    moved("reset", first, s.js(marks), False)
    looks(s, "lift")


def check_blobs(s):
    """A separable set: the film is the trace, and the bound is met."""
    report(s, ":blobs85", "-a", "perceptron", "--order", "file", "--epochs", "1000")
    sound(s)
    steps = s.tool.steps(":blobs85", "--epochs", "1000")
    print(f"  {follow(s, steps, 60)} updates, the first 60 compared")
    drawn_right(s, steps)
    true("the bound", s.js("return document.querySelectorAll('#sec-theorem svg').length") > 0)
    looks(s, "blobs")


def check_keyboard(s):
    """The film by keyboard alone; focus is seen."""
    report(s, ":blobs85", "-a", "perceptron", "--order", "file", "--epochs", "20")
    keyboard(s)


def check_iris(s):
    """:iris: three classes, and two features chosen of four."""
    report(s, ":iris")
    sound(s)
    true("components are said", "component" in s.js(
        "return document.querySelector('#sec-plane').innerText"))
    looks(s, "iris")
    words = ["-a", "perceptron", "--order", "shuffle", "--seed", "2", "--epochs", "12"]
    report(s, ":iris", "--features", "petal length,petal width", *words)
    regions_move(s, ":iris", [2, 3], *words)
    sound(s)
    s.shot("report-iris-step")
    report(s, ":iris", "--kernel", "rbf", "--epochs", "20")
    same("the finished regions are there from the start", tints(s)[0], [True] * 3 + [False])
    true("and it is said what they are", "finished model" in film(s)["sum"])
    report(s, ":iris", "--features", "petal length,petal width", "-a", "pa1",
           "--positive", "virginica")
    sound(s)
    true("the features are named", "petal width" in s.js(
        "return document.querySelector('#sec-plane').textContent"))


def check_classes(s):
    """Four labels, one after another: natively, and one against the rest."""
    at = [(-3, -3), (1, -2), (-2, 2), (2, 3)]
    rows = "".join(f"{at[k % 4][0] + (k * 7 % 11) / 5},{at[k % 4][1] + (k * 5 % 13) / 6},"
                   f"{'dbca'[k % 4]}\n" for k in range(80))
    path = s.path("four.csv", "a,b,label\n" + rows)
    for more in [["--multiclass", "native"], ["--multiclass", "ovr"], ["-a", "pa1"],
                 ["-a", "pocket"]]:   # which knows all labels from the start: some score alike
        words = ["-a", "perceptron", "--order", "file", "--epochs", "8"] + more
        report(s, path, *words)
        regions_move(s, path, [0, 1], *words)
        true("the vectors are told: " + film(s)["sum"], "Weights of" in film(s)["sum"])
        sound(s)
    looks(s, "classes")


def check_kernel(s):
    """A kernel run: supports with their counters, regions, and the film."""
    report(s, ":xor", "-a", "perceptron", "--kernel", "rbf", "--gamma", "1", "--order", "file")
    sound(s)
    true(f"supports: {sections(s)}", "supports" in sections(s))
    steps = s.tool.steps(":xor", "--kernel", "rbf", "--gamma", "1", "--epochs", "100")
    follow(s, steps, 50)
    kernel_film(s)
    looks(s, "kernel")
    s.tool("generate", "moons", "--rows", "300", "--seed", "1", "-o", "moons.csv")
    report(s, "moons.csv", "-a", "perceptron", "--kernel", "rbf", "--epochs", "20")
    sound(s)
    kernel_answers(s, "moons.csv", "-a", "perceptron", "--kernel", "rbf", "--epochs", "20")
    looks(s, "moons")
    # Few of one label among many of the other: the offset is not 0, and is seen far from the rows.
    uneven = s.path("uneven.csv", "x1,x2,label\n" + "".join(
        f"{k * 7 % 23 / 2},{k * 5 % 19 / 2},{'few' if k % 6 == 0 else 'many'}\n"
        for k in range(40)))
    words = ["-a", "perceptron", "--kernel", "rbf", "--gamma", "8", "--epochs", "20"]
    report(s, uneven, *words)
    data = s.js("return JSON.parse(document.getElementById('data').textContent)")
    signs = [1 if data["row"]["label"][r] == data["run"][0]["positive"] else -1
             for r in data["run"][0]["step"]["row"]]
    true("an offset", sum(signs) != 0)
    kernel_answers(s, uneven, *words)


def check_mlp(s):
    """A network: loss, regions."""
    s.tool("generate", "circles", "--rows", "300", "--seed", "1", "-o", "circles.csv")
    report(s, "circles.csv", "-a", "mlp", "--layers", "8", "--epochs", "60")
    sound(s)
    true("loss", "loss" in s.js("return document.querySelector('#sec-passes').textContent").lower())
    looks(s, "mlp")


def check_compare(s):
    """Several algorithms side by side."""
    report(s, ":blobs85", "--compare", "perceptron,pocket,averaged,svm")
    sound(s)
    rows = s.js("return [...document.querySelectorAll('#sec-compare tbody tr')]"
                ".map(r => r.cells[0].textContent)")
    same("rows", rows, ["perceptron", "pocket", "averaged", "svm"])
    true("a choice of runs", s.js("return document.getElementById('film-run').options.length") >= 3)
    s.click("#film-step")
    first = film(s)
    s.js("const e = document.getElementById('film-run'); e.selectedIndex = 1;"
         "e.dispatchEvent(new Event('change', {bubbles: true}))")
    same("another run begins at its beginning", film(s)["at"], 0)
    s.click("#film-last")
    true("the other run", film(s)["picture"] != first["picture"])
    looks(s, "compare")


def check_a9a(s):
    """a9a, or where it is not there, sparse data of its shape."""
    path = os.path.join(DATA, "a9a")
    if not os.path.exists(path):
        path = s.path("sparse.csv")
        s.tool("generate", "halfspace", "--rows", "8000", "--features", "60", "--noise", "0.1",
               "-o", path)
    report(s, path, "--epochs", "5", "--prove-limit", "2")
    sound(s)
    looks(s, "a9a")


def check_hostile(s):
    """Names, labels and paths with markup in them are text."""
    name = "a'b&<blink>c.csv"
    rows = "".join(f"{k % 7},{(k * 5) % 11},{IMAGE if k % 3 else '</script><blink>'}\n"
                   for k in range(40))
    path = s.path(name, f'"{EVIL}","{IMAGE}",label\n' + rows)
    for words in [[], ["--features", f"{EVIL},{IMAGE}"], ["-a", "mlp", "--epochs", "5"],
                  ["--compare", "perceptron,svm"], ["-a", "perceptron", "--kernel", "rbf"]]:
        report(s, path, *words)
        s.js("return new Promise(r => setTimeout(r, 200))")
        if s.js("const e = document.getElementById('film'); return !!e && !e.hidden"):
            for press in ["#film-step", "#film-step", "#film-last"]:
                s.click(press)
        same("it ran", s.js("return window.bad === undefined"), True)
        same("elements", len(s.all("img, blink, main script, svg script, svg image")), 0)
        true("shown as text", s.js("return document.body.textContent.includes(arguments[0])", EVIL))
        sound(s)
        s.judge()
    s.look(NARROW)
    s.not_wider("hostile")
    s.shot("report-hostile-narrow")
    s.look()
    s.shot("report-hostile")
    report(s, s.path("odd.csv", b'"\xff\xfe","b\xe2\x80\xa8c","label"\n'
                                b'1,2,"\xe2\x80\xa9"\n2,1,"\xff"\n'))


def check_theme(s):
    """The button for colours beats the system's."""
    report(s, ":and")

    def paper():
        return sum(float(v) for v in re.findall(r"[\d.]+", s.js(
            "return getComputedStyle(document.body).backgroundColor"))[:3])

    seen = set()
    for _ in range(3):
        s.click("#theme")
        s.js("return new Promise(r => setTimeout(r, 300))")
        seen.add(paper() < 250)
    same("dark and light", seen, {True, False})


def check_without_script(s):
    """Without JavaScript all but the film is there."""
    s.tool("report", ":blobs85", "-o", "plain.html", "-q")
    s.cdp("Emulation.setScriptExecutionDisabled", value=True)
    try:
        s.open(s.path("plain.html"))
        path = s.shot("report-without-script")
        true("a picture", os.path.getsize(path) > 20000)
    finally:
        s.cdp("Emulation.setScriptExecutionDisabled", value=False)


def check_same_bytes(s):
    """The same command gives the same bytes, on one thread and on two."""
    pages = []
    for threads in ["1", "2", "2"]:
        s.tool("report", ":iris", "-o", "same.html", "-q", "--threads", threads)
        with open(s.path("same.html"), "rb") as f:
            pages.append(f.read())
    same("pages", len(set(pages)), 1)
    s.open(s.path("same.html"))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    browser.need()
    return browser.main(sys.modules[__name__], sys.argv[1], sys.argv[2], sys.argv[3:])


if __name__ == "__main__":
    sys.exit(main())
