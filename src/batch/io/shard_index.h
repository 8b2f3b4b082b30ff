/* shard_index: the index of a part of a WebDataset, PART-index.json, as rf-detr writes it: which
 * tars hold the samples of the part, and the classes. An index is used like an archive:
 * archive_open takes its path. */
#pragma once

#include "base/fault.h"

struct shard_index {
    const char *path, *part;
    const char **tars;   /* their paths */
    const char **sorted; /* the same paths in the order of their bytes */
    int64_t *counts;     /* samples of each tar; NULL: not stated */
    size_t n;
    int64_t n_samples;
    /* JSON texts. `coco` has the sections of the annotations that all samples share, in their
     * order; only lockstep writes it. Empty: not stated. */
    struct slice categories, coco;
};

/* True if the path has the name of an index. */
bool shard_index_is_path(const char *path);
/* True if the file is an index: it has such a name, and lists tars. */
bool shard_index_is_file(const char *path);
/* Reads an index, which stays as long as the process lives. Returns NULL with faults
 * (webdataset-index). */
const struct shard_index *shard_index_read(const char *path, struct faults *);
/* Returns the index beside a tar that lists it; NULL: there is none. */
const struct shard_index *shard_index_of_tar(const char *tar);
