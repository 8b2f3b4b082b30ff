/* sheet: a contact sheet of chosen images and their copies. */
#include "sheet.h"

#include "../batch/record.h"
#include "sheet_labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MARGIN = 16,     /* around all */
    HEADER = 26,     /* the title's line, with what is below it */
    GAP = 12,        /* between cells of a row */
    ROW_GAP = 12,    /* between rows */
    CAPTION = 46,    /* under a cell: three lines */
    TALLEST_NUM = 4, /* a picture is shown at most 4/3 as high as a cell is wide */
    TALLEST_DEN = 3,
    MOST_SHEET_PIXELS = 100000000,
};

static const struct fill ground = { { 30, 32, 36 } };
static const struct svg_letters title_letters = { .size = 13, .bold = true, .colour = "#f2f2f2" };
static const struct svg_letters key_letters = { .size = 11, .colour = "#c9ccd1" };
static const struct svg_letters name_letters = { .size = 11, .bold = true, .colour = "#f2f2f2" };
static const struct svg_letters size_letters = { .size = 11, .colour = "#c9ccd1" };
static const struct svg_letters note_letters = { .size = 10.5, .colour = "#a4a9b0" };

/* One picture of the sheet. */
struct cell {
    struct frame frame, shown; /* the picture's own, and scaled */
    int x, y;
};

struct layout {
    const struct sheet *sheet;
    struct cell *cells; /* row after row */
    unsigned columns;
    struct frame frame; /* of the sheet */
    bool has_keypoints; /* somewhere */
};

/* A sheet in work. */
struct painting {
    struct layout *layout;
    struct bench bench;
    struct plane canvas; /* RGB, 8 bit */
    struct text svg;     /* to be laid over it at the end */
    size_t row;
};

/* What to do with an output. False when it failed; then the report says why. */
typedef bool output_fn(struct painting *, const struct rendering *, struct report *);

/* Of output k. An original has one branch alone: what its others would take is left out. */
static struct cell *cell_of(const struct layout *l, size_t row, unsigned k)
{
    return &l->cells[row * l->columns + (k ? k + 1 - l->sheet->job->plan->fan : 0)];
}

/* --- the layout --- */

static struct frame frame_fit(struct frame f, int width)
{
    double scale =
        fmin((double)width / f.width, (double)width * TALLEST_NUM / TALLEST_DEN / f.height);

    return (struct frame){ (int)fmax(1, nearbyint(f.width * scale)),
                           (int)fmax(1, nearbyint(f.height * scale)) };
}

static bool measure_output(struct painting *w, const struct rendering *out, struct report *report)
{
    struct cell *cell = cell_of(w->layout, w->row, out->k);

    (void)report;
    cell->frame = out->sample->frame;
    cell->shown = frame_fit(cell->frame, w->layout->sheet->width);
    for (size_t i = 0; i < out->sample->n_objects; i++)
        w->layout->has_keypoints |= out->sample->objects[i].n_keypoints > 0;
    return true;
}

static bool refuse_size(int64_t width, int64_t height, struct text *why)
{
    text_addf(
        why,
        "the sheet would have at least %lld x %lld pixels, more than %d million: choose fewer "
        "images or copies, or a smaller --width [sheet-size]",
        (long long)width, (long long)height, MOST_SHEET_PIXELS / 1000000);
    return false;
}

static int64_t sheet_width(const struct layout *l)
{
    return 2 * MARGIN - GAP + (int64_t)l->columns * (l->sheet->width + GAP);
}

/* Every row is at least as high as its captions: what is too much by that alone is refused before
 * any image is opened. */
static bool check_least(const struct layout *l, struct text *why)
{
    int64_t width = sheet_width(l), most = MOST_SHEET_PIXELS / width;

    if ((int64_t)l->sheet->n_records <= most / (CAPTION + ROW_GAP))
        return true;
    return refuse_size(width, (int64_t)l->sheet->n_records * (CAPTION + ROW_GAP), why);
}

/* Where the cells of a row come to lie; `y` becomes the next row's. */
static void place_row(struct layout *l, size_t row, int64_t *y)
{
    int highest = 0;

    for (unsigned i = 0; i < l->columns; i++) {
        struct cell *cell = &l->cells[row * l->columns + i];

        cell->x = MARGIN + (int)i * (l->sheet->width + GAP);
        cell->y = (int)*y;
        if (cell->shown.height > highest)
            highest = cell->shown.height;
    }
    *y += highest + CAPTION + ROW_GAP;
}

static int paint_row(struct painting *w, bool dry, output_fn *output, struct text *why)
{
    const struct sheet *sheet = w->layout->sheet;
    struct report report = { 0 };
    struct work *work = record_begin(sheet->job, &w->bench, sheet->records[w->row], dry, &report);
    struct rendering out;
    bool good = true;

    while (good && record_next(work, &out))
        good = output(w, &out, &report);
    record_end(work);
    good = good && report.outcome == OUTCOME_DONE;
    if (!good)
        text_adds(why, text_string(&report.why));
    report_drop(&report);
    return good ? EXIT_DONE : EXIT_INPUT;
}

/* From the headers alone: drawing the copies says how large they will be. */
static int measure(struct painting *w, struct text *why)
{
    struct layout *l = w->layout;
    const struct sheet *sheet = l->sheet;
    int64_t width = sheet_width(l), y = MARGIN + HEADER;
    int code = check_least(l, why) ? EXIT_DONE : EXIT_USAGE;

    if (!code)
        l->cells = memory_take(sheet->n_records * l->columns * sizeof *l->cells);
    for (w->row = 0; !code && w->row < sheet->n_records; w->row++) {
        code = paint_row(w, true, measure_output, why);
        if (!code)
            place_row(l, w->row, &y);
        if (!code && y * width > MOST_SHEET_PIXELS && !refuse_size(width, y, why))
            code = EXIT_USAGE;
    }
    l->frame = (struct frame){ (int)width, (int)(y - ROW_GAP + MARGIN) };
    return code;
}

/* --- pixels --- */

static uint8_t *canvas_at(const struct plane *canvas, int x, int y)
{
    return (uint8_t *)canvas->px + (size_t)y * canvas->stride + 3 * (size_t)x;
}

static uint8_t blend(int over, int under, int alpha)
{
    return (uint8_t)((over * alpha + under * (255 - alpha) + 127) / 255);
}

/* Pixels of one to four bands as RGB; what is transparent shows a checkerboard. */
static void paint_plane(struct plane *canvas, const struct cell *cell, const struct plane *p)
{
    bool gray = plane_colours(p) == 1, alpha = p->bands == 2 || p->bands == 4;

    for (int y = 0; y < p->height; y++) {
        const uint8_t *from = (const uint8_t *)p->px + (size_t)y * p->stride;
        uint8_t *to = canvas_at(canvas, cell->x, cell->y + y);

        for (int x = 0; x < p->width; x++, from += p->bands, to += 3) {
            int board = ((x >> 3) + (y >> 3)) % 2 ? 214 : 246;

            for (int b = 0; b < 3; b++)
                to[b] = alpha ? blend(from[gray ? 0 : b], board, from[p->bands - 1])
                              : from[gray ? 0 : b];
        }
    }
}

static void paint_image(struct painting *w, const struct cell *cell, const struct plane *image)
{
    struct pool *pool = &w->bench.pool;
    struct plane small = pool_plane(pool, cell->shown, image->bands, image->type);

    plane_resize(image, &small, TAPS_BILINEAR, true);
    if (small.type != PIXEL_U8) {
        struct plane bytes = pool_plane(pool, cell->shown, image->bands, PIXEL_U8);

        plane_convert(&small, &bytes);
        pool_return(pool, &small);
        small = bytes;
    }
    paint_plane(&w->canvas, cell, &small);
    pool_return(pool, &small);
}

/* As it will be written: over the background that the pipeline asks for, if it does. */
static void paint_made(struct painting *w, const struct cell *cell, const struct plane *made)
{
    const struct colour *background = &w->layout->sheet->job->plan->output.background;
    struct pool *pool = &w->bench.pool;
    struct plane flat;
    struct fill fill;

    if (!background->n || made->bands % 2) {
        paint_image(w, cell, made);
        return;
    }
    fill = background_fill(background, plane_colours(made), made->type);
    flat =
        pool_plane(pool, (struct frame){ made->width, made->height }, made->bands - 1, made->type);
    plane_flatten(made, &fill, &flat);
    paint_image(w, cell, &flat);
    pool_return(pool, &flat);
}

/* The label under a pixel of the cell; 0, as if unlabelled, beside it. */
static unsigned label_at(const struct cell *cell, const struct plane *mask, int x, int y)
{
    const uint8_t *row;

    if (x < 0 || y < 0 || x >= cell->shown.width || y >= cell->shown.height)
        return 0;
    row = (const uint8_t *)mask->px +
          (size_t)resize_index(y, mask->height, cell->shown.height) * mask->stride;
    x = resize_index(x, mask->width, cell->shown.width);
    return mask->type == PIXEL_U8 ? row[x] : ((const uint16_t *)(const void *)row)[x];
}

/* Every label but 0 is a veil of its colour with a firm edge. */
static void paint_mask(struct painting *w, const struct cell *cell, const struct plane *mask)
{
    const unsigned ignored = mask->type == PIXEL_U8 ? 255 : 65535;

    for (int y = 0; y < cell->shown.height; y++)
        for (int x = 0; x < cell->shown.width; x++) {
            unsigned label = label_at(cell, mask, x, y);
            uint8_t *to = canvas_at(&w->canvas, cell->x + x, cell->y + y);
            uint32_t colour = label == ignored ? 0xffffff : sheet_colour(label - 1, 0);
            bool edge = label != label_at(cell, mask, x - 1, y) ||
                        label != label_at(cell, mask, x + 1, y) ||
                        label != label_at(cell, mask, x, y - 1) ||
                        label != label_at(cell, mask, x, y + 1);

            for (int b = 0; label && b < 3; b++)
                to[b] = blend(colour >> (16 - 8 * b) & 0xff, to[b], edge ? 225 : 105);
        }
}

/* --- captions --- */

/* A line of a caption, cut to what is left of the cell's width behind `indent`. */
static void add_line(struct painting *w, const struct cell *cell, int line, double indent,
                     const struct svg_letters *letters, enum svg_cut cut, const char *string)
{
    struct text fitting = { 0 };
    struct point at = { cell->x + indent, cell->y + cell->shown.height + 14 * line };

    svg_letters_fit(letters, string, w->layout->sheet->width - indent, cut, &fitting);
    svg_letters(&w->svg, at, letters, text_string(&fitting));
    text_drop(&fitting);
}

/* "512 x 512, 3 of 5 objects" */
static void describe(const struct sample *s, struct text *out)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->n_objects; i++)
        kept += !s->objects[i].final.dropped;
    text_addf(out, "%d \xc3\x97 %d", s->frame.width, s->frame.height);
    if (kept < s->n_objects)
        text_addf(out, ", %zu of %zu objects", kept, s->n_objects);
    else if (s->n_objects)
        text_addf(out, ", %zu object%s", s->n_objects, s->n_objects > 1 ? "s" : "");
}

/* The names of the drawn ops over two lines, the second one cut to fit. */
static void caption_ops(struct painting *w, const struct cell *cell, const struct drawing *drawing)
{
    struct text line = { 0 };
    double width = w->layout->sheet->width;
    int number = 2;

    for (size_t i = 0; i < drawing->n; i++) {
        const char *name = drawing->at[i].op->name, *comma = i + 1 < drawing->n ? "," : "";
        double length = svg_letters_width(&note_letters, text_string(&line)) +
                        svg_letters_width(&note_letters, name) +
                        svg_letters_width(&note_letters, " ,");

        if (number == 2 && line.length && length > width) {
            add_line(w, cell, number++, 0, &note_letters, SVG_CUT_END, text_string(&line));
            text_clear(&line);
        }
        text_addf(&line, "%s%s%s", line.length ? " " : "", name, comma);
    }
    add_line(w, cell, number, 0, &note_letters, SVG_CUT_END,
             drawing->n ? text_string(&line) : "unchanged");
    text_drop(&line);
}

static void caption(struct painting *w, const struct cell *cell, const struct rendering *out)
{
    struct text name = { 0 }, size = { 0 };
    unsigned fan = w->layout->sheet->job->plan->fan;

    describe(out->sample, &size);
    if (out->k == 0) {
        add_line(w, cell, 1, 0, &name_letters, SVG_CUT_START, out->sample->name);
        add_line(w, cell, 2, 0, &size_letters, SVG_CUT_END, text_string(&size));
    } else {
        text_addf(&name, "copy %u", out->k / fan - 1);
        if (fan > 1)
            text_addf(&name, ".%u", out->k % fan);
        add_line(w, cell, 1, 0, &name_letters, SVG_CUT_END, text_string(&name));
        add_line(w, cell, 1, svg_letters_width(&name_letters, text_string(&name)) + 8,
                 &size_letters, SVG_CUT_END, text_string(&size));
        caption_ops(w, cell, out->drawing);
    }
    text_drop(&name);
    text_drop(&size);
}

/* The title, and what the colours of keypoints mean if there are any. */
static void add_header(struct painting *w)
{
    const struct layout *l = w->layout;
    struct text fitting = { 0 };
    double width = l->frame.width - 2 * MARGIN, key = 0;

    if (l->has_keypoints)
        key = sheet_labels_key_width(&key_letters);
    if (key > 0 && key < width / 2)
        sheet_labels_key((struct point){ l->frame.width - MARGIN - key, MARGIN + 11 }, &key_letters,
                         &w->svg);
    else
        key = 0;
    svg_letters_fit(&title_letters, l->sheet->title, width - key - GAP, SVG_CUT_END, &fitting);
    svg_letters(&w->svg, (struct point){ MARGIN, MARGIN + 11 }, &title_letters,
                text_string(&fitting));
    text_drop(&fitting);
}

/* --- all of it --- */

static bool show_output(struct painting *w, const struct rendering *out, struct report *report)
{
    const struct layout *l = w->layout;
    const struct cell *cell = cell_of(l, w->row, out->k);
    struct view view = { .frame = cell->frame, .id = (unsigned)(cell - l->cells) };
    struct pool *pool = &w->bench.pool;
    struct arena *arena = out->sample->arena;
    struct passes passes = passes_of(out->drawing, OPTIMIZE_EXACT, arena, NULL);
    const struct picture *image = rendering_image(out, NULL);
    struct text why = { 0 };
    struct picture made;
    struct plane mask;
    bool good = image && render_image(out->drawing, &passes, image, SUBSAMPLING_444, pool, arena,
                                      &made, &why);

    if (image && !good)
        text_addf(&report->why, "%s: %s", out->sample->name, text_string(&why));
    text_drop(&why);
    if (!good)
        return false;
    paint_made(w, cell, &made.plane);
    render_drop(&made, image, pool);
    if (out->mask) {
        render_mask(out->drawing, OPTIMIZE_EXACT, &out->mask->plane, pool, arena, &mask);
        paint_mask(w, cell, &mask);
        if (mask.px != out->mask->plane.px)
            pool_return(pool, &mask);
    }
    view.box =
        (struct box){ cell->x, cell->y, cell->x + cell->shown.width, cell->y + cell->shown.height };
    sheet_labels(out->sample, l->sheet->job->dataset->categories, &view, out->k == 0, &w->svg);
    caption(w, cell, out);
    return true;
}

static int show(struct painting *w, struct text *png, struct text *why)
{
    struct picture_options options = { .format = PICTURE_PNG, .compression = 1 };
    struct picture picture = { .format = PICTURE_PNG };
    int code = EXIT_DONE;

    w->canvas = pool_plane(&w->bench.pool, w->layout->frame, 3, PIXEL_U8);
    plane_paint(&w->canvas, 0, 0, w->canvas.width, w->canvas.height, &ground, false, 0);
    svg_open(&w->svg, w->layout->frame);
    add_header(w);
    for (w->row = 0; !code && w->row < w->layout->sheet->n_records; w->row++)
        code = paint_row(w, false, show_output, why);
    svg_close(&w->svg);
    picture.plane = w->canvas;
    if (!code && (!picture_overlay(&w->canvas, w->svg.at, w->svg.length, why) ||
                  !picture_write(&picture, &options, png, why)))
        code = EXIT_INTERNAL;
    pool_return(&w->bench.pool, &w->canvas);
    return code;
}

int sheet_make(const struct sheet *sheet, struct text *png, struct frame *size, struct text *why)
{
    struct layout layout = { .sheet = sheet,
                             .columns = 1 + sheet->job->copies * sheet->job->plan->fan };
    struct painting w = { .layout = &layout };
    int code = measure(&w, why);

    if (!code)
        code = show(&w, png, why);
    *size = layout.frame;
    bench_drop(&w.bench);
    text_drop(&w.svg);
    free(layout.cells);
    return code;
}
