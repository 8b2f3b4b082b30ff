/* plugin: ops and transforms that a shared object brings, as lockstep_plugin.h has them, as entries
 * of the registry. Layers above know ops and transforms alone. */
#pragma once

#include "base/fault.h"

struct lockstep_plugin;

/* One that is loaded. */
struct plugin {
    const char *file; /* the path, as it was given */
    const char *name, *version;
    char sha256[65];      /* of the file */
    const struct op *ops; /* n_ops of them, which are in the registry */
    const struct transform *transforms;
    size_t n_ops, n_transforms;
};

/* Load a plugin for the life of the process, and add its entries to the registry. `path` has a
 * slash and is borrowed. False with faults, whose name is the path: then nothing was added, but the
 * file may stay loaded. Runs code of the plugin, which may crash. */
bool plugin_load(const char *path, struct faults *);

/* Those that were loaded, by their names, ended by NULL. */
const struct plugin *const *plugins_loaded(void);

/* From now on, notes whether a function of a plugin returns NaN: for tests, as it costs time. */
void plugin_watch_numbers(void);
/* True if one did: a color that is none becomes 0, and a place that is none is searched for. */
bool plugin_returned_nan(void);

/* Append [{"name": ..., "version": ..., "sha256": ...}, ...]; nothing when none is loaded. */
void plugins_print(struct text *);
