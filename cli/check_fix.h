/* check_fix: what check has mended, written and reported. */
#pragma once

#include "command.h"

#include "../src/check/fix.h"

/* Write what is mended to a file; NULL: each in the place of its own, which gets another name. Says
 * on stderr what was written where. The exit code, with faults. */
int check_fix_write(const struct check *, const struct fixes *, const char *out, struct faults *);
