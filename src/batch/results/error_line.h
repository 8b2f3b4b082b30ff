/* error_line: a line of errors.jsonl, of one record that failed. */
#pragma once

#include "batch/image/report.h"
#include "batch/dataset/job.h"

#include <stddef.h>

/* Replace `line` by a JSON object and a newline: the source's name, the image's id where there are
 * annotations, the outcome, the code and the message. */
void error_line_print(const struct job *, size_t record, const struct report_view *,
                      struct text *line);
