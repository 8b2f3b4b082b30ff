/* members: chosen members of one object inside a large text, without a tree; and printing such an
 * object again with some members changed.
 *
 * A reader of a large file knows which few members of an element it wants. The others are checked
 * for their grammar and stay where they are. Slices point into faults->text. */
#pragma once

#include "json/scan.h"

/* Where an element stands, to name it in faults: "annotations[17]". */
struct place {
    struct faults *faults;
    const char *list;
    size_t index;
    const char *code_missing, *code_type; /* what faults of this kind of file are called */
    bool nan_words;                       /* see struct scan */
};

/* A member that a reader wants. The value's `at` is NULL when it is not there; a member that is
 * not required may also be null, which is the same but for `null`, its stretch. */
struct pick {
    const char *name;
    bool required;
    struct slice value, null;
};

/* How the members of the last element were in the text. Nearly always the next element's stand
 * alike: then their names need not be read again. All zero is a beginning; it belongs to one text
 * and one array of picks. */
struct pick_order {
    struct {
        struct slice lead; /* from the end of the value before to the name's value */
        uint32_t name, length, which;
    } member[16];
    /* NULL, or called with the name of a member that is none of the picks: at least once for each
     * such name. */
    void (*unknown)(void *context, struct slice name);
    /* NULL, or called with each member whose value has strings in it, and their number. Not called
     * for text that was scanned before. */
    void (*quoted)(void *context, struct slice name, struct slice value, size_t strings);
    void *context;
};

/* Append list[index].member; the member may be NULL, and may itself be a path: "segmentation[2]".
 */
void place_path(const struct place *, const char *member, struct text *path);
/* A fault at a stretch of the text, with this path. Returns false. */
bool place_fault(const struct place *, struct slice at, const char *member, const char *code,
                 const char *format, ...) PRINTF_LIKE(5, 6);
/* The scanner's problem as a fault of the place; of the document when list is NULL. */
bool place_scan_fault(const struct place *, const struct scan *);

/* Consume the next value, an object, and find n members in it. False with faults when it is no
 * object, or lacks or repeats a member; false without one when the scanner has a problem. */
bool pick_members(struct scan *, const struct place *, struct pick_order *, struct pick *, size_t n,
                  struct slice *element);
/* The value of one member of an object that was scanned before; the whole object if it has none. */
struct slice pick_again(struct slice element, const char *name);
/* True if the name has the same letters and digits as the lower-case word, whatever their case and
 * the hyphens, underscores and blanks between them. */
bool pick_is_alike(struct slice name, const char *word);
/* "; \"fileName\" is not read in its place" for an object that has such a member; or "". */
const char *pick_alike_hint(struct slice element, const char *name, struct arena *);

/* What was picked, by its type; left alone when it is not there. False with a fault when it is
 * something else. Integers lie within 2^53. */
bool pick_integer(const struct place *, const struct pick *, int64_t *);
bool pick_number(const struct place *, const struct pick *, double *);
bool pick_text(const struct place *, const struct pick *, struct arena *, const char **);

/* Consume a list of nothing but numbers, none larger than `limit` in magnitude. False, without a
 * fault, when it is something else; the scanner is then anywhere. */
bool pick_numbers(struct scan *, double limit, struct arena *, double **at, size_t *n);

/* The same for a list of exactly four, of any size; and is a value the empty list? */
bool pick_four(struct slice list, double v[4]);
bool pick_is_empty(struct slice value);

/* Print the members of an object in their order, without braces: "name": value, ... as they stand
 * in the text, but for the values that `print` prints instead (it then returns true). */
void pick_print(struct slice element, struct text *out,
                bool (*print)(void *context, struct slice name, struct slice value, struct text *),
                void *context);
