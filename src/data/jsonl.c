/* jsonl.c -- a walk over the object on a line, and its keys.
 *
 * Lines of a file have the same keys in the same order, mostly. So each key is first compared with
 * the one that followed the last when they were met first, and only looked up if it is another:
 * the numbers of keys are in the order of a walk over the first line that had them.
 *
 * A key twice in one object would leave it open which value counts: it is an error. All keys that
 * the beginning of the file has are checked for that, of objects, too, and so are all columns.
 *
 * The walk is recursive; json.c refuses what is deeper than JSON_DEPTH. */
#include "data/jsonl.h"

#include <stdio.h>
#include <string.h>

void jsonl_init(struct jsonl *k, const struct env *e)
{
    *k = (struct jsonl){ .e = *e };
    schema_init(&k->keys, e);
    schema_init(&k->names, e);
}

void jsonl_free(struct jsonl *k)
{
    mem_free(&k->e, k->column, k->cap, sizeof *k->column);
    schema_free(&k->keys);
    schema_free(&k->names);
    *k = (struct jsonl){ .e = k->e };
}

void jsonl_walk_init(struct jsonl_walk *w, const struct env *e)
{
    *w = (struct jsonl_walk){ .next = 0 };
    text_init(&w->decoded, e);
    text_init(&w->path, e);
}

void jsonl_walk_free(struct jsonl_walk *w)
{
    text_free(&w->decoded);
    text_free(&w->path);
}

perc_status jsonl_fail(const struct jsonl_walk *w, const char *at, const char *fmt, ...)
{
    char text[200];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return fail_at(w->err, PERC_EDATA, w->line, at - w->j.start + 1, "%s", text);
}

/* What json.c says, and what would be right. */
static perc_status no_json(const struct jsonl_walk *w)
{
    const char *at = w->j.at, *end = w->j.end;
    const bool none = at < end && memchr("NnI", *at, 3) != NULL;

    return jsonl_fail(w, at, "%s (%s)", w->j.reason,
                      at == end ? "an object must end on its line: 'jq -c .' writes them so"
                      : none
                          ? "JSON has neither NaN nor infinity: a missing value is null"
                          : "each line is one object of JSON, as {\"age\":40,\"city\":\"Oslo\"}");
}

/* ----- keys ----------------------------------------------------------------------- */

void jsonl_name(const struct jsonl *k, uint32_t key, struct text *out)
{
    uint32_t chain[JSON_DEPTH + 1];
    size_t n = 0;

    for (uint32_t i = key + 1; i != 0 && n <= JSON_DEPTH; i = k->keys.category[i - 1].column)
        chain[n++] = i - 1;
    while (n-- > 0) {
        text_str(out, k->keys.category[chain[n]].text);
        if (n > 0) text_char(out, '.');
    }
}

static perc_status add_key(struct jsonl_walk *w, uint32_t in, const char *s, size_t len,
                           uint32_t *key)
{
    struct jsonl *k = w->grow;
    const perc_status st = schema_add(&k->keys, in, s, len, key);

    if (st == PERC_EDATA) return jsonl_fail(w, w->j.at, "too many keys (leave some out)");
    if (st || !MEM_GROW(&k->e, k->column, &k->cap, k->keys.categories)) return fail_memory(w->err);
    k->column[*key] = JSONL_NONE;
    return PERC_OK;
}

/* The number of a key inside `in` - 1 (0: the object of the line), or JSONL_NONE. */
static perc_status find_key(struct jsonl_walk *w, uint32_t in, const char *s, size_t len,
                            uint32_t *key)
{
    const struct schema *keys = &w->keys->keys;
    const struct category *guess = w->next < keys->categories ? &keys->category[w->next] : NULL;
    char shown[CELL_BUFFER];

    if (guess != NULL && guess->column == in && strncmp(guess->text, s, len) == 0 &&
        guess->text[len] == '\0')
        *key = w->next;
    else *key = schema_find(keys, in, s, len);
    if (*key == JSONL_NONE && w->grow != NULL) return add_key(w, in, s, len, key);
    if (*key == JSONL_NONE) return PERC_OK;
    w->next = *key + 1;
    if (w->seen == NULL) return PERC_OK;
    if (w->seen[*key] == w->stamp)
        return jsonl_fail(w, w->j.at, "the key '%s' is there twice (leave one out)",
                          csv_cell_show(s, len, shown));
    w->seen[*key] = w->stamp;
    return PERC_OK;
}

/* ----- values --------------------------------------------------------------------- */

/* What a value is inside of: a key, or one that is not known, whose name is w->path. */
struct within {
    uint32_t key;
    bool whole; /* the object of the line */
};

static perc_status walk_value(struct jsonl_walk *w, uint32_t key, enum json_kind kind);

/* A key that is not known, with what is inside of it. */
static perc_status walk_unknown(struct jsonl_walk *w, struct within in, const char *s, size_t len,
                                enum json_kind kind)
{
    const size_t before = w->path.len;
    perc_status st;

    if (in.key != JSONL_NONE) jsonl_name(w->keys, in.key, &w->path);
    if (!in.whole) text_char(&w->path, '.');
    text_add(&w->path, s, len);
    if (w->path.oom) return fail_memory(w->err);
    st = walk_value(w, JSONL_NONE, kind);
    w->path.len = before;
    return st;
}

/* The value under the key s; `kind` as for walk_value. */
static perc_status walk_member(struct jsonl_walk *w, struct within in, const char *s, size_t len,
                               enum json_kind kind)
{
    uint32_t key = JSONL_NONE;
    perc_status st;

    if ((in.whole || in.key != JSONL_NONE) &&
        (st = find_key(w, in.whole ? 0 : in.key + 1, s, len, &key)))
        return st;
    if (key == JSONL_NONE) return walk_unknown(w, in, s, len, kind);
    return walk_value(w, key, kind);
}

static perc_status walk_object(struct jsonl_walk *w, struct within in)
{
    enum json_kind kind;
    perc_status st;

    while ((kind = json_next(&w->j)) == JSON_KEY) {
        const char *s = w->j.text;
        size_t len = w->j.len;
        if (memchr(s, '\\', len) != NULL) {
            w->decoded.len = 0;
            json_unescape(s, len, &w->decoded);
            if (w->decoded.oom) return fail_memory(w->err);
            s = w->decoded.s;
            len = w->decoded.len;
        }
        if (len == 0 && in.whole)
            return jsonl_fail(w, w->j.at, "a key without a name (give it one)");
        if ((st = walk_member(w, in, s, len, JSON_END))) return st;
    }
    return kind == JSON_OBJECT_END ? PERC_OK : no_json(w);
}

/* Whether the array that was begun is one of strings; its end is then *end, and the walk is behind
 * it. Else the walk stands where it was. */
static bool all_strings(struct jsonl_walk *w, const char **end)
{
    const struct json before = w->j;
    size_t n = 0;
    enum json_kind kind;

    for (; (kind = json_next(&w->j)) == JSON_STRING; n++) continue;
    if (kind == JSON_ARRAY_END && n > 0) {
        *end = w->j.p;
        return true;
    }
    w->j = before;
    return false;
}

static perc_status walk_array(struct jsonl_walk *w, uint32_t key)
{
    struct jsonl_value v = { .kind = JSON_ARRAY, .text = w->j.at, .at = w->j.at };
    const char *end;
    char index[24];
    enum json_kind kind;
    perc_status st;

    if (all_strings(w, &end)) {
        v.len = (size_t)(end - v.at);
        return w->leaf(w, key, &v);
    }
    for (uint64_t i = 0; (kind = json_next(&w->j)) != JSON_ARRAY_END; i++) {
        if (kind == JSON_ERROR) return no_json(w);
        const int len = snprintf(index, sizeof index, "%llu", (unsigned long long)i);
        st = walk_member(w, (struct within){ key, false }, index, (size_t)len, kind);
        if (st) return st;
    }
    return PERC_OK;
}

/* `kind`: of the value that json_next has just given; JSON_END: it has not. */
static perc_status walk_value(struct jsonl_walk *w, uint32_t key, enum json_kind kind)
{
    if (kind == JSON_END) kind = json_next(&w->j);
    switch (kind) {
    case JSON_OBJECT: return walk_object(w, (struct within){ key, false });
    case JSON_ARRAY: return walk_array(w, key);
    case JSON_ERROR: return no_json(w);
    default: break;
    }
    struct jsonl_value v = { kind, w->j.text, w->j.len, w->j.at };
    if (kind == JSON_TRUE || kind == JSON_FALSE || kind == JSON_NULL) {
        v.text = w->j.at;
        v.len = (size_t)(w->j.p - w->j.at);
    }
    return w->leaf(w, key, &v);
}

perc_status jsonl_walk(struct jsonl_walk *w, const char *s, size_t len)
{
    perc_status st;

    json_begin(&w->j, s, len);
    w->next = 0;
    w->path.len = 0;
    switch (json_next(&w->j)) {
    case JSON_OBJECT: break;
    case JSON_ARRAY:
        return jsonl_fail(w, w->j.at,
                          "an array, and not an object ('jq -c .[]' makes lines of its elements)");
    case JSON_ERROR: return no_json(w);
    default:
        return jsonl_fail(w, w->j.at,
                          "a line must be an object of JSON, as {\"age\":40,\"city\":\"Oslo\"}");
    }
    if ((st = walk_object(w, (struct within){ JSONL_NONE, true }))) return st;
    return json_next(&w->j) == JSON_END ? PERC_OK : no_json(w);
}

/* ----- texts ----------------------------------------------------------------------- */

const char *jsonl_text(const struct jsonl_value *v, struct text *buf, size_t *len)
{
    struct json j;

    *len = v->len;
    if (v->kind == JSON_STRING ? memchr(v->text, '\\', v->len) == NULL : v->kind != JSON_ARRAY)
        return v->text;
    buf->len = 0;
    text_add(buf, "", 0); /* there is a text, even an empty one */
    if (v->kind == JSON_STRING) json_unescape(v->text, v->len, buf);
    json_begin(&j, v->text, v->kind == JSON_ARRAY ? v->len : 0);
    for (json_next(&j); json_next(&j) == JSON_STRING;) {
        if (buf->len > 0) text_char(buf, ' ');
        json_unescape(j.text, j.len, buf);
    }
    *len = buf->len;
    return buf->oom ? NULL : buf->s;
}

bool jsonl_line(const char **s, const char *end, int64_t *lines, const char **line, size_t *len)
{
    while (*s < end) {
        const char *p = *s, *stop = memchr(p, '\n', (size_t)(end - p));
        if (stop == NULL) stop = end;
        *s = stop < end ? stop + 1 : end;
        ++*lines;
        const char *q = p;
        while (q < stop && (*q == ' ' || *q == '\t' || *q == '\r')) q++;
        if (q == stop) continue;
        *line = p;
        *len = (size_t)(stop - p);
        return true;
    }
    return false;
}
