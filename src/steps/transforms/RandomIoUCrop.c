/* RandomIoUCrop: crops a window that overlaps an object enough, as in the training of SSD. */
#include "steps/transform.h"

struct params {
    double min_scale, max_scale, min_aspect_ratio, max_aspect_ratio;
    struct list sampler_options;
    int trials, overlapped;
};

enum { OVERLAP_ANY, OVERLAP_ALL };

static const struct choice overlapped_choices[] = {
    { "any", OVERLAP_ANY, "at least one of the objects with their centre inside" },
    { "all", OVERLAP_ALL, "all objects of the image, as in MMDetection's MinIoURandomCrop" },
    { 0 },
};

#define SCALE_LIMIT .limit = { 0, 1 }, .above = true, .usual = { 0.3, 1 }
#define RATIO_LIMIT .limit = { 0, 1000 }, .above = true, .usual = { 0.5, 2 }
static const struct row rows[] = {
    NUMBER(struct params, min_scale, .preset = "0.3", SCALE_LIMIT,
           .help = "minimum share of the image's width and height"),
    NUMBER(struct params, max_scale, .preset = "1", SCALE_LIMIT, .help = "largest share"),
    NUMBER(struct params, min_aspect_ratio, .preset = "0.5", RATIO_LIMIT,
           .help = "minimum width / height of the window"),
    NUMBER(struct params, max_aspect_ratio, .preset = "2", RATIO_LIMIT,
           .help = "maximum width / height of the window"),
    LIST(struct params, sampler_options, .preset = "[0, 0.1, 0.3, 0.5, 0.7, 0.9, 1]", .least = 1,
         .most = 8, .limit = { 0, 1 },
         .help = "minimum overlaps (intersection over union) of the window and boxes; one is "
                 "drawn with equal probability; 1: the image stays whole"),
    CHOICE(struct params, overlapped, .preset = "\"any\"", .choices = overlapped_choices,
           .help = "objects that the window must overlap; in either case, at least one has its "
                   "centre inside"),
    INTEGER(struct params, trials, .preset = "40", .limit = { 1, 1000 }, .usual = { 1, 50 },
            .help = "number of windows to try before another option is drawn; after 1000 "
                    "options without a window, the image stays whole"),
    ROWS_END,
};
#undef SCALE_LIMIT
#undef RATIO_LIMIT

/* Checks the order of two values, where at least one is not the default. */
static bool check_order(double lo, double hi, const char *lowest, const char *highest,
                        const struct value *step, struct faults *faults)
{
    const struct value *at = value_get(step, highest);

    return lo <= hi || value_fault(faults, at ? at : value_get(step, lowest), false, "param-order",
                                   "\"%s\" is %g, \"%s\" %g", lowest, lo, highest, hi);
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    bool scales = check_order(p->min_scale, p->max_scale, "min_scale", "max_scale", step, faults);
    bool ratios = check_order(p->min_aspect_ratio, p->max_aspect_ratio, "min_aspect_ratio",
                              "max_aspect_ratio", step, faults);

    return scales && ratios;
}

/* Collects the boxes; skips crowds and objects without a box. */
static size_t boxes_of(struct run *run, const struct box **boxes)
{
    size_t n, used = 0;
    const struct kept_object *seen = run_objects(run, &n);
    struct box *at = ARENA_ARRAY(run->arena, struct box, n);

    for (size_t i = 0; i < n; i++)
        if (seen[i].has_box && !seen[i].crowd)
            at[used++] = seen[i].box;
    *boxes = at;
    return used;
}

/* Returns the overlap of the window and the boxes: the best one in the sense of `overlapped`; -1 if
 * the window contains no center of a box. */
static double overlap_of(const struct box *boxes, size_t n, const struct window *w, int overlapped)
{
    struct box window = { w->left, w->top, w->left + w->width, w->top + w->height };
    double best = -1, worst = 1;

    for (size_t i = 0; i < n; i++) {
        struct box b = boxes[i];
        double x = (b.x0 + b.x1) / 2, y = (b.y0 + b.y1) / 2;
        double both = box_area(box_intersect(b, window));
        double overlap = both / (box_area(b) + box_area(window) - both);

        worst = fmin(worst, overlap);
        if (x > window.x0 && x < window.x1 && y > window.y0 && y < window.y1)
            best = fmax(best, overlap);
    }
    return overlapped == OVERLAP_ALL && best >= 0 ? worst : best;
}

static bool try_window(struct run *run, const struct params *p, struct window *w)
{
    int W = run->frame.width, H = run->frame.height;
    double ratio;

    w->width = (int)(W * rng_between(run->rng, p->min_scale, p->max_scale));
    w->height = (int)(H * rng_between(run->rng, p->min_scale, p->max_scale));
    if (w->width < 1 || w->height < 1)
        return false;
    ratio = (double)w->width / w->height;
    if (ratio < p->min_aspect_ratio || ratio > p->max_aspect_ratio)
        return false;
    w->left = (int)((W - w->width) * rng_unit(run->rng));
    w->top = (int)((H - w->height) * rng_unit(run->rng));
    return true;
}

/* Returns false if the image is to stay whole. */
static bool find_window(struct run *run, const struct box *boxes, size_t n, struct window *w)
{
    enum {
        ROUNDS = 1000
    }; /* if one of eight options is 1, the chance that all fail is about 10^-57 */
    const struct params *p = run->params;

    for (int round = 0; round < ROUNDS; round++) {
        double min_overlap = p->sampler_options.at[rng_integer(run->rng, 0, p->sampler_options.n)];

        if (min_overlap >= 1)
            return false;
        for (int i = 0; i < p->trials; i++) {
            double best;

            if (!try_window(run, p, w))
                continue;
            best = overlap_of(boxes, n, w, p->overlapped);
            if (best >= 0 && best >= min_overlap)
                return true;
        }
    }
    return false;
}

static void draw(struct run *run)
{
    const struct box *boxes;
    size_t n = boxes_of(run, &boxes);
    struct window w;

    if (!n || !find_window(run, boxes, n, &w))
        return;
    emit(run, "keep_centers", NUM("top", w.top), NUM("left", w.left), NUM("height", w.height),
         NUM("width", w.width));
    emit_crop(run, &w);
}

const struct transform RandomIoUCrop_transform = {
    .name = "RandomIoUCrop",
    .summary = "crop a window that overlaps an object enough; objects with their centre "
               "outside are dropped (torchvision keeps them, with boxes of 0); crowds are kept "
               "and do not count; an image without boxes stays whole",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .differs = "objects with their centre outside are dropped; torchvision keeps boxes of 0",
    .example = "{\"type\": \"RandomIoUCrop\", \"min_scale\": 0.5, \"sampler_options\": [0, 0.1, "
               "0.3]}",
    .emits = (const char *const[]){ "keep_centers", "crop", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
