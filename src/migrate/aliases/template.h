/* template: steps with placeholders for another library's parameters, as described in names.inc. */
#pragma once

#include "migrate/aliases/foreign.h"

/* $function:name|name=preset$; members are the parts between the dollars. */
struct placeholder {
    const char *begin, *end; /* including the dollars */
    struct slice function, names, preset;
};

/* Finds the next placeholder at or after *at, and moves *at after it. Returns false if there is
 * none. */
bool template_next(const char **at, struct placeholder *);
/* True if it is one of the parameter's names. */
bool placeholder_names(const struct placeholder *, const char *name);
/* Prints a given parameter by a function of templates. Returns false if it cannot. `rounded`: the
 * printed value says less than the given one, such as the middle of a range. */
bool foreign_print_value(struct slice function, const struct value *, struct text *, bool *rounded);

/* Receives what happened to given parameters for which a template has placeholders. */
struct template_listener {
    void *context;
    void (*lost)(void *context, const struct value *);    /* the default was used instead */
    void (*rounded)(void *context, const struct value *); /* the printed value says less */
};
void template_expand_noting(const char *template, const struct value *step,
                            const struct template_listener *, struct text *);
/* Prints the template with the parameters of `step` (or NULL), or their defaults. */
void template_expand(const char *template, const struct value *step, struct text *);
