/* RandomCenterCropPad: crops a window about a random center, which may exceed the image. */
#include "steps/transform.h"

struct params {
    struct size crop_size;
    struct list ratios;
    int border;
    struct colour fill;
    int fill_mask, padding_mode;
};

static const struct row rows[] = {
    SIZE(struct params, crop_size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 60 },
         .help = "[height, width] before scaling, or one number for a square"),
    LIST(struct params, ratios, .preset = "[0.9, 1, 1.1]", .least = 1, .most = 16,
         .limit = { 0, 100 }, .above = true, .usual = { 0.6, 1.4 },
         .help = "factors for `crop_size`; one is drawn with equal probability"),
    INTEGER(struct params, border, .preset = "128", .unit = "pixels", .limit = { 1, 65500 },
            .usual = { 4, 40 },
            .help = "minimum distance of the window's centre from the image's border; halved "
                    "until it is less than half of a side"),
    FILL_ROWS(struct params),
    PADDING_MODE_ROW(struct params),
    ROWS_END,
};

/* Halves the border as CornerNet does, until it is less than half of the side. Halves it once more
 * if twice the border is a multiple of the side. */
static int border_within(int border, int side)
{
    int times = (2 * border + side - 1) / side,
        halved = 2 * border % side == 0 ? border / 2 : border;

    for (int power = 1; power < times; power *= 2)
        halved /= 2;
    return halved;
}

/* Along one side of the image, `n` pixels long: the part that the window shows, and the padding. */
struct extent {
    int from, length, before, after;
};

static struct extent draw_extent(struct run *run, const struct params *p, int size, int n)
{
    int border = border_within(p->border, n);
    int middle = (int)rng_integer(run->rng, border, n - border), half = size / 2;
    struct extent e = { .from = middle > half ? middle - half : 0 };
    int to = middle + half < n ? middle + half : n;

    e.length = to - e.from;
    e.before = half - (middle - e.from);
    e.after = size - e.before - e.length;
    return e;
}

/* True if the window shows the center of a box, or if there are no boxes. */
static bool has_box_center(const struct kept_object *seen, size_t n, const struct extent *x,
                           const struct extent *y)
{
    size_t boxes = 0;

    for (size_t i = 0; i < n; i++) {
        double across = (seen[i].box.x0 + seen[i].box.x1) / 2;
        double down = (seen[i].box.y0 + seen[i].box.y1) / 2;

        if (!seen[i].has_box || seen[i].crowd)
            continue;
        boxes++;
        if (across > x->from && across < x->from + x->length && down > y->from &&
            down < y->from + y->length)
            return true;
    }
    return !boxes;
}

static int scaled(int side, double ratio)
{
    int length = (int)(side * ratio);

    return length < 2 ? 2 : length;
}

/* Returns false if no window with the center of a box was found. */
static bool find(struct run *run, const struct params *p, struct extent *x, struct extent *y)
{
    enum { ROUNDS = 1000, TRIALS = 50 }; /* TRIALS is MMDetection's */
    size_t n;
    const struct kept_object *seen = run_objects(run, &n);

    for (int round = 0; round < ROUNDS; round++) {
        double ratio = p->ratios.at[rng_integer(run->rng, 0, p->ratios.n)];
        int height = scaled(p->crop_size.height, ratio), width = scaled(p->crop_size.width, ratio);

        for (int i = 0; i < TRIALS; i++) {
            *x = draw_extent(run, p, width, run->frame.width);
            *y = draw_extent(run, p, height, run->frame.height);
            if (has_box_center(seen, n, x, y))
                return true;
        }
    }
    return false;
}

static void draw(struct run *run)
{
    struct extent x, y;

    if (!find(run, run->params, &x, &y))
        return;
    emit(run, "keep_centers", NUM("top", y.from), NUM("left", x.from), NUM("height", y.length),
         NUM("width", x.length));
    emit_crop(run, &(struct window){ y.from, x.from, y.length, x.length });
    if (x.before || y.before || x.after || y.after)
        emit_shared(run, "pad",
                    NUMS("padding", 4, ((double[]){ x.before, y.before, x.after, y.after })));
}

const struct transform RandomCenterCropPad_transform = {
    .name = "RandomCenterCropPad",
    .summary = "crop a window of random size about a random centre, which shows the centre of "
               "a box and may exceed the image, as in the training of CornerNet and CenterNet; "
               "objects with their centre outside are dropped, crowds are kept",
    .group = GROUP_CROP,
    .origin = ORIGIN_MMDETECTION,
    .differs = "`crop_size` is [height, width], `fill` is MMDetection's mean; there is no "
               "test_mode (use PadIfNeeded); if 50000 windows show no box's centre, the image "
               "stays whole, while MMDetection would go on",
    .example = "{\"type\": \"RandomCenterCropPad\", \"crop_size\": [60, 80], \"ratios\": [0.6, "
               "0.8, 1, 1.2, 1.4], \"fill\": [124, 116, 104]}",
    .emits = (const char *const[]){ "keep_centers", "crop", "pad", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
