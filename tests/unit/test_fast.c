/* test_fast: mode fast stays within the stated bounds of its shortcuts. Tests pipelines that once
 * exceeded them, and searches the whole ranges of parameters. `make search-fast` searches for
 * longer, and on more pictures. */
#include "fast_search.h"

enum { TRIALS = 900 };

/* Causes: a shrink that is enlarged later; gains that add up; colors at the ends of their range;
 * patterns with the distance of samples; chroma between pixels. */
static const char *const once_broken[] = {
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 2}",
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 3}",
    "{\"type\": \"adjust_brightness\", \"brightness_factor\": 1.4},"
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 1.4}",
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 1.4},"
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 1.4},"
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 1.4}",
    "{\"type\": \"adjust_brightness\", \"brightness_factor\": 1.2}",
    "{\"type\": \"adjust_brightness\", \"brightness_factor\": 1.4},"
    "{\"type\": \"adjust_brightness\", \"brightness_factor\": 0.7}",
    "{\"type\": \"resize\", \"size\": 30}, {\"type\": \"resize\", \"size\": 120}",
    "{\"type\": \"affine\", \"scale\": 0.2, \"interpolation\": \"bilinear\"},"
    "{\"type\": \"affine\", \"scale\": 5, \"interpolation\": \"bilinear\"}",
    "{\"type\": \"affine\", \"scale\": 0.2}, {\"type\": \"affine\", \"scale\": 5}",
    "{\"type\": \"rotate\", \"angle\": 3, \"interpolation\": \"bilinear\"},"
    "{\"type\": \"rotate\", \"angle\": -3, \"interpolation\": \"bilinear\"},"
    "{\"type\": \"rotate\", \"angle\": 5, \"interpolation\": \"bilinear\"},"
    "{\"type\": \"rotate\", \"angle\": -5, \"interpolation\": \"bilinear\"}",
    "{\"type\": \"rotate\", \"angle\": 10},"
    "{\"type\": \"resized_crop\", \"top\": 20, \"left\": 30, \"height\": 60, \"width\": 60,"
    " \"size\": 480}",
    "{\"type\": \"rotate\", \"angle\": 145, \"interpolation\": \"bilinear\"},"
    "{\"type\": \"resize\", \"size\": [25, 26]}",
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 8},"
    "{\"type\": \"resize\", \"size\": [18, 57]}",
    "{\"type\": \"adjust_saturation\", \"saturation_factor\": 5.6}, {\"type\": "
    "\"horizontal_flip\"},"
    "{\"type\": \"adjust_saturation\", \"saturation_factor\": 0.2}",
    "{\"type\": \"pad\", \"padding\": [35, 10, 6, 19], \"fill\": 200},"
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 0.1}",
    "{\"type\": \"crop\", \"top\": 40, \"left\": 23, \"height\": 73, \"width\": 50}",
    "{\"type\": \"permute_channels\", \"permutation\": [1, 2, 0]},"
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 0.4}",
    "{\"type\": \"resize\", \"size\": [8, 8]},"
    "{\"type\": \"resize\", \"size\": [250, 113], \"interpolation\": \"lanczos\"}",
    "{\"type\": \"resize\", \"size\": [30, 40]}",
    "{\"type\": \"rotate\", \"angle\": 20}, {\"type\": \"adjust_contrast\", \"contrast_factor\": "
    "0.5}",
    /* pixels skipped by one filter, then seen by another */
    "{\"type\": \"equalize\"},"
    "{\"type\": \"resize\", \"size\": [352, 479], \"antialias\": false}, {\"type\": \"transpose\"},"
    "{\"type\": \"resize\", \"size\": [36, 67], \"interpolation\": \"lanczos\", \"antialias\": "
    "false}",
    "{\"type\": \"resize\", \"size\": [390, 467], \"antialias\": false}, {\"type\": \"transpose\"},"
    "{\"type\": \"resize\", \"size\": [33, 67], \"interpolation\": \"lanczos\", \"antialias\": "
    "false}",
    "{\"type\": \"rotate\", \"angle\": 120.164, \"interpolation\": \"bilinear\", \"fill\": [185, "
    "206, 253]},"
    "{\"type\": \"resized_crop\", \"top\": 30, \"left\": 45, \"height\": 57, \"width\": 62,"
    " \"size\": [20, 256], \"antialias\": false}",
    "{\"type\": \"resize\", \"size\": [59, 11], \"interpolation\": \"bicubic\", \"antialias\": "
    "false},"
    "{\"type\": \"horizontal_flip\"}, {\"type\": \"resize\", \"size\": [52, 17]},"
    "{\"type\": \"resize\", \"size\": [95, 51], \"interpolation\": \"bicubic\"}",
    /* a filter along the rows of a canvas that is turned later */
    "{\"type\": \"horizontal_flip\"}, {\"type\": \"resize\", \"size\": [275, 103]},"
    "{\"type\": \"affine\", \"angle\": -16.1645, \"translate\": [-17.3876, 11.3634], \"scale\": "
    "0.89481,"
    " \"shear\": [-4.1609, 0], \"interpolation\": \"bilinear\", \"fill\": [57, 34, 206]}",
    /* two that shrink */
    "{\"type\": \"resize\", \"size\": [205, 74]}, {\"type\": \"resize\", \"size\": [35, 56]}",
    "{\"type\": \"resize\", \"size\": [312, 386], \"antialias\": false},"
    "{\"type\": \"resize\", \"size\": [205, 73]}, {\"type\": \"resize\", \"size\": [35, 57]},"
    "{\"type\": \"adjust_brightness\", \"brightness_factor\": 1.1014}",
    /* a small canvas that mostly shows its border; axes of colors that turn */
    "{\"type\": \"resized_crop\", \"top\": 38, \"left\": 21, \"height\": 90, \"width\": 25,"
    " \"size\": [141, 17]}, {\"type\": \"adjust_brightness\", \"brightness_factor\": 2.2924}",
    "{\"type\": \"horizontal_flip\"}, {\"type\": \"resize\", \"size\": [26, 36], "
    "\"interpolation\": \"lanczos\"},"
    "{\"type\": \"fancy_pca\", \"alpha\": [0.6259, 0.5014, 0.0388]}",
    /* a filter that shrinks by little */
    "{\"type\": \"affine\", \"angle\": -106.8998, \"translate\": [59.6, -48.8], \"scale\": 2.42828,"
    " \"shear\": [29.7831, 39.1039], \"fill\": [241, 79, 85]},"
    "{\"type\": \"adjust_gamma\", \"gamma\": 1.1449},"
    "{\"type\": \"crop\", \"top\": -2, \"left\": 38, \"height\": 153, \"width\": 50},"
    "{\"type\": \"resize\", \"size\": [133, 55]}",
    /* colours that leave their range at edges of a sharp filter; wide borders; means */
    "{\"type\": \"resize\", \"size\": [151, 34], \"interpolation\": \"lanczos\"},"
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 1.4}",
    "{\"type\": \"resize\", \"size\": [31, 34], \"interpolation\": \"lanczos\"},"
    "{\"type\": \"adjust_brightness\", \"brightness_factor\": 1.3999}",
    "{\"type\": \"resize\", \"size\": [22, 79]}, {\"type\": \"affine\", \"angle\": -126.1164,"
    " \"translate\": [13.1538, -48.1646], \"scale\": 5.26054, \"interpolation\": \"bilinear\","
    " \"fill\": [18, 71, 6]}",
    "{\"type\": \"transpose\"}, {\"type\": \"equalize\"}, {\"type\": \"resize\", \"size\": [408, "
    "122]},"
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 1.9086}",
    /* all is fill, and chroma's window is empty */
    "{\"type\": \"resize\", \"size\": [27, 78], \"interpolation\": \"bicubic\"},"
    "{\"type\": \"resized_crop\", \"top\": 44, \"left\": 32, \"height\": 99, \"width\": 71,"
    " \"size\": [48, 20], \"interpolation\": \"bicubic\"}",
    /* gains of ops in a row, where neighbours differ in colour */
    "{\"type\": \"adjust_brightness\", \"brightness_factor\": 1.4844},"
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 1.1691}",
    "{\"type\": \"crop\", \"top\": 24, \"left\": 38, \"height\": 31, \"width\": 32},"
    "{\"type\": \"adjust_brightness\", \"brightness_factor\": 1.4844},"
    "{\"type\": \"adjust_contrast\", \"contrast_factor\": 1.1691}",
    /* coarse chroma that becomes luma */
    "{\"type\": \"adjust_saturation\", \"saturation_factor\": 1.3993},"
    "{\"type\": \"adjust_saturation\", \"saturation_factor\": 1.2407},"
    "{\"type\": \"permute_channels\", \"permutation\": [1, 2, 0]}, {\"type\": \"horizontal_flip\"}",
};

static void test_once_broken(void)
{
    double max_excess = 0;
    unsigned used = 0;

    CHECK(n_pictures == DRAWN_PICTURES + 2);
    for (size_t i = 0; i < COUNTOF(once_broken); i++)
        for (int k = 0; k < n_pictures; k++)
            for (int medium = 0; medium < MEDIA; medium++) {
                struct fast_result r =
                    case_measure(once_broken[i], &picture[k], (enum medium)medium);

                used |= r.used;
                max_excess = fmax(max_excess, r.used ? r.excess : 0);
                if (!CHECK(r.measured) || !CHECK(r.mask_off == 0) ||
                    !CHECK(r.used ? r.excess <= 1 : r.fast_none == 0))
                    fprintf(stderr, "    %.2f of what is allowed, %d mask pixels off; %s, %s: %s\n",
                            r.excess, r.mask_off, media[medium], picture[k].name, once_broken[i]);
            }
    CHECK(used == (1U << SHORTCUTS) - 1);
    printf("# %zu pipelines that once broke a bound: %.2f of what is allowed at the most\n",
           COUNTOF(once_broken), max_excess);
}

static void test_search(void)
{
    search(TRIALS);
    for (int i = 0; i < SHORTCUTS; i++) {
        printf("# %-15s %3ld of %d pipelines, %.2f of what is allowed at the most\n",
               shortcuts[i].name, measured[i], TRIALS, worst[i][0].result.excess);
        CHECK(measured[i] > 10 || i == SHORTCUT_DECODER_SCALE); /* few are so much smaller */
    }
    CHECK(broken == 0);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_once_broken),
        TEST(test_search),
    };
    int status;

    picture = calloc(DRAWN_PICTURES + 2, sizeof *picture);
    for (int i = 0; i < DRAWN_PICTURES; i++)
        picture[n_pictures++] = case_drawn(i);
    n_pictures += case_picture_of_file("tests/golden/img/in_photo_a.png", &picture[n_pictures]);
    n_pictures += case_picture_of_file("tests/golden/img/in_photo_b.png", &picture[n_pictures]);
    status = unit_main(tests, COUNTOF(tests));
    for (int i = 0; i < n_pictures; i++)
        case_picture_drop(&picture[i]);
    free(picture);
    pool_drop(&pool);
    arena_drop(&arena);
    return status;
}
