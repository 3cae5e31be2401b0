/* perceptron_split.h -- parts of a text: its rows divided among two files, or a sample of them,
 * each row as it stands, byte for byte. */
#ifndef PERCEPTRON_SPLIT_H
#define PERCEPTRON_SPLIT_H

#include "perceptron.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What was done. */
typedef struct perc_split perc_split;

/* Divides the rows of a text, a table or LIBSVM text, plain or compressed, among two files: those
 * drawn go to `test`, all others to `train`, in their order. Each file begins as the text does,
 * with its header; blank lines and comments go with the row before them. `how` are "split"
 * parameters:
 *
 *     test=0.2         the share of the rows that are drawn, or how many they are
 *     stratify=true    of each label in proportion
 *     by=group:NAME    the rows of one value in column NAME stay together
 *     by=time:NAME     the newest are drawn; rows of one time stay together
 *
 * `data` are "data" parameters, of which format, delimiter, quote, header, label matter; NULL: the
 * defaults. Neither file is there before both are whole and on disk. What cannot be read twice (a
 * pipe, "-") is kept beside one of the files meanwhile, or in memory if neither is a regular one.
 * PERC_EDATA: a row with a quote that is not closed, or without the cell that is needed; a time
 * that is none; fewer rows or groups than parts. */
perc_status perc_split_rows(const perc_env *env, const char *path, const perc_params *data,
                            const perc_params *how, const char *train, const char *test,
                            perc_split **out, perc_error *err);

/* Writes those drawn alone. `how` are "sample" parameters: rows=N or share=P, stratify, by. Of a
 * pipe `rows` rows are kept in memory, and nothing else, unless they depend on all rows. */
perc_status perc_sample_rows(const perc_env *env, const char *path, const perc_params *data,
                             const perc_params *how, const char *sample, perc_split **out,
                             perc_error *err);

typedef struct perc_split_info { /* strings point into the split */
    uint64_t rows, drawn; /* of the text, and those of them that went to `test`, or `sample` */
    uint64_t bytes;       /* of the text, after decompression */
    uint64_t unchecked;   /* of them: compressed without a checksum */
    uint64_t groups, drawn_groups; /* by group; else 0 */
    uint64_t groupless;            /* rows whose cell was empty: they are one group */
    size_t labels;      /* that perc_split_label lists; 0: there are none, or very many */
    const char *format; /* "csv" or "libsvm" */
    const char *since;  /* by time: that of the oldest row drawn, as it stands; else "" */
    char note[256];     /* what was decided about the table; "" */
} perc_split_info;

void perc_split_info_get_sized(const perc_split *s, perc_split_info *info, size_t size);
static inline void perc_split_info_get(const perc_split *s, perc_split_info *info)
{
    perc_split_info_get_sized(s, info, sizeof *info);
}
/* Label i, in the order of values; NULL past the end. rows and drawn, if wanted: how many rows have
 * it, and how many of those drawn. */
const char *perc_split_label(const perc_split *s, size_t i, uint64_t *rows, uint64_t *drawn);
void perc_split_free(perc_split *s);

#ifdef __cplusplus
}
#endif
#endif
