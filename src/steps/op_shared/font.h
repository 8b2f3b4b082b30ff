/* font: the font of draw_text, from a file next to the pipeline, and the layout of texts.
 *
 * There is one font per process. It is opened before the first image and does not change later.
 * Workers are forked afterwards and inherit it. */
#pragma once

#include "geom/geom.h"
#include "pixels/glyphs.h"

struct op;

/* Opens a font from a copy of a file's bytes. Returns false with the reason. */
bool font_give(struct slice bytes, struct text *why);
/* Returns the font, or NULL. */
const struct font *font_given(void);
/* True if the op draws text and so needs a font. */
bool op_draws_text(const struct op *);
/* Prints the SHA-256 of the font's file as JSON; nothing without a font. */
void font_print(struct text *);

/* A glyph and the pen position of its start, in font units from the start of the text. */
struct placed_glyph {
    uint32_t glyph;
    int64_t pen;
};
struct text_line {
    struct placed_glyph *at;
    size_t n;
    int64_t width; /* pen position after the last glyph */
    bool lacking;  /* the font lacks some of its characters */
};
/* Lays out a UTF-8 text in a line, in the arena: from left to right, one glyph per character, with
 * the font's kerning. Stops at the first glyph that would start after `units`. Control characters
 * become spaces. Returns false with the reason if a glyph cannot be read. */
bool font_lay(const struct font *, const char *text, double units, struct arena *,
              struct text_line *, struct text *why);
