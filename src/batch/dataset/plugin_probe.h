/* plugin_probe: tries in a process of its own what plugins do before the first image is opened. A
 * plugin that crashes, hangs or takes all memory there is a fault, and does not end the command.
 */
#pragma once

#include "batch/dataset/job.h"

#include "base/fault.h"

/* Load plugins, and add their entries to the registry: each file is loaded in such a process, and
 * each entry's example read, drawn and resolved there. `file` is ended by NULL, and borrowed for
 * good. EXIT_DONE, or another code after the faults were printed. */
int plugins_open(const char *const *file);

/* The same of the pipeline in the faults' text, which is read, drawn and resolved: false with a
 * fault when a plugin crashes on it. What else is wrong with it is for who reads it. At once true
 * where no plugin is loaded. */
bool pipeline_rehearse(struct faults *);
