/* mmdetection: the train_pipeline of a configuration file, as Python or JSON. */
#include "base/number.h"
#include "migrate/import.h"
#include "migrate/python.h"

#include <math.h>
#include <string.h>

static bool detect(struct slice text)
{
    return import_has_word(text, "train_pipeline");
}

static const char *type_of(const struct value *step)
{
    const struct value *type = value_get(step, "type");
    const char *dot = type && type->kind == VALUE_TEXT ? strrchr(type->text, '.') : NULL;

    return !type || type->kind != VALUE_TEXT ? "" : dot ? dot + 1 : type->text;
}

static bool is_filter(const struct value *step)
{
    return strcmp(type_of(step), "FilterAnnotations") == 0;
}

/* Converts a step that drops objects to the section "annotations". Returns false if the section
 * cannot express it. */
static bool take_filter(struct import_job *m, const struct value *step)
{
    static const char *const known[] = { "type", "min_gt_bbox_wh", "keep_empty" };
    const struct value *sides = value_get(step, "min_gt_bbox_wh");
    const struct value *skips = value_get(step, "keep_empty");
    double min_side = 1;

    for (size_t i = 0; i < step->n; i++) {
        bool found = false;

        for (size_t k = 0; k < COUNTOF(known); k++)
            found |= strcmp(step->item[i].name, known[k]) == 0;
        if (!found)
            return false;
    }
    if (sides) {
        if (sides->kind != VALUE_LIST || sides->n != 2 || sides->item[0].kind != VALUE_NUMBER ||
            sides->item[1].kind != VALUE_NUMBER || sides->item[0].number < 0 ||
            sides->item[0].number != sides->item[1].number)
            return false;
        min_side = sides->item[0].number;
    }
    if (m->settings.length || !skips || skips->kind != VALUE_FLAG || skips->flag)
        return false;
    text_adds(&m->settings, "  \"annotations\": {\"min_size\": ");
    number_print(&m->settings, min_side);
    text_adds(&m->settings, "},\n");
    return true;
}

/* --- the library and its version --- */

/* Steps and keys that only one of OpenMMLab's libraries has. */
static const struct {
    const char *type, *key, *scope;
} telling[] = {
    { "PackSegInputs", NULL, "mmseg" },      { NULL, "cat_max_ratio", "mmseg" },
    { NULL, "reduce_zero_label", "mmseg" },  { NULL, "erase_prob", "mmpretrain" },
    { NULL, "flip_prob", "mmpretrain" },     { "PackInputs", NULL, "mmpretrain" },
    { "PackClsInputs", NULL, "mmpretrain" },
};

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* Returns the scope of a whole pipeline. NULL: MMDetection, or a library that is built on it. */
static const char *scope_of(const struct value *root)
{
    for (size_t i = 0; i < root->n; i++)
        for (size_t k = 0; k < COUNTOF(telling); k++)
            if (telling[k].type ? strcmp(type_of(&root->item[i]), telling[k].type) == 0
                                : value_get(&root->item[i], telling[k].key) != NULL)
                return telling[k].scope;
    return NULL;
}

/* True for MMDetection 2 and libraries of its time, where sizes are [height, width]. */
static bool is_old(const struct value *root)
{
    static const char *const types[] = { "DefaultFormatBundle", "Collect", NULL };

    for (size_t i = 0; i < root->n; i++)
        if (is_one_of(type_of(&root->item[i]), types))
            return true;
    return false;
}

/* Returns the key of a step that holds [width, height] now, but [height, width] in MMDetection 2.
 * In other libraries (`scope`) only Pad has such a key. */
static const char *turned_key(const struct value *step, const char *scope)
{
    static const char *const turned[][2] = {
        { "Pad", "size" },
        { "RandomCrop", "crop_size" },
        { "RandomCenterCropPad", "crop_size" },
        { "Mosaic", "img_scale" },
        { "MixUp", "img_scale" },
        { "RandomAffine", "border" },
    };
    const struct value *kind = value_get(step, "crop_type");

    /* ranges are not swapped */
    if (kind && kind->kind == VALUE_TEXT && strstr(kind->text, "range"))
        return "";
    for (size_t i = 0; i < (scope ? 1 : COUNTOF(turned)); i++)
        if (strcmp(type_of(step), turned[i][0]) == 0)
            return turned[i][1];
    return "";
}

/* True for steps that read files, such as those before each image that a mosaic borrows. */
static bool is_reading(const struct value *v)
{
    for (size_t i = 0; v->kind == VALUE_LIST && i < v->n; i++)
        if (strncmp(type_of(&v->item[i]), "Load", 4) != 0)
            return false;
    return v->kind == VALUE_LIST;
}

/* True if boxes are passed to Albumentations without rules for them. */
static bool has_no_rules(const struct value *boxes)
{
    static const char *const known[] = { "type", "format", "label_fields", "filter_lost_elements",
                                         NULL };

    for (size_t i = 0; i < boxes->n; i++)
        if (!is_one_of(boxes->item[i].name, known) &&
            (boxes->item[i].kind != VALUE_NUMBER || boxes->item[i].number != 0))
            return false;
    return boxes->kind == VALUE_OBJECT;
}

/* True for a key that does not affect images or labels. */
static bool is_wiring(const struct value *key)
{
    if (strcmp(key->name, "pre_transform") == 0)
        return is_reading(key);
    if (strcmp(key->name, "bbox_params") == 0)
        return has_no_rules(key);
    return strcmp(key->name, "keymap") == 0;
}

/* --- steps --- */

static double number_or(const struct value *step, const char *key, double otherwise)
{
    const struct value *v = value_get(step, key);

    return v && v->kind == VALUE_NUMBER ? v->number : otherwise;
}

/* Converts the rules for boxes after MMYOLO's affine step to the section "annotations". */
static void take_affine(struct import_job *m, const struct value *step)
{
    if (strcmp(type_of(step), "YOLOv5RandomAffine") != 0 || m->settings.length)
        return;
    text_adds(&m->settings, "  \"annotations\": {\"min_size\": ");
    number_print(&m->settings, fmax(number_or(step, "min_bbox_size", 2), 0));
    text_adds(&m->settings, ", \"max_aspect\": ");
    number_print(&m->settings, fmax(number_or(step, "max_aspect_ratio", 20), 1));
    text_adds(&m->settings, ", \"min_visibility\": ");
    number_print(&m->settings, fmin(fmax(number_or(step, "min_area_ratio", 0.1), 0), 1));
    text_adds(&m->settings, "},\n");
}

static bool is_chain(const struct value *v)
{
    for (size_t i = 0; v->kind == VALUE_LIST && i < v->n; i++)
        if (!value_get(&v->item[i], "type"))
            return false;
    return v->kind == VALUE_LIST && v->n;
}

/* True for alternatives of RandomChoice and AutoAugment: lists of steps. */
static bool is_choice(const struct value *v)
{
    for (size_t i = 0; v->kind == VALUE_LIST && i < v->n; i++)
        if (!is_chain(&v->item[i]))
            return false;
    return v->kind == VALUE_LIST && v->n;
}

/* Turns a list of steps into one step, at the list's place. */
static void compose(struct value *chain, struct arena *arena)
{
    struct value *step = value_object(arena, 2);

    step->item[0] = (struct value){ .kind = VALUE_TEXT, .text = "Compose", .at = chain->at };
    step->item[0].name = "type";
    step->item[1] = *chain;
    step->item[1].name = "transforms";
    step->at = chain->at;
    step->index = chain->index;
    *chain = *step;
}

/* The conventions by which steps are read. */
struct dialect {
    struct arena *arena;
    const char *scope; /* NULL: MMDetection */
    bool old;
};

/* Returns the scope of a step such as "mmseg.RandomCrop". */
static const char *scope_of_step(const struct dialect *d, const struct value *step)
{
    const char *dot = strrchr(value_get(step, "type")->text, '.');

    return dot ? arena_printf(d->arena, "%.*s", (int)(dot - value_get(step, "type")->text),
                              value_get(step, "type")->text)
               : d->scope;
}

static void turn(struct value *pair)
{
    struct value first;

    if (pair->kind != VALUE_LIST || pair->n != 2)
        return;
    first = pair->item[0];
    pair->item[0] = pair->item[1];
    pair->item[1] = first;
}

static struct value copy_composed(const struct value *, const struct dialect *);

/* Copies a step with its scope from the form of mmengine to the form of MMDetection 3. Nested steps
 * of Albumentations are not changed. */
static void copy_step(struct value *to, const struct value *step, const struct dialect *d)
{
    const char *scope = scope_of_step(d, step);
    const char *turned = d->old ? turned_key(step, scope) : "";
    bool is_host = strcmp(type_of(step), "Albu") == 0;

    to->n = 0;
    for (size_t i = 0; i < step->n; i++) {
        if (is_wiring(&step->item[i]))
            continue;
        to->item[to->n] = is_host ? step->item[i] : copy_composed(&step->item[i], d);
        if (strcmp(step->item[i].name, turned) == 0)
            turn(&to->item[to->n]);
        to->n++;
    }
    if (scope && !value_get(step, "_scope_"))
        to->item[to->n++] =
            (struct value){ .kind = VALUE_TEXT, .name = "_scope_", .text = scope, .at = step->at };
}

/* Copies a value; alternatives of a choice become steps. */
static struct value copy_composed(const struct value *v, const struct dialect *d)
{
    struct value copy = *v;

    copy.item = ARENA_ARRAY(d->arena, struct value, v->n + 1);
    if (v->kind == VALUE_OBJECT && *type_of(v)) {
        copy_step(&copy, v, d);
        return copy;
    }
    for (size_t i = 0; i < v->n; i++) {
        copy.item[i] = v->kind == VALUE_OBJECT ? v->item[i] : copy_composed(&v->item[i], d);
        if (v->name && is_choice(v))
            compose(&copy.item[i], d->arena);
    }
    return copy;
}

/* Returns the steps without those for settings. */
static const struct value *steps_of(struct import_job *m, const struct value *root)
{
    struct value *list = value_list(m->arena, root->n);
    struct dialect d = { m->arena, scope_of(root), is_old(root) };
    size_t n = 0;

    for (size_t i = 0; i < root->n; i++) {
        take_affine(m, &root->item[i]);
        if (!is_filter(&root->item[i]) || !take_filter(m, &root->item[i]))
            list->item[n++] = copy_composed(&root->item[i], &d);
    }
    list->n = n;
    value_adopt(list);
    return list;
}

/* True if the parameters of such a step do not matter, as it is omitted or has no equivalent. */
static bool is_ignored(const char *type)
{
    const struct foreign_name *f = foreign_find_of("MMDetection", type, NULL);

    return !f || !f->step;
}

/* Returns the value of train_pipeline in JSON or Python; NULL with a fault. */
static const struct value *read_root(struct import_job *m)
{
    const char *at = m->faults->text.at;
    const struct value *root;
    bool found = true;

    at += strspn(at, " \t\r\n");
    if (*at == '{' || *at == '[') {
        root = value_parse(m->faults, m->arena);
        root = root && root->kind == VALUE_OBJECT ? value_get(root, "train_pipeline") : NULL;
        found = root != NULL;
    } else {
        root = python_read_name(m->faults, "train_pipeline", is_ignored, &found, m->arena);
    }
    if (!found && !m->faults->n)
        fault_add(m->faults, 0, 0, "", "import-unknown",
                  "no statement assigns train_pipeline; imported files are not read");
    return root;
}

static bool read(struct import_job *m)
{
    const struct value *root = read_root(m);

    if (!root)
        return false;
    if (root->kind != VALUE_LIST)
        return fault_add(m->faults, root->at.offset, 1, "train_pipeline", "import-unknown",
                         "train_pipeline must be a list of steps");
    m->origin = "MMDetection";
    m->steps = steps_of(m, root);
    return true;
}

const struct importer mmdetection_importer = {
    .library = "MMDetection",
    .origin = ORIGIN_MMDETECTION,
    .by_table = true,
    .files = "train_pipeline of a configuration, Python or JSON",
    .type_key = "type",
    .host = "Albu",
    .detect = detect,
    .read = read,
};
