/* references: rules about missing members, and references to missing elements. */
#include "check/rule.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

enum {
    ORPHAN_IMAGE,
    ORPHAN_CATEGORY,
    UNUSED,
    LICENSE,
    IMAGE_FIELD,
    ANNOTATION_FIELD,
    NO_GEOMETRY,
    NO_SIZE,
    NO_CROWD,
    NO_BBOX,
    NO_SEGMENTATION,
};

static const struct rule rules[] = {
    [ORPHAN_IMAGE] = { "R001", "orphan-image-ref", SEVERITY_ERROR, FIX_UNSAFE,
                       "an annotation's image is not in the file",
                       "Images were removed without their annotations, or ids were changed.",
                       "Add the image, or remove the annotation." },
    [ORPHAN_CATEGORY] = { "R002", "orphan-category-ref", SEVERITY_ERROR, FIX_UNSAFE,
                          "an annotation's category is not in the file",
                          "Categories were removed or numbered again without their annotations.",
                          "Add the category, or remove the annotation." },
    [UNUSED] = { "R003", "unused-category", SEVERITY_INFO, FIX_NONE,
                 "no annotation has this category",
                 "The file is a part of a dataset, or the category was never labelled.",
                 "Nothing, if other files have it." },
    [LICENSE] = { "R004", "license-ref-missing", SEVERITY_INFO, FIX_NONE,
                  "an image's license is not in the file",
                  "Exporters write 0 or 1 without a list of licenses.",
                  "Add the license, or remove the member." },
    [IMAGE_FIELD] = { "R005", "required-image-field-missing", SEVERITY_ERROR, FIX_NONE,
                      "an image has no file name",
                      "The exporter used another name, such as \"filename\" or \"path\".",
                      "Add file_name, below the folder of the images." },
    [ANNOTATION_FIELD] = { "R006", "required-annotation-field-missing", SEVERITY_ERROR, FIX_NONE,
                           "an annotation lacks image_id or category_id",
                           "The exporter left it out or used another name.", "Add the member." },
    [NO_GEOMETRY] = { "R007", "annotation-without-geometry", SEVERITY_ERROR, FIX_UNSAFE,
                      "an annotation has neither box nor outline nor keypoints",
                      "An empty label was saved: coco-annotator writes [0, 0, 0, 0] and [].",
                      "Label the object, or remove the annotation." },
    [NO_SIZE] = { "R008", "image-size-missing", SEVERITY_WARNING, FIX_NONE,
                  "an image has no width or no height", "The exporter did not read the image.",
                  "Add width and height; pycocotools needs them for masks." },
    [NO_CROWD] = { "R009", "iscrowd-missing", SEVERITY_WARNING, FIX_SAFE, "iscrowd is missing",
                   "The exporter left it out. pycocotools' evaluation stops without it.",
                   "Add \"iscrowd\": 0." },
    [NO_BBOX] = { "R010", "bbox-missing", SEVERITY_WARNING, FIX_SAFE,
                  "an annotation with an outline has no box",
                  "The exporter only writes outlines. Most loaders need a box.",
                  "Add the box around the outline." },
    [NO_SEGMENTATION] = { "R011", "segmentation-missing", SEVERITY_INFO, FIX_NONE,
                          "annotations only have boxes",
                          "The dataset is for boxes. Masks cannot be trained or evaluated on "
                          "it.",
                          "Nothing, if only boxes are needed." },
    { 0 },
};

struct references_state {
    struct id *licenses; /* sorted; NULL: no list */
    size_t n_licenses;
    struct pile reported;   /* struct id: licenses that were reported */
    size_t boxes, outlines; /* annotations with a box; with an outline */
};

/* --- licenses --- */

static void read_licenses(struct check *c, const struct annotation_file *file,
                          struct references_state *r)
{
    struct scan s = scan_again(file->text, file->text.at[0] == '{' ? 0 : 3), list;
    struct slice name, value, element;
    struct pile ids = { 0 };
    bool first = true;

    scan_open(&s, '{');
    while (scan_member(&s, &first, &name) && scan_value(&s, &value)) {
        if (!scan_equals(name, "licenses") || *value.at != '[')
            continue;
        list = scan_again(value, 0);
        first = true;
        scan_open(&list, '[');
        while (scan_element(&list, &first) && scan_value(&list, &element)) {
            struct slice id = pick_again(element, "id");
            struct id *to = pile_add(&ids, sizeof *to);
            unsigned set = 0;

            if (id.at == element.at || !id_read(id, &to->id, &set))
                to->id = COCO_NO_ID;
        }
        r->n_licenses = ids.n;
        r->licenses = (struct id *)(void *)arena_copy(&c->arena, ids.at, ids.n * sizeof(struct id));
        ids_sort(r->licenses, r->n_licenses);
        break;
    }
    free(ids.at);
}

static void check_license(struct check *c, const struct image_element *e,
                          struct references_state *r)
{
    struct slice at = e->pick[IMAGE_LICENSE].value;
    struct id *reported;
    unsigned set = 0;
    int64_t id;

    if (!at.at || !r->n_licenses || !id_read(at, &id, &set) ||
        ids_find(r->licenses, r->n_licenses, id) ||
        ids_find(r->licenses, r->n_licenses, COCO_NO_ID))
        return;
    reported = r->reported.at;
    for (size_t i = 0; i < r->reported.n; i++)
        if (reported[i].id == id)
            return;
    reported = pile_add(&r->reported, sizeof *reported);
    reported->id = id;
    rule_report(c, &rules[LICENSE], &e->at, "license", at,
                "no license has the id %lld; other images that have it are not listed",
                (long long)id);
}

/* --- images --- */

static void check_file(struct check *c, const struct annotation_file *file, void *state)
{
    if (file->readable && !file_is_results(file) && file->has[LIST_IMAGES])
        read_licenses(c, file, state);
}

static void check_image(struct check *c, const struct image_element *e, void *state)
{
    const struct pick *pick = e->pick;

    if (e->at.file->labels)
        return;
    if (!pick[IMAGE_FILE_NAME].value.at && !*e->image->name)
        rule_report_plain(
            c, &rules[IMAGE_FIELD], &e->at, "file_name", pick[IMAGE_FILE_NAME].null,
            "file_name is missing, and there is no coco_url with a folder and a file");
    if (!pick[IMAGE_WIDTH].value.at || !pick[IMAGE_HEIGHT].value.at)
        rule_report_plain(c, &rules[NO_SIZE], &e->at,
                          pick[IMAGE_WIDTH].value.at ? "height" : "width", (struct slice){ 0 },
                          "width or height is missing");
    check_license(c, e, state);
}

/* --- annotations --- */

static void drop_annotation(struct check *c, struct finding *f, const struct annotation_element *e)
{
    if (c->options->fixes)
        finding_remove(c, f, e->at.text);
}

static void check_others(struct check *c, const struct annotation_element *e)
{
    const struct annotation_file *file = e->at.file;
    const struct pick *image = &e->pick[MEMBER_IMAGE], *category = &e->pick[MEMBER_CATEGORY];
    enum id_kind kind = file->image_kind;
    int64_t id = 0;
    unsigned set = 0;

    if (!image->value.at)
        rule_report_plain(c, &rules[ANNOTATION_FIELD], &e->at, "image_id", image->null,
                          "image_id is missing");
    else if (!e->image && file->sure_images && file->has[LIST_IMAGES] &&
             id_read_kind(image->value, &kind, &id, &set))
        drop_annotation(c,
                        rule_report(c, &rules[ORPHAN_IMAGE], &e->at, "image_id", image->value,
                                    "no image has the id %s", id_words(image->value, e->scratch)),
                        e);
    if (category->value.at) {
        if (file->sure_categories && id_read(category->value, &id, &set) &&
            categories_lack(&file->lookup, id))
            drop_annotation(c,
                            rule_report(c, &rules[ORPHAN_CATEGORY], &e->at, "category_id",
                                        category->value, "no category has the id %lld",
                                        (long long)id),
                            e);
    } else if (file->n_categories && (e->has_bbox || e->object->segmentation)) {
        rule_report_plain(c, &rules[ANNOTATION_FIELD], &e->at, "category_id", category->null,
                          "category_id is missing");
    }
}

static bool has_keypoints(const struct object *o)
{
    for (size_t i = 0; i < o->n_keypoints; i++)
        if (keypoint_is_there(&o->keypoints[i]))
            return true;
    return false;
}

/* True if the annotation has no geometry. Captions and labels of images need none. */
static bool lacks_geometry(const struct annotation_element *e)
{
    const struct pick *box = &e->pick[MEMBER_BBOX], *outline = &e->pick[MEMBER_SEGMENTATION];
    bool no_outline = !outline->value.at || pick_is_empty(outline->value);

    if (has_keypoints(e->object) || e->pick[MEMBER_CAPTION].value.at || e->refused->n)
        return false;
    return e->deviations & DEVIATION(EMPTY_BBOX) ||
           (!box->value.at && outline->value.at && no_outline);
}

/* Reports a missing box. An empty list that was given is replaced. */
static void report_no_box(struct check *c, const struct annotation_element *e)
{
    struct slice at = e->pick[MEMBER_BBOX].value;
    const struct object *o = e->object;
    struct finding *f = rule_report_plain(c, &rules[NO_BBOX], &e->at, "bbox", at,
                                          "there is an outline, but no box");
    struct box b =
        o->segmentation == SEGMENTATION_RLE ? rle_bounds(&o->rle) : rings_bounds(&o->rings);
    const double v[] = { b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0 };
    struct text text = { 0 };

    if (!c->options->fixes)
        return;
    for (size_t i = 0; i < COUNTOF(v); i++) {
        text_adds(&text, i ? ", " : "[");
        number_print(&text, v[i]);
    }
    text_addc(&text, ']');
    if (at.at)
        finding_replace(c, f, at, "%s", text_string(&text));
    else
        finding_add_member(c, f, e->at.text, "\"bbox\": %s", text_string(&text));
    text_drop(&text);
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *state)
{
    struct references_state *r = state;
    const struct object *o = e->object;

    if (e->at.file->labels)
        return;
    check_others(c, e);
    if (lacks_geometry(e))
        drop_annotation(c,
                        rule_report_plain(c, &rules[NO_GEOMETRY], &e->at, NULL, (struct slice){ 0 },
                                          "there is neither a box nor an outline nor a keypoint"),
                        e);
    if (e->deviations & DEVIATION(NO_CROWD) && !e->at.file->lvis) {
        struct finding *f = rule_report_plain(c, &rules[NO_CROWD], &e->at, "iscrowd",
                                              (struct slice){ 0 }, "iscrowd is missing");

        if (c->options->fixes)
            finding_add_member(c, f, e->at.text, "\"iscrowd\": 0");
    }
    if (e->deviations & DEVIATION(NO_BBOX) && o->segmentation)
        report_no_box(c, e);
    r->boxes += e->has_bbox;
    r->outlines += o->segmentation != SEGMENTATION_NONE || o->n_keypoints ||
                   (e->pick[MEMBER_SEGMENTATION].value.at &&
                    !pick_is_empty(e->pick[MEMBER_SEGMENTATION].value));
}

static void check_end(struct check *c, const struct annotation_file *file, void *state)
{
    struct references_state *r = state;
    struct element e = element_of_file(file);

    if (r->boxes && !r->outlines && !file_is_results(file))
        rule_report(c, &rules[NO_SEGMENTATION], &e, "annotations", file->sections[LIST_ANNOTATIONS],
                    "0 of %zu annotations have a segmentation", file->n_annotations);
    for (size_t i = 0; file->sure_annotations && (file->n_annotations || file->n_labels) &&
                       i < file->n_categories;
         i++) {
        const struct checked_category *category = &file->categories[i];

        if (category->broken || category->n_annotations || !category->category ||
            (file->labels && (!file->labels->index.at || !*category->name)) ||
            file_is_panoptic(file))
            continue;
        e = element_of_category(file, i);
        rule_report(c, &rules[UNUSED], &e, NULL, (struct slice){ 0 },
                    "no annotation has the category \"%s\"", category->name);
    }
    free(r->reported.at);
}

const struct rule_family references_family = {
    .title = "references",
    .rules = rules,
    .state = sizeof(struct references_state),
    .labels = true,
    .file = check_file,
    .image = check_image,
    .annotation = check_annotation,
    .end = check_end,
};
