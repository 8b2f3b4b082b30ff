/* compare: finds the differences between two datasets: matches by ids and names, and collects
 * pairs. */
#include "stats/compare.h"

#include <stdlib.h>
#include <string.h>

/* --- matching by keys --- */

struct key {
    const char *part;     /* of the dataset; or "" */
    const char *name;     /* or "" */
    int64_t major, minor; /* ids */
    uint32_t index;
};

static int compare_keys(const struct key *x, const struct key *y)
{
    if (x->major != y->major)
        return x->major < y->major ? -1 : 1;
    if (x->minor != y->minor)
        return x->minor < y->minor ? -1 : 1;
    return x->part != y->part && strcmp(x->part, y->part) != 0 ? strcmp(x->part, y->part)
                                                               : strcmp(x->name, y->name);
}

static int by_key(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int order = compare_keys(x, y);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Matches the k-th element with a key with the k-th of the other side. Frees both arrays. */
static void match_keys(struct key *a, size_t n, struct key *b, size_t m, uint32_t *in_b)
{
    qsort(a, n, sizeof *a, by_key);
    qsort(b, m, sizeof *b, by_key);
    for (size_t i = 0, j = 0; i < n;) {
        int order = j < m ? compare_keys(&a[i], &b[j]) : -1;

        if (order > 0) {
            j++;
            continue;
        }
        in_b[a[i++].index] = order == 0 ? b[j++].index : SURVEY_NONE;
    }
    free(a);
    free(b);
}

/* Returns the name of an image without the folder of its part. */
static const char *name_in_part(const struct survey_image *image)
{
    return image->file ? image->file : image->name;
}

static struct key *keys_of(const struct survey *s, enum compared_kind what, bool names)
{
    size_t n = what == COMPARED_CATEGORY ? s->n_categories
               : what == COMPARED_IMAGE  ? s->n_images
                                         : s->n_objects;
    bool segments =
        strcmp(s->format, "coco_panoptic") == 0; /* ids of segments are unique within an image */
    struct key *keys = memory_take((n + 1) * sizeof *keys);

    for (size_t i = 0; i < n; i++) {
        keys[i] = (struct key){ .part = "", .name = "", .index = (uint32_t)i };
        if (what == COMPARED_IMAGE)
            keys[i].part = survey_part_of_image(s, i);
        if (what == COMPARED_OBJECT) {
            keys[i].part = survey_part_of_object(s, i);
            keys[i].major = segments ? s->objects[i].image_id : 0;
            keys[i].minor = s->objects[i].id;
        } else if (names) {
            keys[i].name =
                what == COMPARED_IMAGE ? name_in_part(&s->images[i]) : s->categories[i].name;
        } else {
            keys[i].minor = what == COMPARED_IMAGE ? s->images[i].id : s->categories[i].id;
        }
    }
    return keys;
}

static void match(const struct comparison *c, enum compared_kind what, size_t n, size_t m,
                  uint32_t *in_b)
{
    bool names = c->rules.match == COMPARE_GEOMETRY;

    match_keys(keys_of(c->a, what, names), n, keys_of(c->b, what, names), m, in_b);
}

/* --- collecting --- */

static void keep_pairs(struct comparison *c, enum compared_kind what, enum difference kind,
                       const struct pile *pile)
{
    c->of[what][kind] =
        (struct pairs){ (void *)arena_copy(&c->arena, pile->at, pile->n * sizeof(struct pair)),
                        pile->n };
}

static void add_pair(struct pile *pile, size_t a, size_t b)
{
    *(struct pair *)pile_add(pile, sizeof(struct pair)) = (struct pair){ (uint32_t)a, (uint32_t)b };
}

/* Collects pairs of n elements of a and m of b. */
static void collect(struct comparison *c, enum compared_kind what, size_t n, size_t m,
                    const uint32_t *in_b)
{
    struct pile piles[DIFFERENCES] = { 0 };
    bool *taken = memory_take(m + 1);
    struct arena scratch = { 0 };

    memset(taken, 0, m + 1);
    for (size_t i = 0; i < n; i++) {
        struct pair pair = { (uint32_t)i, in_b[i] };

        if (in_b[i] == SURVEY_NONE) {
            add_pair(&piles[DIFFERENCE_REMOVED], i, SURVEY_NONE);
            continue;
        }
        taken[in_b[i]] = true;
        if (compare_members(c, what, pair, &scratch, NULL))
            add_pair(&piles[DIFFERENCE_CHANGED], i, in_b[i]);
        arena_reset(&scratch);
    }
    for (size_t i = 0; i < m; i++)
        if (!taken[i])
            add_pair(&piles[DIFFERENCE_ADDED], SURVEY_NONE, i);
    for (int kind = 0; kind < DIFFERENCES; kind++) {
        keep_pairs(c, what, (enum difference)kind, &piles[kind]);
        free(piles[kind].at);
    }
    arena_drop(&scratch);
    free(taken);
}

/* --- whole datasets --- */

bool compare_same_category(const struct comparison *c, const struct survey_object *a,
                           const struct survey_object *b)
{
    if (a->category == SURVEY_NONE || b->category == SURVEY_NONE)
        return a->category == b->category && a->category_id == b->category_id;
    return c->category_in_b[a->category] == b->category;
}

void compare_surveys(const struct survey *a, const struct survey *b,
                     const struct compare_rules *rules, struct comparison *c)
{
    uint32_t *object_in_b = memory_take((a->n_objects + 1) * sizeof *object_in_b);

    *c = (struct comparison){ .a = a, .b = b, .rules = *rules };
    c->category_in_b = ARENA_ARRAY(&c->arena, uint32_t, a->n_categories);
    c->image_in_b = ARENA_ARRAY(&c->arena, uint32_t, a->n_images);
    match(c, COMPARED_CATEGORY, a->n_categories, b->n_categories, c->category_in_b);
    match(c, COMPARED_IMAGE, a->n_images, b->n_images, c->image_in_b);
    if (rules->match == COMPARE_GEOMETRY)
        compare_match_geometry(c, object_in_b);
    else
        match(c, COMPARED_OBJECT, a->n_objects, b->n_objects, object_in_b);
    collect(c, COMPARED_CATEGORY, a->n_categories, b->n_categories, c->category_in_b);
    collect(c, COMPARED_IMAGE, a->n_images, b->n_images, c->image_in_b);
    collect(c, COMPARED_OBJECT, a->n_objects, b->n_objects, object_in_b);
    free(object_in_b);
}

/* True if elements have ids on both sides, and none is on both. */
static bool are_new(const struct comparison *c, enum compared_kind what, size_t n, size_t m)
{
    return n && m && c->of[what][DIFFERENCE_REMOVED].n == n && c->of[what][DIFFERENCE_ADDED].n == m;
}

bool comparison_has_new_ids(const struct comparison *c)
{
    return c->rules.match == COMPARE_ID &&
           (are_new(c, COMPARED_IMAGE, c->a->n_images, c->b->n_images) ||
            are_new(c, COMPARED_OBJECT, c->a->n_objects, c->b->n_objects));
}

bool comparison_is_empty(const struct comparison *c)
{
    for (int what = 0; what < COMPARED_KINDS; what++)
        for (int kind = 0; kind < DIFFERENCES; kind++)
            if (c->of[what][kind].n)
                return false;
    return true;
}

void comparison_drop(struct comparison *c)
{
    arena_drop(&c->arena);
}
