#!/usr/bin/env python3
"""pages.py TOOL [PAGE...] -- the pages in docs and docs/algorithms show what the tool prints.

In a ```console block a line that begins with "$ " is a command, lines with "> " go on with
it, and what follows is what it prints on both channels. A line "..." stands for lines that are
left out, of which there may be none. In a table whose second column is "command" each
`cell` of it is one too, and each `piece` of the third column is found in what it prints, blanks
aside. The commands of a page are run in order, in a folder of their own where nothing is but the
tests of this clone, as tests/.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs")


def cells_of(line):
    """The cells of a line of a table; none of another line."""
    cells = re.split(r"(?<!\\)\|", line) if line.startswith("|") else []
    return [s.replace("\\|", "|").strip() for s in cells[1:-1]]


def sessions(text):
    """Yields (line, command, what it shows: a list of lines, or a tuple of pieces)."""
    command, shown, begin, inside, table = None, [], 0, False, False
    for number, line in enumerate(text.split("\n"), 1):
        cells = cells_of(line)
        table = len(cells) == 3 and (table or cells[1] == "command")
        if table and not inside and cells[1].startswith("`"):
            yield number, cells[1].strip("`"), tuple(re.findall(r"`([^`]+)`", cells[2]))
        elif line.startswith("```"):
            if command is not None:
                yield begin, command, shown
            command, inside = None, line == "```console"
        elif inside and line.startswith("$ "):
            if command is not None:
                yield begin, command, shown
            command, shown, begin = line[2:], [], number
        elif inside and line.startswith("> ") and command is not None and not shown:
            command += "\n" + line[2:]
        elif inside and command is not None:
            shown.append(line)


def matches(shown, printed):
    """Whether the pieces are there, or the lines are those shown, which may leave some out."""
    if isinstance(shown, tuple):
        plain = " ".join(printed.split())
        return shown != () and all(" ".join(s.split()) in plain for s in shown)
    parts = [r"(?:.*\n)*?" if s == "..." else re.escape(s.rstrip()) + "\n" for s in shown]
    lines = "".join(s.rstrip() + "\n" for s in printed.split("\n")[:-1])
    return re.fullmatch("".join(parts), lines) is not None


def check(tool, path):
    """Runs a page; returns its number of commands."""
    with open(path, encoding="utf-8") as f:
        found = list(sessions(f.read()))
    environment = dict(os.environ, PATH=os.path.dirname(tool) + os.pathsep + os.environ["PATH"])
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.dirname(os.path.abspath(__file__)), os.path.join(folder, "tests"))
        for line, command, shown in found:
            p = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, timeout=900,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            printed = p.stdout.decode()
            if not matches(shown, printed):
                sys.exit(f"pages: {os.path.basename(path)}:{line}: $ {command}\n"
                         f"prints\n{printed}in place of\n" + "\n".join(shown))
    return len(found)


def main():
    tool = os.path.abspath(sys.argv[1])
    pages = sys.argv[2:] or sorted(glob.glob(os.path.join(DOCS, "**", "*.md"), recursive=True))
    count = sum(check(tool, page) for page in pages)
    if count == 0:
        sys.exit("pages: no commands found")
    print(f"{count} commands print what {len(pages)} pages show")


if __name__ == "__main__":
    main()
