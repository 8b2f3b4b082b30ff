/* pipeline_builder: builds steps for an importer whose files do not list them. All values are in
 * the arena; value_adopt sets their parents when a list is complete. */
#pragma once

#include "json/value.h"

/* Makes the value a list for up to BUILD_STEPS values, and returns it. */
enum { BUILD_STEPS = 16, BUILD_KEYS = 12 };
struct value *build_list(struct value *, struct arena *);
/* Adds a step: an object with this "type" for up to BUILD_KEYS keys, at the place of `at` in the
 * file. */
struct value *build_step(struct value *list, const char *type, const struct value *at,
                         struct arena *);
/* Adds a key to a step, at the step's place; the caller sets its value. */
struct value *build_key(struct value *step, const char *name, enum value_kind);
/* Adds a key whose value is an object with this "type". */
struct value *build_inner(struct value *step, const char *name, const char *type, struct arena *);
void build_number(struct value *step, const char *name, double);
/* Adds a number to a list. */
void build_item(struct value *list, double);
