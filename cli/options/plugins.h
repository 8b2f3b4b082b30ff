/* plugins: --plugin, --stamps, --font and --anchors, of all commands that know steps. */
#pragma once

#include "command.h"

extern const struct option plugin_options[];
bool plugin_option_is(const struct option *);
/* Where its value belongs. */
void *plugin_option_place(const struct option *);
/* Add faults for plugins that were given by no path. */
void plugin_options_check(struct faults *);
/* Load those that were given, stamps, the font and anchors. Returns the exit code; faults are
 * printed. */
int plugin_options_load(struct arena *);
