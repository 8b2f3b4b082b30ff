/* alias_values_words: modes of borders and interpolation, which are numbers or words in other
 * libraries. */
#include "migrate/aliases/alias_values.h"

#include <string.h>
#include <strings.h>

/* Prints the word for OpenCV's number. */
static bool print_word(const struct value *v, const char *const *by_number, size_t n,
                       struct text *out)
{
    const char *word = NULL;

    if (v->kind == VALUE_NUMBER && v->number >= 0 && v->number < (double)n)
        word = by_number[(size_t)v->number];
    if (!word)
        return false;
    text_addf(out, "\"%s\"", word);
    return true;
}

/* cv2.BORDER_CONSTANT, _REPLICATE, _REFLECT, _WRAP, _REFLECT_101, and numpy's words. */
bool print_border(const struct value *v, double context, struct text *out)
{
    static const char *const modes[] = { "constant", "edge", "symmetric", "wrap", "reflect" };

    (void)context;
    for (size_t i = 0; v->kind == VALUE_TEXT && i < COUNTOF(modes); i++)
        if (modes[i] && strcmp(v->text, modes[i]) == 0) {
            text_addf(out, "\"%s\"", modes[i]);
            return true;
        }
    return print_word(v, modes, COUNTOF(modes), out);
}

/* cv2.INTER_NEAREST to _LANCZOS4, and the words of Pillow and torchvision in capitals. For steps
 * that warp, OpenCV's area means bilinear; steps that resize (`resizes` > 0) have it as a separate
 * mode. */
bool print_interpolation(const struct value *v, double resizes, struct text *out)
{
    const char *const taps[] = { "nearest", "bilinear", "bicubic",
                                 resizes > 0 ? "area" : "bilinear", "lanczos" };
    static const char *const known[] = { "nearest_exact", "nearest-exact", "nearest", "bilinear",
                                         "bicubic",       "lanczos",       "box",     "hamming" };
    const char *word = v->kind == VALUE_TEXT ? v->text : "", *dot = strrchr(word, '.');

    word = dot ? dot + 1 : word;
    for (size_t i = 0; i < COUNTOF(known); i++)
        if (strcasecmp(word, known[i]) == 0) {
            text_addf(out, "\"%.*s\"", (int)strcspn(known[i], "_-"), known[i]);
            return true;
        }
    return print_word(v, taps, COUNTOF(taps), out);
}

/* Prints the interpolation for shrinking of a pair for shrinking and enlarging. */
bool print_shrinking(const struct value *v, double resizes, struct text *out)
{
    const struct value *way = value_get(v, "downscale");

    return way && print_interpolation(way, resizes, out);
}

bool print_enlarging(const struct value *v, double resizes, struct text *out)
{
    const struct value *way = value_get(v, "upscale");

    return way && print_interpolation(way, resizes, out);
}

/* Prints a list of words with null as "none"; null if all words are null. */
bool print_words_or_none(const struct value *v, double context, struct text *out)
{
    size_t n_words = 0;

    (void)context;
    for (size_t i = 0; v->kind == VALUE_LIST && i < v->n; i++)
        n_words += v->item[i].kind != VALUE_NULL;
    for (size_t i = 0; n_words && i < v->n; i++) {
        text_adds(out, i ? ", " : "[");
        if (v->item[i].kind == VALUE_NULL)
            text_adds(out, "\"none\"");
        else
            value_print(&v->item[i], out);
    }
    text_adds(out, n_words ? "]" : "null");
    return v->kind == VALUE_LIST || v->kind == VALUE_NULL;
}

/* Prints the paint, unless it is the word for noise. */
bool print_paint(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (v->kind == VALUE_TEXT)
        text_adds(out, "0");
    else
        value_print(v, out);
    return true;
}

/* True is printed if the value is the word "random" instead of a color. */
bool print_is_noise(const struct value *v, double context, struct text *out)
{
    (void)context;
    text_adds(out, v->kind == VALUE_NUMBER || v->kind == VALUE_LIST ? "false" : "true");
    return true;
}

/* Prints the color of rain (0) or mud (1) from a list, or from an object with a list for each. */
bool print_of_liquid(const struct value *v, double which, struct text *out)
{
    if (v->kind == VALUE_OBJECT)
        v = value_get(v, which > 0 ? "mud" : "rain");
    if (!v || v->kind != VALUE_LIST)
        return false;
    value_print(v, out);
    return true;
}
