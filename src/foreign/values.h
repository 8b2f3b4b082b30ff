/* values: functions of templates that print another library's sizes and words: false when the value
 * is none.
 */
#pragma once

#include "template.h"

bool is_two_numbers(const struct value *);
bool print_border(const struct value *, double context, struct text *);
bool print_common_most(const struct value *, double context, struct text *);
bool print_enlarging(const struct value *, double resizes, struct text *);
bool print_extreme(const struct value *, double context, struct text *);
bool print_factors(const struct value *, double context, struct text *);
bool print_fixed(const struct value *, double context, struct text *);
bool print_from(const struct value *, double least, struct text *);
bool print_grown(const struct value *, double context, struct text *);
bool print_halves(const struct value *, double context, struct text *);
bool print_interpolation(const struct value *, double resizes, struct text *);
bool print_least_of_each(const struct value *, double context, struct text *);
bool print_member(const struct value *, double context, struct text *);
bool print_of_images(const struct value *, double context, struct text *);
bool print_overlaps(const struct value *, double context, struct text *);
bool print_resizes(const struct value *, double context, struct text *);
bool print_shrinking(const struct value *, double resizes, struct text *);
bool print_swapped(const struct value *, double context, struct text *);
bool print_turns(const struct value *, double context, struct text *);
