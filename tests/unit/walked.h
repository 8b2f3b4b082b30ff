/* walked: walks of the registry (src/walk/walk.h) as tests. */
#pragma once

#include "../../src/registry.h"
#include "../../src/walk/walk.h"
#include "unit.h"

static inline void walked_failed(struct walker *w, const char *what)
{
    if (++unit_failed <= 20)
        fprintf(stderr, "not so: %s\n    %s\n", what, w->about);
}

static inline void walked_measured(struct walker *w, const char *line)
{
    (void)w;
    printf("# %s\n", line);
}

static inline struct walker walked_begin(void)
{
    return (struct walker){ .failed = walked_failed, .measured = walked_measured };
}

/* Ends a test of what was walked since the last one. */
static inline void walked_report(struct walker *w, const char *name)
{
    unit_checks += w->n_checks;
    w->n_checks = w->n_failed = 0;
    unit_report(name);
}
