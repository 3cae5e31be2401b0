/* cmd_predict.c -- perceptron predict: one line for each row, as rows come.
 *
 * The label stands first on its line, then the distance s/|w|, then the score:
 * last, and with 17 digits, so that it reads back as the same number. Plain
 * labels are put together in a buffer of our own; 200,000 of them cost a few
 * milliseconds. Nothing is held: the file may be larger than memory. */
#include "cli/cli.h"

#include <string.h>

#include "show/word.h"

enum { LINES = 1 << 14 };

struct predict {
    struct cli *cli;
    struct out *out;
    const char *label[2]; /* of the negative and the positive answer */
    size_t length[2];
    int scores, distance;
    double norm;          /* |w| */
};

/* ----- sinks: what becomes of scores ---------------------------------------- */

/* Labels alone, the common case: copied into a buffer on the stack, which is
 * handed on when the next label might not fit. */
static int write_labels(struct predict *p, const double *s, size_t n)
{
    char buf[LINES];
    size_t used = 0;

    for (size_t i = 0; i < n; i++) {
        const int k = s[i] > 0;

        if (used + p->length[k] + 1 > sizeof buf) {
            out_bytes(p->out, buf, used);
            used = 0;
        }
        memcpy(buf + used, p->label[k], p->length[k]);
        used += p->length[k];
        buf[used++] = '\n';
    }
    out_bytes(p->out, buf, used);
    return out_broken(p->out);
}

/* A label with one or two numbers. Formatting 17 digits takes longer than all the
 * rest, so nothing is gained by a buffer here. |w| = 0 gives nan: a model that
 * has learned nothing has no boundary to be far from. */
static int write_numbers(struct predict *p, const double *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const int k = s[i] > 0;

        out_bytes(p->out, p->label[k], p->length[k]);
        if (p->distance) {
            out_bytes(p->out, " ", 1);
            out_num17(p->out, s[i] / p->norm);
        }
        if (p->scores) {
            out_bytes(p->out, " ", 1);
            out_num17(p->out, s[i]);
        }
        out_bytes(p->out, "\n", 1);
    }
    return out_broken(p->out);
}

/* One object a row, in the open list "predictions". */
static int write_json(struct predict *p, const double *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out_begin(p->out, '{');
        out_key_string(p->out, "label", p->label[s[i] > 0]);
        if (p->distance)
            out_key_real(p->out, "distance", s[i] / p->norm);
        if (p->scores)
            out_key_real(p->out, "score", s[i]);
        out_end(p->out, '}');
    }
    return out_broken(p->out);
}

/* Called by the library with the scores of some rows. Non-zero stops the reading:
 * after Ctrl-C, and when nobody takes the output any more. */
static int sink(void *ud, const double *scores, size_t n)
{
    struct predict *p = ud;

    if (interrupt_seen())
        return 1;
    if (p->cli->json)
        return write_json(p, scores, n);
    if (p->scores || p->distance || p->length[0] >= LINES || p->length[1] >= LINES)
        return write_numbers(p, scores, n);
    return write_labels(p, scores, n);
}

/* ----- the command ---------------------------------------------------------- */

/* Everything between an open model and a closed output. */
static int predict(struct predict *p, const perc_model *m, const char *data,
                   const perc_params *params)
{
    struct cli *cli = p->cli;
    perc_model_info info;
    perc_error err = { 0 };
    uint64_t unknown = 0;
    perc_status st;
    char count[WORD];

    perc_model_info_get(m, &info);
    p->norm = cli_norm(m);
    for (int k = 0; k < 2; k++) {
        p->label[k] = cli_label(&info, k);
        p->length[k] = strlen(p->label[k]);
    }
    if (cli->json) {
        out_begin(p->out, '{');
        out_key_string(p->out, "command", "predict");
        out_key(p->out, "predictions");
        out_begin(p->out, '[');
    }
    st = perc_predict_file(&cli->env, m, data, params, sink, p, &unknown, &err);
    if (interrupt_seen())
        return EXIT_INTERRUPTED;
    if (out_broken(p->out))
        return EXIT_DONE; /* out_close says why, and has the exit code */
    if (st != PERC_OK)
        return cli_fail(cli, data, &err);
    if (cli->json) {
        out_end(p->out, ']');
        out_key_int(p->out, "unknown", (int64_t)unknown);
        out_end(p->out, '}');
        out_text(p->out, "\n");
    } else if (unknown > 0) {
        cli_note(cli, "%s: entries left out (features that the model does not know): %s",
                 cli_input_name(data), word_count(count, unknown));
    }
    return EXIT_DONE;
}

int cmd_predict(struct cli *cli)
{
    struct predict p = { .cli = cli };
    const char *model = NULL, *data = NULL, *output = "-";
    const struct opt opts[] = {
        { 'o', "output", OPT_TEXT, &output, "FILE", "where to write [standard output]", 0, 0 },
        { 0, "scores", OPT_FLAG, &p.scores, NULL, "add the score w.x + b, last on its line", 0, 0 },
        { 0, "distance", OPT_FLAG, &p.distance, NULL,
          "add the signed distance to the boundary, score / |w|", 0, 0 },
        OPT_THREADS(cli), OPT_JSON(cli), OPT_QUIET(cli), OPT_END
    };
    const struct operand operands[] = {
        { "MODEL", &model, false }, { "DATA", &data, false }, OPERANDS_END
    };
    const struct tables tables[] = { { "data", NULL, NULL, CLI_HIDDEN_FOR_MODEL }, TABLES_END };
    perc_params *params = NULL;
    perc_model *m = NULL;
    perc_error err = { 0 };
    int rc;

    if (!cli_parse(cli, opts, operands, tables))
        return cli->rc;
    if ((rc = cli_params(cli, "data", "data", &params)))
        return rc;
    const bool file = strcmp(output, "-") != 0;
    p.out = cli->out;
    if (perc_model_read(&cli->env, model, &m, &err)) {
        rc = cli_fail(cli, model, &err);
    } else if (file && out_open(&cli->env, output, &p.out, &err)) {
        rc = cli_fail(cli, cli_output_name(output), &err);
    } else {
        interrupt_catch(); /* so that no half-written file stays behind */
        rc = predict(&p, m, data, params);
        if (file && rc != EXIT_DONE)
            out_abort(p.out);
        else if (file && out_close(p.out, &err))
            rc = cli_fail(cli, cli_output_name(output), &err);
    }
    perc_model_free(m);
    perc_params_free(params);
    return rc;
}
