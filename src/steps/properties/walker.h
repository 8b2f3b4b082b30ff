/* walker: the context of the walks: counters, callbacks and the step in work. */
#pragma once

#include "plan/apply.h"

struct walker {
    /* Receives each check that fails: the property that should hold, for the draw in `about`. */
    void (*failed)(struct walker *, const char *what);
    /* Receives figures that were measured, as a line; may be NULL. */
    void (*measured)(struct walker *, const char *line);
    /* Returns true if a step may be refused on one of the sizes for this reason. NULL: always. */
    bool (*expected)(struct walker *, const char *name, const char *why);
    void *context;    /* of the owner of the callbacks */
    char about[1024]; /* the step with its values, the image; "" for none */
    size_t n_checks, n_failed;
    struct pool pool;
};

/* Counts a check, and returns whether it held. */
bool walk_check(struct walker *, bool holds, const char *what);
/* Sets `about` for the checks that follow: the plan's first step, on such an image. */
void walk_name(struct walker *, const struct plan *, struct frame, struct pixel_kind);
/* Releases the memory. */
void walk_drop(struct walker *);
