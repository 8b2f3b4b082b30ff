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
bool outdir_clear(struct outdir *o)
{
    return folder_clear(o->scratch - 1, ".", LOCK_AND_LISTS) &&
           folder_clear(o->scratch - 1, ".", LOCK);
}

bool outdir_tidy(struct outdir *o)
{
    static const char *const STATE[] = { "lock", "written",  "journal", "objects",
                                         "new",  OUT_SHARDS, NULL };

    return folder_clear(o->scratch - 1, ".", STATE);
}

bool outdir_has_apart(const struct outdir *o)
{
    struct stat status;

    return fstatat(o->scratch - 1, "new", &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(status.st_mode);
}

bool outdir_go_apart(struct outdir *o)
{
    outdir_leave_apart(o);
    if (RETRY(mkdirat(o->scratch - 1, "new", 0777)) != 0 && errno != EEXIST)
        return false;
    o->apart = RETRY(openat(o->scratch - 1, "new", FOLDER | O_NOFOLLOW)) + 1;
    return o->apart;
}

void outdir_leave_apart(struct outdir *o)
{
    outdir_forget(o);
    outdir_close_one(&o->apart);
}

/* --- checks --- */

int outdir_refuse_occupied(const char *path, int folder, bool own, struct faults *faults)
{
    struct stat status;

    if (!own && outdir_lock_is_held(folder, OUT_SCRATCH "/lock"))
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

int outdir_inspect(const char *path, bool overwrite, bool dry_run, struct faults *faults)
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
        code = outdir_refuse_occupied(path, folder, false, faults);
    else if (!only && !former_is_there(folder))
        code = refuse(EXIT_OCCUPIED, faults, path, "out-foreign",
                      "the folder is not empty and was not made by lockstep; it is left unchanged");
    close(folder);
    return code;
}

/* --- open and close --- */

/* Removes the folders that were made for OUT, if nothing else is in them. */
static void remove_made(const struct outdir *o)
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

int outdir_open(struct outdir *o, const char *path, bool overwrite, struct faults *faults)
{
    int code = outdir_inspect(path, overwrite, false, faults);

    *o = (struct outdir){ .path = path };
    if (code)
        return code;
    if (!outdir_take_lock(o, F_WRLCK)) {
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
            code = outdir_refuse_occupied(path, o->folder - 1, true, faults);
    }
    if (code)
        outdir_abandon(o);
    return code;
}

bool outdir_view(struct outdir *o, const char *path)
{
    *o = (struct outdir){ .path = path, .folder = RETRY(open(path, FOLDER)) + 1 };
    if (o->folder)
        o->scratch = RETRY(openat(o->folder - 1, OUT_SCRATCH, FOLDER | O_NOFOLLOW)) + 1;
    return o->folder;
}

bool outdir_is_empty(const struct outdir *o)
{
    static const char *const NONE[] = { NULL };

    return folder_holds_only(o->folder - 1, ".", NONE) == 1;
}

/* Removes the lock and the scratch. This must be the last step: afterwards the folder may belong to
 * another run, whose scratch is not empty. */
static bool remove_lock(struct outdir *o)
{
    bool good = folder_holds_only(o->scratch - 1, ".", LOCK) == 1 &&
                RETRY(unlinkat(o->scratch - 1, "lock", 0)) == 0;

    if (!good)
        return false;
    /* On network file systems a removed file keeps another name in its folder while it is open. */
    outdir_close_one(&o->lock);
    outdir_close_one(&o->scratch);
    return RETRY(unlinkat(o->folder - 1, OUT_SCRATCH, AT_REMOVEDIR)) == 0;
}

bool outdir_sync(struct outdir *o)
{
    return RETRY(syncfs(o->folder - 1)) == 0;
}

void outdir_abandon(struct outdir *o)
{
    remove_lock(o);
    outdir_close(o);
    remove_made(o);
}

bool outdir_finish(struct outdir *o)
{
    bool good;
    int saved;

    store_close(&o->written);
    good = outdir_clear(o) && remove_lock(o);
    saved = errno;
    outdir_close(o);
    errno = saved;
    return good;
}
