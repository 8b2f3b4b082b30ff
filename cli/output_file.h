/* output_file: one file that a command writes. */
#pragma once

#include "../src/base/text.h"

/* Write the text to a file, whose folder is made, or to standard output for "-". Prints what is
 * wrong: EXIT_OCCUPIED where the file exists and is not to be replaced, EXIT_OUTPUT where it cannot
 * be written; else EXIT_DONE. `command` is for messages. */
int write_output_file(const char *command, const char *path, bool overwrite, const struct text *);
