/* unit: shared by all unit tests: checks, and the report of each test as TAP, which prove reads.
 *
 * A program lists its tests in a table:
 *
 *     int main(void)
 *     {
 *         static const struct unit_test tests[] = {
 *             TEST(test_boxes),
 *             TEST(test_maps),
 *         };
 *
 *         return unit_main(tests, COUNTOF(tests));
 *     }
 *
 * A program that makes its tests in a loop (say one per op) calls unit_plan, unit_report after each
 * test, and unit_end. A test fails if one of its checks fails, or if it checks nothing. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Counts of the test that runs. */
static size_t unit_checks, unit_failed;

/* Subject of the checks: printed below each failed check; "": none. */
static char unit_subject[4096];

/* Form of the loops that is tested (forms.h): printed after each name. */
static const char *unit_form = "";

/* Counts of the program. */
static size_t unit_planned, unit_reported, unit_red;

static inline bool unit_check(bool ok, const char *file, int line, const char *what)
{
    unit_checks++;
    if (!ok && ++unit_failed <= 20) {
        fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
        if (*unit_subject)
            fprintf(stderr, "    %s\n", unit_subject);
    }
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

struct unit_test {
    const char *name;
    void (*run)(void);
};

/* A row of a table of tests. */
#define TEST(function)                                                                             \
    {                                                                                              \
#function, function                                                                        \
    }

/* Prints how many tests there will be. Lines are flushed at once, so that none is lost if a test
 * crashes, and messages appear in the right place. */
static inline void unit_plan(size_t n)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    unit_planned = n;
    printf("1..%zu\n", n);
}

/* Ends a test: prints whether all checks since the last report held. */
static inline void unit_report(const char *name)
{
    bool ok = unit_checks && !unit_failed;

    if (!unit_checks)
        fprintf(stderr, "%s checked nothing\n", name);
    unit_reported++;
    unit_red += !ok;
    printf("%sok %zu - %s%s\n", ok ? "" : "not ", unit_reported, name, unit_form);
    unit_checks = unit_failed = 0;
}

static inline void unit_run(const struct unit_test *tests, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        tests[i].run();
        unit_report(tests[i].name);
    }
}

/* Returns main's status: 0 when as many tests ran as were planned, at least one, and all passed. */
static inline int unit_end(void)
{
    return unit_red || !unit_planned || unit_reported != unit_planned;
}

static inline int unit_main(const struct unit_test *tests, size_t n)
{
    unit_plan(n);
    unit_run(tests, n);
    return unit_end();
}

/* A count that the environment may set, for a search. */
static inline size_t unit_setting(const char *name, size_t otherwise)
{
    const char *given = getenv(name);

    return given ? strtoull(given, NULL, 10) : otherwise;
}

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
