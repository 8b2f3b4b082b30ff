/* class_list: the classes that --classes pins: their names in order. */
#pragma once

#include "labels/format.h"

struct class_list {
    const char *file;        /* where they are from */
    const char *const *name; /* class i */
    const int64_t *id;       /* ids of a COCO file's categories; NULL: the list has none */
    size_t n;
    const size_t *by_name; /* the classes in the order of their names */
};

/* Set `by_name`. Returns false if two classes have one name; `twice` is then the later one. */
bool class_list_sort(struct class_list *, struct arena *, size_t *twice);
/* Find a class by its name. */
bool class_list_find(const struct class_list *, const char *name, size_t *class);
/* Returns the classes as categories, numbered from 0. */
struct category *class_list_categories(const struct class_list *, struct arena *);
/* Returns their names, a line each, for the dataset's `categories_text`. */
struct slice class_list_text(const struct category *, size_t n, struct arena *);
/* Add a fault (class-unlisted) about a name that the list lacks. Returns false. */
bool class_list_fault(const struct class_list *, struct faults *, struct slice at, const char *path,
                      const char *name);
