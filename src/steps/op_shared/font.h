/* font: the font that draw_text writes with, from a file beside the pipeline, and texts as it lays
 * them.
 *
 * One for the process: opened before the first image, the same then, and so in all workers, which
 * are forked later. */
#pragma once

#include "geom/geom.h"
#include "pixels/glyphs.h"

struct op;

/* Opens a font of a file's bytes; a copy is kept. False with the reason. */
bool font_give(struct slice bytes, struct text *why);
/* NULL when there is none. */
const struct font *font_given(void);
/* Does it draw text, so that a font is required? */
bool op_draws_text(const struct op *);
/* The SHA-256 of its file, as text: JSON. Nothing where there is none. */
void font_print(struct text *);

/* A glyph, and where its pen stands, in the font's units from the text's beginning. */
struct placed_glyph {
    uint32_t glyph;
    int64_t pen;
};
struct text_line {
    struct placed_glyph *at;
    size_t n;
    int64_t width; /* where the pen stands behind it */
    bool lacking;  /* the font does not have all of its characters */
};
/* Lays a text of UTF-8 in a line, in the arena, as far as it begins within so many units: from left
 * to right, a glyph a character, with the font's kerning. Control characters are spaces. False with
 * the reason when a glyph cannot be read. */
bool font_lay(const struct font *, const char *text, double units, struct arena *,
              struct text_line *, struct text *why);
