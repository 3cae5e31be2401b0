/* fuzz_commands.c -- whole commands on small files.
 *
 * The first line of an input has commands, parted by ';', the rest is the text of the file a;
 * after a line "--" that of b, after another that of standard input:
 *
 *     train a -o m -a pa1;predict m b;learn m
 *     1 1:0.5 2:1
 *     -1 1:-1
 *     --
 *     1 2:3
 *     --
 *     -1 1:7
 *
 * None may crash, and each must end with one of the tool's exit statuses. A model that train has
 * saved, and said so, can be inspected: what ends with 0 and left a file m must be readable. */
#include <sys/stat.h>

#include "tool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COMMANDS = 4, SIZE = 2048, INDEX_DIGITS = 4 };

/* Cuts indices of features short: a model has room for each. */
static size_t tame_indices(char *s, size_t n)
{
    size_t to = 0, run = 0;

    for (size_t i = 0; i < n; i++) {
        if (s[i] == ':' && run > INDEX_DIGITS) to -= run - INDEX_DIGITS;
        run = s[i] >= '0' && s[i] <= '9' ? run + 1 : 0;
        s[to++] = s[i];
    }
    return to;
}

static void put_file(const char *name, const char *text, size_t n)
{
    FILE *f = fopen(name, "wb");

    must(f != NULL && fwrite(text, 1, n, f) == n && fclose(f) == 0);
}

/* Makes the files of what follows the first line. */
static void put_files(char *text, size_t n)
{
    static const char *const names[] = { "a", "b", "in" };
    const char *s = text, *end = text + tame_indices(text, n);

    for (int i = 0; i < 3; i++) {
        const char *at = s;
        while (at < end && !(i < 2 && end - at >= 3 && memcmp(at, "--\n", 3) == 0)) {
            at = memchr(at, '\n', (size_t)(end - at));
            at = at != NULL ? at + 1 : end;
        }
        put_file(names[i], s, (size_t)(at - s));
        s = at < end ? at + 3 : end;
    }
}

/* Whether the words save a model as m. */
static bool saves(int argc, char **argv)
{
    bool found = false;

    for (int i = 2; i + 1 < argc; i++)
        found |= strcmp(argv[i], "-o") == 0 && strcmp(argv[i + 1], "m") == 0;
    return found && strcmp(argv[1], "train") == 0;
}

static void run_line(char *line)
{
    static char tool_name[] = "perceptron", inspect[] = "inspect", m[] = "m";
    char *argv[TOOL_WORDS + 2];
    struct stat info;

    for (int i = 0; line != NULL && i < COMMANDS; i++) {
        char *next = strchr(line, ';');
        if (next != NULL) *next++ = '\0';
        const int argc = tool_split(line, ' ', true, argv);
        line = next;
        if (argc < 2 || strcmp(argv[1], "demo") == 0) continue;
        const bool saving = saves(argc, argv);
        if (tool_run(argc, argv, "in") != EXIT_DONE || !saving || stat("m", &info) != 0) continue;
        char *look[] = { tool_name, inspect, m, NULL };
        must(tool_run(3, look, NULL) == EXIT_DONE);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[SIZE + 1];
    const uint8_t *eol = size <= SIZE && size > 0 ? memchr(data, '\n', size) : NULL;

    if (eol == NULL || memchr(data, '\0', (size_t)(eol - data)) != NULL) return 0;
    memcpy(text, data, size);
    const size_t words = (size_t)(eol - data);
    text[words] = '\0';
    tool_enter();
    put_files(text + words + 1, size - words - 1);
    run_line(text);
    tool_leave();
    return 0;
}
