/* select_objects: some objects of a sample, and the pixels that they cover. */
#include "sample/sample.h"

static bool is_listed(const struct object *o, const double *index, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((double)o->index == index[i])
            return true;
    return false;
}

void sample_choose(struct sample *s, const double *index, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->n_objects; i++)
        if (s->objects[i].record == s->record && is_listed(&s->objects[i], index, n))
            s->objects[kept++] = s->objects[i];
    s->n_objects = kept;
}

static struct rle cover_of(const struct sample *s, const struct object *o)
{
    struct rings outline = { (struct ring *)&o->outline, 1 };

    if (o->segmentation == SEGMENTATION_RLE)
        return o->rle;
    return rle_from_rings(s->arena, o->segmentation == SEGMENTATION_NONE ? &outline : &o->rings,
                          s->frame);
}

struct rle sample_cover(const struct sample *s)
{
    struct rle *of = ARENA_ARRAY(s->arena, struct rle, s->n_objects + 1);
    struct rings none = { 0 };

    for (size_t i = 0; i < s->n_objects; i++)
        of[i] = cover_of(s, &s->objects[i]);
    if (!s->n_objects)
        return rle_from_rings(s->arena, &none, s->frame);
    return rle_merge(s->arena, of, s->n_objects, false);
}
