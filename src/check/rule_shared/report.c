/* report: functions with which rules report findings. */
#include "check/rule.h"

#include "base/files.h"
#include "base/number.h"
#include "batch/dataset/label_folder.h"

#include <stdarg.h>
#include <string.h>

/* The element of a folder of labels is the file with the names of its classes, or the folder. */
struct element element_of_file(const struct annotation_file *file)
{
    struct slice at = { file->text.at, file->text.length ? 1 : 0 };

    if (file->labels && !file->labels->index.at)
        at = file->places->folder;
    return (struct element){ .file = file, .text = at, .id = COCO_NO_ID, .image = NOT_THERE };
}

struct element element_of_image(const struct annotation_file *file, size_t index)
{
    const struct checked_image *image = &file->images[index];

    return (struct element){ .file = file,
                             .list = LIST_IMAGES,
                             .index = (uint32_t)index,
                             .text = { file->text.at + image->offset, image->length },
                             .id = image->id,
                             .image = (uint32_t)index };
}

struct element element_of_annotation(const struct annotation_file *file, size_t index)
{
    const struct checked_annotation *annotation = &file->annotations[index];

    return (struct element){ .file = file,
                             .list = LIST_ANNOTATIONS,
                             .index = (uint32_t)index,
                             .text = { file->text.at + annotation->offset, annotation->length },
                             .id = annotation->id,
                             .image = annotation->image };
}

struct element element_of_category(const struct annotation_file *file, size_t index)
{
    const struct checked_category *category = &file->categories[index];

    return (struct element){ .file = file,
                             .list = LIST_CATEGORIES,
                             .index = (uint32_t)index,
                             .text = { file->text.at + category->offset, category->length },
                             .id = category->id,
                             .image = NOT_THERE };
}

static bool is_super_of_another(const struct annotation_file *file, size_t root)
{
    for (size_t i = 0; i < file->n_categories; i++) {
        struct element e = element_of_category(file, i);
        struct slice super = pick_again(e.text, "supercategory");

        if (i == root || super.at == e.text.at || *super.at != '"')
            continue;
        if (scan_equals((struct slice){ super.at + 1, super.length - 2 },
                        file->categories[root].name))
            return true;
    }
    return false;
}

bool category_is_root(const struct annotation_file *file, size_t index)
{
    const struct checked_category *category = &file->categories[index];

    return category->id == 0 && !category->n_annotations && file->sure_annotations &&
           !file->labels && !file_is_panoptic(file) && is_super_of_another(file, index);
}

const char *annotation_words(struct check *c, const struct annotation_file *file, size_t index)
{
    const struct dataset *d = file->labels;
    uint64_t offset = file->annotations[index].offset;
    const struct fault_file *part;
    size_t line, column;

    if (!d)
        return arena_printf(&c->arena, "annotations[%zu]", index);
    part = fault_file_at(d->files, d->n_files, (size_t)offset);
    text_place((struct slice){ file->text.at + part->offset, file->text.length - part->offset },
               (size_t)offset - part->offset, &line, &column);
    return arena_printf(&c->arena, "line %zu", line);
}

bool rule_is_selected(const struct check *c, const struct rule *rule)
{
    return check_setting(c, rule)->selected;
}

/* True if the rule is ignored for this file or this image. */
static bool is_ignored(const struct check *c, size_t setting, const struct element *e)
{
    const struct path_ignore *ignore = c->ignores.at;
    const char *name = e->image == NOT_THERE ? NULL : e->file->images[e->image].name;

    if (e->file->ignored && e->file->ignored[setting])
        return true;
    for (size_t i = 0; name && i < c->ignores.n; i++)
        if (ignore[i].rules[setting] && path_matches(ignore[i].pattern, name))
            return true;
    return false;
}

struct finding *rule_report_plain(struct check *c, const struct rule *rule, const struct element *e,
                                  const char *member, struct slice at, const char *message)
{
    struct rule_setting *setting = check_setting(c, rule);
    struct finding *f;

    if (rule->severity == SEVERITY_ERROR)
        c->element_failed = true;
    if (!setting->selected || is_ignored(c, (size_t)(setting - c->settings), e))
        return NULL;
    setting->found++;
    f = pile_add(&c->findings, sizeof *f);
    if (!at.at)
        at = (struct slice){ e->text.at, e->text.length ? 1 : 0 };
    *f = (struct finding){ .rule = rule,
                           .message = message,
                           .member = member,
                           .offset = (uint64_t)(at.at - e->file->text.at),
                           .length = (uint32_t)(at.length < UINT32_MAX ? at.length : UINT32_MAX),
                           .file = (uint32_t)e->file->index,
                           .index = e->index,
                           .image = e->image,
                           .id = e->id,
                           .list = (uint8_t)e->list,
                           .severity = (uint8_t)setting->severity };
    return f;
}

static char *print(struct arena *, const char *format, va_list) PRINTF_LIKE(2, 0);
static char *print(struct arena *arena, const char *format, va_list args)
{
    va_list again;
    int length;
    char *text;

    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = arena_take(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

struct finding *rule_report(struct check *c, const struct rule *rule, const struct element *e,
                            const char *member, struct slice at, const char *format, ...)
{
    struct finding *f = rule_report_plain(c, rule, e, member, at, "");
    va_list args;

    if (!f)
        return NULL;
    va_start(args, format);
    f->message = print(&c->arena, format, args);
    va_end(args);
    if (member)
        f->member = arena_copy(&c->arena, member, strlen(member));
    return f;
}

/* --- shapes of pictures --- */

static struct shape *add_shape(struct check *c, struct finding *f, enum shape_kind kind)
{
    f->shape = ARENA_NEW(&c->arena, struct shape);
    f->shape->kind = kind;
    return f->shape;
}

void finding_draw_box(struct check *c, struct finding *f, struct box box)
{
    if (f)
        add_shape(c, f, SHAPE_BOX)->box = box;
}

void finding_draw_ring(struct check *c, struct finding *f, const struct ring *ring)
{
    if (f)
        add_shape(c, f, SHAPE_RING)->ring = ring_copy(&c->arena, ring);
}

void finding_draw_point(struct check *c, struct finding *f, struct point at)
{
    if (f)
        add_shape(c, f, SHAPE_POINT)->point = at;
}

/* --- fixes --- */

static struct edit *add_edit(struct check *c, struct finding *f, struct slice at,
                             enum edit_kind kind)
{
    struct fix *fix = ARENA_NEW(&c->arena, struct fix);

    fix->edit.kind = kind;
    fix->edit.offset = (uint64_t)(at.at - finding_file(c, f)->text.at);
    fix->edit.length = (uint32_t)at.length;
    fix->next = f->fix;
    f->fix = fix;
    return &fix->edit;
}

void finding_replace(struct check *c, struct finding *f, struct slice at, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (f)
        add_edit(c, f, at, EDIT_REPLACE)->text = print(&c->arena, format, args);
    va_end(args);
}

void finding_replace_number(struct check *c, struct finding *f, struct slice at, double number)
{
    struct text text = { 0 };

    number_print(&text, number);
    finding_replace(c, f, at, "%s", text_string(&text));
    text_drop(&text);
}

void finding_add_member(struct check *c, struct finding *f, struct slice object, const char *format,
                        ...)
{
    va_list args;

    va_start(args, format);
    if (f)
        add_edit(c, f, object, EDIT_ADD)->text = print(&c->arena, format, args);
    va_end(args);
}

void finding_remove(struct check *c, struct finding *f, struct slice at)
{
    if (f)
        add_edit(c, f, at, EDIT_REMOVE);
}
