/* settings: which rules a check has, and how severe they are. */
#include "settings.h"

#include <string.h>

/* Does the word mean the rule? */
static bool means(struct slice word, const struct rule *rule)
{
    if (word.length == 3 && memcmp(word.at, "ALL", 3) == 0)
        return true;
    if (word.length <= strlen(rule->id) && memcmp(word.at, rule->id, word.length) == 0)
        return true;
    return word.length == strlen(rule->slug) && memcmp(word.at, rule->slug, word.length) == 0;
}

static bool unknown_rule(const struct check *c, struct slice word, const char *path,
                         struct faults *faults)
{
    struct nearest near = { .word = arena_copy(&faults->arena, word.at, word.length) };

    for (size_t i = 0; i < c->n_settings; i++) {
        nearest_try(&near, c->settings[i].rule->id);
        nearest_try(&near, c->settings[i].rule->slug);
    }
    return fault_add(faults, 0, 0, path, "option-value",
                     "no rule has the id \"%s\", and no ids begin with it%s; see lockstep check "
                     "--list",
                     near.word, nearest_hint(&near, &faults->arena));
}

/* Calls `set` with the rules of a word; false when there is none. */
static bool set_word(struct check *c, struct slice word, void (*set)(struct rule_setting *, int),
                     int value)
{
    bool any = false;

    for (size_t i = 0; word.length && i < c->n_settings; i++)
        if (means(word, c->settings[i].rule)) {
            set(&c->settings[i], value);
            any = true;
        }
    return any;
}

static void set_selected(struct rule_setting *setting, int selected)
{
    setting->selected = selected;
}

static void set_severity(struct rule_setting *setting, int severity)
{
    if (severity == SEVERITIES)
        setting->selected = false;
    else
        setting->severity = (enum severity)severity;
}

/* The words of a list, with commas between them. */
static bool set_words(struct check *c, const struct names *names, const char *path, int selected,
                      struct faults *faults)
{
    bool good = true;

    for (size_t i = 0; i < names->n; i++)
        for (const char *at = names->at[i];; at++) {
            struct slice word = { at, strcspn(at, ",") };

            if (!set_word(c, word, set_selected, selected))
                good = unknown_rule(c, word, path, faults);
            at += word.length;
            if (!*at)
                break;
        }
    return good;
}

/* SEVERITIES for "off"; -1 for what is none. */
static int severity_of(const char *word)
{
    for (int severity = 0; severity < SEVERITIES; severity++)
        if (strcmp(word, severity_word((enum severity)severity)) == 0)
            return severity;
    return strcmp(word, "off") == 0 ? SEVERITIES : -1;
}

static bool set_severities(struct check *c, const struct names *names, const char *path,
                           struct faults *faults)
{
    bool good = true;

    for (size_t i = 0; i < names->n; i++) {
        const char *word = names->at[i], *equals = strchr(word, '=');
        struct slice rule = { word, equals ? (size_t)(equals - word) : 0 };
        int severity = equals ? severity_of(equals + 1) : -1;

        if (severity < 0)
            good = fault_add(faults, 0, 0, path, "option-value",
                             "\"%s\" is not RULE=SEVERITY, with error, warning, info or off", word);
        else if (!set_word(c, rule, set_severity, severity))
            good = unknown_rule(c, rule, path, faults);
    }
    return good;
}

bool check_choose(struct check *c, const struct check_choice *choice, const char *where,
                  struct faults *faults)
{
    struct arena *arena = &faults->arena;
    bool good = true;

    if (choice->select.n)
        for (size_t i = 0; i < c->n_settings; i++)
            c->settings[i].selected = false;
    good &= set_words(c, &choice->select, arena_printf(arena, "%sselect", where), true, faults);
    good &=
        set_words(c, &choice->extend, arena_printf(arena, "%sextend-select", where), true, faults);
    good &= set_words(c, &choice->ignore, arena_printf(arena, "%signore", where), false, faults);
    return set_severities(c, &choice->severity, arena_printf(arena, "%sseverity", where), faults) &&
           good;
}
