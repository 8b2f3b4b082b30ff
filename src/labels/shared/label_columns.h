/* label_columns: what the columns of a table of labels are, by the words of its first row. */
#pragma once

#include "base/base.h"

enum label_column { COLUMN_FILE, COLUMN_CLASS, COLUMN_WEIGHT, LABEL_COLUMNS };

struct label_columns {
    bool named;                  /* the row names its columns; else it is one of a label */
    size_t place[LABEL_COLUMNS]; /* of each; n or more: there is none */
    size_t fault;                /* the column that is refused; n: none, or the whole row */
    const char *wrong;           /* what is wrong with the row; NULL: nothing */
};

/* Of the values of a first row's n cells. Where they are no names, columns are file, class and
 * perhaps weight. Words of other tools are known: filename, image_path, category, ... */
struct label_columns label_columns_of(const char *const *names, size_t n);
