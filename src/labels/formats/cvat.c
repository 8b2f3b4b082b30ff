/* cvat: CVAT's XML, for images and for video; read as COCO, as CVAT's own export to COCO does.
 *
 * Boxes stay boxes; turned boxes and ellipses become polygons, and masks become run-length masks.
 * Points, lines, cuboids, skeletons and tags have no place. Attributes become members of
 * "attributes". A shape of a track that is outside its frame is no object. */
#include "labels/shared/expat.h"
#include "labels/shared/translation.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_DEPTH = 16, MAX_MASK_PIXELS = 1 << 28 };

/* A shape that is read, until its element ends. */
struct shape {
    char *label; /* NULL: there is none */
    size_t offset, image;
    struct text geometry; /* members of the annotation; empty: it is left out */
    struct text attributes;
};

struct frame_image {
    long frame;
    size_t image;
};

struct reader {
    const struct expat *lib;
    struct translation *to;
    struct faults *faults;
    struct slice text;
    XML_Parser parser;
    struct arena scratch;        /* for one shape */
    const char *open[MAX_DEPTH]; /* names of the open elements */
    size_t depth, shape_depth;   /* shape_depth: 0: no shape is open */
    struct shape shape;
    struct text content; /* of the innermost element */
    char *attribute;     /* its name, while it is open */
    size_t image;        /* the open image; SIZE_MAX: none */
    char *track;         /* label of the open track */
    struct frame video;  /* the size of its frames */
    struct pile frames;  /* struct frame_image, in the order of numbers */
    bool failed;
};

static bool cvat_is_source(struct slice head)
{
    static const char root[] = "<annotations";
    const char *at = memmem(head.at, head.length, root, sizeof root - 1);
    size_t left = at ? head.length - (size_t)(at - head.at) : 0;
    struct slice rest = { at, left };

    return at && head.length && memchr("<\xef \t\r\n", head.at[0], 6) &&
           (memmem(rest.at, left, "<image ", 7) || memmem(rest.at, left, "<track ", 7) ||
            memmem(rest.at, left, "<meta>", 6) || memmem(rest.at, left, "<version>", 9));
}

static size_t here(const struct reader *r)
{
    int64_t at = r->lib->BYTE_INDEX(r->parser);

    return at > 0 ? (size_t)at : 0;
}

static void fail(struct reader *r, const char *code, const char *why)
{
    if (!r->failed)
        fault_add(r->faults, here(r), 1, "", code, "%s", why);
    r->failed = true;
    r->lib->XML_StopParser(r->parser, XML_FALSE);
}

static const char *attribute_of(const XML_Char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

static bool read_number(const char *text, double *to)
{
    size_t length = text ? strlen(text) : 0;

    return length && number_scan((struct slice){ text, length }, to) == length &&
           fabs(*to) <= LARGEST_COORDINATE;
}

/* Reads an attribute; a fault if it is not a number. */
static double number_of(struct reader *r, const XML_Char **attributes, const char *name)
{
    const char *value = attribute_of(attributes, name);
    double number = 0;
    struct text why = { 0 };

    if (!read_number(value, &number)) {
        text_addf(&why, "the attribute \"%s\" must be a number, at most 1e7 in magnitude", name);
        fail(r, "cvat-value", text_string(&why));
    }
    text_drop(&why);
    return number;
}

static double optional_number(const XML_Char **attributes, const char *name)
{
    double number = 0;

    return read_number(attribute_of(attributes, name), &number) ? number : 0;
}

/* --- images --- */

static struct frame frame_of(const XML_Char **attributes)
{
    double w = optional_number(attributes, "width"), h = optional_number(attributes, "height");

    return w >= 1 && h >= 1 ? (struct frame){ (int)w, (int)h } : (struct frame){ 0 };
}

/* Images of a project are in folders of their subsets, if the name alone does not find them. */
static const char *image_name(struct reader *r, const char *name, const char *subset)
{
    const struct image_finder *finder = r->to->finder;
    const char *below = subset ? arena_printf(&r->scratch, "%s/%s", subset, name) : name;

    if (!subset || !finder || finder->find(finder->context, name, &r->scratch, NULL))
        return name;
    return finder->find(finder->context, below, &r->scratch, NULL) ? below : name;
}

static void begin_image(struct reader *r, const XML_Char **attributes)
{
    const char *name = attribute_of(attributes, "name");

    if (!name || !*name) {
        fail(r, "cvat-value", "an image must have a name");
        return;
    }
    arena_reset(&r->scratch);
    r->image = translation_add_image(r->to, image_name(r, name, attribute_of(attributes, "subset")),
                                     frame_of(attributes), here(r));
}

/* Returns the image of a video's frame: frame_000012, with the suffix of its file. */
static size_t image_of_frame(struct reader *r, const XML_Char **attributes)
{
    const struct image_finder *finder = r->to->finder;
    long number = lround(number_of(r, attributes, "frame"));
    struct frame_image *all = r->frames.at, *added;
    size_t at = r->frames.n;
    const char *name, *found;

    while (at && all[at - 1].frame > number)
        at--;
    if (at && all[at - 1].frame == number)
        return all[at - 1].image;
    name = arena_printf(&r->scratch, "frame_%06ld", number);
    found = finder ? finder->find(finder->context, name, &r->scratch, NULL) : NULL;
    pile_add(&r->frames, sizeof *added);
    added = (struct frame_image *)r->frames.at + at;
    memmove(added + 1, added, (r->frames.n - 1 - at) * sizeof *added);
    *added = (struct frame_image){
        number,
        translation_add_image(r->to, found ? found : arena_printf(&r->scratch, "%s.PNG", name),
                              r->video, here(r))
    };
    return added->image;
}

/* --- shapes --- */

/* Turns a ring around a point, by degrees, clockwise on the screen. */
static void turn(struct ring *ring, struct point center, double degrees)
{
    double angle = degrees * 3.14159265358979323846 / 180, c = cos(angle), s = sin(angle);

    for (size_t i = 0; i < ring->n; i++) {
        double x = ring->at[i].x - center.x, y = ring->at[i].y - center.y;

        ring->at[i] = (struct point){ center.x + c * x - s * y, center.y + s * x + c * y };
    }
}

static void read_box(struct reader *r, const XML_Char **attributes)
{
    struct box box = { number_of(r, attributes, "xtl"), number_of(r, attributes, "ytl"),
                       number_of(r, attributes, "xbr"), number_of(r, attributes, "ybr") };
    double degrees = optional_number(attributes, "rotation");
    struct ring ring;

    if (box.x1 < box.x0 || box.y1 < box.y0) {
        fail(r, "cvat-value", "the lower right corner of a box is above or left of its upper left");
        return;
    }
    if (degrees == 0) {
        translation_print_box(box, &r->shape.geometry);
        return;
    }
    ring = ring_of_box(&r->scratch, box);
    turn(&ring, (struct point){ (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 }, degrees);
    translation_print_ring(&ring, &r->shape.geometry);
}

static void read_ellipse(struct reader *r, const XML_Char **attributes)
{
    enum { POINTS = 72 };
    struct point center = { number_of(r, attributes, "cx"), number_of(r, attributes, "cy") };
    double rx = number_of(r, attributes, "rx"), ry = number_of(r, attributes, "ry");
    struct ring ring = { ARENA_ARRAY(&r->scratch, struct point, POINTS), POINTS, false };

    for (size_t i = 0; i < POINTS; i++) {
        double angle = 2 * 3.14159265358979323846 * (double)i / POINTS;

        ring.at[i] = (struct point){ center.x + rx * cos(angle), center.y + ry * sin(angle) };
    }
    turn(&ring, center, optional_number(attributes, "rotation"));
    translation_print_ring(&ring, &r->shape.geometry);
}

/* Reads "x,y;x,y;...". */
static bool read_points(struct reader *r, const char *text, struct ring *ring)
{
    size_t room = 1, length = strlen(text), at = 0;

    for (const char *c = text; *c; c++)
        room += *c == ';';
    *ring = (struct ring){ ARENA_ARRAY(&r->scratch, struct point, room), 0, false };
    while (at < length) {
        double v[2];

        for (size_t i = 0; i < 2; i++) {
            size_t n = number_scan((struct slice){ text + at, length - at }, &v[i]);

            at += n;
            if (!n || fabs(v[i]) > LARGEST_COORDINATE || (i == 0 && text[at] != ',') ||
                (i == 1 && text[at] && text[at] != ';'))
                return false;
            at += text[at] != '\0';
        }
        ring->at[ring->n++] = (struct point){ v[0], v[1] };
    }
    return ring->n >= 3;
}

static void read_polygon(struct reader *r, const XML_Char **attributes)
{
    const char *points = attribute_of(attributes, "points");
    struct ring ring;

    if (!points || !read_points(r, points, &ring))
        fail(r, "cvat-value", "a polygon must have points x,y;x,y;..., at least three");
    else
        translation_print_ring(&ring, &r->shape.geometry);
}

/* Paints runs of zeros and ones along the rows of a box. False if they do not fill it. */
static bool paint_runs(const char *runs, uint8_t *pixels, struct frame frame, const int box[4])
{
    int64_t left = (int64_t)box[2] * box[3], at = 0;
    bool one = false;

    while (*runs) {
        char *end;
        long n = strtol(runs, &end, 10);

        if (end == runs || n < 0 || n > left - at)
            return false;
        for (int64_t i = at; one && i < at + n; i++) {
            int64_t x = box[0] + i % box[2], y = box[1] + i / box[2];

            if (x >= 0 && y >= 0 && x < frame.width && y < frame.height)
                pixels[y * frame.width + x] = 1;
        }
        at += n;
        one = !one;
        runs = end + strspn(end, ", ");
    }
    return at <= left;
}

static void print_mask(struct reader *r, const uint8_t *pixels, struct frame frame)
{
    struct rle rle = rle_from_bitmap(&r->scratch, pixels, (size_t)frame.width, frame);
    struct box b = rle_bounds(&rle);
    struct text *out = &r->shape.geometry;

    text_addf(out, "\"bbox\": [%d, %d, %d, %d], \"area\": ", (int)b.x0, (int)b.y0,
              (int)(b.x1 - b.x0), (int)(b.y1 - b.y0));
    text_add_integer(out, (int64_t)rle_area(&rle));
    text_addf(out,
              ", \"iscrowd\": 0, \"segmentation\": {\"size\": [%d, %d], \"counts\": ", frame.height,
              frame.width);
    text_add_json(out, rle_to_string(&r->scratch, &rle), strlen(rle_to_string(&r->scratch, &rle)));
    text_addc(out, '}');
}

static void read_mask(struct reader *r, const XML_Char **attributes)
{
    static const char *const sides[] = { "left", "top", "width", "height" };
    const char *runs = attribute_of(attributes, "rle");
    struct frame frame;
    uint8_t *pixels;
    int box[4];

    for (size_t i = 0; i < 4; i++)
        box[i] = (int)number_of(r, attributes, sides[i]);
    translation_image_name(r->to, r->shape.image, &frame);
    if (r->failed)
        return;
    if (!runs || box[2] < 1 || box[3] < 1 || !frame.width ||
        (int64_t)frame.width * frame.height > MAX_MASK_PIXELS) {
        fail(r, "cvat-value",
             "a mask must have runs and a box with pixels, and its image must have a size");
        return;
    }
    pixels = arena_take(&r->scratch, (size_t)frame.width * (size_t)frame.height);
    if (paint_runs(runs, pixels, frame, box))
        print_mask(r, pixels, frame);
    else
        fail(r, "cvat-value", "the runs of a mask must be numbers that fit its box");
}

/* --- elements --- */

static const struct {
    const char *name;
    void (*read)(struct reader *, const XML_Char **attributes); /* NULL: COCO has no place for it */
    const char *omitted;
} shapes[] = { { "box", read_box, NULL },           { "polygon", read_polygon, NULL },
               { "ellipse", read_ellipse, NULL },   { "mask", read_mask, NULL },
               { "polyline", NULL, "polyline{s}" }, { "points", NULL, "set{s} of points" },
               { "cuboid", NULL, "cuboid{s}" },     { "skeleton", NULL, "skeleton{s}" },
               { "tag", NULL, "tag{s} of images" } };

static bool is_true(const char *value)
{
    return value && strcmp(value, "1") == 0;
}

/* Begins a shape of the open image or track; false if the element is none. */
static bool begin_shape(struct reader *r, const char *name, const XML_Char **attributes)
{
    const char *label = attribute_of(attributes, "label");
    size_t i = 0;

    while (i < COUNTOF(shapes) && strcmp(shapes[i].name, name) != 0)
        i++;
    if (i == COUNTOF(shapes) || r->shape_depth || (r->image == SIZE_MAX && !r->track))
        return false;
    arena_reset(&r->scratch);
    r->shape_depth = r->depth;
    text_clear(&r->shape.geometry);
    text_clear(&r->shape.attributes);
    if (is_true(attribute_of(attributes, "outside")) && r->track)
        return true;
    if (!shapes[i].read) {
        omissions_add(&r->to->omissions, shapes[i].omitted);
        return true;
    }
    if (r->track)
        label = r->track;
    if (!label || !*label) {
        omissions_add(&r->to->omissions, "shape{s} without a label");
        return true;
    }
    r->shape.offset = here(r);
    r->shape.image = r->image != SIZE_MAX ? r->image : image_of_frame(r, attributes);
    free(r->shape.label);
    r->shape.label = strdup(label);
    shapes[i].read(r, attributes);
    text_addf(&r->shape.attributes, "\"occluded\": %s",
              is_true(attribute_of(attributes, "occluded")) ? "true" : "false");
    return true;
}

static void end_shape(struct reader *r)
{
    if (r->shape.geometry.length && !r->failed) {
        text_addf(&r->shape.geometry, ", \"attributes\": {%s}", text_string(&r->shape.attributes));
        translation_add_object(r->to, r->shape.image, r->shape.label, r->shape.offset,
                               &r->shape.geometry);
    }
    text_clear(&r->shape.geometry);
    r->shape_depth = 0;
}

static bool is_at(const struct reader *r, const char *inner, const char *outer)
{
    return r->depth >= 2 && strcmp(r->open[r->depth - 1], inner) == 0 &&
           strcmp(r->open[r->depth - 2], outer) == 0;
}

static void on_start(void *context, const XML_Char *name, const XML_Char **attributes)
{
    struct reader *r = context;

    if (r->failed)
        return;
    if (r->depth == MAX_DEPTH) {
        fail(r, "cvat-syntax", "elements are nested more than 16 levels deep");
        return;
    }
    if (!r->depth && strcmp(name, "annotations") != 0) {
        fail(r, "cvat-syntax", "expected the element annotations, as in CVAT's files");
        return;
    }
    r->open[r->depth++] = arena_copy(r->to->arena, name, strlen(name));
    text_clear(&r->content);
    if (r->depth == 2 && strcmp(name, "image") == 0) {
        begin_image(r, attributes);
    } else if (r->depth == 2 && strcmp(name, "track") == 0) {
        const char *label = attribute_of(attributes, "label");

        r->track = strdup(label ? label : "");
    } else if (r->depth == 3 && begin_shape(r, name, attributes)) {
        return;
    } else if (r->shape_depth && strcmp(name, "attribute") == 0) {
        const char *of = attribute_of(attributes, "name");

        free(r->attribute);
        r->attribute = of ? strdup(of) : NULL;
    }
}

/* Numbers and flags that the text of an attribute states stay what they are. */
static void end_attribute(struct reader *r)
{
    const char *value = text_string(&r->content);
    struct text *out = &r->shape.attributes;
    double number;

    if (!r->attribute || strcmp(r->attribute, "occluded") == 0)
        return;
    text_adds(out, ", ");
    text_add_json(out, r->attribute, strlen(r->attribute));
    text_adds(out, ": ");
    if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0 || read_number(value, &number))
        text_adds(out, value);
    else
        text_add_json(out, value, r->content.length);
    free(r->attribute);
    r->attribute = NULL;
}

/* Reads the names of labels, and the size of a video's frames. */
static void end_meta(struct reader *r)
{
    double side;

    if (is_at(r, "name", "label") && r->content.length)
        translation_add_class(r->to, text_string(&r->content));
    if (is_at(r, "width", "original_size") && read_number(text_string(&r->content), &side))
        r->video.width = (int)side;
    if (is_at(r, "height", "original_size") && read_number(text_string(&r->content), &side))
        r->video.height = (int)side;
}

static void on_end(void *context, const XML_Char *name)
{
    struct reader *r = context;

    if (r->failed)
        return;
    if (r->shape_depth == r->depth)
        end_shape(r);
    else if (r->shape_depth && strcmp(name, "attribute") == 0)
        end_attribute(r);
    else if (r->depth > 2 && strcmp(r->open[1], "meta") == 0)
        end_meta(r);
    if (r->depth == 2 && strcmp(name, "image") == 0)
        r->image = SIZE_MAX;
    if (r->depth == 2 && strcmp(name, "track") == 0) {
        free(r->track);
        r->track = NULL;
    }
    text_clear(&r->content);
    r->depth--;
}

static void on_text(void *context, const XML_Char *text, int length)
{
    struct reader *r = context;

    text_add(&r->content, text, (size_t)length);
}

static void on_doctype(void *context, const XML_Char *name, const XML_Char *system,
                       const XML_Char *public, int has_internal)
{
    (void)name;
    (void)system;
    (void)public;
    (void)has_internal;
    fail(context, "cvat-syntax",
         "a document type, which could define entities, is not read; remove it");
}

/* --- the file --- */

static void parse(struct reader *r)
{
    enum { PART = 1 << 26 };
    const struct expat *lib = r->lib;
    size_t at = 0;

    r->parser = lib->XML_ParserCreate(NULL);
    if (!r->parser)
        memory_gone(sizeof r->parser);
    lib->XML_SetUserData(r->parser, r);
    lib->XML_SetElementHandler(r->parser, on_start, on_end);
    lib->XML_SetCharacterDataHandler(r->parser, on_text);
    lib->XML_SetStartDoctypeDeclHandler(r->parser, on_doctype);
    do {
        size_t n = r->text.length - at < PART ? r->text.length - at : PART;
        bool last = at + n == r->text.length;

        if (lib->XML_Parse(r->parser, r->text.at + at, (int)n, last) != XML_STATUS_OK) {
            enum XML_Error error = lib->XML_GetErrorCode(r->parser);

            if (error == XML_ERROR_NO_MEMORY)
                memory_gone(r->text.length);
            fail(r, "cvat-syntax", lib->XML_ErrorString(error));
        }
        at += n;
    } while (at < r->text.length && !r->failed);
    lib->XML_ParserFree(r->parser);
}

static bool cvat_translate(struct faults *f, struct translation *t)
{
    struct reader r = { .to = t, .faults = f, .text = f->text, .image = SIZE_MAX };

    r.lib = expat_open(f, "cvat-library");
    if (!r.lib)
        return false;
    parse(&r);
    text_drop(&r.shape.geometry);
    text_drop(&r.shape.attributes);
    text_drop(&r.content);
    free(r.shape.label);
    free(r.attribute);
    free(r.track);
    free(r.frames.at);
    arena_drop(&r.scratch);
    return !r.failed;
}

const struct format cvat_format = {
    .name = "cvat",
    .summary = "CVAT's XML for images and video: boxes, polygons, ellipses, masks; read as COCO",
    .title = "CVAT's XML",
    .is_source = cvat_is_source,
    .translate = cvat_translate,
};
