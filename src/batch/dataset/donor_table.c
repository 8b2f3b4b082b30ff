/* donor_table: the images of a dataset that each step of a plan may borrow. */
#include "batch/dataset/donor_table.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_name(const char *name)
{
    struct hash hash;

    hash_start(&hash);
    hash_part(&hash, name, strlen(name));
    return hash_u64(&hash);
}

/* --- records with a category --- */

static bool is_named(const struct names *names, const struct category *category)
{
    for (size_t i = 0; category && i < names->n; i++)
        if (strcmp(names->at[i], category->name) == 0)
            return true;
    return false;
}

/* True if a record of a format with label pictures has an object of one of these categories. */
static bool pictures_one(const struct dataset *d, size_t record, const struct names *names)
{
    for (size_t i = 0; i < d->n_categories; i++)
        if (is_named(names, &d->categories[i]) &&
            d->format->has_category(d, record, &d->categories[i]))
            return true;
    return false;
}

/* Sets has[i] for each record with an object of one of these categories. Returns false with faults.
 */
static bool find_categories(const struct job *job, const struct names *names, bool *has,
                            struct faults *faults)
{
    const struct dataset *d = job->dataset;
    struct arena arena = { 0 };
    bool good = true;

    for (size_t i = 0; good && i < d->n_records; i++) {
        const struct record *r = &d->records[i];
        struct sample sample = { .arena = &arena };

        if (r->height && job->images.trust != TRUST_FILE)
            sample.frame = (struct frame){ r->width, r->height };
        arena_reset(&arena);
        has[i] = false;
        if (d->format && d->format->has_category) {
            has[i] = pictures_one(d, i, names);
            continue;
        }
        good = !d->format || d->format->load(d, i, &job->plan->rules, &sample, faults);
        for (size_t k = 0; good && k < sample.n_objects; k++)
            has[i] |= is_named(names, sample.objects[k].category);
    }
    arena_drop(&arena);
    return good;
}

/* --- groups --- */

/* A record, its part of the dataset, and its size. */
struct sized_record {
    size_t part;
    struct frame frame;
    struct donor_key key;
};

static int compare_frames(struct frame a, struct frame b)
{
    if (a.width != b.width)
        return a.width < b.width ? -1 : 1;
    return (a.height > b.height) - (a.height < b.height);
}

static int by_frame(const void *a, const void *b)
{
    const struct sized_record *x = a, *y = b;
    int order = x->part != y->part ? (x->part > y->part) - (x->part < y->part)
                                   : compare_frames(x->frame, y->frame);

    return order ? order : (x->key.hash > y->key.hash) - (x->key.hash < y->key.hash);
}

static size_t part_of(const struct dataset *d, size_t record)
{
    return d->combination ? (size_t)(combination_part_of(d, record) - d->combination->at) : 0;
}

static struct frame frame_for(const struct donors *donors, const struct record *r)
{
    return donors->same_size ? (struct frame){ r->width, r->height } : (struct frame){ 0 };
}

/* Adds groups of records with equal sizes; `sized` is sorted by size. */
static void add_groups(struct donor_table *t, const struct donors *donors,
                       const struct sized_record *sized, size_t n, struct arena *arena)
{
    struct donor_group *all = ARENA_ARRAY(arena, struct donor_group, t->n_groups + n + 1);
    struct donor_key *key = ARENA_ARRAY(arena, struct donor_key, n + 1);

    if (t->n_groups)
        memcpy(all, t->groups, t->n_groups * sizeof *all);
    t->groups = all;
    for (size_t i = 0; i < n; i++) {
        struct donor_group *g;

        if (i == 0 || sized[i].part != sized[i - 1].part ||
            compare_frames(sized[i].frame, sized[i - 1].frame) != 0)
            all[t->n_groups++] =
                (struct donor_group){ donors, sized[i].part, sized[i].frame, { &key[i], 0 } };
        g = &all[t->n_groups - 1];
        g->pool.at[g->pool.n++] = sized[i].key;
    }
}

/* State of donor_table_make for the walk over steps. */
struct table_builder {
    const struct job *job;
    struct arena *arena;
    struct donor_table *table;
    struct faults *plan, *dataset;
};

static void add_donors(struct table_builder *m, const struct step *step,
                       const struct donors *donors)
{
    const struct dataset *d = m->job->dataset;
    struct sized_record *sized = memory_take((d->n_records + 1) * sizeof *sized);
    bool *has = memory_take(d->n_records + 1);
    size_t n = 0;

    memset(has, true, d->n_records);
    if (!donors->has_category.n ||
        find_categories(m->job, &donors->has_category, has, m->dataset)) {
        for (size_t i = 0; i < d->n_records; i++)
            if (has[i] && (!donors->same_size || d->records[i].width))
                sized[n++] =
                    (struct sized_record){ part_of(d, i), frame_for(donors, &d->records[i]),
                                           m->table->key[i] };
        qsort(sized, n, sizeof *sized, by_frame);
        add_groups(m->table, donors, sized, n, m->arena);
        if (!n)
            value_fault(m->plan, step->source, false, "donor-none",
                        "no image of the dataset can be borrowed here: none has an object of these "
                        "categories or, with same_size, an annotated size");
    }
    free(sized);
    free(has);
}

static void check_sources(struct table_builder *m, const struct step *step, const struct row *row,
                          const struct inputs *inputs)
{
    const struct value *value = value_get(step->source, row->name);
    size_t record;

    for (size_t i = 0; i < inputs->n; i++)
        if (*inputs->at[i].source &&
            !donor_table_find(m->table, m->job->dataset, inputs->at[i].source, &record))
            value_fault(m->plan, value_get(&value->item[i], "source"), false, "donor-missing",
                        "the dataset has no image \"%s\"", inputs->at[i].source);
}

static bool add_step(const struct step *step, void *context)
{
    struct table_builder *m = context;

    for (ROWS (row, step_own_rows(step))) {
        const void *field = (const char *)step->params + row->offset;

        if (row->kind == &donors_kind)
            add_donors(m, step, field);
        else if (row->kind == &inputs_kind)
            check_sources(m, step, row, field);
    }
    return true;
}

/* --- the table --- */

static uint64_t hash_of(const struct donor_table *t)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < t->n_groups; i++) {
        const struct donor_group *g = &t->groups[i];
        uint64_t parts[] = { hash, g->part, (uint64_t)g->frame.width, (uint64_t)g->frame.height,
                             g->pool.n };

        hash = hash_quick(parts, sizeof parts);
        for (size_t k = 0; k < g->pool.n; k++) {
            uint64_t key[] = { hash, g->pool.at[k].hash };

            hash = hash_quick(key, sizeof key);
        }
    }
    return hash;
}

bool donor_table_make(const struct job *job, struct arena *arena, struct donor_table *table,
                      struct faults *plan, struct faults *dataset)
{
    const struct dataset *d = job->dataset;
    struct table_builder making = { job, arena, table, plan, dataset };

    *table = (struct donor_table){ .key = NULL };
    if (!job->plan->joins)
        return true;
    table->key = ARENA_ARRAY(arena, struct donor_key, d->n_records + 1);
    for (size_t i = 0; i < d->n_records; i++)
        table->key[i] = (struct donor_key){ hash_name(d->records[i].name), (uint32_t)i };
    table->names = (struct donor_pool){ (void *)arena_copy(arena, (void *)table->key,
                                                           d->n_records * sizeof *table->key),
                                        d->n_records };
    donor_pool_sort(&table->names);
    steps_walk(&job->plan->transforms, add_step, &making);
    table->hash = hash_of(table);
    return !plan->n && !dataset->n;
}

bool donor_table_find(const struct donor_table *table, const struct dataset *d, const char *name,
                      size_t *record)
{
    const struct donor_pool *names = &table->names;
    struct donor_key key = { .hash = hash_name(name) };
    size_t i = donor_pool_find(names, key.hash);

    for (; i < names->n && names->at[i].hash == key.hash; i++)
        if (strcmp(d->records[names->at[i].record].name, name) == 0) {
            *record = names->at[i].record;
            return true;
        }
    return false;
}

bool donor_table_draw(const struct donor_table *table, const struct dataset *d,
                      const struct donors *donors, size_t record, uint64_t draw, size_t *donor,
                      struct text *why)
{
    struct frame frame = frame_for(donors, &d->records[record]);

    for (size_t i = 0; i < table->n_groups; i++) {
        const struct donor_group *g = &table->groups[i];

        if (g->donors == donors && g->part == part_of(d, record) &&
            compare_frames(g->frame, frame) == 0 &&
            donor_pool_draw(&g->pool, donors->exclude_self ? &table->key[record] : NULL, draw,
                            donor))
            return true;
    }
    text_adds(why, "no image can be borrowed: `donors` must match another image, with same_size "
                   "one of the same annotated size [donor-none]");
    return false;
}
