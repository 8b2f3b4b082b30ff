/* members: rules about names of members that COCO does not define, and about members that are null.
 */
#include "check/rule.h"

#include "labels/coco/wholebody.h"

#include <string.h>

enum { CASE, UNKNOWN, IS_NULL };

static const struct rule rules[] = {
    [CASE] = { "J012", "key-case-suspect", SEVERITY_WARNING, FIX_NONE,
               "a name differs from COCO's only by case, hyphens or underscores",
               "It was typed by hand, or written by a program with other conventions: \"imageId\". "
               "Readers do not find it.",
               "Write COCO's name." },
    [UNKNOWN] = { "J013", "unknown-key", SEVERITY_INFO, FIX_NONE, "a name is not defined by COCO",
                  "The exporter adds its own data. lockstep copies it unchanged.",
                  "Nothing, unless it is a misspelled name." },
    [IS_NULL] = { "J014", "field-null", SEVERITY_WARNING, FIX_SAFE, "a member is null",
                  "The exporter writes null for missing data.",
                  "Leave the member out, or give it a value." },
    { 0 },
};

/* Known names besides the members that are read, for each kind of element. */
static const char *const known[LISTS][24] = {
    [LIST_IMAGES] = { "id", "file_name", "width", "height", "license", "coco_url", "flickr_url",
                      "date_captured", "seed_key", "neg_category_ids",
                      "not_exhaustive_category_ids", "category_id", "category_ids" },
    [LIST_ANNOTATIONS] = { "id", "image_id", "category_id", "bbox", "segmentation", "area",
                           "iscrowd", "keypoints", "num_keypoints", "ignore", "caption", "score",
                           "attributes", "segments_info", "file_name", "weight" },
    [LIST_CATEGORIES] = { "id", "name", "supercategory", "keypoints", "skeleton", "isthing",
                          "color", "flip_pairs", "synset", "synonyms", "def", "image_count",
                          "instance_count", "frequency" },
};

static bool is_known(enum checked_list list, struct slice name)
{
    struct pick parts[COCO_PART_KEYS] = { 0 };

    for (size_t i = 0; i < COUNTOF(known[list]) && known[list][i]; i++)
        if (scan_equals(name, known[list][i]))
            return true;
    coco_parts_pick(parts);
    for (size_t i = 0; list == LIST_ANNOTATIONS && i < COCO_PART_KEYS; i++)
        if (scan_equals(name, parts[i].name))
            return true;
    return false;
}

static const char *known_alike(enum checked_list list, struct slice name)
{
    for (size_t i = 0; i < COUNTOF(known[list]) && known[list][i]; i++)
        if (pick_is_alike(name, known[list][i]))
            return known[list][i];
    return NULL;
}

static struct element element_of(const struct annotation_file *file, const struct unknown_member *m)
{
    return m->list == LIST_IMAGES        ? element_of_image(file, m->index)
           : m->list == LIST_ANNOTATIONS ? element_of_annotation(file, m->index)
                                         : element_of_category(file, m->index);
}

/* Escapes a name for JSON pointers (RFC 6901). */
static const char *pointer_part(struct arena *arena, struct slice name)
{
    struct slice meant = scan_unescape(arena, name);
    char *part = arena_take(arena, 2 * meant.length + 1), *to = part;

    for (size_t i = 0; i < meant.length; i++) {
        bool special = meant.at[i] == '~' || meant.at[i] == '/';

        *to++ = special ? '~' : meant.at[i];
        if (special)
            *to++ = meant.at[i] == '~' ? '0' : '1';
    }
    return part;
}

static void check_end(struct check *c, const struct annotation_file *file, void *state)
{
    const struct unknown_member *members = file->unknown.at;

    (void)state;
    for (size_t i = 0; i < file->unknown.n; i++) {
        const struct unknown_member *m = &members[i];
        struct element e = element_of(file, m);
        const char *alike = known_alike(m->list, m->name);
        const char *member;

        if (is_known(m->list, m->name))
            continue;
        member = pointer_part(&c->arena, m->name);
        if (alike)
            rule_report(c, &rules[CASE], &e, member, m->name,
                        "the name is not \"%s\"; other elements that have it are not listed",
                        alike);
        else
            rule_report_plain(
                c, &rules[UNKNOWN], &e, member, m->name,
                "this name is not defined by COCO; other elements that have it are not "
                "listed");
    }
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *state)
{
    static const enum annotation_member members[] = { MEMBER_BBOX, MEMBER_SEGMENTATION, MEMBER_AREA,
                                                      MEMBER_KEYPOINTS, MEMBER_NUM_KEYPOINTS };

    (void)state;
    for (size_t i = 0; i < COUNTOF(members); i++) {
        const struct pick *pick = &e->pick[members[i]];
        struct finding *f;

        if (!pick->null.at)
            continue;
        f = rule_report_plain(c, &rules[IS_NULL], &e->at, pick->name, pick->null, "this is null");
        if (c->options->fixes)
            finding_remove(c, f, pick->null);
    }
}

const struct rule_family members_family = {
    .title = "members",
    .rules = rules,
    .annotation = check_annotation,
    .end = check_end,
};
