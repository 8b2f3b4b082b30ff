/* plugin: loads ops and transforms from a shared object (see lockstep_plugin.h) and adds them to
 * the registry. Layers above see them as ops and transforms like any other. */
#pragma once

#include "base/fault.h"
#include "steps/plugin/plugin_list.h"

/* Loads a plugin for the life of the process, and adds its entries to the registry. `path` must
 * contain a slash and stays borrowed. Returns false with faults whose name is the path; then
 * nothing was added, but the file may stay loaded. Runs code of the plugin, which may crash. */
bool plugin_load(const char *path, struct faults *);

/* From now on, notes whether a function of a plugin returns NaN. For tests, as it costs time. */
void plugin_watch_numbers(void);
/* True if a function returned NaN since then. (A NaN color becomes 0; for a NaN place, the exact
 * inverse is replaced by a search.) */
bool plugin_returned_nan(void);
