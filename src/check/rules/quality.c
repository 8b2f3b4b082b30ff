/* quality: rules about images with unusual sizes or pixels. All findings are information: an image
 * may be dark, or differ in size from the others. */
#include "batch/inspect/inspect.h"
#include "check/rule.h"

#include <math.h>
#include <stdlib.h>

enum { DARK, LIGHT, LITTLE, ASPECT, SIZE, GRAY, CONSTANT };

static const struct rule rules[] = {
    [DARK] = { "Q001", "dark", SEVERITY_INFO, FIX_NONE, "an image is nearly black",
               "It was taken at night, or exposed too little: 99 % of its pixels have a luma of at "
               "most 0.32 of white.",
               "Check whether the objects are visible." },
    [LIGHT] = { "Q002", "light", SEVERITY_INFO, FIX_NONE, "an image is nearly white",
                "It was exposed too much, or shows a page: 95 % of its pixels have a luma above "
                "0.95 of white.",
                "Check whether the objects are visible." },
    [LITTLE] = { "Q004", "low-information", SEVERITY_INFO, FIX_NONE, "an image shows very little",
                 "The histogram of its luma has an entropy of less than 3 bits: few levels have "
                 "nearly all pixels.",
                 "Check whether the image belongs to the dataset." },
    [ASPECT] = { "Q005", "odd-aspect-ratio", SEVERITY_INFO, FIX_NONE,
                 "an image is very wide or very tall",
                 "One side is less than 0.35 of the other: a panorama, or a strip of a page.",
                 "Check how it looks after a resize to the training size." },
    [SIZE] = { "Q006", "odd-size", SEVERITY_INFO, FIX_NONE,
               "an image is much larger or smaller than the others",
               "The root of its area is less than half or more than twice the median, and outside "
               "of the quartiles by more than three times their distance.",
               "Check where it comes from." },
    [GRAY] = { "Q007", "grayscale-among-colour", SEVERITY_INFO, FIX_NONE,
               "an image has no colour, but nearly all others do",
               "It was taken at night, or scanned; at least 90 % of the images have colours.",
               "Decide whether a model should learn from it." },
    [CONSTANT] = { "Q008", "constant", SEVERITY_INFO, FIX_NONE,
                   "all pixels of an image are the same",
                   "A camera failed, or a server sent an empty image in place of a missing one.",
                   "Put the image there, or remove it." },
    { 0 },
};

enum { FEW = 20 /* fewest images for statistics; fewer do not show what is usual */ };

static struct slice name_of(const struct element *e)
{
    return pick_again(e->text, "file_name");
}

static void check_pixels(struct check *c, const struct element *e, const struct image_measures *m)
{
    struct slice at = name_of(e);

    if (m->constant) {
        rule_report_plain(c, &rules[CONSTANT], e, "file_name", at,
                          "all pixels of the image are the same");
        return;
    }
    if (m->dark < 0.32 * 255)
        rule_report(c, &rules[DARK], e, "file_name", at,
                    "99 %% of the pixels have a luma of at most %d of 255", m->dark);
    if (m->light > 0.95 * 255)
        rule_report(c, &rules[LIGHT], e, "file_name", at,
                    "95 %% of the pixels have a luma of at least %d of 255", m->light);
    if (m->entropy < 3)
        rule_report(c, &rules[LITTLE], e, "file_name", at,
                    "the histogram of luma has an entropy of %.1f bits", m->entropy);
}

static void check_aspect(struct check *c, const struct element *e, struct frame f)
{
    int shorter = f.width < f.height ? f.width : f.height;
    int longer = f.width < f.height ? f.height : f.width;

    if (shorter < 0.35 * longer)
        rule_report(c, &rules[ASPECT], e, "file_name", name_of(e), "the image is %d x %d", f.width,
                    f.height);
}

/* --- comparison with other images --- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double length_of(struct frame f)
{
    return sqrt((double)f.width * f.height);
}

static void check_sizes(struct check *c, const struct annotation_file *file)
{
    const struct inspected_file *images = file->inspection->images;
    double *length = memory_take((file->n_images + 1) * sizeof *length);
    double first = 0, median = 0, third = 0, reach;
    size_t n = 0;

    for (size_t i = 0; i < file->n_images; i++)
        if (images[i].has_header)
            length[n++] = length_of(images[i].header.frame);
    if (n >= FEW) {
        qsort(length, n, sizeof *length, by_value);
        first = length[n / 4];
        median = length[n / 2];
        third = length[n * 3 / 4];
    }
    free(length);
    reach = 3 * (third - first);
    for (size_t i = 0; n >= FEW && i < file->n_images; i++) {
        double own = images[i].has_header ? length_of(images[i].header.frame) : median;
        struct element e = element_of_image(file, i);

        if ((own < first - reach && own < median / 2) || (own > third + reach && own > median * 2))
            rule_report(c, &rules[SIZE], &e, "file_name", name_of(&e),
                        "the image is %d x %d; half of the images have %.0f to %.0f pixels a side",
                        images[i].header.frame.width, images[i].header.frame.height, first, third);
    }
}

static bool is_gray(const struct inspected_file *image)
{
    return image->header.channels < 3 || (image->has_pixels && image->pixels.gray);
}

static void check_gray(struct check *c, const struct annotation_file *file)
{
    const struct inspected_file *images = file->inspection->images;
    size_t n = 0, gray = 0;

    for (size_t i = 0; i < file->n_images; i++) {
        n += images[i].has_header;
        gray += images[i].has_header && is_gray(&images[i]);
    }
    for (size_t i = 0; n >= FEW && gray * 10 <= n && i < file->n_images; i++) {
        struct element e = element_of_image(file, i);

        if (images[i].has_header && is_gray(&images[i]))
            rule_report(c, &rules[GRAY], &e, "file_name", name_of(&e),
                        "the image is gray, as %zu of %zu are", gray, n);
    }
}

static void check_all(struct check *c)
{
    for (size_t i = 0; i < c->n_files; i++) {
        const struct annotation_file *file = &c->files[i];

        for (size_t k = 0; file->inspection && k < file->n_images; k++) {
            const struct inspected_file *image = &file->inspection->images[k];
            struct element e = element_of_image(file, k);

            if (image->has_header)
                check_aspect(c, &e, image->header.frame);
            if (image->has_pixels)
                check_pixels(c, &e, &image->pixels);
        }
        if (file->inspection) {
            check_sizes(c, file);
            check_gray(c, file);
        }
    }
}

const struct rule_family quality_family = {
    .title = "quality",
    .rules = rules,
    .all = check_all,
};
