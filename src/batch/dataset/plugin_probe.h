/* plugin_probe: tries plugins in a child process before the first image is opened. A plugin that
 * crashes, hangs, or uses up all memory there is reported as a fault, and does not end the command.
 */
#pragma once

#include "batch/dataset/job.h"

#include "base/fault.h"

/* Loads plugins and adds their entries to the registry. First, a child process loads each file, and
 * another reads, draws and resolves each entry's example. `file` ends with NULL and must stay valid
 * as long as the process lives. Returns EXIT_DONE, or another code after printing faults. */
int plugins_open(const char *const *file);

/* Reads, draws and resolves the pipeline in the faults' text in a child process. Returns false with
 * a fault if a plugin crashes. Other errors are left to the caller's own reading of the pipeline.
 * Returns true at once if no plugin is loaded. */
bool plugins_try_pipeline(struct faults *);
