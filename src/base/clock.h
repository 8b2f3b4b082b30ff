/* clock: where the time of an image goes, lap by lap. Whoever is given no clock measures nothing:
 * the functions take NULL, and then only ask for it. */
#pragma once

#include "base/base.h"

/* Nanoseconds since some moment: no change of the date sets it. */
int64_t clock_now(void);

/* What is done for an image, in this order, and for its label mask. */
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

/* The time since the lap before it: every moment belongs to one lap. */
struct lap {
    enum stage stage;
    size_t part; /* of the stage, from 1 on; 0: none in particular */
    int64_t ns;
};

/* All zero is ready for clock_start. */
struct clock {
    struct lap *lap;
    size_t n, room;
    int64_t since;
};
/* Forget all laps; the first begins now. */
void clock_start(struct clock *);
void clock_lap(struct clock *, enum stage, size_t part);
void clock_drop(struct clock *);
