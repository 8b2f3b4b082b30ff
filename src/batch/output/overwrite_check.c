/* overwrite_check: finds files that a job would overwrite. */
#include "batch/output/earlier_files.h"

#include "base/files.h"
#include "batch/output/output_names.h"
#include "batch/output/file_list.h"
#include "batch/output/out_handles.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

struct check {
    struct out_dir *outdir;
    const struct earlier_files *earlier;
    struct faults *faults;
};

static void check_file(const struct check *c, const char *path)
{
    const struct earlier_files *f = c->earlier;
    struct stat status;
    const char *base;
    int folder = out_dir_find_parent(c->outdir, path, false, &base);

    if (folder < 0 && errno == ENOTDIR) {
        fault_add(c->faults, 0, 0, path, "out-exists",
                  "a file or a link that lockstep did not make has the name of its folder");
        return;
    }
    if (folder < 0 || fstatat(folder, base, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    if (!earlier_files_may_remove(f, &status) || !earlier_files_contain(f, path))
        fault_add(c->faults, 0, 0, path, "out-exists",
                  "lockstep did not make this, and would overwrite it; move it elsewhere");
}

static void check_output(void *context, const struct job_output *output)
{
    struct text path = { 0 };

    path_join(&path, output->folder, output->name);
    check_file(context, text_string(&path));
    text_drop(&path);
}

/* True if a job may write this file at the top of OUT. */
static bool writes_file(const struct job *job, const char *name)
{
    const struct format *writer = job->dataset->writer;

    if (strcmp(name, "annotations.json") == 0 || strcmp(name, "labels.csv") == 0)
        return writer && !job->dataset->combination && !writer->suffix &&
               strcmp(name, format_file(writer)) == 0;
    if (strcmp(name, "images.json") == 0)
        return job->dataset->list;
    if (strcmp(name, "SHA256SUMS") == 0)
        return job->output.checksums;
    if (strcmp(name, "manifest.jsonl") == 0 || strcmp(name, "run.json") == 0 ||
        strcmp(name, "errors.jsonl") == 0)
        return true;
    return writer && writer->index && strcmp(writer->index, name) == 0;
}

static bool has_folder(const struct out_dir *o, const char *name)
{
    struct stat status;

    return fstatat(o->folder - 1, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

int earlier_files_check_job(struct out_dir *o, const struct earlier_files *f, const struct job *job,
                            struct faults *faults)
{
    const struct combination *combination = job->dataset->combination;
    struct check check = { o, f, faults };

    for (size_t i = 0; i < N_OUT_FILES; i++)
        if (writes_file(job, out_files[i]))
            check_file(&check, out_files[i]);
    for (size_t i = 0; combination && i < combination->n; i++)
        if (combination->at[i].file)
            check_file(&check, combination->at[i].file);
    for (size_t i = 0; combination && i < combination_n_mask_lists(combination); i++)
        check_file(&check, combination->at[combination_mask_list(combination, i)].mask_list);
    if (combination)
        outputs_walk(job, check_output, &check);
    for (const char *const *folder = out_folders; !combination && *folder; folder++)
        if (has_folder(o, *folder)) {
            outputs_walk(job, check_output, &check);
            break;
        }
    return faults->n ? EXIT_OCCUPIED : EXIT_DONE;
}
