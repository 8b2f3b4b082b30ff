/* version: prints the versions of lockstep and its libraries. */
#include "shared/command.h"

#include "base/cpu.h"
#include "base/hash.h"
#include "base/version.h"
#include "json/scan.h"
#include "pixels/picture.h"

#include <stdio.h>
#include <string.h>

struct options {
    bool json;
};

static const struct option options[] = {
    { 0, 0, NULL, FLAG(struct options, json, .preset = "false", .help = "print a JSON object") },
    OPTIONS_END,
};

/* Prints lines of "name version" as members of an object. */
static void print_json(const char *lines, const char *loops)
{
    struct text out = { 0 };

    text_adds(&out, "{\"lockstep\": \"" LOCKSTEP_VERSION "\", \"libraries\": {");
    while (*lines) {
        size_t length = strcspn(lines, "\n"), name = strcspn(lines, " \n");

        text_add_json(&out, lines, name);
        text_adds(&out, ": ");
        text_add_json(&out, lines + name + 1, length > name ? length - name - 1 : 0);
        lines += length + (lines[length] == '\n');
        text_adds(&out, *lines ? ", " : "");
    }
    text_adds(&out, "}, \"loops\": ");
    text_add_json(&out, loops, strlen(loops));
    text_addc(&out, '}');
    puts(text_string(&out));
    text_drop(&out);
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct text lines = { 0 }, loops = { 0 };

    (void)operand;
    picture_versions(&lines);
    json_versions(&lines);
    hash_versions(&lines);
    cpu_print(&loops);
    if (o->json)
        print_json(text_string(&lines), text_string(&loops));
    else
        printf("lockstep %s\n%sloops %s\n", LOCKSTEP_VERSION, text_string(&lines),
               text_string(&loops));
    text_drop(&lines);
    text_drop(&loops);
    return EXIT_DONE;
}

static const char *const examples[] = {
    "lockstep version",
    "lockstep version --json | jq -r .lockstep",
    NULL,
};

const struct command version_command = {
    .name = "version",
    .brief = true,
    .summary = "print the versions of lockstep and its libraries",
    .synopsis = "[--json]",
    .about =
        "The first line is the version of lockstep. Equal versions give equal bytes (see "
        "`lockstep help reproducibility`), whatever the last line says. It lists the instruction "
        "sets of this processor for which pixel loops and number readers have their own code. "
        "libvips is loaded on demand, and is named by the version of its file: "
        "42.16.1 belongs to libvips 8.14.1.",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
