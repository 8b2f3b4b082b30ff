/* dynlib: a library that is loaded when first needed.
 *
 * libvips brings a hundred libraries and takes 25 ms to load, and few commands need the parsers:
 * only the commands that need a library pay for it. */
#pragma once

#include "base/fault.h"

struct dynlib {
    const char *file;         /* passed to dlopen(3) */
    const char *package;      /* what to install, for the message */
    const char *const *names; /* functions of this library, or of one that it loads */
    size_t count;
};

/* Loads the library permanently, and looks up its functions. `functions` has room for `count`
 * pointers to functions, in the order of the names. After a failure their values are unspecified.
 */
bool dynlib_open(const struct dynlib *, void *functions, struct text *why);
/* The same for readers of a document: does nothing once *opened is set, and reports a failure as a
 * fault with this code. */
bool dynlib_expect(const struct dynlib *, void *functions, bool *opened, struct faults *,
                   const char *code);
/* Appends the version from the name of the library's file, such as "42.16.1" for
 * libvips.so.42.16.1, or "missing", without loading it. Searches the folders of dlopen(3), but not
 * its cache. */
void dynlib_identify(const char *file, struct text *out);
