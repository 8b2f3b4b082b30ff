/* fast_search: searches for pipelines in which mode fast exceeds its stated bounds: at random, and
 * uphill from the worst that were found. */
#pragma once

#include "fast_cases.h"
#include "fast_measure.h"

enum {
    KEPT = 8,    /* the worst of each shortcut, from which the search goes on */
    ROUND = 2000 /* trials, then the search restarts, so that it does not stay at a local maximum */
};

struct found {
    struct fast_case at;
    struct fast_result result;
};

static struct scene_picture *picture;
static int n_pictures;
/* The worst of a round, and of all rounds, in descending order. */
typedef struct found found_list[KEPT];
static found_list climbed[SHORTCUTS], worst[SHORTCUTS];
static long broken, measured[SHORTCUTS];

/* True if both pipelines have the same ops: such pipelines count as one, and the worst is kept. */
static inline bool is_alike(const struct fast_case *a, const struct fast_case *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->step[i].kind != b->step[i].kind)
            return false;
    return true;
}

static inline void keep(struct found *list, const struct fast_case *c, const struct fast_result *r)
{
    int i = 0;

    while (i < KEPT - 1 && !(list[i].result.measured && is_alike(&list[i].at, c)))
        i++;
    if (r->excess <= list[i].result.excess)
        return;
    for (; i > 0 && list[i - 1].result.excess < r->excess; i--)
        list[i] = list[i - 1];
    list[i] = (struct found){ *c, *r };
}

static inline void print_case(const struct fast_case *c, const struct fast_result *r, FILE *out)
{
    struct text steps = { 0 };

    case_print(c, &steps);
    fprintf(out,
            "    %d mask pixels off; %.2f of what is allowed; MSE fast-none %.1f, none-truth %.1f, "
            "fast-truth %.1f; %s, %s:\n    %s\n",
            r->mask_off, r->excess, r->fast_none, r->none_truth, r->fast_truth, media[c->medium],
            picture[c->picture].name, text_string(&steps));
    text_drop(&steps);
}

static inline void try_case(const struct fast_case *c)
{
    struct text steps = { 0 };
    struct fast_result r;
    bool bad;

    case_print(c, &steps);
    r = case_measure(text_string(&steps), &picture[c->picture], (enum medium)c->medium);
    text_drop(&steps);
    if (!r.measured)
        return;
    bad = r.mask_off > 0 || (r.used ? r.excess > 1 : r.fast_none > 0);
    if (bad && broken++ < 5)
        print_case(c, &r, stderr);
    for (int i = 0; i < SHORTCUTS; i++)
        if (r.used & 1U << i) {
            measured[i]++;
            keep(climbed[i], c, &r);
            keep(worst[i], c, &r);
        }
}

static inline void search(long trials)
{
    for (long i = 0; i < trials; i++) {
        struct found *from = &climbed[unit_int(0, SHORTCUTS - 1)][unit_int(0, KEPT - 1)];
        bool anew = i % ROUND < ROUND / 5 || unit_int(0, 9) < 3;
        struct fast_case c;

        if (i % ROUND == 0)
            memset(climbed, 0, sizeof climbed);
        c = anew || !from->result.measured ? case_random(MEDIA, n_pictures)
                                           : case_near(&from->at, n_pictures);
        try_case(&c);
        if (i % 1000 == 999)
            fprintf(stderr, "%ld trials, %ld broken\n", i + 1, broken);
    }
}
