/* survey: a tolerant index of annotations: where each image, category and object is, and its
 * numbers. `stats` counts it, `diff` compares two of them.
 *
 * A part of a file that cannot be read is counted and left out; the rest is read on. Categories and
 * images that objects refer to may be missing. Everything lives in the survey's arena, but for
 * `text`, which stays mapped. */
#pragma once

#include "labels/format.h"

#define SURVEY_NONE UINT32_MAX
#define SURVEY_NO_ID INT64_MIN /* none, or one that could not be read */

struct survey_image {
    const char *name; /* "" where the file does not say */
    int64_t id;
    int width, height; /* 0: not known */
    uint32_t n_objects;
    struct slice element; /* its JSON object; `at` is NULL for folders of labels */
};

struct survey_category {
    const char *name;
    int64_t id;
    size_t n_keypoints;
    const char *const *keypoint; /* names, or NULL where only their number is known */
    struct slice element;
};

struct survey_object {
    int64_t id, image_id, category_id;
    uint32_t image, category; /* indices; SURVEY_NONE: there is none of that id */
    uint32_t n_keypoints;
    const uint8_t *visibility; /* of each keypoint: 0, 1, 2; 3 for anything else */
    double box[4];             /* x, y, width, height; pixels */
    double area;               /* square pixels, as annotated; negative: not given */
    uint8_t segmentation;      /* enum segmentation */
    bool has_box, crowd;
    struct slice element;
    const double *numbers; /* of folders of labels: all coordinates */
    size_t n_numbers;
};

struct survey {
    const char *name;   /* of the file, for people */
    const char *format; /* "coco" */
    struct slice text;
    struct arena arena;
    struct survey_image *images;
    struct survey_category *categories;
    struct survey_object *objects; /* in the order of the text */
    size_t n_images, n_categories, n_objects;
    bool accepts_nan; /* numbers that JSON does not have are left out, not errors; for JSON */
    size_t n_unread;  /* elements, and members of them, that could not be read */
};

/* Read the JSON text of `faults`, whose format is the registry's answer. False with faults when
 * the text is no JSON, or not of COCO's kind: nothing is known then. Otherwise faults may have been
 * added for elements that were left out. */
bool survey_read_json(struct survey *, const struct format *, struct faults *);

/* Read a folder of labels that was opened (label_folder_open and the format's `read`).
 * `frame_of` gives the size of a record's image, which YOLO's shares refer to: width 0 when it
 * cannot be read. */
void survey_read_labels(struct survey *, const struct dataset *, struct faults *,
                        struct frame (*frame_of)(void *context, const struct record *),
                        void *context);

void survey_drop(struct survey *);
