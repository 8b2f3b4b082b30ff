/* tar_names: the names of the tars that outputs are packed into. */
#include "batch/output/tar_names.h"

#include "base/eintr.h"
#include "base/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TAR_SUFFIX ".tar"
#define INDEX_SUFFIX "-index.json"
#define ANNOTATIONS "annotations/"
#define JSON_SUFFIX ".json"

/* Returns the length of the name before "-000000.tar"; 0 if the name has another form. */
static size_t tar_part(const char *name)
{
    const char *dash = strrchr(name, '-');
    size_t digits = dash ? strspn(dash + 1, "0123456789") : 0;

    return dash && *name != '.' && !strchr(name, '/') && digits >= 6 && digits <= 9 &&
                   strcmp(dash + 1 + digits, TAR_SUFFIX) == 0
               ? (size_t)(dash - name)
               : 0;
}

bool pack_is_tar(const char *name)
{
    return tar_part(name) > 0;
}

bool pack_is_index(const char *name)
{
    return *name != '.' && !strchr(name, '/') && name_ends_with(name, INDEX_SUFFIX);
}

const char *pack_tar_name(struct arena *arena, const char *part, size_t i)
{
    return arena_printf(arena, "%s-%06zu" TAR_SUFFIX, part, i);
}

const char *pack_index_name(struct arena *arena, const char *part)
{
    return arena_printf(arena, "%s" INDEX_SUFFIX, part);
}

const char *pack_part_of_tar(struct arena *arena, const char *name)
{
    return arena_copy(arena, name, tar_part(name));
}

const char *pack_annotations_name(struct arena *arena, const char *part)
{
    return arena_printf(arena, ANNOTATIONS "%s" JSON_SUFFIX, part);
}

const char *pack_part_of_annotations(struct arena *arena, const char *name)
{
    size_t begin = strlen(ANNOTATIONS);

    return strncmp(name, ANNOTATIONS, begin) == 0 && name_ends_with(name + begin, JSON_SUFFIX)
               ? arena_copy(arena, name + begin, strlen(name) - begin - strlen(JSON_SUFFIX))
               : NULL;
}

void pack_print_range(const char *part, size_t n, struct text *out)
{
    text_addf(out, "%s-{%06d..%06zu}" TAR_SUFFIX, part, 0, n - 1);
}

bool pack_has_tars(int folder)
{
    int fd = RETRY(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    bool has = false;

    while (list && !has && (entry = readdir(list)))
        has = pack_is_tar(entry->d_name);
    if (list)
        closedir(list);
    else if (fd >= 0)
        close(fd);
    return has;
}

void tar_names_add(struct tar_names *to, const char *name)
{
    *(const char **)pile_add(&to->names, sizeof name) = name;
}

const char **tar_names_with(const struct tar_names *packed, const char *const *files,
                            size_t n_files, size_t *n)
{
    size_t n_packed = packed->names.n;
    const char **all = memory_take((n_packed + n_files + 1) * sizeof *all);

    if (n_packed)
        memcpy(all, packed->names.at, n_packed * sizeof *all);
    memcpy(all + n_packed, files, n_files * sizeof *all);
    *n = n_packed + n_files;
    return all;
}

void tar_names_drop(struct tar_names *p)
{
    free(p->names.at);
    arena_drop(&p->arena);
    *p = (struct tar_names){ 0 };
}
