/* open: what run, preview, explain and profile have in common: a pipeline, a dataset, folders. */
#pragma once

#include "../src/batch/job.h"
#include "../src/batch/locate.h"
#include "command.h"

/* Annotations that deviate from COCO. */
enum compat { COMPAT_REPAIR, COMPAT_LENIENT, COMPAT_STRICT };
extern const struct choice compat_choices[];

/* The option, for commands that take annotations. */
#define COMPAT_OPTION(O)                                                                           \
    {                                                                                              \
        0, "HOW",                                                                                  \
            CHOICE(O, compat, .preset = "\"repair\"", .choices = compat_choices,                   \
                   .help =                                                                         \
                       "how to read annotations that deviate from COCO; see lockstep help compat") \
    }

/* Read the pipeline at `path` into the plan. EXIT_DONE, or another code after printing why. */
int open_plan(const char *path, struct plan *);

/* The row of the option --image-list. */
#define IMAGE_LIST(S)                                                                              \
    {                                                                                              \
        0, "FILE",                                                                                 \
            TEXT(S, image_list, .preset = "\"\"",                                                  \
                 .help = "a COCO file that lists the images, for results, which do not")           \
    }

/* The same: --masks. */
#define MASKS(S)                                                                                   \
    {                                                                                              \
        0, "DIR",                                                                                  \
            TEXT(S, masks, .preset = "\"\"",                                                       \
                 .help = "label masks, gray or with a palette, one for each image with the same "  \
                         "path and stem; of panoptic annotations the folder of their PNGs, if it " \
                         "is not the one named like their file, without .json")                    \
    }

/* The same: --mask-name. */
#define MASK_NAME(S)                                                                               \
    {                                                                                              \
        0, "TEMPLATE",                                                                             \
            TEXT(S, mask_name, .preset = "\"\"",                                                   \
                 .help = "what the mask of an image is called, by its folder, stem and suffix: "   \
                         "{stem}_L.png, or {dir}/{stem/_leftImg8bit/_gtFine_labelIds}.png, where " \
                         "the second text takes the place of the first")                           \
    }

/* The same: --strip-prefix. */
#define STRIP_PREFIX(S)                                                                            \
    {                                                                                              \
        0, "TEXT",                                                                                 \
            TEXT(S, strip_prefix, .preset = "\"\"",                                                \
                 .help = "take this from the start of each file_name of the annotations that has " \
                         "it, as images/")                                                         \
    }

/* The same: --match. */
#define MATCH(S)                                                                                   \
    {                                                                                              \
        0, "WHAT",                                                                                 \
            CHOICE(S, match, .preset = "\"path\"", .choices = match_choices,                       \
                   .help = "how a file_name of the annotations names an image")                    \
    }

/* The same: --trust. */
#define TRUST(S)                                                                                   \
    {                                                                                              \
        0, "WHAT",                                                                                 \
            CHOICE(S, trust, .preset = "\"both\"", .choices = trust_choices,                       \
                   .help = "where the annotations and the file give different sizes of an image: " \
                           "an error (both), or take the file's (file)")                           \
    }

/* The same: --no-follow. */
#define NO_FOLLOW(S)                                                                               \
    {                                                                                              \
        0, NULL,                                                                                   \
            FLAG(S, no_follow, .preset = "false",                                                  \
                 .help = "refuse symbolic links in the folders of images and masks; without, "     \
                         "they are followed wherever they lead")                                   \
    }

/* The same: -v. */
#define VERBOSE(S)                                                                                 \
    {                                                                                              \
        'v', NULL,                                                                                 \
            FLAG(S, verbose, .preset = "false",                                                    \
                 .help = "say more: also what is harmless in annotations")                         \
    }

/* Read the annotations, with the images of another file if `list` names one, or list the images
 * when there are none, into the job's dataset. `dataset` and `arena` live as long as the job. How
 * annotations deviate is printed, unless the job is to be quiet. EXIT_DONE, or another code after
 * printing why. */
int open_dataset(const char *annotations, const char *list, enum compat, struct job *,
                 struct dataset *, struct arena *);

/* What was made of annotations that were changed meanwhile is nothing: EXIT_INPUT after saying so,
 * else `code`. Asked when the work is done, before its result is written. */
int open_end(int code);

/* Some of the dataset's images. */
struct choice_of_images {
    size_t *record, n; /* in the arena */
};

/* Those that the operands name (with the images' folder before them, or not), or the first `limit`
 * without operands. Names from an annotation file may lead anywhere, and are checked before one is
 * opened. EXIT_DONE, or another code after printing why. */
int open_choice(const struct job *, const char *const *operand, uint64_t limit, struct arena *,
                struct choice_of_images *);

enum { MOST_PIXELS = 268402689 }; /* 16383 squared: more is refused from the header */
