/* archive_pax: checks for tar headers that readers would understand in different ways. */
#pragma once

#include "base/text.h"

#include <stdint.h>

/* True if the extended headers between two offsets of the file are well-formed; otherwise `why`
 * gets the reason. Each record is "LENGTH KEY=VALUE\n", and the records fill their header. No key
 * is repeated, and no global header gives names or sizes of files. */
bool pax_is_clear(int fd, uint64_t from, uint64_t to, struct text *why);
