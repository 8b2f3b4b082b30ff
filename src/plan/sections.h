/* sections: the structs for the rows of a pipeline's top level and of all steps; for read_plan.c
 * only. The rows are in plan.h. */
#pragma once

#include "plan/plan.h"

struct pipeline {
    int version, optimize, exif, cmyk;
    int64_t seed;
    struct steps transforms;
};

struct common {
    const char *id;
    double p;
    struct conditions when;
};
