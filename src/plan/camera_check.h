/* camera_check: refuses steps whose maps camera matrices cannot follow. */
#pragma once

#include "plan/plan.h"

/* Adds faults (target-refused) if the pipeline moves cameras, for steps that may move pixels by a
 * displacement field or join images. Mirrors are faults, too, if the pipeline refuses them. */
void cameras_check_steps(const struct plan *, struct faults *);
/* True if cameras can follow the map of a sample to which all steps were applied; else gives the
 * reason. Steps may mirror, or be recorded, so that planning does not find them. */
bool cameras_can_follow(const struct rules *, const struct sample *, struct text *why);
