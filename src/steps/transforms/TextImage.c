/* TextImage: writes texts of objects into their boxes. */
#include "steps/transform.h"

#include <string.h>

/* The words of `augmentations`; "none" is UNCHANGED. */
enum augmentation { INSERTION, SWAP, DELETION, UNCHANGED };
static const char *const augmentation_words[] = { "insertion", "swap", "deletion", "none" };

struct params {
    struct names texts, augmentations, stopwords;
    struct list fraction_range, font_size_fraction_range;
    const char *key;
    struct colour font_color;
    bool clear_bg;
    int too_wide;
};

enum too_wide { TOO_WIDE_SHRINK, TOO_WIDE_CUT };
static const struct choice too_wide_choices[] = {
    { "shrink", TOO_WIDE_SHRINK, "reduce the font until the text fits" },
    { "cut", TOO_WIDE_CUT, "the box clips the text; its object keeps the whole text" },
    { 0 },
};

static const struct row rows[] = {
    NAMES(struct params, texts, .preset = "null",
          .help = "texts; one is drawn for each chosen object, with equal probability, and becomes "
                  "the object's text. null: an object keeps the text of its `key`; objects without "
                  "one and crowds are skipped. Characters become glyphs as in draw_text: without "
                  "shaping, from left to right"),
    NAMES(struct params, augmentations, .preset = "null",
          .help = "changes of the words of a text, all with equal probability: \"insertion\" "
                  "of words of `stopwords` at random places, \"swap\" of pairs of words, "
                  "\"deletion\" of words, or \"none\". For n words, n / 2 (rounded down, at "
                  "least 1) are inserted, swapped or deleted, and at least one word is kept. "
                  "null: no change"),
    NAMES(struct params, stopwords, .preset = "[\"the\", \"is\", \"in\", \"at\", \"of\"]",
          .help = "words for \"insertion\""),
    LIST(struct params, fraction_range, .ends = true, .preset = "[1, 1]", .least = 2, .most = 2,
         .limit = { 0, 1 },
         .help = "range of the share of objects with a text whose text is written; their "
                 "number is rounded down"),
    LIST(struct params, font_size_fraction_range, .ends = true, .preset = "[0.8, 0.9]", .least = 2,
         .most = 2, .limit = { 0, 1 },
         .help = "range of the size of the font, as a share of the box's height"),
    CHOICE(struct params, too_wide, .preset = "\"shrink\"", .choices = too_wide_choices,
           .help = "what happens to a text that is wider than its box"),
    TEXT_ROWS(struct params),
    ROWS_END,
};

static int augmentation_of(const char *word)
{
    int i = INSERTION;

    while (i <= UNCHANGED && strcmp(word, augmentation_words[i]) != 0)
        i++;
    return i;
}

static bool check_augmentations(const struct params *p, const struct value *step,
                                struct faults *faults)
{
    const struct value *given = value_get(step, "augmentations");

    for (size_t i = 0; i < p->augmentations.n; i++) {
        int a = augmentation_of(p->augmentations.at[i]);

        if (a > UNCHANGED)
            return value_fault(faults, &given->item[i], false, "param-choice",
                               "\"%s\" is not one of \"insertion\", \"swap\", \"deletion\", "
                               "\"none\"",
                               p->augmentations.at[i]);
        if (a == INSERTION && !p->stopwords.n)
            return value_fault(faults, &given->item[i], false, "param-conflict",
                               "\"insertion\" needs \"stopwords\", which is null");
    }
    return true;
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    bool good = check_augmentations(p, step, faults);

    good &= ordered_check(&p->fraction_range, "fraction_range", step, faults);
    good &= ordered_check(&p->font_size_fraction_range, "font_size_fraction_range", step, faults);
    return text_key_check(p->key, step, faults) && good;
}

/* --- words --- */

struct words {
    const char **at;
    size_t n;
};

static const char spaces[] = " \t\n\v\f\r";

/* Splits a text into words, with room for as many more. */
static struct words split(const char *text, struct arena *arena)
{
    struct words words = { ARENA_ARRAY(arena, const char *, strlen(text) + 2), 0 };

    for (text += strspn(text, spaces); *text; text += strspn(text, spaces)) {
        size_t length = strcspn(text, spaces);

        words.at[words.n++] = arena_copy(arena, text, length);
        text += length;
    }
    return words;
}

static const char *joined(const struct words *words, struct arena *arena)
{
    struct text text = { 0 };
    const char *copy;

    for (size_t i = 0; i < words->n; i++) {
        text_adds(&text, i ? " " : "");
        text_adds(&text, words->at[i]);
    }
    copy = arena_copy(arena, text_string(&text), text.length);
    text_drop(&text);
    return copy;
}

static size_t draw_place(struct rng *rng, size_t n)
{
    return (size_t)rng_integer(rng, 0, (int64_t)n);
}

static void insert_words(struct words *words, size_t times, const struct names *from,
                         struct rng *rng)
{
    for (; times; times--) {
        size_t place = draw_place(rng, words->n + 1);

        memmove(words->at + place + 1, words->at + place, (words->n - place) * sizeof *words->at);
        words->at[place] = from->at[draw_place(rng, from->n)];
        words->n++;
    }
}

static void swap_words(struct words *words, size_t times, struct rng *rng)
{
    for (; times && words->n > 1; times--) {
        size_t a = draw_place(rng, words->n), b = draw_place(rng, words->n - 1);
        const char *word = words->at[a];

        b += b >= a;
        words->at[a] = words->at[b];
        words->at[b] = word;
    }
}

static void delete_words(struct words *words, size_t times, struct rng *rng)
{
    for (; words->n > 1 && times; times--) {
        size_t place = draw_place(rng, words->n--);

        memmove(words->at + place, words->at + place + 1, (words->n - place) * sizeof *words->at);
    }
}

static const char *augmented(struct run *run, const char *text)
{
    const struct params *p = run->params;
    struct words words = split(text, run->arena);
    size_t times = words.n < 2 ? 1 : words.n / 2;

    switch (augmentation_of(p->augmentations.at[draw_place(run->rng, p->augmentations.n)])) {
    case INSERTION:
        insert_words(&words, times, &p->stopwords, run->rng);
        break;
    case SWAP:
        swap_words(&words, times, run->rng);
        break;
    case DELETION:
        delete_words(&words, times, run->rng);
        break;
    default:
        return text;
    }
    return joined(&words, run->arena);
}

/* --- objects --- */

/* An object whose text may be written; its `text` is NULL for one of `texts`. */
struct candidate {
    const struct kept_object *seen;
    const char *text;
    struct rect box;
};

static bool is_candidate(struct run *run, const struct kept_object *seen, struct candidate *to)
{
    const struct params *p = run->params;

    *to = (struct candidate){ .seen = seen };
    if (!seen->has_box || seen->crowd)
        return false;
    to->box = (struct rect){ (int)floor(seen->box.x0), (int)floor(seen->box.y0), 0, 0 };
    to->box.w = (int)floor(seen->box.x1) - to->box.x;
    to->box.h = (int)floor(seen->box.y1) - to->box.y;
    if (to->box.w < 1 || to->box.h < 1)
        return false;
    if (p->texts.n)
        return true;
    to->text = seen_text(run, seen, p->key);
    return to->text && to->text[strspn(to->text, spaces)];
}

static struct candidate *find_candidates(struct run *run, size_t *n)
{
    size_t n_seen;
    const struct kept_object *seen = run_objects(run, &n_seen);
    struct candidate *all = ARENA_ARRAY(run->arena, struct candidate, n_seen + 1);

    *n = 0;
    for (size_t i = 0; i < n_seen; i++)
        *n += is_candidate(run, &seen[i], &all[*n]);
    return all;
}

/* The texts to emit. */
struct lines {
    const char **text;
    struct rect *box;
    double *size, *object;
    size_t n;
};

static void add_line(struct run *run, const struct candidate *c, struct lines *to)
{
    const struct params *p = run->params;
    double share =
        rng_between(run->rng, p->font_size_fraction_range.at[0], p->font_size_fraction_range.at[1]);
    const char *text = p->texts.n ? p->texts.at[draw_place(run->rng, p->texts.n)] : c->text;

    double size = share * c->box.h, width;

    if (p->augmentations.n)
        text = augmented(run, text);
    width = p->too_wide == TOO_WIDE_SHRINK ? run_text_width(run, text) : 0;
    if (width * floor(size) > c->box.w)
        size = c->box.w / width;
    if (size < 1)
        return;
    to->text[to->n] = text;
    to->box[to->n] = c->box;
    to->size[to->n] = floor(size);
    to->object[to->n++] = (double)c->seen->place;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    size_t n, chosen;
    struct candidate *all = find_candidates(run, &n);
    double fraction = rng_between(run->rng, p->fraction_range.at[0], p->fraction_range.at[1]);
    size_t *order = ARENA_ARRAY(run->arena, size_t, n + 1);
    struct lines lines = { ARENA_ARRAY(run->arena, const char *, n + 1),
                           ARENA_ARRAY(run->arena, struct rect, n + 1),
                           ARENA_ARRAY(run->arena, double, n + 1),
                           ARENA_ARRAY(run->arena, double, n + 1), 0 };

    rng_permutation(run->rng, order, n);
    chosen = (size_t)((double)n * fraction);
    for (size_t i = 0; i < chosen; i++)
        add_line(run, &all[order[i]], &lines);
    if (lines.n)
        emit_shared(run, "draw_text", WORDS("texts", lines.n, lines.text),
                    RECTANGLES("boxes", (&(struct rects){ lines.box, lines.n })),
                    NUMS("font_size", lines.n, lines.size), NUMS("objects", lines.n, lines.object));
}

const struct transform TextImage_transform = {
    .name = "TextImage",
    .summary = "write texts of objects into their boxes, with the font of --font",
    .group = GROUP_JOIN,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "texts are members of the objects, and are updated to the written text "
               "(Albumentations takes them from the caller's metadata); a text wider than its "
               "box is reduced (Albumentations writes beyond it); outlines are not hinted; a "
               "text without changed words is written as it is, where Albumentations writes "
               "nothing",
    .example = "{\"type\": \"TextImage\", \"p\": 1, \"texts\": [\"Exit\", \"Open\", \"Taxi\"], "
               "\"fraction_range\": [0.5, 1], \"font_size_fraction_range\": [0.3, 0.6], "
               "\"font_color\": [255, 200, 0]}",
    .emits = (const char *const[]){ "draw_text", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
