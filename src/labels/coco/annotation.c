/* annotation: converts one element of "annotations" to an object and back. */
#include "labels/coco/annotation.h"

#include "labels/coco/keep_number_text.h"
#include "labels/coco/image_labels.h"
#include "labels/coco/unknown_keys.h"
#include "labels/coco/labels.h"
#include "labels/coco/members.h"
#include "labels/coco/mend.h"
#include "labels/coco/wholebody.h"
#include "labels/coco/segmentation.h"
#include "labels/coco/member_text.h"

#include <string.h>

enum { OWN_KEYS = 8 }; /* that are read of every annotation */

static bool load_segmentation(const struct place *p, const struct pick *pick, struct frame frame,
                              struct arena *arena, struct object *o)
{
    struct segmentation_fault fault;

    return !pick->value.at || segmentation_read(pick->value, frame, arena, o, &fault) ||
           place_fault(p, fault.at, "segmentation", fault.code, "%s", fault.what);
}

static bool load_crowd(const struct place *p, const struct pick *pick, struct object *o)
{
    unsigned set = 0;

    return !pick->value.at || coco_crowd_read(pick->value, &o->crowd, &set) ||
           place_fault(p, pick->value, "iscrowd", "coco-type", "expected 0 or 1");
}

/* Loads the keypoints of the annotation itself. */
static bool load_own_keypoints(const struct coco_annotation *a, const struct place *p,
                               const struct pick *pick, struct slice element,
                               const struct rules *rules, struct arena *arena, struct object *o)
{
    enum coco_visibility rule = a->result ? COCO_VISIBILITY_ANY : COCO_VISIBILITY;

    return coco_load_keypoints(p, pick, element, rules, rule, arena, o);
}

/* An annotation with a category but no geometry is a label of the image, unless it is a caption. */
static bool load_image_label(const struct coco_annotation *a, const struct place *p,
                             struct slice element, struct object *o)
{
    struct slice weight;

    if (!o->category || a->result || pick_again(element, "caption").at != element.at)
        return true;
    o->image_label = true;
    o->weight = 1;
    weight = pick_again(element, "weight");
    return weight.at == element.at || coco_label_weight_read(p, weight, "weight", &o->weight);
}

static bool load_plain(const struct coco_annotation *a, const struct place *p,
                       struct pick_order *order, const struct rules *rules, struct arena *arena,
                       struct object *o)
{
    struct pick pick[OWN_KEYS + COCO_PART_KEYS] = {
        { .name = "category_id" },   { .name = "bbox" },    { .name = "segmentation" },
        { .name = "area" },          { .name = "iscrowd" }, { .name = "keypoints" },
        { .name = "num_keypoints" }, { .name = "score" }
    };
    struct scan s = scan_again(p->faults->text, (size_t)(a->text.at - p->faults->text.at));
    int64_t category = COCO_NO_ID, counted;
    unsigned set = 0;
    struct slice element;
    bool good;

    coco_parts_pick(&pick[OWN_KEYS]);
    good = pick_members(&s, p, order, pick, COUNTOF(pick), &element);
    if (s.code)
        return place_scan_fault(p, &s);
    good = coco_pick_id(p, &pick[0], &category, &set) && good;
    o->category = categories_find(a->categories, category);
    o->changes = o->category && o->category->id != category ? CHANGE_CLASSED : 0;
    o->visibility = 1;
    o->source = a->text;
    o->has_area = pick[3].value.at;
    o->has_score = pick[7].value.at && number_scan(pick[7].value, &o->score);
    good = coco_load_box(p, &pick[1], arena, o) && good;
    good = load_segmentation(p, &pick[2], a->frame, arena, o) && good;
    o->area = o->size.x * o->size.y; /* the box's area if none is annotated */
    good = pick_number(p, &pick[3], &o->area) && good;
    good = load_crowd(p, &pick[4], o) && good;
    good = load_own_keypoints(a, p, &pick[5], element, rules, arena, o) && good;
    good = coco_parts_load(p, &pick[OWN_KEYS], rules, arena, o) && good;
    good = coco_keys_load(p, element, rules, arena, o) && good;
    if (!pick[1].value.at && !pick[2].value.at && !pick[5].value.at && !o->n_parts)
        good = load_image_label(a, p, element, o) && good;
    return pick_integer(p, &pick[6], &counted) && good;
}

/* Adds a fault in a mended text to those of the document, at the member's own text. */
static void move_fault(const struct fault *f, const struct place *p, struct slice element)
{
    const char *member = strchr(f->path, ']');
    struct slice at = { element.at, 1 };
    char name[64] = "";

    if (member && member[1] == '.') {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(member + 2, ".["), member + 2);
        at = pick_again(element, name);
        if (at.at == element.at)
            at.length = 1;
    }
    fault_add(p->faults, (size_t)(at.at - p->faults->text.at), at.length, f->path, f->code, "%s",
              f->message);
}

static bool load_mended(const struct coco_annotation *a, const struct place *p,
                        const struct rules *rules, struct arena *arena, struct object *o)
{
    struct coco_annotation mended = *a;
    struct pick_order order = { 0 };
    struct faults faults = { .name = p->faults->name };
    struct place place = *p;
    struct text text = { 0 };
    bool good;

    coco_annotation_mend(a->text, a->flat_rle, &text);
    mended.text = faults.text = (struct slice){ text.at, text.length };
    place.faults = &faults;
    good = load_plain(&mended, &place, &order, rules, arena, o);
    o->source = a->text;
    for (size_t i = 0; i < faults.n; i++)
        move_fault(&faults.list[i], p, a->text);
    faults_drop(&faults);
    text_drop(&text);
    return good;
}

bool coco_annotation_load(const struct coco_annotation *a, const struct place *p,
                          struct pick_order *order, const struct rules *rules, struct arena *arena,
                          struct object *o)
{
    return a->deviates ? load_mended(a, p, rules, arena, o)
                       : load_plain(a, p, order, rules, arena, o);
}

/* --- print_context --- */

/* Context of the functions that print single members. */
struct print_context {
    const struct coco_annotation *annotation;
    struct slice element; /* the source, mended */
    const struct object *object;
    const struct output *output;
    const struct rules *rules;
};

static void print_box(const struct print_context *p, struct slice source, struct text *text)
{
    if (p->object->has_box)
        coco_print_box(p->object, text);
    else
        text_add(text, source.at, source.length);
}

static void print_segmentation(const struct print_context *p, struct slice source,
                               struct text *text)
{
    segmentation_print(p->object, source, text);
}

static void print_area(const struct print_context *p, struct slice source, struct text *text)
{
    if (p->object->has_area)
        number_print(text, p->object->area);
    else
        text_add(text, source.at, source.length);
}

static void print_keypoints(const struct print_context *p, struct slice source, struct text *text)
{
    if (p->object->n_keypoints)
        coco_print_keypoints(p->object, p->rules, text);
    else
        text_add(text, source.at, source.length);
}

static void print_score(const struct print_context *p, struct slice source, struct text *text)
{
    (void)source;
    number_print(text, p->object->score);
}

static void print_weight(const struct print_context *p, struct slice source, struct text *text)
{
    (void)source;
    number_print(text, p->object->weight);
}

static void print_code(const struct print_context *p, struct slice source, struct text *text)
{
    (void)source;
    coco_print_four(p->object->code, text);
}

static void print_category(const struct print_context *p, struct slice source, struct text *text)
{
    (void)source;
    text_add_integer(text, p->object->category->id);
}

static void print_count(const struct print_context *p, struct slice source, struct text *text)
{
    size_t n = 0;

    (void)source;
    for (size_t i = 0; i < p->object->n_keypoints; i++)
        n += p->object->keypoints[i].visibility > 0;
    text_add_integer(text, (int64_t)n);
}

/* The changes that affect each key; all other keys are copied. If the element lacks the key, the
 * changes in `adds` add it. */
static const struct changed {
    const char *key;
    unsigned changes;
    void (*print)(const struct print_context *, struct slice source, struct text *);
    unsigned adds;
} members[] = {
    { "bbox", CHANGE_MOVED | CHANGE_CUT | CHANGE_TURNED | CHANGE_BOXED, print_box, 0 },
    { "segmentation", CHANGE_MOVED | CHANGE_CUT | CHANGE_TURNED | CHANGE_REDRAWN | CHANGE_THINNED,
      print_segmentation, CHANGE_REDRAWN },
    { "area", CHANGE_SCALED | CHANGE_CUT | CHANGE_TURNED | CHANGE_MEASURED, print_area, 0 },
    { "keypoints",
      CHANGE_MOVED | CHANGE_CUT | CHANGE_TURNED | CHANGE_MIRRORED | CHANGE_HIDDEN | CHANGE_COVERED,
      print_keypoints, 0 },
    { "num_keypoints", CHANGE_HIDDEN, print_count, 0 },
    { "score", CHANGE_SCORED, print_score, CHANGE_SCORED },
    { "weight", CHANGE_WEIGHED, print_weight, CHANGE_WEIGHED },
    { "category_id", CHANGE_CLASSED, print_category, 0 },
    { "code", CHANGE_CODED, print_code, CHANGE_CODED },
};

/* Prints a member of the source, which is not mended. */
static bool print_source(const struct coco_annotation *a, const char *member, struct text *text)
{
    struct slice value = pick_again(a->text, member);

    text_add(text, value.at, value.length);
    return true;
}

static bool print_own_id(const struct print_context *p, struct slice value, struct text *text)
{
    const struct coco_annotation *a = p->annotation;
    const struct output *out = p->output;

    if (!out->numbered && !id_is_text(a->id))
        return coco_print_id(out, value, text);
    if (!out->numbered && out->of <= 1)
        return print_source(a, "id", text);
    text_add_integer(text, out->numbered ? out->object_id
                                         : id_number(a->id, a->index) * out->of + out->k);
    return true;
}

static bool print_image_id(const struct print_context *p, struct slice value, struct text *text)
{
    const struct output *out = p->output;

    if (out->numbered && out->image_text.at)
        text_add(text, out->image_text.at, out->image_text.length);
    else if (out->numbered)
        text_add_integer(text, out->image_id);
    else
        return coco_print_image_id(out, p->annotation->image, value, text) ||
               (id_is_text(p->annotation->image) && print_source(p->annotation, "image_id", text));
    return true;
}

static bool print_changed(const struct print_context *p, struct slice name, struct slice value,
                          struct text *text)
{
    if (scan_equals(name, "id"))
        return print_own_id(p, value, text);
    if (scan_equals(name, "image_id"))
        return print_image_id(p, value, text);
    for (size_t i = 0; i < COUNTOF(members); i++) {
        if ((p->object->changes & members[i].changes) && scan_equals(name, members[i].key)) {
            members[i].print(p, value, text);
            return true;
        }
    }
    return coco_text_print(p->object, name, text) ||
           coco_part_print(p->object, p->rules, p->element, name, value, text) ||
           coco_key_print(p->object, p->rules, name, value, text);
}

static bool print_member(void *context, struct slice name, struct slice value, struct text *text)
{
    size_t before = text->length;

    if (!print_changed(context, name, value, text))
        return false;
    if (!scan_equals(name, "id") && !scan_equals(name, "image_id") &&
        !scan_equals(name, "category_id") && !scan_equals(name, "iscrowd"))
        coco_keep_digits(value, before, text);
    return true;
}

/* Members that the element does not have, and the object now has. */
static void add_members(const struct print_context *p, struct slice element, struct text *text)
{
    for (size_t i = 0; i < COUNTOF(members); i++) {
        if (!(p->object->changes & members[i].adds) ||
            pick_again(element, members[i].key).at != element.at)
            continue;
        text_addf(text, ", \"%s\": ", members[i].key);
        members[i].print(p, (struct slice){ "[]", 2 }, text);
    }
    coco_texts_add(p->object, element, p->rules, text);
}

void coco_annotation_print(const struct coco_annotation *a, const struct object *o,
                           const struct output *out, const struct rules *rules, struct text *text)
{
    struct print_context p = { a, a->text, o, out, rules };
    struct text mended = { 0 }, kept = { 0 };
    struct slice element;

    if (a->deviates) {
        coco_annotation_mend(a->text, a->flat_rle, &mended);
        p.element = (struct slice){ mended.at, mended.length };
    }
    element = p.element;
    if (rules->drop_keys.n) {
        coco_keys_drop(element, rules->drop_keys.at, rules->drop_keys.n, &kept);
        element = (struct slice){ kept.at, kept.length };
    }
    if (coco_annotation_is_unchanged(a, o, out)) {
        text_add(text, element.at, element.length);
    } else {
        text_addc(text, '{');
        pick_print(element, text, print_member, &p);
        add_members(&p, element, text);
        text_addc(text, '}');
    }
    text_drop(&mended);
    text_drop(&kept);
}
