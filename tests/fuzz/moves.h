/* moves: the moves that the fuzz targets of datasets apply to a sample; the input chooses them. */
#pragma once

#include "labels/format.h"
#include "steps/op_shared/actions.h"
#include "fuzz.h"

enum { MAX_MOVES = 4 };

static inline bool feed_corners(struct feed *feed, struct frame f, struct mat3 *to)
{
    const struct point from[4] = {
        { 0, 0 }, { f.width, 0 }, { f.width, f.height }, { 0, f.height }
    };
    struct point p[4];

    for (int i = 0; i < 4; i++)
        p[i] = (struct point){ from[i].x + feed_int(feed, -20, 20),
                               from[i].y + feed_int(feed, -20, 20) };
    return !corners_are_flat(p) && mat3_of_corners(from, p, to) && mat3_sees(to, box_of_frame(f));
}

static inline struct frame feed_frame(struct feed *feed)
{
    int width = feed_int(feed, 1, 96);

    return (struct frame){ width, feed_int(feed, 1, 96) };
}

static inline bool feed_action(struct feed *feed, const struct scene *scene, struct action *a)
{
    struct frame f = scene->frame, out;
    struct mat3 m;

    switch (feed_int(feed, 0, 5)) {
    case 0:
        action_turn(scene, a, feed_int(feed, 0, 1), feed_int(feed, 0, 3));
        return true;
    case 1:
        out = feed_frame(feed);
        action_window(scene, a, feed_int(feed, -32, 64), feed_int(feed, -32, 64), out);
        return true;
    case 2:
        action_resize(scene, a, feed_frame(feed), INTERPOLATION_NEAREST, false);
        return true;
    case 3:
        m = mat3_affine(feed_int(feed, -180, 180), feed_int(feed, -30, 30), 0,
                        feed_int(feed, 1, 40) / 16.0, feed_int(feed, -30, 30), 0,
                        (struct point){ f.width / 2.0, f.height / 2.0 });
        return action_warp(scene, a, &m, f, INTERPOLATION_NEAREST);
    case 4:
        return feed_corners(feed, f, &m) && action_warp(scene, a, &m, f, INTERPOLATION_NEAREST);
    default:
        return false;
    }
}

/* Until the input ends, at most MOST_MOVES of them. */
static inline void move(struct sample *s, struct feed *feed)
{
    struct text why = { 0 };

    for (int i = 0; i < MAX_MOVES && feed->left; i++) {
        struct scene scene = {
            .frame = s->frame, .type = PIXEL_U8, .channels = 3, .arena = s->arena, .why = &why
        };
        struct action a = { .in = s->frame,
                            .out = s->frame,
                            .map = { .forward = MAT3_IDENTITY, .inverse = MAT3_IDENTITY } };

        if (feed_action(feed, &scene, &a))
            sample_move(s, &a.map, a.out);
    }
    text_drop(&why);
}

/* Checks that moved objects lie on the canvas. */
static inline void check_finalized(const struct sample *s)
{
    const unsigned moved = CHANGE_MOVED | CHANGE_CUT | CHANGE_TURNED;

    for (size_t i = 0; i < s->n_objects; i++) {
        const struct object *o = &s->objects[i];

        MUST(o->visibility >= 0 && o->visibility <= 1);
        MUST(o->final.dropped == (o->final.reason != NULL));
        if (o->final.dropped || !(o->changes & moved))
            continue;
        MUST(box_contains(box_of_frame(s->frame), o->final.box, 1e-5));
        if (o->segmentation == SEGMENTATION_RLE)
            MUST(rle_is_valid(&o->rle) && o->rle.width == s->frame.width &&
                 o->rle.height == s->frame.height);
    }
}

static inline struct rules feed_rules(struct feed *feed)
{
    unsigned bits = feed_byte(feed);

    return (struct rules){ .min_area = bits & 1 ? 1 : 0,
                           .min_visibility = bits & 2 ? 0.25 : 0,
                           .min_size = bits & 4 ? 2 : 0,
                           .boxes = bits & 8 ? BOXES_HULL : BOXES_TIGHT,
                           .keypoints = bits & 16 ? KEYPOINTS_CONTINUOUS : KEYPOINTS_INDEX,
                           .outside = bits & 32 ? OUTSIDE_KEEP : OUTSIDE_HIDE,
                           .segmentation = (int)(bits >> 6) % 3 };
}
