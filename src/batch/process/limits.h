/* limits: processors and memory that the machine, or the container, gives to a run. */
#pragma once

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* 16383 squared. By default, an image of more pixels is refused after its header is read. */
enum { MAX_PIXELS = 268402689 };

/* Returns the number of processors that this process may use, at least 1: the smaller of its
 * affinity mask and the quota of its control group. */
int limits_processors(void);
/* Returns the bytes of memory that this process may use: the limit of its control group, or the
 * memory of the machine. */
uint64_t limits_memory(void);
/* Appends the lowest memory limit at which the kernel kills processes: "the control group /a
 * (memory.max) has 120 MB". */
void limits_name_memory(struct text *);
/* Returns the name of the user's limit that is lower than `memory` bytes, such as "ulimit -v"; or
 * NULL. */
const char *limits_lower(uint64_t memory);
/* Returns the number of processes that the kernel has killed for lack of memory. Counts the control
 * group of this process, or the whole machine if the group has no count. Returns 0 if the kernel
 * does not count them. */
uint64_t limits_memory_kills(void);
/* Used instead of this number if lockstep itself killed the process. */
#define KILLED_BY_LOCKSTEP UINT64_MAX
/* Appends why a process died of a SIGKILL that lockstep did not send: "was killed ...". `kills` is
 * the count before the process started. Returns the error code. */
const char *limits_explain_kill(uint64_t kills, struct text *why);
/* Limits the memory that this process allocates to `memory` bytes, unless its limit is lower
 * already. Mapped files and reserved address space do not count. */
void limits_keep_to(uint64_t memory);
