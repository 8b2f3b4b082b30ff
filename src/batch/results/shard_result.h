/* shard_result: the files that a finished shard leaves in its scratch for a merge.
 *
 * There are four spools (spool.h), whose keys are places in the whole result: manifest lines, lines
 * of errors.jsonl, elements of images, and elements of objects. If images are borrowed, a fifth
 * spool has the images that the shard has read, sorted by the hashes of their names. The file
 * "part" has the format of a journal; the shard is done if it exists. It holds the counts and the
 * run's key, and in shard 0 everything else that the result contains. So a merge reads no input. */
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

/* Sum over the lines of a list of files, in any order. */
struct list_sum {
    uint64_t lines, hash;
};

/* Head of the file "part", equal on all machines of one byte order. */
struct part_head {
    uint64_t index, count;
    uint64_t done, skipped; /* records of the shard */
    struct counts counts;
    int64_t max_errors;                    /* as in struct job */
    uint64_t annotated;                    /* true: the result has annotations */
    uint64_t checksums;                    /* true: the result has SHA256SUMS */
    struct packing packing;                /* as in struct job */
    uint64_t dense;                        /* true: objects are numbered at the end */
    uint64_t borrows;                      /* true: there is a spool of the images that were read */
    uint64_t rejects, varies, trusts_file; /* see struct run_words */
    struct list_sum list;                  /* of the files that the shard has written */
};

/* Contents of a "part"; freed by part_drop. */
struct shard_part {
    struct part_head head;
    struct text key;
    struct run_words words; /* of shard 0, except its key */
    uint64_t files_at;      /* offset of the files in "part" of shard 0 */
};

/* Writes all files of the result; "part" gets its name from part_publish. Returns false with the
 * reason. */
bool part_write(struct collect *, struct slice journal, struct text *why);
/* Entry of the spool of images that were read; the image's name follows. */
struct part_source {
    uint64_t shard;
    uint64_t bytes; /* hash of the bytes of the image and its mask */
};
/* Writes the spool of images that were read. Returns false with errno. */
bool part_spool_sources(const struct collect *, struct slice journal);
/* Marks the shard as done. Returns false with errno. */
bool part_publish(struct out_dir *);
/* Marks the shard as not done. Returns false with errno. */
bool part_withdraw(struct out_dir *);

/* True if the folder's list, which is open, has not changed since the shard was finished. */
bool part_has_list(const struct shard_part *, struct out_dir *);

/* Reads the "part" in the scratch of a shard. Returns false with errno: ENOENT if the shard is not
 * done, EBADMSG if the file is damaged. Then there is nothing to drop. */
bool part_read(struct out_dir *, struct shard_part *);
void part_drop(struct shard_part *);

/* Pieces of a file of OUT, in the order in which they are written. */
enum part_piece {
    PART_TEXT = 10, /* literal text */
    /* The elements of images, and of objects, at the position of the list's contents; the bytes are
     * the name of their spool. */
    PART_RECORDS,
    PART_OBJECTS,
    PART_FILE, /* name of a file, before its pieces */
    PART_END,
    PART_LINES, /* the lines of the images, one after the other; the bytes as for PART_RECORDS */
};
/* Reads the piece at *at, which starts at `files_at`, and moves *at to the next. `file` is "part",
 * opened, and `room` holds the bytes. Returns false with errno. */
bool part_next(int file, uint64_t *at, struct text *room, enum part_piece *, struct slice *bytes);
