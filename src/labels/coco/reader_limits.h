/* reader_limits: what widely used readers of COCO's JSON leave out or fail at. */
#pragma once

#include "labels/format.h"

/* For the files that are written in COCO's format, whatever was read; ended by a NULL `what`. */
extern const struct reader_limit coco_reader_limits[];
