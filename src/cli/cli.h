/* cli.h -- what the commands share: their options, how they fail, what they say.
 *
 * The tool uses the library through perceptron.h as any program would, plus the
 * printing of src/show. A command is one function in one file. It lists its own
 * options and the library's parameter tables it takes, calls cli_parse, and runs
 * if that says so:
 *
 *     int cmd_thing(struct cli *cli)
 *     {
 *         const char *data = NULL;
 *         const struct opt opts[] = { OPT_JSON(cli), OPT_END };
 *         const struct operand operands[] = { { "DATA", &data, false, OPT_READ }, OPERANDS_END };
 *         const struct tables tables[] = { { .kind = "data" }, TABLES_END };
 *
 *         if (!cli_parse(cli, opts, operands, tables))
 *             return cli->rc;
 *         ...
 *
 * The same three lists print `--help`, the manual page and the completion: then
 * cli_parse prints, and says no. No option is described twice. */
#ifndef PERC_CLI_H
#define PERC_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "perceptron.h"
#include "show/facts.h"
#include "show/hyperplane.h"
#include "show/out.h"
#include "show/progress.h"
#include "show/word.h"

/* Exit codes. They are part of the interface: see the manual page. */
enum {
    EXIT_DONE = 0,
    EXIT_NO = 1,            /* the answer is no                     */
    EXIT_USAGE = 2,         /* wrong usage                          */
    EXIT_DATA = 3,          /* bad data or model                    */
    EXIT_SYSTEM = 4,        /* I/O or memory                        */
    EXIT_UNDECIDED = 5,     /* undecided within the limit           */
    EXIT_INTERRUPTED = 130, /* Ctrl-C, after saving                */
    EXIT_PIPE = 141         /* the reader of the output went away  */
};

#define CLI_ALGORITHM      "averaged"   /* without -a */
#define CLI_PLAIN          "perceptron" /* for people who want to see it learn */
#define CLI_HELP_ALGORITHM "what learns, see 'perceptron help algorithms'"

/* Options of "data" that the model determines: not offered by test and predict. */
#define CLI_HIDDEN_FOR_MODEL "index positive scale map text hash group time"

/* ----- options ---------------------------------------------------------- */

enum opt_type {
    OPT_FLAG,
    OPT_TEXT,
    OPT_INT,
    OPT_CHOICE, /* one of the words of the metavar: its number, from 0 */
    OPT_MAYBE,  /* an OPT_INT whose value is left out or follows '=' */
    /* Texts that name a file (files.c): one that is read; one that is written, which may be no
     * other file of the command; a model to go on from, and where it goes on: those may be one. */
    OPT_READ,
    OPT_DATA, /* an operand that is read: files, directories and patterns, one data set */
    OPT_WRITE,
    OPT_RESUME,
    OPT_MODEL,
    OPT_PAIR /* two words, two files that are written: const char *[2] */
};
enum { OPT_LEFT_OUT = -1 }; /* the value of an OPT_MAYBE that is left out */

struct opt {          /* an option of the command itself              */
    char letter;      /* 0: none                                      */
    const char *name; /* long name; NULL ends the list                */
    enum opt_type type;
    void *value;         /* int *, const char **, int64_t *              */
    const char *metavar; /* "FILE", or the choices: "libsvm|csv|blocks"; OPT_MAYBE:
                              "[=N]"                                       */
    const char *help;    /* one line, default in brackets; NULL: for packagers, not shown */
    int64_t min, max;    /* for an OPT_INT                               */
};
#define OPT_END                                   \
    {                                             \
        0, NULL, OPT_FLAG, NULL, NULL, NULL, 0, 0 \
    }
#define OPT_JSON(cli)                                                            \
    {                                                                            \
        0, "json", OPT_FLAG, &(cli)->json, NULL, "print one JSON document", 0, 0 \
    }
#define OPT_THREADS(cli)                                                                   \
    {                                                                                      \
        0, "threads", OPT_INT, &(cli)->threads, "N", "threads to use [all cores]", 1, 4096 \
    }
#define OPT_FORM(cli)                                                                           \
    {                                                                                           \
        0, "form", OPT_CHOICE, &(cli)->form, HYPERPLANE_FORMS,                                  \
            "how a hyperplane is written: w.x + b > 0 with an offset b, or w.x > theta with a " \
            "threshold theta = -b [offset]",                                                    \
            0, 0                                                                                \
    }
#define OPT_QUIET(cli)                                                             \
    {                                                                              \
        'q', "quiet", OPT_FLAG, &(cli)->quiet, NULL, "no progress, no notes", 0, 0 \
    }

struct operand {      /* a word that is not an option                 */
    const char *name; /* "DATA"; NULL ends the list                   */
    const char **value;
    bool optional;
    enum opt_type type; /* OPT_TEXT, or a file's */
};
#define OPERANDS_END                \
    {                               \
        NULL, NULL, false, OPT_TEXT \
    }

struct tables {               /* library parameters that a command takes      */
    const char *kind;         /* "data", "learner", ...; NULL: end            */
    const char *const *which; /* the chosen table; NULL or at NULL: all    */
    const char *changed;      /* other defaults: "epochs=10 order=file"       */
    const char *hidden;       /* not offered here: "checkpoint every"         */
};
#define TABLES_END             \
    {                          \
        NULL, NULL, NULL, NULL \
    }

/* A library option met on the command line: kept until cli_params, because the table it belongs to
 * may be named by a later word. */
struct setting {
    const char *option; /* as typed, for messages: "no-offset"          */
    const char *name, *value;
    unsigned kinds; /* bit k: a table of row k has it               */
};

/* ----- a command that runs ---------------------------------------------- */

struct cli;

struct command {
    const char *name;
    int (*run)(struct cli *cli);
    const char *synopsis; /* "DATA [-o MODEL] [options]"                  */
    const char *summary;  /* one line, no full stop                       */
    const char *about;    /* paragraphs: each line one paragraph          */
    const char *examples; /* each line one command                        */
    /* The options that --help shows, of all lists: "output epochs". NULL: they are few, all. The
     * rest is for --help all. */
    const char *common;
};

enum { CLI_JOINED = 1024 };

enum cli_mode { CLI_RUN, CLI_HELP, CLI_MAN, CLI_COMPLETE, CLI_LOOK };

struct cli {
    const struct command *command;
    char words[64]; /* of interrupt_quit */
    enum cli_mode mode;
    int argc; /* words after the command's name               */
    char **argv;
    struct out *out;  /* standard output                              */
    char notes[1024]; /* remarks, for stderr after the result         */
    int rc;           /* exit code when cli_parse says no             */
    int json, quiet;
    bool every; /* CLI_HELP: all options, not the common ones alone */
    enum hyperplane_form form;
    int64_t threads;        /* 0: all cores                                 */
    perc_env env;           /* from threads                                 */
    struct ticker *reading; /* of files; NULL: help, and the like */
    const struct tables *tables;
    const char *rule, *kernel;   /* of a model to resume from; NULL: none */
    const char *rules;           /* tried by a search, "pa1,pa2"; NULL: none     */
    const char *const *compared; /* learners compared, each with the options it has; NULL: one */
    size_t compared_count;
    struct setting *settings;
    size_t setting_count;
    const char **word;       /* those that are no options */
    perc_files *files;       /* of the data */
    char *more;              /* all but the first, as the library takes them; NULL: none */
    char joined[CLI_JOINED]; /* "group:NAME", typed as two words */
    /* CLI_LOOK: is shown the lists of the command, for tests that go through all of them. */
    void (*look)(const struct cli *cli, const struct opt *opts, const struct operand *operands,
                 const struct tables *tables);
};

extern const struct command cli_commands[]; /* ends with a NULL name */
/* The command of this name, or NULL; EXIT_USAGE, with the one likely meant (cmd_help.c). */
const struct command *cli_command(const char *name);
int cli_unknown_command(const char *name);

int cmd_train(struct cli *cli);
int cmd_test(struct cli *cli);
int cmd_predict(struct cli *cli);
int cmd_learn(struct cli *cli);
int cmd_prove(struct cli *cli);
int cmd_verify(struct cli *cli);
int cmd_gate(struct cli *cli);
int cmd_trace(struct cli *cli);
int cmd_inspect(struct cli *cli);
int cmd_report(struct cli *cli);
int cmd_plot(struct cli *cli);
int cmd_generate(struct cli *cli);
int cmd_convert(struct cli *cli);
int cmd_split(struct cli *cli);
int cmd_sample(struct cli *cli);
int cmd_demo(struct cli *cli);
int cmd_help(struct cli *cli);

/* ----- options.c -------------------------------------------------------- */

/* True: the options are set. False: return cli->rc. */
bool cli_parse(struct cli *cli, const struct opt *opts, const struct operand *operands,
               const struct tables *tables);
/* The parameters of table `name`, of kind `kind`, as set by the command line. Returns 0, or an exit
 * code after saying why. */
int cli_params(const struct cli *cli, const char *kind, const char *name, perc_params **out);
/* Checks, if p's learner wraps rules, that parameter `name`, set by `option`, belongs to the rule
 * that p chooses or to one that a search tries. Returns likewise. */
int cli_check_rule(const struct cli *cli, const perc_params *p, const char *name,
                   const char *option);
/* Whether the command line set this library option. */
bool cli_given(const struct cli *cli, const char *name);
enum { CLI_NAME = WORD_NEAR };
/* The option that changes a row: "no-offset" for a BOOL that is true by default. */
const char *cli_option_name(const perc_param *row, char buf[CLI_NAME]);
/* The k-th table that `t` allows: the chosen one, or each of its kind. */
const char *cli_table_name(const struct tables *t, size_t k);
/* The row `name` of a table, or NULL. */
const perc_param *cli_row(const char *table, const char *name);
/* Whether two rows have the same name, default, choices and help. */
bool cli_rows_alike(const perc_param *a, const perc_param *b);
/* The rows of all tables that `t` allows, except hidden ones; returns how many. A row that is the
 * same in several tables is listed once, a name with two defaults twice. */
enum { CLI_ROWS = 256 };
struct option_row {
    const perc_param *row;
    uint64_t in; /* bit k: the k-th table has it */
};
size_t cli_rows(const struct tables *t, struct option_row rows[CLI_ROWS]);
/* The names of the tables in `in`: "averaged, pocket, voted". */
enum { CLI_LIST = 256 };
const char *cli_table_list(const struct tables *t, uint64_t in, char buf[CLI_LIST]);
/* Whether `name` is one of the words in `list` ("checkpoint every", "pa|pa1"). */
bool cli_listed(const char *list, const char *name);

/* ----- files.c ------------------------------------------------------------ */

/* 0 if no file that is written is another file of this command. */
int files_check(const struct cli *cli, const struct opt *opts, const struct operand *operands);
/* What a parameter of the library names: OPT_TEXT: no file. */
enum opt_type files_row(const char *name);

/* ----- several.c ----------------------------------------------------------- */

/* Gives the words to the operands, and to one that is data all that are left; finds the files of
 * the data. Returns 0, or an exit code after saying why. */
int several_operands(struct cli *cli, const struct operand *operands, size_t words, bool help);
/* Whether standard input is among the data. */
bool several_has_input(const struct cli *cli);
void several_free(struct cli *cli);
/* The length of a file's name that a message about several files of `path` begins with; 0: none. */
size_t several_named(const struct cli *cli, const char *path, const char *text);
enum { SEVERAL_NAME = 4096 + 32 };
/* "a.csv and 2 more", if these are the data; else what standard input is called, or the path. */
const char *several_name(const struct cli *cli, const char *path, char buf[SEVERAL_NAME]);

/* ----- contents.c --------------------------------------------------------- */

enum contents { CONTENTS_UNKNOWN, CONTENTS_DATA, CONTENTS_MODEL, CONTENTS_CERTIFICATE };
enum contents contents_of(const char *path); /* by its first bytes */
/* 0 if no file is what belongs in another place of the command, or in another command. */
int contents_check(const struct cli *cli, const struct operand *operands);

/* The format that a file name stands for, or NULL (cmd_generate.c). */
const char *cli_format_of(const char *path);
/* 0 if this format can be written. */
int cli_check_format(const struct cli *cli, const char *option, const char *format);

/* ----- help.c and manual.c: the lists above, for people and for tools ----- */

void help_overview(struct out *o);
void help_everything(struct out *o); /* each command, with all its options */
void help_algorithms(struct cli *cli);
void help_algorithms_json(struct out *o);
void help_command(struct cli *cli, const struct opt *opts, const struct tables *tables);
/* The options of all tables that a command takes, under headings, laid out for a terminal or the
 * manual page. What several learners share is printed once. Without the `common` ones, if not NULL,
 * which stand elsewhere. */
struct help_form {
    void (*heading)(struct out *o, const char *text);
    void (*option)(struct out *o, char letter, const char *name, const char *metavar,
                   const char *help);
};
void help_tables(struct out *o, const struct tables *tables, const struct help_form *form,
                 const char *common);
void manual_page(struct out *o);
void manual_command(struct cli *cli, const struct opt *opts, const struct tables *tables);
void manual_completion(struct out *o);
void manual_complete(struct cli *cli, const struct opt *opts, const struct operand *operands,
                     const struct tables *tables);

/* ----- say.c: errors, notes, facts --------------------------------------- */

/* A line on stderr, in which nothing ends the line or steers the terminal. */
void cli_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* "FILE:LINE:COL: reason" on stderr; the exit code for err->status. */
int cli_fail(const struct cli *cli, const char *path, const perc_error *err);
/* "perceptron train: reason" on stderr, with a pointer to the help; EXIT_USAGE. */
int cli_usage(const struct cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int cli_memory(const struct cli *cli);
/* A remark on stderr after the result, unless -q. */
void cli_note(struct cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Says so where the model's sums are slow on this processor. */
void cli_note_software(struct cli *cli, const perc_model *m);
/* --threshold of predict and test: for this run alone. */
#define CLI_HELP_THRESHOLD                                                                      \
    "another threshold than the model's, for this run: a probability (0.3), score:S, none, or " \
    "probabilities, the most probable label"
int cli_threshold(struct cli *cli, perc_model *m, const char *spec);
/* Says so where bytes of the data had no checksum (perc_dataset_info). */
void cli_note_unchecked(struct cli *cli, const char *data, uint64_t unchecked);
/* An empty document of facts, for --json or for people. */
void cli_facts(const struct cli *cli, struct facts *f);
/* Prints a document of facts, as text or with --json, and frees it. With -q there is no text.
 * aside: to standard error, because standard output gets another result. Returns 0, or an exit code
 * after saying why. */
int cli_print(struct cli *cli, struct facts *f, bool aside);
/* "name   value": one fact per line, the values in one column. */
void cli_fact(struct out *o, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* 0 if `path` (NULL: none) can be written: to be called before the work, not after it. */
int cli_can_write(const struct cli *cli, const char *path);
int cli_columns(void); /* of the terminal that stdout is: 40 to 120; 80 where it is none */
bool cli_colour(void); /* stdout is a terminal and NO_COLOR is not set */
/* |w| of a model, over all its vectors. */
double cli_norm(const perc_model *m);
/* ----- exhausted.c: memory ------------------------------------------------- */

/* From now on memory that is out inside a library that would abort ends the tool with EXIT_SYSTEM,
 * after saying so. */
void exhausted_catch(const char *command);

/* ----- interrupt.c: Ctrl-C ----------------------------------------------- */

/* From now on SIGINT, SIGTERM and SIGHUP are counted; the second of a kind ends the program. */
void interrupt_catch(void);
/* The same; but a second after the first the program ends with the words of interrupt_quit, be the
 * count looked at or not: a read may be blocked. */
void interrupt_catch_briefly(void);
/* Before that they end the program with these words (as below) and EXIT_INTERRUPTED. */
void interrupt_quit(const char *words);
/* From now on they end the program at once, with these words (a whole line, which stays in memory)
 * and EXIT_INTERRUPTED: for work without which nothing is lost. So does one that was counted after
 * the first `since`. */
void interrupt_end(const char *words, int since);
/* The same after so many whole seconds, with EXIT_UNDECIDED: a limit that holds where the library
 * cannot look at the clock, as it waits for input. After interrupt_end; 0: no longer. */
void interrupt_after(double seconds);
bool interrupt_seen(void);
int interrupt_count(void);
/* Ends the program without a word, as a reader that went away ends others. */
int interrupt_as_pipe(void);
/* Waits until `fd` can be read; false if one of these signals came first. */
bool interrupt_wait(int fd);

/* ----- ticker.c: the line of progress ------------------------------------- */

double ticker_seconds(void); /* of a clock that never goes back */
/* An observer that answers with the flag and, if a person is watching, keeps a line on stderr up to
 * date. */
struct ticker {
    bool shown;          /* false: -q, or not a terminal */
    double next;         /* when to draw again, by the clock           */
    int width;           /* characters on the line now                 */
    char stage[64];      /* printed first: "point 3 of 12   "          */
    const char *unit;    /* what the events count: "fold"; NULL: passes */
    int64_t of;          /* how many there are                         */
    double rows;         /* in all passes of a run, at most; 0: not known */
    double from, share;  /* what this work is of all: it begins at `from`; share 0: it is all */
    double begun;        /* of reading: when, by the clock; 0: not yet */
    double part;         /* of reading: how much of the file; NaN: not known */
    int64_t passes;      /* over a stream, at most; 0: not one */
    struct ticker *file; /* the reading of files, which has a line of its own */
    struct progress progress;
};
perc_observer ticker_observer(struct ticker *p, const struct cli *cli);
/* A new piece of the work: what the events count, and how many there are. */
void ticker_stage(struct ticker *p, const char *unit, int64_t of);
/* The same observer, for another run within one piece of work. */
perc_observer ticker_watch(struct ticker *p);
/* For perc_params_watch: a line for the file that is read. ud: a ticker. */
void ticker_reading(void *ud, const perc_reading *r);
void ticker_clear(struct ticker *p);

/* ----- claim.c: one learner for a model file ------------------------------- */

struct claim {
    int fd;     /* of the lock; -1: none */
    char *lock; /* its name */
    bool there; /* what the file was when it was last looked at */
    struct stat seen;
};

/* Makes the file this process's own, unless it is a device; exit status, with a message. */
int claim_take(struct claim *c, const struct cli *cli, const char *path);
void claim_look(struct claim *c, const char *path);
/* Whether another program has changed the file since. */
bool claim_is_lost(const struct claim *c, const char *path);
void claim_drop(struct claim *c); /* of one that was taken, or not */

/* ----- lines.c: standard input line by line ------------------------------- */

struct lines { /* zero it first                                */
    char *buf;
    size_t cap;
    size_t from, seen, to; /* start of the line; no line end before; filled */
    bool ended, cut;       /* end of input; the rest of a cut line is next */
};
enum lines_got { LINES_LINE, LINES_END, LINES_INTERRUPTED, LINES_FAILED, LINES_MEMORY };

/* The next line without its line end, valid until the next call; the last may lack a line end. A
 * line longer than PERC_LINE_MAX is cut to just over that. After LINES_FAILED errno says why. */
enum lines_got lines_next(struct lines *l, const char **text, size_t *length);
/* Whether lines_next can return a line without waiting. */
bool lines_ready(const struct lines *l);
void lines_free(struct lines *l);

#endif
