/* key_lists: lists of names of members as parameters, and members that no transform moves. */
#pragma once

#include "plan/plan.h"

extern const struct kind key_names_kind, key_kinds_kind;
#define KEY_NAMES(S, f, ...) ROW(S, f, struct keys, key_names, __VA_ARGS__)
#define KEY_KINDS(S, f, ...) ROW(S, f, struct keys, key_kinds, __VA_ARGS__)

/* Removes from the dataset's loose keys what the pipeline drops or moves, and all keys where it
 * moves no pixels. Adds keys of images that are in the dataset's list of images. */
void keys_left_behind(const struct plan *, struct dataset *);
