/* annotation_hashes: the annotations of an output folder. */
#include "batch/finished/annotation_hashes.h"

#include "base/hash.h"
#include "base/number.h"
#include "json/document.h"
#include "json/text_id.h"

#include <stdlib.h>
#include <string.h>

struct written_element {
    int64_t image;
    uint64_t hash;
};

/* The state while one file is read. */
struct read_state {
    struct pile images, objects;
    bool dense;
};

static bool print_no_id(void *context, struct slice name, struct slice value, struct text *out)
{
    (void)context;
    (void)value;
    if (!scan_equals(name, "id"))
        return false;
    text_addc(out, '0');
    return true;
}

static uint64_t hash_of(struct slice element, bool dense)
{
    struct text bare = { 0 };
    uint64_t hash;

    if (!dense)
        return hash_quick(element.at, element.length);
    pick_print(element, &bare, print_no_id, NULL);
    hash = hash_quick(text_string(&bare), bare.length);
    text_drop(&bare);
    return hash;
}

static void add(struct pile *pile, struct slice element, const char *member, bool dense)
{
    struct written_element *e = pile_add(pile, sizeof *e);

    e->image = text_id_of(element, member);
    e->hash = hash_of(element, dense);
}

static void read_image(void *context, struct scan *s, const struct place *place)
{
    struct read_state *r = context;
    struct slice element;

    (void)place;
    if (scan_value(s, &element))
        add(&r->images, element, "id", false);
}

static void read_object(void *context, struct scan *s, const struct place *place)
{
    struct read_state *r = context;
    struct slice element;

    (void)place;
    if (scan_value(s, &element))
        add(&r->objects, element, "image_id", r->dense);
}

static int by_image(const void *a, const void *b)
{
    const struct written_element *x = a, *y = b;

    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static struct written_element *keep(const struct pile *pile, struct arena *arena)
{
    if (pile->n)
        qsort(pile->at, pile->n, sizeof(struct written_element), by_image);
    arena_take_over(arena, pile->at);
    return pile->at;
}

bool written_labels_read(struct written_labels *w, struct slice text, bool dense,
                         struct arena *arena, struct faults *faults)
{
    const struct walk walks[] = { { .name = "images", .read = read_image },
                                  { .name = "annotations", .read = read_object } };
    const struct place where = { .faults = faults,
                                 .code_missing = "verify-labels",
                                 .code_type = "verify-labels" };
    struct scan s = scan_start(text, 0);
    struct read_state r = { .dense = dense };
    struct document document;
    size_t before = faults->n;

    if (scan_peek(&s) == '[')
        document_read_list(&where, &walks[1], &r);
    else
        document_read(&where, "verify-labels", walks, COUNTOF(walks), &r, arena, &document);
    if (r.images.n) {
        w->images = keep(&r.images, arena);
        w->n_images = r.images.n;
    }
    if (r.objects.n) {
        w->objects = keep(&r.objects, arena);
        w->n_objects = r.objects.n;
    }
    w->dense = dense;
    return faults->n == before;
}

/* --- comparing --- */

void element_hashes_add(struct element_hashes *h, struct slice element, bool dense)
{
    if (h->n == h->room) {
        h->room = 2 * h->room + 64;
        h->at = memory_grow(h->at, h->room * sizeof *h->at);
    }
    h->at[h->n++] = hash_of(element, dense);
}

void element_hashes_drop(struct element_hashes *h)
{
    free(h->at);
    *h = (struct element_hashes){ 0 };
}

static int by_hash(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static bool has_elements(const struct written_element *at, size_t n, int64_t image,
                         struct element_hashes *h)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (at[middle].image < image)
            low = middle + 1;
        else
            high = middle;
    }
    if (h->n)
        qsort(h->at, h->n, sizeof *h->at, by_hash);
    for (size_t i = 0; i < h->n; i++)
        if (low + i >= n || at[low + i].image != image || at[low + i].hash != h->at[i])
            return false;
    return low + h->n == n || at[low + h->n].image != image;
}

bool written_labels_has_image(const struct written_labels *w, int64_t image,
                              struct element_hashes *h)
{
    return has_elements(w->images, w->n_images, image, h);
}

bool written_labels_has_objects(const struct written_labels *w, int64_t image,
                                struct element_hashes *h)
{
    return has_elements(w->objects, w->n_objects, image, h);
}
