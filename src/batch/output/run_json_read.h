/* run_json_read: reads the run.json of an earlier run. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

struct out_dir;
struct value;

/* Returns the run.json of a folder, in the arena; `bytes` gets its text. Returns NULL if there is
 * none, or if no run wrote it. */
const struct value *run_json_read(int folder, struct text *bytes, struct arena *);

/* True if the folder has the run.json or the scratch of a run. */
bool earlier_run_exists(int folder);
/* True if the folder has the run.json of a finished run. */
bool has_finished_run(const struct out_dir *);
/* Numbers of images: read and skipped of the dataset, and written. */
struct earlier_image_counts {
    int64_t read, skipped, written;
};
/* Gets the key (run_key.h) of the finished run, in the arena, its numbers of images, and its exit
 * code. Returns false if run.json does not have them. */
bool run_json_read_finished(const struct out_dir *, struct arena *, struct slice *key,
                            struct earlier_image_counts *, int *code);
