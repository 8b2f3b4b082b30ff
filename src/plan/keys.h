/* keys: names of annotations' members as parameters, and those that nobody moves. */
#pragma once

#include "plan.h"

extern const struct kind key_names_kind, key_kinds_kind;
#define KEY_NAMES(S, f, ...) ROW(S, f, struct keys, key_names, __VA_ARGS__)
#define KEY_KINDS(S, f, ...) ROW(S, f, struct keys, key_kinds, __VA_ARGS__)

/* Leaves of the dataset's loose keys those that stay as they are while the pipeline moves their
 * objects. */
void keys_left_behind(const struct plan *, struct dataset *);
