/* report_survey.c -- the section of a report about the data themselves, in the facts of `inspect`.
 *
 * It takes a second reading: data that came through a pipe are gone, and have no such section. */
#include <string.h>
#include <sys/stat.h>

#include "show/about_survey.h"
#include "study/report.h"

enum { COLUMNS = 50 }; /* shown */

static bool is_lasting(const char *path)
{
    struct stat there;

    return path[0] == ':' ||
           (strcmp(path, "-") != 0 && stat(path, &there) == 0 && S_ISREG(there.st_mode));
}

static perc_status can_be_read_again(const struct study *s, bool *yes, perc_error *err)
{
    const char *more = perc_params_get(s->q->data_params, "more");
    perc_files *files;
    const perc_status st = perc_files_find(s->env, s->data, more, &files, err);

    *yes = st == PERC_OK;
    for (size_t i = 0; i < perc_files_count(files); i++)
        *yes = *yes && is_lasting(perc_files_name(files, i));
    perc_files_free(files);
    return st;
}

perc_status report_survey_read(struct report *r, perc_error *err)
{
    const struct study *s = &r->study;

    bool again;
    const perc_status st = can_be_read_again(s, &again, err);

    if (st || !again) return st;
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
