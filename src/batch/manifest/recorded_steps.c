/* recorded_steps: selects the lines of a manifest that are replayed. */
#include "batch/manifest/recorded_steps.h"

#include "batch/dataset/select_images.h"
#include "batch/dataset/name_index.h"
#include "batch/output/output_names.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FAULTS = 1000 }; /* more than a user reads */

/* Name of images or outputs in the list, and whether a line has it. */
struct listed_name {
    const char *name;
    bool found;
};

/* Selection of a manifest's lines, in progress. */
struct line_selection {
    struct replay *replay;
    struct job *job;
    const struct replay_choice *choice;
    struct listed_name *listed; /* sorted */
    size_t n_listed, room;
    struct name_index names; /* of the dataset */
    struct arena line;
    struct faults *faults;
};

/* --- names --- */

static int by_word(const void *a, const void *b)
{
    return strcmp(((const struct listed_name *)a)->name, ((const struct listed_name *)b)->name);
}

/* Reads the list's lines, sorted and without duplicates. */
static void sort_listed(struct line_selection *t, struct arena *arena)
{
    struct slice list = t->choice->list;
    size_t room = 1, n = 0;

    for (size_t i = 0; i < list.length; i++)
        room += list.at[i] == '\n';
    t->listed = ARENA_ARRAY(arena, struct listed_name, room);
    while (list.length) {
        const char *end = memchr(list.at, '\n', list.length);
        size_t whole = end ? (size_t)(end - list.at) + 1 : list.length,
               length = whole - (end != NULL);

        while (length && list.at[length - 1] == '\r')
            length--;
        if (length)
            t->listed[n++] = (struct listed_name){ arena_copy(arena, list.at, length), false };
        list.at += whole;
        list.length -= whole;
    }
    qsort(t->listed, n, sizeof *t->listed, by_word);
    for (size_t i = 0; i < n; i++)
        if (!t->n_listed || strcmp(t->listed[t->n_listed - 1].name, t->listed[i].name) != 0)
            t->listed[t->n_listed++] = t->listed[i];
}

static bool is_listed(struct line_selection *t, const char *name)
{
    struct listed_name *found = bsearch(&(struct listed_name){ name, false }, t->listed,
                                        t->n_listed, sizeof *t->listed, by_word);

    if (found)
        found->found = true;
    return found;
}

/* True if the line is selected. An output's name matches with or without the folder of all images.
 */
static bool is_chosen(struct line_selection *t, const struct replay_line *line)
{
    const struct names *patterns = &t->choice->patterns;
    const char *short_name = line->output, *folder = images_folder(t->job);
    size_t length = strlen(folder);
    bool chosen = !patterns->n && !t->choice->list_name;

    if (length && strncmp(short_name, folder, length) == 0 && short_name[length] == '/')
        short_name += length + 1;
    /* All names are looked up, since each lookup marks its entry as found. */
    chosen |= is_listed(t, line->source);
    chosen |= is_listed(t, line->output);
    chosen |= is_listed(t, short_name);
    return chosen || choice_matches(patterns, line->source) ||
           choice_matches(patterns, line->output) || choice_matches(patterns, short_name);
}

/* --- lines --- */

struct slice slice_line(struct slice text, uint64_t at)
{
    const char *end = memchr(text.at + at, '\n', text.length - at);

    return (struct slice){ text.at + at,
                           end ? (size_t)(end - text.at) - at : text.length - (size_t)at };
}

static bool is_blank(struct slice line)
{
    for (size_t i = 0; i < line.length; i++)
        if (!strchr(" \t\r", line.at[i]) || !line.at[i])
            return false;
    return true;
}

static void add_entry(struct line_selection *t, struct replay_entry entry)
{
    struct replay *r = t->replay;

    if (r->n == t->room) {
        t->room = 2 * t->room + 64;
        r->at = memory_grow(r->at, t->room * sizeof *r->at);
    }
    r->at[r->n++] = entry;
}

static void select_line(struct line_selection *t, uint64_t at, uint64_t number)
{
    struct slice line = slice_line(t->replay->text, at);
    struct replay_line read;
    size_t record;

    arena_reset(&t->line);
    if (!replay_line_names(t->replay, line, &t->line, &read, t->faults) || !is_chosen(t, &read))
        return;
    if (!name_index_find(&t->names, t->job->dataset,
                         (struct slice){ read.source, strlen(read.source) }, &record)) {
        fault_add(t->faults, (size_t)at, line.length ? 1 : 0, "source", "image-unknown",
                  "the dataset has no image \"%s\"", read.source);
        return;
    }
    if (replay_line_read(t->job, t->replay, line, record, &t->line, &read, t->faults))
        add_entry(t, (struct replay_entry){ at, number, (uint32_t)record, read.k });
}

static int by_output(const void *a, const void *b)
{
    const struct replay_entry *x = a, *y = b;

    if (x->record != y->record)
        return x->record < y->record ? -1 : 1;
    if (x->k != y->k)
        return x->k < y->k ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void check_twice(struct line_selection *t)
{
    const struct replay *r = t->replay;

    for (size_t i = 1; i < r->n && t->faults->n < MAX_FAULTS; i++)
        if (r->at[i].record == r->at[i - 1].record && r->at[i].k == r->at[i - 1].k)
            fault_add(t->faults, (size_t)r->at[i].at, 1, "output", "replay-twice",
                      "line %llu has the same output", (unsigned long long)r->at[i - 1].line);
}

static void check_found(struct line_selection *t)
{
    for (size_t i = 0; i < t->n_listed && t->faults->n < MAX_FAULTS; i++)
        if (!t->listed[i].found)
            fault_add(
                t->faults, 0, 0,
                arena_printf(&t->faults->arena, "%s: %s", t->choice->list_name, t->listed[i].name),
                "image-unknown", "no line has this source or output");
    if (!t->replay->n && !t->faults->n &&
        !(t->replay->has_no_outputs && !t->choice->patterns.n && !t->choice->list_name))
        fault_add(t->faults, 0, 0, "", "images-none", "no line of the manifest is selected");
}

/* --- all of it --- */

static uint64_t hash_lines(const struct replay *r)
{
    struct hash h;

    hash_start(&h);
    for (size_t i = 0; i < r->n; i++) {
        struct slice line = slice_line(r->text, r->at[i].at);

        hash_part(&h, line.at, line.length);
    }
    return hash_u64(&h);
}

/* Sets the job's records to those with lines, in the dataset's order. */
static void choose_records(struct line_selection *t)
{
    const struct replay *r = t->replay;
    size_t *chosen = ARENA_ARRAY(t->job->dataset->arena, size_t, r->n + 1), n = 0;

    for (size_t i = 0; i < r->n; i++)
        if (i == 0 || r->at[i].record != r->at[i - 1].record)
            chosen[n++] = r->at[i].record;
    t->job->images.chosen = chosen;
    t->job->images.n_records = n;
}

bool replay_read(struct replay *r, const char *name, struct slice text,
                 const struct replay_choice *choice, struct job *job, struct arena *arena,
                 struct faults *faults)
{
    struct line_selection t = { .replay = r, .job = job, .choice = choice, .faults = faults };
    uint64_t number = 1;

    *r = (struct replay){
        .name = name, .text = text, .run = r->run, .has_no_outputs = r->has_no_outputs
    };
    sort_listed(&t, arena);
    for (uint64_t at = 0; at < text.length && faults->n < MAX_FAULTS; number++) {
        struct slice line = slice_line(text, at);

        if (!is_blank(line))
            select_line(&t, at, number);
        at += line.length + 1;
    }
    if (r->n)
        qsort(r->at, r->n, sizeof *r->at, by_output);
    check_twice(&t);
    check_found(&t);
    arena_take_over(arena, r->at);
    choose_records(&t);
    r->hash = hash_lines(r);
    job->replay = r;
    name_index_drop(&t.names);
    arena_drop(&t.line);
    return !faults->n;
}

const struct replay_entry *replay_find(const struct replay *r, size_t record, unsigned k)
{
    struct replay_entry wanted = { .record = (uint32_t)record, .k = k };
    size_t low = 0, high = r->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        wanted.line = r->at[middle].line;
        if (by_output(&r->at[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->n && r->at[low].record == record && r->at[low].k == k ? &r->at[low] : NULL;
}

bool replay_load(const struct job *job, const struct replay_entry *entry, struct arena *arena,
                 struct replay_line *out, struct text *why)
{
    const struct replay *r = job->replay;
    struct faults faults = { .name = r->name, .text = r->text };
    bool good = replay_line_read(job, r, slice_line(r->text, entry->at), entry->record, arena, out,
                                 &faults);

    if (!good)
        text_addf(why, "%s: %s [%s]", faults.list[0].path, faults.list[0].message,
                  faults.list[0].code);
    faults_drop(&faults);
    return good;
}

uint64_t replay_hash(const struct replay *r)
{
    return r->hash;
}
