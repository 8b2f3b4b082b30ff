/* listing: images that a folder lists, without annotations: their classes are their folders, or
 * they have label masks, or neither. */
#include "batch/dataset/class_file.h"
#include "batch/dataset/class_folders.h"
#include "batch/dataset/layout_registry.h"
#include "batch/dataset/list_images.h"
#include "batch/io/image_name.h"
#include "batch/io/open.h"
#include "batch/output/output_names.h"
#include "check/elements.h"

#include <stdlib.h>
#include <string.h>

static const struct format images_format = { .name = "images" };

void check_take_part(const struct check *c, const struct annotation_file *file, struct job *job,
                     struct dataset *d)
{
    const struct check_input *input = &c->options->inputs[file->index];

    if (input->part)
        layout_take_part(input->dataset, input->part, job, d);
}

bool check_read_classes(struct check *c, const struct annotation_file *file,
                        const struct class_list **to, struct faults *faults)
{
    const char *path = c->options->inputs[file->index].classes;
    struct faults wrong = { 0 };

    *to = *path ? class_file_read(path, &c->arena, &wrong) : NULL;
    for (size_t i = 0; i < wrong.n; i++)
        fault_add(faults, 0, 0, path, wrong.list[i].code, "%s", wrong.list[i].message);
    faults_drop(&wrong);
    return *to || !*path;
}

/* --- masks --- */

static int by_string(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct mask_walk {
    struct arena *arena;
    const char *ending;       /* only files with this ending are masks; NULL: all */
    struct pile known, stray; /* of const char * */
};

static bool has_ending(const char *name, const char *ending)
{
    size_t length = strlen(name), own = strlen(ending);

    return length >= own && strcmp(name + length - own, ending) == 0;
}

static bool visit_mask(void *context, const struct walked_file *found, struct text *why)
{
    struct mask_walk *w = context;

    (void)why;
    if (w->ending && !has_ending(found->entry, w->ending))
        return true;
    if (!found->hidden && !found->lost && name_is_image(found->entry) &&
        !bsearch(&found->name, w->known.at, w->known.n, sizeof(char *), by_string))
        *(const char **)pile_add(&w->stray, sizeof(char *)) =
            arena_copy(w->arena, found->name, strlen(found->name));
    return true;
}

/* Sets the names of the masks, and lists the masks without an image. */
static bool find_masks(struct check *c, const struct annotation_file *file, struct dataset *d,
                       struct pile *stray, struct faults *faults)
{
    const struct layout_part *part = c->options->inputs[file->index].part;
    const struct layout_part given = { .masks = file->mask_folder,
                                       .mask_name = c->options->mask_name };
    struct mask_walk w = { .arena = &c->arena, .ending = part ? part->mask_ending : NULL };
    struct tree_walk walk = {
        .path = file->mask_folder, .links = LINKS_FOLLOW, .visit = visit_mask, .context = &w
    };
    struct text why = { 0 };
    bool good;

    part_masks_name(part ? part : &given, LINKS_FOLLOW, d);
    if (part && (part->some_masks || part->n_places)) /* others are of other parts */
        return true;
    for (size_t i = 0; i < d->n_records; i++)
        *(const char **)pile_add(&w.known, sizeof(char *)) = d->records[i].mask;
    if (w.known.n)
        qsort(w.known.at, w.known.n, sizeof(char *), by_string);
    good = walk_files(&walk, &why);
    if (!good)
        fault_add(faults, 0, 0, file->mask_folder, "images-unread", "%s", text_string(&why));
    if (w.stray.n)
        qsort(w.stray.at, w.stray.n, sizeof(char *), by_string);
    *stray = w.stray;
    free(w.known.at);
    text_drop(&why);
    return good;
}

/* --- places --- */

/* Makes the text of the file: a line end for the folder, then one for each image and each mask
 * without an image. */
static void make_places(struct check *c, struct annotation_file *file, const struct dataset *d,
                        const struct pile *stray)
{
    size_t n = 1 + d->n_records + stray->n;
    struct fault_file *parts = ARENA_ARRAY(&c->arena, struct fault_file, n);
    char *text = ARENA_ARRAY(&c->arena, char, n);
    const char *const *masks = stray->at;

    memset(text, '\n', n);
    file->images = memory_take((d->n_records + 1) * sizeof *file->images);
    file->n_images = d->n_records;
    for (size_t i = 0; i < n; i++) {
        size_t image = i - 1;
        const char *name = i <= d->n_records && i ? d->records[image].name : file->name;

        if (i > d->n_records)
            name = arena_printf(&c->arena, "%s/%s", file->mask_folder, masks[i - d->n_records - 1]);
        else if (i)
            name = arena_printf(&c->arena, "%s/%s", file_root_of(file, image), name);
        parts[i] = (struct fault_file){ .offset = i, .name = name };
        if (i && i <= d->n_records)
            file->images[image] = (struct checked_image){ .id = COCO_NO_ID,
                                                          .name = d->records[image].name,
                                                          .path = d->records[image].name,
                                                          .offset = i,
                                                          .length = 1,
                                                          .labelled = true };
    }
    file->text = file->sections[LIST_NONE] = (struct slice){ text, n };
    file->parts = parts;
    file->n_parts = n;
    file->n_stray = stray->n;
}

bool check_open_listing(struct check *c, struct annotation_file *file, struct faults *refused,
                        struct faults *faults)
{
    struct dataset *d = ARENA_NEW(&c->arena, struct dataset);
    struct job job = { .dataset = d, .images.roots = file->roots };
    struct pile stray = { 0 };
    const char *failed;
    struct text why = { 0 };
    bool good;

    *d = (struct dataset){ .file = file->name, .arena = &c->arena, .lenient = true };
    check_take_part(c, file, &job, d);
    good = check_read_classes(c, file, &file->classes, faults);
    d->classes = file->classes;
    for (size_t i = 0; i < file->roots.n; i++)
        good = check_open_images(file->roots.at[i], faults) && good;
    if (good && !listing_read(&job, d, NULL, &failed, &why))
        good = fault_add(faults, 0, 0, failed, "images-unread", "%s", text_string(&why));
    text_drop(&why);
    file->roots = job.images.roots;
    if (good && file->mask_folder)
        good = find_masks(c, file, d, &stray, faults);
    if (good) {
        if (c->options->inputs[file->index].class_folders)
            folder_labels_read(&job, d, refused);
        file->listed = d;
        file->format = d->format ? d->format : &images_format;
        make_places(c, file, d, &stray);
    }
    free(stray.at);
    return good;
}

/* --- elements --- */

static void index_categories(struct annotation_file *file)
{
    const struct dataset *d = file->listed;

    file->n_categories = d->n_categories;
    file->categories = memory_take((d->n_categories + 1) * sizeof *file->categories);
    for (size_t i = 0; i < d->n_categories; i++)
        file->categories[i] = (struct checked_category){ .id = (int64_t)i,
                                                         .name = d->categories[i].name,
                                                         .length = 1,
                                                         .category = &d->categories[i] };
    file->sure_categories = true;
}

static int by_name(const void *a, const void *b)
{
    const struct record *x = a, *y = b;

    return strcmp(x->name, y->name);
}

/* Reports the images that run refuses. */
static void report_refused(struct check *c, struct annotation_file *file,
                           const struct faults *refused)
{
    const struct dataset *d = file->listed;

    for (size_t i = 0; i < refused->n; i++) {
        struct fault fault = refused->list[i];
        struct faults one = { .list = &fault, .n = 1 };
        const struct record key = { .name = fault.path },
                            *found = bsearch(&key, d->records, d->n_records, sizeof key, by_name);
        struct element e = element_of_file(file);

        if (found)
            e = element_of_image(file, (size_t)(found - d->records));
        fault.offset = (size_t)(e.text.at - file->text.at);
        fault.length = 1;
        fault.path = "";
        c->element_failed = false;
        check_refused(c, &e, &one);
    }
}

static void walk_image(struct check *c, struct annotation_file *file, size_t image,
                       struct sample *sample)
{
    static const struct pick none[IMAGE_MEMBERS];
    static const struct rules rules = { .keypoints = KEYPOINTS_CONTINUOUS };
    const struct dataset *d = file->listed;
    struct image_element e = { .at = element_of_image(file, image),
                               .pick = none,
                               .image = &file->images[image] };
    struct faults faults = { .name = file->name, .text = file->text };

    if (d->format)
        d->format->load(d, image, &rules, sample, &faults);
    e.labels = (struct image_labels){ sample->labels, sample->n_labels };
    for (size_t i = 0; i < e.labels.n; i++)
        file->categories[e.labels.at[i].category - d->categories].n_annotations++;
    file->n_labels += e.labels.n;
    FOR_FAMILIES(c, file, image, &e);
}

void check_walk_listing(struct check *c, struct annotation_file *file, const struct faults *refused)
{
    struct arena scratch = { 0 };

    check_make_states(c, file);
    file->readable = true;
    index_categories(file);
    FOR_FAMILIES(c, file, file, file);
    report_refused(c, file, refused);
    for (size_t i = 0; i < file->n_images; i++) {
        struct sample sample = { .arena = &scratch, .record = i };

        arena_reset(&scratch);
        walk_image(c, file, i, &sample);
    }
    FOR_FAMILIES(c, file, end, file);
    arena_drop(&scratch);
}
