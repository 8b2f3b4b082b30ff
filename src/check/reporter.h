/* reporter: what a file of reporters/ may see: one form of a check's report.
 *
 * To add one, write src/check/reporters/NAME.c with `const struct reporter NAME_reporter`; nothing
 * else is touched. Several write at once, each to a stream of its own (--output NAME=FILE).
 * Findings come sorted by file, offset and rule; findings that a baseline hides are left out. Names
 * and messages hold what files hold: a reporter escapes what its readers would act upon. */
#pragma once

#include "check/finding.h"

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

/* --- what files hold, escaped --- */

/* For logs: characters that a terminal may act upon are shown, and so is every "##": CI systems
 * take "##[error]" and the like for commands wherever they stand in a line. */
void report_add_log(struct text *, const char *, size_t length);
/* The name of a file at the begin of a line of a log: "::error" there would be a command, too. */
void report_add_log_name(struct text *, const char *name);
/* A JSON string in quotes, of ASCII and harmless letters: everything that a terminal may act upon
 * is \uNNNN, bytes that are no UTF-8 are U+FFFD. */
void report_add_json(struct text *, const char *string);
/* The file as CI systems look for it: without "./" before it. Relative to where it was called from
 * where that is so. */
const char *report_path(const char *name);
/* That as the path of a URI: percent-encoded. */
void report_add_uri(struct text *, const char *name);

/* --- findings, for machines --- */

/* The members of a finding's JSON object, without its braces. */
void report_add_members(const struct check *, const struct finding *, struct text *);
/* "\"errors\": 1, \"warnings\": ...": how many there are. */
void report_add_counts(const struct check *, struct text *);
/* "annotations/17/bbox: the box ... (street/1.jpg)": what it is about, and what is wrong; not
 * escaped. */
void report_add_words(const struct check *, const struct finding *, struct text *);

/* --- findings, counted --- */

/* Findings that are not hidden: of all rules, and of one. */
size_t report_total(const struct check *);
/* "2 errors, 1 warning, 0 infos". */
void report_add_totals(const struct check *, struct text *);
size_t report_times(const struct rule_setting *);
/* Settings of rules with findings that are not hidden, in `sorted` (room for all): the most severe
 * first, then by their ids. Their number. */
size_t report_settings(const struct check *, const struct rule_setting **sorted);
