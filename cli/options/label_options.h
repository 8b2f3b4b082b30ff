/* label_options: option rows of all commands that read labels. */
#pragma once

#include "shared/command.h"

extern const struct choice voc_base_choices[];
extern const struct choice match_choices[]; /* of batch/dataset/resolve_names.h */

/* S is the struct that the table fills in. */
#define VOC_BASE_OPTION(taker, S)                                                                  \
    {                                                                                              \
        (taker), 0, "0|1",                                                                         \
            CHOICE(S, voc_base, .preset = "\"auto\"", .choices = voc_base_choices,                 \
                   .help = "where corners in Pascal VOC files count from. With 1 they are pixels " \
                           "and the last one is inside; with 0 they are coordinates and xmax = "   \
                           "x + width",                                                            \
                   .group = OPTIONS_LABELS, .rare = true)                                          \
    }
#define STRIP_PREFIX_OPTION(taker, S)                                                              \
    {                                                                                              \
        (taker), 0, "TEXT",                                                                        \
            TEXT(S, strip_prefix, .preset = "\"\"",                                                \
                 .help = "remove this from the start of each file_name. For example, images/; a "  \
                         "file_name of the annotations that starts otherwise stays",               \
                 .group = OPTIONS_LABELS, .rare = true)                                            \
    }
#define MATCH_OPTION(taker, S)                                                                     \
    {                                                                                              \
        (taker), 0, "WHAT",                                                                        \
            CHOICE(S, match, .preset = "\"path\"", .choices = match_choices,                       \
                   .help = "how a file_name of the annotations names an image",                    \
                   .group = OPTIONS_LABELS, .rare = true)                                          \
    }
