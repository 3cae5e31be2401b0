/* jsonl_look.c -- a first look at JSON lines: which columns there are, and what they hold.
 *
 * What a key is shows in its values: it is a column if a value other than null was met, or nothing
 * but null, and no object or array that would give it other columns. Each column is then what the
 * look at a table in CSV would make of its cells (csv_look.c), and one with an array of strings is
 * text. */
#include <string.h>

#include "data/jsonl.h"

bool jsonl_looks_like(const char *text, size_t len)
{
    const char *p = text, *const end = text + len;

    while (p < end && strchr(" \t\r\n", *p) != NULL && *p != '\0') p++;
    if (p < end && *p == '[') p++;
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    if (p == end || *p++ != '{') return false;
    while (p < end && strchr(" \t\r\n", *p) != NULL && *p != '\0') p++;
    return p < end && (*p == '"' || *p == '}'); /* no cell begins so, nor a label */
}

perc_status jsonl_add_column(struct jsonl *k, struct csv_survey *v, const char *name, size_t len,
                             uint32_t *column)
{
    const perc_status st = schema_add(&k->names, 0, name, len, column);

    if (st || *column < v->columns) return st;
    if (!MEM_GROW(&v->e, v->column, &v->cap, v->columns + 1)) return PERC_ENOMEM;
    v->column[v->columns] = (struct look){ .first = mem_text(&v->e, name, len) };
    if (v->column[v->columns].first == NULL) return PERC_ENOMEM;
    v->columns++;
    return PERC_OK;
}

/* What was met under a key. */
struct key_look {
    struct look look;
    bool value, null;
};

struct look_walk {
    struct jsonl_walk w; /* first: a leaf is given its address */
    const struct env *e;
    struct key_look *at;
    size_t cap;
};

static perc_status look_leaf(struct jsonl_walk *w, uint32_t key, const struct jsonl_value *v)
{
    struct look_walk *l = (struct look_walk *)w;
    const size_t had = l->cap;

    if (!MEM_GROW(l->e, l->at, &l->cap, (size_t)key + 1)) return fail_memory(w->err);
    if (l->cap > had) memset(l->at + had, 0, (l->cap - had) * sizeof *l->at);
    struct key_look *k = &l->at[key];
    struct look *look = &k->look;
    if (look->first_line == 0) {
        look->first_line = w->line;
        look->first_column = v->at - w->j.start + 1;
    }
    if (v->kind == JSON_NULL) {
        k->null = true;
        look->missing++;
        return PERC_OK;
    }
    k->value = true;
    look->lists |= v->kind == JSON_ARRAY;
    csv_survey_count(look, v->text, v->len, w->line, v->at - w->j.start + 1);
    return PERC_OK;
}

/* Adds what was met under one key to its column; two keys, a.b and b inside a, may share it. */
static void join_looks(struct look *to, const struct look *from)
{
    if (to->words == 0) {
        to->word_line = from->word_line;
        to->word_column = from->word_column;
    }
    if (to->first_line == 0) {
        to->first_line = from->first_line;
        to->first_column = from->first_column;
    }
    to->numbers += from->numbers;
    to->missing += from->missing;
    to->words += from->words;
    to->odd += from->odd;
    to->commas += from->commas;
    to->lists |= from->lists;
}

/* From keys to columns, in the order in which they were met. */
static perc_status make_columns(const struct look_walk *l, struct jsonl *k, struct csv_survey *v)
{
    bool *inside = mem_zeroed(&k->e, k->keys.categories + 1,
                              sizeof *inside); /* keys with others in */
    struct text name;
    perc_status st = inside != NULL ? PERC_OK : PERC_ENOMEM;

    text_init(&name, &k->e);
    for (size_t i = 0; i < k->keys.categories && !st; i++)
        if (k->keys.category[i].column > 0) inside[k->keys.category[i].column - 1] = true;
    for (size_t i = 0; i < k->keys.categories && i < l->cap && !st; i++) {
        const struct key_look *met = &l->at[i];
        if (!met->value && (!met->null || inside[i])) continue;
        name.len = 0;
        jsonl_name(k, (uint32_t)i, &name);
        st = name.oom ? PERC_ENOMEM : jsonl_add_column(k, v, name.s, name.len, &k->column[i]);
        if (!st) join_looks(&v->column[k->column[i]], &met->look);
    }
    text_free(&name);
    mem_free(&k->e, inside, k->keys.categories + 1, sizeof *inside);
    return st;
}

perc_status jsonl_survey(const char *text, size_t len, struct jsonl *k, struct csv_survey *v,
                         perc_error *err)
{
    struct look_walk l = { .e = &k->e };
    const char *s = text, *line;
    size_t n;
    perc_status st = PERC_OK;

    jsonl_walk_init(&l.w, &k->e);
    l.w.keys = l.w.grow = k;
    l.w.leaf = look_leaf;
    l.w.err = err;
    while (!st && jsonl_line(&s, text + len, &l.w.line, &line, &n)) {
        if (v->records++ > 0) l.w.err = NULL;
        st = jsonl_walk(&l.w, line, n);
    }
    if (st == PERC_EDATA && v->records > 1) st = PERC_OK;
    if (!st && v->records == 0) st = fail(err, PERC_EDATA, NO_ROWS);
    if (!st) st = make_columns(&l, k, v) ? PERC_ENOMEM : PERC_OK;
    if (st == PERC_ENOMEM) fail_memory(err);
    mem_free(&k->e, l.at, l.cap, sizeof *l.at);
    jsonl_walk_free(&l.w);
    return st;
}
