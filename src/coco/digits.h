/* digits: numbers that did not change keep the digits that the source has: 2.0 stays 2.0. */
#pragma once

#include "../base/text.h"

/* The text from `from` on was printed in place of `source`. Where its k-th number equals the k-th
 * of the source, the source's digits replace the printed ones. */
void coco_keep_digits(struct slice source, size_t from, struct text *);
