/* print: a Pascal VOC file as it is after the run. */
#pragma once

#include "xml.h"

/* Append a file that was VOC's before, as it stands but for what has changed: numbers of boxes, the
 * size, the name, and objects and parts that are gone. The sample's arena takes what it needs. */
void voc_print_again(struct slice text, const struct voc_file *, const struct sample *,
                     const struct output *, struct text *);
/* Append a new file. */
void voc_print_new(const struct dataset *, const struct sample *, const struct output *,
                   struct text *);

/* Has XML a place for each character of the string? Others are written as U+FFFD. */
bool voc_holds_string(const char *);
/* The names of the flags of an object that VOC has: difficult, truncated and so on. */
bool voc_has_flag(struct slice name);
