#!/usr/bin/env python3
"""crash.py TOOL RECORDER ACCEPT -- what a power cut leaves behind.

`learn`, `train --checkpoint`, `convert` and `split` run once each with RECORDER (record.c) in front of
their file calls. Its log is cut after every operation, and for each cut the disks that the
operations before it may have left are made, as ALICE does (Pillai et al., OSDI 2014):

    data       of what was written and not synced any 512 bytes (in long files 4096) may be
               there or not, whatever the order; the file may be as long as what is there or as it
               was to become, and what is missing is zeros, or what an older result had there
    names      what was created, renamed and removed without a sync of the folder afterwards may
               have happened or not: first to last (as journals do it), or any subset, and then even
               half of a rename; the sync of a file does nothing for its name

All subsets are tried of up to MOST things; of more, each beginning, each one missing, each one
alone, and RANDOM others with a fixed seed; of the contents of several files together COMBINED. On
every disk

    a file under the name of a result is the old one or a whole new one, byte for byte;
    what was acknowledged, reported, or followed by the next save, is in it;
    nothing that is half written is accepted by the readers;
    the command goes on from there to the bytes of a run that was never interrupted (a sample).

Then the same logs with an error planted (PLANTS), which must be found on some disk.
"""
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

TOOL, RECORDER, ACCEPT = (os.path.abspath(p) for p in sys.argv[1:4])
MOST, RANDOM, COMBINED, SAMPLE = 8, 48, 5000, 10
LINES = ["1 1:1 2:2\n", "-1 1:-1 3:0.5\n", "1 2:0.25\n", "2 1:3 4:1\n", "-1 2:-2 4:1\n",
         "1 1:1 3:1 5:-2\n"]


class Wrong(Exception):
    pass


def run(words, folder, text="", log=None):
    env = dict(os.environ, LC_ALL="C")
    if log is not None:
        env.update(LD_PRELOAD=RECORDER, CRASH_LOG=log)
    p = subprocess.run([TOOL, *words], cwd=folder, input=text.encode(), env=env, timeout=600,
                       capture_output=True)
    if p.returncode != 0:
        raise Wrong(f"{' '.join(words)}: exit {p.returncode}: {p.stderr.decode()}")


def files_in(folder):
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if not os.path.islink(path):
                with open(path, "rb") as f:
                    found[os.path.relpath(path, folder)] = f.read()
    return found


# ----- the log ---------------------------------------------------------------------------------

def name_in(text):
    return os.path.normpath(bytes.fromhex(text).decode())


def parse(log, before):
    """Operations on numbered files: (kind, ...). Files that were there have the first numbers."""
    names = {path: i for i, path in enumerate(before)}
    count, open_, ops = len(names), {}, []
    with open(log) as f:
        lines = [line.rstrip("\n").split(" ") for line in f]
    for kind, *rest in lines:
        if kind == "open":
            fd, flags, path = int(rest[0]), rest[1], name_in(rest[2])
            if "folder" in flags:
                open_[fd] = ("folder", path, 0)
                continue
            if path not in names and "create" in flags:
                names[path], count = count, count + 1
                ops.append(("name", path, names[path]))
            if path not in names:
                continue  # /dev/null
            if "truncate" in flags:
                ops.append(("size", names[path], 0))
            open_[fd] = ("file", names[path], 0)
        elif kind == "write" and int(rest[0]) in (1, 2):
            ops.append(("say", bytes.fromhex(rest[2]).decode()))
        elif kind == "write":
            data = bytes.fromhex(rest[2])
            _, file, end = open_[int(rest[0])]  # a KeyError: the recorder missed how it was opened
            at = int(rest[1]) if rest[1] != "-1" else end
            open_[int(rest[0])] = ("file", file, at + len(data))
            ops.append(("data", file, at, data))
        elif kind == "size":
            ops.append(("size", open_[int(rest[0])][1], int(rest[1])))
        elif kind == "sync":
            what, which, _ = open_[int(rest[0])]
            ops.append(("sync " + what, which))
        elif kind == "close":
            open_.pop(int(rest[0]), None)
        elif kind == "unlink":
            path = name_in(rest[0])
            del names[path]
            ops.append(("name", path, None))
        else:
            a, b = name_in(rest[0]), name_in(rest[1])
            names[b] = names[a]
            ops.append(("name", b, names[b]))
            if kind == "rename":
                del names[a]
                ops.append(("gone", a, None))  # the other half of the rename
    return ops


def apply(content, op):
    if op[0] == "size":
        return content[:op[2]].ljust(op[2], b"\0")
    _, _, at, data = op
    return content[:at].ljust(at, b"\0") + data + content[at + len(data):]


def everything(ops, before):
    """The files after all operations, and the contents that each name was given in turn."""
    content, names, versions = dict(enumerate(before.values())), dict(zip(before, itertools.count())), {}
    for op in ops:
        if op[0] in ("data", "size"):
            content[op[1]] = apply(content.get(op[1], b""), op)
        elif op[0] in ("name", "gone"):
            names[op[1]] = op[2]
            if op[2] is not None:
                versions.setdefault(op[1], []).append((op[2], content.get(op[2], b"")))
    return {n: content.get(i, b"") for n, i in names.items() if i is not None}, versions


# ----- the disks -------------------------------------------------------------------------------

def subsets(n, rng):
    """Of range(n): all, or families."""
    if n <= MOST:
        for bits in range(1 << n):
            yield [i for i in range(n) if bits >> i & 1]
        return
    for i in range(n + 1):
        yield list(range(i))
    for i in range(n):
        yield [j for j in range(n) if j != i]
        yield [i]
    for _ in range(RANDOM):
        yield [i for i in range(n) if rng.random() < 0.5]


def sectors(op, size):
    """A write in pieces that the disk writes whole."""
    if op[0] == "size":
        return [op]
    _, file, at, data = op
    ends = [at] + [e for e in range(at // size * size + size, at + len(data), size)] + [at + len(data)]
    return [("data", file, a, data[a - at:b - at]) for a, b in zip(ends, ends[1:])]


def contents(safe, pending, stale, rng):
    """What a file may hold. `stale` is what the disk had before where nothing was written."""
    length = max([len(safe)] + [op[2] + len(op[3]) for op in pending if op[0] == "data"])
    units = [u for op in pending for u in sectors(op, 512 if length <= 8192 else 4096)]
    found = set()
    for chosen in subsets(len(units), rng):
        for fill in {b"", stale}:
            content = safe
            end = max([len(safe)] + [units[i][2] + len(units[i][3]) for i in chosen if units[i][0] == "data"])
            for size in {end, length}:
                content = safe + fill[len(safe):size].ljust(max(0, size - len(safe)), b"\0")
                for i in chosen:
                    content = apply(content, units[i])
                found.add(content)
    return found


def namings(safe, pending, rng):
    """The names that may be there: in order, or any subset."""
    chosen = [list(range(k)) for k in range(len(pending) + 1)] + list(subsets(len(pending), rng))
    found = set()
    for some in chosen:
        names = dict(safe)
        for i in some:
            names[pending[i][1]] = pending[i][2]
        found.add(frozenset((n, i) for n, i in names.items() if i is not None))
    return found


def disks(ops, before, stale):
    """Yields (operations done, {name: content}) for every cut and every disk."""
    rng = random.Random(1)
    safe = dict(enumerate(before.values()))
    names = dict(zip(before, itertools.count()))
    pending, pending_names, may = {}, [], {}
    for done, op in enumerate([("start",)] + ops):
        if op[0] in ("data", "size"):
            pending.setdefault(op[1], []).append(op)
            may.pop(op[1], None)
        elif op[0] in ("name", "gone"):
            pending_names.append(op)
        elif op[0] == "sync file":
            for old in pending.pop(op[1], []):
                safe[op[1]] = apply(safe.get(op[1], b""), old)
            may.pop(op[1], None)
        elif op[0] == "sync folder":
            for old in pending_names:
                if os.path.normpath(os.path.dirname(old[1]) or ".") == op[1]:
                    names[old[1]] = old[2]
            pending_names = [x for x in pending_names if os.path.normpath(os.path.dirname(x[1]) or ".") != op[1]]
        for naming in namings(names, pending_names, rng):
            for _, i in naming:
                if i not in may:
                    may[i] = contents(safe.get(i, b""), pending.get(i, []), stale, rng) \
                        if i in pending else {safe.get(i, b"")}
            ways = [may[i] for _, i in naming]
            for choice in itertools.islice(itertools.product(*ways), COMBINED):
                yield done, dict(zip((n for n, _ in naming), choice))


# ----- what must hold --------------------------------------------------------------------------

class Scene:
    """A command, its results, and what is promised of them."""

    def __init__(self, name, words, results, before=None, text=""):
        self.name, self.words, self.results, self.text = name, words, results, text
        self.make = before or (lambda folder: None)

    def record(self, base):
        folder, log = os.path.join(base, self.name), os.path.join(base, self.name + ".log")
        os.makedirs(os.path.join(folder, "sub"))
        self.make(folder)
        self.before = files_in(folder)
        run(self.words, folder, self.text, log)
        self.ops = parse(log, self.before)
        self.after = files_in(folder)
        made, given = everything(self.ops, self.before)
        if made != self.after:
            raise Wrong(f"{self.name}: the log, replayed, gives other files: {sorted(made)}, {sorted(self.after)}")
        # What each result has been, oldest first.
        self.versions = {r: [(None, self.before.get(r))] + given.get(r, []) for r in self.results}
        for r in self.results:
            if len(self.versions[r]) < 2:
                raise Wrong(f"{self.name}: {r} was never written")
        self.stale = max([c for v in self.versions.values() for _, c in v[:-1] if c] or [b""], key=len)
        self.halves, self.examples = set(), {}

    def least(self, ops, done):
        """For each result the number of the oldest version that may be there."""
        least = dict.fromkeys(self.results, 0)
        for op in ops[:done]:
            for r in self.results:
                v = self.versions[r]
                if op[0] == "name" and op[1] != r:  # a new file, begun after the one before it was saved
                    least[r] = max([least[r]] + [i - 1 for i in range(1, len(v)) if v[i][0] == op[2]])
                elif op[0] == "say":
                    for n in re.findall(r"^ack (\d+) ", op[1], re.M):
                        enough = [i for i in range(1, len(v)) if self.examples[v[i][1]] >= int(n)]
                        if not enough:
                            raise Wrong(f"{self.name}: {n} examples are acknowledged, and never saved")
                        least[r] = max(least[r], enough[0])
                    if re.search(rf"^model +{re.escape(r)}$", op[1], re.M):
                        least[r] = len(v) - 1
        if done == len(ops):
            least = {r: len(self.versions[r]) - 1 for r in self.results}
        return least

    def check(self, ops, keep=False):
        """Looks at all disks; returns their number, those that differ, and the first wrong thing."""
        seen, count, wrong, last, least = set(), 0, None, -1, {}
        for done, disk in disks(ops, self.before, self.stale):
            count += 1
            if done != last:
                last, least = done, self.least(ops, done)
            key = hash((tuple(sorted(disk.items())), tuple(least.values())))
            if key in seen:
                continue
            seen.add(key)
            for r in self.results:
                fits = [i for i, (_, c) in enumerate(self.versions[r]) if c == disk.get(r)]
                if not fits:
                    what = "is gone" if r not in disk else "is half a file"
                    wrong = wrong or f"after operation {done} {r} {what}"
                elif fits[-1] < least[r]:
                    wrong = wrong or f"after operation {done} {r} is version {fits[-1]}, {least[r]} was promised"
            if keep:
                whole = {c for v in self.versions.values() for _, c in v} | set(self.before.values())
                self.halves.update(c for c in disk.values() if c not in whole)
                self.kept.append(disk)
        return count, len(seen), wrong


# The errors that are planted: what becomes of the operations.

def without(kind):
    return lambda ops: [op for op in ops if op[0] != kind]


def ack_first(ops):
    """What is said after a save comes before it."""
    out = []
    for op in ops:
        if op[0] == "say" and op[1].startswith(("ack ", "model ", "data ")):
            at = max(i for i, x in enumerate(out) if x[0] == "data")
            out.insert(at, op)
        else:
            out.append(op)
    return out


def rename_first(ops):
    """A file gets its name before it is written."""
    out = []
    for op in ops:
        begun = [i for i, x in enumerate(out) if x[0] == "data" and x[1] == op[2]] if op[0] == "name" else []
        out.insert(begun[0] if begun else len(out), op)
    return out


PLANTS = {"no sync of the file": without("sync file"), "no sync of the folder": without("sync folder"),
          "acknowledged before it is saved": ack_first, "renamed before it is written": rename_first}


# ----- the scenes ------------------------------------------------------------------------------

def write(folder, name, text):
    with open(os.path.join(folder, name), "w") as f:
        f.write(text)


def taught(name, n):
    return lambda folder: run(["learn", "--new", "-o", name, "-q"], folder, "".join(LINES[:n]))


def linked(folder):
    taught("sub/m", 2)(folder)
    os.symlink("sub/m", os.path.join(folder, "m"))


def rows(folder, n=40):
    rng = random.Random(2)
    write(folder, "d.svm", "".join(f"{rng.choice([-1, 1])} " + " ".join(
        f"{j}:{rng.uniform(-1, 1):.3f}" for j in range(1, 6)) + "\n" for _ in range(n)))


def rows_and(name, text, n=40):
    def make(folder):
        rows(folder, n)
        write(folder, name, text)
    return make


def blocks(folder):
    """Of other rows than those that they are to be replaced by."""
    rows(folder, 50)
    run(["convert", "d.svm", "d.blocks", "-q"], folder)
    rows(folder, 60)


TRAIN = ["train", "d.svm", "--epochs", "3", "-o", "m"]
SCENES = [
    Scene("learn-new", ["learn", "--new", "-o", "m", "--every", "1"], ["m"], None, "".join(LINES)),
    Scene("learn-on", ["learn", "m", "--every", "2"], ["m"], taught("m", 1), "".join(LINES[1:])),
    Scene("learn-elsewhere", ["learn", "m", "-o", "sub/n", "--every", "2"], ["sub/n"], taught("m", 2),
          "".join(LINES[2:])),
    Scene("learn-link", ["learn", "m", "--every", "2"], ["sub/m"], linked, "".join(LINES[2:])),
    Scene("learn-voted", ["learn", "--new", "-a", "voted", "-o", "m", "--every", "3"], ["m"], None, "".join(LINES)),
    Scene("train", TRAIN + ["--checkpoint", "c"], ["c", "m"], rows_and("c", "not a model\n")),
    Scene("train-one-file", TRAIN + ["--checkpoint", "m"], ["m"], rows),
    Scene("train-kernel", TRAIN + ["--kernel", "rbf", "-a", "perceptron", "--checkpoint", "sub/c", "--every", "2"],
          ["sub/c", "m"], rows),
    Scene("convert-csv", ["convert", "d.svm", "d.csv"], ["d.csv"], rows_and("d.csv", "x,y\n1,2\n", 2000)),
    Scene("convert-blocks", ["convert", "d.svm", "d.blocks"], ["d.blocks"], blocks),
    Scene("split", ["split", "d.svm", "-o", "a.svm", "sub/b.svm"], ["a.svm", "sub/b.svm"],
          rows_and("a.svm", "1 1:1\n-1 1:2\n", 60)),
]


def accepted(paths):
    p = subprocess.run([ACCEPT], input="".join(x + "\n" for x in paths).encode(), capture_output=True,
                       timeout=600, check=True)
    return [None if x == "no" else int(x) for x in p.stdout.decode().split("\n")[:-1]]


def lay_out(folder, disk):
    os.makedirs(os.path.join(folder, "sub"))
    for name, content in disk.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(content)


def judge_contents(scene, base):
    """What the readers say of whole and of half files."""
    folder = os.path.join(base, scene.name + ".contents")
    os.makedirs(folder)
    end = ".blocks" if scene.words[0] == "convert" else ".model"
    whole = [c for v in scene.versions.values() for _, c in v[1:]]
    paths = []
    for i, content in enumerate(whole + sorted(scene.halves)):
        paths.append(os.path.join(folder, f"{i}{end}"))
        with open(paths[-1], "wb") as f:
            f.write(content)
    counts = accepted(paths)
    for n, content in zip(counts, whole):
        if n is None:
            raise Wrong(f"{scene.name}: a whole file is refused")
        scene.examples[content] = n
    return [n for n in counts[len(whole):] if n is not None], len(counts) - len(whole)


def go_on(scene, disk, base, number):
    """The command again, on that disk; learn gets the lines that it has not learned from."""
    folder = os.path.join(base, f"{scene.name}.again{number}")
    lay_out(folder, disk)
    words, text = list(scene.words), scene.text
    if scene.name == "learn-link":
        os.symlink("sub/m", os.path.join(folder, "m"))
    if words[0] == "learn" and scene.results[0] in disk:
        known = scene.examples.get(disk[scene.results[0]])
        if known is not None:
            text = "".join(LINES[known:])
            words = ["learn", scene.results[0], "-o", scene.results[0]]
    run(words, folder, text)
    for r in scene.results:
        with open(os.path.join(folder, r), "rb") as f:
            if f.read() != scene.after[r]:
                raise Wrong(f"{scene.name}: gone on after a power cut, {r} has other bytes")


def learned_alone(scene, base):
    """Each version of a model that learns is that of a run over so many lines and no more."""
    for n in sorted(set(scene.examples.values())) if scene.words[0] == "learn" else []:
        folder = os.path.join(base, f"{scene.name}.alone{n}")
        os.makedirs(folder)
        words = ["learn", "--new", "-o", "m"] + (["-a", "voted"] if "voted" in scene.words else [])
        run(words, folder, "".join(LINES[:n]))
        if scene.examples.get(files_in(folder)["m"]) != n:
            raise Wrong(f"{scene.name}: the model saved after {n} examples is another")


def resumed(scene, base):
    """Training that goes on from a checkpoint ends with the model of a run that had no break."""
    for i, (_, content) in enumerate(scene.versions[scene.results[0]][1:-1] if scene.words[0] == "train" else []):
        folder = os.path.join(base, f"{scene.name}.resumed{i}")
        lay_out(folder, {"d.svm": scene.before["d.svm"], "c": content})
        run(["train", "d.svm", "--resume", "c", "--epochs", "3", "-o", "m"], folder)
        if files_in(folder)["m"] != scene.after["m"]:
            raise Wrong(f"{scene.name}: resumed from checkpoint {i + 1} it becomes another model")


def main():
    total = different = halves = again = caught = 0
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # where a sync costs nothing
    with tempfile.TemporaryDirectory(prefix="perceptron-crash", dir=memory) as base:
        for scene in SCENES:
            scene.record(base)
            text = scene.results[0].endswith((".csv", ".svm"))  # half a text is a text: only its name protects it
            scene.kept = []
            if not text:
                judge_contents(scene, base + "/whole")
            count, seen, wrong = scene.check(scene.ops, keep=True)
            if wrong:
                raise Wrong(f"{scene.name}: {wrong}")
            if not text:
                taken, asked = judge_contents(scene, base)
                halves += asked
                if taken:
                    raise Wrong(f"{scene.name}: {len(taken)} of {asked} half files are accepted")
                learned_alone(scene, base)
                resumed(scene, base)
            for i, disk in enumerate(random.Random(3).sample(scene.kept, min(SAMPLE, len(scene.kept)))):
                go_on(scene, disk, base, i)
                again += 1
            total, different = total + count, different + seen
            for plant, change in PLANTS.items():
                if change(scene.ops) == scene.ops:
                    continue  # convert says nothing on standard output
                if scene.check(change(scene.ops))[2] is None:
                    raise Wrong(f"{scene.name}: {plant}: nobody noticed")
                caught += 1
            print(f"{scene.name}: {len(scene.ops)} operations, {count} disks, {seen} of them different")
    print(f"{total} disks after a power cut, {different} different; {halves} half files refused; "
          f"{again} runs went on; {caught} planted errors found")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"crash: {wrong}")
