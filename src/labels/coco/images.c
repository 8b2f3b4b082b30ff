/* images: the list "images" of COCO's JSON files. */
#include "labels/coco/images.h"
#include "labels/shared/translation.h"

#include "labels/coco/image_cameras.h"
#include "labels/coco/image_labels.h"
#include "labels/coco/members.h"
#include "labels/coco/unknown_keys.h"
#include "labels/coco/numbers.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A side of the image: at least 1. */
static void pick_side(const struct place *p, const struct pick *pick, unsigned *set, int *to)
{
    int64_t side = 0;
    unsigned found = 0;

    if (!pick->value.at)
        return;
    if (!whole_read(pick->value, &side, &found)) {
        place_fault(p, pick->value, pick->name, p->code_type, "expected an integer within 2^53");
        return;
    }
    if (side < 1 || side > INT_MAX) {
        place_fault(p, pick->value, pick->name, "coco-size",
                    "%lld is not the side of an image: at least 1 pixel", (long long)side);
        return;
    }
    *set |= coco_whole_look(p, pick);
    *to = (int)side;
}

bool coco_size_is_zero(const struct pick *width, const struct pick *height)
{
    const struct pick *const sides[] = { width, height };
    bool zero = false;

    for (size_t i = 0; i < COUNTOF(sides); i++) {
        unsigned set = 0;
        int64_t side;

        if (!sides[i]->value.at)
            continue;
        if (!whole_read(sides[i]->value, &side, &set) || side != 0)
            return false;
        zero = true;
    }
    return zero;
}

/* Reads width and height. Where both are 0, or one is missing, both count as missing: the file has
 * the size. */
static void read_size(const struct place *p, const struct pick *width, const struct pick *height,
                      struct record *record, unsigned *set)
{
    const struct pick *stated = width->value.at ? width : height;

    if (coco_size_is_zero(width, height)) {
        deviation_note_member(p, DEVIATION_ZERO_SIZE, stated->value, stated->name);
        *set |= DEVIATION(ZERO_SIZE);
        return;
    }
    pick_side(p, width, set, &record->width);
    pick_side(p, height, set, &record->height);
    if (!record->width || !record->height)
        record->width = record->height = 0;
}

/* LVIS has no file_name: its images are in folders as in their addresses, "train2017/000.jpg" (lvis
 * and detectron2 take the last two parts, too). */
static const char *name_of_address(const char *address)
{
    const char *file = strrchr(address, '/'), *folder = file;

    while (folder && folder > address && folder[-1] != '/')
        folder--;
    return folder && folder > address ? folder : NULL;
}

/* The picks are file_name and coco_url. */
static void read_name(const struct coco_images *r, const struct place *p, struct slice element,
                      const struct pick *pick, const char **name)
{
    const char *address = "", *name_there;

    if (pick[0].value.at) {
        pick_text(p, &pick[0], r->arena, name);
        return;
    }
    if (!pick_text(p, &pick[1], r->arena, &address))
        return;
    name_there = name_of_address(address);
    if (name_there)
        *name = name_there;
    else
        place_fault(p, (struct slice){ element.at, 1 }, "file_name", p->code_missing,
                    "this key is missing, and there is no coco_url with a folder and a file%s",
                    pick_alike_hint(element, "file_name", &p->faults->arena));
}

void coco_image_read(struct coco_images *r, struct scan *s, const struct place *p)
{
    struct pick pick[] = { { .name = "id", .required = true },
                           { .name = "file_name" },
                           { .name = "coco_url" },
                           { .name = "width" },
                           { .name = "height" },
                           { .name = "seed_key" },
                           { .name = "neg_category_ids" },
                           { .name = "not_exhaustive_category_ids" },
                           { .name = "license" },
                           { .name = "category_id" },
                           { .name = "category_ids" } };
    struct record *record = pile_add(&r->records, sizeof *record);
    struct coco_image *image = pile_add(&r->places, sizeof *image);
    struct slice element = { 0 };
    unsigned set = 0;

    record->id = COCO_NO_ID;
    record->name = "";
    pick_members(s, p, &r->order, pick, COUNTOF(pick), &element);
    if (s->code || *element.at != '{' || !coco_check_element_size(p, element))
        return;
    image->offset = (uint64_t)(element.at - s->text.at) & INT64_MAX >> 1;
    image->labelled = pick[9].value.at || pick[10].value.at;
    image->length = (uint32_t)element.length & INT32_MAX;
    coco_pick_kind_id(p, &pick[0], &r->ids, &record->id, &set);
    read_name(r, p, element, &pick[1], &record->name);
    read_size(p, &pick[3], &pick[4], record, &set);
    image->deviates = (set & DEVIATIONS_REPAIRED) != 0;
    record->seed_key = record->name;
    pick_text(p, &pick[5], r->arena, &record->seed_key);
    if (pick[8].value.length == 1 && *pick[8].value.at == '0')
        deviation_note_member(p, DEVIATION_ZERO_ID, pick[8].value, "license");
    r->lvis |= pick[6].value.at || pick[7].value.at;
}

/* --- members that hold geometry --- */

static void note_unknown(void *context, struct slice name)
{
    struct coco_images *r = context;
    bool structured;

    if (coco_image_key_is_loose(name, &structured))
        coco_loose_note(&r->loose, name);
}

void coco_images_note_loose(struct coco_images *r)
{
    r->order.unknown = note_unknown;
    r->order.context = r;
}

static struct slice stretch_of(const void *context, size_t index)
{
    const struct coco_images *r = context;
    const struct coco_image *image = (const struct coco_image *)r->places.at + index;

    return (struct slice){ r->faults->text.at + image->offset, image->length };
}

/* True if the member holds geometry in an image: a name such as "camera" may be a word, too. */
static bool holds_geometry(const struct coco_images *r, struct slice name)
{
    char copy[64];
    bool structured;

    coco_image_key_is_loose(name, &structured);
    snprintf(copy, sizeof copy, "%.*s", (int)name.length, name.at);
    for (size_t i = 0; i < r->places.n; i++) {
        struct slice element = stretch_of(r, i), value = pick_again(element, copy);

        if (value.at != element.at && !strchr(structured ? "ntf\"-0123456789" : "ntf", *value.at))
            return true;
    }
    return false;
}

void coco_images_keep_loose(struct coco_images *r, struct dataset *d)
{
    struct slice *name = r->loose.at;
    size_t n = 0;

    for (size_t i = 0; i < r->loose.n; i++)
        if (holds_geometry(r, name[i]))
            name[n++] = name[i];
    r->loose.n = n;
    coco_loose_keep(&r->loose, KEYS_OF_IMAGES, d);
    free(r->loose.at);
    r->loose = (struct pile){ 0 };
}

static int by_record_name(const void *a, const void *b)
{
    const struct record *x = *(const struct record *const *)a;
    const struct record *y = *(const struct record *const *)b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x > y) - (x < y);
}

static void check_names(const struct coco_images *r)
{
    const struct record *records = r->records.at, **sorted;
    const struct coco_image *images = r->places.at;
    size_t n = 0;

    sorted = memory_take((r->records.n + 1) * sizeof *sorted);
    for (size_t i = 0; i < r->records.n; i++)
        if (!images[i].repeated)
            sorted[n++] = &records[i];
    qsort(sorted, n, sizeof *sorted, by_record_name);
    for (size_t i = 1; i < n; i++) {
        struct place p = coco_place(r->faults, "images", (size_t)(sorted[i] - records));

        if (*sorted[i]->name && strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
            place_fault(&p, pick_again(stretch_of(r, p.index), "file_name"), "file_name",
                        "coco-name-twice", "images[%zu] has this file already",
                        (size_t)(sorted[i - 1] - records));
    }
    free(sorted);
}

static void fill_in_ids(const struct coco_images *r, struct id *ids)
{
    const struct record *records = r->records.at;

    for (size_t i = 0; i < r->records.n; i++)
        ids[i] = (struct id){ records[i].id, (uint32_t)i };
}

static void settle_ids(struct coco_images *r)
{
    struct record *records = r->records.at;
    struct coco_image *images = r->places.at;

    for (size_t i = 0; r->ids != ID_KIND_TEXT && i < r->records.n; i++) {
        struct place p = coco_place(r->faults, "images", i);

        if (coco_settle_id(&p, stretch_of(r, i), "id", &r->ids, &records[i].id))
            images[i].deviates = true;
    }
}

void coco_images_check(struct coco_images *r, struct id *ids)
{
    const struct coco_list list = { r->faults, "images", stretch_of, r };
    struct coco_image *images = r->places.at;
    struct pile repeated = { 0 };
    const uint32_t *index;

    settle_ids(r);
    fill_in_ids(r, ids);
    coco_ids_check(&list, ids, r->records.n, &repeated);
    index = repeated.at;
    for (size_t i = 0; i < repeated.n; i++)
        images[index[i]].repeated = true;
    r->n_repeated = repeated.n;
    free(repeated.at);
    check_names(r);
}

void coco_images_drop_repeated(struct coco_images *r, struct id *ids)
{
    struct coco_image *images = r->places.at;
    struct record *records = r->records.at;
    size_t n = 0;

    if (!r->n_repeated)
        return;
    for (size_t i = 0; i < r->records.n; i++) {
        if (images[i].repeated)
            continue;
        images[n] = images[i];
        records[n++] = records[i];
    }
    r->records.n = r->places.n = n;
    fill_in_ids(r, ids);
    ids_sort(ids, n);
}

void coco_images_check_labels(const struct coco_images *r, const struct categories *categories)
{
    const struct coco_image *images = r->places.at;
    struct arena scratch = { 0 };
    struct image_labels labels;

    for (size_t i = 0; i < r->places.n; i++) {
        struct place p = coco_place(r->faults, "images", i);

        if (!images[i].labelled)
            continue;
        arena_reset(&scratch);
        coco_image_labels_read(&p, stretch_of(r, i), categories, &scratch, &labels);
    }
    arena_drop(&scratch);
}

void coco_image_load_labels(struct faults *f, const struct coco_image *image,
                            const struct dataset *d, size_t record, struct sample *sample)
{
    struct place p = coco_place(f, "images", record);
    struct slice element = { f->text.at + image->offset, image->length };
    struct image_labels labels;

    if (!image->labelled || !d->lookup || !d->n_categories ||
        !coco_image_labels_read(&p, element, d->lookup, sample->arena, &labels))
        return;
    sample->labels = labels.at;
    sample->n_labels = labels.n;
    sample->relabelled = d->lookup->renumbered;
}

/* Appends a side if the source is to be replaced: after a resize, or where it says 0. */
static bool print_side(const struct output *out, struct slice value, int side, struct text *text)
{
    unsigned set = 0;
    int64_t stated = 0;

    if (!out->resized && (!whole_read(value, &stated, &set) || stated != 0 || !side))
        return coco_whole_repair(value, text);
    text_addf(text, "%d", side);
    return true;
}

/* --- LVIS's lists of categories --- */

/* The keys whose lists of ids follow the written classes. All: a class is in the list if all
 * classes that became it are; otherwise, if one of them is. */
static const struct id_list {
    const char *key;
    bool all;
} id_lists[] = { { "neg_category_ids", true }, { "not_exhaustive_category_ids", false } };

static bool has_new_ids(const struct dataset *d)
{
    return d->lookup && (d->written || d->lookup->renumbered);
}

/* Marks the categories in a list of ids. Returns false if it is not a list of known ids. */
static bool mark_ids(const struct dataset *d, struct slice list, bool *marked)
{
    struct scan s = scan_start(list, 0);
    struct slice item;
    bool first = true;
    unsigned set = 0;
    int64_t id;

    if (!list.length || *list.at != '[' || !scan_open(&s, '['))
        return false;
    while (scan_element(&s, &first) && scan_value(&s, &item)) {
        const struct category *c = id_read(item, &id, &set) ? categories_find(d->lookup, id) : NULL;

        if (c && (size_t)(c - d->categories) < d->n_categories)
            marked[c - d->categories] = true;
    }
    return true;
}

static bool is_in_list(const struct dataset *d, size_t class, const bool *marked, bool all)
{
    bool one = false, every = true;

    for (size_t i = 0; i < d->n_categories; i++) {
        if (i != class && !(d->written && d->written->result[i] == &d->categories[class]))
            continue;
        one |= marked[i];
        every &= marked[i];
    }
    return all ? every : one;
}

/* Prints a list of ids if the key is one of id_lists. */
static bool print_ids(const struct dataset *d, struct slice name, struct slice list,
                      struct text *text)
{
    const struct id_list *key = id_lists;
    bool *marked, first = true;

    while (key < id_lists + COUNTOF(id_lists) && !scan_equals(name, key->key))
        key++;
    if (key == id_lists + COUNTOF(id_lists))
        return false;
    marked = memory_take(d->n_categories + 1);
    memset(marked, 0, d->n_categories + 1);
    if (!mark_ids(d, list, marked)) {
        free(marked);
        return false;
    }
    text_addc(text, '[');
    for (size_t i = 0; i < d->n_categories; i++) {
        const struct category *written = class_written(d, &d->categories[i]);

        if (!written || !is_in_list(d, i, marked, key->all))
            continue;
        text_adds(text, first ? "" : ", ");
        first = false;
        text_add_integer(text, written->id);
    }
    text_addc(text, ']');
    free(marked);
    return true;
}

/* An image as it is printed. */
struct printed_image {
    const struct dataset *dataset;
    const struct output *output;
    int64_t id;
};

static bool print_member(void *context, struct slice name, struct slice value, struct text *text)
{
    const struct printed_image *p = context;
    const struct output *out = p->output;

    if (scan_equals(name, "id"))
        return coco_print_image_id(out, p->id, value, text);
    if (out->renamed && scan_equals(name, "file_name"))
        text_add_json(text, out->name, strlen(out->name));
    else if (out->relabelled && coco_is_image_label_key(name))
        coco_image_labels_replace(name, value, out, text);
    else if (scan_equals(name, "width"))
        return print_side(out, value, out->frame.width, text);
    else if (scan_equals(name, "height"))
        return print_side(out, value, out->frame.height, text);
    else
        return (has_new_ids(p->dataset) && print_ids(p->dataset, name, value, text)) ||
               coco_camera_print(out, name, value, text);
    return true;
}

static void print_image(const struct dataset *d, struct slice element,
                        const struct coco_image *image, int64_t id, const struct output *out,
                        struct text *text)
{
    if (!has_new_ids(d) && out->of <= 1 && !out->renamed && !out->renumbered && !out->resized &&
        !out->relabelled && !image->deviates && !coco_cameras_move(out)) {
        text_add(text, element.at, element.length);
        return;
    }
    text_addc(text, '{');
    pick_print(element, text, print_member, &(struct printed_image){ d, out, id });
    /* pick_again gives the whole element for a key that it does not have. */
    if (out->renamed && pick_again(element, "file_name").at == element.at) {
        text_adds(text, ", \"file_name\": ");
        text_add_json(text, out->name, strlen(out->name));
    }
    if (out->resized && pick_again(element, "width").at == element.at)
        text_addf(text, ", \"width\": %d", out->frame.width);
    if (out->resized && pick_again(element, "height").at == element.at)
        text_addf(text, ", \"height\": %d", out->frame.height);
    if (out->relabelled && !image->labelled)
        coco_image_labels_add(out, text);
    text_addc(text, '}');
}

/* True for members of images that COCO defines. */
static bool is_usual_member(struct slice name)
{
    static const char *const usual[] = { "id",      "file_name", "width",      "height",
                                         "license", "coco_url",  "flickr_url", "date_captured" };

    for (size_t i = 0; i < COUNTOF(usual); i++)
        if (scan_equals(name, usual[i]))
            return true;
    return false;
}

/* True for what Roboflow adds: {"name": the file's name before it was uploaded}. */
static bool is_upload_name(struct slice name, struct slice value)
{
    struct scan s = scan_again(value, 0);
    struct slice key, text;
    bool first = true;

    return scan_equals(name, "extra") && *value.at == '{' && scan_open(&s, '{') &&
           scan_member(&s, &first, &key) && scan_equals(key, "name") && scan_value(&s, &text) &&
           !scan_member(&s, &first, &key);
}

void coco_image_visit(struct slice element, void (*visit)(void *context, const struct extra *),
                      void *context)
{
    struct scan s = scan_again(element, 0);
    struct slice name, value;
    bool first = true;

    scan_open(&s, '{');
    while (scan_member(&s, &first, &name) && scan_value(&s, &value))
        if (scan_equals(name, TRANSLATED_LINE))
            coco_image_visit(value, visit, context);
        else if (!is_usual_member(name) && !scan_equals(name, "objects"))
            visit(context, &(struct extra){ .name = name,
                                            .value = value,
                                            .json = true,
                                            .usual = coco_is_nothing(value) ||
                                                     is_upload_name(name, value) });
}

/* Replaces the line that a translated image contains by the line's members that COCO does not have.
 */
static void unpack_line(struct slice element, struct text *to)
{
    static const struct named_key line_key = { .name = TRANSLATED_LINE };
    static const struct named_key own[] = { { .name = "file_name" },
                                            { .name = "objects" },
                                            { .name = "id" },
                                            { .name = "width" },
                                            { .name = "height" } };
    struct slice line = pick_again(element, TRANSLATED_LINE);
    struct text members = { 0 };

    if (line.at == element.at) {
        text_add(to, element.at, element.length);
        return;
    }
    coco_keys_drop(element, &line_key, 1, to);
    coco_keys_drop(line, own, COUNTOF(own), &members);
    if (memchr(members.at, '"', members.length)) {
        text_cut(to, to->length - 1);
        text_adds(to, ", ");
        text_add(to, members.at + 1, members.length - 1);
    }
    text_drop(&members);
}

void coco_print_image(const struct dataset *d, struct slice file, const struct coco_image *image,
                      int64_t id, const struct output *out, struct text *text)
{
    const struct keys *drop = out->rules ? &out->rules->drop_keys : NULL;
    struct slice element = { file.at + image->offset, image->length };
    struct text kept = { 0 }, unpacked = { 0 };

    if (d->origin) {
        unpack_line(element, &unpacked);
        element = (struct slice){ unpacked.at, unpacked.length };
    }
    if (drop && drop->n_of_images) {
        coco_keys_drop(element, drop->of_images, drop->n_of_images, &kept);
        element = (struct slice){ kept.at, kept.length };
    }
    print_image(d, element, image, id, out, text);
    text_drop(&kept);
    text_drop(&unpacked);
}
