/* repeats: checks that an op's result depends only on its values and its image: not on earlier
 * images, nor on the process. It must not depend on the bits per sample either, except for
 * rounding. */
#include "steps/properties/random_step.h"
#include "steps/properties/render_plane.h"
#include "steps/properties/walk.h"

#include "base/files.h"
#include "base/hash.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CASES = 24, TRIES = 50 };

/* --- one case: an image and values, by its number --- */

static struct rng rng_of(const struct op *op, int i)
{
    return rng_start((uint64_t)i + 1, rng_stream(op->name), RNG_DRAW);
}

static struct pixel_kind kind_of(int i)
{
    return (struct pixel_kind){ i % 2 ? PIXEL_U16 : PIXEL_U8, 1 + i / 2 % 4 };
}

static bool read_case(const struct op *op, struct rng *rng, struct plan *plan)
{
    bool good = false;

    for (int k = 0; k < TRIES && !good; k++)
        good = random_plan(&op, 1, rng, plan);
    return good;
}

static uint64_t hash_of(const struct plane *p)
{
    struct hash h;

    hash_start(&h);
    for (int y = 0; y < p->height; y++)
        hash_part(&h, (const char *)p->px + (size_t)y * p->stride,
                  (size_t)(p->width * p->channels) * pixel_type_size(p->type));
    return hash_u64(&h);
}

/* Renders a case into a plane of the pool; returns false if the op refuses it. */
static bool make(struct pool *pool, const struct plan *plan, const struct plane *source,
                 struct plane *made)
{
    struct pixel_kind kind = { source->type, source->channels };
    struct arena arena = { 0 };
    struct sample sample = { .arena = &arena, .frame = { source->width, source->height } };
    struct resolved_ops resolved_ops;
    struct text why = { 0 };
    struct plane out;
    bool good =
        plan_apply(plan, &(struct draw_id){ .seed = 1 }, kind, &sample, &resolved_ops, &why) &&
        render_plane(&resolved_ops, OPTIMIZE_EXACT, source, pool, &arena, &out);

    if (good) {
        *made = pool_plane(pool, (struct frame){ out.width, out.height }, out.channels, out.type);
        plane_copy(&out, made);
        drop_rendered(pool, source, &out);
    }
    text_drop(&why);
    arena_drop(&arena);
    return good;
}

/* Returns a hash of the result; 0 if the op refuses it. */
static uint64_t result_of(const struct op *op, int i)
{
    struct pool pool = { 0 };
    struct rng rng = rng_of(op, i);
    struct plane source =
        random_picture(&pool, (struct frame){ 40 + 7 * i, 90 - 2 * i }, kind_of(i), &rng);
    struct plane made;
    struct plan plan;
    uint64_t hash = 0;

    if (read_case(op, &rng, &plan)) {
        if (make(&pool, &plan, &source, &made)) {
            hash = hash_of(&made);
            pool_return(&pool, &made);
        }
        plan_drop(&plan);
    }
    pool_return(&pool, &source);
    pool_drop(&pool);
    return hash;
}

/* --- another process --- */

/* Renders all cases from the last to the first, some of them twice. */
static void make_backwards(const struct op *op, uint64_t hash[CASES])
{
    for (int i = CASES - 1; i >= 0; i--) {
        if (i % 3 == 0)
            result_of(op, CASES - 1 - i);
        hash[i] = result_of(op, i);
    }
}

static bool make_in_child(const struct op *op, uint64_t hash[CASES])
{
    int ends[2], status;
    pid_t pid;
    bool good;

    if (pipe(ends) != 0)
        return false;
    pid = fork();
    if (pid == 0) {
        make_backwards(op, hash);
        _exit(!file_write_all(ends[1], hash, CASES * sizeof *hash));
    }
    close(ends[1]);
    good = pid > 0 && read(ends[0], hash, CASES * sizeof *hash) == (ssize_t)(CASES * sizeof *hash);
    close(ends[0]);
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 && good;
}

void walk_repeats(struct walker *w, const struct op *op)
{
    uint64_t here[CASES], there[CASES];
    size_t done = 0;

    snprintf(w->about, sizeof w->about, "%s, %d images", op->name, CASES);
    for (int i = 0; i < CASES; i++) {
        here[i] = result_of(op, i);
        done += here[i] != 0;
    }
    walk_check(w, done > 0, "at least one image is not refused");
    if (walk_check(w, make_in_child(op, there), "another process does the same images"))
        walk_check(w, memcmp(here, there, sizeof here) == 0,
                   "the same images in another order and process give the same bytes");
}

/* --- depths --- */

/* Returns the same picture with 16 bits, as mode exact widens 8 bits. */
static struct plane widened(struct pool *pool, const struct plane *p)
{
    struct plane wide =
        pool_plane(pool, (struct frame){ p->width, p->height }, p->channels, PIXEL_U16);

    plane_convert(p, &wide);
    return wide;
}

/* Returns the largest difference of two results, in levels of 8 bits. */
static double distance(const struct plane *narrow, const struct plane *wide)
{
    double max = 0;

    for (int y = 0; y < narrow->height; y++) {
        const uint8_t *a = (const uint8_t *)narrow->px + (size_t)y * narrow->stride;
        const uint16_t *b =
            (const uint16_t *)(const void *)((const char *)wide->px + (size_t)y * wide->stride);

        for (int i = 0; i < narrow->width * narrow->channels; i++)
            max = fmax(max, fabs(a[i] - b[i] / 257.0));
    }
    return max;
}

static bool has_key(const struct op *op)
{
    for (ROWS (row, op->params))
        if (row->kind == &whole_kind)
            return true;
    return false;
}

void walk_depths(struct walker *w, const struct op *op)
{
    struct pool *pool = &w->pool;

    if (!(op->effect & EFFECT_RECOLOURS) || has_key(op))
        return;
    for (int i = 0; i < CASES; i++) {
        struct rng rng = rng_of(op, i);
        struct frame frame = { 40 + 7 * i, 90 - 2 * i };
        struct pixel_kind kind = { PIXEL_U8, 1 + i % 4 };
        struct plane narrow = random_picture(pool, frame, kind, &rng),
                     wide = widened(pool, &narrow);
        struct plane made[2] = { { 0 } };
        struct plan plan;

        if (read_case(op, &rng, &plan)) {
            bool good[2] = { make(pool, &plan, &narrow, &made[0]),
                             make(pool, &plan, &wide, &made[1]) };

            walk_name(w, &plan, frame, kind);
            walk_check(w, good[0] == good[1] && (!good[0] || distance(&made[0], &made[1]) <= 1),
                       "16-bit and 8-bit images give the same result to within a level");
            for (int k = 0; k < 2; k++)
                if (good[k])
                    pool_return(pool, &made[k]);
            plan_drop(&plan);
        }
        pool_return(pool, &narrow);
        pool_return(pool, &wide);
    }
}
