/* run_errors: reports what run refuses as errors of a check, by the rule of the fault's code. */
#include "check/elements.h"

#include <string.h>

static const struct {
    const char *code, *rule;
} rules[] = {
    { "coco-bbox", "B001" },           { "coco-flip-pairs", "K013" },
    { "coco-id-twice", "D007" },       { "coco-keypoints", "K001" },
    { "coco-long", "J015" },           { "coco-missing-key", "R006" },
    { "coco-polygon", "S001" },        { "coco-rle", "S023" },
    { "coco-size", "I015" },           { "json-twice", "J004" },
    { "coco-image-unknown", "R001" },  { "coco-segment-id", "P007" },
    { "coco-segments-twice", "P011" }, { "coco-segment-twice", "P012" },
    { "yolo-number", "L001" },         { "yolo-class", "L002" },
    { "yolo-length", "L003" },         { "yolo-range", "L004" },
    { "yolo-keypoints", "L005" },      { "yolo-names", "L006" },
    { "yaml-syntax", "L007" },         { "yaml-alias", "L007" },
    { "yaml-depth", "L007" },          { "voc-syntax", "L008" },
    { "voc-doctype", "L008" },         { "voc-depth", "L008" },
    { "voc-encoding", "L008" },        { "voc-root", "L008" },
    { "voc-bndbox", "L009" },          { "voc-name", "L010" },
    { "label-class", "M001" },         { "label-twice", "M002" },
    { "label-weight", "M003" },        { "csv-syntax", "M004" },
    { "label-folder", "F004" },        { "class-unlisted", "F005" },
};

/* Returns the rule of a code; J011 for codes without a rule. */
static const struct rule *rule_of(const struct check *c, const char *code)
{
    const struct rule_setting *setting = NULL;

    for (size_t i = 0; i < COUNTOF(rules); i++)
        if (strcmp(rules[i].code, code) == 0)
            setting = check_setting_of(c, rules[i].rule);
    return (setting ? setting : check_setting_of(c, "J011"))->rule;
}

/* Returns the part of a path after the element's own, as in "images[3].width", as a JSON pointer.
 */
static const char *member_of(const char *path, struct arena *arena)
{
    const char *bracket = strchr(path, ']');
    char *member;

    if (!bracket || !bracket[1])
        return NULL;
    member = arena_copy(arena, bracket + 2, strlen(bracket + 2));
    for (char *c = member; *c; c++)
        if (*c == '.' || *c == '[')
            *c = '/';
        else if (*c == ']')
            memmove(c, c + 1, strlen(c)), c--;
    return member;
}

void check_refused(struct check *c, const struct element *e, const struct faults *faults)
{
    if (c->element_failed)
        return;
    for (size_t i = 0; i < faults->n; i++) {
        const struct fault *f = &faults->list[i];
        const char *member = member_of(f->path, &c->arena);

        rule_report(c, rule_of(c, f->code), e, member && *member ? member : NULL,
                    (struct slice){ e->file->text.at + f->offset, f->length }, "%s", f->message);
    }
}
