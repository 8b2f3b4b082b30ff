/* verify_label_files: reads label files as a run reads them, and compares them with the manifest.
 */
#include "batch/finished/verify.h"

#include "json/value.h"

#include <stdlib.h>
#include <string.h>

/* Makes a dataset from the text of a batch: the index, followed by the label files. */
static struct dataset batch_dataset(struct verify_state *v, struct arena *arena, struct slice index)
{
    const struct label_file *files = v->label_files.at;
    const struct value *key = value_get(v->run.root, "key"), *base = NULL;
    size_t n = v->label_files.n;
    char *text = arena_take(arena, index.length + v->labels.length + 1);
    struct fault_file *places = ARENA_ARRAY(arena, struct fault_file, n + 1);
    struct slice *labels = ARENA_ARRAY(arena, struct slice, n);
    struct record *records = ARENA_ARRAY(arena, struct record, n);

    memcpy(text, index.at, index.length);
    if (v->labels.length)
        memcpy(text + index.length, v->labels.at, v->labels.length);
    places[0] = (struct fault_file){ .name = v->run.writer->index };
    for (size_t i = 0; i < n; i++) {
        labels[i] = (struct slice){ text + index.length + files[i].at, files[i].length };
        records[i] = (struct record){ .name = files[i].name,
                                      .width = files[i].width,
                                      .height = files[i].height };
        places[i + 1] =
            (struct fault_file){ .offset = index.length + files[i].at, .name = files[i].name };
    }
    if (key && key->kind == VALUE_OBJECT)
        base = value_get(key, "voc_base");
    return (struct dataset){
        .format = v->run.writer,
        .file = v->path,
        .text = { text, index.length + v->labels.length },
        .arena = arena,
        .records = records,
        .n_records = n,
        .voc_base = base && base->kind == VALUE_TEXT && strcmp(base->text, "0") == 0 ? VOC_BASE_0
                                                                                     : VOC_BASE_1,
        .files = places,
        .n_files = n + 1,
        .labels = labels,
        .index = index.length ? (struct slice){ text, index.length } : (struct slice){ 0 },
        .index_name = v->run.writer->index,
    };
}

static const struct value *category_names(struct verify_state *v)
{
    const struct value *names = value_get(v->run.root, "category_names");

    return names && names->kind == VALUE_LIST ? names : NULL;
}

/* Returns per category of the dataset whether the run had it; the arena of the dataset owns the
 * array. Formats write U+FFFD for characters that they cannot represent. */
static bool *find_known(const struct dataset *d, const struct value *names)
{
    bool *known = ARENA_ARRAY(d->arena, bool, d->n_categories + 1);

    for (size_t i = 0; i < d->n_categories; i++) {
        known[i] = strstr(d->categories[i].name, "\xef\xbf\xbd");
        for (size_t k = 0; names && k < names->n && !known[i]; k++)
            known[i] = names->item[k].kind == VALUE_TEXT &&
                       strcmp(names->item[k].text, d->categories[i].name) == 0;
    }
    return known;
}

/* Reads one file as a run does. Returns false with a reason. */
static bool load(const struct dataset *d, size_t i, const bool *known, size_t n_objects,
                 struct text *why)
{
    static const struct rules rules = { 0 };
    struct faults faults = dataset_faults(d);
    struct arena arena = { 0 };
    struct sample sample = { .arena = &arena,
                             .name = d->records[i].name,
                             .record = i,
                             .frame = { d->records[i].width, d->records[i].height } };
    bool good = d->format->load(d, i, &rules, &sample, &faults);

    if (!good)
        text_adds(why, faults.n ? faults.list[0].message : "it cannot be read");
    for (size_t k = 0; good && k < sample.n_objects; k++) {
        const struct category *c = sample.objects[k].category;

        good = !c || known[c - d->categories];
        if (!good)
            text_addf(why, "the run had no class \"%s\"", c->name);
    }
    if (good && sample.n_objects != n_objects) {
        text_addf(why, "it has %zu objects, but the manifest has %zu", sample.n_objects, n_objects);
        good = false;
    }
    faults_drop(&faults);
    arena_drop(&arena);
    return good;
}

/* Reads the index, alone or with the batch. Returns false if it has a fault. */
static bool read_dataset(struct verify_state *v, struct arena *arena, struct dataset *d,
                         struct text *why)
{
    const char *name = v->run.writer->index;
    struct text index = { 0 };
    struct faults faults;
    bool good = true;

    if (name && earlier_files_contain(&v->former, name))
        good = verify_read(v, name, &index);
    if (!good) {
        text_drop(&index);
        return false;
    }
    *d = batch_dataset(v, arena, (struct slice){ text_string(&index), index.length });
    faults = dataset_faults(d);
    good = d->format->read(&faults, d);
    if (!good)
        text_adds(why, faults.n ? faults.list[0].message : "it cannot be read");
    faults_drop(&faults);
    text_drop(&index);
    return good;
}

void verify_label_files(struct verify_state *v)
{
    const struct label_file *files = v->label_files.at;
    struct arena arena = { 0 };
    struct text why = { 0 };
    struct dataset d;

    if (v->label_files.n && v->run.writer && v->run.writer->suffix &&
        read_dataset(v, &arena, &d, &why)) {
        const bool *known = find_known(&d, category_names(v));

        for (size_t i = 0; i < v->label_files.n; i++) {
            text_clear(&why);
            if (!load(&d, i, known, files[i].n_objects, &why))
                verify_report(v, files[i].name, "verify-labels", text_string(&why));
        }
    }
    text_drop(&why);
    arena_drop(&arena);
    v->label_files.n = 0;
    text_clear(&v->labels);
}

/* True if the index has the classes of run.json, in the same order. */
static bool has_classes(const struct dataset *d, const struct value *names, struct text *why)
{
    size_t n = names ? names->n : 0;

    if (d->n_categories != n) {
        text_addf(why, "it has %zu classes, but the run had %zu", d->n_categories, n);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        if (names->item[i].kind != VALUE_TEXT ||
            strcmp(names->item[i].text, d->categories[i].name) != 0) {
            text_addf(why, "its class %zu is \"%s\", which the run did not have there", i,
                      d->categories[i].name);
            return false;
        }
    return true;
}

void verify_index(struct verify_state *v)
{
    const struct format *writer = v->run.writer;
    struct arena arena = { 0 };
    struct text why = { 0 };
    struct dataset d;

    if (writer && writer->suffix && writer->index && out_dir_has_entry(&v->outdir, writer->index) &&
        (!read_dataset(v, &arena, &d, &why) || !has_classes(&d, category_names(v), &why)))
        verify_report(v, writer->index, "verify-labels", text_string(&why));
    text_drop(&why);
    arena_drop(&arena);
}
