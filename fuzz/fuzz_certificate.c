/* fuzz_certificate.c -- any bytes as a certificate about data of which the truth is known.
 *
 * It must not crash, and must not believe: no plane separates :xor, and none fails to
 * separate :and, whatever the file says. The first byte chooses the data. The hash that
 * follows "sha256":" is made that of the data, so that a fuzzer gets behind it. */
#include <stdlib.h>
#include <string.h>

#include "data/canonical.h"
#include "verify/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
    if (!ok) abort(); /* what the fuzzer looks for */
}

/* What is true of a set, without a kernel: with an offset, and without. Less may be said. */
static const struct truth {
    const char *name;
    perc_verdict offset, none;
} truths[] = { { ":xor", PERC_OVERLAPPING, PERC_OVERLAPPING },
               { ":and", PERC_SEPARABLE, PERC_OVERLAPPING },
               { ":or", PERC_SEPARABLE, PERC_TOUCHING },
               { ":not", PERC_SEPARABLE, PERC_TOUCHING } };

static void believe(const struct truth *t, const struct certificate *c, const perc_check *out)
{
    const perc_verdict truth = c->space != CERT_ROWS ? PERC_SEPARABLE
                               : c->offset           ? t->offset
                                                     : t->none;

    /* Products of features without the constant: not worked out here. */
    if (c->space == CERT_POLY && (c->homogeneous || c->degree < 2)) return;
    for (size_t i = 0; i < c->parts && i < PERC_CLAIMS; i++)
        must(out->claim[i].verdict == truth ||
             (out->claim[i].verdict == PERC_INSEPARABLE && truth != PERC_SEPARABLE));
}

static void put_hash(char *s, size_t n, const perc_dataset *ds)
{
    static const char key[] = "\"sha256\":\"";
    char hash[SHA256_HEX];

    must(canonical_hash(ds, hash, NULL) == PERC_OK);
    for (size_t i = 0; i + sizeof key - 1 + CERT_HASH <= n; i++)
        if (memcmp(s + i, key, sizeof key - 1) == 0)
            memcpy(s + i + sizeof key - 1, hash, CERT_HASH);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const perc_env env = { .threads = 1 };
    const struct env e = env_resolve(&env);
    struct certificate c;
    perc_dataset *ds;
    perc_check out;
    perc_error err = { 0 };

    if (size < 1) return 0;
    const struct truth *t = &truths[data[0] % (sizeof truths / sizeof *truths)];
    const size_t n = size - 1;
    char *text = malloc(n > 0 ? n : 1);
    must(text != NULL && perc_dataset_read_exact(&env, t->name, NULL, &ds, &err) == PERC_OK);
    memcpy(text, data + 1, n);
    put_hash(text, n, ds);
    const perc_status st = certificate_read(&e, text, n, NULL, &c, &err);
    must(st == PERC_OK || (st == PERC_EDATA && err.line > 0 && err.column > 0));
    if (st == PERC_OK) {
        must(verify_certificate(&e, &c, ds, NULL, &out, &err) == PERC_OK);
        must(out.valid || out.reason[0] != '\0');
        if (out.valid) believe(t, &c, &out);
    }
    certificate_free(&c);
    perc_dataset_free(ds);
    free(text);
    return 0;
}
