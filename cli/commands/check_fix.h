/* check_fix: writes and reports fixed annotation files. */
#pragma once

#include "shared/command.h"

#include "check/check.h"
#include "check/fix.h"

/* Writes the fixed file to `out`. If that is NULL, each fixed file replaces its original, which is
 * renamed. Prints on stderr what was written where. Returns the exit code, with faults. */
int check_fix_write(const struct check *, const struct fixes *, const char *out, struct faults *);

/* Writes the findings of the last check to n outputs. With `out`, places are those in the fixed
 * file. Returns the exit code, with faults. */
int check_fix_report(struct check *, const struct fixes *, const char *out,
                     const struct check_output *, size_t n, struct faults *);

/* Adds a fault for each output, or file of the baseline ("": none), that is also read or is written
 * twice. */
void check_places(const struct check_options *, const struct check_output *, size_t n,
                  const char *baseline, struct faults *);
