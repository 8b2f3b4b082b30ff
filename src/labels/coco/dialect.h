/* dialect: the deviations from COCO that exporters write and that have only one meaning.
 *
 * `--compat repair` (the default) reads them and prints one note for each kind; `--compat strict`
 * refuses them. Ambiguous text is not a deviation but a fault; `--compat lenient` reads some of it
 * with a note, too. */
#pragma once

#include "base/fault.h"
#include "json/members.h"

enum deviation {
    /* Repaired: written in COCO's form, whatever else happens to the element. */
    DEVIATION_BOM,
    DEVIATION_STRING_ID,
    DEVIATION_FLOAT_ID,
    DEVIATION_STRING_NUMBER,
    DEVIATION_FLOAT_NUMBER,
    DEVIATION_BOOL_CROWD,
    DEVIATION_NULL_CROWD,
    DEVIATION_NUMBER_CROWD,
    DEVIATION_FLAT_POLYGON,
    DEVIATION_FLAT_RLE,
    DEVIATION_PAIR_POLYGON,
    DEVIATION_BOX_POLYGON,
    DEVIATION_SHORT_POLYGON,
    DEVIATION_TRIPLE_KEYPOINTS,
    DEVIATION_ZERO_SIZE,
    DEVIATION_REPEATED,
    /* Kept: written unchanged. */
    DEVIATION_TEXT_ID,
    DEVIATION_CLOSED_POLYGON,
    DEVIATION_EMPTY_SEGMENTATION,
    DEVIATION_EMPTY_BBOX,
    DEVIATION_THIN_BBOX,
    DEVIATION_CROWD_POLYGON,
    DEVIATION_NULL,
    DEVIATION_NO_BBOX,
    DEVIATION_NO_SEGMENTATION,
    DEVIATION_NO_AREA,
    DEVIATION_NO_CROWD,
    DEVIATION_ZERO_ID,
    DEVIATION_NO_SUPERCATEGORY,
    DEVIATION_SKELETON,
    DEVIATION_UNKNOWN_CATEGORY,
    DEVIATIONS
};

/* A set of them. */
#define DEVIATION(name) (1u << DEVIATION_##name)
#define DEVIATIONS_REPAIRED (DEVIATION(TEXT_ID) - 1)

struct deviation_kind {
    const char *code;   /* "coco-bool-crowd"; base/codes.h has what it means */
    const char *remedy; /* "written as 1 or 0" */
    bool common;        /* harmless, and written by many exporters: printed with -v only */
};
extern const struct deviation_kind deviation_kinds[DEVIATIONS];

/* Notes a deviation at a part of the text (`at` is NULL for the document itself), at a path such as
 * "categories[3].id". */
void deviation_note(struct faults *, enum deviation, struct slice at, const char *path);
/* The same for a member of an element. */
void deviation_note_member(const struct place *, enum deviation, struct slice at,
                           const char *member);

/* Reads an id: an integer within 2^53, or 12.0, "12" or "12.0". Adds its deviations to the set,
 * also that it is below 1. False for anything else. */
bool id_read(struct slice raw, int64_t *id, unsigned *set);

/* The kind of the ids of a list: strings if one of them is a string that is not an integer. */
enum id_kind { ID_KIND_OPEN, ID_KIND_NUMBER, ID_KIND_TEXT };
/* Reads an id of this kind. base/id_index.h says which integer a string gets. While the kind is
 * open, the id may decide the kind; an id such as "12" does not, and is read as a string. False if
 * the id has another kind. */
bool id_read_kind(struct slice raw, enum id_kind *, int64_t *id, unsigned *set);
/* Reads an id whose list is not known: as id_read does, otherwise as a string. */
bool id_read_any(struct slice raw, int64_t *id, unsigned *set);
/* Returns the source text of an id for messages: in the arena, cut if it is long. */
const char *id_words(struct slice raw, struct arena *);
/* The same for an integer that is no id: STRING_NUMBER and FLOAT_NUMBER. */
bool whole_read(struct slice raw, int64_t *number, unsigned *set);
