/* checks: conditions between parameters that several ops and transforms share. Each function
 * returns false after it reported a fault at its place in the step. */
#pragma once

#include "param/param.h"

bool padding_check(const struct list *padding, const struct value *step, struct faults *);
bool expand_check(bool expand, const struct optional_list *center, const struct value *step,
                  struct faults *);
bool max_size_check(const struct size *, const struct optional *max_size, const struct value *step,
                    struct faults *);
bool num_output_channels_check(int channels, const struct value *step, struct faults *);
/* Checks the list `name`: one number for all color channels, or three. */
bool channels_check(const struct list *, const char *name, const struct value *step,
                    struct faults *);

/* Checks that there are n weights, or none, and that their sum is positive; `of` names what they
 * weigh. */
bool weights_check(const struct weights *, size_t n, const char *of, const struct value *step,
                   struct faults *);
double weights_sum(const struct weights *);

/* Checks the name of a member that receives text: it must not be a member where COCO or a step
 * stores numbers. */
bool text_key_check(const char *key, const struct value *step, struct faults *);

/* Checks that there are one or three ranges, each with its ends in order. */
bool noise_ranges_check(const struct tuples *ranges, const struct value *step,
                        struct faults *faults);

/* Checks circles: tuples of `numbers` numbers. x and y may have any value; the others must be
 * between 0 and `max`, which has one number for each. `is` describes a valid circle for the
 * message. */
bool circles_check(const struct tuples *circles, size_t numbers, const double *max, const char *is,
                   const struct value *step, struct faults *);

bool mask_drop_check(bool per_channel, const struct optional *mask_drop_value,
                     const struct value *step, struct faults *);
