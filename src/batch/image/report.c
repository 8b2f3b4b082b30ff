/* report: the result of one record, and its packed form. */
#include "batch/image/report.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { N_TEXTS = 7 };

/* Head of a packed report, before its texts. The texts follow in the order of `texts_of`. */
struct head {
    uint64_t outcome;
    struct counts counts;
    struct source_key source;
    uint64_t objects_at, objects_length, objects_hash;
    uint64_t length[N_TEXTS];
};

static void texts_of(struct report *r, struct text *texts[N_TEXTS])
{
    texts[0] = &r->why;
    texts[1] = &r->manifest;
    texts[2] = &r->records;
    texts[3] = &r->record_pieces;
    texts[4] = &r->object_pieces;
    texts[5] = &r->files;
    texts[6] = &r->donors;
}

int outcome_exit(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_DONE:
        return EXIT_DONE;
    case OUTCOME_INPUT:
    case OUTCOME_CHANGED:
    case OUTCOME_TIMEOUT:
        return EXIT_INPUT;
    case OUTCOME_OUTPUT:
        return EXIT_OUTPUT;
    case OUTCOME_MEMORY:
    case OUTCOME_LIBRARY:
        return EXIT_RESOURCES;
    default:
        return EXIT_INTERNAL;
    }
}

void counts_add(struct counts *sum, const struct counts *more)
{
    sum->objects_in += more->objects_in;
    sum->objects_out += more->objects_out;
    sum->outputs += more->outputs;
    sum->rejected += more->rejected;
    sum->given_up += more->given_up;
    sum->resized += more->resized;
    for (size_t i = 0; i < N_REMARKS; i++)
        sum->remarked[i] += more->remarked[i];
    losses_add(&sum->losses, &more->losses);
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
    r->source = (struct source_key){ 0 };
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
    struct source_key source = r->source;
    struct text why = r->why, donors = r->donors;

    r->why = r->donors = (struct text){ 0 };
    report_clear(r);
    r->outcome = outcome;
    r->source = source;
    r->why = why;
    r->donors = donors;
}

void report_pack(const struct report *r, struct text *out)
{
    struct report report = *r;
    struct text *texts[N_TEXTS];
    struct head head = { .outcome = r->outcome,
                         .counts = r->counts,
                         .source = r->source,
                         .objects_at = r->objects_at,
                         .objects_length = r->objects.length,
                         .objects_hash = hash_quick(r->objects.at, r->objects.length) };

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
    return !left && head->outcome <= OUTCOME_LIBRARY;
}

bool report_view(struct slice packed, struct report_view *v)
{
    struct slice *slices[N_TEXTS] = { &v->why,           &v->manifest,      &v->records,
                                      &v->record_pieces, &v->object_pieces, &v->files,
                                      &v->donors };
    const char *at = packed.at + sizeof(struct head);
    struct head head;

    *v = (struct report_view){ 0 };
    if (!read_head(packed, &head))
        return false;
    v->outcome = (enum outcome)head.outcome;
    v->counts = head.counts;
    v->source = head.source;
    v->objects_at = head.objects_at;
    v->objects_length = head.objects_length;
    v->objects_hash = head.objects_hash;
    for (size_t i = 0; i < N_TEXTS; i++) {
        *slices[i] = (struct slice){ at, head.length[i] };
        at += head.length[i];
    }
    return true;
}

/* --- donors --- */

void report_add_donor(struct report *r, const char *name, const struct source_key *key)
{
    text_add(&r->donors, key, sizeof *key);
    text_add(&r->donors, name, strlen(name) + 1);
}

bool report_next_donor(struct slice donors, size_t *at, struct source_key *key, struct slice *name)
{
    const char *from = donors.at + *at, *end;
    size_t left = donors.length - *at;

    if (left <= sizeof *key)
        return false;
    memcpy(key, from, sizeof *key);
    end = memchr(from + sizeof *key, '\0', left - sizeof *key);
    if (!end)
        return false;
    *name = (struct slice){ from + sizeof *key, (size_t)(end - from) - sizeof *key };
    *at = (size_t)(end + 1 - donors.at);
    return true;
}

/* --- files --- */

void report_add_file(struct report *r, const char *name, const void *bytes, size_t length)
{
    text_addf(&r->files, "%016llx %zu ", (unsigned long long)hash_quick(bytes, length), length);
    text_adds(&r->files, name);
    text_addc(&r->files, '\n');
}

void report_add_link(struct report *r, const char *name, const struct file_key *key)
{
    text_addf(&r->files, "%016llx %llu ", (unsigned long long)key->hash,
              (unsigned long long)key->size);
    text_adds(&r->files, name);
    text_addc(&r->files, '\n');
}

bool report_next_file(struct slice files, size_t *at, struct written_file *f)
{
    const char *line = files.at + *at, *end;
    char *number;

    if (*at >= files.length)
        return false;
    end = memchr(line, '\n', files.length - *at);
    if (!end)
        return false;
    f->hash = strtoull(line, &number, 16);
    f->size = strtoull(number, &number, 10);
    if (number >= end || *number != ' ')
        return false;
    f->name = (struct slice){ number + 1, (size_t)(end - number - 1) };
    *at = (size_t)(end + 1 - files.at);
    return true;
}

/* --- codes --- */

struct slice report_code(struct slice why)
{
    const char *open = why.length ? memrchr(why.at, '[', why.length) : NULL;
    size_t length =
        open ? (size_t)(why.at + why.length - open) - 1 : 0; /* with the closing bracket */

    if (length < 2 || memchr(open, ' ', length) || memchr(open, ']', length) || open[length] != ']')
        return (struct slice){ "", 0 };
    return (struct slice){ open + 1, length - 1 };
}

#define LIBRARY "image-library"

enum outcome outcome_of(enum outcome outcome, struct slice why)
{
    struct slice code = report_code(why);

    return outcome == OUTCOME_INPUT && code.length == strlen(LIBRARY) &&
                   memcmp(code.at, LIBRARY, code.length) == 0
               ? OUTCOME_LIBRARY
               : outcome;
}

void outcome_add_code(enum outcome outcome, struct text *why)
{
    static const char *const codes[] = {
        [OUTCOME_INPUT] = "image-failed",
        [OUTCOME_OUTPUT] = "out-unwritable",
        [OUTCOME_CHANGED] = "annotations-changed",
        [OUTCOME_CRASHED] = "worker-crashed",
        [OUTCOME_MEMORY] = "worker-memory",
        [OUTCOME_TIMEOUT] = "image-timeout",
        [OUTCOME_LIBRARY] = LIBRARY,
    };

    if (outcome != OUTCOME_DONE &&
        !report_code((struct slice){ text_string(why), why->length }).length)
        text_addf(why, " [%s]", codes[outcome]);
}

void report_complete(struct report *r)
{
    r->outcome = outcome_of(r->outcome, (struct slice){ text_string(&r->why), r->why.length });
    outcome_add_code(r->outcome, &r->why);
}
