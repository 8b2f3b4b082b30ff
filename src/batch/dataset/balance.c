/* balance: decides the number of copies of each image. */
#include "batch/dataset/balance.h"

#include "base/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A class in an image. */
struct presence {
    uint32_t class, n; /* index of the category; number of its objects */
};

/* The images of a part, and what is in them. */
struct counted_part {
    const struct dataset *dataset;
    const struct balance_rule *rule;
    size_t first, n;           /* its records */
    struct presence *presence; /* of all images, one after the other */
    size_t n_presence;
    size_t *begin;     /* of each image in `presence`, and the end */
    uint64_t *objects; /* per class */
    uint64_t *images;  /* per class: images that have it */
    uint32_t *copies;  /* per record of the dataset */
    bool capped;
};

/* --- counting --- */

static void add_presence(struct counted_part *p, size_t begin, const struct category *category,
                         size_t *room)
{
    uint32_t class = (uint32_t)(category - p->dataset->categories);
    size_t i = begin;

    while (i < p->n_presence && p->presence[i].class != class)
        i++;
    if (i == p->n_presence) {
        if (p->n_presence == *room) {
            *room = 2 * *room + 1024;
            p->presence = memory_grow(p->presence, *room * sizeof *p->presence);
        }
        p->presence[p->n_presence++] = (struct presence){ class, 0 };
    }
    p->presence[i].n++;
}

static bool count_image(const struct job *job, struct counted_part *p, size_t record, size_t *room,
                        struct arena *arena, struct faults *faults)
{
    const struct dataset *d = p->dataset;
    const struct record *r = &d->records[record];
    struct sample sample = { .arena = arena };
    size_t begin = p->n_presence;

    if (r->height && job->images.trust != TRUST_FILE)
        sample.frame = (struct frame){ r->width, r->height };
    arena_reset(arena);
    if (!d->format->load(d, record, &job->plan->rules, &sample, faults))
        return false;
    for (size_t i = 0; i < sample.n_objects; i++)
        if (sample.objects[i].category && !sample.objects[i].crowd)
            add_presence(p, begin, sample.objects[i].category, room);
    for (size_t i = 0; i < sample.n_labels; i++)
        if (sample.labels[i].category)
            add_presence(p, begin, sample.labels[i].category, room);
    return true;
}

static bool count_part(const struct job *job, struct counted_part *p, struct faults *faults)
{
    struct arena arena = { 0 };
    size_t room = 0;
    bool good = true;

    for (size_t i = 0; good && i < p->n; i++) {
        p->begin[i] = p->n_presence;
        good = count_image(job, p, p->first + i, &room, &arena, faults);
        for (size_t k = p->begin[i]; k < p->n_presence; k++) {
            p->objects[p->presence[k].class] += p->presence[k].n;
            p->images[p->presence[k].class]++;
        }
        p->begin[i + 1] = p->n_presence;
    }
    arena_drop(&arena);
    return good;
}

/* --- repeat factors --- */

/* Returns a number in [0, 1) that depends on the image's key. */
static double unit_of(const struct dataset *d, size_t record)
{
    const char *key = d->records[record].seed_key;

    return (double)(hash_mix(hash_quick(key, strlen(key))) >> 11) * 0x1p-53;
}

static void repeat_images(struct counted_part *p)
{
    const struct dataset *d = p->dataset;

    for (size_t i = 0; i < p->n; i++) {
        double factor = 1, most = p->rule->max_copies;

        for (size_t k = p->begin[i]; k < p->begin[i + 1]; k++) {
            double share = (double)p->images[p->presence[k].class] / (double)p->n;

            factor = fmax(factor, sqrt(p->rule->threshold / share));
        }
        p->capped |= factor > most;
        factor = fmin(factor, most);
        p->copies[p->first + i] =
            (uint32_t)factor + (unit_of(d, p->first + i) < factor - floor(factor));
    }
}

/* --- equal numbers of objects --- */

struct ranked_image {
    uint64_t rank;
    size_t index;
};

static int by_rank(const void *a, const void *b)
{
    const struct ranked_image *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static uint32_t number_in(const struct counted_part *p, size_t image, size_t class)
{
    for (size_t k = p->begin[image]; k < p->begin[image + 1]; k++)
        if (p->presence[k].class == class)
            return p->presence[k].n;
    return 0;
}

/* Adds copies of the images that have a class, in rounds: each image gets its second copy before
 * any gets its third one. Images are sorted by the hashes of their keys. */
static void fill_class(struct counted_part *p, size_t class, uint64_t goal, uint64_t *totals)
{
    struct ranked_image *images = memory_take((p->n + 1) * sizeof *images);
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++)
        if (number_in(p, i, class)) {
            const char *key = p->dataset->records[p->first + i].seed_key;

            images[n++] = (struct ranked_image){ hash_quick(key, strlen(key)), i };
        }
    qsort(images, n, sizeof *images, by_rank);
    for (uint32_t round = 2; round <= p->rule->max_copies && totals[class] < goal; round++)
        for (size_t i = 0; i < n && totals[class] < goal; i++) {
            size_t image = images[i].index;

            if (p->copies[p->first + image] >= round)
                continue;
            p->copies[p->first + image] = round;
            for (size_t k = p->begin[image]; k < p->begin[image + 1]; k++)
                totals[p->presence[k].class] += p->presence[k].n;
        }
    p->capped |= n && totals[class] < goal;
    free(images);
}

static void equalize(struct counted_part *p)
{
    size_t n = p->dataset->n_categories;
    struct ranked_image *order = memory_take((n + 1) * sizeof *order);
    uint64_t *totals = memory_take((n + 1) * sizeof *totals), goal = (uint64_t)p->rule->objects;

    if (p->rule->objects == BALANCE_MAX)
        goal = 0;
    for (size_t i = 0; i < n; i++) {
        order[i] = (struct ranked_image){ p->objects[i], i };
        totals[i] = p->objects[i];
        if (p->rule->objects == BALANCE_MAX && totals[i] > goal)
            goal = totals[i];
    }
    for (size_t i = 0; i < p->n; i++)
        p->copies[p->first + i] = 1;
    qsort(order, n, sizeof *order, by_rank);
    for (size_t i = 0; i < n; i++)
        fill_class(p, order[i].index, goal, totals);
    free(order);
    free(totals);
}

/* --- all parts --- */

static void add_classes(const struct counted_part *p, const char *part, struct balance *to)
{
    struct balanced_class *classes = (struct balanced_class *)to->classes + to->n_classes;
    const struct dataset *d = p->dataset;

    for (size_t i = 0; i < d->n_categories; i++)
        classes[i] = (struct balanced_class){ &d->categories[i], part, p->objects[i], 0 };
    for (size_t i = 0; i < p->n; i++) {
        to->n_copies += p->copies[p->first + i];
        for (size_t k = p->begin[i]; k < p->begin[i + 1]; k++)
            classes[p->presence[k].class].after +=
                (uint64_t)p->presence[k].n * p->copies[p->first + i];
    }
    to->n_classes += d->n_categories;
    to->n_images += p->n;
    to->capped |= p->capped;
}

static bool balance_part(const struct job *job, const struct balance_rule *rule, const char *name,
                         size_t first, size_t n, uint32_t *copies, struct balance *to,
                         struct faults *faults)
{
    const struct dataset *d = job->dataset;
    size_t classes = d->n_categories + 1;
    struct counted_part p = {
        .dataset = d, .rule = rule, .first = first, .n = n, .copies = copies
    };
    bool good;

    p.begin = memory_take((n + 1) * sizeof *p.begin);
    p.objects = memory_take(classes * sizeof *p.objects);
    p.images = memory_take(classes * sizeof *p.images);
    memset(p.objects, 0, classes * sizeof *p.objects);
    memset(p.images, 0, classes * sizeof *p.images);
    p.begin[0] = 0;
    good = count_part(job, &p, faults);
    if (good && rule->threshold > 0)
        repeat_images(&p);
    else if (good)
        equalize(&p);
    if (good)
        add_classes(&p, name, to);
    free(p.presence);
    free(p.begin);
    free(p.objects);
    free(p.images);
    return good;
}

bool balance_make(const struct job *job, const struct balance_rule *rule, struct balance *to,
                  struct faults *faults)
{
    const struct dataset *d = job->dataset;
    const struct combination *c = d->combination;
    uint32_t *copies = ARENA_ARRAY(d->arena, uint32_t, d->n_records + 1);
    bool good = true;

    *to = (struct balance){ .copies = copies };
    to->classes =
        ARENA_ARRAY(d->arena, struct balanced_class, (c ? c->n : 1) * d->n_categories + 1);
    for (size_t i = 0; i < d->n_records; i++)
        copies[i] = 1;
    if (!c)
        return balance_part(job, rule, "", 0, d->n_records, copies, to, faults);
    for (size_t i = 0; good && i < c->n; i++)
        if (c->at[i].n && !record_is_passed(job, c->at[i].first))
            good = balance_part(job, rule, c->at[i].name, c->at[i].first, c->at[i].n, copies, to,
                                faults);
    return good;
}
