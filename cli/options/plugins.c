/* plugins: --plugin, --stamps, --font and --anchors, of all commands that know steps. */
#include "options/plugins.h"

#include "batch/dataset/anchor_file.h"
#include "batch/dataset/font_file.h"
#include "batch/dataset/plugin_probe.h"
#include "batch/dataset/stamp_folder.h"

#include <string.h>

static struct given {
    struct names plugin;
    const char *stamps, *font, *anchors;
} given;

const struct option plugin_options[] = {
    { 0, 0, "FILE",
      NAMES(struct given, plugin, .preset = "null",
            .help = "a shared object with ops and transforms of its own, by a path with a slash; "
                    "see lockstep help plugins") },
    { 0, 0, "DIR",
      TEXT(struct given, stamps, .preset = "\"\"",
           .help = "a folder of PNG files, which OverlayElements lays on images, and which are "
                   "references of HistogramMatching, PixelDistributionAdaptation and FDA") },
    { 0, 0, "FILE",
      TEXT(struct given, font, .preset = "\"\"",
           .help = "the font that TextImage and draw_text write with: a file that FreeType reads "
                   "(.ttf, .otf, .ttc: its first, .pfb), with outlines and a table of Unicode's "
                   "characters") },
    { 0, 0, "FILE",
      TEXT(struct given, anchors, .preset = "\"\"",
           .help =
               "the anchors of encode_boxes and decode_boxes where a step has none: JSON, "
               "[[x, y, width, height], ...], CSV with these columns, or NumPy's .npy, n x 4") },
    OPTIONS_END,
};

bool plugin_option_is(const struct option *o)
{
    return o >= plugin_options && o < plugin_options + COUNTOF(plugin_options);
}

void *plugin_option_place(const struct option *o)
{
    return (char *)&given + o->row.offset;
}

/* No folder is searched for plugins, nor the one where the command runs: a path says which is
 * meant.
 */
void plugin_options_check(struct faults *faults)
{
    for (size_t i = 0; i < given.plugin.n; i++)
        if (!strchr(given.plugin.at[i], '/'))
            fault_add(faults, 0, 0, "--plugin", "plugin-path",
                      "%s is no path with a slash: ./%s is the file of this name here",
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

int plugin_options_load(struct arena *arena)
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
