/* archive_zip_check: the directory of a ZIP archive compared with the headers of its files. */
#pragma once

#include "base/text.h"

#include <stdint.h>

/* True if the directory names exactly the files of the archive, each as its own header does. False
 * with the reason. The memory grows with the directory, which may have 1 GB. */
bool zip_is_consistent(int fd, uint64_t length, struct text *why);
