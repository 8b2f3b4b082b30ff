/* keys: members of annotations that COCO does not know, and that hold geometry all the same: left
 * out, or moved with the object, as the pipeline says (annotations.drop_keys, move_keys). */
#pragma once

#include "annotation.h"

#include "../json/document.h"

/* Does a member of this name hold geometry that nobody moves, by the names that are in use? */
bool coco_key_is_loose(struct slice name);

/* Add such a name to those met before (of struct slice), once. */
void coco_loose_note(struct pile *, struct slice name);
/* They become the dataset's loose_keys. */
void coco_loose_keep(const struct pile *, struct dataset *);

/* What the pipeline moves becomes parts of the object, behind those it has. False with faults
 * (coco-type). */
bool coco_keys_load(const struct place *, struct slice element, const struct rules *,
                    struct arena *, struct object *);

/* Append the value of a key that is moved; false, with nothing appended, when it is none, or stays.
 */
bool coco_key_print(const struct object *, const struct rules *, struct slice key,
                    struct slice source, struct text *);

/* Append the element without the members that are dropped; of a name with a dot, as
 * attributes.rotation, without that member of the object in the member before the dot. */
void coco_keys_drop(struct slice element, const struct rules *, struct text *);
