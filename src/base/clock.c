/* clock: measures where the time of an image goes, lap by lap. */
#include "base/clock.h"

#include <stdlib.h>
#include <time.h>

const char *stage_name(enum stage stage)
{
    static const char *const name[N_STAGES] = {
        [STAGE_READ] = "read",
        [STAGE_HEADER] = "header",
        [STAGE_MASK_READ] = "mask read",
        [STAGE_DRAW] = "draw",
        [STAGE_PRINT] = "print",
        [STAGE_COMPILE] = "compile",
        [STAGE_DECODE] = "decode",
        [STAGE_RENDER] = "render",
        [STAGE_ENCODE] = "encode",
        [STAGE_EXCERPT] = "lossless",
        [STAGE_MASK_RENDER] = "mask render",
        [STAGE_MASK_ENCODE] = "mask encode",
        [STAGE_REST] = "rest",
    };

    return name[stage];
}

int64_t clock_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void clock_start(struct clock *c)
{
    if (!c)
        return;
    c->n = 0;
    c->since = clock_now();
}

void clock_lap(struct clock *c, enum stage stage, size_t part)
{
    int64_t end;

    if (!c)
        return;
    end = clock_now();
    if (c->n == c->room) {
        c->room = 2 * c->room + 64;
        c->lap = memory_grow(c->lap, c->room * sizeof *c->lap);
    }
    c->lap[c->n++] = (struct lap){ stage, part, end - c->since };
    c->since = clock_now(); /* the time spent here belongs to no lap */
}

void clock_drop(struct clock *c)
{
    free(c->lap);
    *c = (struct clock){ 0 };
}
