/* text_id: ids of elements that are strings. base/id_index.h defines the integers that represent
 * them. */
#pragma once

#include "json/scan.h"

/* Reads an id that is a string and not empty. */
bool text_id_read(struct slice raw, int64_t *id);

/* Returns the element's id in this member, an integer or a string; 0 if it is neither. */
int64_t text_id_of(struct slice element, const char *member);

/* Appends an id of the element: the source text of a string, or the digits of a number. */
void text_id_print(int64_t id, struct slice element, const char *member, struct text *out);
