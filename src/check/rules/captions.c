/* captions: rules about annotations that describe an image in words. */
#include "base/hash.h"
#include "check/rule.h"

#include <stdlib.h>
#include <string.h>

enum { NO_STRING, EMPTY, MISSING, TWICE, DAMAGED };

static const struct rule rules[] = {
    [NO_STRING] = { "T001", "caption-not-text", SEVERITY_ERROR, FIX_NONE,
                    "a caption is not a string",
                    "A missing text was written as a number, such as NaN from a table, or captions "
                    "were "
                    "written as a list.",
                    "Write one string; several captions of an image are several annotations." },
    [EMPTY] = { "T002", "caption-empty", SEVERITY_WARNING, FIX_NONE, "a caption has no words",
                "The annotator saved before writing. Evaluation divides by the number of words.",
                "Write the caption, or remove the annotation." },
    [MISSING] = { "T003", "caption-missing", SEVERITY_WARNING, FIX_NONE,
                  "an annotation among captions has no caption, and nothing else",
                  "The text was lost in a conversion, or has another name, such as \"text\".",
                  "Write the caption, or remove the annotation." },
    [TWICE] = { "T004", "caption-twice", SEVERITY_INFO, FIX_NONE,
                "an image has the same caption twice",
                "It was saved twice, or two annotators wrote the same words. Five captions of an "
                "image are then worth four.",
                "Remove one of them if it was saved twice." },
    [DAMAGED] = { "T005", "caption-damaged", SEVERITY_WARNING, FIX_NONE,
                  "a caption has the character U+FFFD, so a character was lost",
                  "The text was written in one encoding and read in another.",
                  "Write the caption again from its source." },
    { 0 },
};

/* A caption, to compare the captions of an image. */
struct caption {
    uint32_t image, annotation;
    uint64_t hash;
};

struct captions_state {
    struct pile captions; /* struct caption */
    struct pile missing;  /* uint32_t: annotations without any content */
};

static bool is_blank(const char *words)
{
    return !words[strspn(words, " \t\r\n\v\f")];
}

/* Compares words regardless of their escapes. */
static void check_words(struct check *c, const struct annotation_element *e, struct slice at,
                        struct captions_state *state)
{
    struct slice words = scan_unescape(e->scratch, (struct slice){ at.at + 1, at.length - 2 });

    if (is_blank(words.at))
        rule_report_plain(c, &rules[EMPTY], &e->at, "caption", at, "the caption has no words");
    else if (strstr(words.at, "\xef\xbf\xbd"))
        rule_report_plain(c, &rules[DAMAGED], &e->at, "caption", at,
                          "a character of the caption was lost");
    if (!is_blank(words.at) && e->at.image != NOT_THERE)
        *(struct caption *)pile_add(&state->captions, sizeof(struct caption)) =
            (struct caption){ e->at.image, e->at.index, hash_quick(words.at, words.length) };
}

static bool has_anything(const struct annotation_element *e)
{
    return e->pick[MEMBER_BBOX].value.at || e->pick[MEMBER_SEGMENTATION].value.at ||
           e->pick[MEMBER_KEYPOINTS].value.at || e->pick[MEMBER_CATEGORY].value.at;
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *given)
{
    struct captions_state *state = given;
    const struct pick *caption = &e->pick[MEMBER_CAPTION];

    if (caption->value.at && *caption->value.at == '"')
        check_words(c, e, caption->value, state);
    else if (caption->value.at)
        rule_report_plain(c, &rules[NO_STRING], &e->at, "caption", caption->value,
                          "a caption is a string");
    else if (!has_anything(e))
        *(uint32_t *)pile_add(&state->missing, sizeof(uint32_t)) = e->at.index;
}

static int by_words(const void *a, const void *b)
{
    const struct caption *x = a, *y = b;

    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->annotation > y->annotation) - (x->annotation < y->annotation);
}

static void check_twice(struct check *c, const struct annotation_file *file, struct pile *captions)
{
    const struct caption *all = captions->at;

    if (captions->n)
        qsort(captions->at, captions->n, sizeof *all, by_words);
    for (size_t i = 1; i < captions->n; i++) {
        struct element e = element_of_annotation(file, all[i].annotation);

        if (all[i].image == all[i - 1].image && all[i].hash == all[i - 1].hash)
            rule_report(c, &rules[TWICE], &e, "caption", pick_again(e.text, "caption"),
                        "annotations[%lu] of the image has the same words",
                        (unsigned long)all[i - 1].annotation);
    }
}

/* Reports missing captions if annotations have only captions: objects may have captions, but do not
 * need them. */
static void check_end(struct check *c, const struct annotation_file *file, void *given)
{
    struct captions_state *state = given;
    const uint32_t *missing = state->missing.at;

    for (size_t i = 0; state->captions.n && i < state->missing.n; i++) {
        struct element e = element_of_annotation(file, missing[i]);

        rule_report_plain(c, &rules[MISSING], &e, "caption", (struct slice){ 0 },
                          "there is no caption, no box and no category");
    }
    check_twice(c, file, &state->captions);
    free(state->captions.at);
    free(state->missing.at);
}

const struct rule_family captions_family = {
    .title = "captions",
    .rules = rules,
    .state = sizeof(struct captions_state),
    .annotation = check_annotation,
    .end = check_end,
};
