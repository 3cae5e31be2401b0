# Networks for programs.
. "$CASES/common"
need python3
try perceptron gate 'sum = a ^ b; carry = a & b' --json
try perceptron gate "s' = a | s; out = s" --json --input a=0010
try perceptron gate "s' = !s & !t; t' = s; n1 = s ^ t; x = n1 ^ s ^ u; u = 1" --json --initial 't=0, s=1' --steps 3
perceptron gate "s' = a | s; t' = s" --unroll 2 --initial t=1 --json | grep -o '"initial":[^}]*}'
python3 - <<'END'
import itertools, json, subprocess
for formula in "a ^ b ^ c", "exactly(2; a, b, c, d)", "(a | b) & (c | d)", "a & !b | c":
    d = json.loads(subprocess.run(["perceptron", "gate", formula, "--json"], capture_output=True).stdout)
    rows = dict(d["table"])
    for x, out in rows.items():
        state, known = [int(c) for c in x], list(d["inputs"])
        for n in d["neurons"]:
            total = sum(w * state[s] for s, w in zip(n["sources"], n["weights"]))
            assert n["source_names"] == [known[s] for s in n["sources"]]
            known.append(n["name"])
            state.append(int(total >= n["threshold"]))
        assert out == "".join(str(state[o["source"]]) for o in d["outputs"])
    one = d["outputs"][0]["one_neuron"]
    if one["possible"]:
        assert len(d["neurons"]) == 1
        for x, out in rows.items():
            named = dict(zip(d["inputs"], x))
            total = sum(i["weight"] * int(named[i["name"]]) for i in one["inputs"])
            assert out == str(int(total >= one["threshold"]))
    else:
        for side in ("ones", "zeros"):
            assert all(rows[r["row"]] == ("1" if side == "ones" else "0") for r in one[side])
        sums = [[sum(int(r["row"][i]) * r["times"] for r in one[side]) for i in range(len(one["inputs"]))]
                + [sum(r["times"] for r in one[side])] for side in ("ones", "zeros")]
        assert sums[0] == sums[1]
    print(formula, len(d["neurons"]), one["possible"])
END
