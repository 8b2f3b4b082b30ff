/* archive_pax: headers of a tar that readers would understand in different ways. */
#pragma once

#include "base/text.h"

#include <stdint.h>

/* True if the extended headers between two offsets of the file are well-formed, else false with the
 * reason. Each record is "LENGTH KEY=VALUE\n", and the records fill their header. No key is
 * repeated, and no global header names or measures files. */
bool pax_is_clear(int fd, uint64_t from, uint64_t to, struct text *why);
