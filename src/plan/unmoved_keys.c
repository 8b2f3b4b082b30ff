/* unmoved_keys: members of annotations that no transform moves. */
#include "plan/unmoved_keys.h"

#include "labels/shared/distortion_keys.h"
#include "plan/key_lists.h"

#include <string.h>

/* Adds the effects that a step may have. */
static bool note_effect(const struct step *step, void *context)
{
    unsigned *effect = context;
    const char *const *names = step->transform ? step->transform->emits : NULL;

    if (!(step->chance > 0))
        return false;
    if (step->op)
        *effect |= step->op->effect;
    for (; names && *names; names++)
        *effect |= registry_op(*names)->effect;
    return true;
}

static bool has_key(const struct named_key *at, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(at[i].name, name) == 0)
            return true;
    return false;
}

/* True if `name`, or the member that contains it, is dropped. */
static bool is_dropped(const struct keys *drop, const char *name)
{
    const char *image = image_key_name(name);
    const struct named_key *at = image ? drop->of_images : drop->at;
    size_t n = image ? drop->n_of_images : drop->n;
    char outer[64];

    name = image ? image : name;
    snprintf(outer, sizeof outer, "%.*s", (int)strcspn(name, "."), name);
    return has_key(at, n, name) || has_key(at, n, outer);
}

/* True if `name` is moved; members of members are not. */
static bool is_moved(const struct keys *move, const char *name)
{
    return !strchr(name, '.') && has_key(move->at, move->n, name);
}

/* True if `name` or a member of it is a camera matrix that is moved; or if it holds distortion
 * coefficients, and such cameras only shift and scale. */
static bool is_of_camera(const struct rules *rules, const char *name, unsigned effect)
{
    const char *image = image_key_name(name);
    size_t length = image ? strlen(image) : 0;

    for (size_t i = 0; image && i < rules->camera.n; i++)
        if (strncmp(rules->camera.at[i].name, image, length) == 0 &&
            strchr(".", rules->camera.at[i].name[length]))
            return true;
    return image && rules->camera.n && !(effect & (EFFECT_MIRRORS | EFFECT_TURNS)) &&
           is_distortion_key((struct slice){ image, length });
}

/* True if the steps move pixels, and nothing moves or drops the key. */
static bool is_left(const struct plan *plan, const char *name, unsigned effect)
{
    return effect & EFFECT_MOVES && !is_dropped(&plan->rules.drop_keys, name) &&
           !is_moved(&plan->rules.move_keys, name) && !is_of_camera(&plan->rules, name, effect);
}

void keys_left_behind(const struct plan *plan, struct dataset *d)
{
    const struct dataset *list = d->list; /* has the images, if there is one */
    size_t n_list = list ? list->n_loose_keys : 0, n = 0;
    const char **left = ARENA_ARRAY(d->arena, const char *, d->n_loose_keys + n_list);
    unsigned effect = 0;

    steps_walk(&plan->transforms, note_effect, &effect);
    for (size_t i = 0; i < d->n_loose_keys; i++)
        if (is_left(plan, d->loose_keys[i], effect))
            left[n++] = d->loose_keys[i];
    for (size_t i = 0; i < n_list; i++)
        if (image_key_name(list->loose_keys[i]) && is_left(plan, list->loose_keys[i], effect))
            left[n++] = list->loose_keys[i];
    d->loose_keys = left;
    d->n_loose_keys = n;
}
