/* constraints: constraints on labels during processing: to end at the canvas, or to be dropped. */
#include "sample/object.h"

#include <math.h>

static void clamp_box(const struct sample *s, struct object *o)
{
    struct box canvas = box_of_frame(s->frame);

    for (size_t i = 0; i < o->n_parts; i++)
        clamp_box(s, &o->parts[i]);
    if (!o->has_box || box_contains(canvas, o->bbox, EDGE_SLACK))
        return;
    object_end_at_canvas(o, s);
    o->changes |= CHANGE_MOVED;
}

void sample_clamp_boxes(struct sample *s)
{
    for (size_t i = 0; i < s->n_objects; i++)
        clamp_box(s, &s->objects[i]);
}

static void clamp_keypoints(const struct sample *s, struct object *o)
{
    struct box edge = { 0.5, 0.5, s->frame.width - 0.5, s->frame.height - 0.5 };

    for (size_t k = 0; k < o->n_keypoints; k++) {
        struct keypoint *p = &o->keypoints[k];

        if (!keypoint_is_there(p) || is_in_image(p->at, s->frame))
            continue;
        p->at = (struct point){ fmin(edge.x1, fmax(edge.x0, p->at.x)),
                                fmin(edge.y1, fmax(edge.y0, p->at.y)) };
        p->visibility = p->visibility == 2 ? 1 : p->visibility;
        p->off_canvas = false;
        o->changes |= CHANGE_COVERED;
    }
    for (size_t i = 0; i < o->n_parts; i++)
        clamp_keypoints(s, &o->parts[i]);
}

void sample_clamp_keypoints(struct sample *s)
{
    for (size_t i = 0; i < s->n_objects; i++)
        clamp_keypoints(s, &s->objects[i]);
}

void object_fail(struct object *o, const char *reason, double value)
{
    if (o->failed)
        return;
    o->failed = reason;
    o->failed_value = value;
}

void sample_sanitize_boxes(struct sample *s, const struct rules *rules, double min_size,
                           double min_area)
{
    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i], view = *o;
        double side, area;

        if (!o->has_box && o->segmentation == SEGMENTATION_NONE)
            continue;
        object_trim(&view, s);
        object_drop_slivers(&view, s->arena, s->frame);
        object_finalize_box(&view, rules);
        side = fmin(view.final.size.x, view.final.size.y);
        area = view.final.size.x * view.final.size.y;
        if (box_is_empty(view.final.box) && (view.changes & CHANGE_CUT))
            object_fail(o, o->covered ? "hidden" : "outside", 0);
        else if (side < min_size)
            object_fail(o, "min_size", side);
        else if (area < min_area)
            object_fail(o, "min_area", area);
    }
}

void sample_sanitize_keypoints(struct sample *s, int min)
{
    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i];
        int labelled = 0, left = 0;

        for (size_t k = 0; k < o->n_keypoints; k++) {
            labelled += o->keypoints[k].visibility > 0;
            left += o->keypoints[k].visibility > 0 && !o->keypoints[k].off_canvas &&
                    is_in_image(o->keypoints[k].at, s->frame);
        }
        if (labelled && left < (min < 0 ? labelled : min))
            object_fail(o, min < 0 ? "outside" : "min_keypoints", left);
    }
}
