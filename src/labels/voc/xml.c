/* xml: a Pascal VOC file of one image, by expat. */
#include "labels/voc/xml.h"

#include "base/number.h"
#include "json/document.h"
#include "labels/shared/expat.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct expat *lib;

enum { DEEPEST = 32 };

/* State of an open element. */
struct open_element {
    const char *name; /* in the arena */
    size_t begin;     /* of its tag, in the file */
    size_t inside;    /* after the tag */
    bool has_children;
    uint32_t seen; /* a bit for each row of single_elements that it has as a child */
};

/* Elements that readers expect once per parent: if there are two, some readers use the first one
 * and others the last one. */
static const char *const single_elements[] = {
    "annotation/filename",         "annotation/source",
    "annotation/source/database",  "annotation/size",
    "annotation/size/width",       "annotation/size/height",
    "annotation/size/depth",       "annotation/segmented",
    "annotation/object/name",      "annotation/object/pose",
    "annotation/object/truncated", "annotation/object/occluded",
    "annotation/object/difficult", "annotation/object/bndbox",
    "annotation/object/part/name", "annotation/object/part/bndbox",
};

struct reader {
    struct faults *faults;
    struct slice text;
    struct arena *arena;
    XML_Parser parser;
    struct voc_file *file;
    struct open_element open[DEEPEST];
    size_t depth;
    size_t single[COUNTOF(single_elements)]; /* position of the last one of each */
    struct text content;                     /* of the innermost element */
    struct pile objects, parts, extras, inside;
    bool wrong;  /* a number is */
    bool failed; /* nothing after it is read */
};

static void fail(struct reader *r, size_t at, const char *code, const char *why)
{
    if (!r->failed)
        fault_add(r->faults, (size_t)(r->text.at - r->faults->text.at) + at, 1, "", code, "%s",
                  why);
    r->failed = true;
    lib->XML_StopParser(r->parser, XML_FALSE);
}

/* -1 is expat's place in a text that it has not started. */
static size_t here(const struct reader *r)
{
    int64_t at = lib->BYTE_INDEX(r->parser);

    return at > 0 ? (size_t)at : 0;
}

/* Returns the position after the tag or text that expat is at. */
static size_t behind(const struct reader *r)
{
    return here(r) + (size_t)lib->BYTE_COUNT(r->parser);
}

/* True if the open elements, from the root, are this path. Its names are separated by slashes:
 * "annotation/object". */
static bool is_at(const struct reader *r, const char *path)
{
    for (size_t i = 0; i < r->depth; i++) {
        size_t length = strlen(r->open[i].name);

        if (strncmp(path, r->open[i].name, length) != 0)
            return false;
        path += length;
        if (i + 1 < r->depth && *path++ != '/')
            return false;
    }
    return !*path;
}

/* --- elements --- */

static struct voc_object *object_of(const struct reader *r)
{
    struct voc_object *all = r->objects.at;

    return r->objects.n ? &all[r->objects.n - 1] : NULL;
}

static struct voc_part *part_of(const struct reader *r)
{
    struct voc_part *all = r->parts.at;

    return r->parts.n ? &all[r->parts.n - 1] : NULL;
}

/* Refuses the element that was opened last if what holds it has another one of its kind. */
static void check_single(struct reader *r)
{
    struct open_element *element = &r->open[r->depth - 1], *parent = element - 1;
    struct text why = { 0 };
    size_t line, column;

    _Static_assert(COUNTOF(single_elements) <= 32, "a bit of `seen` for each");
    for (size_t i = 0; r->depth > 1 && i < COUNTOF(single_elements); i++) {
        if (!is_at(r, single_elements[i]))
            continue;
        if (parent->seen & 1U << i) {
            text_place(r->faults->text, (size_t)(r->text.at - r->faults->text.at) + r->single[i],
                       &line, &column);
            text_addf(&why, "\"%s\" has \"%s\" twice: here and in line %zu", parent->name,
                      element->name, line);
            fail(r, element->begin, "voc-twice", text_string(&why));
        }
        parent->seen |= 1U << i;
        r->single[i] = element->begin;
    }
    text_drop(&why);
}

static void on_start(void *context, const XML_Char *name, const XML_Char **attributes)
{
    struct reader *r = context;

    (void)attributes;
    if (r->failed)
        return;
    if (r->depth == DEEPEST) {
        fail(r, here(r), "voc-depth", "elements are nested more than 32 levels deep");
        return;
    }
    if (!r->depth && strcmp(name, "annotation") != 0) {
        fail(r, here(r), "voc-root", "expected the element annotation, as in Pascal VOC");
        return;
    }
    if (r->depth)
        r->open[r->depth - 1].has_children = true;
    r->open[r->depth++] = (struct open_element){ .name = arena_copy(r->arena, name, strlen(name)),
                                                 .begin = here(r),
                                                 .inside = behind(r) };
    text_clear(&r->content);
    check_single(r);
    if (is_at(r, "annotation/object"))
        pile_add(&r->objects, sizeof(struct voc_object));
    else if (is_at(r, "annotation/object/part"))
        pile_add(&r->parts, sizeof(struct voc_part));
}

/* The text of the element that ends here, without blanks around it. */
static struct slice inner(const struct reader *r)
{
    const struct open_element *o = &r->open[r->depth - 1];
    size_t begin = o->inside, end = here(r);

    while (begin < end && strchr(" \t\r\n", r->text.at[begin]))
        begin++;
    while (end > begin && strchr(" \t\r\n", r->text.at[end - 1]))
        end--;
    return (struct slice){ r->text.at + begin, end > begin ? end - begin : 0 };
}

static struct slice whole(const struct reader *r)
{
    size_t begin = r->open[r->depth - 1].begin;

    return (struct slice){ r->text.at + begin, behind(r) - begin };
}

static bool read_number(struct slice text, double *to)
{
    if (text.length && *text.at == '+')
        text = (struct slice){ text.at + 1, text.length - 1 };
    return text.length && number_scan(text, to) == text.length;
}

static void end_corner(struct reader *r, struct voc_box *box, const char *name)
{
    static const char *const corners[] = { "xmin", "ymin", "xmax", "ymax" };
    struct slice text = inner(r);
    size_t place = (size_t)(r->text.at - r->faults->text.at) + r->open[r->depth - 1].begin;

    for (unsigned i = 0; i < COUNTOF(corners); i++) {
        if (strcmp(name, corners[i]) != 0)
            continue;
        if (!read_number(text, &box->number[i]) || box->number[i] > LARGEST_COORDINATE ||
            box->number[i] < -LARGEST_COORDINATE || box->found & 1U << i) {
            fault_add(r->faults, place, 1, "", "voc-bndbox",
                      "expected one number, at most 1e7 in magnitude");
            r->wrong = true;
            box->wrong |= 1U << i;
            return;
        }
        box->at[i] = text;
        box->found |= 1U << i;
    }
}

static void end_side(struct reader *r, int side, struct slice *at)
{
    double number;

    *at = inner(r);
    if (read_number(*at, &number) && number >= 1 && number < INT_MAX)
        r->file->frame[side] = (int)number;
}

/* Returns the text of the element that ends here. Blanks around it do not count, unless they are
 * references. */
static const char *content_of(struct reader *r)
{
    struct text *t = &r->content;
    struct slice text = inner(r);
    size_t before = (size_t)(text.at - r->text.at) - r->open[r->depth - 1].inside;
    size_t after = here(r) - (size_t)(text.at + text.length - r->text.at);
    size_t from = 0;

    while (from < t->length && from < before && strchr(" \t\r\n", t->at[from]))
        from++;
    while (t->length > from && after-- && strchr(" \t\r\n", t->at[t->length - 1]))
        text_cut(t, t->length - 1);
    return arena_copy(r->arena, text_string(t) + from, t->length - from);
}

static void *keep(struct arena *arena, struct pile *pile, size_t size)
{
    void *kept = pile->n ? arena_copy(arena, pile->at, pile->n * size) : NULL;

    pile->n = 0;
    return kept;
}

static void end_object(struct reader *r)
{
    struct voc_object *o = object_of(r);

    o->whole = whole(r);
    o->n_parts = r->parts.n;
    o->parts = keep(r->arena, &r->parts, sizeof(struct voc_part));
    o->n_extras = r->extras.n;
    o->extras = keep(r->arena, &r->extras, sizeof(struct voc_extra));
}

static void end_child(struct reader *r, const struct open_element *e)
{
    struct voc_extra *extra;

    if (strcmp(e->name, "name") == 0) {
        object_of(r)->name = content_of(r);
        object_of(r)->name_at = inner(r);
    } else if (strcmp(e->name, "part") == 0) {
        part_of(r)->whole = whole(r);
    } else if (strcmp(e->name, "bndbox") != 0) {
        extra = pile_add(&r->extras, sizeof *extra);
        *extra = (struct voc_extra){ .name = e->name,
                                     .value = e->has_children ? "..." : content_of(r),
                                     .whole = whole(r),
                                     .n_inside = r->inside.n };
        extra->inside = keep(r->arena, &r->inside, sizeof(struct voc_inner));
    }
    r->inside.n = 0;
}

static void end_inner(struct reader *r, const struct open_element *e)
{
    *(struct voc_inner *)pile_add(&r->inside, sizeof(struct voc_inner)) =
        (struct voc_inner){ .name = e->name,
                            .value = e->has_children ? "..." : content_of(r),
                            .whole = whole(r),
                            .text = inner(r),
                            .depth = r->depth - 3 };
}

static void on_end(void *context, const XML_Char *name)
{
    struct reader *r = context;
    struct voc_file *f = r->file;
    const struct open_element *e;

    if (r->failed) /* an empty element still ends */
        return;
    e = &r->open[r->depth - 1];
    if (is_at(r, "annotation/filename")) {
        f->filename = inner(r);
    } else if (is_at(r, "annotation/size/width")) {
        end_side(r, 0, &f->width);
    } else if (is_at(r, "annotation/size/height")) {
        end_side(r, 1, &f->height);
    } else if (is_at(r, "annotation/source/database")) {
        f->database = content_of(r);
    } else if (is_at(r, "annotation/object")) {
        end_object(r);
    } else if (r->depth > 2 && strcmp(r->open[1].name, "object") == 0) {
        bool boxed = r->depth > 3 && strcmp(r->open[r->depth - 2].name, "bndbox") == 0;

        if (boxed && r->depth == 4)
            end_corner(r, &object_of(r)->box, name);
        else if (boxed && r->depth == 5 && strcmp(r->open[2].name, "part") == 0)
            end_corner(r, &part_of(r)->box, name);
        else if (r->depth == 3)
            end_child(r, e);
        else
            end_inner(r, e);
    }
    r->depth--;
}

static void on_text(void *context, const XML_Char *text, int length)
{
    struct reader *r = context;

    text_add(&r->content, text, (size_t)length);
}

static void on_doctype(void *context, const XML_Char *name, const XML_Char *system,
                       const XML_Char *public, int has_internal)
{
    struct reader *r = context;

    (void)name;
    (void)system;
    (void)public;
    (void)has_internal;
    fail(r, here(r), "voc-doctype",
         "a document type, which could define entities, is not read; remove it");
}

/* --- the file --- */

static void parse(struct reader *r)
{
    r->parser = lib->XML_ParserCreate(NULL);
    if (!r->parser)
        memory_gone(sizeof r->parser);
    lib->XML_SetUserData(r->parser, r);
    lib->XML_SetElementHandler(r->parser, on_start, on_end);
    lib->XML_SetCharacterDataHandler(r->parser, on_text);
    lib->XML_SetStartDoctypeDeclHandler(r->parser, on_doctype);
    if (expat_is_utf16(r->text))
        fail(r, 0, "voc-encoding", "this is UTF-16; save the file as UTF-8");
    else if (lib->XML_Parse(r->parser, r->text.at, (int)r->text.length, 1) != XML_STATUS_OK &&
             !r->failed) {
        enum XML_Error error = lib->XML_GetErrorCode(r->parser);

        if (error == XML_ERROR_NO_MEMORY)
            memory_gone(r->text.length);
        fail(r, here(r), "voc-syntax", lib->XML_ErrorString(error));
    }
    lib->XML_ParserFree(r->parser);
}

bool voc_read(struct faults *f, struct slice text, struct arena *arena, struct voc_file *file)
{
    struct reader r = { .faults = f, .text = text, .arena = arena, .file = file };

    *file = (struct voc_file){ .database = "" };
    lib = expat_open(f, "voc-library");
    if (!lib)
        return false;
    parse(&r);
    file->n_objects = r.objects.n;
    file->objects = keep(arena, &r.objects, sizeof(struct voc_object));
    text_drop(&r.content);
    free(r.objects.at);
    free(r.parts.at);
    free(r.extras.at);
    free(r.inside.at);
    file->complete = !r.failed;
    return !r.failed && !r.wrong;
}
