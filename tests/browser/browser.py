"""browser.py -- what the tests in a real browser share.

A test program has functions whose names begin with "check_"; each is one scene and gets a
Session. main() runs them in order, in one browser with a fresh profile, and ends with
"N passed, M failed, K skipped". A scene fails where it raises, and also where the console of
the browser had an error, or a page asked for something from the network that the scene has not
allowed. Where the browser, its driver or what a page is built with is not installed, one line
says which packages are missing, and the program ends with 77: skipped.

Pictures are written to the folder in PERCEPTRON_SHOTS, or to "shots" in the build folder.
"""
import base64
import contextlib
import functools
import http.server
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback

# What a test needs, and the Debian packages that have it. What the page is built with, scripts/web
# knows.
BROWSER = {"chromium": "chromium", "chromedriver": "chromium-driver",
           "selenium": "python3-selenium"}
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SKIP = 77
WIDE, NARROW = (1280, 900), (360, 740)
PATIENCE = 300  # seconds until what does not come is given up; a busy machine may need some


class Skipped(Exception):
    """A scene that cannot be played here, and why."""


def need():
    """Ends the program with 77 where there is no browser, and says what to install."""
    missing = [package for name, package in BROWSER.items()
               if not shutil.which(name) and not importlib.util.find_spec(name)]
    if missing:
        print("skipped: please install " + " ".join(missing) + " (Debian's names)")
        sys.exit(SKIP)


def build_page(folder):
    """Builds the playground; ends the program with 77 where a package for that is missing."""
    p = subprocess.run([os.path.join(ROOT, "scripts", "web"), os.path.abspath(folder)],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
    said = p.stdout.decode(errors="replace").strip()
    if p.returncode == SKIP:
        print("skipped: " + said)
        sys.exit(SKIP)
    if p.returncode != 0:
        sys.exit("scripts/web does not build the page:\n" + said[-2000:] + "\n0 passed, 1 failed")


def same(what, got, expected):
    if got != expected:
        raise AssertionError(f"{what}: got {got!r}, expected {expected!r}")


def true(what, condition):
    if not condition:
        raise AssertionError(what)


def close(what, got, expected, slack):
    if not abs(got - expected) <= slack:
        raise AssertionError(f"{what}: got {got!r}, expected {expected!r} within {slack!r}")


class Vector(tuple):
    """Just what the arithmetic of a page needs."""

    def __add__(self, other):
        return Vector(a + b for a, b in zip(self, other))

    def __sub__(self, other):
        return Vector(a - b for a, b in zip(self, other))

    def __rmul__(self, factor):
        return Vector(factor * a for a in self)

    __mul__ = __rmul__


NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


def numbers_in(text):
    """The numbers of a text, as people write them."""
    return [float(t) for t in re.findall(NUMBER, (text or "").replace("−", "-"))]


def worked_out(text):
    """The value of an expression in numbers and vectors; None where it is not one."""
    text = text.replace("−", "-").replace("·", "*").strip()
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    vectors = re.sub(rf"\(\s*({NUMBER})\s*,\s*({NUMBER})\s*\)", r"Vector((\1, \2))", text)
    plain = re.sub(rf"Vector|{NUMBER}", "", vectors)
    if not re.fullmatch(r"[-+*(), ]*", plain) or not re.search(r"\d", text):
        return None
    try:
        # Numbers, brackets, + - * and Vector: there is nothing else in it.
        return eval(vectors, {"__builtins__": {}}, {"Vector": Vector})
    except (SyntaxError, TypeError):
        return None


def sums(text):
    """Works out every "... = expression = result" of a text; returns the values on the left of
    each, as [(first word, value)]. Shown numbers have six digits, their products fewer."""
    found = []
    for line in text.split("\n"):
        parts = line.split(" = ")
        for left, right in zip(parts, parts[1:]):
            a, b = worked_out(left), worked_out(re.split(r"[≤<>:]", right)[0])
            if a is None or b is None:
                continue
            largest = max([1.0] + [abs(n) for n in numbers_in(left)]) ** 2
            pairs = zip(a, b) if isinstance(a, Vector) else [(a, b)]
            for x, y in pairs:
                close("the arithmetic in " + repr(line), x, y, 2e-5 * largest)
            found.append((parts[0].strip(), b))
    return found


class Tool:
    """The command-line tool, run in a folder."""

    def __init__(self, path, folder):
        self.path, self.folder = os.path.abspath(path), folder

    def __call__(self, *words, status=0, timeout=900):
        p = subprocess.run([self.path, *words], cwd=self.folder, timeout=timeout,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
        if p.returncode != status:
            raise AssertionError(f"perceptron {' '.join(words)}: status {p.returncode}: "
                                 + p.stderr.decode(errors="replace")[-400:])
        return p.stdout.decode(errors="replace")

    def shell(self, script, timeout=900):
        """Runs a line as a reader of the page would, with the tool on the path."""
        environment = dict(os.environ)
        environment["PATH"] = os.path.dirname(self.path) + os.pathsep + environment["PATH"]
        p = subprocess.run(["sh", "-euc", script], cwd=self.folder, timeout=timeout,
                           env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
        if p.returncode != 0:
            raise AssertionError(f"$ {script}\nstatus {p.returncode}: {p.stderr.decode()[-400:]}")
        return p.stdout.decode()

    def steps(self, *words):
        """Every step of `perceptron trace`, in doubles, as pages have them."""
        name = next((w for a, w in reversed(list(zip(words, words[1:]))) if a == "-a"), "perceptron")
        exact = name in ("perceptron", "averaged", "margin", "pocket", "voted")
        words += ("--arithmetic", "double") if exact else ()
        return json.loads(self("trace", *words, "--json", "-q"))["steps"]


class Session:
    """A browser, a folder for files, and what the tests ask of both."""

    def __init__(self, folder, shots, tool):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        self.folder, self.shots, self.tool = folder, shots, tool
        self.downloads = os.path.join(folder, "downloads")
        os.makedirs(self.downloads)
        os.makedirs(shots, exist_ok=True)
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for flag in ["headless=new", "no-sandbox", "disable-gpu", "no-first-run", "disable-sync",
                     "disable-background-networking", "disable-component-update",
                     "disable-default-apps", "disable-quic", "disable-dev-shm-usage",
                     "hide-scrollbars", "force-color-profile=srgb", "lang=en",
                     "window-size=%d,%d" % WIDE,
                     "user-data-dir=" + os.path.join(folder, "profile")]:
            options.add_argument("--" + flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.set_capability("unhandledPromptBehavior", "ignore")  # an alert is a failure
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")),
                                       options=options)
        self.driver.set_page_load_timeout(600)
        self.driver.set_script_timeout(600)
        self.requests, self.errors, self.allowed = [], [], set()
        self.size, self.scale = WIDE, 1

    def close(self):
        with contextlib.suppress(Exception):
            self.driver.quit()

    # ----- what the browser says ------------------------------------------------------------

    def listen(self):
        """Collects what the console and the network have said since the last time."""
        for entry in self.driver.get_log("browser"):
            if entry["level"] in ("SEVERE", "WARNING"):
                self.errors.append(f"{entry['level']}: {entry['message']}")
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])

    def forget(self):
        self.listen()
        self.requests, self.errors, self.allowed = [], [], set()

    def judge(self):
        """Raises where there was an error, or a request that goes beyond this machine."""
        self.listen()
        if self.errors:
            raise AssertionError("the console says: " + " | ".join(self.errors[:3]))
        outside = [u for u in self.requests
                   if not u.startswith(("file:", "data:", "blob:", "about:", "chrome:"))
                   and not any(u.startswith(a) for a in self.allowed)]
        if outside:
            raise AssertionError(f"the page asks the network: {outside[:3]}")

    # ----- pages ----------------------------------------------------------------------------

    def open(self, where):
        """Opens an address or a file, also where only the part after # differs."""
        url = where if re.match(r"[a-z]+:", where) else "file://" + os.path.abspath(where)
        self.driver.get("about:blank")
        self.driver.get(url)

    def js(self, script, *args):
        return self.driver.execute_script(script, *args)

    def later(self, script, *args):
        """The value of a promise."""
        got = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1], given = [...arguments].slice(0, -1);"
            "(async function () {" + script + "}).apply(null, given)"
            ".then(v => done({v: v === undefined ? null : v}), e => done({e: String(e)}))", *args)
        if "e" in got:
            raise AssertionError(got["e"])
        return got["v"]

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def one(self, selector):
        from selenium.webdriver.common.by import By
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        from selenium.webdriver.common.by import By
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.js("const e = document.querySelector(arguments[0]);"
                       "return e && (e.value !== undefined && e.tagName !== 'LI' && "
                       "e.tagName !== 'BUTTON' ? String(e.value) : e.textContent)", selector)

    def wait(self, what, test):
        """Until test() is true; returns what it gave."""
        end = time.monotonic() + PATIENCE
        while True:
            got = test()
            if got:
                return got
            if time.monotonic() > end:
                raise AssertionError(f"waited {PATIENCE} s for {what}")
            time.sleep(0.05)

    def click(self, selector, tries=20):
        """Clicks as a mouse does, after scrolling there. What moves away under the pointer, or
        under the bar at the bottom, as a page may while it is being laid out, is clicked again."""
        from selenium.common.exceptions import ElementClickInterceptedException

        for _ in range(tries):
            element = self.one(selector)
            self.js("""const e = arguments[0]; window.hit = e.disabled === true;
                e.addEventListener('click', () => { window.hit = true; },
                                   {once: true, capture: true});
                e.scrollIntoView({block: 'center', behavior: 'instant'});""", element)
            try:
                element.click()
            except ElementClickInterceptedException as covered:
                reason = covered.msg
            else:
                if self.js("return window.hit !== false"):  # or on another page: nobody knows
                    return
                reason = "it moved"
            time.sleep(0.2)
        raise AssertionError(f"{selector} does not get the click: {reason}")

    def choose(self, selector, value):
        from selenium.webdriver.support.ui import Select
        element = self.one(selector)
        self.js("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        Select(element).select_by_value(value)

    def fill(self, selector, text):
        """Puts a text into a field, as typing it does, and leaves the field."""
        self.js("""const [selector, text] = arguments, e = document.querySelector(selector);
            const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value');
            e.focus(); own.set.call(e, text);
            e.dispatchEvent(new Event('input', {bubbles: true}));
            e.dispatchEvent(new Event('change', {bubbles: true})); e.blur();""", selector, text)

    def keys(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        chain = ActionChains(self.driver)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def at(self, selector, x, y):
        """A point of an element, in pixels of the window, after scrolling it into view."""
        return self.js("""const e = document.querySelector(arguments[0]);
            e.scrollIntoView({block: 'center', behavior: 'instant'});
            const r = e.getBoundingClientRect();
            return [r.left + arguments[1], r.top + arguments[2]];""", selector, x, y)

    def mouse(self, points, hold):
        """Moves a real pointer over these points of the window; with the button down if hold."""
        from selenium.webdriver.common.actions.action_builder import ActionBuilder
        actions = ActionBuilder(self.driver, duration=60)
        for k, (x, y) in enumerate(points):
            actions.pointer_action.move_to_location(round(x), round(y))
            if k == 0:
                actions.pointer_action.pointer_down()
                if not hold:
                    actions.pointer_action.pointer_up()
        if hold:
            actions.pointer_action.pointer_up()
        actions.perform()

    # ----- how it looks ---------------------------------------------------------------------

    def look(self, size=WIDE, dark=False, printed=False, still=True, scale=1):
        """The size of the window and what the reader prefers."""
        self.size, self.scale = size, scale
        self.metrics(size[1])
        self.cdp("Emulation.setEmulatedMedia", media="print" if printed else "",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                           {"name": "prefers-reduced-motion",
                            "value": "reduce" if still else "no-preference"}])

    def metrics(self, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=self.size[0], height=round(height),
                 deviceScaleFactor=self.scale, mobile=self.size[0] < 600)

    def shot(self, name, whole=True):
        """A picture of the window, or of the whole page; returns its path."""
        if whole:  # in a window as high as the page: what sticks to an edge stays there
            high = self.cdp("Page.getLayoutMetrics")["cssContentSize"]["height"]
            self.metrics(max(self.size[1], min(high, 12000)))
            self.js("scrollTo(0, 0)")
        time.sleep(0.3)  # some frames: what is drawn comes after what is computed
        path = os.path.join(self.shots, name + ".png")
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.cdp("Page.captureScreenshot", format="png")["data"]))
        if whole:
            self.metrics(self.size[1])
        return path

    def not_wider(self, what):
        """Nothing sticks out at the right: no scrolling from side to side, nothing cut off.
        What scrolls within its own box may be wide."""
        wide, inner = self.js("return document.scrollingElement.scrollWidth"), self.size[0]
        out = self.js("""const out = [], most = arguments[0] + 1;
            const boxed = e => { for (let p = e.parentElement; p && p !== document.body;
              p = p.parentElement) {
                const c = getComputedStyle(p);
                if (/auto|scroll|hidden|clip/.test(c.overflowX)
                    && p.getBoundingClientRect().right <= most) return true;
              } return false; };
            for (const e of document.body.querySelectorAll('*')) {
              const r = e.getBoundingClientRect();
              if (r.right + scrollX > most && r.width > 0 && e.checkVisibility() && !boxed(e))
                out.push(e.tagName + '#' + e.id + '.' + e.getAttribute('class'));
            }
            return out.slice(0, 4)""", inner)
        if wide > inner or out:  # innerWidth would not do: a phone zooms out until all is in it
            raise AssertionError(f"{what}: {wide} px wide in a window of {inner}: {out}")

    # ----- files ----------------------------------------------------------------------------

    def path(self, name, content=None):
        """A file in the folder of this run, written if there is content."""
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "wb") as f:
                f.write(content if isinstance(content, bytes) else content.encode())
        return path

    def allow_downloads(self):
        self.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)

    def download(self, press):
        """The file that press() makes the browser save: its name and bytes."""
        for old in os.listdir(self.downloads):  # a second file of a name would get another
            os.remove(os.path.join(self.downloads, old))
        press()

        def arrived():
            new = [n for n in os.listdir(self.downloads)
                   if not n.endswith((".crdownload", ".tmp")) and not n.startswith(".")]
            return new[0] if new else None

        name = self.wait("a file to be saved", arrived)
        path = os.path.join(self.downloads, name)
        self.wait("the file to be whole", lambda: os.path.getsize(path) > 0)
        with open(path, "rb") as f:
            return name, f.read()


@contextlib.contextmanager
def served(folder):
    """Serves a folder over HTTP on a free port of this machine; gives the address."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map,
                          ".wasm": "application/wasm", ".js": "text/javascript"}

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield "http://127.0.0.1:%d/" % server.server_port
    finally:
        server.shutdown()
        server.server_close()


def checks(module):
    """The scenes of a module, as they stand in it."""
    return [f for name, f in vars(module).items()
            if name.startswith("check_") and callable(f)]


def play(session, scene, setup):
    """One scene: None, or what went wrong."""
    try:
        session.forget()
        if setup:
            setup(session)
        scene(session)
        session.judge()
        return None
    except Skipped:
        raise
    except Exception as e:  # any way of failing is one
        why = str(e).strip().split("\nStacktrace")[0] or type(e).__name__
        last = [f for f in traceback.extract_tb(e.__traceback__) if "check_" in f.name]
        where = f" (line {last[-1].lineno})" if last else ""
        with contextlib.suppress(Exception):
            session.shot("failed-" + scene.__name__[6:], whole=False)
            session.listen()
            if session.errors and "console says" not in why:
                why += "\n  the console says: " + " | ".join(session.errors[:3])
        return type(e).__name__ + ": " + why + where


def main(module, tool, build, names, setup=None):
    """Plays the scenes, or those named, and counts."""
    shots = os.environ.get("PERCEPTRON_SHOTS") or os.path.join(build, "shots")
    wanted = [f for f in checks(module) if not names or f.__name__[6:] in names]
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory(prefix="perceptron-browser-",
                                     ignore_cleanup_errors=True) as folder:
        session = None
        for scene in wanted:
            begun = time.monotonic()
            if session is None:
                own = tempfile.mkdtemp(dir=folder)
                session = Session(own, os.path.abspath(shots), Tool(tool, own))
            try:
                why = play(session, scene, setup)
            except Skipped as e:
                print(f"skip {scene.__name__[6:]}: {e}", flush=True)
                skipped += 1
                continue
            seconds = time.monotonic() - begun
            title = (scene.__doc__ or scene.__name__[6:]).strip().split("\n")[0]
            if why is None:
                print(f"ok {scene.__name__[6:]} ({seconds:.1f} s): {title}", flush=True)
                passed += 1
            else:
                print(f"not ok {scene.__name__[6:]}: {title}\n  {why}", flush=True)
                failed += 1
                session.close()  # the next scene starts clean
                session = None
        if session is not None:
            session.close()
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0
