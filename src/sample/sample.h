/* sample: one image with all that is said about it, moved in lockstep.
 *
 * Ownership: everything reachable from a sample lives in its arena; nothing in it is freed by hand;
 * nothing outlives it. Coordinates are continuous (geom.h); keypoints too, whatever the file has.
 */
#pragma once

#include "base/arena.h"
#include "geom/geom.h"
#include "geom/polygon.h"
#include "geom/rle.h"
#include "pixels/picture.h"
#include "pixels/plane.h"

struct fault;
struct text;

/* A class of objects, as the annotation format has it. Shared by all samples, const. */
struct category {
    const char *name;
    int64_t id; /* as the format has it, else its place among all: no two are equal */
    size_t n_keypoints;
    const char *const *keypoint_name; /* or NULL */
    /* The keypoint that each one becomes under a mirroring map (its own index for the nose), for
     * the first n_mirror of them; the others stay. NULL when the category has no pairs. */
    const size_t *mirror;
    size_t n_mirror;
    bool guesses_pairs; /* some were found by a letter of their names, or within words */
    /* What is doubtful about the pairs: a fault of each name of one side whose other side was not
     * found. Nothing may mirror its keypoints then. */
    const struct fault *unpaired;
    size_t n_unpaired;
    const struct fault
        *unnamed;   /* the same of all: its names say nothing of sides, or there are none */
    bool annotated; /* some object of it has several keypoints, not all of them zeros */
    size_t n_bones;
    const size_t (*bone)[2]; /* skeleton: pairs of keypoint indices, for pictures */
};

struct keypoint {
    struct point at;
    /* 0 not labelled, 1 hidden, 2 visible; what a model found may have any other, as a score. With
     * 0 it is moved if it has a place, but never counts. */
    double visibility;
    bool has_position; /* even if its visibility is 0 */
    bool off_canvas;   /* it has left a canvas: gone for good, wherever it is now */
    bool was_labelled; /* its visibility was not 0 when it was taken back for that */
};

/* Has it a place? */
static inline bool keypoint_is_there(const struct keypoint *k)
{
    return k->visibility > 0 || k->has_position;
}

enum segmentation { SEGMENTATION_NONE, SEGMENTATION_POLYGONS, SEGMENTATION_RLE };

/* What has happened to an object since it was read. */
enum change {
    CHANGE_MOVED = 1,       /* coordinates differ */
    CHANGE_TURNED = 2,      /* by more than shifts, scales, flips and quarter turns */
    CHANGE_CUT = 4,         /* a canvas took a part */
    CHANGE_SCALED = 8,      /* areas differ */
    CHANGE_MIRRORED = 16,   /* keypoints changed places */
    CHANGE_REDRAWN = 32,    /* the segmentation's kind was changed (polygons <-> RLE) */
    CHANGE_HIDDEN = 64,     /* keypoints that left the canvas were taken back */
    CHANGE_COVERED = 128,   /* keypoints are no longer visible, or were put on the canvas's edge */
    CHANGE_SCORED = 256,    /* the score differs */
    CHANGE_CLASSED = 512,   /* the category differs */
    CHANGE_BOXED = 1024,    /* it was given another box, where it is */
    CHANGE_MEASURED = 2048, /* it was given another area */
    CHANGE_THINNED = 4096,  /* polygons have fewer points */
    CHANGE_WEIGHED = 8192,  /* a label of the image has another weight */
    CHANGE_CODED = 16384,   /* it has a code */
    CHANGE_WORDED = 32768,  /* a member of its annotation is another text */
};

/* What the decision at the end (sample_finalize) says of an object. */
struct finalized {
    bool dropped;
    const char *reason; /* why it is dropped: "min_area", "outside", ...; NULL while it is kept */
    double value;       /* the number that decided; may be infinite */
    bool unplaced; /* dropped since its format has no place for it: its image keeps its label */
    struct box box;
    struct point size; /* width and height of the box, free of the rounding of x1 - x0 */
};

/* What only parts of an object have. */
struct part {
    size_t flip_pair; /* index of the part it changes places with in a mirror; its own for most */
    bool valid;       /* it counts; taken back at the end when nothing is left of it */
    bool unbound;     /* its keypoints stay points wherever they are */
};

/* A class of the whole image. */
struct image_label {
    const struct category *category;
    double weight; /* 0..1 */
};

/* A member of an object's annotation that a step has put a text into, and those before. */
struct put_text {
    const char *key, *text;
    const struct put_text *before;
};

struct object {
    size_t index;                    /* among the objects of its record, as read */
    size_t record;                   /* of the dataset: where it was read */
    size_t layer;                    /* of the sample's layers, from 1 on; 0: it has none */
    const struct category *category; /* or NULL */
    bool crowd;
    unsigned changes; /* enum change */
    /* It has no place: its category is one of the image's labels, with this weight. */
    bool image_label;
    double weight;

    bool has_box;
    struct ring outline; /* the annotated box's four corners, moved and cut */
    struct box bbox;     /* around them where they were turned; cut at every canvas */
    struct point size;   /* annotated width and height, scaled: exact while it is not cut */
    enum segmentation segmentation;
    struct rings rings;
    struct rle rle;
    /* Of RLE that maps which blend have resampled: what it was before, and all moves since. Each
     * such map asks that mask, so that it is resampled once. `moves` is NULL where there are none,
     * and when something else changes `rle`. */
    struct rle unmoved;
    const struct rle_moves *moves;
    struct keypoint *keypoints;
    size_t n_keypoints;

    bool has_area;
    double area;    /* as annotated, scaled; recomputed at the end when cut or turned */
    bool has_score; /* a model's, of what it found */
    double score;
    double
        code[4]; /* with CHANGE_CODED: its box against an anchor; see steps/op_shared/box_code.h */
    /* As its annotations have it, an object of JSON that was scanned; its `at` is NULL where they
     * have another form. Not to be changed. */
    struct slice source;
    const struct put_text *texts; /* in place of what that has; NULL: none */
    bool empty_mask;              /* its segmentation had no area to begin with */
    double visibility; /* product over cuts of kept / before; hiding is counted at the end */
    bool covered;      /* nothing is left of it because holes took the last */
    bool empty_piece;  /* nothing is left of it here, and another piece of it is there */

    /* Objects with a box or keypoints of their own that belong to this one, as the hands to a body:
     * moved, cut and hidden with it, and dropped with it. They have no parts, and no constraints.
     */
    struct object *parts;
    size_t n_parts;
    struct part part; /* of such a part */

    /* A constraint that it did not meet on the way, or NULL: it will be dropped for that. */
    const char *failed;
    double failed_value;

    struct finalized final;
};

/* Where the label mask is, for steps that look at it. */
struct mask_source {
    /* The mask as read; NULL when it cannot be, and then the reason was reported. */
    const struct plane *(*read)(void *context);
    void *context;
    struct pool *pool; /* where planes made of it come from */
};

/* Other records of the dataset, for steps that borrow their images. Functions return false, or
 * NULL, with the reason. */
struct sample;
struct donors; /* steps/op_shared/join_params.h: which records may be borrowed */
struct donor_source {
    /* The record that a draw chooses among those that may be borrowed. */
    bool (*draw)(void *context, const struct donors *, uint64_t draw, size_t *record,
                 struct text *why);
    bool (*find)(void *context, const char *name, size_t *record, struct text *why);
    const char *(*name)(void *context, size_t record);
    /* Its sample as read, in the arena, and what its image's pixels are like. */
    bool (*load)(void *context, size_t record, struct arena *, struct sample *, enum pixel_type *,
                 int *channels, struct text *why);
    /* Its image, decoded until `release` as the hints say. Its label mask is the sample's `mask`.
     */
    const struct picture *(*image)(void *context, size_t record, const struct decode_hints *,
                                   struct text *why);
    void (*release)(void *context, size_t record);
    void *context;
};

/* What hides objects: convex, moved along. By what became of labels under it: left alone, or cut
 * out of them. */
struct hidden {
    struct rings holes, cutouts;
};

struct sample {
    struct arena *arena;
    const char *name; /* the image's path as the dataset has it: names it in messages */
    size_t record;    /* of the dataset */
    struct frame frame;
    struct object *objects;
    size_t n_objects;
    /* Labels of the image beside those among the objects; constant, so that copies share them. */
    const struct image_label *labels;
    size_t n_labels;
    bool relabelled;      /* these are others than those that were read */
    struct hidden hidden; /* from all objects */
    bool hides_later;     /* what hides objects leaves them whole: nobody may look at them */
    bool unhidden;        /* something did hide objects, and they were left whole */
    bool lacking;         /* a text was written that the font does not have all characters of */
    /* Of a sample that was joined from others: what is hidden from objects of one of them alone. */
    struct hidden *layers;
    size_t n_layers;
    /* Where the frame shows the image, and nothing that it was filled up with: convex. Kept where
     * images are joined. */
    struct rings filled;
    struct region region; /* what a step said is to be shown, moved since */
    bool has_region;
    struct mat3 matrix;                /* from the source to now */
    bool has_matrix;                   /* false once something moved that no matrix says */
    struct mask_source mask;           /* its `read` is NULL when there is no mask */
    const struct donor_source *donors; /* or NULL */
    const struct category *categories; /* all that the dataset has */
    size_t n_categories;
    /* While objects are loaded: the picture that says whose each pixel is, or NULL. */
    const struct plane *segments;
};

/* Pairs of labels, as of a left and a right hand, that change places in a mirror. No label is in
 * two of them. */
struct label_pairs {
    const int32_t (*at)[2];
    size_t n;
};

/* Members of annotations that the format does not know, by their names. */
enum moved_kind { MOVED_BOX, MOVED_POINT };
struct named_key {
    const char *name;
    int kind; /* enum moved_kind, where it matters */
};
struct keys {
    const struct named_key *at;
    size_t n;
    /* The same of image records, which the pipeline names with KEYS_OF_IMAGES before. */
    const struct named_key *of_images;
    size_t n_of_images;
};
#define KEYS_OF_IMAGES "images."

/* Rules of the pipeline's "annotations" section; see its parameter table in plan/read_plan.c. */
enum box_rule { BOXES_TIGHT, BOXES_HULL };
enum segmentation_rule { SEGMENTATION_KEEP, SEGMENTATION_TO_RLE, SEGMENTATION_TO_POLYGON };
enum keypoint_rule { KEYPOINTS_INDEX, KEYPOINTS_CONTINUOUS };
enum outside_rule { OUTSIDE_HIDE, OUTSIDE_KEEP };
enum id_rule { IDS_BY_IMAGE, IDS_DENSE, IDS_AUTO };

/* In magnitude, of those that annotations hold. */
#define LARGEST_COORDINATE 1e7

/* When what was drawn for an image is drawn again: any that holds will do. See plan/reject.h. */
struct reject_rules {
    bool given;
    bool objects_lost, all_objects_lost;
    struct optional objects_below, visibility_below;
};
enum rejected_rule { REJECTED_ORIGINAL, REJECTED_LAST, REJECTED_FAIL };

struct rules {
    double min_area;                             /* px^2 of the outcome */
    double min_visibility;                       /* 0..1 */
    double min_size;                             /* px, both sides of the box */
    struct optional max_aspect;                  /* its longer side / its shorter one */
    int boxes, segmentation, keypoints, outside; /* the enums above */
    struct label_pairs swap_labels;              /* of label masks */
    struct keys drop_keys, move_keys;
    int ids;               /* enum id_rule: of objects of images that are joined */
    int64_t ids_per_image; /* with IDS_BY_IMAGE; a job with a dataset has no IDS_AUTO */
    struct reject_rules reject_image_if;
    int max_attempts;
    int when_rejected; /* enum rejected_rule: what follows the last attempt */
};

/* Move all labels by a map into a frame and cut at its canvas: boxes, outlines, RLE,
 * keypoints, holes. What the new canvas takes from the old one is gone for good. The map must see
 * (mat3_sees) the whole frame; what was drawn beyond the image and lies behind its horizon is gone,
 * too. What the map points to must live as long as the sample. */
void sample_move(struct sample *, const struct map *, struct frame out);

/* What becomes of labels under a hole. */
enum hidden_rule { LABELS_KEEP, LABELS_SHRINK };

/* Rectangles of the present frame are painted over: that counts against visibility, and visible
 * keypoints under them are hidden ones from now on. SHRINK takes them out of polygons and run
 * lengths, too, and makes boxes as small as what is left; of objects without segmentation that is
 * what of the box is uncovered. A sample that hides later is marked as unhidden instead. */
void sample_hide(struct sample *, const struct rects *, enum hidden_rule);

/* Of the record's own objects, the sample keeps those whose index is listed: a value of n. */
void sample_choose(struct sample *, const double *index, size_t n);
/* The pixels of the frame that the objects cover: by their segmentation, or by the box of those
 * without one. */
struct rle sample_cover(const struct sample *);

/* A sample on the canvas of another. */
struct laid {
    struct sample sample; /* moved to the canvas */
    struct rects over;    /* what of the canvas it hides of what is below it */
    struct rect part;     /* of the canvas, which it may leave: where it lies */
    double opacity;       /* 1 hides what is below it */
    bool objects_alone;   /* nothing but some of its objects is laid */
};
/* All of the frame is the image from here on. */
void sample_fill_frame(struct sample *);
/* What `to`, which is made of these on a canvas of this size, has for labels: those of all, by the
 * pixels that are filled with each and that no other hides; where images show through each other,
 * by their opacity. A label that several have is one. Of samples of objects alone nothing counts.
 */
void samples_weigh_labels(struct sample *to, struct laid *, size_t n, struct frame canvas);
/* What becomes of an object that several samples of one record have a piece of. */
enum piece_rule { PIECES_SPLIT, PIECES_LARGEST, PIECES_DROP };
/* Of one object, its pieces: those of which nothing is left are no objects of any sample as long as
 * there is another; LARGEST: those that are not the largest, and DROP: all of several, are dropped
 * when finalized. Samples of one record have its objects in the same order. */
void samples_sort_pieces(struct laid *, size_t n, enum piece_rule);
/* Lays n samples over each other, the first one lowest: `to` has the objects of all of them, which
 * share their memory. What is hidden counts against visibility, and by SHRINK is cut out of labels,
 * as of sample_hide. */
void sample_join(struct sample *to, struct laid *, size_t n, enum hidden_rule);

/* Labels as such; see the ops of the same names. What fails a demand is dropped when finalized. A
 * box is judged by its part on the canvas. */
void sample_clamp_boxes(struct sample *);
void sample_clamp_keypoints(struct sample *);
void sample_sanitize_boxes(struct sample *, const struct rules *, double min_size, double min_area);
/* Of objects with labelled keypoints, at least `least` of them must be on the canvas; all when it
 * is negative. */
void sample_sanitize_keypoints(struct sample *, int least);

/* The image has this label now, with weight 1, and no other. */
void sample_set_label(struct sample *, const struct category *);
/* Has it any, in or beside its objects? */
bool sample_has_labels(const struct sample *);
/* How much of it is of this category: the sum of its labels' weights, those of objects that are
 * dropped left out. 0 where it has none of it. */
double sample_label_weight(const struct sample *, const struct category *);

/* The decision at the end: what is left of each object, its box and area, and whether it stays.
 * Sets `final`, area, visibility; converts the
 * segmentation if a rule demands it. What an annotator drew beyond the image ends at the canvas,
 * too, and costs no visibility. Objects that nothing touched keep everything. */
void sample_finalize(struct sample *, const struct rules *);
/* Drops a finalized object, for a reason that is a constant and the number that decided. */
void object_drop(struct object *, const char *reason, double value);

/* A copy of the sample in an arena: nothing that is done to one is seen in the other. Both have the
 * mask and the picture of segments, which no step changes. In another arena than the sample's, RLE
 * has no moves. */
struct sample sample_copy(const struct sample *, struct arena *);

/* A copy of the sample as if its end had come, but for the segmentations' kind. The sample stays as
 * it is; both share what finalizing does not touch. */
struct sample sample_finalized(const struct sample *, const struct rules *);

/* Objects whose box, as finalized, has its middle not inside of the window are dropped when
 * finalized; crowds, and what has no box, are not. */
void sample_keep_centers(struct sample *, const struct rules *, struct box window);

/* An object's box as it would be finalized now: where it begins, and its width and height. False
 * where it has neither box nor segmentation. */
bool sample_box_now(const struct sample *, const struct rules *, const struct object *,
                    struct point *corner, struct point *size);
/* Gives an object another box, which it need not have had; the area of one without segmentation
 * goes with it. */
void sample_put_box(struct sample *, struct object *, struct point corner, struct point size);
/* Its segmentation covers another area now, in square pixels. */
void object_put_area(struct object *, double area);
/* The object is dropped when finalized; the first reason, a constant, is the one that counts. */
void object_fail(struct object *, const char *reason, double value);

/* A member of its annotation is this text now; both are copied. */
void object_put_text(struct object *, struct arena *, const char *key, const char *text);
/* The text that was put into this member; NULL where none was. */
const char *object_text_put(const struct object *, const char *key);

/* Its segmentation is this RLE now. */
static inline void object_put_runs(struct object *o, struct rle rle)
{
    o->segmentation = SEGMENTATION_RLE;
    o->rle = rle;
    o->moves = NULL;
}

/* Something was done to the object that its file must tell. */
static inline bool object_is_touched(const struct object *o)
{
    unsigned changes = o->changes;

    for (size_t i = 0; i < o->n_parts; i++)
        changes |= o->parts[i].changes;
    return changes != 0;
}
