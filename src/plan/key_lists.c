/* key_lists: names of members as parameters: a list of members of annotations and images to drop,
 * and an object of members of annotations to move. */
#include "plan/key_lists.h"

#include <string.h>

static const struct choice key_choices[] = {
    { "box", MOVED_BOX, "[x, y, width, height]" },
    { "point", MOVED_POINT, "[x, y], or several points in a row" },
    { 0 },
};

const char *image_key_name(const char *name)
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
    const char *image = image_key_name(name);

    if (image && on_name)
        return value_fault(faults, value, on_name, "param-conflict",
                           "keys of images are not moved; drop_keys leaves them out");
    if (image && is_own_of_image(image))
        return value_fault(faults, value, on_name, "param-conflict",
                           "COCO defines \"%s\", which moves without being named here", name);
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
        image = image_key_name(name);
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

static bool image_names_read(const struct row *row, const struct value *value, void *to,
                             const struct reader *reader, struct faults *faults)
{
    struct keys *keys = to;
    struct named_key *at;
    bool good = true;

    *keys = (struct keys){ 0 };
    if (!value_expect(value, VALUE_LIST, row->kind->wants, faults))
        return false;
    keys->at = at = ARENA_ARRAY(reader->arena, struct named_key, value->n);
    for (size_t i = 0; i < value->n; i++) {
        const struct value *item = &value->item[i];

        if (!value_expect(item, VALUE_TEXT, "a string", faults)) {
            good = false;
            continue;
        }
        if (is_own_of_image(item->text))
            good = value_fault(faults, item, false, "param-conflict",
                               "COCO defines \"%s\", which is no camera matrix", item->text);
        good &= check_key(item, false, item->text, at, keys->n, faults);
        at[keys->n++] =
            (struct named_key){ .name = arena_copy(reader->arena, item->text, strlen(item->text)) };
    }
    return good;
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

const struct kind image_names_kind = { "image names", "a list of strings", image_names_read,
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
