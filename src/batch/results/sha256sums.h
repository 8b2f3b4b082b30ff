/* sha256sums: writes SHA256SUMS, the hashes of all files of OUT. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/output/out_handles.h"

/* Append lines of SHA256SUMS: for a file and its hash, for the outputs in manifest lines, and for a
 * file in the scratch. sums_print_file returns false with errno. */
void sums_print_line(const char *hex, const char *name, struct text *out);
void sums_print_outputs(struct slice lines, struct arena *, struct text *out);
bool sums_print_file(struct out_dir *, const char *name, struct text *out);
/* Writes SHA256SUMS: the outputs in the manifest, unless they are packed, and `files`, which are
 * complete in the scratch, except SHA256SUMS itself. */
bool collect_write_sums(const struct collect *, struct slice journal, const char *const *files,
                        size_t n_files, struct text *why);
