/* fuzz_options.c -- any words as a command line: each line of the input is one.
 *
 * The tool must end with one of its exit statuses, whatever the words; there are no files that
 * they could name, so what is tried is the reading of options. Where a command needs no file
 * (generate, gate, data that are built in), numbers are cut short, or it would work for hours. */
#include "tool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool works(const char *text)
{
    return strncmp(text, "generate", 8) == 0 || strncmp(text, "gate", 4) == 0 ||
           strchr(text, ':') != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *argv[TOOL_WORDS + 2], text[1024];

    if (size >= sizeof text || memchr(data, '\0', size) != NULL) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    if (strncmp(text, "demo", 4) == 0) return 0;
    const int argc = tool_split(text, '\n', works(text), argv);
    if (argc == 0) return 0;
    tool_enter();
    tool_run(argc, argv, NULL);
    tool_leave();
    return 0;
}
