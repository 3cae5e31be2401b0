#!/usr/bin/env python3
"""json_documents.py TOOL -- docs/json.md says every key that --json prints, and no other.

Runs each command in many ways, and walks every document. A page's section is a command, or an object
that several documents share; a row of its table is a key: a path from the section's object, `[]`
standing for the elements of a list and `*` for keys that data or options name. A `?` behind it: not
in every document. Fails where a key is not on the page, has another type, is missing where it has
to be, or is on the page and never seen.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "json.md")

FILES = {
    "tree.csv": "x,colour,y\n1,red,a\n2,blue,b\n3,red,a\n4,green,b\n2.5,blue,a\n0,red,b\n",
    "levels.csv": "c,x,y\nred,1,a\nblue,2,b\n,3,a\nred,4,b\n",
    "levels": "c: category fill=frequent reference=first\n",
    "gaps.csv": "id,day,x,y\n" + "".join(f"C{i},2024-01-0{1 + i % 9},{'' if i == 3 else i},{i % 2}\n" for i in range(30)),
    "three.csv": "x,w,y\n1,1,a\n2,0,b\n3,2,b\n4,1,c\n5,1,a\n6,1,c\n7,1,b\n",
    "touching.svm": "b 1:0 2:0\na 1:1 2:0\nb 1:3 2:0\nb 1:1 2:2\na 1:2 2:-1\n",
    "wide.csv": "a,b,y\n0.5,100000,p\n0.25,-200000,n\n0.75,300000,p\n0.1,-90000,n\n",
    "comma.csv": "a;y\n1,5;u\n2.000,25;v\n",
    "gram.csv": "a,b,y\n1,2,p\n2,1,n\n",
    "or.csv": "x1,x2,label\n0,0,-1\n0,1,1\n1,0,1\n1,1,-1\n1,1,1\n3,3,1\n",
    "or2.csv": "x1,x2,label\n0,2,-1\n",
    "half2.svm": "1 1:2 2:1\n",
    "kernel.csv": "a,b,y\n2,1,p\n1,2,n\n",
    "false.json": '{"perceptron_certificate":1,"data":{"sha256":"49b64d9b177f2058f145afeaa0d0ce172b9e0e725fbf1112'
                  '1f4180bb46dca49e","rows":4,"features":2},"offset":true,"kernel":null,"parts":[{"positive":"1",'
                  '"negative":"-1","verdict":"separable","strict":4,"held":0,"w":[[1,"1"]],"b":"0"}]}',
    "wrong.csv": "x,z,y\n" + "".join(f"{i},{'ab'[i % 2]},{i % 2}\n" for i in range(40)) + "oops,b,1\n",
    "half.svm": "1 1:1 2:1\n-1 1:-1\n",
    "lines": "a 1:1\n1:2\nb 1:-1\nx:y\nc 2:2\nstats\n",
}
# A line each; its first word is the command.
CASES = r"""
train :and -o and.m
train :and -a perceptron --order file -o p.m --checkpoint c.m --every 1
train :iris -o i.m
train :iris -a pocket --epochs 2 -o k.m
train :iris -a voted --epochs 1 -o v.m
train :iris --multiclass native -a perceptron --epochs 2 -o n.m
train :xor -a lp -o no.m
train :xor -a svm --hard -o no.m
train :and -a lp -o lp.m
train :and -a svm --hard -o hard.m
train :blobs85 -a svm -C 2 -o svm.m
train :cancer -a svm --hard --scale standard --epochs 1 -o h.m
train :xor --kernel rbf -a perceptron --check-kernel -o rbf.m
train :xor --kernel poly --degree 2 -a averaged -o poly.m
train :xor --kernel sigmoid --eta scale -a perceptron --epochs 3 -o sig.m
train :xor --kernel gaussian -a perceptron --epochs 3 -o gauss.m
train :blobs85 --kernel rbf -a perceptron --drop-after 3 --epochs 5 -o drop.m
train :blobs85 --kernel rbf -a perceptron --budget 5 --epochs 2 -o bud.m
train gram.csv --kernel precomputed -a perceptron --check-kernel --epochs 2 -o pre.m
train kernel.csv --kernel precomputed -a perceptron --check-kernel --epochs 2 -o pre.m
train :and -a perceptron --rate 0.5 -o rate.m
train :xor -a perceptron --map lift:2 --epochs 5 -o lift.m
train :iris -a mlp --folds 2 --epochs 2 -o f.m
train :iris -a mlp --holdout 0.3 --epochs 2 -o f.m
train gaps.csv --group id --folds 2 -o f.m
train gaps.csv --time day --folds 2 -o f.m
train or.csv -a perceptron --order file --drop-after 3 -o drop1.m
train or.csv or2.csv -a perceptron --order file --drop-after 3 -o drop3.m
train :iris -a perceptron --multiclass ovr --drop-after 6 --epochs 100 -o drop2.m
inspect drop2.m
split tree.csv --test 2 -o s1.csv s2.csv
split tree.csv --by group:colour --test 2 -o s1.csv s2.csv
split tree.csv --by time:x --test 2 -o s1.csv s2.csv
split lines --test 1 -o s1.svm s2.svm
sample tree.csv --rows 2 -o s1.csv
sample tree.csv --share 0.5 --by group:colour -o s1.csv
sample lines --rows 2 -o s1.svm
trace :iris --multiclass ovr --drop-after 6 --epochs 60
train :xor -a mlp --layers 4 --epochs 3 -o mlp.m
train :iris -a arow --epochs 2 -o arow.m
train half.svm --stream -o s.m
train tree.csv --scale standard -o t.m
train gaps.csv -o gaps.m
inspect gaps.m
inspect gaps.csv
inspect wrong.csv
inspect wrong.csv wrong.csv
inspect half.svm
inspect :iris
train comma.csv --thousands . --quote single -o comma.m
inspect comma.m
train levels.csv --columns levels -o levels.m
inspect levels.m
train :and --resume and.m -o r.m
train :and -a perceptron --init p.m -o init.m
train :iris --folds 3 -o f.m --epochs 2
train :iris --search epochs=1,2 --folds 3 -o f.m
train :blobs85 --holdout 0.3 --epochs 3 -o f.m
train :blobs85 --holdout 0.3 --patience 2 --epochs 9 -o f.m
train :blobs85 --learning-curve --epochs 2 --holdout 0.3 -o f.m
train :blobs85 --calibrate --epochs 2 -o cal.m
train :iris --calibrate --epochs 2 -o ical.m
train :xor --arithmetic exact -a perceptron --epochs 3 -o ex.m
train :blobs85 -a perceptron --map poly:2 --epochs 3 -o map.m
train or.csv -a logistic --scale none -o log.m
train :iris -a logistic -o ilog.m
train :blobs85 -a logistic --threshold best:f1 -o th.m
train :blobs85 --threshold score:0.5 --epochs 2 -o sc.m
train wide.csv -a perceptron --scale none --epochs 2 -o wide.m
test th.m :blobs85 --trade-off
test sc.m :blobs85 --trade-off
predict th.m :blobs85
inspect th.m
inspect log.m
inspect ilog.m
test and.m :and
test i.m :iris
test cal.m :blobs85
test ical.m :iris
test v.m :iris
test mlp.m :xor
test rbf.m :xor
test n.m :iris
predict n.m :iris
trace :iris --epochs 1 --multiclass native -a perceptron
trace or.csv --order file --drop-after 3
trace or.csv or2.csv --order file --drop-after 3
predict and.m :and
predict i.m :iris --scores
predict cal.m :blobs85 --proba
predict and.m :and --scores --distance
prove :xor -o xor.json
prove :and --margin --bound --orders 2 --hulls
prove :iris --margin
prove tree.csv
prove three.csv --weight w -o three.json
prove touching.svm
prove or.csv or2.csv
prove half.svm half2.svm
prove :xor --kernel rbf --margin
prove :xor --kernel poly --degree 2 -o poly.json
prove :xor --quick
prove :iris --time-limit 1e-9
prove touching.svm --form threshold
verify xor.json :xor
verify three.json three.csv --weight w
verify poly.json :xor
verify xor.json :and
verify false.json :xor
trace :and
trace :iris --epochs 1
trace :xor --kernel rbf --epochs 1
inspect and.m
inspect i.m
inspect v.m
inspect k.m
inspect rbf.m
inspect poly.m
inspect drop1.m
inspect n.m
inspect rate.m
inspect pre.m
inspect bud.m
inspect mlp.m
inspect hard.m
inspect svm.m
inspect lp.m
inspect cal.m
inspect t.m
inspect arow.m
inspect map.m
gate "a ^ b" -o g.m
gate "a ^ b" --proof gate.json --table xor.csv
gate "a & (b | !c)"
gate "s' = !s; out = s" --steps 6
gate "s' = set | (s & !reset); out = s" --steps 6 --input "set=010000 reset=000100"
inspect g.m
test g.m xor.csv
learn i.m -o l.m <lines
learn --new -o new.m <lines
help algorithms
"""

ANSWERS = {0, 1, 5}  # yes, no, undecided


def documents(tool):
    """Yields (command line, section, document)."""
    with tempfile.TemporaryDirectory() as where:
        for name, text in FILES.items():
            with open(os.path.join(where, name), "w", encoding="utf-8") as f:
                f.write(text)
        env = dict(os.environ, PATH=os.path.dirname(os.path.abspath(tool)) + ":" + os.environ["PATH"])
        for line in CASES.strip().split("\n"):
            line = re.sub(r"( <lines)?$", r" --json\1", line)
            came = subprocess.run("perceptron " + line, shell=True, cwd=where, env=env, check=False,
                                  capture_output=True, text=True)
            learns = line.startswith("learn")  # 3: a line was refused, and answered
            if came.returncode not in ANSWERS and not (learns and came.returncode == 3) or came.stdout == "":
                sys.exit("perceptron %s\nexit status %d\n%s" % (line, came.returncode, came.stderr))
            each = came.stdout.split("\n") if learns else [came.stdout]
            for text in each:
                if text.strip():
                    yield line, line.split()[0], json.loads(text)


def type_of(value):
    names = {bool: "boolean", int: "whole", float: "number", str: "string", dict: "object", list: "list"}
    return "null" if value is None else names[type(value)]


class Page:
    """Keys by section: {section: {path: [types, optional, whether it was seen with a value]}}."""

    def __init__(self, text):
        self.keys, section = {}, None
        for line in text.split("\n"):
            if line.startswith("## "):
                section = line[3:].strip()
            cells = [c.strip() for c in line.split("|")[1:-1]]
            if section and len(cells) == 4 and cells[0].startswith("`"):
                for path in re.findall(r"`([^`]+)`", cells[0]):
                    types = re.split(r", | or ", re.sub(r"\[(\w+)\]\(#\w+\)", r"@\1", cells[1]))
                    self.keys.setdefault(section, {})[path.rstrip("?")] = [set(types), path.endswith("?"), False]
        self.faults = {}

    def fault(self, where, text):
        self.faults.setdefault(text, where)

    def find(self, section, path):
        """The row of a path: as it is, or with * for its last key."""
        table = self.keys.get(section, {})
        star = re.sub(r"[^.]+$", "*", path)
        return (path, table[path]) if path in table else (star, table[star]) if star in table else (path, None)

    def walk(self, where, section, path, value):
        for key, inner in value.items():
            full, row = self.find(section, path + key)
            if row is None:
                self.fault(where, "%s: `%s` (%s) is not on the page" % (section, path + key, type_of(inner)))
            self.value(where, section, full, row, inner)
        for full, (_, optional, _) in self.keys.get(section, {}).items():
            last = full[len(path):]
            if full.startswith(path) and not re.search(r"[.\[*]", last) and not optional and last not in value:
                self.fault(where, "%s: `%s` is missing" % (section, full))

    def value(self, where, section, full, row, value):
        kind = type_of(value)
        if row is not None:
            shared = [t[1:] for t in row[0] if t.startswith("@")]
            if kind == "object" and shared:
                row[2] = True
                return self.walk(where, shared[0], "", value)
            fits = kind in row[0] or (kind == "whole" and "number" in row[0])
            if not fits:
                self.fault(where, "%s: `%s` is %s, not %s" % (section, full, kind, " or ".join(sorted(row[0]))))
            row[2] |= kind != "null"
        if kind == "object":
            self.walk(where, section, full + ".", value)
        for inner in value if kind == "list" else []:
            to, element = self.find(section, full + "[]")
            if element is None:
                self.fault(where, "%s: `%s` (%s) is not on the page" % (section, to, type_of(inner)))
            self.value(where, section, to, element, inner)

    def unseen(self):
        for section, table in self.keys.items():
            for path, row in table.items():
                if not row[2] and row[0] != {"null"}:
                    self.fault("", "%s: `%s` was never seen with a value" % (section, path))


def main():
    with open(PAGE, encoding="utf-8") as f:
        page = Page(f.read())
    count = 0
    for where, section, document in documents(sys.argv[1]):
        page.walk(where, section, "", document)
        count += 1
    page.unseen()
    for text, where in page.faults.items():
        print("json: %s%s" % (text, where and ": perceptron " + where))
    print("json: %d documents, %d keys" % (count, sum(map(len, page.keys.values()))))
    return 1 if page.faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
