/* statements: parses the statements of a Python file, and finds what each of them does to a name.
 * Nothing is run: a name has a value only if exactly one assignment at the top of the file sets it.
 */
#pragma once

#include "base/fault.h"

struct statements;

/* Returns the statements of the faults' text, in the arena. Returns NULL with a fault
 * (python-syntax) if a string or a bracket has no end. */
const struct statements *statements_read(struct faults *, struct arena *);

/* The value that a file assigns to a name. */
struct assignment {
    bool found;        /* false: no statement assigns the name */
    bool imported;     /* its value comes from another file */
    size_t begin, end; /* place of the value in the text */
};

/* Finds the value of a name for a use at offset `use`. Returns false with a fault (python-changed)
 * at the statement that changes the name, assigns it a second time, or comes after its use. */
bool statements_find(const struct statements *, const char *name, size_t use, struct assignment *,
                     struct faults *);

/* True if a string of this word is the value at the key "type" of the dictionary that begins at
 * offset `at`, dict(...) or {...}. `type` has the string, in the arena, and `end` the offset after
 * the dictionary. */
bool statements_find_type(const struct statements *, size_t at, const char **type, size_t *end,
                          struct arena *);
