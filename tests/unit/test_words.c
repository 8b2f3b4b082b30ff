/* test_words: loops that have ways of their own for samples of 16 bit give the same in all forms.
 */
#include "unit.h"

#include "../../src/pixels/filters.h"

#include <string.h>

/* The loops once more under other names, without the variants. */
#define plane_clahe plain_clahe
void plane_clahe(const struct plane *, struct plane *, double, int, int, struct pool *);
#define WITHOUT_VARIANTS
#include "../../src/pixels/clahe.c"
#undef plane_clahe

static struct pool pool;

static struct plane fresh(struct frame f, int channels)
{
    return pool_plane(&pool, f, channels, PIXEL_U16);
}

/* All levels, or few of them, so that many pixels have the same. */
static struct plane noise(struct frame f, int channels)
{
    struct plane p = fresh(f, channels);
    bool few = unit_int(0, 1);
    int lo = few ? unit_int(0, 65532) : 0, hi = few ? lo + 3 : 65535;

    for (int y = 0; y < p.height; y++)
        for (int i = 0; i < p.width * channels; i++)
            ((uint16_t *)(void *)plane_row(&p, y))[i] = (uint16_t)unit_int(lo, hi);
    return p;
}

static bool same_rows(const struct plane *a, const struct plane *b)
{
    for (int y = 0; y < a->height; y++)
        if (memcmp(plane_row(a, y), plane_row(b, y), 2 * (size_t)(a->width * a->channels)) != 0)
            return false;
    return true;
}

/* Tiles with more pixels than levels, and with fewer: what is above the limit is spread over all
 * levels, and over some. */
static void test_clahe(void)
{
    for (int i = 0; i < 30; i++) {
        struct frame f = { unit_int(1, 500), unit_int(1, 400) };
        struct plane in = noise(f, unit_int(1, 4)), a = fresh(f, in.channels);
        struct plane b = fresh(f, in.channels);
        double limit = unit_int(0, 3) ? unit_double(0.1, 20) : 0;
        int columns = unit_int(1, 4), rows = unit_int(1, 3);

        plane_clahe(&in, &a, limit, columns, rows, &pool);
        plain_clahe(&in, &b, limit, columns, rows, &pool);
        CHECK(same_rows(&a, &b));
        pool_return(&pool, &in);
        pool_return(&pool, &a);
        pool_return(&pool, &b);
    }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_clahe),
    };

    unit_plan(COUNTOF(tests));
    unit_run(tests, COUNTOF(tests));
    pool_drop(&pool);
    return unit_end();
}
