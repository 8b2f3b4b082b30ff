/* registry: lists all families of rules and all reporters; the lists are made from file names. */
#pragma once

#include "steps/registry.h"
#include "check/rule.h"

struct reporter;

extern const struct rule_family *const check_families[]; /* by name, ended by NULL */
extern const struct reporter *const check_reporters[];   /* by name, ended by NULL */

const struct reporter *check_reporter(const char *name); /* Returns the reporter, or NULL. */
/* Returns all rules in the order of their ids, ended by NULL, in the arena. */
const struct rule **check_rules(struct arena *);
