/* make_corpus: photograph-like JPEGs with a COCO file, for measuring.
 *
 * Usage: make_corpus DIR [N]. Writes N (200) pictures of 640 x 480 to DIR/images, quality 95, four
 * in five as 4:2:0 and the others as 4:4:4, about 110 kB each, and DIR/annotations.json with about
 * seven objects a picture: polygons of 24 points, and now and then a crowd as run lengths. Equal
 * bytes on every run. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jpeglib.h>

#define W 640
#define H 480
#define POINTS 24
#define OBJECTS_MAX 12

struct object {
    double x[POINTS], y[POINTS];
    double x0, y0, x1, y1;
    int category;
    bool crowd;
};

static float colour[3][H][W], field[H][W];
static uint8_t inside[H][W];

static void die(const char *what)
{
    fprintf(stderr, "make_corpus: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t state;

static uint64_t next(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double unit(void)
{
    return (double)(next() >> 11) * 0x1p-53;
}

static double between(double lo, double hi)
{
    return lo + (hi - lo) * unit();
}

/* Adds one octave of value noise to `field`, a lattice point every `step` pixels. */
static void add_octave(double strength, int step)
{
    static float lattice[H + 2][W + 2];
    int across = W / step + 2, down = H / step + 2;

    for (int i = 0; i < down; i++)
        for (int j = 0; j < across; j++)
            lattice[i][j] = (float)(strength * between(-1, 1));
    for (int y = 0; y < H; y++) {
        const float *a = lattice[y / step], *b = lattice[y / step + 1];
        float v = (float)(y % step) / (float)step;

        v = v * v * (3 - 2 * v);
        for (int x = 0; x < W; x++) {
            int j = x / step;
            float u = (float)(x % step) / (float)step;
            float top, low;

            u = u * u * (3 - 2 * u);
            top = a[j] + u * (a[j + 1] - a[j]);
            low = b[j] + u * (b[j + 1] - b[j]);
            field[y][x] += top + v * (low - top);
        }
    }
}

/* Fractal noise in `field`: each finer octave weaker by `slope`. */
static void make_field(double strength, int coarsest, int finest, double slope)
{
    memset(field, 0, sizeof field);
    for (int step = coarsest; step >= finest; step /= 2, strength *= slope)
        add_octave(strength, step);
}

static void paint_ground(void)
{
    double slope = between(0.52, 0.66), strength = between(40, 60);

    for (int c = 0; c < 3; c++) {
        double top = between(60, 200), low = between(40, 180);

        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                colour[c][y][x] = (float)(top + (low - top) * y / H);
    }
    make_field(strength, 256, 1, slope);
    for (int c = 0; c < 3; c++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                colour[c][y][x] += field[y][x];
    for (int c = 0; c < 3; c += 2) {
        make_field(strength * 0.5, 256, 8, 0.55);
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                colour[c][y][x] += field[y][x];
    }
}

/* A wobbling ring inside the frame, its corners with two decimals. */
static struct object make_object(bool crowd)
{
    struct object o = { .x0 = W, .y0 = H, .category = 1 + (int)(next() % 8), .crowd = crowd };
    double r = exp(between(log(18), log(130))), flat = between(0.5, 1);
    double cx = between(r, W - r), cy = between(r, H - r);
    double a2 = between(0, 0.2), a3 = between(0, 0.15), p2 = between(0, 6.3), p3 = between(0, 6.3);

    for (int i = 0; i < POINTS; i++) {
        double t = 6.283185307179586 * i / POINTS;
        double k = r * (1 - a2 - a3 + a2 * cos(2 * t + p2) + a3 * cos(3 * t + p3));

        o.x[i] = round(100 * (cx + k * cos(t))) / 100;
        o.y[i] = round(100 * (cy + flat * k * sin(t))) / 100;
        o.x0 = fmin(o.x0, o.x[i]);
        o.y0 = fmin(o.y0, o.y[i]);
        o.x1 = fmax(o.x1, o.x[i]);
        o.y1 = fmax(o.y1, o.y[i]);
    }
    return o;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Sets `inside` to the pixels whose centres are in the object. */
static void find_inside(const struct object *o)
{
    memset(inside, 0, sizeof inside);
    for (int y = (int)o->y0; y < H && y < o->y1; y++) {
        double at = y + 0.5, x[POINTS];
        size_t n = 0;

        for (int i = 0; i < POINTS; i++) {
            int k = (i + 1) % POINTS;

            if ((o->y[i] <= at) != (o->y[k] <= at))
                x[n++] = o->x[i] + (o->x[k] - o->x[i]) * (at - o->y[i]) / (o->y[k] - o->y[i]);
        }
        qsort(x, n, sizeof *x, by_value);
        for (size_t i = 0; i + 1 < n; i += 2)
            for (int k = (int)fmax(0, ceil(x[i] - 0.5)); k < W && k + 0.5 < x[i + 1]; k++)
                inside[y][k] = 1;
    }
}

static void paint_object(const struct object *o)
{
    double from[3], to[3];

    find_inside(o);
    make_field(between(10, 34), 64, 1, between(0.45, 0.62));
    for (int c = 0; c < 3; c++) {
        from[c] = between(60, 245);
        to[c] = from[c] * between(0.2, 0.7);
    }
    for (int y = (int)o->y0; y < H && y < o->y1; y++)
        for (int x = 0; x < W; x++)
            for (int c = 0; c < 3 && inside[y][x]; c++) {
                double t =
                    (y + 0.5 - o->y0 + 0.5 * (x - o->x0)) / (o->y1 - o->y0 + 0.5 * (o->x1 - o->x0));

                colour[c][y][x] = (float)(from[c] + (to[c] - from[c]) * t) + field[y][x];
            }
}

/* A lens's softness (1 2 1 across), a sensor's noise, and bytes. */
static void develop(uint8_t *out, double noise)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            double grain = noise * (unit() + unit() - 1);
            int left = x ? x - 1 : x, right = x + 1 < W ? x + 1 : x;

            for (int c = 0; c < 3; c++) {
                const float *row = colour[c][y];
                double v = 0.25 * row[left] + 0.5 * row[x] + 0.25 * row[right] + grain;

                out[(y * W + x) * 3 + c] = (uint8_t)fmin(255, fmax(0, v + 0.5));
            }
        }
}

static void write_jpeg(const char *path, uint8_t *px, bool full_colour)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr error;
    FILE *f = fopen(path, "wb");

    if (!f)
        die(path);
    jpeg.err = jpeg_std_error(&error);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, f);
    jpeg.image_width = W;
    jpeg.image_height = H;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 95, TRUE);
    if (full_colour)
        jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < H) {
        JSAMPROW row = px + (size_t)jpeg.next_scanline * W * 3;

        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    if (fclose(f))
        die(path);
}

/* One run in the COCO API's string: five bits a character. */
static void put_run(FILE *f, int64_t v)
{
    bool more = true;

    while (more) {
        int c = (int)(v & 31);

        v >>= 5; /* arithmetic, as gcc and clang have it */
        more = c & 16 ? v != -1 : v != 0;
        c = (more ? c | 32 : c) + 48;
        if (c == '\\')
            fputc('\\', f);
        fputc(c, f);
    }
}

/* `inside` as compressed run lengths; its area and bounds. */
static double put_rle(FILE *f, int box[4])
{
    int64_t before = 0, last = 0, run = 0;
    double area = 0;
    int n = 0;
    bool now = false;

    box[0] = W;
    box[1] = H;
    box[2] = box[3] = 0;
    fputs("\"segmentation\": {\"counts\": \"", f);
    for (int i = 0; i <= W * H; i++) {
        int x = i / H, y = i % H;
        bool set = i < W * H && inside[y][x];

        if (set) {
            area++;
            box[0] = x < box[0] ? x : box[0];
            box[1] = y < box[1] ? y : box[1];
            box[2] = x + 1 > box[2] ? x + 1 : box[2];
            box[3] = y + 1 > box[3] ? y + 1 : box[3];
        }
        if (set != now || i == W * H) {
            put_run(f, run - (n > 2 ? before : 0));
            n++;
            before = last;
            last = run;
            run = 0;
            now = set;
        }
        run++;
    }
    fprintf(f, "\", \"size\": [%d, %d]}, ", H, W);
    return area;
}

static double put_polygon(FILE *f, const struct object *o)
{
    double sum = 0;

    fputs("\"segmentation\": [[", f);
    for (int i = 0; i < POINTS; i++) {
        int k = (i + 1) % POINTS;

        fprintf(f, "%s%.2f, %.2f", i ? ", " : "", o->x[i], o->y[i]);
        sum += o->x[i] * o->y[k] - o->x[k] * o->y[i];
    }
    fputs("]], ", f);
    return fabs(sum) / 2;
}

static void put_object(FILE *f, const struct object *o, int image, int id)
{
    int box[4];
    double area;

    fprintf(f, "%s{", id > 1 ? ",\n" : "");
    if (o->crowd) {
        find_inside(o);
        area = put_rle(f, box);
        fprintf(f, "\"bbox\": [%d, %d, %d, %d], ", box[0], box[1], box[2] - box[0],
                box[3] - box[1]);
    } else {
        area = put_polygon(f, o);
        fprintf(f, "\"bbox\": [%.2f, %.2f, %.2f, %.2f], ", o->x0, o->y0, o->x1 - o->x0,
                o->y1 - o->y0);
    }
    fprintf(f,
            "\"area\": %.5f, \"iscrowd\": %d, \"image_id\": %d, \"category_id\": %d, \"id\": %d}",
            area, o->crowd, image, o->category, id);
}

/* Paints one picture and writes its annotations; returns how many. */
static int make_picture(const char *path, FILE *annotations, int image, int first_id)
{
    static uint8_t px[W * H * 3];
    struct object object[OBJECTS_MAX];
    int n;

    state = (uint64_t)image * 0x2545f4914f6cdd1du;
    n = 3 + (int)(next() % 9);
    paint_ground();
    for (int i = 0; i < n; i++) {
        object[i] = make_object(next() % 80 == 0);
        paint_object(&object[i]);
        put_object(annotations, &object[i], image, first_id + i);
    }
    develop(px, between(2.5, 18));
    write_jpeg(path, px, image % 5 == 0);
    return n;
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) && errno != EEXIST)
        die(path);
}

static void put_head(FILE *f, int n)
{
    fputs("{\n\"info\": {\"description\": \"bench corpus\"},\n\"categories\": [\n", f);
    for (int i = 1; i <= 8; i++)
        fprintf(f, "{\"supercategory\": \"blob\", \"id\": %d, \"name\": \"blob %d\"}%s\n", i, i,
                i < 8 ? "," : "");
    fputs("],\n\"images\": [\n", f);
    for (int i = 1; i <= n; i++)
        fprintf(f, "{\"file_name\": \"%06d.jpg\", \"height\": %d, \"width\": %d, \"id\": %d}%s\n",
                i, H, W, i, i < n ? "," : "");
    fputs("],\n\"annotations\": [\n", f);
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 200, id = 1;
    char path[4096];
    FILE *f;

    if (argc < 2 || argc > 3 || n < 1) {
        fprintf(stderr, "usage: make_corpus DIR [N]\n");
        return 2;
    }
    make_folder(argv[1]);
    snprintf(path, sizeof path, "%s/images", argv[1]);
    make_folder(path);
    snprintf(path, sizeof path, "%s/annotations.json", argv[1]);
    f = fopen(path, "wb");
    if (!f)
        die(path);
    put_head(f, n);
    for (int i = 1; i <= n; i++) {
        snprintf(path, sizeof path, "%s/images/%06d.jpg", argv[1], i);
        id += make_picture(path, f, i, id);
    }
    fputs("\n]\n}\n", f);
    if (fclose(f))
        die("annotations.json");
    return 0;
}
