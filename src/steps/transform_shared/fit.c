/* fit: fits images into a frame, for transforms that join images. */
#include "steps/transform.h"

const struct choice fit_choices[] = {
    { "cover", FIT_COVER, "scaled to fill the frame, and cropped at a random place" },
    { "contain", FIT_CONTAIN, "scaled to be completely visible, and centered" },
    { 0 },
};

void emit_fit(struct run *run, struct frame to, int fit_mode)
{
    double w = run->frame.width, h = run->frame.height, x = rng_unit(run->rng);
    double y = rng_unit(run->rng);
    bool by_height = (to.height * w <= to.width * h) == (fit_mode == FIT_CONTAIN);
    int width = by_height ? round_half_even(w * to.height / h) : to.width;
    int height = by_height ? to.height : round_half_even(h * to.width / w);

    if (fit_mode == FIT_CONTAIN) {
        if (height != run->frame.height || width != run->frame.width)
            emit_resize(run, height, width);
        if (height < to.height || width < to.width)
            emit_canvas(run, to, POSITION_CENTER);
        return;
    }
    width = width < to.width ? to.width : width;
    height = height < to.height ? to.height : height;
    if (height != run->frame.height || width != run->frame.width)
        emit_resize(run, height, width);
    if (height > to.height || width > to.width)
        emit_crop(run, &(struct window){ (int)(y * (height - to.height + 1)),
                                         (int)(x * (width - to.width + 1)), to.height, to.width });
}

void emit_borrowed(struct run *run, const struct run *own, const struct steps *donor_transforms,
                   size_t before)
{
    emit_like(run, own->channels, own->type);
    for (size_t i = 0; i < donor_transforms->n; i++)
        emit_step_again(run, donor_transforms, i, before);
}
