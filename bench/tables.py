"""Reading tables of mixed columns, in turn with pandas.read_csv (C engine, its types given).

    tables.py TOOL FOLDER ROUNDS [SETS]

The table has 2,600,000 rows of 13 columns and a label, 198 MB: whole numbers, decimals of one to six places,
categories of 2 to 300 levels. Its rows are drawn from 20,000 different ones with a fixed seed. pandas
is measured without its start, and is told every type, categories included. Ours are whole commands.
"""
import os
import random
import subprocess

from common import FOLDER, ROUNDS, TOOL, Series, describe, run, table, verdict

TABLE = os.path.join(FOLDER, "mixed.csv")
BLOCKS = os.path.join(FOLDER, "mixed.blocks")
MODEL = os.path.join(FOLDER, "mixed.model")
ROWS = 2_600_000
HEADER = "age,fee,calls,hours,balance,ratio,temp,country,plan,city,app,active,signup_year,churned\n"

PANDAS = """
import sys, time
import pandas
whole, decimal, words = ("age calls active signup_year", "fee hours balance ratio temp",
                         "country plan city app churned")
types = {c: t for t, names in (("int64", whole), ("float64", decimal), ("category", words))
         for c in names.split()}
begin = time.perf_counter()
rows = pandas.read_csv(sys.argv[1], dtype=types, engine="c")
print(time.perf_counter() - begin)
"""


def mixed_row(r):
    yes = "yes" if r.random() < 0.1 else "no"
    return (f"{r.randrange(18, 90)},{r.uniform(5, 99):.2f},{r.randrange(400)},{r.uniform(0, 300):.1f},"
            f"{r.gauss(500, 800):.2f},{r.random():.6f},{r.gauss(0, 10):.3f},country{r.randrange(20)},"
            f"{r.choice(['basic', 'plus', 'premium', 'family'])},city{r.randrange(300):03},"
            f"{r.choice(['yes', 'no'])},{r.randrange(2)},{r.randrange(2001, 2026)},{yes}\n")


def make_table():
    if os.path.exists(TABLE):
        return
    r = random.Random(5)
    rows = [mixed_row(r) for _ in range(20_000)]
    with open(TABLE + ".part", "w", encoding="ascii") as f:
        f.write(HEADER)
        for _ in range(ROWS // 10_000):
            f.write("".join(r.choices(rows, k=10_000)))
    os.rename(TABLE + ".part", TABLE)


def measure_round(s):
    _, _, seconds = run("/usr/bin/python3", "-c", PANDAS, TABLE)
    s.add("pandas.read_csv, types given, without its start", float(seconds))
    for threads in ("1", "2"):
        seconds, memory, _ = run(TOOL, "convert", TABLE, BLOCKS, "--threads", threads, "-q")
        s.add(f"convert to a block file, {threads} threads", seconds, memory)
    seconds, memory, _ = run(TOOL, "train", TABLE, "-a", "perceptron", "--epochs", "1", "-q", "-o", MODEL)
    s.add("train, 1 epoch", seconds, memory)
    seconds, memory, _ = run(TOOL, "predict", MODEL, TABLE, "-q", "-o", os.path.join(FOLDER, "mixed.out"))
    s.add("predict", seconds, memory)


def main():
    describe()
    version = subprocess.run(["/usr/bin/python3", "-c", "import pandas; print(pandas.__version__)"],
                             capture_output=True, text=True, check=True).stdout.strip()
    make_table()
    s = Series()
    for _ in range(ROUNDS):
        measure_round(s)
    size = os.path.getsize(TABLE)
    print(f"pandas {version}; {size / 1e6:.0f} MB, {ROWS:,} rows")
    table(s, lambda _: size)
    verdict("reading a table, 2 threads, over pandas.read_csv",
            s.ratio("pandas.read_csv, types given, without its start", "convert to a block file, 2 threads"), 4)


if __name__ == "__main__":
    main()
