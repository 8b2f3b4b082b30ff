/* keep_number_text: unchanged numbers keep the digits of the source: 2.0 stays 2.0. */
#pragma once

#include "base/text.h"

/* Restores digits in the text from `from` on, which was printed in place of `source`. If its k-th
 * number equals the k-th of the source, the source's digits replace the printed ones. Polygons and
 * RLE have no numbers in common: if only one of the two texts is an object, the printed text stays.
 */
void coco_keep_digits(struct slice source, size_t from, struct text *);
