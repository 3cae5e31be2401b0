/* fuzz_blocks.c -- any bytes into the reader of block files.
 *
 * It must not crash, and a data set that is accepted must be one that the inner
 * loops can walk: every row is scored with weights of just the length that the
 * set claims to need; and what its columns say is measured. The harness is
 * libFuzzer's; a plain driver can replay a corpus through the same entry point. */
#include <math.h>

#include "data/blockfile.h"
#include "data/measure.h"
#include "seal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COLUMNS = 1 << 16 }; /* more weights than this are not tried */

static void use_row(const perc_dataset *ds, uint64_t i, double *w, uint64_t columns)
{
    const struct row r = dataset_row(ds, i);
    const int label = perc_dataset_row_label(ds, i);

    for (size_t k = 0; k < r.n; k++) {
        must(isfinite(row_value(&r, k)) ||
             (isnan(row_value(&r, k)) && schema_fills_feature(&ds->schema, row_column(&r, k))));
        must(row_column(&r, k) < ds->columns);
        must(k == 0 || row_column(&r, k) > row_column(&r, k - 1));
    }
    must(label >= -1 && label < (int)ds->labels.n);
    must(perc_dataset_row_weight(ds, i) >= 0);
    must(perc_dataset_row_line(ds, i) >= 1);
    (void)row_dot(&r, w, columns);
    row_axpy(0.5, &r, w, columns);
}

static void use(const perc_dataset *ds)
{
    const uint64_t columns = ds->columns < COLUMNS ? ds->columns : COLUMNS;
    double *w = calloc(columns > 0 ? columns : 1, sizeof *w);

    if (w == NULL) return;
    for (uint64_t i = 0; i < ds->rows; i++) use_row(ds, i, w, columns);
    must(blockfile_write(ds, "/dev/null", NULL) == PERC_OK);
    free(w);
}

/* As whoever trains on it would. */
static void measure(perc_dataset *ds)
{
    perc_error err;

    if (ds->columns > COLUMNS || schema_features(&ds->schema) > COLUMNS ||
        measure_settle(ds, true, &err))
        return;
    ds->measured.fill = schema_measures_gaps(&ds->schema);
    ds->measured.yes = true;
    if (measure_rows(ds, NULL, &err) == PERC_OK && measure_apply(ds, true, &err) == PERC_OK)
        for (uint64_t i = 0; i < ds->rows; i++) {
            const struct row r = dataset_row(ds, i);
            for (size_t k = 0; k < r.n; k++) must(isfinite(row_value(&r, k)));
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct env e = env_resolve(&(perc_env){ .threads = 1 });
    struct tensors t;
    perc_dataset *ds;
    perc_error err;
    size_t n;
    uint8_t *p = seal(data, size, &n);

    if (p == NULL) return 0;
    if (tensors_parse(&e, p, n, &t, &err) == PERC_OK) {
        if (blockfile_decode(&e, &t, &ds, &err) == PERC_OK) {
            use(ds);
            measure(ds);
        }
        perc_dataset_free(ds);
        tensors_free(&t);
    }
    free(p);
    return 0;
}
