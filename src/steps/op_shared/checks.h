/* checks: conditions between parameters that several ops and transforms share. Each returns
 * false after reporting a fault at its place in the step. */
#pragma once

#include "param/param.h"

bool padding_check(const struct list *padding, const struct value *step, struct faults *);
bool expand_check(bool expand, const struct optional_list *center, const struct value *step,
                  struct faults *);
bool max_size_check(const struct size *, const struct optional *max_size, const struct value *step,
                    struct faults *);
bool num_output_channels_check(int channels, const struct value *step, struct faults *);
/* The list `name`: one number for all colour channels, or three. */
bool channels_check(const struct list *, const char *name, const struct value *step,
                    struct faults *);

/* n weights if there are any, with a positive sum; `of` says what they are of. */
bool weights_check(const struct weights *, size_t n, const char *of, const struct value *step,
                   struct faults *);
double weights_sum(const struct weights *);

/* The member `key`, which a text is put into: none that COCO, or a step, has numbers in. */
bool text_key_check(const char *key, const struct value *step, struct faults *);

/* One range or three, each of which begins no later than it ends. */
bool noise_ranges_check(const struct tuples *ranges, const struct value *step,
                        struct faults *faults);

/* Circles: tuples of `numbers` of which x and y may be anything; the others are at least 0 and at
 * most `most`, of each number. `is` says what a circle is. */
bool circles_check(const struct tuples *circles, size_t numbers, const double *most, const char *is,
                   const struct value *step, struct faults *);

bool mask_drop_check(bool per_channel, const struct optional *mask_drop_value,
                     const struct value *step, struct faults *);
