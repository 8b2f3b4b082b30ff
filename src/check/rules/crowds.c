/* crowds: rules about iscrowd and other flags that say whether an object counts. */
#include "check/rule.h"

#include "base/number.h"
#include "labels/coco/labels.h"

enum { CROWD_POLYGON, MOSTLY_CROWD, CROWD_INVALID, IGNORED, CROWD_UNREADABLE };

static const struct rule rules[] = {
    [CROWD_POLYGON] = { "S026", "crowd-with-polygon", SEVERITY_WARNING, FIX_NONE,
                        "a crowd has polygons; COCO's crowds have RLE",
                        "The exporter does not know that iscrowd is for regions with RLE.",
                        "Write RLE, or iscrowd 0 where it is one object." },
    [MOSTLY_CROWD] = { "S027", "mostly-crowd", SEVERITY_WARNING, FIX_NONE,
                       "most annotations are crowds",
                       "CVAT and SAM tools write masks as RLE with iscrowd 1. Training leaves "
                       "crowds out, and evaluation ignores them.",
                       "Set iscrowd to 0 for single objects." },
    [CROWD_INVALID] = { "S030", "iscrowd-invalid", SEVERITY_ERROR, FIX_SAFE,
                        "iscrowd is not written as 0 or 1",
                        "Booleans, strings or null went through unchanged.", "Write 0 or 1." },
    [IGNORED] = { "S031", "ignore-flag-set", SEVERITY_WARNING, FIX_NONE,
                  "an annotation has the flag \"ignore\"",
                  "The dataset was converted from one with regions that do not count. pycocotools "
                  "overwrites the flag, and detectron2 refuses it.",
                  "Write iscrowd 1 for regions that do not count, and remove the flag." },
    [CROWD_UNREADABLE] = { "S032", "iscrowd-unreadable", SEVERITY_ERROR, FIX_NONE,
                           "iscrowd means neither 0 nor 1",
                           "It contains a number of objects, or another value.", "Write 0 or 1." },
    { 0 },
};

struct crowds_state {
    size_t crowds, labelled;
};

static void check_crowd(struct check *c, const struct annotation_element *e,
                        struct crowds_state *state)
{
    const struct pick *crowd = &e->pick[MEMBER_CROWD], *ignore = &e->pick[MEMBER_IGNORE];
    struct slice at = crowd->value.at ? crowd->value : crowd->null;
    unsigned set = 0;
    bool is_crowd = false, read;
    int64_t flag = 0;

    if (ignore->value.at && number_scan_integer(ignore->value, &flag) && flag)
        rule_report_plain(c, &rules[IGNORED], &e->at, "ignore", ignore->value,
                          "the annotation does not count");
    if (!at.at)
        return;
    read = coco_crowd_read(at, &is_crowd, &set);
    state->crowds += is_crowd;
    if (!read || set) {
        struct finding *f = rule_report_plain(c, &rules[read ? CROWD_INVALID : CROWD_UNREADABLE],
                                              &e->at, "iscrowd", at, "expected 0 or 1");

        if (read && c->options->fixes)
            finding_replace(c, f, at, "%d", is_crowd);
    }
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *state)
{
    struct crowds_state *counts = state;

    check_crowd(c, e, counts);
    counts->labelled += e->pick[MEMBER_SEGMENTATION].value.at != NULL;
    if (e->deviations & DEVIATION(CROWD_POLYGON) && !(e->deviations & DEVIATION(FLAT_RLE)))
        rule_report_plain(c, &rules[CROWD_POLYGON], &e->at, "segmentation",
                          e->pick[MEMBER_SEGMENTATION].value, "a crowd has polygons");
}

static void check_end(struct check *c, const struct annotation_file *file, void *given)
{
    const struct crowds_state *state = given;
    struct element e = element_of_file(file);

    if (state->labelled >= 10 && 2 * state->crowds > state->labelled) {
        rule_report(c, &rules[MOSTLY_CROWD], &e, "annotations", file->sections[LIST_ANNOTATIONS],
                    "%zu of %zu annotations are crowds", state->crowds, state->labelled);
    }
}

const struct rule_family crowds_family = {
    .title = "crowds",
    .rules = rules,
    .state = sizeof(struct crowds_state),
    .annotation = check_annotation,
    .end = check_end,
};
