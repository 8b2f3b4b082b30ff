/* boxes: reads and replaces the box of an object during processing. */
#include "sample/object.h"

bool sample_current_box(const struct sample *s, const struct rules *rules, const struct object *o,
                        struct point *corner, struct point *size)
{
    struct object view = *o;

    if (!o->has_box && o->segmentation == SEGMENTATION_NONE)
        return false;
    if (object_is_reshaped(o) && s->frame.width) {
        object_trim(&view, s);
        object_drop_slivers(&view, s->arena, s->frame);
    }
    object_finalize_box(&view, rules);
    *corner = (struct point){ view.final.box.x0, view.final.box.y0 };
    *size = view.final.size;
    return true;
}

void sample_put_box(struct sample *s, struct object *o, struct point corner, struct point size)
{
    double before = o->size.x * o->size.y, after = size.x * size.y;

    if (o->segmentation == SEGMENTATION_NONE && after != before) {
        o->area = before > 0 ? o->area * (after / before) : after;
        o->changes |= CHANGE_MEASURED;
    }
    o->bbox = (struct box){ corner.x, corner.y, corner.x + size.x, corner.y + size.y };
    o->outline = ring_of_box(s->arena, o->bbox);
    o->size = size;
    o->has_box = true;
    o->changes |= CHANGE_BOXED;
}

void object_put_area(struct object *o, double area)
{
    if (area == o->area)
        return;
    o->area = area;
    o->changes |= CHANGE_MEASURED;
}
