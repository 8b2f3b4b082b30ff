/* random_step: steps with random values, generated from the rows of ops. */
#include "steps/properties/random_step.h"

#include "base/number.h"
#include "steps/op_shared/font.h"
#include "steps/op_shared/stamps.h"

#include <math.h>
#include <string.h>

bool random_quarter_turns;
double random_ends;

/* Returns an end of the usual or possible range, or a small integer. Returns `otherwise` if that
 * value is not allowed, or so large that images would become huge. */
static double end_or(double otherwise, const struct row *row, struct rng *rng)
{
    double end[] = { row->limit.lo, row->limit.hi, row->usual.lo, row->usual.hi, 0, 1, 2 };
    double v = end[rng_integer(rng, 0, COUNTOF(end))];

    return v >= row->limit.lo && v <= row->limit.hi && fabs(v) <= 1000 ? v : otherwise;
}

/* Draws up to the maximum + 1 for integers, which are rounded down later, so that the maximum is
 * included. */
static double random_number(const struct row *row, bool whole, struct rng *rng)
{
    struct range r = row->usual.lo != row->usual.hi ? row->usual : row->limit;

    if (r.lo == r.hi)
        r = (struct range){ 0, 1 };
    if (row->kind == &colour_kind || row->kind == &paint_kind)
        r = (struct range){ 0, 255 };
    return rng_between(rng, r.lo, (isinf(r.hi) ? r.lo + 2 : r.hi) + whole);
}

static void add_number(const struct row *row, bool whole, struct rng *rng, struct text *out)
{
    double v = random_number(row, whole || row->whole, rng);

    if (random_ends > 0 && rng_unit(rng) < random_ends)
        v = end_or(v, row, rng);
    if (random_quarter_turns && row->usual.hi - row->usual.lo >= 360 && rng_unit(rng) < 0.4)
        v = 90 * nearbyint(v / 90);
    if (whole || row->whole)
        v = floor(v);
    if (row->odd)
        v = 2 * floor(v / 2) + 1;
    number_print(out, v);
}

static void add_list(const struct row *row, int n, bool whole, struct rng *rng, struct text *out)
{
    text_addc(out, '[');
    for (int i = 0; i < n; i++) {
        text_adds(out, i ? ", " : "");
        add_number(row, whole, rng, out);
    }
    text_addc(out, ']');
}

/* Adds the minimum number of tuples, and up to three more. */
static void add_tuples(const struct row *row, struct rng *rng, struct text *out)
{
    int n = (int)rng_integer(rng, row->least, row->least + 4);

    text_addc(out, '[');
    for (int i = 0; i < n; i++) {
        text_adds(out, i ? ", " : "");
        add_list(row, row->most, false, rng, out);
    }
    text_addc(out, ']');
}

/* Adds the corners of an image of 64x48, moved. */
static void add_corners(const struct row *row, struct rng *rng, struct text *out)
{
    static const double corner[4][2] = { { 0, 0 }, { 64, 0 }, { 64, 48 }, { 0, 48 } };

    for (int i = 0; i < 8; i++) {
        text_adds(out, i == 0 ? "[[" : i % 2 ? ", " : "], [");
        number_print(out, corner[i / 2][i % 2] + random_number(row, false, rng));
    }
    text_adds(out, "]]");
}

/* Adds rectangles, one after the other. */
static void add_rects(const struct row *row, int n, struct rng *rng, struct text *out)
{
    text_addc(out, '[');
    for (int i = 0; i < n; i++) {
        text_adds(out, i ? ", " : "");
        add_list(row, 4, true, rng, out);
    }
    text_addc(out, ']');
}

/* Returns the length of a list that may have any length: enough for a grid of 3 x 4, if that is
 * allowed. */
static int numbers_listed(const struct row *row)
{
    enum { LISTED = 12 };

    return row->most && row->most < LISTED ? row->most : row->least > LISTED ? row->least : LISTED;
}

void random_value(const struct row *row, struct rng *rng, struct text *out)
{
    const struct kind *kind = row->kind;
    bool optional = kind == &optional_kind || kind == &optional_list_kind || kind == &point_kind;

    if (optional && rng_unit(rng) < 0.5) {
        text_adds(out, "null");
    } else if (kind == &flag_kind) {
        text_adds(out, rng_unit(rng) < 0.5 ? "true" : "false");
    } else if (kind == &choice_kind || (kind == &paint_kind && rng_unit(rng) < 0.5)) {
        int n = 0;

        while (row->choices[n].word)
            n++;
        text_addf(out, "\"%s\"", row->choices[rng_integer(rng, 0, n)].word);
    } else if (kind == &size_kind || kind == &point_kind) {
        add_list(row, 2, kind == &size_kind, rng, out);
    } else if (kind == &corners_kind) {
        add_corners(row, rng, out);
    } else if (kind == &rects_kind) {
        add_rects(row, (int)rng_integer(rng, 0, 4), rng, out);
    } else if (kind == &tuples_kind) {
        add_tuples(row, rng, out);
    } else if (kind == &list_kind || kind == &optional_list_kind) {
        add_list(row, (int)rng_integer(rng, row->least, row->most + 1), false, rng, out);
    } else if (kind == &numbers_kind) {
        add_list(row, numbers_listed(row), false, rng, out);
    } else if (kind == &colour_kind || kind == &paint_kind || kind == &optional_kind ||
               kind == &number_kind) {
        add_number(row, false, rng, out);
    } else if (kind == &integer_kind || kind == &whole_kind) {
        add_number(row, true, rng, out);
    } else if (kind == &chains_kind) {
        text_addf(out,
                  "[[{\"type\": \"horizontal_flip\"}], [{\"type\": \"equalize\"}, {\"type\": "
                  "\"%s_flip\"}, {\"type\": \"posterize\", \"bits\": 4}]]",
                  rng_unit(rng) < 0.5 ? "horizontal" : "vertical");
    } else if (kind == &inputs_kind) {
        text_adds(out, "[{}, {\"top\": 3, \"left\": 20, \"steps\": [{\"type\": \"vertical_flip\"}, "
                       "{\"type\": \"posterize\", \"bits\": 4}]}, {\"left\": -9, "
                       "\"steps\": [{\"type\": \"horizontal_flip\"}]}]");
    } else if (strcmp(row->name, "stamp") == 0 && stamp_draw(0)) {
        text_addf(out, "\"%s\"", stamp_draw(rng_u64(rng))->name);
    } else {
        text_adds(out, row->preset ? row->preset : "\"any\"");
    }
}

/* Adds the lists of an op that draws text, which must have the same length: two texts, if there is
 * a font. */
static bool add_lists(const struct row *row, struct rng *rng, struct text *out)
{
    enum { TEXTS = 2 };

    if (!font_given())
        return false;
    if (row->kind == &names_kind)
        text_adds(out, "[\"Ag\", \"\\u00fc 8\"]");
    else if (row->kind == &rects_kind)
        add_rects(row, TEXTS, rng, out);
    else if (row->kind == &numbers_kind)
        add_list(row, TEXTS, false, rng, out);
    else
        return false;
    return true;
}

bool random_plan(const struct op *const *ops, size_t n, struct rng *rng, struct plan *plan)
{
    struct text json = { 0 };
    struct faults faults = { .name = "random" };
    bool good;

    text_adds(&json, "{\"version\": 1, \"transforms\": [");
    for (size_t i = 0; i < n; i++) {
        text_addf(&json, "%s{\"type\": \"%s\"", i ? ", " : "", ops[i]->name);
        for (ROWS (row, ops[i]->params)) {
            text_addf(&json, ", \"%s\": ", row->name);
            if (!op_draws_text(ops[i]) || !add_lists(row, rng, &json))
                random_value(row, rng, &json);
        }
        text_addc(&json, '}');
    }
    text_adds(&json, "]}");
    faults.text = (struct slice){ json.at, json.length };
    good = plan_read(&faults, plan);
    if (!good)
        plan_drop(plan);
    faults_drop(&faults);
    text_drop(&json);
    return good;
}
