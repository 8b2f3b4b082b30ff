/* say: messages that end a command, with its exit code. */
#pragma once

#include "base/files.h"
#include "base/stderr_line.h"
#include "param/param.h"

/* Prints the first faults, and returns `code`. */
int faults_exit(struct faults *, int code);

/* Each prints why an option, an operand or the file at a path cannot be used, and returns `code`.
 * `code_word` is the error code. The first one drops the text. */
int refuse_input(const char *path, struct text *why, const char *code_word, int code);
int refuse_path(const char *path, const char *code_word, const char *why, int code);
/* The message begins with `who`, such as "lockstep run". */
int refuse_for(const char *who, int code, const char *path, const char *code_word, const char *why);

/* Returns "stdin" for "-", else the path. */
const char *input_name(const char *path);
