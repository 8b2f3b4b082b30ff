/* settings: values of a file that is one object of keys, such as hyper-parameters. */
#pragma once

#include "migrate/import.h"

struct settings {
    struct import_job *m;
    const struct value *object;
};

/* Returns the value of a key; NULL if it is missing or null, so that the trainer's default applies.
 */
const struct value *settings_get(const struct settings *, const char *key);
/* Returns a number, also from a string, or from true and false as 1 and 0; `preset` if it is
 * missing. Anything else is reported as lost, and 0 is returned. */
double settings_number(const struct settings *, const char *key, double preset);
/* The same, limited to lo..hi; reports a value outside. */
double settings_within(const struct settings *, const char *key, double preset, double lo,
                       double hi);
double settings_chance(const struct settings *, const char *key, double preset); /* 0..1 */
/* Returns a text; "" if the value is something else. */
const char *settings_text(const struct settings *, const char *key, const char *preset);
/* Reports that a value is not converted, and why; returns false. */
bool settings_lose(const struct settings *, const struct value *, const char *why);
/* True if the value is true or a number above 0. */
bool setting_is_on(const struct value *);
