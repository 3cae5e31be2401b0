/* fuzz_columns.c -- any bytes as the file that says what each column is.
 *
 * It must not crash or read outside the range; what it refuses has a place and a reason; and
 * what it accepts, written and read again, is the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "data/columns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
    if (!ok) abort(); /* what the fuzzer looks for */
}

static void write_all(const struct columns *c, struct text *out)
{
    for (size_t i = 0; i < c->n; i++)
        columns_write(c->at[i].name, c->at[i].kind, &c->at[i].how, out);
    must(!out->oom);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct env e = env_resolve(&(perc_env){ .threads = 1 });
    struct columns first, second;
    struct text a, b;
    perc_error err = { 0 };
    const perc_status st = columns_parse(&e, (const char *)data, size, &first, &err);

    must(st == err.status);
    if (st) {
        must(err.text[0] != '\0' && err.line > 0 && err.column > 0);
        return 0;
    }
    text_init(&a, &e);
    text_init(&b, &e);
    write_all(&first, &a);
    must(columns_parse(&e, a.len > 0 ? a.s : "", a.len, &second, NULL) == PERC_OK);
    must(second.n == first.n);
    for (size_t i = 0; i < first.n; i++)
        must(strcmp(first.at[i].name, second.at[i].name) == 0 &&
             first.at[i].kind == second.at[i].kind);
    write_all(&second, &b);
    must(a.len == b.len && (a.len == 0 || memcmp(a.s, b.s, a.len) == 0));
    text_free(&a);
    text_free(&b);
    columns_free(&first);
    columns_free(&second);
    return 0;
}
