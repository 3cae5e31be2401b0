/* test_list.c -- options that are lists, with names in quotes. */
#include "base/list.h"

#include <stdio.h>
#include <string.h>

#include "t.h"
#include "t_alloc.h"

/* The parts, each in brackets with its place: "1[a]3[b]=v", or the message. */
static const char *parts(const struct env *e, const char *text, char sign, perc_status *st)
{
    static char out[512];
    struct list l;
    perc_error err = { 0 };
    bool more;
    size_t n = 0;

    out[0] = '\0';
    list_begin(&l, e, "option", text, sign, &err);
    while (!(*st = list_next(&l, &more)) && more) {
        n += (size_t)snprintf(out + n, sizeof out - n, "%lld[%.*s]", (long long)l.at, (int)l.len,
                              l.name);
        if (l.value != NULL)
            n += (size_t)snprintf(out + n, sizeof out - n, "=%.*s", (int)l.value_len, l.value);
    }
    list_end(&l);
    return *st ? strcpy(out, err.text) : out;
}

TEST(a_list_is_cut_at_commas_outside_quotes)
{
    static const struct {
        const char *text;
        char sign;
        const char *want;
    } cases[] = {
        { "", '\0', "" },
        { "a", '\0', "1[a]" },
        { "a,b", '\0', "1[a]3[b]" },
        { " a , b\t,c d", '\0', "2[a]6[b]9[c d]" },
        { "a,,b,", '\0', "1[a]3[]4[b]6[]" },
        { "\"a,b\",c", '\0', "1[a,b]7[c]" },
        { "x, \" a\"\"b \" ,\"\"", '\0', "1[x]4[ a\"b ]14[]" },
        { "\"\"\"\",\"\"\"a\"\"\"", '\0', "1[\"]6[\"a\"]" },
        { "5\" disk,b", '\0', "1[5\" disk]9[b]" }, /* a quote that is not the first is itself */
        { "a=1", '\0', "1[a=1]" },
        { "a=1, b = 2 ", '=', "1[a]=1 6[b]=2" },
        { "a=b=2", '=', "1[a=b]=2" },
        { "\"a=,b\"=2,\"c\" = 3", '=', "1[a=,b]=2 10[c]=3" },
        { "=2,b", '=', "1[]=2 4[b]" },
        { "\"a,b", '\0',
          "option: character 1: this quote is never closed (one inside a name is "
          "written \"\")" },
        { "c,\"a\"b", '\0',
          "option: character 6: text after a closing quote (one inside a name is "
          "written \"\")" },
        { "\"a\"=1", '\0',
          "option: character 4: text after a closing quote (one inside a name is "
          "written \"\")" },
    };
    const struct env e = env_resolve(NULL);
    char want[512];
    perc_status st;

    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t n = 0;
        for (const char *p = cases[i].want; *p != '\0'; p++) /* the blanks are for the reader */
            if (!(cases[i].sign != '\0' && *p == ' ')) want[n++] = *p;
        want[n] = '\0';
        assert_string_equal(parts(&e, cases[i].text, cases[i].sign, &st), want);
        assert_int_equal(st, strncmp(want, "option:", 7) == 0 ? PERC_EARG : PERC_OK);
    }
}

TEST(a_list_without_memory_says_so)
{
    for (struct t_sweep s = { .least = 1 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        perc_status st;
        parts(&e, "\"a\"\"b\",c", '\0', &st);
        t_sweep_judge(&s, st);
    }
}
