#!/usr/bin/env python3
"""registry.py TOOL -- nothing that can learn is left out anywhere.

Of every learner that `perceptron help algorithms` lists there is a page, the tables of
docs/algorithms are what the registry says, and one of the oracles is a reference of it. That
it is in the fault scenes and in the tests of the family is seen to there: they go through the
registry themselves.
"""
import glob
import importlib
import json
import os
import subprocess
import sys

TESTS = os.path.dirname(os.path.abspath(__file__))
PAGES = os.path.join(TESTS, "..", "docs", "algorithms")


def references():
    """The learners that the oracles say they are a reference of."""
    sys.path.insert(0, os.path.join(TESTS, "oracle"))
    names = [os.path.splitext(os.path.basename(p))[0]
             for p in sorted(glob.glob(os.path.join(TESTS, "oracle", "*_reference.py")))]
    return [learner for name in names
            for learner in getattr(importlib.import_module(name), "LEARNERS", [])]


def main():
    tool = os.path.abspath(sys.argv[1])
    shown = subprocess.run([tool, "help", "algorithms", "--json"], check=True,
                           stdout=subprocess.PIPE)
    learners = json.loads(shown.stdout)["algorithms"]
    known = references()
    missing = []
    for a in learners:
        if not os.path.exists(os.path.join(PAGES, a["page"] + ".md")):
            missing.append(f"{a['name']} has no page: docs/algorithms/{a['page']}.md")
        if a["name"] not in known:
            missing.append(f"{a['name']} has no reference in tests/oracle (rules/, or LEARNERS)")
    missing += [f"the oracles know {name}, which is no learner"
                for name in known if name not in [a["name"] for a in learners]]
    if missing or not learners:
        sys.exit("\n".join(missing) or "no learners")
    table = os.path.join(TESTS, "..", "scripts", "print-algorithms")
    sys.exit(subprocess.run([sys.executable, table, "--check", tool]).returncode)


if __name__ == "__main__":
    main()
