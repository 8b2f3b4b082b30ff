/* replace_result: a result that was built apart takes the place of the one that was there.
 *
 * Until the swap starts, the former result is as it was. From then on the new one is complete,
 * and a swap that is stopped is ended by the next run: each step leaves a file in the scratch
 * that says so, and can be done again. The files of the former result, by its run.json and
 * manifest, are removed; then those of the new one are moved to their names, where nothing else may
 * be. */
#pragma once

#include "batch/output/out_handles.h"

/* Start: the folder is apart, all of its files are there. Nothing is changed where it is false.
 * With `lasting`, the disk is asked to keep what each step relies on. False with a reason. */
bool swap_start(struct outdir *, bool lasting, struct text *why);
/* Was one started that is not ended? */
bool swap_is_started(const struct outdir *);
/* End it: the new result is in its place and complete. What is in the scratch is of no more use.
 * False with a reason; it can be done again. */
bool swap_end(struct outdir *, bool lasting, struct text *why);
