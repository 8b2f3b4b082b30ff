/* bytes: numbers in the bytes of a file. */
#pragma once

#include <stdint.h>

/* Returns the little-endian number in n bytes, 1 to 4. */
static inline uint32_t bytes_little(const char *data, int n)
{
    uint32_t value = 0;

    while (n-- > 0)
        value = value << 8 | (uint8_t)data[n];
    return value;
}
