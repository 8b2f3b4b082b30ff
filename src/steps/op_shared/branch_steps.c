/* branch_steps: expansions that several compound ops share. */
#include "steps/op_shared/branch_steps.h"

void emit_five_crop(struct run *run, struct frame in, struct frame out, int branch)
{
    int right = in.width - out.width, bottom = in.height - out.height;
    const int at[FIVE_CROPS][2] = { { 0, 0 },
                                    { right, 0 },
                                    { 0, bottom },
                                    { right, bottom },
                                    { center_crop_begin(in.width, out.width),
                                      center_crop_begin(in.height, out.height) } };

    if (right < 0 || bottom < 0)
        emit_refuse(run, "the image is %dx%d, smaller than the crops of %dx%d", in.width, in.height,
                    out.width, out.height);
    else
        emit(run, "crop", NUM("top", at[branch][1]), NUM("left", at[branch][0]),
             NUM("height", out.height), NUM("width", out.width));
}
