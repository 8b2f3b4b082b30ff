/* mmdetection: the train_pipeline of a configuration file, as Python or JSON. */
#include "../import/import.h"
#include "../import/python.h"

#include <string.h>

static bool detect(struct slice text)
{
    return import_mentions(text, "train_pipeline");
}

/* Behind "train_pipeline =" at the beginning of a line; the text's length when it is not there. */
static size_t find_pipeline(struct slice text)
{
    static const char word[] = "train_pipeline";
    size_t at = 0;

    while (at < text.length) {
        size_t after = at + strlen(word);
        const char *line = text.at + at, *next;

        if (text.length - at > strlen(word) && memcmp(line, word, strlen(word)) == 0) {
            while (after < text.length && text.at[after] == ' ')
                after++;
            if (after < text.length && text.at[after] == '=')
                return after + 1;
        }
        next = memchr(line, '\n', text.length - at);
        at = next ? (size_t)(next - text.at) + 1 : text.length;
    }
    return text.length;
}

static bool read(struct importing *m)
{
    struct slice text = m->faults->text;
    size_t at = find_pipeline(text);
    const struct value *root;

    if (at < text.length) {
        root = python_read(m->faults, at, m->arena);
    } else {
        root = value_parse(m->faults, m->arena);
        if (root && root->kind == VALUE_OBJECT)
            root = value_get(root, "train_pipeline");
        if (!root && !m->faults->n)
            fault_add(m->faults, 0, 0, "", "import-unknown",
                      "there is no train_pipeline at the top");
    }
    if (!root)
        return false;
    if (root->kind != VALUE_LIST)
        return fault_add(m->faults, root->at.offset, 1, "train_pipeline", "import-unknown",
                         "train_pipeline is no list of steps");
    m->origin = "MMDetection";
    m->steps = root;
    return true;
}

const struct importer mmdetection_importer = {
    .library = "MMDetection",
    .origin = ORIGIN_NONE,
    .files = "train_pipeline of a configuration, Python or JSON",
    .type_key = "type",
    .host = "Albu",
    .detect = detect,
    .read = read,
};
