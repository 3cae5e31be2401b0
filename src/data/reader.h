/* reader.h -- text, of one file or several, as a sequence of blocks, parsed by several threads and
 * handed over in file order. Loading, streaming and predicting all read this way. */
#ifndef PERC_READER_H
#define PERC_READER_H

#include "base/params.h"
#include "base/watch.h"
#include "data/block.h"
#include "data/map.h"
#include "data/parser.h"
#include "data/paths.h"
#include "data/schema.h"

struct reader;

/* `data`: parameters of the "data" table, never NULL; with its "more", `path` says which files
 * (paths.h). `model`: NULL in training. Does not read block files. */
/* `slabs`: where the blocks' memory comes from; NULL: each has its own. `watch` (NULL: nobody) is
 * asked by the caller's thread while there is nothing to read, and must stay. */
perc_status reader_open(const struct env *e, const char *path, const perc_params *data,
                        const struct reader_model *model, struct slabs *slabs,
                        const struct watch *watch, struct reader **out, perc_error *err);

/* The same for a proof: blocks of doubles have their digits, too. `data` must not ask for
 * hashing, for filling in missing cells, or for rounding. */
perc_status reader_open_exact(const struct env *e, const char *path, const perc_params *data,
                              struct slabs *slabs, const struct watch *watch, struct reader **out,
                              perc_error *err);

/* The next block, in file order, with its lines counted in the file and its
 * labels numbered in reader_labels (in order of appearance). *more is false, and
 * *out empty, at the end. Blocks without rows are skipped. PERC_EUNDECIDED: the watch said no. */
perc_status reader_next(struct reader *r, struct block *out, bool *more, perc_error *err);

/* With reader_model.keep: which columns, and the cells of the rows that reader_next gave last. */
const struct carry *reader_carry(const struct reader *r);
const struct carried *reader_carried(const struct reader *r);

struct perc_files *reader_files(struct reader *r); /* may be taken over at the end */
/* Of the table; of any other text, the plain one. */
const struct notation *reader_notation(const struct reader *r);

struct labels *reader_labels(struct reader *r);
/* columns == 0 for LIBSVM text, but hash_bits always; may be taken over */
struct schema *reader_schema(struct reader *r);

struct reader_facts {
    const char *format;      /* parser_name */
    bool zero_index;         /* an index 0 was seen so far */
    bool fill;               /* missing cells are NaN and must be filled */
    unsigned hash_bits;      /* of the features; 0: they are not hashed */
    uint64_t hashed, shared; /* buckets in use, and by several features; not for a model */
    uint64_t bytes, unchecked, unknown, dropped;
    uint64_t ignored; /* columns */
    const char *note;
};
struct reader_facts reader_facts(struct reader *r);
void reader_close(struct reader *r); /* NULL is fine */

#endif
