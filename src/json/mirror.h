/* mirror: which names of a list change places when left and right do. */
#pragma once

#include "../base/base.h"

enum mirror_side {
    MIRROR_MIDDLE, /* "nose": has no side */
    MIRROR_PAIRED, /* "left_eye", and its partner is there */
    MIRROR_ALONE,  /* "left_eye", and it is not */
    MIRROR_UNSURE, /* "lsho", and there is "rsho": sides perhaps */
};

/* The partner of names[i]: its words "left" and "right", or "l" and "r" as first or last word,
 * exchanged. Words are set off by _ - . or space, or begin with a capital ("leftEye", "LEye"); else
 * letters' case does not matter. "left" and "right" may also begin a longer word ("lefthand"), or
 * end one whose partner is there. *partner is a name whose own partner is names[i]; without one it
 * is i, and of a MIRROR_UNSURE the name that differs only by an l or r at its begin or end. */
enum mirror_side mirror_of_name(const char *const *names, size_t n, size_t i, size_t *partner);
