/* job: the settings of a run, and the mapping from records to outputs.
 *
 * The settings of higher modules (output/, run/) are structs in this module, since the job contains
 * all of them. */
#pragma once

#include "labels/shared/combination.h"
#include "plan/render.h"
#include "batch/dataset/dataset_choice.h"
#include "batch/dataset/output_settings.h"
#include "batch/dataset/run_settings.h"

extern const struct choice file_link_choices[]; /* enum link_how */

struct donor_table;
struct replay;

/* All members are set and checked before the first worker is forked, and are constant afterwards.
 */
struct job {
    const struct plan *plan;
    const struct dataset *dataset;
    const struct donor_table *donors; /* images that a plan with join steps may borrow */
    const struct replay *replay;      /* recorded lines to repeat (recorded_steps.h); NULL: none */
    uint64_t link; /* run_key_link of the job's key, which each line of the manifest contains */
    struct dataset_choice images;
    struct naming naming;
    struct output_settings output;
    struct run_settings run;
};

/* Returns the maximum number of outputs of any record. */
unsigned job_fan_out(const struct job *);
/* Returns the maximum number of outputs of a record: the original, if included, and the copies,
 * each in all branches. Output k belongs to copy k / plan->fan_out and branch k % plan->fan_out. A
 * draw without a branch makes no output for the missing branch. */
unsigned record_fan_out(const struct job *, size_t record);
/* Returns the number of outputs that the record really has, at most its fan-out. With --balance,
 * ids and names are made for the largest number of copies. */
unsigned record_n_outputs(const struct job *, size_t record);
/* True if the record is not transformed: its file is its only output. */
bool record_is_passed(const struct job *, size_t record);
/* True if OUT gets the image of the record: not with LINK_NONE, if it is passed. */
bool record_has_file(const struct job *, size_t record);
/* True if the objects of the record's outputs are numbered again. */
static inline bool record_is_numbered(const struct job *job, size_t record)
{
    return job->naming.renumbers || (job->plan->joins && !record_is_passed(job, record));
}
/* True if some records are transformed; true if some are passed. */
bool job_has_transformed(const struct job *);
bool job_has_passed(const struct job *);

/* Returns the folder of a record of the dataset. */
static inline const char *job_root(const struct job *job, size_t record)
{
    return job->images.roots.at[job->images.roots.of ? job->images.roots.of[record] : 0];
}

/* True if images have label masks; with a combined dataset, some may have none. */
static inline bool job_has_masks(const struct job *job)
{
    return job->images.masks.n;
}

/* Returns the folder of the masks that a record of the dataset belongs to. The job has masks. */
static inline const char *job_mask_root(const struct job *job, size_t record)
{
    return job->images.masks.at[job->images.masks.of ? job->images.masks.of[record] : 0];
}

/* Returns the name of its image below that folder. */
static inline const char *job_file(const struct job *job, size_t record)
{
    return combination_own_record(job->dataset, record)->name;
}

/* Returns the index in the dataset of the job's i-th record. */
static inline size_t job_record(const struct job *job, size_t i)
{
    return job->images.chosen ? job->images.chosen[i] : i;
}

/* Restricts a whole job to the records of one shard. */
void job_take_shard(struct job *, struct shard);
/* Returns the job as it was before job_take_shard; a whole job is returned unchanged. */
struct job job_whole(const struct job *);

/* Returns the number of the job's records that come before this record of the dataset. */
size_t job_records_before(const struct job *, size_t record);
/* True if the record of the dataset belongs to the job. */
bool job_has_record(const struct job *, size_t record);
/* Returns the id of output k of a record. A string id stays a string if a record has one output. */
static inline int64_t job_image_id(const struct job *job, size_t record, unsigned k)
{
    unsigned fan_out = record_fan_out(job, record);
    int64_t id = job->naming.renumbers ? (int64_t)record + 1 : job->dataset->records[record].id;

    return fan_out > 1 ? id_number(id, record) * fan_out + k : id;
}

/* Returns the source text of a record's id if the id is a string; otherwise `at` is NULL. */
struct slice source_id_text(const struct dataset *, size_t record);
/* Appends the id of a record or of its output: the source text of a string id, or the number. */
void source_print_id(const struct dataset *, size_t record, int64_t id, struct text *);

/* True if the ids of the job's images are strings. */
static inline bool job_has_text_ids(const struct job *job)
{
    return job->dataset->n_records && id_is_text(job->dataset->records[0].id);
}

/* True if the masks are the objects themselves, in the annotations' format. */
static inline bool job_has_segments(const struct job *job)
{
    return job->dataset->format && job->dataset->format->paint;
}

/* Returns the id of an output's object if objects are renumbered. `place` is its index among the
 * objects that the output keeps; for dense ids, among the objects of all outputs. */
static inline int64_t job_object_id(const struct job *job, int64_t image, size_t place)
{
    const struct rules *rules = &job->plan->rules;

    if (job_has_segments(job))
        return (int64_t)place + 1;
    return (rules->ids == IDS_DENSE ? 0 : image * rules->ids_per_image) + (int64_t)place + 1;
}

/* True if objects are numbered after all images are done. Segment ids are unique within one image
 * only, and need no such numbering. */
static inline bool job_numbers_densely(const struct job *job)
{
    return (job->plan->joins || job->naming.renumbers) && job->plan->rules.ids == IDS_DENSE &&
           !job_has_segments(job);
}

/* Returns the id rule (enum id_rule) that IDS_AUTO means for the job's plan and dataset, or the
 * rule that the plan states. If IDS_AUTO means IDS_DENSE, `why` gets the reason. */
int job_choose_ids(const struct job *, struct text *why);
/* True if ids by image do not overflow for any record of the dataset; otherwise `why` gets the
 * reason. All shards and selections of a job get the same answer. */
bool job_has_room_by_image(const struct job *, struct text *why);

/* True if annotations list the images; false if a folder does. */
static inline bool job_has_named_images(const struct job *job)
{
    return job->dataset->format && !job->dataset->format->suffix;
}
