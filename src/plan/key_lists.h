/* key_lists: lists of names of members of annotations and images, as parameters. Lists of members
 * of images alone (image_names) have no prefix. */
#pragma once

#include "plan/plan.h"

extern const struct kind key_names_kind, key_kinds_kind, image_names_kind;
#define KEY_NAMES(S, f, ...) ROW(S, f, struct keys, key_names, __VA_ARGS__)
#define KEY_KINDS(S, f, ...) ROW(S, f, struct keys, key_kinds, __VA_ARGS__)
#define IMAGE_NAMES(S, f, ...) ROW(S, f, struct keys, image_names, __VA_ARGS__)

/* Returns the name of an image's member without its prefix; NULL for a member of annotations. */
const char *image_key_name(const char *name);
