"""count.py STATUS BUILD... -- adds up what the test programs of the builds counted.

A cmocka program or a command-line run says how many checks it made; any other
program counts as one. A test that was skipped as a whole is named, with its reason.
Exits non-zero when something failed or nothing ran.
"""
import json
import os
import re
import sys

passed = failed = skipped = 0
for build in sys.argv[2:]:
    path = os.path.join(build, "meson-logs", "testlog.json")
    if not os.path.exists(path):  # Meson found no test to run
        print(f"{build}: no tests were run")
        failed += 1
        continue
    with open(path, encoding="utf-8") as log:
        for line in log:
            test = json.loads(line)
            text = (test.get("stdout") or "") + (test.get("stderr") or "")
            good = sum(int(n) for n in re.findall(r"\[  PASSED  \] (\d+) test", text))
            bad = sum(int(n) for n in re.findall(r"\[  FAILED  \] (\d+) test", text))
            skip = sum(int(n) for n in re.findall(r"\[  SKIPPED \] (\d+) test", text))
            for a, b, c in re.findall(r"(\d+) passed, (\d+) failed(?:, (\d+) skipped)?", text):
                good, bad, skip = good + int(a), bad + int(b), skip + int(c or 0)
            if test["result"] == "SKIP":
                good, bad, skip = 0, 0, 1
                print(f"{build}: {test['name']}: {(text.strip() or 'skipped').splitlines()[-1]}")
            elif test["result"] != "OK":
                bad = max(bad, 1)
            elif good == 0:
                good = 1
            passed, failed, skipped = passed + good, failed + bad, skipped + skip

print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or not passed or sys.argv[1] != "0" else 0)
