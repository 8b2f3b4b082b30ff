/* template: steps with places for another library's parameters, as names.inc describes them. */
#pragma once

#include "migrate/aliases/foreign.h"

/* $function:name|name=preset$; what is between the dollars. */
struct placeholder {
    const char *begin, *end; /* with the dollars */
    struct slice function, names, preset;
};

/* The next placeholder at or behind *at, which moves behind it; false when there is none. */
bool template_next(const char **at, struct placeholder *);
/* Is it one of the parameter's names? */
bool placeholder_names(const struct placeholder *, const char *name);
/* One parameter that is given, as a function of templates prints it. False when it cannot;
 * `rounded`: what it prints means less than the value, as the middle of a range. */
bool foreign_print_value(struct slice function, const struct value *, struct text *, bool *rounded);

/* Who wants to know what became of parameters that are given and that a template has places for. */
struct template_listener {
    void *context;
    void (*lost)(void *context, const struct value *);    /* the default stands in its place */
    void (*rounded)(void *context, const struct value *); /* what stands there means less */
};
void template_expand_noting(const char *template, const struct value *step,
                            const struct template_listener *, struct text *);
/* Print the template with the parameters of `step` (or NULL), or their defaults. */
void template_expand(const char *template, const struct value *step, struct text *);
