#!/usr/bin/env python3
"""learn_kill.py TOOL [KILLS [SEED]] -- what `perceptron learn` has acknowledged is in the file.

A learner that saves after every few examples is killed (SIGKILL) at a random moment, again
and again; every tenth time in the middle of saving, for which it is stopped again and again
until there is a file half written. Where the kills fall depends on nothing else, so that a
busy machine sees the same of them as a quiet one. After each kill

    the model file, if there is one, can be read;
    it has learned from at least as many examples as were acknowledged;
    taught the remaining lines it becomes, byte for byte, the model of a run that was
    never interrupted.

SIGTERM and SIGINT must save, acknowledge and end with exit code 130. And a teacher who
waits for each answer before writing the next line must get it.
"""
import glob
import json
import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time

ROWS, FEATURES = 24, 3000
PATIENCE = 900  # seconds until what does not come is given up
LEARNERS = [
    ["-a", "averaged"],
    ["-a", "perceptron", "--multiclass", "native"],
    ["-a", "voted"],
    ["-a", "averaged", "--rule", "pa1", "--multiclass", "ovr"],
]


def make_lines(rng):
    """Rows whose labels and features come up one after the other."""
    lines = []
    for i in range(ROWS):
        label = rng.choice(["1", "-1"] if i < 10 else ["1", "-1", "2", "word"])
        at = sorted(rng.sample(range(1, 20 + FEATURES * (i + 1) // ROWS), 12))
        lines.append(label + "".join(f" {j}:{rng.uniform(-2, 2):.4f}" for j in at) + "\n")
    return lines


def fail(what):
    sys.exit(f"learn_kill: {what}")


class Learner:
    """A process of the tool. Standard output is read as it comes."""

    def __init__(self, tool, options):
        self.p = subprocess.Popen([tool, "learn"] + options, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        self.text = b""

    def write(self, lines):
        try:
            self.p.stdin.write("".join(lines).encode())
        except BrokenPipeError:
            pass

    def read(self, seconds):
        """Takes what is there, waiting for it so long; False at the end of the output."""
        if not select.select([self.p.stdout], [], [], seconds)[0]:
            return True
        piece = os.read(self.p.stdout.fileno(), 1 << 16)
        self.text += piece
        return piece != b""

    def rest(self):
        while self.read(PATIENCE):
            pass
        self.p.wait(PATIENCE)
        self.said = self.p.stderr.read().decode()
        for f in (self.p.stdin, self.p.stdout, self.p.stderr):
            f.close()
        return self.p.returncode

    def lines(self):
        """Those that came whole."""
        return self.text.decode().split("\n")[:-1]

    def acknowledged(self):
        acks = [int(s.split()[1]) for s in self.lines() if s.startswith("ack ")]
        return acks[-1] if acks else 0


def learn(tool, options, lines):
    """A run that is not interrupted."""
    p = subprocess.run([tool, "learn"] + options, input="".join(lines).encode(),
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE)
    if p.returncode != 0:
        fail(f"learn {options}: exit code {p.returncode}: {p.stderr.decode()}")


def examples_in(tool, path):
    p = subprocess.run([tool, "inspect", path, "--json"], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=PATIENCE)
    if p.returncode != 0:
        fail(f"the file cannot be read after a kill: {p.stderr.decode()}")
    return json.loads(p.stdout)["examples"]


def check(tool, options, lines, acknowledged, want):
    """The file after the end of a process, and what becomes of it. Returns its examples."""
    known = examples_in(tool, "m") if os.path.exists("m") else 0
    if not acknowledged <= known <= len(lines):
        fail(f"{acknowledged} examples were acknowledged, the file has {known}")
    if known > 0:
        learn(tool, ["m", "-q"], lines[known:])
    else:
        learn(tool, ["--new", "-o", "m", "-q"] + options, lines)
    with open("m", "rb") as f:
        if f.read() != want:
            fail(f"a model that went on from example {known} is another ({options})")
    os.remove("m")
    return known


def whole(tool, options, lines):
    """The model's bytes of a run that saves after each example."""
    learn(tool, ["--new", "-o", "m", "--every", "1"] + options, lines)
    with open("m", "rb") as f:
        want = f.read()
    os.remove("m")
    return want


def halves():
    """Files that are being written."""
    return glob.glob("m.perceptron-tmp-*")


def reach(p, lines, answers):
    """Shows it the lines, and waits until so many are answered."""
    p.write(lines)
    while len([s for s in p.lines() if not s.startswith("ack ")]) < answers and p.read(PATIENCE):
        pass


def caught_writing(p, rng, lines):
    """Shows the lines one by one and stops it after each for a look; whether a file was half
    written then. If so it stays stopped."""
    for line in lines:
        p.write([line])
        time.sleep(rng.uniform(0, 0.002))
        p.p.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, p.p.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        if halves():
            return True
        p.p.send_signal(signal.SIGCONT)
    return False


def begin_and_kill(tool, rng, options, lines, inside):
    """A process that is no more: killed inside a write, or anywhere."""
    while True:
        p = Learner(tool, ["--new", "-o", "m", "--every", str(rng.choice([1, 1, 1, 2, 7]))]
                    + options)
        if not inside:
            # Some it has answered, some are on their way, and the others it never sees.
            seen = rng.randrange(ROWS)
            reach(p, lines[:rng.randint(seen, ROWS)], seen)
            time.sleep(rng.choice([0, rng.uniform(0, 0.003)]))
        hit = not inside or caught_writing(p, rng, lines)
        p.p.send_signal(signal.SIGKILL)
        if p.rest() != -signal.SIGKILL:
            fail(f"exit code {p.p.returncode} in place of a kill: {p.said}")
        if hit:
            return p
        for name in ["m"] + halves():  # it was never seen writing: another try
            if os.path.exists(name):
                os.remove(name)


def kills(tool, rng, lines, wanted, count):
    """Kills at random moments; says how they fell."""
    early = middle = inside = 0
    for i in range(count):
        options, want = LEARNERS[i % len(LEARNERS)], wanted[i % len(LEARNERS)]
        p = begin_and_kill(tool, rng, options, lines, i % 10 == 9)
        left = halves()
        for name in left:
            os.remove(name)
        known = check(tool, options, lines, p.acknowledged(), want)
        early += known == 0
        middle += 0 < known < len(lines)
        inside += left != []
    print(f"{count} kills: {early} before the first save, {middle} between examples, "
          f"{inside} of all inside a write")
    if inside < count // 10:
        fail("the kills did not fall where they should")


def signals(tool, rng, lines, wanted):
    """Saved, acknowledged, 130; whether busy or waiting for a line."""
    for i in range(12):
        options, want = LEARNERS[i % 4], wanted[i % 4]
        p = Learner(tool, ["--new", "-o", "m", "--every", "10" if i % 2 else "1000"] + options)
        shown = rng.randrange(1, ROWS)
        p.write(lines[:shown])
        # Half of them when it waits; the others at any moment after the first answer, before
        # which it may not have begun to catch signals.
        enough = shown if i < 6 else 1
        while len([s for s in p.lines() if not s.startswith("ack ")]) < enough:
            p.read(PATIENCE)
        time.sleep(rng.uniform(0, 0.01))
        p.p.send_signal(signal.SIGTERM if i % 2 else signal.SIGINT)
        if p.rest() != 130:
            fail(f"exit code {p.p.returncode} after a signal: {p.said}")
        answers = len([s for s in p.lines() if not s.startswith("ack ")])
        if p.acknowledged() != answers or not p.lines()[-1].startswith("ack "):
            fail(f"{answers} answers, {p.acknowledged()} acknowledged after a signal")
        if check(tool, options, lines, answers, want) != answers:
            fail("a signal saved something else than it said")
    print("12 signals: each saved what it acknowledged")


def in_turns(tool, lines):
    """A line, its answer, the next line."""
    p = Learner(tool, ["--new", "-o", "m", "--every", "1000"])
    for i, line in enumerate(lines, 1):
        p.write([line])
        while len(p.lines()) < i:
            before = len(p.text)
            if not p.read(PATIENCE) or len(p.text) == before:
                fail(f"no answer to line {i}")
    p.p.stdin.close()
    if p.rest() != 0 or p.acknowledged() != len(lines):
        fail(f"in turns: exit code {p.p.returncode}: {p.said}")
    os.remove("m")
    print(f"{len(lines)} lines in turns: each was answered before the next")


def main():
    tool = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    lines = make_lines(rng)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        wanted = [whole(tool, options, lines) for options in LEARNERS]
        in_turns(tool, lines)
        signals(tool, rng, lines, wanted)
        kills(tool, rng, lines, wanted, count)
        os.chdir("/")


if __name__ == "__main__":
    main()
