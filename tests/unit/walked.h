/* walked: walks of the registry (src/walk/walk.h) as tests. */
#pragma once

#include "../../src/op/font.h"
#include "../../src/op/stamps.h"
#include "../../src/registry.h"
#include "../../src/walk/walk.h"
#include "unit.h"

static inline void walked_failed(struct walker *w, const char *what)
{
    if (++unit_failed <= 20)
        fprintf(stderr, "not so: %s\n    %s\n", what, w->about);
}

static inline void walked_measured(struct walker *w, const char *line)
{
    (void)w;
    printf("# %s\n", line);
}

/* What `overlay` lays: opaque in the middle, and less so towards the right. */
static inline void walked_stamp(void)
{
    enum { SIDE = 24 };
    static unsigned char px[SIDE * SIDE * 4];
    const struct plane p = { px, PIXEL_U8, SIDE, SIDE, 4, SIDE * 4 };

    for (int i = 0; i < SIDE * SIDE * 4; i++)
        px[i] = (unsigned char)(i % 4 < 3 ? i * 7 : 255 - (i / 4 % SIDE) * 8);
    stamps_add("stamp.png", &p, (struct slice){ "", 0 });
}

/* What `draw_text` writes with. */
static inline void walked_font(void)
{
    static char bytes[1 << 20];
    FILE *file = fopen("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "rb");
    struct text why = { 0 };
    size_t length = file ? fread(bytes, 1, sizeof bytes, file) : 0;

    if (file)
        fclose(file);
    CHECK(length && font_give((struct slice){ bytes, length }, &why));
    text_drop(&why);
}

static inline struct walker walked_begin(void)
{
    if (!font_given())
        walked_font();
    if (!stamp_find("stamp.png"))
        walked_stamp();
    return (struct walker){ .failed = walked_failed, .measured = walked_measured };
}

/* Ends a test of what was walked since the last one. */
static inline void walked_report(struct walker *w, const char *name)
{
    unit_checks += w->n_checks;
    w->n_checks = w->n_failed = 0;
    unit_report(name);
}
