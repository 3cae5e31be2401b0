#!/usr/bin/python3
"""test_playground.py TOOL BUILD [SCENE...] -- the playground, in a real browser.

The page is the one that scripts/web has built into BUILD/web; PERCEPTRON_WEB names another
folder. What the page shows is compared with what the command-line tool prints for the data and
the command that the page itself exports.
"""
import io
import json
import os
import re
import sys
import time
import xml.etree.ElementTree as xml

import browser
from browser import NARROW, close, numbers_in, same, sums, true

FOLDER = None  # where the page is
TINY = "x1,x2,label\n0,0,-1\n2,1,1\n1,2,1\n-1,-1,-1\n"

# ----- what the scenes share ----------------------------------------------------------------


def single():
    return os.path.abspath(os.path.join(FOLDER, "perceptron.html"))


def ready(s):
    s.wait("the page to be ready", lambda: s.js(
        "return document.body.getAttribute('aria-busy') !== 'true' && !!window.playground"
        " && !!window.playground.set"))


def begin(s):
    """Before each scene: the page as it is when it is opened."""
    s.look()
    s.allow_downloads()
    s.open(single())
    ready(s)
    s.js("localStorage.clear()")


READ = """
const value = id => { const e = document.getElementById(id);
  return e ? (e.dataset.value !== undefined ? e.dataset.value : e.textContent) : null; };
const read = () => Object.fromEntries(
  ['w', 'b', 'score', 'epoch', 'examples', 'mistakes', 'updates'].map(id => [id, value(id)]));
const frame = () => new Promise(requestAnimationFrame);
"""


def numbers(s):
    """The numbers of the learner in focus, as exact as the page has them."""
    got = s.later(READ + "await frame(); await frame(); return read();")
    return {k: (numbers_in(v) if k == "w" else (numbers_in(v) or [None])[0])
            for k, v in got.items()}


def press_steps(s, count):
    """Presses "one example" so many times; the numbers after each."""
    got = s.later(READ + """
        const out = [];
        for (let k = 0; k < arguments[0]; k++) {
          const before = Number(value('examples'));
          document.getElementById('step').click();
          for (let f = 0; f < 120 && !(Number(value('examples')) > before); f++) await frame();
          out.push(read());
        }
        return out;""", count)
    return [{k: (numbers_in(v) if k == "w" else (numbers_in(v) or [None])[0])
             for k, v in g.items()} for g in got]


def saved_csv(s, name="points.csv"):
    """What the page exports as CSV, put into a file."""
    _, content = s.download(lambda: s.click("#export-csv"))
    return s.path(name, content), content.decode()


def preset(s, name):
    s.choose("#preset", name)
    s.wait(f"preset {name}", lambda: s.js(
        "return playground.state.data.preset === arguments[0] && playground.set.y.length > 0",
        name))


def epochs_of(s, learner=0):
    return s.js("""const l = playground.state.learners[arguments[0]];
        if (l.options.epochs) return l.options.epochs;
        const t = playground.core.tables.learners.find(t => t.name === l.algorithm);
        return String(t.params.find(p => p.name === 'epochs').initial)""", learner)


def learner(s, name, number=0, **options):
    """Chooses what a card learns with, and its options."""
    s.choose(f"#learner-{number}", name)
    for option, value in options.items():
        set_option(s, number, option.replace("_", "-"), value)


def set_option(s, number, name, value):
    box = f"#option-{number}-{name}"
    s.js("document.querySelectorAll('#options-' + arguments[0] + ', #options-' + arguments[0] + "
         "' details').forEach(d => { d.open = true; })", number)
    if s.js("return document.querySelector(arguments[0]).tagName", box) == "SELECT":
        s.choose(box, value)
    elif s.js("return document.querySelector(arguments[0]).type", box) == "checkbox":
        if s.js("return document.querySelector(arguments[0]).checked", box) != (value == "true"):
            s.click(box)
    else:
        s.fill(box, value)
    s.wait(f"option {name}", lambda: s.js(
        "const l = playground.state.learners[arguments[0]];"
        "const t = playground.core.tables.learners.find(t => t.name === l.algorithm);"
        "const i = t.params.find(p => p.name === arguments[1]).initial;"
        "return (l.options[arguments[1]] ?? i) === arguments[2]", number, name, value))


def run_to_end(s, what=""):
    """Presses Run at the highest speed and waits for the end."""
    s.fill("#speed", "10")
    if not ended(s):
        s.click("#run")
    s.wait(f"the run of {what or 'the learners'} to end", lambda: ended(s))
    s.js("return new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")


def ended(s):
    return s.js("return playground.runs.every(r => !r || !!r.ended)")


def error_of(s, number=0):
    """The part of the rows that a card says is wrong now, without those on the line; None where it
    says nothing."""
    got = numbers_in(s.js("return document.getElementById('error-' + arguments[0]).textContent",
                          number))
    return got[0] / got[1] if len(got) >= 2 else None


def message(s):
    """What the page says went wrong; '' where it says nothing."""
    return s.js("const e = document.getElementById('error');"
                "return e && !e.hidden && e.offsetParent !== null ? e.innerText : ''")


def point_set(s):
    return s.js("const t = playground.set;"
                "return {x: [...t.x], y: [...t.y], labels: t.labels, names: t.names}")


def paste(s, text):
    s.js("document.getElementById('paste-box').open = true")
    s.fill("#paste", text)
    s.click("#paste-apply")


def size_of(s, selector):
    return s.js("const r = document.querySelector(arguments[0]).getBoundingClientRect();"
                "return [r.width, r.height]", selector)


def compare_steps(shown, steps):
    """Every number of every step."""
    mistakes = updates = 0
    for k, (page, step) in enumerate(zip(shown, steps)):
        mistakes += step["mistake"]
        updates += step["updated"]
        where = f"example {k + 1}"
        same(where + ": examples", page["examples"], k + 1)
        same(where + ": pass", page["epoch"], step["epoch"])
        same(where + ": score", page["score"], step["score"])
        same(where + ": mistakes", page["mistakes"], mistakes)
        same(where + ": updates", page["updates"], updates)
        if "w" in step:
            same(where + ": w", page["w"], step["w"])
            same(where + ": b", page["b"], step["b"])


# ----- loading ------------------------------------------------------------------------------


def check_load_file(s):
    """The single page opens from the disk."""
    s.look()
    begun = time.monotonic()
    s.open(single())
    ready(s)
    seconds = time.monotonic() - begun
    timing = s.js("const n = performance.getEntriesByType('navigation')[0];"
                  "return [n.domContentLoadedEventEnd, n.loadEventEnd]")
    same("title", s.driver.title.lower().count("perceptron") > 0, True)
    true("a version", re.match(r"\d+\.\d+", s.js("return playground.core.version")))
    same("messages", message(s), "")
    size = os.path.getsize(single())
    print(f"  load from the disk: ready after {seconds:.2f} s with the driver's share, "
          f"DOM {timing[0]:.0f} ms, loaded {timing[1]:.0f} ms, {size // 1024} KiB")
    only = [u for u in s.js("return performance.getEntriesByType('resource').map(e => e.name)")
            if not u.startswith(("data:", "blob:"))]
    same("other files that the single page reads", only, [])


def check_load_http(s):
    """The folder opens from a server, and asks for nothing else."""
    with browser.served(FOLDER) as address:
        s.allowed.add(address)
        s.open(address)
        ready(s)
        preset(s, "and")
        s.click("#step")
        same("examples", numbers(s)["examples"], 1)
        s.judge()
        s.driver.get("about:blank")


def check_load_folder_from_disk(s):
    """The folder's index.html opened from the disk works, or says what to do."""
    s.open(os.path.join(FOLDER, "index.html"))
    s.js("return new Promise(r => setTimeout(r, 1500))")
    alive = s.js("return document.body.getAttribute('aria-busy') !== 'true' && "
                 "!!(window.playground && window.playground.set)")
    if not alive:
        said = s.js("return document.body.innerText")
        s.forget()
        true("neither works nor says what to do: " + said[-200:],
             re.search(r"perceptron\.html|server", said))


# ----- the numbers --------------------------------------------------------------------------


def check_step_real_clicks(s):
    """Steps by clicks of a pointer, and back again."""
    preset(s, "and")
    first = None
    for k in range(1, 6):
        s.click("#step")
        got = numbers(s)
        same("examples", got["examples"], k)
        if k == 4:
            first = got
    s.click("#back")
    same("one back", numbers(s), first)
    s.click("#reset")
    same("examples", numbers(s)["examples"], 0)
    s.click("#pass")
    same("one pass", numbers(s)["examples"], 4)


def steps_equal(s, name, *options):
    preset(s, name)
    path, _ = saved_csv(s)
    epochs = epochs_of(s)
    steps = s.tool.steps(path, "--epochs", epochs, *options)
    count = min(len(steps), 2000)
    true("too few steps to mean anything", count >= 4)
    shown = press_steps(s, count)
    same("steps", len(shown), count)
    compare_steps(shown, steps)
    if count == len(steps):
        true("it has come to its end", ended(s))
    print(f"  {name}: {count} steps equal the trace of the tool")
    return path, steps


def check_numbers_xor(s):
    """Every step of :xor: w, b, score, mistakes equal the tool's trace."""
    path, steps = steps_equal(s, "xor")
    epochs = str(steps[-1]["epoch"])
    same("the built-in set", s.tool.steps(":xor", "--epochs", epochs), steps)


def check_numbers_and(s):
    """Every step of :and equals the tool's trace, and it settles."""
    _, steps = steps_equal(s, "and")
    same("the built-in set", s.tool.steps(":and", "--epochs", epochs_of(s)), steps)
    true("says so: " + s.text("#ended-0"), re.search(
        "settled|converged|no mistake", s.text("#ended-0") + s.text("#status"), re.I))


def check_numbers_blobs(s):
    """Every step of blobs85 in file order equals the tool's trace."""
    _, steps = steps_equal(s, "blobs85")
    same("the built-in set", [t["x"] for t in s.tool.steps(":blobs85", "--epochs", "1")],
         [t["x"] for t in steps[:len(s.tool.steps(":blobs85", "--epochs", "1"))]])


def check_numbers_shuffled(s):
    """Another order from a seed is the tool's --order shuffle --seed."""
    preset(s, "xor")
    s.choose("#order", "shuffle")
    s.fill("#seed", "7")
    s.wait("the seed", lambda: s.js("return playground.state.seed === 7"))
    path, _ = saved_csv(s)
    steps = s.tool.steps(path, "--epochs", epochs_of(s), "--order", "shuffle", "--seed", "7")
    rows = [t["row"] for t in steps]
    true("not shuffled", rows[:4] != [1, 2, 3, 4] or rows[4:8] != [1, 2, 3, 4])
    compare_steps(press_steps(s, min(40, len(steps))), steps)


def check_numbers_other_rules(s):
    """The rules of margin and pa, and the perceptron in a kernel, step by step."""
    preset(s, "blobs85")
    path, _ = saved_csv(s)
    for name in ["margin", "pa", "pa1"]:
        learner(s, name)
        steps = s.tool.steps(path, "-a", name, "--epochs", epochs_of(s))
        shown = press_steps(s, min(100, len(steps)))
        compare_steps(shown, steps)
        s.click("#reset")
    learner(s, "perceptron", kernel="rbf", gamma="1")
    steps = s.tool.steps(path, "--kernel", "rbf", "--gamma", "1", "--epochs", epochs_of(s))
    compare_steps([dict(t, w=[], b=None) for t in press_steps(s, min(100, len(steps)))],
                  [{k: v for k, v in t.items() if k not in "wb"} for t in steps])


def check_shown_text(s):
    """What the reader sees is the exact number, rounded; the arithmetic names it."""
    preset(s, "blobs85")
    for _ in range(7):
        s.click("#step")
    s.js("return new Promise(r => setTimeout(r, 100))")
    for id in ["b", "score", "mistakes", "updates", "examples"]:
        exact, seen = s.js("const e = document.getElementById(arguments[0]);"
                           "return [e.dataset.value, e.textContent]", id)
        if exact is not None:
            a, b = numbers_in(exact)[0], numbers_in(seen)[0]
            close(f"#{id} as text", b, a, 0.01 * max(1, abs(a)))
    exact, seen = s.js("const e = document.getElementById('w');"
                       "return [e.dataset.value, e.textContent]")
    for a, b in zip(numbers_in(exact), numbers_in(seen)):
        close("w as text", b, a, 0.01 * max(1, abs(a)))
    text = s.text("#arithmetic")
    near = numbers(s)["score"]
    true(f"the score {near} is not in the arithmetic: {text}",
         any(abs(n - near) <= 0.01 * max(1, abs(near)) for n in numbers_in(text)))


def check_arithmetic(s):
    """The arithmetic of every step adds up, and comes to the numbers of the trace."""
    for name, options in [("perceptron", {}), ("perceptron", {"rate": "0.3"}), ("margin", {}),
                          ("pa", {})]:
        preset(s, "blobs85")
        learner(s, name, **options)
        path, _ = saved_csv(s)
        steps = s.tool.steps(path, "-a", name, "--epochs", epochs_of(s),
                             *[w for k, v in options.items() for w in ("--" + k, v)])
        s.click("#reset")
        updates = 0
        for t in steps[:25]:
            press_steps(s, 1)
            text = s.js("return document.getElementById('arithmetic').innerText")
            shown = dict(sums(text))
            close("s of " + text, shown["s"], t["score"], 1e-4 * max(1, abs(t["score"])))
            if not t["updated"]:
                same("a mistake that is none: " + text, "mistake" in text, False)
                continue
            updates += 1
            w = [v for k, v in shown.items() if k.startswith("w")]
            b = [v for k, v in shown.items() if k.startswith("b")]
            true("an update without its sums: " + text, len(w) == 1 and len(b) == 1)
            for got, expected in zip([*w[0], b[0]], [*t["w"], t["b"]]):
                close("the new weights in " + text, got, expected, 1e-4 * max(1, abs(expected)))
        true("too few updates", updates >= 3)
        if options:
            set_option(s, 0, "rate", "1")


# ----- the points ---------------------------------------------------------------------------


def check_click_adds(s):
    """A click on the plane adds a point there, with the label of the brush."""
    preset(s, "blobs85")
    before = point_set(s)
    wide, high = size_of(s, "#plane-0")
    label = s.js("return document.getElementById('brush').options[1].value")
    s.choose("#brush", label)
    s.mouse([s.at("#plane-0", wide * 0.30, high * 0.15)], False)
    s.wait("a point more", lambda: len(point_set(s)["y"]) == len(before["y"]) + 1)
    s.mouse([s.at("#plane-0", wide * 0.80, high * 0.85)], False)
    s.wait("another", lambda: len(point_set(s)["y"]) == len(before["y"]) + 2)
    after = point_set(s)
    same("the others", after["x"][:len(before["x"])], before["x"])
    (ax, ay), (bx, by) = after["x"][-4:-2], after["x"][-2:]
    true(f"right of it and below it: {after['x'][-4:]}", bx > ax and by < ay)
    same("label", after["labels"][after["y"][-1]], label)
    same("#preset", s.text("#preset"), "custom")
    s.click("#undo")
    s.wait("undo", lambda: len(point_set(s)["y"]) == len(before["y"]) + 1)


def check_drag(s):
    """A point dragged with the pointer moves, the others do not, and the learner starts anew."""
    paste(s, TINY)
    s.wait("the points", lambda: len(point_set(s)["y"]) == 4)
    wide, high = size_of(s, "#plane-0")
    start = s.at("#plane-0", wide * 0.30, high * 0.30)
    s.mouse([start], False)
    s.wait("a point more", lambda: len(point_set(s)["y"]) == 5)
    before = point_set(s)
    s.click("#step")
    start = s.at("#plane-0", wide * 0.30, high * 0.30)
    end = (start[0] + wide * 0.25, start[1] + high * 0.25)
    s.mouse([start, (start[0] + 5, start[1] + 5), end], True)
    s.wait("the point to move", lambda: point_set(s)["x"] != before["x"])
    s.js("return new Promise(r => setTimeout(r, 200))")
    after = point_set(s)
    same("points", len(after["y"]), 5)
    same("the others", after["x"][:8], before["x"][:8])
    true(f"to the right and down: {before['x'][8:]} -> {after['x'][8:]}",
         after["x"][8] > before["x"][8] and after["x"][9] < before["x"][9])
    _, text = saved_csv(s)
    last = text.strip().split("\n")[-1].split(",")
    same("the last line of the CSV", [float(v) for v in last[:2]], after["x"][8:])
    path = s.path("dragged.csv", text)
    s.click("#reset")
    compare_steps(press_steps(s, 10), s.tool.steps(path, "--epochs", epochs_of(s)))


def check_paste(s):
    """CSV and LIBSVM pasted in; two columns chosen of more."""
    paste(s, "a,b,label\n0.5,1,yes\n1,0.25,no\n-1,2,yes\n")
    s.wait("three points", lambda: len(point_set(s)["y"]) == 3)
    got = point_set(s)
    same("x", got["x"], [0.5, 1, 1, 0.25, -1, 2])
    same("names", got["names"], ["a", "b"])
    same("labels", [got["labels"][k] for k in got["y"]], ["yes", "no", "yes"])
    paste(s, "+1 1:0.5 2:1\n-1 1:2\n-1 2:3\n+1 1:1 2:1\n")
    s.wait("four points", lambda: len(point_set(s)["y"]) == 4)
    same("x", point_set(s)["x"], [0.5, 1, 2, 0, 0, 3, 1, 1])
    paste(s, "a,b,c,label\n1,2,3,u\n4,5,6,v\n7,8,10,u\n")
    s.wait("the choice of columns", lambda: s.js(
        "return !document.getElementById('columns').hidden"))
    same("columns", s.js("return [...document.getElementById('column-y').options]"
                         ".map(o => o.textContent)"), ["a", "b", "c"])
    s.js("const set = (id, k) => { const e = document.getElementById(id); e.selectedIndex = k;"
         "e.dispatchEvent(new Event('change', {bubbles: true})); };"
         "set('column-x', 0); set('column-y', 2)")
    s.click("#columns-apply")
    s.wait("a and c", lambda: point_set(s)["x"] == [1, 3, 4, 6, 7, 10])
    same("names", point_set(s)["names"], ["a", "c"])


def check_paste_bad(s):
    """What cannot be read is said with its line and column, and nothing is lost."""
    before = point_set(s)
    paste(s, "a,b,label\n1,2,yes\n3,,no\n5,6,yes\n")
    said = s.wait("a message", lambda: message(s))
    true("line 3, column 3 in: " + said, re.search(r"(line 3.*col\w* 3)|(\b3:3\b)", said))
    paste(s, "a,b,label\n1,2,yes\n1,2,no\n3,4\n")
    s.wait("line 4", lambda: re.search(r"(line 4.*col\w* 4)|(\b4:4\b)", message(s)))
    same("the points", point_set(s), before)
    paste(s, "+1 1:0.5 2:1\n-1 2:1 1:2\n")
    s.wait("another message", lambda: re.search(r"(line 2.*col\w* \d+)|(\b2:\d+\b)", message(s)))
    for text in ["", "\n\n", "\0\1\2", "a,b,label\n"]:
        paste(s, text)
        s.wait(f"a message for {text!r}", lambda: message(s))
    same("the points", point_set(s), before)


def check_open_file(s):
    """A file chosen, and one dropped on the page."""
    s.js("document.getElementById('paste-box').open = true")
    s.one("#open-file").send_keys(s.path("mine.csv", TINY))
    s.wait("four points", lambda: len(point_set(s)["y"]) == 4)
    s.js("""const t = new DataTransfer();
        t.items.add(new File(['x1,x2,label\\n1,1,a\\n2,2,b\\n3,1,a\\n'], 'other.csv'));
        for (const kind of ['dragenter', 'dragover', 'drop'])
          document.body.dispatchEvent(new DragEvent(kind,
            {dataTransfer: t, bubbles: true, cancelable: true}));""")
    s.wait("three points", lambda: len(point_set(s)["y"]) == 3)


def check_hostile_names(s):
    """Names and labels with markup in them are text."""
    evil = "<img src=x onerror=alert(1)>"
    tag = "<script>window.bad=1</script>"
    paste(s, f'"{evil}","{tag}",label\n1,2,"<b>p</b>"\n3,4,"{evil}"\n0,1,"<b>p</b>"\n')
    s.wait("three points", lambda: len(point_set(s)["y"]) == 3)
    same("names", point_set(s)["names"], [evil, tag])
    for press in ["#step", "#pass", "#prove"]:
        s.click(press)
    s.click("#mode-teacher")
    s.click("#mode-formula")
    s.fill("#formula", evil)
    s.click("#formula-apply")
    s.click("#mode-watch")
    s.js("return new Promise(r => setTimeout(r, 500))")
    same("elements", s.js("return document.querySelectorAll('img, main script').length"), 0)
    same("labels as markup", s.js("return [...document.querySelectorAll('main b')]"
                                  ".filter(e => e.textContent === 'p').length"), 0)
    same("it ran", s.js("return window.bad === undefined"), True)
    name, content = s.download(lambda: s.click("#export-svg"))
    true("markup in the SVG", b"<img" not in content and b"<script" not in content)
    xml.parse(io.BytesIO(content))
    link = s.text("#link")
    s.open(link)
    ready(s)
    same("names by the link", point_set(s)["names"], [evil, tag])
    same("it ran", s.js("return window.bad === undefined"), True)


def check_sliders(s):
    """Noise, margin, number and seed of the generated sets."""
    for name in ["moons", "circles", "spirals"]:
        preset(s, name)
        for id in ["points", "noise", "margin", "dataseed"]:
            if not s.all("#" + id):
                continue
            before = point_set(s)["x"]
            low, high, now = s.js("const e = document.getElementById(arguments[0]);"
                                  "return [e.min, e.max, e.value]", id)
            s.fill("#" + id, high if now != high else low)
            s.wait(f"{name} with another {id}", lambda: point_set(s)["x"] != before)
            s.fill("#" + id, now)
            s.wait(f"{name} as before", lambda: point_set(s)["x"] == before)
    preset(s, "iris")
    before = point_set(s)
    true("three kinds", len(set(before["y"])) == 3 and len(before["y"]) == 150)
    s.js("const e = document.getElementById('pair-x');"
         "e.selectedIndex = (e.selectedIndex + 2) % e.options.length;"
         "e.dispatchEvent(new Event('change', {bubbles: true}))")
    s.wait("another pair", lambda: point_set(s)["x"] != before["x"])
    run_to_end(s)


# ----- links and files ----------------------------------------------------------------------


def check_link(s):
    """The link opens the same state, with the same numbers, in a new tab."""
    preset(s, "blobs85")
    learner(s, "margin", margin="2")
    wide, high = size_of(s, "#plane-0")
    s.mouse([s.at("#plane-0", wide * 0.3, high * 0.2)], False)
    s.wait("own points", lambda: s.text("#preset") == "custom")
    s.click("#add-learner")
    s.wait("two", lambda: s.js("return playground.runs.length === 2"))
    press_steps(s, 9)
    s.js("return new Promise(r => setTimeout(r, 600))")
    link = s.text("#link")
    true("a link with a state: " + link[:80], "#" in link)
    here = (numbers(s), point_set(s), s.js("return JSON.stringify(playground.state)"))
    true("the address has it as well: " + s.driver.current_url[-80:],
         s.driver.current_url.split("#")[-1] == link.split("#")[-1])
    first = s.driver.current_window_handle
    s.driver.switch_to.new_window("tab")
    try:
        s.driver.get(link)
        ready(s)
        there = (numbers(s), point_set(s), s.js("return JSON.stringify(playground.state)"))
    finally:
        s.driver.close()
        s.driver.switch_to.window(first)
    same("numbers", there[0], here[0])
    same("points", there[1], here[1])
    same("state", json.loads(there[2]), json.loads(here[2]))
    s.driver.refresh()
    ready(s)
    same("after a reload", numbers(s), here[0])


def check_link_copied(s):
    """"Copy link" puts it on the clipboard."""
    preset(s, "and")
    press_steps(s, 2)
    s.js("return new Promise(r => setTimeout(r, 600))")
    s.cdp("Browser.grantPermissions",
          permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    s.click("#copy-link")
    s.js("return new Promise(r => setTimeout(r, 200))")
    same("clipboard", s.later("return navigator.clipboard.readText()"), s.text("#link"))
    same("message", message(s), "")


def check_link_broken(s):
    """A link that is damaged, cut short or made up gives a message, and a page that works."""
    good = "j" + "%7B%22at%22%3A3%7D"
    for part in ["zAAAA", "z!!!", "q", "j%7B%22at", "j%E0%A4%A", "jnull", "j%5B1%5D", "z",
                 "j%7B%22data%22%3A%7B%22points%22%3A%5B%5B1%2C2%5D%5D%7D%7D"]:
        s.open("file://" + single() + "#" + part)
        ready(s)
        true(f"nothing said of #{part}", "link" in message(s).lower())
        s.click("#step")
        same("examples", numbers(s)["examples"], 1)
        s.judge()
    strange = {"data": {"preset": "nothing", "n": -5, "noise": 1e300}, "learners": [
        {"algorithm": "nothing"}, {"algorithm": "perceptron", "options": {"rate": "-1"}}],
        "seed": -1, "at": 1e99, "mode": 7, "taught": [1e9, "x"], "formula": 5}
    s.open("file://" + single() + "#j" + json.dumps(strange).replace(" ", "").replace('"', "%22"))
    ready(s)
    s.judge()
    s.open("file://" + single() + "#" + good)
    ready(s)
    same("messages of a good one", message(s), "")
    same("examples", numbers(s)["examples"], 3)


def command_of(s):
    s.js("return new Promise(r => setTimeout(r, 400))")  # it follows a little later
    text = s.text("#export-command")
    true("no command", "perceptron" in text)
    return text


def run_command(s, text):
    """Runs the lines of the page in a folder of their own that has the page's CSV in it."""
    folder = s.path("shell-%d" % time.monotonic_ns())
    os.makedirs(folder)
    name, content = s.download(lambda: s.click("#export-csv"))
    with open(os.path.join(folder, re.sub(r" \(\d+\)", "", name)), "wb") as f:
        f.write(content)
    # "not separable" is status 1 of prove, and no failure here.
    text = re.sub(r"^perceptron prove .*$", lambda m: m[0] + " || [ $? -eq 1 ]", text, flags=re.M)
    return folder, browser.Tool(s.tool.path, folder).shell(text)


def check_model_bytes(s):
    """The exported model has the bytes of the exported command line, for each linear learner."""
    for data in ["blobs85", "xor"]:
        preset(s, data)
        for name in ["perceptron", "pocket", "averaged", "voted", "margin", "pa"]:
            learner(s, name)
            run_to_end(s)
            _, model = s.download(lambda: s.click("#export-model"))
            text = command_of(s)
            folder, _ = run_command(s, text)
            files = [n for n in os.listdir(folder) if n.endswith(".safetensors")]
            same(f"model files of: {text}", len(files), 1)
            with open(os.path.join(folder, files[0]), "rb") as f:
                made = f.read()
            true(f"{name} on {data}: other bytes than: {text}", made == model)
        print(f"  {data}: six models equal the command line's, byte by byte")


def check_command_custom(s):
    """The command for points of one's own, in another order, with options."""
    paste(s, TINY)
    s.wait("the points", lambda: len(point_set(s)["y"]) == 4)
    learner(s, "margin", margin="0.5", rate="0.25")
    s.choose("#order", "shuffle")
    s.fill("#seed", "3")
    run_to_end(s)
    _, model = s.download(lambda: s.click("#export-model"))
    folder, printed = run_command(s, command_of(s))
    files = [n for n in os.listdir(folder) if n.endswith(".safetensors")]
    with open(os.path.join(folder, files[0]), "rb") as f:
        true("other bytes than: " + command_of(s), f.read() == model)


def check_model_others(s):
    """A kernel, a network and an SVM: the tool reads the page's model and answers alike."""
    preset(s, "moons")
    path, _ = saved_csv(s)
    for name, options in [("kernel", {}), ("svm", {}), ("mlp", {"epochs": "50"})]:
        s.choose("#learner-0", name)
        for option, value in options.items():
            set_option(s, 0, option, value)
        run_to_end(s)
        _, model = s.download(lambda: s.click("#export-model"))
        s.path("page.safetensors", model)
        right = accuracy(s, "page.safetensors", path)
        s.wait(f"{name}: the page and the tool count the same errors",
               lambda: abs(error_of(s) - (1 - right)) < 1e-9)
        folder, _ = run_command(s, command_of(s))
        with open(os.path.join(folder, "model.safetensors"), "rb") as f:
            same_bytes = f.read() == model
        print(f"  {name}: the command line's model has",
              "the same bytes" if same_bytes else "other bytes")


def check_on_the_line(s):
    """Points with the score 0 are answered, and mistakes all the same: the card says both."""
    preset(s, "xor")
    learner(s, "perceptron")
    for k in range(8):
        s.click("#step")
        said = [int(n) for n in re.findall(r"\d+", s.text("#error-0"))]
        share = s.js("return playground.runs[0].report.trainingError")
        same(f"wrong and on the line after {k + 1}", (said[0] + sum(said[2:])) / said[1], share)


def check_model_diverged(s):
    """A network that was never good is not saved, as the command line does not save it."""
    preset(s, "blobs85")
    learner(s, "mlp", activation="relu", optimizer="sgd", rate="1000000")
    s.click("#pass")
    s.wait("the end", lambda: s.js("return playground.runs[0].ended") == "diverged")
    s.click("#export-model")
    s.wait("the reason", lambda: "no good model" in s.text("#error"))


def accuracy(s, model, data):
    result = json.loads(s.tool("test", model, data, "--json"))
    return result.get("accuracy", result.get("metrics", {}).get("accuracy"))


def check_export_reload(s):
    """What was saved comes back: points from the CSV, the model from its file, after a reload."""
    preset(s, "blobs85")
    wide, high = size_of(s, "#plane-0")
    s.mouse([s.at("#plane-0", wide * 0.3, high * 0.2)], False)
    s.wait("a point more", lambda: len(point_set(s)["y"]) == 86)
    run_to_end(s)
    before, error = point_set(s), error_of(s)
    path, _ = saved_csv(s, "mine.csv")
    _, model = s.download(lambda: s.click("#export-model"))
    s.open(single())
    ready(s)
    s.js("document.getElementById('paste-box').open = true")
    s.one("#open-file").send_keys(path)
    s.wait("the points", lambda: point_set(s) == before)
    s.click("#step")
    drawn = s.js("return document.getElementById('plane-0').toDataURL()")
    s.one("#import-file").send_keys(s.path("mine.safetensors", model))
    s.wait("the model", lambda: s.js("return !document.getElementById('imported').hidden"))
    same("wrong", numbers_in(re.search(r"\((\d+) of", s.text("#imported"))[1])[0],
         round(error * 86))
    s.wait("the model is drawn", lambda: s.js(
        "return document.getElementById('plane-0').toDataURL()") != drawn)


def check_pictures(s):
    """PNG and SVG are what they say they are."""
    preset(s, "blobs85")
    s.click("#pass")
    name, content = s.download(lambda: s.click("#export-png"))
    true(f"{name} is no PNG", content[:8] == b"\x89PNG\r\n\x1a\n" and len(content) > 2000)
    name, content = s.download(lambda: s.click("#export-svg"))
    root = xml.parse(io.BytesIO(content)).getroot()
    same("root", root.tag, "{http://www.w3.org/2000/svg}svg")
    marks = sum(1 for _ in root.iter()) - 1
    true(f"{marks} elements for 85 points", marks >= 85)
    s.open(s.path("exported.svg", content))
    s.shot("page-export-svg", whole=False)


def check_import_model(s):
    """A model trained by the tool is drawn and measured on the page."""
    preset(s, "blobs85")
    path, _ = saved_csv(s)
    s.tool("train", path, "--scale", "none", "-a", "averaged", "-o", "tool.safetensors", "-q")
    s.one("#import-file").send_keys(s.path("tool.safetensors"))
    s.wait("the model", lambda: s.js("const e = document.getElementById('imported');"
                                     "return !e.hidden && e.textContent.trim()"))
    said = s.text("#imported")
    true("names the learner: " + said, "averaged" in said)
    wrong = round((1 - accuracy(s, "tool.safetensors", path)) * 85)
    true(f"{wrong} of 85 wrong: {said}", f"{wrong} of 85" in said)
    s.one("#import-file").send_keys(s.path("bad.safetensors", b"\x08\0\0\0\0\0\0\0{}      "))
    true("a file that is no model", s.wait("a message", lambda: message(s)))


# ----- proofs -------------------------------------------------------------------------------


def proved(s):
    s.click("#prove")
    s.wait("the verifier", lambda: s.js(
        "const e = document.getElementById('verified'); return !e.hidden && e.textContent.trim()"))
    return s.text("#verdict"), s.text("#verified")


def verify_by_tool(s):
    path, _ = saved_csv(s, "proved.csv")
    s.js("document.getElementById('certificate-box').open = true")
    _, content = s.download(lambda: s.click("#export-certificate"))
    text = content.decode()
    same("the certificate that is shown", json.loads(s.text("#certificate")), json.loads(text))
    s.tool("verify", s.path("page.cert.json", text), path)
    spoiled = re.sub(r'("weight"\s*:\s*"?)(\d)', lambda m: m[1] + str(int(m[2]) % 9 + 1), text)
    if spoiled != text:
        p = browser.Tool(s.tool.path, s.folder)
        s.path("spoiled.cert.json", spoiled)
        for status in (1, 3):
            try:
                return p("verify", "spoiled.cert.json", path, status=status)
            except AssertionError as e:
                why = e
        raise why


def check_xor_story(s):
    """xor: proved impossible, verified, then solved with a kernel and with a network."""
    preset(s, "xor")
    run_to_end(s)
    true("a line does not do it", error_of(s) > 0)
    verdict, verified = proved(s)
    true("verdict: " + verdict, re.search(r"no line|not separable|impossible|cross|overlap|none",
                                          verdict, re.I))
    true("verified: " + verified, re.search(r"verif|check|true|valid", verified, re.I)
         and not re.search(r"refus|refut|not valid|invalid|false|not true", verified, re.I))
    verify_by_tool(s)
    s.shot("page-xor-proved")
    for kernel, options in [("rbf", {"gamma": "1"}), ("poly", {"degree": "2"})]:
        learner(s, "perceptron", kernel=kernel, **options)
        run_to_end(s)
        s.wait(f"error 0 with {kernel}", lambda: error_of(s) == 0)
        s.shot(f"page-xor-{kernel}")
    learner(s, "mlp", layers="8", epochs="1000", rate="0.05")
    run_to_end(s)
    s.wait("error 0 of the network", lambda: error_of(s) == 0)
    s.shot("page-xor-mlp")


def check_proofs(s):
    """The other verdicts: separable, touching, overlapping; certificates the tool accepts."""
    for name in ["and", "or", "blobs85", "moons", "circles"]:
        preset(s, name)
        verdict, verified = proved(s)
        true(f"{name}: {verified}", not re.search(
            r"refus|refut|not valid|invalid|false|not true", verified, re.I))
        verify_by_tool(s)
        print(f"  {name}: {' '.join(verdict.split())[:90]}")
        path = s.path("proved.csv")
        word = json.loads(s.tool("prove", path, "--json", "-q", status=separable_status(s, path)))
        said = json.dumps(word)
        if '"separable"' in said and '"overlapping"' not in said and '"touching"' not in said:
            true(f"{name}: the tool says separable, the page {verdict}",
                 re.search(r"separab|a line|yes", verdict, re.I))
    # One point in the wrong place: not separable any more.
    paste(s, "x1,x2,label\n0,0,a\n1,1,b\n2,2,a\n3,0,b\n")
    s.wait("the points", lambda: len(point_set(s)["y"]) == 4)
    proved(s)
    verify_by_tool(s)


def separable_status(s, path):
    """What `perceptron prove` ends with for these data."""
    import subprocess
    return subprocess.run([s.tool.path, "prove", path, "-q"], cwd=s.folder, timeout=900,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode


# ----- learners -----------------------------------------------------------------------------


def check_every_learner(s):
    """Each learner runs to its end, on two classes and on three."""
    names = s.js("return [...document.getElementById('learner-0').options].map(o => o.value)")
    for wanted in ["perceptron", "pocket", "averaged", "voted", "margin", "pa", "svm", "mlp"]:
        true(f"{wanted} is not among {names}", any(n.startswith(wanted) for n in names))
    for data in ["blobs85", "iris"]:
        preset(s, data)
        for name in names:
            s.choose("#learner-0", name)
            run_to_end(s, name)
            same(f"{name} on {data}: messages", message(s), "")
            error = error_of(s)
            true(f"{name} on {data}: error {error}", error is not None and error <= 0.5)
            s.judge()
        print(f"  {data}: {', '.join(names)}")


def check_every_kernel(s):
    """The perceptron in each kernel runs to its end."""
    preset(s, "circles")
    learner(s, "perceptron")
    set_option(s, 0, "kernel", "rbf")
    kernels = s.js("return [...document.getElementById('option-0-kernel').options]"
                   ".map(o => o.value)")
    true(f"kernels {kernels}", len(kernels) >= 6)
    for kernel in kernels:
        set_option(s, 0, "kernel", kernel)
        run_to_end(s)
        same(f"{kernel}: messages", message(s), "")
        s.judge()
        if kernel not in ("none", "linear", "sigmoid"):
            path, _ = saved_csv(s)
            lines = s.tool.steps(path, "--kernel", kernel, "--epochs", epochs_of(s))
            same(f"{kernel}: mistakes", numbers(s)["mistakes"], sum(t["mistake"] for t in lines))


def check_bad_option(s):
    """A value that an option does not take is refused with a message, and mended again."""
    s.js("document.querySelectorAll('#options-0, #options-0 details')"
         ".forEach(d => { d.open = true; })")
    s.fill("#option-0-rate", "minus one")
    s.wait("a message", lambda: message(s) or s.js(
        "return document.querySelector('[data-testid=card-0]').innerText.match(/rate[^]*number/)"))
    s.fill("#option-0-rate", "1")
    s.click("#step")
    same("examples", numbers(s)["examples"], 1)


def check_side_by_side(s):
    """Four learners on the same data, each with its own numbers."""
    preset(s, "blobs85")
    names = ["perceptron", "pocket", "averaged", "svm"]
    for k, name in enumerate(names):
        if k:
            s.click("#add-learner")
            s.wait("a card more", lambda: s.all(f"#learner-{k}"))
        s.choose(f"#learner-{k}", name)
    same("runs", s.js("return playground.runs.length"), 4)
    run_to_end(s)
    path, _ = saved_csv(s)
    for k, name in enumerate(names):
        s.tool("train", path, "--scale", "none", "-a", name, "-o", "side.safetensors", "-q",
               *([] if name == "svm" else ["--order", "file"]), "--epochs", epochs_of(s, k))
        right = accuracy(s, "side.safetensors", path)
        s.wait(f"an error of {name} of {1 - right}, not {s.text(f'#error-{k}')}",
               lambda: abs(error_of(s, k) - (1 - right)) < 1e-9)
    s.shot("page-side-by-side")
    s.click("#remove-3")
    s.wait("one less", lambda: s.js("return playground.runs.length === 3"))


def check_pictures_move(s):
    """What is drawn changes with what is learned: plane, weights, counters, curves."""
    preset(s, "blobs85")

    def drawn(id):
        return s.js("const c = document.getElementById(arguments[0]);"
                    "return c && c.offsetParent !== null ? c.toDataURL() : null", id)

    s.click("#pass")
    s.js("return new Promise(r => setTimeout(r, 200))")
    first = {id: drawn(id) for id in ["plane-0", "weights-0", "curves"]}
    labels = s.js("return document.getElementById('plane-0').getAttribute('aria-label')")
    true("a text alternative", labels and len(labels) > 20)
    s.click("#pass")
    s.js("return new Promise(r => setTimeout(r, 200))")
    for id, before in first.items():
        true(f"#{id} is not there", before is not None and len(before) > 1000)
        true(f"#{id} did not change", drawn(id) != before)
    true("the text alternative did not change", s.js(
        "return document.getElementById('plane-0').getAttribute('aria-label')") != labels)
    learner(s, "perceptron", kernel="rbf")
    s.click("#pass")
    s.js("return new Promise(r => setTimeout(r, 200))")
    true("counters", drawn("counters-0"))
    s.shot("page-counters")
    learner(s, "mlp")
    s.click("#pass")
    s.js("return new Promise(r => setTimeout(r, 200))")
    true("network", drawn("network-0"))
    s.shot("page-network")


def check_lift(s):
    """The space of a polynomial kernel: drawn, turned by keys and by dragging, and back."""
    def drawn():
        s.js("return new Promise(r => setTimeout(r, 200))")
        return s.js("return document.getElementById('lift-0').toDataURL()")

    for name, coef0 in [("xor", "0"), ("circles", "0"), ("circles", "1")]:
        preset(s, name)
        learner(s, "perceptron", kernel="poly", degree="2", coef0=coef0)
        run_to_end(s)
        first = drawn()
        words = s.js("return document.getElementById('lift-0').getAttribute('aria-label')")
        axes = "x1²" if coef0 == "0" else "distance"
        true(f"{name}: {words}", axes in words and "separating plane" in words)
        s.js("document.getElementById('options-0').open = false")
        s.at("#lift-0", 0, 0)   # into view
        s.shot(f"page-lift-{name}-{coef0}", whole=False)
    s.js("document.getElementById('lift-0').focus()")
    s.keys("\ue012", "\ue013")   # arrows: left, up
    turned = drawn()
    true("keys turn it", turned != first)
    s.keys("\ue011")             # Home
    same("Home turns it back", drawn() == first, True)
    s.mouse([s.at("#lift-0", 100, 100), s.at("#lift-0", 160, 110)], True)
    true("dragging turns it", drawn() not in (first, turned))
    s.choose("#figure-0", "counters")
    true("the counters instead", s.js("return !!document.getElementById('counters-0')"))


TINTS = """const c = document.getElementById('plane-0'), copy = document.createElement('canvas');
    copy.width = c.width; copy.height = c.height;
    const g = copy.getContext('2d', {willReadFrequently: true});
    g.drawImage(c, 0, 0);
    const scale = c.width / c.clientWidth;
    return arguments[0].map(([x, y]) =>
      [...g.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data]);"""


def check_boundary_drawn(s):
    """The tint of the plane is what the model answers there; two clicks tell the scale."""
    preset(s, "blobs85")
    wide, high = size_of(s, "#plane-0")
    corners = [(wide * 0.2, high * 0.8), (wide * 0.7, high * 0.3)]
    for k, (x, y) in enumerate(corners):
        s.mouse([s.at("#plane-0", x, y)], False)
        s.wait("a point more", lambda: len(point_set(s)["y"]) == 86 + k)
    ax, ay, bx, by = point_set(s)["x"][-4:]
    for k in range(2):
        s.click("#undo")
        s.wait("a point less", lambda: len(point_set(s)["y"]) == 86 - k)

    def place(x, y):
        (px, py), (qx, qy) = corners
        return [ax + (x - px) * (bx - ax) / (qx - px), ay + (y - py) * (by - ay) / (qy - py)]

    spots = [(wide * (0.12 + 0.04 * i), high * (0.12 + 0.04 * j))
             for i in range(20) for j in range(19)]
    data = [v for x, y in spots for v in place(x, y)]
    for name, options in [("perceptron", {}), ("perceptron", {"kernel": "poly", "degree": "2"})]:
        learner(s, name, **options)
        s.click("#reset")
        s.click("#pass")
        s.js("return new Promise(r => setTimeout(r, 400))")
        scores = s.js("const x = Float64Array.from(arguments[0]);"
                      "return [...playground.runs[0].model.scores(x)]", data)
        colours, seen = s.js(TINTS, spots), {True: 0, False: 0}
        near = sorted(abs(v) for v in scores)[len(scores) // (5 if options else 50)]
        for spot, score, (red, green, blue, _) in zip(spots, scores, colours):
            light, grey = max(red, green, blue), max(red, green, blue) - min(red, green, blue)
            if abs(score) <= near or light < 235 or grey not in range(12, 60):
                continue  # near the line, or no tint: a point, a line, a letter
            same(f"{options}: orange at {spot}, score {score:.3g}, colour {(red, green, blue)}",
                 red > blue, score > 0)
            seen[score > 0] += 1
        true(f"too little of the tint was seen: {seen}", min(seen.values()) >= 15)


# ----- the other modes ----------------------------------------------------------------------


def check_formula(s):
    """A formula becomes neurons; its truth table is right; xor by one neuron is refused."""
    s.click("#mode-formula")
    for formula, inputs, f in [("a & b", 2, lambda a, b: a and b),
                               ("a ^ b", 2, lambda a, b: a != b),
                               ("a & b | !a & c", 3, lambda a, b, c: b if a else c)]:
        s.fill("#formula", formula)
        s.click("#formula-apply")
        rows = s.wait("the table", lambda: (lambda r: r if len(r) == 2 ** inputs else None)(s.js(
            "return [...document.querySelectorAll('#truth tr')].map(r => [...r.cells]"
            ".map(c => c.textContent.trim())).filter(r => r.length && /^[01]/.test(r[0]))")))
        for row in rows:
            bits = [c == "1" for c in row[:inputs]]
            cells = [c for c in row if c[:1] in "01"]
            same(f"{formula} at {row}", cells[inputs][:1], "1" if f(*bits) else "0")
        same("messages", message(s), "")
    s.fill("#formula", "a ^ b")
    s.click("#formula-apply")
    s.wait("one neuron cannot", lambda: re.search(
        r"no (single )?neuron|cannot|impossible", s.text("#single") or "", re.I))
    s.shot("page-formula")
    s.fill("#formula", "a & & b")
    s.click("#formula-apply")
    s.wait("a message", lambda: message(s) or "column" in s.js("return document.body.innerText"))


def check_formula_learn(s):
    """The table of a formula is learned by a perceptron."""
    s.click("#mode-formula")
    s.fill("#formula", "a | b")
    s.click("#formula-apply")
    s.click("#formula-learn")
    s.wait("watch mode", lambda: s.js("return document.body.dataset.mode === 'watch'"))
    same("rows", len(point_set(s)["y"]), 4)
    run_to_end(s)
    same("error", error_of(s), 0)


def check_teacher(s):
    """The teacher's mistakes are counted, the bound is shown, moves can be taken back."""
    preset(s, "and")
    s.click("#mode-teacher")
    bound = s.wait("the bound", lambda: numbers_in(s.text("#teach-bound")))[0]
    true(f"bound {bound}", bound >= 1)
    s.js("document.getElementById('teach-plane').focus()")
    shown = 0
    for _ in range(12):
        s.keys("n")
        s.keys("\ue007")
        shown += 1
        s.wait("an example more", lambda: numbers_in(s.text("#teach-shown"))[0] == shown)
    mistakes = numbers_in(s.text("#teach-mistakes"))[0]
    true(f"{mistakes} mistakes in {shown} examples, bound {bound}", 1 <= mistakes <= bound)
    # The rows that were shown, once more by the tool, as a file in that order.
    rows = s.js("return playground.state.taught")
    same("rows", len(rows), shown)
    csv = s.js("return playground.set.text").strip().split("\n")
    path = s.path("taught.csv", "\n".join([csv[0]] + [csv[1 + r] for r in rows]) + "\n")
    positive = s.js("return playground.set.labels.at(-1)")
    steps = s.tool.steps(path, "--epochs", "1", "--positive", positive)
    same("mistakes of the tool", sum(t["mistake"] for t in steps), mistakes)
    s.shot("page-teacher")
    s.click("#teach-undo")
    s.wait("one less", lambda: numbers_in(s.text("#teach-shown"))[0] == shown - 1)
    s.click("#teach-hint")
    s.click("#teach-reset")
    s.wait("none", lambda: numbers_in(s.text("#teach-shown"))[0] == 0)
    wide, high = size_of(s, "#teach-plane")
    preset(s, "xor")
    s.js("return new Promise(r => setTimeout(r, 300))")
    said = s.text("#teach-bound")
    true("no bound for xor: " + said, not numbers_in(said))


# ----- keyboard, screens, speed -------------------------------------------------------------


def focus_by_tab(s, selector, most=150):
    """Presses Tab until the element has the focus; it has to be seen that it has."""
    for _ in range(most):
        s.keys("\ue004")
        if s.js("return document.activeElement === document.querySelector(arguments[0])", selector):
            seen = s.js("""const e = document.activeElement, c = getComputedStyle(e);
                const ring = c.outlineStyle !== 'none' && parseFloat(c.outlineWidth) >= 1;
                const r = e.getBoundingClientRect();
                return [ring || c.boxShadow !== 'none', r.width > 0 && r.height > 0,
                        r.bottom > 0 && r.top < innerHeight]""")
            same(f"{selector}: focus seen, size, in view", seen, [True, True, True])
            return
    raise AssertionError(f"Tab does not come to {selector}")


def check_keyboard(s):
    """The whole story without a pointer: data, steps, a point, a proof, another learner."""
    s.js("document.activeElement.blur(); scrollTo(0, 0)")
    focus_by_tab(s, "#preset")
    s.keys("x")  # a select goes to the entry that begins with it
    s.wait("xor", lambda: s.js("return playground.state.data.preset === 'xor'"))
    focus_by_tab(s, "#step")
    s.keys("\ue007", "\ue007", "\ue007")
    s.wait("three examples", lambda: numbers(s)["examples"] == 3)
    focus_by_tab(s, "#plane-0")
    count = len(point_set(s)["y"])
    s.keys("\ue014", "\ue014", "\ue013", "\ue007")  # right, right, up, Enter
    s.wait("a point more", lambda: len(point_set(s)["y"]) == count + 1)
    before = point_set(s)
    s.keys("n")
    s.keys("\ue007", "\ue014", "\ue014", "\ue014", "\ue007")  # pick up, move, put down
    s.wait("a point moved", lambda: point_set(s)["x"] != before["x"])
    same("points", len(point_set(s)["y"]), count + 1)
    focus_by_tab(s, "#prove")
    s.keys(" ")
    s.wait("a verdict", lambda: s.js("return !document.getElementById('verified').hidden"))
    s.js("document.activeElement.blur(); scrollTo(0, 0)")
    for key, test in [("p", lambda: numbers(s)["examples"] == count + 1),
                      ("\ue012", lambda: numbers(s)["examples"] == count),
                      ("\ue014", lambda: numbers(s)["examples"] == count + 1),
                      ("r", lambda: numbers(s)["examples"] == 0)]:
        s.keys(key)
        s.wait(f"key {key!r}", test)
    s.keys(" ")
    s.wait("space runs", lambda: numbers(s)["examples"] > 0)
    s.keys(" ")
    focus_by_tab(s, "#learner-0")
    s.keys("m", "u")  # "multi-layer perceptron"
    s.wait("the network", lambda: s.js("return playground.state.learners[0].algorithm === 'mlp'"))


def check_names(s):
    """Every control has a name, ids are single, headings and landmarks are there."""
    for mode in ["watch", "teacher", "formula"]:
        s.click("#mode-" + mode)
        nameless = s.js("""
            const named = e => (e.labels && [...e.labels].some(l => l.textContent.trim()))
              || (e.getAttribute('aria-label') || '').trim()
              || (e.getAttribute('aria-labelledby') || '').split(' ').some(i =>
                   document.getElementById(i) && document.getElementById(i).textContent.trim())
              || (['BUTTON', 'A', 'SUMMARY'].includes(e.tagName) && e.textContent.trim());
            return [...document.querySelectorAll('button, input, select, textarea, a[href], '
              + 'summary, canvas, [role=img], [tabindex="0"]')]
              .filter(e => e.offsetParent !== null && !named(e))
              .map(e => e.tagName + '#' + e.id)""")
        same(f"{mode}: without a name", nameless, [])
    same("ids used twice", s.js("""const seen = {}, twice = [];
        for (const e of document.querySelectorAll('[id]'))
          if (seen[e.id]) twice.push(e.id); else seen[e.id] = 1;
        return twice"""), [])
    true("a heading and a main part", s.js("return document.querySelectorAll('h1').length === 1"
                                           " && !!document.querySelector('main')"))


def check_screens(s):
    """Light, dark and narrow; nothing sticks out at 360 px in any mode."""
    preset(s, "blobs85")
    s.click("#pass")
    s.click("#prove")
    s.wait("a verdict", lambda: s.js("return !document.getElementById('verified').hidden"))
    for name, dark in [("light", False), ("dark", True)]:
        s.look(dark=dark)
        s.shot(f"page-{name}")
    paper = s.js("return getComputedStyle(document.body).backgroundColor")
    true(f"dark paper: {paper}", sum(numbers_in(paper)[:3]) < 250)
    s.look(NARROW)
    for mode in ["watch", "teacher", "formula"]:
        s.click("#mode-" + mode)
        s.js("return new Promise(r => setTimeout(r, 200))")
        s.not_wider(mode)
        s.shot(f"page-narrow-{mode}")
    s.click("#mode-watch")
    learner(s, "mlp")
    s.click("#pass")
    s.js("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    s.not_wider("everything unfolded")
    s.shot("page-narrow-unfolded")
    s.look(NARROW, dark=True)
    s.shot("page-narrow-dark")
    s.look()


def check_fine_screen(s):
    """On a screen with two dots a pixel the pictures have them all."""
    s.look(scale=2)
    s.open(single())
    ready(s)
    s.js("return new Promise(r => setTimeout(r, 400))")
    for id in ["plane-0", "weights-0", "curves"]:
        dots, wide = s.js("const e = document.getElementById(arguments[0]);"
                          "return [e.width, e.clientWidth]", id)
        close(f"dots of #{id}", dots, 2 * wide, 2)
    s.look()


def check_orders(s):
    """Other orders of the rows are replayed, and remembered for comparison."""
    preset(s, "and")
    run_to_end(s)
    for k in range(2):
        s.click("#shuffle")
        s.wait("another order", lambda: s.js("return playground.state.order === 'shuffle'"))
        s.wait("its end", lambda: ended(s) and numbers(s)["examples"] > 0)
    s.wait("three orders in the table", lambda: s.js(
        "return document.querySelectorAll('#orders tbody tr').length") == 3)


def check_theme(s):
    """The switch of colours beats the system's."""
    def paper():
        return sum(numbers_in(s.js("return getComputedStyle(document.body).backgroundColor"))[:3])

    s.choose("#theme", "dark")
    s.js("return new Promise(r => setTimeout(r, 400))")
    true("dark", paper() < 250)
    s.look(dark=True)
    s.choose("#theme", "light")
    s.js("return new Promise(r => setTimeout(r, 400))")
    true("light", paper() > 600)


def check_speed(s):
    """2,000 points: frames a second while running and while dragging (printed, not judged)."""
    lines = ["x1,x2,label"]
    for k in range(2000):
        x, y = (k * 0.6180339887) % 1, (k * 0.7548776662) % 1
        lines.append(f"{x:.3f},{y:.3f},{'b' if x + y + 0.2 * ((k * 0.37) % 1) > 1.1 else 'a'}")
    paste(s, "\n".join(lines) + "\n")
    s.wait("2000 points", lambda: len(point_set(s)["y"]) == 2000)
    count = """const count = async (ms) => { const begun = performance.now(), gaps = [];
        let last = begun;
        while (last - begun < ms) {
          const now = await new Promise(requestAnimationFrame); gaps.push(now - last); last = now; }
        gaps.sort((a, b) => a - b);
        return [gaps.length * 1000 / (last - begun), gaps[Math.floor(gaps.length * 0.95)]]; };"""
    idle = s.later(count + "return count(1000)")
    found = {}
    for name, options in [("perceptron", {}), ("mlp", {}), ("voted", {}), ("pocket", {}),
                          ("kernel", {"kernel": "rbf"})]:
        learner(s, name, epochs="1000", **options)
        s.fill("#speed", "8")
        s.click("#run")
        found[name] = s.later(count + "return count(2000)")
        s.click("#run")
    learner(s, "perceptron")
    s.click("#reset")
    found["dragging"] = drag_rate(s, count)
    print("  2000 points: idle %.0f frames a second; " % idle[0] + "; ".join(
        "%s %.0f (95 %% of frames within %.0f ms)" % (k, v[0], v[1]) for k, v in found.items()))


def drag_rate(s, count):
    """Frames a second while a point goes round, by events as a pointer makes them."""
    wide, high = size_of(s, "#plane-0")
    s.at("#plane-0", 0, 0)
    return s.later(count + """
        const e = document.getElementById('plane-0'), [w, h] = arguments;
        const send = (type, x, y) => { const r = e.getBoundingClientRect();
          e.dispatchEvent(new PointerEvent(type, {bubbles: true, button: 0, buttons: 1,
            pointerId: 1, clientX: r.left + x, clientY: r.top + y})); };
        e.setPointerCapture = () => {};
        let t = 0, on = true;
        send('pointerdown', w / 2, h / 2);
        const go = () => { if (!on) return; t += 0.1;
          send('pointermove', w / 2 + w / 5 * Math.cos(t), h / 2 + h / 5 * Math.sin(t));
          requestAnimationFrame(go); };
        go();
        const got = await count(2000);
        on = false; send('pointerup', w / 2, h / 2);
        return got;""", wide, high)


# ----- the program --------------------------------------------------------------------------


def main():
    global FOLDER
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    browser.need()
    FOLDER = os.environ.get("PERCEPTRON_WEB")
    if not FOLDER:
        FOLDER = os.path.join(sys.argv[2], "web")
        browser.build_page(FOLDER)
    return browser.main(sys.modules[__name__], sys.argv[1], sys.argv[2], sys.argv[3:], begin)


if __name__ == "__main__":
    sys.exit(main())
