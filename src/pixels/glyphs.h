/* glyphs: outlines of a font's characters, by FreeType, which is loaded on first use.
 *
 * Outlines are in the font's own units, without hinting or scaling, so they do not depend on the
 * version of the library. */
#pragma once

#include "base/arena.h"
#include "geom/polygon.h"

struct text;

/* A font; it is never freed. */
struct font;
/* Opens a font file, or the first font of a file with several. The caller keeps `bytes` for as long
 * as the font is used. Returns NULL with the reason if FreeType cannot be loaded, or if the file is
 * not a font with outlines and a Unicode character map. */
struct font *font_open(struct slice bytes, struct text *why);
/* Return the units per em, and the height of the highest letters above the baseline, in units. */
int font_units(const struct font *);
int font_ascender(const struct font *);

/* Returns the glyph of a character; 0, the glyph for missing characters, if the font does not have
 * it. */
uint32_t font_glyph(const struct font *, uint32_t character);
/* font_advance sets the distance from a glyph's origin to the next one, in units. It returns false
 * if the glyph cannot be read or has more than 16384 points. font_kerning returns the correction
 * between two glyphs, in units; negative moves them closer. */
bool font_advance(const struct font *, uint32_t glyph, int64_t *advance);
int64_t font_kerning(const struct font *, uint32_t left, uint32_t right);
/* Returns a glyph's outlines in the arena, in pixels, with `scale` pixels per unit and the pen on
 * the baseline at `origin`. y grows downwards. Curves are replaced by lines within 1/512 pixel.
 * Empty if the glyph is empty or cannot be read. */
struct rings font_outlines(const struct font *, uint32_t glyph, struct point origin, double scale,
                           struct arena *);
