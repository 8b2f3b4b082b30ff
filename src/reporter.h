/* reporter: what a file of reporters/ may see: one form of a check's report.
 *
 * To add one, write src/reporters/NAME.c with `const struct reporter NAME_reporter`; nothing else
 * is touched. Several write at once, each to a stream of its own (--output NAME=FILE). Findings
 * come sorted by file, offset and rule; those that a baseline hides are left out. Names and
 * messages hold what files hold: a reporter escapes what its readers would act upon. */
#pragma once

#include "finding.h"

struct report {
    const struct check *check; /* files, options, settings with counts */
    FILE *out;
    size_t most; /* findings of a rule that are given; of the others only the number is known */
    bool styled; /* a terminal that shows bold and colours */
    void *state;
};

struct reporter {
    const char *name, *summary; /* "sarif", "SARIF 2.1.0, for code scanning" */
    size_t state;               /* bytes of its own, zeroed */
    size_t most;                /* the usual limit of findings of a rule */
    bool complete;              /* it is given all findings, whatever the limit */
    void (*begin)(struct report *);
    void (*finding)(struct report *, const struct finding *);
    void (*end)(struct report *);
};
