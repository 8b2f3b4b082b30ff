/* profile: measures the time per stage and per pass, for eager mode (each op is a pass) and
 * compiled mode. Writes no files. */
#pragma once

#include "batch/image/image_job.h"

/* EAGER is optimize mode `none`, where each op is a pass; COMPILED is the mode of the plan. */
enum { EAGER, COMPILED, MODES };

struct profile_row {
    const char *name; /* name of the stage, or the ops of the pass: "crop + resize" */
    double us;        /* sum over all results */
    size_t calls;     /* calls per round */
};

struct profile_mode {
    enum optimize optimize;
    struct profile_row stage[N_STAGES];
    struct profile_row *
        pass; /* sorted by time, longest first; the last row is the part of render outside passes */
    size_t n_passes;
    double us;     /* sum of all stages */
    double spread; /* interquartile range of the sums of the rounds, relative to their median */
    long faults;   /* minor page faults in all rounds */
};

/* Times are sums over laps of the median over the rounds, so that shares add up. */
struct profile {
    size_t images, results; /* `results` counts the outputs: copies of images */
    int rounds;
    bool masks;
    struct profile_mode mode[MODES];
    long anonymous; /* kB of anonymous memory at the end; -1: unknown */
    struct arena arena;
};

/* Runs each record once in each mode to warm up, then `rounds` times. Both modes run one after the
 * other for each record, and take turns in going first. The job has no folder to write to. Returns
 * EXIT_DONE, or another exit code with the reason in `why`. Free with profile_drop in any case. */
int profile_measure(const struct job *, const size_t *records, size_t n, int rounds,
                    struct profile *, struct text *why);
void profile_drop(struct profile *);

/* Prints tables, or one line of JSON per row. */
void profile_text(const struct profile *, struct text *);
void profile_json(const struct profile *, struct text *);
