/* test_image_job: one record and its outputs: which data is read, and how often. */
#include "batch/image/image_job.h"
#include "batch/io/folder.h"
#include "batch/image/report.h"
#include "unit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SAMPLES "samples/"

/* COCO, but for a load that counts. */
static struct format counting;
static size_t n_loads;

static bool load(const struct dataset *d, size_t record, const struct rules *rules,
                 struct sample *sample, struct faults *faults)
{
    n_loads++;
    return registry_format(d->text)->load(d, record, rules, sample, faults);
}

struct test_job {
    struct arena arena;
    struct text text;
    struct plan plan;
    struct dataset dataset;
    const char *images;
    struct job job;
};

static void open_text(const char *path, struct text *out)
{
    struct text why = { 0 };

    if (!CHECK(input_read_named(path, UINT64_MAX, out, &why)))
        fprintf(stderr, "%s: %s\n", path, text_string(&why));
    text_drop(&why);
}

/* Takes the text. */
static void open_dataset(struct test_job *o, const char *pipeline, unsigned copies,
                         const char *images, struct text *annotations)
{
    struct faults faults = { .name = "pipeline", .text = { pipeline, strlen(pipeline) } };

    *o = (struct test_job){
        .images = images,
        .job = { .naming.copies = copies, .run.jobs = 1, .images.max_pixels = 1 << 26 },
        .text = *annotations,
    };
    *annotations = (struct text){ 0 };
    o->job.images.roots = (struct roots){ .at = &o->images, .n = 1 };
    CHECK(plan_read(&faults, &o->plan));
    faults_drop(&faults);
    o->dataset = (struct dataset){ .arena = &o->arena,
                                   .file = "annotations.json",
                                   .text = { o->text.at, o->text.length } };
    o->dataset.format = registry_format(o->dataset.text);
    faults = (struct faults){ .name = "annotations.json", .text = o->dataset.text };
    CHECK(o->dataset.format->read(&faults, &o->dataset));
    faults_drop(&faults);
    counting = *o->dataset.format;
    counting.load = load;
    o->dataset.format = &counting;
    o->job.plan = &o->plan;
    o->job.dataset = &o->dataset;
    o->job.images.n_records = o->dataset.n_records;
}

static void open_job(struct test_job *o, const char *pipeline, unsigned copies)
{
    struct text annotations = { 0 };

    open_text(SAMPLES "annotations.json", &annotations);
    open_dataset(o, pipeline, copies, SAMPLES "images", &annotations);
}

static void close_job(struct test_job *o)
{
    plan_drop(&o->plan);
    arena_drop(&o->arena);
    text_drop(&o->text);
}

/* However many outputs a record has, and however often each is drawn. */
static void check_loads(const char *pipeline, unsigned copies, size_t outputs)
{
    struct test_job o;
    struct scratch scratch = { 0 };
    struct report report = { 0 };

    open_job(&o, pipeline, copies);
    for (size_t r = 0; r < o.job.images.n_records; r++) {
        n_loads = 0;
        record_run(&o.job, &scratch, r, true, &report);
        CHECK(report.outcome == OUTCOME_DONE);
        CHECK(n_loads == 1);
        CHECK(report.counts.outputs == outputs);
        CHECK(report.counts.objects_in == o.dataset.records[r].n_objects);
    }
    report_drop(&report);
    scratch_drop(&scratch);
    close_job(&o);
}

static void test_loads(void)
{
    check_loads(
        "{\"version\": 1, \"transforms\": [{\"type\": \"RandomCrop\", \"size\": [40, 40]}]}", 8, 8);
    check_loads("{\"version\": 1, \"annotations\": {\"reject_image_if\": {\"objects_lost\": true}},"
                "\"transforms\": [{\"type\": \"RandomCrop\", \"size\": [40, 40]}]}",
                3, 3);
    check_loads("{\"version\": 1, \"transforms\": [{\"type\": \"FiveCrop\", \"size\": 20}]}", 2,
                10);
}

enum { MANY = 50 };

/* Makes copies of one sample image under MANY names, each with polygons, a box and RLE. */
static void make_many(const char *folder, struct text *annotations)
{
    char path[PATH_MAX], *from = realpath(SAMPLES "images/fruit/0001.jpg", NULL);

    text_adds(annotations, "{\"images\": [");
    for (int i = 1; i <= MANY; i++) {
        text_addf(annotations,
                  "%s{\"id\": %d, \"file_name\": \"%d.jpg\", \"width\": 427, \"height\": 640}",
                  i > 1 ? "," : "", i, i);
        snprintf(path, sizeof path, "%s/%d.jpg", folder, i);
        CHECK(from && symlink(from, path) == 0);
    }
    text_adds(annotations, "], \"categories\": [{\"id\": 1, \"name\": \"a\"}], \"annotations\": [");
    for (int i = 0; i < 3 * MANY; i++) {
        text_addf(annotations, "%s{\"id\": %d, \"image_id\": %d, \"category_id\": 1, ",
                  i ? "," : "", i + 1, i / 3 + 1);
        text_adds(annotations, i % 3 == 0 ? "\"bbox\": [20, 30, 90, 80], \"area\": 7200}"
                               : i % 3 == 1
                                   ? "\"bbox\": [10, 10, 200, 300], \"area\": 30000, "
                                     "\"segmentation\": [[10, 10, 210, 10, 10, 310]]}"
                                   : "\"iscrowd\": 1, \"bbox\": [0, 0, 2, 320], \"area\": 640, "
                                     "\"segmentation\": {\"size\": [640, 427], "
                                     "\"counts\": [0, 320, 320, 320, 272320]}}");
    }
    text_adds(annotations, "]}");
    free(from);
}

static void remove_many(const char *folder)
{
    char path[PATH_MAX];

    for (int i = 1; i <= MANY; i++) {
        snprintf(path, sizeof path, "%s/%d.jpg", folder, i);
        CHECK(unlink(path) == 0);
    }
    CHECK(rmdir(folder) == 0);
}

/* All records use one scratch, as with `-n 8`: no image's objects are read for another, nor twice.
 */
static void test_many(void)
{
    char folder[] = "/tmp/lockstep-record.XXXXXX";
    struct test_job o;
    struct scratch scratch = { 0 };
    struct report report = { 0 };
    struct text annotations = { 0 };

    if (!CHECK(mkdtemp(folder)))
        return;
    make_many(folder, &annotations);
    open_dataset(&o,
                 "{\"version\": 1, \"transforms\": [{\"type\": \"RandomCrop\", \"size\": 300}, "
                 "{\"type\": \"RandomHorizontalFlip\"}]}",
                 8, folder, &annotations);
    CHECK(o.job.images.n_records == MANY);
    n_loads = 0;
    for (size_t r = 0; r < o.job.images.n_records; r++) {
        record_run(&o.job, &scratch, r, true, &report);
        CHECK(report.outcome == OUTCOME_DONE);
        CHECK(report.counts.outputs == 8 && report.counts.objects_in == 3);
        CHECK(n_loads == r + 1);
    }
    report_drop(&report);
    scratch_drop(&scratch);
    close_job(&o);
    remove_many(folder);
}

/* A sum over all that a step may move. */
static double sum_of(const struct object *o, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++, o++) {
        sum += o->bbox.x0 + (o->rle.n > 1 ? o->rle.run[1] : 0);
        sum += o->outline.n ? o->outline.at[0].x : 0;
        sum += o->rings.n ? o->rings.ring[0].at[0].x : 0;
        for (size_t k = 0; k < o->n_keypoints; k++)
            sum += o->keypoints[k].at.x + (double)k * o->keypoints[k].visibility;
        sum += sum_of(o->parts, o->n_parts);
    }
    return sum;
}

/* A change that a step makes to one copy does not affect the next. */
static void test_copies(void)
{
    struct test_job o;
    struct scratch scratch = { 0 };
    struct report report = { 0 };
    struct pending_output out;

    open_job(&o, "{\"version\": 1, \"transforms\": [{\"type\": \"horizontal_flip\"}]}", 3);
    for (size_t r = 0; r < o.job.images.n_records; r++) {
        struct work *work = record_begin(&o.job, &scratch, r, true, &report);
        double first = 0;

        while (record_next(work, &out)) {
            double sum = sum_of(out.sample->objects, out.sample->n_objects);

            first = out.k ? first : sum;
            CHECK(sum == first);
        }
        record_end(work);
    }
    report_drop(&report);
    scratch_drop(&scratch);
    close_job(&o);
}

/* Outputs one by one are those of the whole. */
static void test_outputs(void)
{
    struct test_job o;
    struct scratch scratch = { 0 };
    struct report report = { 0 };
    struct pending_output out;
    struct work *work;
    unsigned n = 0;

    open_job(&o, "{\"version\": 1, \"transforms\": [{\"type\": \"RandomHorizontalFlip\"}]}", 4);
    work = record_begin(&o.job, &scratch, 0, true, &report);
    while (record_next(work, &out)) {
        CHECK(out.k == n++);
        CHECK(out.sample->n_objects == o.dataset.records[0].n_objects);
    }
    record_end(work);
    CHECK(n == 4 && report.outcome == OUTCOME_DONE);
    /* Where a record fails there is none. */
    o.images = "no such folder";
    work = record_begin(&o.job, &scratch, 0, true, &report);
    CHECK(!record_next(work, &out));
    record_end(work);
    CHECK(report.outcome == OUTCOME_INPUT && report.why.length);
    report_drop(&report);
    scratch_drop(&scratch);
    close_job(&o);
}

static bool is_text(struct slice a, const struct text *b)
{
    return a.length == b->length && memcmp(a.at, text_string(b), a.length) == 0;
}

/* A packed report is read back; truncated or longer data is refused. */
static void test_pack(void)
{
    struct report r = {
        .outcome = OUTCOME_CRASHED,
        .counts = { .outputs = 2, .remarked[REMARK_INKS] = 3, .losses.keypoints = 4 },
        .source = { { .size = 3, .mtime = -4 }, { .size = 5, .mtime = 6 }, 7, 0 },
        .objects_at = 99
    };
    struct report_view back;
    struct text packed = { 0 };
    struct written_file file;
    size_t at = 0;

    text_adds(&r.why, "why");
    text_adds(&r.manifest, "{}\n{}\n");
    text_adds(&r.objects, "object");
    text_add(&r.object_pieces, "\0\1\2", 3);
    report_add_file(&r, "images/a b.png", "bytes", 5);
    report_add_file(&r, "images/c", "", 0);
    report_pack(&r, &packed);
    CHECK(report_view((struct slice){ packed.at, packed.length }, &back));
    CHECK(back.outcome == r.outcome && back.objects_at == 99 && back.objects_length == 6);
    CHECK(memcmp(&back.counts, &r.counts, sizeof r.counts) == 0);
    CHECK(memcmp(&back.source, &r.source, sizeof r.source) == 0);
    CHECK(is_text(back.why, &r.why) && is_text(back.manifest, &r.manifest) &&
          is_text(back.object_pieces, &r.object_pieces) && !back.records.length);
    CHECK(report_next_file(back.files, &at, &file) && file.size == 5 && file.hash);
    CHECK(file.name.length == 14 && memcmp(file.name.at, "images/a b.png", 14) == 0);
    CHECK(report_next_file(back.files, &at, &file) && file.size == 0);
    CHECK(!report_next_file(back.files, &at, &file));
    for (size_t n = 0; n < packed.length; n++)
        CHECK(!report_view((struct slice){ packed.at, n }, &back));
    text_addc(&packed, 'x');
    CHECK(!report_view((struct slice){ packed.at, packed.length }, &back));
    report_drop(&r);
    text_drop(&packed);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_loads), TEST(test_many), TEST(test_copies), TEST(test_outputs), TEST(test_pack),
    };

    return unit_main(tests, COUNTOF(tests));
}
