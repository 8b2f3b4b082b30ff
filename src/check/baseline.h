/* baseline: a file of known findings, by their fingerprints. */
#pragma once

#include "check/finding.h"

/* Sorted fingerprints, in the arena that they were read into. */
struct baseline {
    uint8_t (*at)[16];
    size_t n;
};

/* Reads a baseline. Returns false with faults if the file cannot be read or is not a baseline. */
bool baseline_read(const char *path, struct baseline *, struct arena *, struct faults *);
/* Writes all findings of the check. Returns false with faults. */
bool baseline_write(const char *path, const struct check *, struct faults *);
/* Hides findings of the baseline; each fingerprint hides one. */
void baseline_hide(const struct baseline *, struct check *);
/* Returns how many findings of the baseline no longer occur. */
size_t baseline_count_gone(const struct baseline *, const struct check *);
