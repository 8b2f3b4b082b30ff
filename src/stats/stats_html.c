/* stats_html: a page with plots of the counts. */
#include "stats/stats.h"

#include "preview/html.h"
#include "preview/svg.h"

#include <math.h>
#include <string.h>

/* A plot is 360 pixels wide, which fits a phone. */
enum { LABEL = 140, BAR = 150, COUNT = 70, LINE = 20, MAX_BARS = 60, CELL = 10, SIDE = 320 };

static const struct svg_letters letters = { .size = 12, .colour = "currentColor" };
static const struct svg_ink bar_ink = { "#2f6db3", 1 }, ground_ink = { "#eef0f3", 1 };

struct bar {
    const char *name;
    size_t n;
};

static void plot_bar(struct text *out, const struct bar *bar, size_t max, double y)
{
    struct text visible = { 0 }, fitting = { 0 };
    double length = max ? (double)bar->n / (double)max * BAR : 0;

    text_add_visible(&visible, bar->name, strlen(bar->name));
    svg_letters_fit(&letters, text_string(&visible), LABEL - 10, SVG_CUT_END, &fitting);
    svg_letters(out, (struct point){ 0, y + 14 }, &letters, text_string(&fitting));
    svg_rectangle(out, (struct box){ LABEL, y + 3, LABEL + length, y + LINE - 3 }, bar_ink);
    text_clear(&visible);
    text_addf(&visible, "%zu", bar->n);
    svg_letters(out, (struct point){ LABEL + length + 6, y + 14 }, &letters, text_string(&visible));
    text_drop(&visible);
    text_drop(&fitting);
}

static void plot_bars(struct text *out, const char *title, const struct bar *bars, size_t n)
{
    size_t max = 0;

    for (size_t i = 0; i < n; i++)
        max = bars[i].n > max ? bars[i].n : max;
    text_adds(out, "<section><h2>");
    html_text(out, title, strlen(title));
    text_adds(out, "</h2>\n");
    svg_open(out, (struct frame){ LABEL + BAR + COUNT, (int)n * LINE + 4 });
    for (size_t i = 0; i < n; i++)
        plot_bar(out, &bars[i], max, (double)(i * LINE));
    svg_close(out);
    text_adds(out, "</section>\n");
}

static void plot_bins(struct text *out, const char *title, const size_t *n, size_t count,
                      const char *const *names)
{
    struct bar bars[FILLS + ASPECTS];
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (n[i] || strcmp(names[i], "unknown") != 0)
            bars[kept++] = (struct bar){ names[i], n[i] };
    plot_bars(out, title, bars, kept);
}

static void plot_categories(const struct dataset_stats *s, struct text *out)
{
    struct arena arena = { 0 };
    struct bar bars[MAX_BARS];
    struct text title = { 0 };
    size_t n, kept;
    const uint32_t *order = stats_order(s, &arena, &n);

    kept = n < MAX_BARS ? n : MAX_BARS;
    for (size_t i = 0; i < kept; i++)
        bars[i] =
            (struct bar){ stats_category_name(s, order[i]), s->categories[order[i]].n_objects };
    text_adds(&title, "Objects of each category");
    if (kept < n)
        text_addf(&title, ": the first %zu of %zu", kept, n);
    if (kept)
        plot_bars(out, text_string(&title), bars, kept);
    text_drop(&title);
    arena_drop(&arena);
}

static void plot_per_image(const struct dataset_stats *s, struct text *out)
{
    struct text names[PER_IMAGE] = { 0 };
    struct bar bars[PER_IMAGE];
    size_t n = 0;

    for (size_t i = 0; i < PER_IMAGE; i++) {
        stats_per_image_name(i, &names[i]);
        bars[i] = (struct bar){ text_string(&names[i]), s->per_image[i] };
        if (s->per_image[i])
            n = i + 1;
    }
    plot_bars(out, "Objects of an image", bars, n);
    for (size_t i = 0; i < PER_IMAGE; i++)
        text_drop(&names[i]);
}

static void plot_frames(const struct dataset_stats *s, struct text *out)
{
    enum { MAX_FRAMES = 20 };
    struct text names[MAX_FRAMES] = { 0 };
    struct bar bars[MAX_FRAMES];
    size_t n = s->n_frames < MAX_FRAMES ? s->n_frames : MAX_FRAMES;

    for (size_t i = 0; i < n; i++) {
        text_addf(&names[i], "%d x %d", s->frames[i].width, s->frames[i].height);
        bars[i] = (struct bar){ text_string(&names[i]), s->frames[i].n };
    }
    if (n)
        plot_bars(out, "Sizes of images, the most frequent", bars, n);
    for (size_t i = 0; i < n; i++)
        text_drop(&names[i]);
}

static void plot_heat(const struct dataset_stats *s, struct text *out)
{
    size_t max = 0;

    for (size_t i = 0; i < HEAT * HEAT; i++)
        max = (&s->heat[0][0])[i] > max ? (&s->heat[0][0])[i] : max;
    if (!max)
        return;
    text_addf(out,
              "<section><h2>Where the middles of boxes are, in the image</h2>\n"
              "<p class=\"quiet\">%zu boxes; the darkest field has %zu.</p>\n",
              s->n_heat, max);
    svg_open(out, (struct frame){ SIDE, SIDE });
    svg_rectangle(out, (struct box){ 0, 0, SIDE, SIDE }, ground_ink);
    for (size_t y = 0; y < HEAT; y++)
        for (size_t x = 0; x < HEAT; x++)
            if (s->heat[y][x])
                svg_rectangle(
                    out,
                    (struct box){ (double)(x * CELL), (double)(y * CELL), (double)((x + 1) * CELL),
                                  (double)((y + 1) * CELL) },
                    (struct svg_ink){ "#123a6b", sqrt((double)s->heat[y][x] / (double)max) });
    svg_close(out);
    text_adds(out, "</section>\n");
}

static void print_keypoints(const struct dataset_stats *s, size_t category, struct text *out)
{
    const struct stats_category *c = &s->categories[category];
    const struct survey *survey = s->survey;
    const char *name = stats_category_name(s, category);
    const char *const *names =
        category < survey->n_categories ? survey->categories[category].keypoint : NULL;

    text_adds(out, "<h2>Keypoints of ");
    html_text(out, name, strlen(name));
    text_adds(out, "</h2>\n<table><tr><th>keypoint</th><th class=\"number\">visible</th>"
                   "<th class=\"number\">hidden</th><th class=\"number\">not labelled</th></tr>\n");
    for (size_t k = 0; k < c->n_keypoints; k++) {
        text_adds(out, "<tr><td>");
        if (names && k < survey->categories[category].n_keypoints)
            html_text(out, names[k], strlen(names[k]));
        else
            text_addf(out, "%zu", k);
        text_addf(out,
                  "</td><td class=\"number\">%zu</td><td class=\"number\">%zu</td>"
                  "<td class=\"number\">%zu</td></tr>\n",
                  c->visibility[k][2], c->visibility[k][1], c->visibility[k][0]);
    }
    text_adds(out, "</table>\n");
}

static void print_summary(const struct dataset_stats *s, struct text *out)
{
    const struct survey *survey = s->survey;
    const struct {
        const char *name;
        size_t n;
    } rows[] = {
        { "images", survey->n_images },
        { "categories", survey->n_categories },
        { "objects", survey->n_objects },
        { "with a box", s->n_boxes },
        { "with polygons", s->n_polygons },
        { "with RLE", s->n_rle },
        { "with keypoints", s->n_with_keypoints },
        { "crowds", s->n_crowds },
        { "of images that are not listed", s->n_images_unknown },
        { "parts that could not be read", survey->n_unread },
    };

    text_adds(out, "<table>\n");
    for (size_t i = 0; i < COUNTOF(rows); i++)
        text_addf(out, "<tr><td>%s</td><td class=\"number\">%zu</td></tr>\n", rows[i].name,
                  rows[i].n);
    text_adds(out, "</table>\n");
}

/* Prints the objects of each class in each part. */
static void print_parts(const struct dataset_stats *s, struct text *out)
{
    const struct survey *survey = s->survey;

    text_adds(out, "<h2>Parts</h2>\n<table><tr><th></th>");
    for (size_t i = 0; i < survey->n_parts; i++) {
        text_adds(out, "<th class=\"number\">");
        html_text(out, survey->parts[i].name, strlen(survey->parts[i].name));
        text_adds(out, "</th>");
    }
    text_adds(out, "</tr>\n<tr><td>images</td>");
    for (size_t i = 0; i < survey->n_parts; i++)
        text_addf(out, "<td class=\"number\">%zu</td>", survey->parts[i].n_images);
    text_adds(out, "</tr>\n<tr><td>objects</td>");
    for (size_t i = 0; i < survey->n_parts; i++)
        text_addf(out, "<td class=\"number\">%zu</td>", survey->parts[i].n_objects);
    text_adds(out, "</tr>\n");
    for (size_t k = 0; k < survey->n_categories; k++) {
        text_adds(out, "<tr><td>");
        html_text(out, stats_category_name(s, k), strlen(stats_category_name(s, k)));
        text_adds(out, "</td>");
        for (size_t i = 0; i < survey->n_parts; i++)
            text_addf(out, "<td class=\"number\">%zu</td>", s->categories[k].in_parts[i]);
        text_adds(out, "</tr>\n");
    }
    text_adds(out, "</table>\n");
}

void stats_print_plots(const struct dataset_stats *s, struct text *out)
{
    print_summary(s, out);
    if (s->survey->n_parts)
        print_parts(s, out);
    text_adds(out, "<div class=\"plots\">\n");
    plot_categories(s, out);
    plot_bins(out, "Sizes of objects: small below 32 x 32 pixels, large from 96 x 96 on", s->sizes,
              SIZES, stats_size_names);
    plot_bins(out, "Width : height of boxes", s->aspects, ASPECTS + 1, stats_aspect_names);
    plot_bins(out, "Area / area of the box", s->fills, FILLS, stats_fill_names);
    plot_per_image(s, out);
    plot_frames(s, out);
    plot_heat(s, out);
    text_adds(out, "</div>\n");
    for (size_t i = 0; i <= s->survey->n_categories; i++)
        if (s->categories[i].n_keypoints)
            print_keypoints(s, i, out);
}

void stats_print_html(const struct dataset_stats *s, struct text *out)
{
    html_open(out, s->survey->name);
    stats_print_plots(s, out);
    html_close(out);
}
