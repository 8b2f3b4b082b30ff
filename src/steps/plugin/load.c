/* load: loads a shared object, and adds the entries of its table to the registry. */
#include "steps/plugin/adapt.h"
#include "steps/plugin/plugin.h"

#include "base/hash.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the file --- */

static bool fail_unread(struct faults *faults, const char *why)
{
    return fault_add(faults, 0, 0, "", "plugin-unread", "%s", why);
}

/* Hashes a regular file only: a pipe would give its bytes only once. */
static bool hash_file(const char *path, char hex[65], struct faults *faults)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    void *bytes;
    bool good;

    if (file < 0)
        return fail_unread(faults, errno_text());
    good = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    bytes = good ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (bytes == MAP_FAILED)
        return fail_unread(faults, "it is empty or not a regular file");
    hash_hex(bytes, (size_t)status.st_size, hex);
    munmap(bytes, (size_t)status.st_size);
    return true;
}

/* RTLD_NOW: workers may not be allowed to open files of the plugin's folder. */
static const struct lockstep_plugin *load_table(const char *path, struct faults *faults)
{
    void *handle, *table;
    struct text why = { 0 };
    const char *error;

    errno = 0;
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        memory_check();
        error = dlerror();
        text_add_visible(&why, error ? error : "", error ? strlen(error) : 0);
        fault_add(faults, 0, 0, "", "plugin-unread", "cannot load it: %s", text_string(&why));
        text_drop(&why);
        return NULL;
    }
    table = dlsym(handle, "lockstep_plugin");
    if (!table)
        fault_add(faults, 0, 0, "", "plugin-symbol",
                  "it has no table: a plugin exports `const struct lockstep_plugin "
                  "lockstep_plugin`, see lockstep_plugin.h");
    return table;
}

/* --- its entries --- */

static void adapt_ops(struct adapter *a, struct plugin *plugin)
{
    struct op *ops;

    for (const struct lockstep_op *op = a->table->ops; op && op->name; op++)
        plugin->n_ops++;
    ops = ARENA_ARRAY(a->arena, struct op, plugin->n_ops + 1);
    for (size_t i = 0; i < plugin->n_ops; i++) {
        const struct lockstep_op *op = &a->table->ops[i];

        ops[i] = adapt_op(a, op, adapt_rows(a, op->name, op->rows, op->params_size));
    }
    plugin->ops = ops;
}

static void adapt_transforms(struct adapter *a, struct plugin *plugin)
{
    struct transform *transforms;

    for (const struct lockstep_transform *t = a->table->transforms; t && t->name; t++)
        plugin->n_transforms++;
    transforms = ARENA_ARRAY(a->arena, struct transform, plugin->n_transforms + 1);
    for (size_t i = 0; i < plugin->n_transforms; i++) {
        const struct lockstep_transform *t = &a->table->transforms[i];

        transforms[i] =
            adapt_transform(a, t, adapt_rows(a, t->name, t->rows, t->params_size), plugin);
    }
    plugin->transforms = transforms;
}

static void enter(const struct plugin *plugin)
{
    for (size_t i = 0; i < plugin->n_ops; i++)
        registry_add_op(&plugin->ops[i]);
    for (size_t i = 0; i < plugin->n_transforms; i++)
        registry_add_transform(&plugin->transforms[i]);
    plugins_add(plugin);
}

bool plugin_load(const char *path, struct faults *faults)
{
    static struct arena arena; /* kept for the life of the process, as the plugin itself */
    struct plugin *plugin = ARENA_NEW(&arena, struct plugin);
    struct adapter a = { .arena = &arena, .faults = faults };

    plugin->file = path;
    if (!hash_file(path, plugin->sha256, faults))
        return false;
    a.table = load_table(path, faults);
    if (!a.table || !adapt_check(&a))
        return false;
    plugin->name = a.table->name;
    plugin->version = a.table->version;
    adapt_ops(&a, plugin);
    if (!faults->n && adapt_check_emits(&a, plugin))
        adapt_transforms(&a, plugin);
    if (!faults->n)
        enter(plugin);
    return !faults->n;
}
