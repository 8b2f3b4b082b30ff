/* probe: prints a line of JSON for each image file. */
#include "open/dataset.h"
#include "shared/say.h"

#include "base/files.h"
#include "batch/io/open.h"
#include "batch/process/limits.h"
#include "batch/io/folder.h"
#include "pixels/picture.h"

#include <stdio.h>
#include <string.h>

static bool probe(const char *name, struct picture_header *header, struct text *why)
{
    enum { MAX_BYTES = 1 << 30 }; /* of a pipe, which may never end */
    static const size_t max_pixels = MAX_PIXELS;
    const struct input_check check = input_check_picture(&max_pixels);
    struct text bytes = { 0 };
    struct stat status;
    bool good = strcmp(name, "-") == 0
                    ? input_read_named(name, MAX_BYTES, &bytes, why)
                    : input_read("", name, LINKS_FOLLOW, &check, &bytes, &status, why);

    good = good && picture_probe((struct slice){ bytes.at, bytes.length }, header, why);

    text_drop(&bytes);
    return good;
}

static void print_header(const char *name, const struct picture_header *h, struct text *out)
{
    text_adds(out, "{\"file\": ");
    text_add_json(out, name, strlen(name));
    text_addf(out,
              ", \"format\": \"%s\", \"width\": %d, \"height\": %d, \"channels\": %d, "
              "\"depth\": %d, \"orientation\": %d}\n",
              picture_format_name(h->format), h->frame.width, h->frame.height, h->channels,
              8 * (int)pixel_type_size(h->type), h->orientation);
}

static int run(void *given, const char *const *operand)
{
    struct faults faults = { .name = "lockstep probe" };
    struct text line = { 0 }, why = { 0 };
    int code = EXIT_DONE;

    (void)given;
    if (!operand[0]) {
        fault_add(&faults, 0, 0, "", "operand-missing", "an image file is required");
        faults_exit(&faults, EXIT_USAGE);
        faults_drop(&faults);
        return EXIT_USAGE;
    }
    for (size_t i = 0; operand[i]; i++) {
        struct picture_header header;

        text_clear(&why);
        text_clear(&line);
        if (!text_is_utf8(operand[i])) {
            fault_add(&faults, 0, 0, operand[i], "name-utf8", NAME_UTF8_FAULT);
        } else if (probe(operand[i], &header, &why)) {
            print_header(operand[i], &header, &line);
            fputs(text_string(&line), stdout);
        } else {
            fault_add(&faults, 0, 0, operand[i], "image-unread", "%s", text_string(&why));
        }
    }
    text_drop(&line);
    text_drop(&why);
    if (faults.n)
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

static const char *const examples[] = {
    "lockstep probe images/*.jpg",
    "lockstep probe images/*.png | jq -s 'map(.width * .height) | max'",
    NULL,
};

const struct command probe_command = {
    .name = "probe",
    .brief = true,
    .summary = "print what image files are: size, channels, depth, format",
    .synopsis = "IMAGE...",
    .about =
        "Prints one line of JSON for each image, from its header: `width` and `height` in pixels "
        "as displayed, `channels` (1 to 4, including alpha), `depth` in bits, `format`, and the "
        "EXIF `orientation` (1 to 8; from 5 on, width and height are exchanged). An image that "
        "cannot be read is reported on stderr, and the others are still printed.",
    .operands = "FILE",
    .examples = examples,
    .run = run,
};
