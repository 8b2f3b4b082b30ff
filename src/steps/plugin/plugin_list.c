/* plugin_list: the loaded plugins. */
#include "steps/plugin/plugin_list.h"

#include "base/text.h"

#include <string.h>

static const struct plugin *no_plugin;
static const struct plugin *const *loaded = &no_plugin;

const struct plugin *const *plugins_loaded(void)
{
    return loaded;
}

void plugins_add(const struct plugin *plugin)
{
    const struct plugin **more;
    size_t n = 0, at = 0;

    while (loaded[n])
        n++;
    more = memory_take((n + 2) * sizeof *more);
    while (at < n && strcmp(loaded[at]->name, plugin->name) < 0)
        at++;
    memcpy(more, loaded, at * sizeof *more);
    more[at] = plugin;
    memcpy(more + at + 1, loaded + at, (n - at + 1) * sizeof *more);
    loaded = more;
}

void plugins_print(struct text *out)
{
    const char *between = "[";

    for (const struct plugin *const *p = loaded; *p; p++, between = ", ") {
        text_addf(out, "%s{\"name\": \"%s\", \"version\": ", between, (*p)->name);
        text_add_json(out, (*p)->version, strlen((*p)->version));
        text_addf(out, ", \"sha256\": \"%s\"}", (*p)->sha256);
    }
    text_adds(out, *loaded ? "]" : "");
}
