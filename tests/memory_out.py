#!/usr/bin/env python3
"""memory_out.py TOOL SHIM [SAMPLES] -- memory that runs out in commands that use GMP, MPFR, FLINT or Clp.

Allocation number N fails, or all from N on, for several N (failmalloc.c). The tool then ends with an
exit code of its own, never by a signal; it says so where that is 4; and it leaves the file that it
was to write whole or not at all, and no other file."""
import os
import subprocess
import sys
import tempfile

TOOL, SHIM = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SAMPLES = int(sys.argv[3]) if len(sys.argv) > 3 else 6
COMMANDS = [  # without their output, and its name
    ("prove h.csv --margin --bound --hulls --threads 1 -q", "-o", "c.json"),
    ("prove m.csv --kernel poly --degree 2 --threads 1 -q", "-o", "c.json"),
    ("prove m.csv --kernel rbf --margin --threads 2 -q", "-o", "c.json"),
    ("train h.csv -a lp --threads 1 -q", "-o", "m.safetensors"),
    ("train m.csv -a svm --hard --threads 1 -q", "-o", "m.safetensors"),
    ("train gram.svm -a perceptron --kernel precomputed --check-kernel --epochs 3 --threads 1 -q", "-o", "m.safetensors"),
    ("report m.csv --threads 1 -q", "-o", "r.html"),
    ("gate a^b -q --table t.csv", "--proof", "p.json"),
]
DATA = ["h.csv", "m.csv", "gram.svm"]


def run(words, **settings):
    done = subprocess.run([TOOL] + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=dict(os.environ, LC_ALL="C", **settings))
    return done.returncode, done.stderr.decode(errors="replace")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def check(words, output, whole, allowed, **settings):
    code, said = run(words, LD_PRELOAD=SHIM, **settings)
    where = " ".join(words) + " " + str(settings)
    assert 0 <= code <= 5, f"{where}: exit status {code}: {said}"
    assert code != 4 or "memory" in said, f"{where}: says {said!r}"
    there = set(os.listdir("."))
    assert there <= allowed | {output}, f"{where}: leaves {there - allowed}"
    if output in there:
        assert read(output) == whole, f"{where}: another {output}"
        os.remove(output)
    elif code in (0, 1) and whole is not None:
        raise AssertionError(f"{where}: exit status {code} and no {output}")
    return code


def main():
    counts = {}
    os.chdir(tempfile.mkdtemp())
    run("generate halfspace --rows 40 --seed 3 -o h.csv".split())
    run("generate moons --rows 40 -o m.csv".split())
    with open("gram.svm", "w") as f:
        for i in range(6):
            f.write(str(i % 2) + "".join(f" {j + 1}:{(i + 1) * (j + 1) + (i == j)}" for j in range(6)) + "\n")
    for line, option, output in COMMANDS:
        words = line.split() + [option, output]
        code, said = run(words, LD_PRELOAD=SHIM, FAIL_COUNT="count")
        assert code in (0, 1), f"{line}: {code} {said}"
        made, whole = int(read("count")), read(output) if os.path.exists(output) else None
        for path in {"count", output} & set(os.listdir(".")):
            os.remove(path)
        allowed = set(DATA) | {"t.csv"}
        for k in range(SAMPLES):
            at = 1 + (made - 1) * (2 * k + 1) // (2 * SAMPLES)
            for more in ({}, {"FAIL_ALL": "1"}):
                code = check(words, output, whole, allowed, FAIL_AT=str(at + len(more)), **more)
                counts[code] = counts.get(code, 0) + 1
    print("exit statuses:", counts)


main()
