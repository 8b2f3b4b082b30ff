/* pack_labels: prints an annotation file image by image, and the index of its images. */
#include "batch/webdataset/pack.h"

#include "base/file_view.h"
#include "json/text_id.h"

#include <stdlib.h>
#include <string.h>

enum { WALK_IMAGES, WALK_OBJECTS, N_WALKS };

/* Number of elements after which the pages of the text that were read are released. */
enum { RELEASE_EVERY = 1 << 16 };

/* Adjacent elements of one image in the file, including the text between them. A run writes the
 * objects of an image together, so memory grows with the number of images, not of objects. */
struct element_range {
    int64_t image;
    uint64_t at, length; /* position in the text */
};

/* Adds the next element, and returns it; empty if it cannot be read. */
static struct slice add_range(struct pile *to, struct scan *s, const char *id)
{
    const char *text = s->text.at;
    struct element_range *last = to->n ? (struct element_range *)to->at + to->n - 1 : NULL, *range;
    struct slice element;
    int64_t image;
    uint64_t at;

    if (!scan_value(s, &element))
        return (struct slice){ "", 0 };
    at = (uint64_t)(element.at - text);
    image = text_id_of(element, id);
    if (last && last->image == image) {
        last->length = at + element.length - last->at;
        return element;
    }
    range = pile_add(to, sizeof *range);
    *range = (struct element_range){ image, at, element.length };
    return element;
}

/* Adds the category of an object to the sorted ids. */
static void add_category(struct pile *to, struct slice object)
{
    struct slice value = pick_again(object, "category_id");
    struct scan s = scan_again(value, 0);
    size_t low = 0, high = to->n;
    int64_t id, *all = to->at;

    if (value.at == object.at || !scan_integer(&s, &id))
        return;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (all[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < to->n && all[low] == id)
        return;
    pile_add(to, sizeof id);
    all = to->at;
    memmove(all + low + 1, all + low, (to->n - 1 - low) * sizeof id);
    all[low] = id;
}

static void read_image(void *context, struct scan *s, const struct place *place)
{
    (void)place;
    add_range(&((struct pack_labels *)context)->images, s, "id");
}

static void read_object(void *context, struct scan *s, const struct place *place)
{
    struct pack_labels *l = context;
    struct slice object = add_range(&l->objects, s, "image_id");

    (void)place;
    if (object.length)
        add_category(&l->categories, object);
    if (++l->n_objects % RELEASE_EVERY == 0)
        file_view_release(l->text, l->text);
}

static int by_image(const void *a, const void *b)
{
    const struct element_range *x = a, *y = b;

    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void sort(struct pile *ranges)
{
    if (ranges->n)
        qsort(ranges->at, ranges->n, sizeof(struct element_range), by_image);
}

bool pack_labels_read(struct pack_labels *l, struct slice text, struct text *why)
{
    const struct walk walks[N_WALKS] = { { .name = "images", .read = read_image },
                                         { .name = "annotations", .read = read_object } };
    struct faults faults = { .name = "annotations.json", .text = text };
    const struct place where = { .faults = &faults,
                                 .code_missing = "out-damaged",
                                 .code_type = "out-damaged" };

    *l = (struct pack_labels){ .text = text };
    if (text.length)
        document_read(&where, "out-damaged", walks, N_WALKS, l, &l->arena, &l->document);
    if (faults.n)
        text_addf(why, "annotations.json: %s [out-damaged]", faults.list[0].message);
    sort(&l->images);
    sort(&l->objects);
    faults_drop(&faults);
    return !why->length;
}

/* Returns the index of the first range of an image. */
static size_t find(const struct pile *ranges, int64_t image)
{
    const struct element_range *all = ranges->at;
    size_t low = 0, high = ranges->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (all[middle].image < image)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void print_list(const struct pack_labels *l, const struct pile *ranges, int64_t image,
                       struct text *out)
{
    const struct element_range *all = ranges->at;
    bool any = false;

    text_addc(out, '[');
    for (size_t i = find(ranges, image); i < ranges->n && all[i].image == image; i++) {
        text_adds(out, any ? ",\n" : "");
        text_add(out, l->text.at + all[i].at, (size_t)all[i].length);
        any = true;
    }
    text_addc(out, ']');
}

/* Prints the members that rf-detr reads in front of the sections. Its image_id must be a number: an
 * id that is a string is replaced by the place of the image among all. */
static void print_head(const struct pack_labels *l, int64_t image, struct text *out)
{
    const struct element_range *all = l->images.at;
    size_t place = find(&l->images, image);
    struct slice element, id, name;

    if (place == l->images.n || all[place].image != image)
        return;
    element = (struct slice){ l->text.at + all[place].at, (size_t)all[place].length };
    id = pick_again(element, "id");
    name = pick_again(element, "file_name");
    if (id.at == element.at || *id.at == '"')
        text_addf(out, "\"image_id\": %zu,\n", place + 1);
    else
        text_addf(out, "\"image_id\": %.*s,\n", (int)id.length, id.at);
    if (name.at != element.at)
        text_addf(out, "\"file_name\": %.*s,\n", (int)name.length, name.at);
}

void pack_labels_print(const struct pack_labels *l, int64_t image, bool whole, struct text *out)
{
    const struct document *d = &l->document;
    bool any = false;

    text_clear(out);
    text_addc(out, '{');
    print_head(l, image, out);
    for (size_t i = 0; i < d->n; i++) {
        const struct section *s = &d->sections[i];

        if (!whole && s->walk == N_WALKS)
            continue;
        text_addf(out, "%s\"%.*s\": ", any ? ",\n" : "", (int)s->name.length, s->name.at);
        any = true;
        if (s->walk == WALK_IMAGES)
            print_list(l, &l->images, image, out);
        else if (s->walk == WALK_OBJECTS)
            print_list(l, &l->objects, image, out);
        else
            text_add(out, s->value.at, s->value.length);
    }
    text_adds(out, "}\n");
}

/* --- the index --- */

static bool is_categories(const struct section *s)
{
    return scan_equals(s->name, "categories") && *s->value.at == '[';
}

/* Prints the sections in their order, without the elements that are elsewhere. */
static void print_sections(const struct document *d, struct text *out)
{
    text_adds(out, "{");
    for (size_t i = 0; i < d->n; i++) {
        const struct section *s = &d->sections[i];

        text_addf(out, "%s\"%.*s\": ", i ? ", " : "", (int)s->name.length, s->name.at);
        if (s->walk != N_WALKS || is_categories(s))
            text_adds(out, "[]");
        else
            text_add(out, s->value.at, s->value.length);
    }
    text_adds(out, "}");
}

static void print_categories(const struct document *d, struct text *out)
{
    struct slice list = { "[]", 2 };

    for (size_t i = 0; i < d->n; i++)
        if (is_categories(&d->sections[i]))
            list = d->sections[i].value;
    text_add(out, list.at, list.length);
}

void pack_index_print(const struct pack_labels *l, const struct pack_index *index, struct text *out)
{
    const int64_t *ids = l->categories.at;
    uint64_t n_samples = 0;

    for (size_t i = 0; i < index->n; i++)
        n_samples += index->counts[i];
    text_clear(out);
    text_adds(out, "{\"version\": 1,\n\"split\": ");
    text_add_json(out, index->part, strlen(index->part));
    text_adds(out, ",\n\"shards\": [");
    for (size_t i = 0; i < index->n; i++) {
        text_adds(out, i ? ", " : "");
        text_add_json(out, index->tars[i], strlen(index->tars[i]));
    }
    text_addf(out, "],\n\"num_samples\": %llu,\n\"categories\": ", (unsigned long long)n_samples);
    print_categories(&l->document, out);
    text_adds(out, ",\n\"annotated_category_ids\": [");
    for (size_t i = 0; i < l->categories.n; i++)
        text_addf(out, "%s%lld", i ? ", " : "", (long long)ids[i]);
    text_adds(out, "],\n\"category_ids\": \"remap\",\n\"samples_per_shard\": [");
    for (size_t i = 0; i < index->n; i++)
        text_addf(out, "%s%llu", i ? ", " : "", (unsigned long long)index->counts[i]);
    text_adds(out, "],\n\"coco\": ");
    print_sections(&l->document, out);
    text_adds(out, "}\n");
}

void pack_labels_drop(struct pack_labels *l)
{
    free(l->images.at);
    free(l->objects.at);
    free(l->categories.at);
    arena_drop(&l->arena);
    *l = (struct pack_labels){ 0 };
}
