/* import: chooses the importer for a file, and prints the pipeline. */
#include "migrate/import.h"
#include "migrate/program.h"

#include <ctype.h>
#include <string.h>

void import_lost(struct import_job *m, const struct value *at, const char *format, ...)
{
    const char *path = value_path(at, m->arena);
    va_list args;

    va_start(args, format);
    fault_addv(&m->losses, at->at.offset, at->at.length, path, "import-lost", format, args);
    va_end(args);
}

bool import_has_word(struct slice text, const char *word)
{
    size_t length = strlen(word);
    const char *at = text.at, *end = text.at + text.length;

    while ((at = memchr(at, word[0], (size_t)(end - at)))) {
        bool whole = (size_t)(end - at) >= length && memcmp(at, word, length) == 0;

        if (whole && (at == text.at || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
            (at + length == end || !(isalnum((unsigned char)at[length]) || at[length] == '_')))
            return true;
        at++;
    }
    return false;
}

static bool refuse(struct import_job *m)
{
    struct text files = { 0 };

    if (program_advise(m->faults->text, &files)) {
        fault_add(m->faults, 0, 0, "", "import-unknown", "%s", text_string(&files));
        text_drop(&files);
        return false;
    }
    for (const struct importer *const *i = m->importers; *i; i++)
        text_addf(&files, "%s%s (%s)", i == m->importers ? "" : "; ", (*i)->library, (*i)->files);
    fault_add(m->faults, 0, 0, "", "import-unknown",
              "this is not a pipeline of a known library: %s", text_string(&files));
    text_drop(&files);
    return false;
}

/* Returns false with a fault if no step remains. */
static bool check_steps(struct import_job *m, const struct text *steps)
{
    if (strcmp(text_string(steps), "[]") != 0)
        return true;
    return fault_add(m->faults, 0, 0, "", "import-empty",
                     "no step of this %s pipeline changes images or labels%s%s",
                     m->importer->library, m->left_out.length ? "; left to the loader: " : "",
                     text_string(&m->left_out));
}

bool import_text(struct import_job *m)
{
    struct text steps = { 0 };
    bool good;

    if (strlen(m->faults->text.at) != m->faults->text.length)
        return fault_add(m->faults, strlen(m->faults->text.at), 1, "", "json-nul", "a NUL byte");
    if (!text_is_utf8(m->faults->text.at))
        return fault_add(m->faults, 0, 0, "", "json-utf8", "the text is not UTF-8");
    for (size_t i = 0; m->importers[i] && !m->importer; i++)
        if (m->importers[i]->detect(m->faults->text))
            m->importer = m->importers[i];
    good = m->importer ? m->importer->read(m) : refuse(m);
    if (good) {
        m->library = m->importer->library;
        m->from = m->importer->origin;
        import_steps(m, m->steps, 1, &steps);
        good = check_steps(m, &steps);
        text_addf(&m->out, "{\n  \"version\": 1,\n  \"$comment\": \"from %s", m->origin);
        if (m->left_out.length)
            text_addf(&m->out, "; left to the loader that trains: %s", text_string(&m->left_out));
        text_addf(&m->out, "\",\n%s  \"transforms\": %s\n}\n", text_string(&m->settings),
                  text_string(&steps));
    }
    text_drop(&steps);
    text_drop(&m->settings);
    text_drop(&m->left_out);
    return good;
}

void import_drop(struct import_job *m)
{
    text_drop(&m->out);
    faults_drop(&m->losses);
}
