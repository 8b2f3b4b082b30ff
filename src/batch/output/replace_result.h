/* replace_result: swaps a new result, built in OUT/.lockstep/new, with the earlier result.
 *
 * Until the swap starts, the earlier result is unchanged. After that, the new result is complete,
 * and the next run ends an interrupted swap. A file in the scratch says which step the swap has
 * reached, and each step can be repeated: see the diagram in out_handles.h. The earlier result's
 * files, as its run.json and manifest list them, are removed. Then the new files are moved to their
 * names, which must be free. */
#pragma once

#include "batch/output/out_handles.h"

/* Starts the swap. OUT/.lockstep/new must hold all files of the new result. With `lasting`, each
 * step is synchronized to the disk before the next. Returns false with the reason; then nothing has
 * changed. */
bool swap_start(struct out_dir *, bool lasting, struct text *why);
/* True if a swap was started and has not ended. */
bool swap_is_started(const struct out_dir *);
/* Ends the swap: the new result is in its place and complete, and the rest of the scratch is no
 * longer needed. Returns false with the reason; the call can be repeated. */
bool swap_end(struct out_dir *, bool lasting, struct text *why);
