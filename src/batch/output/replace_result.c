/* replace_result: swaps a new result, built in OUT/.lockstep/new, with the earlier result. */
#include "batch/output/replace_result.h"

#include "base/files.h"
#include "base/eintr.h"
#include "batch/output/earlier_files.h"
#include "batch/output/file_list.h"
#include "batch/output/out_dir.h"
#include "batch/output/out_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names in the scratch. REMOVING lists the files to remove; once they are removed, it is renamed to
 * MOVING. */
#define REMOVING "swap.remove"
#define MOVING "swap.move"

static bool fail(struct text *why, const char *what)
{
    text_addf(why, "%s: %s", what, errno_text());
    return false;
}

static bool make_lasting(struct out_dir *o, bool lasting, struct text *why)
{
    return !lasting || out_dir_sync(o) || fail(why, "what was written did not reach the disk");
}

/* --- the start --- */

/* Checks that each name of the new result is free: another program may have made a file while the
 * run built its result. */
static bool check_free(struct out_dir *o, const struct earlier_files *f, const struct text *list,
                       struct text *why)
{
    struct slice lines = { list->at, list->length };
    struct text name = { 0 };
    struct listed_file line;
    bool good = true;
    size_t at = 0;

    while (good && file_list_next(lines, &at, &line)) {
        text_clear(&name);
        text_add(&name, line.name.at, line.name.length);
        good = earlier_files_contain(f, text_string(&name)) ||
               !out_dir_has_entry(o, text_string(&name));
    }
    if (!good)
        text_addf(why,
                  "%s: lockstep did not make this, and would overwrite it; move it "
                  "elsewhere [out-exists]",
                  text_string(&name));
    text_drop(&name);
    return good;
}

static bool write_removals(struct out_dir *o, const struct earlier_files *f)
{
    struct text list = { 0 };
    bool good;

    for (size_t i = 0; i < f->n; i++)
        text_addf(&list, "%d 0 %s\n", f->linked, f->names[i]); /* a record number is not needed */
    (void)RETRY(unlinkat(o->scratch - 1, "swap.new", 0));
    good = file_write_at(o->scratch - 1, "swap.new", text_string(&list), list.length);
    text_drop(&list);
    return good;
}

bool swap_start(struct out_dir *o, bool lasting, struct text *why)
{
    struct faults faults = { .name = "lockstep run" };
    struct earlier_files earlier = { 0 };
    struct text list = { 0 };
    bool good;

    out_dir_leave_scratch(o);
    good = earlier_files_read(o, &earlier, &faults) == EXIT_DONE &&
           earlier_files_check_folders(o, &earlier, &faults) == EXIT_DONE;
    if (!good)
        text_addf(why, "%s [%s]", faults.list[0].message, faults.list[0].code);
    good = good && (file_list_read_all(o, &list) || fail(why, "written")) &&
           check_free(o, &earlier, &list, why) &&
           (write_removals(o, &earlier) || fail(why, "swap.new")) &&
           make_lasting(o, lasting, why) &&
           (RETRY(renameat(o->scratch - 1, "swap.new", o->scratch - 1, REMOVING)) == 0 ||
            fail(why, REMOVING));
    faults_drop(&faults);
    earlier_files_drop(&earlier);
    text_drop(&list);
    return good;
}

bool swap_is_started(const struct out_dir *o)
{
    return out_dir_has_scratch_file(o, REMOVING) || out_dir_has_scratch_file(o, MOVING);
}

/* --- the earlier files are removed --- */

/* Removes first the files that make a result look complete. */
static bool remove_earlier(struct out_dir *o, const struct earlier_files *f, struct text *why)
{
    struct faults faults = { .name = "lockstep run" };
    bool good;

    for (size_t i = 0; i < N_OUT_FILES; i++)
        if (earlier_files_contain(f, out_files[i]))
            out_dir_remove_file(o, out_files[i]);
    good = earlier_files_remove(o, f, &faults) == EXIT_DONE;
    if (!good)
        text_addf(why, "%s: %s [%s]", faults.list[0].path, faults.list[0].message,
                  faults.list[0].code);
    faults_drop(&faults);
    return good;
}

static bool remove_all(struct out_dir *o, bool lasting, struct text *why)
{
    struct earlier_files earlier = { 0 };
    bool good;

    if (!out_dir_has_scratch_file(o, REMOVING))
        return true;
    good = (earlier_files_read_list(o, &earlier, REMOVING) || fail(why, REMOVING)) &&
           remove_earlier(o, &earlier, why) && make_lasting(o, lasting, why) &&
           (RETRY(renameat(o->scratch - 1, REMOVING, o->scratch - 1, MOVING)) == 0 ||
            fail(why, MOVING));
    earlier_files_drop(&earlier);
    return good;
}

/* --- the new files are moved to their places --- */

/* A file that is missing in `from` was moved by an interrupted attempt. */
static bool move_file(struct out_dir *from, struct out_dir *to, const char *name, uint64_t size)
{
    const char *base;
    int source = out_dir_find_parent(from, name, false, &base), folder;

    if (source < 0 || faccessat(source, base, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
        return out_dir_has_file(to, name, size, NULL);
    folder = out_dir_find_parent(to, name, true, &base);
    return folder >= 0 && rename_new(source, base, folder, base);
}

static bool move_all(struct out_dir *o, struct text *why)
{
    struct out_dir from = { .folder = RETRY(openat(o->scratch - 1, "new",
                                                   O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) +
                                      1 };
    struct text list = { 0 }, name = { 0 };
    struct listed_file line;
    bool good = file_list_reopen(o) && file_list_read_all(o, &list);
    size_t at = 0;

    if (!good)
        fail(why, "written");
    while (good && file_list_next((struct slice){ text_string(&list), list.length }, &at, &line)) {
        text_clear(&name);
        text_add(&name, line.name.at, line.name.length);
        errno = ENOENT;
        good = (file_list_name_is_safe(text_string(&name)) &&
                move_file(&from, o, text_string(&name), line.size)) ||
               fail(why, text_string(&name));
    }
    out_dir_forget_folders(&from);
    for (at = 0; good && file_list_next((struct slice){ list.at, list.length }, &at, &line);) {
        text_clear(&name);
        text_add(&name, line.name.at, line.name.length);
        out_dir_remove_empty_parents(&from, text_string(&name));
    }
    out_dir_close(&from);
    text_drop(&list);
    text_drop(&name);
    return good;
}

bool swap_end(struct out_dir *o, bool lasting, struct text *why)
{
    struct text reason = { 0 };
    bool good;

    out_dir_leave_scratch(o);
    good = remove_all(o, lasting, &reason) && move_all(o, &reason) && out_dir_verify(o, &reason) &&
           make_lasting(o, lasting, &reason);
    if (!good)
        text_addf(why, "the new result is complete; --resume puts it in its place: %s",
                  text_string(&reason));
    text_drop(&reason);
    return good;
}
