/* rule: what a file of rules/ may see: a family of rules about annotation files, and how its
 * findings are reported.
 *
 * To add a family, write src/check/rules/NAME.c with `const struct rule_family NAME_family`;
 * nothing else is touched. It has a table of rules and functions that are called in this order;
 * each may be NULL:
 *
 *   broken      for each stretch of the text that is no JSON, while the file is read
 *   file        once, when all of the file was indexed; so for each function below
 *   category    for each category that is an object
 *   image       for each image that is an object
 *   annotation  for each annotation that is an object
 *   end         once, behind the last element: what only the index of all of them tells
 *   all         once, behind the last file: what several files say of each other
 *
 * `state` bytes, zeroed, belong to the family for each file. A rule that cannot tell a fault from
 * what is right says nothing: a false alarm is worse than none.
 *
 * Families that know folders with a file of labels for each image, too, say so with `labels`: only
 * their functions are called for them. There an element has no members: each pick is empty, but
 * those of what an annotation's object has, which are all of its line or XML element; `refused` and
 * `deviations` are empty: an object that run refuses is reported by itself. A category is a class.
 *
 * What `run` knows of COCO's dialects is not written again: of an annotation, `deviations` says in
 * which ways it deviates, and `object` is what run makes of it. Where run refuses an annotation,
 * check/run_errors.c reports it unless a rule of a family has found an error in it. */
#pragma once

#include "labels/coco/annotation.h"
#include "labels/coco/image_labels.h"
#include "check/finding.h"

/* What an annotation has, by the names of COCO; see pick in annotation_element. */
enum annotation_member {
    MEMBER_ID,
    MEMBER_IMAGE,
    MEMBER_CATEGORY,
    MEMBER_BBOX, /* to MEMBER_CROWD: in the order of labels/coco/labels.h */
    MEMBER_SEGMENTATION,
    MEMBER_AREA,
    MEMBER_CROWD,
    MEMBER_KEYPOINTS,
    MEMBER_NUM_KEYPOINTS,
    MEMBER_IGNORE,
    MEMBER_CAPTION,
    ANNOTATION_MEMBERS
};

/* What an image has. */
enum image_member {
    IMAGE_ID,
    IMAGE_FILE_NAME,
    IMAGE_COCO_URL,
    IMAGE_WIDTH,
    IMAGE_HEIGHT,
    IMAGE_LICENSE,
    IMAGE_MEMBERS
};

/* What a category has. */
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
    struct image_labels labels; /* none where run refuses one of them */
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
    bool has_bbox;                           /* it is four numbers: */
    double bbox[4];                          /* x, y, width, height as they stand */
    bool crowd;
    /* What run reads of it: rings or RLE, keypoints (coordinates as in the file), area.
     * Where run refuses a part, that is not there, and `refused` has faults. */
    const struct object *object;
    const struct faults *refused;
    struct arena *scratch; /* until the next annotation */
};

struct rule_family {
    const char *title;        /* "boxes" */
    const struct rule *rules; /* ended by one without id */
    size_t state;
    bool labels; /* it knows folders of labels, too */
    bool tables; /* it knows tables of labels of images: it is given the file, images, the end */
    void (*broken)(struct check *, const struct broken *);
    void (*file)(struct check *, const struct annotation_file *, void *state);
    void (*category)(struct check *, const struct category_element *, void *state);
    void (*image)(struct check *, const struct image_element *, void *state);
    void (*annotation)(struct check *, const struct annotation_element *, void *state);
    void (*end)(struct check *, const struct annotation_file *, void *state);
    void (*all)(struct check *);
};

/* Report a finding of a rule. `at` is the stretch of the text that the caret marks, and `member`
 * the rest of its JSON pointer below the element, without its first slash: "bbox",
 * "segmentation/2"; NULL for the element as a whole. A zero `at` is the element's first byte. The
 * words of the format are one clause, without a capital or a stop. What is returned can be given to
 * the functions below until the next report; they take NULL: it is, where the rule is not selected.
 */
struct finding *rule_report(struct check *, const struct rule *, const struct element *,
                            const char *member, struct slice at, const char *format, ...)
    PRINTF_LIKE(6, 7);
/* The same with words that need no copy, as `member`. */
struct finding *rule_report_plain(struct check *, const struct rule *, const struct element *,
                                  const char *member, struct slice at, const char *message);
/* The file itself as an element. */
struct element element_of_file(const struct annotation_file *);
/* The elements of what is in the index. */
struct element element_of_image(const struct annotation_file *, size_t index);
struct element element_of_annotation(const struct annotation_file *, size_t index);
struct element element_of_category(const struct annotation_file *, size_t index);

/* True if a category only groups the others, as in exports of Roboflow. Its id is 0, others name it
 * as their supercategory, and no annotation has it. Known when all annotations are read. */
bool category_is_root(const struct annotation_file *, size_t index);

/* What a message calls an annotation: "annotations[3]", or "line 4" of its file of labels. */
const char *annotation_words(struct check *, const struct annotation_file *, size_t index);

/* Is the rule selected? For what takes time to find. */
bool rule_is_selected(const struct check *, const struct rule *);

/* Do two edges of the polygon cross, each between its ends? Polygons of very many edges that lie
 * beside each other are not looked at to the end: then it is false. */
bool ring_crosses_itself(const struct ring *, struct arena *scratch);

/* What a picture of the finding shows, in coordinates of the image (continuous, pixels). */
void finding_draw_box(struct check *, struct finding *, struct box);
void finding_draw_ring(struct check *, struct finding *, const struct ring *);
void finding_draw_point(struct check *, struct finding *, struct point);

/* The fix: put these words in the place of a value, remove a value with its name or comma, or add a
 * member ("\"iscrowd\": 0") to an object. May be called several times for a finding; stretches must
 * not overlap. The rule's row says whether
 * its fixes are safe. Call it only when fixes are wanted (check->options->fixes). */
void finding_replace(struct check *, struct finding *, struct slice at, const char *format, ...)
    PRINTF_LIKE(4, 5);
/* The shortest text of the number. */
void finding_replace_number(struct check *, struct finding *, struct slice at, double);
void finding_remove(struct check *, struct finding *, struct slice at);
void finding_add_member(struct check *, struct finding *, struct slice object, const char *format,
                        ...) PRINTF_LIKE(4, 5);
