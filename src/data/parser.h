/* parser.h -- the formats of text that can be read, as one table: how each is told, what its
 * columns are (open), how a chunk of lines becomes rows (parse), and how the names that a chunk
 * met become features of the file (merge). */
#ifndef PERC_PARSER_H
#define PERC_PARSER_H

#include "base/params.h"
#include "data/csv.h"
#include "data/libsvm.h"

/* What a model asks of the data that are read for it. */
struct reader_model {
    int index_base;              /* -1: undecided */
    const struct schema *schema; /* NULL or without columns: not from a table. Its
                                    hash_bits hold for either kind */
    const struct map *map;       /* NULL: none */
    const char *keep;            /* columns whose cells go along, "id,date"; NULL: none */
};

/* Decided once, from the beginning of the file; what workers share. */
struct parser {
    const struct parser_format *format;
    struct csv table;     /* what is read by names; its schema holds for LIBSVM text, too */
    struct libsvm libsvm; /* what is read by numbers */
    bool told;            /* the format was told from the text */
    bool late;            /* the rows are whole only after parser_merge */
    unsigned seen_bits;   /* of the buckets that are counted; 0: none are */
};

/* Tells the format of `text`, the beginning of the file, and decides what can be decided from it
 * and from `data`. `model`: NULL in training. `note` (>= 256 bytes) gets a sentence about it. After
 * a failure, too, parser_free is due. */
perc_status parser_open(const struct env *e, const char *text, size_t len, const perc_params *data,
                        const struct reader_model *model, struct parser *out, char *note,
                        perc_error *err);
void parser_free(struct parser *p); /* safe on a zeroed one */

/* The name of the format that a text is in, in training. */
const char *parser_tell(const char *text, size_t len, const perc_params *data);

/* The text may go on in other files: keeps what those are compared with. `text` as above. */
perc_status parser_keep(struct parser *p, const char *text, size_t len, perc_error *err);
/* Whether this, the first chunk of another file, can follow: PERC_EDATA where it is in another
 * format or has another header than the file called `like`. */
perc_status parser_follow(const struct parser *p, const char *text, size_t len, const char *like,
                          perc_error *err);

/* Of a text whose rows stay as they are: what those two need. */
void parser_stand_in(const struct env *e, const char *format, bool told, struct parser *out);

/* Parses a chunk of whole lines, as csv_parse and libsvm_parse. `first`: it begins a file. */
perc_status parser_chunk(const struct parser *p, const char *text, size_t len, bool first,
                         struct rows *r, struct csv_chunk *local, perc_error *err);
/* In file order, for each chunk that is `late`. */
perc_status parser_merge(struct parser *p, const struct csv_chunk *local, struct rows *r,
                         perc_error *err);

const char *parser_name(const struct parser *p); /* "libsvm", "csv" */
/* The quote inside which a line end does not end a line; 0: there is none. */
char parser_quotes(const struct parser *p);

/* PERC_EARG if `data` ask for other buckets than a model's 2^bits; 0: it has none. */
perc_status parser_check_hash(const perc_params *data, unsigned bits, perc_error *err);

#endif
