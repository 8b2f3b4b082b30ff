/* make_corpus: photograph-like JPEGs with COCO files, for measuring.
 *
 * Usage: make_corpus DIR N [SIZE [DISTINCT]]. Writes N pictures to DIR/images, quality 95, four in
 * five as 4:2:0 and the others as 4:4:4; DIR/annotations.json with about seven objects a picture:
 * polygons of 24 points, and one in thirty a crowd as run lengths; and DIR/annotations-20.json with
 * twenty objects a picture, the same and more. SIZE is "small", 640 x 480 and about 110 kB, or
 * "large", 4000 x 3000 and about 1.4 MB: smooth at its finest, as what a large sensor sees. With
 * DISTINCT, that many pictures are made and the others are hard links to them. Equal bytes on every
 * run. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jpeglib.h>

#define POINTS 24
#define OBJECTS_MAX 20
#define CROWD_EVERY 30

struct object {
    double x[POINTS], y[POINTS];
    double x0, y0, x1, y1;
    int category;
    bool crowd;
};

/* Parameters that differ between small pictures and large ones. They are the coarsest and finest
 * lattice of the noise, how fast its finer octaves fade, the grain, and the radii of objects. */
static const struct size {
    const char *name;
    int width, height, coarsest, finest;
    double fade_lo, fade_hi, grain_lo, grain_hi, radius_lo, radius_hi;
} SIZES[] = {
    { "small", 640, 480, 256, 1, 0.52, 0.655, 2.0, 15.5, 18, 130 },
    { "large", 4000, 3000, 1024, 4, 0.45, 0.55, 1.75, 3.0, 110, 800 },
};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

static const struct size *size;
static int width, height;
static float *colour[3], *field, *lattice;
static uint8_t *inside, *pixels;

/* A window of the picture, its end not included. */
struct window {
    int x0, y0, x1, y1;
};

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

static size_t at(int x, int y)
{
    return (size_t)y * (size_t)width + (size_t)x;
}

static struct window whole(void)
{
    return (struct window){ 0, 0, width, height };
}

/* Adds one octave of value noise to `field`, a lattice point every `step` pixels. */
static void add_octave(struct window w, double strength, int step)
{
    int across = (w.x1 - w.x0) / step + 2, down = (w.y1 - w.y0) / step + 2;

    for (int i = 0; i < down * across; i++)
        lattice[i] = (float)(strength * between(-1, 1));
    for (int y = 0; y < w.y1 - w.y0; y++) {
        const float *a = &lattice[y / step * across], *b = a + across;
        float *to = &field[at(w.x0, w.y0 + y)], v = (float)(y % step) / (float)step;

        v = v * v * (3 - 2 * v);
        for (int x = 0; x < w.x1 - w.x0; x++) {
            int j = x / step;
            float u = (float)(x % step) / (float)step;
            float top, low;

            u = u * u * (3 - 2 * u);
            top = a[j] + u * (a[j + 1] - a[j]);
            low = b[j] + u * (b[j + 1] - b[j]);
            to[x] += top + v * (low - top);
        }
    }
}

/* Fractal noise in `field`: each finer octave weaker by `fade`. */
static void make_field(struct window w, double strength, int coarsest, int finest, double fade)
{
    for (int y = w.y0; y < w.y1; y++)
        memset(&field[at(w.x0, y)], 0, (size_t)(w.x1 - w.x0) * sizeof *field);
    for (int step = coarsest; step >= finest; step /= 2, strength *= fade)
        add_octave(w, strength, step);
}

static void add_field(int band)
{
    size_t n = at(0, height);

    for (size_t i = 0; i < n; i++)
        colour[band][i] += field[i];
}

static void paint_ground(void)
{
    double fade = between(size->fade_lo, size->fade_hi), strength = between(40, 60);

    for (int c = 0; c < 3; c++) {
        double top = between(60, 200), low = between(40, 180);

        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                colour[c][at(x, y)] = (float)(top + (low - top) * y / height);
    }
    make_field(whole(), strength, size->coarsest, size->finest, fade);
    for (int c = 0; c < 3; c++)
        add_field(c);
    for (int c = 0; c < 3; c += 2) {
        make_field(whole(), strength * 0.5, size->coarsest, 8 * size->finest, 0.55);
        add_field(c);
    }
}

/* A wobbling ring inside the frame, its corners with two decimals. */
static struct object make_object(bool crowd)
{
    struct object o = { .x0 = width, .y0 = height, .crowd = crowd };
    double r = exp(between(log(size->radius_lo), log(size->radius_hi))), flat = between(0.5, 1);
    double cx = between(r, width - r), cy = between(r, height - r);
    double a2 = between(0, 0.2), a3 = between(0, 0.15), p2 = between(0, 6.3), p3 = between(0, 6.3);

    o.category = 1 + (int)(next() % 8);
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

static struct window window_of(const struct object *o)
{
    return (struct window){ (int)fmax(0, floor(o->x0)), (int)fmax(0, floor(o->y0)),
                            (int)fmin(width, ceil(o->x1)), (int)fmin(height, ceil(o->y1)) };
}

/* Sets `inside`, within the object's window, to the pixels whose centres are in the object. */
static void find_inside(const struct object *o)
{
    struct window w = window_of(o);

    for (int y = w.y0; y < w.y1; y++) {
        double middle = y + 0.5, x[POINTS];
        size_t n = 0;

        for (int i = 0; i < POINTS; i++) {
            int k = (i + 1) % POINTS;

            if ((o->y[i] <= middle) != (o->y[k] <= middle))
                x[n++] = o->x[i] + (o->x[k] - o->x[i]) * (middle - o->y[i]) / (o->y[k] - o->y[i]);
        }
        qsort(x, n, sizeof *x, by_value);
        memset(&inside[at(w.x0, y)], 0, (size_t)(w.x1 - w.x0));
        for (size_t i = 0; i + 1 < n; i += 2)
            for (int k = (int)fmax(w.x0, ceil(x[i] - 0.5)); k < w.x1 && k + 0.5 < x[i + 1]; k++)
                inside[at(k, y)] = 1;
    }
}

static void paint_object(const struct object *o)
{
    struct window w = window_of(o);
    double from[3], to[3], across = 0.5 * (o->x1 - o->x0) + o->y1 - o->y0;

    find_inside(o);
    make_field(w, between(10, 34), size->coarsest / 4, size->finest,
               between(size->fade_lo - 0.07, size->fade_hi - 0.04));
    for (int c = 0; c < 3; c++) {
        from[c] = between(60, 245);
        to[c] = from[c] * between(0.2, 0.7);
    }
    for (int y = w.y0; y < w.y1; y++)
        for (int x = w.x0; x < w.x1; x++)
            for (int c = 0; c < 3 && inside[at(x, y)]; c++) {
                double t = (y + 0.5 - o->y0 + 0.5 * (x - o->x0)) / across;

                colour[c][at(x, y)] = (float)(from[c] + (to[c] - from[c]) * t) + field[at(x, y)];
            }
}

/* A lens's softness (1 2 1 across), a sensor's noise, and bytes. */
static void develop(double noise)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double grain = noise * (unit() + unit() - 1);
            int left = x ? x - 1 : x, right = x + 1 < width ? x + 1 : x;

            for (int c = 0; c < 3; c++) {
                const float *row = &colour[c][at(0, y)];
                double v = 0.25 * row[left] + 0.5 * row[x] + 0.25 * row[right] + grain;

                pixels[at(x, y) * 3 + (size_t)c] = (uint8_t)fmin(255, fmax(0, v + 0.5));
            }
        }
}

static void write_jpeg(const char *path, bool full_colour)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr error;
    FILE *f = fopen(path, "wb");

    if (!f)
        die(path);
    jpeg.err = jpeg_std_error(&error);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, f);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 95, TRUE);
    if (full_colour)
        jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = pixels + at(0, (int)jpeg.next_scanline) * 3;

        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    if (fclose(f))
        die(path);
}

/* Writes one run in the string format of the COCO API: five bits per character. */
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

/* The object's pixels as compressed run lengths; their number, and their bounds. */
static double put_rle(FILE *f, const struct object *o, struct window *bounds)
{
    struct window w = window_of(o);
    int64_t before = 0, last = 0, run = 0;
    double area = 0;
    int n = 0, total = width * height;
    bool now = false;

    *bounds = (struct window){ width, height, 0, 0 };
    fputs("\"segmentation\": {\"counts\": \"", f);
    for (int i = 0; i <= total; i++) {
        int x = i / height, y = i % height;
        bool set = i < total && x >= w.x0 && x < w.x1 && y >= w.y0 && y < w.y1 && inside[at(x, y)];

        if (set) {
            area++;
            bounds->x0 = x < bounds->x0 ? x : bounds->x0;
            bounds->y0 = y < bounds->y0 ? y : bounds->y0;
            bounds->x1 = x + 1 > bounds->x1 ? x + 1 : bounds->x1;
            bounds->y1 = y + 1 > bounds->y1 ? y + 1 : bounds->y1;
        }
        if (set != now || i == total) {
            put_run(f, run - (n > 2 ? before : 0));
            n++;
            before = last;
            last = run;
            run = 0;
            now = set;
        }
        run++;
    }
    fprintf(f, "\", \"size\": [%d, %d]}, ", height, width);
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
    struct window box;
    double area;

    fprintf(f, "%s{", id > 1 ? ",\n" : "");
    if (o->crowd) {
        find_inside(o);
        area = put_rle(f, o, &box);
        fprintf(f, "\"bbox\": [%d, %d, %d, %d], ", box.x0, box.y0, box.x1 - box.x0,
                box.y1 - box.y0);
    } else {
        area = put_polygon(f, o);
        fprintf(f, "\"bbox\": [%.2f, %.2f, %.2f, %.2f], ", o->x0, o->y0, o->x1 - o->x0,
                o->y1 - o->y0);
    }
    fprintf(f,
            "\"area\": %.5f, \"iscrowd\": %d, \"image_id\": %d, \"category_id\": %d, \"id\": %d}",
            area, o->crowd, image, o->category, id);
}

/* COCO files over the same images: with some objects in each, and with so many of them. */
enum { NONE, FEW, TWENTY, MANY, BOOKS };
static const char *const book_names[BOOKS] = {
    [NONE] = "annotations-0.json",
    [FEW] = "annotations.json",
    [TWENTY] = "annotations-20.json",
    [MANY] = "annotations-200.json",
};
struct books {
    FILE *file[BOOKS];
    int n[BOOKS];
};

/* Makes picture `image` as picture `like` is, and writes its annotations. */
static void make_picture(const char *path, const char *path_like, struct books *b, int image,
                         int like)
{
    struct object object[OBJECTS_MAX];
    int n;

    state = (uint64_t)like * 0x2545f4914f6cdd1du;
    n = 3 + (int)(next() % 9);
    for (int i = 0; i < OBJECTS_MAX; i++)
        object[i] = make_object(next() % CROWD_EVERY == 0);
    for (int i = 0; i < n; i++)
        put_object(b->file[FEW], &object[i], image, ++b->n[FEW]);
    for (int i = 0; i < OBJECTS_MAX; i++)
        put_object(b->file[TWENTY], &object[i], image, ++b->n[TWENTY]);
    for (int i = 0; i < 10 * OBJECTS_MAX; i++)
        put_object(b->file[MANY], &object[i % OBJECTS_MAX], image, ++b->n[MANY]);
    if (like != image) {
        unlink(path);
        if (link(path_like, path))
            die(path);
        return;
    }
    paint_ground();
    for (int i = 0; i < n; i++)
        paint_object(&object[i]);
    develop(between(size->grain_lo, size->grain_hi));
    unlink(path);
    write_jpeg(path, image % 5 == 0);
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) && errno != EEXIST)
        die(path);
}

static FILE *open_book(const char *folder, const char *name, int n)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "wb");
    if (!f)
        die(path);
    fputs("{\n\"info\": {\"description\": \"bench corpus\"},\n\"categories\": [\n", f);
    for (int i = 1; i <= 8; i++)
        fprintf(f, "{\"supercategory\": \"blob\", \"id\": %d, \"name\": \"blob %d\"}%s\n", i, i,
                i < 8 ? "," : "");
    fputs("],\n\"images\": [\n", f);
    for (int i = 1; i <= n; i++)
        fprintf(f, "{\"file_name\": \"%06d.jpg\", \"height\": %d, \"width\": %d, \"id\": %d}%s\n",
                i, height, width, i, i < n ? "," : "");
    fputs("],\n\"annotations\": [\n", f);
    return f;
}

static void close_book(FILE *f)
{
    fputs("\n]\n}\n", f);
    if (fclose(f))
        die("annotations");
}

static void *take(size_t n, size_t each)
{
    void *p = calloc(n, each);

    if (!p)
        die("memory");
    return p;
}

static bool choose_size(const char *name)
{
    for (int i = 0; i < SIZE_COUNT; i++)
        if (strcmp(SIZES[i].name, name) == 0)
            size = &SIZES[i];
    if (!size)
        return false;
    width = size->width;
    height = size->height;
    for (int c = 0; c < 3; c++)
        colour[c] = take(at(0, height), sizeof *colour[c]);
    field = take(at(0, height), sizeof *field);
    lattice = take((size_t)(width + 2) * (size_t)(height + 2), sizeof *lattice);
    inside = take(at(0, height), 1);
    pixels = take(at(0, height), 3);
    return true;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 0, distinct = argc > 4 ? atoi(argv[4]) : n;
    char path[4096], path_like[4096];
    struct books books = { 0 };

    if (argc < 3 || argc > 5 || n < 1 || distinct < 1 ||
        !choose_size(argc > 3 ? argv[3] : "small")) {
        fprintf(stderr, "usage: make_corpus DIR N [small|large [DISTINCT]]\n");
        return 2;
    }
    make_folder(argv[1]);
    snprintf(path, sizeof path, "%s/images", argv[1]);
    make_folder(path);
    for (int i = 0; i < BOOKS; i++)
        books.file[i] = open_book(argv[1], book_names[i], n);
    for (int i = 1; i <= n; i++) {
        int like = (i - 1) % distinct + 1;

        snprintf(path, sizeof path, "%s/images/%06d.jpg", argv[1], i);
        snprintf(path_like, sizeof path_like, "%s/images/%06d.jpg", argv[1], like);
        make_picture(path, path_like, &books, i, like);
    }
    for (int i = 0; i < BOOKS; i++)
        close_book(books.file[i]);
    return 0;
}
