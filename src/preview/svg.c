/* svg: writes SVG text. */
#include "preview/svg.h"

#include <math.h>
#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6"

/* --- shapes --- */

void svg_open(struct text *t, struct frame f)
{
    text_addf(t,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
              "viewBox=\"0 0 %d %d\" font-family=\"" SVG_FONT "\">\n",
              f.width, f.height, f.width, f.height);
}

void svg_close(struct text *t)
{
    text_adds(t, "</svg>\n");
}

void svg_number(struct text *t, double v)
{
    const double far = 1e6; /* within the fixed-point numbers of the renderer */

    number_print(t, nearbyint(fmin(fmax(v, -far), far) * 100) / 100);
}

static void attribute(struct text *t, const char *name, double v)
{
    text_addf(t, " %s=\"", name);
    svg_number(t, v);
    text_addc(t, '"');
}

static void ink(struct text *t, const char *what, struct svg_ink ink)
{
    if (ink.opacity <= 0) {
        text_addf(t, " %s=\"none\"", what);
        return;
    }
    text_addf(t, " %s=\"%s\" %s-opacity=\"", what, ink.colour, what);
    svg_number(t, ink.opacity);
    text_addc(t, '"');
}

static void box_attributes(struct text *t, struct box b)
{
    attribute(t, "x", b.x0);
    attribute(t, "y", b.y0);
    attribute(t, "width", fmax(0, b.x1 - b.x0));
    attribute(t, "height", fmax(0, b.y1 - b.y0));
}

void svg_group_open(struct text *t, unsigned id, struct box b)
{
    text_addf(t, "<clipPath id=\"c%u\"><rect", id);
    box_attributes(t, b);
    text_addf(t, "/></clipPath>\n<g clip-path=\"url(#c%u)\" stroke-linejoin=\"round\">\n", id);
}

void svg_group_close(struct text *t)
{
    text_adds(t, "</g>\n");
}

void svg_rectangle(struct text *t, struct box b, struct svg_ink fill)
{
    text_adds(t, "<rect");
    box_attributes(t, b);
    ink(t, "fill", fill);
    text_adds(t, "/>\n");
}

void svg_circle(struct text *t, struct point centre, double radius, struct svg_ink fill,
                struct svg_ink line, double line_width)
{
    text_adds(t, "<circle");
    attribute(t, "cx", centre.x);
    attribute(t, "cy", centre.y);
    attribute(t, "r", radius);
    ink(t, "fill", fill);
    ink(t, "stroke", line);
    attribute(t, "stroke-width", line_width);
    text_adds(t, "/>\n");
}

static void add_point(struct text *t, char letter, struct point p)
{
    text_addc(t, letter);
    svg_number(t, p.x);
    text_addc(t, ' ');
    svg_number(t, p.y);
}

void svg_line(struct text *t, struct point from, struct point to, struct svg_ink line, double width)
{
    text_adds(t, "<path d=\"");
    add_point(t, 'M', from);
    add_point(t, 'L', to);
    text_adds(t, "\" stroke-linecap=\"round\"");
    ink(t, "stroke", line);
    attribute(t, "stroke-width", width);
    text_adds(t, "/>\n");
}

void svg_rings(struct text *t, const struct rings *rings, struct svg_ink fill, struct svg_ink line,
               double line_width, bool dashed)
{
    text_adds(t, "<path d=\"");
    for (size_t i = 0; i < rings->n; i++) {
        for (size_t j = 0; j < rings->ring[i].n; j++)
            add_point(t, j ? 'L' : 'M', rings->ring[i].at[j]);
        if (rings->ring[i].n)
            text_addc(t, 'Z');
    }
    text_adds(t, "\" fill-rule=\"evenodd\"");
    ink(t, "fill", fill);
    ink(t, "stroke", line);
    attribute(t, "stroke-width", line_width);
    if (dashed)
        text_adds(t, " stroke-dasharray=\"5 3\"");
    text_adds(t, "/>\n");
}

/* --- letters --- */

/* Returns the character at `s` (not at its end) and its number of bytes; U+FFFD for invalid bytes.
 */
static uint32_t character(const char *s, size_t *length)
{
    const unsigned char *b = (const unsigned char *)s;
    static const uint32_t min_code[] = { 0, 0x80, 0x800, 0x10000 };
    size_t more = b[0] < 0x80 ? 0 : b[0] < 0xc2 ? 9 : b[0] < 0xe0 ? 1 : b[0] < 0xf0 ? 2 : 3;
    uint32_t c = more ? b[0] & (0x3fu >> more) : b[0];

    *length = 1;
    if (more == 9 || b[0] > 0xf4)
        return 0xfffd;
    for (size_t i = 1; i <= more; i++) {
        if ((b[i] & 0xc0) != 0x80)
            return 0xfffd;
        c = c << 6 | (b[i] & 0x3f);
    }
    if (c < min_code[more] || c > 0x10ffff)
        return 0xfffd;
    *length = more + 1;
    if (c < 0x20 || c == 0x7f || (c >= 0xd800 && c < 0xe000) || c == 0xfffe || c == 0xffff)
        return 0xfffd;
    return c;
}

static void add_escaped(struct text *t, const char *s)
{
    for (size_t length; *s; s += length) {
        uint32_t c = character(s, &length);

        if (c == '<')
            text_adds(t, "&lt;");
        else if (c == '&')
            text_adds(t, "&amp;");
        else if (c == 0xfffd)
            text_adds(t, "\xef\xbf\xbd");
        else
            text_add(t, s, length);
    }
}

/* Advance widths in hundredths of the font's size, U+0020 to U+007E, plain and bold. */
static const unsigned char advance[2][95] = {
    { 32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36,  32, 34, 64, 64, 64,
      64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63,
      58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63,  61, 73, 68, 99, 69,
      61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35,  63, 63, 28, 28, 58,
      28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59,  52, 64, 34, 64, 84 },
    { 35, 46,  52, 84, 70, 100, 87, 31,  46, 46, 52, 84, 38, 42,  38, 37, 70, 70,  70,
      70, 70,  70, 70, 70, 70,  70, 40,  40, 84, 84, 84, 58, 100, 77, 76, 73, 83,  68,
      68, 82,  84, 37, 37, 77,  64, 100, 84, 85, 73, 85, 77, 72,  68, 81, 77, 110, 77,
      72, 73,  46, 37, 46, 84,  50, 50,  67, 72, 59, 72, 68, 44,  72, 71, 34, 34,  67,
      34, 104, 71, 69, 72, 72,  49, 60,  48, 71, 65, 92, 65, 65,  58, 71, 37, 71,  84 },
};

static double width_of(const struct svg_letters *l, uint32_t c)
{
    int hundredths = 85; /* other alphabets, generously */

    if (c < 0x7f && c >= 0x20)
        hundredths = advance[l->bold][c - 0x20];
    else if (c >= 0x1100)
        hundredths = 100; /* mostly square */
    return hundredths / 100.0 * l->size;
}

double svg_letters_width(const struct svg_letters *l, const char *s)
{
    double width = 0;

    for (size_t length; *s; s += length)
        width += width_of(l, character(s, &length));
    return width;
}

void svg_letters(struct text *t, struct point at, const struct svg_letters *l, const char *s)
{
    text_adds(t, "<text");
    attribute(t, "x", at.x);
    attribute(t, "y", at.y);
    attribute(t, "font-size", l->size);
    text_addf(t, " fill=\"%s\"%s>", l->colour, l->bold ? " font-weight=\"bold\"" : "");
    add_escaped(t, s);
    text_adds(t, "</text>\n");
}

void svg_letters_fit(const struct svg_letters *l, const char *s, double width, enum svg_cut cut,
                     struct text *out)
{
    double left = width - svg_letters_width(l, ELLIPSIS), all = svg_letters_width(l, s);
    const char *end = s;

    text_clear(out);
    if (all <= width) {
        text_adds(out, s);
        return;
    }
    if (cut == SVG_CUT_START) {
        for (size_t length; *s && all > left; s += length)
            all -= width_of(l, character(s, &length));
        text_adds(out, ELLIPSIS);
        text_adds(out, s);
        return;
    }
    for (size_t length; *end && (left -= width_of(l, character(end, &length))) >= 0; end += length)
        continue;
    text_add(out, s, (size_t)(end - s));
    text_adds(out, ELLIPSIS);
}
