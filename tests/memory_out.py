#!/usr/bin/env python3
"""memory_out.py TOOL SHIM [SAMPLES [counted]] -- memory that runs out in the tool, and in GMP, MPFR, FLINT and Clp.

Of commands that use these, allocation number N fails, or all from N on, for several N (failmalloc.c);
of every command all that one place of the code asks for, for each place. The tool then ends with an
exit code of its own, never by a signal; it says so where that is 4, and says all of it where it is
that of a run with memory; and it leaves the file that it was to write whole or not at all, and no other
file."""
import os
import resource
import subprocess
import sys
import tempfile

TOOL, SHIM = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SAMPLES = int(sys.argv[3]) if len(sys.argv) > 3 else 6
COUNTED = len(sys.argv) > 4  # by gcov, whose memory is asked for by the tool, and must be there
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
EVERY = [  # by place: each command, and what of it allocates by itself
    ("demo", None),
    ("help train all", None),
    ("convert m.csv - --to csv", None),
    ("generate moons --rows 9", None),
    ("gate a^b -q --table t.csv --proof q.json", "-o g"),
    ("gate s'=a|s&!r;out=s --initial s=1 --input a=01,r=10", None),
    ("gate --neuron 1,1:2", None),
    ("inspect lin", None),
    ("inspect rbf", None),
    ("inspect g.m", None),
    ("test lin m.csv", None),
    ("predict lin m.csv --margins --projection", None),
    ("predict cal m.csv --proba --json", "-o o"),
    ("prove h.csv --margin --bound --hulls", "-o c"),
    ("prove touch.csv", None),
    ("verify p.json h.csv", None),
    ("trace :and --epochs 2", None),
    ("train m.csv --json --epochs 2", "-o m"),
    ("train m.csv --folds 2 --epochs 2", "-o m"),
    ("train m.csv --search rate=1,2 --holdout 0.3 --epochs 2", "-o m"),
    ("train m.csv --learning-curve --folds 2 --epochs 2 --calibrate", "-o m"),
    ("plot m.csv --orders 2 --epochs 5", "-o p.svg --picture orders"),
    ("plot lin m.csv", None),
    ("report :xor --compare perceptron,averaged --epochs 5", "-o r.html"),
    ("learn lin -q < m.csv", "-o l"),
]
UNTHREADED = ["help", "gate", "learn"]
DATA = ["h.csv", "m.csv", "gram.svm", "lin", "rbf", "cal", "g.m", "p.json", "touch.csv"]


def run(words, stdin="/dev/null", **settings):
    done = subprocess.run([TOOL] + words, stdin=open(stdin, "rb"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=dict(os.environ, LC_ALL="C", **settings))
    return done.returncode, done.stderr.decode(errors="replace"), done.stdout.count(b"\n")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def check(words, output, whole, allowed, **settings):
    code, said, lines = run(words, LD_PRELOAD=SHIM, **settings)
    where = " ".join(words) + " " + str(settings)
    assert 0 <= code <= 5 or (COUNTED and code < 0), f"{where}: exit status {code}: {said}"
    assert code != 4 or "memory" in said, f"{where}: says {said!r}"
    there = set(os.listdir("."))
    assert there <= allowed | {output}, f"{where}: leaves {there - allowed}"
    if output in there:
        assert read(output) == whole, f"{where}: another {output}"
        os.remove(output)
    elif code in (0, 1) and whole is not None:
        raise AssertionError(f"{where}: exit status {code} and no {output}")
    return code


def by_place(line, output, counts):
    line, _, stdin = line.partition(" < ")
    words = line.split() + (["--threads=1"] if line.split()[0] not in UNTHREADED else [])
    name = output.split()[1] if output else None
    words += output.split() if output else []
    mine = {name, "t.csv", "q.json"}
    settings = {"LD_PRELOAD": SHIM, "stdin": stdin or "/dev/null"}
    code, said, lines = run(words, FAIL_SITE="0", FAIL_COUNT="count", **settings)
    assert code in (0, 1), f"{line}: {code} {said}"
    status, all_lines = code, lines
    places = int(read("count").split()[1])
    whole = read(name) if name else None
    os.remove("count")
    for path in mine & set(os.listdir(".")):
        os.remove(path)
    there = set(os.listdir("."))
    for site in range(1, places + 1):
        code, said, lines = run(words, FAIL_SITE=str(site), **settings)
        where = f"{line}, place {site}"
        assert code in (status, 4) or (COUNTED and code < 0), f"{where}: exit status {code}: {said}"
        assert code != 4 or "memory" in said, f"{where}: says {said!r}"
        assert code != status or lines == all_lines, f"{where}: says {lines} lines instead of {all_lines}"
        left = set(os.listdir(".")) - there
        assert left <= mine, f"{where}: leaves {left}"
        for path in left:
            # a learner saves what it has learned so far
            assert path != name or line.startswith("learn") or read(path) == whole, f"{where}: another {path}"
            os.remove(path)
        counts[code] = counts.get(code, 0) + 1


def far_index():
    """An index asks for weights that the memory allowed does not hold, and is told what they take."""
    with open("far.svm", "w") as f:
        f.write("1 1:1\n-1 2147483647:1\n")
    done = subprocess.run([TOOL, "train", "far.svm", "-q", "-o", "far"], stderr=subprocess.PIPE, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30)))
    assert done.returncode == 4, done
    assert "2147483648 columns need 34.4 GB for their weights (pass --hash BITS" in done.stderr, done
    assert not os.path.exists("far")
    os.remove("far.svm")


def main():
    counts = {}
    os.chdir(tempfile.mkdtemp())
    far_index()
    run("generate halfspace --rows 40 --seed 3 -o h.csv".split())
    run("generate moons --rows 40 -o m.csv".split())
    with open("gram.svm", "w") as f:
        for i in range(6):
            f.write(str(i % 2) + "".join(f" {j + 1}:{(i + 1) * (j + 1) + (i == j)}" for j in range(6)) + "\n")
    with open("touch.csv", "w") as f:
        f.write("x,y,class\n0,1,a\n0,1,b\n1,1,a\n-1,2,b\n")
    run("train m.csv -q --epochs 3 -o lin".split())
    run("train m.csv -q --epochs 3 --kernel rbf -o rbf".split())
    run("train m.csv -q --epochs 3 --calibrate -o cal".split())
    run("gate a^b -q -o g.m".split())
    run("prove h.csv -q -o p.json".split())
    for line, output in EVERY:
        by_place(line, output, counts)
    print("exit statuses, by place:", counts)
    counts = {}
    for line, option, output in COMMANDS:
        words = line.split() + [option, output]
        code, said, lines = run(words, LD_PRELOAD=SHIM, FAIL_COUNT="count")
        assert code in (0, 1), f"{line}: {code} {said}"
        made, whole = int(read("count").split()[0]), read(output) if os.path.exists(output) else None
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
