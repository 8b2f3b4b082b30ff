/* read_labels: reads the labels beside images in archives as one COCO file. */
#include "batch/webdataset/read_samples.h"
#include "batch/io/archive_read.h"
#include "batch/io/shard_index.h"

#include "base/hash.h"
#include "json/document.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LABEL_BYTES = 1 << 28 };

static struct label_section *find_section(struct label_merge *j, struct slice name, bool list)
{
    struct label_section *all = j->sections.at, *new;

    for (size_t i = 0; i < j->sections.n; i++)
        if (scan_equals(name, all[i].name))
            return &all[i];
    new = pile_add(&j->sections, sizeof *new);
    new->name = arena_copy(&j->arena, name.at, name.length);
    new->list = list;
    new->once = strcmp(new->name, "images") != 0 && strcmp(new->name, "annotations") != 0;
    return new;
}

static bool has_element(struct label_section *s, struct slice element)
{
    uint64_t hash = hash_quick(element.at, element.length), *all = s->hashes.at;

    for (size_t i = 0; i < s->hashes.n; i++)
        if (all[i] == hash)
            return true;
    *(uint64_t *)pile_add(&s->hashes, sizeof hash) = hash;
    return false;
}

static void add_elements(struct label_section *s, struct slice value)
{
    struct scan scan = scan_again(value, 0);
    struct slice element;
    bool first = true;

    scan_open(&scan, '[');
    while (scan_element(&scan, &first) && scan_value(&scan, &element)) {
        if (s->once && has_element(s, element))
            continue;
        text_adds(&s->value, s->value.length ? ",\n" : "");
        text_add(&s->value, element.at, element.length);
    }
}

static void add_section(struct label_merge *j, struct slice name, struct slice value)
{
    bool list = *value.at == '[';
    size_t before = j->sections.n;
    struct label_section *s = find_section(j, name, list);

    if (s->once && s->last.length == value.length &&
        memcmp(s->last.at, value.at, value.length) == 0)
        return;
    text_clear(&s->last);
    text_add(&s->last, value.at, value.length);
    if (s->list && list)
        add_elements(s, value);
    else if (j->sections.n > before)
        text_add(&s->value, value.at, value.length);
}

/* Returns the form of a JSON object; FORM_NONE if the text is not one. */
static enum label_form form_of(const struct label_merge *j, struct slice text)
{
    struct scan s = scan_start(text, 0);
    struct slice name, value;
    bool first = true, coco = false, good = true, id = false, objects = false;

    if (scan_peek(&s) != '{')
        return FORM_NONE;
    scan_open(&s, '{');
    while (scan_member(&s, &first, &name) && scan_value(&s, &value)) {
        coco |= scan_equals(name, "images") && *value.at == '[';
        good &= !scan_equals(name, "images") || *value.at == '[';
        id |= scan_equals(name, "image_id");
        objects |= scan_equals(name, "annotations") && *value.at == '[';
    }
    if (!scan_end(&s) || !good)
        return FORM_NONE;
    return coco ? FORM_COCO : j->index && id && objects ? FORM_SAMPLE : FORM_PLAIN;
}

/* --- plain members: an image, KEY.json without "images", KEY.cls --- */

static bool refuse(const struct label_merge *j, const struct tar_set *set, const char *name,
                   const char *why)
{
    return fault_add(j->faults, 0, 0, strcmp(set->path, "-") == 0 ? "stdin" : set->path,
                     "archive-labels", "%s%s", name, why);
}

static bool read_member(const struct label_merge *j, const struct tar_set *set, const char *name,
                        uint64_t max, struct text *to)
{
    struct text why = { 0 };
    struct stat status;
    bool good = archive_read(set, name, NULL, max, to, &status, &why);

    if (!good)
        refuse(j, set, name, arena_printf(&j->faults->arena, ": %s", text_string(&why)));
    text_drop(&why);
    return good;
}

/* Reads a .cls file: an integer from 0 on in digits, with white space around it. */
static bool read_class(struct label_merge *j, const struct tar_set *set, const struct member *m,
                       int64_t *class)
{
    enum { MAX_CLASS_BYTES = 64 };
    struct text bytes = { 0 };
    bool good = read_member(j, set, m->name, MAX_CLASS_BYTES, &bytes);
    struct scan s = scan_start((struct slice){ text_string(&bytes), bytes.length }, 0);

    if (good && !(scan_integer(&s, class) && scan_end(&s) && *class >= 0))
        good = refuse(j, set, m->name, " is not a class: expected an integer from 0 on");
    text_drop(&bytes);
    if (good)
        *(int64_t *)pile_add(&j->classes, sizeof *class) = *class;
    return good;
}

/* Adds the annotations of a plain member. Objects have no ids: the sample file names no image. */
static bool add_objects(struct label_merge *j, const struct tar_set *set, const char *name,
                        struct slice list)
{
    struct label_section *to = find_section(j, (struct slice){ "annotations", 11 }, true);
    struct scan s = scan_again(list, 0);
    struct slice element;
    bool first = true;

    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &element)) {
        if (*element.at != '{' || pick_again(element, "id").at != element.at ||
            pick_again(element, "image_id").at != element.at)
            return refuse(
                j, set, name,
                " has annotations with ids, but no list of images: expected a COCO file of "
                "the image, annotations without id and image_id, or an index of the tars, "
                "PART-index.json");
        text_addf(&to->value, "%s{\"id\": %lld, \"image_id\": %lld", to->value.length ? ",\n" : "",
                  ++j->n_objects, j->n_images);
        text_adds(&to->value, element.length > 2 ? ", " : "");
        text_add(&to->value, element.at + 1, element.length - 1);
    }
    return true;
}

/* Copies the members of the JSON object to the image, except lists that COCO has next to "images".
 */
static bool add_members(struct label_merge *j, const struct tar_set *set,
                        const struct sample_part *part, struct slice text, struct text *image)
{
    struct scan s = scan_again(text, 0);
    struct slice name, value;
    bool first = true, good = true;

    scan_open(&s, '{');
    while (good && scan_member(&s, &first, &name) && scan_value(&s, &value)) {
        bool own = scan_equals(name, "id") || scan_equals(name, "file_name");
        bool label = scan_equals(name, "category_id") || scan_equals(name, "category_ids");

        if (scan_equals(name, "annotations") && *value.at == '[') {
            good = add_objects(j, set, part->json->name, value);
        } else if (scan_equals(name, "categories") && *value.at == '[') {
            add_section(j, name, value);
        } else if (label && part->class) {
            good = refuse(j, set, part->json->name, " names a class, and so does the .cls member");
        } else {
            text_addf(image, ", \"%s%.*s\": ", own ? "source_" : "", (int)name.length, name.at);
            text_add(image, value.at, value.length);
        }
    }
    return good;
}

static bool add_plain(struct label_merge *j, struct tar_set *set, const struct sample_part *part,
                      struct slice text)
{
    const char *name = sample_unescape(part->image->name, strlen(part->image->name), &j->arena);
    struct text image = { 0 };
    struct label_section *to;
    int64_t class = 0;
    bool good = !part->class || read_class(j, set, part->class, &class);

    text_addf(&image, "{\"id\": %lld, \"file_name\": ", ++j->n_images);
    text_add_json(&image, name, strlen(name));
    if (part->class)
        text_addf(&image, ", \"category_id\": %lld", (long long)class);
    good = good && (!text.length || add_members(j, set, part, text, &image));
    to = find_section(j, (struct slice){ "images", 6 }, true);
    text_addf(&to->value, "%s%s}", to->value.length ? ",\n" : "", text_string(&image));
    text_drop(&image);
    return good;
}

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Names the classes by their numbers, if no file names them. */
static void name_classes(struct label_merge *j)
{
    struct label_section *to = find_section(j, (struct slice){ "categories", 10 }, true);
    int64_t *all = j->classes.at;

    find_section(j, (struct slice){ "annotations", 11 }, true);
    if (to->value.length || !j->classes.n)
        return;
    qsort(all, j->classes.n, sizeof *all, by_number);
    for (size_t i = 0; i < j->classes.n; i++)
        if (i == 0 || all[i - 1] != all[i])
            text_addf(&to->value, "%s{\"id\": %lld, \"name\": \"%lld\"}",
                      to->value.length ? ",\n" : "", (long long)all[i], (long long)all[i]);
}

/* --- rf-detr's form: image_id, file_name, annotations --- */

/* Adds the objects of a sample, which may lack their id and their image_id. */
static void add_sample_objects(struct label_merge *j, struct slice image, struct slice list)
{
    struct label_section *to = find_section(j, (struct slice){ "annotations", 11 }, true);
    struct scan s = scan_again(list, 0);
    struct slice element;
    bool first = true;

    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &element)) {
        bool open = *element.at == '{';

        text_adds(&to->value, to->value.length ? ",\n" : "");
        if (open && pick_again(element, "id").at == element.at)
            text_addf(&to->value, "{\"id\": %lld, ", ++j->n_objects);
        else
            text_adds(&to->value, open ? "{" : "");
        if (open && pick_again(element, "image_id").at == element.at)
            text_addf(&to->value, "\"image_id\": %.*s, ", (int)image.length, image.at);
        text_add(&to->value, element.at + open, element.length - open);
    }
}

/* True if a JSON value is this string. */
static bool is_string(struct slice value, const char *text)
{
    return *value.at == '"' && scan_equals((struct slice){ value.at + 1, value.length - 2 }, text);
}

/* The image is named after its member; `file_name` is its name in the source. */
static void add_sample(struct label_merge *j, const struct sample_part *part, struct slice text)
{
    const char *name = sample_unescape(part->image->name, strlen(part->image->name), &j->arena);
    struct label_section *to = find_section(j, (struct slice){ "images", 6 }, true);
    struct scan s = scan_again(text, 0);
    struct slice id = pick_again(text, "image_id"), member, value;
    bool first = true;

    text_addf(&to->value, "%s{\"id\": %.*s, \"file_name\": ", to->value.length ? ",\n" : "",
              (int)id.length, id.at);
    text_add_json(&to->value, name, strlen(name));
    scan_open(&s, '{');
    while (scan_member(&s, &first, &member) && scan_value(&s, &value)) {
        bool file = scan_equals(member, "file_name"), own = file || scan_equals(member, "id");

        if (scan_equals(member, "annotations") || scan_equals(member, "image_id") ||
            (file && is_string(value, name)))
            continue;
        text_addf(&to->value, ", \"%s%.*s\": ", own ? "source_" : "", (int)member.length,
                  member.at);
        text_add(&to->value, value.at, value.length);
    }
    text_adds(&to->value, "}");
    add_sample_objects(j, id, pick_again(text, "annotations"));
}

/* --- all forms --- */

/* The first members of KEY.json are for rf-detr. */
static void add_coco(struct label_merge *j, struct slice text)
{
    struct scan s = scan_again(text, 0);
    struct slice member, value;
    bool first = true;

    scan_open(&s, '{');
    while (scan_member(&s, &first, &member) && scan_value(&s, &value))
        if (!scan_equals(member, "image_id") && !scan_equals(member, "file_name"))
            add_section(j, member, value);
}

void sample_labels_add_index(struct label_merge *j)
{
    const struct shard_index *index = j->index;

    if (index->coco.length)
        add_coco(j, index->coco);
    find_section(j, (struct slice){ "images", 6 }, true);
    find_section(j, (struct slice){ "annotations", 11 }, true);
    add_section(j, (struct slice){ "categories", 10 }, index->categories);
}

bool sample_labels_check(struct label_merge *j)
{
    const struct label_section *all = j->sections.at;
    bool objects = false, categories = false;

    for (size_t i = 0; i < j->sections.n; i++) {
        objects |= strcmp(all[i].name, "annotations") == 0 && all[i].value.length;
        categories |= strcmp(all[i].name, "categories") == 0;
    }
    return j->kind != LABELS_COCO || !objects || categories ||
           fault_add(j->faults, 0, 0, j->to->archive, "archive-labels",
                     "its KEY.json files do not name the categories: read the tars beside their "
                     "index, PART-index.json, or give their annotation file with -a");
}

/* Decides by the first sample that has labels, in the order of the samples. */
void sample_labels_decide(struct label_merge *j, struct tar_set *set,
                          const struct sample_part *parts, size_t n)
{
    struct text bytes = { 0 }, why = { 0 };
    struct stat status;

    for (size_t i = 0; j->kind == LABELS_UNKNOWN && i < n; i++) {
        const struct member *json = parts[i].json;

        if (!json && !parts[i].class)
            continue;
        j->kind = LABELS_PLAIN;
        if (json && archive_read(set, json->name, NULL, MAX_LABEL_BYTES, &bytes, &status, &why)) {
            enum label_form form = form_of(j, (struct slice){ text_string(&bytes), bytes.length });

            if (form == FORM_COCO || form == FORM_SAMPLE)
                j->kind = LABELS_COCO;
        }
    }
    text_drop(&bytes);
    text_drop(&why);
}

/* Says why labels of this form cannot be taken; NULL: they can. */
static const char *refused_form(const struct label_merge *j, const struct tar_set *set,
                                enum label_form form)
{
    bool coco = form == FORM_COCO || form == FORM_SAMPLE;

    if (form == FORM_NONE)
        return " is neither a COCO file of its image nor a JSON object with members for it: "
               "leave it out, or give one COCO file of all images with -a";
    if (!coco && set->index)
        return " lacks image_id or annotations, which a sample of an index has";
    if (coco != (j->kind == LABELS_COCO))
        return coco ? " is a COCO file of its image, but earlier ones are not: use one kind, or "
                      "give one COCO file of all images with -a"
                    : " is not a COCO file of its image, but earlier ones are: use one kind, or "
                      "give one COCO file of all images with -a";
    return NULL;
}

bool sample_labels_add(struct label_merge *j, struct tar_set *set, const struct sample_part *part,
                       bool first)
{
    struct text bytes = { 0 };
    struct slice text;
    bool good = !part->json || read_member(j, set, part->json->name, MAX_LABEL_BYTES, &bytes);
    enum label_form form = FORM_PLAIN;
    const char *why = NULL;

    text = (struct slice){ text_string(&bytes), bytes.length };
    if (good && part->json) {
        form = form_of(j, text);
        why = refused_form(j, set, form);
    }
    if (why)
        good = refuse(j, set, part->json->name, why);
    if (good && j->kind == LABELS_PLAIN)
        good = add_plain(j, set, part, text);
    else if (good && part->json && first && form == FORM_SAMPLE)
        add_sample(j, part, text);
    else if (good && part->json && first)
        add_coco(j, text);
    text_drop(&bytes);
    return good;
}

void sample_labels_print(struct label_merge *j, struct text *out)
{
    const struct label_section *all;

    if (j->kind == LABELS_PLAIN)
        name_classes(j);
    all = j->sections.at;
    for (size_t i = 0; i < j->sections.n; i++) {
        text_addf(out, "%s\"%s\": %s", i ? ",\n" : "{", all[i].name, all[i].list ? "[" : "");
        text_add(out, text_string(&all[i].value), all[i].value.length);
        text_adds(out, all[i].list ? "]" : "");
    }
    text_adds(out, j->sections.n ? "}\n" : "");
}

void label_merge_drop(struct label_merge *j)
{
    struct label_section *sections = j->sections.at;

    for (size_t i = 0; i < j->sections.n; i++) {
        text_drop(&sections[i].value);
        text_drop(&sections[i].last);
        free(sections[i].hashes.at);
    }
    free(sections);
    free(j->classes.at);
    free(j->masks.at);
    free(j->files.at);
    arena_drop(&j->arena);
}
