/* jpeg_block: the smallest group of blocks of a JPEG that can be moved without decoding. */
#include "pixels/codec/jpeg_block.h"

static int common_divisor(int a, int b)
{
    return b ? common_divisor(b, a % b) : a;
}

struct frame jpeg_block(const struct jpeg_decompress_struct *jpeg)
{
    int across = 0, down = 0;

    if (jpeg->data_precision != 8 ||
        (jpeg->jpeg_color_space != JCS_GRAYSCALE && jpeg->jpeg_color_space != JCS_YCbCr &&
         jpeg->jpeg_color_space != JCS_RGB))
        return (struct frame){ 0, 0 };
    for (int c = 0; c < jpeg->num_components; c++) {
        across = common_divisor(jpeg->comp_info[c].h_samp_factor, across);
        down = common_divisor(jpeg->comp_info[c].v_samp_factor, down);
    }
    return (struct frame){ DCTSIZE * jpeg->max_h_samp_factor / across,
                           DCTSIZE * jpeg->max_v_samp_factor / down };
}
