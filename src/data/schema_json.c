/* schema_json.c -- a schema as JSON, in the model file and the block file.
 *
 *   {"header":true,"delimiter":",",
 *    "columns":[{"name":"age","kind":"number"},{"name":"colour","kind":"category"}],
 *    "categories":[[1,"red"],[1,"blue"]]}
 *
 * A column that has its own treatment says so after its kind, in the words of columns.h:
 * "how":"fill=median indicator", and how many of its cells were missing: "filled":12. Of a category
 * "frequent":"red" is the level that its gaps are, and "reference":"blue" the one without a
 * feature. The level that stands for its missing cells, or for its rare levels, is
 * [1,"missing",true] or [1,"rare",true]: no text of a file.
 *
 * Categories, and words of texts, are [column, text] in order of their number;
 * feature numbers follow from the order and are not written. With hashing there are
 * none of them, and "hash":18 follows for 2^18 buckets.
 *
 * A table in another notation than the plain one says so at the end: "decimal":",",
 * "thousands":".", "quote":"single", in the words of the options.
 *
 * JSON holds Unicode only, and tables in older encodings exist: a text that is not
 * UTF-8 is written as {"hex":"e9"}, its bytes, so that what was learned is found
 * again.
 *
 * The reader trusts nothing: keys come once and in this order, a category names a
 * column of that kind and comes once, at most one column is the label and one the
 * weight. What it accepts is a schema that csv_open could have made. */
#include "data/schema.h"

#include <string.h>

#include "base/json.h"
#include "data/hashing.h"

static const char *const kind_names[] = {
    [COLUMN_NUMBER] = "number", [COLUMN_CATEGORY] = "category", [COLUMN_TEXT] = "text",
    [COLUMN_DATE] = "date",     [COLUMN_LABEL] = "label",       [COLUMN_WEIGHT] = "weight",
    [COLUMN_ID] = "id",         [COLUMN_SKIP] = "skip",
};
enum { KINDS = sizeof kind_names / sizeof *kind_names };

/* ----- writing ------------------------------------------------------------- */

/* "how":"fill=median indicator","filled":12 */
static void put_how(struct json_out *o, const struct column *c, struct text *words)
{
    if (columns_treatment_is_plain(&c->how)) return;
    words->len = 0;
    columns_treatment_write(&c->how, words);
    if (words->oom) return;
    json_key(o, "how");
    json_str(o, words->s + 1); /* without the blank it begins with */
    if (c->filled > 0) {
        json_key(o, "filled");
        json_i64(o, (int64_t)c->filled);
    }
    if (c->frequent != NULL) {
        json_key(o, "frequent");
        json_bytes(o, c->frequent);
    }
    if (c->reference != NULL) {
        json_key(o, "reference");
        json_bytes(o, c->reference);
    }
}

static void put_notation(struct json_out *o, const struct notation *n)
{
    if (n->comma) {
        json_key(o, "decimal");
        json_str(o, ",");
    }
    if (n->thousands != 0) {
        json_key(o, "thousands");
        json_str(o, notation_thousands_word(n->thousands));
    }
    if (n->quotes == QUOTES_DOUBLE) return;
    json_key(o, "quote");
    json_str(o, notation_quotes_word[n->quotes]);
}

void schema_to_json(const struct schema *s, struct text *out)
{
    const char delimiter[2] = { s->delimiter, '\0' };
    struct json_out o = { .t = out };
    struct text how;

    text_init(&how, &s->e);
    json_open(&o, '{');
    json_key(&o, "header");
    json_bool(&o, s->header);
    json_key(&o, "delimiter");
    json_bytes(&o, delimiter);
    json_key(&o, "columns");
    json_open(&o, '[');
    for (size_t i = 0; i < s->columns; i++) {
        json_open(&o, '{');
        json_key(&o, "name");
        json_bytes(&o, s->column[i].name);
        json_key(&o, "kind");
        json_str(&o, kind_names[s->column[i].kind]);
        put_how(&o, &s->column[i], &how);
        json_close(&o, '}');
    }
    out->oom |= how.oom;
    text_free(&how);
    json_close(&o, ']');
    json_key(&o, "categories");
    json_open(&o, '[');
    for (size_t k = 0; k < s->categories; k++) {
        json_open(&o, '[');
        json_i64(&o, s->category[k].column);
        json_bytes(&o, s->category[k].text);
        if (s->category[k].special) json_bool(&o, true);
        json_close(&o, ']');
    }
    json_close(&o, ']');
    if (s->hash_bits > 0) {
        json_key(&o, "hash");
        json_i64(&o, s->hash_bits);
    }
    put_notation(&o, &s->notation);
    json_close(&o, '}');
}

/* ----- reading ------------------------------------------------------------- */

/* The reader's state. Every step returns a status; `damaged` gives the reason. */
struct reading {
    struct json j;
    struct schema *s;
    size_t cap; /* of s->column, while it grows */
    perc_error *err;
};

static perc_status damaged(struct reading *r, const char *why)
{
    return fail(r->err, PERC_EDATA, "the description of the columns is damaged: %s (byte %zu)", why,
                json_offset(&r->j));
}

static perc_status expect(struct reading *r, enum json_kind kind)
{
    const enum json_kind got = json_next(&r->j);

    if (got == kind) return PERC_OK;
    return damaged(r, got == JSON_ERROR && r->j.reason != NULL ? r->j.reason : "not as expected");
}

/* The next value as a text in new memory. */
static perc_status get_text(struct reading *r, char **out)
{
    const perc_status st = json_read_bytes(&r->j, json_next(&r->j), &r->s->e, out);

    if (st == PERC_ENOMEM) return fail_memory(r->err);
    return st ? damaged(r, r->j.reason != NULL ? r->j.reason : "a text is missing") : PERC_OK;
}

static perc_status get_kind(struct reading *r, struct column *c)
{
    perc_status st = expect(r, JSON_STRING);

    if (st) return st;
    for (int k = 0; k < KINDS; k++) {
        if (!json_is(&r->j, kind_names[k])) continue;
        c->kind = (enum column_kind)k;
        return PERC_OK;
    }
    return damaged(r, "a column of an unknown kind");
}

/* What becomes of the cells of a column whose kind is known. */
static perc_status get_how(struct reading *r, struct column *c)
{
    perc_error own = { 0 };
    char *text;
    perc_status st = get_text(r, &text);

    if (st) return st;
    st = columns_treatment_parse(&r->s->e, c->kind, text, strlen(text), &c->how, &own);
    mem_free_text(&r->s->e, text);
    if (st == PERC_ENOMEM) return fail_memory(r->err);
    return st ? damaged(r, own.text) : PERC_OK;
}

static perc_status get_filled(struct reading *r, struct column *c)
{
    const perc_status st = expect(r, JSON_NUMBER);

    if (st) return st;
    return json_uint(&r->j, &c->filled) && c->filled > 0 ? PERC_OK
                                                         : damaged(r, "filled is no count");
}

/* Whether the level of a category may come next that was found for what was asked. */
static bool can_be(const struct column *c, bool asked, const char *level)
{
    return c->kind == COLUMN_CATEGORY && asked && level == NULL;
}

static bool refers(const struct treatment *how)
{
    return how->first || how->most || how->reference != NULL;
}

/* One column, whose opening brace has been read. */
static perc_status get_column(struct reading *r)
{
    struct schema *s = r->s;
    struct column c = { .kind = COLUMN_SKIP };
    void *p = s->column;
    bool kind = false, how = false;
    enum json_kind k;
    perc_status st = PERC_OK;

    while (!st && (k = json_next(&r->j)) != JSON_OBJECT_END) {
        if (k != JSON_KEY) st = damaged(r, "a column is not as expected");
        else if (c.name == NULL && json_is(&r->j, "name")) st = get_text(r, &c.name);
        else if (!kind && json_is(&r->j, "kind")) st = get_kind(r, &c), kind = true;
        else if (kind && !how && json_is(&r->j, "how")) st = get_how(r, &c), how = true;
        else if (how && c.filled == 0 && json_is(&r->j, "filled")) st = get_filled(r, &c);
        else if (can_be(&c, c.how.fill == FILL_FREQUENT, c.frequent) && json_is(&r->j, "frequent"))
            st = get_text(r, &c.frequent);
        else if (can_be(&c, refers(&c.how), c.reference) && json_is(&r->j, "reference"))
            st = get_text(r, &c.reference);
        else st = damaged(r, "a column has an unknown or repeated field");
    }
    if (!st && (c.name == NULL || !kind)) st = damaged(r, "a column without name or kind");
    if (!st && c.kind == COLUMN_DATE && c.how.parts == 0) st = damaged(r, "a date without parts");
    if (!st && s->columns >= UINT32_MAX - 1) st = damaged(r, "too many columns");
    if (!st && !mem_grow(&s->e, &p, &r->cap, s->columns + 1, sizeof c)) st = fail_memory(r->err);
    if (st) {
        schema_column_free(&s->e, &c);
        return st;
    }
    s->column = p;
    c.feature = s->numeric;
    s->numeric += column_is_number(&c);
    s->column[s->columns++] = c;
    return PERC_OK;
}

/* Which special level of a column a text is the name of; SCHEMA_TEXT: none. */
static enum schema_special special_of(const struct column *c, const char *name)
{
    if (strcmp(name, "missing") == 0 && (c->how.indicator || c->kind == COLUMN_CATEGORY))
        return SCHEMA_MISSING;
    return strcmp(name, "rare") == 0 && c->how.rare > 0 ? SCHEMA_RARE : SCHEMA_TEXT;
}

/* The rest of [column, text] or [column, name, true]. */
static perc_status add_category(struct reading *r, uint32_t column, const char *text)
{
    struct schema *s = r->s;
    const struct column *c = &s->column[column];
    const size_t before = s->categories;
    const enum json_kind end = json_next(&r->j);
    const enum schema_special special = end == JSON_TRUE ? special_of(c, text) : SCHEMA_TEXT;
    uint32_t feature;
    perc_status st;

    if (end != JSON_ARRAY_END && end != JSON_TRUE) return damaged(r, "a list is not as expected");
    if (end == JSON_TRUE ? special == SCHEMA_TEXT : !column_is_words(c))
        return damaged(r, "a category of a column that has none");
    st = special ? schema_add_special(s, column, special, &feature)
                 : schema_add(s, column, text, strlen(text), &feature);
    if (st == PERC_ENOMEM) return fail_memory(r->err);
    if (st || s->categories == before)
        return damaged(r, "a repeated category, or too many of them");
    return special ? expect(r, JSON_ARRAY_END) : PERC_OK;
}

/* One category, whose opening bracket has been read. */
static perc_status get_category(struct reading *r)
{
    struct schema *s = r->s;
    uint64_t column;
    char *text;
    perc_status st = expect(r, JSON_NUMBER);

    if (st) return st;
    if (!json_uint(&r->j, &column) || column >= s->columns ||
        !column_has_levels(&s->column[column]))
        return damaged(r, "a category of a column that has none");
    if ((st = get_text(r, &text))) return st;
    st = add_category(r, (uint32_t)column, text);
    mem_free_text(&s->e, text);
    return st;
}

/* An array of values of the kind `open`. */
static perc_status get_array(struct reading *r, enum json_kind open,
                             perc_status (*get)(struct reading *r))
{
    perc_status st = expect(r, JSON_ARRAY);
    enum json_kind k = JSON_ERROR;

    while (!st && (k = json_next(&r->j)) == open) st = get(r);
    if (!st && k != JSON_ARRAY_END) st = damaged(r, "a list is not as expected");
    return st;
}

/* The keys of the whole, in their order. */
enum { STEP_HASH = 4, STEP_DECIMAL, STEP_THOUSANDS, STEP_QUOTE, STEPS };

static perc_status get_delimiter(struct reading *r)
{
    char *text;
    perc_status st = get_text(r, &text);

    if (st) return st;
    if (notation_delimits(text)) r->s->delimiter = *text;
    else st = damaged(r, "an unknown delimiter");
    mem_free_text(&r->s->e, text);
    return st;
}

/* One of decimal, thousands and quote, whose key has been read: as put_notation writes it. */
static perc_status get_notation(struct reading *r, int step)
{
    struct notation *n = &r->s->notation;
    const char *word = "";
    char *text;
    perc_status st = get_text(r, &text);

    if (st) return st;
    if (step == STEP_DECIMAL) {
        n->comma = true;
        word = ",";
    } else if (step == STEP_THOUSANDS) {
        if (notation_find_thousands(text, &n->thousands) && n->thousands != 0)
            word = notation_thousands_word(n->thousands);
    } else if (notation_find_quotes(text, &n->quotes) && n->quotes != QUOTES_DOUBLE) {
        word = notation_quotes_word[n->quotes];
    }
    const bool right = strcmp(text, word) == 0 && *text != '\0' &&
                       n->thousands != (n->comma ? ',' : '.');
    mem_free_text(&r->s->e, text);
    return right ? PERC_OK : damaged(r, "numbers or quotes that no table has");
}

static perc_status get_hash(struct reading *r)
{
    perc_status st = expect(r, JSON_NUMBER);
    uint64_t bits;

    if (st) return st;
    if (!json_uint(&r->j, &bits) || bits < 1 || bits > HASH_BITS_MAX || r->s->categories > 0)
        return damaged(r, "buckets as well as categories, or not 1 to 31 bits");
    r->s->hash_bits = (unsigned)bits;
    return schema_features(r->s) < UINT32_MAX ? PERC_OK : damaged(r, "too many features");
}

/* The value of the key just read. Each key comes once, in the writer's order, those past the
 * categories only where there is something to say: categories are checked against the columns,
 * which must be there by then. */
static perc_status get_field(struct reading *r, int *step)
{
    static const char *const keys[STEPS] = { "header", "delimiter", "columns",   "categories",
                                             "hash",   "decimal",   "thousands", "quote" };

    while (*step >= STEP_HASH && *step < STEPS && !json_is(&r->j, keys[*step])) ++*step;
    if (*step == STEPS || !json_is(&r->j, keys[*step])) return damaged(r, "an unexpected key");
    switch (*step) {
    case 0:
        switch (json_next(&r->j)) {
        case JSON_TRUE: r->s->header = true; return PERC_OK;
        case JSON_FALSE: return PERC_OK;
        default: return damaged(r, "header is neither true nor false");
        }
    case 1: return get_delimiter(r);
    case 2: return get_array(r, JSON_OBJECT, get_column);
    case 3: return get_array(r, JSON_ARRAY, get_category);
    case STEP_HASH: return get_hash(r);
    default: return get_notation(r, *step);
    }
}

perc_status schema_from_json(const struct env *e, const char *json, size_t len, struct schema *out,
                             perc_error *err)
{
    struct reading r = { .s = out, .err = err };
    enum json_kind k = JSON_ERROR;
    int step = 0, labels = 0, weights = 0;

    schema_init(out, e);
    json_begin(&r.j, json, len);
    perc_status st = expect(&r, JSON_OBJECT);
    for (; !st && (k = json_next(&r.j)) == JSON_KEY; step++) st = get_field(&r, &step);
    if (!st && (k != JSON_OBJECT_END || step < STEP_HASH)) st = damaged(&r, "it is incomplete");
    if (!st) st = expect(&r, JSON_END);
    for (size_t i = 0; !st && i < out->columns; i++) {
        labels += out->column[i].kind == COLUMN_LABEL;
        weights += out->column[i].kind == COLUMN_WEIGHT;
    }
    if (labels > 1 || weights > 1) st = damaged(&r, "two columns are the label, or the weight");
    if (!st) {
        /* schema_free expects an array of exactly `columns`. */
        void *p = mem_resize(e, out->column, r.cap, out->columns, sizeof *out->column);
        if (p != NULL) {
            out->column = p;
            return PERC_OK;
        }
        st = fail_memory(err);
    }

    /* The column array has r.cap elements, more than schema_free assumes. */
    for (size_t i = 0; i < out->columns; i++) schema_column_free(e, &out->column[i]);
    mem_free(e, out->column, r.cap, sizeof *out->column);
    out->column = NULL;
    out->columns = 0;
    schema_free(out);
    return st;
}
