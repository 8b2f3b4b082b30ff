/* keep_number_text: numbers that did not change keep the digits that the source has: 2.0 stays 2.0.
 */
#pragma once

#include "base/text.h"

/* The text from `from` on was printed in place of `source`. Where its k-th number equals the k-th
 * of the source, the source's digits replace the printed ones. Polygons and RLE have no numbers in
 * common: where only one of both texts is an object, the printed one stays as it is. */
void coco_keep_digits(struct slice source, size_t from, struct text *);
