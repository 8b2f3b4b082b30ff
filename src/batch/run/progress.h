/* progress: shows the progress of a run on stderr: a bar on a terminal, lines elsewhere. All counts
 * and rates are of input images, however many outputs each has. */
#pragma once

#include "batch/dataset/job.h"

struct progress_report {
    int style; /* enum progress, never AUTO after progress_start */
    size_t total, done, failed;
    size_t before; /* done by an earlier run */
    double began, shown;
    unsigned tenths; /* tenths of the total that lines were printed for */
};

void progress_start(struct progress_report *, const struct job *);
/* Counts one more finished image. */
void progress_step(struct progress_report *, bool failed);
/* Sets how many images were finished before this run began. */
void progress_skip(struct progress_report *, size_t n);
/* Prints a line with the current progress, in any style. */
void progress_print(const struct progress_report *);
/* Clears the bar before a message is printed. */
void progress_pause(const struct progress_report *);
/* Returns the seconds since the start. */
double progress_seconds(const struct progress_report *);
