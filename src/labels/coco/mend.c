/* mend: elements that deviate from COCO in a way that is repaired, as COCO would have them. */
#include "labels/coco/mend.h"

#include "labels/coco/flat_list.h"
#include "labels/coco/keypoints.h"
#include "labels/coco/labels.h"
#include "labels/coco/numbers.h"
#include "labels/coco/segmentation.h"

struct repair {
    struct arena arena;
    struct slice box; /* of the annotation, without quotes */
    struct frame rle;
};

static bool mend_crowd(struct slice value, struct text *text)
{
    unsigned set = 0;
    bool crowd;

    if (!coco_crowd_read(value, &crowd, &set) || !set)
        return false;
    text_addc(text, crowd ? '1' : '0');
    return true;
}

void coco_segmentation_mend(struct slice value, struct slice box, struct frame rle,
                            struct text *text)
{
    if (*value.at == '[' && rle.width)
        flat_list_print_rle(value, rle, text);
    else if (segmentation_deviations(value, box) & DEVIATIONS_REPAIRED)
        segmentation_repair(value, box, text);
    else
        text_add(text, value.at, value.length);
}

static bool mend_member(void *context, struct slice name, struct slice value, struct text *text)
{
    struct repair *m = context;
    struct slice plain = value;

    if (scan_equals(name, "id") || scan_equals(name, "image_id") ||
        scan_equals(name, "category_id"))
        return coco_print_shared_id(value, text);
    if (scan_equals(name, "iscrowd"))
        return mend_crowd(value, text);
    if (scan_equals(name, "num_keypoints"))
        return coco_whole_repair(value, text);
    if (!coco_number_member(name))
        return false;
    if (*value.at != '{')
        plain = numbers_unquote(value, &m->arena);
    if (scan_equals(name, "segmentation"))
        coco_segmentation_mend(plain, m->box, m->rle, text);
    else if (scan_equals(name, "keypoints") && coco_keypoints_are_triples(plain))
        coco_keypoints_repair(plain, text);
    else
        text_add(text, plain.at, plain.length);
    return true;
}

static void mend(struct slice element, struct repair *m, struct text *text)
{
    text_addc(text, '{');
    pick_print(element, text, mend_member, m);
    text_addc(text, '}');
    arena_drop(&m->arena);
}

void coco_annotation_mend(struct slice element, struct frame rle, struct text *text)
{
    struct repair m = { .rle = rle };
    struct slice box = pick_again(element, "bbox");

    if (box.at != element.at)
        m.box = numbers_unquote(box, &m.arena);
    mend(element, &m, text);
}

void coco_segment_mend(struct slice element, struct text *text)
{
    mend(element, &(struct repair){ 0 }, text);
}
