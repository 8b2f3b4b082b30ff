/* limits: what the machine, or the container that this is in, has for a run. */
#pragma once

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* 16383 squared: an image of more pixels is refused from its header, unless told otherwise. */
enum { MAX_PIXELS = 268402689 };

/* Processors that this process may use: its affinity, and the quota of its control group. At least
 * one. */
int limits_processors(void);
/* Bytes of memory that it may use: the machine's, or the limit of its control group. */
uint64_t limits_memory(void);
/* Appends which limit of memory is the lowest of those for which the kernel kills: "the control
 * group /a (memory.max) has 120 MB". */
void limits_name_memory(struct text *);
/* Returns which limit of the user is lower than so many bytes: "ulimit -v"; or NULL. */
const char *limits_lower(uint64_t memory);
/* Returns how many processes the kernel has killed for lack of memory: in the control group of this
 * process, or on the machine. It stays 0 if the kernel does not count them. */
uint64_t limits_memory_kills(void);
/* Replaces such a number if lockstep itself killed the process. */
#define KILLED_BY_LOCKSTEP UINT64_MAX
/* Appends why a process died of a SIGKILL that lockstep did not send: "was killed ...". `kills` is
 * the count before the process started. Returns the error code. */
const char *limits_explain_kill(uint64_t kills, struct text *why);
/* Limit this process to so many bytes of memory of its own, or to what it is limited to already:
 * files that are mapped do not count, nor does what is reserved. */
void limits_keep_to(uint64_t memory);
