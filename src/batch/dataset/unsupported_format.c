/* unsupported_format: recognizes common annotation formats that lockstep does not read. */
#include "batch/dataset/unsupported_format.h"

#include "base/number.h"
#include "steps/registry.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), end = strlen(suffix);

    return length > end && strcasecmp(path + length - end, suffix) == 0;
}

static bool has_text(struct slice text, const char *word)
{
    return memmem(text.at, text.length, word, strlen(word)) != NULL;
}

/* Returns the format of a file by its first bytes, or NULL. */
static const char *by_magic(struct slice text)
{
    enum { USTAR_AT = 257 };
    static const struct {
        const char *magic;
        size_t length;
        const char *what;
    } all[] = { { "PK\3\4", 4, "a ZIP archive: unpack it" },
                { "\x1f\x8b", 2, "a gzip file: unpack it" },
                { "PAR1", 4, "a Parquet table" },
                { "SQLite format 3", 15, "an SQLite database" },
                { "\x89HDF", 4, "an HDF5 file" },
                { "MATLAB 5.0", 10, "a MATLAB file" },
                { "\x93NUMPY", 6, "a NumPy array" },
                { "\xff\xd8\xff", 3, "a JPEG image; give the folder of the images with -i" },
                { "\x89PNG", 4, "a PNG image; label masks are given with --masks" },
                { "%YAML", 5, "a YAML file" } };

    for (size_t i = 0; i < COUNTOF(all); i++)
        if (text.length >= all[i].length && memcmp(text.at, all[i].magic, all[i].length) == 0)
            return all[i].what;
    if (text.length >= USTAR_AT + 5 && memcmp(text.at + USTAR_AT, "ustar", 5) == 0)
        return "a tar: give it with -i, like its images";
    return NULL;
}

/* True if the text has a member of this name, in quotes, whose value begins with this byte. */
static bool has_member(struct slice text, const char *key, char opening)
{
    const char *end = text.at + text.length, *at = text.at;

    while ((at = memmem(at, (size_t)(end - at), key, strlen(key)))) {
        at += strlen(key);
        while (at < end && strchr(" \t\r\n:", *at))
            at++;
        if (at < end && *at == opening)
            return true;
    }
    return false;
}

/* Returns the format of JSON with keys that COCO does not have. JSON with COCO's keys is left to
 * COCO's reader. */
static const char *json_of_others(struct slice text)
{
    static const struct {
        const char *key, *other, *what;
    } all[] = {
        { "\"shapes\"", "\"shape_type\"",
          "a LabelMe file of one image: give the folder that it is in" },
        { "\"shapes\"", "\"imageData\"",
          "a LabelMe file of one image: give the folder that it is in" },
        { "\"shapes\"", "\"imagePath\"",
          "a LabelMe file of one image: give the folder that it is in" },
        { "\"_via_img_metadata\"", "\"", "a project of the VGG Image Annotator (VIA)" },
        { "\"region_attributes\"", "\"shape_attributes\"",
          "an export of the VGG Image Annotator (VIA)" },
        { "\"original_width\"", "\"original_height\"", "an export of Label Studio" },
        { "\"annotations\"", "\"drafts\"", "an export of Label Studio" },
        { "\"classTitle\"", "\"objects\"", "a Supervisely file of one image" },
        { "\"classes\"", "\"projectType\"", "the list of classes of a Supervisely project" },
        { "\"frames\"", "\"labels\"", "labels of BDD100K or Scalabel" },
        { "\"asset\"", "\"regions\"", "an export of VoTT" },
        { "\"categories\"", "\"items\"", "a Datumaro dataset" },
        { "\"data_row\"", "\"projects\"", "an export of Labelbox" },
        { "\"annotations\"", "\"coordinates\"", "CreateML" },
    };

    if (has_member(text, "\"images\"", '[')) /* key of COCO */
        return NULL;
    if (has_member(text, "\"image\"", '{') && has_member(text, "\"annotations\"", '['))
        return "a Segment Anything (SA-1B) file of one image";
    if (has_text(text, "\"FeatureCollection\"") && has_text(text, "\"features\""))
        return has_text(text, "\"bounds_imcoords\"") ? "xView's GeoJSON" : "GeoJSON";
    if (has_text(text, "\"image_id\""))
        return NULL;
    for (size_t i = 0; i < COUNTOF(all); i++)
        if (has_text(text, all[i].key) && has_text(text, all[i].other))
            return all[i].what;
    return NULL;
}

static const char cvat[] = "CVAT's XML";

static const char *xml_of(struct slice text)
{
    static const char voc[] = "a Pascal VOC file of one image: give the folder that it is in";

    if (has_text(text, "<object>") || has_text(text, "<bndbox>"))
        return voc;
    if (has_text(text, "<annotation"))
        return has_text(text, "<image ") || has_text(text, "<track ") ? cvat : voc;
    return "XML";
}

/* True if the text consists of numbers, blanks and line ends, and has digits and blanks. */
static bool is_numbers(struct slice text)
{
    size_t digits = 0, blanks = 0;

    for (size_t i = 0; i < text.length; i++) {
        digits += text.at[i] >= '0' && text.at[i] <= '9';
        blanks += text.at[i] == ' ';
        if (!text.at[i] || !strchr("0123456789.+-eE \t\r\n", text.at[i]))
            return false;
    }
    return digits && blanks;
}

enum { MAX_FIELDS = 17 };

/* Counts the fields of a line, which blanks separate. `numbers` gets one bit for each field that is
 * a number. */
static size_t fields_of(struct slice line, unsigned *numbers)
{
    size_t n = 0, at = 0;

    *numbers = 0;
    while (n < MAX_FIELDS) {
        struct slice field = { line.at, 0 };
        double number;

        while (at < line.length && strchr(" \t\r", line.at[at]))
            at++;
        field.at = line.at + at;
        while (at < line.length && !strchr(" \t\r", line.at[at]))
            at++;
        field.length = (size_t)(line.at + at - field.at);
        if (!field.length)
            return n;
        if (number_scan(field, &number) == field.length)
            *numbers |= 1u << n;
        n++;
    }
    return n;
}

/* Returns the format of labels with words and numbers, by the first line that has both. */
static const char *lines_of_others(struct slice text)
{
    static const char dota[] = "DOTA's oriented boxes", kitti[] = "labels of KITTI";
    enum { EIGHT = 0xff, KITTI_FIELDS = 15 };

    for (size_t at = 0; at < text.length;) {
        const char *end = memchr(text.at + at, '\n', text.length - at);
        struct slice line = { text.at + at, (end ? (size_t)(end - text.at) : text.length) - at };
        unsigned numbers;
        size_t n = fields_of(line, &numbers);

        at += line.length + 1;
        if (!n || (n == 1 && (has_text(line, "imagesource:") || has_text(line, "gsd:"))))
            continue;
        if ((n == 9 || n == 10) && (numbers & 0x1ff) == EIGHT)
            return dota;
        return n >= KITTI_FIELDS && n < MAX_FIELDS && numbers == (1u << n) - 2 ? kitti : NULL;
    }
    return NULL;
}

/* True if the first two lines have the same number of commas, and at least one. */
static bool is_table(struct slice text, char comma)
{
    size_t commas[2] = { 0 }, line = 0;

    for (size_t i = 0; i < text.length && line < 2; i++) {
        line += text.at[i] == '\n';
        if (line < 2)
            commas[line] += text.at[i] == comma;
    }
    return line && commas[0] && (commas[0] == commas[1] || line < 2 || !commas[1]);
}

static const char *what_of(const char *path, struct slice text)
{
    size_t blanks = 0;
    const char *what = by_magic(text);
    char first, second;

    while (blanks < text.length && strchr(" \t\r\n", text.at[blanks]) && text.at[blanks])
        blanks++;
    first = blanks < text.length ? text.at[blanks] : '\0';
    second = blanks + 1 < text.length ? text.at[blanks + 1] : '\0';
    if (what)
        return what;
    if (first == '{' || first == '[')
        return has_suffix(path, ".jsonl") ? "JSON Lines" : json_of_others(text);
    if (first == '<' && (second == '?' || second == '!' || isalpha((unsigned char)second)))
        return xml_of(text);
    if (has_suffix(path, ".tfrecord") || has_suffix(path, ".record"))
        return "a TFRecord file";
    what = lines_of_others(text);
    if (what)
        return what;
    if (is_numbers(text))
        return "a YOLO file of one image: give the folder that it is in";
    if (has_suffix(path, ".csv") || has_suffix(path, ".tsv") || is_table(text, ',') ||
        is_table(text, '\t'))
        return "a table (CSV)";
    return has_suffix(path, ".txt") ? "a text file" : NULL;
}

static struct slice head_of(struct slice text)
{
    if (text.length > DETECT_BYTES)
        text.length = DETECT_BYTES;
    if (text.length >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0)
        text = (struct slice){ text.at + 3, text.length - 3 };
    return text;
}

static void add_reason(const char *what, struct text *why)
{
    text_addf(why,
              "this seems to be %s; lockstep reads COCO JSON, and folders of label files with the "
              "suffix ",
              what);
    registry_print_label_suffixes(why);
}

bool detect_unsupported(const char *path, struct slice text, struct text *why)
{
    const char *what = what_of(path, head_of(text));

    if (what)
        add_reason(what, why);
    return what;
}

bool detect_unsupported_labels(struct slice text, struct text *why)
{
    const char *what;

    text = head_of(text);
    what = text.length && text.at[0] == '<' ? xml_of(text) : lines_of_others(text);
    if (!what || (text.at[0] == '<' && what != cvat))
        return false;
    add_reason(what == cvat ? "CVAT's XML: name this file, not its folder" : what, why);
    return true;
}
