/* check: runs all rules on annotation files. */
#include "check/check.h"

#include "batch/dataset/layout_registry.h"
#include "batch/dataset/unsupported_format.h"
#include "batch/dataset/label_folder.h"
#include "batch/dataset/translate.h"
#include "batch/io/shard_index.h"
#include "batch/webdataset/read_samples.h"
#include "check/elements.h"
#include "check/settings.h"

#include <stdlib.h>
#include <string.h>

void check_begin(struct check *c, const struct check_options *options)
{
    struct faults faults = { 0 };

    *c = (struct check){ .options = options };
    for (EACH(rule_family, family, check_families))
        for (const struct rule *rule = family->rules; rule->id; rule++)
            c->n_settings++;
    c->settings = ARENA_ARRAY(&c->arena, struct rule_setting, c->n_settings);
    c->n_settings = 0;
    for (EACH(rule_family, family, check_families))
        for (const struct rule *rule = family->rules; rule->id; rule++)
            c->settings[c->n_settings++] = (struct rule_setting){
                .rule = rule, .family = family->title, .severity = rule->severity, .selected = true
            };
    for (size_t i = 0; i < options->n_choices; i++)
        check_choose(c, &options->choices[i], "", &faults);
    faults_drop(&faults);
}

/* Replaces the text of a format that is read as COCO. */
static bool translate(struct check *c, struct annotation_file *file, struct slice *text,
                      struct faults *faults)
{
    struct faults notes = { .name = file->name };
    struct faults own = { .name = file->name, .text = *text, .notes = &notes };
    const struct translate_inputs images = { file->roots.at, file->roots.n, LINKS_FOLLOW,
                                             file->classes };
    bool translated = translate_text(&images, &c->arena, &own) != NULL, good = !own.n;

    for (size_t i = 0; i < own.n; i++) {
        size_t line, column;

        text_place(own.text, own.list[i].offset, &line, &column);
        fault_add(faults, 0, 0, arena_printf(&c->arena, "%s:%zu:%zu", file->name, line, column),
                  own.list[i].code, "%s", own.list[i].message);
    }
    if (translated && c->options->fixes)
        good = fault_add(faults, 0, 0, file->name, "annotations-other",
                         "--fix and --diff are for COCO files; run --to coco makes one of this");
    if (translated) {
        *text = own.text;
        file->parts = own.files;
        file->n_parts = own.n_files;
        translate_tell(&notes);
    }
    faults_drop(&notes);
    faults_drop(&own);
    return good;
}

static bool open_file(struct check *c, struct annotation_file *file, struct faults *faults)
{
    const struct check_options *o = c->options;
    struct slice text = o->texts ? o->texts[file->index] : (struct slice){ 0 };
    struct text why = { 0 };
    bool good = text.at || samples_open(file->name, &text, faults);

    if (good && o->fixes && shard_index_is_path(file->name))
        good = fault_add(faults, 0, 0, file->name, "annotations-other",
                         "--fix and --diff are for COCO files, and these annotations are in tars");
    if (good && !translate(c, file, &text, faults))
        return false;
    file->format = file->parts ? NULL : registry_format_named(file->name);
    if (good && !file->parts && !file->format && detect_unsupported(file->name, text, &why))
        good = fault_add(faults, 0, 0, file->name, "annotations-other", "%s", text_string(&why));
    text_drop(&why);
    file->text = text;
    if (!file->format)
        file->format = registry_format(file->text);
    file->sections[LIST_NONE] = file->text;
    return good;
}

/* Opens all files, so that every file that cannot be read is reported. */
static bool open_files(struct check *c, struct faults *refused, struct faults *faults)
{
    const struct check_options *o = c->options;
    const char *folder;
    bool good = true;

    for (size_t i = 0; i < c->n_files; i++) {
        const struct check_input *input = &o->inputs[i];
        struct annotation_file *file = &c->files[i];
        const char *names = "";

        file->name = *input->name ? input->name : *input->folders;
        file->part = input->part ? input->part->name : NULL;
        file->roots = (struct roots){ input->folders, input->n_folders, NULL };
        file->mask_folder = *input->masks ? input->masks : NULL;
        file->index = i;
        check_set_ignored(c, file);
        if (!*input->name)
            good = check_open_listing(c, file, &refused[i], faults) && good;
        else if (label_folder_find(file->name, &c->arena, &folder, &names))
            good = check_open_labels(c, file, &refused[i], faults) && good;
        else
            good = check_read_classes(c, file, &file->classes, faults) &&
                   open_file(c, file, faults) && good;
    }
    return good;
}

/* Converts shares of an image's sides to pixels: labels are read once the sizes are known. */
static bool walk_file(struct check *c, struct annotation_file *file, const struct faults *refused,
                      struct faults *faults)
{
    if (file->labels) {
        if (!check_inspect(c, file, faults))
            return false;
        check_walk_labels(c, file, refused);
        return true;
    }
    if (file->listed) {
        check_walk_listing(c, file, refused);
        return true;
    }
    if (file_is_table(file)) {
        check_walk_table(c, file);
        return true;
    }
    check_index(c, file);
    check_walk(c, file);
    return true;
}

bool check_run(struct check *c, struct faults *faults)
{
    const struct check_options *o = c->options;
    struct faults *refused = ARENA_ARRAY(&c->arena, struct faults, o->n_inputs);
    bool good;

    c->n_files = o->n_inputs;
    c->files = ARENA_ARRAY(&c->arena, struct annotation_file, c->n_files);
    good = open_files(c, refused, faults);
    for (size_t i = 0; good && i < c->n_files; i++)
        good = walk_file(c, &c->files[i], &refused[i], faults);
    for (size_t i = 0; good && i < c->n_files; i++)
        good = c->files[i].labels || check_inspect(c, &c->files[i], faults);
    for (size_t i = 0; i < c->n_files; i++)
        faults_drop(&refused[i]);
    if (!good)
        return false;
    for (EACH(rule_family, family, check_families))
        if (family->all)
            family->all(c);
    check_finish(c);
    return true;
}

void check_drop(struct check *c)
{
    for (size_t i = 0; i < c->n_files; i++) {
        free(c->files[i].images);
        free(c->files[i].annotations);
        free(c->files[i].categories);
        free(c->files[i].unknown.at);
        check_forget_inspection(&c->files[i]);
    }
    free(c->findings.at);
    free(c->ignores.at);
    arena_drop(&c->arena);
}
