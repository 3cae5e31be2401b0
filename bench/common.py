"""What the parts of the benchmark share: commands, measurements, tables.

Every figure is the median over the rounds; a ratio compares medians of the same run.
"""
import json
import lzma
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time

TOOL, FOLDER, ROUNDS = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
SETS = sys.argv[4] if len(sys.argv) > 4 else None  # a folder of public sets


def run(*command):
    """Wall seconds, peak memory in MB and standard output of a command."""
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - begin
    if child.returncode != 0:
        sys.exit(f"bench: failed with {child.returncode}: {' '.join(command)}")
    return seconds, usage.ru_maxrss / 1024, out


class Series:
    """Named measurements, one list each."""

    def __init__(self):
        self.seconds, self.memory = {}, {}

    def add(self, name, seconds, memory=None):
        self.seconds.setdefault(name, []).append(seconds)
        if memory is not None:
            self.memory.setdefault(name, []).append(memory)

    def time(self, name):
        return statistics.median(self.seconds[name])

    def peak(self, name):
        return statistics.median(self.memory[name])

    def ratio(self, slow, fast):
        return self.time(slow) / self.time(fast)


def train(path, *options):
    seconds, memory, out = run(TOOL, "train", path, "--json", "-q", *options)
    return seconds, memory, json.loads(out)


def find(name):
    """A public set as plain text, unpacked into FOLDER where it is compressed; None: not there."""
    path = os.path.join(SETS, name) if SETS else ""
    if os.path.exists(path):
        return path
    if not os.path.exists(path + ".xz"):
        return None
    plain = os.path.join(FOLDER, name + ".svm")
    if not os.path.exists(plain):
        with lzma.open(path + ".xz") as f, open(plain + ".part", "wb") as out:
            shutil.copyfileobj(f, out)
        os.rename(plain + ".part", plain)
    return plain


def scaled(path, by):
    """A copy with every value divided, for a peer that cannot do it itself."""
    copy = path + ".scaled"
    if not os.path.exists(copy):
        with open(path, encoding="ascii") as f, open(copy + ".part", "w", encoding="ascii") as out:
            for line in f:
                label, *pairs = line.split()
                cells = [p.split(":") for p in pairs]
                out.write(" ".join([label] + [f"{j}:{float(v) / by:.8g}" for j, v in cells]) + "\n")
        os.rename(copy + ".part", copy)
    return copy


def table(s, size=None):
    """`size`: bytes of the data of a measurement, by its name; None: of no interest."""
    width = max(len(name) for name in s.seconds)
    print(f"\n{'':{width}}  seconds     range        MB/s  peak MB")
    for name, values in s.seconds.items():
        bytes_read = size(name) if size else None
        rate = f"{bytes_read / s.time(name) / 1e6:9.0f}" if bytes_read else ""
        peak = f"{s.peak(name):9.0f}" if name in s.memory else ""
        print(f"{name:{width}}  {s.time(name):7.4f}  {min(values):.3f}-{max(values):.3f} {rate:>9}{peak:>9}")


def verdict(what, value, bar, low=True):
    good = value >= bar if low else value <= bar
    sign = ">=" if low else "<="
    print(f"{'ok  ' if good else 'MISS'}  {what:66} {value:9.2f}   (wanted {sign} {bar})")


def describe():
    cpu = "unknown"
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        for line in f:
            if line.startswith("model name"):
                cpu = line.split(":")[1].strip()
                break
    # In a process of its own: what this one has in memory counts in its children's peak.
    sklearn = subprocess.run(["/usr/bin/python3", "-c", "import sklearn; print(sklearn.__version__)"],
                             capture_output=True, text=True, check=True).stdout.strip()
    version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "liblinear-tools"],
                             capture_output=True, text=True, check=False).stdout
    print(f"{cpu}, {os.cpu_count()} cores, {platform.system()}; {platform.python_compiler()}; "
          f"liblinear {version}, scikit-learn {sklearn}; "
          f"load average {os.getloadavg()[0]:.1f}; medians of {ROUNDS}")
