/* fingerprint: hashes and file states of the inputs that one record's outputs depend on. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/image/report.h"

/* Returns a hash of the bytes of the record's elements and of the ids of its objects; 0 without
 * annotations. The position of the elements in the annotation file does not matter. */
uint64_t source_annotations(const struct dataset *, size_t record);
/* States of a record's image and mask, from best to worst. */
enum source_state {
    SOURCE_SAME,        /* size, times and inode are the same */
    SOURCE_SAME_BYTES,  /* other inode or change time (a copy, perhaps), same bytes */
    SOURCE_OTHER_BYTES, /* other bytes, though size and time are the same */
    SOURCE_CHANGED,
};
/* Compares a record's image and mask with the files of its key. */
enum source_state source_compare(const struct job *, size_t record, const struct source_key *);
/* True if the image and the mask have the same bytes as the files of the key. */
bool source_has_files(const struct job *, size_t record, const struct source_key *);
/* Gets the time of the last write (mtime) and of the last inode change (ctime), in ns since the
 * epoch. Each is the later one of the image and the mask. */
void source_times(const struct job *, size_t record, int64_t *mtime, int64_t *ctime);
