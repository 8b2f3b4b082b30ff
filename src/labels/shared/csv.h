/* csv: a table of values separated by commas, as RFC 4180 has it, cell by cell. */
#pragma once

#include "base/text.h"

/* A line of the table, without its end, and how far it was read. */
struct csv_row {
    struct slice text;
    size_t at;
};

/* The row that begins at `at` of the text, which moves behind its end: \n, \r\n, or that of the
 * text. Quoted cells may hold ends of lines. False at the end of the text. */
bool csv_next_row(struct slice text, size_t *at, struct csv_row *);

/* The row's next cell as it stands, with its quotes. False behind the last one. `good` becomes
 * false where quotes are not closed, or something stands behind them. */
bool csv_next_cell(struct csv_row *, struct slice *cell, bool *good);

/* Append the value of a cell; and a value as a cell, in quotes where it must have them. */
void csv_value(struct slice cell, struct text *out);
void csv_print(const char *value, struct text *out);
