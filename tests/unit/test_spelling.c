/* test_spelling.c -- what was probably meant by a name that is not there. */
#include "base/spelling.h"

#include <stdio.h>
#include <string.h>

#include "t.h"

static const char *hint(const char *word, const char *choices)
{
    static char buf[SPELLING_HINT];

    return spelling_choice(word, choices, buf);
}

TEST(a_slip_of_the_fingers_is_near)
{
    static const char *const near[][3] = {
        { "sideways", "file|shuffle|shuffle-once", "" },
        { "shufle", "file|shuffle|shuffle-once", " (did you mean shuffle?)" }, /* a letter less */
        { "fille", "file|shuffle", " (did you mean file?)" },                  /* one too many */
        { "fike", "file|shuffle", " (did you mean file?)" },                   /* another */
        { "fiel", "file|shuffle", " (did you mean file?)" },                   /* two swapped */
        { "ifel", "file|shuffle", " (did you mean file?)" },
        { "pegasos", "perceptron|margin|pa|pa1|pa2|arow", "" },
        { "perc", "perceptron|margin", " (did you mean perceptron?)" }, /* the beginning */
        { "pe", "perceptron|margin", "" },                              /* too little of it */
        { "pa3", "pa|pa1|pa2", "" },                                    /* three are as near */
        { "rbff", "rbf|poly", " (did you mean rbf?)" },
        { "", "a|b", "" },
        { "a", "b", "" }, /* nothing of it is right */
        { "ab", "b|x", " (did you mean b?)" },
        { "7", "1|77", "" }, /* a number is no slip */
        { "-0.5", "-0.6", "" },
        { "ofset", "no-offset|seed", " (did you mean no-offset?)" },
        { "standrd", "standard", " (did you mean standard?)" },
        { "sandrd", "standard", " (did you mean standard?)" },
        { "sndrd", "standard", "" }, /* of five letters two may be wrong, not three */
        { "stanrds", "standard", "" },
    };

    for (size_t i = 0; i < COUNT(near); i++)
        assert_string_equal(hint(near[i][0], near[i][1]), near[i][2]);
}

TEST(names_that_are_too_long_are_passed_over)
{
    char name[200], other[400];

    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_string_equal(hint(name, "x|y"), "");
    snprintf(other, sizeof other, "%s|xx", name);
    assert_string_equal(hint("xy", other), " (did you mean xx?)");
}
