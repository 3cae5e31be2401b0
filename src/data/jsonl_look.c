/* jsonl_look.c -- a first look at JSON lines: which columns there are, and what they hold.
 *
 * What a key is shows in its values: it is a column once a value other than null was met, or where
 * nothing else was, no object or array either that would give it other columns. Each column is then
 * what the look at a table in CSV would make of its cells (csv_look.c), and one with an array of
 * strings is text. */
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

struct look_walk {
    struct jsonl_walk w; /* first: a leaf is given its address */
    struct csv_survey *v;
    struct text name, text;
    bool *null; /* of each key: it was null */
    size_t cap;
};

/* Gives a key its column. */
static perc_status add_column(struct look_walk *l, uint32_t key)
{
    struct jsonl *k = l->w.grow;

    l->name.len = 0;
    jsonl_name(k, key, &l->name);
    return l->name.oom ? PERC_ENOMEM
                       : jsonl_add_column(k, l->v, l->name.s, l->name.len, &k->column[key]);
}

static perc_status look_leaf(struct jsonl_walk *w, uint32_t key, const struct jsonl_value *v)
{
    struct look_walk *l = (struct look_walk *)w;
    uint32_t *column = &w->grow->column[key];
    const int64_t place = v->at - w->j.start + 1;
    const size_t had = l->cap;
    size_t len;

    if (v->kind == JSON_NULL && *column == JSONL_NONE) {
        if (!MEM_GROW(&l->v->e, l->null, &l->cap, (size_t)key + 1)) return fail_memory(w->err);
        if (l->cap > had) memset(l->null + had, 0, (l->cap - had) * sizeof *l->null);
        l->null[key] = true;
        return PERC_OK;
    }
    const char *text = v->kind == JSON_NULL ? "" : jsonl_text(v, &l->text, &len);
    if (v->kind == JSON_NULL) len = 0;
    if (text == NULL || (*column == JSONL_NONE && add_column(l, key))) return fail_memory(w->err);
    struct look *look = &l->v->column[*column];
    if (look->first_line == 0) {
        look->first_line = w->line;
        look->first_column = place;
    }
    look->lists |= v->kind == JSON_ARRAY;
    const struct cell cell = {
        .text = text, .len = len, .line = w->line, .column = place, .plain = v->kind == JSON_NUMBER
    };
    return csv_survey_count(l->v, look, &cell) ? PERC_OK : fail_memory(w->err);
}

/* Keys under which nothing but null was met, neither a value nor others. */
static perc_status add_nulls(struct look_walk *l)
{
    const struct schema *keys = &l->w.keys->keys;
    bool *inside = mem_zeroed(&l->v->e, keys->categories + 1, sizeof *inside);
    perc_status st = inside != NULL ? PERC_OK : PERC_ENOMEM;

    for (size_t i = 0; i < keys->categories && !st; i++)
        if (keys->category[i].column > 0) inside[keys->category[i].column - 1] = true;
    for (size_t i = 0; i < keys->categories && i < l->cap && !st; i++)
        if (l->null[i] && !inside[i] && l->w.keys->column[i] == JSONL_NONE)
            st = add_column(l, (uint32_t)i);
    mem_free(&l->v->e, inside, keys->categories + 1, sizeof *inside);
    return st;
}

perc_status jsonl_survey(const char *text, size_t len, struct jsonl *k, struct csv_survey *v,
                         perc_error *err)
{
    struct look_walk l = { .v = v };
    const char *s = text, *line;
    size_t n;
    perc_status st = PERC_OK;

    jsonl_walk_init(&l.w, &k->e);
    text_init(&l.name, &k->e);
    text_init(&l.text, &k->e);
    l.w.keys = l.w.grow = k;
    l.w.leaf = look_leaf;
    l.w.err = err;
    while (!st && jsonl_line(&s, text + len, &l.w.line, &line, &n)) {
        if (v->records++ > 0) l.w.err = NULL;
        st = jsonl_walk(&l.w, line, n);
    }
    if (st == PERC_EDATA && v->records > 1) st = PERC_OK;
    if (!st && v->records == 0) st = fail(err, PERC_EDATA, NO_ROWS);
    if (!st && add_nulls(&l)) st = PERC_ENOMEM;
    if (st == PERC_ENOMEM) fail_memory(err);
    mem_free(&k->e, l.null, l.cap, sizeof *l.null);
    text_free(&l.name);
    text_free(&l.text);
    jsonl_walk_free(&l.w);
    return st;
}
