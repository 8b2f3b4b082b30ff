/* earlier_files: the files that earlier runs left in the output folder, and their removal. */
#include "batch/io/image_name.h"
#include "batch/output/earlier_files.h"

#include "batch/output/out_dir.h"
#include "batch/output/run_json_read.h"
#include "batch/output/tar_names.h"

#include "base/files.h"
#include "base/eintr.h"
#include "batch/output/file_list.h"
#include "batch/output/shard_dirs.h"

#include "json/document.h"
#include "json/value.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the names --- */

static bool add_name(struct earlier_files *f, struct pile *names, const char *name, size_t length)
{
    char *copy = arena_copy(&f->arena, name, length);

    if (strlen(copy) != length || !file_list_name_is_safe(copy))
        return false;
    *(const char **)pile_add(names, sizeof copy) = copy;
    return true;
}

/* True if images of a part are symbolic links. */
static bool has_links(const struct value *run)
{
    const struct value *parts = value_get(run, "parts");

    for (size_t i = 0; parts && parts->kind == VALUE_LIST && i < parts->n; i++) {
        const struct value *part = &parts->item[i];
        const struct value *link = part->kind == VALUE_OBJECT ? value_get(part, "link") : NULL;

        if (link && link->kind == VALUE_TEXT && strcmp(link->text, "symbolic") == 0)
            return true;
    }
    return false;
}

/* Adds the files of the whole result that run.json lists. */
static bool add_run(struct earlier_files *f, struct pile *names, const struct value *run)
{
    const struct value *files = value_get(run, "files");

    if (!files || files->kind != VALUE_LIST)
        return false;
    f->linked = has_links(run);
    for (size_t i = 0; i < files->n; i++)
        if (files->item[i].kind != VALUE_TEXT || name_is_image(files->item[i].text) ||
            !add_name(f, names, files->item[i].text, strlen(files->item[i].text)))
            return false;
    return true;
}

/* Adds the name of an image, a mask or a label file, which is never at the top of OUT. */
static bool add_output(struct earlier_files *f, struct pile *names, struct scan *s)
{
    struct slice name;

    return scan_string(s, &f->arena, &name) && memchr(name.at, '/', name.length) &&
           add_name(f, names, name.at, name.length);
}

static bool add_line(struct earlier_files *f, struct pile *names, struct slice line)
{
    struct scan s = scan_start(line, 0);
    struct slice name, value;
    bool first = true, good = scan_open(&s, '{');

    while (good && scan_member(&s, &first, &name))
        good =
            scan_equals(name, "output") || scan_equals(name, "mask") || scan_equals(name, "labels")
                ? add_output(f, names, &s)
                : scan_value(&s, &value);
    return good && !s.code && scan_end(&s);
}

/* Reads line by line, since manifests are as large as annotations. A missing manifest lists
 * nothing: an interrupted removal has removed it already. */
static bool add_manifest(struct earlier_files *f, struct pile *names, int folder)
{
    FILE *file = open_stream_at(folder, "manifest.jsonl");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool good = true;
    int failed = 0;

    if (!file)
        return errno == ENOENT;
    while (good && (length = getline(&line, &room, file)) > 0)
        good = add_line(f, names, (struct slice){ line, (size_t)length });
    if (ferror(file))
        failed = EIO;
    free(line);
    fclose(file);
    errno = failed;
    return good && !failed;
}

/* `removals`: the list is of files to remove, whose record number says whether they may be links.
 */
static bool add_list(struct earlier_files *f, struct pile *names, int scratch, const char *file,
                     bool removals)
{
    struct text list = { 0 };
    struct listed_file line;
    size_t at = 0;
    bool linked = false;
    bool good = scratch < 0 || read_regular_at(scratch, file, &list) || errno == ENOENT;

    if (good)
        errno = 0;
    while (good && file_list_next((struct slice){ text_string(&list), list.length }, &at, &line)) {
        good = add_name(f, names, line.name.at, line.name.length);
        linked |= line.record == 1;
    }
    if (removals)
        f->linked = linked;
    text_drop(&list);
    return good;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort(struct earlier_files *f, const struct pile *names)
{
    f->names = names->at;
    f->n = names->n;
    if (f->n)
        qsort(f->names, f->n, sizeof *f->names, by_name);
}

bool earlier_files_read_list(struct out_dir *o, struct earlier_files *f, const char *name)
{
    struct pile names = { 0 };
    bool good;

    errno = 0;
    good = add_list(f, &names, o->scratch - 1, name, true);
    sort(f, &names);
    errno = errno ? errno : EINVAL;
    return good;
}

bool earlier_files_contain(const struct earlier_files *f, const char *name)
{
    return f->n && bsearch(&name, f->names, f->n, sizeof *f->names, by_name);
}

struct listing {
    struct earlier_files *earlier;
    struct pile *names;
};

static bool add_shard(void *context, const struct shard *shard, int scratch)
{
    struct listing *l = context;

    (void)shard;
    return add_list(l->earlier, l->names, scratch, "written", false);
}

/* Adds the lists of all shards of a job, where there is a scratch for them. */
static bool add_shards(struct earlier_files *f, struct pile *names, const struct out_dir *o)
{
    struct listing l = { f, names };
    bool good = out_dir_walk_shards(o, add_shard, &l);

    errno = good ? 0 : errno;
    return good;
}

/* True if the outputs are packed into tars. Then the manifest does not name files. */
static bool is_packed(const struct value *run)
{
    const struct value *files = value_get(run, "files");

    for (size_t i = 0; i < files->n; i++)
        if (pack_is_tar(files->item[i].text))
            return true;
    return false;
}

/* Adds FOLDER.cache for each folder of .txt labels that has one. Ultralytics makes this file, and
 * would reuse it for new labels of the same size. */
static void add_caches(struct out_dir *o, struct earlier_files *f, struct pile *names)
{
    size_t n = names->n;

    for (size_t i = 0; i < n; i++) {
        const char *name = ((const char **)names->at)[i];
        const char *before = i ? ((const char **)names->at)[i - 1] : "";
        size_t length = strlen(name), folder = length, stem;
        const char *cache;

        while (folder && name[folder] != '/')
            folder--;
        if (!folder || length < 4 || strcmp(name + length - 4, ".txt") != 0 ||
            (strncmp(name, before, folder + 1) == 0 && !strchr(before + folder + 1, '/')))
            continue;
        for (stem = folder; stem && name[stem - 1] != '/' && name[stem] != '.';)
            stem--;
        if (name[stem] != '.') /* like Python's with_suffix */
            stem = folder;
        cache = arena_printf(&f->arena, "%.*s" FILE_LIST_CACHE, (int)stem, name);
        if (out_dir_has_entry(o, cache))
            *(const char **)pile_add(names, sizeof cache) = cache;
    }
}

int earlier_files_read(struct out_dir *o, struct earlier_files *f, struct faults *faults)
{
    struct text bytes = { 0 };
    struct pile names = { 0 };
    int folder = o->folder - 1, failed;
    const struct value *run = run_json_read(folder, &bytes, &f->arena);
    const char *damaged = NULL;

    errno = 0;
    if (run && !add_run(f, &names, run))
        damaged = "run.json";
    else if (run && !is_packed(run) && !add_manifest(f, &names, folder))
        damaged = "manifest.jsonl";
    else if (!out_dir_has_scratch_result(o) &&
             !add_list(f, &names, o->scratch - 1, "written", false))
        damaged = OUT_SCRATCH "/written";
    else if (!add_shards(f, &names, o))
        damaged = OUT_SCRATCH "/" OUT_SHARDS;
    failed = errno;
    text_drop(&bytes);
    if (!f->viewed)
        add_caches(o, f, &names);
    sort(f, &names);
    if (!damaged)
        return EXIT_DONE;
    if (failed && failed != ENOENT && failed != EINVAL && failed != ELOOP) {
        fault_add(faults, 0, 0, o->path, "out-unwritable", "%s cannot be read: %s", damaged,
                  strerror(failed));
        return EXIT_OUTPUT;
    }
    fault_add(faults, 0, 0, o->path, "out-damaged",
              f->viewed
                  ? "%s does not say which files the run wrote: it is truncated or was changed, "
                    "or names a file that no run writes"
                  : "%s does not say which files the earlier run wrote; nothing is removed: "
                    "use another folder, or empty this one",
              damaged);
    return EXIT_OCCUPIED;
}

void earlier_files_drop(struct earlier_files *f)
{
    free(f->names);
    arena_drop(&f->arena);
    *f = (struct earlier_files){ 0 };
}

/* --- removal --- */

bool earlier_files_may_remove(const struct earlier_files *f, const struct stat *status)
{
    return S_ISREG(status->st_mode) || (f->linked && S_ISLNK(status->st_mode));
}

static bool remove_file(struct out_dir *o, const struct earlier_files *f, const char *path)
{
    const char *base;
    int folder = out_dir_find_parent(o, path, false, &base);
    struct stat status;

    if (folder < 0 || fstatat(folder, base, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT || errno == ENOTDIR;
    return !earlier_files_may_remove(f, &status) || RETRY(unlinkat(folder, base, 0)) == 0 ||
           errno == ENOENT;
}

/* Skips folders that are gone: an interrupted removal continues with the folders above them. */
void out_dir_remove_empty_parents(struct out_dir *o, const char *name)
{
    struct text part = { 0 };
    bool good = true;

    text_adds(&part, name);
    while (good && strrchr(text_string(&part), '/')) {
        const char *base;
        int folder;

        text_cut(&part, (size_t)(strrchr(part.at, '/') - part.at));
        folder = out_dir_find_parent(o, text_string(&part), false, &base);
        good = (folder >= 0 && RETRY(unlinkat(folder, base, AT_REMOVEDIR)) == 0) || errno == ENOENT;
    }
    text_drop(&part);
}

/* True if both files are in the same folder. */
static bool is_beside(const char *a, const char *b)
{
    const char *slash = strrchr(a, '/');
    size_t length = slash ? (size_t)(slash - a) + 1 : 0;

    return strncmp(a, b, length) == 0 && !strchr(b + length, '/');
}

bool out_dir_has_entry(struct out_dir *o, const char *name)
{
    struct stat status;
    const char *base;
    int folder = out_dir_find_parent(o, name, false, &base);

    return folder >= 0 && fstatat(folder, base, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static int refuse_removal(const char *failed, struct faults *faults)
{
    fault_add(faults, 0, 0, failed, "out-remove", "%s", errno_text());
    return EXIT_OUTPUT;
}

int earlier_files_check_folders(struct out_dir *o, const struct earlier_files *f,
                                struct faults *faults)
{
    for (size_t i = 0; i < f->n; i++) {
        const char *base;
        int folder;

        if (i + 1 < f->n && is_beside(f->names[i], f->names[i + 1]))
            continue;
        folder = out_dir_find_parent(o, f->names[i], false, &base);
        if (folder >= 0 && faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) != 0)
            return refuse_removal(f->names[i], faults);
    }
    return EXIT_DONE;
}

/* Removes run.json after the outputs, since it says which files there are to remove. */
int earlier_files_remove(struct out_dir *o, const struct earlier_files *f, struct faults *faults)
{
    const char *failed = NULL;

    for (size_t i = 0; i < f->n && !failed; i++)
        if (!is_out_file(f->names[i]) && !remove_file(o, f, f->names[i]))
            failed = f->names[i];
    /* Another shard may be about to write to a folder that is empty now. */
    for (size_t i = 0; i < f->n && !failed && !o->shard_lock; i++)
        if (i + 1 == f->n || !is_beside(f->names[i], f->names[i + 1]))
            out_dir_remove_empty_parents(o, f->names[i]);
    for (size_t i = 0; i < N_OUT_FILES && !failed && f->n; i++)
        if (earlier_files_contain(f, out_files[i]) && !remove_file(o, f, out_files[i]))
            failed = out_files[i];
    out_dir_forget_folders(o);
    return failed ? refuse_removal(failed, faults) : EXIT_DONE;
}

/* Removes the scratch, with its list, after the files that the list names. */
int earlier_files_remove_all(struct out_dir *o, const struct earlier_files *f,
                             struct faults *faults)
{
    int code = earlier_files_remove(o, f, faults);

    return code || out_dir_clear_scratch(o) ? code : refuse_removal(OUT_SCRATCH, faults);
}
