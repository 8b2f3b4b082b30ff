/* labels: a sample with labels of every kind. */
#pragma once

#include "../../src/walk/labels.h"
