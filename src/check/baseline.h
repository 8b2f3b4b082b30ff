/* baseline: findings that are known, by their fingerprints: a file of them. */
#pragma once

#include "check/finding.h"

/* Sorted; they live in the arena that they were read into. */
struct baseline {
    uint8_t (*at)[16];
    size_t n;
};

/* False with faults when the file cannot be read or is no baseline. */
bool baseline_read(const char *path, struct baseline *, struct arena *, struct faults *);
/* Write all findings of the check. False with faults. */
bool baseline_write(const char *path, const struct check *, struct faults *);
/* Hide the findings that it has, each fingerprint once. */
void baseline_hide(const struct baseline *, struct check *);
/* How many of it were not found any more. */
size_t baseline_count_gone(const struct baseline *, const struct check *);
