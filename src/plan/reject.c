/* reject: draws an image again if it loses too much. */
#include "plan/reject.h"

static const struct row reject_rules_rows[] = {
    FLAG(struct reject_rules, objects_lost, .preset = "false", .help = "an object was dropped"),
    FLAG(struct reject_rules, all_objects_lost, .preset = "false",
         .help = "there were objects, and all were dropped"),
    OPTIONAL(struct reject_rules, objects_below, .preset = "null", .whole = true,
             .limit = { 1, INFINITY },
             .help = "objects were dropped, and fewer than this number are left"),
    OPTIONAL(struct reject_rules, visibility_below, .preset = "null", .limit = { 0, 1 },
             .help = "the visible share of an object is smaller than this"),
    ROWS_END,
};

static bool reject_rules_read(const struct row *row, const struct value *value, void *to,
                              const struct reader *reader, struct faults *faults)
{
    struct reject_rules *rules = to;

    *rules = (struct reject_rules){ .given = value->kind != VALUE_NULL };
    return !rules->given || set_read(reject_rules_rows, row, value, rules, reader, faults);
}

static void reject_rules_show(const struct row *row, const void *from, struct text *out)
{
    const struct reject_rules *rules = from;

    (void)row;
    if (rules->given)
        set_show(reject_rules_rows, rules, out);
    else
        text_adds(out, "null");
}

static void reject_rules_schema(const struct row *row, struct text *out)
{
    (void)row;
    set_schema(reject_rules_rows, out);
}

const struct kind reject_rules_kind = {
    "rejection",
    "{\"objects_lost\": true, \"all_objects_lost\": true, \"objects_below\": n, "
    "\"visibility_below\": share}, or null",
    reject_rules_read, reject_rules_show, reject_rules_schema
};

/* --- lost objects --- */

/* The state of an object in the image of a draw that shows most of it. */
struct object_loss {
    bool counts; /* not a crowd, and kept in the untransformed image */
    bool kept;
    double visibility;
};

struct losses {
    struct object_loss *loss;
    size_t n;
};

static void losses_start(struct losses *l, const struct sample *original, struct arena *arena)
{
    l->n = original->n_objects;
    l->loss = ARENA_ARRAY(arena, struct object_loss, l->n);
    for (size_t i = 0; i < l->n; i++)
        l->loss[i].counts = !original->objects[i].crowd && !original->objects[i].final.dropped;
}

static void losses_clear(struct losses *l)
{
    for (size_t i = 0; i < l->n; i++)
        l->loss[i] = (struct object_loss){ .counts = l->loss[i].counts };
}

static void losses_note(struct losses *l, const struct sample *finalized)
{
    for (size_t i = 0; i < finalized->n_objects; i++) {
        const struct object *o = &finalized->objects[i];

        if (o->record != finalized->record) /* an object of a borrowed image */
            continue;
        l->loss[o->index].kept |= !o->final.dropped;
        l->loss[o->index].visibility = fmax(l->loss[o->index].visibility, o->visibility);
    }
}

/* True if a condition holds; `reason` gets the first one. */
static bool is_rejected(const struct losses *l, const struct reject_rules *rules,
                        struct reject_reason *reason)
{
    size_t lost = 0, left = 0;
    double min_visibility = 1;

    for (size_t i = 0; i < l->n; i++) {
        if (!l->loss[i].counts)
            continue;
        left += l->loss[i].kept;
        lost += !l->loss[i].kept;
        min_visibility = fmin(min_visibility, l->loss[i].visibility);
    }
    if (rules->objects_lost && lost)
        *reason = (struct reject_reason){ "objects_lost", (double)lost };
    else if (rules->all_objects_lost && lost && !left)
        *reason = (struct reject_reason){ "all_objects_lost", (double)lost };
    else if (rules->objects_below.given && lost && (double)left < rules->objects_below.number)
        *reason = (struct reject_reason){ "objects_below", (double)left };
    else if (rules->visibility_below.given && min_visibility < rules->visibility_below.number)
        *reason = (struct reject_reason){ "visibility_below", min_visibility };
    else
        return false;
    return true;
}

/* --- attempts --- */

/* Counts the objects that are kept in any of the samples of a draw. */
static bool try_attempt(const struct plan *plan, attempt_fn *draw, void *context, uint32_t attempt,
                        struct losses *losses)
{
    struct absences absences = { 0 };
    bool good = true;

    losses_clear(losses);
    for (uint32_t branch = 0; good && branch < plan->fan_out; branch++) {
        struct sample sample;
        struct absence absence;

        if (absences_contain_branch(&absences, branch))
            continue;
        good = draw(context, &(struct attempt){ false, attempt, branch }, &sample, &absence);
        if (good && absence.stride)
            absences_add(&absences, &absence);
        else if (good)
            losses_note(losses, &sample);
    }
    absences_drop(&absences);
    return good;
}

bool attempts_choose(const struct plan *plan, attempt_fn *draw, void *context, struct arena *arena,
                     struct attempts *attempts)
{
    const struct rules *rules = &plan->rules;
    uint32_t max_attempts = (uint32_t)rules->max_attempts;
    struct reject_reason *rejected = ARENA_ARRAY(arena, struct reject_reason, max_attempts);
    struct losses losses;
    struct sample original;
    struct absence absence;

    *attempts = (struct attempts){ .rejected = rejected };
    if (!draw(context, &(struct attempt){ .original = true }, &original, &absence))
        return false;
    losses_start(&losses, &original, arena);
    for (uint32_t i = 0; i < max_attempts; i++) {
        attempts->chosen = i;
        if (!try_attempt(plan, draw, context, i, &losses))
            return false;
        if (!is_rejected(&losses, &rules->reject_image_if, &rejected[i]))
            return true;
        attempts->n_rejected++;
    }
    attempts->given_up = true;
    return true;
}
