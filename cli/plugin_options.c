/* plugin_options: --plugin, of all commands that know steps. */
#include "plugin_options.h"

#include "../src/batch/rehearse.h"

#include <string.h>

static struct given {
    struct names plugin;
} given;

const struct option plugin_options[] = {
    { 0, 0, "FILE",
      NAMES(struct given, plugin, .preset = "null",
            .help = "a shared object with ops and transforms of its own, by a path with a slash; "
                    "may be given several times; see lockstep help plugins") },
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

int plugin_options_load(struct arena *arena)
{
    const char **file = ARENA_ARRAY(arena, const char *, given.plugin.n + 1);

    for (size_t i = 0; i < given.plugin.n; i++)
        file[i] = given.plugin.at[i];
    return plugins_open(file);
}
