/* segmentation_repair: outlines as exporters write them, to outlines as COCO has them. */
#include "labels/coco/segmentation.h"

#include "base/number.h"
#include "labels/coco/dialect.h"
#include "json/members.h"

#include <math.h>
#include <string.h>

/* --- what four numbers mean --- */

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1;
}

/* A polygon of four numbers is a box for pycocotools, two points for who wrote it, or a mistake.
 * The annotation's own box tells: it is the numbers themselves, or it lies around the two points.
 */
static unsigned judge_four(const double v[4], struct slice box)
{
    double b[4];

    if (!pick_four(box, b))
        return 0;
    if (memcmp(v, b, sizeof b) == 0)
        return DEVIATION(BOX_POLYGON);
    if (is_near(fmin(v[0], v[2]), b[0]) && is_near(fmin(v[1], v[3]), b[1]) &&
        is_near(fabs(v[2] - v[0]), b[2]) && is_near(fabs(v[3] - v[1]), b[3]))
        return DEVIATION(SHORT_POLYGON);
    return 0;
}

/* --- looking: nearly all segmentations of nearly all files have nothing to mend --- */

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return p;
}

/* Numbers in a list of them, at most `most`. */
static size_t count_numbers(struct slice list, size_t max)
{
    const char *end = list.at + list.length, *p = skip_space(list.at + 1, end);
    size_t n = 1;

    if (p < end && *p == ']')
        return 0;
    while (n < max && (p = memchr(p, ',', (size_t)(end - p)))) {
        n++;
        p++;
    }
    return n;
}

/* The two numbers at the beginning of a list, with what is between them. */
static struct slice first_two(struct slice list)
{
    const char *end = list.at + list.length, *at = skip_space(list.at + 1, end);
    const char *comma = memchr(at, ',', (size_t)(end - at));
    const char *past = comma ? memchr(comma + 1, ',', (size_t)(end - comma - 1)) : NULL;

    return (struct slice){ at, past ? (size_t)(past - at) : 0 };
}

static bool is_closed(struct slice list)
{
    struct slice begin = first_two(list);
    const char *past = list.at + list.length - 1; /* at the bracket */

    while (past > list.at && skip_space(past - 1, past) == past)
        past--;
    return begin.length && (size_t)(past - list.at) > 2 * begin.length &&
           memcmp(past - begin.length, begin.at, begin.length) == 0 &&
           !strchr("-.0123456789eE", past[-1 - (ptrdiff_t)begin.length]);
}

/* [x, y] */
static bool is_pair(struct slice value)
{
    return *value.at == '[' && *skip_space(value.at + 1, value.at + value.length) != '[' &&
           count_numbers(value, 3) == 2;
}

/* Pairs in a list; 0 when it holds something else, too. */
static size_t count_pairs(struct slice list)
{
    struct scan s = scan_start(list, 0);
    struct slice child;
    bool first = true;
    size_t n = 0;

    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &child)) {
        if (!is_pair(child))
            return 0;
        n++;
    }
    return n;
}

/* Around "size", "counts" and a compressed string. */
enum { PLAIN_RLE_QUOTES = 6 };

/* More numbers than this need not be counted: four are no box, and six may be closed by two. */
enum { ENOUGH_NUMBERS = 8 };

/* Notes deviations of one polygon, a list of numbers or pairs: n, as far as they are counted. */
static unsigned look_at_ring(struct slice ring, size_t n, struct slice box)
{
    size_t pairs;
    double v[4];

    if (*skip_space(ring.at + 1, ring.at + ring.length) == '[') {
        pairs = count_pairs(ring);
        return (pairs ? DEVIATION(PAIR_POLYGON) : 0) |
               (pairs && pairs < 3 ? DEVIATION(SHORT_POLYGON) : 0);
    }
    if (n == 0 || n == 2)
        return DEVIATION(SHORT_POLYGON);
    if (n == 4)
        return pick_four(ring, v) ? judge_four(v, box) : 0;
    return n >= ENOUGH_NUMBERS && is_closed(ring) ? DEVIATION(CLOSED_POLYGON) : 0;
}

static unsigned look_at_each(struct slice text, struct slice box)
{
    struct scan s = scan_start(text, 0);
    struct slice ring;
    bool first = true;
    unsigned set = 0;

    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &ring))
        set |= look_at_ring(ring, count_numbers(ring, ENOUGH_NUMBERS), box);
    return set;
}

/* Adds the deviations of a list's integers; false if it is not a list of integers. */
static bool look_at_whole(struct slice list, unsigned *set)
{
    struct scan s = scan_start(list, 0);
    struct slice value;
    bool first = true;
    int64_t number;

    if (!scan_open(&s, '['))
        return false;
    while (scan_element(&s, &first) && scan_value(&s, &value))
        if (!whole_read(value, &number, set))
            return false;
    return !s.code;
}

/* Nearly all RLE is written by pycocotools: there is no point in it, and one string. */
static bool is_plain_rle(struct slice text)
{
    const char *counts = memchr(text.at, '"', text.length);
    size_t quotes = 0;

    if (memchr(text.at, '.', text.length))
        return false;
    for (; counts; quotes++)
        counts = memchr(counts + 1, '"', (size_t)(text.at + text.length - counts - 1));
    return quotes <= PLAIN_RLE_QUOTES;
}

static unsigned look_at_rle(struct slice text)
{
    struct slice size, counts;
    unsigned set = 0;

    if (is_plain_rle(text))
        return 0;
    size = pick_again(text, "size");
    counts = pick_again(text, "counts");
    if (size.at == text.at || counts.at == text.at || !look_at_whole(size, &set) ||
        (*counts.at == '[' && !look_at_whole(counts, &set)))
        return 0;
    return set;
}

unsigned segmentation_deviations(struct slice text, struct slice box)
{
    const char *end = text.at + text.length, *p = skip_space(text.at + 1, end), *past;
    size_t rings = 0, points = 0, n;
    struct slice ring;
    unsigned set = 0;

    if (*text.at == '{')
        return look_at_rle(text);
    if (*text.at != '[')
        return 0;
    if (*p == ']')
        return DEVIATION(EMPTY_SEGMENTATION);
    if (*p != '[')
        return DEVIATION(FLAT_POLYGON) |
               look_at_ring(text, count_numbers(text, ENOUGH_NUMBERS), box);
    for (; p < end && *p == '['; rings++) {
        if (*skip_space(p + 1, end) == '[')
            return look_at_each(text, box);
        past = (const char *)memchr(p, ']', (size_t)(end - p)) + 1;
        ring = (struct slice){ p, (size_t)(past - p) };
        n = count_numbers(ring, ENOUGH_NUMBERS);
        points += n == 2;
        set |= look_at_ring(ring, n, box);
        p = skip_space(past, end);
        p = p < end && *p == ',' ? skip_space(p + 1, end) : end;
    }
    return points == rings && points >= 3 ? DEVIATION(PAIR_POLYGON) : set;
}

/* --- mending --- */

/* Appends the content of a list, with pairs [x, y] without their brackets. Anything other than
 * numbers and pairs is copied, so that the reader rejects it. */
static void add_numbers(struct slice list, struct text *out)
{
    struct scan s = scan_start(list, 0);
    struct slice child;
    bool first = true;
    size_t n = 0;

    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &child)) {
        bool pair = is_pair(child);

        if (n)
            text_adds(out, ", ");
        text_add(out, child.at + pair, child.length - 2 * pair);
        n++;
    }
}

static void add_corners(const double b[4], struct text *out)
{
    const double corner[] = { b[0],        b[1],        b[0] + b[2], b[1],
                              b[0] + b[2], b[1] + b[3], b[0],        b[1] + b[3] };

    for (size_t i = 0; i < COUNTOF(corner); i++) {
        text_adds(out, i ? ", " : "");
        number_print(out, corner[i]);
    }
}

/* Appends a polygon that is not dropped, after the previous ones. */
static void add_ring(struct slice ring, struct slice box, struct text *out)
{
    struct text numbers = { 0 };
    unsigned set = look_at_ring(ring, count_numbers(ring, ENOUGH_NUMBERS), box);
    double v[4];

    add_numbers(ring, &numbers);
    if (!(set & DEVIATION(SHORT_POLYGON))) {
        text_adds(out, out->at[out->length - 1] == '[' ? "[" : ", [");
        if (set & DEVIATION(BOX_POLYGON) && pick_four(ring, v))
            add_corners(v, out);
        else
            text_add(out, numbers.at, numbers.length);
        text_addc(out, ']');
    }
    text_drop(&numbers);
}

/* True if the list is a single polygon, of numbers or of pairs. */
static bool is_one_ring(struct slice list)
{
    return *skip_space(list.at + 1, list.at + list.length) != '[' || count_pairs(list) >= 3;
}

/* Appends a list of integers, as COCO has them. */
static void add_whole(struct slice list, struct text *out)
{
    struct scan s = scan_start(list, 0);
    struct slice value;
    bool first = true;
    unsigned set = 0;
    int64_t number;
    size_t n = 0;

    text_addc(out, '[');
    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &value) && whole_read(value, &number, &set)) {
        text_adds(out, n++ ? ", " : "");
        text_add_integer(out, number);
    }
    text_addc(out, ']');
}

static bool repair_rle_member(void *context, struct slice name, struct slice value,
                              struct text *out)
{
    (void)context;
    if (*value.at != '[' || (!scan_equals(name, "size") && !scan_equals(name, "counts")))
        return false;
    add_whole(value, out);
    return true;
}

void segmentation_repair(struct slice text, struct slice box, struct text *out)
{
    struct scan s = scan_start(text, 0);
    struct slice ring;
    bool first = true;

    if (*text.at == '{') {
        text_addc(out, '{');
        pick_print(text, out, repair_rle_member, NULL);
        text_addc(out, '}');
        return;
    }
    if (*text.at != '[') {
        text_add(out, text.at, text.length);
        return;
    }
    text_addc(out, '[');
    if (is_one_ring(text)) {
        add_ring(text, box, out);
    } else {
        scan_open(&s, '[');
        while (scan_element(&s, &first) && scan_value(&s, &ring))
            add_ring(ring, box, out);
    }
    text_addc(out, ']');
}
