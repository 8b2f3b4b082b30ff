/* path_within: is a path inside of a folder, however the two are spelled? */
#pragma once

#include <stdbool.h>

/* Is `inner` the folder `outer` or below it? Compared by device and inode of the folders above, so
 * that links, "..", and folders that are mounted in two places do not hide it, and by the place in
 * the file system, which a folder below a part of `outer` that is mounted elsewhere keeps. What
 * does not exist of `inner` lies in the last of its folders that does; an `outer` that does not
 * exist holds nothing. */
bool path_is_within(const char *inner, const char *outer);
