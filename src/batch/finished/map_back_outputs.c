/* map_back_outputs: reads the outputs of a run and their source images from its manifest. */
#include "batch/finished/map_back.h"

#include "batch/manifest/manifest_read.h"

#include "base/id_index.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FAULTS = 1000 }; /* enough to find the cause */

struct read_state {
    struct back_outputs *to;
    uint64_t run;
    const char *part;
    struct arena *arena, line; /* `line` is reset after each line */
    struct pile records, places, sources;
    struct faults *faults;
};

static bool refuse(const struct value *root, const char *name, const char *code, const char *why,
                   struct faults *faults)
{
    const struct value *value = value_get(root, name);

    return value_fault(faults, value ? value : root, false, code, "%s", why);
}

static bool check(const struct read_state *r, const struct value *root,
                  const struct manifest_line *m, struct faults *faults)
{
    uint64_t run;

    if (!manifest_read_hex(m->run, &run) || run != r->run)
        return refuse(root, "run", "replay-foreign",
                      "the line is of another run than run.json, which is next to the manifest or "
                      "given with --run",
                      faults);
    if (!value_get(root, "image_id") || !value_get(root, "from"))
        return refuse(root, "image_id", "replay-line",
                      "the run had no annotations, so its outputs have no ids", faults);
    return true;
}

static void add(struct read_state *r, const struct manifest_line *m, uint64_t at)
{
    const char *source = arena_copy(r->arena, m->source, strlen(m->source));

    *(struct record *)pile_add(&r->records, sizeof(struct record)) =
        (struct record){ .name = arena_copy(r->arena, m->output, strlen(m->output)),
                         .seed_key = "",
                         .id = m->image_id,
                         .width = (int)m->size_out.at[0],
                         .height = (int)m->size_out.at[1] };
    *(uint64_t *)pile_add(&r->places, sizeof(uint64_t)) = at;
    *(struct record *)pile_add(&r->sources, sizeof(struct record)) =
        (struct record){ .name = source,
                         .id = m->from,
                         .width = (int)m->size_in.at[0],
                         .height = (int)m->size_in.at[1] };
}

static void read_line(struct read_state *r, struct slice text, uint64_t at)
{
    struct faults faults = { .name = r->faults->name, .text = text };
    struct manifest_line line;
    const struct value *root;

    arena_reset(&r->line);
    root = manifest_line_parse(&faults, &r->line, &line);
    if (root && manifest_line_read(root, &r->line, &line, &faults) &&
        (!*r->part || strcmp(line.part, r->part) == 0) && check(r, root, &line, &faults))
        add(r, &line, at);
    manifest_line_put_faults(&faults, r->faults);
    faults_drop(&faults);
}

static struct dataset list_of(struct pile *records, struct arena *arena)
{
    arena_take_over(arena, records->at);
    return (struct dataset){ .arena = arena, .records = records->at, .n_records = records->n };
}

/* Two lines with the same id are a fault, since results name outputs by id. */
static void check_twice(const struct read_state *r)
{
    const struct record *record = r->records.at;
    const uint64_t *at = r->places.at;
    struct id *ids = memory_take((r->records.n + 1) * sizeof *ids);

    for (size_t i = 0; i < r->records.n; i++)
        ids[i] = (struct id){ record[i].id, (uint32_t)i };
    ids_sort(ids, r->records.n);
    for (size_t i = 1; i < r->records.n && r->faults->n < MAX_FAULTS; i++)
        if (ids[i].id == ids[i - 1].id)
            fault_add(r->faults, (size_t)at[ids[i].index], 1, "image_id", "replay-twice",
                      "an earlier line has this id, too; if it is of another part of the "
                      "dataset, give --part");
    free(ids);
}

bool back_outputs_read(struct back_outputs *to, uint64_t run, const char *part, struct arena *arena,
                       struct faults *faults)
{
    struct read_state r = { .to = to, .run = run, .part = part, .arena = arena, .faults = faults };
    struct slice text = faults->text;

    for (size_t at = 0; at < text.length && faults->n < MAX_FAULTS;) {
        const char *end = memchr(text.at + at, '\n', text.length - at);
        size_t length = end ? (size_t)(end - text.at) - at : text.length - at;

        if (length)
            read_line(&r, (struct slice){ text.at + at, length }, at);
        at += length + 1;
    }
    arena_drop(&r.line);
    check_twice(&r);
    arena_take_over(arena, r.places.at);
    *to = (struct back_outputs){ .text = text,
                                 .folder = "",
                                 .list = list_of(&r.records, arena),
                                 .line = r.places.at,
                                 .source = list_of(&r.sources, arena) };
    return !faults->n;
}
