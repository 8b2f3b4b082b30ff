/* settings_file: finds and reads lockstep-check.json. */
#include "check/settings.h"

#include "base/files.h"
#include "batch/io/folder.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char file_name[] = "lockstep-check.json";
enum { LARGEST_FILE = 1 << 20, FAIL_NOT_SAID = -1 };

static const struct choice fail_choices[] = {
    { "error", SEVERITY_ERROR, "if there are errors" },
    { "warning", SEVERITY_WARNING, "if there are errors or warnings" },
    { "info", SEVERITY_INFO, "if there is any finding" },
    { "never", SEVERITIES, "never because of findings" },
    { 0 },
};

/* Members of the file, named like the options. */
struct members {
    struct names select, extend_select, ignore, severity;
    int fail_on, max_findings;
    const char *images, *baseline;
    struct ignores per_file_ignores;
};

/* --- rules by patterns --- */

static bool ignores_read(const struct row *row, const struct value *value, void *to,
                         const struct reader *reader, struct faults *faults)
{
    struct ignores *ignores = to;
    bool good = true;

    *ignores = (struct ignores){ 0 };
    if (value->kind == VALUE_NULL)
        return true;
    if (!value_expect(value, VALUE_OBJECT, row->kind->wants, faults))
        return false;
    ignores->at = ARENA_ARRAY(reader->arena, struct pattern_rules, value->n + 1);
    for (size_t i = 0; i < value->n; i++)
        if (!value_is_remark(&value->item[i])) {
            struct pattern_rules *rules = &ignores->at[ignores->n++];

            rules->pattern = value->item[i].name;
            good &= names_kind.read(row, &value->item[i], &rules->rules, reader, faults);
        }
    return good;
}

/* Settings are never printed. */
static const struct kind ignores_kind = { .name = "ignores",
                                          .wants = "an object of patterns with lists of rules",
                                          .read = ignores_read };

#define M struct members
static const struct row rows[] = {
    NAMES(M, select, .preset = "null", .help = "only these rules"),
    NAMES(M, extend_select, .preset = "null", .help = "these rules, too"),
    NAMES(M, ignore, .preset = "null", .help = "ignore these rules"),
    NAMES(M, severity, .preset = "null", .help = "RULE=SEVERITY"),
    CHOICE(M, fail_on, .preset = "\"error\"", .choices = fail_choices,
           .help = "when the exit code is 1"),
    INTEGER(M, max_findings, .preset = "0", .limit = { 0, 1000000000 },
            .help = "print at most this many findings per rule"),
    TEXT(M, images, .preset = "\"\"", .help = "the folder of the images"),
    TEXT(M, baseline, .preset = "\"\"", .help = "known findings"),
    ROW(M, per_file_ignores, struct ignores, ignores, .preset = "null",
        .help = "rules to ignore for annotation files and images whose names match a pattern"),
    ROWS_END,
};
#undef M

/* --- finding the file --- */

static bool is_there(const char *folder, const char *name)
{
    struct text path = { 0 };
    bool there;

    path_join(&path, folder, name);
    there = access(text_string(&path), F_OK) == 0;
    text_drop(&path);
    return there;
}

/* Cuts off the last part of an absolute path. Returns false at the root. */
static bool cut_folder(char *folder)
{
    char *slash = strrchr(folder, '/');

    if (!slash || !folder[1])
        return false;
    slash[slash == folder] = '\0';
    return true;
}

/* Finds the folder with .git, here or above. Returns false outside of a repository. */
static bool find_root(const char *here, char *root)
{
    strcpy(root, here);
    do
        if (is_there(root, ".git"))
            return true;
    while (cut_folder(root));
    return false;
}

/* Returns the file's path, or NULL. */
static const char *find_file(struct arena *arena)
{
    char folder[PATH_MAX], root[PATH_MAX];
    struct text path = { 0 };
    const char *found = NULL;

    if (!getcwd(folder, sizeof folder))
        return NULL;
    if (!find_root(folder, root))
        strcpy(root, folder);
    while (!is_there(folder, file_name) && strcmp(folder, root) != 0)
        cut_folder(folder);
    if (is_there(folder, file_name)) {
        path_join(&path, folder, file_name);
        found = arena_copy(arena, path.at, path.length);
        text_drop(&path);
    }
    return found;
}

/* --- reading the file --- */

/* Returns a path in the file as seen from the current folder. */
static const char *beside(const char *path, const char *name, struct arena *arena)
{
    const char *slash = strrchr(path, '/');

    if (!*name || *name == '/' || !slash)
        return name;
    return arena_printf(arena, "%.*s/%s", (int)(slash - path), path, name);
}

/* Returns the absolute path without links, as realpath does for other files. */
static const char *folder_of(const char *path, struct arena *arena)
{
    char *real = realpath(path, NULL);
    const char *folder = "/";

    if (real && cut_folder(real))
        folder = arena_copy(arena, real, strlen(real));
    free(real);
    return folder;
}

static bool read_text(const char *path, struct slice text, struct check_file *to,
                      struct arena *arena, struct faults *faults)
{
    struct faults inner = { .name = path, .text = text };
    struct value *value = value_parse(&inner, arena);
    struct members m = { 0 };
    struct text words = { 0 };
    bool good;

    params_preset(rows, &m, arena);
    if (value && value->kind != VALUE_OBJECT)
        value_fault(&inner, value, false, "param-type", "expected an object");
    else if (value)
        params_read(rows, value, &m, NULL, &(struct reader){ .arena = arena }, &inner);
    good = inner.n == 0;
    if (!good) {
        faults_print(&inner, 20, &words);
        fault_add(faults, 0, 0, path, "option-value", "the file is wrong:\n%s",
                  text_string(&words));
    }
    text_drop(&words);
    faults_drop(&inner);
    if (!good)
        return false;
    to->choice = (struct check_choice){ .select = m.select,
                                        .extend = m.extend_select,
                                        .ignore = m.ignore,
                                        .severity = m.severity,
                                        .per_file = m.per_file_ignores,
                                        .folder = folder_of(path, arena) };
    to->fail_on = value_get(value, "fail_on") ? m.fail_on : FAIL_NOT_SAID;
    to->max_findings = m.max_findings;
    to->images = beside(path, m.images, arena);
    to->baseline = beside(path, m.baseline, arena);
    return true;
}

bool check_file_read(const char *path, struct check_file *to, struct arena *arena,
                     struct faults *faults)
{
    struct text text = { 0 }, why = { 0 };
    bool good;

    *to = (struct check_file){ .fail_on = FAIL_NOT_SAID, .images = "", .baseline = "" };
    to->path = *path ? path : find_file(arena);
    if (!to->path)
        return true;
    good = input_read_named(to->path, LARGEST_FILE, &text, &why) ||
           fault_add(faults, 0, 0, to->path, "option-value", "%s", text_string(&why));
    if (good)
        good = read_text(to->path,
                         (struct slice){ arena_copy(arena, text.at, text.length), text.length }, to,
                         arena, faults);
    text_drop(&text);
    text_drop(&why);
    return good;
}
