/* segments: the picture of a panoptic annotation to RLE and back. */
#include "labels/coco/segments.h"

#include <stdlib.h>

static uint8_t *pixel(const struct plane *rgb, int x, int y)
{
    return (uint8_t *)rgb->px + (size_t)y * rgb->stride + 3 * (size_t)x;
}

/* The last lookup of an id; adjacent pixels mostly have the same. */
struct lookup {
    const struct id *ids;
    size_t n;
    uint32_t id, index; /* the last answer; NO_SEGMENT if no segment has the id */
    struct coco_unknown_segment *stranger;
};
#define NO_SEGMENT UINT32_MAX

static uint32_t lookup_id(struct lookup *l, uint32_t id, int x, int y)
{
    const struct id *found;

    if (id == l->id)
        return l->index;
    found = ids_find(l->ids, l->n, id);
    if (id && !found && !l->stranger->id)
        *l->stranger = (struct coco_unknown_segment){ id, x, y };
    l->id = id;
    l->index = found ? found->index : NO_SEGMENT;
    return l->index;
}

bool coco_segments_read(const struct plane *rgb, const struct id *ids, size_t n,
                        struct arena *arena, struct rle *masks,
                        struct coco_unknown_segment *stranger)
{
    enum {
        STRIP = 16
    }; /* columns that are gathered at once, from pixels of one cache line or so */
    size_t height = (size_t)rgb->height;
    uint32_t *label = memory_take(STRIP * height * sizeof *label);
    struct lookup lookup = { .ids = ids, .n = n, .index = NO_SEGMENT, .stranger = stranger };
    struct rle_labels *labels =
        rle_labels_begin(arena, (struct frame){ rgb->width, rgb->height }, n);

    stranger->id = 0;
    for (int left = 0; left < rgb->width && !stranger->id; left += STRIP) {
        int columns = rgb->width - left < STRIP ? rgb->width - left : STRIP;

        for (int y = 0; y < rgb->height; y++) {
            const uint8_t *p = pixel(rgb, left, y);

            for (int x = 0; x < columns; x++, p += 3)
                label[(size_t)x * height + (size_t)y] = lookup_id(
                    &lookup, p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16, left + x, y);
        }
        for (int x = 0; x < columns; x++)
            rle_labels_column(labels, label + (size_t)x * height);
    }
    free(label);
    if (stranger->id)
        return false;
    rle_labels_end(labels, masks);
    return true;
}

void coco_segment_paint(const struct rle *mask, int64_t id, struct plane *rgb)
{
    int x = 0, y = 0;

    for (size_t i = 0; i < mask->n; i++) {
        uint32_t left = mask->run[i];

        if (i % 2 == 0) {
            x += (int)(((uint64_t)y + left) / (uint64_t)mask->height);
            y = (int)(((uint64_t)y + left) % (uint64_t)mask->height);
            continue;
        }
        for (; left; left--) {
            uint8_t *p = pixel(rgb, x, y);

            p[0] = (uint8_t)id;
            p[1] = (uint8_t)(id >> 8);
            p[2] = (uint8_t)(id >> 16);
            if (++y == mask->height) {
                y = 0;
                x++;
            }
        }
    }
}
