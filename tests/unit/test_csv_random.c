/* test_csv_random.c -- random tables, read by the library and by an independent
 * reader that goes character by character and knows no tricks: the same rows,
 * features, labels, lines and counts, however the text is cut into chunks; and no
 * memory lost or used when any one allocation fails. */
#include <ctype.h>

#include "csv_table.h"
#include "t_make.h"

#include "t_alloc.h"
#include "vec/rng.h"

/* ----- the reference: a state machine over characters ------------------------------ */

enum { CELLS = 12, RECORDS = 60, TEXT = 40, SIZE = 1 << 15 };

struct record {
    char cell[CELLS][TEXT];
    bool quoted[CELLS];
    size_t cells;
    int64_t line; /* line ends before it */
    size_t end;   /* offset behind its line end */
};

struct reference {
    struct record record[RECORDS];
    size_t records;
    int64_t lines;
};

static void trim(char *s)
{
    size_t n = strlen(s), k = 0;

    while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t')) s[--n] = '\0';
    while (s[k] == ' ' || s[k] == '\t') k++;
    memmove(s, s + k, n - k + 1);
}

static void append(char *cell, char c)
{
    const size_t n = strlen(cell);

    assert_true(n + 1 < TEXT);
    cell[n] = c;
    cell[n + 1] = '\0';
}

/* Reads a text that has no faults. */
static void reference_read(struct reference *t, const char *text, size_t len, char delimiter)
{
    enum { PLAIN, INSIDE, AFTER } state = PLAIN;
    struct record *r = &t->record[0];
    int64_t line = 0, begin = 0;

    memset(t, 0, sizeof *t);
    for (size_t i = 0; i <= len; i++) {
        const char c = i < len ? text[i] : '\n';
        char *cell = r->cell[r->cells];
        if (c == '\n' && i < len) line++;
        if (state == INSIDE) {
            if (c != '"') append(cell, c);
            else state = AFTER;
        } else if (state == AFTER && c == '"') {
            append(cell, c);
            state = INSIDE;
        } else if (c == '"') {
            state = INSIDE;
            cell[0] = '\0'; /* blanks before it */
            r->quoted[r->cells] = true;
        } else if (c == delimiter || c == '\n') {
            if (!r->quoted[r->cells]) trim(cell);
            state = PLAIN;
            r->cells++;
            if (c == delimiter) continue;
            r->line = begin;
            r->end = i < len ? i + 1 : len;
            begin = line;
            if (r->cells > 1 || r->quoted[0] || r->cell[0][0] != '\0') r = &t->record[++t->records];
            memset(r, 0, sizeof *r);
        } else if (c != '\r' && !r->quoted[r->cells]) {
            append(cell, c);
        }
    }
    t->lines = line + (len > 0 && text[len - 1] != '\n');
}

/* ----- what the rows should be ------------------------------------------------------ */

enum kind { NUMBER, WORD, LABEL, WEIGHT, SKIP };

struct plan {
    enum kind kind[CELLS];
    size_t columns;
    char delimiter;
    int missing; /* 0 error, 1 mean, 2 zero, 3 drop */
};

struct expected {
    char category[RECORDS * CELLS][TEXT + 4];
    size_t categories, numeric;
    size_t rows, dropped;
    struct {
        uint32_t index[CELLS];
        double value[CELLS];
        size_t n;
        char label[TEXT];
        double weight;
        int64_t line;
    } row[RECORDS];
};

static bool is_missing(const char *s)
{
    static const char *const tokens[] = { "", "?", "na", "n/a", "nan", "null" };
    char lower[TEXT] = { 0 };

    for (size_t i = 0; s[i] != '\0'; i++) lower[i] = (char)tolower((unsigned char)s[i]);
    for (size_t i = 0; i < COUNT(tokens); i++)
        if (strcmp(lower, tokens[i]) == 0) return true;
    return false;
}

static uint32_t category_of(struct expected *x, size_t column, const char *text)
{
    char key[TEXT + 4];

    snprintf(key, sizeof key, "%02zu=%s", column, text);
    for (size_t i = 0; i < x->categories; i++)
        if (strcmp(x->category[i], key) == 0) return (uint32_t)(x->numeric + i);
    strcpy(x->category[x->categories], key);
    return (uint32_t)(x->numeric + x->categories++);
}

static int by_index(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Two rounds over a record: whether it is dropped, then what it gives. */
static void expect_row(struct expected *x, const struct plan *p, const struct record *r)
{
    const size_t i = x->rows;
    size_t numbers = 0, n = 0;

    for (size_t f = 0; f < p->columns && p->missing == 3; f++) {
        if (p->kind[f] == SKIP || !is_missing(r->cell[f])) continue;
        x->dropped++;
        return;
    }
    x->row[i].weight = 1;
    x->row[i].line = r->line;
    for (size_t f = 0; f < p->columns; f++) {
        const char *s = r->cell[f];
        if (p->kind[f] == LABEL) strcpy(x->row[i].label, s);
        if (p->kind[f] == WEIGHT) x->row[i].weight = strtod(s, NULL);
        if (p->kind[f] != NUMBER) continue;
        x->row[i].index[n] = (uint32_t)numbers++;
        x->row[i].value[n++] = !is_missing(s) ? strtod(s, NULL) : p->missing == 1 ? (double)NAN : 0;
    }
    for (size_t f = 0; f < p->columns; f++) {
        if (p->kind[f] != WORD || is_missing(r->cell[f])) continue;
        x->row[i].index[n] = category_of(x, f, r->cell[f]);
        x->row[i].value[n++] = 1;
    }
    qsort(x->row[i].index + numbers, n - numbers, sizeof *x->row[i].index, by_index);
    x->row[i].n = n;
    x->rows++;
}

/* ----- a random table ----------------------------------------------------------------- */

static size_t pick(struct rng *g, size_t n)
{
    return (size_t)rng_below(g, n);
}

static void random_number(struct rng *g, char *s)
{
    const double v = rng_normal(g) * pow(10, (double)pick(g, 13) - 4);

    switch (pick(g, 8)) {
    case 0: snprintf(s, TEXT, "%.0f", v); break;
    case 1: snprintf(s, TEXT, "%.17g", v); break;
    case 2: snprintf(s, TEXT, "%.3fe%d", v, (int)pick(g, 60) - 30); break;
    case 3: snprintf(s, TEXT, "%+.2f", v); break;
    case 4: snprintf(s, TEXT, "%05.0f.", fabs(v)); break;
    case 5: snprintf(s, TEXT, ".%zu", pick(g, 1000)); break;
    default: snprintf(s, TEXT, "%.*f", (int)pick(g, 13), v);
    }
}

static void random_word(struct rng *g, char *s)
{
    static const char letters[] = "abABx\"\"\n,;\t| \r";
    const size_t n = 1 + pick(g, 4);

    for (size_t i = 0; i < n; i++) s[i] = letters[pick(g, pick(g, 3) ? 5 : sizeof letters - 1)];
    s[n] = '\0';
    if (is_missing(s)) strcpy(s, "w");
}

/* Appends a cell as some writer might: with quotes where needed, or not. */
static size_t write_cell(struct rng *g, char *out, const char *s, char delimiter)
{
    bool quote = pick(g, 5) == 0 || strpbrk(s, "\"\r\n \t") != NULL || strchr(s, delimiter) != NULL;
    char *p = out;

    if (pick(g, 10) == 0) *p++ = ' ';
    if (quote) *p++ = '"';
    for (; *s != '\0'; s++) {
        if (*s == '"') *p++ = '"';
        *p++ = *s;
    }
    if (quote) *p++ = '"';
    if (pick(g, 10) == 0) *p++ = ' ';
    return (size_t)(p - out);
}

static void random_cell(struct rng *g, const struct plan *p, size_t f, char *s)
{
    static const char *const missing[] = { "", "?", "NA", "n/a", "NaN", "null" };

    if (p->missing > 0 && pick(g, 8) == 0 && (p->kind[f] <= WORD || p->missing == 3)) {
        strcpy(s, missing[pick(g, 6)]);
        return;
    }
    switch (p->kind[f]) {
    case NUMBER: random_number(g, s); break;
    case LABEL: snprintf(s, TEXT, pick(g, 2) ? "class %zu" : "k%zu", pick(g, 12)); break;
    case WEIGHT: snprintf(s, TEXT, "%zu.5", pick(g, 10)); break;
    default: random_word(g, s);
    }
}

static void random_plan(struct rng *g, struct plan *p)
{
    static const char delimiters[] = ",\t;|";
    const size_t label = pick(g, 3);

    *p = (struct plan){ .columns = 3 + pick(g, CELLS - 3),
                        .delimiter = delimiters[pick(g, 4)],
                        .missing = (int)pick(g, 4) };
    for (size_t f = 0; f < p->columns; f++)
        p->kind[f] = pick(g, 9) == 0 ? SKIP : pick(g, 3) == 0 ? WORD : NUMBER;
    p->kind[(label + 1) % p->columns] = NUMBER; /* a feature at least */
    if (pick(g, 2)) p->kind[(label + 2) % p->columns] = WEIGHT;
    p->kind[label] = LABEL;
}

static size_t random_table(struct rng *g, const struct plan *p, char *text)
{
    const size_t records = pick(g, RECORDS - 2);
    const bool crlf = pick(g, 2);
    char cell[TEXT];
    size_t n = 0;

    for (size_t i = 0; i <= records; i++) {
        if (pick(g, 10) == 0)
            n += (size_t)sprintf(text + n, "%s%s", pick(g, 2) ? "  " : "", crlf ? "\r\n" : "\n");
        for (size_t f = 0; f < p->columns; f++) {
            if (f > 0) text[n++] = p->delimiter;
            if (i == 0) snprintf(cell, sizeof cell, "c%zu", f + 1);
            else random_cell(g, p, f, cell);
            n += write_cell(g, text + n, cell, p->delimiter);
        }
        if (i < records || pick(g, 2)) n += (size_t)sprintf(text + n, crlf ? "\r\n" : "\n");
        assert_true(n < SIZE - 2000);
    }
    return n;
}

static perc_params *plan_options(const struct plan *p)
{
    static const char *const missing[] = { "error", "mean", "zero", "drop" };
    const struct env e = env();
    const char delimiter[2] = { p->delimiter, '\0' };
    char list[SKIP + 1][100] = { "", "", "", "", "" };
    perc_params *o;

    for (size_t f = 0; f < p->columns; f++)
        sprintf(list[p->kind[f]] + strlen(list[p->kind[f]]), "%s%zu",
                list[p->kind[f]][0] != '\0' ? "," : "", f + 1);
    assert_int_equal(params_new(&e, &data_table, &o), PERC_OK);
    perc_params_set(o, "header", "yes", NULL);
    perc_params_set(o, "delimiter", delimiter, NULL);
    perc_params_set(o, "missing", missing[p->missing], NULL);
    perc_params_set(o, "categorical", list[WORD], NULL);
    perc_params_set(o, "label", list[LABEL], NULL);
    perc_params_set(o, "weight", list[WEIGHT], NULL);
    perc_params_set(o, "ignore", list[SKIP], NULL);
    return o;
}

/* ----- the comparison ------------------------------------------------------------------ */

/* Rows `from` on of the expectation are those of the chunk, which has so many lines
 * before it (-1: lines do not count). */
static void same_rows(const struct expected *x, size_t from, struct rows *r, int64_t lines)
{
    rows_unpack(r);
    assert_true(from + r->n <= x->rows);
    for (size_t i = 0; i < r->n; i++) {
        const size_t k = from + i, at = (size_t)r->start[i];
        assert_int_equal(r->start[i + 1] - at, x->row[k].n);
        assert_memory_equal(r->index + at, x->row[k].index, x->row[k].n * sizeof *r->index);
        for (size_t j = 0; j < x->row[k].n; j++) {
            const double a = r->value[at + j], b = x->row[k].value[j];
            if (!(a == b || (isnan(a) && isnan(b)))) /* both correctly rounded: equal */
                fail_msg("row %zu entry %zu: %.17g, not %.17g", k, j, a, b);
        }
        assert_string_equal(r->labels.at[r->label[i]].text, x->row[k].label);
        assert_true(r->weight[i] == x->row[k].weight);
        if (lines >= 0) assert_int_equal(lines + r->line[i], x->row[k].line);
    }
}

static void same_features(const struct expected *x, const struct schema *s)
{
    assert_int_equal(s->numeric, x->numeric);
    assert_int_equal(s->categories, x->categories);
    for (size_t k = 0; k < s->categories; k++) {
        char key[TEXT + 4];
        snprintf(key, sizeof key, "%02u=%s", s->category[k].column, s->category[k].text);
        assert_string_equal(key, x->category[k]);
    }
}

/* The table again with its columns in another order, read for the model that the
 * first reading made: the same rows. */
static void read_permuted(struct rng *g, const struct plan *p, const struct reference *ref,
                          const struct expected *x, const struct schema *model)
{
    static char text[2 * SIZE];
    const struct env e = env();
    uint64_t order[CELLS];
    struct reading t;
    perc_params *o = plan_options(p);
    size_t n = 0;

    for (size_t f = 0; f < p->columns; f++) order[f] = f;
    rng_shuffle(g, order, p->columns);
    for (size_t k = 0; k < ref->records; k++)
        for (size_t f = 0; f < p->columns; f++) {
            n += write_cell(g, text + n, ref->record[k].cell[order[f]], p->delimiter);
            text[n++] = f + 1 < p->columns ? p->delimiter : '\n';
        }
    memset(&t, 0, sizeof t);
    rows_init(&t.rows, &e);
    perc_params_set(o, "ignore", "", NULL); /* the model knows */
    t.st = csv_open(&e, text, n, o, model, NULL, &t.csv, t.note, &t.err);
    if (!t.st) t.st = csv_parse(&t.csv, text, n, true, &t.rows, &t.local, &t.err);
    if (!t.st) t.st = csv_merge(&t.csv, &t.local, &t.rows, &t.err);
    if (t.st) fail_msg("%lld: %s", (long long)t.err.line, t.err.text);
    assert_int_equal(t.rows.n, x->rows);
    assert_int_equal(t.rows.unknown, 0);
    same_rows(x, 0, &t.rows, -1);
    perc_params_free(o);
    done(&t);
}

/* Parses `text` cut behind records that are drawn, merges in order, compares. */
static void parse_in_chunks(struct rng *g, const char *text, size_t len, const struct plan *p,
                            const struct reference *ref, const struct expected *x, size_t chance)
{
    const struct env e = env();
    struct reading t;
    perc_params *o = plan_options(p);
    size_t begin = 0, rows = 0, dropped = 0;
    int64_t lines = 0;

    memset(&t, 0, sizeof t);
    rows_init(&t.rows, &e);
    t.st = csv_open(&e, text, len, o, NULL, NULL, &t.csv, t.note, &t.err);
    if (t.st) fail_msg("%s", t.err.text);
    for (size_t k = 0; k < ref->records; k++) {
        const bool last = k + 1 == ref->records;
        const size_t end = last ? len : ref->record[k].end;
        if (!last && pick(g, chance) != 0) continue;
        char *chunk = malloc(end - begin + 1); /* just its size, for the sanitizers */
        assert_non_null(chunk);
        memcpy(chunk, text + begin, end - begin);
        char *tight = realloc(chunk, end - begin);
        assert_non_null(tight);
        rows_reset(&t.rows);
        t.st = csv_parse(&t.csv, tight, end - begin, begin == 0, &t.rows, &t.local, &t.err);
        if (!t.st) t.st = csv_merge(&t.csv, &t.local, &t.rows, &t.err);
        if (t.st) fail_msg("%lld: %s", (long long)(t.err.line + lines), t.err.text);
        same_rows(x, rows, &t.rows, lines);
        rows += t.rows.n;
        dropped += t.rows.dropped;
        lines += t.rows.lines;
        begin = end;
        free(tight);
    }
    assert_int_equal(rows, x->rows);
    assert_int_equal(dropped, x->dropped);
    assert_int_equal(lines, ref->lines);
    same_features(x, &t.csv.schema);
    if (p->missing != 3) read_permuted(g, p, ref, x, &t.csv.schema);
    perc_params_free(o);
    done(&t);
}

TEST(any_table_in_any_chunks_gives_the_reference_rows)
{
    static struct reference ref;
    static struct expected x;
    static char text[SIZE];
    struct rng g = rng_seed(4180, 0);
    struct plan p;
    size_t rows = 0, categories = 0, dropped = 0;

    for (int round = 0; round < 400; round++) {
        random_plan(&g, &p);
        const size_t len = random_table(&g, &p, text);
        reference_read(&ref, text, len, p.delimiter);
        memset(&x, 0, sizeof x);
        for (size_t f = 0; f < p.columns; f++) x.numeric += p.kind[f] == NUMBER;
        for (size_t k = 1; k < ref.records; k++) {
            assert_int_equal(ref.record[k].cells, p.columns);
            expect_row(&x, &p, &ref.record[k]);
        }
        parse_in_chunks(&g, text, len, &p, &ref, &x, SIZE); /* whole */
        parse_in_chunks(&g, text, len, &p, &ref, &x, 8);
        parse_in_chunks(&g, text, len, &p, &ref, &x, 1); /* each record alone */
        rows += x.rows;
        categories += x.categories;
        dropped += x.dropped;
    }
    assert_true(rows > 1000 && categories > 1000 && dropped > 100); /* guard: not all empty */
}

/* ----- memory runs out ------------------------------------------------------------------ */

/* Trains' part, then a model's part: every allocation of both is in reach. */
static perc_status read_twice(const struct env *e, const perc_params *o, const perc_params *o2)
{
    static const char a[] = "\"n \"\"1\"\"\",c,d,y\n1,\"a\"\"b\",x,\"l\"\"1\"\n"
                            "2.5,u,,l2\n3,w,x,l1\n";
    static const char b[] = "y,d,c,\"n \"\"1\"\"\",n2\n\"l\"\"1\",x,\"a\"\"b\",5,6\nl2,z,u,7,8\n";
    struct csv train, use;
    struct rows r;
    struct csv_chunk local;
    char note[256];
    perc_error err;
    perc_status st;

    memset(&train, 0, sizeof train);
    memset(&use, 0, sizeof use);
    memset(&local, 0, sizeof local);
    rows_init(&r, e);
    st = csv_open(e, a, sizeof a - 1, o, NULL, NULL, &train, note, &err);
    if (!st) st = csv_parse(&train, a, sizeof a - 1, true, &r, &local, &err);
    if (!st) st = csv_merge(&train, &local, &r, &err);
    rows_reset(&r);
    if (!st) st = csv_open(e, b, sizeof b - 1, o2, &train.schema, NULL, &use, note, &err);
    if (!st) st = csv_parse(&use, b, sizeof b - 1, true, &r, &local, &err);
    if (!st) st = csv_merge(&use, &local, &r, &err);
    if (!st) assert_int_equal(r.n, 2);
    if (st) assert_int_equal(err.status, st);
    schema_free(&local.local);
    rows_free(&r);
    csv_free(&train);
    csv_free(&use);
    return st;
}

TEST(nothing_leaks_whichever_allocation_fails)
{
    perc_params *o = options("missing=drop"), *o2 = options("ignore=n2");

    for (struct t_sweep s = { .least = 50 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        const perc_status st = read_twice(&e, o, o2);
        t_sweep_judge(&s, st);
    }
    t_free(o, o2);
}
