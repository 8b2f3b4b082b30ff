/* convert_dataset: writes a dataset whose images are all passed: for convert, concat and split. */
#pragma once

#include "open/dataset.h"

/* Opens the dataset that the options name, with a pipeline without steps, and writes it. Images and
 * objects get new ids if a part of the output is made of several sources. Sets options that the
 * command lacks. Returns an exit code, after printing what failed. */
int convert_dataset(const char *who, struct job_options *);
