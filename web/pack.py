#!/usr/bin/env python3
"""pack.py DIR -- makes perceptron.wasm.js and perceptron.html from the other files in DIR.

The single file has the style, the script and the module in itself. In HTML a script ends at
the first "</script", wherever that stands, so it must not occur inside of one.
"""
import base64
import re
import sys

STYLE = r'<link rel="stylesheet" href="style\.css"\s*/?>'
SCRIPT = r'<script\b[^>]*\bsrc="app\.js"[^>]*></script>'


def put(page, pattern, text, name):
    """The one place of `pattern` becomes `text`, whatever characters that has."""
    page, n = re.subn(pattern, lambda _: text, page)
    if n != 1:
        sys.exit(f"pack: index.html must refer to {name} once, in the usual form; it does so {n} times")
    return page


def script_safe(text):
    return re.sub(r"</(script)", r"<\\/\1", text, flags=re.I).replace("<!--", "<\\!--")


def main():
    folder = sys.argv[1]

    def read(name, mode="r"):
        with open(f"{folder}/{name}", mode, **({} if "b" in mode else {"encoding": "utf-8"})) as f:
            return f.read()

    def write(name, text):
        with open(f"{folder}/{name}", "w", encoding="utf-8") as f:
            f.write(text)

    module = base64.b64encode(read("perceptron.wasm", "rb")).decode()
    write("perceptron.wasm.js", f'globalThis.PERCEPTRON_WASM="{module}";\n')
    page = read("index.html")
    style = read("style.css")
    if "</style" in style.lower():
        sys.exit("pack: style.css has </style in it")
    page = put(page, STYLE, f"<style>{style}</style>", "style.css")
    # At the end of the body, so that the page is there when the script runs.
    page = put(page, SCRIPT, "", "app.js")
    tail = (f'<script type="application/octet-stream" id="perceptron-wasm">{module}</script>\n'
            f'<script>{script_safe(read("app.js"))}</script>\n')
    page = put(page, r"</body>", tail + "</body>", "</body>")
    write("perceptron.html", page)


if __name__ == "__main__":
    main()
