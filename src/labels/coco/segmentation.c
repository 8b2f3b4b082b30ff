/* segmentation: outlines as COCO's JSON has them, to an object and back. */
#include "labels/coco/segmentation.h"

#include "base/number.h"
#include "json/members.h"

#include <limits.h>
#include <string.h>

/* --- reading --- */

static bool set_fault(struct segmentation_fault *f, const char *code, struct slice at,
                      const char *what)
{
    *f = (struct segmentation_fault){ code, what, at };
    return false;
}

_Static_assert(sizeof(struct point) == 2 * sizeof(double), "a ring's numbers are its points");

/* The value that begins here, for a fault. */
static struct slice value_at(const struct scan *s, size_t at)
{
    struct scan again = scan_start(s->text, at);
    struct slice value = { s->text.at + at, 1 };

    scan_value(&again, &value);
    return value;
}

static bool read_ring(struct scan *s, struct arena *arena, struct ring *ring,
                      struct segmentation_fault *f)
{
    size_t start = s->at, n;
    double *numbers;

    if (!pick_numbers(s, LARGEST_COORDINATE, arena, &numbers, &n))
        return set_fault(f, "coco-polygon", value_at(s, start),
                         "a polygon must be a list of numbers, none above 1e7 in magnitude");
    if (n == 4)
        return set_fault(
            f, "coco-polygon", value_at(s, start),
            "four numbers may be two points, or a box as pycocotools takes them; give the "
            "corners of what is meant");
    if (n < 6 || n % 2)
        return set_fault(f, "coco-polygon", value_at(s, start),
                         "a polygon must have an even number of coordinates, at least 6");
    ring->n = n / 2;
    ring->at = (struct point *)(void *)numbers; /* x and y, and nothing else */
    return true;
}

/* Returns an upper bound for the number of rings in the rest of a list. */
static size_t count_brackets(struct slice list)
{
    const char *at = list.at, *end = list.at + list.length;
    size_t n = 0;

    while ((at = memchr(at, '[', (size_t)(end - at)))) {
        n++;
        at++;
    }
    return n;
}

/* Reads the rings after the first; most outlines have none. */
static bool read_more(struct scan *s, struct arena *arena, struct rings *rings,
                      struct segmentation_fault *f)
{
    struct slice left = { s->text.at + s->at, s->text.length - s->at };
    struct ring ring = *rings->ring;
    bool first = false;

    rings->ring = ARENA_ARRAY(arena, struct ring, 1 + count_brackets(left));
    rings->ring[0] = ring;
    do {
        if (!read_ring(s, arena, &ring, f))
            return false;
        rings->ring[rings->n++] = ring;
    } while (scan_element(s, &first));
    return !s->code;
}

/* A list of rings. */
static bool read_polygons(struct slice text, struct arena *arena, struct object *o,
                          struct segmentation_fault *f)
{
    struct scan s = scan_start(text, 0);
    bool first = true;

    scan_open(&s, '[');
    if (!scan_element(&s, &first))
        return true;
    o->segmentation = SEGMENTATION_POLYGONS;
    o->rings.n = 1;
    o->rings.ring = ARENA_NEW(arena, struct ring);
    return read_ring(&s, arena, o->rings.ring, f) &&
           (scan_element(&s, &first) ? read_more(&s, arena, &o->rings, f) : !s.code);
}

/* [height, width] */
static bool read_size(struct slice text, struct rle *rle)
{
    struct scan s = scan_start(text, 0);
    int64_t side[2] = { 0, 0 };
    bool first = true;
    size_t n = 0;

    if (scan_peek(&s) != '[')
        return false;
    scan_open(&s, '[');
    while (scan_element(&s, &first))
        if (n == 2 || !scan_integer(&s, &side[n++]))
            return false;
    if (n != 2 || side[0] < 1 || side[1] < 1 || side[0] > INT_MAX || side[1] > INT_MAX)
        return false;
    rle->height = (int)side[0];
    rle->width = (int)side[1];
    return true;
}

/* Integers as such: no 5.0, no 5e0. */
static bool read_runs(struct slice text, struct arena *arena, struct rle *rle)
{
    struct scan s = scan_start(text, 0);
    double *numbers;

    if (memchr(text.at, '.', text.length) || memchr(text.at, 'e', text.length) ||
        memchr(text.at, 'E', text.length) ||
        !pick_numbers(&s, UINT32_MAX, arena, &numbers, &rle->n))
        return false;
    rle->run = ARENA_ARRAY(arena, uint32_t, rle->n);
    for (size_t i = 0; i < rle->n; i++) {
        if (numbers[i] < 0)
            return false;
        rle->run[i] = (uint32_t)numbers[i];
    }
    if (!rle_is_valid(rle))
        return false;
    *rle = rle_canonical(arena, rle);
    return true;
}

static bool read_counts(struct slice text, struct arena *arena, struct rle *rle)
{
    struct slice counts;

    if (*text.at == '[')
        return read_runs(text, arena, rle);
    if (*text.at != '"')
        return false;
    counts = scan_unescape(arena, (struct slice){ text.at + 1, text.length - 2 });
    return rle_from_string(arena, counts, rle->height, rle->width, rle);
}

static bool read_rle(struct slice text, struct frame frame, struct arena *arena, struct object *o,
                     struct segmentation_fault *f)
{
    struct slice size = pick_again(text, "size"), counts = pick_again(text, "counts");

    if (size.at == text.at || counts.at == text.at)
        return set_fault(f, "coco-rle", text, "RLE must have the keys \"size\" and \"counts\"");
    if (!read_size(size, &o->rle))
        return set_fault(f, "coco-rle", size, "expected the height and width of the image");
    if (frame.width && (o->rle.width != frame.width || o->rle.height != frame.height))
        return set_fault(f, "coco-rle", size,
                         o->rle.width == frame.height && o->rle.height == frame.width
                             ? "this is the width and height of the image; COCO has [height, width]"
                             : "this is not the height and width of the image");
    if (!read_counts(counts, arena, &o->rle))
        return set_fault(f, "coco-rle", counts,
                         "expected RLE counts that sum to height x width, as a list or as COCO's "
                         "compressed string");
    o->segmentation = SEGMENTATION_RLE;
    return true;
}

bool segmentation_read(struct slice text, struct frame frame, struct arena *arena, struct object *o,
                       struct segmentation_fault *f)
{
    switch (*text.at) {
    case 'n':
        return true;
    case '[':
        return read_polygons(text, arena, o, f);
    case '{':
        return read_rle(text, frame, arena, o, f);
    default:
        return set_fault(f, "coco-polygon", text, "expected polygons or RLE");
    }
}

/* --- printing --- */

/* Reserves room for everything at once: outlines are nearly all of the printed text. */
static void print_ring(const struct ring *ring, struct text *out)
{
    char *at = text_room(out, 2 * ring->n * (NUMBER_LONGEST + 2) + NUMBER_ROOM);

    *at++ = '[';
    for (size_t i = 0; i < ring->n; i++) {
        if (i) {
            *at++ = ',';
            *at++ = ' ';
        }
        at = number_put(at, ring->at[i].x);
        *at++ = ',';
        *at++ = ' ';
        at = number_put(at, ring->at[i].y);
    }
    *at++ = ']';
    text_grown(out, at);
}

static void print_polygons(const struct rings *rings, struct text *out)
{
    text_addc(out, '[');
    for (size_t i = 0; i < rings->n; i++) {
        text_adds(out, i ? ", " : "");
        print_ring(&rings->ring[i], out);
    }
    text_addc(out, ']');
}

static void print_size(const struct rle *rle, struct text *out)
{
    text_addf(out, "[%d, %d]", rle->height, rle->width);
}

static void print_compressed(const struct rle *rle, struct text *out)
{
    struct arena scratch = { 0 };
    const char *counts = rle_to_string(&scratch, rle);

    text_add_json(out, counts, strlen(counts));
    arena_drop(&scratch);
}

static void print_runs(const struct rle *rle, struct text *out)
{
    text_addc(out, '[');
    for (size_t i = 0; i < rle->n; i++) {
        if (i)
            text_adds(out, ", ");
        number_print(out, rle->run[i]);
    }
    text_addc(out, ']');
}

static bool print_rle_member(void *context, struct slice name, struct slice value, struct text *out)
{
    const struct rle *rle = context;

    if (scan_equals(name, "size"))
        print_size(rle, out);
    else if (!scan_equals(name, "counts"))
        return false;
    else if (*value.at == '[')
        print_runs(rle, out);
    else
        print_compressed(rle, out);
    return true;
}

static void print_rle(const struct rle *rle, struct slice source, struct text *out)
{
    struct rle copy = *rle;

    text_addc(out, '{');
    if (*source.at == '{') {
        pick_print(source, out, print_rle_member, &copy);
    } else {
        text_adds(out, "\"size\": ");
        print_size(rle, out);
        text_adds(out, ", \"counts\": ");
        print_compressed(rle, out);
    }
    text_addc(out, '}');
}

void segmentation_print(const struct object *o, struct slice source, struct text *out)
{
    switch (o->segmentation) {
    case SEGMENTATION_NONE:
        text_adds(out, *source.at == 'n' ? "null" : "[]");
        break;
    case SEGMENTATION_POLYGONS:
        print_polygons(&o->rings, out);
        break;
    case SEGMENTATION_RLE:
        print_rle(&o->rle, source, out);
        break;
    }
}
