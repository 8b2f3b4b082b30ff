/* numbers: members of an annotation that are numbers or lists of them, as exporters write them: in
 * quotes ("30.0000"), or an integer with a decimal point (640.0). They have one meaning. */
#pragma once

#include "labels/coco/annotation_element.h"

/* Returns the name of the member if it holds numbers that may be fractions, polygons or RLE; else
 * NULL. */
const char *coco_number_member(struct slice name);

/* True if the value has numbers in quotes, at any depth of its lists, and nothing else but numbers.
 */
bool numbers_are_quoted(struct slice value);

/* Returns the value without the quotes of its numbers; the value itself where it has none. The
 * arena owns what is returned. */
struct slice numbers_unquote(struct slice value, struct arena *);

/* Notes how a picked integer deviates, and returns the set; 0 where it is no integer. */
unsigned coco_whole_look(const struct place *, const struct pick *);

/* Appends an integer that deviates as COCO has it; false, with nothing appended, when it does not
 * deviate, or is no integer. */
bool coco_whole_repair(struct slice value, struct text *);
