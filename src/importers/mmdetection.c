/* mmdetection: the train_pipeline of a configuration file, as Python or JSON. */
#include "../base/number.h"
#include "../import/import.h"
#include "../import/python.h"

#include <math.h>
#include <string.h>

static bool detect(struct slice text)
{
    return import_mentions(text, "train_pipeline");
}

/* Behind "train_pipeline =" at the beginning of a line; the text's length when it is not there. */
static size_t find_pipeline(struct slice text)
{
    static const char word[] = "train_pipeline";
    size_t at = 0;

    while (at < text.length) {
        size_t after = at + strlen(word);
        const char *line = text.at + at, *next;

        if (text.length - at > strlen(word) && memcmp(line, word, strlen(word)) == 0) {
            while (after < text.length && text.at[after] == ' ')
                after++;
            if (after < text.length && text.at[after] == '=')
                return after + 1;
        }
        next = memchr(line, '\n', text.length - at);
        at = next ? (size_t)(next - text.at) + 1 : text.length;
    }
    return text.length;
}

static bool is_filter(const struct value *step)
{
    const struct value *type = value_get(step, "type");
    const char *dot = type && type->kind == VALUE_TEXT ? strrchr(type->text, '.') : NULL;

    return type && type->kind == VALUE_TEXT &&
           strcmp(dot ? dot + 1 : type->text, "FilterAnnotations") == 0;
}

/* What a step that leaves objects out is in the section "annotations"; false when it says what that
 * cannot. */
static bool take_filter(struct importing *m, const struct value *step)
{
    static const char *const known[] = { "type", "min_gt_bbox_wh", "keep_empty" };
    const struct value *sides = value_get(step, "min_gt_bbox_wh");
    const struct value *skips = value_get(step, "keep_empty");
    double least = 1;

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
        least = sides->item[0].number;
    }
    if (m->settings.length || !skips || skips->kind != VALUE_FLAG || skips->flag)
        return false;
    text_adds(&m->settings, "  \"annotations\": {\"min_size\": ");
    number_print(&m->settings, least);
    text_adds(&m->settings, "},\n");
    return true;
}

static bool is_chain(const struct value *v)
{
    for (size_t i = 0; v->kind == VALUE_LIST && i < v->n; i++)
        if (!value_get(&v->item[i], "type"))
            return false;
    return v->kind == VALUE_LIST && v->n;
}

/* Is it what RandomChoice and AutoAugment choose from: lists of steps? */
static bool is_choice(const struct value *v)
{
    for (size_t i = 0; v->kind == VALUE_LIST && i < v->n; i++)
        if (!is_chain(&v->item[i]))
            return false;
    return v->kind == VALUE_LIST && v->n;
}

/* A list of steps as one step, with the list's place. */
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

/* A copy in which what is chosen from are steps. */
static struct value copy_composed(const struct value *v, struct arena *arena)
{
    struct value copy = *v;

    copy.item = ARENA_ARRAY(arena, struct value, v->n);
    for (size_t i = 0; i < v->n; i++) {
        copy.item[i] = copy_composed(&v->item[i], arena);
        if (v->name && is_choice(v))
            compose(&copy.item[i], arena);
    }
    return copy;
}

/* The steps without one that is a setting here. */
static const struct value *steps_of(struct importing *m, const struct value *root)
{
    struct value *list = value_list(m->arena, root->n);
    size_t n = 0;

    for (size_t i = 0; i < root->n; i++)
        if (!is_filter(&root->item[i]) || !take_filter(m, &root->item[i]))
            list->item[n++] = copy_composed(&root->item[i], m->arena);
    list->n = n;
    value_adopt(list);
    return list;
}

static bool read(struct importing *m)
{
    struct slice text = m->faults->text;
    size_t at = find_pipeline(text);
    const struct value *root;

    if (at < text.length) {
        root = python_read(m->faults, at, m->arena);
    } else {
        root = value_parse(m->faults, m->arena);
        if (root && root->kind == VALUE_OBJECT)
            root = value_get(root, "train_pipeline");
        if (!root && !m->faults->n)
            fault_add(m->faults, 0, 0, "", "import-unknown",
                      "there is no train_pipeline at the top");
    }
    if (!root)
        return false;
    if (root->kind != VALUE_LIST)
        return fault_add(m->faults, root->at.offset, 1, "train_pipeline", "import-unknown",
                         "train_pipeline is no list of steps");
    m->origin = "MMDetection";
    m->steps = steps_of(m, root);
    return true;
}

const struct importer mmdetection_importer = {
    .library = "MMDetection",
    .origin = ORIGIN_NONE,
    .files = "train_pipeline of a configuration, Python or JSON",
    .type_key = "type",
    .host = "Albu",
    .detect = detect,
    .read = read,
};
