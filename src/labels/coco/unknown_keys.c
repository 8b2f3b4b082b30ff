/* unknown_keys: members of annotations that COCO does not know, dropped or moved. */
#include "labels/coco/unknown_keys.h"

#include "labels/coco/members.h"
#include "labels/coco/wholebody.h"
#include "labels/shared/distortion_keys.h"

#include <string.h>

/* --- which hold geometry --- */

static bool ends_with(struct slice name, const char *end)
{
    size_t length = strlen(end);

    return name.length > length && memcmp(name.at + name.length - length, end, length) == 0;
}

static bool begins_with(struct slice name, const char *begin)
{
    size_t length = strlen(begin);

    return name.length > length && memcmp(name.at, begin, length) == 0;
}

/* True for keys of whole bodies, which are moved (wholebody.h), and for counts. */
static bool is_known(struct slice name)
{
    struct pick parts[COCO_PART_KEYS];

    coco_parts_pick(parts);
    for (size_t i = 0; i < COCO_PART_KEYS; i++)
        if (scan_equals(name, parts[i].name))
            return true;
    return scan_equals(name, "num_keypoints");
}

bool coco_key_is_loose(struct slice name)
{
    /* mmpose and AIC, CrowdPose, CVAT, H3WB, DensePose, DOTA, OCHuman, PoseTrack. */
    static const char *const exact[] = { "center",  "centre",        "scale",    "rotation",
                                         "angle",   "rbox",          "obb",      "quad",
                                         "corners", "polygon",       "polygons", "box",
                                         "boxes",   "points",        "point",    "landmarks",
                                         "pose",    "extreme_points" };
    static const char *const begins[] = { "bbox_", "keypoints_", "dp_", "landmarks_" };
    static const char *const ends[] = { "_bbox",      "_box",    "_boxes",   "_kpts",
                                        "_keypoints", "_points", "_polygon", "_center" };
    static const char *const other[] = { "_score", "_scores", "_valid", "_visible", "_vis",
                                         "_name",  "_names",  "_id",    "_num",     "_mode" };

    for (size_t i = 0; i < COUNTOF(other); i++)
        if (ends_with(name, other[i]))
            return false;
    for (size_t i = 0; i < COUNTOF(exact); i++)
        if (scan_equals(name, exact[i]))
            return true;
    for (size_t i = 0; i < COUNTOF(begins); i++)
        if (begins_with(name, begins[i]))
            return !is_known(name);
    for (size_t i = 0; i < COUNTOF(ends); i++)
        if (ends_with(name, ends[i]))
            return !is_known(name);
    return false;
}

bool coco_image_key_is_loose(struct slice name, bool *structured)
{
    /* BOP, nuScenes, KITTI, Objectron, ScanNet, COLMAP, GDAL and SpaceNet, xBD, Open Images. */
    static const char *const exact[] = {
        "K",
        "P",
        "intrinsics",
        "intrinsic",
        "extrinsics",
        "extrinsic",
        "camera_matrix",
        "camera_params",
        "camera_param",
        "cam_param",
        "cam_K",
        "cam_R",
        "cam_t",
        "calibration",
        "calib",
        "homography",
        "geotransform",
        "geo_transform",
        "affine",
        "bbox",
        "bboxes",
        "bounds",
        "roi",
        "crop_box",
        "keypoints",
        "segmentation",
        "principal_point",
        "focal",
        "focal_length",
        "fx",
        "fy",
        "cx",
        "cy",
    };
    static const char *const words[] = { "camera", "cam",  "projection", "transform", "crop",
                                         "center", "pose", "scale",      "rotation",  "window" };
    static const char *const ends[] = { "_intrinsics", "_intrinsic", "_extrinsics", "_extrinsic",
                                        "_matrix",     "_calib",     "_transform",  "_homography" };

    *structured = scan_equals(name, "D");
    if (is_distortion_key(name))
        return true;
    for (size_t i = 0; i < COUNTOF(words); i++)
        if (scan_equals(name, words[i]))
            return *structured = true;
    for (size_t i = 0; i < COUNTOF(exact); i++)
        if (scan_equals(name, exact[i]))
            return true;
    for (size_t i = 0; i < COUNTOF(ends); i++)
        if (ends_with(name, ends[i]))
            return true;
    return coco_key_is_loose(name);
}

void coco_loose_note(struct pile *loose, struct slice name)
{
    const struct slice *known = loose->at;

    for (size_t i = 0; i < loose->n; i++)
        if (known[i].length == name.length && memcmp(known[i].at, name.at, name.length) == 0)
            return;
    *(struct slice *)pile_add(loose, sizeof name) = name;
}

void coco_loose_keep(const struct pile *loose, const char *prefix, struct dataset *d)
{
    const char **names = ARENA_ARRAY(d->arena, const char *, d->n_loose_keys + loose->n);
    const struct slice *known = loose->at;

    for (size_t i = 0; i < d->n_loose_keys; i++)
        names[i] = d->loose_keys[i];
    for (size_t i = 0; i < loose->n; i++)
        names[d->n_loose_keys++] =
            arena_printf(d->arena, "%s%.*s", prefix, (int)known[i].length, known[i].at);
    d->loose_keys = names;
}

/* --- moving --- */

static bool load_points(const struct place *p, const struct pick *pick, struct arena *arena,
                        struct object *part)
{
    struct scan s = scan_start(pick->value, 0);
    double *v;
    size_t n;

    if (!pick_numbers(&s, LARGEST_COORDINATE, arena, &v, &n) || n % 2)
        return place_fault(p, pick->value, pick->name, "coco-type",
                           "expected x, y of each point, as annotations.move_keys says");
    part->part.unbound = true;
    part->n_keypoints = n / 2;
    part->keypoints = ARENA_ARRAY(arena, struct keypoint, part->n_keypoints);
    for (size_t i = 0; i < part->n_keypoints; i++)
        part->keypoints[i] = (struct keypoint){ .at = { v[2 * i], v[2 * i + 1] }, .visibility = 2 };
    return true;
}

bool coco_keys_load(const struct place *p, struct slice element, const struct rules *rules,
                    struct arena *arena, struct object *o)
{
    const struct keys *keys = &rules->move_keys;
    struct object *parts;
    bool good = true;

    if (!keys->n)
        return true;
    parts = ARENA_ARRAY(arena, struct object, o->n_parts + keys->n);
    if (o->n_parts)
        memcpy(parts, o->parts, o->n_parts * sizeof *parts);
    o->parts = parts;
    for (size_t i = 0; i < keys->n; i++) {
        struct pick pick = { .name = keys->at[i].name,
                             .value = pick_again(element, keys->at[i].name) };
        struct object *part = &parts[o->n_parts];

        *part =
            (struct object){ .index = o->n_parts, .visibility = 1, .part.flip_pair = o->n_parts };
        o->n_parts++;
        if (pick.value.at == element.at || *pick.value.at == 'n')
            continue;
        good = (keys->at[i].kind == MOVED_BOX ? coco_load_box(p, &pick, arena, part)
                                              : load_points(p, &pick, arena, part)) &&
               good;
    }
    return good;
}

static void print_points(const struct object *part, struct text *text)
{
    text_addc(text, '[');
    for (size_t i = 0; i < part->n_keypoints; i++) {
        text_adds(text, i ? ", " : "");
        number_print(text, part->keypoints[i].at.x);
        text_adds(text, ", ");
        number_print(text, part->keypoints[i].at.y);
    }
    text_addc(text, ']');
}

bool coco_key_print(const struct object *o, const struct rules *rules, struct slice key,
                    struct slice source, struct text *text)
{
    const struct keys *keys = &rules->move_keys;

    for (size_t i = 0; i < keys->n && *source.at == '['; i++) {
        const struct object *part = &o->parts[o->n_parts - keys->n + i];

        if (!scan_equals(key, keys->at[i].name))
            continue;
        if (part->has_box && object_is_touched(part))
            coco_print_box(part, text);
        else if (part->n_keypoints && object_is_touched(part))
            print_points(part, text);
        else
            return false;
        return true;
    }
    return false;
}

/* --- dropping --- */

/* True if this member of the element is dropped. `outer` is the name of the member that contains
 * the element, or NULL. */
static bool is_dropped(const struct keys *drop, const char *outer, struct slice name)
{
    size_t length = outer ? strlen(outer) : 0;

    for (size_t i = 0; i < drop->n; i++) {
        const char *key = drop->at[i].name;

        if (!outer && scan_equals(name, key))
            return true;
        if (outer && !strncmp(key, outer, length) && key[length] == '.' &&
            scan_equals(name, key + length + 1))
            return true;
    }
    return false;
}

/* The name before the dot, if a member of this member is dropped; in `arena`. */
static const char *dropped_within(const struct keys *drop, struct slice name, struct arena *arena)
{
    for (size_t i = 0; i < drop->n; i++) {
        const char *key = drop->at[i].name, *dot = strchr(key, '.');
        const char *outer = dot ? arena_copy(arena, key, (size_t)(dot - key)) : NULL;

        if (outer && scan_equals(name, outer))
            return outer;
    }
    return NULL;
}

static void drop_members(struct slice element, const struct keys *drop, const char *outer,
                         struct arena *arena, struct text *text)
{
    struct scan s = scan_again(element, 0);
    struct slice name, value;
    bool first = true, comma = false;

    scan_open(&s, '{');
    text_addc(text, '{');
    while (scan_member(&s, &first, &name) && scan_value(&s, &value)) {
        const char *within = outer ? NULL : dropped_within(drop, name, arena);

        if (is_dropped(drop, outer, name))
            continue;
        text_adds(text, comma ? ", " : "");
        comma = true;
        if (within && *value.at == '{') {
            text_add(text, name.at - 1, (size_t)(value.at - name.at) + 1);
            drop_members(value, drop, within, arena, text);
        } else {
            text_add(text, name.at - 1, (size_t)(value.at + value.length - name.at) + 1);
        }
    }
    text_addc(text, '}');
}

void coco_keys_drop(struct slice element, const struct named_key *at, size_t n, struct text *text)
{
    const struct keys drop = { .at = at, .n = n };
    struct arena arena = { 0 };

    drop_members(element, &drop, NULL, &arena, text);
    arena_drop(&arena);
}
