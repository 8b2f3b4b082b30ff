/* tar_names: the names of the tars that outputs are packed into. */
#include "batch/output/tar_names.h"

#include <stdlib.h>
#include <string.h>

#define TAR_PREFIX "data-"
#define TAR_SUFFIX ".tar"

bool pack_is_tar(const char *name)
{
    size_t prefix = strlen(TAR_PREFIX), digits;

    if (strncmp(name, TAR_PREFIX, prefix) != 0)
        return false;
    digits = strspn(name + prefix, "0123456789");
    return digits >= 6 && digits <= 9 && strcmp(name + prefix + digits, TAR_SUFFIX) == 0;
}

const char *pack_tar_name(struct arena *arena, size_t i)
{
    return arena_printf(arena, TAR_PREFIX "%06zu" TAR_SUFFIX, i);
}

void pack_print_range(size_t n, struct text *out)
{
    text_addf(out, TAR_PREFIX "{%06d..%06zu}" TAR_SUFFIX, 0, n - 1);
}

const char **tar_names_with(const struct tar_names *packed, const char *const *files,
                            size_t n_files, size_t *n)
{
    const char **all = memory_take((packed->n + n_files + 1) * sizeof *all);

    if (packed->n)
        memcpy(all, packed->names, packed->n * sizeof *all);
    memcpy(all + packed->n, files, n_files * sizeof *all);
    *n = packed->n + n_files;
    return all;
}

void tar_names_drop(struct tar_names *p)
{
    free(p->names);
    arena_drop(&p->arena);
    *p = (struct tar_names){ 0 };
}
