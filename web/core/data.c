/* data.c -- data sets: read, made, looked at, written. */
#include "web.h"

WEB(perc_dataset *, web_data_read, const char *path, const perc_params *data)
{
    perc_dataset *ds;

    perc_dataset_read(NULL, path, data, &ds, &web_failure);
    return ds;
}

WEB(perc_dataset *, web_data_generate, const perc_params *generator)
{
    perc_dataset *ds;

    perc_dataset_generate(NULL, generator, &ds, &web_failure);
    return ds;
}

WEB(void, web_data_free, perc_dataset *ds)
{
    perc_dataset_free(ds);
}

WEB(perc_status, web_data_write, const perc_dataset *ds, const char *path, const char *format)
{
    return perc_dataset_write(ds, path, format, &web_failure);
}

/* A page does not show more names than this; and a file of a few bytes can claim any number of
 * columns. */
enum { MOST_NAMES = 100000 };

static void say_names(const perc_dataset *ds, const perc_dataset_info *info)
{
    say_key("labels");
    say_open('[');
    for (size_t i = 0; i < info->labels; i++) say_text(perc_dataset_label(ds, i));
    say_close(']');
    say_key("names");
    if (info->features - 1 >= MOST_NAMES || perc_dataset_feature(ds, 0) == NULL) { /* 0, too */
        say_text(NULL);
        return;
    }
    say_open('[');
    for (uint64_t j = 0; j < info->features; j++) say_text(perc_dataset_feature(ds, j));
    say_close(']');
}

WEB(const char *, web_data_info, const perc_dataset *ds)
{
    perc_dataset_info info;

    perc_dataset_info_get(ds, &info);
    say_begin();
    say_open('{');
    say_key_int("rows", (int64_t)info.rows);
    say_key_int("features", (int64_t)info.features);
    say_key_int("nonzeros", (int64_t)info.nonzeros);
    say_key_int("bytes", (int64_t)info.bytes);
    say_key_int("indexBase", info.index_base);
    say_key_bool("dense", info.dense != 0);
    say_key_text("format", info.format);
    say_key_text("storage", info.storage);
    say_key_int("dropped", (int64_t)info.dropped);
    say_key_text("note", info.note);
    say_names(ds, &info);
    say_close('}');
    return say_end();
}

/* All rows: x has room for rows * features numbers, y for rows. */
WEB(void, web_data_rows, const perc_dataset *ds, double *x, int32_t *y)
{
    perc_dataset_info info;

    perc_dataset_info_get(ds, &info);
    for (uint64_t i = 0; i < info.rows; i++) {
        perc_dataset_row(ds, i, x + i * info.features);
        y[i] = perc_dataset_row_label(ds, i);
    }
}

WEB(double, web_data_line, const perc_dataset *ds, size_t row)
{
    return (double)perc_dataset_row_line(ds, row);
}

WEB(double, web_data_weight, const perc_dataset *ds, size_t row)
{
    return perc_dataset_row_weight(ds, row);
}

/* The images of n rows of `inputs` numbers under a map, `columns` numbers each; how many columns
 * there are (0: no such map), and the name of one. */
WEB(size_t, web_map_columns, const char *map, size_t inputs)
{
    uint64_t columns;

    return perc_map_image(NULL, map, NULL, inputs, NULL, 0, &columns, &web_failure)
               ? 0
               : (size_t)columns;
}

WEB(perc_status, web_map_images, const char *map, const double *x, size_t n, size_t inputs,
    size_t columns, double *out)
{
    perc_status st = PERC_OK;
    uint64_t got;

    for (size_t i = 0; i < n && !st; i++)
        st = perc_map_image(NULL, map, x + i * inputs, inputs, out + i * columns, columns, &got,
                            &web_failure);
    return st;
}

WEB(const char *, web_map_name, const char *map, size_t inputs, size_t j)
{
    static char name[128];

    return perc_map_name(map, inputs, j, name, sizeof name);
}
