/* test_formula.c -- the promises of logic/formula.h: what formulas mean, and what errors say. */
#include "logic/formula.h"
#include "t.h"

#include "t_alloc.h"

static struct formula parse(const char *text)
{
    const struct env e = env_resolve(NULL);
    struct formula f;
    perc_error err = { 0 };

    if (formula_parse(&e, text, &f, &err)) fail_msg("%s: %s", text, err.text);
    return f;
}

static uint32_t root_of(const struct formula *f, const char *name)
{
    const size_t i = formula_find(f, name, strlen(name));

    assert_true(i != SIZE_MAX && f->name[i].role != ROLE_INPUT);
    return f->name[i].root;
}

/* The table of `out` over all inputs and states, up to 6 of them. */
static uint64_t table_of(const char *text)
{
    struct formula f = parse(text);
    const uint32_t name[] = { 0, 1, 2, 3, 4, 5 };
    uint64_t table = 0;

    assert_true(f.inputs + f.states <= 6);
    assert_int_equal(formula_table(&f, root_of(&f, "out"), name, f.inputs + f.states, &table),
                     PERC_OK);
    formula_free(&f);
    return table;
}

/* Row r has a = bit 0, b = bit 1, c = bit 2. */
TEST(operators_mean_what_they_say)
{
    static const struct {
        const char *text;
        uint64_t table;
    } known[] = {
        { "a", 2 },
        { "!a", 1 },
        { "~a", 1 },
        { "not a", 1 },
        { "!!a", 2 },
        { "NOT a", 1 },
        { "a & b", 8 },
        { "a && b", 8 },
        { "a and b", 8 },
        { "a AND b", 8 },
        { "a nand b", 7 },
        { "a | b", 14 },
        { "a || b", 14 },
        { "a or b", 14 },
        { "a nor b", 1 },
        { "a ^ b", 6 },
        { "a xor b", 6 },
        { "a -> b", 13 },
        { "a => b", 13 },
        { "a implies b", 13 },
        { "a <-> b", 9 },
        { "a <=> b", 9 },
        { "a iff b", 9 },
        { "0", 0 },
        { "1", 1 },
        { "true", 1 },
        { "false", 0 },
        { "a & 1", 2 },
        { "a ^ true", 1 },
        { "a ^ b ^ c", 0x96 },
        { "a <-> b <-> c", 0x96 },
        { "(a <-> b) <-> c", 0x96 },
        { "a <-> b <-> c <-> d", 0x9669 },
        { "a -> b -> c", 0xF7 },
        { "(a -> b) -> c", 0xF2 },
        { "atleast(1; a, b, c)", 0xFE },
        { "atleast(2; a,b,c)", 0xE8 },
        { "atleast(3; a, b, c)", 0x80 },
        { "majority(a, b, c)", 0xE8 },
        { "majority(a, b)", 8 },
        { "majority(a)", 2 },
        { "majority(a,b,c,d)", 0xE880 },
        { "atmost(0; a, b)", 1 },
        { "atmost(1; a, b)", 7 },
        { "exactly(0; a, b)", 1 },
        { "exactly(1; a, b)", 6 },
        { "exactly(2; a, b)", 8 },
        { "exactly(1; a, b, c)", 0x16 },
        { "atleast(2; a, a)", 2 },
        { "atleast(2; a, a, b)", 10 },
        { "exactly(1;a->b,b)", 1 },
        { "atleast(3; a, b & a, c | b, 1)", 0xA8 },
        { "atleast(0; a, b)", 0xF },
        { "atmost(2; a, b)", 0xF },
        { "atmost(3; a, b, c)", 0xFF },
        { "atleast(0; a)", 3 },
        { "atmost(1; a)", 3 },
        { "!atmost(3; a, b, c)", 0 },
    };

    for (size_t i = 0; i < COUNT(known); i++)
        if (table_of(known[i].text) != known[i].table)
            fail_msg("%s: %llx", known[i].text, (unsigned long long)table_of(known[i].text));
}

/* What binds more, by what the same formula with parentheses gives. */
TEST(operators_bind_in_their_order)
{
    static const char *const same[][2] = {
        { "a & b | !c", "(a & b) | (!c)" },
        { "a | b & c", "a | (b & c)" },
        { "a ^ b & c", "a ^ (b & c)" },
        { "a & b ^ c", "(a & b) ^ c" },
        { "a | b ^ c", "a | (b ^ c)" },
        { "a ^ b | c", "(a ^ b) | c" },
        { "!a & b", "(!a) & b" },
        { "not a ^ b", "(not a) ^ b" },
        { "a -> b | c", "a -> (b | c)" },
        { "a | b -> c", "(a | b) -> c" },
        { "a <-> b -> c", "a <-> (b -> c)" },
        { "a -> b <-> c", "(a -> b) <-> c" },
        { "a nand b | c", "(a nand b) | c" },
        { "a nor b & c", "a nor (b & c)" },
        { "a nor b ^ c", "a nor (b ^ c)" },
        { "!a nand b", "(!a) nand b" },
        { "a=>b<=>c", "(a -> b) <-> c" },
        { "a xor b nand c", "a xor (b nand c)" },
    };

    for (size_t i = 0; i < COUNT(same); i++)
        assert_true(table_of(same[i][0]) == table_of(same[i][1]));
}

/* Inputs by first use; states as defined; wires before their users; outputs as in the text. */
TEST(names_come_in_their_order)
{
    struct formula f = parse("z = y | c; t' = b; y = x & !s; out = y; s' = t & a; x = b; w = q\n;");
    static const char *const order[] = { "c", "b", "a", "q", "t", "s", "x", "y", "z", "out", "w" };
    uint32_t out[8];

    assert_int_equal(f.names, 11);
    assert_true(f.inputs == 4 && f.states == 2 && f.wires == 5);
    for (size_t i = 0; i < f.names; i++) assert_string_equal(f.name[i].text, order[i]);
    assert_int_equal(formula_outputs(&f, out, 8), 3);
    assert_string_equal(f.name[out[0]].text, "z");
    assert_string_equal(f.name[out[1]].text, "out");
    assert_string_equal(f.name[out[2]].text, "w");
    for (uint32_t i = 0; i < f.nodes; i++) {
        const struct node *n = &f.node[i];
        for (uint32_t k = 0; k < n->count; k++) assert_true(f.child[n->first + k] < i);
        if (n->op == OP_NAME && f.name[n->name].role == ROLE_WIRE)
            assert_true(f.name[n->name].root < i);
    }
    formula_free(&f);

    f = parse("b = a; a = x"); /* the text has them the other way round */
    assert_int_equal(formula_outputs(&f, out, 0), 1);
    formula_free(&f);
    f = parse("q = p & a; p = a; r = p");
    assert_int_equal(formula_outputs(&f, out, 1), 2);
    assert_string_equal(f.name[out[0]].text, "q");
    formula_free(&f);
    f = parse("a' = !b; b' = w; w = a & b"); /* no wire is left over: the states are outputs */
    assert_int_equal(formula_outputs(&f, out, 8), 2);
    assert_string_equal(f.name[out[0]].text, "a");
    formula_free(&f);
    f = parse("out = a; x = out"); /* out is an output even where it is used */
    assert_int_equal(formula_outputs(&f, out, 8), 2);
    formula_free(&f);
}

TEST(support_follows_wires_and_stops_at_states)
{
    struct formula f = parse("s' = a | w; w = s & b & c; out = w ^ d; k = 1");
    uint32_t name[8];

    (void)state; /* the inputs are a b c d, and s comes after them */
    assert_int_equal(formula_support(&f, root_of(&f, "out"), name, 8), 4);
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(name[i], i + 1);   /* b c d s */
    assert_int_equal(formula_support(&f, root_of(&f, "s"), name, 8), 4); /* a b c s */
    assert_true(name[0] == 0 && name[1] == 1 && name[2] == 2 && name[3] == 4);
    assert_int_equal(formula_support(&f, root_of(&f, "k"), name, 8), 0);
    name[1] = 77;
    assert_int_equal(formula_support(&f, root_of(&f, "out"), name, 1), 4); /* the rest is counted */
    assert_int_equal(name[1], 77);
    formula_free(&f);
}

struct bad {
    const char *text;
    int line, column;
    const char *says; /* a part of it */
};

static const struct bad bad[] = {
    { "", 1, 1, "empty" },
    { " \n ", 1, 1, "empty" },
    { "(a & b", 1, 7, "opened at column 1" },
    { "x = a & (b | c; y = a", 1, 15, "opened at column 9" },
    { "a &\n(b |\n (c", 3, 4, "opened at line 3, column 2" },
    { "atleast(2; a, b", 1, 16, "opened at column 8" },
    { "a & b)", 1, 6, "closes nothing" },
    { "a &", 1, 4, "after `&` comes the end" },
    { "&& a", 1, 1, "begins with `&&`" },
    { "a | & b", 1, 5, "after `|` comes `&`" },
    { "()", 1, 2, "after `(` comes `)`" },
    { "majority()", 1, 10, "missing" },
    { "atleast(1;)", 1, 11, "missing" },
    { "majority(a,)", 1, 12, "missing" },
    { "not", 1, 4, "missing" },
    { "a b", 1, 3, "between `a` and `b` an operator is missing" },
    { "(a) (b)", 1, 5, "operator is missing" },
    { "x = a\ny = b", 2, 1, "or ; before a definition" },
    { "a # b", 1, 3, "unknown character `#`" },
    { "a @ b", 1, 5, "a whole number of steps: a@3" },
    { "a@", 1, 3, "a whole number of steps" },
    { "a@2x", 1, 3, "a whole number of steps" },
    { "a@-1", 1, 3, "a whole number of steps" },
    { "(a | b)@2", 1, 8, "`@` belongs after a name" },
    { "a@1@1", 1, 4, "`@` belongs after a name" },
    { "a@1048577", 1, 3, "more than 1048576 steps" },
    { "a@1048570 & b &\n a@7", 2, 4, "more than 1048576 steps" },
    { "a@3 = b", 1, 5, "one name comes before `=`" },
    { "a@3' = b", 1, 4, "a prime belongs" },
    { "a : 1", 1, 3, "only comes before the threshold" },
    { "neuron", 1, 7, "reserved word" },
    { "neuron = a", 1, 1, "reserved" },
    { "neuron()", 1, 8, "after `(` comes `)`" },
    { "neuron(a)", 1, 9, "`)` is not the `,`" },
    { "neuron(a + b : 1)", 1, 10, "`+` is not the `,`" },
    { "neuron(a, b >= 1)", 1, 13, "nor the `:` before the threshold" },
    { "neuron(a : 1", 1, 13, "opened at column 7" },
    { "neuron(a; b : 1)", 1, 9, "opened at column 7" },
    { "neuron(a : b)", 1, 12, "the threshold, a number, and not `b`" },
    { "neuron(a : -)", 1, 12, "the threshold, a number" },
    { "neuron(a : 1.5.5)", 1, 15, "unknown character `.`" },
    { "neuron(-> a : 1)", 1, 8, "after `(` comes `->`" },
    { "neuron(- : 1)", 1, 10, "after `-` comes `:`" },
    { "neuron(2a : 1)", 1, 9, "a blank is missing: 2 NAME" },
    { "neuron(1e3 a : 1)", 1, 9, "a blank is missing" },
    { "neuron(2 a, 3 : 1)", 1, 13, "this weight has no input" },
    { "neuron(2, 3 a : 1)", 1, 8, "this weight has no input" },
    { "neuron(a, 1 | b : 1)", 1, 13, "after `1` comes `|`" },
    { "neuron(12345678901234567890 a : 1)", 1, 8, "more digits" },
    { "neuron(a : 0.12345678901234567890123)", 1, 12, "more digits" },
    { "b & neuron(281474976710655 a, b : 1)", 1, 5, "more than 281474976710655" },
    { "neuron(0.00000000000000000001 a, b : 1)", 1, 1, "use fewer digits" },
    { "a \xe2\x88\xa7 b", 1, 3, "write & for and" },
    { "\x01", 1, 1, "unknown character" },
    { "\xff", 1, 1, "unknown character" },
    { "a + b", 1, 3, "| for or" },
    { "a == b", 1, 3, "write <->" },
    { "a != b", 1, 3, "write ^" },
    { "(a) = b", 1, 5, "before `=`" },
    { "a, b", 1, 2, "write ; between" },
    { "atleast(2 a,b)", 1, 11, "comes `;`" },
    { "atleast(2, a,b)", 1, 10, "comes `;`" },
    { "atleast(a; b)", 1, 9, "whole number" },
    { "atleast(; b)", 1, 9, "whole number" },
    { "atleast(1x; b)", 1, 9, "whole number" },
    { "atleast a", 1, 9, "reserved word" },
    { "atleast(3; a, b)", 1, 9, "must be 0 to 2, not 3" },
    { "atleast(2; a)", 1, 9, "must be 0 or 1, not 2" },
    { "atmost(4; a, b, c)", 1, 8, "must be 0 to 3" },
    { "exactly(4; a, b, c)", 1, 9, "must be 0 to 3" },
    { "atleast(99999999999999999999; a)", 1, 9, "must be 0 or 1" },
    { "x = a; x = b", 1, 8, "defined twice, the first time at column 1" },
    { "x = a; x' = b", 1, 8, "a state or a wire, not both" },
    { "a; b", 1, 4, "without a name is called `out`" },
    { "out = a; b", 1, 10, "defined at column 1" },
    { "a;; b = 1", 1, 3, "between `;` and `;`" },
    { "x = y; y = z & a; z = x", 1, 1, "x -> y -> z -> x" },
    { "a = b | q; p = q; q = r; r = p", 1, 19, "cycle: q -> r -> p -> q" },
    { "x = x", 1, 1, "x' =" },
    { "twelve_chars = twelve_chars", 1, 1, "twelve_chars' =" },
    { "thirteen_char = thirteen_char", 1, 1,
      "thirteen_cha.. -> thirteen_cha.. (-> means uses); a delay breaks it: NAME' =" },
    { "s' a123456789b123456789c123456789d123456789", 1, 4,
      "comes `a123456789b123456789c123456789d123456789` and" },
    { "s' a123456789b123456789c123456789d123456789e", 1, 4,
      "comes `a123456789b123456789c123456789d123456789...` and" },
    { "a & out", 1, 1, "value of the formula itself" },
    { "x = s'", 1, 6, "write s for the value now" },
    { "(s')", 1, 3, "write s for the value now" },
    { "s'", 1, 3, "after s' comes the end and not `=`" },
    { "s' & a", 1, 4, "after s' comes `&` and not `=`" },
    { "s'' = a", 1, 3, "a second prime" },
    { "'", 1, 1, "a prime belongs" },
    { "(a)' = b", 1, 4, "a prime belongs" },
    { "and = a", 1, 1, "reserved" },
    { "True = a", 1, 1, "reserved" },
    { "1 = a", 1, 1, "not a name" },
    { "2", 1, 1, "0 or 1" },
    { "a & 01", 1, 5, "0 or 1" },
    { "1a", 1, 1, "not a name" },
    { "a nand b nand c", 1, 10, "parentheses" },
    { "a & b nand c", 1, 7, "parentheses" },
    { "a nand b & c", 1, 10, "parentheses" },
    { "a | b nor c", 1, 7, "parentheses" },
    { "a nor b || c", 1, 9, "parentheses" },
    { "x =", 1, 4, "after `=` comes the end" },
    { "x = ; y = a", 1, 5, "after `=` comes `;`" },
};

TEST(errors_say_where_and_what)
{
    const struct env e = env_resolve(NULL);

    for (size_t i = 0; i < COUNT(bad); i++) {
        struct formula f;
        perc_error err = { 0 };
        assert_refused_at(formula_parse(&e, bad[i].text, &f, &err), PERC_EDATA, &err, bad[i].line,
                          bad[i].column, bad[i].says);
        assert_true(f.node == NULL && f.names == 0);
        assert_int_equal(formula_parse(&e, bad[i].text, &f, NULL), PERC_EDATA);
    }
}

/* w.x >= t in the smallest whole numbers that say the same. */
TEST(neurons_are_whole_numbers)
{
    static const struct {
        const char *text;
        int64_t weight[3], least;
    } good[] = {
        { "neuron(a, b : 1.5)", { 1, 1 }, 2 },
        { "neuron(1, 1 : 1)", { 1, 1 }, 1 },
        { "neuron(-a:0)", { -1 }, 0 },
        { "neuron(- 0.5 a, +.25 b, 1. c : -.3)", { -2, 1, 4 }, -1 },
        { "neuron(-\t2 a, -\n3 b, - \r\n5 c : -\r4)", { -2, -3, -5 }, -4 },
        { "neuron(0.1 a, 0.2 b, -0.30 c : 0.3)", { 1, 2, -3 }, 3 },
        { "neuron(4 a, -6 b : -5)", { 2, -3 }, -2 },
        { "neuron(0 a, 0.0 b : 0.001)", { 0, 0 }, 1 },
        { "neuron(0 a : -7)", { 0 }, 0 },
        { "neuron(2 a, 3 b : 900719925474099.3)", { 2, 3 }, 6 },
        { "neuron(-2 a, 3 b : -900719925474099.3)", { -2, 3 }, -2 },
        { "neuron(140737488355328 a, 140737488355327 b : 281474976710655)",
          { 140737488355328, 140737488355327 },
          281474976710655 },
        { "neuron(0.00000000000001 a, 00.10000 b : 0.10000000000001)",
          { 1, 10000000000000 },
          10000000000001 },
    };

    for (size_t i = 0; i < COUNT(good); i++) {
        const struct env e = env_resolve(NULL);
        struct formula f;
        assert_int_equal(formula_parse(&e, good[i].text, &f, NULL), PERC_OK);
        const struct node *n = &f.node[f.name[f.names - 1].root];
        assert_true(n->op == OP_ATLEAST && n->written && n->least == good[i].least);
        for (uint32_t k = 0; k < n->count; k++)
            assert_int_equal(f.weight[n->first + k], good[i].weight[k]);
        formula_free(&f);
    }
}

/* A text of many parts: before, n times the part with its number, after. */
static char *repeat(const char *before, const char *part, size_t n, const char *after)
{
    char *text = malloc(strlen(before) + n * (strlen(part) + 12) + strlen(after) + 1);
    size_t len;

    assert_non_null(text);
    len = (size_t)sprintf(text, "%s", before);
    for (size_t i = 0; i < n; i++) {
        const char *mark = strchr(part, '#');
        if (mark == NULL) len += (size_t)sprintf(text + len, "%s", part);
        else len += (size_t)sprintf(text + len, "%.*s%zu%s", (int)(mark - part), part, i, mark + 1);
    }
    strcpy(text + len, after);
    return text;
}

static void limit(const char *before, const char *part, size_t most, const char *after,
                  const char *says)
{
    const struct env e = env_resolve(NULL);
    struct formula f;
    perc_error err = { 0 };
    char *fits = repeat(before, part, most, after), *over = repeat(before, part, most + 1, after);

    if (formula_parse(&e, fits, &f, &err)) fail_msg("%s", err.text);
    formula_free(&f);
    assert_refused(formula_parse(&e, over, &f, &err), PERC_EDATA, &err, says);
    free(fits);
    free(over);
}

TEST(nesting_has_a_limit)
{
    const struct env e = env_resolve(NULL);
    char text[4 * FORMULA_DEPTH];

    for (int over = 0; over < 2; over++) {
        const size_t n = FORMULA_DEPTH + (size_t)over;
        struct formula f;
        perc_error err = { 0 };
        memset(text, '(', n);
        text[n] = 'a';
        memset(text + n + 1, ')', n);
        text[2 * n + 1] = '\0';
        assert_int_equal(formula_parse(&e, text, &f, &err), over ? PERC_EDATA : PERC_OK);
        if (over) assert_true(err.column == FORMULA_DEPTH + 1 && strstr(err.text, "nested"));
        formula_free(&f);
    }
}

TEST(other_things_have_limits)
{
    limit("", "!", FORMULA_DEPTH, "a", "nested");
    limit("", "a -> ", FORMULA_DEPTH, "a", "nested");
    limit("x = 1", " | a#", FORMULA_NAMES - 1, "", "names");
    limit("", "a", FORMULA_NAME, "", "characters");
    limit("a", " ", FORMULA_TEXT - 1, "", "bytes");

    char *side_by_side = repeat("1", " & (a -> !b) & majority(a, (b))", 2 * FORMULA_DEPTH, "");
    struct formula f = parse(side_by_side); /* beside each other is not in each other */
    formula_free(&f);
    free(side_by_side);
}

/* A long chain of wires is followed without recursion, in either direction. */
TEST(long_chains_are_no_deep_ones)
{
    const size_t n = FORMULA_NAMES - 1;
    char *chain = malloc(n * 24);
    size_t len = 0;
    uint64_t table;
    uint32_t name[1];

    assert_non_null(chain);
    for (size_t i = n; i-- > 1;) len += (size_t)sprintf(chain + len, "w%zu=!w%zu;", i, i - 1);
    sprintf(chain + len, "w0=a");
    assert_true(strlen(chain) < FORMULA_TEXT);
    struct formula f = parse(chain);
    sprintf(chain, "w%zu", n - 1);
    assert_int_equal(formula_support(&f, root_of(&f, chain), name, 1), 1);
    assert_int_equal(formula_table(&f, root_of(&f, chain), name, 1, &table), PERC_OK);
    assert_true(table == ((n - 1) % 2 == 0 ? 2u : 1u));
    formula_free(&f);

    len = 0; /* and closed to a cycle: a message that fits */
    for (size_t i = n; i-- > 1;) len += (size_t)sprintf(chain + len, "w%zu=!w%zu;", i, i - 1);
    sprintf(chain + len, "w0=w%zu", n - 1);
    const struct env e = env_resolve(NULL);
    perc_error err = { 0 };
    assert_refused(formula_parse(&e, chain, &f, &err), PERC_EDATA, &err, "... -> ");
    assert_non_null(strstr(err.text, "one step later"));
    free(chain);
}

/* A table of many rows is what single steps say: 9 names, and counts of 5 digits. */
TEST(tables_are_many_steps)
{
    struct formula f = parse("out = atleast(11; a,b,c,d,e,f,g,h,i, a,b,c,d,e,f,g,h,i, 1) ^ (a & i)"
                             "| (h -> g) & exactly(3; c, d, e, f, q); q = b ^ g ^ a; r = !out");
    uint32_t name[9];
    uint64_t table[8];
    unsigned char value[16], *scratch = malloc(f.nodes);
    size_t ones = 0;

    assert_int_equal(f.inputs, 9);
    for (uint32_t i = 0; i < 9; i++) name[i] = 8 - i; /* in another order than the formula's */
    assert_int_equal(formula_table(&f, root_of(&f, "out"), name, 9, table), PERC_OK);
    for (size_t r = 0; r < 512; r++) {
        for (size_t i = 0; i < 9; i++) value[name[i]] = r >> i & 1;
        formula_step(&f, value, NULL, scratch);
        assert_int_equal(table[r / 64] >> r % 64 & 1, value[formula_find(&f, "out", 3)]);
        assert_int_equal(value[formula_find(&f, "r", 1)], !value[formula_find(&f, "out", 3)]);
        ones += value[formula_find(&f, "out", 3)];
    }
    assert_true(ones > 50 && ones < 460); /* guard: a constant proves nothing */
    free(scratch);
    formula_free(&f);
}

/* Names that are not listed are 0, and bits beyond the rows too. */
TEST(tables_over_few_names)
{
    struct formula f = parse("a | b | !c");
    const uint32_t name[] = { 1 };
    uint64_t table = 7;

    assert_int_equal(formula_table(&f, root_of(&f, "out"), name, 0, &table), PERC_OK);
    assert_true(table == 1);
    assert_int_equal(formula_table(&f, root_of(&f, "out"), name, 1, &table), PERC_OK);
    assert_true(table == 3);
    formula_free(&f);
}

/* Every allocation fails once: nothing is kept, and the error says so. */
TEST(memory_may_run_out_anywhere)
{
    const char *text =
        "s' = a | (s & !r); out = w ^ exactly(1; a, b, s); w = x nand y; x = a -> b;"
        "y = c <-> d <-> majority(a, b, c) & neuron(a, -.5 b@2, neuron(1, 2 : 2) : 1)";

    for (struct t_sweep s = { .least = 10 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct formula f;
        perc_error err = { 0 };
        const perc_status st = formula_parse(&e, text, &f, &err);
        if (st == PERC_OK) assert_true(f.states == 2 && f.wires == 4 && f.cells == 3);
        else assert_true(err.status == PERC_ENOMEM && f.names == 0);
        formula_free(&f);
        t_sweep_judge(&s, st);
    }
}

TEST(tables_give_back_their_memory)
{
    struct t_alloc a = { .fail_at = -1 };
    const struct env e = env_resolve(&(perc_env){ t_alloc, &a, 1 });
    const uint32_t name[] = { 0, 1, 2 };
    struct formula f;
    uint64_t table;
    uint32_t found[4];

    assert_int_equal(formula_parse(&e, "w & c; w = a ^ b", &f, NULL), PERC_OK);
    const long held = a.bytes;
    for (long n = 0; n < 4; n++) {
        t_alloc_again(&a, n);
        assert_int_equal(formula_table(&f, root_of(&f, "out"), name, 3, &table),
                         n < 3 ? PERC_ENOMEM : PERC_OK);
        t_alloc_holds(&a, held);
        t_alloc_again(&a, n);
        assert_int_equal(formula_support(&f, root_of(&f, "out"), found, 4), n < 2 ? SIZE_MAX : 3);
        t_alloc_holds(&a, held);
    }
    formula_free(&f);
    formula_free(&f); /* twice is once */
    t_alloc_holds(&a, 0);
}
