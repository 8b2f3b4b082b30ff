/* keys: elements of objects that are not Pascal VOC's, dropped or moved. */
#include "labels/voc/keys.h"

#include "base/number.h"

#include <string.h>

const char *const voc_own_keys[] = { "name", "bndbox", "part", NULL };

const struct voc_inner *voc_inner_named(const struct voc_extra *e, const char *name)
{
    bool named = false;

    for (size_t i = 0; i < e->n_inside; i++) {
        const struct voc_inner *in = &e->inside[i];

        if (in->depth == 2)
            named |= strcmp(in->name, "name") == 0 && strcmp(in->value, name) == 0;
        if (in->depth != 1)
            continue;
        if (named || strcmp(in->name, name) == 0)
            return in;
        named = false;
    }
    return NULL;
}

const char *voc_inner_value(const struct voc_extra *e, const struct voc_inner *in)
{
    for (size_t i = 0; i < e->n_inside && &e->inside[i] != in; i++)
        if (e->inside[i].whole.at > in->whole.at && e->inside[i].depth == 2 &&
            strcmp(e->inside[i].name, "value") == 0)
            return e->inside[i].value;
    return in->value;
}

bool voc_is_dropped(const struct voc_extra *e, const struct rules *rules)
{
    for (size_t i = 0; i < rules->drop_keys.n; i++)
        if (strcmp(rules->drop_keys.at[i].name, e->name) == 0)
            return true;
    return false;
}

const struct named_key *voc_moved_key(const struct voc_extra *e, const struct rules *rules)
{
    const struct keys *keys = &rules->move_keys;

    if (voc_is_dropped(e, rules) || (!e->n_inside && !*e->value))
        return NULL;
    for (size_t i = 0; i < keys->n; i++)
        if (strcmp(keys->at[i].name, e->name) == 0)
            return &keys->at[i];
    return NULL;
}

/* x, y, x1, y1, x2 and so on. */
static bool is_coordinate(const char *name, char axis)
{
    return *name == axis && strspn(name + 1, "0123456789") == strlen(name + 1);
}

static bool read_number(const struct voc_inner *in, double *to)
{
    return in->text.length && number_scan(in->text, to) == in->text.length &&
           *to >= -LARGEST_COORDINATE && *to <= LARGEST_COORDINATE;
}

static bool fail(struct faults *f, struct slice at, const char *code, const char *why)
{
    return fault_add(f, (size_t)(at.at - f->text.at), 1, "", code, "%s", why);
}

bool voc_read_points(struct faults *f, const struct voc_extra *e, struct arena *arena,
                     struct voc_points *to)
{
    bool good = true;

    *to = (struct voc_points){ .at = ARENA_ARRAY(arena, const struct voc_inner *, e->n_inside),
                               .number = ARENA_ARRAY(arena, double, e->n_inside) };
    for (size_t i = 0; i < e->n_inside && good; i++) {
        const struct voc_inner *in = &e->inside[i];

        if (!is_coordinate(in->name, 'x') && !is_coordinate(in->name, 'y'))
            continue;
        good =
            is_coordinate(in->name, to->n % 2 ? 'y' : 'x') && read_number(in, &to->number[to->n]);
        to->at[to->n++] = in;
    }
    if (!good || !to->n || to->n % 2)
        return fail(f, e->whole, "voc-points",
                    "annotations.move_keys says that this element has points: elements x and y, or "
                    "x1, y1, x2, y2 and so on, in turn, with a number each");
    return true;
}

bool voc_read_box(struct faults *f, const struct voc_extra *e, struct voc_box *box)
{
    static const char *const corners[] = { "xmin", "ymin", "xmax", "ymax" };

    *box = (struct voc_box){ .found = 0 };
    for (size_t i = 0; i < e->n_inside; i++)
        for (unsigned k = 0; k < COUNTOF(corners); k++) {
            const struct voc_inner *in = &e->inside[i];

            if (strcmp(in->name, corners[k]) != 0)
                continue;
            if (box->found & 1U << k || !read_number(in, &box->number[k]))
                return fail(f, in->whole, "voc-bndbox",
                            "expected one number, at most 1e7 in magnitude");
            box->at[k] = in->text;
            box->found |= 1U << k;
        }
    return true;
}
