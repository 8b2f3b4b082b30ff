/* survey: what `stats` and `diff` read: a COCO file, a folder of labels, or a run's output. */
#pragma once

#include "stats/survey.h"
#include "open/dataset.h"

struct opened_survey {
    struct survey survey;
    struct opened opened; /* of folders of labels */
    bool is_out;          /* it was the output folder of a run */
};

/* Where things are beside `path`; "" where the user does not say. */
struct survey_place {
    const char *path, *images, *classes;
    int voc_base; /* enum voc_base */
};

/* True if the path is a folder of labels, which needs a folder of images; false for a COCO file and
 * for the output folder of a run. */
bool survey_is_label_folder(const char *path);

/* Read it, and print what could not be read. EXIT_DONE, EXIT_PARTIAL when parts were left out, or
 * another code after printing why; opened_survey_drop in any case. */
int open_survey(const struct survey_place *, struct opened_survey *);
/* The same; numbers of JSON files that are NaN or infinite are parts that could not be read. */
int open_survey_with_nan(const struct survey_place *, struct opened_survey *);
void opened_survey_drop(struct opened_survey *);
