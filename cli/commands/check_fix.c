/* check_fix: writes and reports fixed annotation files. */
#include "commands/check_fix.h"

#include "base/files.h"
#include "base/output_file.h"

#include <string.h>
#include <sys/stat.h>

/* Counts the remaining findings that --unsafe-fixes would fix. */
static size_t count_unsafe(const struct check *c)
{
    const struct finding *f = c->findings.at;
    size_t n = 0;

    for (size_t i = 0; i < c->findings.n; i++)
        n += f[i].fix && !f[i].hidden && f[i].rule->fix == FIX_UNSAFE;
    return n;
}

/* Prints how many findings were fixed, and where the file is. */
static void print_done(const char *name, size_t n, const char *more, const char *where)
{
    if (n)
        message_print("lockstep: %s: %zu finding%s fixed; %s %s", name, n, n == 1 ? "" : "s", more,
                      where);
    else
        message_print("lockstep: %s: nothing to mend; %s %s", name, more, where);
}

static int write_new(const struct check *c, const struct fixes *fixes, const char *out,
                     struct faults *faults)
{
    const struct annotation_file *file = &c->files[0];
    struct text why = { 0 };
    int code = fixes_write(out, file->text, NULL, &why);

    if (!code)
        print_done(file->name, fixes->n_of[0], "written to", out);
    else
        fault_add(faults, 0, 0, out, output_code(code), "%s%s", text_string(&why),
                  code == EXIT_OCCUPIED ? "; give another name" : "");
    text_drop(&why);
    return code;
}

static int replace_file(const struct check *c, const struct fixes *fixes, size_t i,
                        struct faults *faults)
{
    const struct annotation_file *file = &c->files[i];
    struct text backup = { 0 }, why = { 0 };
    int code = fixes->n_of[i] ? fixes_write(file->name, file->text, &backup, &why) : EXIT_DONE;

    if (code)
        fault_add(faults, 0, 0, file->name, output_code(code), "%s", text_string(&why));
    else if (!fixes->n_of[i])
        print_done(file->name, 0, "it stays", "as it is");
    else
        print_done(file->name, fixes->n_of[i], "the original is", text_string(&backup));
    text_drop(&backup);
    text_drop(&why);
    return code;
}

int check_fix_write(const struct check *c, const struct fixes *fixes, const char *out,
                    struct faults *faults)
{
    size_t unsafe = count_unsafe(c);
    int code = out ? write_new(c, fixes, out, faults) : EXIT_DONE;

    for (size_t i = 0; !out && !code && i < c->n_files; i++)
        code = replace_file(c, fixes, i, faults);
    if (code)
        return code;
    if (unsafe && fixes->max_kind == FIX_SAFE)
        message_print("lockstep: %zu more finding%s would be fixed with --unsafe-fixes", unsafe,
                      unsafe == 1 ? "" : "s");
    return EXIT_DONE;
}

int check_fix_report(struct check *c, const struct fixes *fixes, const char *out,
                     const struct check_output *outputs, size_t n, struct faults *faults)
{
    const char *source = c->files[0].name;
    int code = EXIT_DONE;

    if (out && fixes->n)
        c->files[0].name = out;
    for (size_t i = 0; !code && i < n; i++)
        if (!check_write(c, &outputs[i], faults))
            code = EXIT_OUTPUT;
    c->files[0].name = source;
    return code;
}

/* True if the path is an annotation file, or one of n outputs. */
static bool is_taken(const struct check_options *wanted, const struct check_output *outputs,
                     size_t n, const char *path)
{
    bool taken = false;

    if (strcmp(path, "-") == 0 || file_is_stream(path))
        return false;
    for (size_t i = 0; i < n; i++)
        taken |= strcmp(outputs[i].path, path) == 0;
    for (size_t i = 0; i < wanted->n_inputs; i++)
        taken |= file_is_same(path, wanted->inputs[i].name);
    return taken;
}

void check_places(const struct check_options *wanted, const struct check_output *outputs, size_t n,
                  const char *baseline, struct faults *faults)
{
    for (size_t i = 0; i <= n; i++) {
        const char *path = i < n ? outputs[i].path : baseline;

        if (*path && is_taken(wanted, outputs, i, path))
            fault_add(faults, 0, 0, path, "out-inside",
                      "it is read here, or written twice; give another name");
    }
}
