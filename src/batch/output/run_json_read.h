/* run_json_read: what the run.json of an earlier run says. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

struct outdir;
struct value;

/* Returns the run.json of a folder, in the arena; `bytes` gets its text. NULL: there is none, or no
 * run wrote it. */
const struct value *run_json_read(int folder, struct text *bytes, struct arena *);

/* Has a run left something here: its run.json, or its scratch? */
bool former_is_there(int folder);
/* Is there the run.json of a run that was done to its end? */
bool former_is_finished(const struct outdir *);
/* Images of the dataset, and those that were written. */
struct former_images {
    int64_t read, skipped, written;
};
/* Its key (run_key.h), in the arena, its images, and with which code it ended. False when
 * it does not say. */
bool former_finished(const struct outdir *, struct arena *, struct slice *key,
                     struct former_images *, int *code);
