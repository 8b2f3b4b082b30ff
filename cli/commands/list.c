/* list: prints the names of all transforms, ops and formats. */
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

#define PIPELINES "pipelines"

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
    nearest_try(&near, PIPELINES);
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

/* Prints pipelines, which cannot be listed with entries of the registry. */
static int list_pipelines(const struct options *o, const char *other)
{
    struct faults faults = { .name = "lockstep list" };
    int code = EXIT_DONE;

    if (other)
        fault_add(&faults, 0, 0, other, "operand-unexpected", "pipelines are listed alone");
    else if (o->differences)
        fault_add(&faults, 0, 0, "--differences", "option-unused",
                  "pipelines have no differences of their own");
    if (faults.n)
        code = faults_exit(&faults, EXIT_USAGE);
    else if (o->json)
        starter_list_print_json();
    else if (!isatty(STDOUT_FILENO))
        starter_list_print_lines();
    else
        code = starter_list_show();
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
    if (operand[0] && strcmp(operand[0], PIPELINES) == 0)
        return list_pipelines(o, operand[1]);

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
    NULL,
};

const struct command list_command = {
    .name = "list",
    .summary = "list all transforms, ops, formats and pipelines",
    .synopsis =
        "[transforms|ops|formats|pipelines] [GROUP...] [--differences] [--origin LIBRARY] [--json]",
    .about =
        "Transforms draw random values and emit ops; ops take concrete values. Both can be steps "
        "of a pipeline. The groups are geometry, crop, colour, blur, noise, weather, dropout, "
        "policies and labels. Letters show what a step does to the image and its labels, and "
        "which library its name and parameters come from. In a pipe, each entry has one line. The "
        "pipelines are the ones that `-p NAME` runs and `init` prints: some for kinds of work, "
        "and others named after the well-known trainings that they follow.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands =
        "transforms|ops|formats|pipelines|geometry|crop|colour|blur|noise|weather|dropout|policies|"
        "labels",
    .examples = examples,
    .shared = &plugin_options,
    .run = run,
};
