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
/* An image's record in the journal: its number in the dataset when it was written, its name, and
 * its packed report, which is empty in JOURNAL_VOID. */
struct entry {
    uint64_t record;
    struct slice name, report;
};
void entry_print(uint64_t record, const char *name, struct slice report, struct text *out);
/* False when the payload is none. */
bool entry_read(struct slice payload, struct entry *);
