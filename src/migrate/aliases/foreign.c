/* foreign: the table of other libraries' names, and the advice that messages take from it. */
#include "migrate/aliases/foreign.h"
#include "migrate/aliases/template.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define NAME(libraries, name, step, remark)
#define WHEN(libraries, name, given, step, remark)
#define KEY(libraries, key, instead, remark)
#define VALUE(libraries, step, key, kind, instead, remark)
#define DEFAULT(libraries, step, key, value, remark)
#define MISSING(step, key, remark)
#define SILENT(library, step, key, json)
#define UNSAID(library, step, keys, remark)

#undef NAME
#undef WHEN
#define NAME(libraries, name, step, remark) { libraries, name, step, remark, NULL },
#define WHEN(libraries, name, given, step, remark) { libraries, name, step, remark, given },
static const struct foreign_name names[] = {
#include "migrate/aliases/names.inc"
};
#undef NAME
#undef WHEN
#define NAME(libraries, name, step, remark)
#define WHEN(libraries, name, given, step, remark)

static const struct foreign_key {
    const char *libraries, *key, *instead, *remark;
} keys[] = {
#undef KEY
#define KEY(libraries, key, instead, remark) { libraries, key, instead, remark },
#include "migrate/aliases/names.inc"
#undef KEY
#define KEY(libraries, key, instead, remark)
};

static const struct foreign_value {
    const char *libraries, *step, *key;
    enum value_kind kind;
    const char *instead, *remark;
} values[] = {
#undef VALUE
#define VALUE(libraries, step, key, kind, instead, remark)                                         \
    { libraries, step, key, kind, instead, remark },
#include "migrate/aliases/names.inc"
#undef VALUE
#define VALUE(libraries, step, key, kind, instead, remark)
};

static const struct foreign_default {
    const char *libraries, *step, *key;
    double value;
    const char *remark;
} defaults[] = {
#undef DEFAULT
#define DEFAULT(libraries, step, key, value, remark) { libraries, step, key, value, remark },
#include "migrate/aliases/names.inc"
#undef DEFAULT
#define DEFAULT(libraries, step, key, value, remark)
};

static const struct foreign_missing {
    const char *step, *key, *remark;
} missing[] = {
#undef MISSING
#define MISSING(step, key, remark) { step, key, remark },
#include "migrate/aliases/names.inc"
#undef MISSING
#define MISSING(step, key, remark)
};

static const struct foreign_silent {
    const char *library, *step, *key, *json;
} silent[] = {
#undef SILENT
#define SILENT(library, step, key, json) { library, step, key, json },
#include "migrate/aliases/names.inc"
#undef SILENT
#define SILENT(library, step, key, json)
};

static const struct foreign_unsaid {
    const char *library, *step, *keys, *remark;
} unsaid[] = {
#undef UNSAID
#define UNSAID(library, step, keys, remark) { library, step, keys, remark },
#include "migrate/aliases/names.inc"
};

/* --- finding --- */

static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && dot[1] ? dot + 1 : name;
}

const struct foreign_name *foreign_at(size_t i)
{
    return i < COUNTOF(names) ? &names[i] : NULL;
}

static bool has_place_for(const struct foreign_name *f, const char *key)
{
    const char *at = f->step;
    struct placeholder p;

    while (at && template_next(&at, &p))
        if (placeholder_names(&p, key))
            return true;
    return false;
}

bool foreign_is_for(const struct foreign_name *f, const struct value *key)
{
    struct text pair = { 0 };
    const char *at;
    char end = 'x';

    if (!f->given || !key->name)
        return false;
    text_addf(&pair, "'%s': ", key->name);
    value_print(key, &pair);
    for (size_t i = 0; i < pair.length; i++)
        pair.at[i] = pair.at[i] == '"' ? '\'' : pair.at[i];
    at = strstr(f->given, text_string(&pair));
    if (at)
        end = at[pair.length];
    text_drop(&pair);
    return end == '\0' || end == ',';
}

/* True if the step has all values that the row is for. */
static bool is_for_all(const struct foreign_name *f, const struct value *step)
{
    size_t wanted = 0, n = 0;

    for (const char *at = f->given; at && (at = strstr(at, "': ")); at += 3)
        wanted++;
    for (size_t i = 0; wanted && step && i < step->n; i++)
        n += foreign_is_for(f, &step->item[i]);
    return n == wanted;
}

size_t foreign_known_keys(const struct foreign_name *f, const struct value *step)
{
    size_t n = 0;

    for (size_t i = 0; step && i < step->n; i++)
        n += step->item[i].name && strcmp(step->item[i].name, "p") != 0 &&
             (has_place_for(f, step->item[i].name) || foreign_is_for(f, &step->item[i]));
    return n;
}

const struct foreign_name *foreign_find_of(const char *library, const char *name,
                                           const struct value *step)
{
    const struct foreign_name *best = NULL;
    size_t max_known = 0;

    name = last_part(name);
    for (size_t i = 0; i < COUNTOF(names); i++) {
        bool named = strcasecmp(names[i].name, name) == 0 && strstr(names[i].libraries, library) &&
                     is_for_all(&names[i], step);
        size_t known = named ? foreign_known_keys(&names[i], step) + 1 : 0;

        if (known > max_known) {
            best = &names[i];
            max_known = known;
        }
    }
    return best;
}

const struct foreign_name *foreign_find(const char *name, const struct value *step)
{
    return foreign_find_of("", name, step);
}

static bool is_number(const struct value *v, double number)
{
    if (v && v->kind == VALUE_LIST && v->n)
        v = &v->item[0];
    return v && v->kind == VALUE_NUMBER && v->number == number;
}

const struct value *foreign_default(const struct value *step, const char **remark,
                                    struct arena *arena)
{
    const struct value *type = value_get(step, "type");

    for (size_t i = 0; type && i < COUNTOF(defaults); i++) {
        const struct foreign_default *d = &defaults[i];
        const struct value *v = value_get(step, d->key);

        if (strcmp(d->step, type->text) != 0 || !is_number(v, d->value))
            continue;
        *remark = arena_printf(arena, "%s' default for %s means something else here: %s",
                               d->libraries, d->step, d->remark);
        return v;
    }
    return NULL;
}

/* --- similar names --- */

/* Converts to lower case and removes separators, so that "random_flip" and "RandomFlip" are equal.
 */
static void plain_word(const char *word, char *to, size_t room)
{
    size_t n = 0;

    for (; *word && n + 1 < room; word++)
        if (*word != '_' && *word != '-' && *word != ' ')
            to[n++] = (char)tolower((unsigned char)*word);
    to[n] = '\0';
}

enum { WORD_ROOM = 64, MIN_PART = 4, MAX_PARTS = 8 };

struct match {
    char word[WORD_ROOM];
    size_t allowed; /* maximum number of edits */
    const char *best;
    size_t distance;
    size_t n_parts; /* number of names that contain the word */
    struct text parts;
};

static void match_try(struct match *m, const char *candidate, bool counts_as_part)
{
    char word[WORD_ROOM];
    size_t distance;

    plain_word(candidate, word, sizeof word);
    distance = word_distance(m->word, word);
    if (distance <= m->allowed && (!m->best || distance < m->distance)) {
        m->best = candidate;
        m->distance = distance;
    }
    if (!counts_as_part || strlen(m->word) < MIN_PART || !strstr(word, m->word))
        return;
    if (m->n_parts < MAX_PARTS)
        text_addf(&m->parts, "%s%s", m->n_parts ? ", " : "", candidate);
    m->n_parts++;
}

/* "clahe" is only another spelling of "CLAHE". */
static bool is_transform_in_snake_case(const char *op)
{
    char word[WORD_ROOM], other[WORD_ROOM];

    plain_word(op, word, sizeof word);
    for (EACH(transform, t, registry_transforms)) {
        plain_word(t->name, other, sizeof other);
        if (strcmp(word, other) == 0)
            return true;
    }
    return false;
}

/* Transforms come before ops, which always act: "Horizontalflip" probably means the transform. */
static void match_all(struct match *m)
{
    for (EACH(transform, t, registry_transforms))
        match_try(m, t->name, true);
    for (size_t i = 0; i < COUNTOF(names) && !(m->best && !m->distance); i++)
        match_try(m, names[i].name, false);
    for (EACH(op, op, registry_ops)) {
        if (m->best)
            m->allowed = 0; /* only for matches of parts */
        match_try(m, op->name, !is_transform_in_snake_case(op->name));
    }
}

static const char *near_advice(const char *word, struct arena *arena)
{
    struct match m = { 0 };
    const char *advice = "";

    plain_word(last_part(word), m.word, sizeof m.word);
    m.allowed = strlen(m.word) / 4 < 3 ? strlen(m.word) / 4 : 3;
    match_all(&m);
    if (m.n_parts > 1 && !(m.best && !m.distance))
        advice = arena_printf(arena, "; names that contain it: %s%s", text_string(&m.parts),
                              m.n_parts > MAX_PARTS ? ", ... (see lockstep list)" : "");
    else if (m.best || m.n_parts)
        advice =
            arena_printf(arena, "; did you mean \"%s\"?", m.best ? m.best : text_string(&m.parts));
    text_drop(&m.parts);
    return advice;
}

/* --- advice --- */

static const char *with_remark(const char *advice, const char *remark, struct arena *arena)
{
    return *remark ? arena_printf(arena, "%s; %s", advice, remark) : advice;
}

static const char *foreign_advice(const struct foreign_name *f, const struct value *step,
                                  struct arena *arena)
{
    struct text json = { 0 };
    const char *advice;

    if (!f->step)
        return with_remark(
            arena_printf(arena, " (it is from %s; lockstep has no equivalent)", f->libraries),
            f->remark, arena);
    foreign_translate(f, step, &json);
    advice = arena_printf(arena, " (it is from %s); write %s", f->libraries, text_string(&json));
    text_drop(&json);
    return with_remark(advice, f->remark, arena);
}

const char *name_advice(const char *word, const struct value *step, struct arena *arena)
{
    const struct foreign_name *f = foreign_find(word, step);
    const char *own = last_part(word);

    if (own != word && (registry_transform(own) || registry_op(own)))
        return arena_printf(arena, "; write \"%s\"", own);
    if (f)
        return foreign_advice(f, step, arena);
    return near_advice(word, arena);
}

/* True if the rows have the key of a pair 'key': value. */
static bool step_has_key_of(const struct row *rows, const char *pair)
{
    char key[WORD_ROOM];
    size_t length = strcspn(pair + 1, "'");

    if (length >= sizeof key)
        return false;
    memcpy(key, pair + 1, length);
    key[length] = '\0';
    return strcmp(key, "p") == 0 || row_get(rows, key);
}

bool foreign_instead(const char *library, const char *type, const struct value *key, bool unknown,
                     struct foreign_instead *to)
{
    const struct row *rows = foreign_rows(type);

    for (size_t i = 0; unknown && i < COUNTOF(keys); i++)
        if (strcmp(keys[i].key, key->name) == 0 && strstr(keys[i].libraries, library) &&
            (!keys[i].instead || step_has_key_of(rows, keys[i].instead))) {
            *to = (struct foreign_instead){ keys[i].libraries, keys[i].instead, keys[i].remark };
            return true;
        }
    for (size_t i = 0; !unknown && i < COUNTOF(values); i++)
        if (strcmp(values[i].key, key->name) == 0 && values[i].kind == key->kind &&
            strstr(values[i].libraries, library) &&
            (!values[i].step || strcmp(values[i].step, type) == 0)) {
            *to = (struct foreign_instead){ values[i].libraries, values[i].instead,
                                            values[i].remark };
            return true;
        }
    return false;
}

bool foreign_is_silent(const char *library, const char *name, const struct value *key)
{
    struct text json = { 0 };
    bool found = false;

    value_print(key, &json);
    name = last_part(name);
    for (size_t i = 0; !found && i < COUNTOF(silent); i++)
        found = strcmp(silent[i].key, key->name) == 0 && strstr(silent[i].library, library) &&
                (!silent[i].step || strcmp(silent[i].step, name) == 0) &&
                strcmp(silent[i].json, text_string(&json)) == 0;
    text_drop(&json);
    return found;
}

/* True if the step has one of the keys "a|b". */
static bool has_one_of(const struct value *step, const char *any)
{
    for (size_t length; *any; any += length + (any[length] == '|')) {
        length = strcspn(any, "|");
        for (size_t i = 0; i < step->n; i++)
            if (strncmp(step->item[i].name, any, length) == 0 && !step->item[i].name[length])
                return true;
    }
    return false;
}

const char *foreign_unsaid(const char *library, const char *name, const struct value *step)
{
    for (size_t i = 0; i < COUNTOF(unsaid); i++)
        if (strcmp(unsaid[i].step, name) == 0 && strcmp(unsaid[i].library, library) == 0 &&
            !has_one_of(step, unsaid[i].keys))
            return unsaid[i].remark;
    return "";
}

static const char *instead_advice(const char *type, const struct value *key, bool unknown,
                                  struct arena *arena)
{
    struct foreign_instead found;
    struct text pair = { 0 };
    const char *advice;

    if (!foreign_instead("", type, key, unknown, &found))
        return "";
    if (!found.instead)
        return with_remark(arena_printf(arena, " (it is from %s; leave it out)", found.libraries),
                           found.remark, arena);
    template_expand(found.instead, key->parent, &pair);
    advice = arena_printf(arena, " (%s); write %s", found.libraries, text_string(&pair));
    text_drop(&pair);
    return with_remark(advice, found.remark, arena);
}

const char *key_advice(const struct value *key, bool unknown, struct arena *arena)
{
    const struct value *type = key->parent ? value_get(key->parent, "type") : NULL;
    const struct foreign_name *f;

    if (!type || type->kind != VALUE_TEXT ||
        (!registry_transform(type->text) && !registry_op(type->text)))
        return "";
    f = unknown ? foreign_find(type->text, key->parent) : NULL;
    if (f && has_place_for(f, key->name))
        return foreign_advice(f, key->parent, arena);
    return instead_advice(type->text, key, unknown, arena);
}

const char *missing_advice(const struct value *step, const char *key)
{
    const struct value *type = value_get(step, "type");

    if (strcmp(key, "transforms") == 0 && value_get(step, "__version__"))
        return "; this is a file of Albumentations; convert it with lockstep import";
    for (size_t i = 0; type && type->kind == VALUE_TEXT && i < COUNTOF(missing); i++)
        if (strcmp(missing[i].step, type->text) == 0 && strcmp(missing[i].key, key) == 0)
            return missing[i].remark;
    return "";
}
