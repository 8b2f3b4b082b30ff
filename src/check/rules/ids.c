/* ids: rules about the ids of images, annotations and categories. */
#include "check/rule.h"

#include "json/text_id.h"

#include <stdlib.h>
#include <string.h>

enum {
    MISSING,
    NOT_INTEGER,
    BEYOND,
    NEGATIVE,
    IMAGE_TWICE,
    ANNOTATION_TWICE,
    CATEGORY_TWICE,
    ANNOTATION_ZERO,
    CATEGORY_ZERO,
    GAPS,
    UNREADABLE,
    REPEATED,
    TEXT,
};

static const struct rule rules[] = {
    [MISSING] = { "D001", "id-missing", SEVERITY_ERROR, FIX_NONE, "an element has no id",
                  "The exporter left it out; some write ids of their own under another name.",
                  "Give each element an id that is unique in its list." },
    [NOT_INTEGER] = { "D002", "id-not-integer", SEVERITY_ERROR, FIX_SAFE, "an id is not an integer",
                      "A table converted the ids to strings or floats: \"12\", 12.0. "
                      "pycocotools compares them as they are, and finds nothing.",
                      "Write the integer." },
    [BEYOND] = { "D003", "id-beyond-2-53", SEVERITY_ERROR, FIX_NONE,
                 "an id is above 2^53, where some readers confuse integers",
                 "Ids were made from hashes or times.", "Number the elements from 1." },
    [NEGATIVE] = { "D004", "id-negative", SEVERITY_WARNING, FIX_NONE, "an id is negative",
                   "-1 often means that something was not found when the file was written.",
                   "Number the elements from 1." },
    [IMAGE_TWICE] = { "D005", "duplicate-image-id", SEVERITY_ERROR, FIX_NONE,
                      "two images have the same id",
                      "Files were merged without new ids: annotations of one image are assigned to "
                      "the other.",
                      "Merge the files again, with new ids." },
    [ANNOTATION_TWICE] = { "D006", "duplicate-annotation-id", SEVERITY_ERROR, FIX_SAFE,
                           "two annotations have the same id",
                           "Files were merged without new ids. Evaluation matches by id and counts "
                           "only one of them.",
                           "Give the later one a unique id." },
    [CATEGORY_TWICE] = { "D007", "duplicate-category-id", SEVERITY_ERROR, FIX_NONE,
                         "two categories have the same id",
                         "Files with different categories were merged.",
                         "Give them different ids, and correct category_id of the annotations "
                         "that mean the second." },
    [ANNOTATION_ZERO] = { "D008", "annotation-id-zero", SEVERITY_WARNING, FIX_SAFE,
                          "an annotation has the id 0",
                          "The exporter counts from 0. To pycocotools 0 means that there is no "
                          "match, so that a correct detection of it counts as wrong.",
                          "Give it a unique id." },
    [CATEGORY_ZERO] = { "D009", "category-id-zero", SEVERITY_INFO, FIX_NONE,
                        "a category has the id 0",
                        "The exporter counts from 0. Some tools take 0 for the background.",
                        "Nothing, if your tools accept it." },
    [GAPS] = { "D010", "category-ids-not-contiguous", SEVERITY_INFO, FIX_NONE,
               "ids of categories have gaps",
               "Categories were left out, as in COCO itself. Training code that takes ids for "
               "indices then needs more classes than there are.",
               "Nothing, if your training code maps ids to indices." },
    [UNREADABLE] = { "D011", "id-unreadable", SEVERITY_ERROR, FIX_NONE,
                     "an id is neither an integer nor a string, or differs in kind from the others",
                     "Files with integers and with strings for ids were merged, or a string is "
                     "empty.",
                     "Write all ids of a list as strings, or all as integers." },
    [REPEATED] = { "D012", "element-repeated", SEVERITY_WARNING, FIX_SAFE,
                   "an element occurs twice, without any difference",
                   "The exporter writes a category, an image or an annotation once for each use.",
                   "Remove the later one." },
    [TEXT] = { "D013", "id-text", SEVERITY_INFO, FIX_NONE, "ids are strings",
               "Camera traps have UUIDs or paths for ids. pycocotools accepts them; training code "
               "that puts ids into tensors does not.",
               "Nothing, if your tools accept strings." },
    { 0 },
};

static bool is_digits(struct slice raw)
{
    for (size_t i = 0; i < raw.length; i++)
        if ((raw.at[i] < '0' || raw.at[i] > '9') && !(i == 0 && raw.at[i] == '-'))
            return false;
    return raw.length > 0;
}

/* Checks an id of the element, or an id that it refers to. */
static void check_id(struct check *c, const struct element *e, const struct pick *pick,
                     enum id_kind kind)
{
    bool texts = kind == ID_KIND_TEXT;
    struct slice at = pick->value;
    unsigned set = 0;
    int64_t id = 0;

    if (!at.at)
        return;
    if (!id_read_kind(at, &kind, &id, &set)) {
        rule_report_plain(c, &rules[!texts && is_digits(at) ? BEYOND : UNREADABLE], e, pick->name,
                          at,
                          texts ? "expected a nonempty string, like the other ids"
                                : "expected an integer within 2^53");
        return;
    }
    if (set & (DEVIATION(STRING_ID) | DEVIATION(FLOAT_ID))) {
        struct finding *f = rule_report_plain(
            c, &rules[NOT_INTEGER], e, pick->name, at,
            set & DEVIATION(STRING_ID) ? "the id is a string" : "the id has a decimal point");

        if (c->options->fixes)
            finding_replace(c, f, at, "%lld", (long long)id);
    }
    if (id < 0 && strcmp(pick->name, "id") == 0)
        rule_report_plain(c, &rules[NEGATIVE], e, pick->name, at, "the id is negative");
}

static void check_own_id(struct check *c, const struct element *e, const struct pick *pick,
                         enum id_kind kind)
{
    if (!pick->value.at)
        rule_report_plain(c, &rules[MISSING], e, "id", pick->null,
                          pick->null.at ? "the id is null" : "the id is missing");
    check_id(c, e, pick, kind);
}

static void check_image(struct check *c, const struct image_element *e, void *state)
{
    (void)state;
    check_own_id(c, &e->at, &e->pick[IMAGE_ID], e->at.file->image_kind);
}

static void check_category(struct check *c, const struct category_element *e, void *state)
{
    (void)state;
    check_own_id(c, &e->at, &e->pick[CATEGORY_ID], ID_KIND_NUMBER);
    if (e->category->id == 0)
        rule_report_plain(c, &rules[CATEGORY_ZERO], &e->at, "id", e->pick[CATEGORY_ID].value,
                          "the id is 0");
}

/* The largest id of annotations, to make new ids. */
struct ids_state {
    int64_t largest;
};

static void check_annotation(struct check *c, const struct annotation_element *e, void *state)
{
    const struct annotation_file *file = e->at.file;
    struct ids_state *ids = state;
    int64_t id = id_number(e->at.id, e->at.index);

    if (file_is_results(file)) {
        check_id(c, &e->at, &e->pick[MEMBER_ID], file->annotation_kind);
    } else {
        check_own_id(c, &e->at, &e->pick[MEMBER_ID], file->annotation_kind);
    }
    check_id(c, &e->at, &e->pick[MEMBER_IMAGE], file->image_kind);
    check_id(c, &e->at, &e->pick[MEMBER_CATEGORY], ID_KIND_NUMBER);
    if (e->at.id != COCO_NO_ID && id > ids->largest)
        ids->largest = id;
}

/* --- ids of other elements --- */

/* Returns an id that differs from all n: a number, or the string with a number appended. `fresh` is
 * the last number that was used. The id is in the arena. */
static const char *make_id(struct slice at, const struct id *ids, size_t n, int64_t *fresh,
                           struct arena *arena)
{
    const char *made;
    int64_t id = 0;

    do
        made =
            *at.at == '"' && id_is_text(ids[n - 1].id)
                ? arena_printf(arena, "%.*s-%lld\"", (int)at.length - 1, at.at, (long long)++*fresh)
                : arena_printf(arena, "%lld", (long long)++*fresh);
    while (text_id_read((struct slice){ made, strlen(made) }, &id) && ids_find(ids, n, id));
    return made;
}

static void report_twice(struct check *c, const struct rule *rule, const struct element *e,
                         const struct id *first, const struct id *ids, size_t n, int64_t *fresh)
{
    struct arena scratch = { 0 };
    struct slice at = pick_again(e->text, "id");
    struct finding *f =
        rule_report(c, rule, e, "id", at, "%s[%lu] has the id %s already", list_name(e->list),
                    (unsigned long)first->index, id_words(at, &scratch));

    if (c->options->fixes && fresh)
        finding_replace(c, f, at, "%s", make_id(at, ids, n, fresh, &scratch));
    arena_drop(&scratch);
}

static void report_repeated(struct check *c, const struct element *e, uint32_t first)
{
    struct finding *f =
        rule_report(c, &rules[REPEATED], e, "id", pick_again(e->text, "id"), "the same as %s[%lu]",
                    list_name(e->list), (unsigned long)first);

    if (c->options->fixes)
        finding_remove(c, f, e->text);
}

/* Reports equal ids among n sorted ids. `fresh` is the last id that an annotation got, or NULL. */
static void check_twice(struct check *c, const struct rule *rule, const struct id *ids, size_t n,
                        struct element (*element_of)(const struct annotation_file *, size_t),
                        const struct annotation_file *file, int64_t *fresh)
{
    for (size_t i = 1, first = 0; i < n; i++) {
        struct element e;

        if (ids[i].id != ids[first].id) {
            first = i;
        } else if (ids[i].id != COCO_NO_ID) {
            e = element_of(file, ids[i].index);
            if (coco_elements_are_equal(e.text, element_of(file, ids[first].index).text))
                report_repeated(c, &e, ids[first].index);
            else
                report_twice(c, rule, &e, &ids[first], ids, n, fresh);
        }
    }
}

/* Reports strings once for each list. */
static void check_texts(struct check *c, const struct annotation_file *file)
{
    if (file->image_kind == ID_KIND_TEXT && (file->n_images || file->n_annotations)) {
        const char *member = file->n_images ? "id" : "image_id";
        struct element e =
            file->n_images ? element_of_image(file, 0) : element_of_annotation(file, 0);

        rule_report_plain(c, &rules[TEXT], &e, member, pick_again(e.text, member),
                          "the ids of images are strings");
    }
    if (file->annotation_kind == ID_KIND_TEXT) {
        struct element e = element_of_annotation(file, 0);

        rule_report_plain(c, &rules[TEXT], &e, "id", pick_again(e.text, "id"),
                          "the ids of annotations are strings");
    }
}

static void check_gaps(struct check *c, const struct annotation_file *file, const struct id *ids)
{
    size_t n = file->n_categories;
    struct element e = element_of_file(file);

    if (n < 2 || !file->sure_categories || ids[n - 1].id - ids[0].id == (int64_t)n - 1 ||
        (ids[0].id == ids[n - 1].id))
        return;
    for (size_t i = 1; i < n; i++)
        if (ids[i].id == ids[i - 1].id)
            return;
    rule_report(c, &rules[GAPS], &e, "categories", file->sections[LIST_CATEGORIES],
                "%zu categories have ids from %lld to %lld", n, (long long)ids[0].id,
                (long long)ids[n - 1].id);
}

static void check_zeros(struct check *c, const struct annotation_file *file, int64_t *fresh)
{
    for (size_t i = 0; i < file->n_annotations; i++) {
        struct element e;
        struct finding *f;
        struct slice at;

        if (file->annotations[i].id != 0)
            continue;
        e = element_of_annotation(file, i);
        at = pick_again(e.text, "id");
        f = rule_report_plain(c, &rules[ANNOTATION_ZERO], &e, "id", at, "the id is 0");
        if (c->options->fixes)
            finding_replace(c, f, at, "%lld", (long long)++*fresh);
        return; /* other ids with it are duplicates */
    }
}

static void check_end(struct check *c, const struct annotation_file *file, void *state)
{
    struct ids_state *last = state;
    size_t max = file->n_annotations;
    struct id *ids;

    check_texts(c, file);
    max = file->n_images > max ? file->n_images : max;
    max = file->n_categories > max ? file->n_categories : max;
    ids = memory_take((max + 1) * sizeof *ids);
    for (size_t i = 0; i < file->n_images; i++)
        ids[i] = (struct id){ file->images[i].id, (uint32_t)i };
    ids_sort(ids, file->n_images);
    check_twice(c, &rules[IMAGE_TWICE], ids, file->n_images, element_of_image, file, NULL);
    for (size_t i = 0; i < file->n_categories; i++)
        ids[i] = (struct id){ file->categories[i].id, (uint32_t)i };
    ids_sort(ids, file->n_categories);
    check_twice(c, &rules[CATEGORY_TWICE], ids, file->n_categories, element_of_category, file,
                NULL);
    check_gaps(c, file, ids);
    check_zeros(c, file, &last->largest);
    for (size_t i = 0; i < file->n_annotations; i++)
        ids[i] = (struct id){ file->annotations[i].id, (uint32_t)i };
    ids_sort(ids, file->n_annotations);
    check_twice(c, &rules[ANNOTATION_TWICE], ids, file->n_annotations, element_of_annotation, file,
                &last->largest);
    free(ids);
}

const struct rule_family ids_family = {
    .title = "ids",
    .rules = rules,
    .state = sizeof(struct ids_state),
    .category = check_category,
    .image = check_image,
    .annotation = check_annotation,
    .end = check_end,
};
