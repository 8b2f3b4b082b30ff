/* labels: a sample with labels of every kind. */
#pragma once

#include "steps/properties/labels.h"
