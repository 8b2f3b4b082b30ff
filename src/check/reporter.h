/* reporter: the interface for files of reporters/: one form of a check's report.
 *  *
 *  * To add one, write src/check/reporters/NAME.c with `const struct reporter NAME_reporter`; no
 * other
 *  * file changes. Several reporters may write at once, each to its own stream (--output
 * NAME=FILE).
 *  * Findings come sorted by file, offset and rule; findings that a baseline hides are left out.
 * Names
 *  * and messages contain text of files, which a reporter must escape. */
#pragma once

#include "check/finding.h"

struct report {
    const struct check *check; /* files, options, settings with counts */
    FILE *out;
    size_t max_findings; /* limit of findings per rule; of the others only the number is given */
    bool styled;         /* the stream is a terminal with bold and colors */
    void *state;
};

struct reporter {
    const char *name, *summary; /* "sarif", "SARIF 2.1.0, for code scanning" */
    size_t state;               /* bytes of its own state, zeroed */
    size_t max_findings;        /* usual limit of findings per rule */
    bool complete;              /* gets all findings, whatever the limit */
    void (*begin)(struct report *);
    void (*finding)(struct report *, const struct finding *);
    void (*end)(struct report *);
};

/* --- escaped text of files --- */

/* Escapes text for logs: characters that control a terminal, and every "##". CI systems take
 * "##[error]" and the like for commands anywhere in a line. */
void report_add_log(struct text *, const char *, size_t length);
/* Escapes a file's name at the start of a line of a log, where "::error" would be a command too. */
void report_add_log_name(struct text *, const char *name);
/* Appends a quoted JSON string of ASCII and harmless letters. Characters that control a terminal
 * become \uNNNN, and bytes that are not UTF-8 become U+FFFD. */
void report_add_json(struct text *, const char *string);
/* Returns the path of a file as CI systems use it: without "./" at its start, and relative to the
 * current folder if possible. */
const char *report_path(const char *name);
/* Appends that path as a percent-encoded URI. */
void report_add_uri(struct text *, const char *name);

/* --- findings as JSON and in words --- */

/* Appends the members of a finding's JSON object, without braces. */
void report_add_members(const struct check *, const struct finding *, struct text *);
/* Appends the counts: "\"errors\": 1, \"warnings\": ...". */
void report_add_counts(const struct check *, struct text *);
/* Appends the place and the message, not escaped: "annotations/17/bbox: the box ...
 * (street/1.jpg)". */
void report_add_words(const struct check *, const struct finding *, struct text *);

/* --- counts --- */

/* Return the number of findings that are not hidden: of all rules, and of one. */
size_t report_total(const struct check *);
/* Appends "2 errors, 1 warning, 0 infos". */
void report_add_totals(const struct check *, struct text *);
size_t report_times(const struct rule_setting *);
/* Sorts settings of rules with findings that are not hidden into `sorted` (room for all): the most
 * severe first, then by id. Returns their number. */
size_t report_settings(const struct check *, const struct rule_setting **sorted);
