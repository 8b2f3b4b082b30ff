/* document: the top level of a large JSON file: its sections kept by place, some lists walked
 * element by element, and all of it written again with other elements in these lists. Or a file
 * that is one such list. */
#pragma once

#include "json/members.h"

#include <stdio.h>

/* A section that a reader wants: a list whose elements are given to `read` one by one, or, if
 * `whole`, any value that is given once. read consumes what it is given. */
struct walk {
    const char *name;
    bool required, whole;
    void (*read)(void *context, struct scan *, const struct place *);
};

struct section {
    struct slice name, value; /* the name without its quotes */
    size_t walk;              /* the index of its walk; the number of walks for none */
};

struct document {
    struct section *sections;
    size_t n;
};

/* Read the text of where->faults; `where` has the codes for faults, and code_root one for a text
 * that is no object. False when the text could not be read to its end; other faults (a section that
 * is missing, twice, or no list) leave it true. The sections live in the arena. */
bool document_read(const struct place *where, const char *code_root, const struct walk *, size_t n,
                   void *context, struct arena *, struct document *);

/* The document without the section of a walk; `sections` has room for all. */
struct document document_without(const struct document *, size_t walk, struct section *sections);

/* Write it: where next[walk] is not NULL, a list of the elements that it gives until it returns
 * false; everything else as it stands. False when the file has an error. */
bool document_write(const struct document *, FILE *,
                    bool (*const next[])(void *context, struct slice *), size_t n, void *context);

/* The same for a text that is one list, whose elements the walk reads: the name that their faults
 * begin with is its own. */
bool document_read_list(const struct place *where, const struct walk *, void *context);
bool document_write_list(FILE *, bool (*next)(void *context, struct slice *), void *context);
/* Write what stands between the brackets of a list: the elements that `next` gives until it returns
 * false. */
void document_write_elements(FILE *, bool (*next)(void *context, struct slice *), void *context);

/* A list that grows while its length is not known; `at` is the caller's to free. */
struct pile {
    void *at;
    size_t n, room;
};

/* One more thing of the given size, zeroed; it may move with the next. */
void *pile_add(struct pile *, size_t size);
