/* preview: writes a contact sheet of the outputs that run would make. */
#include "open/dataset.h"
#include "open/notes.h"
#include "options/plugins.h"
#include "shared/say.h"

#include "base/files.h"
#include "batch/process/child.h"
#include "batch/process/limits.h"
#include "batch/run/preflight.h"
#include "batch/run/check_job.h"
#include "preview/sheet.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Limits of the sheet in bytes, and of the time for each image. */
enum { MAX_BYTES = 1 << 30, IMAGE_MS = 300000 };

static int refuse(int code, const char *path, const char *code_word, const char *why)
{
    message_print("lockstep preview: error: %s: %s [%s]", path, why, code_word);
    return code;
}

/* --- the sheet's file --- */

/* True if --overwrite must not replace the file: an earlier sheet is a PNG; preview made
 * nothing else. */
static bool is_foreign(const char *path)
{
    unsigned char head[8] = { 0 };
    enum picture_format format;
    struct stat status;
    FILE *file;
    bool png;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || file_is_stream(path))
        return false;
    file = fopen(path, "rb");
    if (!file)
        return true;
    png = fread(head, 1, sizeof head, file) == sizeof head &&
          picture_sniff((struct slice){ (char *)head, sizeof head }, &format) &&
          format == PICTURE_PNG;
    fclose(file);
    return !png;
}

static int check_out(const struct job_options *o)
{
    const char *dot = strrchr(o->out, '.');
    int code;

    if (!dot || strcasecmp(dot, ".png") != 0)
        return refuse(EXIT_USAGE, o->out, "out-name",
                      "the sheet is a PNG: its name has to end in .png");
    code = open_out_check(o->out, o->overwrite);
    return code || !is_foreign(o->out) ? code
                                       : refuse(EXIT_OCCUPIED, o->out, "out-foreign",
                                                "the file exists and is no PNG; it is left alone");
}

/* Refuses a sheet that would replace an input. */
static int check_apart(const struct job_options *o, const struct job *job)
{
    return !open_is_image(o->out, job)
               ? EXIT_DONE
               : refuse(EXIT_OCCUPIED, o->out, "out-inside",
                        "it is an image of the dataset; write the sheet elsewhere");
}

/* --- the sheet --- */

/* The size of the sheet, and its PNG. */
static int work(void *context, struct text *result)
{
    const struct sheet *sheet = context;
    struct text png = { 0 }, why = { 0 };
    struct sheet_result made = { 0 };
    int code = sheet_make(sheet, &png, &made, &why);

    if (code)
        message_print("lockstep preview: error: %s", text_string(&why));
    text_add(result, (const char *)&made, sizeof made);
    text_add(result, png.at, png.length);
    return code;
}

/* Decodes untrusted pictures in their own process. */
static int make_contained(struct sheet *sheet, struct text *png, struct sheet_result *made)
{
    const struct child_work todo = { .sandbox = sheet->job->run.contained,
                                     .max_memory = limits_memory() / 2,
                                     .max_result = MAX_BYTES,
                                     .ms = IMAGE_MS * (int64_t)sheet->n_records,
                                     .who = "the process that decodes",
                                     .work = work,
                                     .context = sheet };
    struct text answer = { 0 }, why = { 0 };
    const char *code_word;
    int code = child_run(&todo, &answer, &why, &code_word);

    if (why.length)
        refuse(code, "the dataset", code_word, text_string(&why));
    else if (!code && answer.length < sizeof *made)
        code = refuse(EXIT_INTERNAL, "the dataset", "worker-crashed", "there is no sheet");
    if (!code) {
        memcpy(made, answer.at, sizeof *made);
        text_add(png, answer.at + sizeof *made, answer.length - sizeof *made);
    }
    text_drop(&answer);
    text_drop(&why);
    return code;
}

/* --- the command --- */

static int make_sheet(const struct job_options *o, struct sheet *sheet)
{
    struct text png = { 0 };
    struct sheet_result made = { 0 };
    int code = open_end(make_contained(sheet, &png, &made));

    if (!code)
        code = open_out_write(o->out, o->overwrite, &png);
    if (!code) {
        printf("%s\n", o->out);
        if (!o->quiet)
            message_print("lockstep preview: %zu image%s, %d cop%s of each; %d x %d pixels",
                          sheet->n_records, sheet->n_records == 1 ? "" : "s", o->copies,
                          o->copies == 1 ? "y" : "ies", made.size.width, made.size.height);
        code = made.failed ? EXIT_PARTIAL : EXIT_DONE;
    }
    text_drop(&png);
    return code;
}

/* Refuses the chosen images that run would refuse. */
static int check_images(const struct job_options *o, const struct job *job)
{
    struct faults faults = { .name = "lockstep preview" };
    struct job all = *job;
    bool look = !o->no_preflight && job->run.on_error != ON_ERROR_SKIP;
    int code = EXIT_DONE;

    all.run.jobs = limits_processors();
    if (!job_check(job, &faults) || (look && preflight(&all, &faults)))
        code = open_end(faults_exit(&faults, preflight_exit(&faults)));
    faults_drop(&faults);
    return code;
}

static int run(void *given, const char *const *operand)
{
    const struct job_options *o = given;
    struct command_inputs opened = { 0 };
    struct job *job = &opened.job;
    struct sheet sheet = { .job = job,
                           .width = o->width,
                           .across = (unsigned)o->columns,
                           .labels = !o->no_labels,
                           .reasons = o->reasons,
                           .opacity = o->opacity };
    struct shown_images shown;
    int code = check_out(o);

    if (!code)
        code = open_pipeline(o, &opened);
    job->naming.include_original = true;
    job->run.jobs = 1;
    if (!code)
        code = open_dataset(o, &opened);
    if (!code)
        code = check_apart(o, job);
    if (!code)
        code = open_choice(o, &opened, operand);
    if (!code)
        code = open_shown(o, &opened, operand, &shown);
    if (!code) {
        open_contained(job);
        code = check_images(o, job);
    }
    if (!code) {
        sheet.records = shown.record;
        sheet.n_records = shown.n;
        sheet.title =
            arena_printf(&opened.arena, "%s, seed %lld", o->pipeline, (long long)opened.plan.seed);
        code = make_sheet(o, &sheet);
    }
    command_inputs_drop(&opened);
    return code;
}

static const char *const examples[] = {
    "lockstep preview -p train.json -i images -a annotations.json",
    "lockstep preview -p train.json -i images -a annotations.json -n 8 street/0001.jpg",
    NULL,
};

const struct command preview_command = {
    .name = "preview",
    .summary = "show a pipeline's results with their labels on a contact sheet",
    .synopsis = "-p PIPELINE -i IMAGES [-a ANNOTATIONS] [options] [NAME...]",
    .about =
        "Draws one PNG with a row for each image: the image itself, then the copies that run -n "
        "would make of it with the same pipeline and seed. Boxes, segmentations, label masks, "
        "keypoints and names are drawn over them. Left keypoints are blue, right ones orange, and "
        "hidden ones are rings. Objects of the original that the pipeline's rules drop even "
        "without a change are dashed, like crowds. NAMEs are images as the dataset names them.",
    .options = job_options,
    .taker = FOR_PREVIEW,
    .options_size = sizeof(struct job_options),
    .operands = "NAME",
    .examples = examples,
    .shared = &plugin_options,
    .run = run,
};
