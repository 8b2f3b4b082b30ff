/* journal: a file of records with checksums. One process appends to it, and a later process
 * continues after its longest valid prefix. The functions here do not know the contents of records;
 * spools and the file "part" of a shard use them too.
 *
 *     OUT/.lockstep/journal, or OUT/.lockstep/shards/I-of-N/journal for a shard:
 *
 *       "lockstep journal 2\n"
 *       JOURNAL_KEY       the run's key (run_key.h)
 *       JOURNAL_SESSION   the start of a run; one more each time the run is resumed (session.h)
 *       JOURNAL_ENTRY     an image and its report (entry.h), in the order in which images finish
 *       JOURNAL_VOID      an image that must be processed again
 *       JOURNAL_MARK      the offset up to which everything is on the disk
 *       ...
 *
 *     record: sum u64 | length u64 | kind u32 | zero u32 | payload of `length` bytes
 *
 * `sum` covers the rest of the record. Numbers have the machine's byte order.
 *
 * Invariants:
 *
 * 1. The state is the longest prefix of records with correct sums. Bytes after it are ignored, and
 *    cut off when a run resumes.
 * 2. One process appends, each record by one write. A write that fails is cut off; only a process
 *    that is killed leaves a partial record, and only at the end.
 * 3. The first record is the key. A run resumes only if its key is equal, except that the dataset
 *    may differ.
 * 4. The last JOURNAL_ENTRY or JOURNAL_VOID of an image's name decides.
 * 5. The entry of a finished image is appended after its outputs have their names and lines in
 *    OUT/.lockstep/written, and after its objects are in OUT/.lockstep/objects.
 * 6. A mark is appended after the file system was synchronized. After a crash of the machine, a run
 *    with --durability batch trusts the journal up to the last mark only (session_end). With
 *    --durability file, each entry is on the disk before its image counts as finished. */
#pragma once

#include "base/text.h"

/* All zero: closed. */
struct journal {
    int file; /* descriptor + 1 */
    uint64_t end;
};

/* States of a journal, as journal_state finds them. */
enum journal_state {
    JOURNAL_GOOD,
    JOURNAL_NONE,  /* the first line is incomplete: the process was killed while starting */
    JOURNAL_OTHER, /* of another version, or not a journal */
};

/* Starts a journal in an empty file and takes over the descriptor `file`. Returns false with errno.
 */
bool journal_start(struct journal *, int file);
/* Appends a record. Returns false with errno; then the journal is unchanged. */
bool journal_append(struct journal *, uint32_t kind, struct slice payload);
void journal_close(struct journal *);

/* Record of the journal; the payload points into the journal's bytes. */
struct journal_record {
    uint32_t kind;
    uint64_t at, end; /* the record's offsets; the next record starts at `end` */
    struct slice payload;
};
/* Returns the state of a journal: JOURNAL_GOOD if this version can read it. */
enum journal_state journal_state(struct slice bytes);
/* Reads the record at *at, which is 0 for the first, and moves *at to its end. Returns false at the
 * end of the valid prefix; then *at is the end of the prefix. */
bool journal_next(struct slice bytes, uint64_t *at, struct journal_record *);
/* Reads the record at *at from an open file; only this record is read, to `room` (replaced).
 * Returns false at the end of the valid prefix, and with errno if the file cannot be read. */
bool journal_read(int file, uint64_t *at, struct text *room, struct journal_record *);
/* Continues a journal after `end`, the end of a record that journal_next found, and cuts off the
 * bytes after it. Takes over the descriptor `file`. Returns false with errno. */
bool journal_resume(struct journal *, int file, uint64_t end);
