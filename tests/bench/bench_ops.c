/* bench_ops: measures each op of the registry, in ns per output pixel and in copies of its output.
 *
 * The cost of an op includes drawing its values, compiling the step (op by op), and rendering it
 * from one plane to another; tables and fields are rebuilt as for each image. All ops run in turn,
 * repeatedly, and the medians are printed, because machines drift. Arguments: repetitions (5), and
 * a word that the names of the ops to run contain (all).
 *
 * With the argument "-", bench_ops answers lines from peers/ops.py. "640 480 3 8 STEP" names a
 * size, a number of channels, bits of a sample (8 or 16), and a step or an op; the answer is "NS
 * NS", for the op and for a copy of its output, or "-" if there is no such op. "= IN OUT 640 480 3
 * 8 STEP" applies the step to the pixels in the file IN and writes the resulting pixels to the file
 * OUT; the answer is "WIDTH HEIGHT CHANNELS BYTES", with the bytes of a sample. */
#include "../unit/render_plane.h"
#include "pixels/samples.h"
#include "timing.h"

#include <stdio.h>

static const struct frame SIZES[] = { { 640, 480 }, { 4000, 3000 } };
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

/* Steps for ops whose examples are for small images, or not for images of three channels. Lengths
 * are in hundredths of a side: W and H stand for a percent of the width and of the height. */
static const struct fit {
    const char *op, *step;
    int channels;
} FITS[] = {
    { "center_crop", "{\"type\": \"center_crop\", \"output_size\": [H80, W80]}", 3 },
    { "crop", "{\"type\": \"crop\", \"top\": H10, \"left\": W10, \"height\": H80, \"width\": W80}",
      3 },
    { "erase", "{\"type\": \"erase\", \"i\": H10, \"j\": W10, \"h\": H50, \"w\": W50, \"v\": 0}",
      3 },
    { "five_crop", "{\"type\": \"five_crop\", \"size\": [H50, W50]}", 3 },
    { "grayscale_to_rgb", "{\"type\": \"grayscale_to_rgb\"}", 1 },
    { "perspective",
      "{\"type\": \"perspective\", \"startpoints\": [[0, 0], [W100, 0], [W100, H100], [0, H100]], "
      "\"endpoints\": [[W10, H5], [W95, H2], [W98, H97], [W2, H90]], \"interpolation\": "
      "\"bilinear\"}",
      3 },
    { "resize", "{\"type\": \"resize\", \"size\": [H50, W50]}", 3 },
    { "resized_crop",
      "{\"type\": \"resized_crop\", \"top\": H10, \"left\": W10, \"height\": H70, \"width\": W70, "
      "\"size\": [H50, W50]}",
      3 },
    { "ten_crop", "{\"type\": \"ten_crop\", \"size\": [H50, W50]}", 3 },
    { "tile", "{\"type\": \"tile\", \"grid\": [2, 2]}", 3 },
};

struct cost {
    double ns, copy;    /* of the op and of a copy of its output */
    struct frame frame; /* of the output; 0 by 0 when the op leaves the pixels as they are */
};

static struct pool pool;

/* "W10" becomes a tenth of the width; other capitals are not in steps. */
static void fit(const char *step, struct frame f, struct text *out)
{
    for (const char *at = step; *at; at++) {
        char *end = NULL;
        long percent = *at == 'W' || *at == 'H' ? strtol(at + 1, &end, 10) : 0;

        if (end && end > at + 1) {
            text_addf(out, "%ld", percent * (*at == 'W' ? f.width : f.height) / 100);
            at = end - 1;
        } else {
            text_addc(out, *at);
        }
    }
}

static const struct fit *fit_of(const char *op)
{
    for (size_t i = 0; i < COUNTOF(FITS); i++)
        if (strcmp(FITS[i].op, op) == 0)
            return &FITS[i];
    return NULL;
}

/* False when the step is none. */
static bool read_plan(const char *step, struct plan *plan)
{
    struct text json = { 0 };
    struct faults faults = { .name = "bench" };
    bool good;

    text_addf(&json, "{\"version\": 1, \"transforms\": [%s]}", step);
    faults.text = (struct slice){ json.at, json.length };
    good = plan_read(&faults, plan);
    if (!good)
        plan_drop(plan);
    faults_drop(&faults);
    text_drop(&json);
    return good;
}

static double render_once(const struct plan *plan, const struct plane *source, struct plane *out)
{
    struct arena arena = { 0 };
    struct sample sample = { .arena = &arena, .frame = { source->width, source->height } };
    struct pixel_kind kind = { source->type, source->channels };
    struct text why = { 0 };
    struct resolved_ops resolved_ops;
    double start = now(), spent;

    if (!plan_apply(plan, &(struct draw_id){ .seed = 1 }, kind, &sample, &resolved_ops, &why) ||
        !render_plane(&resolved_ops, OPTIMIZE_NONE, source, &pool, &arena, out)) {
        fprintf(stderr, "bench_ops: %.*s\n", (int)why.length, why.at ? why.at : "");
        exit(1);
    }
    spent = now() - start;
    text_drop(&why);
    arena_drop(&arena);
    return spent;
}

/* The picture of a size: drawing one takes longer than most ops do, so the last is kept. */
static struct plane picture(struct frame f, struct pixel_kind kind)
{
    static struct plane last;

    if (last.width != f.width || last.height != f.height || last.channels != kind.channels ||
        last.type != kind.type) {
        pool_return(&pool, &last);
        last = pool_plane(&pool, f, kind.channels, kind.type);
        draw(&last);
    }
    return last;
}

/* In ns. peers/ops.py repeats shorter measurements six times, for lockstep and for peers, since the
 * first runs of a new process are slower by as much. It repeats all others twice. The best counts.
 */
enum { SHORT = 2000000 };

static struct cost measure(const struct plan *plan, struct frame f, struct pixel_kind kind)
{
    struct plane source = picture(f, kind), out, copy;
    struct cost cost = { .ns = 1e300 };

    for (int i = 0; i < (cost.ns < SHORT ? 6 : 2); i++) {
        double spent;

        if (i && out.px != source.px)
            pool_return(&pool, &out);
        spent = render_once(plan, &source, &out);
        cost.ns = spent < cost.ns ? spent : cost.ns;
    }
    if (out.px != source.px) {
        cost.frame = (struct frame){ out.width, out.height };
        copy = pool_plane(&pool, cost.frame, out.channels, out.type);
        cost.copy = timed_copy(copy.px, out.px, plane_bytes(&out));
        pool_return(&pool, &copy);
        pool_return(&pool, &out);
    }
    return cost;
}

static struct plane read_picture(const char *path, struct frame f, struct pixel_kind kind)
{
    struct plane p = pool_plane(&pool, f, kind.channels, kind.type);
    size_t row = (size_t)f.width * (size_t)kind.channels * pixel_type_size(kind.type);
    FILE *file = fopen(path, "rb");
    bool good = file;

    for (int y = 0; good && y < f.height; y++)
        good = fread(plane_row(&p, y), 1, row, file) == row;
    if (!good) {
        fprintf(stderr, "bench_ops: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return p;
}

static void write_picture(const char *path, const struct plane *p)
{
    size_t row = (size_t)p->width * (size_t)p->channels * pixel_type_size(p->type);
    FILE *file = fopen(path, "wb");
    bool good = file;

    for (int y = 0; good && y < p->height; y++)
        good = fwrite(plane_row(p, y), 1, row, file) == row;
    if (!good || fclose(file) != 0) {
        fprintf(stderr, "bench_ops: cannot write %s\n", path);
        exit(1);
    }
}

/* Uses the plan of a step, or of an op that is given by name. */
static bool with_plan(const char *step, struct frame f, struct pixel_kind kind,
                      void use(const struct plan *, struct frame, struct pixel_kind, void *),
                      void *context)
{
    const struct op *op = registry_op(step);
    const struct fit *of = op ? fit_of(step) : NULL;
    struct text fitted = { 0 };
    struct plan plan;
    bool good;

    fit(of ? of->step : op ? op->example : step, f, &fitted);
    good = read_plan(fitted.at, &plan);
    if (good) {
        kind.channels = of ? of->channels : kind.channels;
        use(&plan, f, kind, context);
        plan_drop(&plan);
    }
    text_drop(&fitted);
    return good;
}

struct files {
    char in[1024], out[1024];
};

static void make_file(const struct plan *plan, struct frame f, struct pixel_kind kind,
                      void *context)
{
    const struct files *files = context;
    struct plane source = read_picture(files->in, f, kind), out;

    render_once(plan, &source, &out);
    write_picture(files->out, &out);
    printf("%d %d %d %zu\n", out.width, out.height, out.channels, pixel_type_size(out.type));
    if (out.px != source.px)
        pool_return(&pool, &out);
    pool_return(&pool, &source);
}

static void print_cost(const struct plan *plan, struct frame f, struct pixel_kind kind,
                       void *context)
{
    struct cost cost = measure(plan, f, kind);

    (void)context;
    printf("%.0f %.0f\n", cost.ns, cost.copy);
}

static int answer(void)
{
    char line[4096], *step;
    struct files files;
    struct frame f;
    struct pixel_kind kind;
    int bits, length;

    while (fgets(line, sizeof line, stdin)) {
        bool file = line[0] == '=';
        int n = file ? sscanf(line, "= %1023s %1023s %d %d %d %d %n", files.in, files.out, &f.width,
                              &f.height, &kind.channels, &bits, &length) -
                           2
                     : sscanf(line, "%d %d %d %d %n", &f.width, &f.height, &kind.channels, &bits,
                              &length);

        if (n != 4)
            return 2;
        kind.type = bits == 16 ? PIXEL_U16 : PIXEL_U8;
        step = line + length;
        step[strcspn(step, "\n")] = '\0';
        if (!with_plan(step, f, kind, file ? make_file : print_cost, &files))
            printf("-\n");
        fflush(stdout);
    }
    return 0;
}

static void take_cost(const struct plan *plan, struct frame f, struct pixel_kind kind,
                      void *context)
{
    *(struct cost *)context = measure(plan, f, kind);
}

/* The costs of an op at a size, round after round: its line's part. */
static void print_costs(const struct cost *costs, int rounds)
{
    struct frame f = costs[0].frame;
    double *ns = memory_take((size_t)rounds * sizeof *ns);
    double *copies = memory_take((size_t)rounds * sizeof *copies);

    for (int n = 0; n < rounds; n++) {
        ns[n] = costs[n].ns;
        copies[n] = costs[n].ns / costs[n].copy;
    }
    if (f.width)
        printf(" %11.2f %9.1f", median(ns, rounds) / ((double)f.width * f.height),
               median(copies, rounds));
    else
        printf(" %11s %9s", "-", "-");
    free(ns);
    free(copies);
}

static void print_all(const char *word, int rounds, const struct cost *costs)
{
    printf("%-22s", "op");
    for (int s = 0; s < SIZE_COUNT; s++)
        printf(" %4dx%-4d ns %9s", SIZES[s].width, SIZES[s].height, "copies");
    printf("\n");
    for (EACH(op, op, registry_ops)) {
        if (!strstr(op->name, word))
            continue;
        printf("%-22s", op->name);
        for (int s = 0; s < SIZE_COUNT; s++, costs += rounds)
            print_costs(costs, rounds);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 5;
    const char *word = argc > 2 ? argv[2] : "";
    struct cost *costs;
    size_t ops = 0;

    if (argc > 1 && strcmp(argv[1], "-") == 0)
        return answer();
    if (rounds < 1)
        return 2;
    for (EACH(op, op, registry_ops))
        ops += strstr(op->name, word) != NULL;
    costs = memory_take((ops * SIZE_COUNT * (size_t)rounds + 1) * sizeof *costs);
    for (int n = 0; n < rounds; n++) {
        struct cost *at = costs + n;

        for (EACH(op, op, registry_ops))
            for (int s = 0; s < SIZE_COUNT && strstr(op->name, word); s++, at += rounds)
                if (!with_plan(op->name, SIZES[s], (struct pixel_kind){ PIXEL_U8, 3 }, take_cost,
                               at))
                    return 1;
    }
    print_all(word, rounds, costs);
    free(costs);
    pool_drop(&pool);
    return 0;
}
