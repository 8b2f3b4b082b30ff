/* settings: values of a file that is one object of keys, as hyper-parameters are. */
#pragma once

#include "migrate/import.h"

struct settings {
    struct importing *m;
    const struct value *object;
};

/* The value of a key, or NULL where it is not given, or null: the trainer's default counts. */
const struct value *settings_get(const struct settings *, const char *key);
/* A number, also as a string, or true and false for 1 and 0; `preset` where it is not given. What
 * is something else is lost, and 0 returned. */
double settings_number(const struct settings *, const char *key, double preset);
/* The same, from lo to hi; what is outside is told. */
double settings_within(const struct settings *, const char *key, double preset, double lo,
                       double hi);
double settings_chance(const struct settings *, const char *key, double preset); /* 0..1 */
/* A text; "" where it is something else. */
const char *settings_text(const struct settings *, const char *key, const char *preset);
/* Say that a value is not carried over, and why; returns false. */
bool settings_lose(const struct settings *, const struct value *, const char *why);
/* True, or a number above 0. */
bool setting_is_on(const struct value *);
