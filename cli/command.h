/* command: what a subcommand is: a name, a table of options, and what it does. */
#pragma once

#include "base/stderr_line.h"
#include "param/param.h"

/* An option is a parameter row with a letter: --include-original sets include_original. */
struct option {
    unsigned takers;     /* of a table that commands share: bits of those that take it; else 0 */
    char letter;         /* 0: none */
    const char *metavar; /* "FILE"; NULL for flags */
    struct row row;
};
/* Shared by all commands that read Pascal VOC's files. */
extern const struct choice voc_base_choices[];
#define VOC_BASE_OPTION(taker, S)                                                                  \
    {                                                                                              \
        (taker), 0, "0|1",                                                                         \
            CHOICE(S, voc_base, .preset = "\"auto\"", .choices = voc_base_choices,                 \
                   .help = "where corners in Pascal VOC's files count from: 1 (pixels, the last "  \
                           "inside), or 0 (coordinates, xmax = x + width)")                        \
    }
/* Shared by all commands that look for the images that annotations name. */
extern const struct choice match_choices[]; /* of batch/dataset/resolve_names.h */
#define STRIP_PREFIX_OPTION(taker, S)                                                              \
    {                                                                                              \
        (taker), 0, "TEXT",                                                                        \
            TEXT(S, strip_prefix, .preset = "\"\"",                                                \
                 .help = "take this from the start of each file_name of the annotations that has " \
                         "it, as images/")                                                         \
    }
#define MATCH_OPTION(taker, S)                                                                     \
    {                                                                                              \
        (taker), 0, "WHAT",                                                                        \
            CHOICE(S, match, .preset = "\"path\"", .choices = match_choices,                       \
                   .help = "how a file_name of the annotations names an image")                    \
    }
#define OPTIONS_END                                                                                \
    {                                                                                              \
        0                                                                                          \
    }

struct command {
    const char *name, *summary;
    const char *synopsis;         /* behind the name: "-p PIPELINE -i IMAGES ..." */
    const char *about;            /* a paragraph or two for the manual */
    const struct option *options; /* may be NULL */
    unsigned taker;               /* its bit in their `takers`; 0: it takes all of them */
    size_t options_size;          /* of the struct they fill in */
    const char *operands;         /* "NAME"; NULL when it takes none */
    const char *const *examples;  /* command lines, ended by NULL; may be NULL */
    bool plugins;                 /* it takes --plugin: it knows steps */
    bool hidden;
    bool brief; /* the overview has its name alone */
    /* Returns the exit code. `operand` is ended by NULL. */
    int (*run)(void *options, const char *const *operand);
};

extern const struct command *const commands[]; /* ended by NULL */
const struct command *command_get(const char *name);

/* The command's first option, or the one after `o`; those of every command come last. NULL when
 * there is none. */
const struct option *option_next(const struct command *, const struct option *o);
bool option_is_common(const struct option *);
/* for (OPTIONS(o, command)): each option that the command takes. */
#define OPTIONS(o, command)                                                                        \
    const struct option *o = option_next((command), NULL);                                         \
    o;                                                                                             \
    o = option_next((command), o)

/* Was this option on the command line (of the command that is running)? */
bool option_given(const char *name);
/* Print the faults, and say so with this exit code. */
int faults_exit(struct faults *, int code);
/* Is there one operand, an output folder? Else its fault is printed and dropped. Returns the exit
 * code. */
int operand_one_folder(struct faults *, const char *const *operand);
/* "--include-original" */
void option_print_name(const struct option *, struct text *);
