/* pipeline_builder: steps as an importer makes them where a file does not list them itself. All in
 * the arena; value_adopt sets their parents when a list is whole. */
#pragma once

#include "json/value.h"

/* Make of the value a list for up to BUILD_STEPS values; returns it. */
enum { BUILD_STEPS = 16, BUILD_KEYS = 12 };
struct value *build_list(struct value *, struct arena *);
/* Add a step: an object of this "type" for up to BUILD_KEYS keys, with the place of `at` in the
 * file. */
struct value *build_step(struct value *list, const char *type, const struct value *at,
                         struct arena *);
/* Add a key to a step, with the step's place; its value is yet to be given. */
struct value *build_key(struct value *step, const char *name, enum value_kind);
/* The same, with an object of this "type" as its value. */
struct value *build_inner(struct value *step, const char *name, const char *type, struct arena *);
void build_number(struct value *step, const char *name, double);
/* Add a number to a list. */
void build_item(struct value *list, double);
