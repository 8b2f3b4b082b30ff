/* codes: the error codes of messages, in one table: help and the manual print it, tests walk it. */
#pragma once

#include "base/base.h"

enum { CODE_SIGNAL = 16 }; /* the bit of exit codes from EXIT_SIGNAL on */

/* Stands in brackets behind a message. Stable: words may get better, a code stays. */
struct code {
    const char *word;  /* "param-range" */
    unsigned exits;    /* bits 1 << exit_code: how a command that prints it may end; bit 0 of what
                          does not keep a run from ending well: warnings and notes */
    const char *means; /* "a number is outside its limits" */
};

extern const struct code codes[]; /* by word, ended by a NULL word */
/* NULL when there is none; a check of the sources sees that every code which they name is there. */
const struct code *code_get(const char *word);
