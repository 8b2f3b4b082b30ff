/* iou_table: the IoU of the boxes of two annotation files, image by image. */
#include "batch/annotations/iou_table.h"

#include "batch/io/npy_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A file and its current image. */
struct file {
    const struct dataset *dataset;
    struct faults *faults;
    struct arena arena; /* of the current image */
    struct sample sample;
};

static const struct rules rules = { .keypoints = KEYPOINTS_CONTINUOUS };

static bool load(struct file *f, size_t record)
{
    const struct record *r = &f->dataset->records[record];

    arena_reset(&f->arena);
    f->sample = (struct sample){ .arena = &f->arena, .frame = { r->width, r->height } };
    if (!r->width || !r->height)
        f->sample.frame = (struct frame){ 0, 0 };
    return f->dataset->format->load(f->dataset, record, &rules, &f->sample, f->faults);
}

static bool find_box(const struct file *f, size_t i, enum box_edges edges, struct box *box)
{
    struct point corner, size;

    if (!sample_current_box(&f->sample, &rules, &f->sample.objects[i], &corner, &size))
        return false;
    *box = edges_box(corner, size, edges);
    return true;
}

/* Returns the id of an object; for text ids its index in the file, since .npy stores numbers only.
 */
static int64_t id_of(const struct file *f, size_t record, size_t i)
{
    const struct format *format = f->dataset->format;
    size_t order = 0;

    format->find_object(f->dataset, record, i, &order);
    return id_number(format->object_id(f->dataset, record, &f->sample.objects[i]), order);
}

static void compare(const struct file *a, size_t in_a, const struct file *b, size_t in_b,
                    enum box_edges edges, double above, struct pile *rows)
{
    for (size_t i = 0; i < a->sample.n_objects; i++) {
        struct box box, other;

        if (!find_box(a, i, edges, &box))
            continue;
        for (size_t k = 0; k < b->sample.n_objects; k++) {
            double iou = find_box(b, k, edges, &other) ? box_iou(box, other) : 0;

            if (iou > above)
                *(struct iou_row *)pile_add(rows, sizeof(struct iou_row)) =
                    (struct iou_row){ id_number(a->dataset->records[in_a].id, in_a),
                                      id_of(a, in_a, i), id_of(b, in_b, k), iou };
        }
    }
}

/* Returns the ids of the records, sorted; the caller frees them. */
static struct id *ids_of(const struct dataset *d)
{
    struct id *ids = memory_take((d->n_records + 1) * sizeof *ids);

    for (size_t i = 0; i < d->n_records; i++)
        ids[i] = (struct id){ d->records[i].id, (uint32_t)i };
    ids_sort(ids, d->n_records);
    return ids;
}

bool iou_table_make(const struct dataset *a, const struct dataset *b, enum box_edges edges,
                    double above, struct iou_table *table, struct faults *of_a, struct faults *of_b)
{
    enum { MAX_FAULTS = 1000 }; /* enough to find the cause */
    struct file first = { .dataset = a, .faults = of_a }, second = { .dataset = b, .faults = of_b };
    struct id *ids = ids_of(b);

    *table = (struct iou_table){ 0 };
    for (size_t i = 0; i < a->n_records && of_a->n + of_b->n < MAX_FAULTS; i++) {
        const struct id *found = ids_find(ids, b->n_records, a->records[i].id);
        bool good = load(&first, i);

        if (found && load(&second, found->index) && good)
            compare(&first, i, &second, found->index, edges, above, &table->rows);
    }
    arena_drop(&first.arena);
    arena_drop(&second.arena);
    free(ids);
    return !of_a->n && !of_b->n;
}

void iou_table_drop(struct iou_table *table)
{
    free(table->rows.at);
}

/* --- files --- */

void iou_table_print_csv(const struct iou_table *table, struct text *out)
{
    const struct iou_row *row = table->rows.at;

    text_adds(out, "image_id,a,b,iou\n");
    for (size_t i = 0; i < table->rows.n; i++) {
        text_addf(out, "%lld,%lld,%lld,", (long long)row[i].image, (long long)row[i].a,
                  (long long)row[i].b);
        number_print(out, row[i].iou);
        text_addc(out, '\n');
    }
}

static void add_double(struct text *out, double v)
{
    unsigned char bytes[sizeof(uint64_t)];
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    text_add(out, bytes, sizeof bytes);
}

void iou_table_print_npy(const struct iou_table *table, struct text *out)
{
    const struct iou_row *row = table->rows.at;

    npy_head(out, "<f8", table->rows.n, 4);
    for (size_t i = 0; i < table->rows.n; i++) {
        add_double(out, (double)row[i].image);
        add_double(out, (double)row[i].a);
        add_double(out, (double)row[i].b);
        add_double(out, row[i].iou);
    }
}
