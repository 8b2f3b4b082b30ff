/* unknown_keys: members with geometry that COCO does not define, in annotations and images. They
 * are dropped, or moved with the object, according to the pipeline (annotations.drop_keys,
 * move_keys). */
#pragma once

#include "labels/coco/annotation_element.h"

#include "json/document.h"

/* True if a member with this name usually holds geometry that no transform moves. */
bool coco_key_is_loose(struct slice name);
/* True if a member with this name holds geometry in an image record. Sets *structured if that is
 * only so for a list or an object: others use the name for a word or a number. */
bool coco_image_key_is_loose(struct slice name, bool *structured);

/* Adds such a name to a list of names (struct slice), once. */
void coco_loose_note(struct pile *, struct slice name);
/* Adds them to the dataset's loose_keys, each with the prefix before its name. */
void coco_loose_keep(const struct pile *, const char *prefix, struct dataset *);

/* Adds the members that the pipeline moves to the object as parts, after its other parts. False
 * with faults (coco-type). */
bool coco_keys_load(const struct place *, struct slice element, const struct rules *,
                    struct arena *, struct object *);

/* Appends the value of a key that is moved; false, with nothing appended, if the key is not moved
 * or did not change. */
bool coco_key_print(const struct object *, const struct rules *, struct slice key,
                    struct slice source, struct text *);

/* Appends the element of an annotation or an image without n dropped keys. For a name with a dot,
 * such as attributes.rotation, that member of the object before the dot is dropped. */
void coco_keys_drop(struct slice element, const struct named_key *, size_t n, struct text *);
