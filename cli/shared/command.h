/* command: subcommands and their options, as tables, and how to walk these. */
#pragma once

#include "base/stderr_line.h"
#include "param/param.h"

/* The headings of help, in their order: `group` of an option's row. */
enum option_group {
    OPTIONS_OTHER, /* of commands that have few options: without a heading */
    OPTIONS_INPUT,
    OPTIONS_CHOICE,
    OPTIONS_RULES,
    OPTIONS_LABELS,
    OPTIONS_OUTPUT,
    OPTIONS_ERRORS,
    OPTIONS_SCALE,
    OPTIONS_STEPS,
    OPTIONS_MESSAGES,
    OPTION_GROUPS,
};

/* An option is a parameter row with a letter: --include-original sets include_original. The first
 * sentence of the row's help is at most a line: --help prints it alone for a command with many
 * options. */
struct option {
    unsigned takers;     /* in a table that commands share: bits of the commands; else 0 */
    char letter;         /* 0: none */
    const char *metavar; /* "FILE"; NULL for flags */
    struct row row;
};
#define OPTIONS_END                                                                                \
    {                                                                                              \
        0                                                                                          \
    }

/* Options that several commands take, with their values in one place. */
struct option_set {
    const struct option *options;
    void *values; /* the struct that the options fill in */
    /* Adds faults of the values. May be NULL. */
    void (*check)(struct faults *);
    /* Loads what the values name. Returns the exit code, after printing why. May be NULL. */
    int (*load)(struct arena *);
};

struct command {
    const char *name, *summary;
    const char *synopsis;            /* after the name: "-p PIPELINE -i IMAGES ..." */
    const char *about;               /* a paragraph or two for the manual */
    const struct option *options;    /* may be NULL */
    const struct option_set *shared; /* taken too; may be NULL */
    unsigned taker;                  /* its bit in their `takers`; 0: it takes all of them */
    size_t options_size;             /* of the struct that `options` fill in */
    const char *operands;            /* "NAME"; NULL if it takes none */
    const char *const *examples;     /* command lines, ended by NULL; may be NULL */
    bool hidden;
    bool brief; /* the overview prints its name only */
    /* Returns the exit code. `operand` is ended by NULL. */
    int (*run)(void *options, const char *const *operand);
};

/* All commands, ended by NULL; main sets it before it runs one. */
extern const struct command *const *commands;
/* Returns NULL if no command has this name. */
const struct command *command_get(const char *name);

/* Returns the command's first option, or the one after `o`; NULL after the last. Options that every
 * command takes come last. */
const struct option *option_next(const struct command *, const struct option *o);
/* True if the option is in the command's own table: its value belongs to the struct that `run`
 * receives. */
bool option_is_own(const struct command *, const struct option *);
/* True if every command takes the option. */
bool option_is_common(const struct option *);
/* Returns where the option's value belongs; `options` is the struct of the command's own options.
 */
void *option_place(const struct command *, const struct option *, void *options);
/* for (OPTIONS(o, command)): each option that the command takes. */
#define OPTIONS(o, command)                                                                        \
    const struct option *o = option_next((command), NULL);                                         \
    o;                                                                                             \
    o = option_next((command), o)

/* "--include-original" */
void option_print_name(const struct option *, struct text *);
/* Prints the first sentence of the option's help, without its period. */
void option_print_brief(const struct option *, struct text *);
