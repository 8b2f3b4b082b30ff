/* profile: where the time of images goes, stage by stage and pass by pass, op by op (eager) beside
 * compiled; nothing is written. */
#pragma once

#include "batch/image/image_job.h"

/* Mode `none`, where each op is a pass, and the plan's own mode. */
enum { EAGER, COMPILED, MODES };

struct profile_row {
    const char *name; /* of a stage; or the ops of a pass: "crop + resize" */
    double us;        /* of all results */
    size_t calls;     /* in one round */
};

struct profile_mode {
    enum optimize optimize;
    struct profile_row stage[N_STAGES];
    struct profile_row *pass; /* the dearest first; the last is what render does beside passes */
    size_t n_passes;
    double us;     /* all stages */
    double spread; /* between the quartiles of the rounds' sums, as a part of their median */
    long faults;   /* minor page faults in all rounds */
};

/* Times are medians over the rounds, lap by lap, added up: shares are of sums that hold. */
struct profile {
    size_t images, results; /* results: copies of images */
    int rounds;
    bool masks;
    struct profile_mode mode[MODES];
    long anonymous; /* kB of memory in the end; -1: the system does not say */
    struct arena arena;
};

/* Do each of the records once in each mode, then `rounds` times: record by record, in both modes
 * one after the other, in turns of which is first. The job has no folder to write to. EXIT_DONE, or
 * another exit code with the reason in `why`. To be dropped in any case. */
int profile_measure(const struct job *, const size_t *records, size_t n, int rounds,
                    struct profile *, struct text *why);
void profile_drop(struct profile *);

/* Tables, or a line of JSON for each of their rows. */
void profile_text(const struct profile *, struct text *);
void profile_json(const struct profile *, struct text *);
