/* test_figure.c -- figures as SVG: well-formed whatever the texts and numbers are, everything in
 * its place, small, and without a leak wherever memory ends. */
#include "t_figure.h"

#include "show/regions.h"

/* ----- a checker of XML, and of what a picture may contain ----------------------- */

static const char *skip_name(const char *s)
{
    return s + strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:");
}

/* &lt; and its like at s; their length, or 0. */
static size_t entity(const char *s)
{
    static const char *const known[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&#39;" };

    for (size_t i = 0; i < COUNT(known); i++)
        if (strncmp(s, known[i], strlen(known[i])) == 0) return strlen(known[i]);
    return 0;
}

/* Elements closed in order, attributes in quotes and no two alike, nothing unescaped, UTF-8,
 * no control characters; one element around all. */
static bool well_formed(const char *s)
{
    char open[16][16];
    int depth = 0, roots = 0;

    if (!t_utf8(s)) return false;
    for (; *s != '\0'; s++) {
        if (*s == '&' && entity(s) == 0) return false;
        if ((unsigned char)*s < 0x20 && *s != '\n') return false;
        if (depth == 0 && *s != '<' && *s != '\n') return false;
        if (*s == '>') return false;
        if (*s != '<') continue;
        const bool close = s[1] == '/';
        const char *name = s + 1 + close, *end = skip_name(name);
        const size_t n = (size_t)(end - name);
        if (n == 0 || n > 15) return false;
        if (close) {
            if (depth == 0 || strncmp(open[--depth], name, n) != 0 || open[depth][n] != '\0' ||
                *end != '>')
                return false;
            s = end;
            continue;
        }
        if (depth == 16 || (depth == 0 && roots++ > 0)) return false;
        snprintf(open[depth++], 16, "%.*s", (int)n, name);
        const char *attributes = end;
        while (*end == ' ') {
            const char *key = end + 1, *value = skip_name(key);
            if (value == key || value[0] != '=' || value[1] != '"') return false;
            for (const char *p = attributes; p < end; p++) /* once only */
                if (*p == ' ' && strncmp(p + 1, key, (size_t)(value + 1 - key)) == 0) return false;
            end = value + 2;
            for (; *end != '"'; end++)
                if (*end == '<' || *end == '\0' || (*end == '&' && entity(end) == 0)) return false;
            end++;
        }
        if (*end == '/') {
            depth--;
            end++;
        }
        if (*end != '>') return false;
        s = end;
    }
    return depth == 0 && roots == 1;
}

TEST(the_checker_sees_what_is_wrong)
{
    static const char *const wrong[] = { "",
                                         "<a>",
                                         "<a></b>",
                                         "<a></a><a></a>",
                                         "<a b=c></a>",
                                         "<a>&x;</a>",
                                         "<a b=\"1\" b=\"2\"/>",
                                         "<a>\x1b</a>",
                                         "<a>\xff</a>",
                                         "<a>1 > 0</a>",
                                         "x<a/>",
                                         "<a b=\"<\"/>" };

    assert_true(well_formed("<a b=\"1\" c=\"&lt;\"><d/>text &amp;\n</a>\n"));
    for (size_t i = 0; i < COUNT(wrong); i++) assert_false(well_formed(wrong[i]));
}

/* The numbers of an attribute: at most two decimals, and within or near the picture. */
static void check_numbers(const char *s, const char *end)
{
    while (s < end) {
        char *stop;
        if (strchr("0123456789.-", *s) == NULL) {
            s++;
            continue;
        }
        const double v = strtod(s, &stop);
        assert_ptr_not_equal(stop, s);
        assert_true(fabs(v) <= 2000); /* 600 wide, and no figure here is higher than this */
        const char *point = memchr(s, '.', (size_t)(stop - s));
        assert_true(point == NULL || stop - point <= 3);
        s = stop;
    }
}

static void check_picture(const char *svg)
{
    assert_true(well_formed(svg));
    for (const char *p = svg; (p = strchr(p, '=')) != NULL; p++) {
        if (p[1] != '"' || strchr("dxyw", p[-1]) == NULL) continue; /* d, x, y, viewBox too */
        const char *end = strchr(p + 2, '"');
        if (strncmp(p - 2, " d", 2) == 0 || p[-2] == ' ') check_numbers(p + 2, end);
        for (const char *q = p; q < end; q++)
            assert_false(strncmp(q, "nan", 3) == 0 || strncmp(q, "inf", 3) == 0);
    }
}

/* ----- any texts, any numbers ------------------------------------------------------ */

TEST(all_kinds_are_well_formed)
{
    double x[NASTY], y[NASTY];
    struct rng r = rng_seed(3, 0);

    for (int trial = 0; trial < 300; trial++) {
        const size_t n = t_nasty_points(&r, trial, x, y);
        for (int kind = 0; kind < T_KINDS; kind++) {
            struct figure *f = t_figure(NULL, kind, x, y, n, HOSTILE);
            for (int form = 0; form < 2; form++) {
                char *svg = t_svg(f, form == 0 ? FIGURE_FILE : FIGURE_INLINE);
                check_picture(svg);
                assert_null(strstr(svg, "<script"));
                assert_true((strstr(svg, "<style>") != NULL) == (form == 0));
                free(svg);
            }
            figure_free(f);
        }
    }
}

TEST(hostile_texts_are_shown_as_they_are)
{
    const double one[] = { 1, 2, 4 };
    struct figure *f = t_figure(NULL, T_LAYERS, one, one, 3, "a<b & \"c\" \xff\x01 d\te");
    char *svg = t_svg(f, FIGURE_INLINE);

    assert_string_equal(figure_id(f), "a-b----c-----d-e");
    assert_non_null(strstr(svg, "id=\"a-b----c-----d-e\" "));
    assert_non_null(strstr(svg, "-title\">a&lt;b &amp; &quot;c&quot; "
                                "\xef\xbf\xbd\xef\xbf\xbd d e<"));
    free(svg);
    figure_free(f);
    f = figure_new(NULL, "9 lives", "");
    assert_string_equal(figure_id(f), "f9-lives");
    figure_free(f);
}

/* ----- everything in its place ------------------------------------------------------ */

/* Where the text `label` stands that is the k-th with it: its x and y. */
static void find_text(const char *svg, const char *label, int k, double at[2])
{
    char end[64];

    snprintf(end, sizeof end, ">%s</text>", label);
    const char *p = svg;
    for (; k >= 0; k--) assert_non_null(p = strstr(p + 1, end));
    while (strncmp(p, "<text", 5) != 0) p--;
    at[0] = strtod(strstr(p, "x=\"") + 3, NULL);
    at[1] = strtod(strstr(p, "y=\"") + 3, NULL);
}

/* The centre of the only mark with this hint: a disc, that begins at its left. */
static void find_disc(const char *svg, const char *hint, double at[2])
{
    char end[64];
    char *next;

    snprintf(end, sizeof end, "<title>%s<", hint);
    const char *p = strstr(svg, end);
    assert_non_null(p);
    while (strncmp(p, "d=\"M", 4) != 0) p--;
    at[0] = strtod(p + 4, &next);
    at[1] = strtod(next, &next);
    assert_int_equal(*next, 'a');
    at[0] += strtod(next + 1, NULL); /* the radius */
}

/* The scale, as a reader finds it: by the ticks. The digits of y stand 4.5 below their line. */
TEST(points_stand_where_the_ticks_say)
{
    const double x[] = { 0, 2.5, 10, 7 }, y[] = { 100, 20, 60, -5 };
    const char *hint[] = { "p", "q", "r", "s" };
    struct figure *f = figure_new(NULL, "places", "");

    figure_axis(f, FIGURE_X, NULL, 0, 10);
    figure_axis(f, FIGURE_Y, NULL, 0, 100);
    figure_points(f, "points", 0, x, y, 4, NULL, NULL, hint);
    char *svg = t_svg(f, FIGURE_FILE);
    double x0[2], x10[2], y0[2], y100[2], at[2];
    find_text(svg, "0", 0, x0);
    find_text(svg, "10", 0, x10);
    find_text(svg, "0", 1, y0);
    find_text(svg, "100", 0, y100);
    for (int i = 0; i < 3; i++) {
        find_disc(svg, hint[i], at);
        assert_true(fabs(at[0] - (x0[0] + (x10[0] - x0[0]) * x[i] / 10)) < 0.11); /* a decimal */
        assert_true(fabs(at[1] + 4.5 - (y0[1] + (y100[1] - y0[1]) * y[i] / 100)) < 0.11);
    }
    assert_null(strstr(svg, "<title>s<")); /* below the picture */
    free(svg);
    figure_free(f);
}

/* A plane is where it is, however long its w; and no line of the box is a point. */
TEST(a_plane_in_space_does_not_depend_on_the_length_of_w)
{
    const double at[] = { 0, 0, 0, 4, 1, 2, 1, 5, 3 };
    const int class[] = { 0, 1, 0 };
    const char *hint[] = { "p", "q", "r" }, *label[] = { "no", "yes" };
    struct figure_space s = { .axis = { "a", "b", "c" },
                              .at = at,
                              .class = class,
                              .hint = hint,
                              .n = 3,
                              .label = label,
                              .labels = 2,
                              .plane = true };
    char *svg[2];

    for (int i = 0; i < 2; i++) {
        const double size = i == 0 ? 0.125 : 16;
        struct figure *f = figure_new(NULL, "space", "");
        for (int k = 0; k < 3; k++) s.w[k] = size * (k == 0 ? 3 : k == 1 ? -1 : 2);
        s.b = size * -4;
        figure_space(f, &s);
        svg[i] = t_svg(f, FIGURE_FILE);
        figure_free(f);
    }
    const char *grid[2] = { strstr(svg[0], "f-grid\" d=\""), strstr(svg[1], "f-grid\" d=\"") };
    assert_true(grid[0] != NULL && grid[1] != NULL);
    grid[0] += strlen("f-grid\" d=\"");
    grid[1] += strlen("f-grid\" d=\"");
    const size_t n = strcspn(grid[0], "\"");
    assert_memory_equal(grid[0], grid[1], n);
    for (const char *c = grid[0]; c < grid[0] + n; c++) { /* where it went it draws something */
        if (strchr("mM", *c) == NULL) continue;
        const char *line = strpbrk(c + 1, "lhvmM\"");
        assert_true(strchr("lhv", *line) != NULL && strncmp(line, "l0 0", 4) != 0);
        assert_true(strncmp(line, "h0", 2) != 0 || line[2] == '.');
        assert_true(strncmp(line, "v0", 2) != 0 || line[2] == '.');
    }
    for (int i = 0; i < 2; i++) free(svg[i]);
}

TEST(logarithms_and_units_are_kept)
{
    const double x[] = { 1, 10, 100 }, y[] = { 0, 1, 3 };
    const char *hint[] = { "p", "q", "r" };
    struct figure *f = figure_new(NULL, "log", "");
    double a[2], b[2], c[2];

    figure_log(f, FIGURE_X);
    figure_points(f, NULL, 0, x, y, 3, NULL, NULL, hint);
    char *svg = t_svg(f, FIGURE_INLINE);
    find_disc(svg, "p", a);
    find_disc(svg, "q", b);
    find_disc(svg, "r", c);
    assert_true(fabs(b[0] - (a[0] + c[0]) / 2) < 0.11);
    free(svg);
    figure_free(f);

    f = figure_new(NULL, "square", "");
    figure_square(f);
    figure_points(f, NULL, 0, x, y, 3, NULL, NULL, hint);
    svg = t_svg(f, FIGURE_INLINE);
    find_disc(svg, "p", a);
    find_disc(svg, "r", c);
    assert_true(fabs((c[0] - a[0]) / 99 - (a[1] - c[1]) / 3) < 0.08); /* 2 * 0.1 / 3 */
    free(svg);
    figure_free(f);
}

/* ----- paths ------------------------------------------------------------------------- */

struct place {
    double x, y;
};

/* The points of the path of class `part`, of M m l h v z. */
static size_t read_path(const char *svg, const char *part, struct place *to, size_t cap)
{
    const char *p = strstr(svg, part);
    struct place at = { 0, 0 }, first = at;
    size_t n = 0;
    char c = 0;

    assert_non_null(p);
    p = strstr(p, "d=\"") + 3;
    while (*p != '"') {
        char *end = (char *)(uintptr_t)p + 1;
        if (strchr("Mmlhvz", *p) != NULL) c = *p++;
        if (c == 'z') {
            at = first;
            continue;
        }
        const double v = strtod(p, &end), w = strchr("hv", c) == NULL ? strtod(end, &end) : 0;
        at.x = c == 'M' ? v : c == 'v' ? at.x : at.x + v;
        at.y = c == 'M' ? w : c == 'v' ? at.y + v : c == 'h' ? at.y : at.y + w;
        if (c == 'M' || c == 'm') first = at;
        assert_true(n < cap);
        to[n++] = at;
        p = end;
    }
    return n;
}

static double distance(struct place p, struct place a, struct place b)
{
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    double t = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;

    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/* Points that are left out lie within a quarter of a unit of what is drawn, in order. */
TEST(curves_are_thinned_unseen)
{
    enum { N = 3000 };
    static double x[N], y[N];
    static struct place drawn[N + 2];
    struct rng r = rng_seed(11, 0);

    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < N; i++) {
            x[i] = kind == 3 ? cos(i * 0.01) * i : i;
            y[i] = kind == 0   ? rng_uniform(&r)
                   : kind == 1 ? sin(i * 0.004)
                   : kind == 2 ? i / 1000
                               : sin(i * 0.01) * i;
        }
        struct figure *f = figure_new(NULL, "curve", "");
        figure_axis(f, FIGURE_X, NULL, kind == 3 ? -N : 0, kind == 3 ? N : N - 1);
        figure_axis(f, FIGURE_Y, NULL, kind == 3 ? -N : -1, kind == 3 ? N : 3);
        figure_curve(f, NULL, 0, FIGURE_SOLID, x, y, N);
        char *svg = t_svg(f, FIGURE_INLINE);
        struct place box[4];
        assert_int_equal(read_path(svg, "f-frame", box, 4), 3); /* top left, bottom left, right */
        const size_t n = read_path(svg, "f-line", drawn, N + 2);
        assert_true(n >= 2 && (kind == 0 || n < N / 4));
        size_t k = 0;
        for (int i = 0; i < N; i++) {
            const double u = kind == 3 ? (x[i] + N) / (2 * N) : x[i] / (N - 1);
            const double v = kind == 3 ? (y[i] + N) / (2 * N) : (y[i] + 1) / 4;
            const struct place p = { box[1].x + u * (box[2].x - box[1].x),
                                     box[1].y + v * (box[0].y - box[1].y) };
            while (k + 2 < n && distance(p, drawn[k], drawn[k + 1]) > 0.25) k++;
            assert_true(distance(p, drawn[k], drawn[k + 1]) <= 0.25);
        }
        free(svg);
        figure_free(f);
    }
}

/* What is drawn of a curve, in shares of the picture. */
static void drawn_of(const double *x, const double *y, size_t n, const double (*expected)[2],
                     size_t m)
{
    struct place box[4], at[16];
    struct figure *f = figure_new(NULL, "pieces", "");

    figure_axis(f, FIGURE_X, NULL, 0, 4);
    figure_axis(f, FIGURE_Y, NULL, 0, 1);
    figure_curve(f, NULL, 0, FIGURE_SOLID, x, y, n);
    char *svg = t_svg(f, FIGURE_INLINE);
    assert_int_equal(read_path(svg, "f-frame", box, 4), 3);
    assert_int_equal(read_path(svg, "f-line", at, 16), m);
    for (size_t i = 0; i < m; i++) {
        assert_true(fabs(at[i].x - box[1].x - expected[i][0] * (box[2].x - box[1].x) / 4) < 0.011);
        assert_true(fabs(at[i].y - box[1].y + expected[i][1] * (box[1].y - box[0].y)) < 0.011);
    }
    free(svg);
    figure_free(f);
}

TEST(a_curve_may_break_or_leave_the_picture)
{
    const double x[] = { 0, 1, 2, 3, 4 }, broken[] = { 0, 0.5, NAN, 0.25, 1 };
    const double leaves[] = { 0, 2, 2, 0, 1 }, peaks[] = { 0, 2, 0 };

    drawn_of(x, broken, 5, (const double[4][2]){ { 0, 0 }, { 1, 0.5 }, { 3, 0.25 }, { 4, 1 } }, 4);
    drawn_of(x, leaves, 5,
             (const double[5][2]){ { 0, 0 }, { 0.5, 1 }, { 2.5, 1 }, { 3, 0 }, { 4, 1 } }, 5);
    drawn_of(x, peaks, 3, (const double[4][2]){ { 0, 0 }, { 0.5, 1 }, { 1.5, 1 }, { 2, 0 } }, 4);
}

TEST(a_line_is_cut_to_the_picture)
{
    struct place box[4], line[8];
    struct figure *f = figure_new(NULL, "line", "");

    figure_axis(f, FIGURE_X, NULL, 0, 4);
    figure_axis(f, FIGURE_Y, NULL, 0, 2);
    figure_line(f, "w", 0, FIGURE_SOLID, 1e200, 1e200, -3e200); /* x + y = 3: (1, 2) to (3, 0) */
    char *svg = t_svg(f, FIGURE_INLINE);
    assert_int_equal(read_path(svg, "f-frame", box, 4), 3);
    assert_int_equal(read_path(svg, "f-line", line, 8), 2);
    const double wide = box[2].x - box[1].x, high = box[1].y - box[0].y;
    const bool down = line[0].y < line[1].y;
    assert_true(fabs(line[!down].x - (box[1].x + wide / 4)) < 0.011);
    assert_true(fabs(line[!down].y - box[0].y) < 0.011);
    assert_true(fabs(line[down].x - (box[1].x + wide * 3 / 4)) < 0.011);
    assert_true(fabs(line[down].y - (box[0].y + high)) < 0.011);
    free(svg);
    figure_free(f);
}

/* ----- regions ------------------------------------------------------------------------ */

struct outline {
    double area, x0, y0, x, y;
    bool begun;
};

static void edge(struct outline *a, double x, double y)
{
    a->area += (a->x * y - x * a->y) / 2;
    a->x = x;
    a->y = y;
}

static void corner(void *ud, double x, double y, bool first)
{
    struct outline *a = ud;

    if (!first) {
        edge(a, x, y);
        return;
    }
    if (a->begun) edge(a, a->x0, a->y0);
    a->x = a->x0 = x;
    a->y = a->y0 = y;
    a->begun = true;
}

/* Borders are moved alike on both sides: the areas of all classes are the picture's, and none
 * differs from its cells by more than what steps and corners may cost. */
TEST(regions_meet_without_gaps)
{
    enum { C = 23, R = 17 };
    const struct env e = env_resolve(NULL);
    struct rng r = rng_seed(5, 0);
    int cell[C * R];

    for (int trial = 0; trial < 200; trial++) {
        const int classes = 1 + trial % 4;
        const double a = rng_normal(&r), b = rng_normal(&r);
        for (int i = 0; i < C * R; i++) {
            const double x = i % C - C / 2.0, y = i / C - R / 2.0;
            cell[i] = trial % 2 == 0 ? (int)rng_below(&r, (uint64_t)classes)
                                     : (int)(fabs(a * x + b * y) / 4) % classes;
        }
        double sum = 0;
        for (int k = 0; k < classes; k++) {
            struct outline o = { .area = 0 };
            int cells = 0;
            for (int i = 0; i < C * R; i++) cells += cell[i] == k;
            assert_true(regions_trace(&e, cell, C, R, k, corner, &o));
            if (o.begun) edge(&o, o.x0, o.y0);
            assert_int_equal(o.begun, cells > 0);
            assert_true(fabs(o.area - cells) <= C * R / 4.0);
            sum += o.area;
        }
        assert_true(fabs(sum - C * R) < 1e-9);
    }
}

/* A square keeps its sides, and loses an eighth of a cell at each corner. */
TEST(squares_stay_square)
{
    const struct env e = env_resolve(NULL);
    struct outline o = { .area = 0 };
    int cell[100] = { 0 };

    for (int i = 0; i < 100; i++) cell[i] = i % 10 >= 2 && i % 10 < 8 && i / 10 >= 2 && i / 10 < 8;
    assert_true(regions_trace(&e, cell, 10, 10, 1, corner, &o));
    edge(&o, o.x0, o.y0);
    assert_true(fabs(o.area - 35.5) < 1e-12);
    for (int i = 0; i < 100; i++) /* a bar, one cell high */
        cell[i] = i / 10 == 4 && i % 10 >= 2 && i % 10 < 7;
    o = (struct outline){ .area = 0 };
    assert_true(regions_trace(&e, cell, 10, 10, 1, corner, &o));
    edge(&o, o.x0, o.y0);
    assert_true(fabs(o.area - 4.5) < 1e-12);
}

/* ----- size, memory --------------------------------------------------------------------- */

TEST(many_points_stay_small)
{
    enum { N = 1000 };
    static double x[N], y[N];
    struct rng r = rng_seed(1, 0);
    struct figure *f = figure_new(NULL, "many", "");
    const char *hint[N];

    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < N; i++)
            x[i] = rng_normal(&r), y[i] = rng_normal(&r), hint[i] = "a row of the data";
        figure_points(f, NULL, k + 1, x, y, N, NULL, NULL, hint);
    }
    char *svg = t_svg(f, FIGURE_FILE);
    assert_in_range(strlen(svg), 20000, 60000);
    free(svg);
    figure_free(f);
}

/* Call n of the allocator fails, n = 0, 1, ...: the picture is whole or `out` has failed. */
TEST(memory_may_end_anywhere)
{
    const double x[] = { 1, 2, 3, 5, 8 }, y[] = { 3, 1, 4, 1, 5 };
    static struct t_alloc a;
    const perc_env env = { t_alloc, &a, 1 };

    for (int kind = 0; kind < T_KINDS; kind++) {
        struct figure *good = t_figure(NULL, kind, x, y, 5, "text");
        char *svg = t_svg(good, FIGURE_FILE), *chars = t_chars(good, 80, true);
        bool done = false;
        for (long n = 0; !done; n++) {
            struct out *o;
            perc_error err;
            t_alloc_reset(&a, n, n % 2 == 0);
            struct figure *f = t_figure(&env, kind, x, y, 5, "text");
            const bool made = a.failed == 0;
            for (int form = 0; form < 2; form++) {
                const long failed = a.failed;
                assert_int_equal(out_open(NULL, NULL, &o, &err), PERC_OK);
                if (form == 0) figure_svg(f, o, FIGURE_FILE);
                else figure_chars(f, o, 80, true);
                const bool whole = made && a.failed == failed; /* nothing was refused */
                if (whole) assert_string_equal(out_kept(o), form == 0 ? svg : chars);
                assert_int_equal(out_close(o, &err), whole ? PERC_OK : PERC_ENOMEM);
            }
            done = a.failed == 0;
            figure_free(f);
            t_alloc_holds(&a, 0);
        }
        assert_true(kind == T_EMPTY || a.calls > 5);
        free(svg);
        free(chars);
        figure_free(good);
    }
}

/* One that ran out of memory takes everything, keeps nothing and cannot be printed. */
TEST(what_is_lost_stays_lost)
{
    const double x[] = { 1, 2, 3, 5, 8 }, y[] = { 3, 1, 4, 1, 5 };

    for (int which = 0; which < 2; which++) {
        struct figure *f = which == 0 ? figure_lost() : figure_new(NULL, "a", "b");
        struct out *o;
        perc_error err;
        assert_int_equal(figure_ready(f), which == 1);
        figure_fail(f);
        t_layers(f, x, y, 5, "text");
        figure_about(f, "%s", "text");
        figure_axis(f, FIGURE_X, "x", 0, 1);
        figure_log(f, FIGURE_X);
        figure_whole(f, FIGURE_Y);
        figure_square(f);
        assert_false(figure_ready(f));
        assert_string_equal(figure_about_text(f), "");
        assert_int_equal(out_open(NULL, NULL, &o, &err), PERC_OK);
        figure_svg(f, o, FIGURE_INLINE);
        assert_int_equal(out_close(o, &err), PERC_ENOMEM);
        figure_free(f);
    }
    assert_false(figure_ready(NULL));
}

/* The number after `key` that follows `from`. */
static double number_after(const char *from, const char *key)
{
    const char *at = from != NULL ? strstr(from, key) : NULL;

    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

/* The first side of a square that begins at its upper left. */
static void near_square(const char *path, double side)
{
    const char *across = strchr(path, 'h');

    assert_non_null(across);
    assert_true(fabs(strtod(across + 1, NULL) - side) < 0.2);
}

/* Texts of points stand on the far side of the others, clear of rings; outlines have the mark of
 * their class; a broad curve is broad; pages have narrower pictures than files. */
TEST(what_stands_out_can_be_read)
{
    const double x[] = { 1, 2, 0, 3 }, y[] = { 1, 2, 0, 3 }, size[] = { 4, 4, 4, 4 };
    const char *const text[] = { "lower", "upper" };
    struct figure *f = figure_new(NULL, "a", "b");

    figure_points(f, NULL, 0, x + 2, y + 2, 2, NULL, NULL, NULL);
    figure_points(f, NULL, 0, x, y, 2, NULL, text, NULL);
    figure_outlines(f, FIGURE_INK, 1, x, y, 2, size);
    figure_curve(f, NULL, 2, FIGURE_SOLID, x, y, 2);
    figure_broad(f, 3);
    char *svg = t_svg(f, FIGURE_INLINE);
    assert_non_null(strstr(svg, "viewBox=\"0 0 440 "));
    const char *second = strstr(svg, "<text class=\"f-word\" x=\"");
    assert_non_null(second);
    const double x0 = number_after(second, " x=\""), y0 = number_after(second, " y=\"");
    second = strstr(second + 1, "<text class=\"f-word\"");
    const double x1 = number_after(second, " x=\""), y1 = number_after(second, " y=\"");
    const char *curve = strstr(svg, "stroke-width=\"5.4\" d=\"");
    assert_non_null(curve);
    const double px = number_after(curve, "d=\"M"),
                 py = strtod(strchr(strstr(curve, "d=\"M"), ' '), NULL);
    assert_true(x0 < px - 8 && y0 > py + 8 && x0 > px - 30);
    assert_true(x1 > x0 + 100 && y1 < y0 - 50);
    const char *outline = strstr(svg, "<path class=\"f-ink f-ring\" d=\"");
    assert_non_null(outline);
    outline = strstr(outline, "d=\"") + 3;
    assert_true(strcspn(outline, "a") > strcspn(outline, "\"")); /* squares: no arcs */
    near_square(outline, 2 * 0.9 * 4 * 2);
    free(svg);
    svg = t_svg(f, FIGURE_FILE);
    assert_non_null(strstr(svg, "viewBox=\"0 0 600 "));
    free(svg);
    figure_free(f);
}
