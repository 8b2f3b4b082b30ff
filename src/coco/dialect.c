/* dialect: what the exporters of annotations write otherwise than COCO does, and has one meaning.
 */
#include "dialect.h"

#include "../base/number.h"

#include <string.h>

const struct deviation_kind deviation_kinds[DEVIATIONS] = {
    [DEVIATION_BOM] = { "coco-bom", "the file begins with a byte order mark", "left out", false },
    [DEVIATION_STRING_ID] = { "coco-string-id", "the id is a number in quotes",
                              "written as a number", false },
    [DEVIATION_FLOAT_ID] = { "coco-float-id", "the id is an integer with a decimal point",
                             "written without", true },
    [DEVIATION_BOOL_CROWD] = { "coco-bool-crowd", "iscrowd is true or false", "written as 1 or 0",
                               true },
    [DEVIATION_NULL_CROWD] = { "coco-null-crowd", "iscrowd is null", "written as 0", true },
    [DEVIATION_NUMBER_CROWD] = { "coco-number-crowd", "iscrowd is 0 or 1 in quotes or with a point",
                                 "written as 0 or 1", false },
    [DEVIATION_FLAT_POLYGON] = { "coco-flat-polygon",
                                 "the segmentation is one list of coordinates, not a list of "
                                 "polygons",
                                 "written as a list of one polygon", false },
    [DEVIATION_PAIR_POLYGON] = { "coco-pair-polygon", "the points of a polygon are pairs [x, y]",
                                 "written as x, y, x, y, ...", false },
    [DEVIATION_BOX_POLYGON] = { "coco-box-polygon",
                                "four numbers stand for a polygon, and are the numbers of the box",
                                "written as the four corners", false },
    [DEVIATION_SHORT_POLYGON] = { "coco-short-polygon",
                                  "a polygon has fewer than three points, and so no area",
                                  "left out", false },
    [DEVIATION_TRIPLE_KEYPOINTS] = { "coco-triple-keypoints", "keypoints are triples [x, y, v]",
                                     "written as x, y, v, x, y, v, ...", false },
    [DEVIATION_CLOSED_POLYGON] = { "coco-closed-polygon", "a polygon ends with its first point",
                                   "kept", true },
    [DEVIATION_EMPTY_SEGMENTATION] = { "coco-empty-segmentation",
                                       "the segmentation is an empty list",
                                       "kept; the box is the outline", true },
    [DEVIATION_EMPTY_BBOX] = { "coco-empty-bbox", "the annotation has neither box nor segmentation",
                               "kept until something moves it", false },
    [DEVIATION_THIN_BBOX] = { "coco-thin-bbox", "the box has no width or no height", "kept",
                              false },
    [DEVIATION_CROWD_POLYGON] = { "coco-crowd-polygon", "a crowd has polygons; COCO's have RLE",
                                  "kept", false },
    [DEVIATION_NULL] = { "coco-null", "this is null", "kept; read as if it were not there", true },
    [DEVIATION_NO_BBOX] = { "coco-no-bbox", "bbox is missing", "not added", true },
    [DEVIATION_NO_SEGMENTATION] = { "coco-no-segmentation", "segmentation is missing",
                                    "not added; the box is the outline", true },
    [DEVIATION_NO_AREA] = { "coco-no-area", "area is missing", "not added", true },
    [DEVIATION_NO_CROWD] = { "coco-no-crowd", "iscrowd is missing", "read as 0; not added", true },
    [DEVIATION_ZERO_ID] = { "coco-zero-id", "an id below 1", "kept", false },
    [DEVIATION_NO_SUPERCATEGORY] = { "coco-no-supercategory", "supercategory is missing or null",
                                     "kept so", true },
    [DEVIATION_SKELETON] = { "coco-skeleton",
                             "a bone is no pair of keypoints, which are counted from 1",
                             "kept; not drawn", false },
    [DEVIATION_UNKNOWN_CATEGORY] = { "coco-category-unknown", "no category has this id",
                                     "kept; the object is of no category", false },
};

void deviation_note(struct faults *f, enum deviation d, struct slice at, const char *path)
{
    const struct deviation_kind *kind = &deviation_kinds[d];
    size_t offset = at.at ? (size_t)(at.at - f->text.at) : 0;

    if (!note_again(f, kind->code))
        note_add(f, offset, at.length, path, kind->code, kind->what, kind->remedy, kind->common);
}

void deviation_note_member(const struct place *p, enum deviation d, struct slice at,
                           const char *member)
{
    const struct deviation_kind *kind = &deviation_kinds[d];
    struct text path = { 0 };

    if (note_again(p->faults, kind->code))
        return; /* its path is not wanted */
    place_path(p, member, &path);
    note_add(p->faults, (size_t)(at.at - p->faults->text.at), at.length, text_string(&path),
             kind->code, kind->what, kind->remedy, kind->common);
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

    for (size_t i = whole + 1; i < raw.length; i++)
        if (raw.at[i] != '0')
            return false;
    return point && read_whole((struct slice){ raw.at, whole }, id);
}

bool id_read(struct slice raw, int64_t *id, unsigned *set)
{
    if (raw.length > 2 && *raw.at == '"') {
        if (!read_whole((struct slice){ raw.at + 1, raw.length - 2 }, id))
            return false;
        *set |= DEVIATION(STRING_ID);
    } else if (!read_whole(raw, id)) {
        if (!read_pointed(raw, id))
            return false;
        *set |= DEVIATION(FLOAT_ID);
    }
    if (*id < 1)
        *set |= DEVIATION(ZERO_ID);
    return true;
}
