/* test_sizes: runs every op and every transform of the registry on images of every kind of pixels,
 * down to 1x1 (src/steps/properties/walk.h). Each refusal has a reason that is listed here. */
#include "random_step.h"
#include "unit.h"
#include "walked.h"

#include <stdlib.h>
#include <string.h>

/* Steps that borrow images have none here; join.bats runs them. */
static const char no_others[] = "there are no other images";

/* Allowed refusals: the step, and how the reason begins. Each of them must occur. */
static struct refusal {
    const char *name, *why;
    size_t met;
} refusals[] = {
    { "AtLeastOneBBoxRandomCrop", "the image is", 0 }, /* smaller than the crop, as below */
    { "CropNonEmptyMaskIfExists", "the image is", 0 },
    { "CopyPaste", no_others, 0 },
    { "CutMix", no_others, 0 },
    { "FiveCrop", "the image is", 0 },
    { "MixUp", no_others, 0 },
    { "Mosaic", no_others, 0 },
    { "SimpleCopyPaste", no_others, 0 },
    { "RandomSizedCrop", "the image is", 0 },
    { "TenCrop", "the image is", 0 },
    { "five_crop", "the image is", 0 },
    { "normalize", "\"mean\" has", 0 },
    { "normalize", "\"std\" has", 0 },
    { "pad", "padding of", 0 }, /* more than a mirror shows */
    { "permute_channels", "the permutation has", 0 },
    { "roi_align", "the box has no area", 0 },
    { "ten_crop", "the image is", 0 },
    { "weighted_boxes_fusion", "objects with segmentations or keypoints cannot be fused", 0 },
};

/* --- refusals --- */

/* The reason follows the name of the step. */
static bool is_refusal(const struct refusal *r, const char *name, const char *why)
{
    size_t n = strlen(name);

    return strcmp(r->name, name) == 0 && strncmp(why, name, n) == 0 &&
           strncmp(why + n, ": ", 2) == 0 && strncmp(why + n + 2, r->why, strlen(r->why)) == 0;
}

static bool is_listed(const char *name, const char *why)
{
    for (size_t i = 0; i < COUNTOF(refusals); i++)
        if (is_refusal(&refusals[i], name, why)) {
            refusals[i].met++;
            return true;
        }
    return false;
}

static bool is_expected(struct walker *w, const char *name, const char *why)
{
    if (is_listed(name, why))
        return true;
    fprintf(stderr, "    %s: %s\n", w->about, why);
    return false;
}

/* There is nothing to borrow here, and all objects have segmentations. */
static void check_done(const char *name, size_t done, bool borrows)
{
    bool refused = borrows || strcmp(name, "weighted_boxes_fusion") == 0;

    if (!CHECK(refused != (done > 0)))
        fprintf(stderr, "    %s: refused everywhere\n", name);
}

static bool must_borrow(const struct transform *transform)
{
    struct arena arena = { 0 };
    struct step step;
    bool is = CHECK(step_read_text(transform->example, &arena, &step)) && step_borrows(&step);

    arena_drop(&arena);
    return is;
}

int main(void)
{
    static const struct walk_scope scope = { skip_no_op, skip_no_transform };
    struct walker walk = walked_begin();

    walk.expected = is_expected;
    random_quarter_turns = true;
    walked_plan(&scope, 1);
    for (EACH(op, op, registry_ops))
        if (walked_has_op(&scope, op)) {
            check_done(op->name, walk_sizes(&walk, op), false);
            walked_report(&walk, op->name);
        }
    for (EACH(transform, transform, registry_transforms))
        if (walked_has_transform(&scope, transform)) {
            check_done(transform->name, walk_sizes_of(&walk, transform), must_borrow(transform));
            walked_report(&walk, transform->name);
        }
    if (!walked_name()) {
        for (size_t i = 0; i < COUNTOF(refusals); i++)
            if (!CHECK(refusals[i].met > 0))
                fprintf(stderr, "    %s: %s\n", refusals[i].name, refusals[i].why);
        unit_report("each refusal was met");
    }
    walk_drop(&walk);
    return unit_end();
}
