/* run_json: the run.json of a run, by which the lines of its manifest are read. */
#pragma once

#include "open/dataset.h"

struct run_file {
    const char *path;
    struct slice text;
    struct slice pipeline, key; /* stretches of it */
    const struct value *key_value;
    bool has_no_outputs; /* it made none */
    struct arena arena;
};

/* Read the file `run`, or, if that is "", the one beside the manifest. EXIT_DONE, or another code
 * after printing why. run_file_drop in any case; all zero before. */
int run_file_open(const char *run, const char *manifest, struct run_file *);
/* The run's pipeline. EXIT_DONE, or another code after printing why. */
int run_file_plan(const struct run_file *, struct plan *);
/* Returns what corners in Pascal VOC's files count from: in the run's source, and in its output if
 * that has the same format. Files that were converted count from 1. */
enum voc_base run_file_voc_base(const struct run_file *);
/* Print how the plugins that are loaded differ from those of the run. */
void run_file_warn_plugins(const struct run_file *);
void run_file_drop(struct run_file *);
