/* canvas: the position of an image on a larger canvas. */
#include "steps/transform.h"

const struct choice position_choices[] = {
    { "center", POSITION_CENTER, "in the middle" },
    { "top_left", POSITION_TOP_LEFT, "the border is added at the bottom and on the right" },
    { "top_right", POSITION_TOP_RIGHT, "the border is added at the bottom and on the left" },
    { "bottom_left", POSITION_BOTTOM_LEFT, "the border is added at the top and on the right" },
    { "bottom_right", POSITION_BOTTOM_RIGHT, "the border is added at the top and on the left" },
    { "random", POSITION_RANDOM, "at a random place, all with equal probability" },
    { 0 },
};

void emit_canvas(struct run *run, struct frame to, int position)
{
    int x = to.width > run->frame.width ? to.width - run->frame.width : 0;
    int y = to.height > run->frame.height ? to.height - run->frame.height : 0;
    int left = x / 2, top = y / 2;

    if (position == POSITION_RANDOM) {
        top = (int)rng_integer(run->rng, 0, y + 1);
        left = (int)rng_integer(run->rng, 0, x + 1);
    } else if (position != POSITION_CENTER) {
        bool right = position == POSITION_TOP_RIGHT || position == POSITION_BOTTOM_RIGHT;
        bool bottom = position == POSITION_BOTTOM_LEFT || position == POSITION_BOTTOM_RIGHT;

        left = right ? x : 0;
        top = bottom ? y : 0;
    }
    if (x || y)
        emit_shared(run, "pad", NUMS("padding", 4, ((double[]){ left, top, x - left, y - top })));
}
