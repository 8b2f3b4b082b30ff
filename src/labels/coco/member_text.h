/* member_text: members of annotations that steps have put texts into: see object_put_text. */
#pragma once

#include "sample/sample.h"

/* Has a step put a text into a member of this name, in its raw text? */
bool coco_text_is_put(const struct object *, struct slice name);
/* Append that text, as JSON; false, with nothing appended, when there is none. */
bool coco_text_print(const struct object *, struct slice name, struct text *);
/* Append all members with such texts that the element does not have (its `at` is NULL where there
 * is none), but for those that the pipeline leaves out. */
void coco_texts_add(const struct object *, struct slice element, const struct rules *,
                    struct text *);
