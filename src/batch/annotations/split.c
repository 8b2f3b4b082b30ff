/* split: divides the images of a COCO file into parts. */
#include "batch/annotations/split.h"

#include "batch/io/mapped_file.h"
#include "batch/dataset/unsupported_format.h"
#include "batch/annotations/split_sources.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/id_index.h"
#include "base/stderr_line.h"
#include "base/output_file.h"
#include "json/document.h"
#include "json/text_id.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct image {
    struct slice element;
    const char *name;
    const char *group; /* the value of the group key; NULL: it has none */
    size_t unit;
};

struct split_object {
    struct slice element;
    int64_t image_id, category_id;
    uint32_t image; /* index of its image */
};

/* The state while one file is split. */
struct split_state {
    struct split *split;
    struct faults faults; /* faults of the file */
    struct arena arena;
    struct document document;
    struct pile images, objects, ids; /* of struct image, struct split_object, struct id */
    struct split_unit *unit;
    size_t n_units, n_keyed; /* images with the group key */
    size_t part, at[2];      /* while a part is written: its index, and the next image and object */
};

static struct image *image_at(const struct split_state *s, size_t i)
{
    return &((struct image *)s->images.at)[i];
}

static struct split_object *object_at(const struct split_state *s, size_t i)
{
    return &((struct split_object *)s->objects.at)[i];
}

/* --- reading --- */

static struct pick member(const char *name, bool required)
{
    return (struct pick){ .name = name, .required = required };
}

/* Reads an id. A number and a text are never equal, since elements are copied unchanged. */
static bool read_id(const struct place *place, const struct pick *pick, int64_t *id)
{
    return text_id_read(pick->value, id) || pick_integer(place, pick, id);
}

static void read_image(void *context, struct scan *scan, const struct place *place)
{
    struct split_state *s = context;
    struct pick picks[] = { member("id", true), member("file_name", true) };
    struct pick_order order = { 0 };
    struct image *image = pile_add(&s->images, sizeof *image);
    struct id *id = pile_add(&s->ids, sizeof *id);

    id->index = (uint32_t)(s->images.n - 1);
    if (pick_members(scan, place, &order, picks, COUNTOF(picks), &image->element) &&
        read_id(place, &picks[0], &id->id))
        pick_text(place, &picks[1], &s->arena, &image->name);
}

/* The category is optional, since captions have none. */
static void read_object(void *context, struct scan *scan, const struct place *place)
{
    struct split_state *s = context;
    struct pick picks[] = { member("image_id", true), member("category_id", false) };
    struct pick_order order = { 0 };
    struct split_object *o = pile_add(&s->objects, sizeof *o);

    if (pick_members(scan, place, &order, picks, COUNTOF(picks), &o->element) &&
        read_id(place, &picks[0], &o->image_id))
        pick_integer(place, &picks[1], &o->category_id);
}

static bool read_file(struct split_state *s)
{
    const struct walk walks[] = {
        { .name = "images", .required = true, .read = read_image },
        { .name = "annotations", .read = read_object },
    };
    const struct place where = { .faults = &s->faults,
                                 .code_missing = "coco-missing-key",
                                 .code_type = "coco-type" };

    return document_read(&where, "coco-root", walks, COUNTOF(walks), s, &s->arena, &s->document) &&
           !s->faults.n;
}

static size_t place_in(const struct split_state *s, struct slice element)
{
    return (size_t)(element.at - s->faults.text.at);
}

/* Finds the image of each annotation. */
static bool link_objects(struct split_state *s)
{
    struct id *ids = s->ids.at;

    ids_sort(ids, s->ids.n);
    for (size_t i = 1; i < s->ids.n; i++)
        if (ids[i].id == ids[i - 1].id)
            fault_add(&s->faults, place_in(s, image_at(s, ids[i].index)->element), 1,
                      arena_printf(&s->arena, "images[%u].id", ids[i].index), "coco-id-twice",
                      "another image has this id");
    for (size_t i = 0; i < s->objects.n; i++) {
        struct split_object *o = object_at(s, i);
        const struct id *id = ids_find(ids, s->ids.n, o->image_id);

        if (id)
            o->image = id->index;
        else
            fault_add(&s->faults, place_in(s, o->element), 1,
                      arena_printf(&s->arena, "annotations[%zu].image_id", i), "coco-image-unknown",
                      "no image has this id");
    }
    return !s->faults.n;
}

/* --- units --- */

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct split_unit *)a)->key, ((const struct split_unit *)b)->key);
}

/* How images are grouped: by the match of the expression in their names. If there is no match or no
 * expression, outputs of one source are grouped. */
struct groups {
    const regex_t *regex; /* NULL: no expression */
    struct split_sources sources;
    size_t n_matched,
        n_outputs; /* numbers of images that were grouped by the expression, and by their source */
};

static const char *key_of(struct split_state *s, struct groups *g, const struct image *image)
{
    const char *name = image->name;
    regmatch_t match[2] = { { 0, 0 }, { -1, -1 } };
    const regmatch_t *m = &match[0];

    if (image->group)
        return image->group;
    if (!g->regex || regexec(g->regex, name, COUNTOF(match), match, 0) != 0) {
        const char *source = split_source_of(&g->sources, name, &s->arena);

        g->n_outputs += strcmp(source, name) != 0;
        return source;
    }
    g->n_matched++;
    if (match[1].rm_so >= 0)
        m = &match[1];
    return arena_copy(&s->arena, name + m->rm_so, (size_t)(m->rm_eo - m->rm_so));
}

static uint64_t hash_of(const struct split *split, const char *key)
{
    struct hash h;

    hash_start(&h);
    hash_part(&h, "split", strlen("split"));
    hash_part_u64(&h, (uint64_t)split->seed);
    hash_part(&h, key, strlen(key));
    return hash_u64(&h);
}

static void make_units(struct split_state *s, struct groups *g)
{
    struct split_unit *all = ARENA_ARRAY(&s->arena, struct split_unit, s->images.n + 1);
    const char **key = ARENA_ARRAY(&s->arena, const char *, s->images.n + 1);
    size_t n = 0;

    for (size_t i = 0; i < s->images.n; i++) {
        key[i] = key_of(s, g, image_at(s, i));
        all[i] = (struct split_unit){ .key = key[i] };
    }
    qsort(all, s->images.n, sizeof *all, by_key);
    for (size_t i = 0; i < s->images.n; i++)
        if (!n || strcmp(all[n - 1].key, all[i].key) != 0)
            all[n++] =
                (struct split_unit){ .key = all[i].key, .hash = hash_of(s->split, all[i].key) };
    s->unit = all;
    s->n_units = n;
    for (size_t i = 0; i < s->images.n; i++) {
        struct split_unit *u =
            bsearch(&(struct split_unit){ .key = key[i] }, all, n, sizeof *all, by_key);

        image_at(s, i)->unit = (size_t)(u - all);
        u->n_images++;
    }
}

/* Prints how many names the expression does not match, and that outputs stay together. Returns
 * false with a fault if it matches no name. */
static bool check_groups(const struct split_state *s, const struct groups *g, struct faults *faults)
{
    if (g->regex && s->images.n && !g->n_matched)
        return fault_add(faults, 0, 0, "--group-by", "group-unmatched",
                         "\"%s\" matches no file name of %zu, as \"%s\"", s->split->group_by,
                         s->images.n, image_at(s, 0)->name);
    if (g->regex && g->n_matched < s->images.n)
        message_print("lockstep split: --group-by does not match %zu of %zu file names",
                      s->images.n - g->n_matched, s->images.n);
    if (g->n_outputs)
        message_print("lockstep split: the outputs of one source stay together: %zu image%s in %zu "
                      "groups; --group-by '.*' divides them",
                      s->images.n, s->images.n == 1 ? "" : "s", s->n_units);
    return true;
}

/* Replaces the id of each category by its index, in the order of ids. */
static size_t number_categories(struct split_state *s)
{
    struct id *ids = ARENA_ARRAY(&s->arena, struct id, s->objects.n + 1);
    size_t n = 0;

    for (size_t i = 0; i < s->objects.n; i++)
        ids[i] = (struct id){ object_at(s, i)->category_id, (uint32_t)i };
    ids_sort(ids, s->objects.n);
    for (size_t i = 0; i < s->objects.n; i++) {
        n += i == 0 || ids[i].id != ids[i - 1].id;
        object_at(s, ids[i].index)->category_id = (int64_t)n - 1;
    }
    return n;
}

static size_t add_labels(struct split_state *s)
{
    size_t n = number_categories(s);

    for (size_t i = 0; i < s->objects.n; i++)
        s->unit[image_at(s, object_at(s, i)->image)->unit].n_labels++;
    for (size_t i = 0; i < s->n_units; i++) {
        s->unit[i].labels = ARENA_ARRAY(&s->arena, uint32_t, s->unit[i].n_labels + 1);
        s->unit[i].n_labels = 0;
    }
    for (size_t i = 0; i < s->objects.n; i++) {
        struct split_unit *u = &s->unit[image_at(s, object_at(s, i)->image)->unit];

        u->labels[u->n_labels++] = (uint32_t)object_at(s, i)->category_id;
    }
    return n;
}

/* Returns the part of a hash: as a number in 0..1, it falls into the share of one part. */
static size_t part_of(const struct split *split, uint64_t hash)
{
    double sum = 0, upto = 0, at = (double)(hash >> 11) * 0x1p-53;

    for (size_t p = 0; p < split->n; p++)
        sum += split->part[p].ratio;
    for (size_t p = 0; p < split->n; p++) {
        upto += split->part[p].ratio;
        if (at * sum < upto)
            return p;
    }
    return split->n - 1;
}

/* split_stratify changes the order of the units. */
static void divide(struct split_state *s)
{

    if (!s->split->stratify) {
        for (size_t i = 0; i < s->n_units; i++)
            s->unit[i].part = part_of(s->split, s->unit[i].hash);
    } else {
        split_stratify(s->split, s->unit, s->n_units, add_labels(s));
        qsort(s->unit, s->n_units, sizeof *s->unit, by_key);
    }
    for (size_t i = 0; i < s->images.n; i++)
        s->split->part[s->unit[image_at(s, i)->unit].part].n_images++;
    for (size_t i = 0; i < s->objects.n; i++)
        s->split->part[s->unit[image_at(s, object_at(s, i)->image)->unit].part].n_annotations++;
}

static bool read_regex(const char *text, regex_t *regex, struct faults *faults)
{
    char why[200];
    int code = regcomp(regex, text, REG_EXTENDED);

    if (!code)
        return true;
    regerror(code, regex, why, sizeof why);
    return fault_add(faults, 0, 0, "--group-by", "option-value", "%s", why);
}

static void move_faults(const struct faults *from, struct faults *to)
{
    to->name = from->name;
    to->text = from->text;
    for (size_t i = 0; i < from->n; i++)
        fault_add(to, from->list[i].offset, from->list[i].length,
                  arena_copy(&to->arena, from->list[i].path, strlen(from->list[i].path)),
                  from->list[i].code, "%s", from->list[i].message);
}

/* --- datasets --- */

/* Returns the name by which a record is grouped: with a group key, the text of that member. */
static bool add_record(struct split_state *s, const struct split_source_dataset *d, size_t record,
                       struct faults *faults)
{
    const struct record *r = &d->dataset->records[record];
    struct image *image = pile_add(&s->images, sizeof *image);
    struct slice element, value;

    image->name = *d->below ? arena_printf(&s->arena, "%s/%s", d->below, r->name) : r->name;
    if (!*s->split->group_key)
        return true;
    if (!d->dataset->format || !d->dataset->format->find_record ||
        !(element = d->dataset->format->find_record(d->dataset, record)).at || *element.at != '{')
        return fault_add(faults, 0, 0, "--group-key", "option-unused",
                         "images have no members in this format");
    value = pick_again(element, s->split->group_key);
    if (value.at == element.at)
        return true;
    image->group = arena_copy(&s->arena, value.at, value.length);
    s->n_keyed++;
    return true;
}

static bool load_objects(struct split_state *s, const struct split_source_dataset *d, size_t record,
                         uint32_t image, struct arena *arena, struct faults *faults)
{
    static const struct rules rules = { 0 };
    const struct record *r = &d->dataset->records[record];
    struct sample sample = { .arena = arena, .frame = { r->width, r->height } };

    struct faults own = dataset_faults(d->dataset);
    bool good;

    arena_reset(arena);
    if (!d->dataset->format)
        return true;
    good = d->dataset->format->load(d->dataset, record, &rules, &sample, &own);
    if (!good)
        move_faults(&own, faults);
    faults_drop(&own);
    if (!good)
        return false;
    for (size_t i = 0; i < sample.n_objects + sample.n_labels; i++) {
        const struct category *c = i < sample.n_objects
                                       ? sample.objects[i].category
                                       : sample.labels[i - sample.n_objects].category;
        struct split_object *o = pile_add(&s->objects, sizeof *o);

        *o = (struct split_object){ .category_id = c ? c->id : -1, .image = image };
    }
    return true;
}

static bool read_records(struct split_state *s, const struct split_source_dataset *d,
                         struct faults *faults)
{
    struct arena arena = { 0 };
    bool good = true;

    for (size_t i = 0; good && i < d->dataset->n_records; i++)
        good = add_record(s, d, i, faults) &&
               load_objects(s, d, i, (uint32_t)(s->images.n - 1), &arena, faults);
    arena_drop(&arena);
    return good;
}

static bool read_datasets(struct split_state *s, const struct split_source_dataset *d, size_t n,
                          struct groups *groups, struct faults *faults)
{
    struct text why = { 0 };
    bool good = true;

    for (size_t i = 0; good && i < n; i++)
        good = read_records(s, &d[i], faults);
    if (good && *s->split->group_key && !s->n_keyed)
        good = fault_add(faults, 0, 0, "--group-key", "group-unmatched",
                         "no image has the member \"%s\"", s->split->group_key);
    if (good && n && *d->folder &&
        !split_sources_read(arena_printf(&s->arena, "%s/manifest.jsonl", d->folder), &s->arena,
                            &groups->sources, &why))
        good = fault_add(faults, 0, 0, d->folder, "replay-unread", "manifest.jsonl: %s",
                         text_string(&why));
    text_drop(&why);
    return good;
}

int split_records(struct split *split, struct split_source_dataset *d, size_t n,
                  struct faults *faults)
{
    struct split_state s = { .split = split };
    bool grouped = *split->group_by;
    struct groups groups = { 0 };
    regex_t regex;
    int code = EXIT_USAGE;

    if (grouped && !read_regex(split->group_by, &regex, faults))
        return EXIT_USAGE;
    groups.regex = grouped ? &regex : NULL;
    if (!read_datasets(&s, d, n, &groups, faults)) {
        code = EXIT_INPUT;
    } else {
        make_units(&s, &groups);
        code = check_groups(&s, &groups, faults) ? EXIT_DONE : EXIT_USAGE;
    }
    if (!code)
        divide(&s);
    for (size_t i = 0, image = 0; !code && i < n; i++)
        for (size_t k = 0; k < d[i].dataset->n_records; k++)
            d[i].part[k] = s.unit[image_at(&s, image++)->unit].part;
    if (grouped)
        regfree(&regex);
    arena_drop(&s.arena);
    free(s.images.at);
    free(s.objects.at);
    return code;
}

/* --- writing --- */

static bool next_image(void *context, struct slice *out)
{
    struct split_state *s = context;

    for (; s->at[0] < s->images.n; s->at[0]++) {
        const struct image *image = image_at(s, s->at[0]);

        if (s->unit[image->unit].part != s->part)
            continue;
        *out = image->element;
        s->at[0]++;
        return true;
    }
    return false;
}

static bool next_object(void *context, struct slice *out)
{
    struct split_state *s = context;

    for (; s->at[1] < s->objects.n; s->at[1]++) {
        const struct split_object *o = object_at(s, s->at[1]);

        if (s->unit[image_at(s, o->image)->unit].part != s->part)
            continue;
        *out = o->element;
        s->at[1]++;
        return true;
    }
    return false;
}

static int write_part(struct split_state *s, struct output_file *o, size_t part, const char *path,
                      struct text *why)
{
    static bool (*const next[])(void *, struct slice *) = { next_image, next_object };
    int code = output_open(o, path, s->split->overwrite, why);

    if (code)
        return code;
    s->part = part;
    s->at[0] = s->at[1] = 0;
    (void)document_write(&s->document, o->file, next, COUNTOF(next),
                         s); /* errors are kept in the FILE */
    return output_close(o, why);
}

/* Writes all parts before the first one is moved into place. */
static int write_all(struct split_state *s, const char *out, struct output_set *set,
                     const char **failed, struct text *why)
{
    struct text changed = { 0 }, path = { 0 };
    int code = EXIT_DONE;

    for (size_t p = 0; !code && p < s->split->n; p++) {
        path_join(&path, out, arena_printf(&s->arena, "%s.json", s->split->part[p].name));
        *failed = arena_copy(&s->arena, path.at, path.length);
        code = output_check(*failed, s->split->overwrite, why);
    }
    for (size_t p = 0; !code && p < s->split->n; p++) {
        path_join(&path, out, arena_printf(&s->arena, "%s.json", s->split->part[p].name));
        *failed = arena_copy(&s->arena, path.at, path.length);
        code = write_part(s, output_set_add(set), p, *failed, why);
    }
    if (!code && !mapped_check(true, &changed)) {
        text_adds(why, "it was changed while it was read; nothing is written");
        code = EXIT_INPUT;
    }
    text_drop(&changed);
    text_drop(&path);
    return code ? code : output_set_finish(set, failed, why);
}

static int write_parts(struct split_state *s, const char *out, struct faults *faults)
{
    struct output_set set = { 0 };
    struct text why = { 0 };
    const char *failed = out;
    int code = write_all(s, out, &set, &failed, &why);

    if (code == EXIT_INPUT)
        fault_add(faults, 0, 0, s->faults.name, "annotations-changed", "%s", text_string(&why));
    else if (code)
        fault_add(faults, 0, 0, arena_copy(&faults->arena, failed, strlen(failed)),
                  output_code(code), "%s%s", text_string(&why),
                  code == EXIT_OCCUPIED ? "; --overwrite replaces it" : "");
    output_set_drop(&set);
    text_drop(&why);
    return code;
}

/* --- all of it --- */

int split_annotations(struct split *split, const char *path, const char *out, struct faults *faults)
{
    struct split_state s = { .split = split, .faults = { .name = path } };
    bool grouped = *split->group_by;
    struct text why = { 0 };
    regex_t regex;
    int code = EXIT_DONE;

    if (grouped && !read_regex(split->group_by, &regex, faults))
        return EXIT_USAGE;
    if (!mapped_open(path, &s.faults.text, &why)) {
        fault_add(faults, 0, 0, path, "annotations-unread", "%s", text_string(&why));
        code = EXIT_INPUT;
    } else if (detect_unsupported(path, s.faults.text, &why)) {
        fault_add(faults, 0, 0, path, "annotations-other", "%s", text_string(&why));
        code = EXIT_INPUT;
    } else if (!read_file(&s) || !link_objects(&s)) {
        move_faults(&s.faults, faults);
        code = EXIT_INPUT;
    } else {
        struct groups groups = { .regex = grouped ? &regex : NULL };

        if (!split_sources_read(path, &s.arena, &groups.sources, &why)) {
            fault_add(faults, 0, 0, path, "replay-unread", "manifest.jsonl beside it: %s",
                      text_string(&why));
            code = EXIT_INPUT;
        } else {
            make_units(&s, &groups);
            code = check_groups(&s, &groups, faults) ? EXIT_DONE : EXIT_USAGE;
        }
        if (!code) {
            divide(&s);
            code = write_parts(&s, out, faults);
        }
    }
    if (grouped)
        regfree(&regex);
    text_drop(&why);
    faults_drop(&s.faults);
    arena_drop(&s.arena);
    free(s.images.at);
    free(s.objects.at);
    free(s.ids.at);
    return code;
}
