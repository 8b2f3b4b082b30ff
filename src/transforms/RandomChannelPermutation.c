/* RandomChannelPermutation: colour bands in random order. */
#include "../transform.h"

static void draw(struct run *run)
{
    size_t order[3];
    double permutation[3];

    if (run->bands < 3)
        return;
    rng_permutation(run->rng, order, 3);
    for (int i = 0; i < 3; i++)
        permutation[i] = (double)order[i];
    emit(run, "permute_channels", NUMS("permutation", 3, permutation));
}

const struct transform RandomChannelPermutation_transform = {
    .name = "RandomChannelPermutation",
    .summary = "put the colour bands in random order; gray images stay",
    .example = "{\"type\": \"RandomChannelPermutation\"}",
    .emits = (const char *const[]){ "permute_channels", NULL },
    .draw = draw,
};
