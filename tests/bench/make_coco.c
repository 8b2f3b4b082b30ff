/* make_coco: an annotation file of the shape of COCO's instances_train2017.json, for measuring.
 *
 * Usage: make_coco FILE [FACTOR]. With the factor 1: 118287 images, 860001 annotations, 1.2 % of
 * them crowds as run lengths, about 480 MB. Names, ids and members are written as COCO writes them;
 * annotations of an image stand anywhere in the file, as there. Equal bytes on every run. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGES = 118287, ANNOTATIONS = 860001, CATEGORIES = 80, MAX_POINTS = 400, WIDEST = 640 };

/* SplitMix64 (Steele, Lea, Flood 2014) at a place of its sequence: any element by itself. */
static uint64_t mix(uint64_t z)
{
    z *= 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t state;

static double between(double lo, double hi)
{
    return lo + (hi - lo) * (double)(mix(++state) >> 11) * 0x1p-53;
}

/* The i-th of n numbers in an order that looks like none. */
static uint64_t shuffled(uint64_t i, uint64_t n)
{
    uint64_t step = n * 5 / 8 + 1, a, b;

    do { /* the next one that has no divisor in common with n */
        step++;
        for (a = step, b = n; b;) {
            uint64_t rest = a % b;

            a = b;
            b = rest;
        }
    } while (a != 1);
    return i * step % n;
}

/* --- numbers without printf: it would take most of the time --- */

static FILE *file;
static char buffer[1 << 16], *put = buffer;

static void flush(void)
{
    if (fwrite(buffer, 1, (size_t)(put - buffer), file) != (size_t)(put - buffer)) {
        fprintf(stderr, "make_coco: %s\n", strerror(errno));
        exit(1);
    }
    put = buffer;
}

static void make_room(void)
{
    if (put > buffer + sizeof buffer - 64)
        flush();
}

static void put_text(const char *text)
{
    for (; *text; text++) {
        make_room();
        *put++ = *text;
    }
}

static void put_whole(uint64_t v)
{
    char digits[20], *at = digits + sizeof digits;

    make_room();
    do
        *--at = (char)('0' + v % 10);
    while (v /= 10);
    memcpy(put, at, (size_t)(digits + sizeof digits - at));
    put += digits + sizeof digits - at;
}

/* Hundredths, with the decimals that are needed and at least one, as Python prints floats. */
static void put_cents(int64_t v)
{
    put_whole((uint64_t)v / 100);
    *put++ = '.';
    *put++ = (char)('0' + v / 10 % 10);
    if (v % 10)
        *put++ = (char)('0' + v % 10);
}

static void put_decimal(double v)
{
    make_room();
    put += snprintf(put, 32, "%.16g", v);
}

/* --- the file --- */

struct image {
    int width, height;
    uint64_t id;
};

static struct image image_of(uint64_t i, uint64_t n)
{
    static const int side[][2] = { { 640, 480 }, { 480, 640 }, { 640, 427 }, { 500, 375 } };
    const int *s = side[mix(i + 77) % 8 < 4 ? 0 : mix(i + 77) % 8 - 4];

    return (struct image){ s[0], s[1], 9 + 4 * shuffled(i, n) + mix(i) % 4 };
}

static void put_image(uint64_t i, uint64_t n)
{
    struct image image = image_of(i, n);
    char text[512];

    snprintf(text, sizeof text,
             "{\"license\": %d,\"file_name\": \"%012llu.jpg\",\"coco_url\": "
             "\"http://images.cocodataset.org/train2017/%012llu.jpg\",\"height\": %d,\"width\": %d,"
             "\"date_captured\": \"2013-11-%02d 11:%02d:45\",\"flickr_url\": "
             "\"http://farm9.staticflickr.com/8186/%d_%010llx_z.jpg\",\"id\": %llu}",
             (int)(mix(i) % 8) + 1, (unsigned long long)image.id, (unsigned long long)image.id,
             image.height, image.width, (int)(mix(i) % 28) + 1, (int)(mix(i) % 60),
             (int)(mix(i) % 1000000000), (unsigned long long)(mix(i) >> 24),
             (unsigned long long)image.id);
    put_text(text);
}

/* Extent and area of an object once its outline is written, as whole numbers of hundredths. */
struct extent {
    int64_t x0, y0, x1, y1;
    double area;
};

static void extend(struct extent *e, int64_t x, int64_t y)
{
    e->x0 = x < e->x0 ? x : e->x0;
    e->y0 = y < e->y0 ? y : e->y0;
    e->x1 = x > e->x1 ? x : e->x1;
    e->y1 = y > e->y1 ? y : e->y1;
}

/* A wobbling ring of n points inside the image. */
static void put_ring(const struct image *image, int n, struct extent *e)
{
    double rx = between(4, image->width / 3.0), ry = between(4, image->height / 3.0);
    double cx = between(rx, image->width - rx), cy = between(ry, image->height - ry);
    int64_t x[MAX_POINTS], y[MAX_POINTS];
    double sum = 0;

    for (int i = 0; i < n; i++) {
        double angle = 6.283185307179586 * i / n, r = between(0.75, 1);

        x[i] = llround(100 * (cx + r * rx * cos(angle)));
        y[i] = llround(100 * (cy + r * ry * sin(angle)));
        extend(e, x[i], y[i]);
        put_text(i ? "," : "[");
        put_cents(x[i]);
        *put++ = ',';
        put_cents(y[i]);
    }
    *put++ = ']';
    for (int i = 0; i < n; i++) {
        int k = (i + 1) % n;

        sum +=
            (double)x[i] / 100 * ((double)y[k] / 100) - (double)x[k] / 100 * ((double)y[i] / 100);
    }
    e->area += fabs(sum) / 2;
}

static void put_polygons(const struct image *image, struct extent *e)
{
    int parts = between(0, 1) < 0.9 ? 1 : 2;

    put_text("[");
    for (int i = 0; i < parts; i++) {
        int n = (int)exp(between(log(4), log(62)));

        if (i)
            put_text(",");
        put_ring(image, n, e);
    }
    put_text("]");
}

/* A crowd: one or two runs in each of many columns. */
static void put_runs(const struct image *image, struct extent *e)
{
    int h = image->height, w = image->width, left = (int)between(0, w / 5.0);
    int64_t before = (int64_t)left * h;
    bool first = true;

    put_text("{\"counts\": [");
    for (int x = left; x < w - left; x++) {
        int bands = between(0, 1) < 0.5 ? 1 : 2, y = 0;

        for (int i = 0; i < bands; i++) {
            int room = h / bands, top = (int)between(1, room / 3.0),
                run = (int)between(1, room / 2.0);

            put_text(first ? "" : ",");
            put_whole((uint64_t)(before + top));
            put_text(",");
            put_whole((uint64_t)run);
            extend(e, 100 * x, 100 * (y + top));
            extend(e, 100 * x + 100, 100 * (y + top + run));
            before = room - top - run;
            y += room;
            e->area += run;
            first = false;
        }
        before += h - y;
    }
    put_text(",");
    put_whole((uint64_t)(before + (int64_t)left * h));
    put_text("],\"size\": [");
    put_whole((uint64_t)h);
    put_text(",");
    put_whole((uint64_t)w);
    put_text("]}");
}

static void put_annotation(uint64_t i, uint64_t n, uint64_t images)
{
    struct image image = image_of(mix(i + 12345) % images, images);
    struct extent e = { INT64_MAX, INT64_MAX, 0, 0, 0 };
    bool crowd;

    state = i << 20;
    crowd = between(0, 1) < 0.012;
    put_text("{\"segmentation\": ");
    if (crowd)
        put_runs(&image, &e);
    else
        put_polygons(&image, &e);
    put_text(",\"area\": ");
    put_decimal(e.area);
    put_text(crowd ? ",\"iscrowd\": 1,\"image_id\": " : ",\"iscrowd\": 0,\"image_id\": ");
    put_whole(image.id);
    put_text(",\"bbox\": [");
    put_cents(e.x0);
    put_text(",");
    put_cents(e.y0);
    put_text(",");
    put_cents(e.x1 - e.x0);
    put_text(",");
    put_cents(e.y1 - e.y0);
    put_text("],\"category_id\": ");
    put_whole(1 + mix(i) % CATEGORIES);
    put_text(",\"id\": ");
    put_whole((crowd ? 900100000000u : 156) + 2 * shuffled(i, n));
    put_text("}");
}

static void put_file(uint64_t images, uint64_t annotations)
{
    char text[128];

    put_text("{\"info\": {\"description\": \"the shape of COCO 2017\",\"url\": "
             "\"http://cocodataset.org\",\"version\": \"1.0\",\"year\": 2017},\"licenses\": "
             "[{\"url\": \"http://creativecommons.org/licenses/by/2.0/\",\"id\": 4,\"name\": "
             "\"Attribution License\"}],\"images\": [");
    for (uint64_t i = 0; i < images; i++) {
        put_text(i ? "," : "");
        put_image(i, images);
    }
    put_text("],\"annotations\": [");
    for (uint64_t i = 0; i < annotations; i++) {
        put_text(i ? "," : "");
        put_annotation(i, annotations, images);
    }
    put_text("],\"categories\": [");
    for (int i = 1; i <= CATEGORIES; i++) {
        snprintf(text, sizeof text,
                 "%s{\"supercategory\": \"thing\",\"id\": %d,\"name\": \"thing %d\"}",
                 i > 1 ? "," : "", i, i);
        put_text(text);
    }
    put_text("]}");
    flush();
}

int main(int argc, char **argv)
{
    double factor = argc > 2 ? atof(argv[2]) : 1;

    if (argc < 2 || argc > 3 || !(factor > 0 && factor <= 1000)) {
        fprintf(stderr, "usage: make_coco FILE [FACTOR]\n");
        return 2;
    }
    file = fopen(argv[1], "wb");
    if (!file) {
        fprintf(stderr, "make_coco: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    put_file((uint64_t)ceil(IMAGES * factor), (uint64_t)ceil(ANNOTATIONS * factor));
    if (fclose(file)) {
        fprintf(stderr, "make_coco: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    return 0;
}
