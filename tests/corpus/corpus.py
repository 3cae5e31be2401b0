#!/usr/bin/env python3
"""corpus.py TOOL [--write] -- models, certificates, predictions and JSON keep their bytes.

Runs a few hundred commands with fixed seeds (all learners, kinds, kernels, transforms and
commands) and compares the SHA-256 of every file they make with corpus.sha256. A redesign
that changes no behaviour changes none of them; a change that is meant to is recorded with
--write, and the difference of corpus.sha256 is what a reviewer looks at.

JSON is hashed without what a clock or a machine decides (see volatile). A case whose library
is missing (Clp, GMP) is skipped by name. Exits 77 where nothing could be compared.
"""
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])
WRITE = "--write" in sys.argv[2:]
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus.sha256")

# Keys of JSON documents whose values differ from run to run or from machine to machine.
VOLATILE = {"seconds", "rows_per_second", "threads", "memory", "read_seconds", "train_seconds"}

KERNELS = {
    "linear": "--kernel linear",
    "poly2": "--kernel poly --degree 2",
    "poly3": "--kernel poly --degree 3 --gamma 0.5 --coef0 0",
    "gaussian": "--kernel gaussian --sigma 0.8",
    "rbf": "--kernel rbf",
    "rbf-auto": "--kernel rbf --gamma auto --no-offset",
    "sigmoid": "--kernel sigmoid --eta 0.1 --theta -0.2",
}
ONLINE = ["averaged", "perceptron", "pocket", "voted", "margin", "pa", "pa1", "pa2"]
KEEPS = ["averaged", "pocket", "voted"]

# Models that an earlier version wrote, with kernels whose products were rounded (format 2), and the
# data they were trained on: they answer as they did, and go on as they began.
EARLIER = {
    "averaged-rbf": "moons.csv", "perceptron-poly3": "moons.csv", "pocket-gaussian": "moons.csv",
    "voted-rbf": "moons.csv", "margin-sigmoid": "moons.csv", "pa1-linear": "moons.csv",
    "averaged-rbf-three": "three.csv", "perceptron-rbf-native": "three.csv", "drop": "moons.csv",
    "budget-random": "moons.csv", "budget-forgetron": "moons.csv", "budget-projectron": "moons.csv",
    "calibrate-rbf": "moons.csv",
}
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "format2")

CASES = []  # (name, data, words of `train`)


def case(name, data, words=""):
    """Tables as they are: a model's bytes then do not depend on what `train` does unasked."""
    if data.endswith(".csv") and "--scale" not in words:
        words += " --scale none"
    CASES.append((name, data, words.split()))


def list_cases():
    for a in ONLINE:
        for data in ("blobs.svm", "three.csv", "sparse.svm", ":iris"):
            short = data.split(".")[0].strip(":")
            case(f"{a}-{short}", data, f"-a {a} --epochs 5")
        case(f"{a}-native", "three.csv", f"-a {a} --epochs 5 --multiclass native")
        case(f"{a}-native-two", "blobs.svm", f"-a {a} --epochs 3 --multiclass native")
        case(f"{a}-no-offset", "sparse.svm", f"-a {a} --epochs 3 --no-offset")
        case(f"{a}-stream", "sparse.svm", f"-a {a} --epochs 2 --stream" if a != "pocket"
             else f"-a {a} --epochs 2 --pocket literal")
        case(f"{a}-stream-three", "three.csv", f"-a {a} --epochs 2 --stream" if a != "pocket"
             else f"-a {a} --epochs 2 --order file --pocket literal")
        case(f"{a}-positive", "three.csv", f"-a {a} --epochs 4 --positive 2 --order file")
        case(f"{a}-weights", "weights.csv", f"-a {a} --epochs 4 --weight w --class-weight balanced")
        case(f"{a}-limit", "sparse.svm", f"-a {a} --updates 100 --seed 7")
        for k, words in KERNELS.items():
            case(f"{a}-{k}", "moons.csv", f"-a {a} --epochs 4 {words}")
        case(f"{a}-rbf-three", "three.csv", f"-a {a} --epochs 3 --kernel rbf")
        case(f"{a}-rbf-native", "three.csv", f"-a {a} --epochs 3 --kernel rbf --multiclass native")
        case(f"{a}-poly-textbook", "moons.csv", f"-a {a} --epochs 2 --kernel poly --loop textbook")
    for a in ("arow", "second-order"):
        for data in ("blobs.svm", "three.csv", "sparse.svm"):
            case(f"{a}-{data.split('.')[0]}", data, f"-a {a} --epochs 3")
        case(f"{a}-native", "three.csv", f"-a {a} --epochs 3 --multiclass native")
        case(f"{a}-stream-three", "three.csv", f"-a {a} --epochs 2 --stream")
        case(f"{a}-weights", "weights.csv", f"-a {a} --epochs 3 --weight w --class-weight balanced")
        case(f"{a}-folds", "blobs.svm", f"-a {a} --epochs 3 --folds 3")
        case(f"{a}-calibrate", "blobs.svm", f"-a {a} --epochs 3 --calibrate --folds 3 --no-offset")
        case(f"{a}-holdout", "sparse.svm", f"-a {a} --holdout 0.2 --patience 2 --epochs 6")
    for data, words in (("blobs.svm", ""), ("three.csv", ""), ("three.csv", "--multiclass native"), ("sparse.svm", "--stream")):
        case(f"averaged-arow-{data.split('.')[0]}{words.replace(' ', '')}", data,
             f"-a averaged --rule arow --rho 0.5 --epochs 3 {words}")
    for a in KEEPS:
        for rule in ("margin", "pa", "pa1", "pa2"):
            case(f"{a}-{rule}", "blobs.svm", f"-a {a} --epochs 4 --rule {rule}")
            case(f"{a}-{rule}-three", "three.csv", f"-a {a} --epochs 3 --rule {rule}")
    for how in ("zero", "unit", "random"):
        case(f"init-{how}", "sparse.svm", f"-a perceptron --epochs 3 --init {how} --rate 0.5")
    for rate in ("0.1", "3"):  # in units of the rate
        case(f"rate-{rate}", "sparse.svm", f"-a perceptron --epochs 3 --rate {rate}")
        case(f"rate-{rate}-three", "three.csv", f"-a averaged --rule margin --epochs 3 --rate {rate}")
        case(f"rate-{rate}-rbf", "moons.csv", f"-a voted --kernel rbf --epochs 3 --rate {rate}")
        case(f"rate-{rate}-budget", "moons.csv", f"-a perceptron --kernel rbf --budget 20 --budget-policy forgetron --epochs 3 --rate {rate}")
    case("init-unit-n", "sparse.svm", "-a averaged --epochs 2 --init unit:5 --stream --index 1 --positive 1")
    case("init-voted", "sparse.svm", "-a voted --epochs 2 --init unit")
    case("init-voted-native", "three.csv", "-a voted --epochs 2 --init random --multiclass native")
    for a in ("perceptron", "voted", "arow"):
        case(f"classes-{a}-seen", "three.csv", f"-a {a} --epochs 3 --multiclass native --classes seen")
        case(f"classes-{a}-list", "three.csv", f"-a {a} --epochs 2 --multiclass native --classes 1,2,3 --stream")
    for how in ("1/t", "1/sqrt"):
        case(f"schedule-{how[2:]}", "sparse.svm", f"-a averaged --epochs 3 --schedule {how} --init random")
    for policy in ("random", "forgetron", "projectron"):
        case(f"budget-{policy}", "moons.csv", f"-a perceptron --kernel rbf --budget 20 --budget-policy {policy} --epochs 4")
        case(f"budget-stream-{policy}", "moons.csv", f"-a margin --kernel gaussian --budget 15 --budget-policy {policy} --stream --epochs 2")
    case("budget-three", "three.csv", "-a pa1 --kernel rbf --budget 25 --epochs 3")
    case("budget-native", "three.csv", "-a perceptron --kernel rbf --budget 25 --epochs 3 --multiclass native --budget-policy random")
    for a in ONLINE:
        case(f"{a}-precomputed", "gram.svm", f"-a {a} --epochs 3 --kernel precomputed")
    case("precomputed-numbers", "numbered.svm", "-a perceptron --epochs 3 --kernel precomputed --check-kernel")
    case("precomputed-native", "gram.svm", "-a perceptron --epochs 3 --kernel precomputed --multiclass native")
    case("precomputed-drop", "gram.svm", "-a perceptron --epochs 4 --kernel precomputed --drop-after 3")
    for policy in ("random", "forgetron", "projectron"):
        case(f"precomputed-{policy}", "gram.svm", f"-a perceptron --epochs 4 --kernel precomputed --budget 6 --budget-policy {policy}")
    case("drop", "moons.csv", "-a perceptron --kernel poly --drop-after 3 --epochs 6")
    case("drop-linear", "moons.csv", "-a perceptron --drop-after 3 --epochs 6")
    case("drop-linear-native", "three.csv", "-a perceptron --drop-after 2 --epochs 4 --multiclass native")
    case("drop-ovr", "three.csv", "-a perceptron --kernel rbf --drop-after 3 --epochs 4 --multiclass ovr")
    case("drop-linear-ovr", "three.csv", "-a perceptron --drop-after 3 --epochs 4")
    case("drop-native", "three.csv", "-a perceptron --kernel rbf --drop-after 2 --epochs 4 --multiclass native")
    for scale in ("standard", "minmax", "maxabs", "unit", "by:255"):
        case(f"scale-{scale.replace(':', '-')}", "three.csv", f"-a averaged --epochs 3 --scale {scale}")
        case(f"scale-rbf-{scale.replace(':', '-')}", "moons.csv", f"-a perceptron --epochs 3 --kernel rbf --scale {scale}")
    for a in ("averaged", "pa1", "svm"):
        case(f"scale-auto-{a}", "three.csv", f"-a {a} --scale auto")
    case("scale-auto-mixed", "mixed.csv", "-a averaged --epochs 5 --label y --missing mean --scale auto")
    case("scale-auto-text", "mixed.csv", "-a perceptron --epochs 5 --label y --missing zero --text note --scale auto")
    case("scale-auto-rbf", "mixed.csv", "-a voted --kernel rbf --epochs 3 --label y --missing mean --scale auto")
    for how in ("poly:2", "poly:3", "poly:2:hash:8", "products:2", "lift:2", "lift:3:0.5"):
        case(f"map-{how.replace(':', '-')}", "moons.csv", f"-a averaged --epochs 4 --map {how}")
        case(f"map-three-{how.replace(':', '-')}", "three.csv", f"-a pa1 --epochs 3 --map {how} --scale standard")
    case("map-kernel", "wide.svm", "-a averaged --epochs 3 --kernel poly --degree 2 --map poly:2:hash:9")
    case("hash", "sparse.svm", "-a averaged --epochs 3 --hash 8")
    case("float32", "sparse.svm", "-a averaged --epochs 3 --float32")
    case("index-0", "zero.svm", "-a perceptron --epochs 5")
    case("mixed", "mixed.csv", "-a averaged --epochs 5 --label y --missing mean")
    case("mixed-drop", "mixed.csv", "-a pa --epochs 5 --label y --missing drop")
    case("mixed-text", "mixed.csv", "-a averaged --epochs 5 --label y --missing zero --text note")
    case("mixed-hash", "mixed.csv", "-a pocket --epochs 5 --label y --missing mean --text note --hash 6")
    case("mixed-ignore", "mixed.csv", "-a voted --epochs 5 --label y --missing mean --ignore note,size")
    for loss in ("hinge", "squared"):
        for solver in ("dual", "newton"):
            if (loss, solver) != ("hinge", "newton"):
                case(f"svm-{loss}-{solver}", "sparse.svm", f"-a svm --loss {loss} --solver {solver}")
                case(f"svm-{loss}-{solver}-three", "three.csv", f"-a svm --loss {loss} --solver {solver} -C 0.1")
        case(f"svm-{loss}-free", "blobs.svm", f"-a svm --loss {loss} --offset-free")
        case(f"svm-{loss}-no-offset", "sparse.svm", f"-a svm --loss {loss} --no-offset -C 10")
    case("svm-hard", "half.svm", "-a svm --hard")
    case("svm-hard-inside", "half.svm", "-a svm --hard --offset-inside")
    case("svm-hard-no-offset", "half.svm", "-a svm --hard --no-offset")
    case("svm-weights", "weights.csv", "-a svm --weight w --class-weight balanced")
    case("lp", "half.svm", "-a lp")
    case("lp-three", ":iris", "-a lp --positive setosa")
    for f in ("relu", "sigmoid", "tanh"):
        for optimizer in ("adam", "momentum", "sgd"):
            case(f"mlp-{f}-{optimizer}", "moons.csv", f"-a mlp --layers 8 --epochs 4 --activation {f} --optimizer {optimizer}")
    case("mlp-deep", "three.csv", "-a mlp --layers 7,5 --epochs 5 --dropout 0.2 --l2 0.01 --batch 10")
    for a in ("averaged", "perceptron", "pocket", "voted", "margin"):
        for data in ("blobs.svm", "three.csv"):
            case(f"{a}-{data.split('.')[0]}-exact", data, f"-a {a} --epochs 5 --arithmetic exact --rate 0.1")
        case(f"{a}-poly-exact", "moons.csv", f"-a {a} --epochs 2 --kernel poly --arithmetic exact")
    for how in ("products:2", "lift:2:3", "lift:3:0.5", "poly:3"):
        case(f"averaged-{how.replace(':', '-')}-exact", "moons.csv",
             f"-a averaged --epochs 3 --map {how} --arithmetic exact")
    case("margin-native-exact", "three.csv",
         "-a margin --epochs 5 --arithmetic exact --multiclass native --margin 0.3 --no-offset")
    case("mlp-textbook", "three.csv", "-a mlp --layers 6 --epochs 2 --loop textbook --no-offset --init glorot")
    case("mlp-sparse", "sparse.svm", "-a mlp --layers 5 --epochs 2 --order file")
    case("mlp-stream", "moons.csv", "-a mlp --layers 5 --epochs 2 --stream --inputs 2")
    case("calibrate", "blobs.svm", "-a averaged --epochs 3 --calibrate --folds 3")
    case("calibrate-three", "three.csv", "-a pa1 --epochs 3 --calibrate --folds 3")
    case("calibrate-rbf", "moons.csv", "-a perceptron --kernel rbf --epochs 3 --calibrate --folds 3")
    case("holdout", "sparse.svm", "-a averaged --holdout 0.2 --patience 2 --epochs 20")
    case("holdout-mlp", "moons.csv", "-a mlp --layers 6 --holdout 0.2 --patience 2 --epochs 12")
    case("folds", "three.csv", "-a pocket --epochs 4 --folds 4")
    case("search", "blobs.svm", "-a averaged --folds 3 --search rate=0.1,1")
    case("search-svm", "three.csv", "-a svm --folds 3 --search C=0.1,1")
    case("curve", "blobs.svm", "-a averaged --epochs 4 --learning-curve --folds 3")


PROOFS = {
    "xor": ":xor", "and": ":and", "iris": ":iris", "half": "half.svm --margin", "touching": "touching.svm",
    "blobs": "blobs.svm", "bound": ":and --bound --orders 3", "half-bound": "half.svm --bound --margin",
    "no-offset": "half.svm --no-offset", "quick": "blobs.svm --quick", "pairs": "three.csv --problems pairs",
    "rest": "three.csv --problems rest", "setosa": ":iris --positive setosa --margin",
    "poly": ":xor --kernel poly --degree 2", "rbf": "moons.csv --kernel rbf", "gauss": ":xor --kernel gaussian",
    "hulls": "flat.svm --hulls", "zero": "zero.svm --margin",
}
GATES = {
    "and": "a & b", "xor": "a ^ b", "adder": "sum = a ^ b; carry = a & b", "majority": "majority(a, b, c)",
    "latch": "s' = a | (s & !r); out = s", "mixed": "(a & b) | !c", "atleast": "atleast(2; a, b, c, d)",
    "neurons": "h = neuron(a, b : 0.5); k = neuron(0.5 a, 0.5 b : 0.75); out = neuron(h, -2 k : 0.5) | (a & c)",
    "iff": "(a <-> b) -> (c nand d)",
}


class Failure(Exception):
    pass


def volatile_free(value):
    if isinstance(value, dict):
        return {k: volatile_free(v) for k, v in value.items() if k not in VOLATILE and "seconds" not in k}
    return [volatile_free(v) for v in value] if isinstance(value, list) else value


class Corpus:
    def __init__(self, folder):
        self.folder = folder
        self.skipped = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words, ok=(0,), stdin=None):
        p = subprocess.run([TOOL, *words], cwd=self.folder, capture_output=True, input=stdin, timeout=600)
        if p.returncode not in ok:
            raise Failure(f"{' '.join(words)}: exit {p.returncode}: {p.stderr.decode()[-300:]}")
        return p.stdout

    def digest(self, name):
        with open(self.path(name), "rb") as f:
            return hashlib.sha256(f.read()).hexdigest()

    @staticmethod
    def digest_of(data):
        return hashlib.sha256(data).hexdigest()

    def digest_json(self, data):
        """Of a JSON document: keys in their order, numbers as they are written."""
        tree = json.loads(data, parse_float=str, parse_int=str)
        return self.digest_of(json.dumps(volatile_free(tree)).encode())

    def make_data(self):
        for name, words in {
            "blobs.svm": "blobs --rows 120 --features 4 --spread 2 --noise 0.05 --seed 3",
            "three.csv": "blobs --rows 90 --classes 3 --features 3 --spread 2 --seed 5",
            "sparse.svm": "sparse --rows 200 --features 300 --nonzeros 12 --seed 2",
            "wide.svm": "sparse --rows 900 --features 300 --nonzeros 12 --seed 2",
            "moons.csv": "moons --rows 100 --spread 0.2 --seed 4",
            "half.svm": "halfspace --rows 60 --features 3 --margin 0.05 --seed 6",
            "flat.svm": "halfspace --rows 40 --features 2 --margin 0.05 --offset 0.2 --seed 8",
        }.items():
            self.run("generate", *words.split(), "-o", name)
        points = [(i * i % 7, i * 5 % 11, i * 3 % 4) for i in range(40)]
        for name, number in (("gram.svm", ""), ("numbered.svm", "0:%d ")):
            with open(self.path(name), "w") as f:  # (x.z + 1)^2
                for i, x in enumerate(points):
                    row = [(sum(a * b for a, b in zip(x, z)) + 1) ** 2 for z in points]
                    f.write("ab"[i * 13 % 17 % 2] + " " + (number and number % (i + 1))
                            + " ".join("%d:%d" % (j + 1, v) for j, v in enumerate(row)) + "\n")
        with open(self.path("zero.svm"), "w") as f:
            f.write("1 0:1 3:2.5\n-1 1:1 2:-1\n1 0:0.5 3:1\n-1 2:0.25\n1 3:1e3\n-1 1:4 2:1\n")
        with open(self.path("touching.svm"), "w") as f:
            f.write("1 1:0.5 2:3\n-1 1:5e-1 2:3\n1 1:10 2:3\n-1 1:-0.01 2:3\n")
        rows = ["x,z,y,w"]
        for i in range(60):
            x, z = (i * 37 % 61) / 7 - 4, (i * 53 % 59) / 5 - 6
            rows.append(f"{x:.4f},{z:.3f},{'yes' if x + z / 2 > -0.5 else 'no'},{1 + i % 4 * 0.5}")
        with open(self.path("weights.csv"), "w") as f:
            f.write("\n".join(rows) + "\n")
        words = "red green blue fast slow \"quoted, once\" new old".split(" ")
        rows = ["age,size,colour,note,y"]
        for i in range(50):
            age = "" if i % 11 == 5 else str(20 + i * 7 % 40)
            note = " ".join(words[(i * k) % 5] for k in (1, 2, 3))
            rows.append(f"{age},{i * 13 % 17 / 4},{'red' if i % 3 else 'blue'},{note},{'b' if (i * 7 % 40) > 18 else 'a'}")
        with open(self.path("mixed.csv"), "w") as f:
            f.write("\n".join(rows) + "\n")

    def learner(self, name, data, words):
        """The files of one training run: model, JSON, predictions, what a test and a look at it say."""
        model, out = name + ".model", {}
        try:
            said = self.run("train", data, *words, "-o", model, "--json", ok=(0, 1))
        except Failure as failure:
            if "this build has no" in str(failure):
                self.skipped.append(name)
                return {}
            raise
        out[name + ".train.json"] = self.digest_json(said)
        if not os.path.exists(self.path(model)):
            return out
        out[model] = self.digest(model)
        data_words = [data]
        if "--label" in words:
            data_words += ["--label", "y", "--missing", words[words.index("--missing") + 1].replace("drop", "zero")]
        out[name + ".scores"] = self.digest_of(self.run("predict", model, *data_words, "--scores", "-q"))
        out[name + ".test.json"] = self.digest_json(self.run("test", model, *data_words, "--json"))
        out[name + ".inspect.json"] = self.digest_json(self.run("inspect", model, "--json"))
        if "--calibrate" in words or "mlp" in words:
            out[name + ".proba"] = self.digest_of(self.run("predict", model, *data_words, "--proba", "-q"))
        return out

    def earlier(self, name, data):
        model, name = os.path.join(FOLDER, name + ".safetensors"), "format2-" + name
        out = {name + ".scores": self.digest_of(self.run("predict", model, data, "--scores", "-q")),
               name + ".test.json": self.digest_json(self.run("test", model, data, "--json"))}
        self.run("train", data, "--resume", model, "--epochs", "9", "-q", "-o", name + ".model")
        out[name + ".model"] = self.digest(name + ".model")
        return out

    def proof(self, name, words):
        cert = f"prove-{name}.cert.json"
        words = words.split()
        said = self.run("prove", *words, "-o", cert, "--json", ok=(0, 1))
        out = {f"prove-{name}.json": self.digest_json(said)}
        if os.path.exists(self.path(cert)):
            out[cert] = self.digest(cert)
            out[f"verify-{name}.json"] = self.digest_json(self.run("verify", cert, words[0], "--json"))
            refuted = self.run("verify", cert, ":or", "--json", ok=(1,))  # other data
            out[f"refuted-{name}.json"] = self.digest_json(refuted)
        return out

    def gate(self, name, formula):
        model = f"gate-{name}.model"
        words = ["--unroll", "3"] if "'" in formula else []
        out = {f"gate-{name}.json": self.digest_json(self.run("gate", formula, *words, "-o", model, "--json"))}
        out[model] = self.digest(model)
        out[f"gate-{name}.inspect.json"] = self.digest_json(self.run("inspect", model, "--json"))
        return out

    def online(self):
        """`learn` line by line, resuming, and converting."""
        out = {}
        with open(self.path("blobs.svm"), "rb") as f:
            lines = f.read()
        for a in ONLINE:
            if a == "pocket":
                continue
            model = f"learn-{a}.model"
            said = self.run("learn", "--new", "-a", a, "-o", model, stdin=lines)
            out[f"learn-{a}.out"] = self.digest_of(said)
            out[model] = self.digest(model)
        for a in ONLINE + ["averaged-arow"]:
            words = [a] if a in ONLINE else ["averaged", "--rule", "arow"]
            self.run("train", "three.csv", "-a", *words, "--epochs", "2", "--scale", "none", "-o",
                     "half.model." + a, "-q")
            name = f"resume-{a}.model"
            self.run("train", "three.csv", "--resume", "half.model." + a, "--epochs", "5", "-o", name, "-q")
            out[name] = self.digest(name)
        for target in ("out.svm", "out.csv", "out.blocks"):
            self.run("convert", "sparse.svm" if target != "out.csv" else "three.csv", target)
            out["convert-" + target] = self.digest(target)
        for data in ("blobs.svm", "three.csv", "sparse.svm", "moons.csv", "half.svm", "flat.svm"):
            out["generate-" + data] = self.digest(data)
        for data in (":xor", ":and", ":iris", ":blobs85", ":cancer"):
            name = "builtin-" + data.strip(":") + ".csv"
            self.run("convert", data, name)
            out[name] = self.digest(name)
        trace = self.run("trace", ":and", "-a", "perceptron", "--order", "file", "--json")
        out["trace-and.json"] = self.digest_json(trace)
        trace = self.run("trace", ":xor", "-a", "perceptron", "--order", "file", "--json")  # never settles
        out["trace-xor.json"] = self.digest_json(trace)
        trace = self.run("trace", ":and", "-a", "perceptron", "--order", "file", "--form", "threshold", "--csv", "-q")
        out["trace-and-threshold.csv"] = self.digest_of(trace)
        self.run("train", "half.svm", "-a", "perceptron", "-o", "plane.model", "-q")
        out["plane.projection"] = self.digest_of(self.run("predict", "plane.model", "half.svm", "--projection",
                                                          "--margins", "--losses", "-q"))
        return out


def main():
    list_cases()
    with tempfile.TemporaryDirectory(prefix="perceptron-corpus") as folder:
        c = Corpus(folder)
        c.make_data()
        jobs = [lambda x=x: c.learner(*x) for x in CASES]
        jobs += [lambda x=x: c.proof(*x) for x in PROOFS.items()] if proofs_exist(c) else []
        jobs += [lambda x=x: c.gate(*x) for x in GATES.items()]
        jobs += [c.online]
        jobs += [lambda x=x: c.earlier(*x) for x in EARLIER.items()]
        made, failures = {}, []

        def attempt(job):
            try:
                return job()
            except Failure as failure:
                failures.append(str(failure))
                return {}

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for out in pool.map(attempt, jobs):
                made.update(out)
        for failure in failures:
            print(failure)
        if failures:
            return 1
    return write(made) if WRITE else compare(made, c.skipped)


def proofs_exist(c):
    try:
        c.run("prove", ":xor", "-q", ok=(1,))
        return True
    except Failure:
        c.skipped += ["prove", "verify", "refuted"]
        return False


def write(made):
    with open(GOLDEN, "w") as f:
        for name in sorted(made):
            f.write(f"{made[name]}  {name}\n")
    print(f"{len(made)} files recorded")
    return 0


def compare(made, skipped):
    with open(GOLDEN) as f:
        wanted = dict(reversed(line.split()) for line in f)
    same = [n for n in made if wanted.get(n) == made[n]]
    for name in sorted(made):
        if name not in wanted:
            print(f"{name}: not recorded (corpus.py TOOL --write records it)")
        elif wanted[name] != made[name]:
            print(f"{name}: other bytes than recorded")
    lost = [n for n in wanted if n not in made and not any(n.startswith(s) for s in skipped)]
    for name in lost:
        print(f"{name}: recorded, and not made")
    bad = len(made) - len(same) + len(lost)
    print(f"{len(same)} passed, {bad} failed" + (f", {len(skipped)} skipped" if skipped else ""))
    return 1 if bad or not same else 0


if __name__ == "__main__":
    sys.exit(main())
