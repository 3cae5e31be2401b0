/* certificate.c -- writes a proof as a file that anybody can check.
 *
 * docs/certificate-format.md says what stands where. Problems that are undecided are left
 * out: a certificate proves those that are in it. The bytes depend on the proof and the
 * data alone. A line for the head, and for each problem a line of its own for the labels,
 * for w, and for each list of rows. */
#include "base/file.h"
#include "base/json.h"
#include "data/canonical.h"
#include "prove/proof.h"

struct cert_writer {
    const perc_proof *proof;
    const perc_dataset *ds;
    struct text t;
    struct json_out o;
    perc_error *err;
};

/* Ends a line, after the comma if one is due. */
static void line_break(struct cert_writer *w)
{
    if (w->o.comma) text_char(&w->t, ',');
    w->o.comma = false;
    text_char(&w->t, '\n');
}

static void whole_write(struct cert_writer *w, const mpz_t x)
{
    const struct env *e = &w->proof->e;
    const size_t size = mpz_sizeinbase(x, 10) + 2;
    char *s = mem_array(e, size, 1);

    if (s == NULL) {
        w->t.oom = true;
        return;
    }
    json_str(&w->o, mpz_get_str(s, 10, x));
    mem_free(e, s, size, 1);
}

static void list_write(struct cert_writer *w, const struct subproof *sub, const struct weights *l,
                       const char *name)
{
    line_break(w);
    json_key(&w->o, name);
    json_open(&w->o, '{');
    json_key(&w->o, "rows");
    json_open(&w->o, '[');
    for (size_t k = 0; k < l->n; k++) json_i64(&w->o, (int64_t)sub->exact.row[l->row[k]] + 1);
    json_close(&w->o, ']');
    json_key(&w->o, "weights");
    json_open(&w->o, '[');
    for (size_t k = 0; k < l->n; k++) whole_write(w, l->value[k]);
    json_close(&w->o, ']');
    if (l == &sub->found.all) {
        json_key(&w->o, "others");
        whole_write(w, l->others);
    }
    json_close(&w->o, '}');
}

/* Where there is an offset, a constant feature is part of it. A column is written as its feature
 * or, with a polynomial kernel, as the array of its features. */
static void plane_write(struct cert_writer *w, const struct subproof *sub)
{
    const perc_proof *proof = w->proof;
    const struct separation *a = &sub->found;
    const uint64_t columns = a->dims - (proof->offset ? 1 : 0), degree = (uint64_t)proof->degree;
    const bool poly = proof->space == SPACE_POLY;
    mpz_t b;

    mpz_init(b);
    if (proof->offset) mpz_set(b, a->w[columns]);
    line_break(w);
    json_key(&w->o, "w");
    json_open(&w->o, '[');
    for (uint64_t j = 0; j < columns; j++) {
        const uint32_t *list = poly ? proof->monomial + j * degree : NULL;
        if (mpz_sgn(a->w[j]) == 0) continue;
        if (proof->offset && poly && list[0] == UINT32_MAX) { /* the empty product, 1 */
            mpz_add(b, b, a->w[j]);
            continue;
        }
        json_open(&w->o, '[');
        if (poly) json_open(&w->o, '[');
        else json_i64(&w->o, (int64_t)j - proof->index_base + 1);
        for (uint64_t k = 0; poly && k < degree && list[k] != UINT32_MAX; k++)
            json_i64(&w->o, (int64_t)list[k] - proof->index_base + 1);
        if (poly) json_close(&w->o, ']');
        whole_write(w, a->w[j]);
        json_close(&w->o, ']');
    }
    json_close(&w->o, ']');
    if (proof->offset) {
        json_key(&w->o, "b");
        whole_write(w, b);
    }
    mpz_clear(b);
}

/* ----- the file -------------------------------------------------------------------------- */

/* A label that is not UTF-8 has no form in JSON. */
static perc_status label_utf8(struct cert_writer *w, const char *label)
{
    struct text t;
    struct json_out o = { .t = &t };
    struct json j;
    bool same;

    text_init(&t, &w->proof->e);
    json_str(&o, label);
    json_begin(&j, t.s, t.len);
    same = json_next(&j) == JSON_STRING && json_is(&j, label);
    const bool oom = t.oom;
    text_free(&t);
    if (oom) return fail_memory(w->err);
    return same ? PERC_OK
                : fail(w->err, PERC_EDATA,
                       "the label %s is not UTF-8: a certificate cannot name it", label);
}

/* A number by its value, as the hash of the rows has it, however the data write it. */
static const char *label_key(const struct cert_writer *w, const char *label)
{
    const struct labels *l = &w->ds->labels;
    const uint32_t id = labels_find(l, label, strlen(label));

    return id != LABEL_NONE ? l->at[id].key : label;
}

static void part_write(struct cert_writer *w, const struct subproof *sub)
{
    const struct separation *a = &sub->found;
    const perc_verdict v = a->verdict;
    const bool planes = w->proof->space != SPACE_RBF;

    line_break(w);
    json_open(&w->o, '{');
    json_key(&w->o, "positive");
    json_str(&w->o, label_key(w, sub->positive));
    json_key(&w->o, "negative");
    if (sub->negative != NULL) {
        json_str(&w->o, label_key(w, sub->negative));
    } else {
        text_str(&w->t, "null");
        w->o.comma = true;
    }
    json_key(&w->o, "verdict");
    json_str(&w->o, perc_verdict_text(v));
    if (v != PERC_INSEPARABLE) {
        json_key(&w->o, "strict");
        json_i64(&w->o, (int64_t)a->s);
        json_key(&w->o, "held");
        json_i64(&w->o, (int64_t)a->c);
    }
    if (planes && (v == PERC_SEPARABLE || v == PERC_TOUCHING)) plane_write(w, sub);
    if (v != PERC_SEPARABLE) list_write(w, sub, &a->no, "no");
    if (planes && (v == PERC_TOUCHING || v == PERC_OVERLAPPING)) list_write(w, sub, &a->all, "all");
    json_close(&w->o, '}');
}

static void kernel_write(struct cert_writer *w)
{
    const perc_proof *proof = w->proof;

    json_key(&w->o, "kernel");
    if (proof->space == SPACE_ROWS) {
        text_str(&w->t, "null");
        w->o.comma = true;
        return;
    }
    json_open(&w->o, '{');
    json_key(&w->o, "name");
    json_str(&w->o, proof->space == SPACE_POLY ? "poly" : "rbf");
    if (proof->space == SPACE_POLY) {
        json_key(&w->o, "degree");
        json_i64(&w->o, proof->degree);
        json_key(&w->o, "homogeneous");
        json_bool(&w->o, proof->homogeneous);
    }
    json_close(&w->o, '}');
}

static perc_status proof_text(struct cert_writer *w)
{
    perc_dataset_info info;
    char hash[SHA256_HEX];
    perc_status st = canonical_hash(w->ds, hash, w->err);

    for (size_t i = 0; i < w->proof->subs && st == PERC_OK; i++) {
        const struct subproof *sub = &w->proof->sub[i];
        if (sub->found.verdict == PERC_UNDECIDED) continue;
        st = label_utf8(w, sub->positive);
        if (st == PERC_OK && sub->negative != NULL) st = label_utf8(w, sub->negative);
    }
    if (st) return st;
    perc_dataset_info_get(w->ds, &info);
    json_open(&w->o, '{');
    json_key(&w->o, "perceptron_certificate");
    json_i64(&w->o, 1);
    json_key(&w->o, "data");
    json_open(&w->o, '{');
    json_key(&w->o, "sha256");
    json_str(&w->o, hash);
    json_key(&w->o, "rows");
    json_i64(&w->o, (int64_t)info.rows);
    json_key(&w->o, "features");
    json_i64(&w->o, (int64_t)info.features);
    json_close(&w->o, '}');
    json_key(&w->o, "offset");
    json_bool(&w->o, w->proof->offset);
    kernel_write(w);
    json_key(&w->o, "parts");
    json_open(&w->o, '[');
    for (size_t i = 0; i < w->proof->subs; i++)
        if (w->proof->sub[i].found.verdict != PERC_UNDECIDED) part_write(w, &w->proof->sub[i]);
    json_close(&w->o, ']');
    json_close(&w->o, '}');
    text_char(&w->t, '\n');
    return w->t.oom ? fail_memory(w->err) : PERC_OK;
}

perc_status perc_proof_write(const perc_proof *proof, const perc_dataset *ds, const char *path,
                             perc_error *err)
{
    NEED(proof != NULL && ds != NULL && path != NULL);
    NEED(ds->rows == proof->rows && ds->columns == proof->columns);
    struct cert_writer w = { .proof = proof, .ds = ds, .err = err };
    struct file_out f;
    size_t decided = 0;
    perc_status st;

    for (size_t i = 0; i < proof->subs; i++)
        decided += proof->sub[i].found.verdict != PERC_UNDECIDED;
    if (decided == 0)
        return fail(err, PERC_EARG, "every problem is undecided: there is no certificate of that");
    text_init(&w.t, &proof->e);
    w.o = (struct json_out){ .t = &w.t };
    st = proof_text(&w);
    if (st == PERC_OK && (st = file_create(&proof->e, path, &f, err)) == PERC_OK) {
        if ((st = file_write(&f, w.t.s, w.t.len, err))) file_abort(&f);
        else st = file_commit(&f, err);
    }
    text_free(&w.t);
    return st;
}
