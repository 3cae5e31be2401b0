/* about_survey.h -- what a survey of data found, as `perceptron inspect DATA` and a report say
 * it. */
#ifndef PERC_SHOW_ABOUT_SURVEY_H
#define PERC_SHOW_ABOUT_SURVEY_H

#include "perceptron_inspect.h"
#include "show/facts.h"

/* The object "survey". Programs get all columns, people the first `top`, and then what is odd about
 * any. captions: tables have some, as they need on a page. The survey must live until the document
 * is printed. */
void about_survey(struct facts *f, const perc_survey *s, const char *path, uint64_t top,
                  bool captions);

#endif
