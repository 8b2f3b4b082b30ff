/* pack_labels: an annotation file, image by image. */
#include "batch/webdataset/pack.h"

#include "base/file_view.h"
#include "json/text_id.h"

#include <stdlib.h>
#include <string.h>

enum { WALK_IMAGES, WALK_OBJECTS, N_WALKS };

/* Elements after which the text that was read is not kept in memory. */
enum { REST_EVERY = 1 << 16 };

/* Elements of an image that are neighbours in the file, with what is between them. A run writes the
 * objects of an image together, so that memory grows with the images and not with the objects. */
struct slip {
    int64_t image;
    uint64_t at, length; /* in the text */
};

static void add_slip(struct pile *to, struct scan *s, const char *id)
{
    const char *text = s->text.at;
    struct slip *last = to->n ? (struct slip *)to->at + to->n - 1 : NULL, *slip;
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
    slip = pile_add(to, sizeof *slip);
    *slip = (struct slip){ image, at, element.length };
}

static void read_image(void *context, struct scan *s, const struct place *place)
{
    (void)place;
    add_slip(&((struct pack_labels *)context)->images, s, "id");
}

static void read_object(void *context, struct scan *s, const struct place *place)
{
    struct pack_labels *l = context;

    (void)place;
    add_slip(&l->objects, s, "image_id");
    if (++l->n_objects % REST_EVERY == 0)
        file_view_release(l->text, l->text);
}

static int by_image(const void *a, const void *b)
{
    const struct slip *x = a, *y = b;

    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void sort(struct pile *slips)
{
    if (slips->n)
        qsort(slips->at, slips->n, sizeof(struct slip), by_image);
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

/* The first one of an image. */
static size_t find(const struct pile *slips, int64_t image)
{
    const struct slip *all = slips->at;
    size_t low = 0, high = slips->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (all[middle].image < image)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void print_list(const struct pack_labels *l, const struct pile *slips, int64_t image,
                       struct text *out)
{
    const struct slip *all = slips->at;
    bool any = false;

    text_addc(out, '[');
    for (size_t i = find(slips, image); i < slips->n && all[i].image == image; i++) {
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
