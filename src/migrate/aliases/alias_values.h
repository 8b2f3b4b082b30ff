/* alias_values: functions of templates that print another library's sizes and words. They return
 * false if the value is not valid. */
#pragma once

#include "migrate/aliases/template.h"

bool is_two_numbers(const struct value *);
bool print_about_one(const struct value *, double context, struct text *);
bool print_all_round(const struct value *, double context, struct text *);
bool print_border(const struct value *, double context, struct text *);
bool print_bounds(const struct value *, double divisor, struct text *);
bool print_chance_of(const struct value *, double context, struct text *);
bool print_clockwise(const struct value *, double context, struct text *);
bool print_cross(const struct value *, double context, struct text *);
bool print_enlarging(const struct value *, double resizes, struct text *);
bool print_extreme(const struct value *, double context, struct text *);
bool print_fixed(const struct value *, double context, struct text *);
bool print_from(const struct value *, double min, struct text *);
bool print_gain(const struct value *, double min, struct text *);
bool print_grown(const struct value *, double context, struct text *);
bool print_half_turns(const struct value *, double context, struct text *);
bool print_halves(const struct value *, double context, struct text *);
bool print_interpolation(const struct value *, double resizes, struct text *);
bool print_inverse(const struct value *, double times, struct text *);
bool print_inverses(const struct value *, double context, struct text *);
bool print_is_noise(const struct value *, double context, struct text *);
bool print_less_one(const struct value *, double context, struct text *);
bool print_levels(const struct value *, double largest, struct text *);
bool print_member(const struct value *, double context, struct text *);
bool print_of_images(const struct value *, double context, struct text *);
bool print_of_liquid(const struct value *, double which, struct text *);
bool print_of_labels(const struct value *, double otherwise, struct text *);
bool print_one_of_scales(const struct value *, double context, struct text *);
bool print_overlaps(const struct value *, double context, struct text *);
bool print_paint(const struct value *, double context, struct text *);
bool print_resizes(const struct value *, double context, struct text *);
bool print_difference(const struct value *, double whole, struct text *);
bool print_share(const struct value *, double whole, struct text *);
bool print_shift(const struct value *, double largest, struct text *);
bool print_shrinking(const struct value *, double resizes, struct text *);
bool print_swapped(const struct value *, double context, struct text *);
bool print_times(const struct value *, double factor, struct text *);
bool print_within_scales(const struct value *, double context, struct text *);
bool print_words_or_none(const struct value *, double context, struct text *);
/* True if the pairs also differ in their larger number, so that print_within_scales takes the
 * largest. */
bool has_differing_scales(const struct value *);
