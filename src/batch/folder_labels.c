/* folder_labels: classes of whole images by the folders that they are in. */
#include "folder_labels.h"

#include <stdlib.h>
#include <string.h>

/* A record and the name of its class. */
struct member {
    const char *class;
    size_t record;
};

/* The dataset's state: of each record its label. */
struct folder_labels {
    struct image_label *label;
};

static int by_class(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    return strcmp(x->class, y->class);
}

static bool find_class(struct dataset *d, size_t record, struct member *to, struct faults *faults)
{
    const char *name = d->records[record].name, *slash = strchr(name, '/');

    if (!slash || slash == name)
        return fault_add(faults, 0, 0, name, "label-folder",
                         "the image is in no folder, which would be its class");
    *to = (struct member){ arena_copy(d->arena, name, (size_t)(slash - name)), record };
    return true;
}

static void number_classes(struct dataset *d, struct member *members)
{
    struct folder_labels *state = ARENA_NEW(d->arena, struct folder_labels);
    struct pile all = { 0 };

    qsort(members, d->n_records, sizeof *members, by_class);
    for (size_t i = 0; i < d->n_records; i++)
        if (i == 0 || strcmp(members[i - 1].class, members[i].class) != 0) {
            struct category *c = pile_add(&all, sizeof *c);

            *c = (struct category){ .name = members[i].class, .id = (int64_t)all.n - 1 };
        }
    arena_take_over(d->arena, all.at);
    d->categories = all.at;
    d->n_categories = all.n;
    state->label = ARENA_ARRAY(d->arena, struct image_label, d->n_records);
    for (size_t i = 0, k = 0; i < d->n_records; i++) {
        k += i > 0 && strcmp(members[i - 1].class, members[i].class) != 0;
        state->label[members[i].record] = (struct image_label){ &d->categories[k], 1 };
    }
    d->state = state;
}

static bool load(const struct dataset *d, size_t record, const struct rules *rules,
                 struct sample *sample, struct faults *faults)
{
    const struct folder_labels *state = d->state;

    (void)rules;
    (void)faults;
    sample->labels = &state->label[record];
    sample->n_labels = 1;
    sample->categories = d->categories;
    sample->n_categories = d->n_categories;
    return true;
}

static struct slice find_record(const struct dataset *d, size_t record)
{
    return (struct slice){ d->records[record].name, strlen(d->records[record].name) };
}

static struct slice find_object(const struct dataset *d, size_t record, size_t i, size_t *order)
{
    (void)d;
    (void)record;
    (void)i;
    *order = 0;
    return (struct slice){ 0 };
}

static bool has_category(const struct dataset *d, size_t record, const struct category *category)
{
    const struct folder_labels *state = d->state;

    return state->label[record].category == category;
}

/* There are no files of it; the suffix says that its images are those of a folder. */
static const struct format folder_format = {
    .name = "image_folders",
    .suffix = "",
    .load = load,
    .find_record = find_record,
    .find_object = find_object,
    .has_category = has_category,
};

bool folder_labels_read(struct dataset *d, struct faults *faults)
{
    struct member *members = memory_take((d->n_records + 1) * sizeof *members);
    bool good = true;

    for (size_t i = 0; i < d->n_records; i++)
        good = find_class(d, i, &members[i], faults) && good;
    if (good)
        number_classes(d, members);
    if (good)
        d->format = &folder_format;
    free(members);
    return good;
}
