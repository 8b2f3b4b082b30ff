/* stated_base: what corners in Pascal VOC's files of a former run count from. */
#pragma once

#include "labels/format.h"

/* Returns what the run.json in the parent of a folder of labels states, for a run that wrote the
 * labels: the base of its source, or 1 where it converted others. VOC_BASE_UNKNOWN if there is none
 * that can be read. */
enum voc_base stated_base_find(const char *folder, struct arena *);
