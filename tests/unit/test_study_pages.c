/* test_study_pages.c -- what pages and pictures say of data that are unlike most: no features or
 * very many, a label for every row, numbers that cannot be drawn, a proof that has no time. */
#include <math.h>
#include <unistd.h>

#include "show/figure_parts.h"
#include "show/word.h"
#include "study/report.h"
#include "t.h"
#include "t_dir.h"
#include "t_study.h"

/* The page of a study, to be freed. */
static char *page_of(const struct study *s)
{
    struct report r = { .study = *s };

    assert_int_equal(out_open(NULL, NULL, &r.o, NULL), PERC_OK);
    report_page(&r);
    assert_false(out_broken(r.o));
    char *text = strdup(out_kept(r.o));
    assert_non_null(text);
    out_abort(r.o);
    return text;
}

static void says(const char *line, const char *text, const char *words, bool wanted)
{
    if ((strstr(text, words) != NULL) == wanted) return;
    fail_msg("the page of '%s' %s '%s'", line, wanted ? "lacks" : "has", words);
}

/* Rows whose label has nothing to do with their place, of so many labels. */
static void put_noise(const char *name, int rows, int labels)
{
    FILE *f = fopen(name, "w");
    uint64_t seed = 5;

    assert_non_null(f);
    fprintf(f, "u,v,label\n");
    for (int i = 0; i < rows; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        fprintf(f, "%d,%d,k%d\n", (int)(seed >> 50), (int)(seed >> 40 & 0x3ff), i % labels);
    }
    assert_int_equal(fclose(f), 0);
}

static void put_files(void)
{
    static const char *const file[][2] = {
        { "none.svm", "1\n-1\n1\n" },
        { "broad.svm", "1 1:1 1000001:1\n-1 2:1\n1 1:2\n-1 2:2\n" },
        { "huge.csv", "u,v,label\n1.6e308,1,a\n-1.6e308,2,b\n" },
        { "uneven.csv", "u,v,label\n0,1,a\n1000,1,b\n10,2,a\n900,2,b\n" },
        { "gap.csv", "u,v,label\n0,1,a\n,1,b\n10,2,a\n900,2,b\n" },
        { "three.svm", "p 1:1 2:2\np 1:2 2:3\nq 1:-1\nq 1:-2 2:1\nr 2:-3\nr 1:1 2:-4\n" },
        { "through.svm", "1 1:1 2:0\n-1 1:-1 2:0\n" },
        { "zero.svm", "p 1:0\np 1:1 2:5\nq 1:1 2:-4\nr 1:-3 2:1\n" },
        { "long.svm", "1 1:10\n-1 1:-10\n1 1:11 2:0.01\n-1 1:-11 3:0.01\n" },
        { "weights.csv", "u,v,label,much\n0,1,a,1\n1,1,b,2\n" },
        { "undone.svm", "1 1:1 2:2\n-1 1:1 2:2\n" },
        { "ray.svm", "1 1:1 2:1 3:1\n-1 1:-1 2:-1 3:-1\n1 1:2 2:2 3:2\n" },
    };

    for (size_t i = 0; i < COUNT(file); i++) assert_int_equal(t_put(file[i][0], file[i][1]), 0);
    put_noise("noise.csv", 400, 2);
    put_noise("labels.csv", 220, 110);
    put_noise("dozen.csv", 42, 14);
}

TEST(pages_say_what_there_is_and_why_something_is_not)
{
    static const struct {
        const char *line, *has, *lacks;
    } page[] = {
        { "none.svm --epochs 2", "Not here: there are no features.", "id=\"film\"" },
        { "broad.svm --epochs 2", "there are too many features: 1000001", "id=\"film\"" },
        { "huge.csv --scale maxabs --epochs 2", "the numbers are too large to be drawn",
          "id=\"film\"" },
        { "./uneven.csv --epochs 2", "<h1>perceptron on uneven.csv</h1>", NULL },
        { "gap.csv --missing drop --epochs 2", "<dt>Rows left out</dt><dd>1</dd>", NULL },
        { "noise.csv --epochs 2", "The curve in numbers, one in ", NULL },
        { "labels.csv --epochs 1", "<th scope=\"row\">others</th><td class=\"r\">160</td>",
          "Confusion in numbers" },
        { "labels.csv --epochs 1 -a mlp --layers 2", "and 100 more", NULL },
        { "dozen.csv --epochs 1", "Largest weights of the first ten labels", "answered k0" },
        { "three.svm --features x1,x2 --epochs 2", "the two features of the data", NULL },
        { "three.svm --positive p --prove-limit 60", "--positive</span> p", NULL },
        { "three.svm --kernel gaussian --positive p --prove-limit 60", "In the space of the kernel",
          NULL },
        { "three.svm --prove-limit 60", "By a plane</dt><dd>separable", NULL },
        { ":xor --compare svm,perceptron --hard", "Left out: svm: ", NULL },
        { ":xor --compare mlp,perceptron,averaged --multiclass native --epochs 3 --layers 2,2,2",
          "AUC of mlp", "AUC of perceptron" },
        { ":xor --compare svm,lp,perceptron --hard", "; lp: ", NULL },
        { ":xor --kernel poly --compare perceptron,svm --epochs 3", "Lifted by", NULL },
        { ":xor --compare perceptron,averaged --order file --epochs 6", "a row on the boundary",
          NULL },
        { ":and --scale unit --orders 2", "Every update", "One update by itself" },
        { ":and --scale minmax", "turns the boundary", "moves by" },
        { "uneven.csv --features v,u --show-update 2 --epochs 3", "Update 2 turns", NULL },
        { "through.svm --no-offset --prove-limit 60", "at most 1 updates", NULL },
        { "long.svm --epochs 3", "along the boundary", NULL },
        { ":xor --kernel linear --epochs 3 --prove-limit 60", NULL, "In the space of the kernel" },
        { ":and --no-offset --prove-limit 60", "<span>--no-offset</span>", NULL },
        { ":xor --kernel gaussian --no-offset --prove-limit 60", "<var>x</var>))</span>", NULL },
        { ":xor --kernel sigmoid --prove-limit 60", NULL, "In the space of the kernel" },
        { ":xor --map lift:2:0 --kernel gaussian --prove-limit 60", NULL,
          "In the space of the kernel" },
        { ":xor --compare perceptron,averaged,pocket,voted,pa,pa1,pa2,margin --epochs 10000",
          " mistakes in 10,000 passes", NULL },
        { ":and --form threshold", "less the threshold", NULL },
        { ":and --time-limit 60", "as long as no limit in seconds comes into it", NULL },
        { ":and -a svm --hard", "A margin of ", "support rows, with y s" },
        { ":and --updates 2", "stopped at the update limit (2)", NULL },
        { ":and --init unit --show-update 1", "Every update", "moves by" },
        { ":and --show-update 1", "Update 1, on row", NULL },
        { "uneven.csv --show-update 2 --epochs 3", "Update 2 turns the boundary", NULL },
        { ":and --schedule 1/t", "among the rows as they are the bound is shown for", NULL },
        { ":and --class-weight balanced", "among the rows as they are the bound is shown", NULL },
        { ":and --init unit", "among the rows as they are the bound is shown for", NULL },
        { "weights.csv --weight much", "among the rows as they are the bound is shown", NULL },
        /* 3 gamma' and gamma' of u = (2, 2, -3) / sqrt 17, R^2 = 3 */
        { ":and --order file",
          "<th scope=\"row\" class=\"r\">1</th><td class=\"r\">1</td><td class=\"r\">3</td><td "
          "class=\"r\">0.727607</td><td class=\"r\">0.242536</td>",
          "in numbers, one in " },
        { ":and", "<td class=\"r\">0.727607</td><td class=\"r\">0.727607</td>", "margin (half" },
        { ":and --epochs 2", "margin y s</text>", NULL },
        { ":and --epochs 2", "\"label\":[0,0,0,1]}", NULL },
        { ":and -a averaged --rule margin --epochs 3", "<th scope=\"row\">rule</th><td>margin</td>",
          NULL },
        { "zero.svm --epochs 2 --prove-limit 60", "margin (half the gap)</text>",
          "margin y s</text>" },
        { "zero.svm --epochs 2 --prove-limit 60",
          "separable</td><td class=\"r\">4</td><td "
          "class=\"r\">–</td>",
          NULL },
        /* A row at the origin is a no by itself. */
        { "zero.svm --epochs 2 --no-offset --prove-limit 60",
          "touching</td><td class=\"r\">4</td><td class=\"r\">1</td>", NULL },
        /* R^2 = K(x, x) + 1 = 2, gamma'^2 = (1 - K(x, z)) / 2 = (1 - e^-2) / 2 */
        { "through.svm --kernel gaussian --prove-limit 60",
          "<dt><var>R</var></dt><dd>1.41421</dd>\n<dt><var>γ′</var></dt><dd>0.65752</dd>\n"
          "<dt>Geometric margin</dt><dd>0.65752</dd>\n",
          NULL },
        { ":xor --kernel rbf --schedule 1/t --epochs 9", "\"follow\":false", NULL },
        { ":xor --kernel rbf --class-weight balanced --epochs 9", "\"follow\":false", NULL },
        { ":xor --kernel rbf --budget 2 --epochs 9", "\"follow\":false", NULL },
        { ":xor --kernel rbf --drop-after 3 --epochs 9", "\"follow\":false", NULL },
        { ":xor --kernel rbf --scale minmax --epochs 9", "\"follow\":false", NULL },
        { ":xor --kernel rbf --scale unit --epochs 9", "\"follow\":false", NULL },
        { ":xor --kernel rbf --map lift:2:0 --epochs 9", "\"follow\":false", NULL },
        { ":xor --kernel rbf --epochs 9", "\"follow\":true", NULL },
    };
    struct world t;

    put_files();
    for (size_t i = 0; i < COUNT(page); i++) {
        char *text = page_of(good(&t, page[i].line));

        if (page[i].has != NULL) says(page[i].line, text, page[i].has, true);
        if (page[i].lacks != NULL) says(page[i].line, text, page[i].lacks, false);
        free(text);
        leave(&t);
    }
}

/* The lift, or why there is none. */
TEST(a_lift_is_drawn_or_there_is_a_reason)
{
    static const struct {
        const char *line, *why, *about;
    } lift[] = {
        { ":xor --map lift:2:0 -a voted", "a vote of many planes", NULL },
        { ":xor --kernel poly --degree 1 --coef0 0", "too few features", NULL },
        { ":xor --map products:7", "too many features", NULL },
        { ":xor --map lift:2:0 --kernel poly", "it is of rows under a polynomial map", NULL },
        { ":xor --kernel poly --gamma 2", "it is of rows under a polynomial map", NULL },
        { ":xor --kernel poly --degree 9", "it is of rows under a polynomial map", NULL },
        { ":xor --kernel poly --coef0 -1", "it is of rows under a polynomial map", NULL },
        { ":iris --map lift:2:0 --epochs 1", "it is of two features, and there are 4", NULL },
        { "three.svm --map lift:2:0 --epochs 1", "more than two classes", NULL },
        { ":xor --map lift:2:0 --axes x1^2,x2^2", "--axes takes three", NULL },
        { ":xor --map lift:2:0 --axes x1^2,x2^2,x1*x2,x1", "--axes takes three", NULL },
        { "undone.svm --map lift:2:0 --order file --epochs 1", "there is no plane", NULL },
        { ":xor --map lift:2:0", "", "The plane is (" },
        { ":xor --map lift:2:0 --axes x1^2,x1*x2,distance", "", "at right angles" },
        { ":xor --map lift:2:0 --axes distance,x1^2,x2^2", "", "at right angles" },
        { ":xor --map lift:2:0 --axes x1^2,distance,x2^2", "", "at right angles" },
        { "labels.csv --map lift:2:0 --positive k0 --epochs 1", "", "rows under the map" },
        { ":xor --map lift:2:1 --axes x1^2,x1*x2,x2^2", "", "The plane has weights elsewhere" },
        { "uneven.csv --map lift:2:0 --scale minmax --epochs 2", "", ", x1 = u, x2 = v, scaled" },
        { "uneven.csv --map lift:2:0 --scale unit --epochs 2", "", ", scaled" },
    };
    struct world t;

    put_files();
    for (size_t i = 0; i < COUNT(lift); i++) {
        const struct study *s = good(&t, lift[i].line);
        char why[STUDY_WHY];

        picture_lift_possible(s, 0, why);
        struct figure *f = picture_lift(s, 0);
        if (strstr(why, lift[i].why) == NULL || (f == NULL) != (lift[i].about == NULL))
            fail_msg("%s: '%s'", lift[i].line, why);
        if (f != NULL) says(lift[i].line, figure_about_text(f), lift[i].about, true);
        figure_free(f);
        leave(&t);
    }
}

static double weight(const struct study *s, size_t j)
{
    const struct study_run *r = &s->run[0];

    return j < r->info.features ? perc_model_weight(r->model, j, 0) : 0;
}

/* Of component k without its part along w: the unit vector. Returns what the length was. */
static double within_boundary(const struct study *s, int k, double *u)
{
    const size_t d = (size_t)s->data_info.features;
    const double *c = s->direction + (size_t)k * d;
    double ww = 0, cw = 0, length = 0;

    for (size_t j = 0; j < d; j++) {
        ww += weight(s, j) * weight(s, j);
        cw += c[j] * weight(s, j);
    }
    for (size_t j = 0; j < d; j++) u[j] = c[j] - cw / ww * weight(s, j);
    for (size_t j = 0; j < d; j++) length = hypot(length, u[j]);
    for (size_t j = 0; j < d; j++) u[j] = length > 0 ? u[j] / length : 0;
    return length;
}

/* With more than two features: upwards, a direction of length 1 within the boundary, that of the
 * first component or, where this is nearly at right angles to the boundary, of the second. */
TEST(a_strip_is_seen_along_the_boundary)
{
    static const struct {
        const char *line;
        int component;
        bool flat;
    } strip[] = {
        { ":iris --positive setosa --epochs 9", 0, false },
        { ":iris --positive virginica --no-offset --epochs 3", 0, false },
        { "long.svm --epochs 3", 1, false },
        { "ray.svm --no-offset --epochs 3", 1, true }, /* no second direction: all rows at 0 */
    };
    struct world t;

    put_files();
    for (size_t i = 0; i < COUNT(strip); i++) {
        const struct study *s = good(&t, strip[i].line);
        const size_t d = (size_t)s->data_info.features;
        struct figure *f = picture_strip(s, 0);
        size_t seen[STUDY_CLASSES] = { 0 };
        double u[8], x[8], norm = 0;
        if (f == NULL || d > 8) fail_msg("%s", strip[i].line);
        assert_int_equal(within_boundary(s, 0, u) <= 0.1, strip[i].component);
        if (strip[i].component) within_boundary(s, 1, u);
        for (size_t j = 0; j < d; j++) norm = hypot(norm, weight(s, j));
        assert_true(s->points > 2);
        for (size_t k = 0; k < s->points; k++) {
            const struct figure_layer *l = f->layer;
            while (l->kind != LAYER_POINTS || l->colour != s->label[k]) l++;
            const size_t at = seen[s->label[k]]++;
            double up = 0;
            perc_dataset_row(s->ds, s->row[k], x);
            for (size_t j = 0; j < d; j++) up += u[j] * x[j];
            assert_true(at < l->n);
            assert_true(fabs(l->x[at] - s->run[0].score[s->row[k]] / norm) <= 1e-9);
            if (!(fabs(l->y[at] - up) <= 1e-9))
                fail_msg("%s: row %zu is at %g, not %g", strip[i].line, k, l->y[at], up);
            assert_true(!strip[i].flat || l->y[at] == 0);
        }
        figure_free(f);
        leave(&t);
    }
}

/* |w| in the space of the map: of its weights, or of the sum of the support rows. */
static double length_of(const struct study *s)
{
    const struct study_run *r = &s->run[0];
    double norm2 = 0;

    for (size_t j = 0; j < r->info.features && r->supports == 0; j++)
        norm2 += weight(s, j) * weight(s, j);
    for (size_t i = 0; i < r->supports; i++)
        for (size_t k = 0; k < r->supports; k++) {
            double x[2], z[2];
            perc_dataset_row(s->ds, (uint64_t)r->support[i].row, x);
            perc_dataset_row(s->ds, (uint64_t)r->support[k].row, z);
            norm2 += r->support[i].coefficient * r->support[k].coefficient *
                     pow(x[0] * z[0] + x[1] * z[1] + r->info.coef0, r->info.degree);
        }
    return sqrt(norm2);
}

/* Each row with its distance from the plane, (w.phi + b) / |w|. */
TEST(a_lift_knows_the_distances)
{
    static const char *const line[] = { ":xor --map lift:2:0 --epochs 9",
                                        "uneven.csv --map lift:2:1 --epochs 3",
                                        ":xor --map lift:3:2 --axes x1^2,distance,x2^2",
                                        ":xor --kernel poly --degree 2 --coef0 0 --epochs 9",
                                        "noise.csv --kernel poly --degree 3 --epochs 2" };
    struct world t;

    put_files();
    for (size_t i = 0; i < COUNT(line); i++) {
        const struct study *s = good(&t, line[i]);
        struct figure *f = picture_lift(s, 0);
        const double norm = length_of(s);
        struct out *o;
        assert_non_null(f);
        assert_int_equal(out_open(NULL, NULL, &o, NULL), PERC_OK);
        figure_svg(f, o, FIGURE_INLINE);
        for (size_t k = 0; k < s->points; k++) {
            char far[WORD], hint[100];
            snprintf(hint, sizeof hint, "row %llu, %s from the plane",
                     (unsigned long long)s->row[k] + 1,
                     word_num(far, s->run[0].score[s->row[k]] / norm));
            says(line[i], out_kept(o), hint, true);
        }
        out_abort(o);
        figure_free(f);
        leave(&t);
    }
}

/* A proof that has no time leaves everything open, and says so. */
TEST(a_proof_without_time_is_undecided)
{
    static const char *const line[] = { ":xor --epochs 3", "three.svm --epochs 3",
                                        ":xor --kernel gaussian --epochs 3" };
    struct world t;
    struct study s;
    perc_error err;

    put_files();
    for (size_t i = 0; i < COUNT(line); i++) {
        good(&t, line[i]);
        t.q.request.prove_seconds = 1e-9;
        assert_int_equal(study_make(&s, &t.q.request, &err), PERC_OK);
        char *text = page_of(&s);
        says(line[i], text, "undecided", true);
        says(line[i], text, "the proof was ended by --prove-limit", true);
        free(text);
        study_free(&s);
        leave(&t);
    }
}

/* Work that would take too long is left out, with a reason; steps are kept where asked for. */
TEST(what_takes_too_long_is_left_out)
{
    static const struct {
        const char *line, *words;
        bool long_enough;
    } c[] = {
        { ":and", "scoring all rows after each pass would take too long", false },
        { ":and", "on parts of the rows, would take too long", false },
        { ":and", "finding the largest margin would take too long", false },
        { ":xor -a mlp --layers 2 --epochs 2", "of the plane would take too long", false },
        { ":and", "they were not asked for", true },
    };
    struct world t;
    struct study s;
    perc_error err;

    for (size_t i = 0; i < COUNT(c); i++) {
        good(&t, c[i].line);
        t.q.request.work = c[i].long_enough ? 0 : 1;
        t.q.request.animate = !c[i].long_enough;
        assert_int_equal(study_make(&s, &t.q.request, &err), PERC_OK);
        char *text = page_of(&s);
        says(c[i].line, text, c[i].words, true);
        free(text);
        study_free(&s);
        leave(&t);
    }
}

/* Standard input can be read once: no proof, and with --scale no plane. */
TEST(standard_input_is_read_once)
{
    struct world t;
    const int kept = dup(STDIN_FILENO);

    put_files();
    assert_non_null(freopen("uneven.csv", "r", stdin));
    char *text = page_of(good(&t, "- --scale minmax --epochs 3 --prove-limit 60"));
    says("-", text, "with --scale the rows are drawn as the file has them", true);
    says("-", text, "a proof reads the data by itself", true);
    free(text);
    leave(&t);
    assert_true(dup2(kept, STDIN_FILENO) >= 0);
    close(kept);
}

struct waiting {
    int asked, stop_at;
};

static bool stop_then(void *ud)
{
    struct waiting *w = ud;

    return w->asked++ >= w->stop_at;
}

/* Whoever waits may stop a study at any point: what was made is freed, and nothing fails. */
TEST(a_study_can_be_stopped_anywhere)
{
    static const char *const line[] = { ":and --prove-limit 60 --orders 3",
                                        ":xor --compare perceptron,averaged --kernel gaussian" };
    struct world t;
    struct study s;
    perc_error err;

    for (size_t i = 0; i < COUNT(line); i++) {
        struct waiting w = { 0, 0 };

        good(&t, line[i]);
        t.q.request.host = (struct study_host){ .ud = &w, .stopped = stop_then };
        for (bool stopped = true; stopped; w.stop_at += 1 + w.stop_at / 16) {
            w.asked = 0;
            assert_int_equal(study_make(&s, &t.q.request, &err), PERC_OK);
            study_free(&s);
            stopped = w.asked > w.stop_at;
        }
        assert_true(w.stop_at > 5); /* guard */
        leave(&t);
    }
}

/* The model of `line`, over the rows of a file. */
static perc_status over(struct study *s, struct study_request *q, const char *line,
                        const char *data, perc_error *err)
{
    struct world t;
    perc_model *m;

    assert_int_equal(perc_model_write(good(&t, line)->run[0].model, "m", NULL), PERC_OK);
    leave(&t);
    assert_int_equal(perc_model_read(NULL, "m", &m, NULL), PERC_OK);
    *q = (struct study_request){ .data = data };
    return study_of_model(s, q, m, err);
}

/* A model over rows that are not those it learned from. */
TEST(a_model_over_other_rows_says_what_it_cannot_know)
{
    static const struct {
        const char *line, *name, *text;
        perc_status st;
        const char *why;
    } c[] = {
        { "uneven.csv --epochs 3", "other.csv", "u,v,label\n1,2,p\n3,4,q\n", PERC_EDATA, "label" },
        { "uneven.csv --epochs 3", "one.csv", "u,v,label\n1,2,a\n3,4,a\n", PERC_OK, "class" },
        { "three.svm --positive p --epochs 3", "new.svm", "p 1:1\nnever 2:1\nq 1:2\n", PERC_OK,
          "" },
        { "uneven.csv --scale minmax --epochs 3", "turned.csv", "v,u,label\n1,2,a\n3,4,b\n",
          PERC_OK, "the columns of the file are not those of the model" },
        { "uneven.csv --scale standard --missing mean --epochs 3", "gaps.csv",
          "v,u,label\n1,2,a\n3,,b\n", PERC_OK,
          "the columns of the file are not those of the model" },
        { "uneven.csv --epochs 3", "mixed.csv", "u,v,label\n1,2,a\n3,4,b\n5,5,c\n", PERC_OK, "" },
        { "three.svm --positive p --epochs 3", "wide.svm", "p 1:1\nq 1:2 3:4\nq 2:1\n", PERC_OK,
          "" },
    };

    put_files();
    for (size_t i = 0; i < COUNT(c); i++) {
        struct figure *list[PICTURES];
        struct study_request q;
        struct study s;
        perc_error err = { 0 };

        assert_int_equal(t_put(c[i].name, c[i].text), 0);
        const perc_status st = over(&s, &q, c[i].line, c[i].name, &err);
        if (st != c[i].st || strstr(st               ? err.text
                                    : s.why_plane[0] ? s.why_plane
                                                     : s.run[0].why_roc,
                                    c[i].why) == NULL)
            fail_msg("%s over %s: %d, '%s' '%s' '%s'", c[i].line, c[i].name, (int)st, err.text,
                     s.why_plane, s.run != NULL ? s.run[0].why_roc : "");
        for (size_t n = st ? 0 : picture_all(&s, list); n-- > 0;) {
            assert_true(figure_ready(list[n]));
            figure_free(list[n]);
        }
        study_free(&s);
    }
}

/* Where all rows lie on one line along an axis, there is room around it. */
TEST(a_plane_has_room_around_equal_numbers)
{
    struct world t;

    assert_int_equal(t_put("one.csv", "u,v,label\n3,0,a\n3,0,b\n"), 0);
    const struct study *s = good(&t, "one.csv --epochs 2");
    assert_true(s->box[0] == 1.5 && s->box[2] == 4.5 && s->box[1] == -1 && s->box[3] == 1);
    leave(&t);
}

/* What a page shows as a command can be given to a shell. */
TEST(words_are_quoted_for_a_shell)
{
    static const char *const word[][2] = {
        { "plain-1.csv", "plain-1.csv" },
        { "", "&#39;&#39;" },
        { "two words", "&#39;two words&#39;" },
        { "it's", "&#39;it&#39;\\&#39;&#39;s&#39;" },
        { "back\\", "&#39;back\\&#39;" },
        { "\xc3\xa9", "$&#39;\\xc3\\xa9&#39;" },
        { "a\nb'c\\", "$&#39;a\\x0ab\\&#39;c\\\\&#39;" },
    };

    for (size_t i = 0; i < COUNT(word); i++) {
        struct out *o;

        assert_int_equal(out_open(NULL, NULL, &o, NULL), PERC_OK);
        report_shell_word(o, word[i][0]);
        assert_string_equal(out_kept(o), word[i][1]);
        out_abort(o);
    }
}
