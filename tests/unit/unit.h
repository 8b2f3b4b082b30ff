/* unit: the checks that all unit tests share. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static size_t unit_checks, unit_failed;

static inline bool unit_check(bool ok, const char *file, int line, const char *what)
{
    unit_checks++;
    if (!ok && ++unit_failed <= 20)
        fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    return ok;
}

static inline bool unit_near(double a, double b, double slack, const char *file, int line,
                             const char *what)
{
    bool ok = fabs(a - b) <= slack;

    unit_check(ok, file, line, what);
    if (!ok && unit_failed <= 20)
        fprintf(stderr, "    %.17g and %.17g, more than %g apart\n", a, b, slack);
    return ok;
}

/* Both say whether it was so, that a test may print more. */
#define CHECK(cond) unit_check((cond), __FILE__, __LINE__, #cond)
#define CHECK_NEAR(a, b, slack) unit_near((a), (b), (slack), __FILE__, __LINE__, #a " ~ " #b)

static inline int unit_done(const char *name)
{
    printf("%s: %zu checks, %zu failed\n", name, unit_checks, unit_failed);
    return unit_failed != 0 || unit_checks == 0;
}

/* The last line of main. */
#define UNIT_DONE(name) return unit_done(name)

/* The same numbers on every run (xorshift64). */
static uint64_t unit_state = 0x9e3779b97f4a7c15u;

static inline uint64_t unit_random(void)
{
    unit_state ^= unit_state << 13;
    unit_state ^= unit_state >> 7;
    unit_state ^= unit_state << 17;
    return unit_state;
}

/* A whole number from lo to hi, both included. */
static inline int unit_int(int lo, int hi)
{
    return lo + (int)((unit_random() >> 20) % (uint64_t)(hi - lo + 1));
}

static inline double unit_double(double lo, double hi)
{
    return lo + (hi - lo) * ((double)(unit_random() >> 11) * 0x1p-53);
}
