/* entry: the journal's record of one image. */
#pragma once

#include "base/text.h"

/* Kinds of records in the journal. A later entry with an image's name replaces all earlier ones. */
enum journal_kind {
    JOURNAL_KEY = 1,     /* run_key.h; the first record */
    JOURNAL_ENTRY = 2,   /* the report of an image: struct entry */
    JOURNAL_VOID = 3,    /* an image that must be processed again */
    JOURNAL_SESSION = 4, /* session.h */
    JOURNAL_MARK = 5,    /* session.h */
};
/* Record of an image: its number in the dataset when the record was written, its name, and its
 * packed report. The report is empty in JOURNAL_VOID. */
struct entry {
    uint64_t record;
    struct slice name, report;
};
/* Appends the payload of a record. */
void entry_print(uint64_t record, const char *name, struct slice report, struct text *out);
/* Reads a payload. The entry refers to the payload's bytes. Returns false if it is not an entry. */
bool entry_read(struct slice payload, struct entry *);
