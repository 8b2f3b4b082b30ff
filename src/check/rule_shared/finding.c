/* finding: words and places of findings. */
#include "check/finding.h"

#include <string.h>

const char *severity_word(enum severity s)
{
    return s == SEVERITY_ERROR ? "error" : s == SEVERITY_WARNING ? "warning" : "info";
}

const char *fix_word(enum fix_kind f)
{
    return f == FIX_SAFE ? "safe" : f == FIX_UNSAFE ? "unsafe" : "none";
}

const char *list_name(enum checked_list list)
{
    static const char *const names[LISTS] = { "", "images", "annotations", "categories" };

    return names[list];
}

struct rule_setting *check_setting(const struct check *c, const struct rule *rule)
{
    for (size_t i = 0; i < c->n_settings; i++)
        if (c->settings[i].rule == rule)
            return &c->settings[i];
    return NULL;
}

struct rule_setting *check_setting_of(const struct check *c, const char *id)
{
    for (size_t i = 0; i < c->n_settings; i++)
        if (strcmp(c->settings[i].rule->id, id) == 0)
            return &c->settings[i];
    return NULL;
}

bool file_is_results(const struct annotation_file *file)
{
    return strcmp(file->format->name, "coco_results") == 0;
}

bool file_is_table(const struct annotation_file *file)
{
    return strcmp(file->format->name, "labels_csv") == 0;
}

bool file_is_panoptic(const struct annotation_file *file)
{
    return strcmp(file->format->name, "coco_panoptic") == 0;
}

bool file_is_yolo(const struct annotation_file *file)
{
    return strcmp(file->format->name, "yolo") == 0;
}

bool file_is_voc(const struct annotation_file *file)
{
    return strcmp(file->format->name, "voc") == 0;
}

const char *file_root_of(const struct annotation_file *file, size_t image)
{
    const struct roots *roots = &file->roots;

    return roots->n ? roots->at[roots->of ? roots->of[image] : 0] : NULL;
}

void file_print_roots(const struct annotation_file *file, struct text *out)
{
    for (size_t i = 0; i < file->roots.n; i++)
        text_addf(out, "%s%s", i ? ", " : "", file->roots.at[i]);
}

const struct annotation_file *finding_file(const struct check *c, const struct finding *f)
{
    return &c->files[f->file];
}

static const struct fault_file *part_of(const struct check *c, const struct finding *f)
{
    const struct annotation_file *file = &c->files[f->file];

    return file->parts ? fault_file_at(file->parts, file->n_parts, (size_t)f->offset) : NULL;
}

const char *finding_name(const struct check *c, const struct finding *f)
{
    const struct fault_file *part = part_of(c, f);

    return part ? part->name : c->files[f->file].name;
}

size_t finding_first_line(const struct check *c, const struct finding *f)
{
    const struct fault_file *part = part_of(c, f);

    return part && part->line ? part->line : 1;
}

uint64_t finding_offset(const struct check *c, const struct finding *f)
{
    const struct fault_file *part = part_of(c, f);

    return f->offset - (part ? part->offset : 0);
}

const struct checked_image *finding_image(const struct check *c, const struct finding *f)
{
    return f->image == NOT_THERE ? NULL : &c->files[f->file].images[f->image];
}

void finding_pointer(const struct check *c, const struct finding *f, struct text *out)
{
    const struct annotation_file *file = finding_file(c, f);

    if (file->labels || file->listed || file_is_table(file))
        return;
    if (f->list != LIST_NONE && !file_is_results(finding_file(c, f)))
        text_addf(out, "/%s", list_name(f->list));
    if (f->list != LIST_NONE)
        text_addf(out, "/%lu", (unsigned long)f->index);
    if (f->member)
        text_addf(out, "/%s", f->member);
}

void finding_fingerprint(const struct finding *f, char hex[33])
{
    for (size_t i = 0; i < sizeof f->fingerprint; i++) {
        hex[2 * i] = "0123456789abcdef"[f->fingerprint[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[f->fingerprint[i] & 15];
    }
    hex[32] = '\0';
}
