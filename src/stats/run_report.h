/* run_report: counts what a finished run made of its source. These are objects by class, size and
 * part, dropped objects and values of steps. It also chooses the outputs to show. */
#pragma once

#include "stats/run_values.h"
#include "stats/stats.h"

enum { RUN_CASES = 3, RUN_PAIRS = 12 };

/* Inputs of the report. `before` and `images` are missing if the user named no source, or
 * another one than the run's. */
struct run_inputs {
    const struct dataset_stats *after; /* of the outputs */
    const struct survey *before;       /* the annotations of the source, or NULL */
    const char *out, *images; /* folders of the outputs and of the source; images may be "" */
    struct slice manifest;
    const struct value *run_json;
    bool packed;           /* outputs are in archives, so that they have no pictures */
    const char *no_before; /* why `before` is NULL */
};

/* Numbers of objects: in the source's images that have outputs; in the outputs; dropped from them.
 */
struct run_count {
    size_t before, after, dropped;
};

/* A class of the outputs, of the source, or of both. The last one is for objects without one. */
struct run_class {
    const char *name;
};

struct run_part {
    const char *name; /* "": it has none */
    size_t images_before, images_after;
};

/* A dropped object of the source. */
struct run_case {
    size_t line; /* of the manifest */
    uint32_t object;
    double area, value;
};

struct run_reason {
    const char *name;
    size_t n;
    struct run_case worst[RUN_CASES]; /* the largest objects, the largest first */
    size_t n_worst;
};

/* A line of the manifest, which is an output. */
struct run_line {
    size_t offset;
    uint32_t before, after; /* indices of images; SURVEY_NONE: not in the annotations */
    uint32_t part;
    bool has_steps;
};

struct run_report {
    struct arena arena;
    struct run_inputs in;
    const struct run_class *classes;
    size_t n_classes;
    uint32_t *class_before;   /* for each category of the source, and objects without one */
    struct run_count *counts; /* use run_count */
    struct pile parts;        /* of struct run_part */
    struct pile reasons;      /* of struct run_reason, the most frequent first */
    struct pile lines;        /* of struct run_line */
    struct run_values values;
    size_t n_sources;       /* images of the source with outputs, if `before` has them */
    size_t n_unread;        /* lines that could not be read */
    size_t pair[RUN_PAIRS]; /* lines to show, in their order */
    size_t n_pairs;
};

void run_report_make(struct run_report *, const struct run_inputs *);
void run_report_drop(struct run_report *);

#define RUN_ALL SIZE_MAX
/* Returns the sum over a part, a class and a size, or over all of them. */
struct run_count run_report_count(const struct run_report *, size_t part, size_t class,
                                  size_t size);
/* Returns the class of an object of the source, or of the outputs. */
size_t run_class_before(const struct run_report *, const struct survey_object *);
size_t run_class_after(const struct run_report *, const struct survey_object *);
/* Parses a line again. Returns NULL if it is no object. */
const struct value *run_report_line(const struct run_report *, size_t line, struct arena *);
/* Returns a member that is a text, or "". */
const char *run_text(const struct value *object, const char *name);
/* Returns a member of a member of run.json that is a count, or 0. */
size_t run_number(const struct run_report *, const char *object, const char *name);

/* Appends a JSON object. */
void run_report_print_json(const struct run_report *, struct text *);
