# Proofs for programs: one document with everything.
. "$CASES/common"
need python3
perceptron prove :and -q 2>/dev/null || { echo "built without exact arithmetic"; exit 77; }
perceptron prove :and --json --bound --orders 1 --margin --hulls >and.json
perceptron prove :xor --json -o - >cert.json 2>xor.json
perceptron prove :iris --json --quick >iris.json
untimed_json <xor.json
printf 'dose,smoker,relapse\n1,0,no\n2,0,yes\n3,0,no\n2,1,yes\n4,1,yes\n' >patients.csv
perceptron prove patients.csv --json >patients.json
python3 - <<'END'
import json
a = json.load(open("and.json"))
p = a["parts"][0]
print(a["answer"], p["verdict"], p["strict"], p["held"], p["witness"], sorted(p["plane"]["w"]))
assert p["margin"]["lower"] <= p["margin"]["upper"]
assert p["geometric_margin"]["lower"] >= p["margin"]["lower"]
bound = a["bound"]
for r in bound["runs"]:
    assert r["mistakes"] <= bound["bound"] and len(r["at"]) == len(r["along"]) == len(r["norm2"])
    for k, along, norm2 in zip(r["at"], r["along"], r["norm2"]):
        assert k * bound["margin"] <= along * (1 + 1e-9)
        assert norm2 <= k * bound["radius"] ** 2 * (1 + 1e-9) and along <= norm2 ** 0.5 * (1 + 1e-9)
print(len(bound["runs"]), "run inside the bound; hulls", a["hulls"]["verdict"])
x = json.load(open("xor.json"))
rows = [(0, 0), (0, 1), (1, 0), (1, 1)]
w = x["parts"][0]["witness"]
print(json.load(open("patients.json"))["parts"][0]["features"])
total = [0, 0, 0]
for row, weight in zip(w["rows"], w["weights"]):
    x1, x2 = rows[row - 1]
    y = 1 if x1 != x2 else -1
    total = [t + y * int(weight) * v for t, v in zip(total, (x1, x2, 1))]
print("the weighted sum of the witness of xor is", total)
assert json.load(open("cert.json"))["perceptron_certificate"] == 1
print([(p["positive"], p["negative"], p["verdict"]) for p in json.load(open("iris.json"))["parts"]])
END
