/* folded_field: handles objects where a displacement field folds. An outline has no unique position
 * there, so they are moved through a raster, like pixels. */
#include "sample/object.h"

#include "geom/map.h"

/* Number of an object's pixels that are mapped, to measure how much a canvas cuts. */
enum { ASKED = 1024 };

static bool is_boxed(const struct object *o)
{
    return o->has_box && o->outline.n;
}

static struct rle mask_of_box(const struct object *o, const struct sample *s)
{
    return rle_from_rings(s->arena, &(struct rings){ (struct ring *)&o->outline, 1 }, s->frame);
}

static struct rle mask_of_object(const struct object *o, const struct sample *s)
{
    if (o->segmentation == SEGMENTATION_RLE)
        return o->rle;
    return rle_from_rings(s->arena, &o->rings, s->frame);
}

static bool outline_folds(const struct object *o, const struct field *f)
{
    struct rings outline = { (struct ring *)&o->outline, 1 };

    if (is_boxed(o) && field_folds(f, rings_bounds(&outline)))
        return true;
    return o->segmentation == SEGMENTATION_POLYGONS ? field_folds(f, rings_bounds(&o->rings))
           : o->segmentation == SEGMENTATION_RLE    ? field_folds(f, rle_bounds(&o->rle))
                                                    : false;
}

bool object_folds(const struct object *o, const struct sample *s, const struct map *map)
{
    struct rle mask;

    if (!map->field || map->inverted || !outline_folds(o, map->field))
        return false;
    if (is_boxed(o)) {
        mask = mask_of_box(o, s);
        if (!rle_area(&mask))
            return false;
    }
    mask = o->segmentation == SEGMENTATION_NONE ? (struct rle){ 0 } : mask_of_object(o, s);
    return o->segmentation == SEGMENTATION_NONE || rle_area(&mask) > 0;
}

static void move_folded_box(struct object *o, const struct sample *s, const struct map *map,
                            struct frame out)
{
    struct rle mask = mask_of_box(o, s);
    uint64_t area;

    o->bbox = rle_moved_bounds(&mask, map, out, &area);
    o->outline = area ? ring_of_box(s->arena, o->bbox) : (struct ring){ 0 };
    o->area *= (double)area / (double)rle_area(&mask);
    if (!o->outline.n)
        o->changes |= CHANGE_CUT;
}

void object_move_folded(struct object *o, const struct sample *s, const struct map *map,
                        struct frame out, struct box kept)
{
    bool segmented = o->segmentation != SEGMENTATION_NONE;
    struct rle mask = segmented ? mask_of_object(o, s) : mask_of_box(o, s);
    double share = rle_share_within(&mask, map, kept, ASKED);

    if (is_boxed(o))
        move_folded_box(o, s, map, out);
    if (segmented) {
        if (o->segmentation == SEGMENTATION_POLYGONS) {
            o->changes |= CHANGE_REDRAWN;
            object_put_runs(o, mask);
        }
        object_move_runs(o, s, map, out);
    }
    if (share < 1)
        object_note_cut(o, 1, share);
}
