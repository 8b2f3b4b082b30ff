/* status: describes an output folder. */
#include "batch/finished/status.h"

#include "batch/output/lock.h"
#include "batch/output/run_json_read.h"
#include "batch/output/shard_dirs.h"
#include "batch/output/earlier_files.h"
#include "batch/output/out_dir.h"
#include "batch/results/shard_result.h"
#include "batch/journal/run_key.h"
#include "batch/journal/session.h"
#include "batch/output/replace_result.h"

#include "base/hash.h"
#include "base/file_view.h"
#include "json/value.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const char *path, const char *code, const char *why, struct faults *faults)
{
    fault_add(faults, 0, 0, path, code, "%s", why);
    return EXIT_OCCUPIED;
}

static int inspect_journal(struct out_dir *o, int file, struct status *s, struct faults *faults)
{
    s->state = out_dir_is_locked(o) ? STATUS_RUNNING : STATUS_UNFINISHED;
    s->swaps = swap_is_started(o);
    s->overwrites = out_dir_has_scratch_result(o) && !s->swaps;
    if (status_read_journal(file, s))
        return EXIT_DONE;
    if (errno != EBADMSG)
        return refuse(o->path, "out-damaged", errno_text(), faults);
    s->state = STATUS_DAMAGED;
    return refuse(o->path, "out-damaged",
                  "its journal is damaged, or of another version of lockstep; start over with "
                  "--overwrite",
                  faults);
}

/* --- a finished run --- */

static int check_files(struct out_dir *o, const struct earlier_files *former, struct status *s,
                       struct faults *faults)
{
    size_t gone = 0, first = 0;

    for (size_t i = 0; i < former->n; i++)
        if (!out_dir_has_entry(o, former->names[i]) && !gone++)
            first = i;
    if (!gone)
        return EXIT_DONE;
    s->state = STATUS_DAMAGED;
    fault_add(faults, 0, 0, o->path, "out-damaged",
              "%zu of the %zu files of the finished run are not there, as %s", gone, former->n,
              former->names[first]);
    return EXIT_OCCUPIED;
}

static int inspect_finished(struct out_dir *o, struct status *s, struct faults *faults)
{
    struct earlier_files former = { 0 };
    struct earlier_image_counts images;
    struct stat status;
    struct slice key;
    int code = EXIT_DONE, ended;

    former.viewed = true;
    s->state = STATUS_FINISHED;
    if (fstatat(o->folder - 1, "run.json", &status, AT_SYMLINK_NOFOLLOW) == 0)
        s->active = status.st_mtime;
    if (run_json_read_finished(o, &former.arena, &key, &images, &ended)) {
        s->key = (struct slice){ arena_copy(&s->arena, key.at, key.length), key.length };
        status_read_version(s);
        s->exit = ended;
        s->done = images.read;
        s->failed = images.skipped;
        s->outputs = images.written;
        s->records = s->done + s->failed;
        s->left = 0;
    }
    code = earlier_files_read(o, &former, faults);
    if (code)
        s->state = STATUS_DAMAGED;
    else
        code = check_files(o, &former, s, faults);
    earlier_files_drop(&former);
    return code;
}

/* --- shards --- */

static void add_shard(struct status *all, struct out_dir *view)
{
    struct status s;
    struct shard_part part;

    if (status_read_shard(view, &s)) {
        all->done += s.done;
        all->failed += s.failed;
        all->outputs += s.outputs;
        all->records += s.records;
        all->left += s.left;
        all->active = s.active > all->active ? s.active : all->active;
        if (all->began < 0 || s.began < all->began)
            all->began = s.began;
    }
    all->shards_running += s.state == STATUS_RUNNING;
    all->shards_done +=
        s.state != STATUS_RUNNING && part_read(view, &part) && (part_drop(&part), 1);
    status_drop(&s);
}

/* The number of images of shards that were not started is unknown. */
static int inspect_shards(struct out_dir *o, struct status *s, struct faults *faults)
{
    struct text key = { 0 };
    size_t count = 0, started = 0;

    s->state = STATUS_UNFINISHED;
    if (!out_dir_read_shards(o, &count, &key)) {
        text_drop(&key);
        s->state = STATUS_DAMAGED;
        return refuse(o->path, "out-damaged", "it does not say what its shards are of", faults);
    }
    s->key = (struct slice){ arena_copy(&s->arena, text_string(&key), key.length), key.length };
    status_read_version(s);
    s->shards = (int64_t)count;
    s->records = s->done = s->failed = s->outputs = s->left = 0;
    for (size_t i = 0; i < count; i++) {
        const struct shard shard = { i, count };
        struct out_dir view;

        if (out_dir_open_to_read(&view, o->path) && out_dir_open_shard_to_read(&view, &shard)) {
            started++;
            add_shard(s, &view);
        }
        out_dir_close(&view);
    }
    if (started < count)
        s->records = s->left = -1;
    if (s->shards_running)
        s->state = STATUS_RUNNING;
    text_drop(&key);
    return EXIT_DONE;
}

/* --- any folder --- */

static int inspect(struct out_dir *o, struct status *s, struct faults *faults)
{
    int file = o->scratch ? out_dir_open_scratch_file(o, "journal") : -1, code;

    if (file < 0 && o->scratch && out_dir_has_scratch_file(o, OUT_SHARDS))
        return inspect_shards(o, s, faults);
    if (file >= 0) {
        code = inspect_journal(o, file, s, faults);
        close(file);
        return code;
    }
    if (out_dir_is_locked(o)) {
        s->state = STATUS_RUNNING;
        return EXIT_DONE;
    }
    if (out_dir_is_empty(o))
        return EXIT_DONE;
    if (has_finished_run(o))
        return inspect_finished(o, s, faults);
    if (earlier_run_exists(o->folder - 1)) {
        s->state = STATUS_UNFINISHED; /* killed right after its start */
        return EXIT_DONE;
    }
    s->state = STATUS_FOREIGN;
    return refuse(o->path, "out-foreign",
                  "the folder is not empty, and no run of lockstep made what is in it", faults);
}

int status_read(const char *path, struct status *s, struct faults *faults)
{
    struct out_dir outdir;
    int code;

    *s = status_unknown;
    if (!out_dir_open_to_read(&outdir, path)) {
        fault_add(faults, 0, 0, path, "out-missing", "%s",
                  errno == ENOTDIR ? "it is not a folder" : errno_text());
        return EXIT_INPUT;
    }
    code = inspect(&outdir, s, faults);
    out_dir_close(&outdir);
    return code;
}
