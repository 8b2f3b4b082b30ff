/* merge: the shards of a job, put together to the result that the job would have made in one
 * part. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/output/file_list.h"
#include "batch/output/out_handles.h"
#include "batch/output/tar_names.h"

/* What becomes of outputs that are in another folder than the result. */
enum merge_link {
    MERGE_HARD, /* they are files of both folders */
    MERGE_COPY,
    MERGE_MOVE, /* those of the other folder are removed once the result is complete */
};

struct merge_options {
    const char *const *from; /* OUTs with shards of one job, ended by NULL */
    const char *out;         /* where the result goes; NULL: it stays in the only one of them */
    enum merge_link link;
    int64_t max_errors; /* images that may have failed; negative: what the shards were told */
    bool lasting;       /* ask the disk to keep it */
};

/* What was put together. */
struct merged {
    struct totals totals;
    size_t n_shards;
    bool annotated; /* has the result annotations? */
    bool before;    /* it was finished already: there was nothing to do */
};

/* Put together the shards of a job; inputs are not read. Memory does not grow with the result:
 * about 64 MB for blocks of spools. It can be stopped at any point, and done again. The run's exit
 * code, or another one with faults added: then the shards are as they were. */
int merge_folders(const struct merge_options *, struct merged *, struct faults *);

/* --- for merge*.c --- */

struct shard_part;
struct spool_merge;

/* What `shards` is called once the result is in its place: the scratch is of no more use. */
#define MERGED "merged"

/* An OUT that has shards. */
struct merge_source {
    const char *path;
    struct outdir view; /* its lock is held unless the result stays there */
    size_t count;       /* of the job's shards; 0: it has none */
    uint64_t device, inode;
};

/* A merge in work. */
struct merging {
    const char *path; /* of the result */
    const struct merge_options *options;
    struct outdir *outdir;
    struct faults *faults;
    struct merge_source *source;
    size_t n_sources;
    /* Of each shard: one more than the number of the source that has it, and of one where it is not
     * done. */
    size_t *home, *started;
    size_t count;
    struct shard_part *first; /* shard 0's */
    struct totals totals;
    const char *files[N_OUT_FILES]; /* of OUT, in the order in which they get there */
    size_t n_files;
    struct packed packed; /* what outputs were packed into: before the files */
};

/* Add a fault; `code`. */
int merge_refuse(struct merging *, const char *path, int code, const char *code_word,
                 const char *why);
/* Take the code from the end of a reason; it is "" where there is none. */
const char *merge_take_code(struct merging *, struct text *why);
/* Open the OUT of a shard that has a home, with the shard's scratch. False with errno. */
bool merge_view(const struct merging *, size_t shard, struct outdir *);

/* Open the sources. EXIT_DONE, or the exit code with faults added. */
int merge_open(struct merging *);
void merge_close(struct merging *);
/* Find out which of them has which shard. The same. */
int merge_find(struct merging *);
/* See that all shards are done, and of one job. All that is wrong with any of them is added. */
int merge_read(struct merging *);

/* Refuses images that changed between the shards that read them, as their own or borrowed.
 * EXIT_DONE, or the exit code with faults added. */
int merge_check_sources(struct merging *);
/* Starts to read the spools of this name, in the order of shards. */
void merge_start_spools(const struct merging *, const char *name, struct spool_merge *);
/* False with a reason when one of the spools could not be read, or when a signal came. */
bool merge_end_spools(struct spool_merge *, struct text *why);

/* The result goes to a folder of its own. May it? With `finished` it is there already. EXIT_DONE,
 * or the exit code with faults added. */
int merge_inspect(struct merging *, bool *finished);
/* Make the folder, and take its lock. The same. */
int merge_begin(struct merging *);
/* Put all outputs into it. False with a reason; or when a signal came. */
bool merge_gather(struct merging *, struct text *why);
/* Remove it, or what a merge that was stopped has put there. */
void merge_abandon(struct merging *);
/* The result is complete: remove from the sources what is in it, too. False with a reason. */
bool merge_release(struct merging *, struct text *why);

/* Write all files of OUT to the scratch. False with a reason; or when a signal came. */
bool merge_write(struct merging *, struct text *why);
