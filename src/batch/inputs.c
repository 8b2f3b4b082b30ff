/* inputs: the images of a folder as a dataset, and what can be known to be wrong before work. */
#include "job.h"

#include "collisions.h"
#include "files.h"
#include "names.h"

#include "../plan/worst.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct choice trust_choices[] = {
    { "both", TRUST_BOTH, "they have to agree: an image of which they do not fails" },
    { "file", TRUST_FILE,
      "the file's size is taken: labels are pixels of the file, and its size is written. Run "
      "lengths of another size fail their image still" },
    { 0 },
};

/* --- listing --- */

struct listing {
    struct dataset *dataset;
    const char *root;
    size_t room;
};

static void add_record(struct listing *l, const char *name)
{
    struct dataset *d = l->dataset;
    struct arena *arena = d->arena;

    if (d->n_records == l->room) {
        struct record *more;

        l->room = 2 * l->room + 256;
        more = ARENA_ARRAY(arena, struct record, l->room);
        if (d->n_records)
            memcpy(more, d->records, d->n_records * sizeof *more);
        d->records = more;
    }
    name = arena_copy(arena, name, strlen(name));
    d->records[d->n_records++] = (struct record){ .name = name, .seed_key = name };
}

enum entry { ENTRY_FOLDER, ENTRY_LINKED_FOLDER, ENTRY_OTHER };

/* Linked folders could go in circles. Links to nowhere are listed: their reading will tell. */
static enum entry kind_of(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return ENTRY_OTHER;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode) ? ENTRY_LINKED_FOLDER
                                                                : ENTRY_FOLDER;
}

static bool list_folder(struct listing *l, const char *below, struct text *why)
{
    struct text path = { 0 }, name = { 0 };
    struct dirent *entry;
    DIR *folder;
    bool good = true;

    path_join(&path, l->root, below);
    folder = opendir(text_string(&path));
    if (!folder) {
        text_addf(why, "%s%s%s", below, *below ? ": " : "", strerror(errno));
        text_drop(&path);
        return false;
    }
    while (good && (entry = readdir(folder))) {
        if (entry->d_name[0] == '.')
            continue;
        text_clear(&name);
        text_addf(&name, "%s%s%s", below, *below ? "/" : "", entry->d_name);
        path_join(&path, l->root, text_string(&name));
        switch (kind_of(text_string(&path))) {
        case ENTRY_FOLDER:
            good = list_folder(l, text_string(&name), why);
            break;
        case ENTRY_LINKED_FOLDER:
            fprintf(stderr, "lockstep: %s: a symbolic link to a folder is not followed\n",
                    text_string(&path));
            break;
        case ENTRY_OTHER:
            if (name_is_image(entry->d_name))
                add_record(l, text_string(&name));
        }
    }
    closedir(folder);
    text_drop(&path);
    text_drop(&name);
    return good;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct record *)a)->name, ((const struct record *)b)->name);
}

bool job_list_images(const char *path, struct dataset *dataset, struct text *why)
{
    struct listing listing = { .dataset = dataset, .root = path };
    struct stat status;

    if (stat(path, &status) != 0) {
        text_adds(why, strerror(errno));
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        if (!list_folder(&listing, "", why))
            return false;
    } else {
        const char *slash = strrchr(path, '/');

        add_record(&listing, slash ? slash + 1 : path);
    }
    if (dataset->n_records)
        qsort(dataset->records, dataset->n_records, sizeof *dataset->records, by_name);
    for (size_t i = 0; i < dataset->n_records; i++)
        dataset->records[i].id = (int64_t)i + 1;
    dataset->largest_id = (int64_t)dataset->n_records;
    if (!dataset->n_records)
        text_adds(why, "there are no images in this folder");
    return dataset->n_records > 0;
}

/* --- checking --- */

/* A mask that the annotations name, and what its last output is called. */
static bool check_mask_name(const struct job *job, size_t r, struct faults *faults)
{
    const struct record *record = &job->dataset->records[r];
    const char *image = record->name, *mask = job_has_segments(job) ? record->mask : NULL, *why;
    struct text output = { 0 };
    bool good = true;

    if (mask && !name_is_safe(mask, &why)) {
        good = fault_add(faults, 0, 0, image, "name-unsafe", "the file name of its mask %s", why);
    } else if (mask) {
        mask_output_name(job, r, job_fan(job) - 1, &output);
        if (!name_is_safe(text_string(&output), &why))
            good = fault_add(faults, 0, 0, image, "name-unsafe",
                             "the name of its mask's output, %s, %s", text_string(&output), why);
    }
    text_drop(&output);
    return good;
}

static void check_record(const struct job *job, size_t r, struct faults *faults)
{
    const char *name = job->dataset->records[r].name, *why;
    struct text mask = { 0 }, output = { 0 };

    output_name(job, name, job_fan(job) - 1, &output);
    if (!name_is_safe(name, &why)) {
        fault_add(faults, 0, 0, *name ? name : arena_printf(&faults->arena, "images[%zu]", r),
                  "name-unsafe", "the file name %s", why);
    } else if (!name_is_safe(text_string(&output), &why)) {
        fault_add(faults, 0, 0, name, "name-unsafe", "the name of its output, %s, %s",
                  text_string(&output), why);
    } else if (check_mask_name(job, r, faults) && job->on_error == ON_ERROR_FAIL) {
        if (!file_exists_below(job->images, name))
            fault_add(faults, 0, 0, name, "image-missing", "there is no such file in %s",
                      job->images);
        else if (mask_name(job, r, &mask) && !file_exists_below(job->masks, text_string(&mask)))
            fault_add(faults, 0, 0, name, "mask-missing", "its mask %s is not in %s",
                      text_string(&mask), job->masks);
    }
    text_drop(&mask);
    text_drop(&output);
}

/* May the step make samples of another type? */
static bool note_conversion(const struct step *step, void *context)
{
    bool *converts = context;

    *converts |= step->op && step->op->family == CONVERT;
    for (const char *const *name = step->transform ? step->transform->emits : NULL; name && *name;
         name++)
        *converts |= registry_op(*name)->family == CONVERT;
    return true;
}

/* Only TIFF files hold floats: what the steps make at the end, if all of them are done. The worst
 * case takes its time (fields are made for it), so few pipelines are asked for theirs. */
static void check_floats(const struct job *job, struct faults *faults)
{
    struct arena arena = { 0 };
    struct drawing drawing;
    struct pixel_kind made;
    bool converts = false;

    steps_walk(&job->plan->transforms, note_conversion, &converts);
    if (!converts)
        return;
    plan_worst(job->plan, &arena, &drawing, &made);
    arena_drop(&arena);
    for (size_t r = 0; made.type == PIXEL_F32 && r < job->n_records; r++) {
        const char *name = job->dataset->records[r].name;

        if (output_format(job, name) == PICTURE_TIFF)
            continue;
        fault_add(faults, 0, 0, name, "output-float",
                  "the pipeline makes floats, which %s files cannot hold; set \"format\": \"tiff\" "
                  "in \"output\"",
                  picture_format_name(output_format(job, name)));
        return;
    }
}

bool job_check(const struct job *job, struct faults *faults)
{
    const struct dataset *dataset = job->dataset;

    for (size_t r = 0; r < job->n_records; r++)
        check_record(job, r, faults);
    check_floats(job, faults);
    if (faults->n)
        return false;
    collisions_check(job, faults);
    if (dataset->largest_id > ((int64_t)1 << 53) / job_fan(job) - 1)
        fault_add(faults, 0, 0, "", "id-overflow",
                  "ids up to %lld times %u outputs an image would pass 2^53",
                  (long long)dataset->largest_id, job_fan(job));
    return !faults->n;
}
