/* summary: what a run says on stderr of its images when it ends. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/run/progress.h"

/* A message about a file; a `why` that begins with its name does not name it twice. */
void summary_complain(struct progress_report *, const char *name, const char *why);
/* What is true of many images, once. */
void summary_files(const struct job *, const struct collect *);
/* Prints the line that ends a run; `has_errors_file`: OUT has errors.jsonl if images were skipped.
 */
void summary_print(const struct job *, const struct collect *, const struct progress_report *,
                   bool has_errors_file);
