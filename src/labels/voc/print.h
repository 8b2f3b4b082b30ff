/* print: a Pascal VOC file as it is after the run. */
#pragma once

#include "labels/voc/xml.h"

/* Appends a copy of a file of VOC's with what has changed: numbers of boxes and of elements that
 * move, the size and the name. Objects, parts and elements that are gone are left out. Corners
 * count from `base`. The sample's arena takes what it needs. */
void voc_print_again(struct slice text, const struct voc_file *, int base, const struct sample *,
                     const struct output *, const struct rules *, struct text *);
/* Append a new file. */
void voc_print_new(const struct dataset *, const struct sample *, const struct output *,
                   const struct rules *, struct text *);

/* Has XML a place for each character of the string? Others are written as U+FFFD. */
bool voc_holds_string(const char *);
/* The names of the flags of an object that VOC has: difficult, truncated and so on. */
bool voc_has_flag(struct slice name);
