/* registry: every family of rules and every reporter there is; the lists are made from file names.
 */
#pragma once

#include "steps/registry.h"
#include "check/rule.h"

struct reporter;

extern const struct rule_family *const check_families[]; /* by name, ended by NULL */
extern const struct reporter *const check_reporters[];   /* by name, ended by NULL */

const struct reporter *check_reporter(const char *name); /* or NULL */
/* Rules in the order of their ids; NULL after the last. They live in the arena. */
const struct rule **check_rules(struct arena *);
