/* split_sources: finds the source image of each output of a run. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

/* Outputs and their sources, from a manifest. */
struct split_sources {
    struct split_source *at; /* sorted by output */
    size_t n;
};

/* Reads manifest.jsonl in the folder of an annotation file. Without that file, or for "-", there
 * are no outputs. Lines that are not manifest lines are skipped. The arena owns everything. Returns
 * false with a reason if the file exists but cannot be read. */
bool split_sources_read(const char *annotations, struct arena *, struct split_sources *,
                        struct text *why);

/* Returns the name of the source of an output, in the arena; or `name` if it is not an output. The
 * source is found in the manifest, or from the suffix of copies: street/1__a003.jpg was made from
 * street/1.jpg. */
const char *split_source_of(const struct split_sources *, const char *name, struct arena *);
