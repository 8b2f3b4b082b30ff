/* python: Python's literals and calls as a tree of values: what repr() of transforms prints, and
 * the lists of settings in configuration files. No name means anything but those given in the text.
 */
#pragma once

#include "../json/value.h"

/* Read the value at `at` of the faults' text. A call, Name(key=value, ...), is an object whose
 * "type" is the last part of the name (none for dict); what it has without a key goes to its list
 * "transforms". A name is the text of its last part in lower case, as enumerators are called here;
 * but one that the text assigns a value to at the beginning of a line is that value. Tuples are
 * lists. NULL with a fault: python-syntax. */
const struct value *python_read(struct faults *, size_t at, struct arena *);
