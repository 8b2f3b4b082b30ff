/* entry: an image's record in the journal. */
#pragma once

#include "base/text.h"

/* Kinds of records in the journal. A later entry of an image's name replaces all before it. */
enum journal_kind {
    JOURNAL_KEY = 1,     /* run_key.h; the first one */
    JOURNAL_ENTRY = 2,   /* an image's report: struct entry */
    JOURNAL_VOID = 3,    /* an image that is to be done again */
    JOURNAL_SESSION = 4, /* session.h */
    JOURNAL_MARK = 5,
};
/* A record of an image: its number in the dataset when it was written, its name, and its packed
 * report. The report is empty in JOURNAL_VOID. */
struct entry {
    uint64_t record;
    struct slice name, report;
};
/* Appends the payload of a record. */
void entry_print(uint64_t record, const char *name, struct slice report, struct text *out);
/* Reads a payload, whose bytes the entry refers to. Returns false if it is no entry. */
bool entry_read(struct slice payload, struct entry *);
