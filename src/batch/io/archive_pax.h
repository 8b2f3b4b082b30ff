/* archive_pax: checks for tar headers that readers would understand in different ways. */
#pragma once

#include "base/text.h"

#include <stdint.h>

/* True if the extended headers between two offsets of the file are well-formed; otherwise `why`
 * gets the reason. Each record is "LENGTH KEY=VALUE\n", and the records fill their header. No key
 * is repeated, and no global header gives names or sizes of files. `name` gets the path that the
 * headers give, byte for byte: libarchive would compose its characters. Without a path, `name`
 * stays empty. */
bool pax_is_clear(int fd, uint64_t from, uint64_t to, struct text *name, struct text *why);
