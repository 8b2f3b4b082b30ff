/* unknown_keys: members with geometry that COCO does not define, of annotations and images. They
 * are left out, or moved with the object, as the pipeline says (annotations.drop_keys, move_keys).
 */
#pragma once

#include "labels/coco/annotation.h"

#include "json/document.h"

/* Does a member of this name hold geometry that nobody moves, by the names that are in use? */
bool coco_key_is_loose(struct slice name);
/* True if a member of this name holds geometry in an image record. Sets *structured if only
 * a list or an object does: others use the name for a word or a number. */
bool coco_image_key_is_loose(struct slice name, bool *structured);

/* Add such a name to those met before (of struct slice), once. */
void coco_loose_note(struct pile *, struct slice name);
/* Adds them to the dataset's loose_keys, each with the prefix before its name. */
void coco_loose_keep(const struct pile *, const char *prefix, struct dataset *);

/* What the pipeline moves becomes parts of the object, behind those it has. False with faults
 * (coco-type). */
bool coco_keys_load(const struct place *, struct slice element, const struct rules *,
                    struct arena *, struct object *);

/* Append the value of a key that is moved; false, with nothing appended, when it is none, or stays.
 */
bool coco_key_print(const struct object *, const struct rules *, struct slice key,
                    struct slice source, struct text *);

/* Appends the element of an annotation or an image without the members that are dropped: `n` keys;
 * of a name with a dot, as attributes.rotation, without that member of the object in the member
 * before the dot. */
void coco_keys_drop(struct slice element, const struct named_key *, size_t n, struct text *);
