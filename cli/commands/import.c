/* import: prints another library's pipeline as a pipeline of lockstep. */
#include "migrate/import.h"
#include "batch/io/folder.h"
#include "open/dataset.h"
#include "open/other_pipeline.h"
#include "shared/say.h"

#include <stdlib.h>

struct import_options {
    const char *out;
    bool overwrite;
};

#define O struct import_options
static const struct option import_options[] = {
    { 0, 'o', "FILE",
      TEXT(O, out, .preset = "\"-\"", .writes = WRITES_FILE | WRITES_STDOUT,
           .help = "the pipeline to write") },
    { 0, 0, NULL, FLAG(O, overwrite, .preset = "false", .help = "replace the file if it exists") },
    OPTIONS_END,
};
#undef O

enum { MAX_FILE = 16 << 20, MAX_LOSSES = 50 };

static int by_place(const void *a, const void *b)
{
    const struct fault *x = a, *y = b;

    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void print_losses(const struct import_job *m)
{
    size_t line, column;

    if (m->losses.n)
        qsort(m->losses.list, m->losses.n, sizeof *m->losses.list, by_place);
    for (size_t i = 0; i < m->losses.n && i < MAX_LOSSES; i++) {
        const struct fault *f = &m->losses.list[i];

        text_place(m->faults->text, f->offset, &line, &column);
        message_print("%s:%zu:%zu: warning: %s: %s [%s]", m->faults->name, line, column, f->path,
                      f->message, f->code);
    }
    if (m->losses.n > MAX_LOSSES)
        message_print("%s: warning: and %zu more [import-lost]", m->faults->name,
                      m->losses.n - MAX_LOSSES);
}

static int import(struct import_job *m, const struct import_options *o)
{
    int code;

    if (!import_text(m))
        return faults_exit(m->faults, EXIT_PIPELINE);
    print_losses(m);
    code = open_out_write(o->out, o->overwrite, &m->out);
    return !code && m->losses.n ? EXIT_PARTIAL : code;
}

static int run(void *given, const char *const *operand)
{
    struct text text = { 0 }, why = { 0 };
    struct arena arena = { 0 };
    struct faults faults = { .name = operand[0] ? input_name(operand[0]) : "lockstep import" };
    struct import_job m = { .importers = importers, .faults = &faults, .arena = &arena };
    int code;

    if (!operand[0] || operand[1]) {
        fault_add(&faults, 0, 0, operand[0] ? operand[1] : "",
                  operand[0] ? "operand-unexpected" : "operand-missing",
                  operand[0] ? "one file at a time" : "name the file to import");
        code = faults_exit(&faults, EXIT_USAGE);
    } else if (!input_read_named(operand[0], MAX_FILE, &text, &why)) {
        code = refuse_input(operand[0], &why, "pipeline-unread", EXIT_PIPELINE);
    } else {
        faults.text = (struct slice){ text_string(&text), text.length };
        code = import(&m, given);
    }
    import_drop(&m);
    faults_drop(&faults);
    arena_drop(&arena);
    text_drop(&text);
    return code;
}

static const char *const examples[] = {
    "lockstep import albumentations.json -o pipeline.json",
    "lockstep import hyp.scratch-low.yaml -o pipeline.json",
    "python -c 'from train import t; print(t)' | lockstep import - > pipeline.json",
    NULL,
};

const struct command import_command = {
    .name = "import",
    .brief = true,
    .summary = "print another library's pipeline as a pipeline of lockstep",
    .synopsis = "FILE [-o PIPELINE] [--overwrite]",
    .about =
        "FILE is one of these: the JSON or YAML that A.save or A.to_dict of Albumentations 1.x "
        "and 2.x write; what Python prints for a Compose of Albumentations or of torchvision v1 "
        "or v2; the train_pipeline in a configuration of MMDetection, with literals, names to "
        "which the file assigns a value, and their items; or hyper-parameters of Ultralytics YOLO "
        "as YAML, which become the steps that its trainer makes from them. Python code is not "
        "run: a value that would have to be computed, or a statement that changes a value after "
        "its assignment, is reported with its place, and the exit code is 3. A step that behaves "
        "differently here has a \"$comment\" that explains how. A step without an equivalent is "
        "named on stderr with its place, Identity takes its place, and the exit code is 1. Steps "
        "that make tensors are left out, since lockstep writes files and your data loader makes "
        "tensors. A file of another kind, or without a step that changes images or labels, ends "
        "with 3.",
    .options = import_options,
    .options_size = sizeof(struct import_options),
    .operands = "FILE",
    .examples = examples,
    .run = run,
};
