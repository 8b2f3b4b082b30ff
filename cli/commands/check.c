/* check: finds faults of a dataset; longer than 600 lines because the choice of what is checked
 * needs its table of options. */
#include "commands/check_fix.h"
#include "open/dataset.h"
#include "options/label_options.h"
#include "shared/args.h"
#include "shared/say.h"

#include "batch/dataset/label_folder.h"
#include "batch/dataset/layout_registry.h"
#include "check/baseline.h"
#include "check/check.h"
#include "check/settings.h"
#include "check/reporter.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct options {
    struct names annotations, images, part, output, select, extend_select, ignore, severity;
    int voc_base, labels; /* enums voc_base, label_source */
    const char *masks, *mask_name, *classes, *config, *baseline, *write_baseline, *strip_prefix;
    int match; /* enum match */
    bool no_images, headers, pixels, list;
    const char *explain, *out;
    bool fix, unsafe_fixes, in_place, diff;
    int fail_on, max_findings, jobs;
};

enum { FAIL_NEVER = SEVERITIES, MAX_ROUNDS = 16 };

static const struct choice fail_choices[] = {
    { "error", SEVERITY_ERROR, "if there are errors" },
    { "warning", SEVERITY_WARNING, "if there are errors or warnings" },
    { "info", SEVERITY_INFO, "if there is any finding" },
    { "never", FAIL_NEVER, "never because of findings" },
    { 0 },
};

#define O struct options
static const struct option options[] = {
    /* input */
    { 0, 'a', "PATH",
      NAMES(O, annotations, .preset = "null",
            .help =
                "a COCO file, or a folder of labels. `lockstep list formats` lists the formats. "
                "Give one for each split of a dataset, as -a train=FILE to name it. Without -i, "
                "this may be a whole dataset, such as a data.yaml or a folder in a layout of "
                "`lockstep list layouts`: its parts are splits",
            .group = OPTIONS_INPUT) },
    { 0, 'i', "DIR",
      NAMES(O, images, .preset = "null",
            .help = "the folder of the images. Give it once for all annotation files, or once for "
                    "each, in their order, or as -i train=DIR for the part of this name. Folders "
                    "of labels need it",
            .group = OPTIONS_INPUT) },
    { 0, 0, "NAME",
      NAMES(O, part, .preset = "null", .help = "check only this part of a dataset, such as train",
            .group = OPTIONS_INPUT) },
    { 0, 0, "WHAT",
      CHOICE(O, labels, .preset = "\"none\"", .choices = labels_choices,
             .help = "the labels of images, without annotations", .group = OPTIONS_INPUT) },
    { 0, 'm', "DIR",
      TEXT(O, masks, .preset = "\"\"",
           .help = "without annotations: the folder of label masks. Each mask has the path and "
                   "stem of its image. With a panoptic file: the folder of its PNGs, if it is not "
                   "named like the file",
           .group = OPTIONS_INPUT) },
    { 0, 0, "TEMPLATE",
      TEXT(O, mask_name, .preset = "\"\"",
           .help = "template of the names of label masks, as for `lockstep run`: {stem}_L.png",
           .group = OPTIONS_INPUT, .rare = true) },
    { 0, 0, "FILE",
      TEXT(O, classes, .preset = "\"\"",
           .help = "names of the classes; others are errors. The file "
                   "has one name per line, in order, or is a data.yaml, or a COCO file with "
                   "categories. Called --names in earlier versions",
           .was = "--names", .group = OPTIONS_INPUT) },
    { 0, 0, NULL,
      FLAG(O, no_images, .preset = "false", .help = "do not read image files",
           .group = OPTIONS_INPUT, .rare = true) },
    { 0, 0, NULL,
      FLAG(O, headers, .preset = "false",
           .help = "read image headers only; the default with -i. No image is decoded",
           .group = OPTIONS_INPUT) },
    { 0, 0, NULL,
      FLAG(O, pixels, .preset = "false", .help = "also decode all images",
           .group = OPTIONS_INPUT) },
    { 0, 0, "FILE",
      TEXT(O, config, .preset = "\"\"",
           .help = "file of settings. Without it, the first lockstep-check.json in the current "
                   "folder or above it in the repository",
           .group = OPTIONS_INPUT, .rare = true) },

    /* rules */
    { 0, 0, "RULES",
      NAMES(O, select, .preset = "null",
            .help = "check only these rules, such as B,C002. Ids or their beginnings, separated by "
                    "commas",
            .group = OPTIONS_RULES) },
    { 0, 0, "RULES",
      NAMES(O, extend_select, .preset = "null", .help = "check these rules, too",
            .group = OPTIONS_RULES) },
    { 0, 0, "RULES",
      NAMES(O, ignore, .preset = "null", .help = "do not check these rules",
            .group = OPTIONS_RULES) },
    { 0, 0, "RULE=SEVERITY",
      NAMES(O, severity, .preset = "null",
            .help = "set the severity of rules. It is error, warning, info, or off",
            .group = OPTIONS_RULES) },
    { 0, 0, "FILE",
      TEXT(O, baseline, .preset = "\"\"",
           .help =
               "known findings, which do not count. --write-baseline writes the file. A finding "
               "is recognized by what it is about, even if ids or the order change",
           .group = OPTIONS_RULES) },
    { 0, 0, NULL,
      FLAG(O, list, .preset = "false", .help = "print all rules and exit",
           .group = OPTIONS_RULES) },
    { 0, 0, "RULE",
      TEXT(O, explain, .preset = "\"\"", .help = "print the explanation of a rule and exit",
           .group = OPTIONS_RULES) },

    /* labels */
    VOC_BASE_OPTION(0, O),
    STRIP_PREFIX_OPTION(0, O),
    MATCH_OPTION(0, O),

    /* output */
    { 0, 0, "NAME=FILE",
      NAMES(O, output, .preset = "null", .writes = WRITES_FILE | WRITES_STDOUT,
            .help = "write a report in this format. =FILE may be omitted. Without this option: "
                    "text=-",
            .group = OPTIONS_OUTPUT) },
    { 0, 0, "SEVERITY",
      CHOICE(O, fail_on, .preset = "\"error\"", .choices = fail_choices,
             .help = "when the exit code is 1", .group = OPTIONS_OUTPUT) },
    { 0, 0, "N",
      INTEGER(O, max_findings, .preset = "0", .limit = { 0, 1000000000 },
              .help = "print at most N findings of a rule; all are counted. 0: the usual number of "
                      "the report's format",
              .group = OPTIONS_OUTPUT, .rare = true) },
    { 0, 0, NULL,
      FLAG(O, fix, .preset = "false",
           .help = "fix findings that have one safe remedy. The file is written to -o, or replaced "
                   "with --in-place; everything else stays byte for byte. The report is about the "
                   "fixed file",
           .group = OPTIONS_OUTPUT) },
    { 0, 0, NULL,
      FLAG(O, unsafe_fixes, .preset = "false",
           .help =
               "with --fix or --diff: also apply unsafe fixes. They may lose an object or guess "
               "a meaning",
           .group = OPTIONS_OUTPUT) },
    { 0, 'o', "FILE",
      TEXT(O, out, .preset = "\"\"", .writes = WRITES_FILE,
           .help = "with --fix: the fixed file to write", .group = OPTIONS_OUTPUT) },
    { 0, 0, NULL,
      FLAG(O, in_place, .preset = "false",
           .help = "with --fix: replace the file. The original is kept as FILE.orig",
           .group = OPTIONS_OUTPUT) },
    { 0, 0, NULL,
      FLAG(O, diff, .preset = "false",
           .help = "print the changes of --fix, and write nothing. The exit code is 1 if there are "
                   "any",
           .group = OPTIONS_OUTPUT) },
    { 0, 0, "FILE",
      TEXT(O, write_baseline, .preset = "\"\"", .writes = WRITES_FILE,
           .help = "write all findings to this file and exit with 0", .group = OPTIONS_OUTPUT) },

    /* speed */
    { 0, 'j', "N",
      INTEGER(O, jobs, .preset = "0", .limit = { 0, 1024 },
              .help = "processes that read images; 0: one per processor", .group = OPTIONS_SCALE,
              .rare = true) },
    OPTIONS_END,
};
#undef O

static bool refuse(struct faults *faults, const char *path, const char *code, const char *why)
{
    return fault_add(faults, 0, 0, path, code, "%s", why);
}

/* --- the rules --- */

static int print_rules(void)
{
    struct arena arena = { 0 };

    for (const struct rule **rule = check_rules(&arena); *rule; rule++)
        printf("%s  %-7s  %-6s  %-28s  %s\n", (*rule)->id, severity_word((*rule)->severity),
               fix_word((*rule)->fix), (*rule)->slug, (*rule)->summary);
    arena_drop(&arena);
    return EXIT_DONE;
}

static int explain(const char *id, struct faults *faults)
{
    struct arena arena = { 0 };
    const struct rule **rule = check_rules(&arena);

    while (*rule && strcmp((*rule)->id, id) != 0 && strcmp((*rule)->slug, id) != 0)
        rule++;
    if (*rule)
        printf("%s %s (%s): %s.\n\n%s\n\nTo mend it: %s\nFix: %s.\n", (*rule)->id, (*rule)->slug,
               severity_word((*rule)->severity), (*rule)->summary, (*rule)->cause, (*rule)->remedy,
               fix_word((*rule)->fix));
    else
        refuse(faults, id, "name-unknown", "no rule has this id; see lockstep check --list");
    arena_drop(&arena);
    return EXIT_DONE;
}

/* --- outputs --- */

static bool read_output(const struct options *o, const char *word, struct check_output *to,
                        struct arena *arena, struct faults *faults)
{
    const char *equals = strchr(word, '=');
    const char *name = equals ? arena_copy(arena, word, (size_t)(equals - word)) : word;
    struct nearest near = { .word = name };

    to->path = equals && equals[1] ? equals + 1 : "-";
    to->max_findings = (size_t)o->max_findings;
    to->reporter = check_reporter(name);
    if (to->reporter)
        return true;
    for (EACH(reporter, reporter, check_reporters))
        nearest_try(&near, reporter->name);
    return fault_add(faults, 0, 0, "--output", "option-value", "no report has the name \"%s\"%s",
                     name, nearest_hint(&near, arena));
}

static size_t read_outputs(const struct options *o, struct check_output *to, struct arena *arena,
                           struct faults *faults)
{
    if (!o->output.n && o->diff)
        return 0;
    if (!o->output.n) {
        read_output(o, "text", to, arena, faults);
        return 1;
    }
    for (size_t i = 0; i < o->output.n; i++)
        read_output(o, o->output.at[i], &to[i], arena, faults);
    return o->output.n;
}

/* --- the check --- */

static bool must_fail(const struct check *c, int fail_on)
{
    for (int severity = fail_on; severity < SEVERITIES; severity++)
        if (c->counts[severity])
            return true;
    return false;
}

/* Checks once; with fixes, again until nothing fixable is left. Returns false with faults. */
static bool run_check(struct check *c, struct check_options *wanted, struct fixes *fixes,
                      struct faults *faults)
{
    for (int round = 0;; round++) {
        bool good;

        check_begin(c, wanted);
        good = check_run(c, faults);
        if (!good || !wanted->fixes || round == MAX_ROUNDS || !fixes_apply(fixes, c))
            return good;
        wanted->texts = fixes->slices;
        check_drop(c);
    }
}

static struct names one_name(const char *name, struct arena *arena)
{
    const char **at = ARENA_ARRAY(arena, const char *, 1);

    at[0] = name;
    return (struct names){ .at = at, .n = 1 };
}

/* Takes settings of the file that the command line does not give. */
static void use_file(struct options *o, const struct check_file *file, struct arena *arena)
{
    if (file->path)
        message_print("lockstep check: note: settings are from %s", file->path);
    if (!option_is_given("fail_on") && file->fail_on >= 0)
        o->fail_on = file->fail_on;
    if (!option_is_given("max_findings"))
        o->max_findings = file->max_findings;
    if (!option_is_given("images") && *file->images)
        o->images = one_name(file->images, arena);
    if (!option_is_given("baseline") && !*o->write_baseline) /* which may be the same file */
        o->baseline = file->baseline;
}

/* Chooses rules by the file of settings, then by the command line. Returns false with faults. */
static bool choose_rules(const struct options *o, const struct check_file *file,
                         struct check_choice choices[2], struct faults *faults)
{
    const struct check_options none = { 0 };
    struct check probe;
    bool good;

    choices[0] = file->choice;
    choices[1] = (struct check_choice){ .select = o->select,
                                        .extend = o->extend_select,
                                        .ignore = o->ignore,
                                        .severity = o->severity };
    check_begin(&probe, &none);
    good = check_choose(&probe, &choices[0],
                        arena_printf(&faults->arena, "%s: ", file->path ? file->path : ""), faults);
    good = check_choose(&probe, &choices[1], "--", faults) && good;
    check_drop(&probe);
    return good;
}

static int end_baseline(const struct options *o, const struct check *c, int code,
                        struct faults *faults)
{
    size_t gone = c->options->baseline ? baseline_count_gone(c->options->baseline, c) : 0;

    if (gone)
        message_print("lockstep check: note: %zu findings of the baseline are gone; "
                      "--write-baseline writes it without them",
                      gone);
    if (!*o->write_baseline || (code != EXIT_DONE && code != EXIT_PARTIAL))
        return code;
    return baseline_write(o->write_baseline, c, faults) ? EXIT_DONE : EXIT_OUTPUT;
}

/* Prints which selected rules find nothing, since they compare images that are not read. */
static void tell_level(const struct check *c)
{
    static const struct {
        const char *rule;
        int level;
        const char *options;
    } rules[] = { { "X004", CHECK_HEADERS, "-i" }, { "X005", CHECK_PIXELS, "-i and --pixels" } };

    for (size_t i = 0; c->n_files > 1 && i < COUNTOF(rules); i++) {
        const struct rule_setting *setting = check_setting_of(c, rules[i].rule);

        if (setting->selected && c->options->level < rules[i].level)
            message_print("lockstep check: note: %s compares the images of the %zu files with %s "
                          "only",
                          setting->rule->slug, c->n_files, rules[i].options);
    }
}

static int check(const struct options *o, struct check_options *wanted, struct arena *arena,
                 struct faults *faults)
{
    struct check_output *outputs = ARENA_ARRAY(arena, struct check_output, o->output.n + 1);
    struct fixes fixes = { .max_kind = o->unsafe_fixes ? FIX_UNSAFE : FIX_SAFE,
                           .wants_diff = o->diff };
    size_t n = read_outputs(o, outputs, arena, faults);
    struct check c;
    int code;

    check_places(wanted, outputs, n, o->write_baseline, faults);
    if (faults->n)
        return EXIT_USAGE;
    code = run_check(&c, wanted, &fixes, faults) ? EXIT_DONE : EXIT_INPUT;
    if (code && strcmp(faults->list[0].code, "worker-start") == 0)
        code = EXIT_RESOURCES;
    if (!code)
        code = check_fix_report(&c, &fixes, *o->out ? o->out : NULL, outputs, n, faults);
    if (!code && o->diff)
        fwrite(text_string(&fixes.diff), 1, fixes.diff.length, stdout);
    if (!code && o->fix && !o->diff)
        code = check_fix_write(&c, &fixes, o->in_place ? NULL : o->out, faults);
    if (!code && (must_fail(&c, o->fail_on) || (o->diff && fixes.n)))
        code = EXIT_PARTIAL;
    if (code != EXIT_INPUT)
        tell_level(&c);
    if (code != EXIT_INPUT)
        code = end_baseline(o, &c, code, faults);
    fixes_drop(&fixes);
    check_drop(&c);
    return code;
}

/* Adds faults if --fix has no place to write to, or other options need --fix. */
static void check_fix_options(const struct options *o, size_t n_files, struct faults *faults)
{
    if (o->unsafe_fixes && !o->fix && !o->diff)
        refuse(faults, "--unsafe-fixes", "option-unused", "it needs --fix or --diff");
    if ((*o->out || o->in_place) && !o->fix)
        refuse(faults, *o->out ? "-o" : "--in-place", "option-unused", "it needs --fix");
    if (o->fix && (*o->out != '\0') + o->in_place + o->diff != 1)
        refuse(faults, "--fix", "option-missing",
               "one of -o FILE, --in-place and --diff is required with it");
    if (*o->out && n_files > 1)
        refuse(faults, "-o", "option-value",
               "of several annotation files, each goes to its own: use --in-place");
}

/* --- what is checked --- */

/* Adds faults for options that folders of labels need or cannot use. Returns false if a folder has
 * no labels. */
static bool check_labels(const struct options *o, const struct check_options *wanted,
                         struct arena *arena, struct faults *faults)
{
    static const char *const names_of[][2] = { { "strip_prefix", "--strip-prefix" },
                                               { "match", "--match" } };
    const char *folder, *names = "";
    const struct check_input *labels = NULL;
    bool good = true, images = false;

    for (size_t i = 0; i < wanted->n_inputs; i++) {
        const struct check_input *input = &wanted->inputs[i];

        images |= input->n_folders > 0;
        if (!labels && (!*input->name || label_folder_find(input->name, arena, &folder, &names)))
            labels = input;
    }
    if (labels && !labels->n_folders)
        good = label_folder_refuse(labels->name, faults);
    for (size_t i = 0; i < COUNTOF(names_of) && (labels || !images); i++)
        if (option_is_given(names_of[i][0]))
            refuse(faults, names_of[i][1], "option-unused",
                   labels ? "the images are those of the folder, and no annotations have other "
                            "names for them"
                          : "it says which files of -i the annotations mean, and there is no -i");
    if (labels && (o->fix || o->diff))
        refuse(faults, o->fix ? "--fix" : "--diff", "option-unused",
               "it is for COCO files; labels in a folder are not fixed");
    return good;
}

/* Lists the files of -a, then the operands. */
static struct names list_files(const struct options *o, const char *const *operand,
                               struct arena *arena)
{
    size_t n = o->annotations.n;
    const char **file;

    for (size_t i = 0; operand[i]; i++)
        n++;
    file = ARENA_ARRAY(arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        file[i] = i < o->annotations.n ? o->annotations.at[i] : operand[i - o->annotations.n];
    return (struct names){ file, n };
}

static struct check_input *add_inputs(struct check_options *wanted, size_t n, struct arena *arena)
{
    struct check_input *inputs = ARENA_ARRAY(arena, struct check_input, n);

    wanted->inputs = inputs;
    wanted->n_inputs = n;
    return inputs;
}

/* Takes the parts of a whole dataset; none if the files are not one. */
static int take_parts(const struct options *o, const struct names *files,
                      struct check_options *wanted, struct arena *arena)
{
    const struct job_options job = { .annotations = *files,
                                     .images = o->images,
                                     .part = o->part,
                                     .classes = "",
                                     .image_list = "",
                                     .mask_name = o->mask_name };
    struct found_layout *found = ARENA_NEW(arena, struct found_layout);
    struct check_input *inputs;
    int code = is_whole_dataset(&job) ? find_whole_dataset(&job, false, arena, found) : EXIT_DONE;

    if (code || !found->n)
        return code;
    inputs = add_inputs(wanted, found->n, arena);
    for (size_t i = 0; i < found->n; i++) {
        const struct layout_part *part = &found->parts[i];

        inputs[i] = (struct check_input){
            .name = part->annotations,
            .dataset = found,
            .part = part,
            .folders = part->images,
            .n_folders = part->n_images,
            .classes = *o->classes ? o->classes : found->classes,
            .masks = part->masks ? part->masks : "",
            .class_folders = found->layout && found->layout->labels_are_folders,
        };
    }
    return EXIT_DONE;
}

/* Takes images without annotations. */
static void take_images(const struct options *o, struct check_options *wanted, struct arena *arena)
{
    struct check_input *input = add_inputs(wanted, 1, arena);

    *input = (struct check_input){ .name = "",
                                   .folders = o->images.at,
                                   .n_folders = o->images.n,
                                   .classes = o->classes,
                                   .masks = o->masks,
                                   .class_folders = o->labels == IMAGE_LABELS_FOLDERS };
}

static void take_files(const struct options *o, const struct names *files,
                       struct check_options *wanted, struct arena *arena, struct faults *faults)
{
    struct check_input *inputs = add_inputs(wanted, files->n, arena);
    bool each = o->images.n > 1;

    if (o->part.n)
        refuse(faults, "--part", "option-unused", "these annotations are not divided into parts");
    if (each && o->images.n != files->n)
        refuse(faults, "-i", "option-value",
               "give one folder for all annotation files, or as many as there are files");
    for (size_t i = 0; i < files->n && (!each || o->images.n == files->n); i++)
        inputs[i] = (struct check_input){ .name = files->at[i],
                                          .folders = o->images.at + (each ? i : 0),
                                          .n_folders = o->images.n > 0,
                                          .classes = o->classes,
                                          .masks = "" };
    wanted->n_inputs = faults->n ? 0 : files->n;
}

static bool reads_masks(const struct check_options *wanted)
{
    for (size_t i = 0; i < wanted->n_inputs; i++)
        if (*wanted->inputs[i].masks)
            return true;
    return false;
}

static int take_inputs(const struct options *o, const char *const *operand,
                       struct check_options *wanted, struct arena *arena, struct faults *faults)
{
    struct names files = list_files(o, operand, arena);
    bool folders = o->labels == IMAGE_LABELS_FOLDERS;
    int code = EXIT_DONE;

    if (files.n && folders)
        refuse(faults, "--labels folders", "option-unused",
               "the annotations already give the labels; remove one of the options");
    else if (!files.n && o->images.n && (folders || *o->masks))
        take_images(o, wanted, arena);
    else if (!files.n)
        refuse(faults, "", "operand-missing",
               folders || *o->masks ? "-i, the folder of the images, is required"
                                    : "an annotation file is required");
    else
        code = take_parts(o, &files, wanted, arena);
    if (!code && !faults->n && !wanted->n_inputs)
        take_files(o, &files, wanted, arena, faults);
    if (!code && *o->mask_name && !reads_masks(wanted))
        refuse(faults, "--mask-name", "option-unused",
               "it is for label masks, and there are no masks");
    return code;
}

/* Chooses how much of the images is read. */
static void choose_level(const struct options *o, struct check_options *wanted,
                         struct faults *faults)
{
    bool images = false, missing = false;

    for (size_t i = 0; i < wanted->n_inputs; i++) {
        images |= wanted->inputs[i].n_folders > 0;
        missing |= access(wanted->inputs[i].name, F_OK) != 0;
    }
    if (o->no_images + o->headers + o->pixels > 1)
        refuse(faults, "", "option-unused",
               "--no-images, --headers and --pixels exclude each other");
    /* A missing file is told when it is read. */
    if ((o->headers || o->pixels) && !images && !missing)
        refuse(faults, "-i", "option-missing", "is required for --headers and --pixels");
    wanted->level = o->pixels                 ? CHECK_PIXELS
                    : o->no_images || !images ? CHECK_NO_IMAGES
                                              : CHECK_HEADERS;
    wanted->mask_values = !o->headers;
}

static int run_options(struct options *o, const char *const *operand, struct arena *arena,
                       struct faults *faults)
{
    struct check_choice choices[2];
    struct baseline baseline;
    struct check_file settings;
    struct check_options wanted = { .pictures = o->masks,
                                    .mask_name = o->mask_name,
                                    .voc_base = o->voc_base,
                                    .strip_prefix = o->strip_prefix,
                                    .match = o->match,
                                    .jobs = o->jobs,
                                    .fixes = o->fix || o->diff };
    int code;

    if (o->list)
        return print_rules();
    if (*o->explain)
        return explain(o->explain, faults);
    if (!check_file_read(o->config, &settings, arena, faults))
        return EXIT_USAGE;
    use_file(o, &settings, arena);
    wanted.choices = choices;
    wanted.n_choices = choose_rules(o, &settings, choices, faults) ? 2 : 0;
    code = take_inputs(o, operand, &wanted, arena, faults);
    if (code)
        return code;
    check_fix_options(o, wanted.n_inputs, faults);
    if (!check_labels(o, &wanted, arena, faults))
        return EXIT_INPUT;
    choose_level(o, &wanted, faults);
    if (!faults->n && *o->baseline) {
        if (!baseline_read(o->baseline, &baseline, arena, faults))
            return EXIT_INPUT;
        wanted.baseline = &baseline;
    }
    return check(o, &wanted, arena, faults);
}

static int run(void *given, const char *const *operand)
{
    struct faults faults = { .name = "lockstep check" };
    struct arena arena = { 0 };
    int code = run_options(given, operand, &arena, &faults);

    if (faults.n)
        faults_exit(&faults, code ? code : EXIT_USAGE);
    code = faults.n && !code ? EXIT_USAGE : code;
    faults_drop(&faults);
    arena_drop(&arena);
    return code;
}

static const char *const examples[] = {
    "lockstep check -a annotations.json -i images",
    "lockstep check annotations.json --no-images --select B,S --fail-on error",
    "lockstep check -a labels -i images --output github",
    "lockstep check data.yaml",
    "lockstep check -i pets --labels folders",
    "lockstep check -i images --masks masks --classes classes.txt",
    "lockstep check --explain B005",
    NULL,
};

const struct command check_command = {
    .name = "check",
    .summary = "find faults of a dataset, for people and for CI",
    .synopsis = "-a ANNOTATIONS|DATASET [-a ANNOTATIONS ...] [-i IMAGES]",
    .about =
        "Reads COCO files, folders with a label file for each image, .csv tables of image "
        "labels, whole datasets with their parts, class folders, and label masks. Reports what is "
        "wrong: each finding has the id of its rule, its "
        "place and its image. Broken parts are findings too, and reading continues after them. "
        "`run` accepts anything that `check` passes without errors.\n\nThe exit code is 0 if no "
        "finding has a severity that --fail-on names, 1 if one has, 2 for a wrong command line, "
        "and 4 for a file that cannot be read. The format of the report does not change it.\n\nA "
        "repository can share settings in lockstep-check.json, an object whose members are named "
        "as options. The lists are select, extend_select, ignore and severity, such as [\"B\", "
        "\"C002\"] and [\"B005=error\"]; the others are fail_on, max_findings, images and "
        "baseline. per_file_ignores, such as {\"old/*.json\": [\"B\"], \"scans/*\": [\"I017\"]}, "
        "lists rules that are not reported for annotation files (with paths from the folder of "
        "the settings) and for images whose names match a pattern. The command line takes "
        "precedence: --select replaces all that the file selects and ignores, but rules ignored "
        "for names stay ignored.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "FILE",
    .examples = examples,
    .run = run,
};
