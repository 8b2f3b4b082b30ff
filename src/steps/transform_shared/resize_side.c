/* resize_side: resizing, also by one side (LongestMaxSize and SmallestMaxSize). */
#include "steps/transform.h"

void emit_resize(struct run *run, int height, int width)
{
    emit_shared(run, "resize", PAIR("size", height < 1 ? 1 : height, width < 1 ? 1 : width),
                NONE("max_size"));
}

const struct choice rounding_choices[] = {
    { "down", ROUNDING_DOWN, "down, as torchvision does" },
    { "half_up", ROUNDING_HALF_UP, "to the nearest, halves up, as MMDetection and detectron2 do" },
    { "half_even", ROUNDING_HALF_EVEN,
      "to the nearest, halves to the even one, as Albumentations does" },
    { "up", ROUNDING_UP, "up, as YOLO trainers do" },
    { 0 },
};

int rounded_side(double length, int rounding)
{
    length = fmin(length, 1e9);
    if (rounding == ROUNDING_HALF_EVEN)
        return round_half_even(length);
    if (rounding == ROUNDING_UP)
        return (int)ceil(length);
    return (int)floor(rounding == ROUNDING_HALF_UP ? length + 0.5 : length);
}

const struct row side_rows[] = {
    OPTIONAL_LIST(struct side_params, max_size, .preset = "null", .least = 1, .most = 16,
                  .whole = true, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 140 },
                  .help = "new length of the side; one of a list is drawn with equal probability"),
    OPTIONAL_LIST(struct side_params, max_size_hw, .preset = "null", .least = 2, .most = 2,
                  .whole = true, .unit = "pixels", .limit = { 0, 65500 }, .usual = { 24, 140 },
                  .help = "alternative to `max_size`: bounds [height, width]; 0: no bound "
                          "(Albumentations' None)"),
    ROUNDING_ROW(struct side_params, "\"half_even\""),
    RESIZE_ROWS(struct side_params),
    ROWS_END,
};

bool side_check(const void *params, const struct value *step, struct faults *faults)
{
    const struct side_params *p = params;
    const double *hw = p->max_size_hw.list.at;

    if (p->max_size.given && p->max_size_hw.given)
        return value_fault(faults, value_get(step, "max_size_hw"), true, "param-conflict",
                           "cannot be combined with \"max_size\"");
    if (!p->max_size.given && !p->max_size_hw.given)
        return value_fault(faults, step, false, "param-missing",
                           "give \"max_size\" or \"max_size_hw\"");
    if (p->max_size_hw.given && hw[0] == 0 && hw[1] == 0)
        return value_fault(faults, value_get(step, "max_size_hw"), false, "param-range",
                           "at least one of the two must not be 0");
    return true;
}

void side_draw(struct run *run, bool longest)
{
    const struct side_params *p = run->params;
    double w = run->frame.width, h = run->frame.height;
    double to_h = p->max_size_hw.list.at[0], to_w = p->max_size_hw.list.at[1];
    bool by_height;

    if (p->max_size.given)
        to_h = to_w = p->max_size.list.at[rng_integer(run->rng, 0, p->max_size.list.n)];
    /* The smaller of the two scales, to_h / h and to_w / w, is the one that fits. */
    by_height = to_w == 0 || (to_h != 0 && (to_h * w <= to_w * h) == longest);
    emit_resize(run, rounded_side(by_height ? to_h : h * to_w / w, p->rounding),
                rounded_side(by_height ? w * to_h / h : to_w, p->rounding));
}
