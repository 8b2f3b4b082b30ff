/* join: two neighboring actions as one, exactly. */
#include "plan/join.h"

#include <string.h>

/* --- index maps --- */

/* Return the number of entries of col and row: the output's columns and rows; with swap, rows and
 * columns. */
static int col_count(const struct action *a)
{
    return a->u.index.swap ? a->out.height : a->out.width;
}

static int row_count(const struct action *a)
{
    return a->u.index.swap ? a->out.width : a->out.height;
}

static bool has_outside(const int32_t *index, int n)
{
    for (int i = 0; i < n; i++)
        if (index[i] < 0)
            return true;
    return false;
}

bool index_has_fill(const struct action *a)
{
    return has_outside(a->u.index.col, col_count(a)) || has_outside(a->u.index.row, row_count(a));
}

/* A map of whole rows or columns that keeps their number and skips none is 0..n-1, up or down. */
static bool is_line(const int32_t *index, int n, int limit)
{
    bool up = true, down = true;

    for (int i = 0; i < n; i++) {
        up &= index[i] == i;
        down &= index[i] == n - 1 - i;
    }
    return n == limit && (up || down);
}

bool index_permutes(const struct action *a)
{
    return is_line(a->u.index.col, col_count(a), a->in.width) &&
           is_line(a->u.index.row, row_count(a), a->in.height);
}

bool index_is_identity(const struct action *a)
{
    if (a->u.index.swap || !frame_equal(a->in, a->out))
        return false;
    for (int i = 0; i < a->out.width; i++)
        if (a->u.index.col[i] != i)
            return false;
    for (int i = 0; i < a->out.height; i++)
        if (a->u.index.row[i] != i)
            return false;
    return true;
}

/* Returns out[i] = first[second[i]]; outside of either map is outside. */
static const int32_t *line_join(struct arena *arena, const int32_t *first, const int32_t *second,
                                int n)
{
    int32_t *both = ARENA_ARRAY(arena, int32_t, (size_t)n);

    for (int i = 0; i < n; i++)
        both[i] = second[i] < 0 ? -1 : first[second[i]];
    return both;
}

bool index_join(struct arena *arena, const struct action *first, const struct action *second,
                struct action *both, const char **reason)
{
    bool fills_first = index_has_fill(first), fills_second = index_has_fill(second);
    bool swap = first->u.index.swap;

    if (fills_first && fills_second && !fill_equal(&first->fill, &second->fill)) {
        *reason = "two borders are filled differently";
        return false;
    }
    /* The second map asks the first for (x, y); a first map that swaps reads its col by y. */
    *both = (struct action){ .family = FAMILY_INDEX,
                             .in = first->in,
                             .out = second->out,
                             .fill = fills_second ? second->fill : first->fill,
                             .channels = first->channels };
    both->u.index.swap = swap != second->u.index.swap;
    both->u.index.col =
        line_join(arena, first->u.index.col, swap ? second->u.index.row : second->u.index.col,
                  swap ? row_count(second) : col_count(second));
    both->u.index.row =
        line_join(arena, first->u.index.row, swap ? second->u.index.col : second->u.index.row,
                  swap ? col_count(second) : row_count(second));
    return true;
}

/* --- resizes --- */

/* True if the indices are consecutive, ascending, and all inside. */
static bool is_excerpt(const int32_t *index, int n)
{
    for (int i = 0; i < n; i++)
        if (index[i] != index[0] + i)
            return false;
    return index[0] >= 0;
}

bool resample_join(const struct action *first, const struct action *second, struct action *both)
{
    if (second->u.index.swap || !is_excerpt(second->u.index.col, second->out.width) ||
        !is_excerpt(second->u.index.row, second->out.height))
        return false;
    *both = *first;
    both->out = second->out;
    both->u.resample.left += second->u.index.col[0];
    both->u.resample.top += second->u.index.row[0];
    return true;
}

struct resize_part resample_part(const struct action *a)
{
    return (struct resize_part){
        .in = a->in,
        .whole = a->u.resample.whole,
        .part = { a->u.resample.left, a->u.resample.top, a->out.width, a->out.height },
        .interpolation = a->u.resample.interpolation,
        .antialias = a->u.resample.antialias,
    };
}

/* --- tables --- */

const void *table_entries(struct arena *arena, const struct action *a, enum pixel_type type,
                          int colours)
{
    const struct sample_bits *bits = &a->u.table.bits;
    int levels = pixel_type_levels(type);
    void *entries;

    if (a->u.table.entries)
        return a->u.table.entries;
    entries = arena_take_array(arena, pixel_type_size(type), (size_t)(levels * colours));
    for (int i = 0; i < levels * colours; i++) {
        int b = i / levels;
        uint16_t level = (uint16_t)(((i % levels) & bits->keep[b]) ^ bits->flip[b]);

        if (type == PIXEL_U8)
            ((uint8_t *)entries)[i] = (uint8_t)level;
        else
            ((uint16_t *)entries)[i] = level;
    }
    return entries;
}

static void bits_join(const struct sample_bits *first, const struct sample_bits *second,
                      struct sample_bits *both)
{
    for (int b = 0; b < 3; b++) {
        both->keep[b] = first->keep[b] & second->keep[b];
        both->flip[b] = (uint16_t)((first->flip[b] & second->keep[b]) ^ second->flip[b]);
    }
}

void table_join(struct arena *arena, const struct action *first, const struct action *second,
                enum pixel_type type, int colours, struct action *both)
{
    size_t levels = (size_t)pixel_type_levels(type), n = levels * (size_t)colours;
    const void *before, *behind;
    void *entries;

    *both = *second;
    if (!first->u.table.entries && !second->u.table.entries) {
        bits_join(&first->u.table.bits, &second->u.table.bits, &both->u.table.bits);
        return;
    }
    before = table_entries(arena, first, type, colours);
    behind = table_entries(arena, second, type, colours);
    entries = arena_take_array(arena, pixel_type_size(type), n);
    for (size_t i = 0; i < n; i++) {
        size_t channel = i / levels * levels;

        if (type == PIXEL_U8)
            ((uint8_t *)entries)[i] =
                ((const uint8_t *)behind)[channel + ((const uint8_t *)before)[i]];
        else
            ((uint16_t *)entries)[i] =
                ((const uint16_t *)behind)[channel + ((const uint16_t *)before)[i]];
    }
    both->u.table.entries = entries;
}
