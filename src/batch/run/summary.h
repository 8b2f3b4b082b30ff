/* summary: messages about the images of a run, printed on stderr when it ends. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/run/progress.h"

/* Prints an error about a file; omits the name if `why` begins with it. */
void summary_print_error(struct progress_report *, const char *name, const char *why);
/* Prints the warnings that concern many images, once each. */
void summary_files(const struct job *, const struct collect *);
/* Prints the last line of a run. `has_errors_file`: OUT has errors.jsonl if images were skipped. */
void summary_print(const struct job *, const struct collect *, const struct progress_report *,
                   bool has_errors_file);
