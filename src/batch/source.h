/* source: the part of the annotations that one record's outputs depend on. */
#pragma once

#include "../format.h"

/* A hash of the bytes of the record's elements, and of what its objects are called; 0 without
 * annotations. Where the elements stand in the text is no matter. */
uint64_t source_annotations(const struct dataset *, size_t record);
