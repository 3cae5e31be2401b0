/* several.c -- several files as one data set: the words of a command line that name them.
 *
 * A word may be a file, a directory or a pattern; which files these are the library says, once, and
 * from then on the command names the first, and the "more" of the data parameters the others. So
 * what is checked (files.c), what is read, and what messages name are the same files. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "show/word.h"

/* ----- words and operands ------------------------------------------------------------ */

/* A text that grows; short of memory, it is NULL. */
static char *append(char *list, const char *text, size_t len)
{
    const size_t old = list != NULL ? strlen(list) : 0;
    char *grown = realloc(list, old + len + 1);

    if (grown == NULL) {
        free(list);
        return NULL;
    }
    memcpy(grown + old, text, len);
    grown[old + len] = '\0';
    return grown;
}

/* A name as a part of a list: in quotes where it would not be read as it is. */
static char *append_name(char *list, const char *name)
{
    const size_t n = strlen(name);
    const bool plain = n > 0 && strpbrk(name, ",\"") == NULL && strchr(" \t", name[0]) == NULL &&
                       strchr(" \t", name[n - 1]) == NULL;

    if (list[0] != '\0') list = append(list, ",", 1);
    if (list != NULL && !plain) list = append(list, "\"", 1);
    for (size_t i = 0; list != NULL && i < n; i++) {
        if (name[i] == '"') list = append(list, "\"", 1);
        if (list != NULL) list = append(list, name + i, 1);
    }
    return list != NULL && !plain ? append(list, "\"", 1) : list;
}

/* What --more says, after the words: all that are given of it. */
static char *list_words(const struct cli *cli, const char *const *word, size_t n)
{
    char *list = append(NULL, "", 0);

    for (size_t i = 0; i < n && list != NULL; i++) list = append_name(list, word[i]);
    for (size_t i = 0; i < cli->setting_count && list != NULL; i++) {
        if (strcmp(cli->settings[i].name, "more") != 0) continue;
        if (list[0] != '\0') list = append(list, ",", 1);
        if (list != NULL)
            list = append(list, cli->settings[i].value, strlen(cli->settings[i].value));
    }
    return list;
}

/* The files are found once, and then go by their names. */
static int find_files(struct cli *cli, const struct operand *data, const char *const *word,
                      size_t words)
{
    perc_error err = { 0 };
    char *list = list_words(cli, word + 1, words - 1);
    perc_status st;

    if (list == NULL) return cli_memory(cli);
    st = perc_files_find(NULL, word[0], list, &cli->files, &err);
    free(list);
    if (st != PERC_OK) return cli_fail(cli, NULL, &err);
    *data->value = perc_files_name(cli->files, 0);
    if (perc_files_count(cli->files) == 1) return EXIT_DONE;
    cli->more = append(NULL, "", 0);
    for (size_t k = 1; k < perc_files_count(cli->files) && cli->more != NULL; k++)
        cli->more = append_name(cli->more, perc_files_name(cli->files, k));
    return cli->more != NULL ? EXIT_DONE : cli_memory(cli);
}

int several_operands(struct cli *cli, const struct operand *operands, size_t words, bool help)
{
    size_t n = 0, data = SIZE_MAX, taken = 0;

    for (; operands[n].name != NULL; n++)
        if (operands[n].type == OPT_DATA && n < words) data = n;
    if (words > n && data == SIZE_MAX)
        return help ? EXIT_DONE : cli_usage(cli, "unexpected argument '%s'", cli->word[n]);
    const size_t spare = words > n ? words - n : 0;
    for (size_t k = 0; k < n && taken < words; k++) {
        *operands[k].value = cli->word[taken];
        taken += k == data ? 1 + spare : 1;
    }
    if (help) return EXIT_DONE;
    if (words < n && !operands[words].optional)
        return cli_usage(cli, "%s is missing", operands[words].name);
    return data != SIZE_MAX ? find_files(cli, &operands[data], cli->word + data, 1 + spare)
                            : EXIT_DONE;
}

void several_free(struct cli *cli)
{
    perc_files_free(cli->files);
    free(cli->more);
    free(cli->word);
}

/* ----- names ----------------------------------------------------------------------------- */

bool several_has_input(const struct cli *cli)
{
    for (size_t k = 0; k < perc_files_count(cli->files); k++)
        if (strcmp(perc_files_name(cli->files, k), "-") == 0) return true;
    return false;
}

/* Whether `path` is the data, which are of several files. */
static bool is_data(const struct cli *cli, const char *path)
{
    return perc_files_count(cli->files) > 1 && path == perc_files_name(cli->files, 0);
}

/* "b.csv: why": the names that are there tell where it ends. */
size_t several_named(const struct cli *cli, const char *path, const char *text)
{
    char name[sizeof((perc_error *)NULL)->text];

    if (!is_data(cli, path) && (access(path, F_OK) == 0 || strpbrk(path, "*?[") == NULL)) return 0;
    for (const char *at = text; (at = strstr(at, ": ")) != NULL; at++) {
        snprintf(name, sizeof name, "%.*s", (int)(at - text), text);
        if (strncmp(name, "...", 3) == 0 || strcmp(name, "standard input") == 0 ||
            access(name, F_OK) == 0)
            return (size_t)(at - text);
    }
    return 0;
}

const char *several_name(const struct cli *cli, const char *path, char buf[SEVERAL_NAME])
{
    if (!is_data(cli, path)) return word_input(path);
    snprintf(buf, SEVERAL_NAME, "%s and %zu more", word_input(path),
             perc_files_count(cli->files) - 1);
    return buf;
}
