/* svg: SVG text of our own making, for picture_overlay: escaped, measured, independent of locales.
 *
 * Lengths are pixels. Letters are DejaVu Sans, whose widths are known here, so that text can be cut
 * to fit and have a ground of its size; another font in its place is only less well measured. */
#pragma once

#include "base/number.h"
#include "geom/polygon.h"

/* The fonts of all letters, best first. */
#define SVG_FONT "DejaVu Sans, Verdana, sans-serif"

struct svg_ink {
    const char *colour; /* "#rrggbb" */
    double opacity;     /* 0..1 */
};

struct svg_letters {
    double size; /* of the font */
    bool bold;
    const char *colour;
};

void svg_open(struct text *, struct frame);
void svg_close(struct text *);
/* All until svg_group_close is clipped to the box; `id` is no other group's. */
void svg_group_open(struct text *, unsigned id, struct box);
void svg_group_close(struct text *);

/* A coordinate, to a hundredth: pictures show no more. Far outside of all pictures it is cut off.
 */
void svg_number(struct text *, double);

void svg_rectangle(struct text *, struct box, struct svg_ink fill);
void svg_circle(struct text *, struct point centre, double radius, struct svg_ink fill,
                struct svg_ink line, double line_width);
void svg_line(struct text *, struct point from, struct point to, struct svg_ink, double width);
/* Closed rings as one path, inside being even-odd. `fill` or `line` of no opacity is left out. */
void svg_rings(struct text *, const struct rings *, struct svg_ink fill, struct svg_ink line,
               double line_width, bool dashed);

/* A line of text that begins at the point, on its baseline. Bytes that are not UTF-8, and
 * characters that XML does not know, become U+FFFD. */
void svg_letters(struct text *, struct point, const struct svg_letters *, const char *);
double svg_letters_width(const struct svg_letters *, const char *);

/* Where text has to be cut to fit. */
enum svg_cut { SVG_CUT_END, SVG_CUT_START };
/* As much of the string as fits, with an ellipsis for the rest; in `out` (replaced). */
void svg_letters_fit(const struct svg_letters *, const char *, double width, enum svg_cut,
                     struct text *out);
