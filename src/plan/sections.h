/* sections: what the rows of a pipeline's top level, and those that any step takes, are tied to;
 * for read.c alone. The rows themselves are in plan.h. */
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
    struct when when;
};
