/* reader.c -- chunks are parsed by several threads and delivered in order.
 *
 *     source --chunk k--> worker: parse, pack --piece k--> ring --> reader_next
 *
 * A worker takes the next chunk of the file, parses it into its own rows, packs
 * these into a block, and puts the piece at place k of a ring. The caller takes
 * the pieces in order. A worker that is too far ahead waits, so memory is bounded
 * by the ring whatever the file's size.
 *
 * Everything that depends on what came before in the file (line numbers, label
 * numbers, the features of categories) is decided in reader_next, in order: so
 * the blocks, and the error reported when several lines are bad, are the same
 * for any number of threads. With one thread, or where none can be started,
 * reader_next does the worker's part itself.
 *
 * Exact reading: a chunk whose numbers are all short decimals is exact as it is. One that comes
 * out as doubles is parsed again, the slow way, which keeps the decimals. A worker that
 * had such a chunk begins the next one the slow way. Whichever it began with, the block
 * is the same, and so is the error: first what is wrong for any reader, then what only
 * an exact one refuses. */
#include "data/reader.h"

#include <string.h>

#include "base/pthreads.h"
#include "data/source.h"

enum { MAX_WORKERS = 64, RING = 2 * MAX_WORKERS };

/* What became of chunk `number`. */
struct piece {
    bool full;
    uint64_t number;
    size_t file; /* which it is of */
    perc_status st;
    perc_error err;
    struct block block;
    struct labels labels;
    int64_t lines;
    uint64_t unknown, dropped;
    bool zero_index;
    struct buckets seen;
    struct carried carried;
    uint64_t *gaps; /* missing cells by column; NULL: none */
    size_t gap_columns;
    /* With names that become features: packed only after these are known. */
    bool late;
    struct rows rows;
    struct csv_chunk categories;
};

struct reader_worker {
    struct reader *reader;
    pthread_t id;
    struct chunk chunk;
    struct rows rows;
    bool wide; /* the last chunk's numbers were not all short decimals */
};

struct reader {
    struct env e;
    struct perc_files files;
    struct source *source;
    struct slabs *slabs;
    struct parser parser;
    bool float32, exact;
    char note[256];

    struct labels labels; /* of the file so far */
    struct buckets seen;  /* hashing, in training: of the file so far */
    int64_t lines;        /* line ends before the next piece, in all files */
    uint64_t rows, unknown, dropped;
    bool zero_index, ended;
    struct carried carried; /* of the block delivered last */
    perc_reading_fn notify;
    void *notify_ud;
    const struct watch *watch;
    struct watch idle; /* what the source asks */
    bool alone;        /* the caller reads, too: there are no threads */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct piece ring[RING];
    size_t ring_size;    /* places of the ring in use */
    uint64_t taken, end; /* pieces delivered; number of the first empty chunk */
    bool stop, waits;    /* waits: for text, and whoever asks the watch should */
    int workers;         /* threads running; 0: the caller does the work */
    struct reader_worker worker[MAX_WORKERS];
};

/* ----- a worker's part --------------------------------------------------------- */

static void piece_free(struct piece *p)
{
    carry_release(&p->carried);
    block_free(&p->block);
    labels_free(&p->labels);
    rows_free(&p->rows);
    schema_free(&p->categories.local);
    hashing_buckets_free(&p->seen);
    mem_free(&p->block.e, p->gaps, p->gap_columns, sizeof *p->gaps);
    *p = (struct piece){ 0 };
}

static perc_status make_block(struct reader *r, struct reader_worker *w, struct piece *p)
{
    struct rows *rows = &w->rows;

    p->lines = rows->lines;
    p->unknown = rows->unknown;
    p->dropped = rows->dropped;
    p->zero_index = rows->zero_index;
    p->labels = rows->labels; /* moved */
    labels_init(&rows->labels, &r->e);
    p->seen = rows->seen; /* moved */
    hashing_buckets_init(&rows->seen, &r->e, 0);
    p->carried = rows->carried; /* moved */
    rows->carried = (struct carried){ .at = NULL };
    p->gaps = rows->gaps; /* moved */
    p->gap_columns = rows->gap_columns;
    rows->gaps = NULL;
    rows->gap_columns = 0;
    if (r->parser.late) {
        if (!rows->packed && !rows_keep_text(rows)) return fail_memory(&p->err);
        p->late = true;
        p->rows = *rows; /* moved */
        rows_init(rows, &r->e);
        return PERC_OK;
    }
    if (rows->n == 0) return PERC_OK;
    if (block_from_rows(&r->e, r->slabs, rows, r->float32, &p->block)) return fail_memory(&p->err);
    return PERC_OK;
}

static perc_status parse_chunk(struct reader *r, struct reader_worker *w, struct piece *p,
                               bool exact)
{
    const struct chunk *c = &w->chunk;
    perc_status st = PERC_OK;

    rows_reset(&w->rows);
    w->rows.exact = exact;
    if (c->begins && c->number > 0)
        st = parser_follow(&r->parser, c->text, c->len, r->files.name[0], &p->err);
    if (st) return st;
    return parser_chunk(&r->parser, c->text, c->len, c->begins, &w->rows, &p->categories, &p->err);
}

/* Parses so that every number is kept: as a short decimal, or as a decimal beside its
 * double. */
static perc_status parse_exactly(struct reader *r, struct reader_worker *w, struct piece *p)
{
    perc_status st = parse_chunk(r, w, p, w->wide);

    if (st == PERC_EDATA && w->wide) { /* what would a reader that is not exact say? */
        st = parse_chunk(r, w, p, false);
        w->wide = false;
    }
    if (!st && !w->wide && !w->rows.packed) st = parse_chunk(r, w, p, true);
    w->wide = !w->rows.packed;
    return st;
}

/* Reads, parses and packs one chunk. false: the text has ended. */
static bool make_piece(struct reader *r, struct reader_worker *w, struct piece *p)
{
    *p = (struct piece){ .full = true };
    labels_init(&p->labels, &r->e);
    rows_init(&p->rows, &r->e);
    schema_init(&p->categories.local, &r->e);
    hashing_buckets_init(&p->seen, &r->e, 0);
    p->block.e = r->e;
    p->st = source_next(r->source, &w->chunk, &p->err);
    p->number = w->chunk.number;
    p->file = w->chunk.file;
    if (p->st) return true;
    if (w->chunk.len == 0) return false;

    p->st = r->exact ? parse_exactly(r, w, p) : parse_chunk(r, w, p, false);
    if (!p->st) p->st = make_block(r, w, p);
    return true;
}

/* Puts a piece into the ring, once its place is free. */
static void deliver_piece(struct reader *r, struct piece *p, bool more)
{
    pthread_mutex_lock(&r->lock);
    while (!r->stop && more && p->number >= r->taken + r->ring_size)
        pthread_cond_wait(&r->changed, &r->lock);
    if (!more && p->number < r->end) r->end = p->number;
    if (p->st && p->number + 1 < r->end) r->end = p->number + 1; /* nothing after it counts */
    if (more && (!r->stop || p->number < r->taken + r->ring_size)) {
        r->ring[p->number % r->ring_size] = *p; /* moved */
        *p = (struct piece){ 0 };
    }
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    piece_free(p);
}

static void *worker_main(void *ud)
{
    struct reader_worker *w = ud;
    struct reader *r = w->reader;
    struct piece p;

    for (;;) {
        pthread_mutex_lock(&r->lock);
        const bool done = r->stop || r->end != UINT64_MAX;
        pthread_mutex_unlock(&r->lock);
        if (done) return NULL;
        const bool more = make_piece(r, w, &p);
        deliver_piece(r, &p, more);
    }
}

/* ----- opening ------------------------------------------------------------------ */

/* The files, and what their text is. */
static perc_status open_text(struct reader *r, const char *path, const perc_params *data,
                             const struct reader_model *model, perc_error *err)
{
    const char *text;
    size_t len;
    perc_status st = paths_find(&r->e, path, params_text(data, "more"), &r->files, err);

    if (!st) st = source_open_all(&r->e, r->files.name, r->files.n, &r->idle, &r->source, err);
    if (st) return st;
    st = source_peek(r->source, 2, &text, &len, err); /* a header and a row */
    if (!st) st = parser_open(&r->e, text, len, data, model, &r->parser, r->note, err);
    if (!st && r->files.n > 1) st = parser_keep(&r->parser, text, len, err);
    return paths_blame(&r->files, source_file(r->source), st, err);
}

/* There is nothing to read at the moment. A worker wakes the caller, who asks (next_piece). */
static bool ask_idle(void *ud, int64_t passes)
{
    struct reader *r = ud;

    if (r->alone) return watch_ask(r->watch, passes);
    pthread_mutex_lock(&r->lock);
    const bool go_on = !r->stop;
    r->waits = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    return go_on;
}

static perc_status open_reader(const struct env *e, const char *path, const perc_params *data,
                               const struct reader_model *model, struct slabs *slabs, bool exact,
                               const struct watch *watch, struct reader **out, perc_error *err)
{
    struct reader *r = mem_zeroed(e, 1, sizeof *r);
    perc_status st;

    *out = NULL;
    if (r == NULL) return fail_memory(err);
    r->e = *e;
    r->slabs = slabs;
    r->exact = exact;
    r->end = UINT64_MAX;
    r->watch = watch;
    r->idle = (struct watch){ watch != NULL && watch->ask != NULL ? ask_idle : NULL, r };
    r->alone = true;
    r->float32 = params_bool(data, "float32");
    r->notify = data->notify;
    r->notify_ud = data->notify_ud;
    labels_init(&r->labels, e);
    hashing_buckets_init(&r->seen, e, 0);
    if (pthread_mutex_init(&r->lock, NULL) != 0) {
        mem_free(e, r, 1, sizeof *r);
        return fail_memory(err);
    }
    if (pthread_cond_init(&r->changed, NULL) != 0) {
        pthread_mutex_destroy(&r->lock);
        mem_free(e, r, 1, sizeof *r);
        return fail_memory(err);
    }
    st = open_text(r, path, data, model, err);
    r->parser.table.exact = exact;
    if (!st && exact) st = csv_check_exact(&r->parser.table.schema, err);
    r->seen.bits = r->parser.seen_bits;
    if (st) {
        reader_close(r);
        return st;
    }
    source_quotes(r->source, parser_quotes(&r->parser));
    const int n = r->e.threads < MAX_WORKERS ? r->e.threads : MAX_WORKERS;
    for (int i = 0; i < MAX_WORKERS; i++) {
        r->worker[i].reader = r;
        r->worker[i].chunk.e = r->e;
        rows_init(&r->worker[i].rows, &r->e);
    }
    r->ring_size = (size_t)(2 * n);
    r->alone = n <= 1;
    for (int i = 0; n > 1 && i < n; i++) {
        struct reader_worker *w = &r->worker[r->workers];
        r->workers += pthread_create(&w->id, NULL, worker_main, w) == 0;
    }
    if (r->workers == 0) r->alone = true;
    *out = r;
    return PERC_OK;
}

perc_status reader_open(const struct env *e, const char *path, const perc_params *data,
                        const struct reader_model *model, struct slabs *slabs,
                        const struct watch *watch, struct reader **out, perc_error *err)
{
    return open_reader(e, path, data, model, slabs, false, watch, out, err);
}

perc_status reader_open_exact(const struct env *e, const char *path, const perc_params *data,
                              struct slabs *slabs, const struct watch *watch, struct reader **out,
                              perc_error *err)
{
    return open_reader(e, path, data, NULL, slabs, true, watch, out, err);
}

static void tell_reading(struct reader *r, bool ended)
{
    perc_reading reading = { .rows = r->rows, .ended = ended };

    if (r->notify == NULL || r->source == NULL) return;
    reading.bytes = source_place(r->source, &reading.of);
    r->notify(r->notify_ud, &reading);
}

void reader_close(struct reader *r)
{
    if (r == NULL) return;
    const struct env e = r->e;

    tell_reading(r, true);

    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    for (int i = 0; i < r->workers; i++) pthread_join(r->worker[i].id, NULL);
    for (int i = 0; i < MAX_WORKERS; i++) {
        if (r->worker[i].reader == NULL) continue; /* never set up */
        source_chunk_free(&r->worker[i].chunk);
        rows_free(&r->worker[i].rows);
    }
    for (int i = 0; i < RING; i++)
        if (r->ring[i].full) piece_free(&r->ring[i]);
    labels_free(&r->labels);
    hashing_buckets_free(&r->seen);
    carry_release(&r->carried);
    parser_free(&r->parser);
    source_close(r->source);
    paths_free(&r->files);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    mem_free(&e, r, 1, sizeof *r);
}

/* ----- delivering in order --------------------------------------------------------- */

/* Under the lock. */
static void wait_for_worker(struct reader *r)
{
    if (!r->waits) {
        pthread_cond_wait(&r->changed, &r->lock);
        return;
    }
    r->waits = false;
    pthread_mutex_unlock(&r->lock);
    const bool go_on = watch_ask(r->watch, 0);
    pthread_mutex_lock(&r->lock);
    r->stop |= !go_on;
}

/* The next piece in file order; false at the end. */
static bool next_piece(struct reader *r, struct piece *out)
{
    if (r->workers == 0) {
        const bool more = make_piece(r, &r->worker[0], out);
        if (!more) piece_free(out);
        return more;
    }
    pthread_mutex_lock(&r->lock);
    struct piece *p = &r->ring[r->taken % r->ring_size];
    while (!r->stop && r->taken < r->end && !(p->full && p->number == r->taken)) wait_for_worker(r);
    const bool more = r->stop || r->taken < r->end;
    if (r->stop) {
        *out = (struct piece){ .st = PERC_EUNDECIDED };
        fail(&out->err, PERC_EUNDECIDED, "stopped while the data were read");
    } else if (more) {
        *out = *p; /* moved */
        *p = (struct piece){ 0 };
        r->taken++;
        pthread_cond_broadcast(&r->changed);
    }
    pthread_mutex_unlock(&r->lock);
    return more;
}

static perc_status merge_piece(struct reader *r, struct piece *p, perc_error *err)
{
    const bool several = r->files.n > 1;
    perc_status st = p->st;

    if (several) paths_begin(&r->files, p->file, r->lines);
    if (st) {
        if (p->err.line > 0) p->err.line += r->lines - (several ? r->files.before[p->file] : 0);
        if (err != NULL) *err = p->err;
        return paths_blame(&r->files, p->file, st, err);
    }
    if (p->late) {
        if ((st = parser_merge(&r->parser, &p->categories, &p->rows, err)))
            return paths_blame(&r->files, p->file, st, err);
        if (p->rows.n > 0 && block_from_rows(&r->e, r->slabs, &p->rows, r->float32, &p->block))
            return fail_memory(err);
    }
    if (p->block.rows > 0 &&
        (st = labels_join(&r->labels, &p->labels, p->block.label, p->block.rows, err)))
        return st;
    if (r->seen.bits > 0 && !hashing_buckets_join(&r->seen, &p->seen)) return fail_memory(err);
    /* Every bucket is a feature, even one that is still empty. */
    if (reader_schema(r)->hash_bits > 0) p->block.columns = schema_features(reader_schema(r));
    for (size_t i = 0; i < p->gap_columns; i++) reader_schema(r)->column[i].filled += p->gaps[i];
    p->block.first_line += r->lines;
    p->block.files = several ? &r->files : NULL;
    p->block.first_row = r->rows;
    r->lines += p->lines;
    r->rows += p->block.rows;
    r->unknown += p->unknown;
    r->dropped += p->dropped;
    r->zero_index |= p->zero_index;
    return PERC_OK;
}

perc_status reader_next(struct reader *r, struct block *out, bool *more, perc_error *err)
{
    struct piece p;
    perc_status st = PERC_OK;

    *out = (struct block){ .e = r->e };
    *more = false;
    while (!r->ended) {
        if (!next_piece(r, &p)) {
            r->ended = true;
            break;
        }
        st = merge_piece(r, &p, err);
        if (!st && p.block.rows > 0) {
            *out = p.block; /* moved */
            p.block = (struct block){ .e = r->e };
            carry_release(&r->carried);
            r->carried = p.carried; /* moved */
            p.carried = (struct carried){ .at = NULL };
            *more = true;
        }
        if (!st) tell_reading(r, false);
        piece_free(&p);
        if (st) r->ended = true;
        if (*more || st) break;
    }
    return st;
}

const struct carry *reader_carry(const struct reader *r)
{
    return &r->parser.table.carry;
}

const struct carried *reader_carried(const struct reader *r)
{
    return &r->carried;
}

struct perc_files *reader_files(struct reader *r)
{
    return &r->files;
}

const struct notation *reader_notation(const struct reader *r)
{
    return &r->parser.table.schema.notation;
}

struct labels *reader_labels(struct reader *r)
{
    return &r->labels;
}

struct schema *reader_schema(struct reader *r)
{
    return &r->parser.table.schema;
}

struct reader_facts reader_facts(struct reader *r)
{
    return (struct reader_facts){ .format = parser_name(&r->parser),
                                  .zero_index = r->zero_index,
                                  .fill = csv_fills(&r->parser.table),
                                  .hash_bits = reader_schema(r)->hash_bits,
                                  .hashed = r->seen.used,
                                  .shared = r->seen.shared,
                                  .bytes = source_bytes(r->source),
                                  .unchecked = source_unchecked(r->source),
                                  .unknown = r->unknown,
                                  .dropped = r->dropped,
                                  .ignored = r->parser.table.ignored,
                                  .note = r->note };
}
