/* error_gain: how much ops on colors amplify an error of a few levels. */
#include "plan/error_gain.h"

#include "plan/join.h"
#include "plan/ycc_linear.h"

#include <math.h>

enum { FEW_LEVELS = 4 };

/* Returns the gain of a table of bytes, for one channel or for each of three. */
static double table_gain(const uint8_t *table, int colours)
{
    int max = 0;

    for (int b = 0; b < colours; b++)
        for (int i = 0; i + FEW_LEVELS < 256; i++) {
            int step = table[256 * b + i + FEW_LEVELS] - table[256 * b + i];

            max = step > max ? step : -step > max ? -step : max;
        }
    return (double)max / FEW_LEVELS;
}

static double action_gain(const struct action *a, struct arena *arena)
{
    int colours = a->channels < 3 ? 1 : 3;
    double max = 0;

    if (a->linear) {
        for (int i = 0; i < 3; i++)
            max = fmax(max, (double)(fabsf(a->linear->m[i][0]) + fabsf(a->linear->m[i][1]) +
                                     fabsf(a->linear->m[i][2])));
        return max;
    }
    if (a->family == FAMILY_TABLE && a->type == PIXEL_U8)
        return table_gain(table_entries(arena, a, a->type, colours), colours);
    return 1;
}

/* Gets the op's action for an image of mean luma 128; false if the op refuses such an image. */
static bool typical_action(const struct resolved_op *d, struct arena *arena, struct action *action)
{
    struct text why = { 0 };
    bool good = true;

    *action = d->action;
    if (d->op->needs == NEEDS_LUMA)
        good = resolved_op_action(d, &(struct stats){ .luma = 128 }, arena, action, &why);
    text_drop(&why);
    return good;
}

static double drawn_gain(const struct resolved_op *d, struct arena *arena)
{
    struct action action;

    if (d->op->needs & NEEDS_HISTOGRAM)
        return 256;
    return typical_action(d, arena, &action) ? action_gain(&action, arena) : 1;
}

double gain_after(const struct resolved_ops *resolved_ops, size_t first, struct arena *arena)
{
    double gain = 1;

    for (size_t i = first; i < resolved_ops->n; i++)
        gain *= drawn_gain(&resolved_ops->at[i], arena);
    return gain < 1 ? 1 : gain;
}

double luma_gain(const struct resolved_ops *resolved_ops, struct arena *arena)
{
    double max = 1, in_a_row = 1;

    for (size_t i = 0; i < resolved_ops->n; i++) {
        struct action action;

        if (typical_action(&resolved_ops->at[i], arena, &action) && action.linear)
            in_a_row *= fabs(ycc_matrix_of(action.linear).m[0][0]);
        in_a_row = fmax(1, in_a_row);
        max = fmax(max, in_a_row);
    }
    return max;
}
