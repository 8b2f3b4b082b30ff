/* albumentations: reads files of A.save and A.to_dict, of 1.x and 2.x: JSON or YAML, a tree of
 * objects with "__class_fullname__" and the arguments of the class. Also reads the output of
 * print() for a Compose: the same arguments as calls. */
#include "base/number.h"
#include "migrate/import.h"
#include "migrate/python.h"
#include "labels/yolo/yaml.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define CLASS_KEY "__class_fullname__"

/* True if the text begins with a call whose first argument is a list: "Compose([". torchvision
 * prints no such list. */
static bool is_printed(struct slice text)
{
    const char *at = python_call_begins(text), *end = text.at + text.length;

    while (at && at < end && isspace((unsigned char)*at))
        at++;
    return at && at < end && *at == '[';
}

static bool detect(struct slice text)
{
    return import_has_word(text, CLASS_KEY) || is_printed(text);
}

static double number_of(const struct value *object, const char *key, double otherwise)
{
    const struct value *v = object ? value_get(object, key) : NULL;

    return v && v->kind == VALUE_NUMBER ? v->number : otherwise;
}

static void add_rule(struct text *rules, const char *key, double value)
{
    text_addf(rules, "%s\"%s\": ", rules->length ? ", " : "", key);
    number_print(rules, value);
}

/* Reads which boxes are kept. Their format and label fields are ignored, as they are about arrays
 * in memory. */
static void read_boxes(struct import_job *m, const struct value *boxes, struct text *rules)
{
    double width = number_of(boxes, "min_width", 0), height = number_of(boxes, "min_height", 0);
    double aspect = number_of(boxes, "max_accept_ratio", 0);

    if (!boxes || boxes->kind != VALUE_OBJECT)
        return;
    if (number_of(boxes, "min_area", 0) > 0)
        add_rule(rules, "min_area", number_of(boxes, "min_area", 0));
    if (number_of(boxes, "min_visibility", 0) > 0)
        add_rule(rules, "min_visibility", fmin(number_of(boxes, "min_visibility", 0), 1));
    if (width != height)
        import_lost(
            m, value_get(boxes, width > height ? "min_width" : "min_height"),
            "`min_size` here is for both sides: the smaller of min_width and min_height, %g, "
            "is used",
            fmin(width, height));
    if (fmin(width, height) > 0)
        add_rule(rules, "min_size", fmin(width, height));
    if (aspect >= 1)
        add_rule(rules, "max_aspect", aspect);
}

static void read_keypoints(const struct value *keypoints, struct text *rules)
{
    const struct value *remove = keypoints && keypoints->kind == VALUE_OBJECT
                                     ? value_get(keypoints, "remove_invisible")
                                     : NULL;

    if (remove && remove->kind == VALUE_FLAG && !remove->flag)
        text_addf(rules, "%s\"outside\": \"keep\"", rules->length ? ", " : "");
}

static void read_settings(struct import_job *m, const struct value *root)
{
    const struct value *seed = value_get(root, "seed"), *boxes = value_get(root, "bbox_params");
    const struct value *targets = value_get(root, "additional_targets");
    struct text rules = { 0 };

    if (seed && seed->kind == VALUE_NUMBER && seed->number >= 0 &&
        seed->number == floor(seed->number) && seed->number <= 9007199254740992)
        text_addf(&m->settings, "  \"seed\": %.0f,\n", seed->number);
    read_boxes(m, boxes, &rules);
    read_keypoints(value_get(root, "keypoint_params"), &rules);
    if (rules.length)
        text_addf(&m->settings, "  \"annotations\": {%s%s},\n", text_string(&rules),
                  strstr(text_string(&rules), "min_visibility")
                      ? ", \"$comment\": \"min_visibility is the remaining share of the original "
                        "object, not of each step\""
                      : "");
    if (targets && targets->n)
        import_lost(m, targets,
                    "additional_targets: other images of a sample; label masks are "
                    "given with --masks");
    text_drop(&rules);
}

/* Returns the root as a list of one step, without members that are not about steps. */
static const struct value *list_of_one(struct import_job *m, const struct value *root)
{
    static const char *const settings[] = { "additional_targets", "bbox_params", "keypoint_params",
                                            "is_check_shapes", "seed" };
    struct value *list = value_list(m->arena, 1), *step = &list->item[0];
    struct value *kept = value_object(m->arena, root->n);
    size_t n = 0;

    *step = *root;
    step->name = NULL;
    for (size_t i = 0; i < root->n; i++) {
        bool taken = false;

        for (size_t k = 0; k < COUNTOF(settings); k++)
            taken |= strcmp(root->item[i].name, settings[k]) == 0;
        if (!taken)
            kept->item[n++] = root->item[i];
    }
    step->item = kept->item;
    step->n = n;
    return list;
}

/* A pipeline is a list of steps, one composition, or a single transform. A Compose with a
 * probability below 1 stays a step. */
static bool read_tree(struct import_job *m, const struct value *root)
{
    static const char *const always[] = { "Compose", "Sequential" };
    const struct value *type = value_get(root, CLASS_KEY);
    const struct value *steps = value_get(root, "transforms");
    const char *name = type && type->kind == VALUE_TEXT ? type->text : "";

    name = strrchr(name, '.') ? strrchr(name, '.') + 1 : name;
    for (size_t i = 0; i < COUNTOF(always); i++)
        if (strcmp(name, always[i]) == 0 && steps && steps->kind == VALUE_LIST &&
            number_of(root, "p", 1) >= 1) {
            m->steps = steps;
            return true;
        }
    if (!*name)
        return fault_add(m->faults, root->at.offset, 1, "transform", "import-unknown",
                         "there is no \"__class_fullname__\" here");
    m->steps = list_of_one(m, root);
    return true;
}

/* --- output of print() --- */

static bool copy_printed(struct import_job *, const struct value *, struct value *to);

static bool copy_items(struct import_job *m, const struct value *from, struct value *to)
{
    bool good = true;

    to->n = 0;
    to->item = ARENA_ARRAY(m->arena, struct value, from->n);
    for (size_t i = 0; good && i < from->n; i++)
        good = copy_printed(m, &from->item[i], &to->item[to->n++]);
    return good;
}

/* Copies a call in the form of A.to_dict. Its arguments without a key are one list of steps, or
 * none. */
static bool copy_call(struct import_job *m, const struct value *from, struct value *to)
{
    const struct value *steps = value_get(from, "transforms");
    bool is_step = value_get(from, "p") != NULL;

    if (steps && (steps->n != 1 || steps->item[0].kind != VALUE_LIST))
        return fault_add(m->faults, from->at.offset, 1, "", "import-unknown",
                         "this is not the output of print() for Albumentations: an argument "
                         "has no key; import the text that Python prints, or the file that "
                         "A.save writes");
    if (steps && !is_step)
        return fault_add(
            m->faults, from->at.offset, 1, "", "import-unknown",
            "this is not the output of print() for Albumentations: %s has no \"p\"; import the "
            "text that Python prints, or the file that A.save writes",
            value_get(from, "type")->text);
    if (!copy_items(m, from, to))
        return false;
    for (size_t i = 0; i < to->n; i++)
        if (strcmp(to->item[i].name, "type") == 0) {
            to->item[i].name = CLASS_KEY;
        } else if (&from->item[i] == steps) {
            to->item[i] = to->item[i].item[0];
            to->item[i].name = "transforms";
        }
    return true;
}

static bool copy_printed(struct import_job *m, const struct value *from, struct value *to)
{
    *to = *from;
    if (from->kind == VALUE_OBJECT && from->n && strcmp(from->item[0].name, "type") == 0)
        return copy_call(m, from, to);
    return copy_items(m, from, to);
}

/* Returns the tree of a printed composition; NULL with a fault. */
static const struct value *read_printed(struct import_job *m)
{
    const struct value *root = python_read(m->faults, m->arena);
    struct value *tree = ARENA_NEW(m->arena, struct value);

    if (!root || !copy_printed(m, root, tree))
        return NULL;
    value_adopt(tree);
    return tree;
}

static bool read(struct import_job *m)
{
    const char *at = m->faults->text.at, *end = at + m->faults->text.length;
    const struct value *root, *version, *tree;

    while (at < end && strchr(" \t\r\n", *at))
        at++;
    root = is_printed(m->faults->text) ? read_printed(m)
           : at < end && *at == '{'    ? value_parse(m->faults, m->arena)
                                       : yaml_read(m->faults, m->faults->text, m->arena);
    if (!root)
        return false;
    tree = root->kind == VALUE_OBJECT ? value_get(root, "transform") : NULL;
    version = root->kind == VALUE_OBJECT ? value_get(root, "__version__") : NULL;
    if (!tree && root->kind == VALUE_OBJECT && value_get(root, CLASS_KEY))
        tree = root;
    if (!tree || tree->kind != VALUE_OBJECT)
        return fault_add(m->faults, root->at.offset, 1, "", "import-unknown",
                         "Albumentations' files have a \"transform\"; this one has none");
    m->origin = arena_printf(m->arena, "Albumentations%s%.20s", version ? " " : "",
                             version && version->kind == VALUE_TEXT ? version->text : "");
    if (m->origin[strspn(m->origin, "Albumentions 0123456789.")])
        m->origin = "Albumentations";
    read_settings(m, tree);
    return read_tree(m, tree);
}

const struct importer albumentations_importer = {
    .library = "Albumentations",
    .origin = ORIGIN_ALBUMENTATIONS,
    .files = "JSON or YAML that A.save writes, or the output of print() for a Compose, 1.x and "
             "2.x",
    .type_key = CLASS_KEY,
    .detect = detect,
    .read = read,
};
