/* glyphs: outlines of a font's characters, by FreeType, which is loaded when it is first met.
 *
 * Outlines are the font's own, in its units, without hinting and in no size: so they do not depend
 * on the version of the library. */
#pragma once

#include "base/arena.h"
#include "geom/polygon.h"

struct text;

/* A font, for good. */
struct font;
/* Of a file's bytes, which are kept by whoever has them; of a file of several fonts the first. NULL
 * with the reason: they are no font, or one without outlines, or its characters are not those of
 * Unicode, or FreeType cannot be loaded. */
struct font *font_open(struct slice bytes, struct text *why);
/* Units of the side of an em square, and how far the highest line of letters is above the baseline.
 */
int font_units(const struct font *);
int font_ascender(const struct font *);

/* Which of its glyphs shows a character; 0, that of characters it does not have, for those. */
uint32_t font_glyph(const struct font *, uint32_t character);
/* How far the pen goes on after a glyph, in units, and by how much closer (negative), or farther,
 * the next one stands. False when the glyph cannot be read, or has more than 16384 points. */
bool font_advance(const struct font *, uint32_t glyph, int64_t *advance);
int64_t font_kerning(const struct font *, uint32_t left, uint32_t right);
/* Its outlines in the arena, in pixels of so many to a unit, with the pen on the baseline at
 * `origin`; y grows downwards. Curves are straight within 1/512 pixel. None when the glyph is empty
 * or cannot be read. */
struct rings font_outlines(const struct font *, uint32_t glyph, struct point origin, double scale,
                           struct arena *);
