/* stats: counts the contents of a dataset. */
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const stats_size_names[SIZES] = { "small", "medium", "large", "unknown" };

/* Limits of width / height between the bins. */
static const double aspect_limits[ASPECTS - 1] = { 1.0 / 5, 1.0 / 3, 1.0 / 2, 2.0 / 3,
                                                   3.0 / 2, 2,       3,       5 };
const char *const stats_aspect_names[ASPECTS + 1] = { "below 1:5",  "1:5 to 1:3", "1:3 to 1:2",
                                                      "1:2 to 2:3", "2:3 to 3:2", "3:2 to 2:1",
                                                      "2:1 to 3:1", "3:1 to 5:1", "from 5:1",
                                                      "unknown" };
const char *const stats_fill_names[FILLS] = { "0 to 0.1",   "0.1 to 0.2", "0.2 to 0.3",
                                              "0.3 to 0.4", "0.4 to 0.5", "0.5 to 0.6",
                                              "0.6 to 0.7", "0.7 to 0.8", "0.8 to 0.9",
                                              "0.9 to 1",   "above 1",    "unknown" };

/* The bins are 0, 1, 2-3, 4-7, ...; the last one has no upper limit. */
static size_t per_image_bin(uint32_t n)
{
    size_t bin = 0;

    for (; n && bin + 1 < PER_IMAGE; n >>= 1)
        bin++;
    return bin;
}

void stats_per_image_name(size_t bin, struct text *out)
{
    size_t low = bin ? (size_t)1 << (bin - 1) : 0;

    if (bin < 2)
        text_addf(out, "%zu", low);
    else if (bin + 1 == PER_IMAGE)
        text_addf(out, "%zu or more", low);
    else
        text_addf(out, "%zu-%zu", low, 2 * low - 1);
}

/* --- objects --- */

static double box_pixels(const struct survey_object *o)
{
    return o->box[2] * o->box[3];
}

double stats_area_of(const struct survey_object *o)
{
    if (o->area >= 0)
        return o->area;
    return o->has_box && o->box[2] >= 0 && o->box[3] >= 0 ? box_pixels(o) : -1;
}

size_t stats_size_of(const struct survey_object *o)
{
    double area = stats_area_of(o);

    return area < 0           ? SIZE_UNKNOWN
           : area < 32.0 * 32 ? SIZE_SMALL
           : area < 96.0 * 96 ? SIZE_MEDIUM
                              : SIZE_LARGE;
}

static size_t aspect_of(const struct survey_object *o)
{
    size_t bin = 0;
    double aspect;

    if (!o->has_box || o->box[2] <= 0 || o->box[3] <= 0)
        return ASPECTS;
    aspect = o->box[2] / o->box[3];
    while (bin < ASPECTS - 1 && aspect >= aspect_limits[bin])
        bin++;
    return bin;
}

static size_t fill_of(const struct survey_object *o)
{
    double share;

    if (o->area < 0 || aspect_of(o) == ASPECTS)
        return FILLS - 1;
    share = o->area / box_pixels(o);
    return share > 1 ? FILLS - 2 : (size_t)fmin(floor(share * 10), 9);
}

static void count_position(struct dataset_stats *s, const struct survey_object *o)
{
    const struct survey_image *image =
        o->image == SURVEY_NONE ? NULL : &s->survey->images[o->image];
    double x, y;

    if (!o->has_box || !image || !image->width || !image->height)
        return;
    x = floor((o->box[0] + o->box[2] / 2) / image->width * HEAT);
    y = floor((o->box[1] + o->box[3] / 2) / image->height * HEAT);
    if (!(x >= 0 && y >= 0 && x < HEAT && y < HEAT))
        return;
    s->heat[(size_t)y][(size_t)x]++;
    s->n_heat++;
}

static void count_visibility(struct dataset_stats *s, struct stats_category *c,
                             const struct survey_object *o)
{
    if (c->n_keypoints < o->n_keypoints) {
        size_t(*all)[4] = arena_take_array(&s->arena, sizeof *all, o->n_keypoints);

        if (c->n_keypoints)
            memcpy(all, c->visibility, c->n_keypoints * sizeof *all);
        c->visibility = all;
        c->n_keypoints = o->n_keypoints;
    }
    for (size_t i = 0; i < o->n_keypoints; i++)
        c->visibility[i][o->visibility[i]]++;
}

static size_t category_of(const struct dataset_stats *s, const struct survey_object *o)
{
    return o->category == SURVEY_NONE ? s->survey->n_categories : o->category;
}

static void count_object(struct dataset_stats *s, const struct survey_object *o)
{
    struct stats_category *c = &s->categories[category_of(s, o)];
    size_t size = stats_size_of(o);

    c->n_objects++;
    c->pixels += s->survey->masks ? o->area : 0;
    c->n_crowds += o->crowd;
    c->sizes[size]++;
    s->sizes[size]++;
    s->aspects[aspect_of(o)]++;
    s->fills[fill_of(o)]++;
    s->n_crowds += o->crowd;
    s->n_boxes += o->has_box;
    s->n_polygons += o->segmentation == SEGMENTATION_POLYGONS;
    s->n_rle += o->segmentation == SEGMENTATION_RLE;
    s->n_with_keypoints += o->n_keypoints > 0;
    s->n_images_unknown += o->image == SURVEY_NONE;
    count_position(s, o);
    count_visibility(s, c, o);
}

/* --- images --- */

/* An image, and a category of its objects. */
struct image_category {
    uint32_t image, category;
};

static int by_image(const void *a, const void *b)
{
    const struct image_category *x = a, *y = b;

    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    return (x->category > y->category) - (x->category < y->category);
}

static void count_images_of_categories(struct dataset_stats *s)
{
    const struct survey *survey = s->survey;
    struct image_category *all = memory_take((survey->n_objects + 1) * sizeof *all);
    size_t n = 0;

    for (size_t i = 0; i < survey->n_objects; i++)
        if (survey->objects[i].image != SURVEY_NONE)
            all[n++] = (struct image_category){ survey->objects[i].image,
                                                (uint32_t)category_of(s, &survey->objects[i]) };
    qsort(all, n, sizeof *all, by_image);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || by_image(&all[i - 1], &all[i]) != 0)
            s->categories[all[i].category].n_images++;
    free(all);
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static struct stats_spread spread_of(double *v, size_t n)
{
    struct stats_spread s = { 0 };

    if (!n)
        return s;
    qsort(v, n, sizeof *v, by_number);
    for (size_t i = 0; i < n; i++)
        s.mean += v[i];
    s.mean /= (double)n;
    s.min = v[0];
    s.max = v[n - 1];
    s.median = (v[(n - 1) / 2] + v[n / 2]) / 2;
    return s;
}

static int by_size(const void *a, const void *b)
{
    const struct stats_frame *x = a, *y = b;

    if (x->width != y->width)
        return x->width < y->width ? -1 : 1;
    return (x->height > y->height) - (x->height < y->height);
}

static int by_frequency(const void *a, const void *b)
{
    const struct stats_frame *x = a, *y = b;

    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return by_size(a, b);
}

static void count_frames(struct dataset_stats *s, struct stats_frame *all, size_t n)
{
    size_t kept = 0;

    qsort(all, n, sizeof *all, by_size);
    for (size_t i = 0; i < n; i++) {
        if (kept && by_size(&all[kept - 1], &all[i]) == 0)
            all[kept - 1].n++;
        else
            all[kept++] = all[i];
    }
    qsort(all, kept, sizeof *all, by_frequency);
    s->frames = (void *)arena_copy(&s->arena, all, kept * sizeof *all);
    s->n_frames = kept;
}

static void count_images(struct dataset_stats *s)
{
    const struct survey *survey = s->survey;
    size_t n = survey->n_images, known = 0;
    double *v = memory_take((3 * n + 1) * sizeof *v);
    struct stats_frame *frames = memory_take((n + 1) * sizeof *frames);

    for (size_t i = 0; i < n; i++) {
        const struct survey_image *image = &survey->images[i];

        s->per_image[per_image_bin(image->n_objects)]++;
        v[i] = image->n_objects;
        if (!image->width || !image->height)
            continue;
        v[n + known] = image->width;
        v[2 * n + known] = image->height;
        frames[known++] = (struct stats_frame){ image->width, image->height, 1 };
    }
    s->objects_per_image = spread_of(v, n);
    s->widths = spread_of(v + n, known);
    s->heights = spread_of(v + 2 * n, known);
    s->n_frames_unknown = n - known;
    count_frames(s, frames, known);
    free(v);
    free(frames);
}

/* --- whole datasets --- */

static void count_parts(struct dataset_stats *s)
{
    const struct survey *survey = s->survey;

    for (size_t i = 0; survey->n_parts && i <= survey->n_categories; i++)
        s->categories[i].in_parts = ARENA_ARRAY(&s->arena, size_t, survey->n_parts);
    for (size_t i = 0; i < survey->n_parts; i++) {
        const struct survey_part *part = &survey->parts[i];

        for (size_t k = 0; k < part->n_objects; k++)
            s->categories[category_of(s, &survey->objects[part->first_object + k])].in_parts[i]++;
    }
}

void stats_count(const struct survey *survey, struct dataset_stats *s)
{
    *s = (struct dataset_stats){ .survey = survey };
    s->categories = ARENA_ARRAY(&s->arena, struct stats_category, survey->n_categories + 1);
    for (size_t i = 0; i < survey->n_objects; i++)
        count_object(s, &survey->objects[i]);
    count_images_of_categories(s);
    count_images(s);
    count_parts(s);
}

void stats_drop(struct dataset_stats *s)
{
    arena_drop(&s->arena);
}

struct rank {
    size_t n;
    uint32_t category;
};

static int by_rank(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;

    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return (x->category > y->category) - (x->category < y->category);
}

const uint32_t *stats_order(const struct dataset_stats *s, struct arena *arena, size_t *n)
{
    size_t all = s->survey->n_categories + 1;
    struct rank *rank = memory_take(all * sizeof *rank);
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, all);

    for (size_t i = 0; i < all; i++)
        rank[i] = (struct rank){ s->categories[i].n_objects, (uint32_t)i };
    qsort(rank, all, sizeof *rank, by_rank);
    *n = 0;
    for (size_t i = 0; i < all; i++)
        if (rank[i].n)
            order[(*n)++] = rank[i].category;
    free(rank);
    return order;
}

const char *stats_category_name(const struct dataset_stats *s, size_t category)
{
    if (category == s->survey->n_categories)
        return "(no category)";
    return *s->survey->categories[category].name ? s->survey->categories[category].name
                                                 : "(no name)";
}
