/* written_classes: the list of classes of the outputs. Steps that merge, drop or rename classes
 * change it; otherwise it is the dataset's. */
#pragma once

#include "labels/format.h"

struct written_classes {
    const struct category *at; /* copies of the dataset's categories, with their new names */
    size_t n;
    /* Per category of the dataset: its index in `at`, or CLASS_GONE. */
    const size_t *place;
    /* Per category of the dataset: the category that its objects get, or NULL if they are dropped.
     */
    const struct category *const *result;
};
#define CLASS_GONE SIZE_MAX

/* Returns the classes of the outputs, in order. */
const struct category *classes_written(const struct dataset *, size_t *n);
/* Returns the index of one of the dataset's categories among them, or CLASS_GONE. */
size_t class_place(const struct dataset *, const struct category *);
/* Returns it as it is written, or NULL. */
const struct category *class_written(const struct dataset *, const struct category *);
/* Gives objects and image labels whose class is not written the class that the steps give them, or
 * drops them. For samples that do not pass the steps: originals, and images that are borrowed. */
void classes_settle(const struct dataset *, struct sample *);
