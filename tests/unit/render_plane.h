/* render_plane: drawn ops rendered from one plane to one plane. */
#pragma once

#include "../../src/walk/render_plane.h"
