/* streams: runs whose images are an archive on stdin, -i -, or whose outputs are a tar on stdout,
 * -o -. */
#pragma once

#include "start/start_job.h"

bool streams_in(const struct job_options *);
bool streams_out(const struct job_options *);

/* Refuse what such runs cannot do: by the options, before anything is read; and by the pipeline.
 * EXIT_DONE, or another code after printing why. */
int streams_check_options(const struct begin *);
int streams_check_plan(const struct begin *);
