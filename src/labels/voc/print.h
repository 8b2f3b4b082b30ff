/* print: a Pascal VOC file as it is after the run. */
#pragma once

#include "labels/voc/xml.h"

/* Appends a copy of a VOC file with the changes: numbers of boxes and of elements that move, the
 * size and the name. Objects, parts and elements that are gone are omitted. Corners count from
 * `base`. Allocates in the sample's arena. */
void voc_print_again(const struct dataset *, struct slice text, const struct voc_file *, int base,
                     const struct sample *, const struct output *, const struct rules *,
                     struct text *);
/* Appends a new file. */
void voc_print_new(const struct dataset *, const struct sample *, const struct output *,
                   const struct rules *, struct text *);

/* True if XML can represent each character of the string. Other characters are written as U+FFFD.
 */
bool voc_holds_string(const char *);
/* True if VOC has an object flag with this name: difficult, truncated and so on. */
bool voc_has_flag(struct slice name);
