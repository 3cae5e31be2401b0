/* vw_open.c -- Vowpal Wabbit's text: told from other text, and its schema. See vw.h. */
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "data/csv_cell.h"
#include "data/vw.h"

bool vw_is_schema(const struct schema *s)
{
    return s->columns == 2 && s->column[1].kind == COLUMN_TEXT && s->column[1].name[0] == '\0';
}

/* ----- told -------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Whether a token is NAME:NUMBER, and not a time of day or a pair of LIBSVM's: with a letter in the
 * name, or a point in the number. */
static bool is_pair(const char *s, const char *end)
{
    const char *colon = memchr(s, ':', (size_t)(end - s));
    bool telling = false;

    if (colon == NULL || colon == s || colon + 1 == end) return false;
    for (const char *p = s; p < colon; p++) telling |= *p < '0' || *p > '9';
    for (const char *p = colon + 1; p < end; p++) {
        if (strchr("0123456789.-+eE", *p) == NULL || *p == '\0') return false;
        telling |= *p == '.';
    }
    return telling;
}

/* Whether the words before the bar may be a label, its importance and so on: few, and without what
 * separates cells. *touches: the last may be a tag. */
static bool look_before_bar(const char *s, const char *bar, bool *touches)
{
    size_t words = 0;

    for (const char *p = s, *q; p < bar; p = q + 1) {
        for (q = p; q < bar && !is_blank(*q); q++)
            if (*q == ',' || *q == ';' || *q == '"') return false;
        words += q > p;
    }
    *touches = bar > s && !is_blank(bar[-1]);
    return words <= 4 && (!*touches || words > 1 || memchr(s, '\'', (size_t)(bar - s)) != NULL);
}

/* Whether a line may be an example. One whose tag touches the bar has pairs, too: a table with bars
 * looks so. */
static bool look_at_line(const char *s, const char *end, bool *pairs)
{
    const char *bar = memchr(s, '|', (size_t)(end - s));
    bool touches, pair = false;

    if (bar == NULL || !look_before_bar(s, bar, &touches)) return false;
    for (const char *p = bar, *q; p < end; p = q + 1) {
        for (q = p; q < end && !is_blank(*q) && *q != '|'; q++) continue;
        pair |= is_pair(p, q);
    }
    *pairs |= pair;
    return pair || !touches;
}

bool vw_looks_like(const char *text, size_t len)
{
    enum { LINES = 50 };
    const char *p = text, *const end = text + len;
    bool pairs = false;

    for (int lines = 0; p < end && lines < LINES; lines++) {
        const char *q = memchr(p, '\n', (size_t)(end - p)), *s = p;
        if (q == NULL) q = end;
        while (s < q && is_blank(*s)) s++;
        if (s < q && !look_at_line(s, q, &pairs)) return false;
        p = q < end ? q + 1 : end;
    }
    return pairs;
}

/* ----- opened ------------------------------------------------------------------------ */

static perc_status check_options(const perc_params *data, perc_error *err)
{
    static const char *const names[] = { "label", "weight", "categorical", "text", "ignore" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (*params_text(data, names[i]) != '\0')
            return fail(err, PERC_EARG,
                        "--%s names columns of a table, and this is Vowpal Wabbit's text (leave it "
                        "out)",
                        names[i]);
    return notation_refuse(data, "Vowpal Wabbit's text", err);
}

static perc_status keep_tag(const struct env *e, const char *keep, struct carry *c, perc_error *err)
{
    struct list l;
    bool more, twice;
    char shown[CELL_BUFFER];
    perc_status st;

    list_begin(&l, e, "keep", keep, '\0', err);
    while (!(st = list_next(&l, &more)) && more && !st) {
        if (l.len == 0) continue;
        if (l.len != 3 || memcmp(l.name, "tag", 3) != 0)
            st = fail(err, PERC_EARG,
                      "keep: there is no column '%s' (Vowpal Wabbit's text has tag)",
                      csv_cell_show(l.name, l.len, shown));
        else if (carry_add(c, 0, "tag", &twice)) st = fail_memory(err);
        else if (twice)
            st = fail(err, PERC_EARG, "keep: column 'tag' is named twice (leave one out)");
        if (st) break;
    }
    list_end(&l);
    return st;
}

static perc_status make_schema(const perc_params *data, struct schema *s, perc_error *err)
{
    static const char *const name[2] = { "label", "" };
    static const enum column_kind kind[2] = { COLUMN_LABEL, COLUMN_TEXT };

    s->header = true;
    s->hash_bits = (unsigned)params_int(data, "hash");
    if ((s->column = mem_zeroed(&s->e, 2, sizeof *s->column)) == NULL) return fail_memory(err);
    s->columns = 2;
    for (size_t i = 0; i < 2; i++) {
        s->column[i].kind = kind[i];
        s->column[i].name = mem_text(&s->e, name[i], strlen(name[i]));
        if (s->column[i].name == NULL) return fail_memory(err);
    }
    return PERC_OK;
}

perc_status vw_open(const struct env *e, const char *text, size_t len, const perc_params *data,
                    const struct schema *model, const char *keep, struct csv *out, char *note,
                    perc_error *err)
{
    perc_status st;

    (void)text;
    *out = (struct csv){ .fixed = model != NULL,
                         .labelled = true,
                         .float32 = params_bool(data, "float32"),
                         .file_columns = 1,
                         .valued = true,
                         .carry.e = *e };
    schema_init(&out->schema, e);
    snprintf(note, 256, "Vowpal Wabbit's text");
    if (model != NULL) note[0] = '\0';
    if (len == 0) st = fail(err, PERC_EDATA, NO_ROWS);
    else if (model == NULL) st = check_options(data, err);
    else st = PERC_OK;
    if (!st && keep != NULL) st = keep_tag(e, keep, &out->carry, err);
    if (!st && model == NULL) st = make_schema(data, &out->schema, err);
    else if (!st && schema_copy(e, model, &out->schema)) st = fail_memory(err);
    if (st) csv_free(out);
    return st;
}
