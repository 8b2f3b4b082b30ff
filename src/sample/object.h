/* object: what moving, hiding, demands and finalizing have in common, of one object each and
 * not of its parts. For the files of this folder; others have sample.h. */
#pragma once

#include "sample/sample.h"

/* Did a map, a canvas or a hole do something to more of it than its keypoints? What steps that
 * look at labels alone have put in the place of others stays as they put it. */
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

/* True if the point is in a pixel of the image, as torchvision's ClampKeyPoints and
 * SanitizeKeyPoints have it: 0 <= x < width. No pixel has the right and the lower edge. */
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

/* What is left of a keypoint that is taken back. */
static inline struct keypoint keypoint_gone(const struct keypoint *k)
{
    return (struct keypoint){ .off_canvas = true,
                              .was_labelled = k->was_labelled || k->visibility > 0 };
}

/* What its segmentation covers now, in square pixels; it must have one. */
double object_segmentation_area(const struct object *);

/* A part was taken, so that `after` of `before` square pixels are left: CHANGE_CUT, and less
 * visibility. The labels themselves are the caller's to cut. */
void object_note_cut(struct object *, double before, double after);

/* Leaves of the box what lies inside of the region, whose sides are finite: its bbox, its outline,
 * and the area of an object without segmentation. Where there is nothing but `rounding`, in
 * pixels, the bbox is empty and the outline has no point, for good: such an object is gone. What
 * follows for the visibility is the caller's. */
void object_cut_box(struct object *, struct arena *, struct box region, double rounding);

/* Drops polygons that a cut left no wider than `rounding`, in pixels. */
void object_drop_rounded(struct object *, struct arena *, double rounding);
/* Drops polygons that a cut left without the centre of a pixel of the frame, if others stay. */
void object_drop_slivers(struct object *, struct arena *, struct frame);

/* What was drawn beyond the image ends at the sample's canvas, and costs no visibility: polygons,
 * the box's bbox, size and area, not its outline. Points are not changed in place: a copy of the
 * object can be trimmed. */
void object_trim(struct object *, const struct sample *);
/* The same, and what is cut off is gone for good: the outline, too, ends there. */
void object_end_at_canvas(struct object *, const struct sample *);

/* Moves its RLE, as the sample moves to the frame `out`. The map outlives the object. */
void object_move_runs(struct object *, const struct sample *, const struct map *, struct frame out);

/* Does a field fold where the object is, whose outlines cover pixels? */
bool object_folds(const struct object *, const struct sample *, const struct map *);
/* Moves such an object, but for its keypoints, to where its pixels are shown: polygons become run
 * lengths, and the box goes around what the box showed. */
void object_move_folded(struct object *, const struct sample *, const struct map *,
                        struct frame out, struct box kept);

/* Sets final.box, final.size and area by what is left now: from its labels where it was cut
 * or turned, else what was annotated. */
void object_finalize_box(struct object *, const struct rules *);
