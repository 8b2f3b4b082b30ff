/* walked: walks of the registry (src/steps/properties/walk.h) as tests. */
#pragma once

#include "steps/op_shared/font.h"
#include "steps/op_shared/stamps.h"
#include "steps/registry.h"
#include "steps/properties/walk.h"
#include "unit.h"

#include <errno.h>
#include <string.h>

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

/* The stamp that `overlay` pastes: opaque in the middle, and less so towards the right. */
static inline void walked_stamp(void)
{
    enum { SIDE = 24 };
    static unsigned char px[SIDE * SIDE * 4];
    const struct plane p = { px, PIXEL_U8, SIDE, SIDE, 4, SIDE * 4 };

    for (int i = 0; i < SIDE * SIDE * 4; i++)
        px[i] = (unsigned char)(i % 4 < 3 ? i * 7 : 255 - (i / 4 % SIDE) * 8);
    stamps_add("stamp.png", &p, (struct slice){ "", 0 });
}

/* The font of `draw_text`. */
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

/* Ends a test of the entries walked since the last one. */
static inline void walked_report(struct walker *w, const char *name)
{
    unit_checks += w->n_checks;
    w->n_checks = w->n_failed = 0;
    unit_report(name);
}

/* --- one entry alone: OP=name in the environment --- */

/* Entries of the registry that a program walks. Each function returns why the program leaves an
 * entry out, in words that follow the entry's name; NULL: the program walks the entry. */
struct walk_scope {
    const char *(*skip_op)(const struct op *);
    const char *(*skip_transform)(const struct transform *);
};

static inline const char *skip_no_op(const struct op *op)
{
    (void)op;
    return NULL;
}

static inline const char *skip_no_transform(const struct transform *transform)
{
    (void)transform;
    return NULL;
}

/* Returns the name in OP; NULL: all entries are walked. */
static inline const char *walked_name(void)
{
    const char *name = getenv("OP");

    return name && *name ? name : NULL;
}

/* True if the program walks the op, and OP names no other entry. */
static inline bool walked_has_op(const struct walk_scope *scope, const struct op *op)
{
    const char *name = walked_name();

    return (!name || strcmp(name, op->name) == 0) && !scope->skip_op(op);
}

/* True if the program walks the transform, and OP names no other entry. */
static inline bool walked_has_transform(const struct walk_scope *scope,
                                        const struct transform *transform)
{
    const char *name = walked_name();

    return (!name || strcmp(name, transform->name) == 0) && !scope->skip_transform(transform);
}

/* Prints to stderr why the program walks no entry of this name. */
static inline void walked_explain(const struct walk_scope *scope, const char *name)
{
    const struct op *named = registry_op(name);
    const struct transform *drawn = registry_transform(name);
    const char *why = named ? scope->skip_op(named) : drawn ? scope->skip_transform(drawn) : NULL;
    struct nearest nearest = { .word = name };
    struct arena arena = { 0 };

    if (why) {
        fprintf(stderr, "OP=%s: %s %s, so %s does not walk it\n", name, name, why,
                program_invocation_short_name);
        return;
    }
    for (EACH(op, op, registry_ops))
        if (!scope->skip_op(op))
            nearest_try(&nearest, op->name);
    for (EACH(transform, transform, registry_transforms))
        if (!scope->skip_transform(transform))
            nearest_try(&nearest, transform->name);
    fprintf(stderr, "OP=%s: no op or transform has this name%s\n", name,
            nearest_hint(&nearest, &arena));
    arena_drop(&arena);
}

/* Prints the plan: a test for each entry that is walked, and `more` tests that need all entries.
 * Ends the program with a failed test, exit status 2 and the reason if OP names no entry that is
 * walked. */
static inline void walked_plan(const struct walk_scope *scope, size_t more)
{
    const char *name = walked_name();
    size_t n = name ? 0 : more;

    for (EACH(op, op, registry_ops))
        n += walked_has_op(scope, op);
    for (EACH(transform, transform, registry_transforms))
        n += walked_has_transform(scope, transform);
    if (name && n == 0) {
        walked_explain(scope, name);
        printf("1..1\nnot ok 1 - OP=%s names an entry that is walked\n", name);
        exit(2);
    }
    unit_plan(n);
}
