/* topic_coco: layouts of keypoints, and deviations from COCO, from their tables. */
#include "manual/manual.h"

#include "labels/coco/dialect.h"
#include "labels/coco/keypoint_layouts.h"

#include <string.h>

void print_keypoint_layouts(struct page *p)
{
    struct text text = { 0 };

    text_adds(&text, "Names for `flip_pairs`, each with its number of keypoints: ");
    for (size_t i = 0; layout_at(i); i++)
        text_addf(&text, "%s`%s` %zu", i ? ", " : "", layout_at(i)->name, layout_at(i)->n);
    text_adds(&text,
              ". The pairs are defined by the owner of each layout. A layout with names for its "
              "points, such as WholeBody's 133, is also recognized by the full list of names.");
    page_item(p, "`public layouts`", text_string(&text));
    text_drop(&text);
}

static void print_deviations(struct page *p, unsigned set)
{
    struct text term = { 0 }, text = { 0 };

    for (size_t d = 0; d < DEVIATIONS; d++) {
        const struct deviation_kind *kind = &deviation_kinds[d];

        if (!(set >> d & 1))
            continue;
        text_clear(&term);
        text_clear(&text);
        text_addf(&term, "`%s`", kind->code);
        text_addf(&text, "%s: %s", code_get(kind->code)->means, kind->remedy);
        page_item(p, text_string(&term), text_string(&text));
    }
    text_drop(&term);
    text_drop(&text);
}

void print_deviations_repaired(struct page *p)
{
    page_terms(p, strlen("coco-no-supercategory"));
    print_deviations(p, DEVIATIONS_REPAIRED);
}

void print_deviations_kept(struct page *p)
{
    print_deviations(p, ~DEVIATIONS_REPAIRED);
}
