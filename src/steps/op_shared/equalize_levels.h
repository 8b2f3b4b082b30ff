/* equalize_levels: levels spread so that all are about as frequent. */
#pragma once

#include <stdint.h>

/* What each of 256 or 65536 levels becomes, by how many pixels have it; mode: enum equalize_mode.
 */
void levels_spread(const uint32_t *count, int levels, int mode, uint32_t *to);
