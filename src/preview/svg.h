/* svg: writes SVG text for picture_overlay: escaped, measured, independent of locales.
 *  *
 *  * Lengths are pixels. Letters are DejaVu Sans, whose widths are known here, so that text can be
 * cut
 *  * to fit and get a background of its size. Other fonts are only measured less exactly. */
#pragma once

#include "base/number.h"
#include "geom/polygon.h"

/* The fonts of all letters, in order of preference. */
#define SVG_FONT "DejaVu Sans, Verdana, sans-serif"

struct svg_ink {
    const char *colour; /* "#rrggbb" */
    double opacity;     /* 0..1 */
};

struct svg_letters {
    double size; /* size of the font */
    bool bold;
    const char *colour;
};

void svg_open(struct text *, struct frame);
void svg_close(struct text *);
/* Clips everything up to svg_group_close to the box; `id` is unique for each group. */
void svg_group_open(struct text *, unsigned id, struct box);
void svg_group_close(struct text *);

/* Appends a coordinate, rounded to a hundredth, which is enough for pictures. It is clamped far
 * outside of all pictures. */
void svg_number(struct text *, double);

void svg_rectangle(struct text *, struct box, struct svg_ink fill);
void svg_circle(struct text *, struct point centre, double radius, struct svg_ink fill,
                struct svg_ink line, double line_width);
void svg_line(struct text *, struct point from, struct point to, struct svg_ink, double width);
/* Appends closed rings as one path with the even-odd rule. `fill` or `line` without opacity is left
 * out. */
void svg_rings(struct text *, const struct rings *, struct svg_ink fill, struct svg_ink line,
               double line_width, bool dashed);

/* Appends a line of text that starts at the point, on its baseline. Bytes that are not UTF-8 and
 * characters that are not in XML become U+FFFD. */
void svg_letters(struct text *, struct point, const struct svg_letters *, const char *);
double svg_letters_width(const struct svg_letters *, const char *);

/* The end at which text is cut to fit. */
enum svg_cut { SVG_CUT_END, SVG_CUT_START };
/* Replaces `out` by as much of the string as fits, with an ellipsis if it is cut. */
void svg_letters_fit(const struct svg_letters *, const char *, double width, enum svg_cut,
                     struct text *out);
