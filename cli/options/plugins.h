/* plugins: --plugin, --stamps, --font and --anchors, which all commands that know steps take. */
#pragma once

#include "shared/command.h"

extern const struct option_set plugin_options;
