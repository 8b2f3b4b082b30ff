/* test_prints: a printed step with all its values is accepted, and prints the same again. This
 * holds for every op, transform and section. */
#include "unit.h"
#include "walked.h"

int main(void)
{
    static const struct walk_scope scope = { skip_no_op, skip_no_transform };
    struct walker walk = walked_begin();

    walked_plan(&scope, 2);
    for (EACH(op, op, registry_ops))
        if (walked_has_op(&scope, op)) {
            walk_prints(&walk, op);
            walked_report(&walk, op->name);
        }
    for (EACH(transform, transform, registry_transforms))
        if (walked_has_transform(&scope, transform)) {
            walk_prints_of(&walk, transform);
            walked_report(&walk, transform->name);
        }
    if (!walked_name()) {
        walk_prints_section(&walk, "annotations", annotation_rows);
        walked_report(&walk, "annotations");
        walk_prints_section(&walk, "output", output_rows);
        walked_report(&walk, "output");
    }
    walk_drop(&walk);
    return unit_end();
}
