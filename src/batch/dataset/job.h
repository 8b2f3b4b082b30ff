/* job: what `run` was asked to do, and what a record of it becomes.
 *
 * The settings of higher modules (output/, run/) are structs in this module, since the job has them
 * all. */
#pragma once

#include "plan/render.h"
#include "batch/dataset/dataset_choice.h"
#include "batch/dataset/output_settings.h"
#include "batch/dataset/run_settings.h"

struct donor_table;
struct replay;

/* Everything is decided and checked before the first worker is forked, and const after. */
struct job {
    const struct plan *plan;
    const struct dataset *dataset;
    const struct donor_table *donors; /* what a plan that joins may borrow */
    const struct replay
        *replay;   /* recorded lines that are repeated (recorded_steps.h); NULL: none */
    uint64_t link; /* run_key_link of its key: each line of the manifest has it */
    struct dataset_choice images;
    struct naming naming;
    struct output_settings output;
    struct run_settings run;
};

/* Outputs of one record at most: copies, and the original before them, each in all its branches.
 * Output k is of copy k / plan->fan_out and branch k % plan->fan_out; what a draw has no branch for
 * does not come to be. */
static inline unsigned job_fan_out(const struct job *job)
{
    return (job->naming.copies + job->naming.include_original) * job->plan->fan_out;
}

/* The folder that a record of the dataset is below. */
static inline const char *job_root(const struct job *job, size_t record)
{
    return job->images.roots.at[job->images.roots.of ? job->images.roots.of[record] : 0];
}

/* The dataset's number of the i-th record that is done. */
static inline size_t job_record(const struct job *job, size_t i)
{
    return job->images.chosen ? job->images.chosen[i] : i;
}

/* Of a job that is whole: do only the records that are the shard's. */
void job_take_shard(struct job *, struct shard);
/* The whole of which the job is a part, as it was before job_take_shard; else the job itself. */
struct job job_whole(const struct job *);

/* How many of the job's records come before this one of the dataset. */
size_t job_records_before(const struct job *, size_t record);
/* Is the dataset's record one of the job's? */
bool job_has_record(const struct job *, size_t record);
/* The id of output k of a record. A text stays one where there is one output. */
static inline int64_t job_image_id(const struct job *job, size_t record, unsigned k)
{
    unsigned fan_out = job_fan_out(job);
    int64_t id = job->dataset->records[record].id;

    return fan_out > 1 ? id_number(id, record) * fan_out + k : id;
}

/* Returns the source text of the id of a record if the id is a string; otherwise `at` is NULL. */
struct slice source_id_text(const struct dataset *, size_t record);
/* Appends the id of a record or of its output: that text, or a number. */
void source_print_id(const struct dataset *, size_t record, int64_t id, struct text *);

/* True if the ids of its images are strings. */
static inline bool job_has_text_ids(const struct job *job)
{
    return job->dataset->n_records && id_is_text(job->dataset->records[0].id);
}

/* Are its masks the objects themselves, as the annotations' format has it? */
static inline bool job_has_segments(const struct job *job)
{
    return job->dataset->format && job->dataset->format->paint;
}

/* The id of the object at this place among those of an output that stay, where objects are numbered
 * again; of dense ids only when all are known. */
static inline int64_t job_object_id(const struct job *job, int64_t image, size_t place)
{
    const struct rules *rules = &job->plan->rules;

    if (job_has_segments(job))
        return (int64_t)place + 1;
    return (rules->ids == IDS_DENSE ? 0 : image * rules->ids_per_image) + (int64_t)place + 1;
}

/* Are its objects numbered when all images are done? Ids of segments are those of one image. */
static inline bool job_numbers_densely(const struct job *job)
{
    return job->plan->joins && job->plan->rules.ids == IDS_DENSE && !job_has_segments(job);
}

/* Returns the rule (enum id_rule) that IDS_AUTO becomes for the job's plan and dataset, or the rule
 * that the plan states. If IDS_AUTO becomes IDS_DENSE, `why` gets the reason. */
int job_choose_ids(const struct job *, struct text *why);
/* True if ids by image fit for all records of the dataset; otherwise `why` gets the reason. Each
 * part of a job and each choice of images gives the same answer. */
bool job_has_room_by_image(const struct job *, struct text *why);

/* Are its images those that annotations name? Else they are a folder's. */
static inline bool job_has_named_images(const struct job *job)
{
    return job->dataset->format && !job->dataset->format->suffix;
}
