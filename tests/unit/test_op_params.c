/* test_op_params: ops whose parameter structs are their own, though they join images, mix images,
 * or have a row with the name of another op's row. The ops are registered here; the planner must
 * find their counts, lists and values by hooks and kinds of rows. */
#include "unit.h"

#include "steps/op_shared/checks.h"
#include "plan/inverse_map.h"
#include "plan/scores.h"
#include "plan/worst_case.h"

#include <string.h>

/* --- ops --- */

static void no_steps(struct run *run, size_t i, const void *context)
{
    (void)run, (void)i, (void)context;
}

/* Emits a join of n copies of the image in a row, with `gap` columns between neighbors. */
static void tile(struct run *run, struct frame frame, int n, int gap, chain_fn *chain,
                 const void *context)
{
    struct joint joint = { .height = frame.height, .width = n * (frame.width + gap) - gap };

    joint.inputs = inputs_take(run->arena, (size_t)n);
    for (int i = 0; i < n; i++)
        joint.inputs.at[i] =
            (struct input){ .source = "", .left = i * (frame.width + gap), .opacity = 1 };
    emit_join(run, &joint, chain, context);
}

struct twice {
    int gap, masks;
};
static const struct row twice_rows[] = {
    INTEGER(struct twice, gap, .preset = "0", .limit = { 0, 100 }, .help = "columns"),
    BLENDED_ROW(struct twice),
    ROWS_END,
};

static void expand_twice(const void *params, struct frame frame, int branch, struct run *run)
{
    const struct twice *p = params;

    (void)branch;
    tile(run, frame, 2, p->gap, no_steps, NULL);
}

static int two(const void *params)
{
    (void)params;
    return 2;
}

static int one(const void *params)
{
    (void)params;
    return 1;
}

#define TWICE(as, count)                                                                           \
    {                                                                                              \
        .name = (as), .summary = "lay the image next to itself", .group = GROUP_JOIN,              \
        .origin = ORIGIN_OWN, .example = "{\"type\": \"" as "\"}", .params = twice_rows,           \
        .params_size = sizeof(struct twice), .family = FAMILY_JOIN, .effect = EFFECT_MOVES,        \
        .expand = expand_twice, .images = (count)                                                  \
    }
static const struct op twice_ops[] = {
    TWICE("tile_twice", two),
    TWICE("tile_uncounted", NULL),
    TWICE("tile_counted_as_one", one),
};

struct lists {
    int gap;
    struct chains tiles;
};
static const struct row list_rows[] = {
    INTEGER(struct lists, gap, .preset = "0", .limit = { 0, 100 }, .help = "columns"),
    CHAINS(struct lists, tiles, .preset = "[[], []]", .help = "the steps of each tile"),
    ROWS_END,
};

static void chain(struct run *run, size_t i, const void *context)
{
    const struct lists *p = context;

    for (size_t k = 0; k < p->tiles.at[i].n; k++)
        emit_step(run, &p->tiles.at[i], k);
}

static void expand_row(const void *params, struct frame frame, int branch, struct run *run)
{
    const struct lists *p = params;

    (void)branch;
    tile(run, frame, (int)p->tiles.n, p->gap, chain, p);
}

static int count_tiles(const void *params)
{
    const struct lists *p = params;

    return (int)p->tiles.n;
}

static void expand_average(const void *params, struct frame frame, int branch, struct run *run)
{
    const struct lists *p = params;

    (void)frame, (void)branch;
    emit_mix(run, &(struct weights){ 0 }, p->tiles.n, chain, p);
}

#define LISTS(as, of, by, count)                                                                   \
    {                                                                                              \
        .name = (as), .summary = "join what lists of steps make", .group = GROUP_JOIN,             \
        .origin = ORIGIN_OWN, .example = "{\"type\": \"" as "\", \"tiles\": [[], []]}",            \
        .params = list_rows, .params_size = sizeof(struct lists), .family = (of),                  \
        .effect = EFFECT_MOVES | EFFECT_RECOLOURS, .expand = (by), .images = (count)               \
    }
static const struct op list_ops[] = {
    LISTS("tile_row", FAMILY_JOIN, expand_row, count_tiles),
    LISTS("tile_row_undercounted", FAMILY_JOIN, expand_row, two),
    LISTS("average", FAMILY_MIX, expand_average, NULL),
};

struct score {
    int default_score;
};
static const struct row scored_rows[] = {
    INTEGER(struct score, default_score, .preset = "0", .limit = { 0, 9 }, .help = "not optional"),
    ROWS_END,
};

static bool do_nothing(const void *params, const struct scene *scene, struct action *action)
{
    (void)params, (void)scene, (void)action;
    return true;
}

static const struct op scored_op = {
    .name = "scored",
    .summary = "leave the image as it is",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"scored\"}",
    .params = scored_rows,
    .params_size = sizeof(struct score),
    .effect = EFFECT_RELABELS,
    .resolve = do_nothing,
};

static const struct row no_rows[] = { ROWS_END };

static void draw_average(struct run *run)
{
    (void)run; /* only the planner looks at this transform */
}

static const struct transform random_average = {
    .name = "RandomAverage",
    .summary = "average what lists of steps make",
    .group = GROUP_POLICY,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"RandomAverage\"}",
    .emits = (const char *const[]){ "average", "invert", NULL },
    .params = no_rows,
    .draw = draw_average,
};

/* --- reading and applying steps --- */

/* Reads a pipeline of these steps; a fault's text goes to `message`. */
static bool read_steps(const char *steps, struct plan *plan, struct text *message)
{
    struct text json = { 0 };
    struct faults faults = { .name = "steps" };
    bool good;

    text_addf(&json, "{\"version\": 1, \"transforms\": [%s]}", steps);
    faults.text = (struct slice){ json.at, json.length };
    good = plan_read(&faults, plan);
    faults_print(&faults, 10, message);
    faults_drop(&faults);
    text_drop(&json);
    return good;
}

static struct sample sample_with_object(struct arena *arena, struct object *object)
{
    struct frame frame = { 40, 30 };

    *object = (struct object){ .visibility = 1, .has_box = true };
    object->bbox = (struct box){ 5, 6, 15, 16 };
    object->size = (struct point){ 10, 10 };
    object->outline = ring_of_box(arena, object->bbox);
    return (struct sample){
        .arena = arena, .name = "", .frame = frame, .objects = object, .n_objects = 1
    };
}

/* Applies the steps to an image. Prints the drawn values to `drawn` as a list of steps, and the
 * reason of a failure to `why`. Returns the number of objects; -1 on failure. */
static int apply(const struct plan *plan, struct text *drawn, struct text *why)
{
    struct arena arena = { 0 };
    struct object object;
    struct sample sample = sample_with_object(&arena, &object);
    struct resolved_ops resolved_ops;
    int n = -1;

    if (plan_apply(plan, &(struct draw_id){ .seed = 1 }, (struct pixel_kind){ PIXEL_U16, 3 },
                   &sample, &resolved_ops, why)) {
        n = (int)sample.n_objects;
        text_addc(drawn, '[');
        for (size_t i = 0; i < resolved_ops.n; i++) {
            text_adds(drawn, i ? ", " : "");
            resolved_op_print(&resolved_ops.at[i], drawn);
        }
        text_addc(drawn, ']');
    }
    arena_drop(&arena);
    return n;
}

/* The recorded steps give the same result as the pipeline. */
static void check_replay(const struct plan *base, const struct text *drawn)
{
    struct arena arena = { 0 };
    struct faults faults = { .name = "recorded", .text = { drawn->at, drawn->length } };
    const struct value *steps = value_parse(&faults, &arena);
    struct text again = { 0 }, why = { 0 };
    struct plan plan;

    if (CHECK(steps && plan_read_recorded(base, steps, &arena, &plan, &faults))) {
        CHECK(apply(&plan, &again, &why) >= 0);
        CHECK(strcmp(text_string(&again), text_string((struct text *)drawn)) == 0);
    }
    text_drop(&again);
    text_drop(&why);
    faults_drop(&faults);
    arena_drop(&arena);
}

static void check_join(const char *steps, size_t images)
{
    struct text drawn = { 0 }, why = { 0 };
    struct plan plan;

    snprintf(unit_subject, sizeof unit_subject, "%s", steps);
    if (CHECK(read_steps(steps, &plan, &why))) {
        CHECK(plan.joins && plan.images == images);
        CHECK(apply(&plan, &drawn, &why) == (int)images);
        CHECK(strncmp(text_string(&drawn), "[{\"type\": \"join\", ", 18) == 0);
        check_replay(&plan, &drawn);
    }
    plan_drop(&plan);
    text_drop(&drawn);
    text_drop(&why);
}

static void test_own_params(void)
{
    check_join("{\"type\": \"tile_twice\", \"gap\": 3}", 2);
    check_join("{\"type\": \"tile_row\", \"gap\": 3, \"tiles\": [[], [{\"type\": "
               "\"horizontal_flip\"}], [{\"type\": \"invert\"}]]}",
               3);
    check_join("{\"type\": \"tile_row\"}", 2);
    check_join("{\"type\": \"OneOf\", \"transforms\": [{\"type\": \"tile_twice\"}]}", 2);
}

/* Inputs of a join are not joined themselves. */
static void test_nested(void)
{
    struct text why = { 0 };
    struct plan plan;

    CHECK(!read_steps("{\"type\": \"tile_row\", \"tiles\": [[{\"type\": \"tile_twice\"}]]}", &plan,
                      &why));
    CHECK(strstr(text_string(&why), "plan-join"));
    plan_drop(&plan);
    text_drop(&why);
}

/* Ops whose hook is missing or wrong fail every image. */
static void test_wrong_count(void)
{
    static const char *const steps[] = {
        "{\"type\": \"tile_uncounted\"}",
        "{\"type\": \"tile_counted_as_one\"}",
        "{\"type\": \"tile_twice\"}, {\"type\": \"tile_uncounted\"}",
        "{\"type\": \"tile_row_undercounted\", \"tiles\": [[], [], []]}",
    };

    for (size_t i = 0; i < COUNTOF(steps); i++) {
        struct text drawn = { 0 }, why = { 0 };
        struct plan plan;

        snprintf(unit_subject, sizeof unit_subject, "%s", steps[i]);
        if (CHECK(read_steps(steps[i], &plan, &why))) {
            CHECK(apply(&plan, &drawn, &why) == -1);
            CHECK(strstr(text_string(&why), "`images`") && strstr(text_string(&why), "(a defect)"));
        }
        plan_drop(&plan);
        text_drop(&drawn);
        text_drop(&why);
    }
}

/* An op with a row `masks`, but without inputs that say otherwise, may let images show through. */
static void test_masks(void)
{
    struct text why = { 0 };
    struct plan plan;

    if (CHECK(read_steps("{\"type\": \"tile_twice\"}, {\"type\": \"tile_twice\", \"masks\": "
                         "\"heavier\"}, {\"type\": \"join\", \"height\": 9, \"width\": 9, "
                         "\"inputs\": [{}]}",
                         &plan, &why))) {
        CHECK(step_refuses_masks(&plan.transforms.step[0]));
        CHECK(!step_refuses_masks(&plan.transforms.step[1]));
        CHECK(!step_refuses_masks(&plan.transforms.step[2]));
    }
    plan_drop(&plan);
    text_drop(&why);
}

/* The way back drops steps that change colors from all lists. If a list kept its to_dtype, its
 * image could not be joined with the 8-bit image that the way back assumes. */
static void check_back(const char *steps, size_t ways)
{
    struct arena arena = { 0 };
    struct back_ways found;
    struct frame out;
    struct text why = { 0 };
    struct plan plan;

    snprintf(unit_subject, sizeof unit_subject, "%s", steps);
    if (CHECK(read_steps(steps, &plan, &why))) {
        CHECK(plan_back(&plan, NULL, (struct frame){ 40, 30 }, &arena, &found, &out, &why) ==
              BACK_KNOWN);
        CHECK(found.n == ways);
        if (why.length)
            fprintf(stderr, "    %s\n", text_string(&why));
    }
    plan_drop(&plan);
    text_drop(&why);
    arena_drop(&arena);
}

static void test_back(void)
{
    static const char to_u16[] = "{\"type\": \"to_dtype\", \"dtype\": \"uint16\", \"scale\": true}";
    char steps[1000];

    check_back("{\"type\": \"tile_twice\", \"gap\": 3}", 2);
    snprintf(steps, sizeof steps, "{\"type\": \"tile_row\", \"tiles\": [[], [%s]]}", to_u16);
    check_back(steps, 2);
    snprintf(steps, sizeof steps,
             "{\"type\": \"join\", \"height\": 30, \"width\": 80, \"inputs\": [{}, {\"left\": 40, "
             "\"steps\": [%s]}]}",
             to_u16);
    check_back(steps, 2);
    snprintf(steps, sizeof steps, "{\"type\": \"average\", \"tiles\": [[], [%s]]}", to_u16);
    check_back(steps, 1);
    snprintf(steps, sizeof steps, "{\"type\": \"mix\", \"inputs\": [[], [%s]]}", to_u16);
    check_back(steps, 1);
}

/* The worst case of a transform that emits an op that mixes: the image, and beside it all ops.
 * Values that have a default are the default, not those of the op's example. */
static void check_worst_case(const char *steps)
{
    struct arena arena = { 0 };
    struct resolved_ops resolved_ops;
    struct pixel_kind made;
    struct text why = { 0 }, drawn = { 0 };
    struct plan plan;

    snprintf(unit_subject, sizeof unit_subject, "%s", steps);
    if (CHECK(read_steps(steps, &plan, &why))) {
        plan_worst_case(&plan, &arena, &resolved_ops, &made);
        if (CHECK(resolved_ops.n == 1 && resolved_ops.at[0].action.family == FAMILY_MIX)) {
            const struct action *a = &resolved_ops.at[0].action;

            CHECK(a->u.mix.n == 2 && a->u.mix.input[0].n == 0 && a->u.mix.input[1].n >= 1);
            resolved_op_print(&resolved_ops.at[0], &drawn);
            CHECK(strstr(text_string(&drawn), "\"weights\": null"));
        }
    }
    plan_drop(&plan);
    text_drop(&why);
    text_drop(&drawn);
    arena_drop(&arena);
}

static void test_worst_case(void)
{
    check_worst_case("{\"type\": \"RandomAverage\"}");
    check_worst_case("{\"type\": \"AugMix\"}");
}

/* A row is an optional score by its kind; the same name is not enough. */
static void test_scores(void)
{
    struct text why = { 0 };
    struct plan plan;

    if (CHECK(read_steps("{\"type\": \"scored\"}", &plan, &why)))
        CHECK(!scores_wanted(&plan));
    plan_drop(&plan);
    if (CHECK(read_steps("{\"type\": \"keep_top_k\", \"k\": 3}", &plan, &why)))
        CHECK(scores_wanted(&plan) == &plan.transforms.step[0]);
    plan_drop(&plan);
    text_drop(&why);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_own_params), TEST(test_nested),     TEST(test_wrong_count), TEST(test_masks),
        TEST(test_back),       TEST(test_worst_case), TEST(test_scores),
    };

    for (size_t i = 0; i < COUNTOF(twice_ops); i++)
        registry_add_op(&twice_ops[i]);
    for (size_t i = 0; i < COUNTOF(list_ops); i++)
        registry_add_op(&list_ops[i]);
    registry_add_op(&scored_op);
    registry_add_transform(&random_average);
    return unit_main(tests, COUNTOF(tests));
}
