/* stats_text: the counts as text with bars, for a terminal. */
#include "stats/stats.h"

#include <math.h>
#include <string.h>

enum { BAR = 36, MAX_CATEGORIES = 40, MAX_FRAMES = 10, MAP_ROWS = 8, MAP_COLUMNS = 32 };

static void print_title(struct text *out, const char *title)
{
    text_addf(out, "\n%s\n", title);
}

/* Prints count, bar and name; any count above 0 has a bar. */
static void print_bar(struct text *out, size_t n, size_t max, const char *name)
{
    size_t length = max ? (size_t)ceil((double)n / (double)max * BAR) : 0;

    text_addf(out, "%10zu  ", n);
    for (size_t i = 0; i < BAR; i++)
        text_addc(out, i < length ? '#' : ' ');
    text_adds(out, "  ");
    text_add_visible(out, name, strlen(name));
    text_addc(out, '\n');
}

static size_t largest(const size_t *n, size_t count)
{
    size_t max = 0;

    for (size_t i = 0; i < count; i++)
        max = n[i] > max ? n[i] : max;
    return max;
}

static void print_bins(struct text *out, const size_t *n, size_t count, const char *const *names)
{
    size_t max = largest(n, count);

    for (size_t i = 0; i < count; i++)
        if (n[i] || strcmp(names[i], "unknown") != 0)
            print_bar(out, n[i], max, names[i]);
}

static void print_categories(const struct dataset_stats *s, struct text *out)
{
    struct arena arena = { 0 };
    size_t n, rest = 0;
    const uint32_t *order = stats_order(s, &arena, &n);
    struct text name = { 0 };

    print_title(out, "Objects of each category");
    for (size_t i = 0; i < n; i++) {
        const struct stats_category *c = &s->categories[order[i]];

        if (i >= MAX_CATEGORIES) {
            rest += c->n_objects;
            continue;
        }
        text_clear(&name);
        text_addf(&name, "%s, in %zu image%s", stats_category_name(s, order[i]), c->n_images,
                  c->n_images == 1 ? "" : "s");
        if (c->n_crowds)
            text_addf(&name, ", %zu crowd%s", c->n_crowds, c->n_crowds == 1 ? "" : "s");
        print_bar(out, c->n_objects, s->categories[order[0]].n_objects, text_string(&name));
    }
    if (n > MAX_CATEGORIES)
        text_addf(out, "%10zu  of %zu categories more\n", rest, n - MAX_CATEGORIES);
    if (n < s->survey->n_categories)
        text_addf(out, "%10s  %zu of %zu categories have no objects\n", "",
                  s->survey->n_categories - n, s->survey->n_categories);
    text_drop(&name);
    arena_drop(&arena);
}

static void print_spread(struct text *out, const char *what, const struct stats_spread *s)
{
    text_addf(out, "%10s  least %.10g, median %.10g, mean %.2f, most %.10g\n", what, s->min,
              s->median, s->mean, s->max);
}

static void print_per_image(const struct dataset_stats *s, struct text *out)
{
    struct text name = { 0 };
    size_t last = PER_IMAGE;

    print_title(out, "Objects of an image");
    while (last && !s->per_image[last - 1])
        last--;
    for (size_t i = 0; i < last; i++) {
        text_clear(&name);
        stats_per_image_name(i, &name);
        print_bar(out, s->per_image[i], largest(s->per_image, PER_IMAGE), text_string(&name));
    }
    print_spread(out, "", &s->objects_per_image);
    text_drop(&name);
}

static void print_frames(const struct dataset_stats *s, struct text *out)
{
    struct text name = { 0 };
    size_t rest = 0;

    print_title(out, "Sizes of images, width x height");
    for (size_t i = 0; i < s->n_frames; i++) {
        if (i >= MAX_FRAMES) {
            rest += s->frames[i].n;
            continue;
        }
        text_clear(&name);
        text_addf(&name, "%d x %d", s->frames[i].width, s->frames[i].height);
        print_bar(out, s->frames[i].n, s->frames[0].n, text_string(&name));
    }
    if (rest)
        text_addf(out, "%10zu  of %zu sizes more\n", rest, s->n_frames - MAX_FRAMES);
    if (s->n_frames_unknown)
        text_addf(out, "%10zu  without a size\n", s->n_frames_unknown);
    if (s->n_frames) {
        print_spread(out, "widths", &s->widths);
        print_spread(out, "heights", &s->heights);
    }
    text_drop(&name);
}

/* Joins cells of the map, since letters are taller than wide. */
static void print_heat(const struct dataset_stats *s, struct text *out)
{
    static const char shades[] = " .:-=+*#%@";
    size_t map[MAP_ROWS][MAP_COLUMNS] = { 0 }, max = 0;

    if (!s->n_heat)
        return;
    print_title(out, "Where the middles of boxes are, in the image");
    for (size_t y = 0; y < HEAT; y++)
        for (size_t x = 0; x < HEAT; x++)
            map[y * MAP_ROWS / HEAT][x * MAP_COLUMNS / HEAT] += s->heat[y][x];
    max = largest(&map[0][0], MAP_ROWS * MAP_COLUMNS);
    for (size_t y = 0; y < MAP_ROWS; y++) {
        text_adds(out, "            |");
        for (size_t x = 0; x < MAP_COLUMNS; x++)
            text_addc(out, shades[(map[y][x] * (sizeof shades - 2) + max - 1) / max]);
        text_adds(out, "|\n");
    }
    text_addf(out, "%10s  of %zu boxes; %c: %zu\n", "", s->n_heat, shades[sizeof shades - 2], max);
}

static void print_keypoints(const struct dataset_stats *s, struct text *out)
{
    const struct survey *survey = s->survey;

    for (size_t i = 0; i <= survey->n_categories; i++) {
        const struct stats_category *c = &s->categories[i];

        if (!c->n_keypoints)
            continue;
        text_adds(out, "\nKeypoints of ");
        text_add_visible(out, stats_category_name(s, i), strlen(stats_category_name(s, i)));
        text_adds(out, "\n   visible    hidden   not labelled\n");
        for (size_t k = 0; k < c->n_keypoints; k++) {
            const size_t *v = c->visibility[k];

            text_addf(out, "%10zu%10zu%15zu  ", v[2], v[1], v[0]);
            if (i < survey->n_categories && k < survey->categories[i].n_keypoints &&
                survey->categories[i].keypoint)
                text_add_visible(out, survey->categories[i].keypoint[k],
                                 strlen(survey->categories[i].keypoint[k]));
            else
                text_addf(out, "keypoint %zu", k);
            if (v[3])
                text_addf(out, " (%zu of another visibility)", v[3]);
            text_addc(out, '\n');
        }
    }
}

static void print_parts(const struct survey *survey, struct text *out)
{
    for (size_t i = 0; i < survey->n_parts; i++) {
        const struct survey_part *part = &survey->parts[i];

        text_add_visible(out, part->name, strlen(part->name));
        text_addf(out, "%s%zu image%s, %zu object%s\n", *part->name ? ": " : "", part->n_images,
                  part->n_images == 1 ? "" : "s", part->n_objects, part->n_objects == 1 ? "" : "s");
    }
}

/* Prints the pixels of each value of label masks, and the images that have it. */
static void print_values(const struct dataset_stats *s, struct text *out)
{
    const struct survey *survey = s->survey;
    double all = 0;

    for (size_t i = 0; i < survey->n_categories; i++)
        all += s->categories[i].pixels;
    print_title(out, "Values of masks");
    text_adds(out, "          pixels   share      images  value\n");
    for (size_t i = 0; i < survey->n_categories; i++) {
        const struct stats_category *c = &s->categories[i];

        text_addf(out, "%16.0f%7.2f%%%12zu  ", c->pixels, all > 0 ? 100 * c->pixels / all : 0,
                  c->n_images);
        text_add_visible(out, stats_category_name(s, i), strlen(stats_category_name(s, i)));
        text_addc(out, '\n');
    }
}

void stats_print_text(const struct dataset_stats *s, struct text *out)
{
    const struct survey *survey = s->survey;

    text_add_visible(out, survey->name, strlen(survey->name));
    if (survey->masks) {
        text_addf(out, ": label masks of %zu images, %zu values\n", survey->n_images,
                  survey->n_categories);
        print_values(s, out);
        print_frames(s, out);
        return;
    }
    text_addf(out, ": %s, %zu images, %zu objects, %zu categories\n", survey->format,
              survey->n_images, survey->n_objects, survey->n_categories);
    text_addf(out, "of the objects: boxes %zu, polygons %zu, RLE %zu, keypoints %zu, crowds %zu\n",
              s->n_boxes, s->n_polygons, s->n_rle, s->n_with_keypoints, s->n_crowds);
    print_parts(survey, out);
    if (s->n_images_unknown)
        text_addf(out, "%zu are of images that are not listed\n", s->n_images_unknown);
    print_categories(s, out);
    print_title(out, "Sizes of objects: small below 32 x 32 pixels, large from 96 x 96 on");
    print_bins(out, s->sizes, SIZES, stats_size_names);
    print_title(out, "Width : height of boxes");
    print_bins(out, s->aspects, ASPECTS + 1, stats_aspect_names);
    print_title(out, "Area / area of the box");
    print_bins(out, s->fills, FILLS, stats_fill_names);
    print_per_image(s, out);
    print_frames(s, out);
    print_heat(s, out);
    print_keypoints(s, out);
}
