/* adapt: turns a plugin's table into entries of the registry; shared by the files of this folder.
 */
#pragma once

#include "steps/op.h"
#include "steps/registry.h"
#include "steps/transform.h"
#include "steps/plugin/lockstep_plugin.h"
#include "steps/plugin/plugin_list.h"

/* A plugin that is being loaded. */
struct adapter {
    const struct lockstep_plugin *table;
    struct arena *arena; /* lives as long as the process */
    struct faults *faults;
};

/* Converts the rows of a parameter struct to lockstep's. `of` is the entry's name. Returns NULL if
 * there are none, or with faults. */
const struct row *adapt_rows(struct adapter *, const char *of, const struct lockstep_row *,
                             size_t params_size);

/* True if the table is complete and its names are free; else adds faults. */
bool adapt_check(struct adapter *);
/* True if all ops that its transforms emit exist; else adds faults. `plugin` has the ops of this
 * table. */
bool adapt_check_emits(struct adapter *, const struct plugin *);

/* Convert entries; their rows must have been checked. */
enum group adapt_group(int lockstep_group);
struct op adapt_op(const struct adapter *, const struct lockstep_op *, const struct row *);
struct transform adapt_transform(const struct adapter *, const struct lockstep_transform *,
                                 const struct row *, const struct plugin *);

/* The functions of lockstep that plugins call. */
extern const struct lockstep_host plugin_host;

/* Functions of the host for ops (ops.c) and for transforms (transforms.c). */
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
bool host_find_object(struct lockstep_run *, size_t i, struct lockstep_object *);
