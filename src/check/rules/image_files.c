/* image_files: rules about the files that images name: whether they exist, and their contents. */
#include "batch/inspect/inspect.h"
#include "batch/dataset/resolve_names.h"
#include "batch/io/image_name.h"
#include "check/rule.h"

#include <string.h>

enum {
    MISSING,
    SPECIAL,
    EMPTY,
    UNDECODABLE,
    TRUNCATED,
    OTHER_SIZE,
    SWAPPED,
    ORIENTATION,
    OTHER_FORMAT,
    NO_IMAGE,
    TOO_LARGE,
    TINY,
    INKS,
    DEEP,
    ALPHA,
    SEVERAL,
    PALETTE,
    MIXED,
};

static const struct rule rules[] = {
    [MISSING] = { "I001", "image-file-missing", SEVERITY_ERROR, FIX_NONE,
                  "the file of an image is missing",
                  "The folder is wrong, the download was cut short, or names were changed in "
                  "one place only.",
                  "Give the right folder with -i, or remove the image and its annotations." },
    [SPECIAL] = { "I003", "not-a-regular-file", SEVERITY_ERROR, FIX_NONE,
                  "an image's file is a folder, a pipe or a device",
                  "A name is cut short, or there is a folder in place of a file.",
                  "Put the file there, or correct the name." },
    [EMPTY] = { "I004", "empty-file", SEVERITY_ERROR, FIX_NONE, "an image's file has no bytes",
                "The disk was full, or a download failed.", "Copy the file again." },
    [UNDECODABLE] = { "I005", "undecodable", SEVERITY_ERROR, FIX_NONE,
                      "an image's file cannot be read or decoded",
                      "It is damaged, or this user may not read it. Without --pixels only headers "
                      "are read.",
                      "Copy the file again, or remove the image." },
    [TRUNCATED] = { "I006", "truncated", SEVERITY_ERROR, FIX_NONE, "the end of a file is missing",
                    "A download or a copy was cut short. Many readers fill the rest with gray "
                    "without a message.",
                    "Copy the file again, or remove the image." },
    [OTHER_SIZE] = { "I008", "size-differs-from-json", SEVERITY_ERROR, FIX_UNSAFE,
                     "a file's size differs from its image's width and height",
                     "Images were resized after they were annotated, or the sizes are those of "
                     "another set. If the boxes fit the old size, both have to be scaled.",
                     "Correct width and height, or the file." },
    [SWAPPED] = { "I009", "size-swapped-exif", SEVERITY_ERROR, FIX_NONE,
                  "width and height are those of the file without its EXIF orientation",
                  "The program that annotated ignored the orientation; viewers turn the image, and "
                  "then the boxes are wrong.",
                  "Turn the pixels and remove the orientation, or read the images as stored in "
                  "the file: with \"exif\": \"ignore\" in run." },
    [ORIENTATION] = { "I010", "exif-orientation-present", SEVERITY_WARNING, FIX_NONE,
                      "a file's EXIF orientation turns it",
                      "Cameras write it. Some readers turn the pixels and others do not, so that "
                      "boxes fit in some of them only.",
                      "Turn the pixels and remove the orientation." },
    [OTHER_FORMAT] = { "I011", "extension-differs-from-content", SEVERITY_WARNING, FIX_NONE,
                       "a file's format differs from its suffix",
                       "It was renamed instead of converted, or a server sent another format.",
                       "Rename the file and its image, or convert it." },
    [NO_IMAGE] = { "I012", "format-not-allowed", SEVERITY_ERROR, FIX_NONE,
                   "not a supported image format (JPEG, PNG, WebP, TIFF, GIF, BMP, netpbm)",
                   "It is an error page from a server, a video, or in a camera's raw format.",
                   "Put the image there, or convert it." },
    [TOO_LARGE] = { "I013", "image-too-large", SEVERITY_ERROR, FIX_NONE,
                    "an image has more than 268402689 pixels",
                    "It is a scan or a satellite image, or its header is damaged.",
                    "Cut it into tiles." },
    [TINY] = { "I014", "image-too-small", SEVERITY_WARNING, FIX_NONE,
               "an image has a side of less than 10 pixels",
               "It is a thumbnail, or a server sent it in place of the image.",
               "Put the image there, or remove it." },
    [INKS] = { "I016", "cmyk", SEVERITY_WARNING, FIX_NONE, "a JPEG has CMYK inks",
               "It was made for printing. Readers turn it into RGB in different ways, and some "
               "invert it.",
               "Convert it to RGB." },
    [DEEP] = { "I017", "16-bit-or-float", SEVERITY_WARNING, FIX_NONE,
               "the samples of an image have more than 8 bits",
               "Cameras for science and medicine write them. Many readers cut them to 8 bits, and "
               "not all in the same way.",
               "Convert it to 8 bits with the intended range, or make sure that all readers keep "
               "16." },
    [ALPHA] = { "I018", "alpha-channel", SEVERITY_INFO, FIX_NONE, "an image has an alpha channel",
                "It was exported with transparency. Transparent pixels may have any colour, and a "
                "model that takes three channels drops it.",
                "Flatten it against a background." },
    [SEVERAL] = { "I019", "multi-page-or-animated", SEVERITY_WARNING, FIX_NONE,
                  "a file has several frames or pages",
                  "It is an animation, or a TIFF with several pages. Readers use the first.",
                  "Save the frame that is annotated." },
    [PALETTE] = { "I020", "palette", SEVERITY_INFO, FIX_NONE, "an image has a palette",
                  "It was saved with few colours. Readers that do not look it up see indices.",
                  "Convert it to RGB." },
    [MIXED] = { "I022", "mixed-channel-counts", SEVERITY_INFO, FIX_NONE,
                "images differ in their number of channels",
                "Some images are gray, or some have alpha.",
                "Make sure that the loader converts all images to the same channels." },
    { 0 },
};

static struct slice name_of(const struct element *e)
{
    return pick_again(e->text, "file_name");
}

static void report(struct check *c, int rule, const struct element *e, const char *what,
                   const char *why)
{
    rule_report(c, &rules[rule], e, "file_name", name_of(e), "%s%s%s", what, *why ? ": " : "", why);
}

/* Reports a file that cannot be used. */
static void report_state(struct check *c, const struct element *e,
                         const struct inspected_file *file, const char *hint)
{
    struct text roots = { 0 };

    switch (file->state) {
    case FILE_MISSING:
        file_print_roots(e->file, &roots);
        rule_report(c, &rules[MISSING], e, "file_name", name_of(e), "the file is not in %s%s",
                    text_string(&roots), hint);
        break;
    case FILE_SPECIAL:
        report(c, SPECIAL, e, file->why, "");
        break;
    case FILE_EMPTY:
        report(c, EMPTY, e, "the file is empty", "");
        break;
    case FILE_FOREIGN:
        report(c, NO_IMAGE, e, "the file is not a JPEG, PNG, WebP, TIFF, GIF, BMP or netpbm image",
               "");
        break;
    case FILE_LARGE:
        report(c, TOO_LARGE, e, "the image is too large", file->why);
        break;
    case FILE_TRUNCATED:
        report(c, TRUNCATED, e, "the end of the file is missing", file->why);
        break;
    case FILE_UNREAD:
    case FILE_DAMAGED:
    case FILE_FATAL:
        report(c, UNDECODABLE, e,
               file->state == FILE_UNREAD ? "the file cannot be read"
                                          : "the file cannot be decoded",
               file->why);
        break;
    case FILE_NONE:
    case FILE_GOOD:
        break;
    }
    text_drop(&roots);
}

/* --- sizes --- */

static void replace_size(struct check *c, struct finding *f, const struct element *e,
                         struct frame size)
{
    finding_replace(c, f, pick_again(e->text, "width"), "%d", size.width);
    finding_replace(c, f, pick_again(e->text, "height"), "%d", size.height);
}

static void check_size(struct check *c, const struct element *e, const struct checked_image *image,
                       const struct picture_header *h)
{
    struct frame shown = h->frame;
    struct picture_header stored = picture_header_stored(h);
    struct finding *f;

    if (image->width && image->height &&
        (image->width != shown.width || image->height != shown.height)) {
        if (image->width == stored.frame.width && image->height == stored.frame.height) {
            rule_report(c, &rules[SWAPPED], e, "width", pick_again(e->text, "width"),
                        "the file is %d x %d as its EXIF orientation shows it, and %d x %d without",
                        shown.width, shown.height, stored.frame.width, stored.frame.height);
            return;
        }
        f = rule_report(c, &rules[OTHER_SIZE], e, "width", pick_again(e->text, "width"),
                        "the image is said to be %d x %d; its file is %d x %d%s", image->width,
                        image->height, shown.width, shown.height,
                        image->width == shown.height && image->height == shown.width
                            ? ": width and height are swapped"
                            : "");
        if (c->options->fixes)
            replace_size(c, f, e, shown);
    }
    if (h->orientation > 1)
        rule_report(c, &rules[ORIENTATION], e, "file_name", name_of(e),
                    "the file has the EXIF orientation %d", h->orientation);
}

/* --- kinds of images --- */

static void check_kind(struct check *c, const struct element *e, const struct inspected_file *file,
                       const char *name)
{
    const struct picture_header *h = &file->header;
    enum picture_format named = name_format(name);

    if (named != PICTURE_SAME && named != h->format)
        rule_report(c, &rules[OTHER_FORMAT], e, "file_name", name_of(e),
                    "the file is of the format %s", picture_format_name(h->format));
    if (h->frame.width < 10 || h->frame.height < 10)
        rule_report(c, &rules[TINY], e, "file_name", name_of(e), "the image is %d x %d",
                    h->frame.width, h->frame.height);
    if (file->inks)
        report(c, INKS, e, "the JPEG has four channels of inks", "");
    if (h->type != PIXEL_U8)
        report(c, DEEP, e, h->type == PIXEL_U16 ? "its samples have 16 bits" : "it has floats", "");
    if (h->channels % 2 == 0)
        report(c, ALPHA, e, "the image has an alpha channel", "");
    if (h->several)
        report(c, SEVERAL, e, "the file has several frames or pages", "");
    if (h->palette)
        report(c, PALETTE, e, "the image has a palette", "");
}

static void check_mixed(struct check *c, const struct annotation_file *file)
{
    size_t n[5] = { 0 };
    struct element e = element_of_file(file);
    int kinds = 0;

    for (size_t i = 0; i < file->n_images; i++) {
        const struct inspected_file *seen = &file->inspection->images[i];

        if (seen->has_header && seen->header.channels >= 1 && seen->header.channels <= 4)
            n[seen->header.channels]++;
    }
    for (int channels = 1; channels <= 4; channels++)
        kinds += n[channels] > 0;
    if (kinds > 1)
        rule_report(c, &rules[MIXED], &e, "images", file->sections[LIST_IMAGES],
                    "%zu images are gray, %zu gray with alpha, %zu coloured, %zu coloured with "
                    "alpha",
                    n[1], n[2], n[3], n[4]);
}

/* Appends a hint where a missing image would be found, like run's. */
static void hint_place(const struct annotation_file *file, const char *path, struct text *hint)
{
    const struct dataset dataset = { .format = file->format };
    const struct job job = { .dataset = &dataset,
                             .images.roots = file->roots,
                             .images.links = LINKS_FOLLOW };

    resolve_hint(&job, path, hint);
}

static void check_all(struct check *c)
{
    for (size_t i = 0; i < c->n_files; i++) {
        const struct annotation_file *file = &c->files[i];
        struct text hint = { 0 };
        bool hinted = false;

        for (size_t k = 0; file->inspection && k < file->n_images; k++) {
            const struct inspected_file *seen = &file->inspection->images[k];
            struct element e = element_of_image(file, k);

            if (seen->state == FILE_MISSING && !hinted)
                hint_place(file, file->images[k].path, &hint);
            hinted |= seen->state == FILE_MISSING;
            report_state(c, &e, seen, text_string(&hint));
            text_clear(&hint);
            if (seen->has_header) {
                check_size(c, &e, &file->images[k], &seen->header);
                check_kind(c, &e, seen, file->images[k].name);
            }
        }
        text_drop(&hint);
        if (file->inspection)
            check_mixed(c, file);
    }
}

const struct rule_family image_files_family = {
    .title = "image files",
    .rules = rules,
    .all = check_all,
};
