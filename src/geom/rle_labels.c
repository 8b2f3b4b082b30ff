/* rle_labels: disjoint masks out of a picture of labels, in one pass over its columns. */
#include "geom/runs.h"

struct rle_labels {
    struct frame frame;
    size_t n;
    struct runs *runs;
    uint64_t *end; /* of each mask's last run of ones */
    uint64_t at;
};

struct rle_labels *rle_labels_begin(struct arena *arena, struct frame frame, size_t n)
{
    struct rle_labels *l = ARENA_NEW(arena, struct rle_labels);

    *l = (struct rle_labels){ .frame = frame,
                              .n = n,
                              .runs = ARENA_ARRAY(arena, struct runs, n),
                              .end = ARENA_ARRAY(arena, uint64_t, n) };
    for (size_t i = 0; i < n; i++)
        l->runs[i].arena = arena;
    return l;
}

void rle_labels_column(struct rle_labels *l, const uint32_t *label)
{
    uint64_t from = l->at;

    l->at += (uint64_t)l->frame.height;
    for (; from < l->at;) {
        uint32_t which = *label;
        uint64_t to = from;

        while (to < l->at && *label == which) {
            label++;
            to++;
        }
        if (which < l->n) {
            runs_add(&l->runs[which], false, from - l->end[which]);
            runs_add(&l->runs[which], true, to - from);
            l->end[which] = to;
        }
        from = to;
    }
}

void rle_labels_end(struct rle_labels *l, struct rle *masks)
{
    for (size_t i = 0; i < l->n; i++) {
        runs_add(&l->runs[i], false, l->at - l->end[i]);
        masks[i] = runs_end(&l->runs[i], l->frame.height, l->frame.width);
    }
}
