/* compare: finds the differences between two datasets. */
#pragma once

#include "stats/survey.h"

enum compared_kind {
    COMPARED_CATEGORY,
    COMPARED_IMAGE,
    COMPARED_OBJECT,
    COMPARED_FILE,
    COMPARED_KINDS
};
enum difference { DIFFERENCE_REMOVED, DIFFERENCE_CHANGED, DIFFERENCE_ADDED, DIFFERENCES };

/* How elements are matched: by id; or categories and images by name, and objects by category, image
 * and IoU. In the latter case ids are not compared. */
enum compare_match { COMPARE_ID, COMPARE_GEOMETRY };

struct compare_rules {
    enum compare_match match;
    double tolerance; /* numbers that differ by at most this are equal */
    double iou;       /* smallest IoU of two boxes of the same object, above 0 */
};

struct pair {
    uint32_t a, b; /* indices in the surveys; SURVEY_NONE: missing */
};

struct pairs {
    struct pair *at;
    size_t n;
};

struct comparison {
    const struct survey *a, *b;
    struct compare_rules rules;
    struct arena arena;
    struct pairs of[COMPARED_KINDS][DIFFERENCES];
    uint32_t *category_in_b, *image_in_b; /* match in b of each element of a, or SURVEY_NONE */
    const char *const *files;             /* names of COMPARED_FILE, by `a` of their pairs */
};

void compare_surveys(const struct survey *a, const struct survey *b, const struct compare_rules *,
                     struct comparison *);
/* Compare files byte by byte, too: all images and masks of two runs' outputs; or the images of two
 * datasets, by their parts and their names there. Call one of them, and only once. Return false
 * with a message if a file cannot be read. */
bool compare_outputs(struct comparison *, const char *a, const char *b, struct text *why);
bool compare_image_files(struct comparison *, struct text *why);
/* True if all images, or all annotations, have other ids in b. */
bool comparison_has_new_ids(const struct comparison *);
bool comparison_is_empty(const struct comparison *);
void comparison_drop(struct comparison *);

/* A member that differs; before or after is NULL if it is missing there. */
struct member_difference {
    const char *name;
    const struct value *before, *after;
};
/* Returns the number of members by which a matched pair differs, and the members in the arena. With
 * `members` NULL, returns 1 if any differs. */
size_t compare_members(const struct comparison *, enum compared_kind, struct pair, struct arena *,
                       struct member_difference **members);

/* Matches objects by geometry, for compare.c: sets object_in_b[i] for each object of a. */
void compare_match_geometry(const struct comparison *, uint32_t *object_in_b);
/* True if both objects have the same category. */
bool compare_same_category(const struct comparison *, const struct survey_object *a,
                           const struct survey_object *b);
double compare_iou(const struct survey_object *a, const struct survey_object *b);

/* Append reports. The text has at most `max` differences of each kind. */
void comparison_print_text(const struct comparison *, size_t max, struct text *);
void comparison_print_json(const struct comparison *, struct text *);
