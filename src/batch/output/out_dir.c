/* out_dir: opens the output folder of a run, and closes it. */
#include "batch/output/out_dir.h"

#include "base/files.h"
#include "base/eintr.h"
#include "batch/output/run_json_read.h"
#include "batch/io/walk.h"
#include "batch/output/lock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC };

static int refuse(int code, struct faults *faults, const char *path, const char *code_word,
                  const char *why)
{
    fault_add(faults, 0, 0, path, code_word, "%s", why);
    return code;
}

/* --- contents of the scratch --- */

static const char *const NOT_SCRATCH[] = { OUT_SCRATCH, NULL };
static const char *const LOCK[] = { "lock", NULL };
static const char *const LOCK_AND_LISTS[] = { "lock", "written", "swap.move", NULL };

/* Removes the lists last: they say what remains to be done after an interruption. */
bool out_dir_clear_scratch(struct out_dir *o)
{
    return folder_clear(o->scratch - 1, ".", LOCK_AND_LISTS) &&
           folder_clear(o->scratch - 1, ".", LOCK);
}

bool out_dir_clear_temporary(struct out_dir *o)
{
    static const char *const STATE[] = { "lock", "written",  "journal", "objects",
                                         "new",  OUT_SHARDS, NULL };

    return folder_clear(o->scratch - 1, ".", STATE);
}

bool out_dir_has_scratch_result(const struct out_dir *o)
{
    struct stat status;

    return fstatat(o->scratch - 1, "new", &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(status.st_mode);
}

bool out_dir_use_scratch(struct out_dir *o)
{
    out_dir_leave_scratch(o);
    if (RETRY(mkdirat(o->scratch - 1, "new", 0777)) != 0 && errno != EEXIST)
        return false;
    o->apart = RETRY(openat(o->scratch - 1, "new", FOLDER | O_NOFOLLOW)) + 1;
    return o->apart;
}

void out_dir_leave_scratch(struct out_dir *o)
{
    out_dir_forget_folders(o);
    close_stored_descriptor(&o->apart);
}

/* --- checks --- */

int out_dir_refuse_occupied(const char *path, int folder, bool own, struct faults *faults)
{
    struct stat status;

    if (!own && lock_is_held(folder, OUT_SCRATCH "/lock"))
        return refuse(EXIT_OCCUPIED, faults, path, "out-in-use", "another run is writing to it");
    if (fstatat(folder, OUT_SCRATCH "/" OUT_SHARDS, &status, AT_SYMLINK_NOFOLLOW) == 0)
        return refuse(EXIT_OCCUPIED, faults, path, "out-shards",
                      "the output folder holds shards of a run; combine them with lockstep "
                      "merge, start over with --overwrite, or use another folder");
    if (fstatat(folder, OUT_SCRATCH "/journal", &status, AT_SYMLINK_NOFOLLOW) == 0)
        return refuse(EXIT_OCCUPIED, faults, path, "out-unfinished",
                      "the output folder holds an unfinished run; continue it with "
                      "--resume, start over with --overwrite, or use another folder");
    return refuse(EXIT_OCCUPIED, faults, path, "out-occupied",
                  "the output folder is not empty; use --overwrite, or another folder");
}

int out_dir_check(const char *path, bool overwrite, bool dry_run, struct faults *faults)
{
    static const char *const NONE[] = { NULL };
    int folder = RETRY(open(path, FOLDER)), code = EXIT_DONE;
    int only;

    if (folder < 0 && errno == ENOENT && path_leads_back(path))
        return refuse(EXIT_OUTPUT, faults, path, "out-unwritable",
                      "a folder of the path does not exist, and \"..\" leads back out of it");
    if (folder < 0)
        return errno == ENOENT ? EXIT_DONE
                               : refuse(EXIT_OUTPUT, faults, path, "out-unwritable",
                                        errno == ENOTDIR ? "it is not a folder" : errno_text());
    only = folder_holds_only(folder, ".", NONE);
    if (only < 0 || (!dry_run && faccessat(folder, ".", R_OK | W_OK | X_OK, 0) != 0))
        code = refuse(EXIT_OUTPUT, faults, path, "out-unwritable", errno_text());
    else if (!only && !overwrite)
        code = out_dir_refuse_occupied(path, folder, false, faults);
    else if (!only && !earlier_run_exists(folder))
        code = refuse(EXIT_OCCUPIED, faults, path, "out-foreign",
                      "the folder is not empty and was not made by lockstep; it is left unchanged");
    close(folder);
    return code;
}

/* --- open and close --- */

/* Removes the folders that were made for OUT, if nothing else is in them. */
static void remove_made(const struct out_dir *o)
{
    struct text part = { 0 };

    text_adds(&part, o->path);
    while (o->is_new && part.length > o->made && RETRY(rmdir(text_string(&part))) == 0) {
        while (part.length > o->made && part.at[part.length - 1] == '/')
            text_cut(&part, part.length - 1);
        while (part.length > o->made && part.at[part.length - 1] != '/')
            text_cut(&part, part.length - 1);
    }
    text_drop(&part);
}

int out_dir_open(struct out_dir *o, const char *path, bool overwrite, struct faults *faults)
{
    int code = out_dir_check(path, overwrite, false, faults);

    *o = (struct out_dir){ .path = path };
    if (code)
        return code;
    if (!out_dir_take_lock(o, F_WRLCK)) {
        code = errno == EAGAIN ? refuse(EXIT_OCCUPIED, faults, path, "out-in-use",
                                        "another run is writing to it")
                               : refuse(EXIT_OUTPUT, faults, path, "out-unwritable", errno_text());
        remove_made(o);
        return code;
    }
    if (!overwrite) {
        int only = folder_holds_only(o->folder - 1, ".", NOT_SCRATCH);

        if (only == 1)
            only = folder_holds_only(o->scratch - 1, ".", LOCK);
        if (only < 0)
            code = refuse(EXIT_OUTPUT, faults, path, "out-unwritable", errno_text());
        else if (!only)
            code = out_dir_refuse_occupied(path, o->folder - 1, true, faults);
    }
    if (code)
        out_dir_abandon(o);
    return code;
}

bool out_dir_open_to_read(struct out_dir *o, const char *path)
{
    *o = (struct out_dir){ .path = path, .folder = RETRY(open(path, FOLDER)) + 1 };
    if (o->folder)
        o->scratch = RETRY(openat(o->folder - 1, OUT_SCRATCH, FOLDER | O_NOFOLLOW)) + 1;
    return o->folder;
}

bool out_dir_is_empty(const struct out_dir *o)
{
    static const char *const NONE[] = { NULL };

    return folder_holds_only(o->folder - 1, ".", NONE) == 1;
}

/* Removes the lock and the scratch. This must be the last step: afterwards the folder may belong to
 * another run, whose scratch is not empty. */
static bool remove_lock(struct out_dir *o)
{
    bool good = folder_holds_only(o->scratch - 1, ".", LOCK) == 1 &&
                RETRY(unlinkat(o->scratch - 1, "lock", 0)) == 0;

    if (!good)
        return false;
    /* On network file systems a removed file keeps another name in its folder while it is open. */
    close_stored_descriptor(&o->lock);
    close_stored_descriptor(&o->scratch);
    return RETRY(unlinkat(o->folder - 1, OUT_SCRATCH, AT_REMOVEDIR)) == 0;
}

bool out_dir_sync(struct out_dir *o)
{
    return RETRY(syncfs(o->folder - 1)) == 0;
}

void out_dir_abandon(struct out_dir *o)
{
    remove_lock(o);
    out_dir_close(o);
    remove_made(o);
}

bool out_dir_finish(struct out_dir *o)
{
    bool good;
    int saved;

    store_close(&o->written);
    good = out_dir_clear_scratch(o) && remove_lock(o);
    saved = errno;
    out_dir_close(o);
    errno = saved;
    return good;
}
