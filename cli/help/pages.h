/* pages: what help and the manual say of commands. */
#pragma once

#include "manual/manual.h"
#include "command.h"

/* "lockstep run -p PIPELINE ..." */
void command_print_usage(const struct command *, struct text *);
/* Its options as items, those of every command too; `at_length`: without those, but with limits and
 * what each word means. */
void command_print_options(const struct command *, bool at_length, struct page *);
/* The options of every command, at length. */
void options_print_common(struct page *);
/* Its examples, a line each. */
void command_print_examples(const struct command *, struct page *);
/* The page on stdout. Ends it; returns EXIT_DONE. */
int page_show(struct page *);
/* Writes valid JSON to stdout, over lines of up to 100 bytes where that is possible. Returns
 * EXIT_DONE. */
int json_show(const char *json);
