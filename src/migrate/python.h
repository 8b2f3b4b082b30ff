/* python: parses Python's literals to a tree of values: the output of repr() for transforms, and
 * lists of settings in configuration files. Nothing is run or computed. */
#pragma once

#include "json/value.h"

/* Reads the whole text of the faults as one value that repr() prints. A call, Name(key=value, ...),
 * is an object whose "type" is the last part of the name (none for dict); arguments without a key
 * go to its list "transforms". A name is a text, its last part in lower case, as enumerators are
 * written here. Tuples are lists. NULL with a fault: python-syntax. */
const struct value *python_read(struct faults *, struct arena *);

/* Returns the text after "Name(" if the text begins with such a call, white space aside; NULL if
 * not.
 */
const char *python_call_begins(struct slice text);

/* Reads the value that a configuration file, the text of the faults, gives to a name. A value is a
 * literal, dict(...), a name to which the file gives a value, or its item ("codec['size']"). Sets
 * `found` to false and returns NULL where the file gives the name none. NULL with a fault
 * (python-syntax, python-changed) where the value would have to be computed, or a statement changes
 * it.
 *
 * `is_ignored` is true for types of steps whose parameters are not needed. Such a step that cannot
 * be read has its "type", and the reason at the key PYTHON_UNREAD. */
#define PYTHON_UNREAD "unread"
const struct value *python_read_name(struct faults *, const char *name,
                                     bool (*is_ignored)(const char *type), bool *found,
                                     struct arena *);
