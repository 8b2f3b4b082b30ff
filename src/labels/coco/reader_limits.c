/* reader_limits: what widely used readers of COCO's JSON leave out or fail at. RLE, "ignore" and
 * empty segmentations are left to `check`: they are choices of the dataset, which a run keeps. */
#include "labels/coco/reader_limits.h"

static bool is_tiny(const struct object *o)
{
    return o->has_box && (o->final.size.x < 1 || o->final.size.y < 1 || o->area <= 0);
}

/* Objects of other formats have no element, and get an area. */
static bool lacks_area(const struct object *o)
{
    return o->source.at && (o->has_box || o->segmentation) && !o->has_area;
}

const struct reader_limit coco_reader_limits[] = {
    { .side = 32, .what = "a side below 32 pixels; MMDetection leaves such images out" },
    { .excludes = is_tiny,
      .what = "objects below 1 pixel or of area 0; MMDetection leaves them out" },
    { .excludes = lacks_area,
      .what = "objects without \"area\"; MMDetection and rf-detr fail at them" },
    { 0 },
};
