/* run_values: the values that the steps of a run's outputs have, as histograms. */
#pragma once

#include "base/arena.h"
#include "json/document.h"
#include "json/value.h"

enum { VALUE_BINS = 12, VALUE_WORDS = 8 };

struct value_word {
    const char *word;
    size_t n;
};

/* A parameter of a step. */
struct step_value {
    const char *name; /* "brightness_factor"; "size[0]" for a part of a list */
    size_t n;         /* numbers */
    double min, max, sum;
    size_t bins[VALUE_BINS];              /* of equal width, from min to max */
    struct value_word words[VALUE_WORDS]; /* the first ones */
    size_t n_words, n_other;              /* n_other: texts besides these words */
};

struct value_step {
    const char *type;
    size_t n, outputs;  /* how often it occurs; in how many outputs */
    size_t last;        /* the number of the output that it occurred in last, from 1 */
    struct pile values; /* of struct step_value */
};

/* All zero: nothing was counted. */
struct run_values {
    struct arena arena;
    struct pile steps; /* of struct value_step, in the order of their first occurrence */
};

/* Counts the steps of output number `output` (from 0), which are a member of its line in the
 * manifest. The histograms need two passes over the outputs: the first one finds the ranges. */
void run_values_range(struct run_values *, const struct value *steps, size_t output);
void run_values_count(struct run_values *, const struct value *steps);
void run_values_drop(struct run_values *);
