/* streams: runs that read an archive from stdin (-i -), or write a tar to stdout (-o -). */
#pragma once

#include "start/start_job.h"

/* True if the images come from stdin. */
bool has_stdin_images(const struct job_options *);
/* True if the outputs go to stdout. */
bool has_stdout_outputs(const struct job_options *);

/* Refuse what such runs cannot do: by the options, before anything is read, and by the pipeline.
 * Return EXIT_DONE, or another code after printing why. */
int streams_check_options(const struct begin *);
int streams_check_plan(const struct begin *);
