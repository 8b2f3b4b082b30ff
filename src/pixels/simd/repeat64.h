/* repeat64: tables of one entry for each byte or word of a 64-byte vector, from a macro f(place,
 * b). */
#pragma once

#define SIXTY_FOUR(f, b)                                                                           \
    {                                                                                              \
        SIXTEEN(f, 0, b), SIXTEEN(f, 16, b), SIXTEEN(f, 32, b), SIXTEEN(f, 48, b)                  \
    }
#define THIRTY_TWO(f, b)                                                                           \
    {                                                                                              \
        SIXTEEN(f, 0, b), SIXTEEN(f, 16, b)                                                        \
    }
#define SIXTEEN(f, k, b)                                                                           \
    FOUR(f, k, b), FOUR(f, (k) + 4, b), FOUR(f, (k) + 8, b), FOUR(f, (k) + 12, b)
#define FOUR(f, k, b) f(k, b), f((k) + 1, b), f((k) + 2, b), f((k) + 3, b)
