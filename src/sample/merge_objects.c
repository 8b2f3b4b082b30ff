/* merge_objects: objects that several samples of one record have a part of. */
#include "sample/object.h"

static size_t points_left(const struct object *o)
{
    size_t n = 0;

    for (size_t i = 0; i < o->n_keypoints; i++)
        n += keypoint_is_there(&o->keypoints[i]) && !o->keypoints[i].off_canvas;
    return n;
}

/* In square pixels; of an object that has keypoints alone, their number. */
static double size_of(const struct object *o)
{
    if (o->segmentation != SEGMENTATION_NONE)
        return object_segmentation_area(o);
    return o->has_box ? box_area(o->bbox) : (double)points_left(o);
}

/* Object k of a sample that has as many, if it is a piece of the object at that place of another
 * sample. */
static struct object *piece_of(const struct object *o, const struct placed_image *laid,
                               size_t n_objects, size_t k)
{
    struct object *other = &laid->sample.objects[k];
    bool alike = laid->sample.n_objects == n_objects && other->record == o->record &&
                 other->index == o->index && other->layer == o->layer;

    return alike ? other : NULL;
}

/* The first piece stays even if all are empty: it has the reason why the object is dropped. */
static void sort_pieces(struct placed_image *laid, size_t n, size_t first, size_t k,
                        enum piece_rule rule)
{
    struct object *o = &laid[first].sample.objects[k], *largest = o, *piece;
    size_t n_objects = laid[first].sample.n_objects, found = 0;

    for (size_t i = first; i < n; i++) {
        piece = piece_of(o, &laid[i], n_objects, k);
        if (!piece)
            continue;
        found += size_of(piece) > 0;
        if (size_of(piece) > size_of(largest))
            largest = piece;
    }
    for (size_t i = first; i < n; i++) {
        piece = piece_of(o, &laid[i], n_objects, k);
        if (!piece)
            continue;
        piece->empty_piece = piece != largest && !(size_of(piece) > 0);
        if (found > 1 && (rule == PIECES_DROP || (rule == PIECES_LARGEST && piece != largest))) {
            piece->failed = "pieces";
            piece->failed_value = (double)found;
        }
    }
}

static bool is_first(const struct placed_image *laid, size_t first, size_t k)
{
    for (size_t i = 0; i < first; i++)
        if (piece_of(&laid[first].sample.objects[k], &laid[i], laid[first].sample.n_objects, k))
            return false;
    return true;
}

static void leave_out(struct sample *s)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->n_objects; i++)
        if (!s->objects[i].empty_piece)
            s->objects[kept++] = s->objects[i];
    s->n_objects = kept;
}

void samples_sort_pieces(struct placed_image *laid, size_t n, enum piece_rule rule)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < laid[i].sample.n_objects; k++)
            if (is_first(laid, i, k))
                sort_pieces(laid, n, i, k, rule);
    for (size_t i = 0; i < n; i++)
        leave_out(&laid[i].sample);
}
