/* sheet: makes a contact sheet of chosen images and their copies. */
#include "preview/sheet_paint.h"

#include "base/stderr_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct fill ground = { .channel = { 30, 32, 36 } };

/* Handles an output. Returns false if it fails, with the reason in the report. */
typedef bool output_fn(struct sheet_painter *, const struct pending_output *, struct report *);

/* Returns the cell of the current output. */
static struct cell *cell_of(const struct sheet_painter *w)
{
    return &w->layout->cells[w->row * w->layout->columns + w->column];
}

/* Returns the column of output k, after the output before it. Each copy starts where the copy
 * before would end if it had all branches. If branches vary, their cells follow each other;
 * otherwise each has its own cell. An original has one. */
static unsigned column_of(const struct layout *l, unsigned before, unsigned k)
{
    const struct plan *plan = l->sheet->job->plan;
    unsigned copy = k / plan->fan_out, first;

    if (!copy)
        return 0;
    first = 1 + (copy - 1) * l->branches;
    if (!plan->varies)
        return first + k % plan->fan_out;
    return before < first ? first : before + 1;
}

/* --- the layout --- */

static struct frame frame_fit(struct frame f, int width)
{
    double scale =
        fmin((double)width / f.width, (double)width * TALLEST_NUM / TALLEST_DEN / f.height);

    return (struct frame){ (int)fmax(1, nearbyint(f.width * scale)),
                           (int)fmax(1, nearbyint(f.height * scale)) };
}

static bool measure_output(struct sheet_painter *w, const struct pending_output *out,
                           struct report *report)
{
    struct cell *cell = cell_of(w);
    int lines;

    (void)report;
    cell->frame = out->sample->frame;
    cell->shown = frame_fit(cell->frame, w->layout->sheet->width);
    for (size_t i = 0; i < out->sample->n_objects; i++)
        w->layout->has_keypoints |= out->sample->objects[i].n_keypoints > 0;
    lines = sheet_caption_lines(w->layout, out);
    w->layout->caption_lines = lines > w->layout->caption_lines ? lines : w->layout->caption_lines;
    return true;
}

static bool refuse_size(int64_t width, int64_t height, struct text *why)
{
    text_addf(
        why,
        "the sheet would have at least %lld x %lld pixels, more than %d million: choose fewer "
        "images or copies, or a smaller --width [sheet-size]",
        (long long)width, (long long)height, MAX_SHEET_PIXELS / 1000000);
    return false;
}

/* Returns the width of the cells of one image, with the gap after them. */
static int64_t image_width(const struct layout *l)
{
    return (int64_t)l->per_line * (l->sheet->width + GAP) + GAP;
}

static int64_t sheet_width(const struct layout *l)
{
    return 2 * MARGIN - 2 * GAP + l->across * image_width(l);
}

/* Chooses the number of images per row: for many images, the sheet is about square. */
static unsigned choose_across(const struct layout *l)
{
    const struct sheet *sheet = l->sheet;
    unsigned lines = (l->columns + l->per_line - 1) / l->per_line;
    double high = (double)sheet->n_records * lines * (sheet->width * 0.75 + l->caption);

    if (sheet->across)
        return sheet->across;
    return sheet->n_records <= FEW_IMAGES ? 1 : 1 + (unsigned)sqrt(high / (double)image_width(l));
}

/* Every row is at least as high as its captions. A sheet that is too large by these alone is
 * refused before any image is opened. */
static bool check_min_height(const struct layout *l, struct text *why)
{
    int64_t width = sheet_width(l), most = MAX_SHEET_PIXELS / width;
    int64_t rows = (int64_t)((l->sheet->n_records + l->across - 1) / l->across);

    if (rows <= most / (l->caption + ROW_GAP))
        return true;
    return refuse_size(width, rows * (l->caption + ROW_GAP), why);
}

/* Places one line of cells of n adjacent images. Returns the height of the tallest picture. */
static int place_line(struct layout *l, size_t image, size_t n, unsigned line, int64_t y)
{
    unsigned begin = line * l->per_line, end = begin + l->per_line;
    int highest = 0;

    end = end > l->columns ? l->columns : end;
    for (size_t k = 0; k < n; k++)
        for (unsigned i = begin; i < end; i++) {
            struct cell *cell = &l->cells[(image + k) * l->columns + i];

            cell->x = MARGIN + (int)(k * (size_t)image_width(l)) +
                      (int)(i - begin) * (l->sheet->width + GAP);
            cell->y = (int)y;
            highest = cell->shown.height > highest ? cell->shown.height : highest;
        }
    return highest;
}

/* Places all cells: rows of images, each in lines of cells. Lines without a picture take no space.
 * Returns the y below the last row in *y; false if the sheet is too large. */
static bool place_images(struct layout *l, int64_t *y, struct text *why)
{
    for (size_t image = 0; image < l->sheet->n_records; image += l->across) {
        size_t left = l->sheet->n_records - image, n = left < l->across ? left : l->across;

        for (unsigned line = 0; line * l->per_line < l->columns; line++) {
            int highest = place_line(l, image, n, line, *y);

            *y += highest || !line ? highest + l->caption + ROW_GAP : 0;
            if (*y * sheet_width(l) > MAX_SHEET_PIXELS)
                return refuse_size(sheet_width(l), *y, why);
        }
    }
    return true;
}

static int paint_row(struct sheet_painter *w, bool dry, output_fn *output, struct text *why)
{
    const struct sheet *sheet = w->layout->sheet;
    struct report report = { 0 };
    struct work *work = record_begin(sheet->job, &w->scratch, sheet->records[w->row], dry, &report);
    struct pending_output out;
    bool good = true;
    int code = EXIT_DONE;

    w->column = w->counted = 0;
    while (good && record_next(work, &out)) {
        w->column = column_of(w->layout, w->column, out.k);
        good = output(w, &out, &report);
    }
    record_end(work);
    good = good && report.outcome == OUTCOME_DONE;
    if (!good)
        report_complete(&report);
    if (!good && sheet->job->run.on_error == ON_ERROR_SKIP)
        w->layout->failed[w->row] =
            arena_copy(&w->layout->arena, text_string(&report.why), report.why.length);
    else if (!good)
        text_adds(why, text_string(&report.why));
    if (!good && sheet->job->run.on_error == ON_ERROR_FAIL)
        code = report.outcome == OUTCOME_DONE ? EXIT_INPUT : outcome_exit(report.outcome);
    report_drop(&report);
    return code;
}

/* An image that failed has one cell, for its message. */
static void measure_failure(struct layout *l, size_t image)
{
    for (unsigned i = 0; i < l->columns; i++)
        l->cells[image * l->columns + i].shown = (struct frame){ 0, 0 };
    l->cells[image * l->columns].shown = (struct frame){ l->sheet->width, l->sheet->width / 2 };
}

/* Counts the largest number of images of a copy. */
static bool count_branches(struct sheet_painter *w, const struct pending_output *out,
                           struct report *report)
{
    unsigned fan_out = w->layout->sheet->job->plan->fan_out;

    (void)report;
    w->counted = out->k % fan_out ? w->counted + 1 : 1;
    if (out->k >= fan_out && w->counted > w->layout->branches)
        w->layout->branches = w->counted;
    return true;
}

/* Chooses the number of cells per copy: if images decide on branches, the largest number of an
 * image. */
static int choose_columns(struct sheet_painter *w, struct text *why)
{
    struct layout *l = w->layout;
    const struct job *job = l->sheet->job;
    int code = EXIT_DONE;

    l->branches = job->plan->varies ? 1 : job->plan->fan_out;
    for (w->row = 0; job->plan->varies && !code && w->row < l->sheet->n_records; w->row++)
        code = paint_row(w, true, count_branches, why);
    l->columns = 1 + job->naming.copies * l->branches;
    l->per_line = (unsigned)((WIDEST_LINE - 2 * MARGIN) / (l->sheet->width + GAP));
    l->per_line = l->per_line < FEW_CELLS ? FEW_CELLS : l->per_line;
    l->per_line = l->per_line > l->columns ? l->columns : l->per_line;
    return code;
}

/* Measures the outputs from headers alone: the steps determine the sizes of copies. */
static int measure(struct sheet_painter *w, struct text *why)
{
    struct layout *l = w->layout;
    const struct sheet *sheet = l->sheet;
    int64_t y = MARGIN + l->header;
    int code = check_min_height(l, why) ? EXIT_DONE : EXIT_USAGE;

    if (!code)
        l->cells = memory_take(sheet->n_records * l->columns * sizeof *l->cells);
    for (size_t i = 0; !code && i < sheet->n_records * l->columns; i++)
        l->cells[i] = (struct cell){ 0 };
    for (w->row = 0; !code && w->row < sheet->n_records; w->row++) {
        code = paint_row(w, true, measure_output, why);
        if (l->failed[w->row])
            measure_failure(l, w->row);
    }
    l->caption += l->caption_lines * LINE;
    if (!code && !place_images(l, &y, why))
        code = EXIT_USAGE;
    l->frame = (struct frame){ (int)sheet_width(l), (int)(y - ROW_GAP + MARGIN) };
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

/* Draws pixels of one to four channels as RGB; transparent pixels show a checkerboard. */
static void paint_plane(struct plane *canvas, const struct cell *cell, const struct plane *p)
{
    bool gray = plane_colours(p) == 1, alpha = p->channels == 2 || p->channels == 4;

    for (int y = 0; y < p->height; y++) {
        const uint8_t *from = (const uint8_t *)p->px + (size_t)y * p->stride;
        uint8_t *to = canvas_at(canvas, cell->x, cell->y + y);

        for (int x = 0; x < p->width; x++, from += p->channels, to += 3) {
            int board = ((x >> 3) + (y >> 3)) % 2 ? 214 : 246;

            for (int b = 0; b < 3; b++)
                to[b] = alpha ? blend(from[gray ? 0 : b], board, from[p->channels - 1])
                              : from[gray ? 0 : b];
        }
    }
}

static double level_of(const struct plane *p, const void *row, int i)
{
    return p->type == PIXEL_U8    ? ((const uint8_t *)row)[i] / 255.0
           : p->type == PIXEL_U16 ? ((const uint16_t *)row)[i] / 65535.0
                                  : (double)((const float *)row)[i];
}

/* Returns the levels of an original with 16 bits, without alpha. */
static struct levels levels_of(const struct plane *p)
{
    struct levels l = { .from = 1, .to = 0 };
    int colours = plane_colours(p);

    for (int y = 0; p->type == PIXEL_U16 && y < p->height; y++) {
        const char *row = (const char *)p->px + (size_t)y * p->stride;

        for (int x = 0; x < p->width; x++)
            for (int k = 0; k < colours; k++) {
                double level = level_of(p, row, x * p->channels + k);

                l.from = fmin(l.from, level);
                l.to = fmax(l.to, level);
            }
    }
    l.stretched = l.to > l.from;
    return l;
}

/* Maps the levels between these to 0..255. Copies use their original's levels, so that brightness
 * changes are visible. */
static void stretch(const struct plane *p, const struct levels *l, struct plane *bytes)
{
    int colours = plane_colours(p);

    for (int y = 0; y < p->height; y++) {
        const char *row = (const char *)p->px + (size_t)y * p->stride;
        uint8_t *to = (uint8_t *)bytes->px + (size_t)y * bytes->stride;

        for (int i = 0; i < p->width * p->channels; i++) {
            double level = level_of(p, row, i);

            if (i % p->channels < colours)
                level = (level - l->from) / (l->to - l->from);
            to[i] = (uint8_t)nearbyint(255 * fmin(1, fmax(0, level)));
        }
    }
}

static void paint_image(struct sheet_painter *w, const struct cell *cell, const struct plane *image)
{
    struct pool *pool = &w->scratch.pool;
    struct plane small = pool_plane(pool, cell->shown, image->channels, image->type);

    plane_resize(image, &small, INTERPOLATION_BILINEAR, true);
    if (w->column == 0)
        w->levels = levels_of(&small);
    if (small.type != PIXEL_U8 || w->levels.stretched) {
        struct plane bytes = pool_plane(pool, cell->shown, image->channels, PIXEL_U8);

        if (w->levels.stretched)
            stretch(&small, &w->levels, &bytes);
        else
            plane_convert(&small, &bytes);
        pool_return(pool, &small);
        small = bytes;
    }
    paint_plane(&w->canvas, cell, &small);
    pool_return(pool, &small);
}

/* Draws the output as it will be written: over the pipeline's background, if it has one. */
static void paint_made(struct sheet_painter *w, const struct cell *cell, const struct plane *made)
{
    const struct colour *background = &w->layout->sheet->job->plan->output.background;
    struct pool *pool = &w->scratch.pool;
    struct plane flat;
    struct fill fill;

    if (!background->n || made->channels % 2) {
        paint_image(w, cell, made);
        return;
    }
    fill = background_fill(background, plane_colours(made), made->type);
    flat = pool_plane(pool, (struct frame){ made->width, made->height }, made->channels - 1,
                      made->type);
    plane_flatten(made, &fill, &flat);
    paint_image(w, cell, &flat);
    pool_return(pool, &flat);
}

/* Returns the label under a pixel of the cell; 0, as for unlabelled pixels, outside of the cell. */
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

/* Draws every label except 0 as a translucent area of its color with an opaque edge. */
static void paint_mask(struct sheet_painter *w, const struct cell *cell, const struct plane *mask)
{
    const unsigned ignored = mask->type == PIXEL_U8 ? 255 : 65535;
    const int veil = (int)nearbyint(fmin(255, 309 * w->layout->sheet->opacity));

    for (int y = 0; y < cell->shown.height; y++)
        for (int x = 0; x < cell->shown.width; x++) {
            unsigned label = label_at(cell, mask, x, y);
            uint8_t *to = canvas_at(&w->canvas, cell->x + x, cell->y + y);
            uint32_t colour = sheet_label_colour(label, label == ignored);
            bool edge = label != label_at(cell, mask, x - 1, y) ||
                        label != label_at(cell, mask, x + 1, y) ||
                        label != label_at(cell, mask, x, y - 1) ||
                        label != label_at(cell, mask, x, y + 1);

            w->seen[label] = label == ignored ? LABEL_IGNORED : LABEL_SEEN;
            for (int b = 0; label && b < 3; b++)
                to[b] = blend(colour >> (16 - 8 * b) & 0xff, to[b], edge ? 225 : veil);
        }
}

/* --- whole sheets --- */

static bool show_output(struct sheet_painter *w, const struct pending_output *out,
                        struct report *report)
{
    const struct layout *l = w->layout;
    const struct cell *cell = cell_of(w);
    struct view view = { .frame = cell->frame,
                         .id = (unsigned)(cell - l->cells),
                         .opacity = l->sheet->opacity };
    struct pool *pool = &w->scratch.pool;
    struct arena *arena = out->sample->arena;
    struct passes passes = passes_of(out->resolved_ops, OPTIMIZE_EXACT, arena, NULL);
    const struct picture *image = pending_output_image(out, NULL);
    struct text why = { 0 };
    struct picture made;
    struct plane mask;
    bool good = image && render_image(out->resolved_ops, &passes, image, SUBSAMPLING_444, pool,
                                      arena, &made, &why);

    if (image && !good)
        text_addf(&report->why, "%s: %s", out->sample->name, text_string(&why));
    text_drop(&why);
    if (!good)
        return false;
    paint_made(w, cell, &made.plane);
    render_drop(&made, image, pool);
    if (out->mask && l->sheet->labels) {
        render_mask(out->resolved_ops, OPTIMIZE_EXACT, &out->mask->plane, pool, arena, &mask);
        paint_mask(w, cell, &mask);
        if (mask.px != out->mask->plane.px)
            pool_return(pool, &mask);
    }
    view.box =
        (struct box){ cell->x, cell->y, cell->x + cell->shown.width, cell->y + cell->shown.height };
    if (l->sheet->labels)
        sheet_labels(out->sample, l->sheet->job->dataset->categories, &view, out->k == 0, &w->svg);
    sheet_caption(w, cell, out);
    return true;
}

static int show_image(struct sheet_painter *w, struct text *why)
{
    const struct layout *l = w->layout;
    size_t record = l->sheet->records[w->row];
    int code = l->failed[w->row] ? EXIT_DONE : paint_row(w, false, show_output, why);

    if (l->failed[w->row])
        sheet_failure(w, &l->cells[w->row * l->columns],
                      l->sheet->job->dataset->records[record].name, l->failed[w->row]);
    return code;
}

/* Returns the exit code for a drawing that failed for the reason `why`. */
static int drawing_exit(const struct text *why)
{
    bool library =
        outcome_of(OUTCOME_INPUT, (struct slice){ why->at, why->length }) == OUTCOME_LIBRARY;

    return library ? outcome_exit(OUTCOME_LIBRARY) : EXIT_INTERNAL;
}

static int show(struct sheet_painter *w, struct text *png, struct text *why)
{
    struct picture_options options = { .format = PICTURE_PNG, .compression = 1 };
    struct picture picture = { .format = PICTURE_PNG };
    int code = EXIT_DONE;

    w->canvas = pool_plane(&w->scratch.pool, w->layout->frame, 3, PIXEL_U8);
    plane_paint(&w->canvas, 0, 0, w->canvas.width, w->canvas.height, &ground, false, 0);
    svg_open(&w->svg, w->layout->frame);
    for (w->row = 0; !code && w->row < w->layout->sheet->n_records; w->row++)
        code = show_image(w, why);
    sheet_header(w);
    svg_close(&w->svg);
    picture.plane = w->canvas;
    if (!code && !picture_can_write_text(SVG_FONT, why))
        code = EXIT_RESOURCES;
    if (!code && (!picture_overlay(&w->canvas, w->svg.at, w->svg.length, why) ||
                  !picture_write(&picture, &options, png, why)))
        code = drawing_exit(why);
    pool_return(&w->scratch.pool, &w->canvas);
    return code;
}

/* Prints the failures; returns the number of images. */
static size_t report_failures(const struct layout *l)
{
    size_t n = 0;

    for (size_t i = 0; i < l->sheet->n_records; i++) {
        if (l->failed[i])
            message_print("lockstep preview: error: %s", l->failed[i]);
        n += l->failed[i] != NULL;
    }
    return n;
}

int sheet_make(const struct sheet *sheet, struct text *png, struct sheet_result *made,
               struct text *why)
{
    const struct job *job = sheet->job;
    struct layout layout = { .sheet = sheet,
                             .caption = CAPTION + (sheet->reasons ? LINE : 0),
                             .header = HEADER + (job_has_masks(job) && sheet->labels ? LINE : 0) };
    struct sheet_painter *w = ARENA_NEW(&layout.arena, struct sheet_painter);
    int code;

    w->layout = &layout;
    layout.failed = ARENA_ARRAY(&layout.arena, const char *, sheet->n_records);
    code = choose_columns(w, why);
    layout.across = choose_across(&layout);
    if (!code)
        code = measure(w, why);
    if (!code)
        code = show(w, png, why);
    made->size = layout.frame;
    made->failed = report_failures(&layout);
    scratch_drop(&w->scratch);
    text_drop(&w->svg);
    free(layout.cells);
    arena_drop(&layout.arena);
    return code;
}
