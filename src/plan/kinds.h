/* kinds: the kinds of parameters that only a pipeline has. */
#pragma once

#include "param/param.h"

extern const struct kind label_pairs_kind, when_kind, reject_rules_kind;
