/* fingerprint: what one record's outputs depend on. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/image/report.h"

/* A hash of the bytes of the record's elements, and of what its objects are called; 0 without
 * annotations. Where the elements stand in the text is no matter. */
uint64_t source_annotations(const struct dataset *, size_t record);
/* States of a record's image and mask, from best to worst. */
enum source_state {
    SOURCE_SAME,        /* by what the file system says */
    SOURCE_SAME_BYTES,  /* of another inode, which may be a copy; the bytes are the same */
    SOURCE_OTHER_BYTES, /* though their size and time are the same */
    SOURCE_CHANGED,
};
/* Compares them with the files of its key. */
enum source_state source_compare(const struct job *, size_t record, const struct source_key *);
/* True if they have the same bytes as the files of its key. */
bool source_has_files(const struct job *, size_t record, const struct source_key *);
/* When its image or its mask was last written, and when the inode of either last changed, whichever
 * was later: ns since the epoch. */
void source_times(const struct job *, size_t record, int64_t *mtime, int64_t *ctime);
