/* inverse_map: maps from an output to the images that it was made of. */
#include "plan/inverse_map.h"

#include "steps/op_shared/actions.h"

#include <string.h>

/* --- steps that move pixels --- */

static struct steps moving_steps(const struct steps *, struct arena *);

/* Returns the step's parameters, or a copy whose lists of steps have only moves. */
static const void *moving_params(const struct step *step, struct arena *arena)
{
    void *copy = NULL;

    for (ROWS (row, step_own_rows(step))) {
        struct chains lists = step_lists(step, row);
        struct steps *moving;

        if (!lists.n)
            continue;
        if (!copy) {
            copy = arena_take(arena, step->op->params_size);
            memcpy(copy, step->params, step->op->params_size);
        }
        moving = ARENA_ARRAY(arena, struct steps, lists.n);
        for (size_t i = 0; i < lists.n; i++)
            moving[i] = moving_steps(&lists.at[i], arena);
        params_set_lists(row, copy, moving, arena);
    }
    return copy ? copy : step->params;
}

/* Leaves color ops out: the image's type and channels are not known here. */
static struct steps moving_steps(const struct steps *steps, struct arena *arena)
{
    struct step *moving = ARENA_ARRAY(arena, struct step, steps->n);
    size_t n = 0;

    for (size_t i = 0; i < steps->n; i++) {
        const struct step *step = &steps->step[i];
        struct step *to = &moving[n];

        if (!step->op || !(step->op->effect & EFFECT_MOVES))
            continue;
        *to = *step;
        to->params = moving_params(step, arena);
        n++;
    }
    return (struct steps){ moving, n };
}

/* --- ways back --- */

/* Steps in the order of the walk: from the output on. */
struct trail {
    const struct trail *before;
    struct back_step step;
};

/* Ops still to undo, followed by the ops of the outer image, if this image is an input. */
struct ops_to_undo {
    const struct resolved_ops *ops;
    size_t n;
    const struct ops_to_undo *outer;
};

struct back_search {
    struct arena *arena;
    struct back_ways *ways;
    size_t room;
    struct frame in;
    struct text *why;
};

static bool refuse(struct back_search *f, const char *why)
{
    if (!f->why->length)
        text_adds(f->why, why);
    return false;
}

/* True if two steps can become one: the canvas between them must cut nothing that no other canvas
 * cuts. */
static bool canvas_cuts_nothing(const struct back_step *after, const struct back_step *before)
{
    struct box canvas = box_of_frame(before->out);
    struct box from = box_of_frame(before->in), to = box_of_frame(after->out);
    struct point a[] = { { 0, 0 }, { from.x1, 0 }, { from.x1, from.y1 }, { 0, from.y1 } };
    struct point b[] = { { 0, 0 }, { to.x1, 0 }, { to.x1, to.y1 }, { 0, to.y1 } };

    mat3_apply_all(&before->map.forward, a, COUNTOF(a));
    if (box_contains(canvas, box_of_points(a, COUNTOF(a)), EDGE_SLACK))
        return true;
    if (!mat3_sees(&after->map.inverse, to))
        return false;
    mat3_apply_all(&after->map.inverse, b, COUNTOF(b));
    return box_contains(canvas, box_of_points(b, COUNTOF(b)), EDGE_SLACK);
}

static bool join_steps(struct back_step *after, const struct back_step *before)
{
    if (after->map.field || before->map.field || before->hidden.n || before->pasted ||
        !canvas_cuts_nothing(after, before))
        return false;
    after->map = (struct map){ .forward = mat3_then(&before->map.forward, &after->map.forward),
                               .inverse = mat3_then(&after->map.inverse, &before->map.inverse) };
    after->in = before->in;
    return true;
}

static struct back_way *add_way(struct back_search *f)
{
    if (f->ways->n == f->room) {
        struct back_way *more = ARENA_ARRAY(f->arena, struct back_way, f->room = 2 * f->room + 4);

        for (size_t i = 0; i < f->ways->n; i++)
            more[i] = f->ways->at[i];
        f->ways->at = more;
    }
    return &f->ways->at[f->ways->n++];
}

static void end_way(struct back_search *f, const struct trail *trail, bool borrowed, size_t record,
                    struct frame in)
{
    struct back_way *way = add_way(f);
    size_t length = 0, n = 0;
    struct back_step *step, *all;

    for (const struct trail *t = trail; t; t = t->before)
        length++;
    all = ARENA_ARRAY(f->arena, struct back_step, length);
    step = ARENA_ARRAY(f->arena, struct back_step, length);
    for (size_t i = length; i-- > 0; trail = trail->before)
        all[i] = trail->step;
    for (size_t i = 0; i < length; i++)
        if (!n || !join_steps(&step[n - 1], &all[i]))
            step[n++] = all[i];
    *way = (struct back_way){ borrowed, record, in, step, n };
}

static bool walk(struct back_search *, struct ops_to_undo, const struct trail *);

/* Returns the images above an input on the canvas. Pasted objects are counted by struct
 * paste_layers. */
static struct rects rects_over(struct back_search *f, const struct action *a, size_t i)
{
    struct rect *rect = ARENA_ARRAY(f->arena, struct rect, a->u.join.n);
    size_t n = 0;

    for (size_t k = i + 1; k < a->u.join.n; k++)
        if (!a->u.join.lay[k].cut_out)
            rect[n++] = a->u.join.lay[k].part;
    return (struct rects){ rect, n };
}

static struct rle shown_of(struct back_search *f, const struct action *a, const struct lay *lay)
{
    struct box box = box_of_rect(lay->part);
    struct ring ring = ring_of_box(f->arena, box);
    struct rings rings = { &ring, 1 };

    return lay->cut_out ? *lay->cut_out : rle_from_rings(f->arena, &rings, a->out);
}

/* Returns NULL if no objects are pasted. */
static const struct paste_layers *pasted_of(struct back_search *f, const struct action *a)
{
    size_t n = a->u.join.n;
    struct paste_layers *p = ARENA_NEW(f->arena, struct paste_layers);
    struct rle *from = ARENA_ARRAY(f->arena, struct rle, n + 1);
    struct boxes *boxes = ARENA_ARRAY(f->arena, struct boxes, n);
    bool *cut_out = ARENA_ARRAY(f->arena, bool, n), any = false;

    for (size_t i = 0; i < n; i++) {
        any |= cut_out[i] = a->u.join.lay[i].cut_out != NULL;
        boxes[i] = (struct boxes){ a->u.join.lay[i].boxes, a->u.join.lay[i].n_boxes };
    }
    if (!any)
        return NULL;
    from[n] = rle_from_rings(f->arena, &(struct rings){ 0 }, a->out);
    for (size_t i = n; i-- > 0;) {
        const struct rle both[] = { shown_of(f, a, &a->u.join.lay[i]), from[i + 1] };

        from[i] = rle_merge(f->arena, both, COUNTOF(both), false);
    }
    *p = (struct paste_layers){ from, cut_out, boxes, n };
    return p;
}

static struct back_step step_of_input(struct back_search *f, const struct action *a,
                                      const struct paste_layers *pasted, size_t i)
{
    const struct lay *lay = &a->u.join.lay[i];
    const double x = lay->part.x, y = lay->part.y;

    return (struct back_step){ .map = { .forward = { { 1, 0, x, 0, 1, y, 0, 0, 1 } },
                                        .inverse = { { 1, 0, -x, 0, 1, -y, 0, 0, 1 } } },
                               .in = { lay->part.w, lay->part.h },
                               .out = a->out,
                               .hidden = rects_over(f, a, i),
                               .pasted = pasted,
                               .input = i };
}

static bool walk_join(struct back_search *f, const struct action *a,
                      const struct ops_to_undo *outer, const struct trail *before)
{
    const struct paste_layers *pasted;

    for (size_t i = 0; i < a->u.join.n; i++) {
        const struct lay *lay = &a->u.join.lay[i];

        if (lay->opacity < 1)
            return refuse(f,
                          "images show through each other, so a place of the output shows several");
        if (lay->cut_out && !lay->borrowed)
            return refuse(f, "objects of the image are pasted into it, so a place of it is shown "
                             "twice");
    }
    pasted = pasted_of(f, a);
    for (size_t i = 0; i < a->u.join.n; i++) {
        const struct resolved_ops *ops = &a->u.join.input[i];
        const struct lay *lay = &a->u.join.lay[i];
        struct trail trail = { before, step_of_input(f, a, pasted, i) };
        struct ops_to_undo inner = { ops, ops->n, lay->borrowed ? NULL : outer };

        if (lay->borrowed) {
            struct frame in = ops->n ? ops->at[0].action.in : trail.step.in;
            size_t first = f->ways->n;

            if (!walk(f, inner, &trail))
                return false;
            for (size_t k = first; k < f->ways->n; k++)
                if (!f->ways->at[k].borrowed) {
                    f->ways->at[k].borrowed = true;
                    f->ways->at[k].record = lay->record;
                    f->ways->at[k].in = in;
                }
        } else if (!walk(f, inner, &trail)) {
            return false;
        }
    }
    return true;
}

static bool moves_pixels(const struct action *a)
{
    return !map_is_identity(&a->map) || !frame_equal(a->in, a->out);
}

/* Undoes ops, from the last one to the first. */
static bool walk(struct back_search *f, struct ops_to_undo left, const struct trail *before)
{
    struct trail trail = { .before = before };
    const struct action *a;

    while (!left.n && left.outer)
        left = *left.outer;
    if (!left.n) {
        end_way(f, before, false, 0, f->in);
        return true;
    }
    a = &left.ops->at[--left.n].action;
    if (a->family == FAMILY_JOIN)
        return walk_join(f, a, &left, before);
    if (a->family == FAMILY_MIX) {
        struct ops_to_undo first = { a->u.mix.input, a->u.mix.input->n, &left };

        return walk(f, first, before);
    }
    if (!moves_pixels(a))
        return walk(f, left, before);
    if (a->map.field && field_min_jacobian(a->map.field) <= 0)
        return refuse(f, "a displacement folds, so places of the image are shown twice");
    trail.step = (struct back_step){ .map = a->map, .in = a->in, .out = a->out };
    return walk(f, left, &trail);
}

/* --- all of it --- */

enum back_outcome plan_back(const struct plan *plan, const struct donor_source *donors,
                            struct frame in, struct arena *arena, struct back_ways *ways,
                            struct frame *out, struct text *why)
{
    const struct draw_id id = { .image = { "", 0 } };
    struct sample sample = { .arena = arena, .name = "", .frame = in, .donors = donors };
    struct resolved_ops drawn;
    struct plan moving = *plan;
    struct back_search f = { .arena = arena, .ways = ways, .in = in, .why = why };

    *ways = (struct back_ways){ 0 };
    moving.transforms = moving_steps(&plan->transforms, arena);
    if (!plan_apply(&moving, &id, (struct pixel_kind){ PIXEL_U8, 3 }, &sample, &drawn, why))
        return BACK_FAILED;
    *out = sample.frame;
    return walk(&f, (struct ops_to_undo){ &drawn, drawn.n, NULL }, NULL) ? BACK_KNOWN
                                                                         : BACK_AMBIGUOUS;
}
