/* progress: how far a run is, on stderr: a bar on a terminal, lines elsewhere. All counts and rates
 * are of records, the images that are read, however many outputs each has. */
#pragma once

#include "batch/dataset/job.h"

struct progress_report {
    int style; /* enum progress, never AUTO after progress_start */
    size_t total, done, failed;
    size_t before; /* done by an earlier run */
    double began, shown;
    unsigned tenths; /* tenths of the total that were printed in lines */
};

void progress_start(struct progress_report *, const struct job *);
/* One more record is finished. */
void progress_step(struct progress_report *, bool failed);
/* So many were finished before the run began. */
void progress_skip(struct progress_report *, size_t n);
/* A line of how far it is, however progress is shown. */
void progress_print(const struct progress_report *);
/* Clear the bar, before a message. */
void progress_pause(const struct progress_report *);
/* Seconds since the start. */
double progress_seconds(const struct progress_report *);
