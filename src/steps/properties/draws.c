/* draws: the example of a transform can be drawn, and emits only the ops of its `emits`. */
#include "steps/properties/walk.h"

#include "plan/apply.h"

#include <stdio.h>
#include <string.h>

/* The ops that an op expands into are not listed. */
static bool is_listed(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0 || registry_op(*names)->expand)
            return true;
    return false;
}

/* Draws another image, for transforms that borrow one. */
static bool draw_other(void *context, const struct donors *donors, uint64_t draw, size_t *record,
                       struct text *why)
{
    (void)context, (void)donors, (void)draw, (void)why;
    *record = 1;
    return true;
}

static bool find_other(void *context, const char *name, size_t *record, struct text *why)
{
    (void)context, (void)why;
    *record = 1;
    return strcmp(name, "other.jpg") == 0;
}

static const char *name_other(void *context, size_t record)
{
    (void)context, (void)record;
    return "other.jpg";
}

static bool load_other(void *context, size_t record, struct arena *arena, struct sample *sample,
                       enum pixel_type *type, int *channels, struct text *why)
{
    (void)context, (void)why;
    *sample = (struct sample){ .arena = arena,
                               .name = "other.jpg",
                               .record = record,
                               .frame = { 200, 150 },
                               .matrix = MAT3_IDENTITY,
                               .has_matrix = true };
    *type = PIXEL_U8;
    *channels = 1;
    return true;
}

static const struct donor_source others = {
    .draw = draw_other, .find = find_other, .name = name_other, .load = load_other
};

/* Prints the ops that a draw emits for a sample of its own. If the draw fails, so does a check, and
 * the text stays empty. */
static void draw(struct walker *w, const struct transform *transform, const struct plan *plan,
                 uint64_t key, struct text *drawn)
{
    struct arena arena = { 0 };
    struct sample sample = { .arena = &arena, .frame = { 320, 240 }, .donors = &others };
    struct resolved_ops resolved_ops;
    struct text why = { 0 };

    if (walk_check(w,
                   plan_apply(plan, &(struct draw_id){ .seed = key },
                              (struct pixel_kind){ PIXEL_U8, 3 }, &sample, &resolved_ops, &why),
                   "the example draws"))
        for (size_t i = 0; i < resolved_ops.n; i++) {
            if (transform->emits)
                walk_check(w, is_listed(transform->emits, resolved_ops.at[i].op->name),
                           "what is emitted is in `emits`");
            resolved_op_print(&resolved_ops.at[i], drawn);
        }
    text_drop(&why);
    arena_drop(&arena);
}

void walk_draws(struct walker *w, const struct transform *transform)
{
    struct text json = { 0 }, before = { 0 }, again = { 0 };
    struct faults faults = { .name = transform->name };
    struct plan plan;

    snprintf(w->about, sizeof w->about, "%s", transform->example);
    text_addf(&json, "{\"version\": 1, \"transforms\": [%s]}", transform->example);
    faults.text = (struct slice){ json.at, json.length };
    if (walk_check(w, plan_read(&faults, &plan), "the example is a step")) {
        for (uint64_t key = 1; key <= 50; key++)
            draw(w, transform, &plan, key, &before);
        for (uint64_t key = 1; key <= 50; key++)
            draw(w, transform, &plan, key, &again);
        walk_check(w, strcmp(text_string(&before), text_string(&again)) == 0,
                   "the same keys draw the same");
    }
    plan_drop(&plan);
    faults_drop(&faults);
    text_drop(&json);
    text_drop(&before);
    text_drop(&again);
}
