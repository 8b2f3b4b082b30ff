/* job: the records of a job, its shards, and the ids of its outputs. */
#include "batch/dataset/job.h"

#include "batch/dataset/balance.h"

#include <string.h>

const struct choice trust_choices[] = {
    { "both", TRUST_BOTH, "both sizes must agree; otherwise the image fails" },
    { "file", TRUST_FILE,
      "the size of the file is used: labels are pixels of the file, and its size is written. RLE "
      "masks of another size still fail their image" },
    { 0 },
};

const struct choice on_frames_choices[] = {
    { "first", ON_FRAMES_FIRST,
      "the first one is read, and the number of images with more frames is reported" },
    { "fail", ON_FRAMES_FAIL, "the image fails" },
    { 0 },
};

const struct choice file_link_choices[] = {
    { "copy", LINK_COPY, "copies: OUT does not depend on the source" },
    { "hard", LINK_HARD,
      "hard links, on the same file system. A program that writes to an image in place changes the "
      "source, too" },
    { "symbolic", LINK_SYMBOLIC, "symbolic links to the source" },
    { "none", LINK_NONE, "no files: OUT has labels only" },
    { 0 },
};

static unsigned fan_out_of(const struct job *job, unsigned copies)
{
    return (copies + job->naming.include_original) * job->plan->fan_out;
}

static const struct part_settings *settings_of(const struct job *job, size_t record)
{
    const struct combination *c = job->dataset->combination;

    return job->naming.parts && c
               ? &job->naming.parts[combination_part_of(job->dataset, record) - c->at]
               : NULL;
}

bool record_is_passed(const struct job *job, size_t record)
{
    const struct part_settings *s = settings_of(job, record);

    return s && s->passed;
}

unsigned record_n_outputs(const struct job *job, size_t record)
{
    return job->naming.balance && !record_is_passed(job, record)
               ? fan_out_of(job, job->naming.balance->copies[record])
               : record_fan_out(job, record);
}

bool record_has_file(const struct job *job, size_t record)
{
    return job->output.link != LINK_NONE || !record_is_passed(job, record);
}

unsigned record_fan_out(const struct job *job, size_t record)
{
    const struct part_settings *s = settings_of(job, record);

    return s && s->passed ? 1 : fan_out_of(job, s ? s->copies : job->naming.copies);
}

unsigned job_fan_out(const struct job *job)
{
    const struct combination *c = job->dataset->combination;
    unsigned max = 1;

    if (!job->naming.parts || !c)
        return fan_out_of(job, job->naming.copies);
    for (size_t i = 0; i < c->n; i++) {
        const struct part_settings *s = &job->naming.parts[i];
        unsigned own = s->passed ? 1 : fan_out_of(job, s->copies);

        max = own > max ? own : max;
    }
    return max;
}

static bool has_part(const struct job *job, bool passed)
{
    const struct combination *c = job->dataset->combination;

    if (!job->naming.parts || !c)
        return !passed;
    for (size_t i = 0; i < c->n; i++)
        if (job->naming.parts[i].passed == passed)
            return true;
    return false;
}

bool job_has_transformed(const struct job *job)
{
    return has_part(job, false);
}

bool job_has_passed(const struct job *job)
{
    return has_part(job, true);
}

size_t job_records_before(const struct job *job, size_t record)
{
    size_t low = 0, high = job->images.n_records;

    if (!job->images.chosen)
        return record < high ? record : high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (job->images.chosen[middle] < record)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool job_has_record(const struct job *job, size_t record)
{
    size_t i = job_records_before(job, record);

    return i < job->images.n_records && job_record(job, i) == record;
}

void job_take_shard(struct job *job, struct shard shard)
{
    const struct dataset *d = job->dataset;
    size_t *mine = ARENA_ARRAY(d->arena, size_t, job->images.n_records + 1), n = 0;

    for (size_t i = 0; i < job->images.n_records; i++) {
        size_t record = job_record(job, i);

        if (shard_contains(&shard, d->records[record].name))
            mine[n++] = record;
    }
    job->images.shard = shard;
    job->images.planned = job->images.chosen;
    job->images.n_planned = job->images.n_records;
    job->images.chosen = mine;
    job->images.n_records = n;
}

struct job job_whole(const struct job *job)
{
    struct job whole = *job;

    if (job->images.shard.count) {
        whole.images.shard = (struct shard){ 0, 0 };
        whole.images.chosen = job->images.planned;
        whole.images.n_records = job->images.n_planned;
    }
    return whole;
}

bool job_has_room_by_image(const struct job *job, struct text *why)
{
    int64_t per_image = job->plan->rules.ids_per_image, largest = 0, most = ((int64_t)1 << 53) - 1;
    size_t objects = 0, images = job->plan->images;

    if (job_has_text_ids(job)) {
        text_adds(why, "the ids of images are strings");
        return false;
    }
    for (size_t r = 0; r < job->dataset->n_records; r++) {
        const struct record *record = &job->dataset->records[r];
        int64_t size = record->id < 0 ? -record->id : record->id;

        largest = size > largest ? size : largest;
        objects = record->n_objects > objects ? record->n_objects : objects;
    }
    if (largest > (most / per_image - 1) / job_fan_out(job) - 1)
        text_addf(why,
                  "image ids up to %lld times %u outputs per image times %lld annotations "
                  "(annotations.ids_per_image) would exceed 2^53",
                  (long long)largest, job_fan_out(job), (long long)per_image);
    else if (objects * images > (size_t)per_image)
        text_addf(why,
                  "%zu images of up to %zu annotations may be joined, more than "
                  "annotations.ids_per_image, %lld",
                  images, objects, (long long)per_image);
    return !why->length;
}

int job_choose_ids(const struct job *job, struct text *why)
{
    int ids = job->plan->rules.ids;

    if (ids != IDS_AUTO)
        return ids;
    return !job->plan->joins || job_has_segments(job) || job_has_room_by_image(job, why)
               ? IDS_BY_IMAGE
               : IDS_DENSE;
}

struct slice source_id_text(const struct dataset *d, size_t record)
{
    struct slice none = { 0 };

    return id_is_text(d->records[record].id) ? pick_again(d->format->find_record(d, record), "id")
                                             : none;
}

void source_print_id(const struct dataset *d, size_t record, int64_t id, struct text *out)
{
    struct slice text = source_id_text(d, record);

    if (id_is_text(id))
        text_add(out, text.at, text.length);
    else
        text_add_integer(out, id);
}
