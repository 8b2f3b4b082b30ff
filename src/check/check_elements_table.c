/* check_elements_table: reads a table of labels of images as run does, and passes it to the
 * families that handle tables. */
#include "batch/dataset/resolve_names.h"
#include "check/elements.h"

/* The first row of an image is its element. */
static void index_records(const struct check_options *o, struct annotation_file *file,
                          const struct dataset *d)
{
    file->n_images = d->n_records;
    file->images = memory_take((d->n_records + 1) * sizeof *file->images);
    for (size_t i = 0; i < d->n_records; i++) {
        struct slice row = d->format->find_record(d, i);

        file->images[i] =
            (struct checked_image){ .id = COCO_NO_ID,
                                    .name = d->records[i].name,
                                    .path = resolve_name(d->records[i].name, o->strip_prefix,
                                                         (enum match)o->match),
                                    .offset = (uint64_t)(row.at - file->text.at),
                                    .length = (uint32_t)row.length,
                                    .labelled = true };
    }
    file->n_labels = d->n_records;
}

static void walk_record(struct check *c, struct annotation_file *file, const struct dataset *d,
                        size_t record, struct sample *sample)
{
    static const struct pick none[IMAGE_MEMBERS];
    static const struct rules rules = { .keypoints = KEYPOINTS_CONTINUOUS };
    struct faults faults = { .name = file->name, .text = file->text };
    struct image_element e = { .at = element_of_image(file, record),
                               .pick = none,
                               .image = &file->images[record] };

    d->format->load(d, record, &rules, sample, &faults);
    e.labels = (struct image_labels){ sample->labels, sample->n_labels };
    FOR_FAMILIES(c, file, image, &e);
    faults_drop(&faults);
}

void check_walk_table(struct check *c, struct annotation_file *file)
{
    struct dataset d = { .file = file->name,
                         .text = file->text,
                         .arena = &c->arena,
                         .format = file->format,
                         .lenient = true,
                         .classes = file->classes };
    struct faults refused = { .name = file->name, .text = file->text };
    struct arena scratch = { 0 };
    struct element e = element_of_file(file);

    check_make_states(c, file);
    file->readable = file->format->read(&refused, &d);
    c->element_failed = false;
    check_refused(c, &e, &refused);
    FOR_FAMILIES(c, file, file, file);
    index_records(c->options, file, &d);
    for (size_t i = 0; i < d.n_records; i++) {
        struct sample sample = { .arena = &scratch, .record = i };

        arena_reset(&scratch);
        walk_record(c, file, &d, i, &sample);
    }
    FOR_FAMILIES(c, file, end, file);
    arena_drop(&scratch);
    faults_drop(&refused);
}
