/* compare: what differs between two datasets. */
#pragma once

#include "stats/survey.h"

enum compared { COMPARED_CATEGORY, COMPARED_IMAGE, COMPARED_OBJECT, COMPARED_FILE, COMPARED_KINDS };
enum difference { DIFFERENCE_REMOVED, DIFFERENCE_CHANGED, DIFFERENCE_ADDED, DIFFERENCES };

/* How elements of the two are matched. By id; or categories and images by name, and objects by
 * category, image and IoU: then ids do not count as a difference. */
enum compare_match { COMPARE_ID, COMPARE_GEOMETRY };

struct compare_rules {
    enum compare_match match;
    double tolerance; /* numbers are equal when they differ by no more */
    double iou;       /* the least IoU of two boxes of one object, above 0 */
};

struct pair {
    uint32_t a, b; /* indices in the surveys; SURVEY_NONE: there is none */
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
    uint32_t *category_in_b, *image_in_b; /* what of b each of a is matched with, or SURVEY_NONE */
    const char *const *files;             /* names of COMPARED_FILE, by `a` of their pairs */
};

void compare_surveys(const struct survey *a, const struct survey *b, const struct compare_rules *,
                     struct comparison *);
/* Compare the bytes of images and masks of two outputs of runs, too. May be called once. False with
 * a message. */
bool compare_outputs(struct comparison *, const char *a, const char *b, struct text *why);
bool comparison_is_empty(const struct comparison *);
void comparison_drop(struct comparison *);

/* A member that differs; NULL where there is none. */
struct member_difference {
    const char *name;
    const struct value *before, *after;
};
/* The members by which a matched pair differs, in the arena: n of them. With `members` NULL, 1 for
 * any. */
size_t compare_members(const struct comparison *, enum compared, struct pair, struct arena *,
                       struct member_difference **members);

/* Matched pairs of objects, for compare.c: object_in_b[i] for each object of a. */
void compare_match_geometry(const struct comparison *, uint32_t *object_in_b);
/* Do they have the same category? */
bool compare_same_category(const struct comparison *, const struct survey_object *a,
                           const struct survey_object *b);
double compare_iou(const struct survey_object *a, const struct survey_object *b);

/* Reports, appended. At most `most` differences of each kind in the text. */
void comparison_print_text(const struct comparison *, size_t most, struct text *);
void comparison_print_json(const struct comparison *, struct text *);
