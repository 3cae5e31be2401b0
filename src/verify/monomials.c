/* monomials.c -- products of features and their numbers. */
#include "verify/monomials.h"

#include <string.h>

void monomials_init(struct monomials *m, const struct env *e, uint64_t degree)
{
    *m = (struct monomials){ .e = *e, .degree = degree };
}

void monomials_free(struct monomials *m)
{
    if (m->e.alloc == NULL) return;
    mem_free(&m->e, m->key, m->cap, sizeof *m->key);
    mem_free(&m->e, m->slot, m->slots, sizeof *m->slot);
    *m = (struct monomials){ .n = 0 };
}

/* The slot of a product, or the empty one where it would be. */
static size_t monomial_slot(const struct monomials *m, const uint32_t *key, size_t keys)
{
    size_t at = (size_t)hash_key_bytes(&m->e.key, key, keys * sizeof *key) & (m->slots - 1);

    for (; m->slot[at] != 0; at = (at + 1) & (m->slots - 1)) {
        const uint32_t *k = m->key + (m->slot[at] - 1) * m->degree;
        const bool same = memcmp(k, key, keys * sizeof *key) == 0;
        if (same && (keys == m->degree || k[keys] == 0)) break;
    }
    return at;
}

uint32_t monomials_find(const struct monomials *m, const uint32_t *key, size_t keys)
{
    return m->slots == 0 ? 0 : m->slot[monomial_slot(m, key, keys)];
}

uint32_t monomials_add(struct monomials *m, const uint32_t *key, size_t keys)
{
    const uint32_t known = monomials_find(m, key, keys);
    const size_t old = m->slots;

    if (known != 0) return known;
    if (m->n >= UINT32_MAX / 2) return 0;
    if (2 * (m->n + 1) > old) { /* twice as many slots, or the first ones */
        uint32_t *slot = mem_zeroed(&m->e, old == 0 ? 64 : 2 * old, sizeof *slot);
        if (slot == NULL) return 0;
        mem_free(&m->e, m->slot, old, sizeof *slot);
        m->slot = slot;
        m->slots = old == 0 ? 64 : 2 * old;
        for (uint32_t id = 1; id <= m->n; id++) {
            const uint32_t *k = m->key + (id - 1) * m->degree;
            size_t n = 0;
            while (n < m->degree && k[n] != 0) n++;
            slot[monomial_slot(m, k, n)] = id;
        }
    }
    if (!mem_grow(&m->e, (void **)&m->key, &m->cap, (m->n + 1) * m->degree, sizeof *m->key))
        return 0;
    uint32_t *k = m->key + m->n * m->degree;
    memset(k, 0, m->degree * sizeof *k);
    memcpy(k, key, keys * sizeof *k);
    const size_t at = monomial_slot(m, key, keys);
    m->slot[at] = (uint32_t)++m->n;
    return m->slot[at];
}
