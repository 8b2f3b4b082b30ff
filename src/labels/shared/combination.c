/* combination: one dataset made of several. It is longer than 600 lines because each function of a
 * format has its counterpart here. */
#include "labels/shared/combination.h"

#include "labels/shared/class_list.h"
#include "labels/shared/parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct combination_part *combination_part_of(const struct dataset *d, size_t record)
{
    struct combination_part *at = d->combination ? d->combination->at : NULL;
    size_t low = 0, high = d->combination ? d->combination->n : 0;

    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;

        if (at[middle].first <= record)
            low = middle;
        else
            high = middle;
    }
    return at ? &at[low] : NULL;
}

const char *combination_prefix(const struct combination_part *p)
{
    return p->only ? "" : p->below;
}

const struct record *combination_own_record(const struct dataset *d, size_t record)
{
    const struct combination_part *p = combination_part_of(d, record);

    return p ? &p->read.records[combination_own_index(p, record)] : &d->records[record];
}

const char *combination_own_name(const struct dataset *d, size_t record, const char *output)
{
    const struct combination_part *p = combination_part_of(d, record);
    const char *below = p ? combination_prefix(p) : "";
    size_t length = strlen(below);

    return length && strncmp(output, below, length) == 0 && output[length] == '/'
               ? output + length + 1
               : output;
}

bool dataset_has_lists(const struct dataset *d)
{
    if (!d->writer || !d->writer->write)
        return false;
    return !d->writer->suffix || (d->combination && d->combination->at[0].file);
}

size_t dataset_n_texts(const struct dataset *d)
{
    return d->combination ? d->combination->n : 1;
}

struct slice dataset_text(const struct dataset *d, size_t i)
{
    return d->combination ? d->combination->at[i].read.text : d->text;
}

/* --- reading --- */

/* Returns the combined dataset's category of a part's category. */
static const struct category *translate(const struct dataset *d, const struct combination_part *p,
                                        const struct category *category)
{
    return category ? &d->categories[p->category[category - p->read.categories]] : NULL;
}

static void translate_objects(const struct dataset *d, const struct combination_part *p,
                              struct object *objects, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct category *own = objects[i].category;

        objects[i].category = translate(d, p, own);
        if (own && own->id != objects[i].category->id)
            objects[i].changes |= CHANGE_CLASSED;
    }
}

static void translate_labels(const struct dataset *d, const struct combination_part *p,
                             struct sample *sample)
{
    struct image_label *labels = ARENA_ARRAY(sample->arena, struct image_label, sample->n_labels);

    for (size_t i = 0; i < sample->n_labels; i++)
        labels[i] = (struct image_label){ translate(d, p, sample->labels[i].category),
                                          sample->labels[i].weight };
    sample->labels = labels;
}

/* Adds the faults of a part. Places are in the text of the part, which becomes the text of the
 * faults if it is the first part with faults. */
static void pass_faults(struct faults *from, struct faults *to)
{
    if (!to->n) {
        to->name = from->name;
        to->text = from->text;
        to->files = from->files;
        to->n_files = from->n_files;
    }
    for (size_t i = 0; i < from->n; i++) {
        const struct fault *f = &from->list[i];

        if (to->text.at == from->text.at)
            fault_add(to, f->offset, f->length, f->path, f->code, "%s", f->message);
        else
            fault_add(to, 0, 0, arena_printf(&to->arena, "%s: %s", from->name, f->path), f->code,
                      "%s", f->message);
    }
    faults_drop(from);
}

static bool load(const struct dataset *d, size_t record, const struct rules *rules,
                 struct sample *sample, struct faults *f)
{
    struct combination_part *p = combination_part_of(d, record);
    struct faults own = dataset_faults(&p->read);
    bool good =
        p->read.format->load(&p->read, combination_own_index(p, record), rules, sample, &own);

    pass_faults(&own, f);
    sample->categories = d->categories;
    sample->n_categories = d->n_categories;
    if (good && !p->own_categories) {
        translate_objects(d, p, sample->objects, sample->n_objects);
        translate_labels(d, p, sample);
    }
    return good;
}

static struct slice find_record(const struct dataset *d, size_t record)
{
    const struct combination_part *p = combination_part_of(d, record);

    return p->read.format->find_record(&p->read, combination_own_index(p, record));
}

static struct slice find_object(const struct dataset *d, size_t record, size_t i, size_t *order)
{
    const struct combination_part *p = combination_part_of(d, record);

    return p->read.format->find_object(&p->read, combination_own_index(p, record), i, order);
}

static int64_t object_id(const struct dataset *d, size_t record, const struct object *o)
{
    const struct combination_part *p = combination_part_of(d, record);

    return p->read.format->object_id(&p->read, combination_own_index(p, record), o);
}

static void visit_record_extras(const struct dataset *d, size_t record,
                                void (*visit)(void *context, const struct extra *), void *context)
{
    const struct combination_part *p = combination_part_of(d, record);

    if (p->read.format->visit_record_extras)
        p->read.format->visit_record_extras(&p->read, combination_own_index(p, record), visit,
                                            context);
}

static void visit_extras(const struct dataset *d, size_t record, const struct object *o,
                         void (*visit)(void *context, const struct extra *), void *context)
{
    const struct combination_part *p = combination_part_of(d, record);

    if (p->read.format->visit_extras)
        p->read.format->visit_extras(&p->read, combination_own_index(p, record), o, visit, context);
}

static unsigned lacks_read(const struct dataset *d)
{
    unsigned lacks = UINT_MAX;

    for (size_t i = 0; i < d->combination->n; i++) {
        const struct dataset *own = &d->combination->at[i].read;

        lacks &= own->format && own->format->lacks_read ? own->format->lacks_read(own) : 0;
    }
    return lacks;
}

/* --- writing --- */

static void print_record(const struct dataset *d, size_t record, const struct output *out,
                         struct text *text)
{
    const struct combination_part *p = combination_part_of(d, record);

    p->written.writer->print_record(&p->written, combination_own_index(p, record), out, text);
}

static void print_object(const struct dataset *d, size_t record, const struct sample *sample,
                         const struct object *o, const struct output *out,
                         const struct rules *rules, struct text *text)
{
    const struct combination_part *p = combination_part_of(d, record);

    p->written.writer->print_object(&p->written, combination_own_index(p, record), sample, o, out,
                                    rules, text);
}

static bool object_is_unchanged(const struct dataset *d, size_t record, const struct object *o,
                                const struct output *out)
{
    const struct combination_part *p = combination_part_of(d, record);

    return p->written.writer->object_is_unchanged &&
           p->written.writer->object_is_unchanged(&p->written, combination_own_index(p, record), o,
                                                  out);
}

static void print_objects(const struct dataset *d, size_t record, const struct sample *sample,
                          const struct output *out, struct text *text)
{
    const struct combination_part *p = combination_part_of(d, record);

    p->written.writer->print_objects(&p->written, combination_own_index(p, record), sample, out,
                                     text);
}

static bool print_file(const struct dataset *d, size_t record, const struct sample *sample,
                       const struct output *out, const struct rules *rules, struct text *text)
{
    const struct combination_part *p = combination_part_of(d, record);

    return p->written.writer->print_file(&p->written, combination_own_index(p, record), sample, out,
                                         rules, text);
}

static bool can_hold(const struct dataset *d, const struct object *o, struct frame frame)
{
    const struct combination_part *p = combination_part_of(d, o->record);

    return p->written.writer->holds(&p->written, o, frame);
}

static void count_omissions(const struct dataset *d, size_t record, const struct sample *sample,
                            const struct rules *rules, struct omissions *omissions)
{
    const struct combination_part *p = combination_part_of(d, record);

    p->written.writer->count_omissions(&p->written, combination_own_index(p, record), sample, rules,
                                       omissions);
}

static unsigned lacks_written(const struct dataset *d)
{
    const struct dataset *own = &d->combination->at[0].written;

    return own->writer->lacks_written(own);
}

/* Each part is in the folder of its images. */
static bool find_parts(struct dataset *d, struct faults *faults)
{
    struct parts *parts = ARENA_NEW(d->arena, struct parts);
    struct combination *combination = d->combination;

    (void)faults;
    *parts = (struct parts){ .at = ARENA_ARRAY(d->arena, struct dataset_part, combination->n),
                             .stated = true,
                             .whole = true };
    for (size_t i = 0; i < combination->n; i = combination_next(combination, i)) {
        struct part_folder *folder = ARENA_NEW(d->arena, struct part_folder);

        folder->out = combination->at[i].below;
        parts->at[parts->n++] =
            (struct dataset_part){ .name = combination->at[i].name, .folders = folder, .n = 1 };
    }
    for (size_t i = 0; i < combination->n; i++)
        combination->at[i].written.parts = parts;
    d->parts = parts;
    return true;
}

static bool write_index(const struct dataset *d, FILE *file)
{
    const struct dataset *own = &d->combination->at[0].written;

    return own->writer->write_index(own, file);
}

/* --- combining --- */

static void combine_records(struct combination *combination, struct dataset *to)
{
    size_t n = 0;

    for (size_t i = 0; i < combination->n; i++) {
        struct combination_part *p = &combination->at[i];

        p->first = p->read.first_record = n;
        p->read.own_records = p->own;
        p->n = p->own ? p->n : p->read.n_records;
        n += p->n;
    }
    to->n_records = n;
    to->records = ARENA_ARRAY(to->arena, struct record, n + 1);
    for (size_t i = 0; i < combination->n; i++) {
        const struct combination_part *p = &combination->at[i];
        const char *below = combination_prefix(p);

        for (size_t k = 0; k < p->n; k++) {
            struct record *r = &to->records[p->first + k];

            *r = p->read.records[p->own ? p->own[k] : k];
            if (*below)
                r->name = arena_printf(to->arena, "%s/%s", below, r->name);
        }
    }
}

struct named_record {
    const char *name;
    size_t record;
};

static int by_record_name(const void *a, const void *b)
{
    const struct named_record *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->record > y->record) - (x->record < y->record);
}

/* "train/street/1.jpg" becomes "train/street/ORIGIN_1.jpg". */
static const char *prefix_name(struct arena *arena, const char *name, const char *origin)
{
    const char *slash = strrchr(name, '/');
    int length = slash ? (int)(slash - name) + 1 : 0;

    return arena_printf(arena, "%.*s%s_%s", length, name, origin, name + length);
}

/* Renames images that have the name of an earlier one. That one has another origin, or is of
 * another part whose images are in the same folder. */
static void rename_equal(const struct dataset *to)
{
    struct named_record *sorted = memory_take((to->n_records + 1) * sizeof *sorted);

    for (size_t i = 0; i < to->n_records; i++)
        sorted[i] = (struct named_record){ to->records[i].name, i };
    qsort(sorted, to->n_records, sizeof *sorted, by_record_name);
    for (size_t i = 1; i < to->n_records; i++)
        if (strcmp(sorted[i].name, sorted[i - 1].name) == 0) {
            struct record *r = &to->records[sorted[i].record];
            const struct combination_part *p = combination_part_of(to, sorted[i].record);

            r->name = prefix_name(to->arena, r->name, p->origin ? p->origin : p->name);
        }
    free(sorted);
}

/* True if records of two parts may have equal names: their images are in the same folder. */
static bool have_equal_names(const struct combination *c)
{
    for (size_t i = 1; i < c->n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(c->at[i].below, c->at[k].below) == 0)
                return true;
    return false;
}

size_t combination_next(const struct combination *c, size_t i)
{
    size_t next = i + 1;

    while (next < c->n && strcmp(c->at[next].name, c->at[i].name) == 0)
        next++;
    return next;
}

/* Returns the first part of the i-th file, or of the i-th list of masks; the number of parts if
 * there are fewer. */
static size_t nth_file(const struct combination *c, bool masks, size_t i)
{
    size_t part = 0;

    while (part < c->n && ((masks && !c->at[part].mask_list) || i--))
        part = combination_next(c, part);
    return part;
}

static size_t count_files(const struct combination *c, bool masks)
{
    size_t n = 0;

    while (nth_file(c, masks, n) < c->n)
        n++;
    return n;
}

size_t combination_file(const struct combination *c, size_t i)
{
    return nth_file(c, false, i);
}

size_t combination_n_files(const struct combination *c)
{
    return count_files(c, false);
}

size_t combination_mask_list(const struct combination *c, size_t i)
{
    return nth_file(c, true, i);
}

size_t combination_n_mask_lists(const struct combination *c)
{
    return count_files(c, true);
}

static const char *name_of(const struct category *c)
{
    return c->name ? c->name : "";
}

static size_t find_category(const struct category *all, size_t n, const char *name)
{
    size_t i = 0;

    while (i < n && strcmp(name_of(&all[i]), name) != 0)
        i++;
    return i;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(name_of(a), name_of(b));
}

static bool have_same_categories(const struct dataset *a, const struct dataset *b)
{
    if (a->n_categories != b->n_categories)
        return false;
    for (size_t i = 0; i < a->n_categories; i++)
        if (a->categories[i].id != b->categories[i].id ||
            strcmp(name_of(&a->categories[i]), name_of(&b->categories[i])) != 0)
            return false;
    return true;
}

/* Gives a category another id if an earlier category has the same. */
static void number_new(struct category *all, size_t n)
{
    int64_t largest = 0;
    bool taken = false;

    for (size_t i = 0; i < n; i++) {
        taken |= all[i].id == all[n].id;
        largest = all[i].id > largest ? all[i].id : largest;
    }
    if (taken)
        all[n].id = largest + 1;
}

/* Combines categories by name: those of the first part, then other names as they come. */
static void unite_categories(const struct combination *combination, struct dataset *to)
{
    struct category *all;
    size_t n = 0;
    bool numbers = true;

    for (size_t i = 0; i < combination->n; i++)
        n += combination->at[i].read.n_categories;
    all = ARENA_ARRAY(to->arena, struct category, n + 1);
    n = 0;
    for (size_t i = 0; i < combination->n; i++) {
        const struct dataset *own = &combination->at[i].read;

        numbers &= own->format && !own->lookup && !own->classes;
        for (size_t k = 0; k < own->n_categories; k++) {
            if (i && find_category(all, n, name_of(&own->categories[k])) < n)
                continue;
            all[n] = own->categories[k];
            if (i)
                number_new(all, n);
            n++;
        }
    }
    if (numbers)
        qsort(all, n, sizeof *all, by_name);
    for (size_t i = 0; numbers && i < n; i++)
        all[i].id = (int64_t)i;
    to->categories = all;
    to->n_categories = n;
    to->categories_text = class_list_text(all, n, to->arena);
}

const struct class_list *combination_classes(const struct combination_part *parts, size_t n,
                                             struct arena *arena)
{
    struct combination all = { .at = (struct combination_part *)parts, .n = n };
    struct dataset to = { .arena = arena };
    struct class_list *list = ARENA_NEW(arena, struct class_list);
    bool same = true, states = true;
    const char **names;
    int64_t *ids;
    size_t twice;

    for (size_t i = 0; i < n; i++) {
        same &= have_same_categories(&parts[0].read, &parts[i].read);
        states &= parts[i].read.lookup != NULL;
    }
    if (same || !states)
        return NULL;
    unite_categories(&all, &to);
    names = ARENA_ARRAY(arena, const char *, to.n_categories);
    ids = ARENA_ARRAY(arena, int64_t, to.n_categories);
    for (size_t i = 0; i < to.n_categories; i++) {
        names[i] = name_of(&to.categories[i]);
        ids[i] = to.categories[i].id;
    }
    *list = (struct class_list){
        .file = parts[0].read.file, .name = names, .id = ids, .n = to.n_categories
    };
    return class_list_sort(list, arena, &twice) ? list : NULL;
}

static void combine_categories(struct combination *combination, struct dataset *to)
{
    const struct dataset *first = &combination->at[0].read;
    bool same = true;

    for (size_t i = 1; i < combination->n; i++)
        same &= have_same_categories(first, &combination->at[i].read);
    if (same) {
        to->categories = first->categories;
        to->n_categories = first->n_categories;
        to->lookup = first->lookup;
        to->categories_text = first->categories_text;
    } else {
        unite_categories(combination, to);
    }
    for (size_t i = 0; i < combination->n; i++) {
        struct combination_part *p = &combination->at[i];
        const struct dataset *own = &p->read;
        size_t *place;

        p->own_categories = same && i == 0;
        place = ARENA_ARRAY(to->arena, size_t, own->n_categories + 1);
        p->category = place;
        for (size_t k = 0; k < own->n_categories; k++)
            place[k] = same ? k
                            : find_category(to->categories, to->n_categories,
                                            name_of(&own->categories[k]));
    }
}

/* Copies the lists of the parts: their notes, and their members that hold geometry. */
static void combine_lists(const struct combination *combination, struct dataset *to)
{
    size_t notes = 0, keys = 0;
    struct note *note;
    const char **key;

    for (size_t i = 0; i < combination->n; i++) {
        notes += combination->at[i].read.n_notes;
        keys += combination->at[i].read.n_loose_keys;
    }
    to->notes = note = ARENA_ARRAY(to->arena, struct note, notes + 1);
    to->loose_keys = key = ARENA_ARRAY(to->arena, const char *, keys + 1);
    for (size_t i = 0; i < combination->n; i++) {
        const struct dataset *own = &combination->at[i].read;

        for (size_t k = 0; k < own->n_notes; k++)
            note[to->n_notes++] = own->notes[k];
        for (size_t k = 0; k < own->n_loose_keys; k++) {
            size_t same = 0;

            while (same < to->n_loose_keys && strcmp(key[same], own->loose_keys[k]) != 0)
                same++;
            if (same == to->n_loose_keys)
                key[to->n_loose_keys++] = own->loose_keys[k];
        }
    }
}

/* If the files of one part show that corners count from 0, those of all parts do. */
static void share_voc_base(struct combination *combination)
{
    enum voc_base base = VOC_BASE_UNKNOWN;

    for (size_t i = 0; i < combination->n; i++)
        if (base == VOC_BASE_UNKNOWN || combination->at[i].read.voc_base == VOC_BASE_0)
            base = combination->at[i].read.voc_base;
    for (size_t i = 0; i < combination->n; i++)
        combination->at[i].read.voc_base = base;
}

static void combine_facts(const struct combination *combination, struct dataset *to)
{
    for (size_t i = 0; i < combination->n; i++) {
        const struct dataset *own = &combination->at[i].read;

        to->lenient |= own->lenient;
        to->n_objects += own->n_objects;
        to->text_ids |= own->text_ids;
        if (own->largest_id > to->largest_id)
            to->largest_id = own->largest_id;
        if (!to->unnamed)
            to->unnamed = own->unnamed;
        if (to->voc_base == VOC_BASE_UNKNOWN)
            to->voc_base = own->voc_base;
    }
    to->file = combination->at[0].read.file;
    to->classes = combination->at[0].read.classes;
}

/* Returns why the part cannot be combined with the first one, or NULL. */
static const char *refusal(const struct dataset *first, const struct dataset *own)
{
    if (!first->format != !own->format)
        return "it has annotations and the other does not";
    if (own->format && own->format->paint)
        return "panoptic annotations have pictures of segments, which are not combined";
    if (own->format && own->format->listed)
        return "results of a model have no list of images, and are not combined";
    return NULL;
}

/* Replaces a function by another one that passes the call to the part of the record. */
#define PASS(f, name) (f)->name = (f)->name ? name : NULL

static struct format reader_for(const struct format *of)
{
    struct format f = *of;

    PASS(&f, load);
    PASS(&f, find_record);
    PASS(&f, find_object);
    PASS(&f, object_id);
    PASS(&f, lacks_read);
    f.visit_extras = visit_extras;
    f.visit_record_extras = visit_record_extras;
    f.has_category = NULL;
    return f;
}

static void pass_writing(struct format *f)
{
    PASS(f, print_record);
    PASS(f, print_object);
    PASS(f, print_objects);
    PASS(f, print_file);
    f->holds = f->holds ? can_hold : NULL;
    PASS(f, count_omissions);
    PASS(f, lacks_written);
    PASS(f, find_parts);
    PASS(f, write_index);
    if (f->divided_index)
        f->index = f->divided_index;
    f->object_is_unchanged = object_is_unchanged;
}

bool combination_make(struct combination_part *parts, size_t n, struct dataset *to,
                      struct faults *faults)
{
    struct combination *combination = ARENA_NEW(to->arena, struct combination);

    for (size_t i = 0; i < n; i++) {
        const char *why = refusal(&parts[0].read, &parts[i].read);

        if (why)
            return fault_add(faults, 0, 0, parts[i].name, "dataset-parts", "%s", why);
    }
    combination->at = parts;
    combination->n = n;
    to->combination = combination;
    combine_records(combination, to);
    if (have_equal_names(combination))
        rename_equal(to);
    combine_categories(combination, to);
    combine_lists(combination, to);
    share_voc_base(combination);
    combine_facts(combination, to);
    if (parts[0].read.format) {
        combination->reader = reader_for(parts[0].read.format);
        to->format = &combination->reader;
    }
    return true;
}

/* Translated parts number the classes that occur in them. If they disagree, the format that writes
 * other formats numbers them again. */
static void renumber_translated(struct dataset *d)
{
    struct combination *combination = d->combination;
    bool differ = false;

    for (size_t i = 0; i < combination->n; i++) {
        const struct combination_part *p = &combination->at[i];
        const struct dataset *own = &p->read;

        if (!own->origin || own->writer != own->format || !own->format->foreign)
            return;
        for (size_t k = 0; k < own->n_categories; k++)
            differ |= own->categories[k].id != d->categories[p->category[k]].id;
    }
    for (size_t i = 0; differ && i < combination->n; i++)
        combination->at[i].read.writer = combination->at[i].read.format->foreign;
}

bool combination_choose_writer(struct dataset *d, struct faults *faults)
{
    struct combination *combination = d->combination;
    bool same = true;

    renumber_translated(d);

    for (size_t i = 0; i < combination->n; i++) {
        struct combination_part *p = &combination->at[i];
        const struct dataset *own = &p->read;

        same &= own->writer == own->format;
        for (size_t k = 0; k < own->n_categories; k++)
            if (own->writer == own->format && own->writer && own->lookup &&
                own->categories[k].id != d->categories[p->category[k]].id)
                return fault_add(faults, 0, 0, p->name, "dataset-classes",
                                 "class \"%s\" has the id %lld here, and %lld in \"%s\"",
                                 name_of(&own->categories[k]), (long long)own->categories[k].id,
                                 (long long)d->categories[p->category[k]].id,
                                 combination->at[0].name);
        p->written = *own;
        p->written.below = *p->below ? p->below : NULL;
        if (own->writer && !own->writer->write)
            p->file = p->mask_list = NULL;
        p->written.categories = d->categories;
        p->written.n_categories = d->n_categories;
    }
    d->writes = combination->at[0].read.writes;
    if (!d->format || !combination->at[0].read.writer)
        return true;
    combination->writer = same ? combination->reader : *combination->at[0].read.writer;
    pass_writing(same ? &combination->reader : &combination->writer);
    d->writer = same ? &combination->reader : &combination->writer;
    return true;
}

void combination_share_classes(struct dataset *d)
{
    for (size_t i = 0; d->combination && i < d->combination->n; i++)
        d->combination->at[i].written.written = d->written;
}
