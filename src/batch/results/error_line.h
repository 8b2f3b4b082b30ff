/* error_line: prints the line of errors.jsonl for a record that failed. */
#pragma once

#include "batch/image/report.h"
#include "batch/dataset/job.h"

#include <stddef.h>

/* Replaces `line` by a JSON object and a newline. Its members are the source's name, the image's id
 * if there are annotations, the outcome, the code and the message. */
void error_line_print(const struct job *, size_t record, const struct report_view *,
                      struct text *line);
