/* report.h -- the page of `perceptron report`: its frame and first sections (report_page.c), the
 * data (report_survey.c), the proof (report_proof.c), the pictures (report_figures.c) with their
 * numbers (numbers.c), and what the animation draws from (report_data.c). */
#ifndef PERC_REPORT_H
#define PERC_REPORT_H

#include "show/about.h"
#include "show/html.h"
#include "study/picture.h"
#include "study/study.h"

struct report {
    struct study study;
    const char *const *word; /* the words of the command line after the command, for the reader */
    size_t words;
    struct out *o;       /* the page */
    perc_survey *survey; /* of the data; NULL: there is none */
};

/* A section of the page: its id, its heading, whether there is anything to say, and what. */
struct section {
    const char *id, *title;
    bool (*wanted)(const struct report *r);
    void (*print)(const struct report *r);
};
extern const struct section report_sections[]; /* ends with a NULL id */

/* The whole page. */
void report_page(const struct report *r);

/* ----- what several parts say -------------------------------------------------- */

bool report_several(const struct report *r); /* runs side by side */
bool report_two_classes(const struct study_run *run);
/* Why a run ended, as a sentence without a full stop. */
enum { REPORT_SENTENCE = 512 };
void report_end_words(const struct study_run *run, char buf[REPORT_SENTENCE]);
/* "averaged (rule perceptron), order shuffle, seed 0". */
void report_learner(const struct study_run *run, char buf[ABOUT_SENTENCE]);
enum { REPORT_NAME = 160 }; /* of a feature, as far as it is shown */

/* "perceptron COMMAND DATA options": how the data are read and, if run is not NULL, how it learns;
 * quoted for a shell, escaped for the page. */
void report_command(const struct report *r, const char *command, const char *before,
                    const struct study_run *run, const char *after);
void report_shell_word(struct out *o, const char *word);

/* One picture in the page with a caption; frees it. `why`: what to say if there is none; NULL or
 * "": nothing. */
void report_figure(const struct report *r, struct figure *f, const char *why);
void report_why(const struct report *r, const char *why);
/* <details>: a table of numbers that belongs to a picture. */
void report_details(const struct report *r, const char *summary);
void report_details_end(const struct report *r);
/* With several runs each has a heading of its own. */
void report_run_heading(const struct report *r, size_t i);

/* ----- sections in files of their own -------------------------------------------- */

/* Fills r->survey, which the caller frees, if the data can be read once more. */
perc_status report_survey_read(struct report *r, perc_error *err);
bool report_has_survey(const struct report *r);
void report_survey(const struct report *r);
bool report_has_steps(const struct report *r);
void report_proof(const struct report *r);
void report_passes(const struct report *r);
void report_theorem(const struct report *r);
void report_plane(const struct report *r);
void report_steps(const struct report *r);
bool report_has_supports(const struct report *r);
void report_supports(const struct report *r);
void report_margins(const struct report *r);
void report_roc(const struct report *r);
void report_calibration(const struct report *r);
void report_confusion(const struct report *r);
void report_weights(const struct report *r);
bool report_has_lift(const struct report *r);
void report_lift(const struct report *r);

/* The tables below the pictures. */
void numbers_passes(const struct report *r, const struct study_run *run);
void numbers_orders(const struct report *r);
void numbers_norms(const struct report *r, const struct study_run *run);
void numbers_margins(const struct report *r);
void numbers_roc(const struct report *r, const struct study_run *run);
void numbers_precision(const struct report *r, const struct study_run *run);
void numbers_calibration(const struct report *r, const struct study_run *run);
void numbers_confusion(const struct report *r, const struct study_run *run);
void numbers_weights(const struct report *r, const struct study_run *run);
void numbers_supports(const struct report *r, const struct study_run *run);

/* How many updates of a run the animation has, and whether it knows only the final regions. */
size_t report_steps_kept(const struct report *r, const struct study_run *run);
bool report_still(const struct report *r, const struct study_run *run);
/* The JSON of the animation, composed in `json`. */
void report_data(const struct report *r, struct out *json);

#endif
