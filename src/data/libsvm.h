/* libsvm.h -- the LIBSVM/SVMlight text parser. */
#ifndef PERC_LIBSVM_H
#define PERC_LIBSVM_H

#include "data/block.h"

enum index_base { INDEX_AUTO = -1, INDEX_ZERO = 0, INDEX_ONE = 1 };

struct libsvm {
    enum index_base base; /* INDEX_ONE: an index 0 is an error */
    bool unsorted;        /* sort a row's indices instead of refusing them */
    bool float32;         /* refuse what float cannot hold */
    bool for_model;       /* base is the model's: say so in the message */
    bool unlabelled;      /* a row may begin with a pair; with for_model, it may anyway */
    unsigned hash_bits;   /* columns are buckets of the indices; 0: the indices themselves */
};

/* Parses a chunk of whole lines (readable SOURCE_PAD bytes beyond its end, which
 * hold line ends) into r. err->line counts lines of the chunk from 1. Hashed rows
 * cannot be `exact`: what shares a bucket is a sum of doubles. */
perc_status libsvm_parse(const struct libsvm *o, const char *text, size_t len, struct rows *r,
                         perc_error *err);

#endif
