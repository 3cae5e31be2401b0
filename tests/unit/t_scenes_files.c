/* t_scenes_files.c -- the files that the scenes of t_scenes.c read. */
#include "t.h"
#include "t_make.h"
#include "t_scenes.h"

/* The large files are more than one chunk of the reader, but few rows: the rest of a
 * line is padding, which is quickly read. */
enum {
    COLUMNS = 6,
    BIG_ROWS = 1300,
    PAD = 900,
    LONG = 2300000 /* a line of more than two chunks */
};

/* Categories, gaps and weights; quotes within quotes, and names that are not UTF-8. For
 * a model that knows the columns they may stand in another order. */
static void write_table(const char *path, int rows, int pad, bool turned)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    fputs(turned ? "label,depth,gr\xf6sse,kind\n" : "kind,gr\xf6sse,depth,weight,label\n", f);
    for (int i = 0; i < rows; i++) {
        const char *label = i * 13 % 5 > 1 ? "ja" : "\"n\xe9 \"\"o\"\"\"";
        char kind[PAD + 32], depth[16];
        snprintf(kind, sizeof kind, i % 3 ? "k%0*d" : "\"\xe9, \"\"%0*d\"", pad, i % 7 % 3);
        snprintf(depth, sizeof depth, i % 11 == 5 ? "NA" : "%d", i * 31 % 17);
        if (turned) fprintf(f, "%s,%s,%d.%d,%s\n", label, depth, i % 10, i % 9, kind);
        else fprintf(f, "%s,%d.%d,%s,%d,%s\n", kind, i % 10, i % 9, depth, 1 + i % 2, label);
    }
    assert_int_equal(fclose(f), 0);
}

/* JSON lines of the table's columns, and more; examples as Vowpal Wabbit has them. */
static void write_objects(const char *path, int rows, int pad)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    for (int i = 0; i < rows; i++)
        fprintf(
            f,
            "{\"kind\":\"k\\u00e9%0*d\",\"o\":{\"x\":%d.%d,\"y\":[%d,%s]},\"t\":[\"u v\",\"w%d\"],"
            "\"label\":\"%s\"}\n",
            pad, i % 7 % 3, i % 10, i % 9, i, i % 11 == 5 ? "null" : "1.5", i % 4,
            i * 13 % 5 > 1 ? "ja" : "n\\te");
    assert_int_equal(fclose(f), 0);
}

static void write_examples(const char *path, int rows, int pad)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    for (int i = 0; i < rows; i++)
        fprintf(f, "%s %d 't%d|n:0.5 a:%d.5 b%d b%d |m c:w%0*d\n", i * 13 % 5 > 1 ? "yes" : "no",
                1 + i % 2, i, i * 31 % 17, i % 5, i % 3, pad, i % 4);
    assert_int_equal(fclose(f), 0);
}

static void write_rows(const char *path, int rows, int pad)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    for (int i = 0; i < rows; i++)
        fprintf(f, "%s %d:%d.5 %d:0.%d # %0*d\n", i * 13 % 5 > 1 ? "yes" : "no", 1 + i % 3,
                i * 31 % 17, 4 + i % 3, 1 + i % 9, pad, i);
    assert_int_equal(fclose(f), 0);
}

/* Numbers of more digits than a double has, in more than one chunk where there are many
 * rows. */
static void write_long(const char *path, int rows, int pad, bool csv)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    if (csv) fputs("a,kind,label\n", f);
    for (int i = 0; i < rows; i++)
        if (csv) fprintf(f, "0.12345678901234567890%d,%c,%d\n", i % 90 + 10, "uv"[i % 2], i % 3);
        else
            fprintf(f, "%d 1:0.12345678901234567890%d 2:1e-400 # %0*d\n", i % 3, i % 90 + 10, pad,
                    i);
    assert_int_equal(fclose(f), 0);
}

/* The matrix of (x.z + 1)^2 for points of a grid; off: what the first row's K(x, x) lacks. */
static void write_gram(const char *path, double off)
{
    enum { SIDE = 4, ROWS = SIDE * SIDE };
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
            const int dot = i / SIDE * (j / SIDE) + i % SIDE * (j % SIDE) + 1;
            fprintf(f, "%.9f,", dot * dot - (i + j == 0 ? off : 0));
        }
        fprintf(f, "%s\n", i * 7 % 5 < 2 ? "no" : i % 3 == 0 ? "maybe" : "yes");
    }
    assert_int_equal(fclose(f), 0);
}

/* All rows of three inputs, for gates; `step` stands after their names. The labels are those of
 * two outputs x and y, or of one. */
static void write_bits(const char *path, const char *step, bool two)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    fprintf(f, "c%s,a%s,b%s,label\n", step, step, step);
    for (int r = 0; r < T_SCENES_BITS; r++) {
        fprintf(f, "%d,%d,%d,", r >> 2, r >> 1 & 1, r & 1);
        if (two) fprintf(f, "\"x%s=%d,y%s=%d\"\n", step, r & 1, step, r >> 1 & 1);
        else fprintf(f, "%d\n", r & 1);
    }
    assert_int_equal(fclose(f), 0);
}

/* A gzip file without compression (RFC 1951, 1952): needs no library to make. */
static void write_gzip(const char *from, const char *to)
{
    static unsigned char block[65535];
    static const unsigned char head[10] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255 };
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    uint32_t crc = 0xffffffff, size = 0;
    size_t n;

    assert_true(in != NULL && out != NULL);
    fwrite(head, 1, sizeof head, out);
    do {
        n = fread(block, 1, sizeof block, in);
        const unsigned len = (unsigned)n, not = ~len;
        const unsigned char frame[5] = { n < sizeof block, len & 255, len >> 8 & 255, not &255,
                                         not >> 8 & 255 };
        fwrite(frame, 1, 5, out);
        fwrite(block, 1, n, out);
        for (size_t i = 0; i < n; i++) {
            crc ^= block[i];
            for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        }
        size += (uint32_t)n;
    } while (n == sizeof block);
    for (int k = 0; k < 4; k++) fputc((int)(~crc >> 8 * k & 255), out);
    for (int k = 0; k < 4; k++) fputc((int)(size >> 8 * k & 255), out);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

static void write_model(const char *path, const char *data, const char *data_options,
                        const char *options)
{
    perc_error err = { 0 };
    perc_dataset *ds = t_read(data, data_options);
    perc_model *m = t_fit(ds, options, NULL);

    if (perc_model_write(m, path, &err)) fail_msg("%s: %s", path, err.text);
    perc_model_free(m);
    perc_dataset_free(ds);
}

static void write_data(const char *path, const char *format, const char *data,
                       const char *data_options)
{
    perc_error err = { 0 };
    perc_dataset *ds = t_read(data, data_options);

    if (perc_dataset_write(ds, path, format, &err)) fail_msg("%s: %s", path, err.text);
    perc_dataset_free(ds);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* A start in plain text: a number for each column, and the offset. */
static void write_start(const char *path)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    for (int j = 0; j < COLUMNS; j++) fprintf(f, "%d.5\n", j % 3 - 1);
    fputs("b 2\n", f);
    assert_int_equal(fclose(f), 0);
}

int t_scenes_prepare(void)
{
    struct t_data small = t_noise(T_SCENES_ROWS, COLUMNS, T_REAL, 0.7, 1);
    perc_dataset *ds;

    write_text("unsorted.svm", "yes 3:1 1:2 2:-0.5\nno 9:1 8:2 7:3 6:4 5:5\nyes 4:1\n");
    write_text("narrow.svm", "yes 1:1e-17\nyes 1:1 2:1\nno 1:-1e-17\nno 2:-1\n");
    t_write(&small, "rows.svm", 1, false, "no", "yes");
    t_data_free(&small);
    write_rows("big.svm", BIG_ROWS, PAD);
    write_rows("big-lines.svm", 3, LONG);
    write_table("table.csv", T_SCENES_ROWS, 1, false);
    write_table("turned.csv", T_SCENES_ROWS, 1, true);
    write_table("big.csv", BIG_ROWS, PAD, false);
    write_objects("table.jsonl", T_SCENES_ROWS, 1);
    write_objects("big.jsonl", BIG_ROWS, PAD);
    write_examples("names.vw", T_SCENES_ROWS, 1);
    write_examples("big.vw", BIG_ROWS, PAD);
    write_long("big-long.svm", BIG_ROWS, PAD, false);
    write_long("long.csv", T_SCENES_ROWS, 1, true);
    write_gram("gram.csv", 0);
    write_gram("no-gram.csv", 1e-9);
    write_bits("bit.csv", "", false);
    write_bits("bits.csv", "", true);
    write_bits("bits0.csv", ".0", true);
    write_gzip("rows.svm", "rows.gz");
    write_gzip("big.svm", "big.gz");
    write_data("rows.blocks", "blocks", "rows.svm", "");
    write_data("table.blocks", "blocks", "table.csv", "missing=zero");
    write_data("iris.svm", "libsvm", ":iris", "");
    write_model(T_MODEL, "rows.svm", "", "epochs=3");
    write_model(T_SCALED, "rows.svm", "scale=standard", "epochs=3");
    write_model(T_TABLE, "table.csv", "missing=mean weight=weight", "epochs=3");
    write_model(T_KERNEL, ":iris", "", "kernel=rbf gamma=1 epochs=1");
    write_start(T_NUMBERS);
    if (perc_dataset_read(NULL, "rows.gz", NULL, &ds, NULL)) return 0;
    perc_dataset_free(ds);
    return 1;
}
