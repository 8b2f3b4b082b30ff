/* sample_object: what canvases and holes take from an object. */
#include "sample_object.h"

#include <math.h>

double object_segmentation_area(const struct object *o)
{
    return o->segmentation == SEGMENTATION_RLE ? (double)rle_area(&o->rle) : rings_area(&o->rings);
}

void object_note_cut(struct object *o, double before, double after)
{
    o->changes |= CHANGE_CUT;
    if (before > 0)
        o->visibility *= fmin(1, fmax(0, after / before));
}

void object_cut_outline(struct object *o, struct arena *arena, struct box region)
{
    struct rings left = ring_clip(arena, &o->outline, region);

    o->outline = left.n ? left.ring[0] : (struct ring){ 0 };
}

void object_trim(struct object *o, const struct sample *s)
{
    struct box canvas = box_of_frame(s->frame);

    if (o->segmentation == SEGMENTATION_POLYGONS &&
        !box_contains(canvas, rings_bounds(&o->rings), EDGE_SLACK)) {
        o->rings = rings_clip(s->arena, &o->rings, canvas);
        o->changes |= CHANGE_CUT;
    }
    if (o->has_box && !box_contains(canvas, o->hull, EDGE_SLACK)) {
        o->hull = box_intersect(o->hull, canvas);
        o->extent = box_extent(o->hull);
        if (o->segmentation == SEGMENTATION_NONE)
            o->changes |= CHANGE_CUT;
    }
}
