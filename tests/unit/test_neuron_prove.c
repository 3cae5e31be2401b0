/* test_neuron_prove.c -- one neuron's answers against those of perc_prove, which knows nothing
 * of Boolean functions: all of three inputs, a sample of four and of six. */
#include "t_make.h"
#include "t_neuron.h"
#include "vec/rng.h"

static bool separable(uint64_t f, size_t n)
{
    struct t_data d = t_data_new((size_t)1 << n, n);
    perc_params *p = t_params("prove", "");
    perc_error err = { 0 };
    perc_proof *proof;
    perc_part part;

    for (uint32_t r = 0; !(r >> n); r++) {
        for (size_t i = 0; i < n; i++) d.x[r * n + i] = (r >> i) & 1;
        d.y[r] = bit(&f, r) ? 1 : -1;
    }
    perc_dataset *ds = t_borrow(&d);
    if (perc_prove(NULL, ds, p, NULL, &proof, &err)) fail_msg("%s", err.text);
    assert_int_equal(perc_proof_parts(proof), 1);
    perc_proof_part(proof, 0, &part);
    assert_int_not_equal(part.verdict, PERC_UNDECIDED);
    const bool answer = part.verdict == PERC_SEPARABLE;
    t_free(proof, ds, p, &d);
    return answer;
}

TEST(proofs_agree_on_all_functions_of_three_inputs)
{
    for (uint64_t f = 1; f < 255; f++) assert_int_equal(find(&f, 3).found, separable(f, 3));
}

/* Half of them near threshold functions: one row of one is changed. */
TEST(proofs_agree_on_samples)
{
    struct rng g = rng_seed(6, 0);
    size_t found = 0, refuted = 0;

    for (int k = 0; k < 200; k++) {
        const size_t n = k % 4 < 3 ? 4 : 6;
        uint64_t f = rng_u64(&g) & (n == 4 ? 0xFFFF : UINT64_MAX);
        if (k % 2) {
            int64_t w[6];
            for (size_t i = 0; i < n; i++) w[i] = (int64_t)rng_below(&g, 9) - 4;
            f = 0;
            for (uint32_t r = 0; !(r >> n); r++)
                if (dot(w, n, r) >= w[0]) f |= (uint64_t)1 << r;
            f ^= (uint64_t)1 << rng_below(&g, (uint64_t)1 << n);
        }
        if (f == 0 || f == (n == 4 ? 0xFFFF : UINT64_MAX)) continue;
        const bool yes = find(&f, n).found;
        assert_int_equal(yes, separable(f, n));
        if (yes) found++;
        else refuted++;
    }
    assert_true(found > 5 && refuted > 50);
}
