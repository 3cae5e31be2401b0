/* facts.c -- what a command has found out, in three ways. See facts.h for the promises.
 *
 * Facts and texts lie in pieces of memory that are freed together. A child that is filled when it
 * is printed lies in a document of its own, which is cleared before the next one: so a model with
 * a million weights is printed in the memory of one weight. */
#include "show/facts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "show/grid.h"
#include "show/html.h"
#include "show/word.h"

enum fact_kind {
    COUNT,
    INT,
    BYTES,
    REAL,
    RATIO,
    SHARE,
    SECONDS,
    BOOL,
    STRING,
    NONE, /* null, or text only */
    PROSE,
    OBJECT,
    LIST,
    TABLE,
    EACH
};

struct each {
    uint64_t n, shown;
    facts_fill *fill;
    const void *ud;
};

struct fact {
    const char *key, *words;
    char *text; /* in place of the value; NULL: the value says it */
    size_t length;
    union {
        int64_t n;
        double v;
        const char *s;
        struct each each;
    } value;
    struct facts_children children;
    struct fact *up, *next;
    enum fact_kind kind;
    int section;
};

/* ----- memory ---------------------------------------------------------------------- */

enum { PIECE = 1 << 12, ALIGN = 16, NAME_WIDTH = 16 };

struct facts_memory {
    struct facts_memory *next;
    size_t size, used;
    _Alignas(ALIGN) char bytes[];
};

void facts_init(struct facts *f, const perc_env *env, enum facts_readers readers)
{
    const struct env e = env_resolve(env);

    *f = (struct facts){ .env = { e.alloc, e.ud, e.threads }, .readers = readers };
}

static void drop_memory(struct facts *f)
{
    const struct env e = env_resolve(&f->env);

    while (f->memory != NULL) {
        struct facts_memory *c = f->memory;

        f->memory = c->next;
        mem_free(&e, c, 1, sizeof *c + c->size);
    }
}

/* Keeps the newest piece, which is the largest, for what comes next. */
void facts_clear(struct facts *f)
{
    struct facts_memory *kept = f->memory;

    if (kept != NULL) {
        f->memory = kept->next;
        drop_memory(f);
        kept->next = NULL;
        kept->used = 0;
    }
    *f = (struct facts){
        .env = f->env, .memory = kept, .readers = f->readers, .broken = f->broken
    };
}

void facts_free(struct facts *f)
{
    drop_memory(f);
    facts_clear(f);
}

void facts_fail(struct facts *f)
{
    f->broken = true;
}

static size_t padded(size_t size)
{
    return (size + ALIGN - 1) / ALIGN * ALIGN;
}

/* Grows `old`, of `had` bytes, in place if it is the newest. NULL: out of memory. */
static void *resize(struct facts *f, char *old, size_t had, size_t size)
{
    struct facts_memory *c = f->memory;

    if (old != NULL && old + padded(had) == c->bytes + c->used) c->used -= padded(had);
    if (c == NULL || c->size - c->used < padded(size)) {
        const size_t room = padded(size) > PIECE / 2 ? 2 * padded(size) : PIECE;
        const struct env e = env_resolve(&f->env);

        if (f->broken || (c = mem_array(&e, 1, sizeof *c + room)) == NULL) {
            f->broken = true;
            return NULL;
        }
        c->next = f->memory;
        c->size = room;
        c->used = 0;
        f->memory = c;
    }
    char *at = c->bytes + c->used;
    c->used += padded(size);
    if (old != NULL && old != at) memcpy(at, old, had);
    return at;
}

static const char *copy_text(struct facts *f, const char *s)
{
    if (s == NULL) return NULL;
    const size_t size = strlen(s) + 1;
    char *copy = resize(f, NULL, 0, size);
    return copy != NULL ? memcpy(copy, s, size) : "";
}

static void append_text(struct facts *f, const char *fmt, va_list ap)
{
    struct fact *fact = f->last;
    char line[256];
    va_list again;

    if (f->broken || fact == NULL) return;
    va_copy(again, ap);
    const int n = vsnprintf(line, sizeof line, fmt, again);
    va_end(again);
    const size_t more = n > 0 ? (size_t)n : 0, old = fact->length;
    char *text = resize(f, fact->text, old + 1, old + more + 1);
    if (text == NULL) return;
    if (more < sizeof line) memcpy(text + old, line, more + 1);
    else vsnprintf(text + old, more + 1, fmt, ap);
    fact->text = text;
    fact->length = old + more;
}

/* ----- filling ----------------------------------------------------------------------- */

/* Whether a fact is for the readers of the document. Objects and lists without words may have
 * children with words. */
static bool is_wanted(const struct facts *f, enum fact_kind kind, const char *key,
                      const char *words)
{
    const bool keys = f->open == NULL || f->open->kind == OBJECT;

    if (f->readers == FACTS_ALL || kind == EACH) return true;
    if (f->readers == FACTS_PROGRAMS) return keys ? key != NULL : words == NULL;
    return words != NULL || kind == OBJECT || kind == LIST;
}

/* NULL: it is not wanted, or out of memory. */
static struct fact *add_fact(struct facts *f, enum fact_kind kind, const char *key,
                             const char *words)
{
    const bool wanted = !f->broken && f->skipped == 0 && is_wanted(f, kind, key, words);
    struct fact *fact = wanted ? resize(f, NULL, 0, sizeof *fact) : NULL;
    struct facts_children *among = f->open != NULL ? &f->open->children : &f->top;

    f->last = fact;
    if (fact == NULL) return NULL;
    *fact = (struct fact){ .up = f->open, .kind = kind, .section = f->section };
    if (f->readers != FACTS_PEOPLE) fact->key = copy_text(f, key);
    if (f->readers != FACTS_PROGRAMS) fact->words = copy_text(f, words);
    else if (words != NULL) fact->words = "";
    if (among->first == NULL) among->first = fact;
    else among->last->next = fact;
    among->last = fact;
    return fact;
}

static void add_whole(struct facts *f, enum fact_kind kind, const char *key, const char *words,
                      int64_t n)
{
    struct fact *fact = add_fact(f, kind, key, words);

    if (fact != NULL) fact->value.n = n;
}

static void add_number(struct facts *f, enum fact_kind kind, const char *key, const char *words,
                       double v)
{
    struct fact *fact = add_fact(f, kind, key, words);

    if (fact != NULL) fact->value.v = v;
}

void facts_count(struct facts *f, const char *key, const char *words, uint64_t n)
{
    add_whole(f, COUNT, key, words, (int64_t)n);
}

void facts_int(struct facts *f, const char *key, const char *words, int64_t v)
{
    add_whole(f, INT, key, words, v);
}

void facts_bytes(struct facts *f, const char *key, const char *words, uint64_t n)
{
    add_whole(f, BYTES, key, words, (int64_t)n);
}

void facts_bool(struct facts *f, const char *key, const char *words, bool v)
{
    add_whole(f, BOOL, key, words, v);
}

void facts_count_if(struct facts *f, const char *key, const char *words, bool known, uint64_t n)
{
    add_whole(f, known ? COUNT : NONE, key, words, (int64_t)n);
}

void facts_real(struct facts *f, const char *key, const char *words, double v)
{
    add_number(f, REAL, key, words, v);
}

void facts_ratio(struct facts *f, const char *key, const char *words, double v)
{
    add_number(f, RATIO, key, words, v);
}

void facts_percent(struct facts *f, const char *key, const char *words, double v)
{
    add_number(f, SHARE, key, words, v);
}

void facts_seconds(struct facts *f, const char *key, const char *words, double v)
{
    add_number(f, SECONDS, key, words, v);
}

void facts_string(struct facts *f, const char *key, const char *words, const char *s)
{
    struct fact *fact = add_fact(f, s != NULL ? STRING : NONE, key, words);

    if (fact != NULL && s != NULL) fact->value.s = copy_text(f, s);
}

void facts_null(struct facts *f, const char *key)
{
    add_fact(f, NONE, key, NULL);
}

void facts_say(struct facts *f, const char *fmt, ...)
{
    va_list ap;

    if (f->last != NULL) {
        f->last->text = NULL;
        f->last->length = 0;
    }
    va_start(ap, fmt);
    append_text(f, fmt, ap);
    va_end(ap);
}

void facts_more(struct facts *f, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    append_text(f, fmt, ap);
    va_end(ap);
}

void facts_line(struct facts *f, const char *words, const char *fmt, ...)
{
    va_list ap;

    add_fact(f, NONE, NULL, words);
    va_start(ap, fmt);
    append_text(f, fmt, ap);
    va_end(ap);
}

void facts_prose(struct facts *f, const char *fmt, ...)
{
    va_list ap;

    add_fact(f, PROSE, NULL, "");
    va_start(ap, fmt);
    append_text(f, fmt, ap);
    va_end(ap);
}

void facts_sentence(struct facts *f, ...)
{
    struct fact *fact = add_fact(f, PROSE, NULL, "");
    const char *word;
    va_list ap;

    va_start(ap, f);
    while (fact != NULL && (word = va_arg(ap, const char *)) != NULL) {
        const size_t old = fact->length, more = strlen(word);
        char *text = resize(f, fact->text, old + 1, old + more + 2);

        if (text == NULL) break;
        if (old > 0) text[old - 1] = ' ';
        memcpy(text + old, word, more);
        memcpy(text + old + more, "\n", 2);
        fact->text = text;
        fact->length = old + more + 1;
    }
    va_end(ap);
}

static void open_fact(struct facts *f, enum fact_kind kind, const char *key, const char *words)
{
    struct fact *fact = add_fact(f, kind, key, words);

    if (fact != NULL) f->open = fact;
    else f->skipped++;
}

void facts_object(struct facts *f, const char *key, const char *words)
{
    open_fact(f, OBJECT, key, words);
}

void facts_list(struct facts *f, const char *key, const char *words)
{
    open_fact(f, LIST, key, words);
}

void facts_table(struct facts *f, const char *key, const char *caption)
{
    open_fact(f, TABLE, key, caption);
}

void facts_row(struct facts *f)
{
    open_fact(f, OBJECT, NULL, NULL);
}

void facts_end(struct facts *f)
{
    if (f->skipped > 0) f->skipped--;
    else f->open = f->open->up;
}

void facts_each(struct facts *f, uint64_t n, uint64_t shown, facts_fill *fill, const void *ud)
{
    struct fact *fact = add_fact(f, EACH, NULL, NULL);

    if (fact != NULL) fact->value.each = (struct each){ n, shown, fill, ud };
}

void facts_section(struct facts *f, int section)
{
    f->section = section;
    if (section > f->sections) f->sections = section;
}

/* ----- children that are filled when they are printed ------------------------------------ */

/* Walks through the children of a fact, including those that are filled on the way. */
struct children {
    struct facts filled;
    struct out *o;
    const struct fact *next; /* of the document's own children; NULL: none left */
    const struct fact *now;  /* of those filled on the way */
    uint64_t i;              /* the next child of an EACH */
    bool people;             /* only the first `shown` */
};

static void children_begin(struct children *w, const struct facts *f, const struct fact *first,
                           struct out *o, bool people)
{
    *w = (struct children){ .filled = { .env = f->env }, .o = o, .next = first, .people = people };
}

/* The next child; NULL: none left, and their memory was freed. */
static const struct fact *children_next(struct children *w)
{
    if (w->now != NULL && (w->now = w->now->next) != NULL) return w->now;
    while (w->next != NULL && w->next->kind == EACH) {
        const struct each *e = &w->next->value.each;

        if (w->i >= (w->people ? e->shown : e->n) || out_broken(w->o)) {
            w->next = w->next->next;
            w->i = 0;
            continue;
        }
        facts_clear(&w->filled);
        e->fill(&w->filled, e->ud, w->i++);
        if (w->filled.broken) out_fail_memory(w->o);
        else if ((w->now = w->filled.top.first) != NULL) return w->now;
    }
    const struct fact *child = w->next;
    if (child == NULL) {
        facts_free(&w->filled);
        return NULL;
    }
    w->next = child->next;
    return w->people && child->section == FACTS_UNTOLD ? children_next(w) : child;
}

/* ----- JSON -------------------------------------------------------------------------------- */

static void json_children(const struct facts *f, const struct fact *first, bool keys, struct out *o)
{
    const struct fact *child;
    struct children w;

    children_begin(&w, f, first, o, false);
    while ((child = children_next(&w)) != NULL) {
        if (keys ? child->key == NULL : child->words != NULL) continue; /* for people only */
        if (keys) out_key(o, child->key);
        switch (child->kind) {
        case COUNT:
        case INT:
        case BYTES: out_int(o, child->value.n); break;
        case REAL:
        case RATIO:
        case SHARE:
        case SECONDS: out_real(o, child->value.v); break;
        case BOOL: out_bool(o, child->value.n != 0); break;
        case STRING: out_string(o, child->value.s); break;
        case OBJECT:
        case LIST:
        case TABLE:
            out_begin(o, child->kind == OBJECT ? '{' : '[');
            json_children(f, child->children.first, child->kind == OBJECT, o);
            out_end(o, child->kind == OBJECT ? '}' : ']');
            break;
        default: out_null(o);
        }
    }
}

void facts_members(const struct facts *f, struct out *o)
{
    if (f->broken) out_fail_memory(o);
    else json_children(f, f->top.first, true, o);
}

void facts_json(const struct facts *f, struct out *o)
{
    out_begin(o, '{');
    facts_members(f, o);
    out_end(o, '}');
    out_line(o);
}

void facts_begin_list(struct facts *f, struct out *o, const char *list)
{
    out_begin(o, '{');
    facts_members(f, o);
    facts_free(f);
    out_key(o, list);
    out_begin(o, '[');
}

/* ----- text -------------------------------------------------------------------------------- */

/* The value for people, in `buf` or in a text that lasts as long as the fact. */
static const char *fact_words(const struct fact *fact, char buf[WORD])
{
    const double v = fact->value.v;

    if (fact->text != NULL) return fact->text;
    switch (fact->kind) {
    case COUNT: return word_count(buf, (uint64_t)fact->value.n);
    case INT: snprintf(buf, WORD, "%lld", (long long)fact->value.n); return buf;
    case BYTES: return word_bytes(buf, (uint64_t)fact->value.n);
    case REAL: return word_num(buf, v);
    case SHARE: return word_percent(buf, v);
    case SECONDS: return word_seconds(buf, v);
    case BOOL: return fact->value.n != 0 ? "yes" : "no";
    case STRING: return fact->value.s;
    case RATIO:
        if (isnan(v)) return word_num(buf, v);
        snprintf(buf, WORD, "%.4f", v);
        return buf;
    default: return "";
    }
}

/* "undefined" is too long for a table: a dash replaces it. */
static const char *cell_words(const struct fact *fact, const char *dash, char buf[WORD])
{
    const bool real = fact->kind >= REAL && fact->kind <= SECONDS;
    const bool unknown = fact->kind == NONE || (real && isnan(fact->value.v));

    return fact->text == NULL && unknown ? dash : fact_words(fact, buf);
}

static bool is_container(const struct fact *fact)
{
    return fact->kind == OBJECT || fact->kind == LIST || fact->kind == TABLE;
}

/* The cell after `at`, however deep it lies in the row; start with `at` = the row. NULL: none. */
static const struct fact *next_cell(const struct fact *row, const struct fact *at)
{
    do {
        if (is_container(at) && at->children.first != NULL) {
            at = at->children.first;
            continue;
        }
        while (at != row && at->next == NULL) at = at->up;
        if (at == row) return NULL;
        at = at->next;
    } while (at->words == NULL || is_container(at));
    return at;
}

/* The alignment of the columns, a letter each, from the first row. False: no column has a head. */
static bool table_columns(const struct fact *row, char align[GRID_COLUMNS + 1])
{
    bool heads = false;
    size_t n = 0;

    for (const struct fact *c = row; (c = next_cell(row, c)) != NULL && n < GRID_COLUMNS;) {
        heads = heads || c->words[0] != '\0';
        align[n++] = c->kind <= SECONDS || c->kind == NONE ? 'r' : 'l';
    }
    align[n] = '\0';
    return heads;
}

/* A cell stands among others, but two blanks apart from them: its own blanks do no harm. */
static void text_cell(struct grid *g, const struct fact *fact)
{
    char buf[WORD], quoted[WORD_QUOTED];
    const char *s = cell_words(fact, "-", buf);

    grid_cell(g, *s != '\0' ? word_quoted(quoted, s, WORD_LINE) : s);
}

/* Printed after a blank line; under a caption the rows are indented. Not shown without rows. */
static void text_table(const struct facts *f, const struct fact *table, struct out *o)
{
    const bool caption = table->words[0] != '\0';
    const struct fact *row;
    struct grid *g = NULL;
    char align[GRID_COLUMNS + 1], quoted[WORD_QUOTED];
    bool first = true;
    struct children w;

    children_begin(&w, f, table->children.first, o, true);
    while ((row = children_next(&w)) != NULL) {
        if (first) {
            const bool heads = table_columns(row, align);

            g = grid_new(&f->env, align);
            for (const struct fact *c = row; heads && (c = next_cell(row, c)) != NULL;)
                grid_cell(g, c->words[0] != '\0' ? word_quoted(quoted, c->words, WORD_LINE) : "");
            first = false;
        }
        for (const struct fact *c = row; (c = next_cell(row, c)) != NULL;) text_cell(g, c);
    }
    if (first) return;
    out_text(o, "\n");
    if (caption) {
        out_text(o, table->words); /* our own words: it may have two lines */
        out_text(o, "\n");
    }
    grid_print(g, o, caption ? 2 : 0);
    grid_free(g);
}

/* Prints the facts of a section in two passes. */
struct printer {
    const struct facts *f;
    struct out *o;
    int section;
    bool blocks;  /* second pass: tables and paragraphs; first pass: lines */
    bool gap;     /* text: a block came last, so the next line needs a blank line before it */
    bool listing; /* HTML: a list of definitions is open */
    void (*line)(struct printer *p, const struct fact *fact);
    void (*block)(struct printer *p, const struct fact *fact);
};

static void print_facts(struct printer *p, const struct fact *fact)
{
    for (; fact != NULL; fact = fact->next) {
        const bool here = fact->words != NULL && fact->section == p->section;
        const bool block = fact->kind == TABLE || fact->kind == PROSE;

        if (here && block && p->blocks) p->block(p, fact);
        else if (here && !block && !p->blocks && (!is_container(fact) || fact->text != NULL))
            p->line(p, fact);
        if (fact->kind == OBJECT || fact->kind == LIST) print_facts(p, fact->children.first);
    }
}

static void text_line(struct printer *p, const struct fact *fact)
{
    char buf[WORD];

    if (p->gap) out_text(p->o, "\n");
    p->gap = false;
    const size_t width = word_width(fact->words);
    out_visible(p->o, fact->words);
    out_fmt(p->o, "%*s", width < NAME_WIDTH ? (int)(NAME_WIDTH - width) + 1 : 1, "");
    if (fact->text == NULL && fact->kind == STRING) out_word(p->o, fact->value.s, WORD_LINE);
    else out_visible(p->o, fact_words(fact, buf));
    out_text(p->o, "\n");
}

static void text_block(struct printer *p, const struct fact *fact)
{
    if (fact->kind == TABLE) text_table(p->f, fact, p->o);
    else out_text(p->o, fact->text != NULL ? fact->text : "");
    p->gap = true;
}

static void print_sections(struct printer *p)
{
    if (p->f->broken) out_fail_memory(p->o);
    for (; p->section <= p->f->sections && !p->f->broken; p->section++) {
        p->blocks = false;
        print_facts(p, p->f->top.first);
        p->blocks = true;
        print_facts(p, p->f->top.first);
    }
}

void facts_text(const struct facts *f, struct out *o)
{
    struct printer p = { .f = f, .o = o, .line = text_line, .block = text_block };

    print_sections(&p);
}

/* ----- HTML -------------------------------------------------------------------------------- */

/* A list of definitions goes on until a table or a paragraph. */
static void html_line(struct printer *p, const struct fact *fact)
{
    char buf[WORD];

    if (!p->listing) out_text(p->o, "<dl class=\"facts\">\n");
    p->listing = true;
    html_put(p->o, "<dt>%s</dt><dd>%s</dd>\n", fact->words, fact_words(fact, buf));
}

static void html_block(struct printer *p, const struct fact *fact)
{
    const struct fact *row;
    char align[GRID_COLUMNS + 1], buf[WORD];
    struct html_table t;
    bool first = true;
    struct children w;

    if (p->listing) out_text(p->o, "</dl>\n");
    p->listing = false;
    if (fact->kind == PROSE) {
        html_put(p->o, "<p>%s</p>\n", fact->text != NULL ? fact->text : "");
        return;
    }
    children_begin(&w, p->f, fact->children.first, p->o, true);
    while ((row = children_next(&w)) != NULL) {
        if (first) {
            table_columns(row, align);
            align[0] = align[0] == 'r' ? 'R' : 'L';
            html_table(&t, p->o, fact->words, align);
            for (const struct fact *c = row; (c = next_cell(row, c)) != NULL;)
                html_head(&t, c->words);
            first = false;
        }
        html_row(&t);
        for (const struct fact *c = row; (c = next_cell(row, c)) != NULL;)
            html_cell(&t, cell_words(c, "\xE2\x80\x93", buf));
    }
    if (!first) html_table_end(&t);
}

void facts_html(const struct facts *f, struct out *o)
{
    struct printer p = { .f = f, .o = o, .line = html_line, .block = html_block };

    print_sections(&p);
    if (p.listing) out_text(o, "</dl>\n");
}
