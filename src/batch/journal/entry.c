/* entry: the journal's record of one image. */
#include "batch/journal/entry.h"

#include <string.h>

void entry_print(uint64_t record, const char *name, struct slice report, struct text *out)
{
    uint64_t head[] = { record, strlen(name) };

    text_add(out, head, sizeof head);
    text_add(out, name, head[1]);
    text_add(out, report.at, report.length);
}

bool entry_read(struct slice payload, struct entry *e)
{
    uint64_t head[2];

    if (payload.length < sizeof head)
        return false;
    memcpy(head, payload.at, sizeof head);
    if (head[1] > payload.length - sizeof head)
        return false;
    e->record = head[0];
    e->name = (struct slice){ payload.at + sizeof head, head[1] };
    e->report = (struct slice){ e->name.at + head[1], payload.length - sizeof head - head[1] };
    return true;
}
