/* prove_stub.c -- a build without GMP, MPFR and FLINT: proofs are refused. Certificates can still
 * be verified. */
#include "base/base.h"

perc_status perc_prove(const perc_env *env, const perc_dataset *ds, const perc_params *p,
                       const perc_observer *observer, perc_proof **out, perc_error *err)
{
    (void)env, (void)ds, (void)p, (void)observer;
    NEED_OUT(out);
    return fail(err, PERC_EARG, "this build has no exact arithmetic (GMP, MPFR, FLINT)");
}

/* The rest can only be called without a proof. */
void perc_proof_free(perc_proof *proof)
{
    (void)proof;
}

void perc_proof_info_get_sized(const perc_proof *proof, perc_proof_info *out, size_t size)
{
    const perc_proof_info none = { .redundant = -1 };

    (void)proof;
    sized_copy(out, size, &none, sizeof none);
}

int perc_proof_redundant_sized(const perc_proof *proof, size_t i, perc_redundant *out, size_t size)
{
    (void)proof, (void)i, (void)out, (void)size;
    return 0;
}

size_t perc_proof_parts(const perc_proof *proof)
{
    (void)proof;
    return 0;
}

void perc_proof_part_sized(const perc_proof *proof, size_t i, perc_part *out, size_t size)
{
    const perc_part none = { .verdict = PERC_UNDECIDED };

    (void)proof, (void)i;
    sized_copy(out, size, &none, sizeof none);
}

int perc_proof_bound_sized(const perc_proof *proof, perc_bound *out, size_t size)
{
    (void)proof, (void)out, (void)size;
    return 0;
}

int perc_proof_hulls_sized(const perc_proof *proof, perc_hulls *out, size_t size)
{
    (void)proof, (void)out, (void)size;
    return 0;
}

const char *perc_proof_feature(const perc_proof *proof, uint64_t j, char *buf, size_t size)
{
    (void)proof, (void)j;
    if (buf == NULL || size == 0) return "";
    buf[0] = '\0';
    return buf;
}

perc_status perc_proof_write(const perc_proof *proof, const perc_dataset *ds, const char *path,
                             perc_error *err)
{
    (void)proof, (void)ds, (void)path;
    return fail(err, PERC_EARG, "this build has no exact arithmetic (GMP, MPFR, FLINT)");
}

perc_status perc_gram_check(const perc_env *env, const perc_dataset *ds, perc_gram **out,
                            perc_error *err)
{
    (void)env, (void)ds;
    NEED_OUT(out);
    return fail(err, PERC_EARG, "this build has no exact arithmetic (GMP, FLINT)");
}

void perc_gram_free(perc_gram *g)
{
    (void)g;
}

void perc_gram_info_get_sized(const perc_gram *g, perc_gram_info *out, size_t size)
{
    const perc_gram_info none = { .verdict = PERC_NONE_FOUND };

    (void)g;
    sized_copy(out, size, &none, sizeof none);
}
