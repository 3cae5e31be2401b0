#!/usr/bin/env python3
"""grow.py OUT HEADER... -- the public headers of a version to come.

Every struct gets a member more at its end, but for those that perceptron.h says will never
change. With these headers tests/grown/meson.build builds the library once more.
"""
import os
import re
import sys

out, headers = sys.argv[1], sys.argv[2:]
text = {os.path.basename(path): open(path, encoding="utf-8").read() for path in headers}
promise = re.search(r"These never\s+\*\s+change:(.*?)\*/", text["perceptron.h"], re.S)
fixed = set(re.findall(r"perc_\w+", promise.group(1)))

found = set()


def grow(match):
    found.add(match.group(2))
    return match.group(1) + ("" if match.group(2) in fixed else "    uint64_t grown[5];\n") + match.group(3)


for name, was in text.items():
    with open(os.path.join(out, name), "w", encoding="utf-8") as f:
        f.write(re.sub(r"(^typedef struct (perc_\w+) \{.*?)(^\} \2;)", grow, was, flags=re.M | re.S))
if fixed - found:
    sys.exit(f"grow: there is no struct {', '.join(sorted(fixed - found))}")
