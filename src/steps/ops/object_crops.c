/* object_crops: makes one sample per object: a window about it. */
#include "steps/emit.h"
#include "steps/op.h"
#include "steps/op_shared/rows.h"

#include <math.h>

enum border { BORDER_PAD, BORDER_SHIFT, BORDER_CUT };
enum others { OTHERS_KEEP, OTHERS_DROP };
enum window_method { SAMPLING_RESIZE, SAMPLING_ROI_ALIGN };

static const struct choice borders[] = {
    { "pad", BORDER_PAD, "kept whole, with `fill` around the image" },
    { "shift", BORDER_SHIFT, "moved inside, if the image is large enough" },
    { "cut", BORDER_CUT, "clipped at the border of the image" },
    { 0 },
};

static const struct choice others_choices[] = {
    { "keep", OTHERS_KEEP, "their parts in the window are kept" },
    { "drop", OTHERS_DROP, "they are dropped, including crowds" },
    { 0 },
};

static const struct choice samplings[] = {
    { "resize", SAMPLING_RESIZE,
      "crop whole pixels that contain the window, and resize them if there is a `size`" },
    { "roi_align", SAMPLING_ROI_ALIGN,
      "sample the exact window by RoIAlign, to the `size`; pixels outside of the image are 0" },
    { 0 },
};

struct params {
    double margin;
    bool square;
    struct size size;
    int border, others, sampling; /* values of the enums above */
    bool image_label;
    int sampling_ratio;
    bool aligned;
    int interpolation;
    bool antialias;
    struct colour fill;
    int fill_mask;
    int max_outputs;
};

static const struct row rows[] = {
    NUMBER(struct params, margin, .preset = "0", .limit = { 0, 100 }, .usual = { 0, 0.5 },
           .help = "margin of a window around the object's box at each side, as a share of the "
                   "box's width and height"),
    FLAG(struct params, square, .preset = "false",
         .help = "extend the shorter side to the longer one, about the same middle"),
    SIZE(struct params, size, .preset = "null", .unit = "pixels", .limit = { 0, 65500 },
         .usual = { 24, 48 },
         .help = "[height, width] of the results, or one number for squares; null: not scaled"),
    CHOICE(struct params, border, .preset = "\"pad\"", .choices = borders,
           .help = "what happens to a window that exceeds the image"),
    CHOICE(struct params, others, .preset = "\"keep\"", .choices = others_choices,
           .help = "what happens to the other objects"),
    FLAG(struct params, image_label, .preset = "true",
         .help = "the object's category becomes the only label of its image, for classification"),
    CHOICE(struct params, sampling, .preset = "\"resize\"", .choices = samplings,
           .help = "how the pixels of a window are computed"),
    ROI_ALIGN_ROWS(struct params),
    RESIZE_ROWS(struct params),
    FILL_ROWS(struct params),
    MAX_OUTPUTS_ROW(struct params),
    ROWS_END,
};

/* Returns the part of the object's box that is inside the image; empty if it has none. */
static struct box box_of(const struct kept_object *seen, struct frame frame)
{
    return seen->has_box && !seen->crowd ? box_intersect(seen->box, box_of_frame(frame))
                                         : (struct box){ 0 };
}

/* Returns object number `branch` of those with a window, or NULL if there are fewer. Counts them.
 */
static const struct kept_object *find(struct run *run, struct frame frame, int64_t branch,
                                      int64_t *count)
{
    size_t n;
    const struct kept_object *seen = run_objects(run, &n), *found = NULL;

    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (!box_is_empty(box_of(&seen[i], frame)) && (*count)++ == branch)
            found = &seen[i];
    return found;
}

static int max_outputs(const void *params)
{
    const struct params *p = params;

    return p->max_outputs;
}

static int64_t count_outputs(const void *params, struct frame frame, struct run *run)
{
    int64_t count;

    (void)params;
    find(run, frame, 0, &count);
    return count;
}

/* The range of a window along one side of the image. */
struct interval {
    double from, to;
};

static struct interval interval_within(struct interval s, double side, enum border border)
{
    if (border == BORDER_SHIFT) {
        double back = s.from < 0 ? s.from : fmax(0, fmin(s.to - side, s.from));

        s = (struct interval){ s.from - back, s.to - back };
    }
    if (border != BORDER_PAD)
        s = (struct interval){ fmax(s.from, 0), fmin(s.to, side) };
    return s;
}

static struct interval interval_around(struct interval s, double length)
{
    double more = (length - (s.to - s.from)) / 2;

    return (struct interval){ s.from - more, s.to + more };
}

/* Extends the interval to whole pixels, except for rounding errors. */
static struct interval interval_whole(struct interval s)
{
    double from = floor(s.from + EDGE_SLACK), to = ceil(s.to - EDGE_SLACK);

    return (struct interval){ from, fmax(to, from + 1) };
}

struct window {
    struct interval across, down;
};

static struct window window_of(const struct params *p, struct box box, struct frame frame)
{
    double width = (box.x1 - box.x0) * (1 + 2 * p->margin);
    double height = (box.y1 - box.y0) * (1 + 2 * p->margin), longer = fmax(width, height);
    struct window w = { { box.x0, box.x1 }, { box.y0, box.y1 } };
    enum border border = (enum border)p->border;

    w.across = interval_around(w.across, p->square ? longer : width);
    w.down = interval_around(w.down, p->square ? longer : height);
    if (p->sampling == SAMPLING_RESIZE) {
        w.across = interval_whole(w.across);
        w.down = interval_whole(w.down);
    }
    if (p->square) { /* rounding may have made one side longer by a pixel */
        longer = fmax(w.across.to - w.across.from, w.down.to - w.down.from);
        w.across.to = w.across.from + longer;
        w.down.to = w.down.from + longer;
    }
    w.across = interval_within(w.across, frame.width, border);
    w.down = interval_within(w.down, frame.height, border);
    return w;
}

/* Emits the window; pixels outside of the image are filled. */
static void emit_window(struct run *run, const struct window *w, struct frame frame)
{
    struct interval x = interval_within(w->across, frame.width, BORDER_CUT);
    struct interval y = interval_within(w->down, frame.height, BORDER_CUT);
    double beyond[] = { x.from - w->across.from, y.from - w->down.from, w->across.to - x.to,
                        w->down.to - y.to };

    emit(run, "crop", NUM("top", y.from), NUM("left", x.from), NUM("height", y.to - y.from),
         NUM("width", x.to - x.from));
    if (beyond[0] > 0 || beyond[1] > 0 || beyond[2] > 0 || beyond[3] > 0)
        emit_shared(run, "pad", NUMS("padding", 4, beyond));
}

static void expand(const void *params, struct frame frame, int branch, struct run *run)
{
    const struct params *p = params;
    int64_t count;
    const struct kept_object *object = find(run, frame, branch, &count);
    struct window w = window_of(p, box_of(object, frame), frame);

    if (p->others == OTHERS_DROP)
        emit(run, "keep_objects", NUMS("objects", 1, ((double[]){ (double)object->place })));
    if (p->image_label && object->category)
        emit(run, "set_image_label",
             { .name = "category", .kind = ARG_WORD, .word = object->category });
    if (p->sampling == SAMPLING_ROI_ALIGN) {
        emit_shared(
            run, "roi_align",
            NUMS("box", 4, ((double[]){ w.across.from, w.down.from, w.across.to, w.down.to })),
            PAIR("size", p->size.height, p->size.width));
        return;
    }
    emit_window(run, &w, frame);
    if (p->size.height)
        emit_shared(run, "resize", PAIR("size", p->size.height, p->size.width));
}

static bool is_zero(const struct colour *c)
{
    for (int i = 0; i < c->n; i++)
        if (c->channel[i] != 0)
            return false;
    return true;
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->sampling == SAMPLING_ROI_ALIGN && !(p->size.height && p->size.width))
        return value_fault(faults, step, false, "param-missing",
                           "\"sampling\" by \"roi_align\" needs the \"size\" of the results");
    if (p->sampling == SAMPLING_ROI_ALIGN && !is_zero(&p->fill))
        return value_fault(faults, value_get(step, "fill"), false, "param-conflict",
                           "\"fill\" cannot be combined with \"roi_align\", where pixels "
                           "outside of the image are 0");
    if (!p->size.height == !p->size.width)
        return true;
    return value_fault(faults, value_get(step, "size"), false, "param-range",
                       "both numbers must be at least 1, or both 0");
}

const struct op object_crops_op = {
    .name = "object_crops",
    .summary = "make one sample per object with a box: a window about the box; crowds get none",
    .group = GROUP_CROP,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"object_crops\", \"margin\": 0.1, \"square\": true, \"size\": 64}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RESAMPLE,
    .effect = EFFECT_MOVES,
    .subject = SUBJECT_OBJECTS,
    .check = check,
    .expand = expand,
    .max_outputs = max_outputs,
    .count_outputs = count_outputs,
};
