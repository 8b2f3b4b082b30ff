/* label_options: the words of option rows of all commands that read labels. */
#include "options/label_options.h"

#include "labels/format.h"

const struct choice voc_base_choices[] = {
    { "auto", VOC_BASE_UNKNOWN,
      "0 if a corner in the files is 0; 1 if they are from the VOC challenges; otherwise 1" },
    { "0", VOC_BASE_0, "corners count from 0" },
    { "1", VOC_BASE_1, "corners count from 1" },
    { 0 },
};
