/* report: what came of one record, and its packed form. */
#include "report.h"

#include <string.h>

enum { N_TEXTS = 5 };

/* What stands before the texts of a packed report, in the order of `texts_of`. */
struct head {
    uint64_t outcome;
    struct counts counts;
    uint64_t objects_at;
    uint64_t length[N_TEXTS];
};

static void texts_of(struct report *r, struct text *texts[N_TEXTS])
{
    texts[0] = &r->why;
    texts[1] = &r->manifest;
    texts[2] = &r->records;
    texts[3] = &r->record_pieces;
    texts[4] = &r->object_pieces;
}

void counts_add(struct counts *sum, const struct counts *more)
{
    sum->objects_in += more->objects_in;
    sum->objects_out += more->objects_out;
    sum->outputs += more->outputs;
    sum->rejected += more->rejected;
    sum->given_up += more->given_up;
    sum->several += more->several;
    sum->misnamed += more->misnamed;
    sum->resized += more->resized;
}

void report_clear(struct report *r)
{
    struct text *texts[N_TEXTS];

    texts_of(r, texts);
    for (size_t i = 0; i < N_TEXTS; i++)
        text_clear(texts[i]);
    text_clear(&r->objects);
    r->outcome = OUTCOME_DONE;
    r->counts = (struct counts){ 0 };
    r->objects_at = 0;
}

void report_drop(struct report *r)
{
    struct text *texts[N_TEXTS];

    texts_of(r, texts);
    for (size_t i = 0; i < N_TEXTS; i++)
        text_drop(texts[i]);
    text_drop(&r->objects);
}

void report_forget(struct report *r)
{
    enum outcome outcome = r->outcome;
    struct text why = r->why;

    r->why = (struct text){ 0 };
    report_clear(r);
    r->outcome = outcome;
    r->why = why;
}

void report_pack(const struct report *r, struct text *out)
{
    struct report report = *r;
    struct text *texts[N_TEXTS];
    struct head head = { .outcome = r->outcome, .counts = r->counts, .objects_at = r->objects_at };

    texts_of(&report, texts);
    for (size_t i = 0; i < N_TEXTS; i++)
        head.length[i] = texts[i]->length;
    text_add(out, &head, sizeof head);
    for (size_t i = 0; i < N_TEXTS; i++)
        text_add(out, texts[i]->at, texts[i]->length);
}

static bool read_head(struct slice packed, struct head *head)
{
    size_t left = packed.length - sizeof *head;

    if (packed.length < sizeof *head)
        return false;
    memcpy(head, packed.at, sizeof *head);
    for (size_t i = 0; i < N_TEXTS; i++) {
        if (head->length[i] > left)
            return false;
        left -= head->length[i];
    }
    return !left && head->outcome <= OUTCOME_MEMORY;
}

bool report_unpack(struct slice packed, struct report *r)
{
    struct text *texts[N_TEXTS];
    const char *at = packed.at + sizeof(struct head);
    struct head head;

    report_clear(r);
    if (!read_head(packed, &head))
        return false;
    texts_of(r, texts);
    for (size_t i = 0; i < N_TEXTS; i++) {
        text_add(texts[i], at, head.length[i]);
        at += head.length[i];
    }
    r->outcome = (enum outcome)head.outcome;
    r->counts = head.counts;
    r->objects_at = head.objects_at;
    return true;
}

bool report_unpack_head(struct slice packed, enum outcome *outcome, struct counts *counts)
{
    struct head head;

    if (!read_head(packed, &head))
        return false;
    *outcome = (enum outcome)head.outcome;
    *counts = head.counts;
    return true;
}

/* --- codes --- */

struct slice report_code(const struct report *r)
{
    const char *why = text_string(&r->why), *open = strrchr(why, '[');
    size_t length = open ? strcspn(open + 1, "] ") : 0;

    if (!length || strcmp(open + 1 + length, "]") != 0)
        return (struct slice){ 0 };
    return (struct slice){ open + 1, length };
}

void report_add_code(struct report *r)
{
    static const char *const codes[] = {
        [OUTCOME_INPUT] = "image-failed",    [OUTCOME_OUTPUT] = "out-unwritable",
        [OUTCOME_CHANGED] = "input-changed", [OUTCOME_CRASHED] = "worker-crashed",
        [OUTCOME_MEMORY] = "worker-memory",
    };

    if (r->outcome != OUTCOME_DONE && !report_code(r).length)
        text_addf(&r->why, " [%s]", codes[r->outcome]);
}
