/* sha256sums: SHA256SUMS, the hashes of all files of OUT. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/output/out_handles.h"

/* Append lines of SHA256SUMS: of a file by its hash; of the outputs in lines of the manifest; of a
 * file in the scratch. The last returns false with errno. */
void sums_print_line(const char *hex, const char *name, struct text *out);
void sums_print_outputs(struct slice lines, struct arena *, struct text *out);
bool sums_print_file(struct outdir *, const char *name, struct text *out);
/* Write SHA256SUMS: of all that the manifest lists, unless it is packed, and of `files`, which are
 * written but for SHA256SUMS itself. */
bool collect_write_sums(const struct collect *, struct slice journal, const char *const *files,
                        size_t n_files, struct text *why);
