/* convert: writes the labels of a dataset in another format. */
#include "shared/say.h"
#include "start/convert_dataset.h"

#include "batch/dataset/target_format.h"

static int run(void *given, const char *const *operand)
{
    struct job_options *o = given;
    struct text why = { 0 };

    (void)operand;
    if (target_is_other(o->to))
        return convert_dataset("lockstep convert", o);
    text_adds(&why, "\"same\" is no format to convert to");
    return refuse_input("--to", &why, "option-value", EXIT_USAGE);
}

static const char *const examples[] = {
    "lockstep convert -a annotations.json -i images -o out --to yolo --lossy",
    "lockstep convert -a coco -o yolo --to yolo-segment --lossy --link hard",
    NULL,
};

const struct command convert_command = {
    .name = "convert",
    .summary = "write the labels of a dataset in another format",
    .synopsis = "-a DATASET [-i IMAGES] -o OUT --to FORMAT [--link HOW] [--lossy]",
    .about =
        "Writes the annotations of a dataset, with all of its parts, in the layout of another "
        "format. Images are not decoded: their files are copied, linked or left out. A format "
        "cannot represent everything: what it lacks is counted by kind and refused, or dropped and "
        "listed with --lossy. A converted dataset has a manifest.jsonl and a run.json like the "
        "output of a run, so that `lockstep verify` checks it, and --resume continues.",
    .options = job_options,
    .taker = FOR_CONVERT,
    .options_size = sizeof(struct job_options),
    .examples = examples,
    .brief = true,
    .run = run,
};
