/* labels: a sample with labels of every kind. */
#include "steps/properties/labels.h"

enum { LABELS_OBJECTS = 5, LABELS_KEYPOINTS = 4 };

/* A left and a right keypoint, and two without a counterpart. */
static const size_t labels_mirror[LABELS_KEYPOINTS] = { 1, 0, 2, 3 };
static const struct category labels_category = { .name = "thing",
                                                 .n_keypoints = LABELS_KEYPOINTS,
                                                 .mirror = labels_mirror };

static struct rings labels_triangle(struct arena *arena, struct frame f)
{
    struct rings rings = { ARENA_NEW(arena, struct ring), 1 };
    struct point corner[3] = { { 0, 0 }, { f.width, 0.4 * f.height }, { 0.3 * f.width, f.height } };

    rings.ring[0] = ring_copy(arena, &(struct ring){ .at = corner, .n = 3 });
    return rings;
}

static struct keypoint *labels_keypoints(struct arena *arena, struct frame f)
{
    struct keypoint *keys = ARENA_ARRAY(arena, struct keypoint, LABELS_KEYPOINTS);

    keys[0] = (struct keypoint){ .at = { 0, 0 }, .visibility = 2 };
    keys[1] = (struct keypoint){ .at = { 0.7 * f.width, 0.2 * f.height }, .visibility = 1 };
    keys[2] = (struct keypoint){ .at = { f.width - 0.5, f.height - 0.5 }, .visibility = 2 };
    keys[3] = (struct keypoint){ .visibility = 0 };
    return keys;
}

struct sample labels_sample(struct arena *arena, struct frame f)
{
    struct sample s = { .arena = arena,
                        .name = "labels",
                        .frame = f,
                        .categories = &labels_category,
                        .n_categories = 1 };
    struct box box[LABELS_OBJECTS] = { { 0.1 * f.width, 0.2 * f.height, 0.8 * f.width,
                                         0.9 * f.height },
                                       { 0, 0, f.width, f.height },
                                       { 0, 0, f.width, f.height },
                                       { 0, 0, f.width, f.height },
                                       { 0, 0, 0.02 * f.width, 0.02 * f.height } };

    s.n_objects = LABELS_OBJECTS;
    s.objects = ARENA_ARRAY(arena, struct object, s.n_objects);
    for (size_t i = 0; i < s.n_objects; i++)
        s.objects[i] = (struct object){ .index = i,
                                        .category = &labels_category,
                                        .has_box = true,
                                        .outline = ring_of_box(arena, box[i]),
                                        .bbox = box[i],
                                        .size = { box[i].x1 - box[i].x0, box[i].y1 - box[i].y0 },
                                        .has_score = true,
                                        .score = 0.9 - 0.2 * (double)i,
                                        .visibility = 1 };
    s.objects[1].segmentation = SEGMENTATION_POLYGONS;
    s.objects[1].rings = labels_triangle(arena, f);
    s.objects[1].keypoints = labels_keypoints(arena, f);
    s.objects[1].n_keypoints = LABELS_KEYPOINTS;
    s.objects[2].segmentation = SEGMENTATION_RLE;
    s.objects[2].rle = rle_from_rings(arena, &s.objects[1].rings, f);
    return s;
}

struct plane labels_mask(struct pool *pool, struct frame f)
{
    struct plane mask = pool_plane(pool, f, 1, PIXEL_U8);

    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++)
            ((uint8_t *)mask.px)[(size_t)y * mask.stride + (size_t)x] = (uint8_t)(x / 5 + y / 7);
    return mask;
}
