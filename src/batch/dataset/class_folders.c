/* class_folders: classes of whole images by the folders that contain them. */
#include "batch/dataset/class_folders.h"

#include "batch/dataset/job.h"

#include "base/files.h"
#include "labels/shared/class_list.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The dataset's state: the label of each record. */
struct folder_labels {
    struct image_label *label;
};

/* --- folders of dataset parts --- */

static bool is_part(const char *name, size_t length)
{
    static const char *const parts[] = { "train", "val", "valid", "validation", "test" };

    for (size_t i = 0; i < COUNTOF(parts); i++)
        if (strlen(parts[i]) == length && strncmp(parts[i], name, length) == 0)
            return true;
    return false;
}

/* True if paths are PART/CLASS/image. If parts were classes, they would directly contain images. */
static bool has_parts(const struct dataset *d)
{
    bool deep = false;

    for (size_t i = 0; i < d->n_records; i++) {
        const char *name = d->records[i].name, *slash = strchr(name, '/');

        if (!slash || !is_part(name, (size_t)(slash - name)))
            return false;
        deep |= strchr(slash + 1, '/') != NULL;
    }
    return deep;
}

/* --- the classes --- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *class_of(struct dataset *d, size_t record, bool parts, struct faults *faults)
{
    const char *name = d->records[record].name, *at = parts ? strchr(name, '/') + 1 : name;
    const char *slash = strchr(at, '/');

    if (slash && slash != at)
        return arena_copy(d->arena, at, (size_t)(slash - at));
    fault_add(faults, 0, 0, name, "label-folder",
              parts ? "the image is not in a class folder below its part folder"
                    : "the image is not in a folder, which would give its class");
    return NULL;
}

/* Adds the names of the folders in `path`; with `parts`, of the folders in each folder of a part.
 */
static void list_folders(struct dataset *d, const char *path, bool parts, struct pile *names)
{
    DIR *list = opendir(path);
    const struct dirent *entry;
    struct stat status;

    while (list && (entry = readdir(list))) {
        const char *inner = arena_printf(d->arena, "%s/%s", path, entry->d_name);

        if (*entry->d_name == '.' || stat(inner, &status) != 0 || !S_ISDIR(status.st_mode))
            continue;
        if (!parts)
            *(const char **)pile_add(names, sizeof(char *)) =
                arena_copy(d->arena, entry->d_name, strlen(entry->d_name));
        else if (is_part(entry->d_name, strlen(entry->d_name)))
            list_folders(d, inner, false, names);
    }
    if (list)
        closedir(list);
}

/* Returns the list of all class folders, as --classes would give it. */
static const struct class_list *list_classes(const struct job *job, struct dataset *d, bool parts,
                                             const char *const *of_record)
{
    struct class_list *list = ARENA_NEW(d->arena, struct class_list);
    struct pile names = { 0 };
    const char **all;
    size_t n = 0, twice;

    for (size_t i = 0; i < job->images.roots.n; i++)
        list_folders(d, job->images.roots.at[i], parts, &names);
    for (size_t i = 0; i < d->n_records; i++) /* list_folders cannot list an archive */
        if (of_record[i])
            *(const char **)pile_add(&names, sizeof(char *)) = of_record[i];
    all = names.at;
    if (names.n)
        qsort(all, names.n, sizeof *all, by_name);
    for (size_t i = 0; i < names.n; i++)
        if (n == 0 || strcmp(all[n - 1], all[i]) != 0)
            all[n++] = all[i];
    arena_take_over(d->arena, names.at);
    *list = (struct class_list){ .name = all, .n = n };
    class_list_sort(list, d->arena, &twice);
    return list;
}

/* Sets the class of each record. Adds one fault per name that is not in the list. */
static bool number_records(struct dataset *d, const struct class_list *list,
                           const char *const *of_record, struct faults *faults)
{
    struct folder_labels *state = ARENA_NEW(d->arena, struct folder_labels);
    size_t before = faults->n, class;

    d->categories = class_list_categories(list, d->arena);
    d->n_categories = list->n;
    d->categories_text = class_list_text(d->categories, list->n, d->arena);
    state->label = ARENA_ARRAY(d->arena, struct image_label, d->n_records);
    for (size_t i = 0; i < d->n_records; i++)
        if (of_record[i] && class_list_find(list, of_record[i], &class))
            state->label[i] = (struct image_label){ &d->categories[class], 1 };
        else if (of_record[i] &&
                 (i == 0 || !of_record[i - 1] || strcmp(of_record[i - 1], of_record[i]) != 0))
            class_list_fault(list, faults, (struct slice){ 0 }, d->records[i].name, of_record[i]);
    d->state = state;
    return faults->n == before;
}

static bool load(const struct dataset *d, size_t record, const struct rules *rules,
                 struct sample *sample, struct faults *faults)
{
    const struct folder_labels *state = d->state;

    (void)rules;
    (void)faults;
    sample->labels = &state->label[record];
    sample->n_labels = state->label[record].category != NULL;
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

/* Returns the properties that class folders lack. The format has no files; its suffix marks a
 * dataset whose images a folder lists. */
static unsigned folder_lacks(const struct dataset *d)
{
    (void)d;
    return LACKS_OBJECTS | LACKS_IMAGE_KEYS | LACKS_DIALECTS | LACKS_SIZES;
}

/* --- writing --- */

static void count_omissions(const struct dataset *d, size_t record, const struct sample *sample,
                            const struct rules *rules, struct omissions *omissions)
{
    const char *hidden = omission_of_name(d->records[record].name);

    (void)rules;
    if (hidden)
        omissions_add(omissions, hidden);
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];

        if (o->has_box || o->segmentation != SEGMENTATION_NONE || o->n_keypoints)
            omissions_add(omissions,
                          "position{s} of objects (class folders have classes of images)");
    }
}

static const struct target folder_targets[] = {
    { "folders", "images in a folder of their class: OUT/train/CLASS/", 0 },
    { 0 },
};

const struct format class_folders_format = {
    .lacks_read = folder_lacks,
    .name = "image_folders",
    .targets = folder_targets,
    .count_omissions = count_omissions,
    .suffix = "",
    .load = load,
    .find_record = find_record,
    .find_object = find_object,
    .has_category = has_category,
};

bool folder_labels_read(const struct job *job, struct dataset *d, struct faults *faults)
{
    const char **of_record = ARENA_ARRAY(d->arena, const char *, d->n_records);
    bool parts = !job->images.class_roots && has_parts(d), good = true;

    for (size_t i = 0; i < d->n_records; i++)
        good = (of_record[i] = class_of(d, i, parts, faults)) && good;
    if (good || d->lenient)
        good = number_records(d, d->classes ? d->classes : list_classes(job, d, parts, of_record),
                              of_record, faults) &&
               good;
    d->file = *job->images.roots.at;
    if (good || d->lenient)
        d->format = &class_folders_format;
    return good;
}

/* --- names by classes --- */

/* Returns the only class of an image; NULL with a fault. */
static const struct category *find_class(const struct sample *sample, const char *name,
                                         struct faults *faults)
{
    const struct category *class = NULL;
    bool several = false;

    for (size_t i = 0; i < sample->n_labels + sample->n_objects; i++) {
        const struct category *own = i < sample->n_labels
                                         ? sample->labels[i].category
                                         : sample->objects[i - sample->n_labels].category;

        several |= class && own && own != class;
        class = own ? own : class;
    }
    if (class && !several)
        return class;
    fault_add(faults, 0, 0, name, "label-folder",
              several ? "the image has several classes, and a folder has one"
                      : "the image has no class, which would name its folder");
    return NULL;
}

/* Puts the name of the class before the record's name in its part. */
static bool set_name(struct dataset *d, size_t record, const struct category *class,
                     struct faults *faults)
{
    const struct combination_part *p = combination_part_of(d, record);
    struct record *r = &d->records[record];
    const char *why = "has a slash";

    if (*class->name == '.')
        why = "begins with a dot, and readers skip hidden folders";
    if (*class->name == '.' || strchr(class->name, '/') || !name_is_safe(class->name, &why))
        return fault_add(faults, 0, 0, r->name, "label-folder",
                         "the class \"%s\" cannot be the name of a folder: it %s", class->name,
                         why);
    r->name = arena_printf(d->arena, "%s/%s/%s", p->below, class->name,
                           combination_own_record(d, record)->name);
    return true;
}

bool folder_names_set(struct dataset *d, const struct rules *rules, struct faults *faults)
{
    struct faults own = dataset_faults(d);
    struct arena arena = { 0 };
    bool good = true;

    for (size_t i = 0; good && i < d->n_records; i++) {
        const struct record *r = &d->records[i];
        struct sample sample = { .arena = &arena, .record = i, .frame = { r->width, r->height } };
        const struct category *class;

        arena_reset(&arena);
        good = !d->format || d->format->load(d, i, rules, &sample, &own);
        class = good ? find_class(&sample, r->name, faults) : NULL;
        if (class)
            set_name(d, i, class, faults);
    }
    for (size_t i = 0; i < own.n; i++)
        fault_add(faults, 0, 0, own.list[i].path, own.list[i].code, "%s", own.list[i].message);
    faults_drop(&own);
    arena_drop(&arena);
    return !faults->n;
}
