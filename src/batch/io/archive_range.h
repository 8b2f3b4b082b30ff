/* archive_range: expands a range of archives, such as train-{000000..000015}.tar, to paths. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

enum { MAX_ARCHIVES = 60000 };

/* True if the path has a range: {A..B} with digits on both sides. */
bool path_has_range(const char *path);
/* Returns the number of paths in the range; 1 without a range. Returns 0 with the reason if there
 * are too many paths, B is less than A, or there are two ranges. */
size_t range_count(const char *path, struct text *why);
/* Returns path i of the range, in the arena. Numbers have at least as many digits as A. */
const char *range_path(const char *path, size_t i, struct arena *);
