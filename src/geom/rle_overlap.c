/* rle_overlap: how much of a mask a map sends into a region. */
#include "geom/field.h"
#include "geom/map.h"
#include "geom/runs.h"

static bool is_within(struct box region, struct point p)
{
    return p.x >= region.x0 && p.x <= region.x1 && p.y >= region.y0 && p.y <= region.y1;
}

/* Returns the sides of the region that the point is outside of, one bit per side. */
static unsigned sides_beyond(struct box region, struct point p)
{
    return (p.x < region.x0 ? 1u : 0) | (p.x > region.x1 ? 2u : 0) | (p.y < region.y0 ? 4u : 0) |
           (p.y > region.y1 ? 8u : 0);
}

static struct point centre(uint64_t x, uint64_t y)
{
    return (struct point){ (double)x + 0.5, (double)y + 0.5 };
}

/* Counts the pixels [from, to) of a column. Down a column, each coordinate of an affine map is
 * monotone, even after rounding. If both ends are within the region, so is everything between; if
 * both are beyond one side, so is everything between. */
static uint64_t count_affine(const struct mat3 *forward, struct box region, uint64_t x,
                             uint64_t from, uint64_t to)
{
    unsigned first = sides_beyond(region, mat3_apply(forward, centre(x, from)));
    unsigned last = sides_beyond(region, mat3_apply(forward, centre(x, to - 1)));
    uint64_t middle = from + (to - from) / 2;

    if (!(first | last))
        return to - from;
    if ((first & last) || to - from == 1)
        return 0;
    return count_affine(forward, region, x, from, middle) +
           count_affine(forward, region, x, middle, to);
}

/* A region whose points land in the target without a lookup: a field moves none farther than its
 * range, and a lookup takes time. */
static struct box surely_within(const struct map *map, struct box region)
{
    const struct field *f = map->field;

    if (!f)
        return (struct box){ 0 };
    return (struct box){ region.x0 + f->range.x1 + 1, region.y0 + f->range.y1 + 1,
                         region.x1 + f->range.x0 - 1, region.y1 + f->range.y0 - 1 };
}

/* True if the map sends the point into the region. */
static bool lands_within(const struct map *map, struct box region, struct box sure, struct point p)
{
    return (p.x > sure.x0 && p.x < sure.x1 && p.y > sure.y0 && p.y < sure.y1) ||
           is_within(region, map_apply(map, p));
}

static uint64_t count_each(const struct map *map, struct box region, uint64_t x, uint64_t from,
                           uint64_t to)
{
    struct box sure = surely_within(map, region);
    uint64_t n = 0;

    for (uint64_t y = from; y < to; y++)
        n += lands_within(map, region, sure, centre(x, y));
    return n;
}

uint64_t rle_area_within(const struct rle *m, const struct map *map, struct box region)
{
    bool affine = !map->field && mat3_is_affine(&map->forward);
    struct columns c = columns_of(m);
    uint64_t n = 0;

    for (size_t x = 0; rle_total(m) && x < (size_t)m->width; x++)
        for (size_t i = c.start[x]; i < c.start[x + 1]; i += 2) {
            uint64_t from = (uint64_t)c.row[i], to = (uint64_t)c.row[i + 1];

            n += affine ? count_affine(&map->forward, region, x, from, to)
                        : count_each(map, region, x, from, to);
        }
    columns_drop(&c);
    return n;
}

double rle_share_within(const struct rle *m, const struct map *map, struct box region, uint64_t max)
{
    struct box sure = surely_within(map, region);
    struct columns c = columns_of(m);
    uint64_t every = rle_area(m) / max + 1, next = 0, seen = 0, asked = 0, n = 0;

    for (size_t x = 0; rle_total(m) && x < (size_t)m->width; x++)
        for (size_t i = c.start[x]; i < c.start[x + 1]; i += 2) {
            uint64_t from = (uint64_t)c.row[i], length = (uint64_t)c.row[i + 1] - from;

            for (; next < seen + length; next += every, asked++)
                n += lands_within(map, region, sure, centre(x, from + next - seen));
            seen += length;
        }
    columns_drop(&c);
    return asked ? (double)n / (double)asked : 1;
}
