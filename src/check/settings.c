/* settings: which rules a check has, and how severe they are. */
#include "check/settings.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>

/* True if the word selects the rule. */
static bool selects_rule(struct slice word, const struct rule *rule)
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
                     "no rule has the id \"%s\", and no id begins with it%s; see lockstep check "
                     "--list",
                     near.word, nearest_hint(&near, &faults->arena));
}

/* Changes the settings of a word's rules: `set` is called with their indices. */
struct setter {
    void (*set)(void *to, size_t setting, int value);
    void *to;
    int value;
};

/* Returns false if the word selects no rule. */
static bool set_word(struct check *c, struct slice word, const struct setter *setter)
{
    bool any = false;

    for (size_t i = 0; word.length && i < c->n_settings; i++)
        if (selects_rule(word, c->settings[i].rule)) {
            setter->set(setter->to, i, setter->value);
            any = true;
        }
    return any;
}

static void set_selected(void *settings, size_t i, int selected)
{
    ((struct rule_setting *)settings)[i].selected = selected;
}

static void set_severity(void *settings, size_t i, int severity)
{
    struct rule_setting *setting = (struct rule_setting *)settings + i;

    if (severity == SEVERITIES)
        setting->selected = false;
    else
        setting->severity = (enum severity)severity;
}

static void set_flag(void *flags, size_t i, int value)
{
    ((bool *)flags)[i] = value;
}

/* Sets the words of a list; a string may contain several with commas. */
static bool set_words(struct check *c, const struct names *names, const char *path,
                      const struct setter *setter, struct faults *faults)
{
    bool good = true;

    for (size_t i = 0; i < names->n; i++)
        for (const char *at = names->at[i];; at++) {
            struct slice word = { at, strcspn(at, ",") };

            if (!set_word(c, word, setter))
                good = unknown_rule(c, word, path, faults);
            at += word.length;
            if (!*at)
                break;
        }
    return good;
}

/* Returns SEVERITIES for "off", and -1 for an unknown word. */
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
        struct setter setter = { set_severity, c->settings, equals ? severity_of(equals + 1) : -1 };

        if (setter.value < 0)
            good = fault_add(faults, 0, 0, path, "option-value",
                             "\"%s\" is not RULE=SEVERITY with error, warning, info or off", word);
        else if (!set_word(c, rule, &setter))
            good = unknown_rule(c, rule, path, faults);
    }
    return good;
}

static bool add_ignores(struct check *c, const struct check_choice *choice, const char *path,
                        struct faults *faults)
{
    bool good = true;

    for (size_t i = 0; i < choice->per_file.n; i++) {
        const struct pattern_rules *from = &choice->per_file.at[i];
        struct path_ignore *to = pile_add(&c->ignores, sizeof *to);
        struct setter setter = { set_flag, NULL, true };

        *to = (struct path_ignore){ from->pattern, choice->folder,
                                    ARENA_ARRAY(&c->arena, bool, c->n_settings) };
        setter.to = to->rules;
        good &= set_words(c, &from->rules, path, &setter, faults);
    }
    return good;
}

bool check_choose(struct check *c, const struct check_choice *choice, const char *where,
                  struct faults *faults)
{
    const struct setter with = { set_selected, c->settings, true };
    const struct setter without = { set_selected, c->settings, false };
    struct arena *arena = &faults->arena;
    bool good = true;

    if (choice->select.n)
        for (size_t i = 0; i < c->n_settings; i++)
            c->settings[i].selected = false;
    good &= set_words(c, &choice->select, arena_printf(arena, "%sselect", where), &with, faults);
    good &=
        set_words(c, &choice->extend, arena_printf(arena, "%sextend-select", where), &with, faults);
    good &= set_words(c, &choice->ignore, arena_printf(arena, "%signore", where), &without, faults);
    good &= add_ignores(c, choice, arena_printf(arena, "%sper_file_ignores", where), faults);
    return set_severities(c, &choice->severity, arena_printf(arena, "%sseverity", where), faults) &&
           good;
}

/* Returns a file's path as seen from the folder, or its name if it is not below the folder. */
static const char *path_below(const char *folder, const char *name, struct arena *arena)
{
    char *real = realpath(name, NULL);
    size_t length = strlen(folder);
    const char *below = name;

    if (real && strncmp(real, folder, length) == 0 && (length == 1 || real[length] == '/'))
        below =
            arena_copy(arena, real + length + (length > 1), strlen(real + length + (length > 1)));
    free(real);
    return below;
}

void check_set_ignored(struct check *c, struct annotation_file *file)
{
    const struct path_ignore *ignore = c->ignores.at;
    bool *ignored = c->ignores.n ? ARENA_ARRAY(&c->arena, bool, c->n_settings) : NULL;

    for (size_t i = 0; i < c->ignores.n; i++)
        if (path_matches(ignore[i].pattern, path_below(ignore[i].folder, file->name, &c->arena)))
            for (size_t k = 0; k < c->n_settings; k++)
                ignored[k] |= ignore[i].rules[k];
    file->ignored = ignored;
}
