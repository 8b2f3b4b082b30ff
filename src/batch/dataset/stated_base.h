/* stated_base: the base of coordinates in Pascal VOC files of an earlier run. */
#pragma once

#include "labels/format.h"

/* Returns the base that the run.json in the parent of a label folder states. For a run that copied
 * VOC labels, this is the base of its source; for a run that converted other labels, 1. Returns
 * VOC_BASE_UNKNOWN if there is no readable run.json. */
enum voc_base stated_base_find(const char *folder, struct arena *);
