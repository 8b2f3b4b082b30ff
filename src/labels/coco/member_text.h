/* member_text: members of annotations whose text is replaced by steps: see object_put_text. */
#pragma once

#include "sample/sample.h"

/* True if a step replaced the text of member `name`, which is raw text. */
bool coco_text_is_put(const struct object *, struct slice name);
/* Appends that text as JSON; false, with nothing appended, if there is none. */
bool coco_text_print(const struct object *, struct slice name, struct text *);
/* Appends members with such texts that the element lacks, except members that the pipeline drops.
 * The element's `at` may be NULL. */
void coco_texts_add(const struct object *, struct slice element, const struct rules *,
                    struct text *);
