/* object: shared by moving, hiding, constraints and finalizing; for one object without its parts.
 * For the files of this folder; others have sample.h. */
#pragma once

#include "sample/sample.h"

/* True if a map, a canvas or a hole changed more of the object than its keypoints. Labels that were
 * set by steps which edit labels alone stay as they were set. */
static inline bool object_is_reshaped(const struct object *o)
{
    const unsigned others = CHANGE_COVERED | CHANGE_REDRAWN | CHANGE_SCORED | CHANGE_CLASSED |
                            CHANGE_BOXED | CHANGE_MEASURED | CHANGE_THINNED | CHANGE_WEIGHED |
                            CHANGE_CODED | CHANGE_WORDED;

    return (o->changes & ~others) != 0;
}

/* True if the point is on the canvas, whose four edges belong to it: the mirror image of a keypoint
 * that stays then stays, too. Rounding beyond an edge counts as on it. */
static inline bool is_on_canvas(struct point p, struct box canvas)
{
    return p.x >= canvas.x0 - EDGE_SLACK && p.y >= canvas.y0 - EDGE_SLACK &&
           p.x <= canvas.x1 + EDGE_SLACK && p.y <= canvas.y1 + EDGE_SLACK;
}

/* True if the point is in a pixel of the image, by the rule of torchvision's ClampKeyPoints and
 * SanitizeKeyPoints: 0 <= x < width. No pixel has the right and the lower edge. */
static inline bool is_in_image(struct point p, struct frame f)
{
    return p.x >= 0 && p.y >= 0 && p.x < f.width && p.y < f.height;
}

/* Returns a place in the pixel that shows the point. A point on the right or lower edge of the
 * canvas is in no pixel; the pixel of the last column or row shows it. */
static inline struct point place_in_pixel(struct point p, struct frame f)
{
    if (p.x >= f.width && p.x <= f.width + EDGE_SLACK)
        p.x = f.width - 0.5;
    if (p.y >= f.height && p.y <= f.height + EDGE_SLACK)
        p.y = f.height - 0.5;
    return p;
}

/* Returns a keypoint that is marked as removed. */
static inline struct keypoint keypoint_gone(const struct keypoint *k)
{
    return (struct keypoint){ .off_canvas = true,
                              .was_labelled = k->was_labelled || k->visibility > 0 };
}

/* Returns the area of the object's segmentation, in square pixels; it must have one. */
double object_segmentation_area(const struct object *);

/* Notes that a cut left `after` of `before` square pixels: sets CHANGE_CUT and reduces the
 * visibility. The caller cuts the labels themselves. */
void object_note_cut(struct object *, double before, double after);

/* Cuts the box to the region, whose sides are finite: its bbox, its outline, and the area of an
 * object without segmentation. If no more than `rounding`, in pixels, is left, the bbox becomes
 * empty and the outline loses its points: the object is permanently gone. The caller updates the
 * visibility. */
void object_cut_box(struct object *, struct arena *, struct box region, double rounding);

/* Drops polygons that a cut left no wider than `rounding`, in pixels. */
void object_drop_rounded(struct object *, struct arena *, double rounding);
/* Drops polygons that a cut left without the center of a pixel of the frame, if others stay. */
void object_drop_slivers(struct object *, struct arena *, struct frame);

/* Cuts annotations that extend beyond the image at the sample's canvas, without loss of visibility.
 * This applies to polygons and to the box's bbox, size and area, but not to its outline. Points are
 * not changed in place: a copy of the object can be trimmed. */
void object_trim(struct object *, const struct sample *);
/* The same, but permanently: the outline ends there, too. */
void object_end_at_canvas(struct object *, const struct sample *);

/* Moves the object's RLE, as the sample moves to the frame `out`. The map must outlive the object.
 */
void object_move_runs(struct object *, const struct sample *, const struct map *, struct frame out);

/* True if the map is a field that folds at the object, and the object's outlines cover pixels. */
bool object_folds(const struct object *, const struct sample *, const struct map *);
/* Moves such an object, except its keypoints, to where its pixels are shown. Polygons become RLE,
 * and the box becomes the bounds of what the old box showed. */
void object_move_folded(struct object *, const struct sample *, const struct map *,
                        struct frame out, struct box kept);

/* Sets final.box, final.size and area by what is left now: from its labels where it was cut
 * or turned, else what was annotated. */
void object_finalize_box(struct object *, const struct rules *);
