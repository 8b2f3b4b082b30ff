/* tar_names: the names of the tars that outputs are packed into, OUT/train-000000.tar and so on,
 * and of their index, OUT/train-index.json. */
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "json/document.h"

/* The names before the number: of a dataset that is not divided into parts, and of samples without
 * KEY.json, which have no index. */
#define PACK_WHOLE "train"
#define PACK_BARE "data"

/* True if a file of OUT with this name is such a tar, or such an index. */
bool pack_is_tar(const char *name);
bool pack_is_index(const char *name);
/* Returns the names of tar number i and of the index of a part, in the arena. */
const char *pack_tar_name(struct arena *, const char *part, size_t i);
const char *pack_index_name(struct arena *, const char *part);
/* Returns the part of a tar, in the arena. */
const char *pack_part_of_tar(struct arena *, const char *name);
/* Returns the name of the annotation file of a part in OUT, whose elements are packed. */
const char *pack_annotations_name(struct arena *, const char *part);
/* Returns the part of such a file, in the arena; NULL: another file. */
const char *pack_part_of_annotations(struct arena *, const char *name);
/* Appends the range of the first n tars of a part, in the form that archive_open reads. */
void pack_print_range(const char *part, size_t n, struct text *out);
/* True if the open folder has a tar. */
bool pack_has_tars(int folder);

/* Names of the tars and indexes in the scratch. */
struct tar_names {
    struct arena arena;
    struct pile names; /* of const char * */
};
/* Adds a name, which is in the arena. */
void tar_names_add(struct tar_names *, const char *name);
/* Returns the names of the tars and of these other files, in the order in which they are moved to
 * OUT. The caller frees the array. */
const char **tar_names_with(const struct tar_names *, const char *const *files, size_t n_files,
                            size_t *n);
void tar_names_drop(struct tar_names *);
