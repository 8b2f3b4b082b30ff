/* run_json_read: reads the run.json of an earlier run. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

struct outdir;
struct value;

/* Returns the run.json of a folder, in the arena; `bytes` gets its text. Returns NULL if there is
 * none, or if no run wrote it. */
const struct value *run_json_read(int folder, struct text *bytes, struct arena *);

/* True if the folder has the run.json or the scratch of a run. */
bool former_is_there(int folder);
/* True if the folder has the run.json of a finished run. */
bool former_is_finished(const struct outdir *);
/* Numbers of images: read and skipped of the dataset, and written. */
struct former_images {
    int64_t read, skipped, written;
};
/* Gets the key (run_key.h) of the finished run, in the arena, its numbers of images, and its exit
 * code. Returns false if run.json does not have them. */
bool former_finished(const struct outdir *, struct arena *, struct slice *key,
                     struct former_images *, int *code);
