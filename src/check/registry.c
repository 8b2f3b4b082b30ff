/* registry: the lists are in build/check.inc, which the Makefile writes from file names. */
#include "check/registry.h"

#include "check/reporter.h"

#include <stdlib.h>
#include <string.h>

#define RULES(name) extern const struct rule_family name##_family;
#define REPORTER(name) extern const struct reporter name##_reporter;
#include "check.inc"
#undef RULES
#undef REPORTER

#define REPORTER(name)
#define RULES(name) &name##_family,
const struct rule_family *const check_families[] = {
#include "check.inc"
    NULL
};
#undef REPORTER
#undef RULES

#define RULES(name)
#define REPORTER(name) &name##_reporter,
const struct reporter *const check_reporters[] = {
#include "check.inc"
    NULL
};

const struct reporter *check_reporter(const char *name)
{
    for (EACH(reporter, reporter, check_reporters))
        if (strcmp(reporter->name, name) == 0)
            return reporter;
    return NULL;
}

static int by_id(const void *a, const void *b)
{
    const struct rule *x = *(const struct rule *const *)a, *y = *(const struct rule *const *)b;

    return strcmp(x->id, y->id);
}

const struct rule **check_rules(struct arena *arena)
{
    const struct rule **rules;
    size_t n = 0;

    for (EACH(rule_family, family, check_families))
        for (const struct rule *rule = family->rules; rule->id; rule++)
            n++;
    rules = ARENA_ARRAY(arena, const struct rule *, n + 1);
    n = 0;
    for (EACH(rule_family, family, check_families))
        for (const struct rule *rule = family->rules; rule->id; rule++)
            rules[n++] = rule;
    qsort(rules, n, sizeof *rules, by_id);
    return rules;
}
