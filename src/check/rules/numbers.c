/* numbers: rules about numbers that are not written like COCO's. */
#include "check/rule.h"

#include "labels/coco/numbers.h"
#include "labels/coco/segmentation.h"

enum { QUOTED, POINTED };

static const struct rule rules[] = {
    [QUOTED] = { "J016", "number-in-quotes", SEVERITY_ERROR, FIX_SAFE, "a number is in quotes",
                 "A table or a library converted numbers to strings: \"12.50\". "
                 "pycocotools fails when it computes with them.",
                 "Write the number." },
    [POINTED] = { "J017", "integer-with-point", SEVERITY_WARNING, FIX_SAFE,
                  "an integer has a decimal point",
                  "A table converted integers to floats: 640.0. Programs that "
                  "use it as an index or a size fail.",
                  "Write the integer." },
    { 0 },
};

static void report(struct check *c, const struct element *e, const char *member, struct slice at,
                   unsigned set, struct slice mended)
{
    bool quoted = set & DEVIATION(STRING_NUMBER);
    struct finding *f =
        rule_report_plain(c, &rules[quoted ? QUOTED : POINTED], e, member, at,
                          quoted ? "a number is in quotes" : "an integer has a decimal point");

    if (c->options->fixes)
        finding_replace(c, f, at, "%.*s", (int)mended.length, mended.at);
}

static void check_whole(struct check *c, const struct element *e, const struct pick *pick)
{
    struct text mended = { 0 };
    unsigned set = 0;
    int64_t number;

    if (!pick->value.at || !whole_read(pick->value, &number, &set) || !set)
        return;
    coco_whole_repair(pick->value, &mended);
    report(c, e, pick->name, pick->value, set, (struct slice){ mended.at, mended.length });
    text_drop(&mended);
}

static void check_rle(struct check *c, const struct element *e, struct slice value)
{
    unsigned set = segmentation_deviations(value, (struct slice){ 0 });
    struct text mended = { 0 };

    if (!set)
        return;
    segmentation_repair(value, (struct slice){ 0 }, &mended);
    report(c, e, "segmentation", value, set, (struct slice){ mended.at, mended.length });
    text_drop(&mended);
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *state)
{
    struct scan s = scan_again(e->at.text, 0);
    struct slice name, value;
    bool first = true;

    (void)state;
    if (!(e->deviations & (DEVIATION(STRING_NUMBER) | DEVIATION(FLOAT_NUMBER))))
        return;
    check_whole(c, &e->at, &e->pick[MEMBER_NUM_KEYPOINTS]);
    scan_open(&s, '{');
    while (scan_member(&s, &first, &name) && scan_value(&s, &value)) {
        const char *member = coco_number_member(name);

        if (!member)
            continue;
        if (*value.at == '{')
            check_rle(c, &e->at, value);
        else if (numbers_are_quoted(value))
            report(c, &e->at, member, value, DEVIATION(STRING_NUMBER),
                   numbers_unquote(value, e->scratch));
    }
}

static void check_image(struct check *c, const struct image_element *e, void *state)
{
    (void)state;
    check_whole(c, &e->at, &e->pick[IMAGE_WIDTH]);
    check_whole(c, &e->at, &e->pick[IMAGE_HEIGHT]);
}

const struct rule_family numbers_family = {
    .title = "numbers",
    .rules = rules,
    .image = check_image,
    .annotation = check_annotation,
};
