/* progress: how far a run is, on stderr: a bar on a terminal, lines elsewhere. */
#pragma once

#include "job.h"

struct meter {
    int style; /* enum progress, never AUTO after meter_start */
    size_t total, done, failed;
    size_t before;    /* done by an earlier run */
    unsigned fan_out; /* outputs of a record */
    double began, shown;
    unsigned tenths; /* tenths of the total that were printed in lines */
};

void meter_start(struct meter *, const struct job *);
/* One more record is finished. */
void meter_step(struct meter *, bool failed);
/* So many were finished before the run began. */
void meter_skip(struct meter *, size_t n);
/* A line of how far it is, however progress is shown. */
void meter_tell(const struct meter *);
/* Clear the bar, before a message. */
void meter_pause(const struct meter *);
/* Seconds since the start. */
double meter_seconds(const struct meter *);
