/* merge: combines the shards of a job into the result that one run of the whole job would have
 * made. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/output/file_list.h"
#include "batch/output/out_handles.h"
#include "batch/output/tar_names.h"

/* How outputs get into a result in another folder. */
enum merge_link {
    MERGE_HARD, /* hard links: the files are in both folders */
    MERGE_COPY,
    MERGE_SYMBOLIC,
    MERGE_MOVE, /* files leave the other folder once the result is complete */
};

struct merge_options {
    const char *const *from; /* output folders with shards of one job; ends with NULL */
    const char *out;         /* folder of the result; NULL: the only one in `from` */
    enum merge_link link;
    int64_t max_errors; /* maximum number of failed images; negative: the limit of the shards */
    bool lasting;       /* sync the result to disk */
};

/* Describes the result. */
struct merge_result {
    struct totals totals;
    size_t n_shards;
    bool annotated; /* the result has annotations */
    bool before;    /* the result was complete already; nothing was done */
};

/* Merges the shards of a job; inputs are not read. Memory does not grow with the result: about 64
 * MB for blocks of spools. A merge can be stopped at any point and started again. Returns the exit
 * code of the run, or another one with faults added: then the shards are unchanged. */
int merge_folders(const struct merge_options *, struct merge_result *, struct faults *);

/* --- for merge*.c --- */

struct shard_part;
struct spool_merge;

/* New name of `shards` once the result is in place: the scratch is no longer needed. */
#define MERGED "merged"

/* An output folder with shards. */
struct merge_source {
    const char *path;
    struct out_dir view; /* locked, unless the result is in the same folder */
    size_t count;        /* number of shards of the job; 0: the folder has no shards */
    uint64_t device, inode;
};

/* The state of a merge. */
struct merge_state {
    const char *path; /* folder of the result */
    const struct merge_options *options;
    struct out_dir *outdir;
    struct faults *faults;
    struct merge_source *source;
    size_t n_sources;
    /* Per shard, the number of a source, counted from 1; 0: none. `home` has the finished shard,
     * `started` an unfinished one. */
    size_t *home, *started;
    size_t count;
    struct shard_part *first; /* part of shard 0 */
    struct totals totals;
    const char *const *files; /* files of OUT in the order of moving */
    size_t n_files;
    struct tar_names packed; /* the tars of packed outputs, listed before `files` */
};

/* Adds a fault and returns `code`. */
int merge_refuse(struct merge_state *, const char *path, int code, const char *code_word,
                 const char *why);
/* Removes the error code from the end of a reason and returns it; "" if there is none. */
const char *merge_take_code(struct merge_state *, struct text *why);
/* Opens the output folder of a shard whose `home` is known, with the scratch of the shard. Returns
 * false with errno. */
bool merge_view(const struct merge_state *, size_t shard, struct out_dir *);

/* Opens the sources. Returns EXIT_DONE, or another exit code with faults added. */
int merge_open(struct merge_state *);
void merge_close(struct merge_state *);
/* Finds the sources of each shard. Returns as merge_open does. */
int merge_find(struct merge_state *);
/* Checks that all shards are finished and belong to one job. Adds all faults of all shards. Returns
 * as merge_open does. */
int merge_read(struct merge_state *);

/* Adds a fault for each image that changed between the shards that read it, as their own or as a
 * donor. Returns EXIT_DONE, or another exit code with faults added. */
int merge_check_sources(struct merge_state *);
/* Starts to read the spools of this name, in the order of shards. */
void merge_start_spools(const struct merge_state *, const char *name, struct spool_merge *);
/* Ends reading. Returns false with a reason if a spool could not be read, or without one if a
 * signal arrived. */
bool merge_end_spools(struct spool_merge *, struct text *why);

/* Checks that the result may be written to the folder --out. Sets `finished` if the folder has the
 * result already. Returns EXIT_DONE, or another exit code with faults added. */
int merge_inspect(struct merge_state *, bool *finished);
/* Makes the folder of the result and locks it. Returns as merge_inspect does. */
int merge_begin(struct merge_state *);
/* Links, copies or moves all outputs into the folder. Returns false with a reason, or without one
 * if a signal arrived. */
bool merge_gather(struct merge_state *, struct text *why);
/* Removes what this merge has put into the folder, and the folder if it is then empty. */
void merge_abandon(struct merge_state *);
/* With --link move: removes from the sources what the complete result has. Returns false with a
 * reason. */
bool merge_release(struct merge_state *, struct text *why);

/* Writes all files of OUT to the scratch. Returns false with a reason, or without one if a signal
 * arrived. */
bool merge_write(struct merge_state *, struct text *why);
