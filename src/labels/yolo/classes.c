/* classes: the names of YOLO's classes, and the layout of its keypoints. */
#include "labels/yolo/classes.h"

#include "labels/yolo/yaml.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static bool fault(struct faults *f, const struct value *v, const char *code, const char *format,
                  ...) PRINTF_LIKE(4, 5);
static bool fault(struct faults *f, const struct value *v, const char *code, const char *format,
                  ...)
{
    va_list args;

    va_start(args, format);
    fault_addv(f, v->at.offset, v->at.length, "", code, format, args);
    va_end(args);
    return false;
}

static bool is_whole(const struct value *v, double min, double below)
{
    return v->kind == VALUE_NUMBER && v->number == floor(v->number) && v->number >= min &&
           v->number < below;
}

static void take_classes(struct arena *arena, size_t n, struct yolo_classes *c)
{
    c->n = n;
    c->at = ARENA_ARRAY(arena, struct category, n);
    c->place = ARENA_ARRAY(arena, struct slice, n);
    for (size_t i = 0; i < n; i++)
        c->at[i] = (struct category){ .name = "", .id = (int64_t)i };
}

void yolo_classes_list(struct arena *arena, const struct class_list *list, struct yolo_classes *c)
{
    *c = (struct yolo_classes){ 0 };
    take_classes(arena, list->n, c);
    for (size_t i = 0; i < list->n; i++)
        c->at[i].name = list->name[i];
}

void yolo_classes_number(struct arena *arena, size_t n, struct yolo_classes *c)
{
    take_classes(arena, n, c);
    for (size_t i = 0; i < n; i++)
        c->at[i].name = arena_printf(arena, "%zu", i);
}

/* --- a list of names --- */

static size_t count_lines(struct slice text)
{
    size_t n = 1;

    for (size_t i = 0; i < text.length; i++)
        n += text.at[i] == '\n';
    return n;
}

/* Its last lines may be blank; a blank one between names is a class without a name. */
static bool read_lines(struct faults *f, struct slice text, struct arena *arena,
                       struct yolo_classes *c)
{
    size_t n = 0;

    take_classes(arena, count_lines(text), c);
    for (size_t at = 0, i = 0; at < text.length; i++) {
        const char *line = text.at + at, *end = memchr(line, '\n', text.length - at);
        size_t length = end ? (size_t)(end - line) : text.length - at;

        at += length + 1;
        while (length && strchr(" \t\r", line[length - 1]))
            length--;
        if (!length)
            continue;
        c->at[i].name = arena_copy(arena, line, length);
        c->place[i] = (struct slice){ line, length };
        if (!text_is_utf8(c->at[i].name) || strlen(c->at[i].name) != length)
            return fault_add(f, (size_t)(line - f->text.at), length, "", "yolo-names",
                             "this name is not UTF-8 text; save the file as UTF-8");
        n = i + 1;
    }
    c->n = n;
    return n || fault_add(f, (size_t)(text.at - f->text.at), 1, "", "yolo-names",
                          "expected the name of a class in each line");
}

/* --- data.yaml --- */

/* Members are numbered by their names, elements of a list by their places. */
static bool parse_index(struct faults *f, const struct value *v, size_t *index)
{
    int64_t number;
    struct slice name = { v->name, v->name ? strlen(v->name) : 0 };

    *index = v->index;
    if (!v->name)
        return true;
    if (number_scan_integer(name, &number) != name.length || number < 0 ||
        number >= YOLO_MAX_CLASSES)
        return fault(f, v, "yolo-names",
                     "\"%s\" is not the number of a class: expected an integer below %d", v->name,
                     (int)YOLO_MAX_CLASSES);
    *index = (size_t)number;
    return true;
}

static bool read_name(struct faults *f, const struct value *v, struct yolo_classes *c)
{
    size_t i;

    if (!parse_index(f, v, &i))
        return false;
    if (v->kind == VALUE_LIST || v->kind == VALUE_OBJECT)
        return fault(f, v, "yolo-names", "expected the name of a class");
    if (c->place[i].at)
        return fault(f, v, "yolo-names", "class %zu has a name already", i);
    c->at[i].name = v->text;
    c->place[i] = (struct slice){ f->text.at + v->at.offset, v->at.length };
    return true;
}

static bool read_names(struct faults *f, const struct value *names, struct arena *arena,
                       struct yolo_classes *c)
{
    size_t n = 0, i;

    if ((names->kind != VALUE_LIST && names->kind != VALUE_OBJECT) || names->n > YOLO_MAX_CLASSES)
        return fault(f, names, "yolo-names",
                     "expected a list of names, or names by their numbers: at most %d",
                     (int)YOLO_MAX_CLASSES);
    for (size_t k = 0; k < names->n; k++) {
        if (!parse_index(f, &names->item[k], &i))
            return false;
        n = i + 1 > n ? i + 1 : n;
    }
    take_classes(arena, n, c);
    for (size_t k = 0; k < names->n; k++)
        if (!read_name(f, &names->item[k], c))
            return false;
    return true;
}

static bool check_count(struct faults *f, const struct value *root, const struct yolo_classes *c)
{
    const struct value *nc = value_get(root, "nc");

    return !nc || nc->kind == VALUE_NULL || (nc->kind == VALUE_NUMBER && nc->number == (double)c->n)
               ? true
               : fault(f, nc, "yolo-names", "%s classes, but %zu have names", nc->text, c->n);
}

/* Without names, classes are called as Ultralytics calls them. */
static bool read_count(struct faults *f, const struct value *root, struct arena *arena,
                       struct yolo_classes *c)
{
    const struct value *nc = root->kind == VALUE_OBJECT ? value_get(root, "nc") : NULL;

    if (!nc || !is_whole(nc, 1, YOLO_MAX_CLASSES + 1))
        return fault(f, nc ? nc : root, "yolo-names",
                     "expected \"names\", the names of the classes, or \"nc\", how many there are");
    c->unnamed = true;
    take_classes(arena, (size_t)nc->number, c);
    for (size_t i = 0; i < c->n; i++) {
        c->at[i].name = arena_printf(arena, "class_%zu", i);
        c->place[i] = (struct slice){ f->text.at + nc->at.offset, nc->at.length };
    }
    return true;
}

static bool read_shape(struct faults *f, const struct value *shape, struct yolo_classes *c)
{
    if (shape->kind != VALUE_LIST || shape->n != 2 ||
        !is_whole(&shape->item[0], 1, YOLO_MAX_KEYPOINTS + 1) || !is_whole(&shape->item[1], 2, 4))
        return fault(f, shape, "yolo-keypoints",
                     "expected [number of keypoints, 2 or 3 numbers each]");
    c->n_keypoints = (size_t)shape->item[0].number;
    c->dimensions = (size_t)shape->item[1].number;
    return true;
}

/* Which keypoint each becomes in a mirror: a partner's partner is the keypoint itself. */
static bool read_flip(struct faults *f, const struct value *flip, struct arena *arena,
                      const struct yolo_classes *c, size_t **mirror)
{
    size_t *to = ARENA_ARRAY(arena, size_t, c->n_keypoints);

    if (flip->kind != VALUE_LIST || flip->n != c->n_keypoints)
        return fault(f, flip, "yolo-keypoints",
                     "flip_idx must have one number for each keypoint: %zu", c->n_keypoints);
    for (size_t i = 0; i < flip->n; i++) {
        if (!is_whole(&flip->item[i], 0, (double)c->n_keypoints))
            return fault(f, &flip->item[i], "yolo-keypoints",
                         "expected the number of a keypoint, below %zu", c->n_keypoints);
        to[i] = (size_t)flip->item[i].number;
    }
    for (size_t i = 0; i < flip->n; i++)
        if (to[to[i]] != i)
            return fault(f, &flip->item[i], "yolo-keypoints",
                         "keypoint %zu becomes %zu in a mirror, but %zu becomes %zu", i, to[i],
                         to[i], to[to[i]]);
    *mirror = to;
    return true;
}

/* "flip_idx" is missing: a fault of runs that mirror. */
static const struct fault *doubt(const struct value *shape, struct arena *arena)
{
    struct fault *why = ARENA_NEW(arena, struct fault);

    *why = (struct fault){
        .code = "yolo-keypoints",
        .path = "",
        .message = "the pipeline mirrors, and no flip_idx says which keypoints swap then; add it "
                   "next to kpt_shape: the number that each keypoint becomes",
        .remedy = "keypoints keep their order",
        .offset = shape->at.offset,
        .length = shape->at.length,
    };
    return why;
}

/* "kpt_names": names of the keypoints of a class, or of all. */
static const char *const *keypoint_names(const struct value *root, size_t n, struct arena *arena)
{
    const struct value *names = value_get(root, "kpt_names");
    const char **to;

    if (names && names->kind == VALUE_OBJECT && names->n)
        names = &names->item[0];
    if (!names || names->kind != VALUE_LIST || names->n != n)
        return NULL;
    to = ARENA_ARRAY(arena, const char *, n);
    for (size_t i = 0; i < n; i++)
        to[i] = names->item[i].text ? names->item[i].text : "";
    return to;
}

static bool read_keypoints(struct faults *f, const struct value *root, struct arena *arena,
                           struct yolo_classes *c)
{
    const struct value *shape = value_get(root, "kpt_shape"), *flip = value_get(root, "flip_idx");
    const struct fault *unnamed = NULL;
    const char *const *names;
    size_t *mirror = NULL;

    if (!shape || shape->kind == VALUE_NULL)
        return true;
    if (!read_shape(f, shape, c))
        return false;
    if (flip && flip->kind != VALUE_NULL && !read_flip(f, flip, arena, c, &mirror))
        return false;
    if (!mirror)
        unnamed = doubt(shape, arena);
    names = keypoint_names(root, c->n_keypoints, arena);
    for (size_t i = 0; i < c->n; i++) {
        c->at[i].n_keypoints = c->n_keypoints;
        c->at[i].keypoint_name = names;
        c->at[i].mirror = mirror;
        c->at[i].n_mirror = mirror ? c->n_keypoints : 0;
        c->at[i].unnamed = unnamed;
        c->at[i].annotated = true;
    }
    return true;
}

static bool read_yaml(struct faults *f, struct slice text, struct arena *arena,
                      struct yolo_classes *c)
{
    const struct value *root = yaml_read(f, text, arena), *names;

    if (!root)
        return false;
    names = root->kind == VALUE_OBJECT ? value_get(root, "names") : NULL;
    c->yaml = root;
    return (names && names->kind != VALUE_NULL
                ? read_names(f, names, arena, c) && check_count(f, root, c)
                : read_count(f, root, arena, c)) &&
           read_keypoints(f, root, arena, c);
}

bool yolo_is_yaml(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && (strcasecmp(dot, ".yaml") == 0 || strcasecmp(dot, ".yml") == 0);
}

bool yolo_classes_read(struct faults *f, const struct dataset *d, struct yolo_classes *c)
{
    struct slice text = d->index;

    *c = (struct yolo_classes){ 0 };
    if (yolo_is_yaml(d->index_name))
        return read_yaml(f, text, d->arena, c);
    if (text.length >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0)
        text = (struct slice){ text.at + 3, text.length - 3 };
    return read_lines(f, text, d->arena, c);
}
