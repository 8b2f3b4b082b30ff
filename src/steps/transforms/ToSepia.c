/* ToSepia: the brown of old photographs with probability p. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    static const double red[] = { 0.393, 0.769, 0.189 }, green[] = { 0.349, 0.686, 0.168 },
                        blue[] = { 0.272, 0.534, 0.131 };

    emit(run, "color_matrix", NUMS("red", 3, red), NUMS("green", 3, green), NUMS("blue", 3, blue));
}

const struct transform ToSepia_transform = {
    .name = "ToSepia",
    .summary = "give the image the brown of old photographs with probability `p`; gray images "
               "are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"ToSepia\", \"p\": 0.5}",
    .emits = (const char *const[]){ "color_matrix", NULL },
    .chance = 0.5,
    .draw = draw,
};
