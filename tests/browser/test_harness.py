#!/usr/bin/python3
"""test_harness.py TOOL BUILD [SCENE...] -- the harness sees what it is there to see.

Each scene plays another one, on a page with a planted fault, that has to fail.
"""
import os
import sys

import browser
from browser import same, true

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>small</title>
<link rel="icon" href="data:,">
<body><button id="b" onclick="document.title += '!'">press</button>
<p id="p">text</p>%s</body></html>"""

PHONE = "<meta name='viewport' content='width=device-width, initial-scale=1'>"


def must_fail(s, extra, part, act=None):
    """A page with this in it has to be found out, by a reason that has this part."""
    page = s.path("small.html", PAGE % extra)

    def check_planted(s):
        s.open(page)
        if act:
            act(s)
        s.js("return new Promise(r => setTimeout(r, 300))")

    why = browser.play(s, check_planted, None)
    s.forget()
    true(f"nobody noticed {extra!r}", why is not None)
    true(f"another reason for {extra!r}: {why}", part in why)


def check_clean(s):
    """A page without faults passes, and a click is a click."""
    s.open(s.path("small.html", PAGE % ""))
    s.click("#b")
    same("title", s.driver.title, "small!")
    same("text", s.text("#p"), "text")


def check_covered(s):
    """A button under something else gets its click when that is gone, and fails if it never is."""
    cover = "<div id=c style='position: fixed; inset: 0'></div>"
    s.open(s.path("small.html", PAGE % (
        cover + "<script>setTimeout(() => document.getElementById('c').remove(), 700)</script>")))
    s.click("#b")
    same("title", s.driver.title, "small!")
    must_fail(s, cover, "#b does not get the click", lambda s: s.click("#b", tries=2))


def check_console(s):
    """An error on the console, an uncaught one, and a rejected promise."""
    must_fail(s, "<script>console.error('planted')</script>", "planted")
    must_fail(s, "<script>setTimeout(() => { throw new Error('thrown') })</script>", "thrown")
    must_fail(s, "<script>Promise.reject(new Error('rejected'))</script>", "rejected")
    must_fail(s, "<script>nothing_of_that_name()</script>", "nothing_of_that_name")


def check_network(s):
    """A request to a host, and a file that is not there."""
    must_fail(s, "<img alt='' src='http://127.0.0.1:9/x.png'>", "127.0.0.1:9")
    must_fail(s, "<script src='missing.js'></script>", "missing.js")


def check_alert(s):
    """An alert."""
    must_fail(s, "<script>setTimeout(() => alert('boo'))</script>", "boo")
    s.driver.switch_to.alert.accept()


def check_narrow(s):
    """A page that is too wide for a narrow window."""
    s.look(browser.NARROW)
    wider = lambda s: s.not_wider("page")
    must_fail(s, PHONE + "<div style='width:500px'>wide</div>", "DIV", wider)
    must_fail(s, PHONE + "<style>body { overflow-x: hidden }</style>"
              "<div style='width:500px'>cut off</div>", "DIV", wider)
    must_fail(s, "made for no phone", "980", wider)
    s.open(s.path("small.html", PAGE % (PHONE + "<div style='width:100%'>fits</div>"
                                                 "<div style='overflow-x:auto'>"
                                                 "<pre style='width:500px'>scrolls</pre></div>")))
    s.not_wider("page")


def check_look(s):
    """Colours, printing and motion are what was asked for."""
    s.open(s.path("small.html", PAGE % ""))
    asks = ("(prefers-color-scheme: dark)", "print", "(prefers-reduced-motion: reduce)")

    def seen():
        return [s.js("return matchMedia(arguments[0]).matches", a) for a in asks]

    s.look(dark=True)
    same("dark", seen(), [True, False, True])
    s.look(printed=True, still=False)
    same("print", seen(), [False, True, False])
    s.look()
    true("a picture", os.path.getsize(s.shot("harness")) > 500)


def check_files(s):
    """What a page saves arrives whole."""
    s.allow_downloads()
    s.open(s.path("small.html", PAGE % (
        "<a id=a download='x.bin' href='data:application/octet-stream;base64,AAEC/w=='>save</a>")))
    name, content = s.download(lambda: s.click("#a"))
    same("name", name, "x.bin")
    same("bytes", content, b"\x00\x01\x02\xff")


def check_server(s):
    """A folder over HTTP is a request that has to be allowed."""
    os.makedirs(s.path("site"), exist_ok=True)
    s.path("site/index.html", PAGE % "")
    with browser.served(s.path("site")) as address:
        def check_served(s):
            s.open(address)
        true("a request that nobody allowed", browser.play(s, check_served, None))
        s.forget()
        s.allowed.add(address)
        s.open(address)
        same("text", s.text("#p"), "text")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    browser.need()
    return browser.main(sys.modules[__name__], sys.argv[1], sys.argv[2], sys.argv[3:])


if __name__ == "__main__":
    sys.exit(main())
