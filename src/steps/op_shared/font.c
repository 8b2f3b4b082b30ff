/* font: the font of draw_text, and the layout of texts. */
#include "steps/op_shared/font.h"

#include "base/hash.h"
#include "base/text.h"
#include "steps/op.h"

#include <string.h>

static struct {
    struct font *font;
    struct arena arena;
    char sha256[65];
} given;

bool font_give(struct slice bytes, struct text *why)
{
    struct slice kept = { arena_copy(&given.arena, bytes.at, bytes.length), bytes.length };

    hash_hex(kept.at, kept.length, given.sha256);
    given.font = font_open(kept, why);
    return given.font != NULL;
}

const struct font *font_given(void)
{
    return given.font;
}

bool op_draws_text(const struct op *op)
{
    for (ROWS (row, op->params))
        if (strcmp(row->name, "font_size") == 0)
            return true;
    return false;
}

void font_print(struct text *out)
{
    if (given.font)
        text_addf(out, "\"%s\"", given.sha256);
}

/* --- layout --- */

/* Returns the character at `at` and its length in bytes. An invalid byte is U+FFFD. */
static uint32_t character_at(const char *at, const char *end, size_t *bytes)
{
    static const unsigned char mask[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
    size_t length = utf8_length(at, end);
    uint32_t c;

    *bytes = length ? length : 1;
    if (!length)
        return 0xfffd;
    c = (unsigned char)*at & mask[length];
    for (size_t i = 1; i < length; i++)
        c = c << 6 | ((unsigned char)at[i] & 0x3f);
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) ? ' ' : c;
}

bool font_lay(const struct font *font, const char *text, double units, struct arena *arena,
              struct text_line *line, struct text *why)
{
    const char *end = text + strlen(text);
    int64_t pen = 0, advance;
    size_t bytes;

    *line = (struct text_line){ .at = ARENA_ARRAY(arena, struct placed_glyph, strlen(text)) };
    for (; text < end && (double)pen < units; text += bytes) {
        uint32_t c = character_at(text, end, &bytes), glyph = font_glyph(font, c);

        if (!font_advance(font, glyph, &advance)) {
            text_addf(why, "cannot read the font's glyph of U+%04X [font-unread]", c);
            return false;
        }
        if (line->n)
            pen += font_kerning(font, line->at[line->n - 1].glyph, glyph);
        line->lacking |= !glyph;
        line->at[line->n++] = (struct placed_glyph){ glyph, pen };
        pen += advance;
    }
    line->width = pen;
    return true;
}
