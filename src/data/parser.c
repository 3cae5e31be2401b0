/* parser.c -- which format a text is in, and who reads it. See parser.h.
 *
 * A format is a line of a table. --format names one; auto takes the first that knows the text as
 * its own. What none knows is LIBSVM text, whose parser says best what is wrong with it; or, for a
 * model of a table, a table of one column. */
#include "data/parser.h"

#include <string.h>

#include "data/blockfile.h"
#include "data/jsonl.h"
#include "data/vw.h"

/* What parser_open hands on. */
struct opening_text {
    const struct env *e;
    const char *text;
    size_t len;
    const perc_params *data;
    const struct reader_model *model; /* NULL in training */
    const struct schema *known;       /* the model's columns; NULL: it has none */
    unsigned hash_bits;               /* to read with */
    char *note;
    perc_error *err;
};

struct parser_format {
    const char *name;
    bool table; /* has columns with names: a model's are matched with them */
    bool quotes;
    bool (*looks)(const char *text, size_t len); /* NULL: what nobody else knows */
    perc_status (*open)(const struct opening_text *o, struct parser *p);
    perc_status (*parse)(const struct parser *p, const char *text, size_t len, bool first,
                         struct rows *r, struct csv_chunk *local, perc_error *err);
};

/* ----- tables --------------------------------------------------------------------- */

typedef perc_status open_fn(const struct env *e, const char *text, size_t len,
                            const perc_params *data, const struct schema *model, const char *keep,
                            struct csv *out, char *note, perc_error *err);

static perc_status open_with(const struct opening_text *o, struct parser *p, open_fn *open)
{
    struct csv *c = &p->table;
    const char *keep = o->model != NULL ? o->model->keep : NULL;
    const perc_status st = open(o->e, o->text, o->len, o->data, o->known, keep, c, o->note, o->err);

    /* Words that are kept have their numbers only once the chunk's turn has come. */
    p->late = !st && !c->fixed && c->schema.hash_bits == 0 && schema_has_words(&c->schema);
    p->seen_bits = c->fixed ? 0 : c->schema.hash_bits;
    return st;
}

static perc_status open_csv(const struct opening_text *o, struct parser *p)
{
    return open_with(o, p, csv_open);
}

static perc_status open_jsonl(const struct opening_text *o, struct parser *p)
{
    return open_with(o, p, csv_open_objects);
}

static perc_status parse_jsonl(const struct parser *p, const char *text, size_t len, bool first,
                               struct rows *r, struct csv_chunk *local, perc_error *err)
{
    (void)first;
    return jsonl_parse(&p->table, text, len, r, local, err);
}

static perc_status open_vw(const struct opening_text *o, struct parser *p)
{
    return open_with(o, p, vw_open);
}

static perc_status parse_vw(const struct parser *p, const char *text, size_t len, bool first,
                            struct rows *r, struct csv_chunk *local, perc_error *err)
{
    (void)first;
    return vw_parse(&p->table, text, len, r, local, err);
}

static perc_status parse_csv(const struct parser *p, const char *text, size_t len, bool first,
                             struct rows *r, struct csv_chunk *local, perc_error *err)
{
    return csv_parse(&p->table, text, len, first, r, local, err);
}

/* ----- LIBSVM --------------------------------------------------------------------- */

static perc_status open_libsvm(const struct opening_text *o, struct parser *p)
{
    const perc_params *data = o->data;

    if (o->model != NULL && o->model->keep != NULL)
        return fail(o->err, PERC_EARG,
                    "--keep names columns of a table, and this is LIBSVM text, which has none (put "
                    "the rows into a CSV file)");
    if (*params_text(data, "text") != '\0')
        return fail(o->err, PERC_EARG, "--text names columns of a table, and this is LIBSVM text");
    if (*params_text(data, "columns") != '\0')
        return fail(o->err, PERC_EARG,
                    "--columns says what the columns of a table are, and this is LIBSVM text");
    const perc_status st = notation_refuse(data, "LIBSVM text", o->err);
    if (st) return st;
    p->libsvm = (struct libsvm){ .base = params_is(data, "index", "auto") ? INDEX_AUTO
                                         : params_is(data, "index", "0")  ? INDEX_ZERO
                                                                          : INDEX_ONE,
                                 .unsorted = params_bool(data, "unsorted"),
                                 .float32 = params_bool(data, "float32"),
                                 .for_model = o->model != NULL,
                                 .hash_bits = o->hash_bits };
    if (o->model != NULL && o->model->index_base >= 0)
        p->libsvm.base = o->model->index_base == 0 ? INDEX_ZERO : INDEX_ONE;
    p->table.schema.hash_bits = o->hash_bits;
    p->seen_bits = o->model == NULL ? o->hash_bits : 0;
    return PERC_OK;
}

static perc_status parse_libsvm(const struct parser *p, const char *text, size_t len, bool first,
                                struct rows *r, struct csv_chunk *local, perc_error *err)
{
    (void)first;
    (void)local;
    return libsvm_parse(&p->libsvm, text, len, r, err);
}

/* ----- which ---------------------------------------------------------------------- */

static const struct parser_format formats[] = {
    { "jsonl", true, false, jsonl_looks_like, open_jsonl, parse_jsonl },
    { "vw", true, false, vw_looks_like, open_vw, parse_vw },
    { "csv", true, true, csv_looks_like, open_csv, parse_csv },
    { "libsvm", false, false, NULL, open_libsvm, parse_libsvm },
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const struct parser_format *format_named(const char *name)
{
    const struct parser_format *f = formats;

    while (f < formats + FORMATS - 1 && strcmp(f->name, name) != 0) f++;
    return f;
}

static const struct parser_format *choose_format(const struct opening_text *o)
{
    const struct parser_format *f = formats;
    /* LIBSVM's pairs have a colon in the first line. */
    const char *end = memchr(o->text, '\n', o->len);
    const bool colon = memchr(o->text, ':', end != NULL ? (size_t)(end - o->text) : o->len) != NULL;

    if (params_is(o->data, "format", "tsv")) return format_named("csv");
    if (!params_is(o->data, "format", "auto")) return format_named(params_text(o->data, "format"));
    if (o->known != NULL && vw_is_schema(o->known)) return format_named("vw");
    while (f->looks != NULL && !f->looks(o->text, o->len)) f++;
    const bool told = *params_text(o->data, "delimiter") != '\0' || (o->known != NULL && !colon);
    return f->looks == NULL && told ? format_named("csv") : f;
}

const char *parser_tell(const char *text, size_t len, const perc_params *data)
{
    return choose_format(&(struct opening_text){ .text = text, .len = len, .data = data })->name;
}

/* A table's columns have places and names, Vowpal Wabbit's features have names, LIBSVM's have
 * numbers from 0 or 1: a model of the one kind cannot read the other without guessing which is
 * which. */
static perc_status check_model(const struct opening_text *o, const struct parser_format *f)
{
    const bool vw = f->open == open_vw;

    if (o->model == NULL) return PERC_OK;
    if (o->known != NULL && f->table && vw != vw_is_schema(o->known))
        return fail(o->err, PERC_EDATA,
                    "the model was trained on %s, and this is %s (train on what is to be read)",
                    vw ? "a table with columns" : "Vowpal Wabbit's text",
                    vw ? "Vowpal Wabbit's text" : "a table");
    if (o->known != NULL && !f->table)
        return fail(o->err, PERC_EDATA,
                    "the model was trained on a table with columns, and this is LIBSVM text");
    if (o->known == NULL && f->table && o->hash_bits > 0 && o->model->index_base >= 0)
        return fail(o->err, PERC_EDATA,
                    "the model was trained on hashed LIBSVM text, and this is a table");
    if (o->known == NULL && f->table && o->model->index_base == 1)
        return fail(o->err, PERC_EDATA,
                    "the model was trained on features numbered from 1, and this is a table "
                    "('perceptron convert' makes LIBSVM text of it)");
    return PERC_OK;
}

perc_status parser_check_hash(const perc_params *data, unsigned bits, perc_error *err)
{
    const unsigned wanted = (unsigned)params_int(data, "hash");

    if (bits == wanted || !params_given(data, "hash")) return PERC_OK;
    if (bits > 0)
        return fail(err, PERC_EARG, "the model has 2^%u buckets: leave out --hash %u", bits,
                    wanted);
    return fail(err, PERC_EARG, "the model was trained without hashing: leave out --hash %u",
                wanted);
}

perc_status parser_open(const struct env *e, const char *text, size_t len, const perc_params *data,
                        const struct reader_model *model, struct parser *out, char *note,
                        perc_error *err)
{
    struct opening_text o = { e, text, len, data, model, model != NULL ? model->schema : NULL,
                              0, note, err };
    perc_status st;

    *out = (struct parser){ .format = NULL };
    schema_init(&out->table.schema, e);
    note[0] = '\0';
    /* The hashing to read with: the model's, or the option's. */
    o.hash_bits = (unsigned)params_int(data, "hash");
    if (model != NULL && model->index_base >= 0) {
        o.hash_bits = o.known != NULL ? o.known->hash_bits : 0;
        if ((st = parser_check_hash(data, o.hash_bits, err))) return st;
    }
    if (o.known != NULL && o.known->columns == 0) o.known = NULL;
    out->format = choose_format(&o);
    out->told = params_is(data, "format", "auto") && !(o.known != NULL && vw_is_schema(o.known));
    return (st = check_model(&o, out->format)) ? st : out->format->open(&o, out);
}

perc_status parser_keep(struct parser *p, const char *text, size_t len, perc_error *err)
{
    return p->format->open == open_csv ? csv_header_keep(&p->table, text, len, err) : PERC_OK;
}

perc_status parser_follow(const struct parser *p, const char *text, size_t len, const char *like,
                          perc_error *err)
{
    const struct parser_format *f = formats;
    const char *end = memchr(text, '\n', len);

    if (blockfile_is(text, len))
        return fail(err, PERC_EDATA,
                    "these are blocks, which cannot be one of several files ('perceptron convert' "
                    "makes text of them)");
    while (p->told && f->looks != NULL && !f->looks(text, len)) f++;
    /* A few lines with bars may look like either. */
    const bool bars = (f->open == open_csv && p->format->open == open_vw) ||
                      (f->open == open_vw && p->format->open == open_csv);
    const bool either = bars && memchr(text, '|', end != NULL ? (size_t)(end - text) : len) != NULL;
    if (p->told && f->looks != NULL && f != p->format && !either)
        return fail(err, PERC_EDATA,
                    "this is %s, and %.60s is %s: all files of a data set have one format "
                    "('perceptron convert' changes it)",
                    f->name, like, p->format->name);
    return csv_header_check(&p->table, text, len, like, err);
}

void parser_stand_in(const struct env *e, const char *format, bool told, struct parser *out)
{
    *out = (struct parser){ .format = format_named(format), .told = told };
    schema_init(&out->table.schema, e);
}

void parser_free(struct parser *p)
{
    csv_free(&p->table);
}

perc_status parser_chunk(const struct parser *p, const char *text, size_t len, bool first,
                         struct rows *r, struct csv_chunk *local, perc_error *err)
{
    return p->format->parse(p, text, len, first, r, local, err);
}

perc_status parser_merge(struct parser *p, const struct csv_chunk *local, struct rows *r,
                         perc_error *err)
{
    return csv_merge(&p->table, local, r, err);
}

const char *parser_name(const struct parser *p)
{
    return p->format->name;
}

char parser_quotes(const struct parser *p)
{
    return p->format->quotes ? notation_quote(&p->table.schema.notation) : '\0';
}
