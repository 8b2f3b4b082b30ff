/* pack_labels: an annotation file, image by image. */
#include "pack.h"

#include <stdlib.h>
#include <string.h>

enum { WALK_IMAGES, WALK_OBJECTS, N_WALKS };

/* An element, by the image that it is of. */
struct slip {
    int64_t image;
    uint64_t at, length; /* in the text */
};

static void add_slip(struct pile *to, struct scan *s, const char *id)
{
    const char *text = s->text.at;
    struct slice element;
    struct scan number;
    struct slip *slip;

    if (!scan_value(s, &element))
        return;
    slip = pile_add(to, sizeof *slip);
    slip->at = (uint64_t)(element.at - text);
    slip->length = element.length;
    number = scan_again(pick_again(element, id), 0);
    scan_integer(&number, &slip->image);
}

static void read_image(void *context, struct scan *s, const struct place *place)
{
    (void)place;
    add_slip(&((struct pack_labels *)context)->images, s, "id");
}

static void read_object(void *context, struct scan *s, const struct place *place)
{
    (void)place;
    add_slip(&((struct pack_labels *)context)->objects, s, "image_id");
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
