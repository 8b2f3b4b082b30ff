/* plugin_list: the loaded plugins. */
#pragma once

#include <stddef.h>

struct text;

/* A loaded plugin. */
struct plugin {
    const char *file; /* the path, as given */
    const char *name, *version;
    char sha256[65];      /* of the file */
    const struct op *ops; /* n_ops of them, all in the registry */
    const struct transform *transforms;
    size_t n_ops, n_transforms;
};

/* Returns the loaded plugins, sorted by name, ended by NULL. */
const struct plugin *const *plugins_loaded(void);

/* Adds a plugin, which must live as long as the process. The list is sorted by name, since the
 * order in which plugins were loaded does not change a run. */
void plugins_add(const struct plugin *);

/* Appends [{"name": ..., "version": ..., "sha256": ...}, ...]; nothing if no plugin is loaded. */
void plugins_print(struct text *);
