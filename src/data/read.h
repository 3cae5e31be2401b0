/* read.h -- reading whole data sets; what streaming shares with it. */
#ifndef PERC_READ_H
#define PERC_READ_H

#include "base/watch.h"
#include "data/dataset.h"
#include "data/reader.h"

/* Reads data for a model with the transform t, whose data had `columns` columns. settled: its
 * schema, where that of *model has levels that are not settled (levels.h); else NULL. */
perc_status read_dataset_for(const struct env *e, const char *path, const perc_params *data,
                             const struct reader_model *model, const struct transform *t,
                             const struct schema *settled, uint64_t columns, perc_dataset **out,
                             perc_error *err);

/* What a run that begins with a model takes over from it: the scaling of the columns that have the
 * same names, or indices where neither has names. */
struct read_start {
    const char *path; /* of the model, for messages */
    const struct transform *transform;
    const struct schema *schema;
    const struct schema *names; /* of its columns (schema_index) */
    uint64_t base, columns;     /* those between are its features */
};
/* PERC_EARG: `data` ask for another scaling. */
perc_status read_dataset_start(const struct env *e, const char *path, const perc_params *data,
                               const struct read_start *start, perc_dataset **out, perc_error *err);
/* The column of the start whose feature is that of column j of the data; UINT64_MAX: none. */
uint64_t read_start_column(const struct read_start *start, const struct schema *schema, uint64_t j);

/* Keeps in ds->measured what the start knows of its columns. PERC_ENOMEM. */
perc_status read_start_keep(const struct read_start *start, perc_dataset *ds);

/* perc_dataset_read_exact, stopped when the watch says so: PERC_EUNDECIDED. */
perc_status read_exact_watched(const perc_env *env, const char *path, const perc_params *data,
                               const struct watch *watch, perc_dataset **out, perc_error *err);

/* Finds the files of the path and the "more" of `data`, and says whether they are text to be
 * parsed: not a built-in set, not a block file. After a failure, too, paths_free is due. */
perc_status read_is_text(const struct env *e, const char *path, const perc_params *data,
                         struct perc_files *files, bool *yes, perc_error *err);

/* A copy of `data` (NULL: the defaults) for reading on behalf of a model with the
 * transform t and this schema (NULL: none): missing cells are filled as in training. PERC_EARG if
 * another scaling, or means that the model does not know, are asked for. */
perc_status read_params_for(const struct env *e, const struct transform *t,
                            const struct schema *schema, const perc_params *data, perc_params **out,
                            perc_error *err);
/* For another pass over what a model is made of: what training has decided holds. */
perc_status read_params_again(const struct env *e, const struct schema *schema,
                              const perc_params *data, perc_params **out, perc_error *err);
/* For who answers every row: rows that the model would leave out are refused instead, unless
 * `data` ask for it. */
perc_status read_every_row(perc_params *data, perc_error *err);

/* PERC_EARG if `data` ask for a map other than the model's (NULL: none). */
perc_status read_check_map(const perc_params *data, const struct map *map, perc_error *err);

/* The index base of what was read, from the option and what was seen. */
int read_index_base(const struct reader_facts *f, const perc_params *data);

/* Entries other than 0 in columns at or beyond `columns`. */
uint64_t read_block_unknown(const struct block *b, uint64_t columns);

#endif
