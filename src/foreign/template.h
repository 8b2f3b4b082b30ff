/* template: steps with places for another library's parameters, as names.inc describes them. */
#pragma once

#include "foreign.h"

/* $function:name|name=preset$; what is between the dollars. */
struct placeholder {
    const char *begin, *end; /* with the dollars */
    struct slice function, names, preset;
};

/* The next placeholder at or behind *at, which moves behind it; false when there is none. */
bool template_next(const char **at, struct placeholder *);
/* Is it one of the parameter's names? */
bool placeholder_names(const struct placeholder *, const char *name);
/* Print the template with the parameters of `step` (or NULL), or their defaults. */
void template_expand(const char *template, const struct value *step, struct text *);
