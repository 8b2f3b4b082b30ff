/* other_pipeline: recognizes files that are given as a pipeline and are none. */
#include "open/other_pipeline.h"
#include "open/starter_pipelines.h"

#include "migrate/import.h"
#include "migrate/program.h"
#include "steps/registry.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define IMPORTER(name) extern const struct importer name##_importer;
#include "import.inc"
#undef IMPORTER

#define IMPORTER(name) &name##_importer,
const struct importer *const importers[] = {
#include "import.inc"
    NULL
};

void pipeline_suggest(const char *path, struct text *why)
{
    static const char suffix[] = ".json";
    struct arena arena = { 0 };
    size_t length = strlen(path), n = sizeof suffix - 1;
    bool named = length > n && strcasecmp(path + length - n, suffix) == 0;
    struct nearest near = { .word = arena_copy(&arena, path, named ? length - n : length) };

    for (const struct starter *s = starters; s->name; s++)
        nearest_try(&near, s->name);
    if (!strchr(path, '/'))
        text_adds(why, nearest_hint(&near, &arena));
    arena_drop(&arena);
}

static const struct importer *importer_of(struct slice text)
{
    for (EACH(importer, importer, importers))
        if (importer->detect(text))
            return importer;
    return NULL;
}

/* True if the first line that is not a comment starts a YAML document, or is "key:". */
static bool is_yaml(struct slice text)
{
    const char *end = text.at + text.length;

    for (const char *at = text.at; at && at < end; at = memchr(at, '\n', (size_t)(end - at))) {
        size_t length;

        at += strspn(at, " \t\r\n");
        if (*at == '#')
            continue;
        for (length = 0; isalnum((unsigned char)at[length]) || at[length] == '_';)
            length++;
        return strncmp(at, "---", 3) == 0 || *at == '%' ||
               (length && at[length] == ':' && isspace((unsigned char)at[length + 1]));
    }
    return false;
}

bool pipeline_is_other(const char *path, struct slice text, struct text *why)
{
    const struct importer *importer;
    size_t blanks = strspn(text.at, " \t\r\n");

    if (text.at[blanks] == '{' || !text.at[blanks])
        return false;
    if (program_composes(text))
        return program_advise(text, why);
    importer = importer_of(text);
    if (importer)
        text_addf(why,
                  "this seems to be of %s, and a pipeline is JSON of lockstep's: `lockstep import "
                  "%s -o pipeline.json` makes one of it",
                  importer->library, path);
    else if (is_yaml(text))
        text_addf(why,
                  "this is YAML, and a pipeline is JSON: `python3 -c 'import json, sys, yaml; "
                  "json.dump(yaml.safe_load(sys.stdin), sys.stdout)' < %s > pipeline.json` writes "
                  "it as JSON",
                  path);
    else
        return program_advise(text, why);
    return true;
}
