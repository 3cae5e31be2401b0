/* parts.c -- the rows of a text divided among files, or a sample of them.
 *
 * In two passes. The first counts the rows, and of each notes what the draw depends on: the number
 * of its label, its group, its time; a few bytes a row. Then the rows are drawn (draw.c), and the
 * second pass copies each to its place: where it begins and ends is all that it asks.
 *
 * A file is read twice. What cannot be, is kept on the way: in a temporary beside an output, or in
 * memory where no output is a regular file. But for a plain sample of N rows a reservoir of N rows
 * in memory is enough (take_stream); it draws the rows that would be drawn of a file.
 *
 * Both outputs are on disk before either gets its name (file_commit_all). A file that has changed
 * between the passes has another number of rows or bytes, and is refused. */
#include "data/parts.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "base/pool.h"
#include "base/sort.h"
#include "data/cut.h"
#include "data/dataset.h"
#include "data/draw.h"
#include "data/labels.h"
#include "data/moment.h"
#include "data/schema.h"
#include "perceptron_split.h"

#define ROW_STRATIFY                                                                              \
    {                                                                                             \
        "stratify", PERC_BOOL, "false", 0, 0, NULL, NULL, "draw rows of each label in proportion" \
    }
#define ROW_SEED                                                         \
    {                                                                    \
        "seed", PERC_INT, "0", 0, 9e15, NULL, "N", "seed of the drawing" \
    }

static const perc_param split_rows[] = {
    { "test", PERC_TEXT, "0.2", 0, 0, NULL, "SHARE|ROWS",
      "what goes to TEST: a share of the rows, or how many" },
    ROW_STRATIFY,
    { "by", PERC_TEXT, "", 0, 0, NULL, "group:COLUMN|time:COLUMN",
      "group: rows of one value of COLUMN stay together; time: the newest rows go to TEST" },
    ROW_SEED,
};
static const perc_param sample_rows[] = {
    { "rows", PERC_INT, "0", 0, 9e15, NULL, "N", "how many rows are drawn" },
    { "share", PERC_REAL, "0", 0, 1, NULL, "P", "the share of the rows that is drawn" },
    ROW_STRATIFY,
    { "by", PERC_TEXT, "", 0, 0, NULL, "group:COLUMN",
      "rows of one value of COLUMN stay together" },
    ROW_SEED,
};
const struct table split_table = { "split", "split", "how rows are divided", split_rows,
                                   sizeof split_rows / sizeof *split_rows };
const struct table sample_table = { "sample", "sample", "which rows are drawn", sample_rows,
                                    sizeof sample_rows / sizeof *sample_rows };

/* More labels than this are not counted, unless the draw depends on them: they are measurements. */
enum { LABELS_TOLD = 1000, NOTE_SIZE = 256 };

struct perc_split {
    struct env e;
    perc_split_info info;
    struct labels labels;
    uint64_t *count; /* by label: rows, and those drawn */
    struct text since;
};

/* ----- what is asked ------------------------------------------------------------------ */

enum by { BY_NOTHING, BY_GROUP, BY_TIME };

/* `column` gets the name. */
static perc_status read_by(const perc_params *p, enum by *by, const char **column, perc_error *err)
{
    const char *s = params_text(p, "by");
    const size_t n = strcspn(s, ":");

    *by = BY_NOTHING;
    *column = "";
    if (*s == '\0') return PERC_OK;
    if (n == 5 && strncmp(s, "group", 5) == 0) *by = BY_GROUP;
    if (n == 4 && strncmp(s, "time", 4) == 0 && p->table == &split_table) *by = BY_TIME;
    if (*by == BY_NOTHING || s[n] == '\0' || s[n + 1] == '\0')
        return fail(err, PERC_EARG, "--by is '%.40s'; it must be group:COLUMN%s", s,
                    p->table == &split_table ? " or time:COLUMN" : "");
    *column = s + n + 1;
    return PERC_OK;
}

/* "0.2": *share; "1000": *rows. */
static perc_status read_test(const char *s, double *share, uint64_t *rows, perc_error *err)
{
    const char *end = s + strlen(s);
    enum number_fault fault;
    int64_t n;

    *rows = 0;
    *share = 0;
    if (number_parse_int(s, (size_t)(end - s), &n) && n > 0) {
        *rows = (uint64_t)n;
        return PERC_OK;
    }
    if (number_scan(s, end, share, &fault) == end && fault == NUMBER_OK && *share > 0 && *share < 1)
        return PERC_OK;
    return fail(
        err, PERC_EARG,
        "--test is '%.40s'; it must be a share of the rows, above 0 and below 1, or a number "
        "of rows",
        s);
}

perc_status parts_check(const perc_params *p, perc_error *err)
{
    const bool split = p->table == &split_table;
    const char *column;
    double share = split ? 0 : params_real(p, "share");
    uint64_t rows = split ? 0 : (uint64_t)params_int(p, "rows");
    enum by by;
    perc_status st = read_by(p, &by, &column, err);

    if (!st && split) st = read_test(params_text(p, "test"), &share, &rows, err);
    if (!st && (share > 0) == (rows > 0))
        st = fail(err, PERC_EARG,
                  share > 0 ? "--rows and --share are two answers to one question"
                            : "how many rows? (pass --rows N or --share P)");
    if (!st && by == BY_TIME && params_bool(p, "stratify"))
        st = fail(err, PERC_EARG,
                  "--stratify: the newest rows have the labels they have (leave out --stratify)");
    if (!st && by == BY_TIME && params_given(p, "seed"))
        st = fail(err, PERC_EARG,
                  "--seed: nothing is random about the newest rows (leave out --seed)");
    return st;
}

/* ----- a run ---------------------------------------------------------------------------- */

struct parting {
    struct env e;
    const char *path;
    enum by by;
    bool stratify, split;
    double share;
    uint64_t rows; /* asked for; 0: by share */
    uint64_t seed;
    struct cut cut;
    struct perc_split *out;

    bool labelled;     /* labels are counted */
    uint64_t *rows_of; /* by label */
    size_t rows_cap;
    struct { /* the label met last */
        char text[16];
        size_t len;
        uint32_t id;
    } last;
    struct schema groups; /* a set of texts */
    enum moment_kind kind;

    /* By row, of the n so far. */
    uint64_t n;
    uint32_t *label, *group;
    double *time;
    size_t label_cap, group_cap, time_cap;
    uint8_t *drawn;

    /* A text that is read once. */
    bool once;
    struct file_out kept; /* temp NULL: in memory */
    struct text memory;

    struct file_out file[2]; /* the rest, and what is drawn; of a sample the second alone */
};

static perc_status at_cell(const struct parting *p, const struct cut_piece *row,
                           const struct cell *cell, perc_status st, perc_error *err)
{
    if (err != NULL && st == PERC_EDATA) {
        err->line = cell->text != NULL ? cell->line : row->line;
        err->column = cell->text != NULL ? cell->column : 0;
    }
    return cut_blame(&p->cut, st, err);
}

/* Short labels follow each other again and again. */
static perc_status label_number(struct parting *p, const struct cell *c, uint32_t *id,
                                perc_error *err)
{
    *id = p->last.id;
    if (c->len == p->last.len && c->len > 0 && memcmp(c->text, p->last.text, c->len) == 0)
        return PERC_OK;
    const perc_status st = labels_add(&p->out->labels, c->text, c->len, id, err);
    p->last.len = 0;
    if (st || c->len > sizeof p->last.text) return st;
    memcpy(p->last.text, c->text, c->len);
    p->last.len = c->len;
    p->last.id = *id;
    return PERC_OK;
}

/* Without --stratify labels are for the report: what is wrong with one only ends the counting. */
static perc_status note_label(struct parting *p, const struct cut_piece *row, uint32_t *id,
                              perc_error *err)
{
    const struct cell *c = &row->cell[CUT_LABEL];
    const bool missing = c->text == NULL || (!c->quoted && csv_cell_is_missing(c->text, c->len));
    const size_t known = p->out->labels.n;
    perc_error *told = p->stratify ? err : NULL;
    perc_status st = missing ? fail(told, PERC_EDATA,
                                    "this row has no label, and --stratify asks for it")
                             : label_number(p, c, id, told);

    if (st && st != PERC_ENOMEM && p->stratify) return at_cell(p, row, c, st, err);
    if (st == PERC_ENOMEM || (!st && !MEM_GROW(&p->e, p->rows_of, &p->rows_cap, p->out->labels.n)))
        return fail_memory(err);
    if (st || (!p->stratify && p->out->labels.n > LABELS_TOLD)) {
        p->labelled = false;
        p->cut.wanted = p->by != BY_NOTHING;
        return PERC_OK;
    }
    if (p->out->labels.n > known) p->rows_of[*id] = 0;
    p->rows_of[*id]++;
    return PERC_OK;
}

static perc_status note_group(struct parting *p, const struct cut_piece *row, perc_error *err)
{
    const struct cell *c = &row->cell[CUT_BY];
    const char *text = c->text != NULL ? c->text : "";

    if (!MEM_GROW(&p->e, p->group, &p->group_cap, p->n + 1)) return fail_memory(err);
    p->out->info.groupless += c->len == 0;
    return schema_add(&p->groups, 0, text, c->len, &p->group[p->n]) ? fail_memory(err) : PERC_OK;
}

static perc_status note_time(struct parting *p, const struct cut_piece *row, perc_error *err)
{
    const struct cell *c = &row->cell[CUT_BY];
    const char *text = c->text != NULL ? c->text : "";

    if (!MEM_GROW(&p->e, p->time, &p->time_cap, p->n + 1)) return fail_memory(err);
    return at_cell(p, row, c, moment_take(text, c->len, &p->kind, &p->time[p->n], err), err);
}

/* What the draw depends on. */
static perc_status note_row(struct parting *p, const struct cut_piece *row, perc_error *err)
{
    uint32_t id = 0;
    perc_status st = PERC_OK;

    if (p->labelled && !MEM_GROW(&p->e, p->label, &p->label_cap, p->n + 1)) return fail_memory(err);
    if (p->labelled && !(st = note_label(p, row, &id, err))) p->label[p->n] = id;
    if (!st && p->by == BY_GROUP) st = note_group(p, row, err);
    if (!st && p->by == BY_TIME) st = note_time(p, row, err);
    p->n++;
    return st;
}

/* Of a text that is read once. A byte order mark is taken off the beginning of files alone. */
static perc_status keep_piece(struct parting *p, const struct cut_piece *piece, perc_error *err)
{
    if (!p->once) return PERC_OK;
    if (p->kept.temp != NULL) return file_write(&p->kept, piece->text, piece->len, err);
    if (!piece->mark) text_add(&p->memory, piece->text, piece->len);
    return p->memory.oom ? fail_memory(err) : PERC_OK;
}

static perc_status first_pass(struct parting *p, perc_error *err)
{
    struct cut_piece piece;
    perc_status st;

    while (!(st = cut_next(&p->cut, &piece, err)) && piece.kind != CUT_END) {
        p->out->info.bytes += piece.len;
        if ((st = keep_piece(p, &piece, err))) break;
        if (piece.kind == CUT_ROW && (st = note_row(p, &piece, err))) break;
    }
    return st;
}

/* ----- the draw --------------------------------------------------------------------------- */

/* How many rows are wanted, of n. */
static uint64_t wanted_rows(const struct parting *p)
{
    const double part = floor(p->share * (double)p->n + 0.5);
    uint64_t want = p->rows > 0 ? p->rows : part > 1 ? (uint64_t)part : 1;

    if (p->split && want >= p->n) want = p->n - 1;
    return want < p->n ? want : p->n;
}

static perc_status too_few_rows(const struct parting *p, perc_error *err)
{
    if (p->n == 0) return fail(err, PERC_EDATA, NO_ROWS);
    if (p->split && p->n < 2) return fail(err, PERC_EDATA, "one row cannot be divided");
    if (p->split && p->rows >= p->n)
        return fail(err, PERC_EDATA,
                    "there are %llu rows, and %llu in TEST would leave none for TRAIN (lower "
                    "--test)",
                    (unsigned long long)p->n, (unsigned long long)p->rows);
    return PERC_OK;
}

/* Groups of which some row is drawn: all of each is. */
static perc_status count_groups(struct parting *p, perc_error *err)
{
    uint8_t *seen = mem_zeroed(&p->e, p->groups.categories, 1);

    if (seen == NULL) return fail_memory(err);
    for (uint64_t i = 0; i < p->n; i++) {
        if (p->drawn[i] && !seen[p->group[i]]) p->out->info.drawn_groups++;
        seen[p->group[i]] |= p->drawn[i];
    }
    p->out->info.groups = p->groups.categories;
    mem_free(&p->e, seen, p->groups.categories, 1);
    return PERC_OK;
}

static perc_status draw_parts(struct parting *p, perc_error *err)
{
    perc_status st = too_few_rows(p, err);

    if (st) return st;
    const struct draw d = { .rows = p->n,
                            .want = wanted_rows(p),
                            .seed = p->seed,
                            .label = p->stratify ? p->label : NULL,
                            .labels = p->out->labels.n,
                            .group = p->group,
                            .groups = p->groups.categories,
                            .time = p->time,
                            .rest = p->split };
    p->drawn = mem_array(&p->e, p->n, 1);
    if (p->drawn == NULL) return fail_memory(err);
    st = draw_rows(&p->e, &d, p->drawn, &p->out->info.drawn, err);
    p->out->info.rows = p->n;
    if (!st && p->by == BY_GROUP) st = count_groups(p, err);
    return st;
}

/* ----- the second pass ----------------------------------------------------------------------- */

static perc_status begin_again(struct parting *p, perc_error *err)
{
    static const char pad[SOURCE_PAD] = { 0 };

    if (!p->once) return cut_again(&p->cut, NULL, err);
    if (p->kept.temp != NULL) {
        const perc_status st = file_flush(&p->kept, err);
        return st ? st : cut_again(&p->cut, p->kept.temp, err);
    }
    text_add(&p->memory, pad, sizeof pad);
    if (p->memory.oom) return fail_memory(err);
    cut_memory(&p->cut, p->memory.s, p->memory.len - sizeof pad);
    return PERC_OK;
}

/* The first row drawn of those with the oldest time; UINT64_MAX: it does not matter. */
static uint64_t oldest_drawn(const struct parting *p)
{
    uint64_t oldest = UINT64_MAX;

    for (uint64_t i = 0; i < p->n && p->by == BY_TIME; i++)
        if (p->drawn[i] && (oldest == UINT64_MAX || p->time[i] < p->time[oldest])) oldest = i;
    return oldest;
}

static perc_status write_piece(struct parting *p, const struct cut_piece *piece, uint64_t rows,
                               perc_error *err)
{
    const bool drawn = rows > 0 && p->drawn[rows - 1];
    const bool both = rows == 0 || piece->kind == CUT_HEAD;
    perc_status st = PERC_OK;

    if (p->split && (both || !drawn)) st = file_write(&p->file[0], piece->text, piece->len, err);
    if (!st && (both || drawn)) st = file_write(&p->file[1], piece->text, piece->len, err);
    return st;
}

static perc_status second_pass(struct parting *p, perc_error *err)
{
    const uint64_t oldest = oldest_drawn(p);
    struct cut_piece piece;
    uint64_t rows = 0, bytes = 0;
    perc_status st = begin_again(p, err);

    while (!st) {
        p->cut.wanted = rows == oldest;
        if ((st = cut_next(&p->cut, &piece, err)) || piece.kind == CUT_END) break;
        bytes += piece.len;
        rows += piece.kind == CUT_ROW;
        if (rows > p->n) break;
        if (piece.kind == CUT_ROW && rows == oldest + 1)
            text_add(&p->out->since, piece.cell[CUT_BY].text, piece.cell[CUT_BY].len);
        st = p->out->since.oom ? fail_memory(err) : write_piece(p, &piece, rows, err);
    }
    if (!st && (rows != p->n || bytes != p->out->info.bytes))
        st = fail(err, PERC_EDATA, "the file has changed while it was read");
    return st;
}

/* ----- a sample of what is read once ------------------------------------------------- */

struct sampled {
    uint64_t row;
    uint32_t label;
    struct text text; /* with what comes between it and the next row */
};

struct reservoir {
    struct rng rng;
    struct text head;
    struct sampled *at; /* `rows` places, `n` in use */
    size_t n, cap;
    struct text *last; /* where what is no row belongs; NULL: nowhere */
};

static perc_status put_sampled(struct parting *p, struct reservoir *r,
                               const struct cut_piece *piece, perc_error *err)
{
    uint32_t id = 0;
    perc_status st = p->labelled ? note_label(p, piece, &id, err) : PERC_OK;
    const uint64_t k = draw_place(&r->rng, p->n, p->rows);

    if (st) return st;
    r->last = NULL;
    if (k == UINT64_MAX) return PERC_OK;
    if (k == r->n) {
        if (!MEM_GROW(&p->e, r->at, &r->cap, r->n + 1)) return fail_memory(err);
        text_init(&r->at[r->n++].text, &p->e);
    }
    struct sampled *s = &r->at[k];
    s->row = p->n;
    s->label = id;
    s->text.len = 0;
    r->last = &s->text;
    return PERC_OK;
}

static int by_row(const void *a, const void *b)
{
    const struct sampled *x = a, *y = b;

    return x->row < y->row ? -1 : x->row > y->row;
}

static perc_status write_sampled(struct parting *p, struct reservoir *r, perc_error *err)
{
    perc_status st = too_few_rows(p, err);

    if (!st) st = file_write(&p->file[1], r->head.s, r->head.len, err);
    sort_items(r->at, r->n, sizeof *r->at, by_row);
    for (size_t i = 0; i < r->n && !st; i++)
        st = file_write(&p->file[1], r->at[i].text.s, r->at[i].text.len, err);
    p->out->info.rows = p->n;
    p->out->info.drawn = r->n;
    return st;
}

/* Rows drawn as draw_rows would, met once. */
static perc_status take_stream(struct parting *p, struct reservoir *r, perc_error *err)
{
    struct cut_piece piece;
    perc_status st;

    r->rng = rng_seed(p->seed, DRAW_ROWS);
    text_init(&r->head, &p->e);
    r->last = &r->head;
    while (!(st = cut_next(&p->cut, &piece, err)) && piece.kind != CUT_END) {
        p->out->info.bytes += piece.len;
        if (piece.kind == CUT_ROW) {
            if ((st = put_sampled(p, r, &piece, err))) break;
            p->n++;
        }
        if (r->last != NULL) text_add(r->last, piece.text, piece.len);
        if (r->last != NULL && r->last->oom) return fail_memory(err);
    }
    return st ? st : write_sampled(p, r, err);
}

/* ----- from the beginning to the end --------------------------------------------------- */

/* Labels in the order of their values, with their counts. */
static perc_status count_labels(struct parting *p, const struct reservoir *r, perc_error *err)
{
    struct perc_split *s = p->out;
    const size_t n = s->labels.n;
    uint32_t *map = mem_array(&p->e, n, sizeof *map);
    perc_status st = PERC_OK;

    if (!p->labelled || n == 0) {
        mem_free(&p->e, map, n, sizeof *map);
        return PERC_OK;
    }
    s->count = mem_zeroed(&s->e, 2 * n, sizeof *s->count);
    s->info.labels = s->count != NULL ? n : 0;
    if (map == NULL || s->count == NULL || labels_sort(&s->labels, map)) {
        st = fail_memory(err);
    } else {
        for (size_t c = 0; c < n; c++) s->count[2 * map[c]] = p->rows_of[c];
        for (uint64_t i = 0; i < p->n && p->drawn != NULL; i++)
            s->count[2 * map[p->label[i]] + 1] += p->drawn[i];
        for (size_t i = 0; i < r->n; i++) s->count[2 * map[r->at[i].label] + 1]++;
    }
    mem_free(&p->e, map, n, sizeof *map);
    return st;
}

/* Where a text that is read once can wait: beside an output. */
static perc_status open_kept(struct parting *p, const char *const path[2], perc_error *err)
{
    perc_status st = PERC_OK;

    text_init(&p->memory, &p->e);
    for (int i = 0; i < 2 && !st && p->kept.temp == NULL; i++)
        if (p->file[i].temp != NULL) st = file_create(&p->e, path[i], &p->kept, err);
    return st;
}

static perc_status run_parting(struct parting *p, const perc_params *data, const char *column,
                               const char *const path[2], perc_error *err)
{
    struct reservoir r = { .n = 0 };
    perc_status st = cut_open(&p->e, p->path, data, column, &p->cut, p->out->info.note, err);

    for (int i = 0; i < 2 && !st; i++)
        if (path[i] != NULL) st = file_create(&p->e, path[i], &p->file[i], err);
    p->labelled = true;
    p->once = paths_once(&p->cut.files) != NULL;
    const bool stream = p->once && !p->split && p->rows > 0 && !p->stratify && p->by == BY_NOTHING;
    if (!st && stream) {
        st = take_stream(p, &r, err);
    } else if (!st) {
        if (p->once) st = open_kept(p, path, err);
        if (!st) st = first_pass(p, err);
        if (!st) st = draw_parts(p, err);
        if (!st) st = second_pass(p, err);
    }
    if (!st) st = count_labels(p, &r, err);
    p->out->info.unchecked = cut_unchecked(&p->cut);
    p->out->info.format = p->cut.format;
    if (!st) st = file_commit_all(p->split ? &p->file[0] : &p->file[1], p->split ? 2 : 1, err);
    for (size_t i = 0; i < r.n; i++) text_free(&r.at[i].text);
    mem_free(&p->e, r.at, r.cap, sizeof *r.at);
    text_free(&r.head);
    return st;
}

static void free_parting(struct parting *p)
{
    file_abort(&p->file[0]);
    file_abort(&p->file[1]);
    file_abort(&p->kept);
    cut_close(&p->cut);
    schema_free(&p->groups);
    text_free(&p->memory);
    mem_free(&p->e, p->rows_of, p->rows_cap, sizeof *p->rows_of);
    mem_free(&p->e, p->label, p->label_cap, sizeof *p->label);
    mem_free(&p->e, p->group, p->group_cap, sizeof *p->group);
    mem_free(&p->e, p->time, p->time_cap, sizeof *p->time);
    mem_free(&p->e, p->drawn, p->n, 1);
}

static perc_status make_parts(const struct env *e, const char *text, const perc_params *data,
                              const perc_params *how, const char *const path[2], perc_split **out,
                              perc_error *err)
{
    struct parting p = { .e = *e, .path = text, .cut.e = *e };
    perc_params *own = NULL;
    const char *column;
    perc_status st;

    p.split = how->table == &split_table;
    p.stratify = params_bool(how, "stratify");
    p.seed = (uint64_t)params_int(how, "seed");
    if ((st = parts_check(how, err)) || (st = read_by(how, &p.by, &column, err))) return st;
    if (p.split) {
        st = read_test(params_text(how, "test"), &p.share, &p.rows, err);
    } else {
        p.rows = (uint64_t)params_int(how, "rows");
        p.share = params_real(how, "share");
    }
    if (st) return st;
    if (data == NULL && params_new(e, &data_table, &own)) return fail_memory(err);
    schema_init(&p.groups, e);
    if ((p.out = mem_zeroed(e, 1, sizeof *p.out)) == NULL) {
        perc_params_free(own);
        return fail_memory(err);
    }
    p.out->e = *e;
    labels_init(&p.out->labels, e);
    text_init(&p.out->since, e);
    st = run_parting(&p, data != NULL ? data : own, column, path, err);
    free_parting(&p);
    perc_params_free(own);
    if (st) perc_split_free(p.out);
    else *out = p.out; /* the caller's now */
    return st;
}

perc_status perc_split_rows(const perc_env *env, const char *path, const perc_params *data,
                            const perc_params *how, const char *train, const char *test,
                            perc_split **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(path != NULL && train != NULL && test != NULL);
    NEED_PARAMS(how, "split");
    if (data != NULL) NEED_PARAMS(data, "data");
    const struct env e = env_resolve(env);

    return make_parts(&e, path, data, how, (const char *const[2]){ train, test }, out, err);
}

perc_status perc_sample_rows(const perc_env *env, const char *path, const perc_params *data,
                             const perc_params *how, const char *sample, perc_split **out,
                             perc_error *err)
{
    NEED_OUT(out);
    NEED(path != NULL && sample != NULL);
    NEED_PARAMS(how, "sample");
    if (data != NULL) NEED_PARAMS(data, "data");
    const struct env e = env_resolve(env);

    return make_parts(&e, path, data, how, (const char *const[2]){ NULL, sample }, out, err);
}

/* ----- what was done --------------------------------------------------------------------- */

void perc_split_info_get_sized(const perc_split *s, perc_split_info *info, size_t size)
{
    perc_split_info own = { 0 };

    if (s != NULL) {
        own = s->info;
        own.since = s->since.s != NULL ? s->since.s : "";
    }
    sized_copy(info, size, &own, sizeof own);
}

const char *perc_split_label(const perc_split *s, size_t i, uint64_t *rows, uint64_t *drawn)
{
    const bool there = s != NULL && i < s->info.labels;

    if (rows != NULL) *rows = there ? s->count[2 * i] : 0;
    if (drawn != NULL) *drawn = there ? s->count[2 * i + 1] : 0;
    return there ? s->labels.at[i].text : NULL;
}

void perc_split_free(perc_split *s)
{
    if (s == NULL) return;
    const struct env e = s->e;

    mem_free(&e, s->count, 2 * (uint64_t)s->info.labels, sizeof *s->count);
    labels_free(&s->labels);
    text_free(&s->since);
    mem_free(&e, s, 1, sizeof *s);
}
