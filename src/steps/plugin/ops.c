/* ops: makes a plugin's op an op of the registry, whose action is the one that the plugin's resolve
 * fills in. */
#include "steps/plugin/adapt.h"
#include "steps/plugin/fields.h"
#include "steps/plugin/plugin.h"

#include "steps/op_shared/actions.h"
#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 65500 }; /* pixels, as for crop and resize */

static const struct lockstep_op *entry_of(const struct op *op)
{
    return op->entry;
}

static int depth_of(enum pixel_type type)
{
    return (int)pixel_type_size(type) * 8;
}

/* --- host functions --- */

void *host_memory(const struct lockstep_scene *scene, size_t bytes)
{
    return arena_take(((const struct scene *)scene->own)->arena, bytes);
}

void host_refuse(const struct lockstep_scene *scene, const char *why)
{
    struct text *to = ((const struct scene *)scene->own)->why;

    if (why && !to->length)
        text_add_visible(to, why, strlen(why));
}

/* --- NaN results --- */

static struct {
    bool on, found;
} not_a_number;

void plugin_watch_numbers(void)
{
    not_a_number.on = true;
}

bool plugin_returned_nan(void)
{
    return not_a_number.found;
}

static void watch(const float *r, const float *g, const float *b, int n)
{
    for (int i = 0; i < n; i++)
        not_a_number.found |= isnan(r[i]) || isnan(g[i]) || isnan(b[i]);
}

static void watched_colours(const void *context, float *restrict r, float *restrict g,
                            float *restrict b, int n)
{
    const struct lockstep_action *action = context;

    action->colours(action->context, r, g, b, n);
    watch(r, g, b, n);
}

static void watched_placed(const void *context, int x, int y, float *restrict r, float *restrict g,
                           float *restrict b, int n)
{
    const struct lockstep_action *action = context;

    action->placed(action->context, x, y, r, g, b, n);
    watch(r, g, b, n);
}

/* Returns the new level of a gray image: all three colors have this level. */
static double gray_level(const void *context, double level)
{
    const struct lockstep_action *action = context;
    float r = (float)level, g = r, b = r;

    action->colours(action->context, &r, &g, &b, 1);
    not_a_number.found |= isnan(r) != 0;
    return (double)r;
}

/* --- planes --- */

/* Memory of one call of raster: a list of blocks. */
struct block {
    struct block *next;
};

void *host_scratch(const struct lockstep_work *work, size_t bytes)
{
    struct block **list = work->own, *block;

    if (bytes > SIZE_MAX - sizeof(max_align_t) - sizeof *block)
        memory_gone(bytes);
    block = memory_take(bytes + sizeof(max_align_t) + sizeof *block);
    block->next = *list;
    *list = block;
    return (char *)block +
           (sizeof(max_align_t) > sizeof *block ? sizeof(max_align_t) : sizeof *block);
}

static struct lockstep_plane shown(const struct plane *p)
{
    return (struct lockstep_plane){ p->px,     p->stride,   p->width,
                                    p->height, p->channels, depth_of(p->type) };
}

static void run_raster(const void *context, const struct plane *in, struct plane *out,
                       struct pool *pool)
{
    const struct lockstep_action *action = context;
    struct block *blocks = NULL, *next;
    struct lockstep_work work = { &plugin_host, &blocks };
    const struct lockstep_plane from = shown(in), to = shown(out);

    (void)pool;
    action->raster(action->context, &from, &to, &work);
    for (int y = 0; y < in->height; y++)
        row_copy_alpha(in, out, y);
    for (; blocks; blocks = next) {
        next = blocks->next;
        free(blocks);
    }
}

/* --- maps --- */

/* A plugin's map while it is sampled as a field; `bad` if it returned a value that is not finite.
 */
struct mapping {
    const struct lockstep_action *action;
    const struct field *field; /* the field made from it */
    bool bad;
};

static struct point displaced(const void *context, struct point at)
{
    struct mapping *m = (struct mapping *)(uintptr_t)context;
    struct lockstep_point from =
        m->action->source(m->action->context, (struct lockstep_point){ at.x, at.y });

    if (isfinite(from.x) && isfinite(from.y))
        return (struct point){ from.x - at.x, from.y - at.y };
    m->bad = true;
    return (struct point){ 0, 0 };
}

/* Searches the place if the plugin's exact inverse returns a value that is not finite. */
static struct point searched(const struct field *field, struct point p)
{
    struct field plain = *field;

    plain.target = NULL;
    return field_target(&plain, p);
}

static struct point target_of(const void *context, struct point p)
{
    const struct mapping *m = context;
    struct lockstep_point to =
        m->action->target(m->action->context, (struct lockstep_point){ p.x, p.y });

    not_a_number.found |= isnan(to.x) || isnan(to.y);
    return isfinite(to.x) && isfinite(to.y) ? (struct point){ to.x, to.y } : searched(m->field, p);
}

static bool refuse(const struct scene *scene, const char *why)
{
    text_adds(scene->why, why);
    return false;
}

static bool map_by_field(const struct scene *scene, const struct lockstep_action *action,
                         enum interpolation interpolation, struct action *out)
{
    struct mapping *m = ARENA_NEW(scene->arena, struct mapping);
    struct field *field;

    if (!action->source)
        return refuse(scene, "the plugin did not set `source`");
    m->action = action;
    m->field = field = field_on_centres(scene->arena, scene->frame, displaced, m);
    if (m->bad)
        return refuse(scene, "the plugin's `source` returned a value that is not finite");
    if (action->target) {
        field->target = target_of;
        field->target_context = m;
    }
    return action_field(scene, out, field, interpolation);
}

static bool map_by_matrix(const struct scene *scene, const struct lockstep_action *action,
                          enum interpolation interpolation, struct action *out)
{
    struct mat3 forward;
    bool finite = true;

    for (int i = 0; i < 9; i++) {
        forward.m[i] = action->matrix[i];
        finite &= isfinite(action->matrix[i]);
    }
    if (!finite)
        return refuse(scene, "the plugin's matrix has a value that is not finite");
    if (action->width < 1 || action->height < 1 || action->width > MAX_SIDE ||
        action->height > MAX_SIDE)
        return refuse(scene, "the plugin's canvas must have sides of 1..65500 pixels");
    return action_warp(scene, out, &forward, (struct frame){ action->width, action->height },
                       interpolation);
}

/* --- labels --- */

struct labels_context {
    struct sample *sample;
    const struct rules *rules;
    struct text *why;
};

bool host_object(const struct lockstep_labels *labels, size_t i, struct lockstep_object *to)
{
    const struct labels_context *l = labels->own;
    const struct object *o = i < labels->n ? &l->sample->objects[i] : NULL;
    struct point corner, size;

    if (!o || o->failed)
        return false;
    *to = (struct lockstep_object){ .has_score = o->has_score,
                                    .crowd = o->crowd,
                                    .score = o->score,
                                    .visibility = o->visibility,
                                    .category = o->category ? o->category->name : NULL };
    to->has_box = sample_current_box(l->sample, l->rules, o, &corner, &size);
    if (to->has_box) {
        to->x = corner.x;
        to->y = corner.y;
        to->width = size.x;
        to->height = size.y;
    }
    to->area = o->has_area ? o->area : to->width * to->height;
    return true;
}

void host_drop(const struct lockstep_labels *labels, size_t i, const char *reason, double value)
{
    const struct labels_context *l = labels->own;
    size_t length = reason ? strlen(reason) : 0;

    if (i >= labels->n)
        return;
    if (!length || length > 40 ||
        strspn(reason, "abcdefghijklmnopqrstuvwxyz0123456789_") != length) {
        if (!l->why->length)
            text_adds(l->why, "the plugin's reason to drop an object must be a word of a-z, "
                              "0-9 and _");
        return;
    }
    object_fail(&l->sample->objects[i], arena_copy(l->sample->arena, reason, length), value);
}

static bool run_labels(const void *context, const struct rules *rules, struct sample *sample,
                       struct text *why)
{
    const struct lockstep_action *action = context;
    struct labels_context l = { sample, rules, why };
    const struct lockstep_labels labels = { sample->n_objects, &plugin_host, &l };

    action->labels(action->context, &labels);
    return !why->length;
}

/* --- resolving --- */

static bool act(const struct op *op, const struct scene *scene,
                const struct lockstep_action *action, struct action *out)
{
    enum interpolation how = action->nearest ? INTERPOLATION_NEAREST : INTERPOLATION_BILINEAR;
    int family = entry_of(op)->family;

    if ((family == LOCKSTEP_COLOURS && !action->colours) ||
        (family == LOCKSTEP_PLACED && !action->placed) ||
        (family == LOCKSTEP_RASTER && !action->raster) ||
        (family == LOCKSTEP_LABELS && !action->labels))
        return refuse(scene, "the plugin did not set the function of the op's family");
    if (family == LOCKSTEP_COLOURS && scene_colours(scene) == 1)
        action_table(scene, out, gray_level, action);
    else if (family == LOCKSTEP_COLOURS && not_a_number.on)
        action_colours(scene, out, watched_colours, action, NULL);
    else if (family == LOCKSTEP_PLACED && not_a_number.on)
        action_colours_at(scene, out, watched_placed, action);
    else if (family == LOCKSTEP_COLOURS)
        action_colours(scene, out, action->colours, action->context, NULL);
    else if (family == LOCKSTEP_PLACED)
        action_colours_at(scene, out, action->placed, action->context);
    else if (family == LOCKSTEP_RASTER)
        action_raster(out, run_raster, action);
    else if (family == LOCKSTEP_LABELS)
        action_labels(out, run_labels, action);
    if (family != LOCKSTEP_MATRIX && family != LOCKSTEP_FIELD)
        return true;
    out->fill =
        scene_fill(scene, &(struct colour){ action->fill.n,
                                            { action->fill.channel[0], action->fill.channel[1],
                                              action->fill.channel[2], action->fill.channel[3] } });
    out->fill_mask = action->fill_mask;
    return family == LOCKSTEP_MATRIX ? map_by_matrix(scene, action, how, out)
                                     : map_by_field(scene, action, how, out);
}

static bool resolve(const struct op *op, const void *params, const struct scene *scene,
                    struct action *out)
{
    struct lockstep_action *action = ARENA_NEW(scene->arena, struct lockstep_action);
    const struct lockstep_scene seen = {
        scene->frame.width,    scene->frame.height, scene->channels,
        depth_of(scene->type), &plugin_host,        (void *)(uintptr_t)scene,
    };
    size_t said = scene->why->length;

    *action = (struct lockstep_action){ .matrix = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                        .width = scene->frame.width,
                                        .height = scene->frame.height,
                                        .fill = { .n = 1 } };
    switch (entry_of(op)->resolve(params, &seen, action)) {
    case LOCKSTEP_IDLE:
        return true;
    case LOCKSTEP_ACTS:
        return act(op, scene, action, out);
    default:
        if (scene->why->length == said)
            text_adds(scene->why, "the plugin refused the image without a reason");
        return false;
    }
}

/* --- the entry --- */

static bool check(const struct op *op, const void *params, const struct value *step,
                  struct faults *faults)
{
    const char *wrong = entry_of(op)->check ? entry_of(op)->check(params) : NULL;

    return !wrong || value_fault(faults, step, false, "param-conflict", "%s", wrong);
}

static const struct {
    enum family family;
    enum group group;
    unsigned effect;
} families[] = {
    [LOCKSTEP_COLOURS] = { FAMILY_COLOURS, GROUP_COLOUR, EFFECT_RECOLOURS },
    [LOCKSTEP_PLACED] = { FAMILY_RASTER, GROUP_COLOUR, EFFECT_RECOLOURS },
    [LOCKSTEP_RASTER] = { FAMILY_RASTER, GROUP_COLOUR, EFFECT_RECOLOURS },
    [LOCKSTEP_MATRIX] = { FAMILY_MATRIX, GROUP_GEOMETRY, EFFECT_MOVES | EFFECT_TURNS },
    [LOCKSTEP_FIELD] = { FAMILY_FIELD, GROUP_GEOMETRY, EFFECT_MOVES },
    [LOCKSTEP_LABELS] = { FAMILY_NOTHING, GROUP_LABELS, EFFECT_RELABELS },
};

enum group adapt_group(int group)
{
    static const enum group groups[] = {
        [LOCKSTEP_GROUP_GEOMETRY] = GROUP_GEOMETRY, [LOCKSTEP_GROUP_CROP] = GROUP_CROP,
        [LOCKSTEP_GROUP_COLOUR] = GROUP_COLOUR,     [LOCKSTEP_GROUP_BLUR] = GROUP_BLUR,
        [LOCKSTEP_GROUP_NOISE] = GROUP_NOISE,       [LOCKSTEP_GROUP_WEATHER] = GROUP_WEATHER,
        [LOCKSTEP_GROUP_DROPOUT] = GROUP_DROPOUT,   [LOCKSTEP_GROUP_LABELS] = GROUP_LABELS,
    };

    return groups[group];
}

struct op adapt_op(const struct adapter *a, const struct lockstep_op *op, const struct row *rows)
{
    static const struct op_calls calls = { check, resolve };

    return (struct op){
        .name = op->name,
        .summary = op->summary,
        .example = op->example,
        .group = op->group ? adapt_group(op->group) : families[op->family].group,
        .origin = ORIGIN_PLUGIN,
        .params = rows,
        .params_size = op->params_size,
        .family = families[op->family].family,
        .effect = families[op->family].effect |
                  (op->family == LOCKSTEP_MATRIX && op->mirrors ? EFFECT_MIRRORS : 0u),
        .subject = op->family == LOCKSTEP_LABELS ? SUBJECT_OBJECTS : SUBJECT_IMAGE,
        .plugin = a->table->name,
        .calls = &calls,
        .entry = op,
    };
}
