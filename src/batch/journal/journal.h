/* journal: a file of records with checksums, to which one process appends, and whose longest good
 * beginning is what a later process goes on from.
 *
 * It knows nothing of what the records hold. A record is written by one call, and only its process
 * could be killed in the midst of it: what is cut short or damaged ends the good beginning, and so
 * does all that stands behind it. */
#pragma once

#include "base/text.h"

/* All zero: closed. */
struct journal {
    int file; /* one more than its descriptor */
    uint64_t end;
};

/* What journal_read found. */
enum journal_state {
    JOURNAL_GOOD,
    JOURNAL_NONE,  /* not even its first line is there: its process was killed as it began */
    JOURNAL_OTHER, /* of another version, or no journal */
};

/* `file`, the descriptor of an empty file, is the journal's from now on. False with errno. */
bool journal_start(struct journal *, int file);
/* Append a record. False with errno; then the journal is as it was before. */
bool journal_append(struct journal *, uint32_t kind, struct slice payload);
void journal_close(struct journal *);

/* A record, as it stands in the journal's bytes. */
struct journal_record {
    uint32_t kind;
    uint64_t at, end; /* the record's place: what comes next is at `end` */
    struct slice payload;
};
/* Is it a journal that this version can read? */
enum journal_state journal_state(struct slice bytes);
/* The next record from *at on, which is 0 at first. False at the end of the good beginning, which
 * *at then is. */
bool journal_next(struct slice bytes, uint64_t *at, struct journal_record *);
/* The same of an open file, of which only this record is read, to `room` (replaced). False at the
 * end of the good beginning, and with errno when the file cannot be read. */
bool journal_read(int file, uint64_t *at, struct text *room, struct journal_record *);
/* Go on behind `end`, the end of a record that journal_next found: what follows is cut off. `file`
 * is the journal's from now on. False with errno. */
bool journal_resume(struct journal *, int file, uint64_t end);
