/* fuzz_coco: COCO files, and lists of results for the images of a COCO file, are read, loaded,
 * moved, finalized and written; the output is read again. */
#include "moves.h"

/* Larger frames than this are not moved: maps cost memory by their sides. */
enum { MAX_SIDE = 512, MAX_OUTPUTS = 256 };

/* Ids times copies stay below 2^53: the command refuses others before it starts. */
static const int64_t LARGEST_ID = INT64_C(1) << 50;

extern const struct format coco_format, coco_results_format;

static struct arena arena, sample_arena, list_arena;

/* The file that has the images of results. */
static const char list_text[] =
    "{\"images\": [{\"id\": 1, \"file_name\": \"a\", \"width\": 64, \"height\": 48},"
    " {\"id\": 2, \"file_name\": \"b\"}], \"annotations\": [],"
    " \"categories\": [{\"id\": 1, \"name\": \"person\","
    " \"keypoints\": [\"nose\", \"left_eye\", \"right_eye\"]}, {\"id\": 2, \"name\": \"car\"}]}";

struct text_writer {
    struct text at[MAX_OUTPUTS];
    size_t n, next;
};

/* A run over one dataset. */
struct job {
    struct dataset dataset;
    struct faults faults;
    struct rules rules;
    struct output output; /* k, of, and the values that are equal for all records */
    struct feed moves;
    struct text_writer records, objects;
};

static bool dataset_read(struct dataset *d, struct slice text, struct arena *to, struct faults *f)
{
    bool read;

    *f = faults_of(text);
    d->file = f->name;
    d->text = text;
    d->arena = to;
    read = d->format->read(f, d);
    MUST(read == !f->n);
    return read;
}

static const struct dataset *list_open(void)
{
    static struct dataset list;
    struct faults f;

    if (!list.format) {
        list.format = &coco_format;
        MUST(dataset_read(&list, (struct slice){ list_text, sizeof list_text - 1 }, &list_arena,
                          &f));
    }
    return &list;
}

/* Results, where the text is a list: of the list's images. */
static bool dataset_open(struct slice text, const struct dataset *list, struct arena *to,
                         struct faults *f, struct dataset *d)
{
    bool results = text.length && *text.at == '[';

    *d = (struct dataset){ .format = results ? &coco_results_format : &coco_format,
                           .list = results ? list : NULL };
    return dataset_read(d, text, to, f);
}

/* --- one record --- */

static bool print_sample(struct job *j, size_t record, const struct sample *s, struct frame in)
{
    const struct format *format = j->dataset.format;
    struct output out = j->output;

    out.frame = s->frame;
    out.resized = !frame_equal(s->frame, in);
    out.renamed = out.of > 1;
    out.name = arena_printf(&sample_arena, "%u/%s", out.k, j->dataset.records[record].name);
    if (j->records.n == MAX_OUTPUTS)
        return false;
    format->print_record(&j->dataset, record, &out, &j->records.at[j->records.n++]);
    for (size_t i = 0; i < s->n_objects && j->objects.n < MAX_OUTPUTS; i++) {
        const struct object *o = &s->objects[i];

        if (o->final.dropped)
            continue;
        format->print_object(&j->dataset, record, s, o, &out, &j->rules,
                             &j->objects.at[j->objects.n++]);
        format->object_id(&j->dataset, record, o);
    }
    return true;
}

static void do_record(struct job *j, size_t record)
{
    const struct record *r = &j->dataset.records[record];
    bool sized = r->width && r->height, small = r->width <= MAX_SIDE && r->height <= MAX_SIDE;
    struct frame in = sized ? (struct frame){ r->width, r->height } : (struct frame){ 64, 48 };
    struct sample s = { .arena = &sample_arena,
                        .name = r->name,
                        .frame = in,
                        .matrix = MAT3_IDENTITY,
                        .has_matrix = true };
    size_t faults = j->faults.n;

    arena_reset(&sample_arena);
    if (!j->dataset.format->load(&j->dataset, record, &j->rules, &s, &j->faults)) {
        MUST(j->faults.n > faults);
        return;
    }
    MUST(j->faults.n == faults && s.n_objects == r->n_objects);
    if (small) {
        move(&s, &j->moves);
        sample_finalize(&s, &j->rules);
        check_finalized(&s);
    }
    print_sample(j, record, &s, in);
}

/* --- the whole --- */

static bool next_text(void *context, struct slice *to)
{
    struct text_writer *w = context;

    if (w->next == w->n)
        return false;
    *to = (struct slice){ w->at[w->next].at, w->at[w->next].length };
    w->next++;
    return true;
}

static bool next_record(void *context, struct slice *to)
{
    return next_text(&((struct job *)context)->records, to);
}

static bool next_object(void *context, struct slice *to)
{
    return next_text(&((struct job *)context)->objects, to);
}

/* Writes a dataset with the samples' records and, except for a list of results, objects. The caller
 * frees the result. */
static struct slice write_all(struct job *j, const struct dataset *d, bool objects)
{
    char *written = NULL;
    size_t length;
    FILE *file = open_memstream(&written, &length);

    j->records.next = j->objects.next = 0;
    MUST(file && d->format->write(d, file, next_record, objects ? next_object : NULL, j));
    fclose(file);
    return (struct slice){ written, length };
}

/* All that is written can be read and loaded. */
static void check_again(const struct job *j, struct slice text, struct slice list_again)
{
    struct arena again_arena = { 0 };
    struct faults faults;
    struct dataset d, list;
    bool good = true;

    if (list_again.at) {
        good = dataset_open(list_again, NULL, &again_arena, &faults, &list);
        faults_drop(&faults);
    }
    good = good && dataset_open(text, &list, &again_arena, &faults, &d);
    for (size_t i = 0; good && i < d.n_records; i++) {
        struct sample s = { .arena = &again_arena, .frame = { 64, 48 } };

        if (d.records[i].width && d.records[i].height)
            s.frame = (struct frame){ d.records[i].width, d.records[i].height };
        good = d.format->load(&d, i, &j->rules, &s, &faults);
    }
    if (!good) {
        struct text out = { 0 };

        faults_print(&faults, 10, &out);
        fprintf(stderr, "%s%.*s\n", text_string(&out), (int)text.length, text.at);
        text_drop(&out);
    }
    MUST(good && d.n_records == j->records.n && d.n_objects == j->objects.n);
    faults_drop(&faults);
    arena_drop(&again_arena);
}

static void do_all(struct job *j)
{
    const struct dataset *d = &j->dataset;
    struct slice written, list = { 0 };

    for (size_t i = 0; i < d->n_records; i++)
        for (j->output.k = 0; j->output.k < j->output.of; j->output.k++)
            do_record(j, i);
    written = write_all(j, d, true);
    if (d->list)
        list = write_all(j, d->list, false);
    check_again(j, written, list);
    slice_free(written);
    slice_free(list);
    for (size_t i = 0; i < j->records.n; i++)
        text_drop(&j->records.at[i]);
    for (size_t i = 0; i < j->objects.n; i++)
        text_drop(&j->objects.at[i]);
}

/* The input is a file, optionally followed by NUL and the actions; the last NUL counts. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct job job;
    const uint8_t *end = size ? memrchr(data, 0, size) : NULL;
    size_t length = end ? (size_t)(end - data) : size;
    struct feed feed = { end ? end + 1 : NULL, end ? size - length - 1 : 0 };
    struct slice text = feed_copy(data, length);

    job = (struct job){ .rules = feed_rules(&feed),
                        .output = { .of = (unsigned)feed_int(&feed, 1, 3) } };
    job.moves = feed;
    if (dataset_open(text, list_open(), &arena, &job.faults, &job.dataset) &&
        job.dataset.largest_id <= LARGEST_ID)
        do_all(&job);
    faults_end(&job.faults);
    slice_free(text);
    arena_reset(&arena);
    return 0;
}
