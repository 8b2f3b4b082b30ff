/* wholebody: feet, face and hands of COCO-WholeBody. */
#include "labels/coco/wholebody.h"

#include "labels/coco/members.h"

#include <string.h>

enum { FOOT, FACE, LEFT_HAND, RIGHT_HAND, PARTS };
enum { FOOT_POINTS = 6, FACE_POINTS = 68, HAND_POINTS = 21 };

/* Big toe, small toe and heel, of the left foot and of the right one. */
static const size_t foot_mirror[FOOT_POINTS] = { 3, 4, 5, 0, 1, 2 };

/* The 68 points of 300-W (Sagonas et al. 2013): jaw, brows, nose, eyes, outer and inner lips. Pairs
 * as mmpose has them (configs/_base_/datasets/coco_wholebody_face.py, "swap"). */
static const size_t face_mirror[FACE_POINTS] = {
    16, 15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4, 3, 2, 1, 0, /* 0-16 jaw */
    26, 25, 24, 23, 22, 21, 20, 19, 18, 17,                        /* 17-26 brows */
    27, 28, 29, 30, 35, 34, 33, 32, 31,                            /* 27-35 nose */
    45, 44, 43, 42, 47, 46, 39, 38, 37, 36, 41, 40,                /* 36-47 eyes */
    54, 53, 52, 51, 50, 49, 48, 59, 58, 57, 56, 55,                /* 48-59 outer lips */
    64, 63, 62, 61, 60, 67, 66, 65,                                /* 60-67 inner lips */
};

enum key { KEY_KEYPOINTS, KEY_BOX, KEY_VALID, KEY_CARRIED };

/* A mirror swaps the hands; it swaps no points within a hand. */
static const struct category categories[PARTS] = {
    { .name = "foot", .n_keypoints = FOOT_POINTS, .mirror = foot_mirror, .n_mirror = FOOT_POINTS },
    { .name = "face", .n_keypoints = FACE_POINTS, .mirror = face_mirror, .n_mirror = FACE_POINTS },
    { .name = "hand", .n_keypoints = HAND_POINTS },
    { .name = "hand", .n_keypoints = HAND_POINTS },
};

static const size_t flip_pairs[PARTS] = { FOOT, FACE, RIGHT_HAND, LEFT_HAND };

static const struct {
    const char *name;
    size_t part;
    enum key key;
} keys[COCO_PART_KEYS] = {
    { "foot_kpts", FOOT, KEY_KEYPOINTS },
    { "foot_valid", FOOT, KEY_VALID },
    { "face_kpts", FACE, KEY_KEYPOINTS },
    { "face_box", FACE, KEY_BOX },
    { "face_valid", FACE, KEY_VALID },
    { "lefthand_kpts", LEFT_HAND, KEY_KEYPOINTS },
    { "lefthand_box", LEFT_HAND, KEY_BOX },
    { "lefthand_valid", LEFT_HAND, KEY_VALID },
    { "lefthand_score", LEFT_HAND, KEY_CARRIED },
    { "righthand_kpts", RIGHT_HAND, KEY_KEYPOINTS },
    { "righthand_box", RIGHT_HAND, KEY_BOX },
    { "righthand_valid", RIGHT_HAND, KEY_VALID },
    { "righthand_score", RIGHT_HAND, KEY_CARRIED },
};

/* --- loading --- */

void coco_parts_pick(struct pick pick[COCO_PART_KEYS])
{
    for (size_t i = 0; i < COCO_PART_KEYS; i++)
        pick[i] = (struct pick){ .name = keys[i].name };
}

/* Checks that both hands have a key if one has it. */
static bool check_flip_pair(const struct place *p, const struct pick pick[], size_t i)
{
    for (size_t k = 0; k < COCO_PART_KEYS; k++)
        if (keys[k].part == flip_pairs[keys[i].part] && keys[k].key == keys[i].key &&
            !pick[k].value.at)
            return place_fault(
                p, pick[i].value, keys[k].name, p->code_missing,
                "this key is missing, but \"%s\" is there, and the two swap in a mirror",
                keys[i].name);
    return true;
}

/* Loads a box; all zeros mean that there is none. */
static bool load_box(const struct place *p, const struct pick *pick, struct arena *arena,
                     struct object *part)
{
    if (!coco_load_box(p, pick, arena, part))
        return false;
    part->has_box = part->has_box && (part->bbox.x0 != 0 || part->bbox.y0 != 0 ||
                                      part->size.x != 0 || part->size.y != 0);
    return true;
}

static bool load_valid(const struct place *p, const struct pick *pick, struct object *part)
{
    struct slice v = pick->value;

    part->part.valid = *v.at == 't' || *v.at == '1';
    if (*v.at == 't' || *v.at == 'f' || (v.length == 1 && (*v.at == '0' || *v.at == '1')))
        return true;
    return place_fault(p, v, pick->name, p->code_type, "expected true or false");
}

static bool load_key(const struct place *p, const struct pick *pick, enum key key,
                     const struct rules *rules, struct arena *arena, struct object *part)
{
    switch (key) {
    case KEY_KEYPOINTS:
        return coco_load_keypoints(p, pick, (struct slice){ 0 }, rules, COCO_VISIBILITY_ANY, arena,
                                   part);
    case KEY_BOX:
        return load_box(p, pick, arena, part);
    case KEY_VALID:
        return load_valid(p, pick, part);
    default:
        return true;
    }
}

static void add_parts(struct arena *arena, struct object *o)
{
    o->parts = ARENA_ARRAY(arena, struct object, PARTS);
    o->n_parts = PARTS;
    for (size_t i = 0; i < PARTS; i++)
        o->parts[i] = (struct object){
            .index = i, .category = &categories[i], .visibility = 1, .part.flip_pair = flip_pairs[i]
        };
}

bool coco_parts_load(const struct place *p, const struct pick pick[COCO_PART_KEYS],
                     const struct rules *rules, struct arena *arena, struct object *o)
{
    bool good = true;

    for (size_t i = 0; i < COCO_PART_KEYS; i++) {
        if (!pick[i].value.at)
            continue;
        if (!o->n_parts)
            add_parts(arena, o);
        good = check_flip_pair(p, pick, i) &&
               load_key(p, &pick[i], keys[i].key, rules, arena, &o->parts[keys[i].part]) && good;
    }
    return good;
}

/* --- printing --- */

static void print_box(const struct object *part, struct text *text)
{
    if (part->has_box)
        coco_print_box(part, text);
    else
        text_adds(text, "[0, 0, 0, 0]");
}

/* In the source's own words: true and false, or 1 and 0. */
static void print_valid(const struct object *part, struct slice source, struct text *text)
{
    if (*source.at == 't' || *source.at == 'f')
        text_adds(text, part->part.valid ? "true" : "false");
    else
        text_addc(text, part->part.valid ? '1' : '0');
}

/* Returns the value of the same key of the other hand. `at` is NULL if the key is not a hand's, or
 * the other hand lacks it. */
static struct slice value_of_flip_pair(struct slice element, struct slice key)
{
    static const char *const hands[] = { "lefthand_", "righthand_" };
    struct text name = { 0 };
    struct slice value = { 0 };

    for (size_t i = 0; i < COUNTOF(hands); i++) {
        size_t n = strlen(hands[i]);

        if (key.length <= n || memcmp(key.at, hands[i], n) != 0)
            continue;
        text_adds(&name, hands[1 - i]);
        text_add(&name, key.at + n, key.length - n);
        value = pick_again(element, text_string(&name));
    }
    text_drop(&name);
    return value.at == element.at ? (struct slice){ 0 } : value;
}

/* True if the object's first parts are those of a body. Keys of move_keys are parts, too. */
static bool has_body(const struct object *o)
{
    return o->n_parts && o->parts[FOOT].category == &categories[FOOT];
}

/* Hands that were swapped take their preserved members with them. */
static bool print_carried(const struct object *o, struct slice element, struct slice key,
                          struct text *text)
{
    struct slice value = { 0 };

    if (o->parts[LEFT_HAND].index != LEFT_HAND)
        value = value_of_flip_pair(element, key);
    if (value.at)
        text_add(text, value.at, value.length);
    return value.at;
}

bool coco_part_print(const struct object *o, const struct rules *rules, struct slice element,
                     struct slice key, struct slice source, struct text *text)
{
    const struct object *part;
    size_t i = 0;

    if (!has_body(o))
        return false;
    while (i < COCO_PART_KEYS && !scan_equals(key, keys[i].name))
        i++;
    if (i == COCO_PART_KEYS || keys[i].key == KEY_CARRIED)
        return print_carried(o, element, key, text);
    part = &o->parts[keys[i].part];
    if (*source.at == 'n' || !object_is_touched(part))
        return false;
    if (keys[i].key == KEY_VALID)
        print_valid(part, source, text);
    else if (keys[i].key == KEY_BOX && (part->changes & ~(unsigned)CHANGE_COVERED))
        print_box(part, text);
    else if (keys[i].key == KEY_KEYPOINTS)
        coco_print_keypoints(part, rules, text);
    else
        return false;
    return true;
}
