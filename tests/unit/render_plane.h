/* render_plane: drawn ops rendered from one plane to one plane. */
#pragma once

#include "steps/properties/render_plane.h"
