/* random_step: steps with random values, generated from the rows of ops, for the walks. */
#pragma once

#include "base/rng.h"
#include "plan/plan.h"

/* Angles may be quarter turns, which random numbers would never hit. Off by default, since right
 * angles make ties in nearest-neighbor sampling. */
extern bool random_quarter_turns;
/* The share of numbers, 0 to 1, that are at the ends of their ranges, which random numbers would
 * hardly ever hit. */
extern double random_ends;

/* Appends a random value of the row as JSON; for kinds that no op has, the row's default. */
void random_value(const struct row *, struct rng *, struct text *);
/* Makes a plan of n steps, one of each op, with random values. Returns false if the values
 * contradict each other. */
bool random_plan(const struct op *const *ops, size_t n, struct rng *, struct plan *);
