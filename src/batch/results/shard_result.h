/* shard_result: what a shard that is done leaves in its scratch for a merge.
 *
 * Four spools (spool.h), whose keys are places in the whole result: lines of the manifest, lines of
 * errors.jsonl, elements of images and of objects. Where images are borrowed, a fifth one has the
 * images that the shard has read, in the order of hashes of their names. The file "part" is a
 * journal: the shard is done if it is there. It has the counts, the run's key, and in shard 0 all
 * else that the result has. So a merge reads no input. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/output/out_handles.h"
#include "batch/results/run_json_write.h"
#include "batch/image/report.h"

#define PART "part"
#define SPOOL_MANIFEST "manifest.spool"
#define SPOOL_ERRORS "errors.spool"
#define SPOOL_RECORDS "records.spool"
#define SPOOL_OBJECTS "objects.spool"
#define SPOOL_SOURCES "sources.spool"

/* A sum over the whole lines of a list of files, in any order. */
struct list_sum {
    uint64_t lines, hash;
};

/* Equal on all machines of one byte order. */
struct part_head {
    uint64_t index, count;
    uint64_t done, skipped; /* records of the shard */
    struct counts counts;
    int64_t max_errors;                    /* as in struct job */
    uint64_t annotated;                    /* has the result annotations? */
    uint64_t checksums;                    /* has it SHA256SUMS? */
    struct packing packing;                /* as in struct job */
    uint64_t dense;                        /* are objects numbered at the end? */
    uint64_t borrows;                      /* is there a spool of the images that were read? */
    uint64_t rejects, varies, trusts_file; /* see struct run_words */
    struct list_sum list;                  /* of the files that the shard has written */
};

/* A part that was read; part_drop. */
struct shard_part {
    struct part_head head;
    struct text key;
    struct run_words words; /* of shard 0, but for its key */
    uint64_t files_at;      /* where the files begin, in "part" of shard 0 */
};

/* Write all of it, but for the name that says so. False with a reason. */
bool part_write(struct collect *, struct slice journal, struct text *why);
/* Entries of the spool of images that were read begin with this; the image's name follows. */
struct part_source {
    uint64_t shard;
    uint64_t bytes; /* a hash of those of the image and its mask */
};
/* Writes that spool. False with errno. */
bool part_spool_sources(const struct collect *, struct slice journal);
/* The shard is done. False with errno. */
bool part_publish(struct outdir *);
/* The shard is not done any more. False with errno. */
bool part_withdraw(struct outdir *);

/* True if the folder's list, which is open, is as the shard has left it. */
bool part_has_list(const struct shard_part *, struct outdir *);

/* Read that of the folder's scratch, a shard's. False with errno: ENOENT when the shard is not
 * done, EBADMSG when it is damaged; then there is nothing to drop. */
bool part_read(struct outdir *, struct shard_part *);
void part_drop(struct shard_part *);

/* What a file of OUT consists of, one behind the other. */
enum part_piece {
    PART_TEXT = 10, /* as it stands */
    PART_RECORDS,   /* the elements of images, in the place of the list's contents */
    PART_OBJECTS,
    PART_FILE, /* its name, before its pieces */
    PART_END,
    PART_LINES, /* what the images have, one behind the other */
};
/* The next piece of files from *at on, at first `files_at`; `file` is "part", opened, and `room`
 * holds the bytes. False with errno. */
bool part_next(int file, uint64_t *at, struct text *room, enum part_piece *, struct slice *bytes);
