/* csv_open.h -- what the steps of csv_open share: csv_open.c and csv_match.c. */
#ifndef PERC_CSV_OPEN_H
#define PERC_CSV_OPEN_H

#include "data/csv.h"
#include "data/csv_cell.h"

enum { NOTE = 256, UNDECIDED = COLUMN_SKIP + 1 };
#define NOWHERE UINT32_MAX

struct opening {
    struct csv *c;
    const perc_params *data;
    const char *by; /* csv_open_places; else "" */
    struct csv_survey v;
    struct schema names;              /* the file's column names; feature = column */
    unsigned char *kind;              /* of each column, or UNDECIDED */
    struct columns said;              /* what --columns says ... */
    const struct columns_line **line; /* ... of each column, or NULL */
    bool open;                        /* the text has to say whether commas are decimal */
    char *note;                       /* NOTE bytes */
    perc_error *err;
};

static inline bool is_feature(const struct column *c)
{
    return column_is_number(c) || column_is_words(c);
}

/* The number of a name in a set of them, or NOWHERE. */
static inline uint32_t find_name(const struct schema *set, const char *name, size_t len)
{
    return schema_find(set, 0, name, len);
}

/* Gives `name` the next number, n; if the name is there already, an empty entry
 * takes that number, so that numbers stay positions. */
perc_status csv_add_name(struct schema *set, size_t n, const char *name);
/* The name of file column f: its header cell, or x and its position. */
const char *csv_file_name(const struct opening *o, size_t f, char buf[24]);
/* The column that an option means: by its name, or by its position from 1. PERC_EARG. */
perc_status csv_find_column(const struct opening *o, const char *option, const char *name,
                            size_t len, uint32_t *f);
/* PERC_EDATA: column f has the name of one before it. */
perc_status csv_named_twice(const struct opening *o, size_t f);
/* Which columns an option's list of names and positions means: kind[f] = `kind`. An
 * empty part is skipped. A column has only one use. */
perc_status csv_assign_list(struct opening *o, const char *option, enum column_kind kind);

/* Column f, of this name, is left out, since the model does not know it: counts it, and names it
 * if it goes along with nothing and there is room. */
void csv_note_ignored(struct opening *o, size_t f, const char *name);

/* ----- csv_columns.c: what each column is, and what becomes of its cells ------------ */

/* Reads the file of the option, if there is one. */
perc_status csv_read_said(struct opening *o);
void csv_free_said(struct opening *o);
/* Whether it has a name that the first record has: that is a header. */
bool csv_said_names_first(const struct opening *o);
/* Gives columns the kinds that the file says; what an option says otherwise is refused. */
perc_status csv_assign_said(struct opening *o);
/* Copies into the schema, whose columns have names and kinds, how their cells are treated. */
perc_status csv_treat_columns(struct opening *o);
/* With a model, the file may only repeat what that says, as in a second pass. */
perc_status csv_check_said(struct opening *o, const struct schema *model);
/* With a model: what becomes of missing cells, from its treatments and --missing. */
perc_status csv_choose_fills(struct opening *o);

/* ----- csv_match.c: the columns of a file beside those of a model ---------------- */

/* Whether the first record, whose cells are o->names, is a header. */
bool csv_model_header(const struct opening *o, const struct schema *model);
/* Fills o->c->map. */
perc_status csv_match_model(struct opening *o, const struct schema *model);

#endif
