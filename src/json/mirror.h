/* mirror: which names of a list change places when left and right do. */
#pragma once

#include "../base/base.h"

enum mirror_side {
    MIRROR_MIDDLE, /* "nose": has no side */
    MIRROR_PAIRED, /* "left_eye", and its partner is there */
    MIRROR_ALONE,  /* "left_eye", and it is not */
};

/* The partner of names[i]: its words "left" and "right", or "l" and "r" as first or last word,
 * exchanged; letters' case does not matter, words are set off by _ - . or space. Without a
 * partner that is itself the other's partner, *partner is i. */
enum mirror_side mirror_of_name(const char *const *names, size_t n, size_t i, size_t *partner);
