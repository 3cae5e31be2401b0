/* test_study_memory.c -- `report` and `plot` while memory runs out.
 *
 * What the library allocates for a study goes through its environment; what the studies, pictures
 * and pages allocate themselves is by calloc and realloc, which this program has its own of. Each
 * request that is worth it (t_sites.h) is refused, one at a time. Then the study fails with
 * PERC_ENOMEM, or the page cannot be printed; or it made no difference, to the last byte. No
 * picture goes missing, and nothing leaks. */
#include "study/report.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_sites.h"
#include "t_study.h"

#include <stdatomic.h>

const struct command cli_commands[] = { { .name = NULL } }; /* main.c's, for help */

static struct t_sites sites = { .lock = PTHREAD_MUTEX_INITIALIZER, .of_each = 1 };
static struct {
    atomic_long calls, refused; /* any thread asks for memory */
    long refuse_at;             /* -1: none */
    bool noted;
} own = { .refuse_at = -1 };

static void note_site(long nth)
{
    t_sites_note(&sites, nth);
}

static bool is_refused(void)
{
    const long n = atomic_fetch_add(&own.calls, 1);

    if (own.noted) note_site(n);
    if (n != own.refuse_at) return false;
    atomic_fetch_add(&own.refused, 1);
    return true;
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
    return is_refused() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return is_refused() ? NULL : __real_realloc(p, size);
}

/* The page and all pictures, to be freed; NULL: they cannot be printed. */
static char *text_of(struct study *s, bool page)
{
    struct report r = { .study = *s };
    struct figure *list[PICTURES];
    char *text = NULL;

    if (out_open(s->env, NULL, &r.o, NULL)) return NULL;
    if (page) report_page(&r);
    const size_t n = picture_all(s, list);
    for (size_t i = 0; i < n; i++) {
        figure_svg(list[i], r.o, FIGURE_FILE);
        figure_free(list[i]);
    }
    if (!out_broken(r.o)) assert_non_null(text = strdup(out_kept(r.o)));
    out_abort(r.o);
    return text;
}

/* A study as it was asked for, or of the model in "m". */
static perc_status make(struct study_request *q, const perc_env *env, bool of_model, char **text)
{
    perc_error err = { 0 };
    perc_model *m = NULL;
    perc_status st = PERC_OK;
    struct study s = { 0 };

    q->env = env;
    *text = NULL;
    if (!of_model) st = study_make(&s, q, &err);
    else if ((st = perc_model_read(env, "m", &m, &err)) == PERC_OK)
        st = study_of_model(&s, q, m, &err);
    if (st == PERC_OK) *text = text_of(&s, !of_model);
    else assert_refused(st, PERC_ENOMEM, &err, "memory");
    study_free(&s);
    return st;
}

/* Refuses what the library asks for, or the rest. */
static void sweep(struct study_request *q, bool of_model, bool library, const char *line)
{
    static struct t_alloc a;
    const perc_env env = { t_alloc, &a, 1 };
    void *frame[T_FRAMES];
    char *whole, *text;

    t_sites_clear(&sites);
    /* As far as calls of the library: what goes on there is for test_faults.c. */
    sites.outer = library ? backtrace(frame, T_FRAMES) + 6 : 0;
    if (library) q->host = (struct study_host){ 0 }; /* nobody waits */
    t_alloc_reset(&a, -1, false);
    if (library) a.told = note_site;
    own.noted = !library;
    own.calls = 0;
    assert_int_equal(make(q, &env, of_model, &whole), PERC_OK);
    own.noted = false;
    assert_non_null(whole);
    assert_true(sites.count > 20); /* guard */
    print_message("%s: %ld of the %s\n", line, sites.count, library ? "library" : "study");
    for (long n = t_sites_next(&sites, -1); n < T_CALLS; n = t_sites_next(&sites, n)) {
        t_alloc_reset(&a, library ? n : -1, false);
        own.calls = own.refused = 0;
        own.refuse_at = library ? -1 : n;
        make(q, &env, of_model, &text);
        own.refuse_at = -1;
        t_alloc_holds(&a, 0);
        assert_int_equal(own.refused + a.failed, 1);
        if (text != NULL && strcmp(text, whole) != 0)
            fail_msg("%s: without call %ld of the %s the page is another", line, n,
                     library ? "library" : "study");
        free(text);
    }
    free(whole);
}

static void memory_that_runs_out_is_said_or_makes_no_difference(void **state)
{
    static const struct {
        const char *line;
        bool library, of_model;
    } scene[] = {
        { ":and --prove-limit 60 --orders 2", true, false },
        { "three.csv --scale standard --epochs 2 --prove-limit 60", true, false },
        { ":xor --kernel poly --degree 2 --coef0 1 --prove-limit 60", true, false },
        { ":xor --map lift:2:0 --compare perceptron,svm", true, false },
        { "touch.csv --prove-limit 60 --epochs 2", false, false },
        { ":xor -a mlp --layers 2 --epochs 2", true, false },
        { "three.csv --scale standard --epochs 2", true, true },
        { ":xor --kernel gaussian", true, true },
    };
    struct world t;

    (void)state;
    assert_int_equal(t_put("three.csv", "a,b,c,label\n1,2,0,p\n2,3,1,p\n-1,0,2,q\n-2,1,1,q\n"
                                        "0,-3,0,r\n1,-4,-1,r\n0,0,0,p\n"),
                     0);
    assert_int_equal(t_put("touch.csv", "a,b,label\n0,0,p\n0,1,p\n0,0,q\n1,1,q\n"), 0);
    for (size_t i = 0; i < COUNT(scene); i++) {
        const struct study *s = good(&t, scene[i].line);
        if (scene[i].of_model)
            assert_int_equal(perc_model_write(s->run[0].model, "m", NULL), PERC_OK);
        sweep(&t.q.request, scene[i].of_model, false, scene[i].line);
        if (scene[i].library) sweep(&t.q.request, scene[i].of_model, true, scene[i].line);
        t.q.request.env = &t.cli.env;
        leave(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(memory_that_runs_out_is_said_or_makes_no_difference,
                                        t_dir_enter, t_dir_leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
