/* stream: a job whose outputs go to stdout, as one tar of samples.
 *
 * Its images are done some at a time, in their order: each such part is a run of its own in a
 * private folder, whose outputs are packed to stdout, and removed. Names, ids and donors are those
 * of the whole job, and so are the samples: those that --out-format webdataset writes. */
#pragma once

#include "batch/results/collect.h"
#include "batch/io/temp_dir.h"
#include "batch/run/progress.h"
#include "batch/webdataset/sink.h"

struct stream {
    struct private_folder folder;
    struct stdout_sink to;
    struct collect total; /* of the parts that are done: their counts alone */
    struct progress_report progress;
};

/* Do all of it; progress and messages on stderr. The command's exit code: that of the same run to a
 * folder, or 128 + SIGPIPE where nobody reads stdout any more. Only then does the tar have its end
 * when it is EXIT_DONE or EXIT_PARTIAL. */
int stream_job(const struct job *);

/* --- for a part that runs --- */

struct sink *stream_sink(struct stream *);
/* The part is done: add it to the total. EXIT_DONE, or EXIT_PARTIAL where images were skipped. */
int stream_add(struct stream *, const struct collect *part, const struct progress_report *);
/* Has whoever reads stdout left? */
bool stream_is_left(const struct stream *);
