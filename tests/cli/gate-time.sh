# Delays: a memory, a counter and an oscillator, run and unrolled.
. "$CASES/common"
latch="s' = a | (s & !r); out = s"
try perceptron gate "$latch"
try perceptron gate "$latch" --input 'a=0100000 r=0000010'
try perceptron gate "$latch" --input 'a=0100000 r=0000010' --steps 4 --initial s=1
echo "== a state that is an output stands in the table once"
try perceptron gate "s' = !s"
try perceptron gate "s' = !s" --rows 0
echo "== a counter of two bits"
try perceptron gate "b0' = !b0; b1' = b1 ^ b0" --steps 9
echo "== a ring oscillator"
try perceptron gate "a' = !c; b' = a; c' = b" --steps 60
echo "== a formula without states, step by step"
try perceptron gate 'a ^ b' --input 'a=0101 b=0011'
echo "== unrolled"
try perceptron gate "$latch" --unroll 4 --rows 0
try perceptron gate "$latch" --unroll 2 --initial s=1
try perceptron gate "s' = !s" --unroll 4
echo "== the same, of the machine and of the network that it is unrolled into"
need python3
perceptron gate "$latch" --unroll 4 --rows 256 --json >flat.json
python3 - "$latch" <<'END'
import json, subprocess, sys
flat = json.load(open("flat.json"))
same = 0
for text, out in flat["table"]:
    x = dict(zip(flat["inputs"], text))
    steps = " ".join(f"{n}=" + "".join(x[f"{n}.{t}"] for t in range(4)) for n in "ar")
    run = json.loads(subprocess.run(["perceptron", "gate", sys.argv[1], "--json", "--input", steps],
                                    capture_output=True).stdout)
    same += run["signals"]["out"] == out
print(same, "of", len(flat["table"]), "sequences agree")
END
