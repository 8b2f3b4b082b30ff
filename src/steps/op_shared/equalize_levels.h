/* equalize_levels: histogram equalization: tables that make all levels about equally frequent. */
#pragma once

#include <stdint.h>

/* Computes the new value of each of 256 or 65536 levels from the pixel count per level; mode: enum
 * equalize_mode. */
void levels_spread(const uint32_t *count, int levels, int mode, uint32_t *to);
