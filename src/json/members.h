/* members: reads chosen members of one object in a large text, without a tree; and prints such an
 * object again with some members changed.
 *
 * A reader of a large file wants a few members of an element. The syntax of the others is checked,
 * but they are not read. Slices point into faults->text. */
#pragma once

#include "json/scan.h"

/* The place of an element, for paths in faults: "annotations[17]". */
struct place {
    struct faults *faults;
    const char *list;
    size_t index;
    const char *code_missing, *code_type; /* the codes of faults in this kind of file */
    bool nan_words;                       /* see struct scan */
};

/* A member that a reader wants. The value's `at` is NULL if it is missing. A member that is not
 * required may also be null; then `null` is its text. */
struct pick {
    const char *name;
    bool required;
    struct slice value, null;
};

/* How the members of the last element were written. Usually the next element is alike, and its
 * names need not be read again. Zero-initialize; it belongs to one text and one array of picks. */
struct pick_order {
    struct {
        struct slice lead; /* from the end of the previous value to this one */
        uint32_t name, length, which;
    } member[16];
    /* NULL, or called with the name of a member that is not picked: at least once for each such
     * name. */
    void (*unknown)(void *context, struct slice name);
    /* NULL, or called with each member whose value contains strings, and their number. Not called
     * for text that was scanned before. */
    void (*quoted)(void *context, struct slice name, struct slice value, size_t strings);
    void *context;
};

/* Appends list[index].member; the member may be NULL, or a path such as "segmentation[2]". */
void place_path(const struct place *, const char *member, struct text *path);
/* Adds a fault at a part of the text, with this path. Returns false. */
bool place_fault(const struct place *, struct slice at, const char *member, const char *code,
                 const char *format, ...) PRINTF_LIKE(5, 6);
/* Adds the scanner's problem as a fault of the place; of the document if list is NULL. Returns
 * false. */
bool place_scan_fault(const struct place *, const struct scan *);

/* Consumes the next value, an object, and finds n members in it. False with faults if it is not an
 * object, or a member is missing or duplicate; false without a fault if the scanner has a problem.
 */
bool pick_members(struct scan *, const struct place *, struct pick_order *, struct pick *, size_t n,
                  struct slice *element);
/* Returns the value of one member of an object that was scanned before; the whole object if it has
 * none. */
struct slice pick_again(struct slice element, const char *name);
/* True if the name has the same letters and digits as the lower-case word, ignoring case and the
 * hyphens, underscores and blanks between them. */
bool pick_is_alike(struct slice name, const char *word);
/* Returns "; \"fileName\" is not read in its place" for an object that has such a member; else "".
 */
const char *pick_alike_hint(struct slice element, const char *name, struct arena *);

/* Read a picked value of this type, which is within 2^53 if it is an integer. A missing value
 * leaves the target unchanged. False with a fault for another type. */
bool pick_integer(const struct place *, const struct pick *, int64_t *);
bool pick_number(const struct place *, const struct pick *, double *);
bool pick_text(const struct place *, const struct pick *, struct arena *, const char **);

/* Consumes a list of numbers, none larger than `limit` in magnitude. False, without a fault, for
 * any other value; the scanner's position is then unspecified. */
bool pick_numbers(struct scan *, double limit, struct arena *, double **at, size_t *n);

/* pick_four: the same for a list of exactly four, of any size. pick_is_empty: true if the value is
 * an empty list. */
bool pick_four(struct slice list, double v[4]);
bool pick_is_empty(struct slice value);

/* Prints the members of an object in their order, without braces: "name": value, ... Copies the
 * text, except for values that `print` prints instead (it then returns true). */
void pick_print(struct slice element, struct text *out,
                bool (*print)(void *context, struct slice name, struct slice value, struct text *),
                void *context);
