/* fast_pictures: pictures on which mode fast is tried: made by a function, or photographs; as
 * pixels of several kinds and as JPEGs, each with its truth. */
#pragma once

#include "fast_truth.h"
#include "unit.h"

enum { CASE_WIDTH = 144, CASE_HEIGHT = 112, CASE_PIXELS = 1 << 24 };

static struct pool pool;
static struct arena arena;

/* Formats of input and output, on which the shortcuts depend. */
enum medium {
    MEDIUM_PIXELS,
    MEDIUM_16_BIT,
    MEDIUM_ALPHA,
    MEDIUM_JPEG_TO_PIXELS,
    MEDIUM_JPEG,
    MEDIUM_JPEG_444,
    MEDIA
};

static const char *const media[MEDIA] = { "pixels",         "16 bit",     "with alpha",
                                          "JPEG to pixels", "JPEG 4:2:0", "JPEG 4:4:4" };

static inline bool medium_is_jpeg(enum medium medium)
{
    return medium >= MEDIUM_JPEG_TO_PIXELS;
}

static inline struct pixel_kind medium_pixels(enum medium medium)
{
    return (struct pixel_kind){ medium == MEDIUM_16_BIT ? PIXEL_U16 : PIXEL_U8,
                                medium == MEDIUM_ALPHA ? 4 : 3 };
}

struct scene_picture {
    char name[100];
    struct plane pixels[MEDIUM_JPEG_TO_PIXELS];
    struct text jpeg[2]; /* 4:2:0 and 4:4:4 */
    struct truth truth, truth_jpeg[2];
};

static inline struct picture case_read(const struct text *bytes, const struct decode_hints *hints)
{
    struct picture p = { .plane = { 0 } };
    struct text why = { 0 };

    CHECK(picture_read((struct slice){ bytes->at, bytes->length }, &pool, CASE_PIXELS, hints, &p,
                       &why));
    text_drop(&why);
    return p;
}

static inline struct text case_jpeg(const struct picture *p, enum subsampling subsampling,
                                    int quality)
{
    struct picture_options options = { .format = PICTURE_JPEG,
                                       .quality = quality,
                                       .subsampling = subsampling };
    struct text bytes = { 0 }, why = { 0 };

    CHECK(picture_write(p, &options, &bytes, &why));
    text_drop(&why);
    return bytes;
}

/* On the 0..255 scale, of 8 or 16 bit. */
static inline double case_value(const struct plane *p, int x, int y, int channel)
{
    const char *row = (const char *)p->px + (size_t)y * p->stride;
    int i = x * p->channels + channel;

    return p->type == PIXEL_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i] / 257.0;
}

static inline void case_set(struct plane *p, int x, int y, int channel, int level)
{
    char *row = (char *)p->px + (size_t)y * p->stride;
    int i = x * p->channels + channel;

    if (p->type == PIXEL_U8)
        ((uint8_t *)row)[i] = (uint8_t)level;
    else
        ((uint16_t *)row)[i] = (uint16_t)(257 * level);
}

/* Alpha is a slope, with a hole and an edge. */
static inline int alpha_at(int x, int y)
{
    return hypot(x - 50, y - 40) < 20 ? 0 : x > 110 ? 255 : 60 + x + y / 2;
}

/* The same colours, with another type or with alpha. */
static inline struct plane case_plane(const struct plane *rgb, struct pixel_kind kind)
{
    struct plane p =
        pool_plane(&pool, (struct frame){ rgb->width, rgb->height }, kind.channels, kind.type);

    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++)
            for (int c = 0; c < p.channels; c++)
                case_set(&p, x, y, c, c < 3 ? (int)case_value(rgb, x, y, c) : alpha_at(x, y));
    return p;
}

static inline struct truth case_truth(const struct plane *rgb)
{
    struct plane p = case_plane(rgb, (struct pixel_kind){ PIXEL_U8, TRUTH_BANDS });
    struct truth t = truth_of(&p);

    pool_return(&pool, &p);
    return t;
}

/* Takes the plane, of 8 bit and three channels. */
static inline struct scene_picture case_picture(const char *name, struct plane rgb)
{
    struct scene_picture s = { .truth = case_truth(&rgb) };
    struct picture p = { .plane = rgb, .shrink = 1, .full = { rgb.width, rgb.height } };

    snprintf(s.name, sizeof s.name, "%s", name);
    for (int i = 0; i < MEDIUM_JPEG_TO_PIXELS; i++)
        s.pixels[i] = case_plane(&rgb, medium_pixels((enum medium)i));
    for (int i = 0; i < 2; i++) {
        struct picture again;

        s.jpeg[i] = case_jpeg(&p, i ? SUBSAMPLING_444 : SUBSAMPLING_420, 95);
        again = case_read(&s.jpeg[i], NULL);
        s.truth_jpeg[i] = case_truth(&again.plane);
        picture_drop(&again, &pool);
    }
    pool_return(&pool, &rgb);
    return s;
}

static inline void case_picture_drop(struct scene_picture *s)
{
    truth_drop(&s->truth);
    for (int i = 0; i < 2; i++) {
        truth_drop(&s->truth_jpeg[i]);
        text_drop(&s->jpeg[i]);
    }
    for (int i = 0; i < MEDIUM_JPEG_TO_PIXELS; i++)
        pool_return(&pool, &s->pixels[i]);
}

/* Reads a file's picture at the size of a case; false if it does not have three channels of 8 bit.
 */
static inline bool case_picture_of_file(const char *path, struct scene_picture *s)
{
    struct text bytes = { 0 }, why = { 0 };
    struct picture p;
    FILE *f = fopen(path, "rb");
    char piece[4096];
    bool good;

    for (size_t n; f && (n = fread(piece, 1, sizeof piece, f)) > 0;)
        text_add(&bytes, piece, n);
    if (f)
        fclose(f);
    good = bytes.length &&
           picture_read((struct slice){ bytes.at, bytes.length }, &pool, 1 << 26, NULL, &p, &why);
    if (good) {
        if (p.plane.channels == 3 && p.plane.type == PIXEL_U8) {
            struct frame frame = { CASE_WIDTH, CASE_HEIGHT };
            struct plane small = pool_plane(&pool, frame, 3, PIXEL_U8);
            const char *name = strrchr(path, '/');

            plane_resize(&p.plane, &small, INTERPOLATION_LANCZOS, true);
            *s = case_picture(name ? name + 1 : path, small);
        } else {
            good = false;
        }
        picture_drop(&p, &pool);
    }
    text_drop(&bytes);
    text_drop(&why);
    return good;
}

enum { DRAWN_PICTURES = 8 };

/* Pictures unlike photographs: bright sand, saturated colors, fine textures; and difficult parts of
 * photographs: specks of another color before a sky. */
static inline struct scene_picture case_drawn(int which)
{
    static const char *const names[DRAWN_PICTURES] = { "white sand", "dark wood",    "full colours",
                                                       "stripes",    "coarse noise", "sunset",
                                                       "checks",     "specks" };
    struct plane p = pool_plane(&pool, (struct frame){ CASE_WIDTH, CASE_HEIGHT }, 3, PIXEL_U8);

    for (int y = 0; y < CASE_HEIGHT; y++)
        for (int x = 0; x < CASE_WIDTH; x++) {
            uint8_t *px = (uint8_t *)p.px + (size_t)y * p.stride + 3 * (size_t)x;
            double wave = sin(x * 0.11 + sin(y * 0.07) * 2) + sin(y * 0.13 + x * 0.02), v[3];
            int grain = unit_int(-6, 6);
            bool odd = ((x / 9) ^ (y / 7)) & 1;

            switch (which) {
            case 0:
                v[0] = 246 + 4 * wave + grain, v[1] = v[0] - 9, v[2] = v[0] - 28;
                break;
            case 1:
                v[0] = 40 + 12 * wave + grain, v[1] = v[0] * 0.6, v[2] = v[0] * 0.3;
                break;
            case 2:
                v[0] = x / 24 & 1 ? 250 : 8, v[1] = x / 48 & 1 ? 250 : 8,
                v[2] = y / 28 & 1 ? 250 : 8;
                break;
            case 3:
                v[0] = v[1] = v[2] = x % 4 < 2 ? 60 : 190;
                break;
            case 4:
                v[0] = v[1] = v[2] = 128 + 60 * wave + 3 * grain;
                break;
            case 5:
                v[0] = 255 - y * 0.4 + grain, v[1] = 210 - y * 1.5 + grain,
                v[2] = 90 - y * 0.5 + 20 * wave;
                break;
            case 7:
                v[0] = 155 - y * 0.8 + grain, v[1] = 185 - y * 0.5 + grain, v[2] = 217 - y * 0.1;
                if (unit_int(0, 1) == 0)
                    v[0] = 205 + 3 * grain, v[1] = 140 + 3 * grain, v[2] = 75 + 3 * grain;
                break;
            default:
                v[0] = v[1] = odd ? 235 : 25, v[2] = odd ? 220 : 60;
            }
            for (int c = 0; c < 3; c++)
                px[c] = (uint8_t)fmin(255, fmax(0, v[c]));
        }
    return case_picture(names[which], p);
}
