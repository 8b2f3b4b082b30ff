/* random_step: steps with random values. */
#pragma once

#include "steps/properties/random_step.h"
