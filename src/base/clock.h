/* clock: measures where the time of an image goes, lap by lap. All functions accept NULL for the
 * clock and then measure nothing. */
#pragma once

#include "base/base.h"

/* Returns nanoseconds since some moment; not affected by changes of the date. */
int64_t clock_now(void);

/* Stages of an image, in this order, and of its label mask. */
enum stage {
    STAGE_READ,
    STAGE_HEADER,
    STAGE_MASK_READ,
    STAGE_DRAW,
    STAGE_PRINT,
    STAGE_COMPILE,
    STAGE_DECODE,
    STAGE_RENDER,
    STAGE_ENCODE,
    STAGE_EXCERPT,
    STAGE_MASK_RENDER,
    STAGE_MASK_ENCODE,
    STAGE_REST,
    N_STAGES
};
const char *stage_name(enum stage);

/* The time since the previous lap; every moment belongs to one lap. */
struct lap {
    enum stage stage;
    size_t part; /* of the stage, from 1; 0: the whole stage */
    int64_t ns;
};

/* Zero-initialize, then call clock_start. */
struct clock {
    struct lap *lap;
    size_t n, room;
    int64_t since;
};
/* Forgets all laps; the first begins now. */
void clock_start(struct clock *);
void clock_lap(struct clock *, enum stage, size_t part);
void clock_drop(struct clock *);
