/* certificate.c -- the reader of certificates.
 *
 * The file may be anything: what is not asked for is refused, what is repeated is refused,
 * and nothing is assumed about the order of the fields. Every object is read by one loop
 * over a table of its fields; checks that need several fields come after it. */
#include "verify/certificate.h"

#include <stddef.h>
#include <string.h>

#include "base/json.h"
#include "base/sort.h"

struct scanner {
    struct json j;
    struct certificate *c;
    const struct watch *watch;
    bool stopped;
    perc_error *err;
    const char *name; /* of the field being read */
    const char *seen; /* line and column are those of this place */
    int64_t line, column;
};

/* What is read goes to `at` bytes into the struct that the table describes. */
struct field {
    const char *name;
    perc_status (*read)(struct scanner *r, void *into);
    size_t at;
};

/* Where the watch says to stop there is an error of the text, as far as all loops are concerned. */
static enum json_kind next_token(struct scanner *r)
{
    r->stopped = r->stopped || !watch_ask(r->watch, 0);
    return r->stopped ? r->j.kind = JSON_ERROR : json_next(&r->j);
}

/* ----- errors ---------------------------------------------------------------------------- */

/* Line and column of the token read last, from 1: counted on from the place last asked for. */
static void find_place(struct scanner *r)
{
    for (; r->seen < r->j.at; r->seen++) {
        r->column = *r->seen == '\n' ? 1 : r->column + 1;
        r->line += *r->seen == '\n';
    }
}

perc_status certificate_stopped(perc_error *err)
{
    return fail(err, PERC_EUNDECIDED, "stopped before the end: neither verified nor refuted");
}

static perc_status refuse_at(struct scanner *r, const char *about, const char *text)
{
    if (r->stopped) return certificate_stopped(r->err);
    find_place(r);
    if (r->j.kind == JSON_ERROR)
        return fail_at(r->err, PERC_EDATA, r->line, r->column, "%s", r->j.reason);
    return fail_at(r->err, PERC_EDATA, r->line, r->column, "%s: %s", about, text);
}

static perc_status refuse_field(struct scanner *r, const char *text)
{
    return refuse_at(r, r->name, text);
}

static perc_status expect(struct scanner *r, enum json_kind kind, const char *text)
{
    return next_token(r) == kind ? PERC_OK : refuse_field(r, text);
}

/* ----- values ---------------------------------------------------------------------------- */

static perc_status count_read(struct scanner *r, void *into)
{
    if (next_token(r) != JSON_NUMBER || !json_uint(&r->j, into))
        return refuse_field(r, "expected a whole number of at least 0");
    return PERC_OK;
}

static perc_status bool_read(struct scanner *r, void *into)
{
    const enum json_kind kind = next_token(r);

    *(bool *)into = kind == JSON_TRUE;
    return kind == JSON_TRUE || kind == JSON_FALSE ? PERC_OK
                                                   : refuse_field(r, "expected true or false");
}

/* The last token as a whole number: "-12", without a plus sign or leading zeros. */
static perc_status whole_here(struct scanner *r, struct integer *out)
{
    if (r->j.kind != JSON_STRING) return refuse_field(r, "expected a whole number in quotes");
    const char *s = r->j.text, *end = s + r->j.len;
    const bool negative = s < end && *s == '-';
    s += negative;
    if (s == end || (*s == '0' && (end - s > 1 || negative)))
        return refuse_field(r, "expected a whole number in quotes, as \"-12\"");
    for (const char *p = s; p < end; p++)
        if (*p < '0' || *p > '9')
            return refuse_field(r, "expected a whole number in quotes, as \"-12\"");
    if (end - s > CERT_DIGITS) return refuse_field(r, "a number of more than 200,000 digits");
    if (!integer_decimal(&r->c->e, out, s, end)) return fail_memory(r->err);
    out->negative = negative;
    return PERC_OK;
}

static perc_status whole_read(struct scanner *r, void *into)
{
    next_token(r);
    return whole_here(r, into);
}

static perc_status label_read(struct scanner *r, void *into)
{
    char **out = into;
    perc_status st = expect(r, JSON_STRING, "expected a label in quotes");

    if (st == PERC_OK && (*out = json_text(&r->j, &r->c->e)) == NULL) st = fail_memory(r->err);
    return st;
}

/* ----- objects --------------------------------------------------------------------------- */

/* Reads the fields of an object, whose { was the last token, each at most once. */
static perc_status fields_read(struct scanner *r, const struct field *f, void *into, unsigned *seen)
{
    perc_status st;

    *seen = 0;
    while (next_token(r) == JSON_KEY) {
        size_t i = 0;
        while (f[i].name != NULL && !json_is(&r->j, f[i].name)) i++;
        if (f[i].name == NULL) {
            char *name = json_text(&r->j, &r->c->e);
            st = name == NULL ? fail_memory(r->err) : refuse_at(r, name, "there is no such field");
            mem_free_text(&r->c->e, name);
            return st;
        }
        r->name = f[i].name;
        if (*seen & 1u << i) return refuse_field(r, "this field appears twice");
        *seen |= 1u << i;
        if ((st = f[i].read(r, (char *)into + f[i].at))) return st;
    }
    return r->j.kind == JSON_OBJECT_END ? PERC_OK : refuse_at(r, "certificate", "expected a field");
}

/* Checks that the fields are those `wanted`. */
static perc_status fields_check(struct scanner *r, const struct field *f, unsigned seen,
                                unsigned wanted)
{
    for (size_t i = 0; f[i].name != NULL; i++) {
        if (wanted & ~seen & 1u << i) return refuse_at(r, f[i].name, "this field is missing");
        if (seen & ~wanted & 1u << i)
            return refuse_at(r, f[i].name, "this field does not belong here");
    }
    return PERC_OK;
}

/* An object with the fields `wanted`, bits in the order of the table. */
static perc_status object_read(struct scanner *r, const struct field *f, void *into,
                               unsigned wanted)
{
    unsigned seen;
    perc_status st = expect(r, JSON_OBJECT, "expected an object in { }");

    if (st == PERC_OK) st = fields_read(r, f, into, &seen);
    return st ? st : fields_check(r, f, seen, wanted);
}

/* ----- lists of rows --------------------------------------------------------------------- */

#define GROW(r, p, cap, need) mem_grow(&(r)->c->e, (void **)&(p), &(cap), need, sizeof *(p))

static perc_status rows_read(struct scanner *r, void *into)
{
    struct cert_list *l = into;
    perc_status st = expect(r, JSON_ARRAY, "expected an array of rows");

    while (st == PERC_OK && next_token(r) != JSON_ARRAY_END) {
        uint64_t row;
        if (r->j.kind != JSON_NUMBER || !json_uint(&r->j, &row) || row == 0)
            return refuse_field(r, "a row is a whole number from 1");
        if (l->n > 0 && row <= l->row[l->n - 1])
            return refuse_field(r, "rows must be in increasing order");
        if (!GROW(r, l->row, l->cap_row, l->n + 1)) return fail_memory(r->err);
        l->row[l->n++] = row;
    }
    return st;
}

static perc_status weights_read(struct scanner *r, void *into)
{
    struct cert_list *l = into;
    perc_status st = expect(r, JSON_ARRAY, "expected an array of weights");

    while (st == PERC_OK && next_token(r) != JSON_ARRAY_END) {
        if (!GROW(r, l->weight, l->cap_weight, l->weights + 1)) return fail_memory(r->err);
        l->weight[l->weights] = (struct integer){ 0 };
        st = whole_here(r, &l->weight[l->weights++]);
    }
    return st;
}

static const struct field list_fields[] = { { "rows", rows_read, 0 },
                                            { "weights", weights_read, 0 },
                                            { "others", whole_read,
                                              offsetof(struct cert_list, others) },
                                            { NULL, NULL, 0 } };

static perc_status list_read(struct scanner *r, struct cert_list *l, unsigned wanted)
{
    const perc_status st = object_read(r, list_fields, l, wanted);

    if (st || l->n == l->weights) return st;
    return refuse_at(r, "weights", "there must be as many as rows");
}

static perc_status no_read(struct scanner *r, void *into)
{
    const struct cert_list *l = into;
    const perc_status st = list_read(r, into, 3); /* without `others` */

    return st == PERC_OK && l->n == 0 ? refuse_at(r, "rows", "a witness has at least one") : st;
}

static perc_status all_read(struct scanner *r, void *into)
{
    return list_read(r, into, 7);
}

/* ----- w --------------------------------------------------------------------------------- */

/* The feature of a weight, or the array of those whose product it belongs to. */
static perc_status key_read(struct scanner *r, struct cert_part *p, uint64_t *last)
{
    uint64_t feature;

    if (r->j.kind != JSON_NUMBER || !json_uint(&r->j, &feature) || feature == 0 ||
        feature > UINT32_MAX)
        return refuse_field(r, "a feature is a whole number from 1");
    if (feature < *last)
        return refuse_field(r, "the features of a product must be in increasing order");
    if (!GROW(r, p->key, p->key_cap, p->key_n + 1)) return fail_memory(r->err);
    p->key[p->key_n++] = (uint32_t)feature;
    *last = feature;
    return PERC_OK;
}

static perc_status w_read(struct scanner *r, void *into)
{
    struct cert_part *p = into;
    perc_status st = expect(r, JSON_ARRAY, "expected an array");

    while (st == PERC_OK && next_token(r) != JSON_ARRAY_END) {
        if (r->j.kind != JSON_ARRAY) return refuse_field(r, "expected [feature, \"number\"]");
        if (!GROW(r, p->w, p->cap, p->n + 1)) return fail_memory(r->err);
        struct cert_weight *w = &p->w[p->n++];
        *w = (struct cert_weight){ 0 };
        uint64_t last = 0;
        w->key = p->key_n;
        w->list = next_token(r) == JSON_ARRAY;
        if (!w->list) st = key_read(r, p, &last);
        while (w->list && st == PERC_OK && next_token(r) != JSON_ARRAY_END)
            st = key_read(r, p, &last);
        w->keys = p->key_n - w->key;
        if (st || (st = whole_read(r, &w->value))) return st;
        if (w->value.n == 0) return refuse_field(r, "features with the weight 0 are left out");
        st = expect(r, JSON_ARRAY_END, "expected [feature, \"number\"]");
    }
    return st;
}

/* ----- parts ----------------------------------------------------------------------------- */

static perc_status negative_read(struct scanner *r, void *into)
{
    char **out = into;

    if (next_token(r) == JSON_NULL) return PERC_OK;
    if (r->j.kind != JSON_STRING) return refuse_field(r, "expected a label in quotes or null");
    *out = json_text(&r->j, &r->c->e);
    return *out == NULL ? fail_memory(r->err) : PERC_OK;
}

static perc_status verdict_read(struct scanner *r, void *into)
{
    static const char *const word[] = { "separable", "touching", "overlapping", "not separable" };
    static const perc_verdict verdict[] = { PERC_SEPARABLE, PERC_TOUCHING, PERC_OVERLAPPING,
                                            PERC_INSEPARABLE };

    if (next_token(r) == JSON_STRING)
        for (size_t i = 0; i < sizeof word / sizeof *word; i++)
            if (json_is(&r->j, word[i])) {
                *(perc_verdict *)into = verdict[i];
                return PERC_OK;
            }
    return refuse_field(
        r, "expected \"separable\", \"touching\", \"overlapping\" or \"not separable\"");
}

/* In the order of the bits PART_... */
#define PART(name, read, member)                       \
    {                                                  \
        name, read, offsetof(struct cert_part, member) \
    }
static const struct field part_fields[] = { PART("positive", label_read, positive),
                                            PART("negative", negative_read, negative),
                                            PART("verdict", verdict_read, verdict),
                                            PART("strict", count_read, strict),
                                            PART("held", count_read, held),
                                            { "w", w_read, 0 },
                                            PART("b", whole_read, b),
                                            PART("no", no_read, no),
                                            PART("all", all_read, all),
                                            { NULL, NULL, 0 } };

enum { ALWAYS = PART_POSITIVE | PART_NEGATIVE | PART_VERDICT }; /* fields of every part */

static perc_status parts_read(struct scanner *r, void *into)
{
    struct certificate *c = into;
    perc_status st = expect(r, JSON_ARRAY, "expected an array of problems");

    while (st == PERC_OK && next_token(r) != JSON_ARRAY_END) {
        if (r->j.kind != JSON_OBJECT) return refuse_field(r, "expected an object in { }");
        if (!GROW(r, c->part, c->cap, c->parts + 1)) return fail_memory(r->err);
        struct cert_part *p = &c->part[c->parts++];
        find_place(r);
        *p = (struct cert_part){ .line = r->line, .column = r->column, .verdict = PERC_UNDECIDED };
        st = fields_read(r, part_fields, p, &p->fields);
        /* What every part has is asked for here, so that "{}," takes no memory to speak of. */
        if (st == PERC_OK) st = fields_check(r, part_fields, p->fields | ~(unsigned)ALWAYS, ~0u);
    }
    return st;
}

/* ----- the head -------------------------------------------------------------------------- */

static perc_status hash_read(struct scanner *r, void *into)
{
    bool good = next_token(r) == JSON_STRING && r->j.len == CERT_HASH;

    for (size_t i = 0; i < CERT_HASH && good; i++)
        good = (r->j.text[i] >= '0' && r->j.text[i] <= '9') ||
               (r->j.text[i] >= 'a' && r->j.text[i] <= 'f');
    if (!good) return refuse_field(r, "expected 64 hexadecimal digits in quotes");
    memcpy(into, r->j.text, CERT_HASH);
    return PERC_OK;
}

#define HEAD(name, read, member)                         \
    {                                                    \
        name, read, offsetof(struct certificate, member) \
    }
static const struct field data_fields[] = { HEAD("sha256", hash_read, sha256),
                                            HEAD("rows", count_read, rows),
                                            HEAD("features", count_read, features),
                                            { NULL, NULL, 0 } };

static perc_status data_read(struct scanner *r, void *into)
{
    return object_read(r, data_fields, into, 7);
}

static perc_status version_read(struct scanner *r, void *into)
{
    uint64_t version;
    const perc_status st = count_read(r, &version);

    (void)into;
    if (st == PERC_OK && version != CERT_VERSION)
        return refuse_field(r, "only version 1 is known: a later program may have written this");
    return st;
}

static perc_status kernel_name_read(struct scanner *r, void *into)
{
    enum cert_space *space = into;

    if (next_token(r) == JSON_STRING && json_is(&r->j, "poly")) *space = CERT_POLY;
    else if (r->j.kind == JSON_STRING && json_is(&r->j, "rbf")) *space = CERT_RBF;
    else return refuse_field(r, "expected \"poly\" or \"rbf\"");
    return PERC_OK;
}

static perc_status degree_read(struct scanner *r, void *into)
{
    const uint64_t *degree = into;
    const perc_status st = count_read(r, into);

    if (st == PERC_OK && (*degree == 0 || *degree > CERT_DEGREE))
        return refuse_field(r, "expected a degree from 1 to 100");
    return st;
}

static const struct field kernel_fields[] = { HEAD("name", kernel_name_read, space),
                                              HEAD("degree", degree_read, degree),
                                              HEAD("homogeneous", bool_read, homogeneous),
                                              { NULL, NULL, 0 } };

static perc_status kernel_read(struct scanner *r, void *into)
{
    struct certificate *c = into;
    unsigned seen;
    perc_status st;

    if (next_token(r) == JSON_NULL) return PERC_OK;
    if (r->j.kind != JSON_OBJECT) return refuse_field(r, "expected an object in { } or null");
    if ((st = fields_read(r, kernel_fields, c, &seen))) return st;
    return fields_check(r, kernel_fields, seen, c->space == CERT_POLY ? 7 : 1);
}

static const struct field top_fields[] = { { "perceptron_certificate", version_read, 0 },
                                           { "data", data_read, 0 },
                                           HEAD("offset", bool_read, offset),
                                           { "kernel", kernel_read, 0 },
                                           { "parts", parts_read, 0 },
                                           { NULL, NULL, 0 } };

/* ----- checks of several fields ---------------------------------------------------------- */

static perc_status refuse_part(const struct scanner *r, const struct cert_part *p, const char *text)
{
    return fail_at(r->err, PERC_EDATA, p->line, p->column, "%s", text);
}

/* Features and products of them that w may have. The constant product [] is b's, where
 * there is one. */
static const char *w_fault(const struct certificate *c, const struct cert_part *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct cert_weight *w = &p->w[i];
        for (size_t k = 0; k < w->keys; k++)
            if (p->key[w->key + k] > c->features) return "w: there is no such feature";
        if (c->space == CERT_ROWS) {
            if (w->list) return "w: arrays of features are for polynomial kernels";
            if (i > 0 && p->key[w->key] <= p->key[w[-1].key])
                return "w: the features must be in increasing order";
        } else if (!w->list) {
            return "w: expected arrays of features with a polynomial kernel";
        } else if (w->keys > c->degree || (c->homogeneous && w->keys < c->degree)) {
            return "w: a product of another degree than the kernel's";
        } else if (w->keys == 0 && c->offset) {
            return "w: the product of no features is b";
        }
    }
    return NULL;
}

static perc_status part_check(struct scanner *r, const struct cert_part *p)
{
    const struct certificate *c = r->c;
    const perc_verdict v = p->verdict;
    const bool planes = c->space != CERT_RBF; /* else equal rows tell the rest */
    unsigned wanted = ALWAYS;

    if (v != PERC_INSEPARABLE) wanted |= PART_STRICT | PART_HELD;
    if (v != PERC_SEPARABLE) wanted |= PART_NO;
    if (planes && (v == PERC_SEPARABLE || v == PERC_TOUCHING))
        wanted |= PART_W | (c->offset ? PART_B : 0);
    if (planes && (v == PERC_TOUCHING || v == PERC_OVERLAPPING)) wanted |= PART_ALL;
    for (size_t i = 0; part_fields[i].name != NULL; i++) {
        const bool missing = wanted & ~p->fields & 1u << i;
        if (!missing && !(p->fields & ~wanted & 1u << i)) continue;
        return fail_at(r->err, PERC_EDATA, p->line, p->column,
                       missing ? "the field '%s' is missing"
                               : "the field '%s' does not belong to this verdict",
                       part_fields[i].name);
    }
    if (p->negative != NULL && strcmp(p->positive, p->negative) == 0)
        return refuse_part(r, p, "a label against itself");
    const char *fault = w_fault(c, p);
    return fault != NULL ? refuse_part(r, p, fault) : PERC_OK;
}

static int by_labels(const void *a, const void *b)
{
    const struct cert_part *p = *(const struct cert_part *const *)a;
    const struct cert_part *q = *(const struct cert_part *const *)b;
    const int order = strcmp(p->positive, q->positive);

    if (order != 0) return order;
    if (p->negative == NULL || q->negative == NULL)
        return (p->negative != NULL) - (q->negative != NULL);
    return strcmp(p->negative, q->negative);
}

/* Checks that no problem comes twice. */
static perc_status repeats_check(const struct scanner *r)
{
    const struct certificate *c = r->c;
    const struct cert_part **at = mem_array(&c->e, c->parts, sizeof *at);
    perc_status st = PERC_OK;

    if (at == NULL) return fail_memory(r->err);
    for (size_t i = 0; i < c->parts; i++) at[i] = &c->part[i];
    sort_items(at, c->parts, sizeof *at, by_labels);
    for (size_t i = 1; i < c->parts && st == PERC_OK; i++)
        if (by_labels(&at[i - 1], &at[i]) == 0)
            st = refuse_part(r, at[i] > at[i - 1] ? at[i] : at[i - 1], "the same labels again");
    mem_free(&c->e, at, c->parts, sizeof *at);
    return st;
}

static perc_status document_read(struct scanner *r)
{
    perc_status st;

    if (next_token(r) != JSON_OBJECT) return refuse_at(r, "certificate", "expected {");
    unsigned seen;
    if ((st = fields_read(r, top_fields, r->c, &seen))) return st;
    if ((seen & 1) == 0)
        return refuse_at(r, "not a certificate", "the field perceptron_certificate is missing");
    if ((st = fields_check(r, top_fields, seen, 31))) return st;
    if (next_token(r) != JSON_END) return refuse_at(r, "certificate", "more follows");
    if (r->c->parts == 0)
        return refuse_at(r, "parts", "a certificate without problems says nothing");
    for (size_t i = 0; i < r->c->parts; i++)
        if ((st = part_check(r, &r->c->part[i]))) return st;
    return repeats_check(r);
}

perc_status certificate_read(const struct env *e, const char *text, size_t len,
                             const struct watch *watch, struct certificate *out, perc_error *err)
{
    struct scanner r = {
        .c = out, .watch = watch, .err = err, .name = "certificate", .line = 1, .column = 1
    };
    perc_status st;

    *out = (struct certificate){ .e = *e };
    json_begin(&r.j, text, len);
    r.seen = r.j.start;
    if ((st = document_read(&r))) certificate_free(out);
    return st;
}

/* ----- freeing --------------------------------------------------------------------------- */

static void list_free(const struct env *e, struct cert_list *l)
{
    for (size_t i = 0; i < l->weights; i++) integer_free(e, &l->weight[i]);
    mem_free(e, l->weight, l->cap_weight, sizeof *l->weight);
    mem_free(e, l->row, l->cap_row, sizeof *l->row);
    integer_free(e, &l->others);
}

void certificate_free(struct certificate *c)
{
    const struct env e = c->e;

    if (e.alloc == NULL) return;
    for (size_t i = 0; i < c->parts; i++) {
        struct cert_part *p = &c->part[i];
        mem_free_text(&e, p->positive);
        mem_free_text(&e, p->negative);
        for (size_t k = 0; k < p->n; k++) integer_free(&e, &p->w[k].value);
        mem_free(&e, p->w, p->cap, sizeof *p->w);
        mem_free(&e, p->key, p->key_cap, sizeof *p->key);
        integer_free(&e, &p->b);
        list_free(&e, &p->no);
        list_free(&e, &p->all);
    }
    mem_free(&e, c->part, c->cap, sizeof *c->part);
    *c = (struct certificate){ .space = CERT_ROWS };
}
