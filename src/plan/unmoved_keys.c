/* unmoved_keys: members of annotations that no transform moves. */
#include "plan/unmoved_keys.h"

#include "plan/key_lists.h"

#include <string.h>

static bool note_move(const struct step *step, void *context)
{
    bool *moves = context;
    const char *const *names = step->transform ? step->transform->emits : NULL;

    if (!(step->chance > 0))
        return false;
    *moves |= step->op && (step->op->effect & EFFECT_MOVES);
    for (; names && *names; names++)
        *moves |= (registry_op(*names)->effect & EFFECT_MOVES) != 0;
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

void keys_left_behind(const struct plan *plan, struct dataset *d)
{
    const struct dataset *list = d->list; /* has the images, if there is one */
    size_t n_list = list ? list->n_loose_keys : 0, n = 0;
    const char **left = ARENA_ARRAY(d->arena, const char *, d->n_loose_keys + n_list);
    bool moves = false;

    steps_walk(&plan->transforms, note_move, &moves);
    for (size_t i = 0; moves && i < d->n_loose_keys; i++)
        if (!is_dropped(&plan->rules.drop_keys, d->loose_keys[i]) &&
            !is_moved(&plan->rules.move_keys, d->loose_keys[i]))
            left[n++] = d->loose_keys[i];
    for (size_t i = 0; moves && i < n_list; i++)
        if (image_key_name(list->loose_keys[i]) &&
            !is_dropped(&plan->rules.drop_keys, list->loose_keys[i]))
            left[n++] = list->loose_keys[i];
    d->loose_keys = left;
    d->n_loose_keys = n;
}
