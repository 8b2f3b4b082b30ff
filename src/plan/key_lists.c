/* key_lists: names of members as parameters: of annotations and images a list of those to leave
 * out, of annotations an object of those to move. */
#include "plan/key_lists.h"

#include <string.h>

static const struct choice key_choices[] = {
    { "box", MOVED_BOX, "[x, y, width, height]" },
    { "point", MOVED_POINT, "[x, y], or several points one behind the other" },
    { 0 },
};

/* Returns the name of an image's member without its prefix; NULL for a member of annotations. */
static const char *name_of_image(const char *name)
{
    size_t length = strlen(KEYS_OF_IMAGES);

    return strncmp(name, KEYS_OF_IMAGES, length) == 0 ? name + length : NULL;
}

static bool is_own_of_image(const char *name)
{
    static const char *const own[] = { "id", "file_name", "width", "height" };
    bool has = !*name;

    for (size_t i = 0; i < COUNTOF(own); i++)
        has |= strcmp(name, own[i]) == 0;
    return has;
}

static bool check_key(const struct value *value, bool on_name, const char *name,
                      const struct named_key *before, size_t n, struct faults *faults)
{
    const char *image = name_of_image(name);

    if (image && on_name)
        return value_fault(faults, value, on_name, "param-conflict",
                           "keys of images are not moved; drop_keys leaves them out");
    if (image && is_own_of_image(image))
        return value_fault(faults, value, on_name, "param-conflict",
                           "\"%s\" is COCO's own key, and is moved as what it is", name);
    name = image ? image : name;
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, before[i].name) == 0)
            return value_fault(faults, value, on_name, "param-twice", "\"%s\" is given twice",
                               name);
    return true;
}

static bool keys_read(const struct value *value, enum value_kind kind, const char *wants, void *to,
                      const struct reader *reader, struct faults *faults)
{
    struct keys *keys = to;
    struct named_key *at, *of_images;
    bool good = true;

    *keys = (struct keys){ 0 };
    if (!value_expect(value, kind, wants, faults))
        return false;
    at = ARENA_ARRAY(reader->arena, struct named_key, value->n);
    of_images = ARENA_ARRAY(reader->arena, struct named_key, value->n);
    keys->at = at;
    keys->of_images = of_images;
    for (size_t i = 0; i < value->n; i++) {
        const struct value *item = &value->item[i];
        const struct row word = { .kind = &choice_kind, .choices = key_choices };
        const char *name = kind == VALUE_OBJECT ? item->name : item->text, *image;
        int moved = 0;

        if (kind == VALUE_LIST ? !value_expect(item, VALUE_TEXT, "a string", faults)
                               : !choice_kind.read(&word, item, &moved, reader, faults)) {
            good = false;
            continue;
        }
        image = name_of_image(name);
        good &= check_key(item, kind == VALUE_OBJECT, name, image ? of_images : at,
                          image ? keys->n_of_images : keys->n, faults);
        name = arena_copy(reader->arena, image ? image : name, strlen(image ? image : name));
        if (image)
            of_images[keys->n_of_images++] = (struct named_key){ name, moved };
        else
            at[keys->n++] = (struct named_key){ name, moved };
    }
    return good;
}

static bool key_names_read(const struct row *row, const struct value *value, void *to,
                           const struct reader *reader, struct faults *faults)
{
    return keys_read(value, VALUE_LIST, row->kind->wants, to, reader, faults);
}

static void key_names_show(const struct row *row, const void *from, struct text *out)
{
    const struct keys *keys = from;

    (void)row;
    text_addc(out, '[');
    for (size_t i = 0; i < keys->n; i++) {
        text_adds(out, i ? ", " : "");
        text_add_json(out, keys->at[i].name, strlen(keys->at[i].name));
    }
    for (size_t i = 0; i < keys->n_of_images; i++) {
        struct text name = { 0 };

        text_addf(&name, KEYS_OF_IMAGES "%s", keys->of_images[i].name);
        text_adds(out, i || keys->n ? ", " : "");
        text_add_json(out, text_string(&name), name.length);
        text_drop(&name);
    }
    text_addc(out, ']');
}

static void key_names_schema(const struct row *row, struct text *out)
{
    (void)row;
    text_adds(out, "\"type\": \"array\", \"items\": {\"type\": \"string\"}");
}

const struct kind key_names_kind = { "key names", "a list of strings", key_names_read,
                                     key_names_show, key_names_schema };

static bool key_kinds_read(const struct row *row, const struct value *value, void *to,
                           const struct reader *reader, struct faults *faults)
{
    return keys_read(value, VALUE_OBJECT, row->kind->wants, to, reader, faults);
}

static void key_kinds_show(const struct row *row, const void *from, struct text *out)
{
    const struct keys *keys = from;

    (void)row;
    text_addc(out, '{');
    for (size_t i = 0; i < keys->n; i++) {
        text_adds(out, i ? ", " : "");
        text_add_json(out, keys->at[i].name, strlen(keys->at[i].name));
        text_addf(out, ": \"%s\"", choice_word(key_choices, keys->at[i].kind));
    }
    text_addc(out, '}');
}

static void key_kinds_schema(const struct row *row, struct text *out)
{
    (void)row;
    text_adds(out, "\"type\": \"object\", \"additionalProperties\": {\"enum\": "
                   "[\"box\", \"point\"]}");
}

const struct kind key_kinds_kind = { "key kinds",
                                     "an object of names, each with \"box\" or \"point\"",
                                     key_kinds_read, key_kinds_show, key_kinds_schema };

/* --- what a dataset has of them --- */

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

/* Left out, or what it is a member of. */
static bool is_dropped(const struct keys *drop, const char *name)
{
    const char *image = name_of_image(name);
    const struct named_key *at = image ? drop->of_images : drop->at;
    size_t n = image ? drop->n_of_images : drop->n;
    char outer[64];

    name = image ? image : name;
    snprintf(outer, sizeof outer, "%.*s", (int)strcspn(name, "."), name);
    return has_key(at, n, name) || has_key(at, n, outer);
}

/* A member of a member is not moved. */
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
        if (name_of_image(list->loose_keys[i]) &&
            !is_dropped(&plan->rules.drop_keys, list->loose_keys[i]))
            left[n++] = list->loose_keys[i];
    d->loose_keys = left;
    d->n_loose_keys = n;
}
