/* split_sources: which image each output of a run was made of. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

/* Outputs and their sources, of a manifest. */
struct split_sources {
    struct split_source *at; /* in the order of outputs */
    size_t n;
};

/* Reads the manifest.jsonl in the folder of an annotation file. Without one, or for "-", there are
 * no outputs; lines that are not those of a manifest are skipped. All of it lives in the arena.
 * False with the reason where the file is there and cannot be read. */
bool split_sources_read(const char *annotations, struct arena *, struct split_sources *,
                        struct text *why);

/* Returns the name of the source of an output, in the arena; `name` if it names no output. The
 * manifest says it, or the suffix of copies: street/1__a003.jpg was made of street/1.jpg. */
const char *split_source_of(const struct split_sources *, const char *name, struct arena *);
