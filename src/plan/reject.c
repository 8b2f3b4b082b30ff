/* reject: what was drawn for an image is drawn again when it loses too much. */
#include "plan/reject.h"

static const struct row reject_rules_rows[] = {
    FLAG(struct reject_rules, objects_lost, .preset = "false", .help = "an object was dropped"),
    FLAG(struct reject_rules, all_objects_lost, .preset = "false",
         .help = "there were objects, and all were dropped"),
    OPTIONAL(struct reject_rules, objects_below, .preset = "null", .whole = true,
             .limit = { 1, INFINITY },
             .help = "some objects were dropped, and fewer than this are left"),
    OPTIONAL(struct reject_rules, visibility_below, .preset = "null", .limit = { 0, 1 },
             .help = "a smaller share of an object is left and not hidden"),
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

/* --- what is lost --- */

/* What has become of an object, in that of a draw's images where there is most of it. */
struct fate {
    bool counts; /* no crowd, and the rules would keep it in the image as it is */
    bool kept;
    double visibility;
};

struct losses {
    struct fate *fate;
    size_t n;
};

static void losses_start(struct losses *l, const struct sample *original, struct arena *arena)
{
    l->n = original->n_objects;
    l->fate = ARENA_ARRAY(arena, struct fate, l->n);
    for (size_t i = 0; i < l->n; i++)
        l->fate[i].counts = !original->objects[i].crowd && !original->objects[i].final.dropped;
}

static void losses_clear(struct losses *l)
{
    for (size_t i = 0; i < l->n; i++)
        l->fate[i] = (struct fate){ .counts = l->fate[i].counts };
}

static void losses_note(struct losses *l, const struct sample *finalized)
{
    for (size_t i = 0; i < finalized->n_objects; i++) {
        const struct object *o = &finalized->objects[i];

        if (o->record != finalized->record) /* that of an image that was borrowed */
            continue;
        l->fate[o->index].kept |= !o->final.dropped;
        l->fate[o->index].visibility = fmax(l->fate[o->index].visibility, o->visibility);
    }
}

/* The first condition that holds, if any does. */
static bool is_rejected(const struct losses *l, const struct reject_rules *rules,
                        struct reject_reason *reason)
{
    size_t lost = 0, left = 0;
    double least = 1;

    for (size_t i = 0; i < l->n; i++) {
        if (!l->fate[i].counts)
            continue;
        left += l->fate[i].kept;
        lost += !l->fate[i].kept;
        least = fmin(least, l->fate[i].visibility);
    }
    if (rules->objects_lost && lost)
        *reason = (struct reject_reason){ "objects_lost", (double)lost };
    else if (rules->all_objects_lost && lost && !left)
        *reason = (struct reject_reason){ "all_objects_lost", (double)lost };
    else if (rules->objects_below.given && lost && (double)left < rules->objects_below.number)
        *reason = (struct reject_reason){ "objects_below", (double)left };
    else if (rules->visibility_below.given && least < rules->visibility_below.number)
        *reason = (struct reject_reason){ "visibility_below", least };
    else
        return false;
    return true;
}

/* --- attempts --- */

/* All that a draw makes of one image counts together. */
static bool try_attempt(const struct plan *plan, attempt_fn *draw, void *context, uint32_t attempt,
                        struct losses *losses)
{
    struct absences absences = { 0 };
    bool good = true;

    losses_clear(losses);
    for (uint32_t branch = 0; good && branch < plan->fan_out; branch++) {
        struct sample sample;
        struct absence absence;

        if (absences_have(&absences, branch))
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
    uint32_t most = (uint32_t)rules->max_attempts;
    struct reject_reason *rejected = ARENA_ARRAY(arena, struct reject_reason, most);
    struct losses losses;
    struct sample original;
    struct absence absence;

    *attempts = (struct attempts){ .rejected = rejected };
    if (!draw(context, &(struct attempt){ .original = true }, &original, &absence))
        return false;
    losses_start(&losses, &original, arena);
    for (uint32_t i = 0; i < most; i++) {
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
