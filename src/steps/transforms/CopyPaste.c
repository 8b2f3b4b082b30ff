/* CopyPaste: pastes some objects of another image over the image (Ghiasi et al. 2021). */
#include "steps/transform.h"

#include <string.h>

enum paste_by { PASTE_BY_OBJECT, PASTE_BY_CATEGORY };
static const struct choice paste_by_choices[] = {
    { "object", PASTE_BY_OBJECT, "all objects have equal probability" },
    { "category", PASTE_BY_CATEGORY,
      "all categories present have equal probability, and then all objects of the category" },
    { 0 },
};

struct params {
    int max_num_pasted;
    struct list scale_range;
    struct names categories;
    int paste_by;
    bool paste_by_box;
    struct donors donors;
    struct steps donor_transforms;
    int blending, labels, interpolation;
    bool antialias;
};

static const struct row rows[] = {
    INTEGER(struct params, max_num_pasted, .preset = "100", .limit = { 1, 10000 },
            .usual = { 1, 5 },
            .help = "maximum number of pasted objects; the number is drawn from 0 to this, or "
                    "to the number of objects, with equal probability"),
    LIST(struct params, scale_range, .ends = true, .preset = "[1, 1]", .least = 2, .most = 2,
         .limit = { 0.01, 100 }, .usual = { 0.5, 1.5 },
         .help = "range of the other image's scale: 1 is the largest at which it fits "
                 "completely. At other scales, its position is random; see `donor_transforms` "
                 "for flips"),
    NAMES(struct params, categories, .preset = "null",
          .help = "categories of the objects that are pasted; null: all"),
    CHOICE(struct params, paste_by, .preset = "\"object\"", .choices = paste_by_choices,
           .help = "how objects are drawn"),
    FLAG(struct params, paste_by_box, .preset = "false",
         .help = "also paste objects without segmentation, with their whole box"),
    BLENDING_ROW(struct params, "\"none\""),
    HIDDEN_ROW(struct params),
    DONOR_ROWS(struct params),
    RESIZE_ROWS(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return ordered_check(&p->scale_range, "scale_range", step, faults);
}

/* --- placement of the other image --- */

struct place {
    double scale, x, y; /* x, y: position as a share of the room to move */
};

static int side_of(double length)
{
    return length < 1 ? 1 : length > 65500 ? 65500 : round_half_even(length);
}

/* Returns where the image begins on the canvas; sets `cut` to where its visible part begins. */
static int begin_of(double share, int length, int canvas, int *cut)
{
    int room = length > canvas ? length - canvas : canvas - length;
    int begin = (int)(share * (room + 1));

    *cut = length > canvas ? begin : 0;
    return length > canvas ? 0 : begin;
}

static void place(struct run *run, const struct paste_settings *pasting, struct input *input)
{
    const struct place *at = pasting->context;
    struct frame to = pasting->own->frame;
    double w = run->frame.width, h = run->frame.height;
    double scale = fmin(to.width / w, to.height / h) * at->scale;
    int width = side_of(w * scale), height = side_of(h * scale);
    struct window window;

    if (width != run->frame.width || height != run->frame.height)
        emit_resize(run, height, width);
    input->left = begin_of(at->x, width, to.width, &window.left);
    input->top = begin_of(at->y, height, to.height, &window.top);
    window.width = width < to.width ? width : to.width;
    window.height = height < to.height ? height : to.height;
    if (window.width < width || window.height < height)
        emit_crop(run, &window);
}

/* --- the choice of objects --- */

static bool same_category(const struct kept_object *a, const struct kept_object *b)
{
    return a->category && b->category ? strcmp(a->category, b->category) == 0
                                      : a->category == b->category;
}

/* True for the first remaining object of its category, which represents it. */
static bool is_first_left(const struct pasteable *all, const bool *chosen, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!chosen[k] && same_category(all->at[k], all->at[i]))
            return false;
    return !chosen[i];
}

/* Draws one of the n objects that are not yet chosen: of a category, or of any if it is NULL. */
static size_t draw_left(struct run *run, const struct pasteable *all, const bool *chosen, size_t n,
                        const struct kept_object *category)
{
    size_t skip = (size_t)rng_integer(run->rng, 0, (int64_t)n), i = 0;

    for (;; i++)
        if (!chosen[i] && (!category || same_category(all->at[i], category)) && !skip--)
            return i;
}

static size_t draw_by_category(struct run *run, const struct pasteable *all, const bool *chosen)
{
    size_t categories = 0, n = 0, skip, i = 0;

    for (size_t k = 0; k < all->n; k++)
        categories += is_first_left(all, chosen, k);
    skip = (size_t)rng_integer(run->rng, 0, (int64_t)categories);
    while (!is_first_left(all, chosen, i) || skip--)
        i++;
    for (size_t k = 0; k < all->n; k++)
        n += !chosen[k] && same_category(all->at[k], all->at[i]);
    return draw_left(run, all, chosen, n, all->at[i]);
}

static void choose(struct run *run, const struct paste_settings *pasting,
                   const struct pasteable *all, bool *chosen)
{
    const struct params *p = pasting->own->params;
    size_t max = all->n < (size_t)p->max_num_pasted ? all->n : (size_t)p->max_num_pasted;
    size_t n = (size_t)rng_integer(run->rng, 0, (int64_t)max + 1);

    for (size_t i = 0; i < n; i++)
        chosen[p->paste_by == PASTE_BY_CATEGORY ? draw_by_category(run, all, chosen)
                                                : draw_left(run, all, chosen, all->n - i, NULL)] =
            true;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct place at;
    struct paste_settings pasting = { .own = run,
                                      .donors = &p->donors,
                                      .donor_transforms = &p->donor_transforms,
                                      .categories = p->categories,
                                      .by_box = p->paste_by_box,
                                      .blending = p->blending,
                                      .labels = p->labels,
                                      .place = place,
                                      .choose = choose,
                                      .context = &at };

    at.scale = rng_between(run->rng, p->scale_range.at[0], p->scale_range.at[1]);
    at.x = rng_unit(run->rng);
    at.y = rng_unit(run->rng);
    emit_pasted(run, &pasting);
}

const struct transform CopyPaste_transform = {
    .name = "CopyPaste",
    .summary = "paste some objects of another image onto the image, with their labels",
    .group = GROUP_JOIN,
    .origin = ORIGIN_MMDETECTION,
    .differs = "the other image comes from the dataset and is scaled proportionally; hidden "
               "objects are dropped by the pipeline's rules such as `min_visibility`, not by "
               "`bbox_occluded_thr` and `mask_occluded_thr`; crowds are not pasted",
    .example = "{\"type\": \"CopyPaste\", \"max_num_pasted\": 3, \"scale_range\": [0.5, 1.5]}",
    .emits = (const char *const[]){ "join", "grayscale_to_rgb", "rgb_to_grayscale", "to_dtype",
                                    "resize", "crop", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .images = two_images,
    .check = check,
    .draw = draw,
};
