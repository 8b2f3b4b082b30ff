/* random_step: steps with random values, made from the rows of ops: for what walks the registry. */
#pragma once

#include "base/rng.h"
#include "plan/plan.h"

/* Angles: quarter turns are a kind of their own, which chance would never hit. Who wants them says
 * so; others need not meet the ties of nearest sampling at right angles. */
extern bool random_quarter_turns;
/* How many of the numbers, 0 to 1, are at the ends of their ranges, which chance would hardly ever
 * hit either. */
extern double random_ends;

/* Appends a random value of the row as JSON; the row's default for kinds that no op has. */
void random_value(const struct row *, struct rng *, struct text *);
/* A plan of one step of each of n ops with random values; false when they contradict each other. */
bool random_plan(const struct op *const *ops, size_t n, struct rng *, struct plan *);
