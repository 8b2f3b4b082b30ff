/* pages: commands and their options on pages of help and of the manual. */
#pragma once

#include "manual/manual.h"
#include "shared/command.h"

/* Prints the help of a command. A command with many options prints them in groups: the common ones
 * on one line each, or with `all` every option with its full text. Returns EXIT_DONE. */
int help_show_command(const struct command *, bool all);

/* Adds all options of a command but those of every command, with limits and the meaning of each
 * word. */
void manual_print_options(const struct command *, struct page *);
/* Adds the options of every command. */
void manual_print_common_options(struct page *);
/* Adds the examples, one per line. */
void command_print_examples(const struct command *, struct page *);

/* Prints the page to stdout and frees it. Returns EXIT_DONE. */
int page_show(struct page *);
/* Prints valid JSON to stdout, over lines of up to 100 bytes if possible. Returns EXIT_DONE. */
int json_show(const char *json);
