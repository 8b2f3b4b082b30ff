/* archive_zip_check: compares the directory of a ZIP archive with the headers of its files. */
#pragma once

#include "base/text.h"

#include <stdint.h>

/* True if the directory lists exactly the files of the archive, and each entry equals the header of
 * its file. Otherwise `why` gets the reason. Memory grows with the directory, which may have 1 GB.
 */
bool zip_is_consistent(int fd, uint64_t length, struct text *why);
