/* import: pipelines of other libraries, read from the files that those write, and printed as
 * lockstep's. What each name and parameter becomes is in the table of foreign/. */
#pragma once

#include "base/fault.h"
#include "migrate/aliases/foreign.h"

/* A pipeline while it is imported. */
struct importing {
    const struct importer *const *importers; /* all there are, ended by NULL */
    const struct importer *importer;         /* the one that reads the file */
    struct faults *faults; /* with the file's name and text; faults: it cannot be read */
    struct arena *arena;
    /* The reader's. */
    const char *origin;        /* "Albumentations 2.0.8"; in the arena */
    const struct value *steps; /* a list of objects with `type_key` */
    struct text settings;      /* keys of the pipeline, as JSON: "seed": 7, ... */
    /* Whose steps are read now: the importer's, or those inside of its host. */
    const char *library;
    enum origin from;
    /* What is printed, and what became of it. */
    struct text out;
    struct text left_out;  /* names of steps that are the loader's */
    struct faults losses;  /* what has no equal here, with its place in the file */
    size_t equal, changed; /* steps that are the same here, and that a remark tells of */
};

/* How pipelines of one library are read: a file in importers/ each. */
struct importer {
    const char *library; /* as rows of migrate/aliases/names.inc have it: "Albumentations" */
    enum origin origin;  /* of lockstep's own transforms that have this library's names */
    bool by_table;       /* such a transform is used only where migrate/aliases/names.inc says so */
    const char *files;   /* what is read: "JSON or YAML that A.save writes" */
    const char *type_key; /* of a step: "type" */
    const char *host;     /* the step whose inner steps are Albumentations'; NULL: there is none */
    /* Does the text look like one of its files? The first importer that says so reads it. */
    bool (*detect)(struct slice text);
    /* Fill in origin, steps and settings; false with faults. */
    bool (*read)(struct importing *);
};

/* Import the faults' text; false with faults: import-unknown, import-empty, or those of
 * its syntax. */
bool import_text(struct importing *);
void import_drop(struct importing *); /* out and losses */

/* --- for importers --- */

/* Something that has no equal here. */
void import_lost(struct importing *, const struct value *at, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* Is the word in the text, as a whole? */
bool import_mentions(struct slice text, const char *word);
/* Print the steps of a list, each on a line of its own, `depth` levels in. */
void import_steps(struct importing *, const struct value *list, int depth, struct text *out);
