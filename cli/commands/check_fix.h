/* check_fix: what check has mended, written and reported. */
#pragma once

#include "command.h"

#include "check/check.h"
#include "check/fix.h"

/* Write what is mended to a file; NULL: each in the place of its own, which gets another name. Says
 * on stderr what was written where. The exit code, with faults. */
int check_fix_write(const struct check *, const struct fixes *, const char *out, struct faults *);

/* Write what the last check has found, to each of n places; with `out`, a finding's place is that
 * of the mended file. The exit code, with faults. */
int check_fix_report(struct check *, const struct fixes *, const char *out,
                     const struct check_output *, size_t n, struct faults *);

/* Nothing that is read may be written over, and nothing is written twice: n outputs and the file of
 * the baseline ("": none). */
void check_places(const struct check_options *, const struct check_output *, size_t n,
                  const char *baseline, struct faults *);
