/* params.h -- values for one parameter table: typed, checked, by name. */
#ifndef PERC_PARAMS_H
#define PERC_PARAMS_H

#include "base/base.h"

struct table { /* one per learner or generator, and one for "data" */
    const char *name, *kind, *summary;
    const perc_param *rows;
    size_t count;
};

struct perc_params {
    struct env e;
    const struct table *table;
    char **value;           /* count texts; NULL: no value */
    bool *given;            /* set by the user, not the default */
    perc_reading_fn notify; /* of kind "data"; NULL: nobody */
    void *notify_ud;
};

perc_status params_new(const struct env *e, const struct table *t, perc_params **out);
perc_status params_copy(const struct env *e, const perc_params *p, perc_params **out);

/* Whether these are values of a table of this kind; PERC_EARG. */
perc_status params_want(const perc_params *p, const char *kind, perc_error *err);
#define NEED_PARAMS(p, kind)                                 \
    do {                                                     \
        const perc_status wrong = params_want(p, kind, err); \
        if (wrong) return wrong;                             \
    } while (0)

/* PERC_EARG: they have no such parameter, and which is probably meant. */
perc_status params_unknown(const perc_params *p, const char *name, perc_error *err);

/* Typed access. The name must be in the table (an assert says so). p == NULL
 * is not allowed here: callers make defaults first. */
int64_t params_int(const perc_params *p, const char *name);
double params_real(const perc_params *p, const char *name);
bool params_bool(const perc_params *p, const char *name);        /* "true"/"false" */
const char *params_text(const perc_params *p, const char *name); /* "" if none */
bool params_is(const perc_params *p, const char *name, const char *choice);
bool params_given(const perc_params *p, const char *name);

#endif
