/* bench_coco: measures how long an annotation file takes to read, to parse and to write again.
 *
 * Usage: bench_coco FILE SCRATCH. Each row runs in its own process: the index alone; the index and
 * all annotations parsed; the same with the whole file collected and written as `run` does, with
 * the annotations copied unchanged or with all numbers reprinted. Two rows come before the last.
 * The first is a run that ends when everything is in its journal. The second is the time in which
 * resuming this run finds the finished images. Only annotations.json of the last row is left in the
 * folder SCRATCH. */
#include "batch/run/collector.h"
#include "batch/image/work.h"
#include "batch/output/file_list.h"
#include "batch/io/mapped_file.h"
#include "batch/output/out_dir.h"
#include "batch/run/resume.h"
#include "batch/image/fingerprint.h"

#include "used.h"

#include <string.h>

extern const struct format coco_format;

enum task { TASK_INDEX, TASK_LOAD, TASK_CARRY, TASK_STOP, TASK_RESUME, TASK_REPRINT };

struct bench_work {
    enum task task;
    const char *path, *scratch;
};

static void die(const char *what, const struct text *why)
{
    fprintf(stderr, "bench_coco: %s: %s\n", what, text_string(why));
    exit(1);
}

static void die_of(struct faults *faults)
{
    struct text text = { 0 };

    faults_print(faults, 5, &text);
    die("faults", &text);
}

static void report_sample(const struct dataset *d, size_t record, const struct rules *rules,
                          const struct sample *s, struct report *r)
{
    struct output out = { .of = 1, .name = d->records[record].name };

    report_clear(r);
    r->source.annotations = source_annotations(d, record);
    report_record(r, d, record, &out);
    for (size_t i = 0; i < s->n_objects; i++)
        report_object(r, d, record, s, &s->objects[i], &out, rules);
}

/* Marks the objects as moved by a step, without changing their positions. */
static void touch(struct sample *s)
{
    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i];

        o->changes |= CHANGE_MOVED | CHANGE_SCALED;
        o->final.box = o->bbox;
        o->final.size = o->size;
    }
}

static void do_records(const struct job *job, enum task task, struct collect *collect,
                       struct text *why)
{
    const struct dataset *d = job->dataset;
    const struct rules *rules = &job->plan->rules;
    struct faults faults = { .name = d->file, .text = d->text };
    struct arena arena = { 0 };
    struct report report = { 0 };
    struct text packed = { 0 };

    for (size_t i = 0; i < d->n_records; i++) {
        struct sample sample = { .arena = &arena };

        arena_reset(&arena);
        if (!d->format->load(d, i, rules, &sample, &faults))
            die_of(&faults);
        if (task == TASK_REPRINT)
            touch(&sample);
        if (task == TASK_LOAD)
            continue;
        report_sample(d, i, rules, &sample, &report);
        if (!store_add(&collect->objects, &report.objects, &report.objects_at))
            die("collect", why);
        text_clear(&packed);
        report_pack(&report, &packed);
        if (!collect_take(collect, i, (struct slice){ packed.at, packed.length }, why))
            die("collect", why);
    }
    text_drop(&packed);
    report_drop(&report);
    arena_drop(&arena);
}

/* The folder as an earlier task found it. */
static void open_scratch(struct out_dir *outdir, const char *path)
{
    struct faults faults = { .name = path };
    char file[4096];

    for (size_t i = 0; i < N_OUT_FILES; i++) {
        snprintf(file, sizeof file, "%s/%s", path, out_files[i]);
        unlink(file);
    }
    if (out_dir_open(outdir, path, true, &faults))
        die_of(&faults);
    faults_drop(&faults);
}

/* All records are done: a row for the time that is taken to see it. */
static void resume(struct job *job, struct collect *collect, struct text *why)
{
    struct rusage before, after;

    getrusage(RUSAGE_SELF, &before);
    job->run.resume = true;
    if (!resume_collect(collect, job, why))
        die("resume", why);
    if (collect->done != job->images.n_records)
        die("resume: not all is done", why);
    getrusage(RUSAGE_SELF, &after);
    printf("%-44s %8s %8.2f\n", "  part that reads the journal", "",
           used_seconds(after.ru_utime) + used_seconds(after.ru_stime) -
               used_seconds(before.ru_utime) - used_seconds(before.ru_stime));
    fflush(stdout);
}

static void do_work(void *context)
{
    const struct bench_work *work = context;
    const char *path = work->path, *scratch = work->scratch;
    enum task task = work->task;
    struct arena arena = { 0 };
    struct plan plan = { 0 };
    struct dataset dataset = {
        .arena = &arena, .format = &coco_format, .writer = &coco_format, .file = path
    };
    struct out_dir outdir = { 0 };
    struct job job = {
        .plan = &plan,
        .dataset = &dataset,
        .images.roots = { .at = &scratch, .n = 1 }, /* which has no images */
        .output.path = scratch,
        .output.outdir = &outdir,
        .naming.copies = 1,
    };
    struct faults faults = { .name = path };
    struct collect collect = { 0 };
    struct text why = { 0 };

    plan_empty(&plan);
    if (!mapped_open(path, &faults.text, &why))
        die(path, &why);
    dataset.text = faults.text;
    if (!dataset.format->read(&faults, &dataset))
        die_of(&faults);
    job.images.n_records = dataset.n_records;
    if (task >= TASK_CARRY) {
        open_scratch(&outdir, scratch);
        if (task == TASK_RESUME)
            resume(&job, &collect, &why);
        else if (!collect_start(&collect, &job, &why))
            die(scratch, &why);
    }
    if (task >= TASK_LOAD && task != TASK_RESUME)
        do_records(&job, task, &collect, &why);
    if (task == TASK_STOP)
        collect_drop(&collect);
    else if (task >= TASK_CARRY && !collect_finish(&collect, NULL, &why))
        die(scratch, &why);
    out_dir_close(&outdir);
}

int main(int argc, char **argv)
{
    static const char *const titles[] = {
        [TASK_INDEX] = "lockstep: index",
        [TASK_LOAD] = "lockstep: index, all taken apart",
        [TASK_CARRY] = "lockstep: the same, and written as it was",
        [TASK_STOP] = "lockstep: the same, into the journal alone",
        [TASK_RESUME] = "lockstep: index, and a run that goes on",
        [TASK_REPRINT] = "lockstep: the same, every number printed",
    };

    if (argc != 3) {
        fprintf(stderr, "usage: bench_coco FILE SCRATCH\n");
        return 2;
    }
    for (size_t i = 0; i < COUNTOF(titles); i++) {
        struct bench_work work = { (enum task)i, argv[1], argv[2] };

        used(titles[i], do_work, &work);
    }
    return 0;
}
