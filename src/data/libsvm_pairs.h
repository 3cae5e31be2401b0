/* libsvm_pairs.h -- the loop over plain pairs, compiled once for each PAIRS_TARGET.
 * Included by libsvm.c only; PAIRS_NAME, PAIRS_TARGET and PAIRS_SCAN say how. */

PAIRS_TARGET static const char *PAIRS_NAME(struct parse *p, const char *s, bool *plain)
{
    struct rows *r = p->r;
    uint32_t *const out_index = r->index, *const out_dec = r->dec;
    size_t n = r->entries;
    int64_t last = p->last;

    *plain = false;
    for (;;) {
        const struct scan32 m = PAIRS_SCAN(s);
        if (m.blank == 0) break; /* longer than 31 characters */

        /* What is not a digit before the end: the colon, then perhaps '-' and '.'. */
        const unsigned end = (unsigned)__builtin_ctz(m.blank);
        uint32_t other = m.other & ((1u << end) - 1);
        if (other == 0) break;
        const unsigned colon = (unsigned)__builtin_ctz(other);
        other &= other - 1;
        const bool negative = s[colon + 1] == '-';
        other &= ~((uint32_t)negative << (colon + 1));

        const unsigned whole = colon + 1 + negative; /* first digit of the value */
        const unsigned point = other != 0 ? (unsigned)__builtin_ctz(other) : end;
        const unsigned digits = point - whole, places = end - point - (other != 0);
        if (s[colon] != ':' || colon - 1 > 7 || digits - 1 > 6 || places > 8 ||
            (other & (other - 1)) != 0 || (other != 0 && (s[point] != '.' || places == 0)))
            break;

        const uint32_t index = scan_digits(s, colon);
        uint64_t mantissa = scan_digits(s + whole, digits);
        if (places > 0)
            mantissa = mantissa * power10[places] + scan_digits(s + point + 1, places);
        if ((int64_t)index <= last || index == 0) break; /* slow_pair says what is wrong */
        last = index;
        out_index[n] = index;
        if (r->packed && mantissa < (uint64_t)1 << DEC_MANTISSA_BITS) {
            out_dec[n] = decimal_pack((uint32_t)mantissa, places, negative);
        } else { /* below 2^53: the quotient is correctly rounded (Clinger 1990) */
            r->entries = n;
            rows_unpack(r);
            const double v = (double)mantissa / power10[places];
            r->value[n] = negative ? -v : v;
        }
        n++;
        s += end;
        *plain = *s != ' ';
        if (*plain) break;
        s++;
    }
    r->entries = n;
    p->last = last;
    return s;
}

#undef PAIRS_NAME
#undef PAIRS_TARGET
#undef PAIRS_SCAN
