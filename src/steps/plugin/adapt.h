/* adapt: what the files of this folder share: a plugin's table as the registry's entries. */
#pragma once

#include "steps/op.h"
#include "steps/registry.h"
#include "steps/transform.h"
#include "steps/plugin/lockstep_plugin.h"
#include "steps/plugin/plugin.h"

/* A plugin that is being read. */
struct adapting {
    const struct lockstep_plugin *table;
    struct arena *arena; /* lives as long as the process */
    struct faults *faults;
};

/* Rows of a parameter struct as the host's. `of` is the entry's name. NULL with faults, or when
 * there are none. */
const struct row *adapt_rows(struct adapting *, const char *of, const struct lockstep_row *,
                             size_t params_size);

/* Is the table complete, and are its names free? Else false with faults. */
bool adapt_check(struct adapting *);
/* Do transforms emit ops that there are? `plugin` has the ops of this table. */
bool adapt_check_emits(struct adapting *, const struct plugin *);

/* The entries, whose rows were checked. */
enum group adapt_group(int lockstep_group);
struct op adapt_op(const struct adapting *, const struct lockstep_op *, const struct row *);
struct transform adapt_transform(const struct adapting *, const struct lockstep_transform *,
                                 const struct row *, const struct plugin *);

/* Functions of lockstep that plugins call. */
extern const struct lockstep_host plugin_host;

/* The functions of the host for ops, in ops.c, and for transforms, in transforms.c. */
void *host_memory(const struct lockstep_scene *, size_t bytes);
void host_refuse(const struct lockstep_scene *, const char *why);
void *host_scratch(const struct lockstep_work *, size_t bytes);
bool host_object(const struct lockstep_labels *, size_t i, struct lockstep_object *);
void host_drop(const struct lockstep_labels *, size_t i, const char *reason, double value);
double host_unit(struct lockstep_run *);
double host_between(struct lockstep_run *, double lo, double hi);
int64_t host_integer(struct lockstep_run *, int64_t lo, int64_t hi);
double host_normal(struct lockstep_run *, double mean, double deviation);
void host_emit(struct lockstep_run *, const char *op, const struct lockstep_arg *, bool shared);
void host_fail(struct lockstep_run *, const char *why);
size_t host_objects(struct lockstep_run *);
bool host_seen(struct lockstep_run *, size_t i, struct lockstep_object *);
