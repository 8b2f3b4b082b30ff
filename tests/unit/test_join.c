/* test_join: joined actions do to the bit what the two did one after another. */
#include "unit.h"

#include "steps/op_shared/actions.h"
#include "plan/join.h"

#include <string.h>

static struct pool pool;

static struct plane noise(struct frame f, int channels, enum pixel_type type)
{
    struct plane p = pool_plane(&pool, f, channels, type);

    for (int y = 0; y < f.height; y++)
        for (size_t i = 0; i < (size_t)(f.width * channels); i++) {
            char *row = (char *)p.px + (size_t)y * p.stride;

            if (type == PIXEL_U8)
                ((uint8_t *)row)[i] = (uint8_t)unit_random();
            else
                ((uint16_t *)row)[i] = (uint16_t)unit_random();
        }
    return p;
}

static bool same(const struct plane *a, const struct plane *b)
{
    size_t row = (size_t)(a->width * a->channels) * pixel_type_size(a->type);

    if (a->width != b->width || a->height != b->height)
        return false;
    for (int y = 0; y < a->height; y++)
        if (memcmp((char *)a->px + (size_t)y * a->stride, (char *)b->px + (size_t)y * b->stride,
                   row) != 0)
            return false;
    return true;
}

/* A crop, pad (plain or mirrored), flip or quarter turn at random. */
static struct action random_index(const struct scene *scene)
{
    struct action a = { .in = scene->frame,
                        .out = scene->frame,
                        .channels = scene->channels,
                        .map = { .forward = MAT3_IDENTITY, .inverse = MAT3_IDENTITY } };

    if (unit_int(0, 1)) {
        action_turn(scene, &a, unit_int(0, 1), unit_int(0, 3));
    } else {
        action_window(scene, &a, unit_int(-6, 10), unit_int(-6, 10),
                      (struct frame){ unit_int(1, 30), unit_int(1, 30) });
        a.fill.channel[0] = unit_int(0, 2) ? 0 : 9;
    }
    return a;
}

static struct plane remap(const struct plane *in, const struct action *a)
{
    struct plane out = pool_plane(&pool, a->out, in->channels, in->type);

    plane_remap(in, &out, a->u.index.col, a->u.index.row, a->u.index.swap, &a->fill);
    return out;
}

static void test_index(void)
{
    size_t joined = 0, refused = 0, permuted = 0, still = 0;

    for (int i = 0; i < 5000; i++) {
        struct arena arena = { 0 };
        struct scene scene = { .frame = { unit_int(1, 24), unit_int(1, 24) },
                               .type = i % 2 ? PIXEL_U8 : PIXEL_U16,
                               .channels = unit_int(1, 4),
                               .arena = &arena };
        struct plane in = noise(scene.frame, scene.channels, scene.type), once, twice, whole;
        struct action a = random_index(&scene), b, both;
        const char *reason = NULL;

        scene.frame = a.out;
        b = random_index(&scene);
        if (a.family == FAMILY_INDEX && b.family == FAMILY_INDEX) {
            if (index_join(&arena, &a, &b, &both, &reason)) {
                once = remap(&in, &a);
                twice = remap(&once, &b);
                whole = remap(&in, &both);
                CHECK(same(&twice, &whole));
                if (index_is_identity(&both)) {
                    CHECK(same(&in, &whole));
                    still++;
                }
                permuted += index_permutes(&both);
                pool_return(&pool, &once);
                pool_return(&pool, &twice);
                pool_return(&pool, &whole);
                joined++;
            } else {
                CHECK(reason && index_has_fill(&a) && index_has_fill(&b) &&
                      a.fill.channel[0] != b.fill.channel[0]);
                refused++;
            }
        }
        pool_return(&pool, &in);
        arena_drop(&arena);
    }
    CHECK(joined > 2000 && refused > 50 && permuted > 200 && still > 20);
}

/* A table of random entries, or bits, which have none. */
static struct action random_table(struct arena *arena, size_t bytes)
{
    struct action a = { .family = FAMILY_TABLE };
    uint8_t *entries = arena_take(arena, bytes);

    for (size_t k = 0; k < bytes; k++)
        entries[k] = (uint8_t)unit_random();
    for (int b = 0; b < 3; b++) {
        a.u.table.bits.keep[b] = (uint16_t)unit_random();
        a.u.table.bits.flip[b] = (uint16_t)unit_random();
    }
    if (unit_int(0, 1))
        a.u.table.entries = entries;
    return a;
}

static void look_up(const struct action *a, const struct plane *in, struct plane *out)
{
    if (a->u.table.entries)
        plane_table(in, out, a->u.table.entries);
    else
        plane_bits(in, out, &a->u.table.bits);
}

static void test_table(void)
{
    for (int i = 0; i < 80; i++) {
        struct arena arena = { 0 };
        enum pixel_type type = i % 4 ? PIXEL_U8 : PIXEL_U16;
        int channels = unit_int(1, 4), colours = channels <= 2 ? 1 : 3;
        size_t bytes = (size_t)colours * (type == PIXEL_U8 ? 256 : 2 * 65536);
        struct plane in = noise((struct frame){ 31, 17 }, channels, type);
        struct plane once = noise((struct frame){ 31, 17 }, channels, type);
        struct plane twice = noise((struct frame){ 31, 17 }, channels, type);
        struct action first = random_table(&arena, bytes), second = random_table(&arena, bytes);
        struct action both;

        look_up(&first, &in, &once);
        look_up(&second, &once, &once);
        table_join(&arena, &first, &second, type, colours, &both);
        look_up(&both, &in, &twice);
        CHECK(same(&once, &twice));
        plane_table(&in, &twice, table_entries(&arena, &both, type, colours));
        CHECK(same(&once, &twice));
        pool_return(&pool, &in);
        pool_return(&pool, &once);
        pool_return(&pool, &twice);
        arena_drop(&arena);
    }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_index),
        TEST(test_table),
    };
    int status = unit_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
