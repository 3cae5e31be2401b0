/* proof.c -- perc_prove: the problems of a data set, one answer each.
 *
 * Two labels are one problem, the later label being +1; so is one label. More are each
 * against the rest, then each pair. A kernel changes what the rows are (lift.c) or what the
 * answer is (radial.c), not what is asked.
 *
 * Problems run one after the other, each on all threads; where they are small, several at
 * once on one thread each. An answer does not depend on the number of threads, so the
 * proof does not either. Rows of weight 0 are no part of any problem, as they are none of a fit; of
 * other rows the weight does not matter. */
#include "prove/proof.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/pthreads.h"
#include "base/threads.h"
#include "kernel/gram.h"
#include "prove/gram_margin.h"
#include "prove/job.h"
#include "prove/options.h"

enum { PROBLEMS_MAX = 50000, SMALL = 1 << 16 /* entries: several at once below it */ };

/* The labels of +1 and -1, by number; negative LABEL_NONE: all others. */
struct matchup {
    uint32_t positive, negative;
};

struct matchups {
    struct matchup *at; /* NULL: they are only counted */
    size_t n;
};

struct prover {
    struct env e;
    struct pool pool;         /* of sorted, start, matchups.at, st and err */
    const perc_dataset *ds;   /* the labels */
    const perc_dataset *rows; /* what planes see: ds, or its monomials */
    struct kernel kernel;
    const perc_params *p;
    perc_proof *proof;
    const perc_observer *observer;
    struct watch watch;
    double begin, until;      /* by the clock; until 0: no limit */
    int threads;              /* of each problem */
    struct matchups matchups; /* one per part */
    uint64_t *counted;        /* rows that count, rising: proof->info.rows of them */
    uint64_t *sorted, *start; /* the same by label, each rising; where each label begins */
    uint32_t *label;          /* those of them: proof->info.labels, rising */
    perc_status *st;          /* by part */
    perc_error *err;
    pthread_mutex_t lock; /* for what follows, and the observer */
    double noticed;
    size_t ended; /* problems */
    bool stopped;
};

/* ----- which problems -------------------------------------------------------------- */

static void add_matchup(struct matchups *l, size_t positive, size_t negative)
{
    if (l->at != NULL) l->at[l->n] = (struct matchup){ (uint32_t)positive, (uint32_t)negative };
    l->n++;
}

/* Which of them are asked for. */
struct wish {
    uint32_t only;  /* the label for +1; LABEL_NONE: any */
    uint32_t other; /* the label for -1: this pair alone; LABEL_NONE: not asked */
    bool rest, pairs;
};

/* Of n labels, in the order of the report. */
static void list_matchups(struct matchups *l, const uint32_t *label, size_t n, const struct wish *w)
{
    const uint32_t only = w->only;

    if (w->other != LABEL_NONE) {
        add_matchup(l, only, w->other);
        return;
    }
    if (n <= 2) {
        const uint32_t positive = only != LABEL_NONE ? only : label[n - 1];
        add_matchup(l, positive, n == 2 ? label[label[0] == positive] : LABEL_NONE);
        return;
    }
    for (size_t i = 0; i < n && w->rest; i++)
        if (only == LABEL_NONE || only == label[i]) add_matchup(l, label[i], LABEL_NONE);
    if (!w->pairs) return;
    if (only != LABEL_NONE) {
        for (size_t i = 0; i < n; i++)
            if (label[i] != only) add_matchup(l, only, label[i]);
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) add_matchup(l, label[j], label[i]);
}

/* The label that an option names; LABEL_NONE where it names none. */
static perc_status find_label(const struct prover *r, const char *option, uint32_t *out,
                              perc_error *err)
{
    const struct labels *l = &r->ds->labels;
    const char *text = params_text(r->p, option);
    const size_t n = r->proof->info.labels;
    char hint[SPELLING_HINT];

    *out = LABEL_NONE;
    if (text[0] == '\0') return PERC_OK;
    *out = labels_find(l, text, strlen(text));
    for (size_t i = 0; i < n; i++)
        if (r->label[i] == *out) return PERC_OK;
    return fail(err, PERC_EARG, "--%s %.60s: no row%s has this label%s; there are '%.40s'%s%.40s%s",
                option, text, r->proof->info.weightless > 0 ? " of a weight above 0" : "",
                *out == LABEL_NONE ? labels_hint(l, text, hint) : "", l->at[r->label[0]].text,
                n > 2    ? " ... '"
                : n == 2 ? " and '"
                         : "",
                n > 1 ? l->at[r->label[n - 1]].text : "", n > 1 ? "'" : "");
}

static char *copy_text(struct pool *pool, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = pool_array(pool, size, 1);

    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

static perc_status make_subproof(const struct prover *r, const struct matchup *k,
                                 struct subproof *sub)
{
    const struct label *at = r->ds->labels.at;

    pool_init(&sub->pool, &r->e);
    separation_init(&sub->found, &r->e);
    sub->exact = (struct whole){ .e = r->e,
                                 .ds = r->rows,
                                 .offset = r->proof->offset,
                                 .dims = r->rows->columns + (r->proof->offset ? 1 : 0) };
    sub->exact.e.threads = r->threads;
    sub->positive = copy_text(&sub->pool, at[k->positive].text);
    if (k->negative != LABEL_NONE) sub->negative = copy_text(&sub->pool, at[k->negative].text);
    sub->view = (perc_part){ .verdict = PERC_UNDECIDED,
                             .positive = sub->positive,
                             .negative = sub->negative,
                             .least = NAN,
                             .method = "",
                             .margin_lower = NAN,
                             .margin_upper = NAN,
                             .geometric_lower = NAN,
                             .geometric_upper = NAN,
                             .kernel_gamma = NAN };
    return sub->pool.failed ? PERC_ENOMEM : PERC_OK;
}

/* The parts of the proof, with their labels; and how many run at once. */
static perc_status make_subproofs(struct prover *r, perc_error *err)
{
    static const char *const alone[] = { "bound", "hulls" };
    const bool given = params_given(r->p, "positive") && !params_given(r->p, "problems");
    struct wish w = { .rest = !params_is(r->p, "problems", "pairs"),
                      .pairs = !params_is(r->p, "problems", "rest") && !given };
    struct matchups *l = &r->matchups;
    perc_proof *proof = r->proof;
    const size_t labels = proof->info.labels;
    perc_status st;

    if ((st = find_label(r, "positive", &w.only, err)) ||
        (st = find_label(r, "negative", &w.other, err)))
        return st;
    if (w.other != LABEL_NONE && w.only == LABEL_NONE)
        return fail(err, PERC_EARG, "--negative needs --positive: together they name a pair");
    if (w.other != LABEL_NONE && w.only == w.other)
        return fail(err, PERC_EARG, "--positive and --negative name the same label");
    list_matchups(l, r->label, labels, &w);
    if (l->n > PROBLEMS_MAX)
        return fail(err, PERC_EARG,
                    "that would be %zu problems of %zu labels, more than %d (pass %s--positive "
                    "LABEL)",
                    l->n, labels, PROBLEMS_MAX,
                    labels <= PROBLEMS_MAX ? "--problems rest or " : "");
    if (l->n > 1 && params_bool(r->p, "hulls") && r->ds->columns > (uint64_t)r->ds->index_base + 2)
        return fail(
            err, PERC_EARG,
            "--hulls is for one problem of two features, and these are %zu problems of %" PRIu64
            " features: leave out --hulls",
            l->n, r->ds->columns - (uint64_t)r->ds->index_base);
    for (size_t i = 0; i < 2 && l->n > 1; i++)
        if (params_bool(r->p, alone[i]))
            return fail(
                err, PERC_EARG,
                "--%s is for one problem, and these labels make %zu (pass --positive LABEL %s)",
                alone[i], l->n, i == 0 ? "alone" : "alone, or with --negative");
    l->at = pool_array(&r->pool, l->n, sizeof *l->at);
    proof->sub = mem_zeroed(&r->e, l->n, sizeof *proof->sub);
    if (proof->sub != NULL) proof->subs = l->n;
    if (l->at == NULL || proof->sub == NULL) return fail_memory(err);
    l->n = 0;
    list_matchups(l, r->label, labels, &w);
    r->threads = l->n > 1 && r->rows->nonzeros < SMALL ? 1 : r->e.threads;
    for (size_t k = 0; k < l->n && !st; k++)
        if (make_subproof(r, &l->at[k], &proof->sub[k])) st = fail_memory(err);
    return st;
}

/* ----- the rows of a problem ------------------------------------------------------- */

/* The rows that count, and by label, once for all problems: a counting sort. start is two labels
 * ahead while rows are counted, and one while they are filled in. Labels that no row has are those
 * of a caller, and make problems; those that only rows of weight 0 have make none. */
static perc_status sort_rows(struct prover *r, perc_error *err)
{
    const perc_dataset *ds = r->ds;
    const size_t labels = ds->labels.n;
    perc_proof_info *info = &r->proof->info;

    r->counted = pool_array(&r->pool, ds->rows, sizeof *r->counted);
    r->sorted = pool_array(&r->pool, ds->rows, sizeof *r->sorted);
    r->start = pool_zeroed(&r->pool, labels + 2, sizeof *r->start);
    r->label = pool_array(&r->pool, labels, sizeof *r->label);
    if (r->pool.failed) return fail_memory(err);
    for (size_t b = 0; b < ds->blocks; b++)
        for (size_t i = 0; i < ds->block[b].rows; i++) {
            if (block_weight(&ds->block[b], i) == 0) continue;
            r->counted[info->rows++] = ds->block[b].first_row + i;
            r->start[ds->block[b].label[i] + 2]++;
        }
    info->weightless = ds->rows - info->rows;
    if (info->rows == 0)
        return fail(err, PERC_EDATA,
                    "every row has weight 0: none is left to prove anything about");
    for (size_t l = 0; l < labels; l++)
        if (info->weightless == 0 || r->start[l + 2] > 0) r->label[info->labels++] = (uint32_t)l;
    for (size_t l = 2; l <= labels; l++) r->start[l + 1] += r->start[l];
    for (uint64_t i = 0; i < info->rows; i++) {
        const int label = perc_dataset_row_label(ds, r->counted[i]);

        r->sorted[r->start[label + 1]++] = r->counted[i];
    }
    return PERC_OK;
}

/* All rows that count, or those of the two labels, in order. */
static perc_status collect_rows(const struct prover *r, const struct matchup *k,
                                struct subproof *sub, perc_error *err)
{
    const uint64_t *start = r->start;
    const bool all = k->negative == LABEL_NONE;
    uint64_t p = start[k->positive], q = all ? 0 : start[k->negative];
    const uint64_t p_end = start[k->positive + 1], q_end = all ? 0 : start[k->negative + 1];
    const uint64_t n = all ? r->proof->info.rows : p_end - p + q_end - q;
    uint64_t *row = pool_array(&sub->pool, n, sizeof *row);
    signed char *sign = pool_array(&sub->pool, n, 1);

    if (sub->pool.failed) return fail_memory(err);
    for (uint64_t i = 0; i < n; i++) {
        const bool plus = all ? p < p_end && r->sorted[p] == r->counted[i]
                              : q == q_end || (p < p_end && r->sorted[p] < r->sorted[q]);
        row[i] = all ? r->counted[i] : r->sorted[plus ? p : q++];
        p += plus;
        sign[i] = plus ? 1 : -1;
    }
    sub->exact.n = n;
    sub->exact.row = row;
    sub->exact.sign = sign;
    return PERC_OK;
}

/* ----- while it runs --------------------------------------------------------------- */

static void tell_observer(struct prover *r, bool ended)
{
    const size_t at = r->ended + (ended || r->ended == r->proof->subs ? 0 : 1);
    const perc_event event = { .epoch = (int64_t)at,
                               .examples = (int64_t)r->proof->subs,
                               .pass_ended = ended,
                               .held_error = NAN,
                               .held_value = NAN,
                               .loss = NAN,
                               .row = -1,
                               .seconds = clock_seconds() - r->begin };

    if (r->observer != NULL && r->observer->notify(r->observer->ud, &event) != 0) r->stopped = true;
}

/* Asks the clock and the observer, one thread at a time, a few times a second. */
static bool poll_prover(void *ud, int64_t passes)
{
    struct prover *r = ud;

    (void)passes;
    pthread_mutex_lock(&r->lock);
    const double now = clock_seconds();
    if (r->until > 0 && now >= r->until) r->stopped = true;
    if (!r->stopped && now - r->noticed >= 0.05) {
        r->noticed = now;
        tell_observer(r, false);
    }
    const bool go_on = !r->stopped;
    pthread_mutex_unlock(&r->lock);
    return go_on;
}

/* ----- one problem ----------------------------------------------------------------- */

/* Checks that the numbers of the answer are not too long for a certificate. */
static perc_status check_digits(const struct separation *a, perc_error *err)
{
    const mpz_t *const list[] = { (const mpz_t *)a->w, (const mpz_t *)a->no.value,
                                  (const mpz_t *)a->all.value, &a->all.others };
    const size_t n[] = { a->w != NULL ? a->dims : 0, a->no.n, a->all.n, 1 };
    size_t most = 0;

    for (size_t l = 0; l < 4; l++)
        for (size_t k = 0; k < n[l]; k++) {
            const size_t digits = mpz_sizeinbase(list[l][k], 10); /* or one too many */
            if (digits > most) most = digits;
        }
    if (most <= EXACT_DIGITS) return PERC_OK;
    return fail(
        err, PERC_EDATA,
        "the proof needs numbers of %zu digits, more than the %d of a certificate (round the data)",
        most, EXACT_DIGITS);
}
/* The margins in the space of a kernel, and the bound that follows. */
static perc_status measure_kernel(struct prover *r, struct subproof *sub, perc_error *err)
{
    const struct gram_question q = { .kernel = &r->kernel,
                                     .offset = params_bool(r->p, "offset"),
                                     .hulls = params_bool(r->p, "margin"),
                                     .gap = params_real(r->p, "gap"),
                                     .watch = &r->watch };
    const bool bound = params_bool(r->p, "bound");
    struct whole rows = sub->exact;
    struct gram_answer a;
    perc_part *v = &sub->view;
    perc_status st;

    rows.ds = r->ds;
    rows.offset = false;
    rows.dims = r->ds->columns;
    double *advance = bound ? mem_array(&r->e, rows.n, sizeof *advance) : NULL;
    if (bound && advance == NULL) return fail_memory(err);
    st = gram_margin_measure(&rows, &q, advance, &a, err);
    v->kernel_gamma = r->kernel.gamma;
    if (!st && params_bool(r->p, "margin")) {
        v->margin_lower = a.lower;
        v->margin_upper = a.upper;
        v->geometric_lower = q.offset ? a.geometric_lower : a.lower;
        v->geometric_upper = q.offset ? a.geometric_upper : a.upper;
        v->gap_reached = a.gap_reached;
    }
    if (!st && bound && a.lower > 0) {
        const struct bound_space space = { &r->kernel, q.offset, &a, advance };
        st = bound_curves(r->ds, sub, r->p, &space, &r->watch, &r->proof->bound, err);
    }
    mem_free(&r->e, advance, rows.n, sizeof *advance);
    return st;
}

/* What was asked for beyond the verdict. */
static perc_status measure_one(struct prover *r, struct subproof *sub, const struct problem *f,
                               perc_error *err)
{
    perc_part *v = &sub->view;
    const bool yes = v->verdict == PERC_SEPARABLE;
    perc_status st = PERC_OK;

    if (params_bool(r->p, "margin") && v->verdict != PERC_UNDECIDED) {
        v->margin_lower = v->margin_upper = v->geometric_lower = v->geometric_upper = 0;
        if (yes && r->proof->space == SPACE_ROWS)
            st = margin_measure(&sub->exact, f, &sub->found, params_real(r->p, "gap"), &r->watch, v,
                                err);
    }
    /* A label may have no rows: where neither has, there is nothing to measure. */
    if (yes && r->proof->space != SPACE_ROWS && sub->exact.n > 0 &&
        (params_bool(r->p, "margin") || params_bool(r->p, "bound")))
        return measure_kernel(r, sub, err);
    if (!st && yes && params_bool(r->p, "bound"))
        st = bound_curves(r->rows, sub, r->p, NULL, &r->watch, &r->proof->bound, err);
    if (!st && params_bool(r->p, "hulls")) st = hulls_new(&sub->exact, &r->proof->hulls, err);
    return st;
}

static void prove_one(void *ud, uint64_t k)
{
    struct prover *r = ud;
    struct subproof *sub = &r->proof->sub[k];
    perc_error *err = &r->err[k];
    const double begin = clock_seconds();
    const struct job_options o = { .quick = r->proof->quick,
                                   .until = r->until,
                                   .watch = &r->watch };
    struct problem floats = { .e = r->e };
    perc_status st;

    if (!(st = collect_rows(r, &r->matchups.at[k], sub, err)) &&
        !(st = whole_floats(&sub->exact, &floats, err)) && poll_prover(r, 0)) {
        if (r->proof->space == SPACE_RBF)
            st = radial_decide(&sub->exact, o.quick, &r->watch, &sub->found, err);
        else if (!(st = decide(&sub->exact, &floats, &o, &sub->found, err)))
            st = check_digits(&sub->found, err);
    } /* else it is undecided */
    if (!st && !(st = public_view_fill(sub, r->rows, &floats, err))) {
        st = measure_one(r, sub, &floats, err);
        sub->view.seconds = clock_seconds() - begin;
    }
    whole_floats_free(&floats);
    r->st[k] = st;
    pthread_mutex_lock(&r->lock);
    r->ended++;
    tell_observer(r, true);
    pthread_mutex_unlock(&r->lock);
}

/* ----- all problems ---------------------------------------------------------------- */

static perc_status check_data(const perc_dataset *ds, perc_error *err)
{
    if (ds->rows == 0) return fail(err, PERC_EDATA, "the data have no rows");
    if (!map_is_identity(&ds->map))
        return fail(
            err, PERC_EARG,
            "these data were read with a map, which a proof does not see (pass --kernel poly)");
    for (size_t k = 0; k < ds->blocks; k++)
        for (size_t i = 0; i < ds->block[k].rows; i++)
            if (ds->block[k].label[i] == LABEL_NONE)
                return block_blame(&ds->block[k], i,
                                   fail_at(err, PERC_EDATA, block_line(&ds->block[k], i), 0,
                                           "the row has no label"),
                                   err);
    return PERC_OK;
}

/* Whether margins in the space of the kernel can be measured; and finds its gamma. */
static perc_status check_gram(struct prover *r, perc_error *err)
{
    if (r->proof->info.rows > GRAM_ROWS)
        return fail(
            err, PERC_EARG,
            "with a kernel --margin and --bound keep the kernel values of all pairs of rows: "
            "%d rows at most, and there are %" PRIu64,
            GRAM_ROWS, r->proof->info.rows);
    return gram_fit(&r->e, &r->kernel, r->ds, err);
}

/* The proof without its parts; r->rows. With coef0 > 0 the constant is a monomial, so that
 * planes have an offset whether the machine has one or not. */
static perc_status make_proof(struct prover *r, perc_error *err)
{
    perc_proof *proof = r->proof;
    struct kernel *k = &r->kernel;
    perc_status st;

    proof->rows = r->ds->rows;
    proof->columns = r->ds->columns;
    proof->index_base = r->ds->index_base;
    proof->offset = params_bool(r->p, "offset");
    proof->quick = params_bool(r->p, "quick");
    if ((st = options_kernel(r->p, k, err))) return st;
    if (names_make(&r->e, &r->ds->schema, &proof->names)) return fail_memory(err);
    if (kernel_is_radial(k)) proof->space = SPACE_RBF;
    if (proof->space == SPACE_RBF || k->type == KERNEL_POLY) {
        if ((params_bool(r->p, "margin") || params_bool(r->p, "bound")) &&
            (st = check_gram(r, err)))
            return st;
    }
    if (k->type != KERNEL_POLY) return PERC_OK;
    proof->space = SPACE_POLY;
    proof->degree = k->degree;
    proof->homogeneous = !(k->coef0 > 0);
    if (!proof->homogeneous) proof->offset = true;
    st = lift(proof, r->ds, err);
    r->rows = proof->lifted;
    return st;
}

/* Which columns the others determine. With a kernel there are too many products to ask. */
static perc_status find_redundant(struct prover *r, perc_error *err)
{
    perc_proof_info *info = &r->proof->info;
    struct whole all = { .e = r->e,
                         .ds = r->ds,
                         .offset = r->proof->offset,
                         .dims = r->ds->columns + (r->proof->offset ? 1 : 0),
                         .n = info->rows,
                         .row = r->counted };
    perc_dataset_info data;
    perc_status st;

    info->redundant = -1;
    if (r->proof->space != SPACE_ROWS) return PERC_OK;
    signed char *sign = pool_array(&r->pool, info->rows, sizeof *sign);
    if (sign == NULL) return fail_memory(err);
    memset(sign, 1, info->rows);
    all.sign = sign;
    perc_dataset_info_get(r->ds, &data);
    st = redundant_new(&all, data.features, &r->watch, &r->proof->redundant, err);
    if (r->proof->redundant != NULL)
        info->redundant = (int64_t)redundant_count(r->proof->redundant);
    return st;
}

/* Returns the first error in the order of the problems. */
static perc_status run_prover(struct prover *r, perc_error *err)
{
    perc_status st;

    if ((st = options_check(r->p, err)) || (st = check_data(r->ds, err))) return st;
    if ((r->proof = mem_zeroed(&r->e, 1, sizeof *r->proof)) == NULL) return fail_memory(err);
    r->proof->e = r->e;
    pool_init(&r->pool, &r->e);
    if (!(st = sort_rows(r, err)) && !(st = make_proof(r, err)) &&
        !(st = exact_span(r->rows, r->proof->offset, err)) && !(st = make_subproofs(r, err))) {
        const size_t n = r->proof->subs;
        r->st = pool_zeroed(&r->pool, n, sizeof *r->st);
        r->err = pool_zeroed(&r->pool, n, sizeof *r->err);
        if (r->pool.failed) st = fail_memory(err);
        else threads_each(r->threads < r->e.threads ? r->e.threads : 1, n, prove_one, r);
        for (size_t k = 0; k < n && !st; k++)
            if ((st = r->st[k]) && err != NULL) *err = r->err[k];
        if (!st) st = find_redundant(r, err);
    }
    pool_free(&r->pool);
    for (size_t k = 0; k < r->proof->subs; k++)
        r->proof->sub[k].exact.ds = r->proof->lifted; /* ds is the caller's */
    return st;
}

perc_status perc_prove(const perc_env *env, const perc_dataset *ds, const perc_params *p,
                       const perc_observer *observer, perc_proof **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(ds != NULL && observer_is_valid(observer));
    struct prover r = { .e = env_resolve(env), .ds = ds, .rows = ds, .p = p, .observer = observer };
    perc_params *own = NULL;
    perc_status st;

    if (p == NULL) {
        if (params_new(&r.e, &prove_table, &own)) return fail_memory(err);
        r.p = own;
    } else if (p->table != &prove_table) {
        return fail(err, PERC_EARG, "parameters of %s, not of prove", p->table->name);
    }
    r.begin = r.noticed = clock_seconds();
    if (params_real(r.p, "time-limit") > 0) r.until = r.begin + params_real(r.p, "time-limit");
    r.watch = (struct watch){ poll_prover, &r };
    if (pthread_mutex_init(&r.lock, NULL) != 0) {
        st = fail_memory(err);
    } else {
        st = run_prover(&r, err);
        pthread_mutex_destroy(&r.lock);
    }
    perc_params_free(own);
    if (!st) *out = r.proof;
    else perc_proof_free(r.proof);
    return st;
}

/* ----- freeing --------------------------------------------------------------------- */

void perc_proof_free(perc_proof *proof)
{
    if (proof == NULL) return;
    const struct env e = proof->e;
    for (size_t k = 0; k < proof->subs; k++) {
        pool_free(&proof->sub[k].pool);
        separation_free(&proof->sub[k].found);
    }
    mem_free(&e, proof->sub, proof->subs, sizeof *proof->sub);
    if (proof->lifted != NULL)
        mem_free(&e, proof->monomial, proof->lifted->columns * (size_t)proof->degree,
                 sizeof *proof->monomial);
    perc_dataset_free(proof->lifted);
    names_free(&proof->names);
    bound_curves_free(&e, proof->bound);
    hulls_free(&e, proof->hulls);
    redundant_free(&e, proof->redundant);
    mem_free(&e, proof, 1, sizeof *proof);
}
