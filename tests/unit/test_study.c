/* test_study.c -- the numbers behind `report` and `plot`: against the run itself, against the
 * library asked in another way, and against small cases worked out by hand. */
#include <math.h>

#include "show/word.h"
#include "study/picture.h"
#include "study/study_parts.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"
#include "t_study.h"

const struct command cli_commands[] = { { .name = NULL } }; /* main.c's, for help */

static void near(double a, double b, double slack)
{
    if (!(fabs(a - b) <= slack * (1 + fabs(b)))) print_error("%.17g is not %.17g\n", a, b);
    assert_true(fabs(a - b) <= slack * (1 + fabs(b)));
}

/* ----- passes --------------------------------------------------------------------- */

/* The error after pass k is that of a run of k passes. */
TEST(passes_are_those_of_shorter_runs)
{
    static const char *const algorithm[] = { "perceptron", "averaged", "pocket", "voted", "mlp" };
    struct world t;

    for (size_t a = 0; a < COUNT(algorithm); a++) {
        char line[128], epochs[24];

        snprintf(line, sizeof line, ":cancer -a %s --epochs 6 --seed 3", algorithm[a]);
        const struct study *s = good(&t, line);
        const struct study_run *r = &s->run[0];
        int64_t mistakes = 0, updates = 0;

        assert_int_equal(r->passes, 6);
        for (size_t k = 0; k < r->passes; k++) {
            perc_report report;
            perc_model *m;

            snprintf(epochs, sizeof epochs, "%zu", k + 1);
            assert_int_equal(perc_params_set(t.q.params[0], "epochs", epochs, NULL), PERC_OK);
            assert_int_equal(perc_fit(NULL, s->ds, r->params, NULL, &m, &report, NULL), PERC_OK);
            mistakes += r->pass[k].mistakes;
            updates += r->pass[k].updates;
            assert_int_equal(r->pass[k].number, (int64_t)k + 1);
            assert_int_equal(mistakes, report.mistakes);
            assert_int_equal(updates, report.updates);
            assert_true(r->pass[k].error == report.training_error);
            assert_int_equal(isnan(r->pass[k].loss), strcmp(algorithm[a], "mlp") != 0);
            perc_model_free(m);
        }
        assert_true(r->pass[0].error != r->pass[1].error); /* guard */
        leave(&t);
    }
}

/* Of a long run some are left out, and never the last. */
TEST(long_runs_are_thinned)
{
    struct world t;
    const struct study_run *r = &good(&t, ":xor --epochs 5001")->run[0];

    assert_in_range(r->passes, 1000, 2049);
    assert_int_equal(r->pass[r->passes - 1].number, 5001);
    for (size_t i = 1; i < r->passes; i++)
        assert_true(r->pass[i].number > r->pass[i - 1].number && !isnan(r->pass[i].error));
    leave(&t);
}

/* ----- norms and steps --------------------------------------------------------------- */

struct by_hand { /* Rosenblatt's rule, once more */
    double w[3];
    size_t updates;
    double norm2[4096], line[4096][3];
    int64_t row[4096];
};

static void run_by_hand(const struct study *s, size_t epochs, struct by_hand *h)
{
    double x[2];

    memset(h, 0, sizeof *h);
    for (size_t e = 0; e < epochs; e++)
        for (uint64_t i = 0; i < s->data_info.rows; i++) {
            const double y = perc_dataset_row_label(s->ds, i) == 1 ? 1 : -1;

            perc_dataset_row(s->ds, i, x);
            if (y * (h->w[0] * x[0] + h->w[1] * x[1] + h->w[2]) > 0) continue;
            h->w[0] += y * x[0];
            h->w[1] += y * x[1];
            h->w[2] += y;
            h->row[h->updates] = (int64_t)i;
            memcpy(h->line[h->updates], h->w, sizeof h->w);
            h->norm2[h->updates++] = h->w[0] * h->w[0] + h->w[1] * h->w[1] + h->w[2] * h->w[2];
        }
}

TEST(norms_and_steps_are_those_by_hand)
{
    static struct by_hand h;
    static const char *const line[] = { ":blobs85 --order file --epochs 100",
                                        ":xor --order file --epochs 30",
                                        ":blobs85 --order file --epochs 7 -a averaged",
                                        ":blobs85 --order file --rate 0.5" };
    struct world t;

    for (size_t i = 0; i < COUNT(line); i++) {
        const struct study *s = good(&t, line[i]);
        const struct study_run *r = &s->run[0];
        const double rate = strstr(line[i], "rate") != NULL ? 0.5 : 1;

        run_by_hand(s, (size_t)r->report.epochs, &h);
        assert_true(r->plain && h.updates > 10);
        assert_int_equal(r->norms, h.updates);
        assert_int_equal(r->steps, h.updates);
        for (size_t k = 0; k < h.updates; k++) {
            assert_true(r->norm[k].k == (double)k + 1);
            near(r->norm[k].norm2, h.norm2[k], 1e-10);
            assert_int_equal(r->step[k].row, h.row[k]);
            near(r->step[k].w[0], rate * h.line[k][0], 1e-12);
            near(r->step[k].w[1], rate * h.line[k][1], 1e-12);
            near(r->step[k].b, rate * h.line[k][2], 1e-12);
            assert_true(r->norm[k].norm2 <=
                        (double)(k + 1) * r->report.radius * r->report.radius * (1 + 1e-12));
        }
        leave(&t);
    }
}

/* Novikoff 1962, as the picture of the bound shows it. That w.u is never more than |w| shows that
 * u is no longer than 1, and the theorem's two ends that gamma' is its margin. */
TEST(updates_go_along_u)
{
    static const char *const line[] = {
        ":blobs85 --prove-limit 60", ":blobs85 --scale standard --prove-limit 60", ":and",
        ":iris --positive setosa --prove-limit 60",
        ":iris --positive setosa --prove-limit 60 --scale standard"
    };
    struct world t;

    for (size_t i = 0; i < COUNT(line); i++) {
        const struct study *s = good(&t, line[i]);
        const struct study_run *r = &s->run[0];
        double least = INFINITY;

        assert_non_null(s->advance);
        for (uint64_t k = 0; k < s->data_info.rows; k++) least = fmin(least, s->advance[k]);
        near(s->gamma, least, 1e-12);
        near(s->limit, s->radius / s->gamma * (s->radius / s->gamma), 1e-5);
        if (s->bounded && s->scaling_a == NULL) near(s->limit, s->bound.bound, 1e-12);
        assert_true(r->norms > 2 && (double)r->report.updates <= s->limit);
        for (size_t k = 0; k < r->norms; k++) {
            assert_true(r->norm[k].along >= r->norm[k].k * s->gamma * (1 - 1e-9));
            assert_true(r->norm[k].along <= sqrt(r->norm[k].norm2) * (1 + 1e-12));
        }
        leave(&t);
    }
}

TEST(long_curves_keep_their_ends)
{
    struct world t;
    const struct study_run *r = &good(&t, ":xor --epochs 3000")->run[0];

    assert_in_range(r->norms, 600, STUDY_NORMS);
    assert_true(r->norm[0].k == 1);
    assert_true(r->norm[r->norms - 1].k == (double)r->report.updates);
    assert_int_equal(r->steps, STUDY_STEPS);
    assert_true(r->steps_cut);
    assert_true(isnan(r->norm[5].along)); /* no u: not separable */
    leave(&t);
}

/* The steps under precision over recall are the average precision, and the entry of the answers is
 * the confusion matrix. */
static void check_trades(const struct study *s, const struct study_run *r)
{
    double sum = 0, recall = 0;
    size_t here = SIZE_MAX;

    for (size_t k = 0; k < r->trades; k++) {
        sum += (r->trade[k].recall - recall) * r->trade[k].precision;
        recall = r->trade[k].recall;
        if (r->trade[k].here) here = k;
    }
    near(sum, r->metrics.average_precision, 1e-12);
    if (r->confusion[1] + r->confusion[3] == 0) assert_true(here == SIZE_MAX);
    else {
        assert_int_equal(r->trade[here].false_positives, r->confusion[1]);
        assert_int_equal(r->trade[here].true_positives, r->confusion[3]);
    }
    struct figure *f = picture_precision(s), *g = picture_roc(s);
    const char *ring = here == SIZE_MAX ? NULL : "The ring is where the answers";

    assert_int_equal(strstr(figure_about_text(f), "The ring") != NULL, ring != NULL);
    assert_int_equal(strstr(figure_about_text(g), "The ring") != NULL, ring != NULL);
    figure_free(f);
    figure_free(g);
}

/* ----- rows ------------------------------------------------------------------------------ */

TEST(margins_confusion_and_roc_agree_with_the_metrics)
{
    static const char *const line[] = { ":cancer -a pocket --epochs 5",
                                        ":iris --epochs 20",
                                        ":xor",
                                        ":iris --positive virginica --epochs 9",
                                        ":cancer -a mlp --layers 4 --epochs 3 --scale standard",
                                        ":cancer -a voted --epochs 2",
                                        ":iris --positive setosa --kernel gaussian" };
    struct world t;

    for (size_t i = 0; i < COUNT(line); i++) {
        const struct study *s = good(&t, line[i]);
        const struct study_run *r = &s->run[0];
        double low = INFINITY, high = -INFINITY, area = 0;
        uint64_t errors = 0, rows = 0, hits = 0;
        const size_t n = r->info.labels;

        for (uint64_t k = 0; k < s->data_info.rows; k++) {
            low = fmin(low, r->margin[k]);
            high = fmax(high, r->margin[k]);
            errors += !(r->margin[k] > 0);
        }
        near(low, r->metrics.margin[0], 1e-12);
        near(high, r->metrics.margin[PERC_QUANTILES - 1], 1e-12);
        assert_int_equal(errors, r->metrics.errors);
        for (size_t c = 0; c < n * n; c++) {
            rows += r->confusion[c];
            hits += c % (n + 1) == 0 ? r->confusion[c] : 0;
        }
        assert_int_equal(rows, s->data_info.rows);
        near((double)hits / (double)rows, r->metrics.accuracy, 1e-12);
        for (size_t k = 1; k < r->roc; k++)
            area += (r->roc_x[k] - r->roc_x[k - 1]) * (r->roc_y[k] + r->roc_y[k - 1]) / 2;
        assert_int_equal(r->roc > 0, r->info.outputs == 1);
        if (r->roc > 0) {
            near(area, r->metrics.auc, 1e-12);
            assert_true(r->roc_x[0] == 0 && r->roc_y[0] == 0);
            assert_true(r->roc_x[r->roc - 1] == 1 && r->roc_y[r->roc - 1] == 1);
            check_trades(s, r);
        }
        leave(&t);
    }
}

TEST(supports_are_counted)
{
    struct world t;
    const struct study *s = good(&t, ":cancer --scale standard --kernel gaussian --epochs 3");
    const struct study_run *r = &s->run[0];
    int64_t sum = 0;

    assert_true(r->supports > 10);
    for (size_t i = 0; i < r->supports; i++) {
        sum += r->support[i].counter;
        assert_true(i == 0 || r->support[i].counter <= r->support[i - 1].counter);
    }
    assert_int_equal(sum, r->report.updates);
    leave(&t);
}

/* ----- components --------------------------------------------------------------------------- */

/* The figures of the literature for the two real sets, by any program. */
TEST(components_of_known_sets)
{
    struct world t;

    assert_non_null(strstr(good(&t, ":iris")->plane_words, "97.77 %"));
    assert_string_equal(t.study.axis[0], "component 1 (92 %)");
    leave(&t);
    assert_non_null(strstr(good(&t, ":cancer --scale standard")->plane_words, "63.24 %"));
    assert_string_equal(t.study.axis[0], "component 1 (44 %)");
    leave(&t);
}

/* ----- the plane ---------------------------------------------------------------------------- */

/* Regions, and lines, are what the model says of the point of the plane when it is asked. */
TEST(regions_are_the_answers)
{
    static const char *const line[] = {
        ":blobs85",
        ":iris --epochs 9",
        ":cancer --scale standard -a averaged --epochs 4",
        ":iris --scale minmax --features petal~width,sepal~length --positive setosa",
        ":iris --scale standard --features 3,4 --positive virginica -a svm",
        ":xor --kernel poly",
        ":xor -a mlp --layers 8",
        ":iris --scale unit --positive setosa",
        ":xor --map poly:2",
        ":cancer --scale maxabs -a voted --epochs 1"
    };
    struct world t;

    for (size_t i = 0; i < COUNT(line); i++) {
        const struct study *s = good(&t, line[i]);
        const struct study_run *r = &s->run[0];
        const size_t d = (size_t)s->data_info.features;
        double x[32], scores[8];
        bool seen[5] = { false }; /* by label + 1 */

        assert_non_null(r->region);
        for (size_t c = 0; c < STUDY_CELLS * STUDY_CELLS; c += 7) {
            const double at[2] = { s->box[0] + (s->box[2] - s->box[0]) *
                                                   ((double)(c % STUDY_CELLS) + 0.5) / STUDY_CELLS,
                                   s->box[1] + (s->box[3] - s->box[1]) *
                                                   ((double)(c / STUDY_CELLS) + 0.5) /
                                                   STUDY_CELLS };
            const perc_example e = { .value = x, .n = d };

            study_lift(s, at, x);
            assert_int_equal(perc_score(r->model, &e, scores, NULL), PERC_OK);
            const int label = study_label(s, perc_answer(r->model, scores));
            if (r->info.outputs > 1 || fabs(scores[0]) > 1e-9)
                assert_int_equal(r->region[c], label);
            seen[label + 1] = true;
            if (r->line) {
                const double s_line = r->plane_w[0] * at[0] + r->plane_w[1] * at[1] + r->plane_b;

                near(s_line, scores[0], 1e-9);
            }
        }
        if (seen[0] + seen[1] + seen[2] + seen[3] < 2) /* guard: a plane of one class says little */
            print_error("%s: one class\n", line[i]);
        assert_true(seen[0] + seen[1] + seen[2] + seen[3] > 1);
        leave(&t);
    }
}

/* The steps of a plain perceptron end at its model, wherever the plane lies. */
TEST(the_last_step_is_the_model)
{
    static const char *const line[] = {
        ":cancer --scale standard --epochs 5", ":cancer --epochs 1",
        ":iris --scale standard --features 4,1 --positive versicolor --epochs 3"
    };
    struct world t;

    for (size_t i = 0; i < COUNT(line); i++) {
        const struct study_run *r = &good(&t, line[i])->run[0];
        const struct study_shot *last = &r->step[r->steps - 1];

        assert_true(r->line && r->steps > 5 && !r->steps_cut);
        near(last->w[0], r->plane_w[0], 1e-9);
        near(last->w[1], r->plane_w[1], 1e-9);
        near(last->b, r->plane_b, 1e-9);
        leave(&t);
    }
}

/* What an observer sees of a run: the weights of all classes after every update. */
struct seen {
    const perc_dataset *ds;
    double *w; /* (features + 1) * classes of each update, the offset last; NaN: not met */
    size_t n, room, d;
    bool met[3];
};

static int see(void *ud, const perc_event *e)
{
    struct seen *all = ud;

    if (e->row >= 0) all->met[perc_dataset_row_label(all->ds, (uint64_t)e->row)] = true;
    if (e->row < 0 || !e->updated || all->n == all->room) return 0;
    for (size_t c = 0, v = 0; c < 3; c++) {
        double *w = all->w + (all->n * 3 + c) * (all->d + 1);
        const bool two = e->vectors == 1 && e->y != 0; /* and is -1 or 1: the vector of the upper */
        const double sign = two && v == 0 ? -1 : 1;
        const size_t at = two ? 0 : v;

        w[all->d] = NAN;
        if (!all->met[c] && e->vectors < 3) continue;
        v++;
        assert_true(at < e->vectors);
        for (size_t j = 0; j < all->d; j++)
            w[j] = j < e->features ? sign * e->w[j * e->stride + at] : 0;
        w[all->d] = sign * e->b[at];
    }
    all->n++;
    return 0;
}

/* The row of file numbers x as the learner sees it: --scale goes by a line for each feature,
 * which two rows of the file tell. */
static void scale_row(const struct study *s, const perc_dataset *file, double *x)
{
    double a[32], b[32];

    for (uint64_t j = 0; j < s->data_info.features; j++) {
        uint64_t other = 1;

        perc_dataset_row(file, 0, a);
        perc_dataset_row(file, other, b);
        while (b[j] == a[j]) perc_dataset_row(file, ++other, b);
        const double from = a[j], to = b[j];
        perc_dataset_row(s->ds, 0, a);
        perc_dataset_row(s->ds, other, b);
        x[j] = a[j] + (b[j] - a[j]) * (x[j] - from) / (to - from);
    }
}

/* With several classes each step has what every class scores, all over the plane; in the end
 * the largest is the answer of a plain perceptron. */
TEST(classes_are_those_of_an_observer)
{
    static const char *const line[] = {
        ":iris --features petal~length,petal~width --epochs 9",
        ":iris -a averaged --epochs 9",
        ":iris --features 4,1 --scale standard --multiclass native --epochs 20",
        ":iris --scale minmax -a pocket --epochs 9",
        ":iris --multiclass native -a pa1 --epochs 9",
        ":iris --order file --epochs 9",
        ":iris --multiclass native --order file --epochs 9",
        ":iris --multiclass ovr --order file --epochs 9"
    };
    struct world t;

    for (size_t i = 0; i < COUNT(line); i++) {
        const struct study *s = good(&t, line[i]);
        const struct study_run *r = &s->run[0];
        struct seen all = { .ds = s->ds, .room = STUDY_STEPS, .d = 4 };
        const perc_observer watch = { .level = PERC_WATCH_WEIGHTS, .notify = see, .ud = &all };
        perc_dataset *file;
        perc_model *m;

        all.w = calloc(all.room * 3, 5 * sizeof *all.w);
        assert_int_equal(perc_dataset_read(NULL, ":iris", NULL, &file, NULL), PERC_OK);
        assert_int_equal(perc_fit(NULL, s->ds, r->params, &watch, &m, NULL, NULL), PERC_OK);
        assert_int_equal(r->classes, 3);
        assert_false(r->line);
        assert_true(r->steps > 10);
        assert_int_equal(r->steps, all.n);
        for (size_t k = 0; k < 3 * 3 * all.n; k++) {
            const size_t corner = k % 3, c = k / 3 % 3, step = k / 9;
            const double at[2] = { s->box[corner == 1 ? 2 : 0], s->box[corner == 2 ? 3 : 1] };
            const struct study_class *has = &r->class[step * 3 + c];
            const double *w = all.w + (step * 3 + c) * 5;
            double x[4], score = w[4];

            assert_int_equal(isnan(has->b), isnan(w[4]));
            if (isnan(w[4])) continue;
            study_lift(s, at, x);
            scale_row(s, file, x);
            for (size_t j = 0; j < 4; j++) score += w[j] * x[j];
            near(has->w[0] * at[0] + has->w[1] * at[1] + has->b, score, 1e-6);
        }
        t_free(m, file);
        free(all.w);
        leave(&t);
    }
}

TEST(the_last_classes_are_the_regions)
{
    static const char *const line[] = { ":iris --features 3,4 --epochs 9",
                                        ":iris --scale standard --multiclass native --epochs 20" };
    struct world t;

    for (size_t i = 0; i < COUNT(line); i++) {
        const struct study *s = good(&t, line[i]);
        const struct study_run *r = &s->run[0];
        const struct study_class *last = r->class + (r->steps - 1) * r->classes;
        size_t other = 0;

        assert_true(r->classes == 3 && !r->steps_cut);
        for (size_t c = 0; c < STUDY_CELLS * STUDY_CELLS; c++) {
            const double x = s->box[0] + (s->box[2] - s->box[0]) *
                                             ((double)(c % STUDY_CELLS) + 0.5) / STUDY_CELLS;
            const double y = s->box[1] + (s->box[3] - s->box[1]) *
                                             ((double)(c / STUDY_CELLS) + 0.5) / STUDY_CELLS;
            double score[3];
            int best = 0;

            for (int k = 0; k < 3; k++) {
                score[k] = last[k].w[0] * x + last[k].w[1] * y + last[k].b;
                best = score[k] > score[best] ? k : best;
            }
            other += best != r->region[c];
        }
        assert_true(other <= 2); /* cells on a border */
        leave(&t);
    }
}

/* Where there is no plane for each class, or there are very many, the steps have none. */
TEST(some_classes_are_not_followed)
{
    static const char *const line[] = {
        ":iris --kernel poly --epochs 3", ":iris --map poly:2 --epochs 3", ":blobs85",
        ":iris --scale unit --epochs 3",  ":iris -a voted --epochs 3",     "nine.svm --epochs 3"
    };
    struct world t;
    FILE *f = fopen("nine.svm", "w");

    assert_non_null(f);
    for (int i = 0; i < 90; i++) fprintf(f, "%d 1:%d 2:%d\n", i % 9, i % 7, i % 5);
    assert_int_equal(fclose(f), 0);
    for (size_t i = 0; i < COUNT(line); i++) {
        const struct study_run *r = &good(&t, line[i])->run[0];

        assert_true(r->steps > 0);
        assert_int_equal(r->classes, 0);
        leave(&t);
    }
}

/* Points lie where their features say, in the units of the file. */
TEST(points_are_in_the_units_of_the_file)
{
    struct world t;
    const struct study *s = good(&t, ":iris --scale standard --features petal~length,1");

    assert_int_equal(s->plane, STUDY_CHOSEN);
    assert_string_equal(s->axis[0], "petal length");
    assert_string_equal(s->axis[1], "sepal length");
    near(s->x[0], 1.4, 1e-12); /* the first row of iris: 5.1 3.5 1.4 0.2 */
    near(s->y[0], 5.1, 1e-12);
    assert_true(s->box[0] < 1 && s->box[2] > 6.9);
    leave(&t);
}

/* Many rows, of which some are drawn, and a feature that is always 5: scaled it is 1, and so it
 * is in the whole plane. */
TEST(of_many_rows_some_are_drawn)
{
    static const char *const how[] = { "", " --scale maxabs", " --scale minmax --features 1,2" };
    FILE *f = fopen("many.svm", "w");
    uint64_t seed = 9;
    struct world t;

    assert_non_null(f);
    for (int i = 0; i < 5000; i++) {
        double x[3];

        for (int j = 0; j < 3; j++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            x[j] = (double)(seed >> 44) / 0x1p20;
        }
        fprintf(f, "%d 1:%.4f 2:%.4f 3:5 4:%.4f\n", x[0] + x[1] > 1.2 ? 1 : -1, 100 * x[0],
                1 + x[1], x[2] / 2);
    }
    assert_int_equal(fclose(f), 0);
    for (size_t i = 0; i < COUNT(how); i++) {
        char line[96];

        snprintf(line, sizeof line, "many.svm --epochs 3%s", how[i]);
        const struct study *s = good(&t, line);
        const struct study_run *r = &s->run[0];
        size_t first = 0;

        assert_true(s->sampled && s->points == STUDY_POINTS);
        for (size_t k = 0; k < s->points; k++) {
            assert_true(k == 0 || s->row[k] > s->row[k - 1]);
            assert_int_equal(s->label[k], perc_dataset_row_label(s->ds, s->row[k]));
            first += s->row[k] < 2500;
        }
        assert_in_range(first, 900, 1100); /* from all of the file: 1000 +- 4 deviations */
        for (size_t c = 0; c < 9; c++) {
            const double at[2] = { s->box[0] + (double)(c % 3) * (s->box[2] - s->box[0]) / 2,
                                   s->box[1] + (double)(c / 3) * (s->box[3] - s->box[1]) / 2 };
            double x[4], score;
            const perc_example e = { .value = x, .n = 4 };

            study_lift(s, at, x);
            assert_true(fabs(x[2] - 5) < 1e-9);
            assert_int_equal(perc_score(r->model, &e, &score, NULL), PERC_OK);
            near(r->plane_w[0] * at[0] + r->plane_w[1] * at[1] + r->plane_b, score, 1e-9);
        }
        leave(&t);
    }
}

/* ----- the proof -------------------- */

TEST(xor_has_a_witness_and_hulls)
{
    struct world t;
    const struct study *s = good(&t, ":xor --prove-limit 60");

    assert_int_equal(s->part.verdict, PERC_OVERLAPPING);
    assert_int_equal(s->part.witnesses, 4);
    assert_true(s->hulled && s->hulls.positives == 2 && s->hulls.negatives == 2);
    assert_null(s->advance);
    assert_non_null(strstr(s->why_bound, "no plane"));
    struct figure *f = picture_witness(s);
    assert_non_null(strstr(figure_title(f), "4 rows show"));
    figure_free(f);
    leave(&t);
    assert_null(picture_witness(good(&t, ":and --prove-limit 60")));
    leave(&t);
}

TEST(of_three_labels_one_with_a_no_is_shown)
{
    struct world t;
    const struct study *s = good(&t, ":iris --prove-limit 60");

    assert_int_equal(perc_proof_parts(s->proof), 3);
    assert_string_equal(s->part.positive, "versicolor");
    assert_true(s->part.witnesses > 0);
    leave(&t);
}

/* ----- several side by side -------------------- */

TEST(an_option_is_for_those_that_have_it)
{
    struct world t;
    const struct study *s = good(&t, ":blobs85 --compare perceptron,svm,averaged,margin -C 0.1 "
                                     "--margin 3 --epochs 20");

    assert_int_equal(s->runs, 4);
    assert_string_equal(perc_params_get(s->run[1].params, "C"), "0.1");
    assert_string_equal(perc_params_get(s->run[0].params, "epochs"), "20");
    assert_string_equal(perc_params_get(s->run[1].params, "epochs"), "20");
    assert_string_equal(perc_params_get(s->run[3].params, "margin"), "3");
    assert_string_equal(s->run[2].info.algorithm, "averaged");
    leave(&t);
}

TEST(what_cannot_be_trained_is_left_out)
{
    struct world t;
    const struct study *s = good(&t, ":xor -q --compare svm,perceptron,pocket --hard");

    assert_int_equal(s->runs, 2);
    assert_string_equal(s->run[0].algorithm, "perceptron");
    assert_non_null(strstr(s->why_missing, "svm: "));
    leave(&t);
    look(&t, ":xor -a svm --hard"); /* alone it is the answer */
    assert_int_equal(t.rc, EXIT_NO);
    leave(&t);
}

TEST(wrong_requests_are_refused)
{
    static const char *const line[] = { ":xor --compare perceptron,svm --layers 3",
                                        ":xor --compare perceptron,nothing",
                                        ":xor --compare perceptron,perceptron",
                                        ":xor --compare perceptron,,svm",
                                        ":xor --compare perceptron -a svm",
                                        ":iris --features 1,1",
                                        ":iris --features 1,9",
                                        ":iris --features petal~width",
                                        ":iris --features ,",
                                        ":blobs85 --features 1,nothing",
                                        ":blobs85 --features 0,1",
                                        ":xor --compare averaged,voted --margin 2",
                                        ":xor -a svm --layers 3" };
    struct world t;

    for (size_t i = 0; i < COUNT(line); i++) {
        look(&t, line[i]);
        if (t.rc != EXIT_USAGE) print_error("%s: %d\n", line[i], t.rc);
        assert_int_equal(t.rc, EXIT_USAGE);
        leave(&t);
    }
    look(&t, "nothing/there.svm");
    assert_int_equal(t.rc, EXIT_SYSTEM);
    leave(&t);
}

/* ----- pictures -------------------- */

/* Each has an id of its own, a title and a text, and can be drawn; the same on any number of
 * threads. */
TEST(pictures_are_the_same_on_any_number_of_threads)
{
    static const char *const line[] = {
        ":cancer --scale standard --compare perceptron,pocket,svm,mlp --layers 5 --epochs 3",
        ":xor --kernel gaussian --prove-limit 60", ":iris --epochs 5 --prove-limit 60",
        ":blobs85 --prove-limit 60", ":not"
    };
    struct world t;

    for (size_t i = 0; i < COUNT(line); i++) {
        char *text[2] = { NULL, NULL }, with[256];

        for (int k = 0; k < 2; k++) {
            struct figure *list[PICTURES];
            struct out *o;
            size_t n;

            snprintf(with, sizeof with, "%s --threads %d", line[i], k == 0 ? 1 : 3);
            n = picture_all(good(&t, with), list);
            assert_true(n > 4);
            assert_int_equal(out_open(NULL, NULL, &o, NULL), PERC_OK);
            for (size_t f = 0; f < n; f++) {
                assert_true(figure_title(list[f])[0] != '\0');
                assert_true(figure_about_text(list[f])[0] != '\0');
                for (size_t g = 0; g < f; g++)
                    assert_string_not_equal(figure_id(list[f]), figure_id(list[g]));
                figure_svg(list[f], o, FIGURE_FILE);
                out_text(o, figure_about_text(list[f]));
            }
            for (size_t f = 0; f < n; f++) figure_free(list[f]);
            assert_false(out_broken(o));
            assert_non_null(text[k] = strdup(out_kept(o)));
            out_abort(o);
            leave(&t);
        }
        assert_true(strcmp(text[0], text[1]) == 0 && strlen(text[0]) > 1000);
        free(text[0]);
        free(text[1]);
    }
}

/* A picture as SVG, to be freed. */
static char *drawn(struct figure *f)
{
    struct out *o;

    assert_true(figure_ready(f));
    assert_int_equal(out_open(NULL, NULL, &o, NULL), PERC_OK);
    figure_svg(f, o, FIGURE_FILE);
    char *text = strdup(out_kept(o));
    assert_non_null(text);
    out_abort(o);
    figure_free(f);
    return text;
}

/* How high the path of this class ends above its picture's zero, which the dashed line begins at:
 * the "d" of a path is M x y, then l, h and v by steps. */
static double height_of(const char *svg, const char *class, double zero)
{
    const char *d = strstr(svg, class);
    double y = 0, v[2];
    char command = 'M';

    assert_non_null(d);
    d = strstr(d, " d=\"") + 4;
    while (*d != '"') {
        char *end;

        if (strchr("Mlhv", *d) != NULL) command = *d++;
        for (int i = 0; i < (command == 'M' || command == 'l' ? 2 : 1); i++) {
            v[i] = strtod(d, &end);
            assert_true(end > d);
            d = end;
        }
        y = command == 'M' ? v[1] : y + (command == 'l' ? v[1] : command == 'v' ? v[0] : 0);
    }
    return zero - y;
}

/* The curves end where the numbers say: |w|^2 and k R^2. */
TEST(the_curve_lies_below_the_line)
{
    struct world t;
    const struct study *s = good(&t, ":blobs85 --rate 0.5");
    const struct study_run *r = &s->run[0];
    char *svg = drawn(picture_norm(s, 0));
    const char *line = strstr(svg, "<path class=\"f-ink f-line f-dash\" d=\"M");

    assert_non_null(line);
    const double zero = strtod(strchr(strchr(line, 'M'), ' '), NULL);
    const double last = r->norm[r->norms - 1].norm2;
    const double most = (double)r->report.updates * r->report.radius * r->report.radius;
    near(last, r->report.norm_augmented * r->report.norm_augmented / 0.25, 1e-12);
    near(height_of(svg, "f-c0 f-line", zero) / height_of(svg, "f-ink f-line f-dash", zero),
         last / most, 0.002);
    free(svg);
    leave(&t);
}

TEST(titles_say_the_numbers)
{
    struct world t;
    const struct study *s = good(&t, ":blobs85 --prove-limit 60");
    char want[128];
    struct figure *f = picture_passes(s);

    snprintf(want, sizeof want, "%lld mistakes in %lld passes; the bound allows 8,980",
             (long long)s->run[0].report.mistakes, (long long)s->run[0].report.epochs);
    assert_string_equal(figure_title(f), want);
    figure_free(f);
    f = picture_bound(s, 0);
    assert_non_null(strstr(figure_title(f), "no run can make more than 8,980"));
    figure_free(f);
    leave(&t);
}

static size_t times(const char *text, const char *what)
{
    size_t n = 0;

    while ((text = strstr(text, what)) != NULL) n++, text++;
    return n;
}

/* Hulls are about lines; support rows keep the mark of their class, with an outline. */
TEST(hulls_are_for_lines)
{
    struct world t;
    char *svg = drawn(picture_boundary(good(&t, ":xor --prove-limit 60"), 0));

    assert_int_equal(times(svg, "f-area\" d="), 2);
    assert_int_equal(times(svg, "f-ink f-ring"), 0);
    free(svg);
    leave(&t);
    svg = drawn(picture_boundary(good(&t, ":xor --kernel gaussian --prove-limit 60"), 0));
    assert_int_equal(times(svg, "f-area\" d="), 0);
    assert_int_equal(times(svg, "f-ink f-ring"), 2);
    free(svg);
    leave(&t);
    svg = drawn(picture_boundary(good(&t, ":xor -a mlp --prove-limit 60"), 0));
    assert_int_equal(times(svg, "f-area\" d="), 0);
    free(svg);
    leave(&t);
}

/* Margins that are all equal are two narrow bars at the value, one a label; counts are whole. */
TEST(equal_margins_are_a_narrow_bar)
{
    struct world t;
    const struct study *s = good(&t, ":xor --kernel gaussian");
    char *svg = drawn(picture_margins(s, 0));
    const char *bar = svg;

    near(s->run[0].margin[0], s->run[0].margin[3], 1e-12);
    for (int c = 0; c < 2; c++) {
        bar = strstr(bar + 1, "f-bar\" d=\"M");
        assert_non_null(bar);
        assert_true(strtod(strchr(bar + 10, 'h') + 1, NULL) < 20);
        assert_true(strtod(strchr(bar, 'M') + 1, NULL) > 300);
    }
    assert_null(strstr(svg, ">0.5</text>\n<text class=\"f-text\" x=\"38"));
    assert_null(strstr(svg, ">1.5</text>"));
    free(svg);
    leave(&t);
}

/* Runs that make the same mistakes lie below each other, the first the broadest. */
TEST(equal_runs_are_all_seen)
{
    struct world t;
    const struct study *s = good(&t, ":xor --compare perceptron,pocket,averaged --epochs 20");
    char *svg = drawn(picture_passes(s));

    assert_int_equal(times(svg, "f-c0\" fill=\"none\" stroke=\"currentColor\""), 2); /* legend */
    assert_int_equal(times(svg, "f-c1\" fill=\"none\" stroke=\"currentColor\""), 2);
    assert_int_equal(times(svg, "f-c2 f-line"), 2);
    const char *first = strstr(svg, "stroke-width=\"6.84\""), *second = strstr(svg, "\"4.32\"");
    assert_non_null(first);
    assert_non_null(second);
    assert_true(first < second && second < strstr(svg, "f-c2 f-line"));
    free(svg);
    leave(&t);
    svg = drawn(picture_passes(good(&t, ":cancer --compare perceptron,pa1 --epochs 9")));
    assert_int_equal(times(svg, "stroke-width=\""), 0);
    free(svg);
    leave(&t);
}

/* Where memory ends no picture goes missing: it cannot be printed. */
TEST(pictures_do_not_go_missing)
{
    static const char *const line[] = { ":blobs85 --prove-limit 60",
                                        ":xor --kernel gaussian --prove-limit 60",
                                        ":xor --prove-limit 60" };
    struct figure *list[PICTURES];
    static struct t_alloc a;
    struct world t;

    for (size_t i = 0; i < COUNT(line); i++) {
        struct study *s = good(&t, line[i]);
        const size_t n = picture_all(s, list);
        for (size_t k = 0; k < n; k++) {
            assert_true(figure_ready(list[k]));
            figure_free(list[k]);
        }
        bool done = false;
        for (long call = 0; !done; call += 1 + call / 9) {
            t_alloc_reset(&a, call, false);
            t.cli.env.alloc = t_alloc;
            t.cli.env.alloc_ud = &a;
            assert_int_equal(picture_all(s, list), n);
            size_t ready = 0;
            for (size_t k = 0; k < n; k++) {
                ready += figure_ready(list[k]);
                figure_free(list[k]);
            }
            t_alloc_holds(&a, 0);
            assert_true((ready < n) == (a.failed > 0));
            done = a.failed == 0;
            t.cli.env.alloc = NULL;
        }
        leave(&t);
    }
}

/* A model that was written and read is drawn as the study that trained it. */
TEST(a_model_over_its_rows_is_the_study)
{
    static const char *const line[] = { ":blobs85",
                                        ":blobs85 --scale standard",
                                        ":cancer --epochs 3 --scale minmax",
                                        ":xor --kernel gaussian",
                                        ":xor -a mlp",
                                        ":iris --features petal~length,petal~width" };
    struct world t;

    for (size_t i = 0; i < COUNT(line); i++) {
        const struct study *s = good(&t, line[i]);
        const struct study_run *r = &s->run[0];
        const struct study_request q = { .data = s->data, .features = t.q.request.features };
        perc_error err;
        struct study over;
        perc_model *m;

        assert_int_equal(perc_model_write(r->model, "m", NULL), PERC_OK);
        assert_int_equal(perc_model_read(NULL, "m", &m, NULL), PERC_OK);
        assert_int_equal(study_of_model(&over, &q, m, &err), PERC_OK);
        assert_int_equal(over.plane, s->plane);
        assert_string_equal(over.axis[0], s->axis[0]);
        assert_string_equal(over.axis[1], s->axis[1]);
        assert_int_equal(over.points, s->points);
        assert_memory_equal(over.x, s->x, s->points * sizeof *s->x);
        assert_memory_equal(over.run[0].margin, r->margin,
                            (size_t)s->data_info.rows * sizeof *r->margin);
        assert_non_null(r->region);
        assert_memory_equal(over.run[0].region, r->region,
                            STUDY_CELLS * STUDY_CELLS * sizeof *r->region);
        assert_int_equal(over.run[0].line, r->line);
        assert_true(over.run[0].plane_w[0] == r->plane_w[0]);
        assert_int_equal(over.run[0].metrics.errors, r->metrics.errors);
        assert_null(picture_passes(&over));
        assert_null(picture_witness(&over));
        struct figure *f = picture_boundary(&over, 0);
        assert_null(strstr(figure_title(f), "training"));
        figure_free(f);
        study_free(&over);
        leave(&t);
    }
}

TEST(thousands_have_commas)
{
    static const struct {
        double v;
        const char *text;
    } want[] = { { 0, "0" },
                 { 999.5, "999.5" },
                 { 1000, "1,000" },
                 { -1234.5, "-1,234.5" },
                 { 11810.94, "11,810.9" },
                 { 999999.4, "999,999" },
                 { 999999.5, "1,000,000" },
                 { 1234567.8, "1,234,568" },
                 { 999999999999999, "999,999,999,999,999" },
                 { 1e15, "1e+15" },
                 { 1e-9, "1e-09" } };
    char buf[WORD];

    for (size_t i = 0; i < COUNT(want); i++)
        assert_string_equal(word_grouped(buf, want[i].v), want[i].text);
    assert_string_equal(word_grouped(buf, (double)NAN), "undefined");
}
