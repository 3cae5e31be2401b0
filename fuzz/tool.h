/* tool.h -- the command-line tool as a function, in an empty folder of its own.
 *
 * tool_run is main() of the tool: words in, an exit status out, with an input of its own and
 * output that nobody reads (everybody, with FUZZ_LOUD in the environment: to see what a finding
 * says). Nothing is written outside the folder, since no word may have a '/'. Work is bounded by
 * shortening numbers: words like --rows 1000000 are as good a test with 10. */
#ifndef FUZZ_TOOL_H
#define FUZZ_TOOL_H

#include <dirent.h>
#include <stdint.h>

int tool_main(int argc, char **argv);
#define main tool_main
#include "cli/main.c"
#undef main

enum { TOOL_WORDS = 40, TOOL_DIGITS = 2 };

static void must(int ok)
{
    if (!ok) abort(); /* what the fuzzer looks for */
}

static struct tool {
    char folder[64];
    int here, null, standard[3]; /* where we were, and what 0, 1 and 2 were */
} tool;

static void tool_done(void)
{
    rmdir(tool.folder);
}

static void tool_begin(void)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(tool.folder, sizeof tool.folder, "%s/fuzz.XXXXXX",
             tmp != NULL && strlen(tmp) < 50 ? tmp : "/tmp");
    must(mkdtemp(tool.folder) != NULL && (tool.here = open(".", O_RDONLY)) >= 0);
    must((tool.null = open("/dev/null", O_RDWR)) >= 0);
    for (int fd = 0; fd < 3; fd++) must((tool.standard[fd] = dup(fd)) >= 0);
    atexit(tool_done);
}

/* Into the folder, which is made by the first call, and out of it; then it is empty again. */
static void tool_enter(void)
{
    if (tool.folder[0] == '\0') tool_begin();
    must(chdir(tool.folder) == 0);
}

static void tool_leave(void)
{
    DIR *dir = opendir(".");
    const struct dirent *entry;

    must(dir != NULL);
    while ((entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.' || strlen(entry->d_name) > 2) must(remove(entry->d_name) == 0);
    closedir(dir);
    must(fchdir(tool.here) == 0);
}

/* Runs the words with the file `input` (NULL: an empty one) as standard input. */
static int tool_run(int argc, char **argv, const char *input)
{
    const int in = open(input != NULL ? input : "/dev/null", O_RDONLY);

    must(in >= 0 && dup2(in, 0) == 0 && close(in) == 0);
    if (getenv("FUZZ_LOUD") == NULL) must(dup2(tool.null, 1) == 1 && dup2(tool.null, 2) == 2);
    const int rc = tool_main(argc, argv);
    for (int fd = 0; fd < 3; fd++) must(dup2(tool.standard[fd], fd) == fd);
    must((rc >= EXIT_DONE && rc <= EXIT_UNDECIDED) || rc == EXIT_INTERRUPTED);
    return rc;
}

/* Cuts long runs of digits short, but for those after a point; true if a word may be run. */
static bool tool_tame(char *word)
{
    char *to = word;
    int run = 0;

    for (const char *from = word; *from != '\0'; from++) {
        const bool digit = *from >= '0' && *from <= '9';
        if (*from == '/') return false;
        run = digit ? run + 1 : *from == '.' ? -20 : 0;
        if (run <= TOOL_DIGITS) *to++ = *from;
    }
    *to = '\0';
    return true;
}

/* The words of a text, which is cut up; 0 if there are too many, or one that may not be run.
 * argv[0] is the tool, and argv ends with NULL. */
static int tool_split(char *text, char gap, bool tame, char *argv[TOOL_WORDS + 2])
{
    static char name[] = "perceptron";
    int n = 0;

    argv[n++] = name;
    while (text != NULL) {
        char *end = strchr(text, gap);
        if (end != NULL) *end++ = '\0';
        if (n > TOOL_WORDS || strchr(text, '/') != NULL || (tame && !tool_tame(text))) return 0;
        if (*text != '\0' || gap == '\n') argv[n++] = text;
        text = end;
    }
    argv[n] = NULL;
    return n;
}

#endif
