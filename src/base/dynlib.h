/* dynlib: a library loaded when first met.
 *
 * libvips brings a hundred libraries, a fortieth of a second to load, and parsers are for few
 * commands: only who needs them pays. */
#pragma once

#include "base/fault.h"

struct dynlib {
    const char *file;         /* as dlopen(3) looks for it */
    const char *package;      /* what to install, for the message */
    const char *const *names; /* of functions, of this library or of one that it loads */
    size_t count;
};

/* Load the library, for good, and its functions. `functions` is room for `count` pointers to
 * functions, in the order of the names; when it fails, their values say nothing. */
bool dynlib_open(const struct dynlib *, void *functions, struct text *why);
/* The same for who reads a document: nothing more is done once *opened, and what is wrong is a
 * fault of that code. */
bool dynlib_expect(const struct dynlib *, void *functions, bool *opened, struct faults *,
                   const char *code);
/* Append the version in the name of the file that the library is, as "42.16.1" of
 * libvips.so.42.16.1, or "missing", without loading it. Looked for where dlopen(3) does, but for
 * its cache. */
void dynlib_identify(const char *file, struct text *out);
