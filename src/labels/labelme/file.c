/* file: a LabelMe file of one image, read as shapes and as the objects that they form. */
#include "labels/labelme/file.h"

#include <math.h>
#include <string.h>

struct reader {
    struct faults *faults;
    struct arena *arena;
    struct labelme_file *file;
};

bool labelme_is_file(struct slice head)
{
    static const char *const members[] = { "\"shapes\"", "\"imageData\"", "\"imagePath\"" };

    for (size_t i = 0; i < COUNTOF(members); i++)
        if (memmem(head.at, head.length, members[i], strlen(members[i])))
            return true;
    return false;
}

struct slice labelme_text_of(const struct labelme_file *file, const struct value *v)
{
    return (struct slice){ file->text.at + v->at.offset, v->at.length };
}

static bool fail(const struct reader *r, const struct value *v, const char *code, const char *why)
{
    struct slice at = labelme_text_of(r->file, v);
    size_t offset = (size_t)(at.at - r->faults->text.at);

    return fault_add(r->faults, offset, at.length > 8 ? 8 : at.length,
                     value_path(v, &r->faults->arena), code, "%s", why);
}

/* --- shapes --- */

static enum labelme_kind kind_of(const char *type)
{
    static const struct {
        const char *type;
        enum labelme_kind kind;
    } all[] = { { "polygon", LABELME_POLYGON },
                { "rotation", LABELME_POLYGON }, /* X-AnyLabeling's rotated rectangle */
                { "rectangle", LABELME_RECTANGLE },
                { "circle", LABELME_CIRCLE } };

    for (size_t i = 0; i < COUNTOF(all); i++)
        if (strcmp(type, all[i].type) == 0)
            return all[i].kind;
    return LABELME_OTHER;
}

static bool read_point(const struct value *v, struct point *to)
{
    if (v->kind != VALUE_LIST || v->n != 2 || v->item[0].kind != VALUE_NUMBER ||
        v->item[1].kind != VALUE_NUMBER)
        return false;
    *to = (struct point){ v->item[0].number, v->item[1].number };
    return fabs(to->x) <= LARGEST_COORDINATE && fabs(to->y) <= LARGEST_COORDINATE;
}

static bool read_points(struct reader *r, struct labelme_shape *shape)
{
    const struct value *list = value_get(shape->value, "points");

    if (!list || list->kind != VALUE_LIST)
        return fail(r, list ? list : shape->value, "labelme-points",
                    "a shape must have a list \"points\"");
    shape->n = list->n;
    shape->points = ARENA_ARRAY(r->arena, struct point, list->n);
    for (size_t i = 0; i < list->n; i++)
        if (!read_point(&list->item[i], &shape->points[i]))
            return fail(r, &list->item[i], "labelme-points",
                        "a point must be a list of two numbers, at most 1e7 in magnitude");
    if (shape->kind == LABELME_POLYGON && shape->n < 3)
        return fail(r, list, "labelme-points", "a polygon must have at least three points");
    if (shape->kind == LABELME_CIRCLE && shape->n != 2)
        return fail(r, list, "labelme-points",
                    "a circle must have two points: its center and one on its edge");
    if (shape->kind == LABELME_RECTANGLE && shape->n != 2 && shape->n != 4)
        return fail(r, list, "labelme-points",
                    "a rectangle must have two points, which are opposite corners, or four");
    return true;
}

/* True if four points are the corners of an upright rectangle, in their order. */
static bool is_upright(const struct point *p)
{
    return (p[0].x == p[3].x && p[1].x == p[2].x && p[0].y == p[1].y && p[2].y == p[3].y) ||
           (p[0].x == p[1].x && p[2].x == p[3].x && p[0].y == p[3].y && p[1].y == p[2].y);
}

/* Replaces a circle by a polygon with as many points as LabelMe's own export to COCO gives it. */
static void draw_circle(struct reader *r, struct labelme_shape *shape)
{
    static const double pi = 3.14159265358979323846;
    struct point center = shape->points[0];
    double radius = hypot(shape->points[1].x - center.x, shape->points[1].y - center.y);
    double n = radius > 1 ? floor(pi / acos(1 - 1 / radius)) : 0;

    shape->n = n < 12 ? 12 : n > 4096 ? 4096 : (size_t)n;
    shape->points = ARENA_ARRAY(r->arena, struct point, shape->n);
    for (size_t i = 0; i < shape->n; i++) {
        double angle = 2 * pi * (double)i / (double)shape->n;

        shape->points[i] =
            (struct point){ center.x + radius * sin(angle), center.y + radius * cos(angle) };
    }
}

static bool read_shape(struct reader *r, const struct value *v, struct labelme_shape *shape)
{
    const struct value *label, *type, *group;

    *shape = (struct labelme_shape){
        .value = v, .whole = labelme_text_of(r->file, v), .type = "polygon", .next = SIZE_MAX
    };
    if (v->kind != VALUE_OBJECT)
        return fail(r, v, "labelme-root", "each of the shapes must be an object");
    label = value_get(v, "label");
    type = value_get(v, "shape_type");
    group = value_get(v, "group_id");
    if (!label || label->kind != VALUE_TEXT || !*label->text)
        return fail(r, label ? label : v, "labelme-label",
                    "a shape must have a label, which is a string that is not empty");
    if (type && type->kind == VALUE_TEXT)
        shape->type = type->text;
    shape->label = label->text;
    shape->kind = kind_of(shape->type);
    if (group && group->kind != VALUE_NULL)
        shape->group = labelme_text_of(r->file, group);
    if (shape->kind == LABELME_OTHER)
        return true;
    if (!read_points(r, shape))
        return false;
    if (shape->kind == LABELME_RECTANGLE && shape->n == 4 && !is_upright(shape->points))
        shape->kind = LABELME_POLYGON;
    if (shape->kind == LABELME_CIRCLE)
        draw_circle(r, shape);
    return true;
}

/* --- objects --- */

static bool is_one_object(const struct labelme_shape *a, const struct labelme_shape *b)
{
    return a->kind != LABELME_RECTANGLE && a->kind != LABELME_OTHER && a->group.at && b->group.at &&
           a->group.length == b->group.length &&
           memcmp(a->group.at, b->group.at, a->group.length) == 0 &&
           strcmp(a->label, b->label) == 0;
}

/* Appends the shape to an object that it continues; false if there is none. */
static bool join_object(struct labelme_file *file, size_t shape)
{
    struct labelme_shape *all = file->shapes;

    if (!all[shape].group.at || all[shape].kind == LABELME_RECTANGLE)
        return false;
    for (size_t i = 0; i < file->n_objects; i++) {
        size_t last = file->first[i];

        if (!is_one_object(&all[last], &all[shape]))
            continue;
        while (all[last].next != SIZE_MAX)
            last = all[last].next;
        all[last].next = shape;
        all[shape].continues = true;
        return true;
    }
    return false;
}

static void read_image(struct labelme_file *file)
{
    const struct value *path = value_get(file->root, "imagePath");
    const struct value *sides[] = { value_get(file->root, "imageWidth"),
                                    value_get(file->root, "imageHeight") };
    int *to[] = { &file->width, &file->height };

    if (path && path->kind == VALUE_TEXT) {
        file->image = path->text;
        for (const char *c = path->text; *c; c++) /* Windows paths, too */
            if (*c == '/' || *c == '\\')
                file->image = c + 1;
    }
    for (size_t i = 0; i < COUNTOF(sides); i++)
        if (sides[i] && sides[i]->kind == VALUE_NUMBER && sides[i]->number >= 1 &&
            sides[i]->number <= LARGEST_COORDINATE)
            *to[i] = (int)sides[i]->number;
    if (!file->width || !file->height)
        file->width = file->height = 0;
}

/* Reads the text alone, so that other files are not parsed; its faults move to their places. */
static const struct value *parse(struct reader *r)
{
    struct faults own = { .name = "", .text = r->file->text };
    const struct value *root = value_parse(&own, r->arena);
    size_t begin = (size_t)(r->file->text.at - r->faults->text.at);

    for (size_t i = 0; i < own.n; i++)
        fault_add(r->faults, begin + own.list[i].offset, own.list[i].length, own.list[i].path,
                  own.list[i].code, "%s", own.list[i].message);
    if (own.n)
        root = NULL;
    faults_drop(&own);
    return root;
}

bool labelme_read(struct faults *f, struct slice text, struct arena *arena,
                  struct labelme_file *file)
{
    struct reader r = { f, arena, file };
    const struct value *shapes;
    bool good = true;

    if (text.length >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0)
        text = (struct slice){ text.at + 3, text.length - 3 };
    *file = (struct labelme_file){ .text = text, .image = "" };
    file->root = parse(&r);
    if (!file->root)
        return false;
    shapes = file->root->kind == VALUE_OBJECT ? value_get(file->root, "shapes") : NULL;
    if (!shapes || shapes->kind != VALUE_LIST)
        return fail(&r, shapes ? shapes : file->root, "labelme-root",
                    "a LabelMe file is an object with a list \"shapes\"");
    read_image(file);
    file->n_shapes = shapes->n;
    file->shapes = ARENA_ARRAY(arena, struct labelme_shape, shapes->n);
    file->first = ARENA_ARRAY(arena, size_t, shapes->n);
    for (size_t i = 0; i < shapes->n; i++) {
        good = read_shape(&r, &shapes->item[i], &file->shapes[i]) && good;
        if (good && file->shapes[i].kind != LABELME_OTHER && !join_object(file, i))
            file->first[file->n_objects++] = i;
    }
    return good;
}
