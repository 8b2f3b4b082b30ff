/* run_json_read: what the run.json of an earlier run says. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

struct outdir;
struct value;

/* Returns the run.json of a folder, in the arena; `bytes` gets its text. NULL: there is none, or no
 * run wrote it. */
const struct value *run_json_read(int folder, struct text *bytes, struct arena *);

/* True if a run has left its run.json or its scratch in the folder. */
bool former_is_there(int folder);
/* True if the folder has the run.json of a run that was finished. */
bool former_is_finished(const struct outdir *);
/* Numbers of images: of the dataset, and written. */
struct former_images {
    int64_t read, skipped, written;
};
/* Gets the key of that run (run_key.h), in the arena, its images, and its exit code. Returns false
 * if run.json does not have them. */
bool former_finished(const struct outdir *, struct arena *, struct slice *key,
                     struct former_images *, int *code);
