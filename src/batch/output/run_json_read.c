/* run_json_read: reads the run.json of an earlier run. */
#include "batch/output/run_json_read.h"

#include "batch/output/out_handles.h"

#include "base/fault.h"
#include "json/value.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct value *run_json_read(int folder, struct text *bytes, struct arena *arena)
{
    struct faults faults = { .name = "run.json" };
    const struct value *run = NULL, *version;

    if (read_regular_at(folder, "run.json", bytes)) {
        faults.text = (struct slice){ text_string(bytes), bytes->length };
        run = value_parse(&faults, arena);
        version = run && run->kind == VALUE_OBJECT ? value_get(run, "lockstep") : NULL;
        if (!version || version->kind != VALUE_TEXT)
            run = NULL;
    }
    faults_drop(&faults);
    return run;
}

bool earlier_run_exists(int folder)
{
    struct text bytes = { 0 };
    struct arena arena = { 0 };
    struct stat status;
    bool there =
        fstatat(folder, OUT_SCRATCH, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);

    there = there || run_json_read(folder, &bytes, &arena) != NULL;
    text_drop(&bytes);
    arena_drop(&arena);
    return there;
}

bool has_finished_run(const struct out_dir *o)
{
    struct text bytes = { 0 };
    struct arena arena = { 0 };
    bool finished = run_json_read(o->folder - 1, &bytes, &arena) != NULL;

    text_drop(&bytes);
    arena_drop(&arena);
    return finished;
}

/* Returns a member of the object that is a non-negative number; -1 if it has none. */
static int64_t number_of(const struct value *object, const char *name)
{
    const struct value *n = object && object->kind == VALUE_OBJECT ? value_get(object, name) : NULL;

    return n && n->kind == VALUE_NUMBER && n->number >= 0 && n->number < 9e15 ? (int64_t)n->number
                                                                              : -1;
}

bool run_json_read_finished(const struct out_dir *o, struct arena *arena, struct slice *key,
                            struct earlier_image_counts *images, int *code)
{
    struct text bytes = { 0 };
    const struct value *run = run_json_read(o->folder - 1, &bytes, arena);
    const struct value *counts = run ? value_get(run, "images") : NULL;
    const struct value *member = run ? value_get(run, "key") : NULL;
    bool good = member && member->kind == VALUE_OBJECT;

    *images =
        (struct earlier_image_counts){ number_of(counts, "read"), number_of(counts, "skipped"),
                                       number_of(counts, "written") };
    good = good && images->read >= 0 && images->skipped >= 0;
    *code = EXIT_DONE;
    if (good) {
        *code = !images->skipped ? EXIT_DONE : images->read ? EXIT_PARTIAL : EXIT_INPUT;
        *key = (struct slice){ arena_copy(arena, bytes.at + member->at.offset, member->at.length),
                               member->at.length };
    }
    text_drop(&bytes);
    return good;
}
