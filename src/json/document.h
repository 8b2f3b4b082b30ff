/* document: the top level of a large JSON file. Records where its sections are, walks some lists
 * element by element, and writes the file again with other elements in these lists. Also handles a
 * file that is a single list. */
#pragma once

#include "json/members.h"

#include <stdio.h>

/* A section that a reader wants: a list whose elements are passed to `read` one by one. If `whole`,
 * it is any value, which is passed once. `read` consumes its value. */
struct walk {
    const char *name;
    bool required, whole;
    void (*read)(void *context, struct scan *, const struct place *);
};

struct section {
    struct slice name, value; /* the name without its quotes */
    size_t walk;              /* the index of its walk; the number of walks if it has none */
};

struct document {
    struct section *sections;
    size_t n;
};

/* Reads the text of where->faults. `where` has the codes for faults; code_root is for a text that
 * is not an object. False if the text could not be read to its end. Other faults (a section that is
 * missing, duplicate, or not a list) return true. The sections are in the arena. */
bool document_read(const struct place *where, const char *code_root, const struct walk *, size_t n,
                   void *context, struct arena *, struct document *);

/* Returns the document without the section of a walk; `sections` has room for all. */
struct document document_without(const struct document *, size_t walk, struct section *sections);

/* Writes the document. If next[walk] is not NULL, the section becomes a list of the elements that
 * it returns until it returns false; everything else is copied. False if the file has an error. */
bool document_write(const struct document *, FILE *,
                    bool (*const next[])(void *context, struct slice *), size_t n, void *context);

/* The same for a text that is a single list, whose elements the walk reads. Paths of faults begin
 * with the walk's name. */
bool document_read_list(const struct place *where, const struct walk *, void *context);
bool document_write_list(FILE *, bool (*next)(void *context, struct slice *), void *context);
/* Writes the elements of a list, without its brackets, until `next` returns false. */
void document_write_elements(FILE *, bool (*next)(void *context, struct slice *), void *context);

/* A growing list; the caller frees `at`. */
struct pile {
    void *at;
    size_t n, room;
};

/* Returns a new element of the given size, zeroed; valid until the next call. */
void *pile_add(struct pile *, size_t size);
