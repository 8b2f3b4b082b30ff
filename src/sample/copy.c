/* copy: independent copies of a sample. */
#include "sample/sample.h"

#include <string.h>

static struct keypoint *copy_keypoints(struct arena *arena, const struct object *o)
{
    struct keypoint *copy = ARENA_ARRAY(arena, struct keypoint, o->n_keypoints);

    memcpy(copy, o->keypoints, o->n_keypoints * sizeof *copy);
    return copy;
}

static uint32_t *copy_runs(struct arena *arena, const struct rle *rle)
{
    uint32_t *copy = ARENA_ARRAY(arena, uint32_t, rle->n);

    memcpy(copy, rle->run, rle->n * sizeof *copy);
    return copy;
}

static const struct put_text *copy_texts(struct arena *arena, const struct put_text *texts)
{
    const struct put_text *first = NULL, **to = &first;

    for (; texts; texts = texts->before) {
        struct put_text *copy = ARENA_NEW(arena, struct put_text);

        copy->key = arena_copy(arena, texts->key, strlen(texts->key));
        copy->text = arena_copy(arena, texts->text, strlen(texts->text));
        *to = copy;
        to = &copy->before;
    }
    return first;
}

static struct object *copy_objects(struct arena *arena, const struct object *objects, size_t n)
{
    struct object *copy = ARENA_ARRAY(arena, struct object, n);

    for (size_t i = 0; i < n; i++) {
        struct object *o = &copy[i];

        *o = objects[i];
        if (o->outline.n)
            o->outline = ring_copy(arena, &o->outline);
        if (o->rings.n)
            o->rings = rings_copy(arena, &o->rings);
        if (o->rle.n)
            o->rle.run = copy_runs(arena, &o->rle);
        if (o->n_keypoints)
            o->keypoints = copy_keypoints(arena, o);
        o->texts = copy_texts(arena, o->texts);
        if (o->n_parts)
            o->parts = copy_objects(arena, o->parts, o->n_parts);
    }
    return copy;
}

static struct occluders copy_hidden(struct arena *arena, const struct occluders *hidden)
{
    return (struct occluders){ rings_copy(arena, &hidden->holes),
                               rings_copy(arena, &hidden->cutouts) };
}

struct sample sample_copy(const struct sample *sample, struct arena *arena)
{
    struct sample copy = *sample;

    copy.arena = arena;
    copy.objects = copy_objects(arena, sample->objects, sample->n_objects);
    for (size_t i = 0; i < copy.n_objects && arena != sample->arena; i++)
        copy.objects[i].moves = NULL;
    copy.hidden = copy_hidden(arena, &sample->hidden);
    copy.filled = rings_copy(arena, &sample->filled);
    copy.layers = ARENA_ARRAY(arena, struct occluders, sample->n_layers);
    for (size_t i = 0; i < sample->n_layers; i++)
        copy.layers[i] = copy_hidden(arena, &sample->layers[i]);
    return copy;
}
