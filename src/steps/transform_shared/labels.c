/* labels: queries of a transform about the labels of its sample. */
#include "geom/rle.h"
#include "steps/op_shared/font.h"
#include "steps/op_shared/extra_members.h"
#include "sample/sample.h"
#include "steps/transform.h"

bool run_pixel_of_objects(struct run *run, const struct list *ignore, int *x, int *y)
{
    return run->emitter->pixel_of_objects(run, ignore, x, y);
}

bool run_label_shares(struct run *run, struct rect window, int except, struct label_shares *shares)
{
    return run->emitter->label_shares(run, window, except, shares);
}

static struct rle cover_of(struct run *run, const struct kept_object *seen)
{
    const struct object *o = seen->finalized;
    struct ring box;

    if (o->segmentation == SEGMENTATION_RLE)
        return o->rle;
    if (o->segmentation == SEGMENTATION_POLYGONS)
        return rle_from_rings(run->arena, &o->rings, run->frame);
    box = ring_of_box(run->arena, seen->box);
    return rle_from_rings(run->arena, &(struct rings){ &box, 1 }, run->frame);
}

struct rects run_cover(struct run *run, const struct kept_object *const *seen, size_t n)
{
    struct rle *of = ARENA_ARRAY(run->arena, struct rle, n), all;

    if (!n)
        return (struct rects){ 0 };
    for (size_t i = 0; i < n; i++)
        of[i] = cover_of(run, seen[i]);
    all = rle_merge(run->arena, of, n, false);
    return rle_to_rects(run->arena, &all);
}

const char *seen_text(struct run *run, const struct kept_object *seen, const char *key)
{
    return object_text(seen->finalized, key, run->arena);
}

double run_text_width(struct run *run, const char *text)
{
    const struct font *font = font_given();
    struct text_line line = { 0 };
    struct text why = { 0 };

    if (!font || !font_lay(font, text, INFINITY, run->arena, &line, &why))
        line.width = 0;
    text_drop(&why);
    return line.width > 0 ? (double)line.width / font_units(font) : 0;
}
