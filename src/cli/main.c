/* main.c -- the table of commands, and the way in and out.
 *
 * The way in: the standard descriptors are made safe, SIGPIPE is ignored so that
 * a closed pipe is an error like any other (a model is still saved), the first word picks a
 * command. The way out: standard output is closed here, and a failure to write it (a full
 * disk) is exit code 4 with a message, because a result that did not arrive is not a
 * result. Where its reader went away (`| head`) the tool ends as SIGPIPE ends others. */
#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One row per command, in the order in which a newcomer meets them. A new command needs a file
 * cmd_NAME.c and a row here; help, manual and completion follow. */
const struct command cli_commands[] = {
    { "train", cmd_train, "DATA... [-o MODEL] [options]", "learn a model from data",
      "Learns a machine from DATA, says how it went, and saves the model. It is linear: two "
      "labels share one weight vector, more have one each. Or its boundary may be curved: with "
      "--kernel, where the score is a sum over the rows that mistakes were made on, and with "
      "--algorithm mlp, a network with hidden layers.\n"
      "\n"
      "Training ends after a whole pass without an update (it has converged), at a limit, or "
      "with Ctrl-C; the model is saved in each case and the report says which it was. So it is "
      "where the loss of a network was no longer a number: then the model is that of the last "
      "whole pass, and the exit status 3; without such a pass nothing is saved. The training "
      "error is counted after that, and with a kernel may take longer than a pass: --time-limit is "
      "about training alone. A second Ctrl-C ends the program at once and saves nothing.\n"
      "\n"
      "How a model does on rows that it has not seen is told by --folds (cross-validation), "
      "--holdout or --validate, which also end training when those rows are answered no better. "
      "--search compares sets of options in that way and keeps the best; --calibrate fits "
      "probabilities.",
      "perceptron train :blobs85\n"
      "perceptron train a9a -o a9a.safetensors --epochs 20 --scale maxabs\n"
      "zcat big.svm.gz | perceptron train - --stream --epochs 1 -o big.safetensors\n"
      "perceptron train iris.csv --label species --algorithm pocket\n"
      "perceptron train iris.csv --label species --positive setosa\n"
      "perceptron train a9a --folds 10\n"
      "perceptron train a9a --validate a9a.t --patience 3\n"
      "perceptron train a9a --algorithm svm --search 'C=0.01,0.1,1 loss=hinge,squared'\n"
      "perceptron train pendigits --kernel rbf --scale standard --search 'gamma=0.01,0.03,0.1'\n"
      "perceptron train mnist --algorithm mlp --layers 100 --scale by:255 --holdout 0.1 "
      "--patience 3",
      .common = "output algorithm kernel resume stream quiet json threads epochs order seed "
                "positive class-weight holdout folds search calibrate format label ignore missing "
                "scale" },
    { "test", cmd_test, "MODEL DATA... [options]", "measure a model on data",
      "Scores the rows of DATA and compares with their labels: errors, losses, confusion "
      "matrix, precision, recall, F1, area under the ROC curve, margins and distances. With more "
      "than two labels precision, recall and F1 are given for each, and there is neither a curve "
      "nor a distance.",
      "perceptron test a9a.safetensors a9a.t", NULL },
    { "predict", cmd_predict, "MODEL DATA... [-o OUT] [options]", "label new data",
      "Writes one line for each row of DATA: the label, then what was asked for, the score "
      "or the scores last. DATA needs no labels, but for --margins and --losses. Rows are read and "
      "written as they come, in little memory.\n"
      "\n"
      "With --format it is a table with a header, or an object a line, whose columns have names: "
      "those of --keep (input.NAME, if the answer has a column NAME), label, score or score.LABEL, "
      "probability.LABEL, distance, margin, loss, projection.FEATURE. Cells are quoted as RFC 4180 "
      "has it, and have all bytes of label and input; a missing number is nan, or null.\n"
      "\n"
      "Without it, a label with control characters, line ends or bytes that are not UTF-8, that "
      "begins with a quote, or beside numbers has a blank, is written as a string of JSON, "
      "\"a\\nb\" (a byte XX that is not UTF-8 as \\udcXX); all others as they are.",
      "perceptron predict a9a.safetensors a9a.t -o labels.txt\n"
      "perceptron predict a9a.safetensors - --scores < a9a.t\n"
      "perceptron predict model.safetensors patients.csv --format csv --keep id,date",
      NULL },
    { "learn", cmd_learn, "MODEL|--new [-o MODEL] [options]", "learn line by line, and answer",
      "Reads examples from standard input, a line each, and answers each on standard output at "
      "once. A line with a label is learned from; a line without is only answered. Lines are "
      "LIBSVM text, or rows of the table that MODEL was trained on, whose label may be missing.\n"
      "\n"
      "The answer begins with the label that the model would give: '-1 mistake (3 mistakes "
      "in 7 examples)' after a line with a label ('?' before a label is known), '1 0.25' with the "
      "score after one without, 'error: line 8:42: ...' after one that cannot be read, "
      "from which nothing is learned. Blank lines and comments have no answer. A label is quoted "
      "as by 'predict', also if it is ?, ack, error: or bound:.\n"
      "\n"
      "After every N examples, at the end of the input and on Ctrl-C or SIGTERM the model is "
      "saved, whole or not at all, and then 'ack N examples saved to FILE' is printed: from there "
      "it goes on, later, as if it had never stopped. One learner at a time may save to FILE. "
      "Indices whose weights would take more than 2 GiB are refused: --hash is for those. Exit "
      "codes: 0 even if some lines could not be read, 3 if none could, 4 if FILE cannot be saved "
      "or is another learner's, 130 after a signal.",
      "perceptron learn --new -o m --algorithm pa1 < examples.svm\n"
      "tail -f stream.svm | perceptron learn m --every 100\n"
      "echo '3:1 11:1 14:1' | perceptron learn m --json",
      .common = "output new algorithm kernel every quiet json seed positive rate scale" },
    { "prove", cmd_prove, "DATA... [-o CERT.json] [options]", "separable? with a proof either way",
      "Settles whether a plane can separate the classes of DATA, and shows why. The verdict is "
      "separable (a plane has every row strictly on its side), touching (no such plane, but one "
      "has some rows strictly on their side and all others on itself: quasi-complete separation) "
      "or overlapping (not even that). Each is checked in whole numbers, on the decimal numbers "
      "that stand in the file, before it is told; nothing is ever concluded from rounded ones.\n"
      "\n"
      "A yes comes with the plane, its smallest margin and the closest rows. A no comes with a "
      "few rows, at most two more than there are features, that no plane can separate, and how "
      "one sees it. More than two labels are settled each against the rest, and each pair; "
      "--positive shows one of them in full, with --negative one pair.\n"
      "\n"
      "With -o everything is written to a certificate, which 'perceptron verify' checks; what a "
      "limit left undecided is not in it. Exit codes: 0 separable, 1 not, in any of the problems; "
      "2 wrong usage; 3 bad data; 4 a file cannot be read or written, or memory runs out; 5 "
      "undecided at --time-limit; 130 after Ctrl-C.",
      "perceptron prove :xor\n"
      "perceptron prove a9a -o a9a.cert.json\n"
      "perceptron prove iris.csv --label species --positive setosa --margin\n"
      "perceptron prove :iris --positive virginica --negative versicolor\n"
      "perceptron prove :and --bound\n"
      "perceptron prove :xor --kernel poly --degree 2\n"
      "perceptron prove big.svm --quick -q && echo separable",
      .common = "output quiet json time-limit positive negative margin bound kernel label ignore" },
    { "verify", cmd_verify, "CERTIFICATE DATA... [options]", "check a proof against the data",
      "Checks a certificate that 'perceptron prove' has written, or another program, against DATA: "
      "every number of it, in whole numbers, and with the numbers of the file as they are printed "
      "there. Says what was verified, problem by problem. One of the two may be '-', standard "
      "input.\n"
      "\n"
      "Exit codes: 0 it is true, 1 it is refuted, with the row that does it, or it is about other "
      "data; 2 wrong usage; 3 it is not a certificate, or the data are bad; 4 a file cannot be "
      "read, or memory runs out; 5 undecided at --time-limit; 130 after Ctrl-C.",
      "perceptron verify proof.json a9a\n"
      "perceptron verify - iris.csv --label species < proof.json",
      NULL },
    { "gate", cmd_gate, "FORMULA|--neuron W,...:T [-o MODEL] [options]",
      "logic with threshold neurons",
      "Compiles a logic formula into a network of McCulloch-Pitts neurons: each adds up whole "
      "numbers, a weight for every input that is 1, and fires if the sum reaches its threshold. "
      "Prints the neurons and the truth table, and says of each output whether one neuron is "
      "enough: its weights, or rows that show that there are none. What one neuron can compute "
      "is one neuron. At most 20 inputs and states: every row is checked.\n"
      "\n"
      "Formulas have not (! ~), and (&), or (|), xor (^), nand, nor, implies (->), iff (<->), "
      "atleast(2; a, b, c), atmost, exactly, majority(a, b, c), 0 and 1, false and true, "
      "parentheses and names of up to 64 characters; words may be in any case. nand and nor are "
      "not chained, nor mixed with & and |: write parentheses. neuron(2 a, -b : 0.5) is a neuron "
      "of the network as it stands there, which fires where 2 a - b >= 0.5; what it computes is "
      "said, too. A formula that begins with '-' comes after '--'.\n"
      "\n"
      "Definitions are parted by ';', as in \"sum = a ^ b; carry = a & b\". Outputs are those that "
      "no other uses, and 'out'. A primed name is the value one step later, as in \"s' = a | (s & "
      "!r); out = s\": a state, which remembers; where there is no other output, the states are "
      "the outputs. a@3 is the value of a three steps ago.\n"
      "\n"
      "Exit codes: 0 done, whether or not one neuron is enough; 2 wrong usage, or a formula with a "
      "fault; 4 a file cannot be written, or memory runs out.",
      "perceptron gate '(a & b) | !c'\n"
      "perceptron gate --neuron 1,1:1.5\n"
      "perceptron gate 'a ^ b' --proof xor.cert.json --table xor.csv\n"
      "perceptron gate 'sum = a ^ b; carry = a & b' -o adder.safetensors\n"
      "perceptron gate \"s' = a | (s & !r); out = s\" --input 'a=0100000 r=0000010'\n"
      "perceptron gate \"s' = !s\" --unroll 4",
      NULL },
    { "trace", cmd_trace, "DATA... [options]", "show every step of learning",
      "Learns from DATA and prints every step as a table: the example shown, its score s, y s "
      "and the perceptron loss max(0, -y s), whether that was a mistake, and the weights after "
      "it, or with a kernel how many updates the row has had; with more than two labels the "
      "margin in place of score and weights. Says at the end whether it settled.",
      "perceptron trace :and\n"
      "perceptron trace :xnor --epochs 6\n"
      "perceptron trace :xor --kernel rbf --gamma 1\n"
      "perceptron trace :and --csv > steps.csv",
      .common = "algorithm csv form json epochs order seed rate init kernel label ignore scale" },
    { "inspect", cmd_inspect, "MODEL|DATA... [options]", "show what is in a model, or in data",
      "Prints what a model is, how it was trained, and its weights by the name of the feature, "
      "the largest first; of a model with a kernel the support rows, the largest counter first: "
      "the number of updates that were made on the row; of two labels also the coefficient of "
      "K(row, x) in the score.\n"
      "\n"
      "Of data it prints what they hold: rows, labels, rows that occur again or contradict each "
      "other; of each column what it is taken for, its gaps, values and range; and what is odd: "
      "columns that are always the same, that name the row, or from which the label follows. One "
      "pass, in memory that does not grow with the rows. --propose prints a file for --columns "
      "instead, which as it stands changes nothing.",
      "perceptron inspect a9a.safetensors --top 10\n"
      "perceptron inspect people.csv\n"
      "perceptron inspect people.csv --propose > columns.txt",
      NULL },
    { "report", cmd_report, "DATA... [-o PAGE.html] [options]", "one page of pictures of a run",
      "Learns from DATA as 'perceptron train' does, with its options and defaults, and writes "
      "what there is to see of it to one page for a browser: how it ended; mistakes and "
      "training error by pass; whether a plane can separate the classes, with the proof; the "
      "mistake bound at work; the decision boundary with the points, and every update of it, to "
      "play and to step through; the strip around the boundary with the closest rows; margins, "
      "ROC and precision-recall curves, calibration, confusion matrix, largest weights, a "
      "network or neuron as a diagram, support vectors; and several orders of the rows, where "
      "that is little work. --compare puts several algorithms side by side.\n"
      "\n"
      "The page is one file that loads nothing from elsewhere. The same command gives the same "
      "bytes, on any number of threads. Each picture has its numbers in a table below it; where "
      "a picture is missing, a sentence says why. Data of more than two features are drawn in "
      "the plane of their first two principal components, or of the two named by --features. "
      "The model is not saved: 'perceptron train' with the same options saves it.\n"
      "\n"
      "Exit codes: 0 the page was written; 2 wrong usage; 3 bad data; 4 a file cannot be read "
      "or written, or memory runs out; 130 after Ctrl-C, and no page is written then.",
      "perceptron report :xor\n"
      "perceptron report iris.csv --label species --features 'petal length,petal width'\n"
      "perceptron report :xor --algorithm perceptron --kernel rbf -o xor.html\n"
      "perceptron report a9a --compare perceptron,pocket,averaged,svm -o a9a.html",
      .common = "output algorithm compare features epochs order seed kernel positive label ignore "
                "scale" },
    { "plot", cmd_plot, "DATA|MODEL [DATA...] [options]", "the pictures of a run, or of a model",
      "Learns from DATA as 'perceptron train' does and draws what there is to see of it: the "
      "decision boundary with the points, the strip around it with the closest rows and their "
      "distances, one update as an arrow of weights, mistakes and training error by pass, ROC "
      "curve, margins, confusion matrix, largest weights, a network or neuron as a diagram, "
      "counters of support rows, the mistake bound at work, and the rows that show that no "
      "plane separates the data. With --orders N several orders of the rows are drawn together, "
      "and told in a table. Without -o the boundary and the mistakes by pass are printed as "
      "characters, and --picture has the others; with it all are written as SVG, each with "
      "colours for light and dark screens.\n"
      "\n"
      "A MODEL is known by its first bytes. It has learned, and is drawn without data: its "
      "largest weights, the counters of its support rows, and of two features what it answers "
      "in the plane. With DATA behind it nothing is learned either, and it is drawn over those "
      "rows: boundary, strip, margins, ROC and precision-recall curves, confusion matrix, and "
      "calibration if it has probabilities.\n"
      "\n"
      "Exit codes: 0 done; 1 the picture asked for does not exist for these data; 2 wrong "
      "usage; 3 bad data or model; 4 a file cannot be read or written, or memory runs out; 130 "
      "after Ctrl-C.",
      "perceptron plot :xor\n"
      "perceptron plot :iris --picture boundary --features 'petal length,petal width'\n"
      "perceptron plot iris.csv --label species -o pictures/\n"
      "perceptron plot moons.csv --picture boundary --kernel rbf -a perceptron -o moons.svg\n"
      "perceptron plot a9a.safetensors --picture weights\n"
      "perceptron plot moons.safetensors more-moons.csv --picture boundary",
      .common = "output picture algorithm compare features epochs order seed kernel positive "
                "label ignore scale" },
    { "generate", cmd_generate, "KIND [-o FILE] [options]", "make synthetic data",
      "Makes a data set of a known kind. The same options and seed give the same bytes on every "
      "machine. Each KIND has its own options.",
      "perceptron generate moons --rows 500 -o moons.csv\n"
      "perceptron generate halfspace --seed 7 | perceptron train -",
      NULL },
    { "convert", cmd_convert, "DATA... OUT [options]", "change the format of a file",
      "Reads DATA and writes it to OUT as LIBSVM text, as CSV, or as a binary block file, which "
      "is checked by a sum and loads at once.",
      "perceptron convert train.svm.xz train.blocks\n"
      "perceptron convert iris.csv - --to libsvm",
      NULL },
    { "split", cmd_split, "DATA... -o TRAIN TEST [options]", "divide the rows of a file",
      "Divides the rows of DATA among two files, each row as it stands, byte for byte, in the "
      "order of the file, and each file with the header. DATA is a table or LIBSVM text, plain or "
      "compressed, or '-'; what is written is plain. Blank lines and comments go with the row "
      "before them. Neither file is there before both are whole.\n"
      "\n"
      "Rows go to TEST at random, as many as --test says; with --stratify each label in "
      "proportion, to within one row. --by group:COLUMN keeps rows of one value together, of a "
      "patient for example, and comes as near to --test as whole groups do. --by time:COLUMN puts "
      "the newest rows into TEST: numbers, or dates as 2024-03-17 and 2024-03-17T09:30:00; rows of "
      "one time stay together. Of LIBSVM text COLUMN is qid or the number of a feature. The same "
      "seed gives the same files.",
      "perceptron split people.csv -o train.csv test.csv\n"
      "perceptron split people.csv.gz --test 0.3 --stratify --label income -o train.csv test.csv\n"
      "perceptron split visits.csv --by group:patient -o train.csv test.csv\n"
      "perceptron split visits.csv --by time:date --test 1000 -o old.csv new.csv",
      NULL },
    { "sample", cmd_sample, "DATA... --rows N|--share P [-o FILE] [options]", "some rows of a file",
      "Writes some rows of DATA, drawn at random, each as it stands and in the order of the file, "
      "with its header. --stratify draws each label in proportion, --by group:COLUMN whole groups. "
      "The same seed gives the same rows, from a file or from a pipe; of a pipe no more than N "
      "rows are kept in memory. If there are fewer than N, all are written.",
      "perceptron sample big.csv.zst --rows 10000 -o some.csv\n"
      "zcat log.csv.gz | perceptron sample - --rows 1000 > some.csv\n"
      "perceptron sample visits.csv --share 0.1 --by group:patient -o some.csv",
      NULL },
    { "demo", cmd_demo, "[options]", "a tour of two minutes",
      "Shows the perceptron at work on built-in data: one set learned in four orders, one that "
      "no line separates but a curve does, and a real one with a test set.",
      "perceptron demo", NULL },
    { "help", cmd_help, "[COMMAND] [all]", "explain a command, or the algorithms",
      "Explains a command, with the options that most need, or with 'all' every one; without a "
      "command it lists them. 'help algorithms' tells what can learn, and what it costs.",
      "perceptron help train\n"
      "perceptron help train all\n"
      "perceptron help algorithms",
      NULL },
    { NULL, NULL, NULL, NULL, NULL, NULL, NULL }
};

/* ----- in and out ---------------------------------------------------------- */

/* The first word names the command. Options before it have no command to belong to. */
static int run_command(struct cli *cli, int argc, char **argv)
{
    const char *name = argv[1];

    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0 || strcmp(name, "version") == 0) {
        out_fmt(cli->out, "perceptron %s\n", perc_version());
        return EXIT_DONE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        help_overview(cli->out);
        return EXIT_DONE;
    }
    if (name[0] == '-') return cli_usage(cli, "a command is missing before '%s'", name);
    if ((cli->command = cli_command(name)) == NULL) return cli_unknown_command(name);
    cli->argc = argc - 2;
    cli->argv = argv + 2;
    exhausted_catch(name);
    snprintf(cli->words, sizeof cli->words,
             "perceptron %s: interrupted before there was a result\n", cli->command->name);
    interrupt_quit(cli->words);
    return cli->command->run(cli);
}

int main(int argc, char **argv)
{
    struct ticker reading;
    struct cli cli = { .mode = CLI_RUN, .reading = &reading };
    perc_error err = { 0 };
    int rc;

    /* If a standard descriptor is closed, the next file opened would take its number and receive
     * what is printed. A read-only /dev/null in its place makes writing fail, as it should. */
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1)
            (void)!open("/dev/null", O_RDONLY); /* takes the lowest number: fd */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of write(), and is said */
    /* To stderr and with exit code 2: a script that forgot a word should notice. */
    if (argc < 2) {
        fputs("usage: perceptron COMMAND [options]\n"
              "commands:",
              stderr);
        for (const struct command *c = cli_commands; c->name != NULL; c++)
            fprintf(stderr, " %s", c->name);
        fputs("\nStart with 'perceptron demo', or see 'perceptron help'.\n", stderr);
        return EXIT_USAGE;
    }
    if (out_open(NULL, "-", &cli.out, &err) != PERC_OK) return cli_fail(&cli, NULL, &err);
    rc = run_command(&cli, argc, argv);
    if (out_close(cli.out, &err) != PERC_OK) {
        const int failed = cli_fail(&cli, NULL, &err);
        if (rc == EXIT_DONE || rc == EXIT_NO || rc == EXIT_UNDECIDED)
            rc = failed; /* an answer that nobody saw */
    }
    fputs(cli.notes, stderr);
    free(cli.settings);
    several_free(&cli);
    return rc;
}
