/* dialect: deviations from COCO that exporters write and that have only one meaning. */
#include "labels/coco/dialect.h"

#include "base/codes.h"
#include "base/number.h"
#include "json/text_id.h"

#include <string.h>

const struct deviation_kind deviation_kinds[DEVIATIONS] = {
    [DEVIATION_BOM] = { "coco-bom", "left out", false },
    [DEVIATION_STRING_ID] = { "coco-string-id", "written as a number", false },
    [DEVIATION_FLOAT_ID] = { "coco-float-id", "written without the point", false },
    [DEVIATION_STRING_NUMBER] = { "coco-string-number", "written without quotes", false },
    [DEVIATION_FLOAT_NUMBER] = { "coco-float-number", "written without the point", false },
    [DEVIATION_BOOL_CROWD] = { "coco-bool-crowd", "written as 1 or 0", false },
    [DEVIATION_NULL_CROWD] = { "coco-null-crowd", "written as 0", false },
    [DEVIATION_NUMBER_CROWD] = { "coco-number-crowd", "written as 0 or 1", false },
    [DEVIATION_FLAT_POLYGON] = { "coco-flat-polygon", "written as a list of one polygon", false },
    [DEVIATION_FLAT_RLE] = { "coco-flat-rle", "written with its size", false },
    [DEVIATION_PAIR_POLYGON] = { "coco-pair-polygon", "written as x, y, x, y, ...", false },
    [DEVIATION_BOX_POLYGON] = { "coco-box-polygon", "written as the four corners", false },
    [DEVIATION_SHORT_POLYGON] = { "coco-short-polygon", "left out", false },
    [DEVIATION_TRIPLE_KEYPOINTS] = { "coco-triple-keypoints", "written as x, y, v, x, y, v, ...",
                                     false },
    [DEVIATION_ZERO_SIZE] = { "coco-zero-size", "read from the image's file", false },
    [DEVIATION_REPEATED] = { "coco-repeated", "read and written once", false },
    [DEVIATION_TEXT_ID] = { "coco-text-id", "kept", true },
    [DEVIATION_CLOSED_POLYGON] = { "coco-closed-polygon", "kept", true },
    [DEVIATION_EMPTY_SEGMENTATION] = { "coco-empty-segmentation", "kept; the box is the outline",
                                       true },
    [DEVIATION_EMPTY_BBOX] = { "coco-empty-bbox",
                               "kept; [] stays, and [0, 0, 0, 0] moves as a point", false },
    [DEVIATION_THIN_BBOX] = { "coco-thin-bbox", "kept", false },
    [DEVIATION_CROWD_POLYGON] = { "coco-crowd-polygon", "kept", false },
    [DEVIATION_NULL] = { "coco-null", "kept; read as missing", true },
    [DEVIATION_NO_BBOX] = { "coco-no-bbox", "not added", true },
    [DEVIATION_NO_SEGMENTATION] = { "coco-no-segmentation", "not added; the box is the outline",
                                    true },
    [DEVIATION_NO_AREA] = { "coco-no-area", "not added", true },
    [DEVIATION_NO_CROWD] = { "coco-no-crowd", "read as 0; not added", true },
    [DEVIATION_ZERO_ID] = { "coco-zero-id", "kept", true },
    [DEVIATION_NO_SUPERCATEGORY] = { "coco-no-supercategory", "kept", true },
    [DEVIATION_SKELETON] = { "coco-skeleton", "kept; not drawn", false },
    [DEVIATION_UNKNOWN_CATEGORY] = { "coco-category-unknown", "kept; the object has no category",
                                     false },
};

void deviation_note(struct faults *f, enum deviation d, struct slice at, const char *path)
{
    const struct deviation_kind *kind = &deviation_kinds[d];
    size_t offset = at.at ? (size_t)(at.at - f->text.at) : 0;

    if (!note_repeat(f, kind->code))
        note_add(f, offset, at.length, path, kind->code, code_get(kind->code)->means, kind->remedy,
                 kind->common);
}

void deviation_note_member(const struct place *p, enum deviation d, struct slice at,
                           const char *member)
{
    const struct deviation_kind *kind = &deviation_kinds[d];
    struct text path = { 0 };

    if (note_repeat(p->faults, kind->code))
        return; /* its path is not wanted */
    place_path(p, member, &path);
    note_add(p->faults, (size_t)(at.at - p->faults->text.at), at.length, text_string(&path),
             kind->code, code_get(kind->code)->means, kind->remedy, kind->common);
    text_drop(&path);
}

static bool read_whole(struct slice raw, int64_t *id)
{
    return raw.length && number_scan_integer(raw, id) == raw.length;
}

/* 12.0 */
static bool read_pointed(struct slice raw, int64_t *id)
{
    const char *point = memchr(raw.at, '.', raw.length);
    size_t whole = point ? (size_t)(point - raw.at) : 0;

    if (!point || whole + 1 == raw.length)
        return false;
    for (size_t i = whole + 1; i < raw.length; i++)
        if (raw.at[i] != '0')
            return false;
    return read_whole((struct slice){ raw.at, whole }, id);
}

/* Reads 12, 12.0, "12" or "12.0"; adds the point and the quotes to the set of deviations. */
static bool read_disguised(struct slice raw, int64_t *number, unsigned quoted, unsigned pointed,
                           unsigned *set)
{
    unsigned found = 0;

    if (raw.length > 2 && *raw.at == '"') {
        raw = (struct slice){ raw.at + 1, raw.length - 2 };
        found |= quoted;
    }
    if (!read_whole(raw, number)) {
        if (!raw.length || !read_pointed(raw, number))
            return false;
        found |= pointed;
    }
    *set |= found;
    return true;
}

bool id_read(struct slice raw, int64_t *id, unsigned *set)
{
    if (!read_disguised(raw, id, DEVIATION(STRING_ID), DEVIATION(FLOAT_ID), set))
        return false;
    if (*id < 1)
        *set |= DEVIATION(ZERO_ID);
    return true;
}

bool id_read_kind(struct slice raw, enum id_kind *kind, int64_t *id, unsigned *set)
{
    unsigned found = 0;
    bool whole = *kind != ID_KIND_TEXT && id_read(raw, id, &found);

    if (whole && (*kind == ID_KIND_NUMBER || !(found & DEVIATION(STRING_ID)))) {
        *kind = ID_KIND_NUMBER;
        *set |= found;
        return true;
    }
    if (*kind == ID_KIND_NUMBER || !text_id_read(raw, id))
        return false;
    if (!whole) {
        *kind = ID_KIND_TEXT;
        *set |= DEVIATION(TEXT_ID);
    }
    return true;
}

bool id_read_any(struct slice raw, int64_t *id, unsigned *set)
{
    return id_read(raw, id, set) || text_id_read(raw, id);
}

const char *id_words(struct slice raw, struct arena *arena)
{
    enum { LONGEST = 80 };
    const char *end = raw.at + (raw.length > LONGEST ? LONGEST : raw.length), *words;
    struct text shown = { 0 };

    while (raw.length > LONGEST && end > raw.at && ((unsigned char)*end & 0xc0) == 0x80)
        end--; /* a character is not cut */
    text_add_visible(&shown, raw.at, (size_t)(end - raw.at));
    text_adds(&shown, raw.length > LONGEST ? "..." : "");
    words = arena_copy(arena, text_string(&shown), shown.length);
    text_drop(&shown);
    return words;
}

bool whole_read(struct slice raw, int64_t *number, unsigned *set)
{
    return read_disguised(raw, number, DEVIATION(STRING_NUMBER), DEVIATION(FLOAT_NUMBER), set);
}
