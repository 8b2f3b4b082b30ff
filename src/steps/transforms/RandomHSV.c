/* RandomHSV: shifts the hue, and scales saturation and value at random, as YOLO trainers do. */
#include "steps/transform.h"

struct params {
    double hgain, sgain, vgain;
};

static const struct row rows[] = {
    NUMBER(struct params, hgain, .preset = "0.5", .limit = { 0, 1 }, .usual = { 0, 0.1 },
           .help = "maximum shift of the hue in either direction, as a share of the colour circle "
                   "(YOLOv5, and Ultralytics up to 8.3.78, multiplied the hue)"),
    NUMBER(struct params, sgain, .preset = "0.5", .limit = { 0, 1 },
           .help = "the saturation is multiplied by 1 - sgain to 1 + sgain; gray pixels stay gray"),
    NUMBER(struct params, vgain, .preset = "0.5", .limit = { 0, 1 },
           .help = "the value, the largest of a pixel's colours, is multiplied by 1 - vgain to 1 + "
                   "vgain"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double hue = rng_between(run->rng, -p->hgain, p->hgain);
    double sat = rng_between(run->rng, -p->sgain, p->sgain);
    double val = rng_between(run->rng, -p->vgain, p->vgain);

    emit(run, "shift_hsv", NUM("hue_shift", 360 * hue), NUM("sat_factor", 1 + sat),
         NUM("val_factor", 1 + val));
}

const struct transform RandomHSV_transform = {
    .name = "RandomHSV",
    .summary = "shift the hue and scale saturation and value at random, within gains",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_YOLO,
    .example = "{\"type\": \"RandomHSV\", \"hgain\": 0.015, \"sgain\": 0.7, \"vgain\": 0.4}",
    .emits = (const char *const[]){ "shift_hsv", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
