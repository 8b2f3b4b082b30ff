/* name_template: file names made from the parts of another name. */
#include "batch/output/name_template.h"

#include <string.h>

/* Piece of a template: literal text, or a field. */
struct piece {
    struct slice text;  /* NULL for a field */
    struct slice field; /* "stem" */
    struct slice from, to;
    bool replaces;
};

static bool equals_word(struct slice s, const char *word)
{
    return s.length == strlen(word) && memcmp(s.at, word, s.length) == 0;
}

static bool fail(struct text *why, const char *template, const char *at, const char *what)
{
    text_addf(why, "at byte %zu: %s", (size_t)(at - template) + 1, what);
    return false;
}

static struct slice slice_to(const char **at, const char *end, char stop)
{
    const char *from = *at, *found = memchr(from, stop, (size_t)(end - from));

    *at = found ? found + 1 : end;
    return (struct slice){ from, (size_t)((found ? found : end) - from) };
}

/* Splits the field between two braces. */
static void split_field(const char *at, const char *end, struct piece *piece)
{
    *piece = (struct piece){ .field = slice_to(&at, end, '/') };
    piece->replaces = piece->field.at + piece->field.length < end;
    piece->from = slice_to(&at, end, '/');
    piece->to = (struct slice){ at, (size_t)(end - at) };
}

/* Reads the next piece and moves `*at` to its end. Returns false at the end, and with the reason if
 * the template is wrong. */
static bool next_piece(const char *template, const char **at, struct piece *piece, struct text *why)
{
    const char *start = *at, *end;

    if (!*start)
        return false;
    if ((start[0] == '{' || start[0] == '}') && start[1] == start[0]) {
        *at += 2;
        *piece = (struct piece){ .text = { start, 1 } };
        return true;
    }
    if (*start == '}')
        return fail(why, template, start, "\"}\" without \"{\"; a brace itself is \"}}\"");
    if (*start != '{') {
        size_t length = strcspn(start, "{}");

        *at += length;
        *piece = (struct piece){ .text = { start, length } };
        return true;
    }
    end = start + 1 + strcspn(start + 1, "{}");
    if (*end != '}')
        return fail(why, template, start, "\"{\" without \"}\"; a brace itself is \"{{\"");
    split_field(start + 1, end, piece);
    *at = end + 1;
    return true;
}

bool name_template_check(const char *template, bool copies, struct text *why)
{
    const char *at = template, *start = at;
    struct piece piece;

    for (; next_piece(template, &at, &piece, why); start = at) {
        struct slice field = piece.field;

        if (piece.text.at || equals_word(field, "dir") || equals_word(field, "stem") ||
            equals_word(field, "ext") || (copies && equals_word(field, "copy"))) {
            if (!piece.replaces || piece.from.length)
                continue;
            return fail(why, template, start, "the text to replace is missing: {stem/from/to}");
        }
        return fail(why, template, start,
                    copies ? "a field is one of dir, stem, ext, copy, as in {stem}"
                           : "a field is one of dir, stem, ext, as in {stem}");
    }
    return !why->length;
}

static void add_replaced(const struct piece *piece, struct slice value, struct text *out)
{
    const char *at = value.at, *end = at + value.length, *found;

    while (piece->replaces &&
           (found = memmem(at, (size_t)(end - at), piece->from.at, piece->from.length))) {
        text_add(out, at, (size_t)(found - at));
        text_add(out, piece->to.at, piece->to.length);
        at = found + piece->from.length;
    }
    text_add(out, at, (size_t)(end - at));
}

/* Drops slashes that an empty {dir} leaves: they would lead to another folder. */
static void drop_slashes(struct text *name)
{
    size_t to = 0;

    for (size_t i = 0; i < name->length; i++)
        if (name->at[i] != '/' || (to && name->at[to - 1] != '/'))
            name->at[to++] = name->at[i];
    text_cut(name, to);
}

void name_template_print(const char *template, const char *name, size_t suffix_at, unsigned copy,
                         struct text *out)
{
    const char *at = template, *slash = strrchr(name, '/');
    size_t stem_at = slash ? (size_t)(slash - name) + 1 : 0, length = strlen(name);
    struct slice dir = { name, slash ? (size_t)(slash - name) : 0 };
    struct slice stem = { name + stem_at, suffix_at - stem_at };
    struct slice ext = { name + suffix_at + (suffix_at < length),
                         length - suffix_at - (suffix_at < length) };
    struct text why = { 0 }, number = { 0 };
    struct piece piece;

    text_clear(out);
    text_addf(&number, "%03u", copy);
    while (next_piece(template, &at, &piece, &why)) {
        if (piece.text.at)
            text_add(out, piece.text.at, piece.text.length);
        else
            add_replaced(&piece,
                         equals_word(piece.field, "dir")    ? dir
                         : equals_word(piece.field, "stem") ? stem
                         : equals_word(piece.field, "ext")
                             ? ext
                             : (struct slice){ number.at, number.length },
                         out);
    }
    drop_slashes(out);
    text_drop(&number);
    text_drop(&why);
}
