/* survey: a tolerant index of annotations: the places of images, categories and objects, and their
 * numbers. `stats` counts them, `diff` compares two of them.
 *  *
 *  * A part of a file that cannot be read is counted and skipped; the rest is read. Categories and
 *  * images that objects refer to may be missing. All memory is from the survey's arena, except for
 *  * `text`, which stays mapped. */
#pragma once

#include "labels/format.h"

#define SURVEY_NONE UINT32_MAX
#define SURVEY_NO_ID INT64_MIN /* no id, or an unreadable one */

struct survey_image {
    const char *name; /* "" if the file does not say */
    int64_t id;
    int width, height; /* 0: not known */
    uint32_t n_objects;
    uint32_t part;        /* index in the parts; 0 without parts */
    const char *root;     /* the folder of its file; NULL: not known */
    const char *file;     /* its file below that folder */
    struct slice element; /* its JSON object; `at` is NULL for folders of labels */
};

/* A part of a dataset. Its images and objects follow those of the part before it. */
struct survey_part {
    const char *name, *below; /* `below` precedes the names of its images; "" for none */
    size_t n_images, n_objects, first_object;
};

struct survey_category {
    const char *name;
    int64_t id;
    size_t n_keypoints;
    const char *const *keypoint; /* names, or NULL if only their number is known */
    struct slice element;
};

struct survey_object {
    int64_t id, image_id, category_id;
    uint32_t image, category; /* indices; SURVEY_NONE: no element has the id */
    uint32_t n_keypoints;
    const uint8_t *visibility; /* for each keypoint: 0, 1, 2; 3 for anything else */
    double box[4];             /* x, y, width, height; pixels */
    double area;               /* square pixels, as annotated; negative: not given */
    uint8_t segmentation;      /* enum segmentation */
    bool has_box, crowd;
    struct slice element;
    const double *numbers; /* all coordinates, for folders of labels */
    size_t n_numbers;
};

struct survey {
    const char *name;   /* name of the file in messages */
    const char *format; /* "coco" */
    struct slice text;
    struct arena arena;
    struct survey_image *images;
    struct survey_category *categories;
    struct survey_object *objects; /* in the order of the text */
    size_t n_images, n_categories, n_objects;
    const struct survey_part *parts; /* of a dataset that is divided; or none */
    size_t n_parts;
    bool masks;       /* objects are the values of label masks, with their pixels as area */
    bool accepts_nan; /* numbers that JSON does not have are skipped and are not errors; for JSON */
    size_t n_unread;  /* elements and members that could not be read */
};

/* Reads the JSON text of `faults`; the registry has determined its format. Returns false with
 * faults if the text is not JSON, or not of COCO's kind; the survey is then empty. Otherwise there
 * may be faults for elements that were skipped. */
bool survey_read_json(struct survey *, const struct format *, struct faults *);

/* Reads a folder of labels that was opened (label_folder_open and the format's `read`). Also reads
 * images whose folders are their classes: a label of an image is an object without a place.
 * `frame_of` gives the size of a record's image, to which YOLO's shares refer. Its width is 0 if
 * the image cannot be read. */
void survey_read_labels(struct survey *, const struct dataset *, struct faults *,
                        struct frame (*frame_of)(void *context, const struct record *),
                        void *context);

/* Lists the values of label masks. A value is a category, with the name of the class with its
 * number, and its pixels in an image are an object. */
struct inspection;
void survey_read_masks(struct survey *, const struct dataset *, const struct inspection *,
                       const struct class_list *);
/* Makes the list of --classes the categories, in its order. Returns false with faults
 * (class-unlisted) for categories of objects that the list lacks. */
bool survey_pin_classes(struct survey *, const struct class_list *, struct faults *);
/* Combines the surveys of the parts of a dataset. Classes are combined by name. Only `name` and
 * `below` of the parts are set. The surveys must outlive the result, whose `name` is set. */
void survey_combine(struct survey *to, const struct survey *const *from,
                    const struct survey_part *parts, size_t n);
/* Return the name of the part; "" without parts. */
const char *survey_part_of_image(const struct survey *, size_t image);
const char *survey_part_of_object(const struct survey *, size_t object);
/* Lists the outputs of a run without annotations, from its manifest. */
void survey_read_manifest(struct survey *, struct slice manifest);

void survey_drop(struct survey *);
