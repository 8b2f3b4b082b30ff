/* font_file: loads the font file of --font as the font of steps/op_shared/font.h. */
#include "batch/dataset/font_file.h"

#include "batch/io/folder.h"

#include "steps/op_shared/font.h"
#include "steps/registry.h"

enum { MAX_BYTES = 1 << 28 };

bool font_file_open(const char *path, struct faults *faults)
{
    struct text bytes = { 0 }, why = { 0 };
    bool good = input_read_named(path, MAX_BYTES, &bytes, &why) &&
                font_give((struct slice){ text_string(&bytes), bytes.length }, &why);

    if (!good)
        fault_add(faults, 0, 0, "", "font-unread", "%s", text_string(&why));
    text_drop(&bytes);
    text_drop(&why);
    return good;
}

/* --- check of a plan --- */

static bool draws_text(const struct step *step)
{
    const struct value *texts = value_get(step->source, "texts");

    if (step->op)
        return op_draws_text(step->op) && texts && texts->n;
    for (const char *const *name = step->transform->emits; name && *name; name++)
        if (op_draws_text(registry_op(*name)))
            return true;
    return false;
}

static bool check_step(const struct step *step, void *context)
{
    if (draws_text(step) && !font_given())
        value_fault(context, step->source, false, "font-none",
                    "drawing text needs a font file: --font");
    return true;
}

bool font_check(const struct plan *plan, struct faults *faults)
{
    steps_walk(&plan->transforms, check_step, faults);
    return !faults->n;
}
