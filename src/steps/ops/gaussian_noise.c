/* gaussian_noise: adds normal noise to each color of each pixel. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/noise.h"

struct params {
    double mean, sigma;
    bool clip, per_channel;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, mean, .preset = "0", .limit = { -1, 1 }, .usual = { -0.1, 0.1 },
           .help = "mean of the noise; 1 is the full range"),
    NUMBER(struct params, sigma, .preset = "0.1", .limit = { 0, 10 }, .usual = { 0, 0.3 },
           .help = "standard deviation of the noise; 1 is the full range"),
    FLAG(struct params, clip, .preset = "true",
         .help = "clamp to the range; false: values wrap around to its other end"),
    FLAG(struct params, per_channel, .preset = "true",
         .help = "different noise in each channel; false: the same in all channels (gray noise)"),
    KEY_ROW(struct params),
    ROWS_END,
};

/* On the 0..255 scale. */
struct context {
    float mean, sigma;
    float range, half; /* of all levels, and of one level; range 0: no wrapping around */
    uint32_t key;
    bool per_channel;
};

static void add(const struct context *c, const float *normal, float *restrict v, int n)
{
    for (int i = 0; i < n; i++) {
        v[i] += c->mean + c->sigma * normal[i];
        if (c->range > 0)
            v[i] -= c->range * floorf((v[i] + c->half) / c->range);
    }
}

static void add_noise(const void *context, int x, int y, float *restrict r, float *restrict g,
                      float *restrict b, int n)
{
    const struct context *c = context;
    struct noise noise;
    float normal[4][PLACE_PIECE];

    noise_words(c->key, 0, x, y, n, &noise);
    noise_normals(noise.word[0], noise.word[1], n, normal[0], normal[1]);
    noise_normals(noise.word[2], noise.word[3], n, normal[2], normal[3]);
    add(c, normal[0], r, n);
    add(c, normal[c->per_channel ? 1 : 0], g, n);
    add(c, normal[c->per_channel ? 2 : 0], b, n);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);
    double unit = pixel_type_unit(scene->type);

    *c = (struct context){ .mean = (float)(255 * p->mean),
                           .sigma = (float)(255 * p->sigma),
                           .range = p->clip ? 0 : (float)(scene_levels(scene) / unit),
                           .half = (float)(0.5 / unit),
                           .key = (uint32_t)p->key,
                           .per_channel = p->per_channel };
    if (p->mean != 0 || p->sigma != 0)
        action_colours_at(scene, out, add_noise, c);
    return true;
}

const struct op gaussian_noise_op = {
    .name = "gaussian_noise",
    .summary = "add normal noise",
    .group = GROUP_NOISE,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"gaussian_noise\", \"sigma\": 0.1, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
