/* libsvm_pairs.h -- the loop over plain pairs, compiled once for each PAIRS_TARGET.
 * Included by libsvm.c only; PAIRS_NAME, PAIRS_TARGET, PAIRS_SCAN and PAIRS_TWO say
 * how.
 *
 *     1234:-0.0123456 5678:...
 *         ^ ^^        ^
 *     colon v point   end          digits are what lies between them
 */

PAIRS_TARGET static const char *PAIRS_NAME(struct libsvm_parser *p, const char *s, bool *plain)
{
    struct rows *r = p->r;
    uint32_t *const out_index = r->index, *const out_dec = r->dec;
    size_t n = r->entries;
    bool packed = r->packed, ended = false;
    uint32_t last = p->last < 0 ? 0 : (uint32_t)p->last; /* index 0 is for slow_pair */

    for (;;) {
        const struct scan32 m = PAIRS_SCAN(s);
        if (m.blank == 0) break; /* longer than 31 characters */

        /* What is not a digit before the end: the colon, then perhaps '-' and '.'. */
        const unsigned end = (unsigned)__builtin_ctz(m.blank);
        const uint32_t other = m.other & ((1u << end) - 1);
        if (other == 0 || (s[end] != ' ' && !is_end(s[end]))) break;
        const unsigned colon = (unsigned)__builtin_ctz(other);
        if (colon - 1 > 7 || s[colon] != ':') break;
        const bool negative = s[colon + 1] == '-';
        const unsigned first = colon + 1 + negative; /* of the value's digits */
        const char *const v = s + first;
        const uint32_t rest = other >> first; /* the point alone, or nothing */

        unsigned places = 0;
        uint32_t index;
        uint64_t mantissa;
        if (rest != 0) {
            const unsigned point = (unsigned)__builtin_ctz(rest);
            places = end - first - point - 1;
            if ((rest & (rest - 1)) != 0 || v[point] != '.' || point - 1 > 6 || places - 1 > 7)
                break;
            uint32_t fraction;
            PAIRS_TWO(s, colon, v + point + 1, places, &index, &fraction);
            const uint32_t whole = point == 1 ? (uint32_t)(v[0] - '0') : scan_digits(v, point);
            mantissa = (uint64_t)whole * power10[places] + fraction;
        } else {
            if (end - first - 1 > 6) break;
            index = scan_digits(s, colon);
            mantissa = scan_digits(v, end - first);
        }
        if (index <= last) break; /* slow_pair says what is wrong */
        last = index;
        out_index[n] = index;
        if (packed && mantissa < (uint64_t)1 << DEC_MANTISSA_BITS) {
            out_dec[n] = decimal_pack((uint32_t)mantissa, places, negative);
        } else { /* below 2^53: the quotient is correctly rounded (Clinger 1990) */
            const double x = (double)mantissa / power10[places];
            r->entries = n;
            rows_unpack(r);
            packed = false;
            r->value[n] = negative ? -x : x;
        }
        n++;
        s += end;
        if (*s != ' ') { /* a branch, so that the next round need not wait for *s */
            ended = true;
            break;
        }
        s++;
    }
    if (n > r->start[r->n]) p->last = last;
    r->entries = n;
    *plain = ended;
    return s;
}

#undef PAIRS_NAME
#undef PAIRS_TARGET
#undef PAIRS_SCAN
#undef PAIRS_TWO
