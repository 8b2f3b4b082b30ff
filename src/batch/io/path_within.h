/* path_within: tests if a path is inside a folder, however both are spelled. */
#pragma once

#include <stdbool.h>

/* True if `inner` is the folder `outer` or is below it. Compares device and inode of all parent
 * folders, so the result does not depend on links, "..", or folders that are mounted twice. Also
 * compares places in the file system: a mounted subfolder keeps its place. If `inner` does not
 * exist, its deepest existing folder counts. Nothing is inside an `outer` that does not exist. */
bool path_is_within(const char *inner, const char *outer);
