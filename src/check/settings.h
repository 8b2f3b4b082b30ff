/* settings: which rules a check has, how severe they are, and what says so: lockstep-check.json. */
#pragma once

#include "check/finding.h"
#include "param/param.h"

/* As the command line or the file has it. Words are ids, the beginnings of ids ("B", "C00"), slugs
 * or "ALL"; several may stand in one text, with commas between. */
struct check_choice {
    struct names select;   /* only these */
    struct names extend;   /* these, too */
    struct names ignore;   /* not these */
    struct names severity; /* "B005=error": error, warning, info or off */
    /* Not these of annotation files and images whose names fit a pattern. */
    struct ignores {
        struct pattern_rules {
            const char *pattern;
            struct names rules;
        } * at;
        size_t n;
    } per_file;
    const char *folder; /* absolute: that of the file that says so; NULL: there is none */
};

/* Apply it to the settings of a check; false with faults (option-value) for words that mean no
 * rule. `where` names the choice in faults: "--" or "" before the names of its members. */
bool check_choose(struct check *, const struct check_choice *, const char *where, struct faults *);

/* Set what is not reported of an annotation file. */
void check_set_ignored(struct check *, struct annotation_file *);

/* What lockstep-check.json may say. Paths in it are relative to its folder. */
struct check_file {
    const char *path; /* where it was found; NULL: there is none */
    struct check_choice choice;
    int fail_on; /* enum severity, SEVERITIES for never; -1: not said */
    int max_findings;
    const char *images, *baseline; /* "": not said */
};

/* Read this file; or where the path is "", the first lockstep-check.json in the current folder and
 * those above it up to the root of the repository (the folder that has .git); outside of a
 * repository in the current folder alone. False with faults when it is wrong. */
bool check_file_read(const char *path, struct check_file *, struct arena *, struct faults *);
