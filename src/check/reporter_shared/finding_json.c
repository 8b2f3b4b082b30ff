/* finding_json: a finding as JSON and in words. */
#include "check/reporter.h"
#include "json/text_id.h"
#include "check/rule.h"

#include <string.h>

/* Appends the element's id. */
static void add_id(struct text *out, const char *key, int64_t id, struct slice element)
{
    if (id == COCO_NO_ID)
        return;
    text_addf(out, ", \"%s\": ", key);
    text_id_print(id, element, "id", out);
}

static void add_string(struct text *out, const char *key, const char *string)
{
    text_addf(out, ", \"%s\": ", key);
    report_add_json(out, string);
}

void report_add_members(const struct check *c, const struct finding *f, struct text *out)
{
    const struct checked_image *image = finding_image(c, f);
    struct text pointer = { 0 };
    char fingerprint[33];

    finding_pointer(c, f, &pointer);
    finding_fingerprint(f, fingerprint);
    text_addf(out, "\"rule\": \"%s\", \"slug\": \"%s\", \"severity\": \"%s\"", f->rule->id,
              f->rule->slug, severity_word((enum severity)f->severity));
    add_string(out, "message", f->message);
    add_string(out, "file", finding_name(c, f));
    text_addf(out, ", \"line\": %llu, \"column\": %llu, \"offset\": %llu",
              (unsigned long long)f->line, (unsigned long long)f->column,
              (unsigned long long)finding_offset(c, f));
    add_string(out, "pointer", text_string(&pointer));
    if (image && *image->name)
        add_string(out, "image", image->name);
    if (image)
        add_id(out, "image_id", image->id, element_of_image(finding_file(c, f), f->image).text);
    if (f->list == LIST_ANNOTATIONS)
        add_id(out, "annotation_id", f->id,
               element_of_annotation(finding_file(c, f), f->index).text);
    text_addf(out, ", \"fix\": \"%s\", \"fingerprint\": \"%s\"",
              fix_word(finding_file(c, f)->labels || finding_file(c, f)->listed ? FIX_NONE
                                                                                : f->rule->fix),
              fingerprint);
    text_drop(&pointer);
}

void report_add_counts(const struct check *c, struct text *out)
{
    text_addf(out, "\"errors\": %zu, \"warnings\": %zu, \"infos\": %zu, \"in_baseline\": %zu",
              c->counts[SEVERITY_ERROR], c->counts[SEVERITY_WARNING], c->counts[SEVERITY_INFO],
              c->n_hidden);
}

void report_add_words(const struct check *c, const struct finding *f, struct text *out)
{
    const struct checked_image *image = finding_image(c, f);
    struct text pointer = { 0 };

    finding_pointer(c, f, &pointer);
    if (pointer.length > 1)
        text_addf(out, "%s: ", pointer.at + 1);
    text_adds(out, f->message);
    if (image && *image->name)
        text_addf(out, " (%s)", image->name);
    text_drop(&pointer);
}
