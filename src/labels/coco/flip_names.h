/* flip_names: finds the names in a list of keypoints that swap in a mirror. */
#pragma once

#include "base/base.h"

enum flip_side {
    FLIP_MIDDLE, /* "nose": has no side */
    FLIP_PAIRED, /* "left_eye", and its partner is in the list */
    FLIP_ALONE,  /* "left_eye", and its partner is not */
    FLIP_UNSURE, /* "lsho", and "rsho" is in the list: perhaps sides */
};

struct flip_name {
    enum flip_side side;
    /* FLIP_PAIRED: its partner, whose own partner is this name. FLIP_UNSURE: the name that is
     * nearly its other side's. Else its own index. */
    size_t partner;
    bool guessed; /* FLIP_PAIRED, by a letter, or by letters inside of a word */
};

/* Fills in to[i] for each of n names. The side of a name is, in this order:
 *   - "left" or "right" at the begin of a word;
 *   - a word "lt" or "rt", "lft" or "rgt";
 *   - a word "l" or "r", unless another name has another letter in its place (point_a, point_l,
 *     point_r): those are FLIP_UNSURE;
 *   - "left" or "right", or the same in another language, anywhere: only if the partner is there;
 *     FLIP_UNSURE if another name is the partner's but for a letter or two (eyeleft, eyerigth).
 * Words are stretches of letters or of digits; a capital letter begins one ("leftEye", "LEye",
 * "forelegL1"). Letters' case does not matter else. */
void flip_names_pair(const char *const *names, size_t n, struct flip_name *to);

/* Fills `sided` with the names of a list that say left or right, in their order; returns their
 * number. flip_names_pair finds the same to be FLIP_PAIRED or FLIP_ALONE, but needs time with the
 * square of the list's length. */
size_t flip_names_sided(const char *const *names, size_t n, const char **sided);

/* Finds the first name without a meaning: a number, a single letter, blank, or one of many alike.
 * Returns n if there is none. Looks for lists that consist of such names, and for 16 or more names
 * that differ only by their number, such as "face-0" to "face-67". Ignores names for which `pairs`
 * has a side. */
size_t flip_names_unnamed(const char *const *names, size_t n, const struct flip_name *pairs);
