/* rule: the interface for files of rules/: a family of rules about annotation files, and functions
 * to report findings.
 *  *
 *  * To add a family, write src/check/rules/NAME.c with `const struct rule_family NAME_family`; no
 *  * other file changes. It has a table of rules, and functions that are called in this order; each
 *  * may be NULL:
 *  *
 *  *   broken      for each stretch of the text that is not JSON, while the file is read
 *  *   file        once, after the whole file was indexed; this also holds for the functions below
 *  *   category    for each category that is an object
 *  *   image       for each image that is an object
 *  *   annotation  for each annotation that is an object
 *  *   end         once, after the last element: checks that need the index of all elements
 *  *   all         once, after the last file: checks that compare files
 *  *
 *  * `state` zeroed bytes belong to the family for each file. A rule that cannot tell an error from
 *  * correct data reports nothing: a false alarm is worse than none.
 *  *
 *  * Families that also handle folders of label files set `labels`: only their functions are called
 *  * for folders. There, an element has no members: each pick is empty. Only members that an
 *  * annotation's object has are set, to its whole line or XML element. `refused` and `deviations`
 * are
 *  * empty, since objects that run refuses are reported separately. A category is a class.
 *  *
 *  * Rules do not repeat what `run` knows of COCO's dialects. For an annotation, `deviations` lists
 *  * its deviations, and `object` is the object that run makes of it. If run refuses an annotation,
 *  * check/run_errors.c reports that, unless a rule of a family has found an error in it. */
#pragma once

#include "labels/coco/annotation.h"
#include "labels/coco/image_labels.h"
#include "check/finding.h"

/* The members of an annotation, by COCO's names; see pick in annotation_element. */
enum annotation_member {
    MEMBER_ID,
    MEMBER_IMAGE,
    MEMBER_CATEGORY,
    MEMBER_BBOX, /* up to MEMBER_CROWD: in the order of labels/coco/labels.h */
    MEMBER_SEGMENTATION,
    MEMBER_AREA,
    MEMBER_CROWD,
    MEMBER_KEYPOINTS,
    MEMBER_NUM_KEYPOINTS,
    MEMBER_IGNORE,
    MEMBER_CAPTION,
    ANNOTATION_MEMBERS
};

/* The members of an image. */
enum image_member {
    IMAGE_ID,
    IMAGE_FILE_NAME,
    IMAGE_COCO_URL,
    IMAGE_WIDTH,
    IMAGE_HEIGHT,
    IMAGE_LICENSE,
    IMAGE_MEMBERS
};

/* The members of a category. */
enum category_member {
    CATEGORY_ID,
    CATEGORY_NAME,
    CATEGORY_SUPERCATEGORY,
    CATEGORY_KEYPOINTS,
    CATEGORY_SKELETON,
    CATEGORY_ISTHING,
    CATEGORY_MEMBERS
};

struct image_element {
    struct element at;
    const struct pick *pick; /* by enum image_member */
    const struct checked_image *image;
    unsigned deviations;        /* set of enum deviation */
    struct image_labels labels; /* empty if run refuses one of the labels */
};

struct category_element {
    struct element at;
    const struct pick *pick; /* by enum category_member */
    const struct checked_category *category;
    unsigned deviations;
};

struct annotation_element {
    struct element at;
    const struct pick *pick;                 /* by enum annotation_member */
    unsigned deviations;                     /* set of enum deviation: DEVIATION(BOOL_CROWD), ... */
    const struct checked_image *image;       /* NULL: not known */
    const struct checked_category *category; /* NULL: none, or not known */
    bool has_bbox;                           /* bbox has four numbers: */
    double bbox[4];                          /* x, y, width, height as in the file */
    bool crowd;
    /* The object as run reads it: rings or RLE, keypoints (coordinates as in the file), area. A
     * part that run refuses is missing, and `refused` has faults. */
    const struct object *object;
    const struct faults *refused;
    struct arena *scratch; /* until the next annotation */
};

struct rule_family {
    const char *title;        /* "boxes" */
    const struct rule *rules; /* ended by a rule without an id */
    size_t state;
    bool labels; /* handles folders of labels too */
    bool tables; /* handles tables of labels of images: file, image and end are called */
    void (*broken)(struct check *, const struct bad_stretch *);
    void (*file)(struct check *, const struct annotation_file *, void *state);
    void (*category)(struct check *, const struct category_element *, void *state);
    void (*image)(struct check *, const struct image_element *, void *state);
    void (*annotation)(struct check *, const struct annotation_element *, void *state);
    void (*end)(struct check *, const struct annotation_file *, void *state);
    void (*all)(struct check *);
};

/* Reports a finding of a rule. `at` is the stretch of text that the caret marks. `member` is the
 * end of its JSON pointer, below the element and without the first slash ("bbox",
 * "segmentation/2"); NULL for the element as a whole. A zero `at` is the element's first byte. The
 * message is one clause, without a capital or a full stop. The result can be given to the functions
 * below until the next report. It is NULL if the rule is not selected, which they accept. */
struct finding *rule_report(struct check *, const struct rule *, const struct element *,
                            const char *member, struct slice at, const char *format, ...)
    PRINTF_LIKE(6, 7);
/* Reports a finding whose message, like `member`, needs no copy. */
struct finding *rule_report_plain(struct check *, const struct rule *, const struct element *,
                                  const char *member, struct slice at, const char *message);
/* Returns the file itself as an element. */
struct element element_of_file(const struct annotation_file *);
/* Return elements of the index. */
struct element element_of_image(const struct annotation_file *, size_t index);
struct element element_of_annotation(const struct annotation_file *, size_t index);
struct element element_of_category(const struct annotation_file *, size_t index);

/* True if a category only groups the others, as in exports of Roboflow. Its id is 0, others name it
 * as their supercategory, and no annotation has it. Known after all annotations are read. */
bool category_is_root(const struct annotation_file *, size_t index);

/* Returns the name of an annotation in messages: "annotations[3]", or "line 4" of its label file.
 */
const char *annotation_words(struct check *, const struct annotation_file *, size_t index);

/* True if the rule is selected; for checks that take time. */
bool rule_is_selected(const struct check *, const struct rule *);

/* True if two edges of the polygon cross, each between its ends. False also if the polygon has too
 * many edges side by side, since the search then stops. */
bool ring_crosses_itself(const struct ring *, struct arena *scratch);

/* Set the shape that a picture of the finding shows, in continuous pixel coordinates of the image.
 */
void finding_draw_box(struct check *, struct finding *, struct box);
void finding_draw_ring(struct check *, struct finding *, const struct ring *);
void finding_draw_point(struct check *, struct finding *, struct point);

/* Add a fix: replace a value, remove a value with its name or comma, or add a member ("\"iscrowd\":
 * 0") to an object. A finding may have several fixes whose stretches do not overlap. The rule's row
 * says whether its fixes are safe. Call these only if fixes are wanted (check->options->fixes). */
void finding_replace(struct check *, struct finding *, struct slice at, const char *format, ...)
    PRINTF_LIKE(4, 5);
/* Replaces a value by the shortest text of a number. */
void finding_replace_number(struct check *, struct finding *, struct slice at, double);
void finding_remove(struct check *, struct finding *, struct slice at);
void finding_add_member(struct check *, struct finding *, struct slice object, const char *format,
                        ...) PRINTF_LIKE(4, 5);
