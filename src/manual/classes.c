/* classes: the classes of entries: kind, group, and origin. */
#include "manual/manual.h"

#include <string.h>

static const char *const kinds[] = { "transforms", "ops", "formats" };

static const char *const groups[GROUPS] = {
    [GROUP_GEOMETRY] = "geometry", [GROUP_CROP] = "crop",       [GROUP_COLOUR] = "colour",
    [GROUP_BLUR] = "blur",         [GROUP_NOISE] = "noise",     [GROUP_WEATHER] = "weather",
    [GROUP_DROPOUT] = "dropout",   [GROUP_POLICY] = "policies", [GROUP_JOIN] = "joins",
    [GROUP_LABELS] = "labels",
};

static const struct {
    const char *name;
    char letter;
} origins[ORIGINS] = {
    [ORIGIN_NONE] = { "", ' ' },
    [ORIGIN_TORCHVISION] = { "torchvision", 'T' },
    [ORIGIN_ALBUMENTATIONS] = { "Albumentations", 'A' },
    [ORIGIN_YOLO] = { "YOLO", 'Y' },
    [ORIGIN_MMDETECTION] = { "MMDetection", 'M' },
    [ORIGIN_OWN] = { "lockstep", '-' },
    [ORIGIN_PLUGIN] = { "a plugin", 'P' },
};

const char *entry_class(size_t i)
{
    if (i < COUNTOF(kinds))
        return kinds[i];
    i -= COUNTOF(kinds);
    return i + 1 < GROUPS ? groups[i + 1] : NULL;
}

const char *group_name(enum group group)
{
    return group ? groups[group] : "";
}

const char *origin_name(enum origin origin)
{
    return origins[origin].name;
}

char origin_letter(enum origin origin)
{
    return origins[origin].letter;
}

/* True for "op" and "ops". */
static bool is_kind(const char *class, const char *kind)
{
    size_t length = strlen(kind);

    return strncmp(class, kind, length) == 0 && strcmp(class + length, "s") == 0;
}

static bool is_kind_word(const char *class)
{
    for (size_t i = 0; i < COUNTOF(kinds); i++)
        if (strcmp(kinds[i], class) == 0)
            return true;
    return false;
}

bool entry_is_of(const struct entry *e, const char *const *classes)
{
    bool kind_asked = false, group_asked = false, kind = false, group = false;

    if (strcmp(e->kind, "section") == 0)
        return false;
    for (; *classes; classes++) {
        bool names = is_kind_word(*classes);

        kind_asked |= names;
        group_asked |= !names;
        kind |= names && is_kind(*classes, e->kind);
        group |= !names && strcmp(group_name(e->group), *classes) == 0;
    }
    return (kind || !kind_asked) && (group || !group_asked);
}

void entry_print_origin(const struct entry *e, struct text *out)
{
    if (!entry_is_step(e))
        return;
    if (e->origin == ORIGIN_OWN)
        text_adds(out, "lockstep's own.");
    else if (e->origin == ORIGIN_PLUGIN)
        text_addf(out, "From the plugin %s.", e->op ? e->op->plugin : e->transform->plugin);
    else
        text_addf(out, "From %s%s.", origin_name(e->origin),
                  e->origin == ORIGIN_TORCHVISION && e->op ? "'s functionals" : "");
    if (e->differs)
        text_addf(out, " It differs: %s.", e->differs);
}
