/* class_names: classes of a format whose objects name them. Their order is alphabetical, or the
 * one in --classes. */
#pragma once

#include "labels/shared/class_list.h"

/* Adds a name to a sorted list of classes (struct category), once. The arena owns its copy. */
void class_names_add(struct pile *, const char *name, struct arena *);
/* Sets the dataset's categories, numbered from 0: those of --classes, or else the list, which is
 * freed. */
void class_names_keep(struct pile *, struct dataset *);
/* Returns the dataset's category of this name, or NULL. */
const struct category *class_named(const struct dataset *, const char *name);
