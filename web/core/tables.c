/* tables.c -- the option tables, from which the page makes its forms, and sets of options. */
#include "web.h"

static const char *type_word(perc_type t)
{
    static const char *const word[] = { "int", "real", "bool", "choice", "text" };

    return word[t];
}

/* "zero|unit|random" as a list. */
static void say_choices(const char *s)
{
    char one[64];
    size_t n = 0;

    say_open('[');
    for (;; s++) {
        if (*s != '|' && *s != '\0') {
            if (n + 1 < sizeof one) one[n++] = *s;
            continue;
        }
        one[n] = '\0';
        say_text(one);
        n = 0;
        if (*s == '\0') break;
    }
    say_close(']');
}

static void say_param(const perc_param *p)
{
    say_open('{');
    say_key_text("name", p->name);
    say_key_text("type", type_word(p->type));
    say_key_text("initial", p->initial);
    if (p->type == PERC_INT || p->type == PERC_REAL) {
        say_key_real("min", p->min);
        say_key_real("max", p->max);
    }
    if (p->choices != NULL) {
        say_key("choices");
        say_choices(p->choices);
    }
    say_key_text("metavar", p->metavar);
    say_key_text("help", p->help);
    say_close('}');
}

static void say_params(const char *table)
{
    size_t n = 0;
    const perc_param *p = perc_table(table, &n);

    say_open('[');
    for (size_t i = 0; i < n; i++) say_param(&p[i]);
    say_close(']');
}

static void say_tables(const char *kind)
{
    const char *name, *summary = NULL;

    say_open('[');
    for (size_t i = 0; (name = perc_table_name(kind, i, &summary)) != NULL; i++) {
        const perc_about *about = perc_table_about(name);

        say_open('{');
        say_key_text("name", name);
        say_key_text("summary", summary);
        if (about != NULL) {
            say_key_text("title", about->title);
            say_key_text("family", about->family);
            say_key_text("form", about->form);
        }
        say_key("params");
        say_params(name);
        say_close('}');
    }
    say_close(']');
}

WEB(const char *, web_version, void)
{
    return perc_version();
}

WEB(const char *, web_tables, void)
{
    say_begin();
    say_open('{');
    say_key("learners");
    say_tables("learner");
    say_key("generators");
    say_tables("generator");
    say_key("data");
    say_params("data");
    say_close('}');
    return say_end();
}

/* ----- sets of options --------------------------------------------------------- */

WEB(perc_params *, web_params_new, const char *table)
{
    perc_params *p;

    perc_params_new(NULL, table, &p, &web_failure);
    return p;
}

WEB(perc_status, web_params_set, perc_params *p, const char *name, const char *value)
{
    return perc_params_set(p, name, value, &web_failure);
}

WEB(perc_status, web_params_check, const perc_params *p)
{
    return perc_params_check(p, &web_failure);
}

WEB(void, web_params_free, perc_params *p)
{
    perc_params_free(p);
}
