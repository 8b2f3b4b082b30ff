/* label_columns: finds the columns of a table of labels, by the words of its first row. */
#pragma once

#include "base/base.h"

enum label_column { COLUMN_FILE, COLUMN_CLASS, COLUMN_WEIGHT, LABEL_COLUMNS };

struct label_columns {
    bool named;                  /* the row names its columns; else it is a label's row */
    size_t place[LABEL_COLUMNS]; /* index of each; n or more: there is none */
    size_t fault;                /* the rejected column; n: none, or the whole row */
    const char *wrong;           /* what is wrong with the row; NULL: nothing */
};

/* Finds the columns from the n cells of a first row. If these are not names, columns are file,
 * class and perhaps weight. Knows words of other tools: filename, image_path, category, ... */
struct label_columns label_columns_of(const char *const *names, size_t n);
