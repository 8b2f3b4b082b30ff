/* make_samples: writes the samples: painted scenes, label masks and a COCO file.
 *
 * Usage: make_samples FOLDER. Equal bytes on every run. Nothing of lockstep is used, so that the
 * labels are independent of the code they test. */
#include "dataset.h"
#include "scenes.h"

#include <vips/vips.h>

#include <stdio.h>
#include <sys/stat.h>

static const struct {
    struct scene (*paint)(void);
    struct record record;
} sample[] = {
    { street_houses, { "street/0001.jpg", 139, 1, JPEG, 88, NULL } },
    { street_crossing,
      { "street/0002.jpg", 785, 4, JPEG, 88, "\"extra\": {\"name\": \"crossing\"}" } },
    { street_night, { "street/0003.png", 802, 1, PNG, 0, "\"weather\": \"wet\", \"hour\": 22.5" } },
    { harbour_bay, { "harbour/0001.jpg", 7, 1, JPEG, 88, NULL } },
    { harbour_sunset, { "harbour/0002.webp", 1000, 1, WEBP, 88, NULL } },
    { harbour_rowing, { "harbour/0003.tif", 1001, 4, TIFF, 0, NULL } },
    { desk_work, { "desk/0001.jpg", 397133, 1, JPEG, 90, "\"flickr_url\": \"\"" } },
    { desk_cutout, { "desk/0002.png", 397327, 1, PNG_ALPHA, 0, NULL } },
    { fruit_table, { "fruit/0001.jpg", 37777, 1, JPEG, 88, NULL } },
    { fruit_apples, { "fruit/0002.png", 37778, 1, PNG_16, 0, "\"bits\": 16" } },
    { hills_flock, { "hills/0001.jpg", 52, 1, JPEG_GRAY, 88, NULL } },
    { hills_mist, { "hills/0002.png", 53, 1, PNG_GRAY_16, 0, "\"bits\": 16" } },
    { hills_wires, { "hills/0003.png", 61, 4, PNG_GRAY, 0, NULL } },
    { park_lawn, { "park/0001.jpg", 500000000001, 1, JPEG, 88, NULL } },
    { park_portrait,
      { "park/0002.jpg", 500000000002, 1, JPEG_ROTATED, 88, "\"neg_category_ids\": [3, 7]" } },
};

int main(int argc, char **argv)
{
    struct dataset *d;

    if (argc != 2) {
        fprintf(stderr, "usage: make_samples FOLDER\n");
        return 2;
    }
    if (VIPS_INIT(argv[0]))
        vips_error_exit(NULL);
    vips_concurrency_set(1);
    mkdir(argv[1], 0777);
    d = dataset_new(argv[1]);
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
        struct scene s = sample[i].paint();

        dataset_add(d, &sample[i].record, &s);
        scene_drop(&s);
    }
    dataset_end(d);
    vips_shutdown();
    return 0;
}
