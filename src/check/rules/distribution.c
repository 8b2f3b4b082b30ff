/* distribution: rules about how annotations are spread over images and categories. */
#include "check/rule.h"

enum { FEW, IMBALANCE, ONE_LABEL, NO_ANNOTATION, NO_IMAGES, CROWDED, NO_ANNOTATIONS };

static const struct rule rules[] = {
    [FEW] = { "C006", "few-samples", SEVERITY_INFO, FIX_NONE,
              "a category has fewer than 10 annotations",
              "It is rare. A model trained on so few will not find it. Reported for files with 100 "
              "annotations or more.",
              "Label more, or leave the category out." },
    [IMBALANCE] = { "C007", "imbalance", SEVERITY_INFO, FIX_NONE,
                    "the most common category has over 50 times the annotations of the rarest",
                    "Such datasets are normal. Training needs weights or sampling. Reported for "
                    "files with "
                    "100 annotations or more.",
                    "Nothing, or sample rare categories more often." },
    [ONE_LABEL] = { "C008", "only-one-label", SEVERITY_INFO, FIX_NONE,
                    "of several categories only one has annotations",
                    "The file is a part of a dataset, or labels were lost in a conversion.",
                    "Nothing, if the others are not wanted." },
    [NO_ANNOTATION] = { "X001", "images-without-annotations", SEVERITY_INFO, FIX_NONE,
                        "images have no annotation",
                        "They show no object of the categories, or were not labelled yet; the file "
                        "cannot tell.",
                        "Make sure that a person looked at them." },
    [NO_IMAGES] = { "X002", "no-images", SEVERITY_ERROR, FIX_NONE, "the file has no images",
                    "A filter left none, or the export was not finished.", "Export again." },
    [CROWDED] = { "X007", "crowded-image", SEVERITY_INFO, FIX_NONE,
                  "an image has more than 100 objects",
                  "COCO's evaluation looks at the best 100 detections of an image: the other "
                  "objects count as missed.",
                  "Evaluate with a larger maxDets." },
    [NO_ANNOTATIONS] = { "X009", "no-annotations", SEVERITY_WARNING, FIX_NONE,
                         "the list of annotations is empty",
                         "A filter left none, or the export was not finished.",
                         "Export again; leave the list out if there is nothing to label." },
    { 0 },
};

enum { FEWEST = 10, SAID_OF = 100, MAX_OBJECTS = 100, LARGEST_RATIO = 50 };

static void check_categories(struct check *c, const struct annotation_file *file)
{
    struct element whole = element_of_file(file);
    const struct checked_category *common = NULL, *rare = NULL;
    size_t used = 0, roots = 0, said = file->n_annotations + file->n_labels;

    for (size_t i = 0; i < file->n_categories; i++) {
        const struct checked_category *category = &file->categories[i];
        struct element e = element_of_category(file, i);

        roots += category_is_root(file, i);
        if (!category->n_annotations)
            continue;
        used++;
        if (!common || category->n_annotations > common->n_annotations)
            common = category;
        if (!rare || category->n_annotations < rare->n_annotations)
            rare = category;
        if (category->n_annotations < FEWEST && said >= SAID_OF)
            rule_report(c, &rules[FEW], &e, NULL, (struct slice){ 0 }, "\"%s\" has %lu annotations",
                        category->name, (unsigned long)category->n_annotations);
    }
    if (said >= SAID_OF && used > 1 &&
        common->n_annotations > (uint64_t)LARGEST_RATIO * rare->n_annotations)
        rule_report(c, &rules[IMBALANCE], &whole, "categories", file->sections[LIST_CATEGORIES],
                    "\"%s\" has %lu annotations, \"%s\" %lu", common->name,
                    (unsigned long)common->n_annotations, rare->name,
                    (unsigned long)rare->n_annotations);
    if (used == 1 && file->n_categories - roots > 1 && said >= FEWEST)
        rule_report(c, &rules[ONE_LABEL], &whole, "categories", file->sections[LIST_CATEGORIES],
                    "only \"%s\" of %zu categories has annotations", common->name,
                    file->n_categories - roots);
}

/* Images without a label file have a rule of their own. */
static bool lacks_labels(const struct annotation_file *file, size_t image)
{
    return file->labels && !file->labels->labels[image].at;
}

static void check_images(struct check *c, const struct annotation_file *file)
{
    struct element whole = element_of_file(file);
    size_t empty = 0, first = 0;

    for (size_t i = 0; i < file->n_images; i++) {
        size_t n = file->images[i].n_annotations;
        struct element e = element_of_image(file, i);

        if (!n && !file->images[i].broken && !file->images[i].labelled && !lacks_labels(file, i) &&
            !empty++)
            first = i;
        if (n > MAX_OBJECTS)
            rule_report(c, &rules[CROWDED], &e, NULL, (struct slice){ 0 },
                        "the image has %zu objects", n);
    }
    if (empty && file->n_annotations) {
        struct element e = element_of_image(file, first);

        rule_report(c, &rules[NO_ANNOTATION], &e, NULL, (struct slice){ 0 },
                    "%zu of %zu images have no annotation; this is the first", empty,
                    file->n_images);
    }
    if (file->has[LIST_IMAGES] && !file->n_images && *file->sections[LIST_IMAGES].at == '[')
        rule_report_plain(c, &rules[NO_IMAGES], &whole, "images", file->sections[LIST_IMAGES],
                          "the list of images is empty");
    if (file->has[LIST_ANNOTATIONS] && file->n_images && !file->n_annotations && !file->n_labels &&
        *file->sections[LIST_ANNOTATIONS].at == '[')
        rule_report_plain(c, &rules[NO_ANNOTATIONS], &whole, "annotations",
                          file->sections[LIST_ANNOTATIONS], "the list of annotations is empty");
}

static void check_end(struct check *c, const struct annotation_file *file, void *state)
{
    struct element e = element_of_file(file);

    (void)state;
    if ((file->labels || file->listed) && !file->n_images)
        rule_report_plain(c, &rules[NO_IMAGES], &e, "images", (struct slice){ 0 },
                          "the folder has no images");
    if (!file->sure_annotations || file_is_results(file) || file_is_panoptic(file))
        return;
    check_categories(c, file);
    check_images(c, file);
}

const struct rule_family distribution_family = {
    .title = "distribution",
    .rules = rules,
    .labels = true,
    .tables = true,
    .end = check_end,
};
