/* job_sandbox: sandboxes of processes that read the images of a job. */
#include "batch/image/job_sandbox.h"

#include "batch/io/archive_set.h"
#include "batch/io/folder.h"
#include "batch/io/open.h"
#include "batch/output/output_names.h"

#include "batch/process/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct search {
    const struct job *job;
    sandbox_link *found;
    void *context;
};

/* Gets the path of an open file, without links. Returns false if the kernel does not provide it. */
static bool get_path(int file, char path[PATH_MAX])
{
    char link[64];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = '\0';
    return *path == '/';
}

static bool is_below(const char *path, int folder)
{
    char above[PATH_MAX];
    size_t length;

    if (!get_path(folder, above))
        return false;
    length = strlen(above);
    return strncmp(path, above, length) == 0 && (path[length] == '/' || length == 1);
}

static void find_link(const struct search *s, const char *root, const char *name)
{
    int folder, file;
    char path[PATH_MAX];

    if (archive_at(root))
        return;
    folder = input_folder(root);
    file = input_open(folder, name, LINKS_REFUSE, O_PATH);
    if (file < 0 && errno == ELOOP) {
        file = input_open(folder, name, LINKS_FOLLOW, O_PATH);
        /* Without /proc the link may lead anywhere. */
        if (file >= 0 && !get_path(file, path))
            strcpy(path, "/");
        if (file >= 0 && !is_below(path, folder))
            s->found(s->context, path, file);
    }
    if (file >= 0)
        close(file);
}

/* --- folders without links: a walk of the folder is much faster than a check of each file --- */

enum {
    MIN_IMAGES = 256,       /* number of images from which a walk is faster */
    MAX_FILES_PER_IMAGE = 4 /* that the walk visits per image */
};

static bool visit_file(void *context, const struct walked_file *file, struct text *why)
{
    size_t *left = context;

    (void)why;
    return !file->linked && (*left)--;
}

/* With joins, any image of the dataset may be borrowed. */
static size_t count_read(const struct job *job)
{
    return job->plan->joins ? job->dataset->n_records : job->images.n_records;
}

static size_t record_read(const struct job *job, size_t i)
{
    return job->plan->joins ? i : job_record(job, i);
}

/* True if any image, or any mask, is in a folder that a walk skips. */
static bool has_hidden_names(const struct job *job, bool masks)
{
    struct text mask = { 0 };
    bool hidden = false;

    for (size_t i = 0; !hidden && i < count_read(job); i++) {
        size_t r = record_read(job, i);
        const char *name = job_file(job, r);

        if (masks)
            name = mask_name(job, r, &mask) ? text_string(&mask) : "";
        hidden = *name == '.' || strstr(name, "/.");
    }
    text_drop(&mask);
    return hidden;
}

/* True if a walk finds no links. False if there are links, hidden folders, which a walk skips, or
 * too many files. */
static bool has_no_links(const struct job *job, const char *folder, bool masks)
{
    size_t n = count_read(job), left = MAX_FILES_PER_IMAGE * n;
    const struct tree_walk walk = {
        .path = folder, .links = LINKS_REFUSE, .visit = visit_file, .context = &left
    };
    struct text why = { 0 };
    bool none = n >= MIN_IMAGES && !has_hidden_names(job, masks) && walk_files(&walk, &why);

    text_drop(&why);
    return none;
}

void job_find_links(const void *context, sandbox_link *found, void *to)
{
    const struct job *job = context;
    const struct search s = { job, found, to };
    struct text mask = { 0 }, why = { 0 };
    const char *code;
    bool none = true;

    for (size_t i = 0; none && i < job->images.masks.n; i++)
        none = has_no_links(job, job->images.masks.at[i], true);
    for (size_t i = 0; none && i < job->images.roots.n; i++)
        none = has_no_links(job, job->images.roots.at[i], false);
    if (none)
        return;
    for (size_t i = 0; i < count_read(job); i++) {
        size_t r = record_read(job, i);

        text_clear(&why);
        if (!check_record_names(job, r, &why, &code))
            continue;
        find_link(&s, job_root(job, r), job_file(job, r));
        if (mask_name(job, r, &mask))
            find_link(&s, job_mask_root(job, r), text_string(&mask));
    }
    text_drop(&mask);
    text_drop(&why);
}

/* --- opening --- */

void job_sandbox_open(struct sandbox *sandbox, const struct job *job)
{
    int folders[2 * MAX_ROOTS];
    struct sandbox_access access = { .folders = folders, .context = job };

    /* Archives are open already. */
    for (size_t i = 0; i < job->images.roots.n; i++)
        if (!archive_at(job->images.roots.at[i]))
            folders[access.n_folders++] = input_folder(job->images.roots.at[i]);
    for (size_t i = 0; i < job->images.masks.n; i++)
        if (!archive_at(job->images.masks.at[i]))
            folders[access.n_folders++] = input_folder(job->images.masks.at[i]);
    if (job->images.links == LINKS_FOLLOW)
        access.find_links = job_find_links;
    sandbox_open(sandbox, (enum sandbox_mode)job->run.sandbox, &access);
}

void job_for_reading(struct job *job, const struct dataset *dataset, struct roots images,
                     struct roots masks, struct sandbox *sandbox)
{
    static const struct plan nothing = { .fan_out = 1 };

    *job = (struct job){ .plan = &nothing,
                         .naming.copies = 1,
                         .dataset = dataset,
                         .images.roots = images,
                         .images.masks = masks,
                         .images.links = LINKS_FOLLOW,
                         .images.n_records = dataset->n_records,
                         .run.jobs = 1,
                         .images.max_pixels = MAX_PIXELS,
                         .run.sandbox = SANDBOX_AUTO,
                         .run.contained = sandbox };
    job_sandbox_open(sandbox, job);
}
