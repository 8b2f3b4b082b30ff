/* survey: opens annotations for `stats` and `diff`: a COCO file, a label folder, a whole dataset or
 * a run's output. */
#pragma once

#include "stats/survey.h"
#include "open/dataset.h"

struct survey_inputs {
    struct survey survey;
    struct command_inputs opened; /* for folders of labels */
    bool is_out;                  /* it is the output folder of a run */
    struct survey_inputs *parts;  /* of a dataset with parts, which the survey combines */
    size_t n_parts;
};

/* A path, and the places that belong to it; "" if they are not given. */
struct survey_place {
    const char *path, *images, *classes;
    int voc_base;                  /* enum voc_base */
    bool folders;                  /* classes are the folders of `images`; there is no path */
    const char *masks, *mask_name; /* a folder of label masks, without a path; NULL: none */
    /* The part of a dataset that it is; NULL: of none. */
    const struct found_layout *dataset;
    const struct layout_part *part;
};

/* True if the path is a folder of labels, which needs a folder of images; false for a COCO file and
 * for the output folder of a run. */
bool survey_is_label_folder(const char *path);

/* True if the path is the output folder of a finished run. */
bool survey_is_out(const char *path);

/* Reads it, and prints what could not be read. Returns EXIT_DONE, EXIT_PARTIAL if parts were left
 * out, or another code after printing why. Call survey_inputs_drop in any case. */
int open_survey(const struct survey_place *, struct survey_inputs *);
/* Works like open_survey, but counts NaN and infinite numbers in JSON as parts that could not be
 * read. */
int open_survey_with_nan(const struct survey_place *, struct survey_inputs *);
void survey_inputs_drop(struct survey_inputs *);
