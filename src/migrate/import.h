/* import: reads pipelines of other libraries from their files, and prints them as lockstep's. The
 * table in aliases/ defines the equivalent of each name and parameter. */
#pragma once

#include "base/fault.h"
#include "migrate/aliases/foreign.h"

/* A pipeline while it is imported. */
struct import_job {
    const struct importer *const *importers; /* all importers, ended by NULL */
    const struct importer *importer;         /* the importer that reads the file */
    struct faults *faults; /* with the file's name and text; faults mean that it cannot be read */
    struct arena *arena;
    /* Set by the importer. */
    const char *origin;        /* "Albumentations 2.0.8"; in the arena */
    const struct value *steps; /* a list of objects with `type_key` */
    struct text settings;      /* keys of the pipeline as JSON: "seed": 7, ... */
    /* The library whose steps are being read: the importer's, or the guest's inside of its host. */
    const char *library;
    enum origin from;
    /* The printed pipeline, and the results of the conversion. */
    struct text out;
    struct text left_out;  /* names of steps that are left to the loader */
    struct faults losses;  /* what has no equivalent here, with its place in the file */
    size_t equal, changed; /* steps that are equal here, and steps with a remark */
};

/* Reads pipelines of one library; each is in a file of libraries/. */
struct importer {
    const char *library;  /* as in rows of migrate/aliases/names.inc: "Albumentations" */
    enum origin origin;   /* of lockstep's transforms that have this library's names */
    bool by_table;        /* such a transform is used only if migrate/aliases/names.inc has a row */
    const char *files;    /* the files it reads: "JSON or YAML that A.save writes" */
    const char *type_key; /* key of a step's type: "type" */
    const char *host;     /* the step whose nested steps are Albumentations'; NULL: there is none */
    /* True if the text looks like one of its files. The first importer that returns true reads it.
     */
    bool (*detect)(struct slice text);
    /* Fills in origin, steps and settings; returns false with faults. */
    bool (*read)(struct import_job *);
};

/* Imports the faults' text. Returns false with faults: import-unknown, import-empty, or those of
 * its syntax. */
bool import_text(struct import_job *);
void import_drop(struct import_job *); /* out and losses */

/* --- for importers --- */

/* Records something that has no equivalent here. */
void import_lost(struct import_job *, const struct value *at, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* True if the word occurs in the text, as a whole word. */
bool import_has_word(struct slice text, const char *word);
/* Prints the steps of a list, one per line, `depth` levels in. */
void import_steps(struct import_job *, const struct value *list, int depth, struct text *out);
