/* report_survey.c -- the section of a report about the data themselves, in the facts of `inspect`.
 *
 * It takes a second reading: data that came through a pipe are gone, and have no such section. */
#include <string.h>
#include <sys/stat.h>

#include "show/about_survey.h"
#include "study/report.h"

enum { COLUMNS = 50 }; /* shown */

static bool can_be_read_again(const char *path)
{
    struct stat there;

    return path[0] == ':' ||
           (strcmp(path, "-") != 0 && stat(path, &there) == 0 && S_ISREG(there.st_mode));
}

perc_status report_survey_read(struct report *r, perc_error *err)
{
    const struct study *s = &r->study;

    if (!can_be_read_again(s->data)) return PERC_OK;
    return perc_survey_read(s->env, s->data, s->q->data_params, &r->survey, err);
}

bool report_has_survey(const struct report *r)
{
    return r->survey != NULL;
}

void report_survey(const struct report *r)
{
    struct facts f;

    facts_init(&f, r->study.env, FACTS_PEOPLE);
    about_survey(&f, r->survey, r->study.data, COLUMNS, true);
    facts_html(&f, r->o);
    facts_free(&f);
    if (perc_survey_proposal(r->survey) == NULL) return;
    out_text(r->o, "<p>A file that says what each column is, to be edited and given to "
                   "<code>--columns</code>:</p>\n<pre class=\"command\"><code>");
    report_command(r, "inspect", "", NULL, " --propose");
    out_text(r->o, "</code></pre>\n");
}
