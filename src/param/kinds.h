/* kinds: what the files of parameter kinds (kinds_*.c) share: a row's numbers and lists of them. */
#pragma once

#include "param/param.h"

/* --- a number, in kinds_numbers.c --- */

/* Read one number in the row's limits; a `whole` one is an integer within -2^53..2^53, and odd
 * where the row says so. False with a fault (param-type, param-range, param-odd), and `to` as it
 * was. */
bool row_read_number(const struct row *, const struct value *, bool whole, double *to,
                     struct faults *);
/* Print the members of its schema: type, limits, and for whole ones whether they are odd. */
void row_schema_number(const struct row *, bool whole, struct text *);

/* --- a short list of numbers, in kinds_lists.c --- */

/* Of how many numbers, and whether they are whole. */
struct list_form {
    int least, most;
    bool whole;
};

/* Read a list, or one number, which counts as a list of one, to where there is room for `most`; `n`
 * is how many there are. False with a fault for each number that will not do, or one for all
 * (param-type, param-length). */
bool row_read_list(const struct row *, const struct value *, struct list_form, double *to, int *n,
                   struct faults *);
/* Print the members of its schema: that of a list alone, each number as row_read_number has it. */
void row_schema_list(const struct row *, struct list_form, struct text *);
/* "[1, 2.5]". */
void numbers_print(struct text *, const double *at, size_t n);

/* The range that one number means. */
struct range range_of_scalar(enum scalar, double);
