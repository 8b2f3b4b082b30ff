/* random_step: steps with random values. */
#pragma once

#include "../../src/walk/random_step.h"
