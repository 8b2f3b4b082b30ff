/* warp_spans: pixels whose taps may be outside the source, one by one. */
#include "pixels/move/warp_spans.h"

void blend_careful(const struct warp *w, struct point p, void *to, size_t at)
{
    const struct plane *in = w->in;
    enum padding_mode border = w->fill->border;
    bool near = fabs(p.x) < 1e9 && fabs(p.y) < 1e9; /* also false for NaN */
    double left = floor(p.x), top = floor(p.y), fx = p.x - left, fy = p.y - top, inside = 0;
    double sum[4] = { 0 };

    if (border != PADDING_CONSTANT && !near) {
        take_outside(w, p, (unsigned char *)to + at / (size_t)in->channels * w->size);
        return;
    }
    if (border == PADDING_CONSTANT &&
        !(p.x > -1 && p.x < in->width && p.y > -1 && p.y < in->height)) {
        memcpy((unsigned char *)to + at / (size_t)in->channels * w->size, w->outside, w->size);
        return;
    }
    for (int tap = 0; tap < 4; tap++) {
        int x = border_index(border, left + (tap & 1), in->width);
        int y = border_index(border, top + (tap >> 1), in->height);
        double weight = (tap & 1 ? fx : 1 - fx) * (tap >> 1 ? fy : 1 - fy);

        if (x < 0 || y < 0)
            continue;
        inside += weight;
        for (int c = 0; c < in->channels; c++)
            sum[c] += weight * (double)sample_load(plane_row(in, y), in->type,
                                                   (size_t)x * (size_t)in->channels + (size_t)c);
    }
    for (int c = 0; c < in->channels; c++)
        sample_store(to, in->type, at + (size_t)c,
                     (float)(sum[c] + (1 - inside) * w->fill->channel[c]));
}

void warp_careful(const struct warp *w, enum interpolation interpolation, struct point p, int x,
                  int y)
{
    unsigned char *to = plane_row(w->out, y) + (size_t)x * w->size;

    if (interpolation != INTERPOLATION_NEAREST)
        blend_careful(w, p, plane_row(w->out, y), (size_t)x * (size_t)w->in->channels);
    else if (warp_inside(p, &w->limits))
        memcpy(to, plane_row(w->in, (int)p.y) + (size_t)p.x * w->size, w->size);
    else
        take_outside(w, p, to);
}

struct warp warp_begin(const struct plane *in, struct plane *out, enum interpolation interpolation,
                       const struct fill *fill)
{
    struct warp w = { .in = in,
                      .out = out,
                      .fill = fill,
                      .limits = { 0, in->width, in->height },
                      .size = pixel_type_size(in->type) * (size_t)in->channels };

    fill_bytes(fill, in->type, in->channels, w.outside);
    if (interpolation !=
        INTERPOLATION_NEAREST) /* less than the last center: no rounded position reaches it */
        w.limits = (struct limits){ -0.5, in->width - 1 - 1.0 / FINE, in->height - 1 - 1.0 / FINE };
    return w;
}
