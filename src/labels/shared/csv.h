/* csv: a table of comma-separated values (RFC 4180), cell by cell. */
#pragma once

#include "base/text.h"

/* A line of the table, without its end, and how far it was read. */
struct csv_row {
    struct slice text;
    size_t at;
    char comma; /* the character between cells */
};

/* Returns the row that begins at `at`, and moves `at` after its end: \n, \r\n, or the end of the
 * text. Quoted cells may contain line breaks. `comma` is the character between cells. False at the
 * end of the text. */
bool csv_next_row(struct slice text, size_t *at, char comma, struct csv_row *);

/* Returns the row's next cell with its quotes. False after the last one. Sets `good` to false if
 * quotes are not closed, or are followed by something. */
bool csv_next_cell(struct csv_row *, struct slice *cell, bool *good);

/* csv_value appends the value of a cell; csv_print appends a value as a cell, in quotes if needed.
 */
void csv_value(struct slice cell, struct text *out);
void csv_print(const char *value, struct text *out);
