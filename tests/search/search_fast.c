/* search_fast: searches for pipelines in which mode fast exceeds the stated bounds of its
 * shortcuts, at random, and uphill from the worst that were found. Usage: search_fast TRIALS SEED
 * FILE... (pictures to use in addition to the drawn ones). Prints the worst case of each shortcut;
 * fails if a bound is exceeded. */
#include "../unit/fast_search.h"

/* Repeats one pipeline from its printed report. */
static void replay(const char *name, int medium, const char *steps)
{
    for (int i = 0; i < n_pictures; i++)
        if (!strcmp(picture[i].name, name)) {
            struct fast_result r = case_measure(steps, &picture[i], (enum medium)medium);

            printf(
                "%.2f of what is allowed; MSE fast-none %.1f, none-truth %.1f, fast-truth %.1f\n",
                r.excess, r.fast_none, r.none_truth, r.fast_truth);
        }
}

int main(int argc, char **argv)
{
    long trials = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;

    for (long seed = argc > 2 ? strtol(argv[2], NULL, 10) : 0; seed > 0; seed--)
        unit_random();
    picture = calloc((size_t)(argc + DRAWN_PICTURES), sizeof *picture);
    for (int i = 0; i < DRAWN_PICTURES; i++)
        picture[n_pictures++] = case_drawn(i);
    for (int i = 3; i < argc; i++)
        n_pictures += case_picture_of_file(argv[i], &picture[n_pictures]);
    if (getenv("STEPS")) {
        replay(getenv("PICTURE"), atoi(getenv("MEDIUM")), getenv("STEPS"));
        return 0;
    }
    search(trials);
    for (int i = 0; i < SHORTCUTS; i++) {
        printf("%s: %ld of %ld trials\n", shortcuts[i].name, measured[i], trials);
        for (int k = 0; k < KEPT && worst[i][k].result.measured; k++)
            print_case(&worst[i][k].at, &worst[i][k].result, stdout);
    }
    printf("%d pictures, %ld trials, %ld broken\n", n_pictures, trials, broken);
    for (int i = 0; i < n_pictures; i++)
        case_picture_drop(&picture[i]);
    free(picture);
    pool_drop(&pool);
    arena_drop(&arena);
    return broken != 0;
}
