/* kinds: shared by the parameter kinds (kinds_*.c): a row's numbers and lists of numbers. */
#pragma once

#include "param/param.h"

/* --- a number, in kinds_numbers.c --- */

/* Reads one number within the row's limits. A `whole` one is an integer within -2^53..2^53, and odd
 * if the row says so. False with a fault (param-type, param-range, param-odd); then `to` is not
 * changed. */
bool row_read_number(const struct row *, const struct value *, bool whole, double *to,
                     struct faults *);
/* Prints the members of its schema: type, limits, and for integers whether they are odd. */
void row_schema_number(const struct row *, bool whole, struct text *);

/* --- a short list of numbers, in kinds_lists.c --- */

/* The allowed lengths of a list, and whether its numbers are integers. */
struct list_form {
    int min, max;
    bool whole;
};

/* Reads a list, or one number, which counts as a list of one. `to` has room for the maximum length;
 * `n` receives the length. False with a fault for each invalid number, or one for the list
 * (param-type, param-length). */
bool row_read_list(const struct row *, const struct value *, struct list_form, double *to, int *n,
                   struct faults *);
/* Prints the members of a list's schema; row_schema_number prints each number's. */
void row_schema_list(const struct row *, struct list_form, struct text *);
/* Appends "[1, 2.5]". */
void numbers_print(struct text *, const double *at, size_t n);

/* Returns the range that a single number means. */
struct range range_of_scalar(enum scalar, double);
