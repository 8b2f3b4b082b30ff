/* render_join: what is joined, made of its inputs. */
#include "render_work.h"

/* Each input is made of the plane as it is now, by passes of its own; shortcuts stay out of them.
 */
bool render_join(struct render_work *w, const struct action *a, enum optimize optimize)
{
    struct render_work *input = ARENA_ARRAY(w->context.arena, struct render_work, a->u.join.n);
    struct plane *made = ARENA_ARRAY(w->context.arena, struct plane, a->u.join.n), out;
    bool good = true;

    if (optimize == OPTIMIZE_FAST)
        optimize = OPTIMIZE_EXACT;
    for (size_t i = 0; i < a->u.join.n; i++) {
        const struct drawn_ops *drawn_ops = &a->u.join.input[i];
        struct passes passes = passes_of(drawn_ops, optimize, w->context.arena, NULL);

        input[i] = (struct render_work){ .context = w->context, .now = w->now, .shrink = 1 };
        input[i].context.drawn_ops = drawn_ops;
        good = good && render_passes(&input[i], &passes);
        made[i] = input[i].now;
    }
    if (good) {
        out = pool_plane(w->context.pool, a->out, a->channels, a->type);
        plane_blend(made, a->u.join.weight, a->u.join.n, &out);
    }
    for (size_t i = 0; i < a->u.join.n; i++)
        if (input[i].ours)
            pool_return(w->context.pool, &made[i]);
    if (good)
        render_replace(w, out);
    return good;
}
