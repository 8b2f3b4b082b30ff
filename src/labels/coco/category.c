/* category: classes of objects from a JSON list, small enough for a tree. */
#include "labels/coco/category.h"

#include "labels/coco/dialect.h"
#include "labels/coco/annotation_element.h"
#include "json/value.h"
#include "labels/coco/flip_names.h"
#include "labels/coco/keypoint_layouts.h"

#include <math.h>
#include <string.h>

enum { MAX_KEYPOINTS = 4096 };

/* State of reading a list: its tree, and where the tree's text begins in the document. */
struct reader {
    struct faults *faults;
    struct arena *arena, scratch;
    size_t *mirror; /* of the category being read; room for MAX_KEYPOINTS */
    size_t base;
    const struct value *list;
};

static bool fault(struct reader *, const struct value *, const char *code, const char *format, ...)
    PRINTF_LIKE(4, 5);
static bool fault(struct reader *r, const struct value *at, const char *code, const char *format,
                  ...)
{
    va_list args;

    va_start(args, format);
    fault_addv(r->faults, r->base + at->at.offset, at->at.length,
               arena_printf(&r->scratch, "categories%s", value_path(at, &r->scratch)), code, format,
               args);
    va_end(args);
    return false;
}

static struct slice source_of(const struct reader *r, const struct value *v)
{
    return (struct slice){ r->faults->text.at + r->base + v->at.offset, v->at.length };
}

/* `key` is a member of it, or "". */
static void note(struct reader *r, const struct value *at, const char *key, enum deviation d)
{
    struct slice stretch = source_of(r, at);

    if (at->kind == VALUE_OBJECT)
        stretch.length = 1;
    deviation_note(r->faults, d, stretch,
                   arena_printf(&r->scratch, "categories%s%s", value_path(at, &r->scratch), key));
}

static bool is_whole(const struct value *v, double min, double below)
{
    return v->kind == VALUE_NUMBER && v->number == floor(v->number) && v->number >= min &&
           v->number < below;
}

/* --- keypoints --- */

static bool read_names(struct reader *r, const struct value *list, struct category *c)
{
    const char **names;

    if (list->kind != VALUE_LIST || list->n > MAX_KEYPOINTS)
        return fault(r, list, "coco-type", "expected a list of at most %d names",
                     (int)MAX_KEYPOINTS);
    names = ARENA_ARRAY(r->arena, const char *, list->n);
    for (size_t i = 0; i < list->n; i++) {
        const char *name = list->item[i].text;

        if (list->item[i].kind != VALUE_TEXT)
            return fault(r, &list->item[i], "coco-type", "expected a string");
        names[i] = arena_copy(r->arena, name, strlen(name));
    }
    c->keypoint_name = names;
    c->n_keypoints = list->n;
    return true;
}

static void read_skeleton(struct reader *r, const struct value *list, struct category *c)
{
    size_t(*bones)[2], n = 0;
    double past = (double)c->n_keypoints + 1;

    if (!list || list->kind != VALUE_LIST)
        return;
    bones = arena_take_array(r->arena, sizeof *bones, list->n);
    for (size_t i = 0; i < list->n; i++) {
        const struct value *pair = &list->item[i];

        if (pair->n != 2 || !is_whole(&pair->item[0], 1, past) ||
            !is_whole(&pair->item[1], 1, past)) {
            note(r, pair, "", DEVIATION_SKELETON);
            continue;
        }
        bones[n][0] = (size_t)pair->item[0].number - 1;
        bones[n++][1] = (size_t)pair->item[1].number - 1;
    }
    c->bone = (const size_t(*)[2])bones;
    c->n_bones = n;
}

/* Makes a fault for runs that mirror. */
static struct fault *doubt(struct reader *r, const struct value *at, struct fault *to,
                           const char *message)
{
    *to =
        (struct fault){ .code = "coco-flip-pairs",
                        .path = arena_printf(r->arena, "categories%s", value_path(at, &r->scratch)),
                        .message = message,
                        .remedy = "keypoints keep their order",
                        .offset = r->base + at->at.offset,
                        .length = at->kind == VALUE_OBJECT ? 1 : at->at.length };
    return to;
}

/* Layouts with n keypoints: ": \"300w\", \"lapa\" have as many"; "" when there are none, or n is
 * not known. */
static const char *layouts_with(struct reader *r, size_t n)
{
    struct text text = { 0 };
    const char *list;

    for (size_t i = 0; layout_at(i); i++)
        if (layout_at(i)->n == n)
            text_addf(&text, "%s\"%s\"", text.length ? ", " : " as ", layout_at(i)->name);
    list = arena_copy(&r->scratch, text_string(&text), text.length);
    text_drop(&text);
    return list;
}

/* Notes keypoints whose names have no meaning: of the list, or of the category if there is no list.
 */
static void doubt_unnamed(struct reader *r, const struct value *at, struct category *c)
{
    c->unnamed = doubt(
        r, at, ARENA_NEW(r->arena, struct fault),
        arena_printf(r->arena,
                     "the pipeline mirrors, and %s which keypoints swap then; name them in the "
                     "category's \"flip_pairs\": by index ([[0, 1], ...]), by the name of a "
                     "public layout%s (see lockstep help coco), or [] for none",
                     c->n_keypoints ? "these names do not say" : "no names say",
                     *layouts_with(r, c->n_keypoints) ? layouts_with(r, c->n_keypoints)
                                                      : " as \"300w\""));
}

static void doubt_name(struct reader *r, const struct value *list, struct category *c, size_t i,
                       const struct flip_name *pair, struct fault *to)
{
    const char *const *names = c->keypoint_name;

    if (pair->side == FLIP_ALONE)
        doubt(r, &list->item[i], to,
              arena_printf(r->arena,
                           "the pipeline mirrors, and \"%s\" has no other side to swap with; name "
                           "the pairs in the category's \"flip_pairs\"",
                           names[i]));
    else
        doubt(r, &list->item[i], to,
              arena_printf(r->arena,
                           "the pipeline mirrors, and \"%s\" and \"%s\" may be sides that swap; "
                           "name the pairs in the category's \"flip_pairs\", [] for none",
                           names[i], names[pair->partner]));
}

static void pair_names(struct reader *r, const struct value *list, struct category *c)
{
    struct fault *unpaired = ARENA_ARRAY(r->arena, struct fault, c->n_keypoints);
    struct flip_name *pairs = ARENA_ARRAY(&r->scratch, struct flip_name, c->n_keypoints);
    const struct layout *layout = layout_of_names(c->keypoint_name, c->n_keypoints);
    size_t unnamed;

    if (layout) {
        layout_mirror(layout, r->mirror);
        return;
    }
    flip_names_pair(c->keypoint_name, c->n_keypoints, pairs);
    c->unpaired = unpaired;
    for (size_t i = 0; i < c->n_keypoints; i++) {
        r->mirror[i] = pairs[i].side == FLIP_PAIRED ? pairs[i].partner : i;
        c->guesses_pairs |= pairs[i].guessed;
        if (pairs[i].side == FLIP_ALONE || pairs[i].side == FLIP_UNSURE)
            doubt_name(r, list, c, i, &pairs[i], &unpaired[c->n_unpaired++]);
    }
    unnamed = flip_names_unnamed(c->keypoint_name, c->n_keypoints, pairs);
    if (unnamed < c->n_keypoints)
        doubt_unnamed(r, &list->item[unnamed], c);
}

/* --- flip_pairs --- */

/* A keypoint's name, or its index from 0; without names any index. */
static bool find_keypoint(const struct category *c, const struct value *v, size_t *index)
{
    size_t names = c->keypoint_name ? c->n_keypoints : 0;

    if (is_whole(v, 0, names ? (double)names : MAX_KEYPOINTS)) {
        *index = (size_t)v->number;
        return true;
    }
    for (*index = 0; v->kind == VALUE_TEXT && *index < names; ++*index)
        if (strcmp(c->keypoint_name[*index], v->text) == 0)
            return true;
    return false;
}

static bool read_pair(struct reader *r, const struct value *pair, const struct category *c)
{
    size_t *mirror = r->mirror, a, b;

    if (pair->kind != VALUE_LIST || pair->n != 2 || !find_keypoint(c, &pair->item[0], &a) ||
        !find_keypoint(c, &pair->item[1], &b))
        return fault(r, pair, "coco-flip-pairs", "expected two keypoints, by %sindex from 0",
                     c->n_keypoints ? "name or by " : "");
    if (a == b || mirror[a] != a || mirror[b] != b)
        return fault(r, pair, "coco-flip-pairs",
                     "a keypoint may be in one pair only, with another keypoint");
    mirror[a] = b;
    mirror[b] = a;
    return true;
}

static bool read_layout(struct reader *r, const struct value *name, struct category *c)
{
    const struct layout *layout = layout_find(name->text);
    struct nearest near = { .word = name->text };

    for (size_t i = 0; !layout && layout_at(i); i++)
        nearest_try(&near, layout_at(i)->name);
    if (!layout)
        return fault(r, name, "coco-flip-pairs",
                     "expected a list of pairs, or the name of a public layout%s",
                     nearest_hint(&near, &r->scratch));
    if (c->n_keypoints && c->n_keypoints != layout->n)
        return fault(r, name, "coco-flip-pairs",
                     "\"%s\" has %zu keypoints, and this category has %zu", layout->name, layout->n,
                     c->n_keypoints);
    c->n_keypoints = layout->n;
    layout_mirror(layout, r->mirror);
    return true;
}

static bool read_flip_pairs(struct reader *r, const struct value *pairs, struct category *c)
{
    bool good = true;

    if (pairs->kind == VALUE_TEXT)
        return read_layout(r, pairs, c);
    if (pairs->kind != VALUE_LIST)
        return fault(r, pairs, "coco-flip-pairs",
                     "expected a list of pairs, or the name of a public layout");
    for (size_t i = 0; i < pairs->n; i++)
        good = read_pair(r, &pairs->item[i], c) && good;
    return good;
}

/* Stores the pairs that were read; keypoints after the last paired one stay. */
static void keep_pairs(struct reader *r, struct category *c)
{
    size_t n = MAX_KEYPOINTS;

    while (n && r->mirror[n - 1] == n - 1)
        n--;
    if (n)
        c->mirror = (const size_t *)arena_copy(r->arena, r->mirror, n * sizeof *r->mirror);
    c->n_mirror = n;
    for (size_t i = 0; i < n; i++)
        r->mirror[i] = i;
}

static bool read_keypoints(struct reader *r, const struct value *v, struct category *c)
{
    const struct value *names = value_get(v, "keypoints"), *pairs = value_get(v, "flip_pairs");
    bool named = names && names->kind != VALUE_NULL, good = true;

    if (named && !read_names(r, names, c))
        return false;
    if (pairs)
        good = read_flip_pairs(r, pairs, c);
    else if (c->n_keypoints)
        pair_names(r, names, c);
    else
        doubt_unnamed(r, v, c);
    keep_pairs(r, c);
    if (named || c->n_keypoints)
        read_skeleton(r, value_get(v, "skeleton"), c);
    return good;
}

/* --- the list --- */

static bool check_key(struct reader *r, const struct value *v, const char *key)
{
    const char *path = value_path(v, &r->scratch);

    if (value_get(v, key))
        return true;
    return fault_add(r->faults, r->base + v->at.offset, 1,
                     arena_printf(&r->scratch, "categories%s.%s", path, key), "coco-missing-key",
                     "this key is missing");
}

/* False when the id cannot be read. */
static bool read_id(struct reader *r, const struct value *v, struct id *id, unsigned *set)
{
    const struct value *number;
    unsigned found = 0;

    if (!check_key(r, v, "id"))
        return false;
    number = value_get(v, "id");
    if (!id_read(source_of(r, number), &id->id, &found))
        return fault(r, number, "coco-type", "expected an integer within 2^53");
    for (unsigned d = 0; found >> d; d++)
        if (found >> d & 1)
            note(r, number, "", (enum deviation)d);
    *set |= found;
    return true;
}

static void read_category(struct reader *r, const struct value *v, struct category *c)
{
    const struct value *name = value_get(v, "name");

    c->name = "";
    if (check_key(r, v, "name") && name->kind != VALUE_TEXT)
        fault(r, name, "coco-type", "expected a string");
    else if (name)
        c->name = arena_copy(r->arena, name->text, strlen(name->text));
    read_keypoints(r, v, c);
}

/* Marks categories that repeat an earlier one, by n sorted ids. Another category with an id that is
 * taken is a fault. */
static void check_ids(struct reader *r, const struct id *ids, size_t n, bool *repeated)
{
    for (size_t i = 1, first = 0; i < n; i++) {
        const struct value *v = &r->list->item[ids[i].index];

        if (ids[i].id != ids[first].id) {
            first = i;
        } else if (coco_elements_are_equal(source_of(r, v),
                                           source_of(r, &r->list->item[ids[first].index]))) {
            repeated[ids[i].index] = true;
            note(r, value_get(v, "id"), "", DEVIATION_REPEATED);
        } else {
            fault(r, value_get(v, "id"), "coco-id-twice", "categories[%lu] has the id %lld already",
                  (unsigned long)ids[first].index, (long long)ids[i].id);
        }
    }
}

/* Leaves out categories that repeat an earlier one, with their ids. */
static void drop_repeated(struct categories *c, const bool *repeated, uint32_t *listed,
                          struct id *ids)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++) {
        if (repeated[i])
            continue;
        c->at[n] = c->at[i];
        ids[n] = (struct id){ c->at[i].id, (uint32_t)n };
        listed[n++] = (uint32_t)i;
    }
    c->deviates |= n < c->n;
    c->n = n;
}

static bool has_supercategory(const struct value *v)
{
    const struct value *super = value_get(v, "supercategory");

    return super && super->kind != VALUE_NULL;
}

static void read_list(struct reader *r, struct categories *c)
{
    struct id *ids = ARENA_ARRAY(r->arena, struct id, r->list->n);
    uint32_t *listed = ARENA_ARRAY(r->arena, uint32_t, r->list->n);
    bool *repeated = ARENA_ARRAY(&r->scratch, bool, r->list->n);
    unsigned set = 0;

    r->mirror = ARENA_ARRAY(&r->scratch, size_t, MAX_KEYPOINTS);
    for (size_t i = 0; i < MAX_KEYPOINTS; i++)
        r->mirror[i] = i;
    c->n = c->n_listed = r->list->n;
    c->listed = listed;
    c->at = ARENA_ARRAY(r->arena, struct category, c->n);
    c->sure = true;
    for (size_t i = 0; i < c->n; i++) {
        const struct value *v = &r->list->item[i];

        c->at[i].name = "";
        ids[i].index = (uint32_t)i;
        if (v->kind != VALUE_OBJECT) {
            c->sure = fault(r, v, "coco-type", "expected an object");
            continue;
        }
        c->sure = read_id(r, v, &ids[i], &set) && c->sure;
        c->at[i].id = ids[i].id;
        if (!has_supercategory(v))
            note(r, v, ".supercategory", DEVIATION_NO_SUPERCATEGORY);
        read_category(r, v, &c->at[i]);
    }
    c->deviates = (set & DEVIATIONS_REPAIRED) != 0;
    ids_sort(ids, c->n);
    if (c->sure)
        check_ids(r, ids, c->n, repeated);
    drop_repeated(c, repeated, listed, ids);
    ids_sort(ids, c->n);
    ids_divide(&c->by_id, r->arena, ids, c->n);
}

/* The tree is parsed from its own stretch of the document; its faults are moved to where that is.
 */
static void parse_list(struct reader *r, struct slice text)
{
    struct faults inner = { .name = r->faults->name, .text = text };

    r->list = value_parse(&inner, &r->scratch);
    for (size_t i = 0; i < inner.n; i++)
        fault_add(r->faults, r->base + inner.list[i].offset, inner.list[i].length,
                  arena_printf(&r->scratch, "categories%s", inner.list[i].path), inner.list[i].code,
                  "%s", inner.list[i].message);
    faults_drop(&inner);
}

bool categories_read(struct faults *f, struct slice text, struct arena *arena,
                     struct categories *to)
{
    struct reader r = { .faults = f, .arena = arena, .base = (size_t)(text.at - f->text.at) };
    size_t before = f->n;

    *to = (struct categories){ .text = text };
    parse_list(&r, text);
    if (r.list && r.list->kind != VALUE_LIST)
        fault(&r, r.list, "coco-type", "expected a list");
    else if (r.list)
        read_list(&r, to);
    arena_drop(&r.scratch);
    return f->n == before;
}
