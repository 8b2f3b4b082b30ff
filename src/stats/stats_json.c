/* stats_json: the counts as one JSON object. */
#include "stats/stats.h"

#include "base/number.h"
#include "json/text_id.h"

#include <string.h>

static void print_bins(struct text *out, const char *key, const size_t *n, size_t count,
                       const char *const *names)
{
    text_addf(out, ", \"%s\": {", key);
    for (size_t i = 0; i < count; i++)
        text_addf(out, "%s\"%s\": %zu", i ? ", " : "", names[i], n[i]);
    text_addc(out, '}');
}

static void print_spread(struct text *out, const char *key, const struct stats_spread *s)
{
    const struct {
        const char *name;
        double value;
    } all[] = {
        { "least", s->min }, { "median", s->median }, { "mean", s->mean }, { "most", s->max }
    };

    text_addf(out, ", \"%s\": {", key);
    for (size_t i = 0; i < COUNTOF(all); i++) {
        text_addf(out, "%s\"%s\": ", i ? ", " : "", all[i].name);
        number_print(out, all[i].value);
    }
    text_addc(out, '}');
}

static void print_keypoints(const struct dataset_stats *s, size_t category, struct text *out)
{
    const struct stats_category *c = &s->categories[category];
    const struct survey *survey = s->survey;
    const char *const *names =
        category < survey->n_categories ? survey->categories[category].keypoint : NULL;

    text_adds(out, ", \"keypoints\": [");
    for (size_t k = 0; k < c->n_keypoints; k++) {
        text_adds(out, k ? ", {\"name\": " : "{\"name\": ");
        if (names && k < survey->categories[category].n_keypoints)
            text_add_json(out, names[k], strlen(names[k]));
        else
            text_adds(out, "null");
        text_addf(out, ", \"visible\": %zu, \"hidden\": %zu, \"unlabelled\": %zu, \"other\": %zu}",
                  c->visibility[k][2], c->visibility[k][1], c->visibility[k][0],
                  c->visibility[k][3]);
    }
    text_addc(out, ']');
}

static void print_category(const struct dataset_stats *s, size_t i, struct text *out)
{
    const struct survey *survey = s->survey;
    const struct stats_category *c = &s->categories[i];
    bool known = i < survey->n_categories;

    text_adds(out, i ? ", {\"id\": " : "{\"id\": ");
    if (known && survey->categories[i].id != SURVEY_NO_ID)
        text_id_print(survey->categories[i].id, survey->categories[i].element, "id", out);
    else
        text_adds(out, "null");
    text_adds(out, ", \"name\": ");
    if (known)
        text_add_json(out, survey->categories[i].name, strlen(survey->categories[i].name));
    else
        text_adds(out, "null");
    text_addf(out, ", \"objects\": %zu, \"images\": %zu, \"crowds\": %zu", c->n_objects,
              c->n_images, c->n_crowds);
    if (survey->masks)
        text_addf(out, ", \"pixels\": %.0f", c->pixels);
    print_bins(out, "sizes", c->sizes, SIZES, stats_size_names);
    if (c->n_keypoints)
        print_keypoints(s, i, out);
    text_addc(out, '}');
}

static void print_per_image(const struct dataset_stats *s, struct text *out)
{
    text_adds(out, ", \"images_by_objects\": {");
    for (size_t i = 0; i < PER_IMAGE; i++) {
        text_adds(out, i ? ", \"" : "\"");
        stats_per_image_name(i, out);
        text_addf(out, "\": %zu", s->per_image[i]);
    }
    text_addc(out, '}');
}

static void print_images(const struct dataset_stats *s, struct text *out)
{
    print_per_image(s, out);
    print_spread(out, "objects_per_image", &s->objects_per_image);
    text_adds(out, ", \"image_sizes\": [");
    for (size_t i = 0; i < s->n_frames; i++)
        text_addf(out, "%s{\"width\": %d, \"height\": %d, \"images\": %zu}", i ? ", " : "",
                  s->frames[i].width, s->frames[i].height, s->frames[i].n);
    text_addf(out, "], \"images_without_size\": %zu", s->n_frames_unknown);
    print_spread(out, "widths", &s->widths);
    print_spread(out, "heights", &s->heights);
}

static void print_heat(const struct dataset_stats *s, struct text *out)
{
    text_adds(out, ", \"positions\": [");
    for (size_t y = 0; y < HEAT; y++) {
        text_adds(out, y ? ", [" : "[");
        for (size_t x = 0; x < HEAT; x++)
            text_addf(out, "%s%zu", x ? ", " : "", s->heat[y][x]);
        text_addc(out, ']');
    }
    text_addc(out, ']');
}

static void print_parts(const struct dataset_stats *s, struct text *out)
{
    const struct survey *survey = s->survey;

    text_adds(out, ", \"parts\": [");
    for (size_t i = 0; i < survey->n_parts; i++) {
        const struct survey_part *part = &survey->parts[i];

        text_adds(out, i ? ", {\"name\": " : "{\"name\": ");
        text_add_json(out, part->name, strlen(part->name));
        text_addf(out, ", \"images\": %zu, \"objects\": %zu, \"categories\": [", part->n_images,
                  part->n_objects);
        for (size_t k = 0; k < survey->n_categories; k++) {
            text_adds(out, k ? ", {\"name\": " : "{\"name\": ");
            text_add_json(out, survey->categories[k].name, strlen(survey->categories[k].name));
            text_addf(out, ", \"objects\": %zu}", s->categories[k].in_parts[i]);
        }
        text_adds(out, "]}");
    }
    text_addc(out, ']');
}

void stats_print_json(const struct dataset_stats *s, const struct text *run, struct text *out)
{
    const struct survey *survey = s->survey;
    size_t shown = survey->n_categories + (s->categories[survey->n_categories].n_objects > 0);

    text_adds(out, "{\"schema\": \"lockstep.stats/1\", \"file\": ");
    text_add_json(out, survey->name, strlen(survey->name));
    text_addf(out,
              ", \"format\": \"%s\", \"images\": %zu, \"objects\": %zu, \"unread\": %zu, "
              "\"boxes\": %zu, \"polygons\": %zu, \"rle\": %zu, \"with_keypoints\": %zu, "
              "\"crowds\": %zu, \"of_unknown_images\": %zu, \"categories\": [",
              survey->format, survey->n_images, survey->n_objects, survey->n_unread, s->n_boxes,
              s->n_polygons, s->n_rle, s->n_with_keypoints, s->n_crowds, s->n_images_unknown);
    for (size_t i = 0; i < shown; i++)
        print_category(s, i, out);
    text_addc(out, ']');
    if (survey->n_parts)
        print_parts(s, out);
    print_bins(out, "sizes", s->sizes, SIZES, stats_size_names);
    print_bins(out, "aspects", s->aspects, ASPECTS + 1, stats_aspect_names);
    print_bins(out, "area_of_box", s->fills, FILLS, stats_fill_names);
    print_images(s, out);
    print_heat(s, out);
    if (run->length)
        text_addf(out, ", \"run\": %s", text_string(run));
    text_adds(out, "}\n");
}
