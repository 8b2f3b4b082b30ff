/* run_json: reads the run.json of a run, which its manifest depends on. */
#pragma once

#include "open/dataset.h"

struct run_file {
    const char *path;
    struct slice text;
    struct slice pipeline, key; /* parts of `text` */
    const struct value *root, *key_value;
    bool has_no_outputs; /* the run wrote none */
    struct arena arena;
};

/* Reads the file `run`, or if that is "", the run.json next to the manifest. Returns EXIT_DONE, or
 * another code after printing why. The struct must be zero before; call run_file_drop in any case.
 */
int run_file_open(const char *run, const char *manifest, struct run_file *);
/* Reads the run's pipeline. Returns EXIT_DONE, or another code after printing why. */
int run_file_plan(const struct run_file *, struct plan *);
/* Returns where corners in Pascal VOC files count from: in the run's source, and in its output if
 * it has the same format. Converted files count from 1. */
enum voc_base run_file_voc_base(const struct run_file *);
/* Warns if a loaded plugin differs from the plugin of the run. */
void run_file_warn_plugins(const struct run_file *);
void run_file_drop(struct run_file *);
