/* scene: one picture with its labels, painted and labelled from the same outlines.
 *
 * Painter's order holds for labels too: a later shape hides earlier ones in the picture, in the
 * label mask and in run lengths. Polygons must not be hidden, which scene_check ensures. */
#pragma once

#include "canvas.h"

#define OBJECTS_MAX 48
#define OUTLINE_MAX 4
#define JOINTS 17

/* Things, numbered as in "categories"; gaps on purpose. */
enum category {
    PERSON = 1,
    CAR = 3,
    LIGHTS = 5,
    BOAT = 7,
    BIRD = 8,
    CUP = 11,
    BOOK = 12,
    LAPTOP = 13,
    APPLE = 14,
    ORANGE = 15,
    BANANA = 16,
    BALL = 18,
};

/* Everything else; only in the label masks. */
enum stuff { NONE, SKY = 20, GROUND, ROAD, WATER, BUILDING, PLANT, POLE, TABLE, HILL };

enum kind {
    BOX,      /* no segmentation at all */
    BOX_BARE, /* "segmentation": [] */
    POLYGON,
    RLE,    /* compressed */
    COUNTS, /* uncompressed */
    CROWD,  /* compressed, iscrowd 1 */
};

/* How numbers are written: 12.34 with as few digits as it needs, 12, 12.30, 12.0. */
enum form { SHORTEST, WHOLE, FIXED, POINT_ZERO };

struct object {
    enum category category;
    enum kind kind;
    enum form form;
    int rings;
    struct ring ring[OUTLINE_MAX];
    struct bounds bounds;
    bool has_joints;
    int joint[JOINTS][3];
    const char *extra; /* further keys as JSON text, or NULL */
};

enum file {
    JPEG,
    JPEG_GRAY,
    JPEG_ROTATED, /* stored on its side, with EXIF orientation 6 */
    PNG,
    PNG_ALPHA,
    PNG_GRAY,
    PNG_16,
    PNG_GRAY_16,
    WEBP,
    TIFF,
};

struct scene {
    struct canvas c;
    uint8_t *label;
    int *owner; /* index of the object + 1 */
    struct object *object;
    int n;
};

struct scene scene_new(int w, int h, uint32_t seed);
void scene_drop(struct scene *);

/* An area that is not an object: painted and put in the mask. */
void stuff(struct scene *, enum stuff, struct ring, struct paint);
/* Only in the mask; only in the picture is fill(). */
void stuff_label(struct scene *, enum stuff, const struct ring *);

/* Begins an object: all that is painted until thing_done stays inside its outline. The union of the
 * rings becomes one outline (POLYGON, BOX) or a set of pixels (RLE, COUNTS, CROWD). */
struct object *thing(struct scene *, enum category, enum kind, enum form, const struct shape *);
/* The same for rings that are apart already and are written as they are. */
struct object *thing_parts(struct scene *, enum category, enum kind, enum form,
                           const struct shape *);
/* More of the object begun last: another member of a crowd. */
void thing_more(struct scene *, const struct shape *);
void thing_done(struct scene *);

/* Paints all of the object begun. */
void coat(struct scene *, struct paint);

/* Dies when a polygon is hidden, an outline leaves the frame or an object has no pixel. */
void scene_check(const struct scene *, const char *name);
