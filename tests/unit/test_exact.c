/* test_exact: compiled passes give the bits of one op after another, on random pipelines of random
 * ops over 8 and 16 bit and 1 to 4 channels; and every pair of families that can share a pass does.
 * TRIALS and SEED in the environment: how many pipelines, and which, for a search. */
#include "random_step.h"
#include "render_plane.h"
#include "unit.h"

#include <string.h>

enum { PIPELINES = 3000, LONGEST = 7, TRIES = 200 };

static struct pool pool;

static size_t count_ops(void)
{
    size_t n = 0;

    for (EACH(op, op, registry_ops))
        n++;
    return n;
}

/* An op of the family: each family is as likely as another, however many ops it has. */
static const struct op *op_of(enum family family, struct rng *rng)
{
    size_t all = count_ops();
    const struct op *op;

    do
        op = registry_ops[rng_integer(rng, 0, (int64_t)all)];
    while (op->family != family || op->expand);
    return op;
}

/* Chooses random ops. Many pipelines use only ops that can share a pass, or only index maps, which
 * would be rare by chance. */
static void choose(const struct op *ops[LONGEST], size_t n, struct rng *rng)
{
    static const enum family sharing[] = { FAMILY_INDEX,  FAMILY_TABLE,    FAMILY_COLOURS,
                                           FAMILY_MATRIX, FAMILY_RESAMPLE, FAMILY_FIELD };
    double kind = rng_unit(rng);
    size_t all = count_ops();

    for (size_t i = 0; i < n; i++)
        if (kind < 0.3)
            ops[i] = op_of(FAMILY_INDEX, rng);
        else if (kind < 0.7) /* warps and resizes begin a pass */
            ops[i] = op_of(sharing[rng_integer(rng, 0, i ? 3 : COUNTOF(sharing))], rng);
        else
            ops[i] = registry_ops[rng_integer(rng, 0, (int64_t)all)];
}

/* Names the subject of failed checks. */
static void name_subject(const struct resolved_ops *resolved_ops, const struct plane *source)
{
    struct text t = { 0 };

    text_addf(&t, "%dx%d, %d channels of %d bits:", source->width, source->height, source->channels,
              8 * (int)pixel_type_size(source->type));
    for (size_t i = 0; i < resolved_ops->n; i++) {
        text_addc(&t, ' ');
        resolved_op_print(&resolved_ops->at[i], &t);
    }
    snprintf(unit_subject, sizeof unit_subject, "%.*s", (int)t.length, t.at);
    text_drop(&t);
}

static void compare(const struct resolved_ops *resolved_ops, const struct plane *source,
                    struct arena *arena, struct family_pairs *pairs)
{
    struct frame f = { source->width, source->height };
    struct plane none, exact, mask = pool_plane(&pool, f, 1, PIXEL_U8), one, other;
    bool good = render_plane(resolved_ops, OPTIMIZE_NONE, source, &pool, arena, &none);

    name_subject(resolved_ops, source);
    CHECK(render_plane(resolved_ops, OPTIMIZE_EXACT, source, &pool, arena, &exact) == good);
    if (good) {
        CHECK(planes_equal(&none, &exact));
        drop_rendered(&pool, source, &none);
        drop_rendered(&pool, source, &exact);
    }
    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++)
            ((uint8_t *)mask.px)[(size_t)y * mask.stride + (size_t)x] = (uint8_t)(x / 5 + y / 7);
    render_mask(resolved_ops, OPTIMIZE_NONE, &mask, &pool, arena, &one);
    render_mask(resolved_ops, OPTIMIZE_EXACT, &mask, &pool, arena, &other);
    CHECK(planes_equal(&one, &other));
    drop_rendered(&pool, &mask, &one);
    drop_rendered(&pool, &mask, &other);
    pool_return(&pool, &mask);
    passes_of(resolved_ops, OPTIMIZE_EXACT, arena, pairs);
}

/* Often too small for the steps. */
static struct frame random_size(struct rng *rng)
{
    int min_side = rng_unit(rng) < 0.3 ? 1 : 20;

    return (struct frame){ (int)rng_integer(rng, min_side, 90),
                           (int)rng_integer(rng, min_side, 70) };
}

/* Draws a pipeline and compares its passes; with `meeting`, two ops of these families. False: the
 * ops drawn cannot be planned. */
static bool one_pipeline(struct rng *rng, const enum family meeting[2], struct family_pairs *pairs)
{
    const struct op *ops[LONGEST] = { 0 };
    size_t n = meeting ? 2 : (size_t)rng_integer(rng, 2, LONGEST + 1);
    struct pixel_kind kind = { rng_unit(rng) < 0.7 ? PIXEL_U8 : PIXEL_U16,
                               (int)rng_integer(rng, 1, 5) };
    struct frame frame = random_size(rng);
    struct arena arena = { 0 };
    struct sample sample = { .arena = &arena, .frame = frame };
    struct resolved_ops resolved_ops;
    struct text why = { 0 };
    struct plan plan;
    bool done = false;

    if (meeting) {
        ops[0] = op_of(meeting[0], rng);
        ops[1] = op_of(meeting[1], rng);
    } else {
        choose(ops, n, rng);
    }
    random_ends = rng_unit(rng) < 0.5 ? 0.8 : 0.1;
    if (!random_plan(ops, n, rng, &plan))
        return false;
    if (plan_apply(&plan, &(struct draw_id){ .seed = 1 }, kind, &sample, &resolved_ops, &why)) {
        struct plane source = random_picture(&pool, frame, kind, rng);

        compare(&resolved_ops, &source, &arena, pairs);
        pool_return(&pool, &source);
        done = true;
    }
    text_drop(&why);
    plan_drop(&plan);
    arena_drop(&arena);
    return done;
}

/* Checks that the pair of families has met in one pass: if no random pipeline had the pair,
 * pipelines of these two are drawn. Index maps do not join the pass of an op that moves pixels by
 * fractions, except a crop after a resize. */
static void check_meeting(const enum family pair[2], struct rng *rng, struct family_pairs *pairs)
{
    const size_t *n = &pairs->count[pair[0]][pair[1]];

    if (pair[0] != FAMILY_INDEX && pair[0] != FAMILY_RESAMPLE && family_moves(pair[0]) &&
        pair[1] == FAMILY_INDEX) {
        CHECK(*n == 0);
        return;
    }
    for (int i = 0; i < TRIES && *n == 0; i++)
        one_pipeline(rng, pair, pairs);
    printf("# %-16s then %-16s in one pass %zu times\n", family_name(pair[0]), family_name(pair[1]),
           *n);
    CHECK(*n > 0);
}

static void test_pipelines(void)
{
    static const enum family first[] = { FAMILY_INDEX, FAMILY_MATRIX, FAMILY_RESAMPLE,
                                         FAMILY_FIELD, FAMILY_TABLE,  FAMILY_COLOURS };
    static const enum family flowing[] = { FAMILY_INDEX, FAMILY_TABLE, FAMILY_COLOURS };
    struct rng rng = rng_start(unit_setting("SEED", 500), 3, RNG_DRAW);
    struct family_pairs pairs = { 0 };
    size_t trials = unit_setting("TRIALS", PIPELINES), done = 0;

    random_quarter_turns = true;
    for (size_t i = 0; i < trials * TRIES && done < trials; i++)
        done += one_pipeline(&rng, NULL, &pairs);
    CHECK(trials > 0 && done == trials);
    for (size_t a = 0; a < COUNTOF(first); a++)
        for (size_t b = 0; b < COUNTOF(flowing); b++)
            check_meeting((const enum family[]){ first[a], flowing[b] }, &rng, &pairs);
    CHECK((size_t)rendered_late > trials / 10);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_pipelines),
    };
    int status = unit_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
