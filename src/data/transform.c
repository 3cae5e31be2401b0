/* transform.c -- filling and scaling the features.
 *
 * A transform is a state that the model keeps (transform_fit.c learns it) and one
 * formula, image(), for blocks and single rows, in training and at prediction:
 *
 *     x_j missing:  x_j = fill_j        then        x_j' = (x_j - shift_j) / divisor_j
 *
 * or x_j / N (by), or, over the whole row, x / |x| (unit).
 *
 * Invariants:
 * - Dense and sparse copies of a row get the same bits: a zero that is not stored
 *   has the image that a stored one has.
 * - What was finite stays finite, or the caller is told which feature did not.
 * - Rows keep their shape unless zeros move (shift is not NULL). Then every row
 *   gets the columns in which they do, because a zero, too, now has a value; and all
 *   columns the state knows, unless most of them stay sparse (is_wide).
 * - The new block owns one piece of memory with copies of all it carries over.
 *   transform_block reads the state only: callers may run it on several blocks
 *   at once.
 *
 * Not here: one-hot columns (csv_parse.c), names of features (schema.c). */
#include "data/transform.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/spelling.h"

/* ----- the state ----------------------------------------------------------- */

void transform_free(struct transform *t)
{
    const size_t n = (size_t)t->columns;

    mem_free(&t->e, t->shift, n, sizeof *t->shift);
    mem_free(&t->e, t->divisor, n, sizeof *t->divisor);
    mem_free(&t->e, t->fill, n, sizeof *t->fill);
    *t = (struct transform){ .e = t->e };
}

/* A copy of n numbers, or NULL for NULL. false: out of memory. */
static bool copy_array(const struct env *e, const double *from, size_t n, double **to)
{
    *to = NULL;
    if (from == NULL) return true;
    *to = mem_array(e, n, sizeof **to);
    if (*to == NULL) return false;
    memcpy(*to, from, n * sizeof **to);
    return true;
}

perc_status transform_copy(const struct env *e, const struct transform *from, struct transform *to)
{
    const size_t n = (size_t)from->columns;
    struct transform t = *from;

    t.e = *e;
    t.shift = t.divisor = t.fill = NULL;
    if (!copy_array(e, from->shift, n, &t.shift) || !copy_array(e, from->divisor, n, &t.divisor) ||
        !copy_array(e, from->fill, n, &t.fill)) {
        transform_free(&t);
        *to = (struct transform){ .e = *e };
        return PERC_ENOMEM;
    }
    *to = t;
    return PERC_OK;
}

/* Makes *to an array of `columns` numbers, if either has one, with those of `from` in the columns
 * that are there. false: out of memory. */
static bool adopt_array(const struct transform *t, double **to, const double *from, double none,
                        const uint64_t *column, uint64_t known, uint64_t columns)
{
    if (*to == NULL && from == NULL) return true;
    if (*to == NULL) {
        if ((*to = mem_array(&t->e, (size_t)columns, sizeof **to)) == NULL) return false;
        for (uint64_t j = 0; j < columns; j++) (*to)[j] = none;
    }
    for (uint64_t j = 0; j < columns; j++)
        if (column[j] != UINT64_MAX)
            (*to)[j] = from != NULL && column[j] < known ? from[column[j]] : none;
    return true;
}

perc_status transform_adopt(struct transform *t, const struct transform *from,
                            const uint64_t *column, uint64_t columns)
{
    const uint64_t known = from->columns;

    if (t->shift == NULL && t->divisor == NULL && t->fill == NULL) t->columns = columns;
    t->scale = from->scale;
    t->by = from->by;
    if (!adopt_array(t, &t->shift, from->shift, 0, column, known, columns) ||
        !adopt_array(t, &t->divisor, from->divisor, 1, column, known, columns) ||
        (from->fill != NULL && !adopt_array(t, &t->fill, from->fill, 0, column, known, columns)))
        return PERC_ENOMEM;
    if (t->shift == NULL && t->divisor == NULL && t->fill == NULL) t->columns = 0;
    transform_count(t);
    if (t->moves == 0) {
        mem_free(&t->e, t->shift, (size_t)t->columns, sizeof *t->shift);
        t->shift = NULL;
    }
    return PERC_OK;
}

void transform_option(const struct transform *t, char out[TRANSFORM_SPEC])
{
    const size_t n = strlen(columns_scale_word[t->scale]);

    memcpy(out, columns_scale_word[t->scale], n + 1);
    if (t->scale == SCALE_BY) out[n + number_format(t->by, out + n)] = '\0';
}

static const char *next_scale(void *ud, size_t i)
{
    (void)ud;
    return i < SCALE_BY    ? columns_scale_word[i]
           : i == SCALE_BY ? columns_scale_word[SCALE_AUTO]
                           : NULL;
}

perc_status transform_parse(const char *spec, enum scale *scale, double *by, perc_error *err)
{
    double v;

    *scale = SCALE_NONE;
    *by = 1;
    for (int i = SCALE_NONE; i <= SCALE_AUTO; i++)
        if (i != SCALE_BY && strcmp(spec, columns_scale_word[i]) == 0) {
            *scale = (enum scale)i;
            return PERC_OK;
        }
    if (strncmp(spec, columns_scale_word[SCALE_BY], 3) != 0) {
        char hint[SPELLING_HINT];
        return fail(err, PERC_EARG,
                    "unknown scale '%.40s'%s: use auto, none, standard, minmax, maxabs, unit or "
                    "by:NUMBER",
                    spec, spelling_hint(spec, next_scale, NULL, hint));
    }
    if (!number_parse(spec + 3, strlen(spec + 3), &v) || !(v > 0))
        return fail(err, PERC_EARG,
                    "scale '%.40s': expected a positive number after by:, as in by:255", spec);
    *scale = SCALE_BY;
    *by = v;
    return PERC_OK;
}

bool transform_needs_pass(enum scale scale)
{
    return scale == SCALE_STANDARD || scale == SCALE_MINMAX || scale == SCALE_MAXABS;
}

bool transform_is_identity(const struct transform *t)
{
    if (t->fill != NULL) return false;
    return t->scale == SCALE_NONE || (t->scale == SCALE_BY && t->by == 1);
}

static bool same_array(const double *a, const double *b, uint64_t n)
{
    if (a == NULL || b == NULL) return a == b;
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

bool transform_same(const struct transform *a, const struct transform *b)
{
    const uint64_t n = a->columns;

    return a->scale == b->scale && (a->scale != SCALE_BY || a->by == b->by) && b->columns == n &&
           same_array(a->shift, b->shift, n) && same_array(a->divisor, b->divisor, n) &&
           same_array(a->fill, b->fill, n);
}

/* ----- the price of moved zeros ---------------------------------------------- */

void transform_count(struct transform *t)
{
    t->moves = t->reach = 0;
    for (uint64_t j = t->first; t->shift != NULL && j < t->columns; j++) {
        if (t->shift[j] == 0) continue;
        t->moves++;
        t->reach = j + 1;
    }
}

static uint64_t dense_width(const struct transform *t)
{
    return t->columns > t->first ? t->columns - t->first : 0;
}

/* Whether rows get every column, since zeros move in at least half of them. */
static bool is_wide(const struct transform *t)
{
    return t->shift != NULL && t->moves >= dense_width(t) / 2;
}

perc_status transform_dense_fits(const struct transform *t, uint64_t rows, perc_error *err)
{
    const double gib = 1024.0 * 1024 * 1024, limit = (double)TRANSFORM_DENSE_MAX;
    const uint64_t wide = is_wide(t) ? dense_width(t) : t->moves;
    const double bytes = (double)rows * (double)wide * sizeof(double);

    if (t->shift == NULL || bytes <= limit) return PERC_OK;
    return fail(err, PERC_EARG,
                "--scale %s would make these sparse rows dense: %" PRIu64 " rows x %" PRIu64
                " features take %.1f GiB, over the limit of %.0f; use --scale maxabs or unit",
                columns_scale_word[t->scale], rows, wide, bytes / gib, limit / gib);
}

/* ----- applying ------------------------------------------------------------------ */

/* What becomes of value x in column j, before `unit`, which looks at the whole row. */
static double image(const struct transform *t, uint64_t j, double x)
{
    if (x != x && t->fill != NULL && j < t->columns) x = t->fill[j];
    if (t->scale == SCALE_BY) return x / t->by;
    if (j >= t->columns) return x; /* not known to the state */
    if (t->shift != NULL) x -= t->shift[j];
    return t->divisor != NULL ? x / t->divisor[j] : x;
}

/* For `unit`: x' = (x 2^-e) / norm. e is 0 unless the squares would overflow or
 * vanish; a power of two changes no digit. A row of zeros has norm 1. */
struct row_norm {
    int e;
    double norm;
};

/* sum_k (x_k 2^-e)^2 in order, and max |x_k|, over the filled row. */
static double squares(const struct transform *t, const struct row *r, int e, double *max)
{
    struct row_entries p;
    double s = 0;

    *max = 0;
    for (size_t from = 0, n; from < r->n; from += n) {
        n = row_entries_read(r, from, &p);
        for (size_t k = 0; k < n; k++) {
            double x = image(t, p.column[k], p.x[k]);
            if (x != x) continue; /* still missing: it alone is to blame */
            if (fabs(x) > *max) *max = fabs(x);
            if (e != 0) x = ldexp(x, -e);
            s += x * x;
        }
    }
    return s;
}

static struct row_norm unit_of(const struct transform *t, const struct row *r)
{
    struct row_norm u = { 0, 1 };
    double max;

    if (t->scale != SCALE_UNIT) return u;
    double s = squares(t, r, 0, &max);
    if (max == 0) return u;
    if (!(s >= 0x1p-900 && s <= DBL_MAX)) {
        frexp(max, &u.e);
        s = squares(t, r, u.e, &max);
    }
    u.norm = sqrt(s);
    return u;
}

/* What becomes of value x in column j of a row with u = unit_of(row). */
static double image_in(const struct transform *t, struct row_norm u, uint64_t j, double x)
{
    x = image(t, j, x);
    if (t->scale != SCALE_UNIT) return x;
    return (u.e == 0 ? x : ldexp(x, -u.e)) / u.norm;
}

/* Row r into out. Rows that get every column are written over a row of images of 0,
 * which is in `out` already. Returns the number of entries. */
static size_t apply_to_row(const struct transform *t, const struct row *r, double *out)
{
    const struct row_norm u = unit_of(t, r);
    struct row_entries p;

    for (size_t from = 0, n; from < r->n; from += n) {
        n = row_entries_read(r, from, &p);
        for (size_t k = 0; k < n; k++) {
            const uint64_t j = p.column[k];
            if (t->shift == NULL) out[from + k] = image_in(t, u, j, p.x[k]);
            else if (j >= t->first && j < t->columns) out[j - t->first] = image(t, j, p.x[k]);
        }
    }
    return t->shift == NULL ? r->n : (size_t)dense_width(t);
}

/* The image of a row without entries: columns first .. columns - 1. */
static void apply_zeros(const struct transform *t, double *out)
{
    for (uint64_t j = t->first; j < t->columns; j++) out[j - t->first] = image(t, j, 0);
}

/* The images of 0 in columns j .. to - 1 that have one, after the n entries that are there. */
static size_t merge_zeros(const struct transform *t, uint64_t j, uint64_t to, uint32_t *column,
                          double *out, size_t n)
{
    for (; j < to && j < t->reach; j++) {
        if (t->shift[j] == 0) continue;
        column[n] = (uint32_t)j;
        out[n++] = image(t, j, 0);
    }
    return n;
}

/* Row r as its own entries and those of the columns where zeros move, in order. */
static size_t merge_row(const struct transform *t, const struct row *r, uint32_t *column,
                        double *out)
{
    uint64_t next = t->first; /* columns below it are done */
    struct row_entries p;
    size_t at = 0;

    for (size_t from = 0, n; from < r->n; from += n) {
        n = row_entries_read(r, from, &p);
        for (size_t k = 0; k < n; k++) {
            const uint64_t j = p.column[k];
            if (j < t->first || j >= t->columns) continue;
            at = merge_zeros(t, next, j, column, out, at);
            column[at] = (uint32_t)j;
            out[at++] = image(t, j, p.x[k]);
            next = j + 1;
        }
    }
    return merge_zeros(t, next, t->reach, column, out, at);
}

/* How many entries that will be. */
static size_t merged_count(const struct transform *t, const struct row *r)
{
    size_t n = (size_t)t->moves;

    for (size_t k = 0; k < r->n; k++) {
        const uint64_t j = row_column(r, k);
        n += j >= t->first && j < t->columns && t->shift[j] == 0;
    }
    return n;
}

size_t transform_row(const struct transform *t, const struct row *x, uint32_t *out_column,
                     double *out)
{
    if (t->shift != NULL && !is_wide(t)) return merge_row(t, x, out_column, out);
    if (t->shift != NULL) apply_zeros(t, out);
    const size_t n = apply_to_row(t, x, out);

    for (size_t k = 0; k < n; k++)
        out_column[k] = (uint32_t)(t->shift != NULL ? t->first + k : row_column(x, k));
    return n;
}

/* ----- blocks ---------------------------------------------------------------------- */

/* How the rows of a block change. */
enum reshape {
    RESHAPE_NOT,   /* they keep their entries or their width */
    RESHAPE_DENSE, /* they get every column */
    RESHAPE_MERGE  /* sparse ones get the columns in which zeros move */
};

/* Where the arrays of the new block lie in its one piece of memory. */
struct transform_plan {
    enum reshape how;
    size_t n;     /* entries */
    size_t width; /* of each row; 0: sparse */
    size_t value, start, index, weight, label, line, size;
};

/* Adds room for n elements, at a multiple of 8. false: more than a size_t holds. */
static bool carve_array(size_t *size, size_t *at, size_t n, size_t each)
{
    size_t bytes;

    if (*size > SIZE_MAX - 7 || __builtin_mul_overflow(n, each, &bytes)) return false;
    *at = (*size + 7) & ~(size_t)7;
    return !__builtin_add_overflow(*at, bytes, size);
}

static uint64_t entries_before(const struct block *b, size_t i)
{
    return b->start != NULL ? b->start[i] : (uint64_t)b->start32[i];
}

static size_t count_entries(const struct transform *t, const struct block *b, enum reshape how)
{
    size_t n = 0;

    if (how == RESHAPE_NOT) return (size_t)(entries_before(b, b->rows) - entries_before(b, 0));
    for (size_t i = 0; i < b->rows; i++) {
        const struct row r = block_row(b, i);
        n += merged_count(t, &r);
    }
    return n;
}

static bool plan_block(const struct transform *t, const struct block *b, struct transform_plan *p)
{
    const bool dense = b->indices == INDEX_DENSE, merge = !dense && !is_wide(t);
    bool fits = true;

    *p = (struct transform_plan){ .how = t->shift == NULL ? RESHAPE_NOT
                                         : merge          ? RESHAPE_MERGE
                                                          : RESHAPE_DENSE };
    const bool sparse = !dense && p->how != RESHAPE_DENSE;
    const size_t each = p->how == RESHAPE_MERGE ? sizeof(uint32_t) : (size_t)1 << b->indices;
    if (sparse) p->n = count_entries(t, b, p->how);
    else p->width = (size_t)(t->shift != NULL ? dense_width(t) : b->width);
    if (!sparse) fits = !__builtin_mul_overflow(b->rows, p->width, &p->n);
    return fits && carve_array(&p->size, &p->value, p->n, sizeof(double)) &&
           carve_array(&p->size, &p->start, sparse ? b->rows + 1 : 0, sizeof(uint64_t)) &&
           carve_array(&p->size, &p->index, sparse ? p->n : 0, each) &&
           carve_array(&p->size, &p->weight, b->weight != NULL ? b->rows : 0, sizeof(double)) &&
           carve_array(&p->size, &p->label, b->label != NULL ? b->rows : 0, sizeof(uint32_t)) &&
           carve_array(&p->size, &p->line, b->line != NULL ? b->rows : 0, sizeof(uint32_t));
}

/* Rows that keep their entries: where they begin, and their columns. */
static void lay_out_sparse(const struct block *b, uint64_t *start, void *index)
{
    const uint64_t from = entries_before(b, 0), n = entries_before(b, b->rows) - from;

    for (size_t i = 0; i <= b->rows; i++) start[i] = entries_before(b, i) - from;
    if (n > 0)
        memcpy(index, (const char *)b->index + (from << b->indices), (size_t)n << b->indices);
}

/* The frame of the new block: everything but the values, and what rows that are merged
 * have. `next` begins as a copy of the old block, so that what is not named here is
 * carried over. */
static void lay_out(const struct transform *t, const struct block *b,
                    const struct transform_plan *p, char *memory, struct block *next)
{
    const size_t n4 = b->rows * sizeof(uint32_t);

    next->memory = memory;
    next->memory_size = p->size;
    next->values = VALUES_F64;
    next->value = memory + p->value;
    next->start32 = NULL;
    if (b->weight != NULL)
        next->weight = memcpy(memory + p->weight, b->weight, b->rows * sizeof(double));
    if (b->label != NULL) next->label = memcpy(memory + p->label, b->label, n4);
    if (b->line != NULL) next->line = memcpy(memory + p->line, b->line, n4);
    if (b->indices != INDEX_DENSE && p->how != RESHAPE_DENSE) {
        uint64_t *start = (uint64_t *)(void *)(memory + p->start);

        next->start = start;
        next->index = memory + p->index;
        if (p->how == RESHAPE_NOT) {
            lay_out_sparse(b, start, memory + p->index);
            return;
        }
        next->indices = INDEX_U32;
        next->nonzeros = p->n;
        if (next->columns > t->columns) next->columns = t->columns;
        if (next->columns < t->reach) next->columns = t->reach;
        return;
    }
    next->indices = INDEX_DENSE;
    next->index = NULL;
    next->start = NULL;
    next->stride = sizeof(double);
    next->row_stride = (ptrdiff_t)(p->width * sizeof(double));
    next->width = p->width;
    if (t->shift != NULL) {
        next->first = t->first;
        next->columns = t->columns;
        next->nonzeros = p->n;
    }
}

static bool all_finite(const double *value, size_t n, size_t *entry)
{
    bool finite = true;

    for (size_t k = 0; k < n; k++) finite &= fabs(value[k]) <= DBL_MAX;
    if (!finite)
        for (*entry = 0; fabs(value[*entry]) <= DBL_MAX;) ++*entry;
    return finite;
}

/* Fills in the values; -1 or the number of the first row with a result that is
 * not finite, with the place of the entry in *entry. */
static int64_t fill_block(const struct transform *t, const struct block *b, size_t width,
                          double *value, size_t *entry)
{
    /* The last row holds the images of 0 until its turn comes. */
    double *zeros = b->rows > 0 ? value + (b->rows - 1) * width : value;

    if (t->shift != NULL && b->rows > 0) apply_zeros(t, zeros);
    for (size_t i = 0; i < b->rows; i++) {
        const struct row r = block_row(b, i);
        if (t->shift != NULL && value != zeros) memcpy(value, zeros, width * sizeof *value);
        const size_t n = apply_to_row(t, &r, value);
        if (!all_finite(value, n, entry)) return (int64_t)i;
        value += n;
    }
    return -1;
}

/* Likewise where rows are merged; with their columns and where they begin. */
static int64_t merge_block(const struct transform *t, const struct block *b, uint64_t *start,
                           uint32_t *column, double *value, size_t *entry)
{
    start[0] = 0;
    for (size_t i = 0; i < b->rows; i++) {
        const struct row r = block_row(b, i);
        const size_t n = merge_row(t, &r, column + start[i], value + start[i]);
        start[i + 1] = start[i] + n;
        if (!all_finite(value + start[i], n, entry)) return (int64_t)i;
    }
    return -1;
}

perc_status transform_block(const struct env *e, const struct transform *t, struct block *b,
                            perc_error *err)
{
    struct block next = *b;
    struct transform_plan p;
    size_t entry = 0;
    perc_status st;

    /* Filling alone does nothing to values whose encoding has no NaN: such a block
     * keeps its narrow storage. */
    const bool may_miss = b->values == VALUES_F32 || b->values == VALUES_F64;
    if (transform_is_identity(t) || (t->scale == SCALE_NONE && !may_miss)) return PERC_OK;
    if (b->indices != INDEX_DENSE && (st = transform_dense_fits(t, b->rows, err))) return st;
    if (!plan_block(t, b, &p)) return fail_memory(err);
    char *memory = mem_array(e, p.size, 1);
    if (memory == NULL) return fail_memory(err);

    next.e = *e;
    lay_out(t, b, &p, memory, &next);
    double *value = (double *)(void *)(memory + p.value);
    const int64_t bad = p.how == RESHAPE_MERGE
                            ? merge_block(t, b, (uint64_t *)(void *)(memory + p.start),
                                          (uint32_t *)(void *)(memory + p.index), value, &entry)
                            : fill_block(t, b, p.width, value, &entry);
    if (bad >= 0) {
        const struct row r = block_row(&next, (size_t)bad);
        const uint64_t j = row_column(&r, entry);
        const bool missing = isnan(row_value(&r, entry));

        block_blame(
            b, (size_t)bad,
            fail_at(err, PERC_EDATA, block_line(b, (size_t)bad), 0,
                    missing ? "feature %" PRIu64 " is missing, and there is nothing to fill it with"
                            : "feature %" PRIu64 " is too large: scaled, it is no longer a number",
                    j),
            err);
        mem_free(e, memory, p.size, 1);
        return PERC_EDATA;
    }
    block_free(b);
    *b = next;
    return PERC_OK;
}
