/* step_page: the list of everything with a name, and the effects of each entry on targets. */
#include "manual/manual.h"

#include "migrate/aliases/foreign.h"
#include "plan/fast_bounds.h"

#include <string.h>

static const struct entry sections[] = {
    { .kind = "section",
      .name = "pipeline",
      .rows = pipeline_rows,
      .summary = "the file that `run` reads: one JSON object" },
    { .kind = "section",
      .name = "annotations",
      .rows = annotation_rows,
      .summary = "the part of a pipeline that sets how labels are handled" },
    { .kind = "section",
      .name = "output",
      .rows = output_rows,
      .summary = "the part of a pipeline that sets how images are written" },
};

static struct entry entry_of_transform(const struct transform *t)
{
    return (struct entry){ .kind = "transform",
                           .name = t->name,
                           .summary = t->summary,
                           .group = t->group,
                           .origin = t->origin,
                           .differs = t->differs ? t->differs : t->note,
                           .example = t->example,
                           .rows = t->params,
                           .transform = t };
}

static struct entry entry_of_op(const struct op *op)
{
    return (struct entry){ .kind = "op",
                           .name = op->name,
                           .summary = op->summary,
                           .group = op->group,
                           .origin = op->origin,
                           .differs = op->differs,
                           .example = op->example,
                           .rows = op->params,
                           .op = op };
}

static struct entry entry_without_index(size_t i)
{
    for (EACH(transform, t, registry_transforms))
        if (i-- == 0)
            return entry_of_transform(t);
    for (EACH(op, op, registry_ops))
        if (i-- == 0)
            return entry_of_op(op);
    for (EACH(format, f, registry_formats))
        if (i-- == 0)
            return (struct entry){ .kind = "format", .name = f->name, .summary = f->summary };
    return i < COUNTOF(sections) ? sections[i] : (struct entry){ 0 };
}

struct entry entry_at(size_t i)
{
    struct entry e = entry_without_index(i);

    e.index = i;
    return e;
}

bool entry_find(const char *name, struct entry *to)
{
    for (ENTRIES(e))
        if (strcmp(e.name, name) == 0) {
            *to = e;
            return true;
        }
    return false;
}

const char *entry_advice(const char *name, struct arena *arena)
{
    const char *advice = name_advice(name, NULL, arena);
    struct nearest near = { .word = name };

    if (*advice)
        return advice;
    for (ENTRIES(e))
        if (!entry_is_step(&e))
            nearest_try(&near, e.name);
    return nearest_hint(&near, arena);
}

bool entry_is_part(const struct entry *e)
{
    return strcmp(e->kind, "section") == 0 && e->rows != pipeline_rows;
}

bool entry_is_step(const struct entry *e)
{
    return e->transform || e->op;
}

/* --- effects on targets --- */

static const struct {
    enum op_effect effect;
    char letter;
    const char *legend, *targets;
    const char *beside; /* added to the text if there are other effects */
} effects[] = {
    { EFFECT_MOVES, 'M', "moves the image and all labels",
      "Moves the image, the label mask, boxes, polygons, RLE and keypoints.",
      "Moves the image, the label mask, boxes, polygons, RLE and keypoints." },
    { EFFECT_RECOLOURS, 'R', "recolours the image",
      "Recolours the image; all labels stay unchanged.", "Recolours the image." },
    { EFFECT_HIDES, 'H', "hides a part of the image",
      "Paints over the image; what is hidden lowers the visibility of objects and keypoints.",
      "Paints over the image; what is hidden lowers the visibility of objects and keypoints." },
    { EFFECT_RELABELS, 'L', "acts on labels only",
      "Acts on objects only; the image and the label mask stay unchanged.",
      "Acts on objects, too." },
};

static bool is_container(const struct entry *e)
{
    return e->transform && !e->transform->emits;
}

/* Returns the effects of all ops that it may emit. */
static unsigned entry_effects(const struct entry *e)
{
    unsigned sum = e->op ? e->op->effect : 0;

    if (!e->transform || !e->transform->emits)
        return sum;
    for (const char *const *name = e->transform->emits; *name; name++)
        sum |= registry_op(*name)->effect;
    return sum;
}

void entry_letters(const struct entry *e, char letters[5])
{
    unsigned sum = entry_effects(e);
    char none = is_container(e) ? '*' : entry_is_step(e) ? '-' : ' ';

    for (size_t i = 0; i < COUNTOF(effects); i++)
        letters[i] = (sum & effects[i].effect) ? effects[i].letter : none;
    letters[COUNTOF(effects)] = '\0';
}

void entry_print_targets(const struct entry *e, struct text *out)
{
    unsigned sum = entry_effects(e);

    if (is_container(e))
        text_adds(out, "Does to all targets what its steps do.");
    else if (!sum)
        text_adds(out, "Changes nothing.");
    for (size_t i = 0; i < COUNTOF(effects); i++)
        if (sum & effects[i].effect)
            text_addf(out, "%s%s", out->length ? " " : "",
                      sum == effects[i].effect ? effects[i].targets : effects[i].beside);
}

void entry_print_emits(const struct entry *e, struct text *out)
{
    const char *const *name = e->transform ? e->transform->emits : NULL;

    if (!name || !*name)
        return;
    text_adds(out, "Emits ");
    for (size_t i = 0; name[i]; i++)
        text_addf(out, "%s`%s`", !i ? "" : name[i + 1] ? ", " : " and ", name[i]);
    text_addc(out, '.');
}

unsigned entry_shortcuts(const struct entry *e)
{
    unsigned set = e->op ? shortcuts_of_op(e->op) : 0;

    if (e->transform && e->transform->emits)
        for (const char *const *name = e->transform->emits; *name; name++) {
            const struct op *op = registry_op(*name);

            if (family_joins(op->family)) /* the ops after it are inside of it */
                break;
            set |= shortcuts_of_op(op);
        }
    return set;
}

void effects_print_legend(struct text *out)
{
    for (size_t i = 0; i < COUNTOF(effects); i++)
        text_addf(out, "%c %s; ", effects[i].letter, effects[i].legend);
    text_adds(out, "* as its steps do");
}
