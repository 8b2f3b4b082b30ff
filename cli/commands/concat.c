/* concat: makes one dataset of several. */
#include "shared/say.h"
#include "start/convert_dataset.h"

static int run(void *given, const char *const *operand)
{
    struct job_options *o = given;

    while (operand[o->sources.n])
        o->sources.n++;
    o->sources.at = operand;
    o->image_list = "";
    if (o->sources.n < 2)
        return refuse_path("", "operand-missing", "two datasets or more are required", EXIT_USAGE);
    return convert_dataset("lockstep concat", o);
}

static const char *const examples[] = {
    "lockstep concat coco-a coco-b -o both",
    "lockstep concat run-1 run-2 run-3 -o all --link hard",
    NULL,
};

const struct command concat_command = {
    .name = "concat",
    .summary = "make one dataset of several",
    .synopsis = "DATASET DATASET... -o OUT [--to FORMAT] [--link HOW]",
    .about =
        "Writes one dataset with the images and annotations of several datasets, which may be "
        "outputs of runs. Parts with the same name become one part. Classes are joined by name: "
        "those of the first dataset, then others as they come. Images and objects get new ids. "
        "Where file names are equal, the later image gets the name of its dataset as a prefix. The "
        "manifest has the origin of each image.",
    .options = job_options,
    .taker = FOR_CONCAT,
    .options_size = sizeof(struct job_options),
    .operands = "DATASET",
    .examples = examples,
    .brief = true,
    .run = run,
};
