/* losses: counts and reports the labels that outputs lose. */
#include "batch/manifest/losses.h"

#include "base/stderr_line.h"

#include <string.h>

/* Reasons why objects are dropped (struct final_state), and their words in the summary. */
static const struct {
    const char *reason, *summary;
} words[LOSSES] = {
    [LOSS_OUTSIDE] = { "outside", "outside" },
    [LOSS_HIDDEN] = { "hidden", "hidden" },
    [LOSS_MIN_VISIBILITY] = { "min_visibility", "below min_visibility" },
    [LOSS_MIN_AREA] = { "min_area", "below min_area" },
    [LOSS_MIN_SIZE] = { "min_size", "below min_size" },
    [LOSS_MAX_ASPECT] = { "max_aspect", "above max_aspect" },
    [LOSS_STEPS] = { "steps", "by steps" },
};

/* --- counting --- */

bool keypoint_is_lost(const struct keypoint *k)
{
    return k->off_canvas && k->was_labelled && !keypoint_is_there(k);
}

bool object_is_swapped_by_guess(const struct object *o)
{
    bool labelled = false;

    if (!(o->changes & CHANGE_MIRRORED) || !o->category || !o->category->guesses_pairs)
        return false;
    for (size_t i = 0; i < o->n_keypoints; i++)
        labelled |= o->keypoints[i].visibility > 0;
    return labelled;
}

static enum loss loss_of(const char *reason)
{
    enum loss loss = 0;

    while (loss < LOSS_STEPS && strcmp(words[loss].reason, reason) != 0)
        loss++;
    return loss;
}

static size_t lost_keypoints(const struct object *o)
{
    size_t n = 0;

    for (size_t i = 0; i < o->n_keypoints; i++)
        n += keypoint_is_lost(&o->keypoints[i]);
    for (size_t i = 0; i < o->n_parts; i++)
        n += lost_keypoints(&o->parts[i]);
    return n;
}

void losses_count(struct losses *l, const struct sample *sample)
{
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];

        if (o->final.dropped) {
            l->dropped[loss_of(o->final.reason)]++;
            continue;
        }
        l->keypoints += lost_keypoints(o);
        l->swapped_by_guess += object_is_swapped_by_guess(o);
    }
}

void losses_add(struct losses *sum, const struct losses *more)
{
    for (size_t i = 0; i < LOSSES; i++)
        sum->dropped[i] += more->dropped[i];
    sum->keypoints += more->keypoints;
    sum->swapped_by_guess += more->swapped_by_guess;
}

/* --- printing --- */

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

void losses_tell(const struct losses *l)
{
    struct text line = { 0 };

    for (size_t i = 0; i < LOSSES; i++)
        if (l->dropped[i] && !line.length)
            text_addf(&line, "dropped: %zu object%s %s", l->dropped[i], plural(l->dropped[i]),
                      words[i].summary);
        else if (l->dropped[i])
            text_addf(&line, ", %zu %s", l->dropped[i], words[i].summary);
    if (l->keypoints)
        text_addf(&line, "%s%zu keypoint%s left the canvas", line.length ? "; " : "", l->keypoints,
                  plural(l->keypoints));
    if (l->swapped_by_guess)
        text_addf(&line, "%skeypoints of %zu object%s changed sides by a guess from their names",
                  line.length ? "; " : "", l->swapped_by_guess, plural(l->swapped_by_guess));
    if (line.length)
        message_print("lockstep: %s", text_string(&line));
    text_drop(&line);
}

void losses_print(const struct losses *l, struct text *out)
{
    text_adds(out, ",\n \"dropped\": {");
    for (size_t i = 0; i < LOSSES; i++)
        text_addf(out, "%s\"%s\": %zu", i ? ", " : "", words[i].reason, l->dropped[i]);
    text_addf(out, "},\n \"keypoints\": {\"left_canvas\": %zu, \"objects_swapped_by_guess\": %zu}",
              l->keypoints, l->swapped_by_guess);
}
