/* csv: a table of values separated by commas, cell by cell. */
#include "labels/shared/csv.h"

#include <string.h>

/* Returns the position after the quoted cell that begins at `at`; the text's end if it is not
 * closed. */
static size_t skip_quoted(struct slice text, size_t at, bool *closed)
{
    *closed = false;
    for (at++; at < text.length; at++) {
        if (text.at[at] != '"')
            continue;
        if (at + 1 < text.length && text.at[at + 1] == '"') {
            at++;
            continue;
        }
        *closed = true;
        return at + 1;
    }
    return at;
}

/* Returns the position after the remainder of a cell. */
static size_t skip_plain(struct slice text, size_t at, char comma)
{
    while (at < text.length && text.at[at] != comma && text.at[at] != '\n')
        at++;
    return at;
}

bool csv_next_row(struct slice text, size_t *at, char comma, struct csv_row *row)
{
    size_t begin = *at, end = begin;
    bool closed;

    if (begin >= text.length)
        return false;
    for (;; end++) {
        if (end < text.length && text.at[end] == '"')
            end = skip_quoted(text, end, &closed);
        end = skip_plain(text, end, comma);
        if (end >= text.length || text.at[end] == '\n')
            break;
    }
    *at = end + 1;
    if (end > begin && text.at[end - 1] == '\r')
        end--;
    *row = (struct csv_row){ { text.at + begin, end - begin }, 0, comma };
    return true;
}

bool csv_next_cell(struct csv_row *row, struct slice *cell, bool *good)
{
    const char comma = row->comma;
    size_t begin = row->at, end = begin;
    bool closed = true;

    if (begin > row->text.length)
        return false;
    if (end < row->text.length && row->text.at[end] == '"') {
        end = skip_quoted(row->text, end, &closed);
        *good &= closed && (end == row->text.length || row->text.at[end] == comma);
    }
    end = skip_plain(row->text, end, comma);
    *cell = (struct slice){ row->text.at + begin, end - begin };
    row->at = end + 1;
    return true;
}

void csv_value(struct slice cell, struct text *out)
{
    if (!cell.length || *cell.at != '"') {
        text_add(out, cell.at, cell.length);
        return;
    }
    for (size_t i = 1; i + 1 < cell.length; i++) {
        text_addc(out, cell.at[i]);
        i += cell.at[i] == '"';
    }
}

void csv_print(const char *value, struct text *out)
{
    bool plain = !strpbrk(value, "\",\r\n");

    if (plain) {
        text_adds(out, value);
        return;
    }
    text_addc(out, '"');
    for (; *value; value++) {
        if (*value == '"')
            text_addc(out, '"');
        text_addc(out, *value);
    }
    text_addc(out, '"');
}
