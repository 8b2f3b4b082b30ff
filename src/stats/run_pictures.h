/* run_pictures: the pictures of a run's report: sources and outputs with their labels, and dropped
 * objects. */
#pragma once

#include "stats/run_report.h"

/* Pictures of one page. */
struct run_pictures {
    const struct run_report *r;
    size_t bytes; /* of all pictures so far */
};

/* Appends a source and its output side by side. */
void run_pictures_pair(struct run_pictures *, size_t line, struct text *out);
/* Appends the part of the source with a dropped object. */
void run_pictures_case(struct run_pictures *, const struct run_case *, const char *reason,
                       struct text *out);
/* Appends the color of a class: "#ff4d5e". */
void run_class_colour(size_t class, struct text *out);
