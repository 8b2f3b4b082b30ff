/* folder: shared code of the fuzz targets for formats with one label file per image. A folder of
 * one image is read, loaded, moved, and written in the same format and in each other output format.
 */
#pragma once

#include "moves.h"

extern const struct format coco_plain_format, voc_format, yolo_format;

enum { FOLDER_WIDTH = 64, FOLDER_HEIGHT = 48 };

/* A dataset of one image over a text: the labels, followed by the index. */
struct folder_dataset {
    struct dataset dataset;
    struct record record;
    struct slice labels;
    struct fault_file files[2];
    struct faults faults;
};

static inline void folder_open(struct folder_dataset *to, const struct format *format,
                               struct slice text, size_t labels, const char *index_name,
                               struct arena *arena)
{
    *to = (struct folder_dataset){
        .record = { .name = "a.png", .seed_key = "a.png", .id = 1 },
        .labels = { text.at, labels },
        .files = { { .offset = 0, .name = "labels" }, { .offset = labels, .name = "index" } },
    };
    to->dataset = (struct dataset){
        .format = format,
        .writer = format,
        .file = "folder",
        .text = text,
        .arena = arena,
        .records = &to->record,
        .n_records = 1,
        .labels = &to->labels,
        .files = to->files,
        .n_files = 2,
        .index = { index_name ? text.at + labels : NULL, text.length - labels },
        .index_name = index_name,
    };
    to->faults = dataset_faults(&to->dataset);
}

static inline bool folder_load(struct folder_dataset *f, const struct rules *rules,
                               struct sample *sample)
{
    size_t before = f->faults.n;
    bool loaded = f->dataset.format->load(&f->dataset, 0, rules, sample, &f->faults);

    MUST(loaded == (f->faults.n == before));
    MUST(!loaded || sample->n_objects == f->record.n_objects);
    return loaded;
}

static inline struct text folder_print(struct folder_dataset *f, const struct rules *rules,
                                       const struct sample *sample, bool *printed)
{
    const struct output out = { .of = 1,
                                .name = "a.png",
                                .frame = sample->frame,
                                .resized = sample->frame.width != FOLDER_WIDTH ||
                                           sample->frame.height != FOLDER_HEIGHT };
    struct text text = { 0 };

    *printed = f->dataset.writer->print_file(&f->dataset, 0, sample, &out, rules, &text);
    return text;
}

static inline size_t folder_kept(const struct sample *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n_objects; i++)
        n += !s->objects[i].final.dropped;
    return n;
}

/* Reads a text that was written in the same format, and checks the number of objects. */
static inline void folder_check_again(const struct folder_dataset *f, const struct text *text,
                                      const struct rules *rules, const struct sample *sample)
{
    struct arena arena = { 0 };
    struct text both = { 0 };
    struct folder_dataset again;
    struct sample s = { .arena = &arena, .frame = sample->frame };
    struct slice copy;
    bool good;

    text_add(&both, text->at, text->length);
    text_add(&both, f->dataset.index.at, f->dataset.index.at ? f->dataset.index.length : 0);
    copy = feed_copy((const uint8_t *)text_string(&both), both.length);
    folder_open(&again, f->dataset.format, copy, text->length, f->dataset.index_name, &arena);
    good = f->dataset.format->read(&again.faults, &again.dataset) && folder_load(&again, rules, &s);
    if (!good || s.n_objects != folder_kept(sample))
        fprintf(stderr, "%zu objects, %zu kept, of\n%.*s", s.n_objects, folder_kept(sample),
                (int)text->length, text->at);
    MUST(good && s.n_objects == folder_kept(sample));
    faults_drop(&again.faults);
    slice_free(copy);
    text_drop(&both);
    arena_drop(&arena);
}

static inline void folder_print_others(struct folder_dataset *f, const struct rules *rules,
                                       const struct sample *sample)
{
    static const struct format *const others[] = { &voc_format, &yolo_format };
    struct omissions omissions = { 0 };
    bool printed;

    for (size_t i = 0; i < COUNTOF(others); i++)
        for (f->dataset.writes = 0; f->dataset.writes < 3; f->dataset.writes++) {
            struct text text;

            if (others[i] == f->dataset.format)
                continue;
            f->dataset.writer = others[i];
            others[i]->count_omissions(&f->dataset, 0, sample, rules, &omissions);
            text = folder_print(f, rules, sample, &printed);
            MUST(printed);
            text_drop(&text);
        }
    f->dataset.writer = &coco_plain_format;
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct output out = { .of = 1, .name = "a.png", .frame = sample->frame };
        struct text text = { 0 };

        if (!sample->objects[i].final.dropped && sample->objects[i].category)
            coco_plain_format.print_object(&f->dataset, 0, sample, &sample->objects[i], &out, rules,
                                           &text);
        text_drop(&text);
    }
    f->dataset.writer = f->dataset.format;
    f->dataset.writes = 0;
    arena_drop(&omissions.arena);
}

static inline void folder_do(struct folder_dataset *f, struct feed *feed, struct arena *arena)
{
    struct rules rules = feed_rules(feed);
    struct sample s = { .arena = arena,
                        .name = "a.png",
                        .frame = { FOLDER_WIDTH, FOLDER_HEIGHT },
                        .matrix = MAT3_IDENTITY,
                        .has_matrix = true };
    bool stays = !feed->left, printed;
    struct text text;

    if (!folder_load(f, &rules, &s))
        return;
    move(&s, feed);
    sample_finalize(&s, &rules);
    check_finalized(&s);
    text = folder_print(f, &rules, &s, &printed);
    MUST(printed == (f->labels.at != NULL));
    if (stays && rules.segmentation == SEGMENTATION_KEEP && folder_kept(&s) == s.n_objects)
        MUST(text.length == f->labels.length &&
             memcmp(text_string(&text), f->labels.at, text.length) == 0);
    folder_check_again(f, &text, &rules, &s);
    text_drop(&text);
    folder_print_others(f, &rules, &s);
}

/* The next stretch of an input, which ends at a NUL. */
static inline struct slice folder_stretch(struct slice *input)
{
    const char *end = input->length ? memchr(input->at, 0, input->length) : NULL;
    struct slice found = { input->at, end ? (size_t)(end - input->at) : input->length };
    size_t used = found.length + (end != NULL);

    *input = (struct slice){ input->at + used, input->length - used };
    return found;
}

/* Runs one input: labels, and an index of this name, or none. */
static inline void folder_run(const struct format *format, struct slice labels, struct slice index,
                              const char *index_name, struct feed feed)
{
    static struct arena arena, sample_arena;
    static struct folder_dataset f;
    struct text both = { 0 };
    struct slice copy;

    text_add(&both, labels.at, labels.length);
    text_add(&both, index.at, index.length);
    copy = feed_copy((const uint8_t *)text_string(&both), both.length);
    folder_open(&f, format, copy, labels.length, index_name, &arena);
    if (format->read(&f.faults, &f.dataset))
        folder_do(&f, &feed, &sample_arena);
    else
        MUST(f.faults.n);
    faults_end(&f.faults);
    slice_free(copy);
    text_drop(&both);
    arena_reset(&arena);
    arena_reset(&sample_arena);
}
