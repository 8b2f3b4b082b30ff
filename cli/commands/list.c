/* list: prints the names of all transforms, ops, formats, pipelines and layouts. */
#include "help/layout_list.h"
#include "help/pages.h"
#include "help/starter_list.h"
#include "options/plugins.h"
#include "shared/say.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct options {
    bool json, differences;
    const char *origin;
};

static const struct option options[] = {
    { 0, 0, NULL,
      FLAG(struct options, json, .preset = "false",
           .help = "print a JSON array of objects, with all parameters") },
    { 0, 0, NULL,
      FLAG(struct options, differences, .preset = "false",
           .help = "print only differences from the library that a name comes from") },
    { 0, 0, "LIBRARY",
      TEXT(struct options, origin, .preset = "\"\"",
           .help = "print the names of another library's transforms, and how to write each here. "
                   "The library is torchvision, Albumentations, MMDetection, detectron2, "
                   "Ultralytics, imgaug or Kornia") },
    OPTIONS_END,
};

/* Lists of entries that are not in the registry. Each is printed alone. */
static const struct own_list {
    const char *word;
    int (*show)(void);
    void (*print_lines)(void), (*print_json)(void);
} own_lists[] = {
    { "pipelines", starter_list_show, starter_list_print_lines, starter_list_print_json },
    { "layouts", layout_list_show, layout_list_print_lines, layout_list_print_json },
};

static const struct own_list *find_own_list(const char *word)
{
    for (size_t i = 0; i < COUNTOF(own_lists); i++)
        if (strcmp(own_lists[i].word, word) == 0)
            return &own_lists[i];
    return NULL;
}

static bool is_class(const char *word)
{
    for (size_t i = 0; entry_class(i); i++)
        if (strcmp(entry_class(i), word) == 0)
            return true;
    return false;
}

static int unknown_class(const char *word)
{
    struct nearest near = { .word = word };
    struct faults faults = { .name = "lockstep list" };

    for (size_t i = 0; entry_class(i); i++)
        nearest_try(&near, entry_class(i));
    for (size_t i = 0; i < COUNTOF(own_lists); i++)
        nearest_try(&near, own_lists[i].word);
    fault_add(&faults, 0, 0, word, "name-unknown", "there is no such group%s",
              nearest_hint(&near, &faults.arena));
    faults_exit(&faults, EXIT_USAGE);
    faults_drop(&faults);
    return EXIT_USAGE;
}

static int list_json(const char *const *classes)
{
    struct text all = { 0 };

    text_addc(&all, '[');
    for (ENTRIES(e)) {
        if (!entry_is_of(&e, classes))
            continue;
        text_adds(&all, all.length > 1 ? ", " : "");
        manual_json(&e, &all);
    }
    text_addc(&all, ']');
    json_show(text_string(&all));
    text_drop(&all);
    return EXIT_DONE;
}

static int list_lines(const char *const *classes)
{
    struct text lines = { 0 };

    manual_list_lines(&lines, classes);
    fputs(text_string(&lines), stdout);
    text_drop(&lines);
    return EXIT_DONE;
}

static int print_own_list(const struct own_list *list, const struct options *o, const char *other)
{
    struct faults faults = { .name = "lockstep list" };
    int code = EXIT_DONE;

    if (other)
        fault_add(&faults, 0, 0, other, "operand-unexpected", "%s are listed alone", list->word);
    else if (o->differences)
        fault_add(&faults, 0, 0, "--differences", "option-unused",
                  "%s have no differences of their own", list->word);
    if (faults.n)
        code = faults_exit(&faults, EXIT_USAGE);
    else if (o->json)
        list->print_json();
    else if (!isatty(STDOUT_FILENO))
        list->print_lines();
    else
        code = list->show();
    faults_drop(&faults);
    return code;
}

/* Prints the names of another library, which cannot be listed with entries of the registry. */
static int list_origin(const struct options *o, const char *other)
{
    struct nearest near = { .word = o->origin };
    struct faults faults = { .name = "lockstep list" };
    struct text lines = { 0 };
    int code = EXIT_DONE;

    for (size_t i = 0; library_name(i); i++)
        nearest_try(&near, library_name(i));
    if (other)
        fault_add(&faults, 0, 0, other, "operand-unexpected", "a library's names are listed alone");
    else if (o->json || o->differences)
        fault_add(&faults, 0, 0, o->json ? "--json" : "--differences", "option-unused",
                  "a library's names are lines");
    else if (!manual_list_origin(&lines, o->origin))
        fault_add(&faults, 0, 0, o->origin, "name-unknown", "there is no such library%s",
                  nearest_hint(&near, &faults.arena));
    if (faults.n)
        code = faults_exit(&faults, EXIT_USAGE);
    else
        fputs(text_string(&lines), stdout);
    text_drop(&lines);
    faults_drop(&faults);
    return code;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct page p;

    if (*o->origin)
        return list_origin(o, operand[0]);
    if (operand[0] && find_own_list(operand[0]))
        return print_own_list(find_own_list(operand[0]), o, operand[1]);

    for (size_t i = 0; operand[i]; i++)
        if (!is_class(operand[i]))
            return unknown_class(operand[i]);
    if (o->json)
        return list_json(operand);
    if (!o->differences && !isatty(STDOUT_FILENO))
        return list_lines(operand);
    p = page_text();
    if (o->differences)
        manual_list_differences(&p, operand);
    else
        manual_list(&p, operand);
    return page_show(&p);
}

static const char *const examples[] = {
    "lockstep list geometry",
    "lockstep list transforms --differences",
    "lockstep list | grep Albumentations",
    "lockstep list --json | jq -r '.[].name'",
    "lockstep list --origin torchvision",
    "lockstep list pipelines",
    "lockstep list layouts",
    NULL,
};

const struct command list_command = {
    .name = "list",
    .summary = "list all transforms, ops, formats, pipelines and layouts of datasets",
    .synopsis =
        "[transforms|ops|formats|pipelines|layouts] [GROUP...] [--differences] [--origin LIBRARY] "
        "[--json]",
    .about =
        "Transforms draw random values and emit ops; ops take concrete values. Both can be steps "
        "of a pipeline. The groups are geometry, crop, colour, blur, noise, weather, dropout, "
        "policies and labels. Letters show what a step does to the image and its labels, and "
        "which library its name and parameters come from. In a pipe, each entry has one line. The "
        "pipelines are the ones that `-p NAME` runs and `init` prints: some for kinds of work, "
        "and others named after the well-known trainings that they follow. The layouts are the "
        "ways "
        "in which the folders of a whole dataset are arranged. `-a DATASET` reads them, and `--to` "
        "writes most of them.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "transforms|ops|formats|pipelines|layouts|geometry|crop|colour|blur|noise|weather|"
                "dropout|policies|"
                "labels",
    .examples = examples,
    .shared = &plugin_options,
    .run = run,
};
