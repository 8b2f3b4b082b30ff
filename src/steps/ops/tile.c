/* tile: makes several samples of one: adjacent or overlapping windows that cover it. */
#include "steps/emit.h"
#include "steps/op.h"
#include "steps/op_shared/rows.h"

#include <math.h>

enum border { BORDER_SHIFT, BORDER_CUT, BORDER_PAD, BORDER_DROP };

static const struct choice borders[] = {
    { "shift", BORDER_SHIFT, "moved inside; if the image is smaller, the whole image" },
    { "cut", BORDER_CUT, "clipped at the border of the image" },
    { "pad", BORDER_PAD, "kept whole, with `fill` around the image" },
    { "drop", BORDER_DROP, "left out" },
    { 0 },
};

struct params {
    struct size size;
    struct optional_list grid;
    struct list overlap;
    int border;
    struct colour fill;
    int fill_mask;
    int max_outputs;
};

static const struct row rows[] = {
    SIZE(struct params, size, .preset = "null", .unit = "pixels", .limit = { 0, 65500 },
         .usual = { 24, 48 },
         .help = "[height, width] of the tiles, or one number for squares; null: use `grid`"),
    OPTIONAL_LIST(struct params, grid, .preset = "null", .least = 2, .most = 2, .whole = true,
                  .limit = { 1, 65500 }, .usual = { 1, 5 },
                  .help = "[rows, columns] of tiles, of equal size to whole pixels; null: use "
                          "`size`"),
    LIST(struct params, overlap, .preset = "0", .least = 1, .most = 2, .limit = { 0, 0.99 },
         .usual = { 0, 0.5 },
         .help = "[down, across], or one number for both. With `size`: the share of a tile, in "
                 "whole pixels, that overlaps its neighbour. With `grid`: by how much tiles "
                 "are enlarged, half of it at each end with a neighbour"),
    CHOICE(struct params, border, .preset = "\"shift\"", .choices = borders,
           .help = "with `size`: what happens to a tile that would exceed the image"),
    FILL_ROWS(struct params),
    MAX_OUTPUTS_ROW(struct params),
    ROWS_END,
};

/* The tiles along one side of the image. */
struct side {
    int length;     /* of the image */
    int tile, step; /* of tiles of a size: length, and distance from one to the next */
    enum border border;
    int n;          /* number of tiles */
    double overlap; /* of tiles of a grid */
};

struct part_of_side {
    int from, length;
};

/* SAHI's rule (get_slice_bboxes): add tiles until the last one reaches the end. */
static struct side side_of_size(int length, int tile, double overlap, enum border border)
{
    int step = tile - (int)(overlap * tile);
    int n = length > tile ? (length - tile + step - 1) / step + 1 : 1;
    bool reaches = (int64_t)(n - 1) * step + tile > length;

    return (struct side){ .length = length,
                          .tile = tile,
                          .step = step,
                          .border = border,
                          .n = n - (border == BORDER_DROP && reaches) };
}

static struct part_of_side stretch_of_size(const struct side *s, int i)
{
    int from = i * s->step, length = s->tile;

    if (from + length <= s->length || s->border == BORDER_PAD)
        return (struct part_of_side){ from, length };
    if (s->border == BORDER_SHIFT)
        from = s->length > length ? s->length - length : 0;
    return (struct part_of_side){ from, s->length - from };
}

/* Datumaro's rule (its transform `tile`), except that each cell ends where the next one begins, so
 * that the image's last pixels are not lost. */
static struct part_of_side stretch_of_grid(const struct side *s, int i)
{
    int from = (int)((int64_t)s->length * i / s->n);
    int to = (int)((int64_t)s->length * (i + 1) / s->n);
    int more = (int)((to - from) * s->overlap), before = more / 2;
    int begin = from > before ? from - before : 0;
    int end = s->length - to > more - before ? to + more - before : s->length;

    return (struct part_of_side){ begin, end - begin };
}

struct sides {
    struct side down, across;
};

static struct sides sides_of(const struct params *p, struct frame frame)
{
    double down = p->overlap.at[0], across = p->overlap.at[p->overlap.n - 1];
    enum border border = (enum border)p->border;

    if (p->grid.given)
        return (struct sides){
            { .length = frame.height, .n = (int)p->grid.list.at[0], .overlap = down },
            { .length = frame.width, .n = (int)p->grid.list.at[1], .overlap = across }
        };
    return (struct sides){ side_of_size(frame.height, p->size.height, down, border),
                           side_of_size(frame.width, p->size.width, across, border) };
}

static int max_outputs(const void *params)
{
    const struct params *p = params;

    return p->max_outputs;
}

static int64_t count_outputs(const void *params, struct frame frame, struct run *run)
{
    struct sides s = sides_of(params, frame);

    if (s.down.n > frame.height || s.across.n > frame.width)
        emit_refuse(run, "the image is %dx%d, smaller than the grid of %d rows and %d columns",
                    frame.width, frame.height, s.down.n, s.across.n);
    return (int64_t)s.down.n * s.across.n;
}

/* Emits the tile; pixels outside of the image are filled. */
static void emit_stretches(struct run *run, struct frame frame, struct part_of_side down,
                           struct part_of_side across)
{
    int below = down.from + down.length - frame.height;
    int right = across.from + across.length - frame.width;

    emit(run, "crop", NUM("top", down.from), NUM("left", across.from),
         NUM("height", down.length - (below > 0 ? below : 0)),
         NUM("width", across.length - (right > 0 ? right : 0)));
    if (below > 0 || right > 0)
        emit_shared(
            run, "pad",
            NUMS("padding", 4, ((double[]){ 0, 0, right > 0 ? right : 0, below > 0 ? below : 0 })));
}

static void expand(const void *params, struct frame frame, int branch, struct run *run)
{
    const struct params *p = params;
    struct sides s = sides_of(p, frame);
    struct part_of_side (*const stretch_of)(const struct side *, int) =
        p->grid.given ? stretch_of_grid : stretch_of_size;
    struct part_of_side rows_of = stretch_of(&s.down, branch / s.across.n);
    struct part_of_side columns_of = stretch_of(&s.across, branch % s.across.n);

    emit_stretches(run, frame, rows_of, columns_of);
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    bool sized = p->size.height > 0 && p->size.width > 0;

    if (sized != p->grid.given && (sized || (!p->size.height && !p->size.width)))
        return true;
    return value_fault(faults, step, false, p->grid.given ? "param-conflict" : "param-missing",
                       "give either \"size\" or \"grid\"");
}

const struct op tile_op = {
    .name = "tile",
    .summary = "make several samples of one: adjacent or overlapping windows that cover it",
    .group = GROUP_CROP,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"tile\", \"size\": [40, 48], \"overlap\": 0.25}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_INDEX,
    .effect = EFFECT_MOVES,
    .check = check,
    .expand = expand,
    .max_outputs = max_outputs,
    .count_outputs = count_outputs,
};
