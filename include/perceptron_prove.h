/* perceptron_prove.h -- can a plane separate the classes? Proofs, and the checker of their
 * certificates. */
#ifndef PERCEPTRON_PROVE_H
#define PERCEPTRON_PROVE_H

#include "perceptron.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Can a plane separate the classes? With a_i = y_i (x_i, 1), or y_i x_i without an
 * offset: is there a w with a_i.w > 0 for all rows? Every verdict but the last was
 * checked in whole numbers, on the decimal numbers of the file. */
typedef enum perc_verdict {
    PERC_SEPARABLE,   /* yes: all rows strictly on their side */
    PERC_TOUCHING,    /* no; but a plane has all rows on their side or on it, some strictly */
    PERC_OVERLAPPING, /* no, and no plane has a row strictly on its side without erring on */
                      /* another */
    PERC_INSEPARABLE, /* no, by --quick: touching or overlapping */
    PERC_UNDECIDED    /* a limit came first */
} perc_verdict;
const char *perc_verdict_text(perc_verdict v); /* "separable", ..., "not separable" */

/* Reads a data set for a proof, or to learn in exact arithmetic: like perc_dataset_read, and
 * every number is kept as the text has it. PERC_EARG: `data` ask for scaling, hashing, filling
 * in or rounding, because exact arithmetic is about the numbers of the file. A map without buckets
 * is for learning alone: of mapped data nothing is proved or verified, PERC_EARG. */
perc_status perc_dataset_read_exact(const perc_env *env, const char *path, const perc_params *data,
                                    perc_dataset **out, perc_error *err);

/* Whether a matrix of kernel values that was computed elsewhere, `--kernel precomputed`, is that of
 * a kernel: v.K v >= 0 for all v. On the decimals of the file, if it was read for a proof. */
enum { PERC_GRAM_ROWS = 5000 }; /* the most: about a minute */
typedef enum perc_gram_verdict {
    PERC_SEMIDEFINITE, /* yes: K = L D L' with D >= 0, in whole numbers */
    PERC_INDEFINITE,   /* no: v.K v < 0, in whole numbers */
    PERC_NONE_FOUND /* no such v was found, and K is too large for the proof that there is none */
} perc_gram_verdict;
typedef struct perc_gram_info {
    perc_gram_verdict verdict;
    uint64_t rows;
    uint64_t rank;             /* PERC_SEMIDEFINITE; else 0 */
    const char *value;         /* PERC_INDEFINITE: v.K v, "p/q" or "p"; else NULL */
    const char *const *weight; /* and v, a whole number for each row of the data */
} perc_gram_info;
typedef struct perc_gram perc_gram;

/* PERC_EDATA names the line: it is not square, or not symmetric. PERC_EARG: more rows than
 * PERC_GRAM_ROWS, data that were scaled, a build without exact arithmetic. */
perc_status perc_gram_check(const perc_env *env, const perc_dataset *ds, perc_gram **out,
                            perc_error *err);
void perc_gram_free(perc_gram *g); /* NULL is fine */
/* Pointers point into g. */
void perc_gram_info_get_sized(const perc_gram *g, perc_gram_info *out, size_t size);
static inline void perc_gram_info_get(const perc_gram *g, perc_gram_info *out)
{
    perc_gram_info_get_sized(g, out, sizeof *out);
}

typedef struct perc_proof perc_proof;

/* `p`: parameters of the table "prove" (NULL: the defaults). Two labels, or one, are one
 * problem, the later label being +1; more are each class against the rest, then each pair.
 * Rows of weight 0 are left out. An observer is asked now and then whether to go on: an
 * event's `epoch` is the number of the problem, from 1, `examples` how many problems there
 * are, and pass_ended is 1 after each; where several run at once, problems count in the order
 * in which they end. What is not decided when it says stop stays undecided.
 * PERC_EDATA: a row has no label, or all have weight 0. PERC_EARG: a kernel for which there is
 * no proof; the build has no exact arithmetic. */
perc_status perc_prove(const perc_env *env, const perc_dataset *ds, const perc_params *p,
                       const perc_observer *observer, perc_proof **out, perc_error *err);
void perc_proof_free(perc_proof *proof);

/* What all problems have in common. */
typedef struct perc_proof_info {
    uint64_t rows;       /* that count */
    uint64_t weightless; /* of weight 0: in no problem, and in the hash of the data as such */
    size_t labels;       /* of the rows that count */
    int64_t redundant;   /* features that others determine; -1: it was not found out, or there is */
                         /* a kernel */
} perc_proof_info;

void perc_proof_info_get_sized(const perc_proof *proof, perc_proof_info *out, size_t size);
static inline void perc_proof_info_get(const perc_proof *proof, perc_proof_info *out)
{
    perc_proof_info_get_sized(proof, out, sizeof *out);
}

/* A feature that, in every row that counts, is a fixed sum of features before it, and of the 1 of
 * the offset. Without it planes separate the same rows; with it there are many for each. */
#define PERC_CONSTANT UINT64_MAX
typedef struct perc_redundant {
    uint64_t feature;
    size_t terms;              /* 0: the feature is 0 */
    const uint64_t *term;      /* features, or PERC_CONSTANT */
    const char *const *factor; /* of each, "p/q" or "p" */
} perc_redundant;

/* 0: there is none. */
int perc_proof_redundant_sized(const perc_proof *proof, size_t i, perc_redundant *out, size_t size);
static inline int perc_proof_redundant(const perc_proof *proof, size_t i, perc_redundant *out)
{
    return perc_proof_redundant_sized(proof, i, out, sizeof *out);
}

/* One problem of a proof. S are the rows that some plane has strictly on their side while no
 * row errs, C the others, which lie on all such planes. Pointers point into the proof. */
typedef struct perc_part {
    perc_verdict verdict;
    const char *positive, *negative; /* labels; negative NULL: all the others */
    uint64_t rows;
    uint64_t strict, on_all_planes; /* |S| and |C| */
    uint64_t strict_positive;       /* rows of S with the positive label; 0 where S is unknown */
    uint64_t rank;                  /* of C; PERC_INSEPARABLE: of the witness's rows */
    /* The plane: short whole numbers as they are, else doubles near the exact ones, the
     * largest |w_j| being 1; 0 only where it is 0. NULL: none is known, or S is empty. */
    uint64_t features;
    const double *w; /* by feature, from 0 */
    double b;
    int exact;           /* 1: w and b are the ones that were checked; 0: rounded, and the */
                         /* certificate has them */
    double least;        /* separable: the smallest y (w.x + b) / |(w, b)|; else NaN */
    uint64_t closest[4]; /* the nearest rows, from 0: by distance, compared exactly, and */
                         /* where that is equal by number */
    size_t closest_count;
    /* The witness of a plain no: rows of the data set whose weighted sum is 0. */
    size_t witnesses;
    const uint64_t *witness;   /* from 0 */
    const char *const *weight; /* whole numbers, as text */
    size_t listed;             /* rows of C with a weight of their own in the certificate */
    const char *method;
    uint64_t rejected, exact_rows;
    int64_t pivots, rounds;
    double seconds;
    /* --margin; NaN where not asked for, 0 where there is none */
    double margin_lower, margin_upper;       /* gamma' */
    double geometric_lower, geometric_upper; /* offset outside the norm; one class: infinite */
    int gap_reached;                         /* 1: both pairs are as near as was asked; 0: */
                                             /* rounding allows no more; -1: a limit came first */
    double kernel_gamma; /* of the kernel, where its margins were measured; else NaN */
} perc_part;

size_t perc_proof_parts(const perc_proof *proof);
void perc_proof_part_sized(const perc_proof *proof, size_t i, perc_part *out, size_t size);
static inline void perc_proof_part(const perc_proof *proof, size_t i, perc_part *out)
{
    perc_proof_part_sized(proof, i, out, sizeof *out);
}

/* --bound: runs of the plain perceptron, on two classes that are separable. */
typedef struct perc_bound_run {
    const char *order; /* "file", "shuffled, seed 1", ... */
    int64_t mistakes, passes;
    int converged;
    size_t steps; /* the two curves, after 1 .. steps updates; thinned out where there are */
                  /* very many: `at` says which */
    const int64_t *at;
    const double *along, *norm2; /* w.u and |w|^2 */
} perc_bound_run;
typedef struct perc_bound {
    double radius;               /* R, rounded up */
    double margin, margin_upper; /* of u, below gamma'; and a number above it */
    double bound;                /* (R / gamma')^2 or more; may be infinite */
    size_t orders, runs;         /* asked for; run before a limit came */
    const perc_bound_run *run;
    double bound_lower; /* (R / gamma')^2 or less */
    const char *exact;  /* (R / gamma')^2, "p/q" or "p"; NULL: not known */
    uint64_t most;      /* mistakes: the whole part of it, or of `bound`; UINT64_MAX: more, */
                        /* or not known */
} perc_bound;

/* 0: there is none. */
int perc_proof_bound_sized(const perc_proof *proof, perc_bound *out, size_t size);
static inline int perc_proof_bound(const perc_proof *proof, perc_bound *out)
{
    return perc_proof_bound_sized(proof, out, sizeof *out);
}

/* --hulls: both convex hulls in the plane, counter-clockwise, as rows of the data set. */
typedef struct perc_hulls {
    size_t positives, negatives;
    const uint64_t *positive, *negative;
    perc_verdict verdict; /* by the hulls alone */
} perc_hulls;

/* 0: there are none. */
int perc_proof_hulls_sized(const perc_proof *proof, perc_hulls *out, size_t size);
static inline int perc_proof_hulls(const perc_proof *proof, perc_hulls *out)
{
    return perc_proof_hulls_sized(proof, out, sizeof *out);
}

/* The name of feature j of the planes: the file's, "x3", or a product "x1 x2^2" with a
 * polynomial kernel. In `buf`; returns it. */
const char *perc_proof_feature(const perc_proof *proof, uint64_t j, char *buf, size_t size);

/* Writes the certificate (docs/certificate-format.md), "-" to standard output; whole or
 * not at all. `ds` is what the proof is about. Parts that are undecided are left out;
 * PERC_EARG: all of them are. */
perc_status perc_proof_write(const perc_proof *proof, const perc_dataset *ds, const char *path,
                             perc_error *err);

/* What a certificate says about one problem. */
typedef struct perc_claim {
    perc_verdict verdict;
    char positive[64], negative[64];      /* labels, cut where they are longer; negative "": */
                                          /* all the others */
    uint64_t rows, strict, on_all_planes; /* the last two: 0 for PERC_INSEPARABLE */
} perc_claim;

/* What perc_verify found. */
enum { PERC_CLAIMS = 64 };
typedef struct perc_check {
    int valid;        /* 1: it proves what it says, about these data */
    char reason[256]; /* else: why not */
    int64_t row;      /* the offending row, from 0, or -1 */
    int64_t part;     /* of this part, from 0, or -1 */
    size_t parts;
    uint64_t rows;
    char sha256[65];                 /* of the data */
    int offset;                      /* 1: planes with an offset */
    const char *kernel;              /* "none", "poly" or "rbf" */
    int degree, homogeneous;         /* poly: products up to this degree, or of just this one */
    int other_data;                  /* 1: refuted: the data are different ones */
    uint64_t dropped;                /* rows left out: --missing drop */
    size_t verdicts[PERC_UNDECIDED]; /* parts that were verified, by verdict */
    perc_claim claim[PERC_CLAIMS];   /* the first of them */
    uint64_t unchecked;              /* as in perc_dataset_info */
    uint64_t weightless;             /* rows of weight 0, in no problem */
} perc_check;

/* Checks a certificate against data, in whole numbers of its own. PERC_EDATA: it is not a
 * certificate (line and column), or the data are wrong; `where` says which file. A
 * certificate that is refuted is PERC_OK with valid == 0. */
perc_status perc_verify_sized(const perc_env *env, const char *certificate, const char *data_path,
                              const perc_params *data, perc_check *out, size_t size,
                              const char **where, perc_error *err);
static inline perc_status perc_verify(const perc_env *env, const char *certificate,
                                      const char *data_path, const perc_params *data,
                                      perc_check *out, const char **where, perc_error *err)
{
    return perc_verify_sized(env, certificate, data_path, data, out, sizeof *out, where, err);
}

/* The same with a limit ("time-limit", in parameters of "verify"; NULL: none) and an observer
 * (may be NULL), whose events count the problems: epoch of `examples`. PERC_EUNDECIDED: one of
 * them came before the end. */
perc_status perc_verify_watched_sized(const perc_env *env, const char *certificate,
                                      const char *data_path, const perc_params *data,
                                      const perc_params *options, const perc_observer *observer,
                                      perc_check *out, size_t size, const char **where,
                                      perc_error *err);
static inline perc_status perc_verify_watched(const perc_env *env, const char *certificate,
                                              const char *data_path, const perc_params *data,
                                              const perc_params *options,
                                              const perc_observer *observer, perc_check *out,
                                              const char **where, perc_error *err)
{
    return perc_verify_watched_sized(env, certificate, data_path, data, options, observer, out,
                                     sizeof *out, where, err);
}

#ifdef __cplusplus
}
#endif
#endif
