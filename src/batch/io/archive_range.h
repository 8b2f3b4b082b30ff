/* archive_range: the paths that a range of archives means, as train-{000000..000015}.tar. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

enum { MOST_ARCHIVES = 60000 };

/* Has the path a range: {A..B}, digits on both sides? */
bool range_is(const char *path);
/* How many paths it means: 1 without a range; 0, with the reason, when there are too many or
 * B is less than A, or it has two ranges. */
size_t range_count(const char *path, struct text *why);
/* The i-th of them: numbers have at least as many digits as A. */
const char *range_path(const char *path, size_t i, struct arena *);
