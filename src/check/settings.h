/* settings: which rules a check has, and how severe they are, from options and lockstep-check.json.
 */
#pragma once

#include "check/finding.h"
#include "param/param.h"

/* A choice of the command line or the file. Words are ids, starts of ids ("B", "C00"), slugs or
 * "ALL"; a string may contain several, separated by commas. */
struct check_choice {
    struct names select;   /* only these rules */
    struct names extend;   /* additional rules */
    struct names ignore;   /* excluded rules */
    struct names severity; /* "B005=error": error, warning, info or off */
    /* Rules excluded for annotation files and images whose names match a pattern. */
    struct ignores {
        struct pattern_rules {
            const char *pattern;
            struct names rules;
        } * at;
        size_t n;
    } per_file;
    const char *folder; /* absolute: folder of the settings file; NULL: none */
};

/* Applies a choice to the settings of a check. Returns false with faults (option-value) for words
 * that match no rule. `where` precedes the names of members in faults: "--" or "". */
bool check_choose(struct check *, const struct check_choice *, const char *where, struct faults *);

/* Sets the rules that are ignored for an annotation file. */
void check_set_ignored(struct check *, struct annotation_file *);

/* The contents of lockstep-check.json. Its paths are relative to its folder. */
struct check_file {
    const char *path; /* where it was found; NULL: no file */
    struct check_choice choice;
    int fail_on; /* enum severity, SEVERITIES for never; -1: not given */
    int max_findings;
    const char *images, *baseline; /* "": not given */
};

/* Reads this file. If the path is "", searches for lockstep-check.json in the current folder and
 * its parents, up to the root of the repository (the folder with .git). Outside of a repository,
 * only the current folder is searched. Returns false with faults if the file is wrong. */
bool check_file_read(const char *path, struct check_file *, struct arena *, struct faults *);
