/* plugins: --plugin, --stamps, --font and --anchors: their rows, and how the files are loaded. */
#include "options/plugins.h"
#include "shared/say.h"

#include "batch/dataset/anchor_file.h"
#include "batch/dataset/font_file.h"
#include "batch/dataset/plugin_probe.h"
#include "batch/dataset/stamp_folder.h"

#include <string.h>

static struct given {
    struct names plugin;
    const char *stamps, *font, *anchors;
} given;

static const struct option options[] = {
    { 0, 0, "FILE",
      NAMES(struct given, plugin, .preset = "null",
            .help = "a shared object with ops and transforms of its own. Its path must have a "
                    "slash; see lockstep help plugins",
            .group = OPTIONS_STEPS, .rare = true) },
    { 0, 0, "DIR",
      TEXT(struct given, stamps, .preset = "\"\"",
           .help = "a folder of PNG files for steps that need other pictures. OverlayElements puts "
                   "them on images; HistogramMatching, PixelDistributionAdaptation and FDA use "
                   "them as references",
           .group = OPTIONS_STEPS, .rare = true) },
    { 0, 0, "FILE",
      TEXT(struct given, font, .preset = "\"\"",
           .help = "the font that TextImage and draw_text write with. It is a file that FreeType "
                   "reads (.ttf, .otf, .pfb, or the first font of a .ttc), with outlines and a "
                   "Unicode character table",
           .group = OPTIONS_STEPS, .rare = true) },
    { 0, 0, "FILE",
      TEXT(struct given, anchors, .preset = "\"\"",
           .help = "the anchors of encode_boxes and decode_boxes, if a step has none. The file is "
                   "JSON, [[x, y, width, height], ...], or CSV with these columns, or NumPy's "
                   ".npy, n x 4",
           .group = OPTIONS_STEPS, .rare = true) },
    OPTIONS_END,
};

/* Adds faults for plugins without a slash: no folder is searched for plugins, not even the current
 * one. */
static void check(struct faults *faults)
{
    for (size_t i = 0; i < given.plugin.n; i++)
        if (!strchr(given.plugin.at[i], '/'))
            fault_add(faults, 0, 0, "--plugin", "plugin-path",
                      "%s has no slash; for a file in the current folder, give ./%s",
                      given.plugin.at[i], given.plugin.at[i]);
}

static int load_stamps(const char *folder)
{
    struct faults faults = { .name = folder };
    int code = stamps_open(folder, &faults) ? EXIT_DONE : faults_exit(&faults, EXIT_INPUT);

    faults_drop(&faults);
    return code;
}

static int load_font(const char *file)
{
    struct faults faults = { .name = file };
    int code = font_file_open(file, &faults) ? EXIT_DONE : faults_exit(&faults, EXIT_INPUT);

    faults_drop(&faults);
    return code;
}

static int load_anchors(const char *file)
{
    struct faults faults = { .name = file };
    struct text bytes = { 0 };
    int code = anchors_open(file, &bytes, &faults) ? EXIT_DONE : faults_exit(&faults, EXIT_INPUT);

    faults_drop(&faults);
    text_drop(&bytes);
    return code;
}

static int load(struct arena *arena)
{
    const char **file = ARENA_ARRAY(arena, const char *, given.plugin.n + 1);
    int code;

    for (size_t i = 0; i < given.plugin.n; i++)
        file[i] = given.plugin.at[i];
    code = plugins_open(file);
    if (!code && given.stamps && *given.stamps)
        code = load_stamps(given.stamps);
    if (!code && given.font && *given.font)
        code = load_font(given.font);
    if (!code && given.anchors && *given.anchors)
        code = load_anchors(given.anchors);
    return code;
}

const struct option_set plugin_options = {
    .options = options,
    .values = &given,
    .check = check,
    .load = load,
};
