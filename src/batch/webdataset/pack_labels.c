/* pack_labels: prints an annotation file image by image. */
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

static void add_range(struct pile *to, struct scan *s, const char *id)
{
    const char *text = s->text.at;
    struct element_range *last = to->n ? (struct element_range *)to->at + to->n - 1 : NULL, *range;
    struct slice element;
    int64_t image;
    uint64_t at;

    if (!scan_value(s, &element))
        return;
    at = (uint64_t)(element.at - text);
    image = text_id_of(element, id);
    if (last && last->image == image) {
        last->length = at + element.length - last->at;
        return;
    }
    range = pile_add(to, sizeof *range);
    *range = (struct element_range){ image, at, element.length };
}

static void read_image(void *context, struct scan *s, const struct place *place)
{
    (void)place;
    add_range(&((struct pack_labels *)context)->images, s, "id");
}

static void read_object(void *context, struct scan *s, const struct place *place)
{
    struct pack_labels *l = context;

    (void)place;
    add_range(&l->objects, s, "image_id");
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

void pack_labels_print(const struct pack_labels *l, int64_t image, struct text *out)
{
    const struct document *d = &l->document;

    text_clear(out);
    text_addc(out, '{');
    for (size_t i = 0; i < d->n; i++) {
        const struct section *s = &d->sections[i];

        text_adds(out, i ? ",\n\"" : "\"");
        text_add(out, s->name.at, s->name.length);
        text_adds(out, "\": ");
        if (s->walk == WALK_IMAGES)
            print_list(l, &l->images, image, out);
        else if (s->walk == WALK_OBJECTS)
            print_list(l, &l->objects, image, out);
        else
            text_add(out, s->value.at, s->value.length);
    }
    text_adds(out, "}\n");
}

void pack_labels_drop(struct pack_labels *l)
{
    free(l->images.at);
    free(l->objects.at);
    arena_drop(&l->arena);
}
