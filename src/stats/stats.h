/* stats: counts the contents of a dataset: classes, sizes, shapes, positions, keypoints. */
#pragma once

#include "stats/survey.h"

/* The sizes of COCO's evaluation: by area, below 32 x 32 and below 96 x 96 pixels. The area is the
 * annotated one, or else the box's. Crowds count like all others. */
enum { SIZE_SMALL, SIZE_MEDIUM, SIZE_LARGE, SIZE_UNKNOWN, SIZES };
enum { ASPECTS = 9, PER_IMAGE = 12, FILLS = 12, HEAT = 32 };

extern const char *const stats_size_names[SIZES];
extern const char *const stats_aspect_names[ASPECTS + 1];
extern const char *const stats_fill_names[FILLS];
/* Prints the number of objects per image of a bin: "4-7". */
void stats_per_image_name(size_t bin, struct text *out);

struct stats_category {
    size_t n_objects, n_images; /* images with at least one object */
    size_t n_crowds;
    size_t sizes[SIZES];
    double pixels;           /* of label masks */
    size_t *in_parts;        /* objects in each part; NULL: the dataset has no parts */
    size_t (*visibility)[4]; /* for each keypoint: how often 0, 1, 2, anything else */
    size_t n_keypoints;
};

struct stats_frame { /* images with one size */
    int width, height;
    size_t n;
};

struct stats_spread { /* Statistics of values; all 0 without values. */
    double min, median, mean, max;
};

struct dataset_stats {
    const struct survey *survey;
    struct arena arena;
    struct stats_category *categories; /* as in the survey, and one for unknown categories */
    size_t sizes[SIZES];
    size_t aspects[ASPECTS + 1]; /* width / height of boxes; the last: no box, or a flat one */
    size_t per_image[PER_IMAGE];
    struct stats_spread objects_per_image, widths, heights;
    struct stats_frame *frames; /* the most frequent first */
    size_t n_frames, n_frames_unknown;
    size_t fills[FILLS];     /* area / box area in tenths; then above 1, then unknown */
    size_t heat[HEAT][HEAT]; /* centers of boxes, by rows and columns of the image */
    size_t n_heat;
    size_t n_crowds, n_polygons, n_rle, n_boxes, n_with_keypoints;
    size_t n_images_unknown; /* objects whose image is not listed */
};

void stats_count(const struct survey *, struct dataset_stats *);
void stats_drop(struct dataset_stats *);

/* Returns the area in square pixels, or a negative number if it is not known. */
double stats_area_of(const struct survey_object *);
/* Returns the index in stats_size_names. */
size_t stats_size_of(const struct survey_object *);

/* Append reports. They are the same for the same file in any folder. The JSON object has the
 * member "run" if the text, a JSON value, is not empty. */
void stats_print_text(const struct dataset_stats *, struct text *);
void stats_print_json(const struct dataset_stats *, const struct text *run, struct text *);
void stats_print_html(const struct dataset_stats *, struct text *);
/* Appends the content of the page, without its title. */
void stats_print_plots(const struct dataset_stats *, struct text *);

/* Returns the indices of the categories with objects, the most frequent first, then in the file's
 * order. Unknown categories are included if they have objects. The indices are in the arena. */
const uint32_t *stats_order(const struct dataset_stats *, struct arena *, size_t *n);
/* Returns "person", or a text for categories that are unknown or have no name. */
const char *stats_category_name(const struct dataset_stats *, size_t category);
