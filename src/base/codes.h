/* codes: the table of error codes in messages, which help and the manual print and tests walk. */
#pragma once

#include "base/base.h"

enum { CODE_SIGNAL = 16 }; /* the bit for exit codes from EXIT_SIGNAL on */

/* A code is printed in brackets after a message. Codes are stable; the texts may improve. */
struct code {
    const char *word;  /* "param-range" */
    unsigned exits;    /* bits 1 << exit_code: the exit codes of commands that print it; bit 0:
                          warnings and notes, which do not change the exit code */
    const char *means; /* "a number is outside its limits" */
};

extern const struct code codes[]; /* sorted by word; ends with a NULL word */
/* Returns the row of a code, or NULL; a lint check ensures that every code in the sources has a
 * row. */
const struct code *code_get(const char *word);
