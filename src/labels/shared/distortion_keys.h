/* distortion_keys: members of image records that hold the distortion coefficients of a camera. */
#pragma once

#include "base/text.h"

/* True if a member of an image record with this name usually holds such coefficients. */
bool is_distortion_key(struct slice name);
