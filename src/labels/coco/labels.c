/* labels: how box, segmentation, area and crowd of an annotation deviate from COCO. */
#include "labels/coco/labels.h"

#include "labels/coco/numbers.h"
#include "labels/coco/segmentation.h"

/* Reads a 0 or 1 in quotes, or with a point. */
static bool read_disguised(struct slice value, bool *crowd)
{
    unsigned set = 0;
    int64_t number = 0;

    *crowd = id_read(value, &number, &set) && number == 1;
    return set & DEVIATIONS_REPAIRED && (number == 0 || number == 1);
}

bool coco_crowd_read(struct slice value, bool *crowd, unsigned *set)
{
    *crowd = *value.at == '1' || *value.at == 't';
    if (value.length == 1 && (*value.at == '0' || *value.at == '1'))
        return true;
    if (*value.at == 't' || *value.at == 'f')
        *set |= DEVIATION(BOOL_CROWD);
    else if (*value.at == 'n')
        *set |= DEVIATION(NULL_CROWD);
    else if (read_disguised(value, crowd))
        *set |= DEVIATION(NUMBER_CROWD);
    else
        return false;
    return true;
}

static unsigned look_at_crowd(const struct pick *crowd, const struct pick *segmentation)
{
    struct slice value = crowd->value.at ? crowd->value : crowd->null;
    unsigned set = 0;
    bool is_crowd;

    if (!value.at)
        return DEVIATION(NO_CROWD);
    if (coco_crowd_read(value, &is_crowd, &set) && is_crowd && segmentation->value.at &&
        *segmentation->value.at == '[')
        set |= DEVIATION(CROWD_POLYGON);
    return set;
}

/* Other problems become faults when the box is loaded. */
static unsigned look_at_box(const struct pick *box, bool outlined)
{
    double v[4];

    if (!box->value.at)
        return box->null.at ? 0 : DEVIATION(NO_BBOX);
    if (pick_is_empty(box->value))
        return outlined ? DEVIATION(NO_BBOX) : DEVIATION(EMPTY_BBOX);
    if (!pick_four(box->value, v) || (v[2] != 0 && v[3] != 0))
        return 0;
    return !outlined && v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == 0 ? DEVIATION(EMPTY_BBOX)
                                                                         : DEVIATION(THIN_BBOX);
}

/* Which member a deviation is in. */
static const unsigned sets[LABELS] = {
    [LABEL_BBOX] = DEVIATION(EMPTY_BBOX) | DEVIATION(THIN_BBOX) | DEVIATION(NO_BBOX),
    [LABEL_SEGMENTATION] = DEVIATION(FLAT_POLYGON) | DEVIATION(PAIR_POLYGON) |
                           DEVIATION(BOX_POLYGON) | DEVIATION(SHORT_POLYGON) |
                           DEVIATION(CLOSED_POLYGON) | DEVIATION(EMPTY_SEGMENTATION) |
                           DEVIATION(CROWD_POLYGON) | DEVIATION(NO_SEGMENTATION) |
                           DEVIATION(STRING_NUMBER) | DEVIATION(FLOAT_NUMBER),
    [LABEL_AREA] = DEVIATION(NO_AREA),
    [LABEL_CROWD] = DEVIATION(BOOL_CROWD) | DEVIATION(NULL_CROWD) | DEVIATION(NUMBER_CROWD) |
                    DEVIATION(NO_CROWD),
};

static void note(const struct place *p, struct slice element, const struct pick *label,
                 unsigned set)
{
    struct slice at = label->value.at ? label->value : label->null;

    if (!at.at)
        at = (struct slice){ element.at, 1 };
    for (unsigned d = 0; set >> d; d++)
        if (set >> d & 1)
            deviation_note_member(p, (enum deviation)d, at, label->name);
}

void coco_crowd_note(const struct place *p, struct slice value, unsigned set)
{
    note(p, value, &(struct pick){ .name = "iscrowd", .value = value }, set);
}

unsigned coco_labels_look(const struct place *p, struct slice element,
                          const struct pick label[LABELS], const struct pick plain[LABELS],
                          bool result)
{
    const struct pick *box = &plain[LABEL_BBOX], *outline = &plain[LABEL_SEGMENTATION];
    bool outlined = outline->value.at && !pick_is_empty(outline->value);
    unsigned set = 0;

    if (!outline->value.at && !outline->null.at && !box->value.at && !box->null.at)
        return 0;
    set |= look_at_box(box, outlined);
    if (outline->value.at)
        set |= segmentation_deviations(outline->value, box->value);
    else if (!outline->null.at)
        set |= DEVIATION(NO_SEGMENTATION);
    if (!label[LABEL_AREA].value.at && !label[LABEL_AREA].null.at)
        set |= DEVIATION(NO_AREA);
    set |= look_at_crowd(&label[LABEL_CROWD], outline);
    if (result)
        set &= ~(DEVIATION(NO_BBOX) | DEVIATION(NO_SEGMENTATION) | DEVIATION(NO_AREA) |
                 DEVIATION(NO_CROWD));
    for (size_t i = 0; set && i < LABELS; i++)
        if (i != LABEL_SEGMENTATION || !(set & DEVIATION(FLAT_POLYGON)))
            note(p, element, &label[i], set & sets[i]);
    for (size_t i = 0; i < LABEL_CROWD; i++)
        if (label[i].null.at)
            note(p, element, &label[i], DEVIATION(NULL));
    return set;
}

/* Returns the text of a member without quotes around numbers; empty if it is missing. */
static struct slice plain_member(struct slice element, const char *name, struct arena *arena)
{
    struct slice value = pick_again(element, name);

    return value.at == element.at ? (struct slice){ 0 } : numbers_unquote(value, arena);
}

enum flat_list coco_flat_list_judge(struct slice element, struct frame image)
{
    struct arena arena = { 0 };
    enum flat_list is = flat_list_judge(plain_member(element, "segmentation", &arena),
                                        plain_member(element, "bbox", &arena),
                                        plain_member(element, "area", &arena), image);

    arena_drop(&arena);
    return is;
}

struct frame coco_flat_list_look(const struct place *p, struct slice element, struct frame image)
{
    struct pick outline = { .name = "segmentation", .value = pick_again(element, "segmentation") };
    struct slice crowd = pick_again(element, "iscrowd");
    struct frame size = { 0 };
    struct arena arena = { 0 };
    struct slice list = numbers_unquote(outline.value, &arena);
    struct slice box = plain_member(element, "bbox", &arena);
    unsigned set = 0, ignored = 0;
    bool is_crowd = false;

    switch (coco_flat_list_judge(element, image)) {
    case FLAT_LIST_RLE:
        size = image;
        set = DEVIATION(FLAT_RLE);
        break;
    case FLAT_LIST_POLYGON:
        set = segmentation_deviations(list, box);
        if (crowd.at != element.at && coco_crowd_read(crowd, &is_crowd, &ignored) && is_crowd)
            set |= DEVIATION(CROWD_POLYGON);
        break;
    case FLAT_LIST_NEITHER:
        place_fault(
            p, outline.value, "segmentation", "coco-polygon",
            "this is one list of numbers: as a polygon it is elsewhere than the bbox, "
            "and as counts of RLE it does not match the size of the image, the bbox and the area");
        break;
    }
    note(p, element, &outline, set);
    arena_drop(&arena);
    return size;
}
