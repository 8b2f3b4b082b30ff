/* settings: values of a file that is one object of keys, such as hyper-parameters. */
#include "migrate/settings.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

const struct value *settings_get(const struct settings *s, const char *key)
{
    const struct value *v = value_get(s->object, key);

    return v && v->kind != VALUE_NULL ? v : NULL;
}

bool settings_lose(const struct settings *s, const struct value *v, const char *why)
{
    import_lost(s->m, v, "%s is not converted: %s", v->name, why);
    return false;
}

double settings_number(const struct settings *s, const char *key, double preset)
{
    const struct value *v = settings_get(s, key);
    double n = 0;

    if (!v)
        return preset;
    if (v->kind == VALUE_NUMBER)
        return v->number;
    if (v->kind == VALUE_FLAG)
        return v->flag;
    if (v->kind != VALUE_TEXT || !*v->text ||
        number_scan((struct slice){ v->text, strlen(v->text) }, &n) != strlen(v->text)) {
        settings_lose(s, v, "expected a number");
        return 0;
    }
    return n;
}

double settings_within(const struct settings *s, const char *key, double preset, double lo,
                       double hi)
{
    double n = settings_number(s, key, preset), within = fmin(fmax(n, lo), hi);

    if (n != within)
        import_lost(s->m, settings_get(s, key), "%s: %g is not in %g..%g; %g is used", key, n, lo,
                    hi, within);
    return within;
}

double settings_chance(const struct settings *s, const char *key, double preset)
{
    return settings_within(s, key, preset, 0, 1);
}

const char *settings_text(const struct settings *s, const char *key, const char *preset)
{
    const struct value *v = settings_get(s, key);

    return !v ? preset : v->kind == VALUE_TEXT ? v->text : "";
}

bool setting_is_on(const struct value *v)
{
    return v && ((v->kind == VALUE_FLAG && v->flag) || (v->kind == VALUE_NUMBER && v->number > 0));
}
