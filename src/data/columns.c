/* columns.c -- the file that says what each column is: reading and writing.
 *
 * A line is cut into words: a bare one ends at a blank (a name, at its colon too), one that
 * begins with a quote or a brace is JSON, which says where it ends. What an option means, and for
 * which kinds of columns it is, stands in one table, from which messages are made, too.
 *
 * Invariant: what columns_write writes, columns_parse reads as the same.
 *
 * Not here: what a treatment does (csv_row.c, transform*.c), whether the names are those of the
 * table (csv_open.c). */
#include "data/columns.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/spelling.h"
#include "base/utf8.h"

const char *const columns_scale_word[SCALE_AUTO + 1] = {
    [SCALE_NONE] = "none",     [SCALE_STANDARD] = "standard", [SCALE_MINMAX] = "minmax",
    [SCALE_MAXABS] = "maxabs", [SCALE_UNIT] = "unit",         [SCALE_BY] = "by:",
    [SCALE_AUTO] = "auto",
};

static const char *const kind_word[] = {
    [COLUMN_NUMBER] = "number", [COLUMN_CATEGORY] = "category", [COLUMN_TEXT] = "text",
    [COLUMN_DATE] = "date",     [COLUMN_LABEL] = "label",       [COLUMN_WEIGHT] = "weight",
    [COLUMN_ID] = "id",         [COLUMN_SKIP] = "ignore",
};
enum { KINDS = sizeof kind_word / sizeof *kind_word };

const char *columns_kind_word(enum column_kind kind)
{
    return kind_word[kind];
}

static const char *const fill_word[] = {
    [FILL_OPTION] = "",         [FILL_ERROR] = "error",       [FILL_DROP] = "drop",
    [FILL_MEAN] = "mean",       [FILL_MEDIAN] = "median",     [FILL_ZERO] = "zero",
    [FILL_CONSTANT] = "NUMBER", [FILL_FREQUENT] = "frequent", [FILL_LEVEL] = "level",
    [FILL_NONE] = "none",
};

enum option_of {
    OF_SCALE,
    OF_FILL,
    OF_INDICATOR,
    OF_REFERENCE,
    OF_RARE,
    OF_NGRAMS,
    OF_TFIDF,
    OF_STOP,
    OF_PART
};

enum { NUMBERS = 1 << COLUMN_NUMBER | 1 << COLUMN_DATE };
static const struct column_option {
    const char *word;
    unsigned kinds;
    enum option_of of;
    unsigned part;      /* OF_PART */
    const char *values; /* NULL: it takes none */
} options[] = {
    { "days", 1 << COLUMN_DATE, OF_PART, DATE_DAYS, NULL },
    { "weekday", 1 << COLUMN_DATE, OF_PART, DATE_WEEKDAY, NULL },
    { "month", 1 << COLUMN_DATE, OF_PART, DATE_MONTH, NULL },
    { "hour", 1 << COLUMN_DATE, OF_PART, DATE_HOUR, NULL },
    { "scale", NUMBERS, OF_SCALE, 0, "none|standard|minmax|maxabs|auto|by:NUMBER" },
    { "ngrams", 1 << COLUMN_TEXT, OF_NGRAMS, 0, "1 to 8" },
    { "tfidf", 1 << COLUMN_TEXT, OF_TFIDF, 0, NULL },
    { "stop", 1 << COLUMN_TEXT, OF_STOP, 0, "english|none" },
    { "rare", 1 << COLUMN_CATEGORY, OF_RARE, 0, "a number of rows, from 1" },
    { "fill", NUMBERS, OF_FILL, 0, "mean|median|zero|drop|error|NUMBER" },
    { "fill", 1 << COLUMN_CATEGORY, OF_FILL, 0, "frequent|level|none|drop|error" },
    { "indicator", NUMBERS, OF_INDICATOR, 0, NULL },
    { "reference", 1 << COLUMN_CATEGORY, OF_REFERENCE, 0, "first|frequent|none|LEVEL" },
};
enum { OPTIONS = sizeof options / sizeof *options };

/* ----- treatments ------------------------------------------------------------------ */

void columns_treatment_free(const struct env *e, struct treatment *t)
{
    mem_free_text(e, t->reference);
    *t = (struct treatment){ .reference = NULL };
}

perc_status columns_treatment_copy(const struct env *e, const struct treatment *from,
                                   struct treatment *to)
{
    *to = *from;
    if (from->reference == NULL) return PERC_OK;
    to->reference = mem_text(e, from->reference, strlen(from->reference));
    if (to->reference != NULL) return PERC_OK;
    *to = (struct treatment){ .reference = NULL };
    return PERC_ENOMEM;
}

bool columns_treatment_is_plain(const struct treatment *t)
{
    return !t->scaled && t->fill == FILL_OPTION && !t->indicator && t->reference == NULL &&
           !t->first && !t->most && t->rare == 0 && t->ngrams == 0 && !t->tfidf && !t->stop &&
           t->parts == 0;
}

static const char bom[] = "\xef\xbb\xbf";

/* ----- writing ---------------------------------------------------------------------- */

/* Whether a text may stand without quotes. One that begins with a byte order mark would lose it on
 * the first line. */
static bool is_bare(const char *s)
{
    uint32_t code;

    if (*s == '\0' || *s == '{' || strncmp(s, bom, sizeof bom - 1) == 0) return false;
    for (size_t n; *s != '\0'; s += n) {
        n = utf8_decode(s, SIZE_MAX, &code);
        if (n == 0 || utf8_is_control(code) || strchr(" :#\"", *s) != NULL) return false;
    }
    return true;
}

static void put_name(const char *s, struct text *out)
{
    struct json_out o = { .t = out, .visible = true };

    if (is_bare(s)) text_str(out, s);
    else json_bytes(&o, s);
}

/* Whether a level has a name that means something else without quotes. */
static bool is_reserved(const char *level)
{
    return strcmp(level, "first") == 0 || strcmp(level, "frequent") == 0 ||
           strcmp(level, "none") == 0;
}

static void put_option(const struct treatment *t, const struct column_option *o, struct text *out)
{
    text_char(out, ' ');
    text_str(out, o->word);
    if (o->values != NULL) text_char(out, '=');
    switch (o->of) {
    case OF_SCALE:
        text_str(out, columns_scale_word[t->scale]);
        if (t->scale == SCALE_BY) text_num(out, t->by);
        break;
    case OF_FILL:
        if (t->fill == FILL_CONSTANT) text_num(out, t->constant);
        else text_str(out, fill_word[t->fill]);
        break;
    case OF_REFERENCE:
        /* A level of that name has quotes. */
        if (t->first || t->most) text_str(out, t->first ? "first" : "frequent");
        else if (is_reserved(t->reference)) text_fmt(out, "\"%s\"", t->reference);
        else put_name(t->reference, out);
        break;
    case OF_RARE: text_uint(out, t->rare); break;
    case OF_NGRAMS: text_uint(out, t->ngrams); break;
    case OF_STOP: text_str(out, "english"); break;
    default: break;
    }
}

static bool has_option(const struct treatment *t, const struct column_option *o)
{
    switch (o->of) {
    case OF_SCALE: return t->scaled;
    case OF_FILL: return t->fill != FILL_OPTION;
    case OF_INDICATOR: return t->indicator;
    case OF_REFERENCE: return t->first || t->most || t->reference != NULL;
    case OF_RARE: return t->rare > 0;
    case OF_NGRAMS: return t->ngrams > 0;
    case OF_TFIDF: return t->tfidf;
    case OF_STOP: return t->stop;
    default: return (t->parts & o->part) != 0;
    }
}

void columns_treatment_write(const struct treatment *t, struct text *out)
{
    bool filled = false; /* its options differ by kind, not in how they are written */

    for (size_t i = 0; i < OPTIONS; i++) {
        if (!has_option(t, &options[i]) || (filled && options[i].of == OF_FILL)) continue;
        put_option(t, &options[i], out);
        filled |= options[i].of == OF_FILL;
    }
}

void columns_write(const char *name, enum column_kind kind, const struct treatment *how,
                   struct text *out)
{
    put_name(name, out);
    text_str(out, ": ");
    text_str(out, kind_word[kind]);
    columns_treatment_write(how, out);
    text_char(out, '\n');
}

/* ----- words --------------------------------------------------------------------------- */

struct columns_scan {
    const struct env *e;
    const char *p, *end; /* of the line */
    const char *begin;
    int64_t line;
    perc_error *err;
};

enum { SHOWN = 40 };
struct shown {
    char text[SHOWN + 1];
};

/* A text for a message. */
static const char *show(const char *s, size_t len, struct shown *out)
{
    const size_t n = utf8_cut(s, len, SHOWN);

    memcpy(out->text, s, n);
    out->text[n] = '\0';
    return out->text;
}

/* Whether a word is `len` bytes at s, of which some may be 0. */
static bool is_word(const char *word, const char *s, size_t len)
{
    return strlen(word) == len && memcmp(word, s, len) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static int64_t place(const struct columns_scan *s, const char *at)
{
    return at - s->begin + 1;
}

/* Passes over blanks; whether the line, or what counts of it, has ended. */
static bool ended(struct columns_scan *s)
{
    while (s->p < s->end && is_blank(*s->p)) s->p++;
    return s->p == s->end || *s->p == '#';
}

/* Past the JSON text at p; NULL: it is not closed. */
static const char *json_past(const struct columns_scan *s)
{
    const char close = *s->p == '"' ? '"' : '}';

    for (const char *q = s->p + 1; q < s->end; q++) {
        if (*q == close) return q + 1;
        q += *q == '\\' && q + 1 < s->end;
    }
    return NULL;
}

static perc_status quoted_word(struct columns_scan *s, char **out)
{
    const char *end = json_past(s);
    struct json j;
    perc_status st = PERC_EDATA;

    if (end != NULL) {
        json_begin(&j, s->p, (size_t)(end - s->p));
        st = json_read_bytes(&j, json_next(&j), s->e, out);
        if (!st && (json_next(&j) != JSON_END || **out == '\0')) {
            mem_free_text(s->e, *out);
            *out = NULL;
            st = PERC_EDATA;
        }
    }
    if (st == PERC_ENOMEM) return fail_memory(s->err);
    if (st)
        return fail_at(s->err, PERC_EDATA, s->line, place(s, s->p),
                       end == NULL ? "a quote that is not closed on its line"
                                   : "not a JSON string with a text in it, as in \"very good\"");
    s->p = end;
    return PERC_OK;
}

/* The next name or value, up to a blank or, for a name, a colon. */
static perc_status next_word(struct columns_scan *s, bool name, char **out)
{
    const char *from = s->p;

    *out = NULL;
    if (s->p < s->end && (*s->p == '"' || *s->p == '{')) return quoted_word(s, out);
    for (; s->p < s->end && !is_blank(*s->p) && !(name && *s->p == ':'); s->p++) {
        const unsigned char c = (unsigned char)*s->p;
        if (c >= ' ' && c != 0x7f && c != '"' && c != '#') continue;
        return fail_at(s->err, PERC_EDATA, s->line, place(s, s->p),
                       "a character that stands in quotes only, as in \"no. #1\"");
    }
    if (s->p == from)
        return fail_at(s->err, PERC_EDATA, s->line, place(s, s->p),
                       name ? "expected NAME: KIND, as in age: number" : "a value is missing");
    *out = mem_text(s->e, from, (size_t)(s->p - from));
    return *out != NULL ? PERC_OK : fail_memory(s->err);
}

/* ----- options -------------------------------------------------------------------------- */

/* " (did you mean X?); it is A, B or C" */
struct choice_text {
    char s[256];
};

static const char *choices(const char *word, const char *list, struct choice_text *out)
{
    char hint[SPELLING_HINT];
    size_t n = (size_t)snprintf(out->s, sizeof out->s, "%s: it is ",
                                spelling_choice(word, list, hint));

    for (const char *p = list; *p != '\0' && n + 2 < sizeof out->s; p++) {
        const char *sep = *p != '|' ? NULL : strchr(p + 1, '|') != NULL ? ", " : " or ";
        n += (size_t)snprintf(out->s + n, sizeof out->s - n, "%s",
                              sep != NULL ? sep : (const char[2]){ *p, '\0' });
    }
    return out->s;
}

static perc_status bad_value(const struct columns_scan *s, const char *at,
                             const struct column_option *o, const char *value)
{
    struct choice_text list;
    struct shown shown;

    return fail_at(s->err, PERC_EDATA, s->line, place(s, at), "%s is '%s'%s", o->word,
                   show(value, strlen(value), &shown), choices(value, o->values, &list));
}

static bool take_scale(struct treatment *t, const char *value)
{
    const size_t prefix = strlen(columns_scale_word[SCALE_BY]);

    t->scaled = true;
    t->by = 1;
    for (int k = SCALE_NONE; k <= SCALE_AUTO; k++) {
        if (k == SCALE_UNIT || k == SCALE_BY || strcmp(value, columns_scale_word[k]) != 0) continue;
        t->scale = (enum scale)k;
        return true;
    }
    t->scale = SCALE_BY;
    return strncmp(value, columns_scale_word[SCALE_BY], prefix) == 0 &&
           number_parse(value + prefix, strlen(value + prefix), &t->by) && t->by > 0;
}

static bool take_fill(struct treatment *t, enum column_kind kind, const char *value)
{
    static const unsigned any = 1 << FILL_ERROR | 1 << FILL_DROP,
                          number = 1 << FILL_MEAN | 1 << FILL_MEDIAN | 1 << FILL_ZERO,
                          level = 1 << FILL_FREQUENT | 1 << FILL_LEVEL | 1 << FILL_NONE;
    const unsigned known = any | (kind == COLUMN_CATEGORY ? level : number);

    for (int k = FILL_ERROR; k <= FILL_NONE; k++) {
        if (!(known >> k & 1) || strcmp(value, fill_word[k]) != 0) continue;
        t->fill = (enum fill)k;
        return true;
    }
    t->fill = FILL_CONSTANT;
    return kind != COLUMN_CATEGORY && number_parse(value, strlen(value), &t->constant);
}

/* A whole number from 1 to `most`. */
static bool take_count(const char *value, int64_t most, int64_t *out)
{
    return number_parse_int(value, strlen(value), out) && *out >= 1 && *out <= most;
}

/* Sets what an option with a value says; `value` may be taken over, and is NULL then. */
static bool take_value(struct treatment *t, enum column_kind kind, enum option_of of, bool quoted,
                       char **value)
{
    int64_t n = 0;
    bool right;

    switch (of) {
    case OF_SCALE: return take_scale(t, *value);
    case OF_FILL: return take_fill(t, kind, *value);
    case OF_RARE:
        right = take_count(*value, (int64_t)1 << 53, &n);
        t->rare = (uint64_t)n;
        return right;
    case OF_NGRAMS:
        right = take_count(*value, COLUMNS_NGRAMS_MAX, &n);
        t->ngrams = (unsigned)n;
        return right;
    case OF_STOP:
        t->stop = strcmp(*value, "english") == 0;
        return t->stop || strcmp(*value, "none") == 0;
    default:
        t->first = !quoted && strcmp(*value, "first") == 0;
        t->most = !quoted && strcmp(*value, "frequent") == 0;
        if (!quoted && is_reserved(*value)) return true;
        t->reference = *value;
        *value = NULL;
        return true;
    }
}

static void set_flag(struct treatment *t, const struct column_option *o)
{
    if (o->of == OF_INDICATOR) t->indicator = true;
    if (o->of == OF_TFIDF) t->tfidf = true;
    t->parts |= o->part;
}

/* The options of a kind, "scale|fill|indicator". */
static void list_options(enum column_kind kind, struct choice_text *out)
{
    size_t n = 0;

    out->s[0] = '\0';
    for (size_t i = 0; i < OPTIONS; i++)
        if (options[i].kinds >> kind & 1)
            n += (size_t)snprintf(out->s + n, sizeof out->s - n, "%s%s", n > 0 ? "|" : "",
                                  options[i].word);
}

static perc_status find_option(const struct columns_scan *s, enum column_kind kind, const char *at,
                               size_t len, const struct column_option **out)
{
    struct choice_text list, known;
    struct shown shown;

    for (size_t i = 0; i < OPTIONS; i++) {
        const struct column_option *o = *out = &options[i];
        if (o->kinds >> kind & 1 && is_word(o->word, at, len)) return PERC_OK;
    }
    show(at, len, &shown);
    list_options(kind, &known);
    if (known.s[0] == '\0')
        return fail_at(s->err, PERC_EDATA, s->line, place(s, at),
                       "'%s' after %s, which has no options", shown.text, kind_word[kind]);
    return fail_at(s->err, PERC_EDATA, s->line, place(s, at), "'%s' is no option of a %s%s",
                   shown.text, kind_word[kind], choices(shown.text, known.s, &list));
}

/* The option at s->p. */
static perc_status read_option(struct columns_scan *s, enum column_kind kind, unsigned *seen,
                               struct treatment *t)
{
    const char *from = s->p;
    const struct column_option *o;
    char *value;
    perc_status st;

    while (s->p < s->end && !is_blank(*s->p) && *s->p != '=') s->p++;
    if ((st = find_option(s, kind, from, (size_t)(s->p - from), &o))) return st;
    if (*seen >> (o - options) & 1)
        return fail_at(s->err, PERC_EDATA, s->line, place(s, from), "%s stands here twice",
                       o->word);
    *seen |= 1u << (o - options);
    const bool given = s->p < s->end && *s->p == '=';
    if (!given && o->values == NULL) {
        set_flag(t, o);
        return PERC_OK;
    }
    if (o->values == NULL || !given)
        return fail_at(s->err, PERC_EDATA, s->line, place(s, s->p),
                       given ? "%s takes no value" : "%s takes a value, after =", o->word);
    const char *at = ++s->p;
    const bool quoted = at < s->end && (*at == '"' || *at == '{');
    if ((st = next_word(s, false, &value))) return st;
    if (!take_value(t, kind, o->of, quoted, &value)) st = bad_value(s, at, o, value);
    mem_free_text(s->e, value);
    return st;
}

static perc_status read_treatment(struct columns_scan *s, enum column_kind kind,
                                  struct treatment *t)
{
    unsigned seen = 0;
    perc_status st = PERC_OK;

    *t = (struct treatment){ .reference = NULL };
    while (!st && !ended(s)) {
        if (s->p > s->begin && !is_blank(s->p[-1]))
            st = fail_at(s->err, PERC_EDATA, s->line, place(s, s->p), "a blank is missing");
        else st = read_option(s, kind, &seen, t);
    }
    if (st) columns_treatment_free(s->e, t);
    return st;
}

perc_status columns_treatment_parse(const struct env *e, enum column_kind kind, const char *text,
                                    size_t len, struct treatment *out, perc_error *err)
{
    struct columns_scan s = { .e = e, .p = text, .end = text + len, .begin = text, 1, err };

    return read_treatment(&s, kind, out);
}

/* ----- lines ------------------------------------------------------------------------------ */

static perc_status read_kind(struct columns_scan *s, enum column_kind *out)
{
    static const char all[] = "number|category|text|date|label|weight|id|ignore";
    const char *from = s->p;
    struct choice_text list;
    struct shown shown;

    while (s->p < s->end && !is_blank(*s->p)) s->p++;
    const size_t len = (size_t)(s->p - from);
    for (int k = 0; k < KINDS; k++) {
        *out = (enum column_kind)k;
        if (is_word(kind_word[k], from, len)) return PERC_OK;
    }
    show(from, len, &shown);
    return fail_at(s->err, PERC_EDATA, s->line, place(s, from), "'%s' is no kind of column%s",
                   shown.text, choices(shown.text, all, &list));
}

/* A line that is neither empty nor a comment. */
static perc_status read_line(struct columns_scan *s, struct columns_line *l)
{
    perc_status st;

    l->line = s->line;
    l->column = place(s, s->p);
    if ((st = next_word(s, true, &l->name))) return st;
    if (ended(s) || *s->p != ':')
        return fail_at(s->err, PERC_EDATA, s->line, place(s, s->p),
                       "expected a colon after the name, as in age: number");
    s->p++;
    if (ended(s))
        return fail_at(s->err, PERC_EDATA, s->line, place(s, s->p),
                       "expected what the column is after the colon, as in age: number");
    l->kind_column = place(s, s->p);
    if ((st = read_kind(s, &l->kind))) return st;
    return read_treatment(s, l->kind, &l->how);
}

void columns_init(struct columns *c, const struct env *e)
{
    *c = (struct columns){ .e = *e };
}

void columns_free(struct columns *c)
{
    for (size_t i = 0; i < c->n; i++) {
        mem_free_text(&c->e, c->at[i].name);
        columns_treatment_free(&c->e, &c->at[i].how);
    }
    mem_free(&c->e, c->at, c->cap, sizeof *c->at);
    *c = (struct columns){ .e = c->e };
}

perc_status columns_parse(const struct env *e, const char *text, size_t len, struct columns *out,
                          perc_error *err)
{
    const char *p = text, *const end = text + len;
    perc_status st = PERC_OK;

    columns_init(out, e);
    if (len >= sizeof bom - 1 && memcmp(p, bom, sizeof bom - 1) == 0) p += sizeof bom - 1;
    for (int64_t line = 1; p < end && !st; line++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        struct columns_scan s = { e, p, stop != NULL ? stop : end, p, line, err };
        p = stop != NULL ? stop + 1 : end;
        if (ended(&s)) continue;
        if (!MEM_GROW(e, out->at, &out->cap, out->n + 1)) st = fail_memory(err);
        if (st) break;
        out->at[out->n] = (struct columns_line){ .name = NULL };
        st = read_line(&s, &out->at[out->n++]);
    }
    if (st) columns_free(out);
    return st;
}

perc_status columns_fail(perc_error *err, const char *path, int64_t line, int64_t column,
                         const char *why)
{
    return fail(err, PERC_EDATA, "--columns %.80s:%lld:%lld: %s", path, (long long)line,
                (long long)column, why);
}

perc_status columns_read(const struct env *e, const char *path, struct columns *out,
                         perc_error *err)
{
    struct file_map map;
    perc_error own = { 0 };
    perc_status st;

    columns_init(out, e);
    if ((st = file_load(e, path, &map, err))) return st;
    st = columns_parse(e, (const char *)map.data, map.size, out, &own);
    file_unmap(&map);
    if (st == PERC_EDATA) return columns_fail(err, path, own.line, own.column, own.text);
    return st ? fail_memory(err) : PERC_OK;
}
