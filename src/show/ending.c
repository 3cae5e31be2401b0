/* ending.c -- why training ended, as a sentence. See ending.h. */
#include "show/ending.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What remains open when a limit ended training. */
static const char *left_open(const perc_report *r)
{
    if (r->weights > 0) /* a network */
        return "more passes may lower the loss";
    if (strcmp(r->solver, "dual") == 0 || strcmp(r->solver, "newton") == 0)
        return "the gap says how far the optimum may be";
    if (r->margin_lower > 0 && r->training_errors > 0) /* rounding spoils the separator */
        return "the rows can be separated, but not by these numbers";
    if (r->margin_lower > 0) /* a separator was found */
        return "the margin may be larger";
    return "this does not show that the data are not separable";
}

/* Only a whole pass without an update is convergence; with any other end, say what it does not
 * show. */
void ending_words(char *buf, size_t size, const perc_report *r, const char *limit)
{
    const char *plural = strcmp(limit, "1") == 0 ? "" : "es", *open = left_open(r);
    const long long epochs = (long long)r->epochs;
    const long long best = r->held_epoch > 0 ? (long long)r->held_epoch : epochs;
    char on[64] = "", kept[48] = "no model is kept";

    switch (r->stop) {
    case PERC_STOP_CONVERGED:
        if (r->dropped > 0) /* --drop-after: not on all rows */
            snprintf(on, sizeof on, " on %llu of %llu rows",
                     (unsigned long long)(r->rows - r->dropped), (unsigned long long)r->rows);
        snprintf(buf, size, "converged%s: pass %lld made no %s", on, epochs,
                 r->mistakes == r->updates ? "mistake" : "update");
        break;
    case PERC_STOP_DIVERGED:
        if (best > 0) snprintf(kept, sizeof kept, "the model is that of pass %lld", best);
        snprintf(buf, size,
                 "stopped at update %lld, in pass %lld: %s; %s (try a smaller --rate, or --scale)",
                 (long long)r->diverged_update, (long long)r->diverged_epoch,
                 perc_stop_text(r->stop), kept);
        break;
    case PERC_STOP_EPOCHS:
        if (strcmp(limit, "-1") == 0) /* not given: a network chooses one for its data */
            snprintf(buf, size, "stopped at the limit of %lld pass%s: %s", epochs,
                     epochs == 1 ? "" : "es", open);
        else snprintf(buf, size, "stopped at the limit of %s pass%s: %s", limit, plural, open);
        break;
    case PERC_STOP_UPDATES:
        snprintf(buf, size, "stopped at the update limit (%s), in pass %lld: %s", limit, epochs,
                 open);
        break;
    case PERC_STOP_TIME:
        snprintf(buf, size, "stopped at the time limit (%s s), in pass %lld: %s", limit, epochs,
                 open);
        break;
    case PERC_STOP_CANCELLED: snprintf(buf, size, "interrupted in pass %lld", epochs); break;
    case PERC_STOP_STUCK:
        snprintf(buf, size, "%s: %s",
                 strcmp(r->solver, "lp") == 0 ? perc_stop_text(r->stop)
                                              : "as far as rounding allows",
                 open);
        break;
    case PERC_STOP_HELD:
        snprintf(buf, size, "stopped: %s pass%s without fewer errors on the held-out rows", limit,
                 plural);
        break;
    default: snprintf(buf, size, "%s", perc_stop_text(r->stop));
    }
}

/* In this text passes are epochs, as in the key beside it. */
void ending_value(char *buf, size_t size, const perc_report *r, const char *limit)
{
    char epochs[32];

    if (r->stop != PERC_STOP_EPOCHS) {
        ending_words(buf, size, r, limit);
        return;
    }
    snprintf(epochs, sizeof epochs, "%lld", (long long)r->epochs);
    snprintf(buf, size, "stopped at the epoch limit (%s): %s",
             strcmp(limit, "-1") == 0 ? epochs : limit, left_open(r));
}

void ending_kept(char *buf, size_t size, const perc_report *r, const char *algorithm)
{
    const char *kept = strcmp(algorithm, "averaged") == 0 ? "the average is"
                       : strcmp(algorithm, "voted") == 0  ? "the votes of all weights are"
                                                          : "other weights are";
    const size_t n = strlen(buf);

    if (r->stop != PERC_STOP_CONVERGED || isnan(r->last_error) || !(r->training_errors > 0)) return;
    snprintf(buf + n, size - n, " by its last weights; %s what is kept, and may err", kept);
}
