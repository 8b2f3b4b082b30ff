/* limits: what the machine, or the container that this is in, has for a run. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* 16383 squared: an image of more pixels is refused from its header, unless told otherwise. */
enum { MOST_PIXELS = 268402689 };

/* Processors that this process may use: its affinity, and the quota of its control group. At least
 * one. */
int limits_processors(void);
/* Bytes of memory that it may use: the machine's, or the limit of its control group. */
uint64_t limits_memory(void);
/* Limit this process to so many bytes of memory of its own, or to what it is limited to already:
 * files that are mapped do not count, nor does what is reserved. */
void limits_keep_to(uint64_t memory);
