/* json: rules about the text itself, before its contents matter. */
#include "check/rule.h"

#include <string.h>

enum {
    SYNTAX,
    NOT_UTF8,
    BOM,
    TWICE,
    NAN_TOKEN,
    TOO_LARGE,
    TOO_DEEP,
    TRAILING,
    NO_OBJECT,
    SECTION_MISSING,
    WRONG_TYPE,
    TOO_LONG,
};

static const struct rule rules[] = {
    [SYNTAX] = { "J001", "json-syntax", SEVERITY_ERROR, FIX_NONE, "the text is not JSON",
                 "The file was cut short, edited by hand, or written by a program that does not "
                 "know JSON: single quotes, comments, a comma after the last element.",
                 "Write the file again with a JSON library, or correct the marked place." },
    [NOT_UTF8] = { "J002", "not-utf8", SEVERITY_ERROR, FIX_NONE, "a string is not UTF-8",
                   "The file was written in another encoding, often Latin-1 or Shift JIS, or a "
                   "file name was copied byte by byte.",
                   "Convert the file to UTF-8, with iconv for example." },
    [BOM] = { "J003", "bom", SEVERITY_WARNING, FIX_SAFE, "the file begins with a byte order mark",
              "Some editors and spreadsheet programs write one before UTF-8; JSON has none, and "
              "Python's json module refuses it.",
              "Remove the first three bytes." },
    [TWICE] = { "J004", "duplicate-key", SEVERITY_ERROR, FIX_NONE, "an object has a name twice",
                "Two exports were merged by hand. Most readers silently take the last value.",
                "Remove one of the two." },
    [NAN_TOKEN] = { "J005", "nan-or-infinity-token", SEVERITY_ERROR, FIX_NONE,
                    "NaN or Infinity, which JSON does not have",
                    "Python's json module writes them for floats that are not numbers: a division "
                    "by zero, an empty mask, a missing value of pandas.",
                    "Find the cause, and correct or remove the annotation." },
    [TOO_LARGE] = { "J006", "number-out-of-range", SEVERITY_ERROR, FIX_NONE,
                    "a number is too large for a double, or is not a JSON number",
                    "A value overflowed, or was written with a leading zero or plus sign.",
                    "Write the number that was meant." },
    [TOO_DEEP] = { "J007", "nesting-too-deep", SEVERITY_ERROR, FIX_NONE,
                   "lists and objects are nested too deeply",
                   "More than 64 lists and objects are inside each other; no dataset needs that.",
                   "Flatten the nested values." },
    [TRAILING] = { "J008", "trailing-data", SEVERITY_ERROR, FIX_NONE,
                   "something follows the end of the document",
                   "Two files were concatenated, or a longer file was partly overwritten.",
                   "Remove what follows, or write the file again." },
    [NO_OBJECT] = { "J009", "top-level-not-object", SEVERITY_ERROR, FIX_NONE,
                    "the file is not an object with images and annotations",
                    "A file of results is a list; other formats have other roots.",
                    "Give the annotation file of the dataset." },
    [SECTION_MISSING] = { "J010", "section-missing", SEVERITY_ERROR, FIX_NONE,
                          "a required list is missing",
                          "The exporter left it out, or gave it another name.", "Add the list." },
    [WRONG_TYPE] = { "J011", "wrong-type", SEVERITY_ERROR, FIX_NONE,
                     "a value has another type than COCO's",
                     "An exporter writes a string for a number, or an object for a list.",
                     "Write the value as COCO does; see lockstep help coco." },
    [TOO_LONG] = { "J015", "element-too-long", SEVERITY_ERROR, FIX_NONE,
                   "an element is longer than 64 MiB",
                   "A mask was written as a polygon of all its pixels, or as uncompressed runs.",
                   "Compress the mask's RLE." },
    { 0 },
};

static const struct rule *rule_of(const struct bad_stretch *b)
{
    const struct scan *s = b->scan;

    if (strcmp(s->code, "json-utf8") == 0)
        return &rules[NOT_UTF8];
    if (strcmp(s->code, "json-depth") == 0)
        return &rules[TOO_DEEP];
    if (strcmp(s->code, "json-number") == 0) {
        const char *at = s->text.at + s->where, *end = s->text.at + s->text.length;

        at += at < end && *at == '-';
        return at < end && strchr("NnIi", *at) ? &rules[NAN_TOKEN] : &rules[TOO_LARGE];
    }
    return b->at.list == LIST_NONE && strstr(s->what, "end of the document") ? &rules[TRAILING]
                                                                             : &rules[SYNTAX];
}

static void report_broken(struct check *c, const struct bad_stretch *b)
{
    const struct scan *s = b->scan;
    size_t where = s->where < s->text.length ? s->where : s->text.length - (s->text.length > 0);

    if (!s->code) {
        rule_report_plain(c, &rules[WRONG_TYPE], &b->at, NULL, b->at.text, "expected an object");
        return;
    }
    rule_report(c, rule_of(b), &b->at, NULL, (struct slice){ s->text.at + where, 1 }, "%s%s",
                s->what, b->lost ? "; nothing after this is read" : "");
}

static bool is_object(struct slice text)
{
    bool bom = text.length >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0;
    struct scan s = scan_start(text, bom ? 3 : 0);

    return scan_peek(&s) == '{';
}

/* Checks the lists of the top level. */
static void check_file(struct check *c, const struct annotation_file *file, void *state)
{
    struct element e = element_of_file(file);

    (void)state;
    if (file->text.length >= 3 && memcmp(file->text.at, "\xef\xbb\xbf", 3) == 0) {
        struct finding *f =
            rule_report_plain(c, &rules[BOM], &e, NULL, (struct slice){ file->text.at, 3 },
                              "the file begins with a byte order mark");

        if (c->options->fixes)
            finding_replace(c, f, (struct slice){ file->text.at, 3 }, "%s", "");
    }
    if (!file->readable || file_is_results(file) || file_is_table(file) || file->listed)
        return;
    if (!is_object(file->text)) {
        rule_report_plain(c, &rules[NO_OBJECT], &e, NULL, (struct slice){ 0 },
                          "expected an object with images and annotations");
        return;
    }
    if (!file->has[LIST_IMAGES])
        rule_report_plain(c, &rules[SECTION_MISSING], &e, "images", (struct slice){ 0 },
                          "the list \"images\" is missing");
    for (int list = LIST_IMAGES; list < LISTS; list++) {
        struct slice at = file->sections[list];

        if (at.at && *at.at != '[')
            rule_report_plain(c, &rules[WRONG_TYPE], &e, list_name((enum checked_list)list), at,
                              "expected a list");
        if (file->twice[list].at)
            rule_report_plain(c, &rules[TWICE], &e, list_name((enum checked_list)list),
                              file->twice[list], "this name is given twice");
    }
}

const struct rule_family json_family = {
    .title = "JSON",
    .rules = rules,
    .tables = true,
    .broken = report_broken,
    .file = check_file,
};
