/* fuzz_panoptic: panoptic files are read, their segments found in a picture, turned, painted and
 * written; the output is read again. */
#include "labels/format.h"
#include "steps/op_shared/actions.h"
#include "fuzz.h"

enum { WIDTH = 4, HEIGHT = 3, MAX_TEXTS = 64 };

extern const struct format coco_panoptic_format;

static struct arena arena, sample_arena;
static struct pool pool;

struct texts {
    struct text at[MAX_TEXTS];
    size_t n, next;
};

static bool next_text(struct texts *t, struct slice *to)
{
    if (t->next == t->n)
        return false;
    *to = (struct slice){ t->at[t->next].at, t->at[t->next].length };
    t->next++;
    return true;
}

struct panoptic_texts {
    struct texts records, lists;
};

static bool next_record(void *context, struct slice *to)
{
    return next_text(&((struct panoptic_texts *)context)->records, to);
}

static bool next_list(void *context, struct slice *to)
{
    return next_text(&((struct panoptic_texts *)context)->lists, to);
}

static bool dataset_open(struct slice text, struct arena *to, struct faults *f, struct dataset *d)
{
    bool read;

    *f = faults_of(text);
    *d = (struct dataset){
        .format = &coco_panoptic_format, .file = f->name, .text = text, .arena = to
    };
    read = d->format->read(f, d);
    MUST(read == !f->n);
    return read;
}

/* The lowest byte of a pixel's id; pixels are counted row by row. */
static unsigned char *red(const struct plane *rgb, int pixel)
{
    int x = pixel % rgb->width, y = pixel / rgb->width;

    return (unsigned char *)rgb->px + (size_t)y * rgb->stride + 3 * (size_t)x;
}

/* Pixels of small ids, as the lists of small files have them. */
static struct plane feed_picture(struct feed *feed)
{
    struct plane rgb = pool_plane(&pool, (struct frame){ WIDTH, HEIGHT }, 3, PIXEL_U8);

    memset(rgb.px, 0, plane_bytes(&rgb));
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        *red(&rgb, i) = (unsigned char)feed_int(feed, 0, 7);
    return rgb;
}

static void turn(struct sample *s, struct feed *feed)
{
    struct scene scene = { .frame = s->frame, .type = PIXEL_U8, .channels = 3, .arena = s->arena };
    struct action a = { .in = s->frame,
                        .out = s->frame,
                        .map = { .forward = MAT3_IDENTITY, .inverse = MAT3_IDENTITY } };

    action_turn(&scene, &a, feed_int(feed, 0, 1), feed_int(feed, 0, 3));
    sample_move(s, &a.map, a.out);
}

/* A segment keeps its size, whichever way it is turned. */
static void check_painted(const struct dataset *d, const struct sample *s, const struct plane *from)
{
    struct plane to = pool_plane(&pool, s->frame, 3, PIXEL_U8);
    size_t before = 0, after = 0;

    d->format->paint(d, s, false, &to);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        before += *red(from, i) != 0;
        after += *red(&to, i) != 0;
    }
    MUST(before == after);
    pool_return(&pool, &to);
}

static bool do_record(const struct dataset *d, size_t record, struct feed *feed, struct faults *f,
                      struct panoptic_texts *w)
{
    static const struct rules rules;
    struct plane picture = feed_picture(feed);
    struct sample s = { .arena = &sample_arena,
                        .frame = { WIDTH, HEIGHT },
                        .matrix = MAT3_IDENTITY,
                        .has_matrix = true,
                        .segments = &picture };
    struct output out = { .of = 1, .name = d->records[record].name };
    bool good;

    arena_reset(&sample_arena);
    out.mask = d->records[record].mask ? d->records[record].mask : "";
    good = d->format->load(d, record, &rules, &s, f) && w->records.n < MAX_TEXTS;
    if (good) {
        if (feed->left)
            turn(&s, feed);
        sample_finalize(&s, &rules);
        if (d->records[record].mask)
            check_painted(d, &s, &picture);
        out.frame = s.frame;
        out.resized = true;
        d->format->print_record(d, record, &out, &w->records.at[w->records.n++]);
        d->format->print_objects(d, record, &s, &out, &w->lists.at[w->lists.n]);
        w->lists.n += w->lists.at[w->lists.n].length > 0;
    }
    pool_return(&pool, &picture);
    return good;
}

static void check_again(const struct dataset *d, struct slice text)
{
    struct arena again_arena = { 0 };
    struct faults faults;
    struct dataset again;

    MUST(dataset_open(text, &again_arena, &faults, &again));
    MUST(again.n_records == d->n_records && again.n_objects == d->n_objects);
    faults_drop(&faults);
    arena_drop(&again_arena);
}

static void do_all(const struct dataset *d, struct feed *feed, struct faults *f)
{
    struct panoptic_texts w = { 0 };
    char *written = NULL;
    size_t length, done = 0;
    FILE *file;

    while (done < d->n_records && do_record(d, done, feed, f, &w))
        done++;
    if (done == d->n_records) {
        file = open_memstream(&written, &length);
        MUST(file && d->format->write(d, file, next_record, next_list, &w));
        fclose(file);
        check_again(d, (struct slice){ written, length });
        free(written);
    }
    for (size_t i = 0; i < MAX_TEXTS; i++) {
        text_drop(&w.records.at[i]);
        text_drop(&w.lists.at[i]);
    }
}

/* The input is a file, optionally followed by NUL, the pixels of its pictures and how they turn;
 * the last NUL counts. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memrchr(data, 0, size) : NULL;
    size_t length = end ? (size_t)(end - data) : size;
    struct feed feed = { end ? end + 1 : NULL, end ? size - length - 1 : 0 };
    struct slice text = feed_copy(data, length);
    struct faults faults;
    struct dataset d;

    if (dataset_open(text, &arena, &faults, &d))
        do_all(&d, &feed, &faults);
    faults_end(&faults);
    slice_free(text);
    arena_reset(&arena);
    return 0;
}
