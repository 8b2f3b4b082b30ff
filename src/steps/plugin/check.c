/* check: checks that a plugin's table is complete and that its names are free. */
#include "steps/plugin/adapt.h"

#include <string.h>

enum { MAX_ENTRIES = 1000, LONGEST_NAME = 40 };

static const char LOWER[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
static const char ANY[] = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

static bool has_form(const char *name, char first, char last, const char *of)
{
    return *name >= first && *name <= last && strspn(name, of) == strlen(name) &&
           strlen(name) <= LONGEST_NAME;
}

/* True if a step's `type` cannot have this name: the schema has a definition, or `describe` a page,
 * of this name. */
static bool is_reserved(const char *name)
{
    static const char *const words[] = { "pipeline", "annotations", "output", "step" };

    for (size_t i = 0; i < COUNTOF(words); i++)
        if (strcmp(words[i], name) == 0)
            return true;
    for (EACH(format, format, registry_formats))
        if (strcmp(format->name, name) == 0)
            return true;
    return false;
}

static const char *owner_of(const char *name)
{
    const struct transform *t = registry_transform(name);
    const struct op *op = registry_op(name);
    const char *plugin = t ? t->plugin : op ? op->plugin : NULL;

    return !t && !op ? NULL : plugin ? plugin : "lockstep";
}

static bool check_name(struct adapter *a, const char *name, bool op)
{
    bool good = op ? has_form(name, 'a', 'z', LOWER) : has_form(name, 'A', 'Z', ANY);
    const char *owner = owner_of(name);
    struct text shown = { 0 };

    if (!good || is_reserved(name)) {
        text_add_visible(&shown, name, strnlen(name, LONGEST_NAME));
        fault_add(a->faults, 0, 0, text_string(&shown), "plugin-name",
                  good ? "this is the name of a part of a pipeline or of a format; choose "
                         "another one"
                  : op ? "an op's name must consist of a-z, 0-9 and _, such as adjust_gamma, "
                         "and have at most 40 characters"
                       : "a transform's name must begin with a capital and consist of letters "
                         "and digits, such as RandomInvert, and have at most 40 characters");
        text_drop(&shown);
        return false;
    }
    return !owner || fault_add(a->faults, 0, 0, name, "plugin-clash",
                               "%s already has an entry of this name", owner);
}

static bool check_words(struct adapter *a, const char *name, const char *summary,
                        const char *example)
{
    if (!summary || !*summary)
        return fault_add(a->faults, 0, 0, name, "plugin-table", "the summary is missing");
    if (!example || !*example)
        return fault_add(a->faults, 0, 0, name, "plugin-example",
                         "the example is missing: a step as JSON, {\"type\": \"%s\", ...}", name);
    return true;
}

static void check_op(struct adapter *a, const struct lockstep_op *op)
{
    if (!check_name(a, op->name, true) || !check_words(a, op->name, op->summary, op->example))
        return;
    if (op->family < LOCKSTEP_COLOURS || op->family > LOCKSTEP_LABELS)
        fault_add(a->faults, 0, 0, op->name, "plugin-table", "there is no family %d", op->family);
    else if (!op->resolve)
        fault_add(a->faults, 0, 0, op->name, "plugin-table", "resolve is missing");
    else if (op->group < 0 || op->group > LOCKSTEP_GROUP_LABELS)
        fault_add(a->faults, 0, 0, op->name, "plugin-table", "there is no group %d", op->group);
    for (const struct lockstep_op *other = a->table->ops; other != op; other++)
        if (strcmp(other->name, op->name) == 0)
            fault_add(a->faults, 0, 0, op->name, "plugin-clash", "two ops have this name");
}

static void check_transform(struct adapter *a, const struct lockstep_transform *t)
{
    if (!check_name(a, t->name, false) || !check_words(a, t->name, t->summary, t->example))
        return;
    if (!t->draw || !t->emits)
        fault_add(a->faults, 0, 0, t->name, "plugin-table", "%s is missing",
                  t->draw ? "emits" : "draw");
    else if (!(t->chance >= 0 && t->chance <= 1))
        fault_add(a->faults, 0, 0, t->name, "plugin-table", "chance is not in 0..1");
    else if (t->group < 0 || t->group > LOCKSTEP_GROUP_LABELS)
        fault_add(a->faults, 0, 0, t->name, "plugin-table", "there is no group %d", t->group);
    for (const struct lockstep_transform *other = a->table->transforms; other != t; other++)
        if (strcmp(other->name, t->name) == 0)
            fault_add(a->faults, 0, 0, t->name, "plugin-clash", "two transforms have this name");
}

/* Checks the table itself. Entries of another ABI version could not be read. */
static bool check_head(struct adapter *a)
{
    const struct lockstep_plugin *t = a->table;

    if (t->abi != LOCKSTEP_PLUGIN_ABI)
        return fault_add(a->faults, 0, 0, "", "plugin-abi",
                         "it was built for version %d of the plugin interface, but this "
                         "lockstep has version %d: rebuild it with this lockstep's "
                         "lockstep_plugin.h",
                         t->abi, LOCKSTEP_PLUGIN_ABI);
    if (!t->name || !*t->name || strlen(t->name) > LONGEST_NAME ||
        strspn(t->name, "abcdefghijklmnopqrstuvwxyz0123456789-_") != strlen(t->name))
        return fault_add(
            a->faults, 0, 0, "", "plugin-name",
            "the plugin's name must consist of a-z, 0-9, - and _, and have at most 40 characters");
    if (!t->version || !*t->version || !text_is_utf8(t->version) || strlen(t->version) > 100)
        return fault_add(a->faults, 0, 0, "", "plugin-table",
                         "the version is missing: expected a short text such as \"1.0\"");
    for (const struct plugin *const *p = plugins_loaded(); *p; p++)
        if (strcmp((*p)->name, t->name) == 0)
            return fault_add(a->faults, 0, 0, t->name, "plugin-clash",
                             "%s is another plugin with this name", (*p)->file);
    return true;
}

bool adapt_check(struct adapter *a)
{
    size_t n = 0;

    if (!check_head(a))
        return false;
    for (const struct lockstep_op *op = a->table->ops; op && op->name && n < MAX_ENTRIES; op++, n++)
        check_op(a, op);
    for (const struct lockstep_transform *t = a->table->transforms; t && t->name && n < MAX_ENTRIES;
         t++, n++)
        check_transform(a, t);
    if (n == 0 || n == MAX_ENTRIES)
        fault_add(a->faults, 0, 0, "", "plugin-table",
                  n ? "there are too many entries: end both lists with { 0 }"
                    : "there is neither an op nor a transform");
    return !a->faults->n;
}

static const struct op *emitted(const struct plugin *plugin, const char *name)
{
    for (size_t i = 0; i < plugin->n_ops; i++)
        if (strcmp(plugin->ops[i].name, name) == 0)
            return &plugin->ops[i];
    return registry_op(name);
}

bool adapt_check_emits(struct adapter *a, const struct plugin *plugin)
{
    for (const struct lockstep_transform *t = a->table->transforms; t && t->name; t++)
        for (const char *const *name = t->emits; *name; name++) {
            const struct op *op = emitted(plugin, *name);

            if (!op)
                fault_add(a->faults, 0, 0, t->name, "plugin-emits", "there is no op \"%s\"", *name);
            else if (family_joins(op->family) || op->fan_out > 1 || op->max_outputs)
                fault_add(a->faults, 0, 0, t->name, "plugin-emits",
                          "\"%s\" joins images or makes several of one; plugins cannot emit such "
                          "ops",
                          *name);
        }
    return !a->faults->n;
}
