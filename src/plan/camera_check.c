/* camera_check: refuses steps whose maps camera matrices cannot follow. */
#include "plan/camera_check.h"

/* Returns why cameras cannot follow an op, or NULL. */
static const char *find_reason(const struct rules *rules, const struct op *op)
{
    if (op->family == FAMILY_FIELD)
        return "moves pixels by a displacement field, which no camera matrix can follow; remove "
               "the step, or remove annotations.camera and drop these keys";
    if (op->family == FAMILY_JOIN)
        return "joins images, and a joined image has no single camera; remove the step, or "
               "remove annotations.camera and drop these keys";
    if (rules->camera_mirror == CAMERA_REFUSE && op->effect & EFFECT_MIRRORS)
        return "mirrors, and camera_mirror is \"refuse\"";
    return NULL;
}

struct search {
    const struct rules *rules;
    struct faults *faults;
};

static bool check_step(const struct step *step, void *context)
{
    const struct search *s = context;
    const char *const *names = step->transform ? step->transform->emits : NULL;
    const char *reason = step->op ? find_reason(s->rules, step->op) : NULL;

    if (!(step->chance > 0))
        return false;
    for (; names && *names && !reason; names++)
        reason = find_reason(s->rules, registry_op(*names));
    if (reason)
        value_fault(s->faults, value_get(step->source, "type"), false, "target-refused", "%s %s",
                    step_name(step), reason);
    return true;
}

void cameras_check_steps(const struct plan *plan, struct faults *faults)
{
    struct search s = { &plan->rules, faults };

    if (plan->rules.camera.n)
        steps_walk(&plan->transforms, check_step, &s);
}

bool cameras_can_follow(const struct rules *rules, const struct sample *s, struct text *why)
{
    const struct point middle = { s->frame.width / 2., s->frame.height / 2. };
    struct mat3 back;

    if (!rules->camera.n)
        return true;
    if (!s->has_matrix || !mat3_invert(&s->matrix, &back)) {
        text_adds(why, "the image moved by a map that no camera matrix can follow");
        return false;
    }
    if (rules->camera_mirror == CAMERA_KEEP || mat3_scale_at(&back, middle) >= 0)
        return true;
    text_adds(why, "the image is mirrored, and camera_mirror is \"refuse\"");
    return false;
}
