/* args: reads the options and operands of a command. */
#pragma once

#include "shared/command.h"

/* True if the word is -h, --help or --help-all. `*all` becomes true for --help-all. */
bool is_help_option(const char *word, bool *all);
/* True if one of the words before "--" is a help option. */
bool has_help_option(int n, char **word, bool *all);
/* Reads the words after the command's name, loads what its shared options name, and runs it.
 * Returns the exit code. */
int args_run(const struct command *, int n, char **word);

/* True if this option of the running command was on the command line; `name` is the row's name. */
bool option_is_given(const char *name);
/* Returns EXIT_DONE if there is one operand, an output folder; otherwise prints and drops the
 * faults, and returns the exit code. */
int operand_one_folder(struct faults *, const char *const *operand);
