/* ImageCompression: artifacts of compression of random quality. */
#include "steps/transform.h"

enum { COMPRESSION_JPEG, COMPRESSION_WEBP };

static const struct choice compression_choices[] = {
    { "jpeg", COMPRESSION_JPEG, "JPEG with chroma at half size along both axes" },
    { "webp", COMPRESSION_WEBP, "a lossy WebP; sides of at most 16383 pixels" },
    { 0 },
};

struct params {
    int compression_type;
    struct list quality_range;
};

static const struct row rows[] = {
    CHOICE(struct params, compression_type, .preset = "\"jpeg\"", .choices = compression_choices,
           .help = "the format"),
    QUALITY_ROW(struct params, quality_range, .preset = "[99, 100]"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return ordered_check(&p->quality_range, "quality_range", step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit(run, p->compression_type == COMPRESSION_WEBP ? "webp" : "jpeg",
         NUM("quality", draw_whole(run, &p->quality_range)));
}

const struct transform ImageCompression_transform = {
    .name = "ImageCompression",
    .summary = "compress with random loss of quality with probability `p`",
    .group = GROUP_NOISE,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"ImageCompression\", \"quality_range\": [10, 60]}",
    .emits = (const char *const[]){ "jpeg", "webp", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
