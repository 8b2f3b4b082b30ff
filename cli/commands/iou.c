/* iou: writes a table of the IoU of boxes in two annotation files. */
#include "open/dataset.h"
#include "open/notes.h"
#include "shared/say.h"

#include "batch/annotations/iou_table.h"

#include <string.h>

struct options {
    const char *image_list, *out;
    int edges; /* enum box_edges */
    double above;
    bool overwrite;
};

static const struct option options[] = {
    { 0, 0, "FILE",
      TEXT(struct options, image_list, .preset = "\"\"",
           .help = "for results: a COCO file with the images. Without it, image sizes are "
                   "unknown; only polygons and masks need them") },
    { 0, 'o', "FILE",
      TEXT(struct options, out, .preset = "\"-\"", .writes = WRITES_FILE | WRITES_STDOUT,
           .help = "the file to write: NumPy if it ends in .npy, otherwise CSV") },
    { 0, 0, "EDGES",
      CHOICE(struct options, edges, .preset = "\"continuous\"", .choices = edges_choices,
             .help = "where boxes end") },
    { 0, 0, "IOU",
      NUMBER(struct options, above, .preset = "0", .limit = { 0, 1 },
             .help = "list the pairs of boxes with a larger IoU than this") },
    { 0, 0, NULL,
      FLAG(struct options, overwrite, .preset = "false", .help = "replace the file if it exists") },
    OPTIONS_END,
};

static int make(const struct options *o, const struct command_inputs *a,
                const struct command_inputs *b)
{
    struct faults of_a = dataset_faults(&a->dataset), of_b = dataset_faults(&b->dataset);
    const char *dot = strrchr(o->out, '.');
    struct iou_table table;
    struct text bytes = { 0 };
    int code = EXIT_DONE;

    if (!iou_table_make(&a->dataset, &b->dataset, (enum box_edges)o->edges, o->above, &table, &of_a,
                        &of_b)) {
        code = of_a.n ? faults_exit(&of_a, EXIT_INPUT) : code;
        code = of_b.n ? faults_exit(&of_b, EXIT_INPUT) : code;
    } else if (dot && strcmp(dot, ".npy") == 0) {
        iou_table_print_npy(&table, &bytes);
    } else {
        iou_table_print_csv(&table, &bytes);
    }
    code = open_end(code);
    if (!code)
        code = open_out_write(o->out, o->overwrite, &bytes);
    iou_table_drop(&table);
    text_drop(&bytes);
    faults_drop(&of_a);
    faults_drop(&of_b);
    return code;
}

/* Opens one operand. Only results take the list of images. */
static int open_one(const struct options *o, const char *path, struct command_inputs *to)
{
    int code = open_label_file(path, "", "", 0, to);

    if (code || !*o->image_list || !to->dataset.format->listed)
        return code;
    command_inputs_drop(to);
    *to = (struct command_inputs){ 0 };
    return open_label_file(path, o->image_list, "", 0, to);
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct command_inputs a = { 0 }, b = { 0 };
    int code;

    if (!operand[0] || !operand[1])
        return refuse_path("", "operand-missing", "two annotation files are required", EXIT_USAGE);
    if (operand[2])
        return refuse_path(operand[2], "operand-unexpected",
                           "two annotation files are compared, no more", EXIT_USAGE);
    code = open_out_check(o->out, o->overwrite);
    if (!code)
        code = open_one(o, operand[0], &a);
    if (!code)
        code = open_one(o, operand[1], &b);
    if (!code)
        code = make(o, &a, &b);
    command_inputs_drop(&a);
    command_inputs_drop(&b);
    return code;
}

static const char *const examples[] = {
    "lockstep iou annotations.json results.json -o pairs.csv",
    "lockstep iou a.json b.json --above 0.5 -o pairs.npy",
    NULL,
};

const struct command iou_command = {
    .name = "iou",
    .brief = true,
    .summary = "write a table of the IoU of boxes in two annotation files",
    .synopsis = "A B [-o FILE] [--above IOU] [--edges inclusive]",
    .about =
        "Compares each box of an image in A with each box of the image with the same id in B, "
        "whatever their categories. The columns are image_id, a, b and iou. Here a and b are the "
        "ids of the annotations; results have no ids, and their places count from 0. An id that "
        "is a string is given as its place in its list, from 1. A NumPy file has all columns as "
        "float64. An object without a box gets the box of its segmentation. A and B are COCO "
        "files or COCO results.",
    .operands = "FILE",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
