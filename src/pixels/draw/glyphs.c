/* glyphs: outlines of a font's characters, by FreeType. */
#include "pixels/glyphs.h"

#include "base/dynlib.h"

#include <ft2build.h>

#include <freetype/freetype.h>
#include <freetype/ftoutln.h>

#include <errno.h>
#include <math.h>

/* clang-format off */
#define FREETYPE_FUNCTIONS(F)                                                                      \
    F(FT_Init_FreeType) F(FT_Done_FreeType) F(FT_New_Memory_Face) F(FT_Get_Char_Index)             \
    F(FT_Load_Glyph) F(FT_Get_Kerning) F(FT_Outline_Decompose)
#define POINTER(name) __typeof__(name) *name;
#define NAME(name) #name,
static struct {
    FREETYPE_FUNCTIONS(POINTER)
} lib;
/* clang-format on */

enum { MAX_POINTS = 1 << 14, MAX_PIECES = 128 };
/* The maximal distance in pixels between a curve and its lines. */
#define TOLERANCE (1.0 / 512)

struct font {
    FT_Face face;
};

static bool start(FT_Library *library, struct text *why)
{
    static const char *const NAMES[] = { FREETYPE_FUNCTIONS(NAME) };
    static const struct dynlib LIBRARY = { "libfreetype.so.6", "libfreetype6", NAMES,
                                           COUNTOF(NAMES) };

    _Static_assert(sizeof lib == COUNTOF(NAMES) * sizeof(void *), "pointers alone");
    if (!dynlib_open(&LIBRARY, &lib, why))
        return false;
    errno = 0;
    if (!lib.FT_Init_FreeType(library))
        return true;
    memory_check();
    text_adds(why, "FreeType cannot be started");
    return false;
}

struct font *font_open(struct slice bytes, struct text *why)
{
    static struct font font;
    FT_Library library;
    FT_Error error;

    if (!start(&library, why))
        return NULL;
    errno = 0;
    error = lib.FT_New_Memory_Face(library, (const FT_Byte *)bytes.at, (FT_Long)bytes.length, 0,
                                   &font.face);
    if (error) {
        memory_check();
        text_addf(why, "FreeType cannot read the font (error %d)", error);
    } else if (!FT_IS_SCALABLE(font.face) || !font.face->units_per_EM) {
        text_adds(why, "the font has only bitmaps, no outlines");
    } else if (!font.face->charmap || font.face->charmap->encoding != FT_ENCODING_UNICODE) {
        text_adds(why, "the font has no Unicode character map");
    } else {
        return &font;
    }
    lib.FT_Done_FreeType(library);
    return NULL;
}

int font_units(const struct font *font)
{
    return font->face->units_per_EM;
}

int font_ascender(const struct font *font)
{
    return font->face->ascender;
}

uint32_t font_glyph(const struct font *font, uint32_t character)
{
    return lib.FT_Get_Char_Index(font->face, character);
}

/* Loads a glyph into the face's slot. */
static bool load(const struct font *font, uint32_t glyph)
{
    bool good;

    errno = 0;
    good = !lib.FT_Load_Glyph(font->face, glyph, FT_LOAD_NO_SCALE);
    memory_check();
    return good && font->face->glyph->format == FT_GLYPH_FORMAT_OUTLINE &&
           font->face->glyph->outline.n_points <= MAX_POINTS;
}

bool font_advance(const struct font *font, uint32_t glyph, int64_t *advance)
{
    if (!load(font, glyph))
        return false;
    *advance = font->face->glyph->metrics.horiAdvance;
    return true;
}

int64_t font_kerning(const struct font *font, uint32_t left, uint32_t right)
{
    FT_Vector by = { 0 };

    if (FT_HAS_KERNING(font->face) &&
        lib.FT_Get_Kerning(font->face, left, right, FT_KERNING_UNSCALED, &by))
        return 0;
    return by.x;
}

/* --- outlines --- */

/* State of converting outlines to rings. In a first pass, points are only counted, without any room
 * for them. */
struct trace {
    struct point origin;
    double scale;
    struct point *at;
    struct ring *ring;
    size_t n, n_rings;
    struct point pen;
};

/* Outlines are loaded at twice the units, so that the middle of two points is an integer. */
static struct point place(const struct trace *t, const FT_Vector *v)
{
    return (struct point){ t->origin.x + (double)v->x * 0.5 * t->scale,
                           t->origin.y - (double)v->y * 0.5 * t->scale };
}

static void add_point(struct trace *t, struct point p)
{
    if (t->at) {
        t->at[t->n] = p;
        t->ring[t->n_rings - 1].n++;
    }
    t->n++;
    t->pen = p;
}

static int move_to(const FT_Vector *to, void *context)
{
    struct trace *t = context;

    if (t->at)
        t->ring[t->n_rings] = (struct ring){ .at = t->at + t->n };
    t->n_rings++;
    add_point(t, place(t, to));
    return 0;
}

static int line_to(const FT_Vector *to, void *context)
{
    struct trace *t = context;

    add_point(t, place(t, to));
    return 0;
}

/* Returns the number of lines that replace a curve whose second differences are at most `longest`.
 * The error of a line is at most an eighth of its own second difference. */
static int pieces(double longest, double degree)
{
    double n = ceil(sqrt(degree * (degree - 1) * longest / (8 * TOLERANCE)));

    return n < 1 ? 1 : n < MAX_PIECES ? (int)n : MAX_PIECES;
}

static double bend(struct point a, struct point b, struct point c)
{
    double x = a.x - 2 * b.x + c.x, y = a.y - 2 * b.y + c.y;

    return sqrt(x * x + y * y);
}

static struct point between(struct point a, struct point b, double t)
{
    return (struct point){ a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t };
}

static int conic_to(const FT_Vector *control, const FT_Vector *to, void *context)
{
    struct trace *t = context;
    struct point a = t->pen, b = place(t, control), c = place(t, to);
    int n = pieces(bend(a, b, c), 2);

    for (int i = 1; i <= n; i++) {
        double u = (double)i / n;

        add_point(t, i < n ? between(between(a, b, u), between(b, c, u), u) : c);
    }
    return 0;
}

static int cubic_to(const FT_Vector *first, const FT_Vector *second, const FT_Vector *to,
                    void *context)
{
    struct trace *t = context;
    struct point a = t->pen, b = place(t, first), c = place(t, second), d = place(t, to);
    int n = pieces(fmax(bend(a, b, c), bend(b, c, d)), 3);

    for (int i = 1; i <= n; i++) {
        double u = (double)i / n;
        struct point ab = between(a, b, u), bc = between(b, c, u), cd = between(c, d, u);

        add_point(t, i < n ? between(between(ab, bc, u), between(bc, cd, u), u) : d);
    }
    return 0;
}

static bool trace_outlines(const struct font *font, struct trace *t)
{
    static const FT_Outline_Funcs to = { move_to, line_to, conic_to, cubic_to, 1, 0 };

    t->n = t->n_rings = 0;
    return !lib.FT_Outline_Decompose(&font->face->glyph->outline, &to, t);
}

struct rings font_outlines(const struct font *font, uint32_t glyph, struct point origin,
                           double scale, struct arena *arena)
{
    struct trace t = { .origin = origin, .scale = scale };

    if (!load(font, glyph) || !trace_outlines(font, &t) || !t.n)
        return (struct rings){ 0 };
    t.at = ARENA_ARRAY(arena, struct point, t.n);
    t.ring = ARENA_ARRAY(arena, struct ring, t.n_rings);
    trace_outlines(font, &t);
    return (struct rings){ t.ring, t.n_rings };
}
