/* settings_check: finds annotation settings that labels cannot follow, or that have no effect on
 * them. */
#include "plan/settings_check.h"

#include "labels/shared/combination.h"
#include "steps/op_shared/extra_members.h"

#include <string.h>

/* A setting, the labels that it needs, and the consequence if they are missing. */
struct setting {
    const char *name;
    const char *value;   /* as JSON; NULL: any but the default */
    unsigned about;      /* enum label_absence */
    const char *refusal; /* why it is refused; NULL: it has no effect */
    bool common;         /* not worth a warning: many pipelines contain it */
};

static const struct setting settings[] = {
    { "min_area", NULL, LACKS_OBJECTS, NULL, false },
    { "min_visibility", NULL, LACKS_OBJECTS, NULL, false },
    { "min_size", NULL, LACKS_OBJECTS, NULL, false },
    { "max_aspect", NULL, LACKS_OBJECTS, NULL, false },
    { "boxes", NULL, LACKS_OBJECTS | LACKS_BOXED_OUTLINES, NULL, false },
    { "segmentation", "\"rle\"", LACKS_RLE,
      "these labels cannot hold run-length masks; --to coco writes COCO, which can", false },
    { "segmentation", "\"polygon\"", LACKS_POLYGONS, "these labels cannot hold polygons", false },
    { "segmentation", NULL, LACKS_OBJECTS | LACKS_OUTLINES | LACKS_RLE, NULL, false },
    { "keypoints", NULL, LACKS_OBJECTS | LACKS_KEYPOINTS, NULL, false },
    { "outside", NULL, LACKS_OBJECTS | LACKS_KEYPOINTS, NULL, false },
    { "swap_labels", NULL, LACKS_MASKS, NULL, false },
    { "drop_keys", NULL, LACKS_KEYS, "these labels have no keys that can be dropped", false },
    { "drop_keys", NULL, LACKS_OBJECTS, NULL, false },
    { "move_keys", NULL, LACKS_KEYS, "these labels have no keys that can be moved", false },
    { "move_keys", NULL, LACKS_OBJECTS, NULL, false },
    { "camera", NULL, LACKS_CAMERAS, NULL, false },
    { "camera_convention", NULL, LACKS_CAMERAS, NULL, false },
    { "camera_rotation", NULL, LACKS_CAMERAS, NULL, false },
    { "camera_mirror", NULL, LACKS_CAMERAS, NULL, false },
    { "ids", NULL, LACKS_OBJECTS | LACKS_IDS, NULL, true },
    { "ids_per_image", NULL, LACKS_OBJECTS | LACKS_IDS, NULL, true },
    { "reject_image_if", NULL, LACKS_OBJECTS, NULL, false },
    { "max_attempts", NULL, LACKS_OBJECTS, NULL, false },
    { "when_rejected", NULL, LACKS_OBJECTS, NULL, false },
};

/* True if the members of image records are lost, since the output has another format. */
static bool loses_image_keys(const struct dataset *d)
{
    const struct dataset *own = d->combination ? &d->combination->at[0].read : d;

    return d->writer && d->writer != d->format &&
           !(own->origin && strcmp(own->origin->name, d->writer->name) == 0);
}

static unsigned find_lacks(const struct dataset *d, bool masks)
{
    unsigned lacks = masks ? 0 : LACKS_MASKS;

    if (!d->format)
        return lacks | LACKS_OBJECTS | LACKS_CAMERAS;
    if (d->format->lacks_read)
        lacks |= d->format->lacks_read(d);
    if (d->writer && d->writer->lacks_written)
        lacks |= d->writer->lacks_written(d);
    if (lacks & LACKS_IMAGE_KEYS || loses_image_keys(d))
        lacks |= LACKS_CAMERAS;
    return lacks;
}

/* True if the pipeline's setting differs from the default; `value` gets the setting. */
static bool is_changed(const struct plan *plan, const struct rules *presets, const struct row *row,
                       struct text *value)
{
    struct text preset = { 0 };
    bool changed;

    text_clear(value);
    row->kind->print(row, (const char *)&plan->rules + row->offset, value);
    row->kind->print(row, (const char *)presets + row->offset, &preset);
    changed = strcmp(text_string(value), text_string(&preset)) != 0;
    text_drop(&preset);
    return changed;
}

static void refuse(const struct plan *plan, const char *name, const char *code, const char *why,
                   struct faults *faults)
{
    struct slice at = pick_again(pick_again(plan->text, "annotations"), name);
    struct text path = { 0 };

    text_addf(&path, "annotations.%s", name);
    fault_add(faults, (size_t)(at.at - plan->text.at), at.length, text_string(&path), code, "%s",
              why);
    text_drop(&path);
}

static bool is_own(const struct format *format, const char *key)
{
    if (!format->own_keys)
        return member_is_own(key);
    for (const char *const *own = format->own_keys; *own; own++)
        if (strcmp(key, *own) == 0)
            return true;
    return false;
}

static void check_keys(const struct plan *plan, const struct format *format,
                       const struct keys *keys, const char *name, struct faults *faults)
{
    struct text why = { 0 };

    for (size_t i = 0; i < keys->n; i++) {
        if (!is_own(format, keys->at[i].name))
            continue;
        text_clear(&why);
        text_addf(&why, "the format defines \"%s\", which moves without being named here",
                  keys->at[i].name);
        refuse(plan, name, "param-conflict", text_string(&why), faults);
    }
    text_drop(&why);
}

static void check_row(const struct plan *plan, const struct row *row, const char *value,
                      unsigned lacks, bool verbose, struct faults *faults, struct text *idle)
{
    for (size_t i = 0; i < COUNTOF(settings); i++) {
        const struct setting *s = &settings[i];

        if (strcmp(s->name, row->name) != 0 || !(s->about & lacks) ||
            (s->value && strcmp(s->value, value) != 0))
            continue;
        if (s->refusal)
            refuse(plan, row->name, "target-refused", s->refusal, faults);
        else if (!s->common || verbose)
            text_addf(idle, "%s%s", idle->length ? ", " : "", row->name);
        return;
    }
}

void settings_check(const struct plan *plan, const struct dataset *d, bool masks, bool verbose,
                    struct faults *faults, struct text *idle)
{
    struct arena arena = { 0 };
    struct rules presets = { 0 };
    struct text value = { 0 };
    unsigned lacks = find_lacks(d, masks);

    params_preset(annotation_rows, &presets, &arena);
    for (ROWS (row, annotation_rows))
        if (is_changed(plan, &presets, row, &value))
            check_row(plan, row, text_string(&value), lacks, verbose, faults, idle);
    if (d->format && !(lacks & (LACKS_OBJECTS | LACKS_KEYS))) {
        check_keys(plan, d->format, &plan->rules.drop_keys, "drop_keys", faults);
        check_keys(plan, d->format, &plan->rules.move_keys, "move_keys", faults);
    }
    if (plan->rules.drop_keys.n_of_images && (lacks & LACKS_IMAGE_KEYS))
        refuse(plan, "drop_keys", "target-refused", "these images have no keys that can be dropped",
               faults);
    text_drop(&value);
    arena_drop(&arena);
}
