#!/usr/bin/env python3
"""misuse.py HEADER... -- writes a C program that misuses every function of the public headers.

Every function is called with valid arguments, and then with one of them wrong: NULL for each
pointer, and what VALUES lists for its type: models of every machine, parameters of another table,
indices out of range, sizes of 0, arrays that are not finite, an observer without a function. It
must come back: with PERC_EARG, a message and a NULL result where a pointer must not be NULL (that
is, where OPTIONAL does not have it) or parameters are of another kind. A function, or a type, that
is not known here ends this script with an error: no public function stays out of it."""
import re
import sys

# What stands for a type: the first is valid. "NAME:TYPE" and "FUNCTION:NAME" are looked for first.
VALUES = {
    "const perc_env*": ["NULL", "&one_thread"],
    "perc_error*": ["&err", "NULL"],
    "const char*": ['"none"'],
    "const perc_params*": ["learner"],
    "data:const perc_params*": ["data"],
    "generator:const perc_params*": ["generator"],
    "options:const perc_params*": ["limits"],
    "perc_split_rows:how": ["parts"],
    "perc_sample_rows:how": ["some"],
    "perc_prove:p": ["prove"],
    "perc_params_set:p": ["scratch"],
    "const perc_model*": ["linear", "untaught", "gated", "network", "kernel", "budget", "voted", "solved", "three"],
    "perc_model*": ["linear", "untaught", "gated", "network", "kernel", "budget", "voted", "solved", "three"],
    "perc_dataset*": ["table"],
    "const perc_dataset*": ["rows", "flowers", "exact", "table"],
    "perc_prove:ds": ["exact", "rows"],
    "perc_proof_write:ds": ["exact", "flowers", "table"],
    "perc_dataset_write:ds": ["rows", "exact", "table"],
    "const perc_observer*": ["&watching", "&stopping", "&strange", "&silent"],
    "const perc_event*": ["&event"],
    "const perc_dense*": ["&dense", "&dense_nothing", "&dense_wide", "&dense_strange", "&dense_nan", "&dense_empty"],
    "const perc_csr*": ["&csr", "&csr_nothing", "&csr_strange", "&csr_backwards", "&csr_beyond", "&csr_empty"],
    "const perc_example*": ["&example", "&example_nothing", "&example_unsorted", "&example_nan", "&example_empty"],
    "const perc_gate*": ["gate", "clocked"],
    "perc_gate_steps:g": ["clocked", "gate"],
    "const perc_proof*": ["proof"],
    "const perc_gram*": ["NULL"],
    "const perc_files*": ["NULL"],
    "const perc_grid*": ["grid"],
    "const perc_neuron*": ["&neuron", "&neuron_nothing"],
    "const perc_metrics*": ["metrics"],
    "perc_metrics*": ["metrics + 4"],
    "train:perc_metrics*": ["metrics"],
    "held:perc_metrics*": ["metrics + 4"],
    "perc_metrics_summary_sized:spread": ["metrics + 8"],
    "perc_score_sink": ["sink"],
    "perc_row_sink": ["row_sink"],
    "keep:const char*": ['"id"', "NULL", '""', '"1,1"'],
    "perc_reading_fn": ["reading", "NULL"],
    "void*": ["NULL"],
    "const double*": ["numbers", "not_finite"],
    "double*": ["room"],
    "y:double*": ["room + 4096"],
    "b:double*": ["room + 1"],
    "direction:double*": ["room + 4096"],
    "share:double*": ["room + 8192"],
    "share:const double*": ["shares", "not_finite"],
    "margins:double*": ["room + 4096"],
    "perc_learning_curve_sized:rows": ["room"],
    "char*": ["text"],
    "uint64_t*": ["words"],
    "uint32_t*": ["folds"],
    "size_t*": ["count"],
    "period:size_t*": ["count + 1"],
    "const uint64_t*": ["row_numbers", "NULL"],
    "perc_dataset_set_groups:group": ["words", "NULL"],
    "perc_dataset_set_times:time": ["numbers", "not_finite", "NULL"],
    "const unsigned char*": ["bits"],
    "unsigned char*": ["bits + 64"],
    "const char**": ["&word"],
    "const char*const*": ["names"],
    "double": ["0.5", "0", "-1", "2", "NAN", "INFINITY"],
    "size_t": ["0", "1", "2", "1000000", "SIZE_MAX"],
    "uint64_t": ["0", "1", "149", "1000000", "UINT64_MAX"],
    "int64_t": ["1", "0", "-1", "INT64_MIN", "INT64_MAX"],
    "perc_stop": ["PERC_STOP_TIME", "(perc_stop)99"],
    "perc_verdict": ["PERC_TOUCHING", "(perc_verdict)99"],
    "perc_params*": ["scratch"],
    "perc_signals*": ["fresh()"],
    "perc_neuron*": ["&neuron_out"],
    "perc_event_model:out": ["&lent"],
    # Texts that mean something.
    "path:const char*": ['"rows.svm"', '""', '"no such file"'],
    "perc_dataset_read_like:path": ['"rows.svm"', '"table.csv"'],
    "perc_model_write:path": ['"out"', '""', '"no/such/folder"'],
    "perc_dataset_write:path": ['"out"', '""'],
    "perc_proof_write:path": ['"out"', '""'],
    "train:const char*": ['"out"', '""', '"no/such/folder"'],
    "test:const char*": ['"out2"', '""', '"no/such/folder"'],
    "sample:const char*": ['"out"', '""', '"no/such/folder"'],
    "const perc_split*": ["divided"],
    "const perc_survey*": ["seen"],
    "perc_model_read:path": ['"model"', '"rows.svm"', '""'],
    "format:const char*": ['"libsvm"', '"csv"', '"blocks"', '"x"'],
    "table:const char*": ['"averaged"', '"x"', '""'],
    "kind:const char*": ['"learner"', '"x"'],
    "formula:const char*": ['"a & b"', '""', '"(("'],
    "inputs:const char*": ['"a=0110"', '"b=1"', "NULL"],
    "initial:const char*": ["NULL", '"s=1"', '"x=1"', '"="'],
    "map:const char*": ['"poly:2"', '"none"', '"x"', '"poly:2:hash:4"'],
    "spec:const char*": ['"rate=1,2"', '""', '"x=1"', '"rate"'],
    "label:const char*": ['"yes"', '""', '"nan"'],
    "line:const char*": ['"yes 1:1"'],
    "certificate:const char*": ['"certificate"', '"rows.svm"', '""'],
    "data_path:const char*": ['"rows.svm"', '":iris"', '""'],
    "metric:const char*": ['"accuracy"', '"x"', '"log-loss"'],
    "perc_metric_value_sized:name": ['"accuracy"', '"x"'],
    "perc_metric_better:name": ['"accuracy"', '"x"'],
    "perc_metric_check:name": ['"accuracy"', '"x"', '"auc"', '"brier"'],
    "best:const char*": ['"best:f1"', '"best:"', '"x"'],
    "perc_model_set_threshold:spec": ['"none"', '"0.3"', '"score:1"', '"best:f1"', '"probabilities"', '""'],
    "perc_threshold_check:spec": ['"best:f1"', '"0.3"', '"x"', '"probabilities"'],
    "perc_trade_off_sized:each": ["trades"],
    "perc_trade_off_sized:most": ["10", "0", "2"],
    "perc_choose_threshold_sized:folds": ["2", "0", "1000", "SIZE_MAX"],
    "int": ["0", "1"],
    # Sizes of what the caller has room for: these cannot be wrong unnoticed.
    "perc_learn_line_sized:length": ["7", "0", "3"],
    "perc_roc:most": ["10", "0", "2"],
    "perc_map_image:n": ["2", "0", "SIZE_MAX"],
    "perc_map_image:room": ["100", "0", "3"],
    "perc_map_name:n": ["2", "0", "SIZE_MAX"],
    "perc_dataset_components:n": ["2", "0"],
    "perc_dataset_components:k": ["1", "0", "13", "SIZE_MAX"],
    "perc_metrics_summary_sized:k": ["2", "0", "1"],
    "perc_learning_curve_sized:n": ["2", "0", "SIZE_MAX"],
    "perc_learning_curve_sized:k": ["2", "0", "1000000", "SIZE_MAX"],
    "perc_cross_validate_sized:k": ["2", "0", "1000", "SIZE_MAX"],
    "perc_folds:k": ["2", "0", "1000", "SIZE_MAX"],
    "perc_calibrate:folds": ["2", "0", "1000", "SIZE_MAX"],
    "perc_check_kernel_sized:rows": ["5", "0", "UINT64_MAX"],
    "perc_check_kernel_sized:p": ["kernel_learner", "learner"],
    "perc_gate_steps:steps": ["3", "0", "SIZE_MAX"],
    "perc_gate_unroll:steps": ["2", "0", "1000", "SIZE_MAX"],
    "buffer:size_t": ["100", "0", "1"],
}
# Pointers that may be NULL, by name or FUNCTION:NAME.
OPTIONAL = """env err observer report weights data options where unknown confusion summary count source image
inputs initial held_set ud metric perc_dataset_components:row perc_fit_resume_sized:p perc_prove:p
perc_learn_sized:out perc_learn_line_sized:out perc_files_find:more perc_verify_sized:out perc_verify_watched_sized:out
perc_predict_file_info_sized:info perc_predict_rows_sized:info perc_predict_rows_sized:keep perc_evaluate_sized:out perc_choose_threshold_sized:out perc_check_kernel_sized:out perc_map_image:x perc_split_label:rows perc_split_label:drawn perc_survey_label:rows perc_survey_level:rows perc_model_supports_sized:out perc_gate_run:x""".split()

PARAMS = {"learner": ["data", "generator", "prove", "selection"], "data": ["learner", "generator", "prove"],
          "generator": ["data", "learner"], "prove": ["data", "learner"], "limits": ["data", "prove"],
          "parts": ["data", "some"], "some": ["parts", "learner"]}


def declarations(paths):
    for path in paths:
        text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
        text = re.sub(r"^#.*$", "", text, flags=re.M)
        text = re.sub(r"static inline[^{]*\{.*?^\}", "", text, flags=re.S | re.M)
        text = re.sub(r"typedef struct[^;{]*\{.*?^\}[^;]*;", "", text, flags=re.S | re.M)
        for m in re.finditer(r"^([a-z][\w \n]*[\s*])(perc_\w+)\(([^;{}]*)\);", text, flags=re.M):
            if m[1].strip().startswith("typedef"):
                continue
            arguments = []
            for a in ([] if m[3].strip() == "void" else m[3].split(",")):
                name = re.search(r"(\w+)\s*$", a)[1]
                kind = re.sub(r"\s+", " ", a[: a.rindex(name)]).strip()
                arguments.append((re.sub(r"\s*\*\s*", "*", kind), name))
            yield re.sub(r"\s+", " ", m[1]).strip(), m[2], arguments


def values(function, kind, name, arguments):
    if name == "size" and function.endswith("_sized"):
        struct = next(k for k, n in reversed(arguments) if k.endswith("*") and n in
                      ("out", "info", "report", "each", "mean", "train", "metrics"))
        return [f"sizeof({struct.rstrip('*').removeprefix('const ')})", "0", "8"]
    if kind == "size_t" and name == "size":
        name = "buffer"
    for key in (f"{function}:{name}", f"{name}:{kind}", kind):
        if key in VALUES:
            return VALUES[key]
    made = re.fullmatch(r"(?:const )?(perc_\w+)\*\*", kind)
    if made:
        return [f"&made_{made[1]}" + ("_2" if name == "held" else "")]
    made = re.fullmatch(r"perc_\w+\*", kind)
    if made:
        return ["(void *)space"]
    sys.exit(f"misuse.py: what is a {kind} {name} of {function}? Add it to VALUES.")


def calls(result, function, arguments):
    if function.endswith("_free"):
        yield f"    {function}(NULL);"
        return
    lists = [values(function, k, n, arguments) for k, n in arguments]
    valid = [v[0] for v in lists]

    def call(at, value, refused):
        given = list(valid)
        if at is not None:
            given[at] = value
        text = f"{function}({', '.join(given)})"
        outs = [v[1:] for v, (k, n) in zip(given, arguments) if v.startswith("&made_")]
        what = f"{function}: {arguments[at][1]} = {value}" if at is not None else function
        what = what.replace("\\", "\\\\").replace('"', "'")
        if result != "perc_status":
            return f'    said = "{what}";\n    (void){text};'
        check = "EARG" if refused else "any"
        lines = [f'    said = "{what}";', f"    {check}({text}, {1 if '&err' in given else 0});"]
        lines += [f"    made((void **)&{o});" for o in outs if refused]
        lines += [f"    free_{o.replace('made_', '').removesuffix('_2')}({o}), {o} = NULL;" for o in outs]
        return "\n".join(lines)

    yield call(None, None, False)
    models = [i for i, (k, n) in enumerate(arguments) if k.endswith("perc_model*")]
    sets = [i for i, (k, n) in enumerate(arguments) if k == "const perc_dataset*"]
    if models and sets: # any model with any rows
        first = valid[sets[0]]
        for valid[sets[0]] in lists[sets[0]][1:]:
            for value in lists[models[0]]:
                yield call(models[0], value, False)
        valid[sets[0]] = first
    for i, (kind, name) in enumerate(arguments):
        optional = name in OPTIONAL or f"{function}:{name}" in OPTIONAL
        pointer = kind.endswith("*") or kind in ("perc_score_sink", "perc_row_sink")
        for value in lists[i][1:]:
            yield call(i, value, False)
        if pointer and "NULL" not in lists[i]:
            yield call(i, "NULL", not optional)
        if kind == "const perc_params*" and not function.startswith("perc_params"):
            for wrong in PARAMS["learner" if "learner" in lists[i][0] else lists[i][0]]:
                yield call(i, wrong, True)


print(open(sys.argv[1]).read())
print("int main(void)\n{\n    prepare();")
known = 0
for result, function, arguments in declarations(sys.argv[2:]):
    known += 1
    for line in calls(result, function, arguments):
        print(line)
print(f'    said = "the end";\n    printf("{known} functions, %ld calls, %ld refused\\n", all, refused);')
print("    tidy();\n    return known_enough(%d);\n}" % known)
