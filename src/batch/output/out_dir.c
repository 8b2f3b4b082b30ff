/* out_dir: the folder that a run writes: made, locked and given back. */
#include "batch/output/out_dir.h"

#include "base/files.h"
#include "base/eintr.h"
#include "batch/output/earlier_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
    DEEPEST = 64, /* folders below the scratch */
    PASSES = 16,  /* over a folder that is emptied */
};

static int refuse(int code, struct faults *faults, const char *path, const char *code_word,
                  const char *why)
{
    fault_add(faults, 0, 0, path, code_word, "%s", why);
    return code;
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* --- what is in folders --- */

static DIR *list_at(int folder, const char *name)
{
    int file = RETRY(openat(folder, name, FOLDER | O_NOFOLLOW));
    DIR *list = file < 0 ? NULL : fdopendir(file);

    if (file >= 0 && !list) {
        errno_text(); /* a folder that memory does not suffice to list is not an occupied one */
        close(file);
    }
    return list;
}

/* The next entry that is none of `but`; NULL at the end, and with errno when it cannot be read. */
static const char *next_entry(DIR *list, const char *const *but)
{
    struct dirent *entry;

    errno = 0;
    while ((entry = readdir(list)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !is_one_of(entry->d_name, but))
            return entry->d_name;
    return NULL;
}

enum holding { HOLDS_ONLY, HOLDS_MORE, HOLDS_UNKNOWN };

/* Is there nothing in it but these? HOLDS_UNKNOWN, with errno, when it cannot be read. */
static enum holding holding(int folder, const char *name, const char *const *but)
{
    DIR *list = list_at(folder, name);
    bool more = list && next_entry(list, but);
    int saved = errno;

    if (list)
        closedir(list);
    errno = saved;
    return more ? HOLDS_MORE : list && !saved ? HOLDS_ONLY : HOLDS_UNKNOWN;
}

int outdir_holds_only(int folder, const char *name, const char *const *but)
{
    enum holding holds = holding(folder, name, but);

    return holds == HOLDS_UNKNOWN ? -1 : holds == HOLDS_ONLY;
}

static bool clear_folder(int folder, const char *name, const char *const *but, unsigned depth);

static bool remove_entry(int folder, const char *name, unsigned depth)
{
    static const char *const NONE[] = { NULL };

    if (RETRY(unlinkat(folder, name, 0)) == 0 || errno == ENOENT)
        return true;
    if (errno != EISDIR && errno != EPERM)
        return false;
    if (depth == DEEPEST) {
        errno = ELOOP;
        return false;
    }
    return clear_folder(folder, name, NONE, depth + 1) &&
           (RETRY(unlinkat(folder, name, AT_REMOVEDIR)) == 0 || errno == ENOENT);
}

/* Remove what is in it; links are removed, not followed. File systems may pass over entries while
 * others are removed, so it is listed until it is empty; some keep files that are open under
 * another name, without end. */
static bool clear_folder(int folder, const char *name, const char *const *but, unsigned depth)
{
    DIR *list = list_at(folder, name);
    const char *entry;
    bool good = list != NULL, found = true;
    int saved;

    for (int i = 0; good && found; i++) {
        found = false;
        if (i == PASSES) {
            errno = EBUSY;
            good = false;
            break;
        }
        rewinddir(list);
        while (good && (entry = next_entry(list, but))) {
            good = remove_entry(dirfd(list), entry, depth);
            found = true;
        }
        good = good && !errno;
    }
    saved = errno;
    if (list)
        closedir(list);
    errno = saved;
    return good;
}

bool outdir_empty(int folder, const char *name, const char *const *but)
{
    return clear_folder(folder, name, but, 0);
}

static const char *const NOT_SCRATCH[] = { OUT_SCRATCH, NULL };
static const char *const LOCK[] = { "lock", NULL };
static const char *const LOCK_AND_LISTS[] = { "lock", "written", "swap.move", NULL };

/* The lists go last: they say what there is to do if this is not ended. */
bool outdir_clear(struct outdir *o)
{
    return clear_folder(o->scratch - 1, ".", LOCK_AND_LISTS, 0) &&
           clear_folder(o->scratch - 1, ".", LOCK, 0);
}

bool outdir_tidy(struct outdir *o)
{
    static const char *const STATE[] = { "lock", "written",  "journal", "objects",
                                         "new",  OUT_SHARDS, NULL };

    return clear_folder(o->scratch - 1, ".", STATE, 0);
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

bool outdir_try_end(struct outdir *o)
{
    return remove_entry(o->scratch - 1, "probe", 0);
}

/* --- is it to be written? --- */

int outdir_refuse_occupied(const char *path, int folder, bool own, struct faults *faults)
{
    struct stat status;

    if (!own && outdir_lock_is_held(folder, OUT_SCRATCH "/lock"))
        return refuse(EXIT_OCCUPIED, faults, path, "out-in-use", "another run is writing to it");
    if (fstatat(folder, OUT_SCRATCH "/" OUT_SHARDS, &status, AT_SYMLINK_NOFOLLOW) == 0)
        return refuse(EXIT_OCCUPIED, faults, path, "out-shards",
                      "the output folder holds shards of a run; put them together with lockstep "
                      "merge, start over with --overwrite, or use another folder");
    if (fstatat(folder, OUT_SCRATCH "/journal", &status, AT_SYMLINK_NOFOLLOW) == 0)
        return refuse(EXIT_OCCUPIED, faults, path, "out-unfinished",
                      "the output folder holds a run that was stopped; go on with it with "
                      "--resume, start over with --overwrite, or use another folder");
    return refuse(EXIT_OCCUPIED, faults, path, "out-occupied",
                  "the output folder is not empty; use --overwrite, or another folder");
}

int outdir_inspect(const char *path, bool overwrite, bool dry_run, struct faults *faults)
{
    static const char *const NONE[] = { NULL };
    int folder = RETRY(open(path, FOLDER)), code = EXIT_DONE;
    enum holding holds;

    if (folder < 0 && errno == ENOENT && path_leads_back(path))
        return refuse(EXIT_OUTPUT, faults, path, "out-unwritable",
                      "a folder on the way does not exist, and \"..\" leads back out of it");
    if (folder < 0)
        return errno == ENOENT ? EXIT_DONE
                               : refuse(EXIT_OUTPUT, faults, path, "out-unwritable",
                                        errno == ENOTDIR ? "it is not a folder" : errno_text());
    holds = holding(folder, ".", NONE);
    if (holds == HOLDS_UNKNOWN || (!dry_run && faccessat(folder, ".", R_OK | W_OK | X_OK, 0) != 0))
        code = refuse(EXIT_OUTPUT, faults, path, "out-unwritable", errno_text());
    else if (holds == HOLDS_MORE && !overwrite)
        code = outdir_refuse_occupied(path, folder, false, faults);
    else if (holds == HOLDS_MORE && !former_is_there(folder))
        code = refuse(EXIT_OCCUPIED, faults, path, "out-foreign",
                      "the folder is not empty and no run of lockstep made it; it is left alone");
    close(folder);
    return code;
}

/* --- open and close --- */

/* Folders that it has made, where nothing else is in them. */
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
        enum holding holds = holding(o->folder - 1, ".", NOT_SCRATCH);

        if (holds == HOLDS_ONLY)
            holds = holding(o->scratch - 1, ".", LOCK);
        if (holds == HOLDS_UNKNOWN)
            code = refuse(EXIT_OUTPUT, faults, path, "out-unwritable", errno_text());
        else if (holds == HOLDS_MORE)
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

    return holding(o->folder - 1, ".", NONE) == HOLDS_ONLY;
}

/* Last of all: from then on the folder may be another run's, whose scratch is not empty. */
static bool remove_lock(struct outdir *o)
{
    bool good = holding(o->scratch - 1, ".", LOCK) == HOLDS_ONLY &&
                RETRY(unlinkat(o->scratch - 1, "lock", 0)) == 0;

    if (!good)
        return false;
    /* Over a network, the file is there under another name as long as it is open. */
    outdir_close_one(&o->lock);
    outdir_close_one(&o->scratch);
    return RETRY(unlinkat(o->folder - 1, OUT_SCRATCH, AT_REMOVEDIR)) == 0;
}

bool outdir_sync(struct outdir *o)
{
    return RETRY(syncfs(o->folder - 1)) == 0;
}

void outdir_unlock(struct outdir *o)
{
    outdir_close_one(&o->shard_lock);
    outdir_close_one(&o->lock);
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
