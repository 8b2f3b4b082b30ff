/* job: what `run` was asked to do, and what a record of it becomes. */
#pragma once

#include "plan/render.h"
#include "batch/io/root.h"
#include "batch/dataset/shard_spec.h"

struct choice_of_images;
struct donor_table;
struct outdir;
struct passed;
struct replay;
struct sandbox;
struct vouched;

enum on_error { ON_ERROR_FAIL, ON_ERROR_SKIP };
/* Which size counts where annotations and file say different ones. */
enum trust { TRUST_BOTH, TRUST_FILE };
extern const struct choice trust_choices[];
/* What images of several frames or pages mean. */
enum on_frames { ON_FRAMES_FIRST, ON_FRAMES_FAIL };
extern const struct choice on_frames_choices[];
/* When outputs are made to outlast a crash of the machine. */
enum durability { DURABILITY_NONE, DURABILITY_BATCH, DURABILITY_FILE };
enum progress { PROGRESS_AUTO, PROGRESS_BAR, PROGRESS_PLAIN, PROGRESS_NONE };

/* The folders of the images: each --images. Names of records are relative to theirs. */
struct roots {
    const char *const *at;
    size_t n;
    const uint8_t *of; /* of each record of the dataset; NULL: all are below the first */
};
enum { MOST_ROOTS = 255 };

/* When a tar of outputs is full; all zero: outputs stay files. See pack.h. */
struct packing {
    uint64_t most_samples, most_bytes;
};

/* Everything is decided and checked before the first worker is forked, and const after. */
struct job {
    const struct plan *plan;
    const struct dataset *dataset;
    struct roots roots;
    const char *masks, *out; /* folders; masks may be NULL, and out where nothing is written */
    struct outdir *outdir;   /* `out` opened; NULL as long as nothing is written */
    enum links links;
    const struct donor_table *donors; /* what a plan that joins may borrow */
    struct passed *passed;            /* takes what of `images` is not taken; NULL: nobody asks */
    const char *strip_prefix;         /* of names in the annotations; "" or NULL: nothing */
    int match;                        /* enum match: which part of these names counts */
    const char *mask_name;     /* template (name_template.h); "" or NULL: the image's, as .png */
    const char *name_template; /* the same of an output's, without its suffix */
    unsigned copies;
    bool include_original;
    size_t n_records; /* that are done */
    /* Which ones, in the dataset's order; NULL: the first ones. See select_images.h. */
    const size_t *chosen;
    /* Of a job in parts: which one does the records above, of `n_planned` that `planned` numbers as
     * `chosen` does. Names, ids, donors and the run's key are those of all parts. */
    struct shard shard;
    const size_t *planned;
    size_t n_planned;
    const struct choice_of_images *choice; /* what chose them; NULL: nothing did */
    uint64_t link; /* run_key_link of its key: each line of the manifest has it */
    const struct replay
        *replay; /* recorded lines that are done again; NULL: draw all (recorded_steps.h) */
    struct packing packing; /* of what is written */
    bool checksums;         /* the manifest has the SHA-256 of files, and OUT has SHA256SUMS */
    bool compares;          /* files are made and not written, but listed in reports */
    int jobs;
    int on_error;              /* enum on_error */
    int64_t max_errors;        /* images that may fail with ON_ERROR_SKIP; negative: any number */
    int64_t timeout;           /* ms that an image may take; 0: as long as it wants */
    uint64_t max_memory;       /* bytes that a worker may take; 0: as much as there is */
    int trust;                 /* enum trust */
    int on_frames;             /* enum on_frames */
    int durability;            /* enum durability */
    int sandbox;               /* enum sandbox_mode: how far processes that decode are contained */
    struct sandbox *contained; /* of such processes; NULL: none */
    bool resume;               /* go on with what `out` holds: see resume.h */
    const struct vouched *vouched; /* images that need no look before work; NULL: none */
    bool verify_resume; /* read the files that are kept, and compare them with their hashes */
    int progress;       /* enum progress */
    int verbosity;      /* -1 quiet, 0, 1 verbose */
    size_t max_pixels;  /* of one image */
};

/* Outputs of one record at most: copies, and the original before them, each in all its branches.
 * Output k is of copy k / plan->fan_out and branch k % plan->fan_out; what a draw has no branch for
 * does not come to be. */
static inline unsigned job_fan_out(const struct job *job)
{
    return (job->copies + job->include_original) * job->plan->fan_out;
}

/* The folder that a record of the dataset is below. */
static inline const char *job_root(const struct job *job, size_t record)
{
    return job->roots.at[job->roots.of ? job->roots.of[record] : 0];
}

/* The dataset's number of the i-th record that is done. */
static inline size_t job_record(const struct job *job, size_t i)
{
    return job->chosen ? job->chosen[i] : i;
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
