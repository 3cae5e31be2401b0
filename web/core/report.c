/* report.c -- perc_report as JSON. */
#include "web.h"

const char *web_stop_word(perc_stop stop)
{
    static const char *const word[] = {
        [PERC_STOP_CONVERGED] = "converged", [PERC_STOP_EPOCHS] = "epochs",
        [PERC_STOP_UPDATES] = "updates",     [PERC_STOP_TIME] = "time",
        [PERC_STOP_SOLVED] = "solved",       [PERC_STOP_HELD] = "held",
        [PERC_STOP_STUCK] = "stuck",         [PERC_STOP_DIVERGED] = "diverged",
    };

    return (size_t)stop < sizeof word / sizeof *word ? word[stop] : NULL;
}

static void say_solved(const perc_report *r)
{
    say_key_real("primal", r->primal);
    say_key_real("dual", r->dual);
    say_key_int("supports", (int64_t)r->supports);
    say_key_int("dropped", (int64_t)r->dropped);
    say_key_real("marginLower", r->margin_lower);
    say_key_real("marginUpper", r->margin_upper);
    say_key_real("geometricLower", r->geometric_lower);
    say_key_real("geometricUpper", r->geometric_upper);
    say_key_text("solver", r->solver);
}

void web_say_report(const perc_report *r)
{
    say_open('{');
    say_key_text("stop", web_stop_word(r->stop));
    say_key_text("stopText", perc_stop_text(r->stop));
    say_key_int("epochs", r->epochs);
    say_key_int("examples", r->examples);
    say_key_int("mistakes", r->mistakes);
    say_key_int("updates", r->updates);
    say_key_int("rows", (int64_t)r->rows);
    say_key_int("trainingErrors", (int64_t)r->training_errors);
    say_key_real("trainingError", r->training_error);
    say_key_real("loss", r->loss);
    say_key_real("lastError", r->last_error);
    say_key_int("foundEpoch", r->found_epoch);
    say_key_int("foundUpdates", r->found_updates);
    say_key_real("norm", r->norm);
    say_key_real("normAugmented", r->norm_augmented);
    say_key_real("radius", r->radius);
    say_solved(r);
    say_key_int("weights", (int64_t)r->weights);
    say_key_int("divergedEpoch", r->diverged_epoch);
    say_key_int("divergedUpdate", r->diverged_update);
    say_key_real("trainSeconds", r->train_seconds);
    say_close('}');
}
