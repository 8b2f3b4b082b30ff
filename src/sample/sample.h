/* sample: one image with all its labels, transformed together.
 *
 * Everything reachable from a sample is owned by its arena; nothing is freed individually, and
 * nothing outlives the arena. Coordinates are continuous (geom.h), keypoints too, whatever the
 * file's convention. */
#pragma once

#include "base/arena.h"
#include "geom/geom.h"
#include "geom/polygon.h"
#include "geom/rle.h"
#include "pixels/picture.h"
#include "pixels/plane.h"

struct fault;
struct text;

/* A class of objects, as in the annotation format. Shared by all samples, const. */
struct category {
    const char *name;
    int64_t id; /* the format's id, or else its index among all; unique */
    size_t n_keypoints;
    const char *const *keypoint_name; /* or NULL */
    /* The keypoint that each one becomes under a mirroring map (its own index for the nose), for
     * the first n_mirror of them; the others stay. NULL if the category has no pairs. */
    const size_t *mirror;
    size_t n_mirror;
    bool guesses_pairs; /* some pairs were found by a letter of their names, or within words */
    /* Doubts about the pairs: one fault for each name with a side whose other side was not found.
     * If there are any, no step may mirror its keypoints. */
    const struct fault *unpaired;
    size_t n_unpaired;
    const struct fault
        *unnamed;   /* the same for all names: they do not tell sides, or there are none */
    bool annotated; /* some object of the category has several keypoints, not all of them zeros */
    size_t n_bones;
    const size_t (*bone)[2]; /* skeleton: pairs of keypoint indices, for pictures */
};

struct keypoint {
    struct point at;
    /* 0 not labeled, 1 hidden, 2 visible; a model may write any other number, such as a score. A
     * keypoint with 0 is moved if it has a position, but never counts. */
    double visibility;
    bool has_position; /* even if its visibility is 0 */
    bool off_canvas;   /* it has left a canvas: permanently gone, wherever it is now */
    bool was_labelled; /* its visibility was not 0 before it was removed for that reason */
};

/* True if the keypoint has a position. */
static inline bool keypoint_is_there(const struct keypoint *k)
{
    return k->visibility > 0 || k->has_position;
}

enum segmentation { SEGMENTATION_NONE, SEGMENTATION_POLYGONS, SEGMENTATION_RLE };

/* Changes of an object since it was read. */
enum change {
    CHANGE_MOVED = 1,       /* coordinates differ */
    CHANGE_TURNED = 2,      /* by other maps than shifts, scales, flips and quarter turns */
    CHANGE_CUT = 4,         /* a canvas cut off a part */
    CHANGE_SCALED = 8,      /* areas differ */
    CHANGE_MIRRORED = 16,   /* keypoints changed places */
    CHANGE_REDRAWN = 32,    /* the segmentation's kind was changed (polygons <-> RLE) */
    CHANGE_HIDDEN = 64,     /* keypoints that left the canvas were removed */
    CHANGE_COVERED = 128,   /* keypoints are no longer visible, or were put on the canvas's edge */
    CHANGE_SCORED = 256,    /* the score differs */
    CHANGE_CLASSED = 512,   /* the category differs */
    CHANGE_BOXED = 1024,    /* it was given another box, without being moved */
    CHANGE_MEASURED = 2048, /* it was given another area */
    CHANGE_THINNED = 4096,  /* polygons have fewer points */
    CHANGE_WEIGHED = 8192,  /* a label of the image has another weight */
    CHANGE_CODED = 16384,   /* it has a code */
    CHANGE_WORDED = 32768,  /* a member of its annotation is another text */
};

/* The result of sample_finalize for an object. */
struct final_state {
    bool dropped;
    const char *reason; /* why it is dropped: "min_area", "outside", ...; NULL while it is kept */
    double value;       /* the number that decided; may be infinite */
    bool unplaced; /* dropped since its format cannot represent it; the image keeps its label */
    struct box box;
    struct point size; /* width and height of the box, without the rounding of x1 - x0 */
};

/* Members that only parts of an object have. */
struct part {
    size_t flip_pair; /* index of the part that it swaps with in a mirror; usually its own */
    bool valid;       /* it counts; cleared at the end if nothing is left of the part */
    bool unbound;     /* its keypoints stay points wherever they are */
};

/* A class of the whole image. */
struct image_label {
    const struct category *category;
    double weight; /* 0..1 */
};

/* A text that a step put into a member of an object's annotation; a list. */
struct put_text {
    const char *key, *text;
    const struct put_text *before;
};

struct object {
    size_t index;                    /* among the objects of its record, as read */
    size_t record;                   /* index in the dataset of the record it was read from */
    size_t layer;                    /* 1-based index into the sample's layers; 0: none */
    const struct category *category; /* or NULL */
    bool crowd;
    unsigned changes; /* enum change */
    /* It has no geometry: its category is one of the image's labels, with this weight. */
    bool image_label;
    double weight;

    bool has_box;
    struct ring outline; /* the annotated box's four corners, moved and cut */
    struct box bbox;     /* around the outline if it was turned; cut at every canvas */
    struct point size;   /* annotated width and height, scaled: exact until it is cut */
    enum segmentation segmentation;
    struct rings rings;
    struct rle rle;
    /* RLE before it was resampled by interpolating maps, and all moves since. Each such map starts
     * from this mask, so that it is resampled only once. `moves` is NULL if there are none, and
     * once something else changes `rle`. */
    struct rle unmoved;
    const struct rle_moves *moves;
    struct keypoint *keypoints;
    size_t n_keypoints;

    bool has_area;
    double area;    /* as annotated, scaled; recomputed at the end when cut or turned */
    bool has_score; /* from a model, for a detection */
    double score;
    double code[4]; /* with CHANGE_CODED: its box relative to an anchor; see
                       steps/op_shared/box_code.h */
    /* The object's JSON text in the annotations, already scanned; `at` is NULL for other formats.
     * Read-only. */
    struct slice source;
    const struct put_text *texts; /* replacements for members of the source; NULL: none */
    bool empty_mask;              /* its segmentation had no area to begin with */
    double visibility; /* product over cuts of kept / before; hiding is counted at the end */
    bool covered;      /* holes removed its last part */
    bool empty_piece;  /* nothing is left of it here, but there is another piece of it */

    /* Objects with a box or keypoints that belong to this one, such as the hands of a body: moved,
     * cut, hidden and dropped with it. They have no parts and no constraints. */
    struct object *parts;
    size_t n_parts;
    struct part part; /* used if this is a part */

    /* The constraint that it failed before the end, or NULL; it will be dropped for that reason. */
    const char *failed;
    double failed_value;

    struct final_state final;
};

/* Gives the label mask to steps that need it. */
struct mask_source {
    /* Returns the mask as read; NULL if that fails, after reporting the reason. */
    const struct plane *(*read)(void *context);
    void *context;
    struct pool *pool; /* for planes derived from it */
};

/* Gives other records of the dataset to steps that borrow their images. Functions return false, or
 * NULL, with the reason. */
struct sample;
struct donors; /* steps/op_shared/join_params.h: which records may be borrowed */
struct donor_source {
    /* Selects a record that may be borrowed, by a random number. */
    bool (*draw)(void *context, const struct donors *, uint64_t draw, size_t *record,
                 struct text *why);
    bool (*find)(void *context, const char *name, size_t *record, struct text *why);
    const char *(*name)(void *context, size_t record);
    /* Loads a record's sample as read, in the arena, and the type and channels of its image. */
    bool (*load)(void *context, size_t record, struct arena *, struct sample *, enum pixel_type *,
                 int *channels, struct text *why);
    /* Returns a record's image, decoded according to the hints and valid until `release`. Its label
     * mask is the sample's `mask`. */
    const struct picture *(*image)(void *context, size_t record, const struct decode_hints *,
                                   struct text *why);
    void (*release)(void *context, size_t record);
    void *context;
};

/* Convex regions that hide objects, moved along with the image. Labels under `holes` were not
 * changed; they were cut at `cutouts`. */
struct occluders {
    struct rings holes, cutouts;
};

struct sample {
    struct arena *arena;
    const char *name; /* the image's path in the dataset, for messages */
    size_t record;    /* of the dataset */
    struct frame frame;
    struct object *objects;
    size_t n_objects;
    /* Labels of the image besides those among the objects; constant, so that copies share them. */
    const struct image_label *labels;
    size_t n_labels;
    bool relabelled;         /* differs from what was read */
    struct occluders hidden; /* hides all objects */
    bool defers_occlusion;   /* occlusion does not change objects yet: no step may depend on it */
    bool unhidden;           /* something did hide objects, which were not changed */
    bool lacking;            /* a text was drawn with characters that the font does not have */
    /* For a joined sample: regions that hide only the objects of one input. */
    struct occluders *layers;
    size_t n_layers;
    /* Convex regions in which the frame shows the image and not fill. Maintained if images are
     * joined. */
    struct rings filled;
    struct region region; /* the region that a step selected, moved along */
    bool has_region;
    struct mat3 matrix;                /* from the source to the current frame */
    bool has_matrix;                   /* false once a map was applied that is not a matrix */
    struct mask_source mask;           /* its `read` is NULL if there is no mask */
    const struct donor_source *donors; /* or NULL */
    const struct category *categories; /* all categories of the dataset */
    size_t n_categories;
    /* While objects are loaded: the picture of segment ids, or NULL. */
    const struct plane *segments;
};

/* Pairs of labels, such as left and right hand, that swap in a mirror. No label is in two pairs. */
struct label_pairs {
    const int32_t (*at)[2];
    size_t n;
};

/* Names of annotation members that the format does not define. */
enum moved_kind { MOVED_BOX, MOVED_POINT };
struct named_key {
    const char *name;
    int kind; /* enum moved_kind, if it matters */
};
struct keys {
    const struct named_key *at;
    size_t n;
    /* The same for image records; in the pipeline, their names have the prefix KEYS_OF_IMAGES. */
    const struct named_key *of_images;
    size_t n_of_images;
};
#define KEYS_OF_IMAGES "images."

/* Rules of the pipeline's "annotations" section; see its parameter table in plan/read_plan.c. */
enum box_rule { BOXES_TIGHT, BOXES_HULL };
enum segmentation_rule { SEGMENTATION_KEEP, SEGMENTATION_TO_RLE, SEGMENTATION_TO_POLYGON };
enum keypoint_rule { KEYPOINTS_INDEX, KEYPOINTS_CONTINUOUS };
enum outside_rule { OUTSIDE_HIDE, OUTSIDE_KEEP };
enum camera_convention { CAMERA_INDEX, CAMERA_CONTINUOUS };
enum camera_rotation { CAMERA_MATRIX, CAMERA_DECOMPOSE };
enum camera_mirror { CAMERA_KEEP, CAMERA_REFUSE };
enum id_rule { IDS_BY_IMAGE, IDS_DENSE, IDS_AUTO };

/* The largest magnitude of a coordinate in annotations. */
#define LARGEST_COORDINATE 1e7

/* Conditions under which the parameters of an image are drawn again; any one is sufficient. See
 * plan/reject.h. */
struct reject_rules {
    bool given;
    bool objects_lost, all_objects_lost;
    struct optional objects_below, visibility_below;
};
enum rejected_rule { REJECTED_ORIGINAL, REJECTED_LAST, REJECTED_FAIL };

struct rules {
    double min_area;                             /* px^2 of the result */
    double min_visibility;                       /* 0..1 */
    double min_size;                             /* px, both sides of the box */
    struct optional max_aspect;                  /* longer side / shorter side of the box */
    int boxes, segmentation, keypoints, outside; /* the enums above */
    struct label_pairs swap_labels;              /* for label masks */
    struct keys drop_keys, move_keys;
    struct keys camera; /* of image records; a name may be "calib.P2" */
    int camera_convention, camera_rotation, camera_mirror; /* the enums above */
    int ids;               /* enum id_rule: for objects of joined images */
    int64_t ids_per_image; /* with IDS_BY_IMAGE; a job with a dataset never has IDS_AUTO */
    struct reject_rules reject_image_if;
    int max_attempts;
    int when_rejected;  /* enum rejected_rule: what to do after the last attempt */
    bool integer_boxes; /* not of the pipeline: formats whose readers need it round boxes */
};

/* Moves all labels (boxes, outlines, RLE, keypoints, holes) by a map into a frame, and cuts them at
 * its canvas. Cut parts are permanently lost. mat3_sees must be true for the map and the whole
 * frame. Annotations that extend beyond the image and beyond the map's horizon are lost, too.
 * Everything that the map points to must live as long as the sample. */
void sample_move(struct sample *, const struct map *, struct frame out);

/* How a hole affects labels. */
enum hidden_rule { LABELS_KEEP, LABELS_SHRINK };

/* Paints over rectangles of the current frame. This reduces visibility, and visible keypoints under
 * them become hidden. SHRINK also cuts them out of polygons and RLE, and shrinks boxes to the
 * remainder; without a segmentation, that is the uncovered part of the box. If the sample defers
 * occlusion, it is only marked as unhidden. */
void sample_hide(struct sample *, const struct rects *, enum hidden_rule);

/* Keeps, of the record's own objects, those whose index is one of the n values listed. */
void sample_choose(struct sample *, const double *index, size_t n);
/* Returns the pixels of the frame that the objects cover: by their segmentation, or by the box of
 * objects without one. */
struct rle sample_cover(const struct sample *);

/* A sample that is placed on the canvas of another one. */
struct placed_image {
    struct sample sample; /* moved to the canvas */
    struct rects over;    /* parts of the canvas where it hides samples below */
    struct rect part;     /* its place, which may extend beyond the canvas */
    double opacity;       /* 1 hides samples below */
    bool objects_alone;   /* only some of its objects are placed */
};
/* Marks the whole frame as filled by the image. */
void sample_fill_frame(struct sample *);
/* Computes the image labels of `to`, which is joined from n samples on a canvas of this size. It
 * has the labels of all samples, weighted by the pixels that each fills and no other sample hides.
 * If samples show through each other, they are weighted by opacity. A label of several samples
 * becomes one label. Samples that paste only objects do not count. */
void samples_weigh_labels(struct sample *to, struct placed_image *, size_t n, struct frame canvas);
/* Rules for an object that has pieces in several samples of its record. */
enum piece_rule { PIECES_SPLIT, PIECES_LARGEST, PIECES_DROP };
/* Marks the pieces of each object. Empty pieces are ignored as long as there is another piece. With
 * LARGEST, all but the largest piece are dropped when final_state; with DROP, all pieces if there
 * are several. Samples of one record have its objects in the same order. */
void samples_sort_pieces(struct placed_image *, size_t n, enum piece_rule);
/* Joins n samples, the first one lowest: `to` gets the objects of all, sharing their memory. Hidden
 * parts reduce visibility; with SHRINK they are cut out of labels, as in sample_hide. */
void sample_join(struct sample *to, struct placed_image *, size_t n, enum hidden_rule);

/* Edit labels without pixels; see the ops of the same names. Objects that fail a constraint are
 * dropped when final_state. A box is measured by its part on the canvas. */
void sample_clamp_boxes(struct sample *);
void sample_clamp_keypoints(struct sample *);
void sample_sanitize_boxes(struct sample *, const struct rules *, double min_size, double min_area);
/* Requires `min` labeled keypoints on the canvas, for objects that have labeled keypoints; if
 * negative, all. */
void sample_sanitize_keypoints(struct sample *, int min);

/* Sets the image's only label, with weight 1. */
void sample_set_label(struct sample *, const struct category *);
/* Gives each object and each label of the image the category that `change` returns for its own.
 * NULL drops it: objects for the reason "category". Labels of one category become one label, with
 * the sum of their weights, at most 1. */
void sample_change_classes(struct sample *,
                           const struct category *(*change)(const void *context,
                                                            const struct category *),
                           const void *context);
/* True if the image has labels, among its objects or besides them. */
bool sample_has_labels(const struct sample *);
/* Returns the sum of the weights of the image's labels with this category, without dropped objects;
 * 0 if there is none. */
double sample_label_weight(const struct sample *, const struct category *);

/* Computes the result: what is left of each object, its box and area, and whether it stays. Sets
 * `final`, area and visibility, and converts the segmentation if a rule says so. Annotations beyond
 * the image end at the canvas, without loss of visibility. Objects that were not changed keep
 * everything. */
void sample_finalize(struct sample *, const struct rules *);
/* Drops a final_state object. The reason is a constant string, `value` the number that decided. */
void object_drop(struct object *, const char *reason, double value);

/* Returns an independent copy of the sample in an arena. The label mask and the picture of segments
 * are shared, as no step changes them. If the arena is not the sample's own, RLE loses its moves.
 */
struct sample sample_copy(const struct sample *, struct arena *);

/* Returns a final_state copy of the sample, without converting segmentations. The sample is not
 * changed; both share what finalizing does not change. */
struct sample sample_finalized(const struct sample *, const struct rules *);

/* Drops, when final_state, objects whose final_state box has its center outside the window. Crowds,
 * and objects without a box, stay. */
void sample_keep_centers(struct sample *, const struct rules *, struct box window);

/* Computes an object's box as if it were final_state now: its corner, width and height. False if
 * the object has neither box nor segmentation. */
bool sample_current_box(const struct sample *, const struct rules *, const struct object *,
                        struct point *corner, struct point *size);
/* Sets an object's box, even if it had none; also sets the area of an object without segmentation.
 */
void sample_put_box(struct sample *, struct object *, struct point corner, struct point size);
/* Sets the area of its segmentation, in square pixels. */
void object_put_area(struct object *, double area);
/* Drops the object when final_state; only the first reason, a constant string, counts. */
void object_fail(struct object *, const char *reason, double value);

/* Sets a member of its annotation to a text; both strings are copied. */
void object_put_text(struct object *, struct arena *, const char *key, const char *text);
/* Returns the text that was put into this member; NULL if none was. */
const char *object_text_put(const struct object *, const char *key);

/* Replaces its segmentation by RLE. */
static inline void object_put_runs(struct object *o, struct rle rle)
{
    o->segmentation = SEGMENTATION_RLE;
    o->rle = rle;
    o->moves = NULL;
}

/* True if the object has changes that must be written to its file. */
static inline bool object_is_touched(const struct object *o)
{
    unsigned changes = o->changes;

    for (size_t i = 0; i < o->n_parts; i++)
        changes |= o->parts[i].changes;
    return changes != 0;
}
