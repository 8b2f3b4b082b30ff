/* NAME: counts the images and annotations of a dataset. */
/* A subcommand that works. Change the options, the texts and run(), then delete this comment.
 *   - cli/command.h says what each member of struct command means. Options that commands share are
 *     in cli/options/; cli/open/ opens datasets and pipelines, and prints why it cannot.
 *   - An option is a row of src/param/param.h with a letter and a word for its value. An option
 *     without a preset is required.
 *   - Without .brief, the overview of `lockstep help` has a line for the command. COMMANDS in the
 *     Makefile gives it a place before the last one.
 *   - If it works on steps, .plugins gives it the option --plugin. */
#include "open/survey.h"

#include <stdio.h>

struct options {
    const char *annotations, *images;
};

static const struct option options[] = {
    { 0, 'a', "FILE",
      TEXT(struct options, annotations,
           .help = "a COCO file, a folder of labels, or the output of a run") },
    { 0, 'i', "DIR",
      TEXT(struct options, images, .preset = "\"\"",
           .help = "the folder of images, for a folder of labels") },
    OPTIONS_END,
};

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct survey_inputs opened;
    int code = open_survey(
        &(struct survey_place){ .path = o->annotations, .images = o->images, .classes = "" },
        &opened);

    (void)operand;
    if (code == EXIT_DONE || code == EXIT_PARTIAL)
        printf("%zu images, %zu annotations\n", opened.survey.n_images, opened.survey.n_objects);
    survey_inputs_drop(&opened);
    return code;
}

static const char *const examples[] = {
    "lockstep HYPHENS -a annotations.json",
    NULL,
};

const struct command NAME_command = {
    .name = "HYPHENS",
    .brief = true,
    .summary = "count the images and annotations of a dataset",
    .synopsis = "-a ANNOTATIONS [-i IMAGES]",
    .about = "Prints how many images and how many annotations a dataset has. Parts of a file that "
             "cannot be read are not counted; the exit code is then 1.",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
