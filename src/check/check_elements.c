/* check_elements: passes the elements of an annotation file to the families of rules, one after
 * another. */
#include "check/elements.h"

#include "base/hash.h"
#include "batch/dataset/resolve_names.h"
#include "labels/coco/images.h"
#include "labels/coco/keypoints.h"
#include "labels/coco/labels.h"
#include "labels/coco/numbers.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_UNKNOWN = 256
}; /* limit of unknown names per file; other files have too many to be useful */

/* State shared by the elements of a file. */
struct walk_state {
    struct check *check;
    struct annotation_file *file;
    struct faults faults; /* faults of the current element; their text is the file's */
    struct rules rules;   /* rules of a run that changes no coordinate */
    struct arena scratch;
    struct pick_order order, load_order;
    bool labels_refused;    /* labels of the current image */
    bool quoted;            /* the current element has numbers in quotes */
    enum checked_list list; /* the current list, and the current element */
    uint32_t index;
};

static void forget_faults(struct walk_state *w)
{
    arena_reset(&w->faults.arena);
    w->faults.n = 0;
}

/* Finds the members of an element; a member that is given twice is a fault. */
static struct place pick_element(struct walk_state *w, const struct element *e, struct pick *pick,
                                 size_t n)
{
    struct place p = coco_place(&w->faults, list_name(e->list), e->index);
    struct scan s = scan_start(w->file->text, (size_t)(e->text.at - w->file->text.at));
    struct slice element;

    w->quoted = false;
    forget_faults(w);
    w->index = e->index;
    pick_members(&s, &p, &w->order, pick, n, &element);
    coco_check_element_size(&p, e->text);
    return p;
}

/* Notes a name that is not a pick of the list's elements. */
static void note_unknown(void *context, struct slice name)
{
    struct walk_state *w = context;
    struct pile *unknown = &w->file->unknown;
    struct unknown_member *members = unknown->at;

    w->file->lvis |=
        scan_equals(name, "neg_category_ids") || scan_equals(name, "not_exhaustive_category_ids");
    for (size_t i = 0; i < unknown->n; i++)
        if (members[i].list == w->list && members[i].name.length == name.length &&
            memcmp(members[i].name.at, name.at, name.length) == 0)
            return;
    if (unknown->n < MAX_UNKNOWN)
        *(struct unknown_member *)pile_add(unknown, sizeof *members) =
            (struct unknown_member){ w->list, w->index, name };
}

static void note_quoted(void *context, struct slice name, struct slice value, size_t strings)
{
    struct walk_state *w = context;

    (void)strings;
    w->quoted |= *value.at != '{' && coco_number_member(name) && numbers_are_quoted(value);
}

static void begin_list(struct walk_state *w, enum checked_list list)
{
    w->list = list;
    w->order = (struct pick_order){ .unknown = note_unknown, .quoted = note_quoted, .context = w };
}

/* --- ids --- */

/* Returns the kind of a list's ids, which run knows after reading the list. Quoted integers in
 * results are strings: whether ids of images are integers depends on another file. */
static enum id_kind find_kind(const struct annotation_file *file, enum checked_list list,
                              const char *member)
{
    bool images = list == LIST_IMAGES;
    enum id_kind kind = ID_KIND_OPEN;
    bool quoted = false;

    for (size_t i = 0; i < (images ? file->n_images : file->n_annotations) && !kind; i++) {
        struct element e = images ? element_of_image(file, i) : element_of_annotation(file, i);
        struct slice raw = e.text;
        unsigned set = 0;
        int64_t id;

        if (!(images ? file->images[i].broken : file->annotations[i].broken))
            raw = pick_again(e.text, member);
        if (raw.at != e.text.at) {
            id_read_kind(raw, &kind, &id, &set);
            quoted |= *raw.at == '"';
        }
    }
    if (kind)
        return kind;
    return quoted && file_is_results(file) ? ID_KIND_TEXT : ID_KIND_NUMBER;
}

static int64_t read_id(const struct pick *pick, enum id_kind kind, unsigned *set)
{
    int64_t id;

    return pick->value.at && id_read_kind(pick->value, &kind, &id, set) ? id : COCO_NO_ID;
}

/* --- images --- */

static const char *const image_members[IMAGE_MEMBERS] = {
    [IMAGE_ID] = "id",       [IMAGE_FILE_NAME] = "file_name", [IMAGE_COCO_URL] = "coco_url",
    [IMAGE_WIDTH] = "width", [IMAGE_HEIGHT] = "height",       [IMAGE_LICENSE] = "license",
};

/* Reads an image as run does. */
static void read_image(struct walk_state *w, struct coco_images *images, size_t index)
{
    struct checked_image *image = &w->file->images[index];
    struct place p = coco_place(&w->faults, "images", index);
    struct scan s = scan_again(w->file->text, image->offset);
    const struct record *record;

    images->records.n = images->places.n = 0;
    coco_image_read(images, &s, &p);
    record = images->records.at;
    image->id = record->id;
    image->name = record->name;
    image->path = resolve_name(record->name, w->check->options->strip_prefix,
                               (enum match)w->check->options->match);
    image->width = record->width;
    image->height = record->height;
}

static void read_images(struct walk_state *w)
{
    struct annotation_file *file = w->file;
    struct coco_images images = { .faults = &w->faults,
                                  .arena = &w->check->arena,
                                  .ids = file->image_kind };
    struct id *ids = ARENA_ARRAY(&w->check->arena, struct id, file->n_images);

    file->sure_images = file->readable;
    for (size_t i = 0; i < file->n_images; i++) {
        forget_faults(w);
        if (!file->images[i].broken)
            read_image(w, &images, i);
        ids[i] = (struct id){ file->images[i].id, (uint32_t)i };
        file->sure_images &= ids[i].id != COCO_NO_ID;
    }
    ids_sort(ids, file->n_images);
    ids_divide(&file->image_ids, &w->check->arena, ids, file->n_images);
    free(images.records.at);
    free(images.places.at);
}

/* Reads labels of an image as run does, if all categories are known; otherwise run only copies
 * them. */
static void read_labels(struct walk_state *w, const struct coco_images *images,
                        struct image_element *e)
{
    struct annotation_file *file = w->file;
    const struct coco_image *image = images->places.at;
    struct place p = coco_place(&w->faults, "images", e->at.index);
    const struct categories *lookup = &file->lookup;

    if (!image->labelled || !lookup->n || !lookup->sure || lookup->n_listed != file->n_categories)
        return;
    file->images[e->at.index].labelled = true;
    file->n_labels++;
    w->labels_refused |= !coco_image_labels_read(&p, e->at.text, lookup, images->arena, &e->labels);
    for (size_t i = 0; i < e->labels.n; i++)
        file->categories[lookup->listed[e->labels.at[i].category - lookup->at]].n_annotations++;
    if (w->faults.n)
        e->labels.n = 0;
}

static void walk_image(struct walk_state *w, struct coco_images *images, size_t index)
{
    struct annotation_file *file = w->file;
    struct pick pick[IMAGE_MEMBERS] = { 0 };
    struct image_element e = { .at = element_of_image(file, index),
                               .pick = pick,
                               .image = &file->images[index] };
    struct checked_image kept = file->images[index];

    for (size_t i = 0; i < IMAGE_MEMBERS; i++)
        pick[i].name = image_members[i];
    pick_element(w, &e.at, pick, IMAGE_MEMBERS);
    read_id(&pick[IMAGE_ID], file->image_kind, &e.deviations);
    forget_faults(w);
    read_image(w, images, index); /* for its faults; the names are stored already */
    file->images[index] = kept;
    read_labels(w, images, &e);
    w->check->element_failed = false;
    FOR_FAMILIES(w->check, w->file, image, &e);
    check_refused(w->check, &e.at, &w->faults);
}

static void walk_images(struct walk_state *w)
{
    struct arena names = { 0 };
    struct coco_images images = { .faults = &w->faults,
                                  .arena = &names,
                                  .ids = w->file->image_kind };

    begin_list(w, LIST_IMAGES);
    for (size_t i = 0; i < w->file->n_images; i++) {
        if (!w->file->images[i].broken)
            walk_image(w, &images, i);
        arena_reset(&names);
    }
    free(images.records.at);
    free(images.places.at);
    arena_drop(&names);
}

/* --- categories --- */

static const char *const category_members[CATEGORY_MEMBERS] = {
    [CATEGORY_ID] = "id",
    [CATEGORY_NAME] = "name",
    [CATEGORY_SUPERCATEGORY] = "supercategory",
    [CATEGORY_KEYPOINTS] = "keypoints",
    [CATEGORY_SKELETON] = "skeleton",
    [CATEGORY_ISTHING] = "isthing",
};

static void read_category(struct walk_state *w, size_t index)
{
    struct annotation_file *file = w->file;
    struct checked_category *category = &file->categories[index];
    struct element e = element_of_category(file, index);
    struct slice id = pick_again(e.text, "id");
    struct slice name = pick_again(e.text, "name");
    unsigned set = 0;

    if (id.at != e.text.at && !id_read(id, &category->id, &set))
        category->id = COCO_NO_ID;
    if (name.at != e.text.at && *name.at == '"')
        category->name =
            scan_unescape(&w->check->arena, (struct slice){ name.at + 1, name.length - 2 }).at;
}

/* Reads categories as run does, and reports what run refuses in a list in which the families found
 * no error. */
static void read_categories(struct walk_state *w, struct faults *refused)
{
    struct annotation_file *file = w->file;

    file->sure_categories = file->readable && file->has[LIST_CATEGORIES];
    if (file->sections[LIST_CATEGORIES].at)
        categories_read(refused, file->sections[LIST_CATEGORIES], &w->check->arena, &file->lookup);
    for (size_t i = 0; i < file->n_categories; i++) {
        if (!file->categories[i].broken)
            read_category(w, i);
        file->sure_categories &= file->categories[i].id != COCO_NO_ID;
    }
    for (size_t i = 0; file->lookup.n_listed == file->n_categories && i < file->lookup.n; i++)
        file->categories[file->lookup.listed[i]].category = &file->lookup.at[i];
}

static void walk_category(struct walk_state *w, size_t index, const struct faults *refused)
{
    const struct annotation_file *file = w->file;
    struct pick pick[CATEGORY_MEMBERS] = { 0 };
    struct category_element e = { .at = element_of_category(file, index),
                                  .pick = pick,
                                  .category = &file->categories[index] };
    size_t begin = file->categories[index].offset, end = begin + file->categories[index].length;
    int64_t id;

    for (size_t i = 0; i < CATEGORY_MEMBERS; i++)
        pick[i].name = category_members[i];
    pick_element(w, &e.at, pick, CATEGORY_MEMBERS);
    if (pick[CATEGORY_ID].value.at)
        id_read(pick[CATEGORY_ID].value, &id, &e.deviations);
    forget_faults(w);
    for (size_t i = 0; i < refused->n; i++) {
        const struct fault *f = &refused->list[i];

        if (f->offset >= begin && f->offset < end)
            fault_add(&w->faults, f->offset, f->length, f->path, f->code, "%s", f->message);
    }
    w->check->element_failed = false;
    FOR_FAMILIES(w->check, w->file, category, &e);
    check_refused(w->check, &e.at, &w->faults);
}

static void walk_categories(struct walk_state *w, const struct faults *refused)
{
    begin_list(w, LIST_CATEGORIES);
    for (size_t i = 0; i < w->file->n_categories; i++)
        if (!w->file->categories[i].broken)
            walk_category(w, i, refused);
}

/* --- annotations --- */

static const char *const annotation_members[ANNOTATION_MEMBERS] = {
    [MEMBER_ID] = "id",
    [MEMBER_IMAGE] = "image_id",
    [MEMBER_CATEGORY] = "category_id",
    [MEMBER_BBOX] = "bbox",
    [MEMBER_SEGMENTATION] = "segmentation",
    [MEMBER_AREA] = "area",
    [MEMBER_CROWD] = "iscrowd",
    [MEMBER_KEYPOINTS] = "keypoints",
    [MEMBER_NUM_KEYPOINTS] = "num_keypoints",
    [MEMBER_IGNORE] = "ignore",
    [MEMBER_CAPTION] = "caption",
};

/* Finds the annotation's image and category by their ids. */
static void find_others(const struct walk_state *w, const struct pick *pick,
                        struct annotation_element *e, struct checked_annotation *to)
{
    const struct annotation_file *file = w->file;
    unsigned refers = 0;
    int64_t image = read_id(&pick[MEMBER_IMAGE], file->image_kind, &refers);
    int64_t category = read_id(&pick[MEMBER_CATEGORY], ID_KIND_NUMBER, &refers);
    const struct id *found = image == COCO_NO_ID ? NULL : ids_find_near(&file->image_ids, image);
    const struct category *c = categories_find(&file->lookup, category);

    w->file->sure_annotations &= (image != COCO_NO_ID || !pick[MEMBER_IMAGE].value.at) &&
                                 (category != COCO_NO_ID || !pick[MEMBER_CATEGORY].value.at);
    e->deviations |= refers & ~DEVIATION(ZERO_ID);
    if (found) {
        to->image = e->at.image = found->index;
        e->image = &file->images[found->index];
        file->images[found->index].n_annotations++;
    }
    if (c && file->lookup.n_listed == file->n_categories) {
        to->category = file->lookup.listed[c - file->lookup.at];
        e->category = &file->categories[to->category];
        file->categories[to->category].n_annotations++;
    }
}

/* Hashes what an object shows, regardless of the numbers' digits. */
uint64_t check_hash_shape(const struct object *o, uint64_t box)
{
    uint64_t hash = box;

    for (size_t i = 0; i < o->rings.n; i++)
        hash = hash * 31 +
               hash_quick(o->rings.ring[i].at, o->rings.ring[i].n * sizeof *o->rings.ring[i].at);
    if (o->segmentation == SEGMENTATION_RLE)
        hash = hash * 31 + hash_quick(o->rle.run, o->rle.n * sizeof *o->rle.run);
    for (size_t i = 0; i < o->n_keypoints; i++)
        hash = hash * 31 + hash_quick(&o->keypoints[i].at, sizeof o->keypoints[i].at) +
               (uint64_t)(int64_t)o->keypoints[i].visibility;
    return hash;
}

/* Removes the refused part of an object. */
static void forget_refused(struct object *o, const char *code)
{
    if (strcmp(code, "coco-polygon") == 0 || strcmp(code, "coco-rle") == 0) {
        o->segmentation = SEGMENTATION_NONE;
        o->rings.n = 0;
    } else if (strcmp(code, "coco-keypoints") == 0) {
        o->n_keypoints = 0;
    }
}

static struct frame frame_of(const struct annotation_element *e)
{
    const struct checked_image *image = e->image;

    return image && image->width && image->height ? (struct frame){ image->width, image->height }
                                                  : (struct frame){ 0 };
}

static void load(struct walk_state *w, struct annotation_element *e, const struct place *p,
                 struct frame flat_rle, struct object *o)
{
    struct coco_annotation a = { .text = e->at.text,
                                 .categories = &w->file->lookup,
                                 .result = file_is_results(w->file),
                                 .deviates = (e->deviations & DEVIATIONS_REPAIRED) != 0,
                                 .flat_rle = flat_rle };

    a.frame = frame_of(e);
    coco_annotation_load(&a, p, &w->load_order, &w->rules, &w->scratch, o);
    for (size_t i = 0; i < w->faults.n; i++)
        forget_refused(o, w->faults.list[i].code);
    e->object = o;
}

/* Notes how labels deviate. Returns the size of RLE that is a flat list. */
static struct frame look_at_labels(struct walk_state *w, const struct place *p,
                                   struct annotation_element *e)
{
    struct pick plain[ANNOTATION_MEMBERS];

    for (size_t i = 0; i < ANNOTATION_MEMBERS; i++) {
        plain[i] = e->pick[i];
        if (w->quoted)
            plain[i].value = numbers_unquote(plain[i].value, &w->scratch);
    }
    if (w->quoted)
        e->deviations |= DEVIATION(STRING_NUMBER);
    e->has_bbox = plain[MEMBER_BBOX].value.at && pick_four(plain[MEMBER_BBOX].value, e->bbox);
    e->deviations |= coco_labels_look(p, e->at.text, &e->pick[MEMBER_BBOX], &plain[MEMBER_BBOX],
                                      file_is_results(w->file));
    e->deviations |=
        coco_keypoints_look(p, &e->pick[MEMBER_KEYPOINTS], plain[MEMBER_KEYPOINTS].value);
    e->deviations |= coco_whole_look(p, &e->pick[MEMBER_NUM_KEYPOINTS]);
    return e->deviations & DEVIATION(FLAT_POLYGON) ? coco_flat_list_look(p, e->at.text, frame_of(e))
                                                   : (struct frame){ 0 };
}

static void walk_annotation(struct walk_state *w, size_t index)
{
    struct checked_annotation *to = &w->file->annotations[index];
    struct pick pick[ANNOTATION_MEMBERS] = { 0 };
    struct object object = { 0 };
    struct annotation_element e = { .at = element_of_annotation(w->file, index),
                                    .pick = pick,
                                    .refused = &w->faults,
                                    .scratch = &w->scratch };
    struct frame flat_rle;
    struct place p;

    for (size_t i = 0; i < ANNOTATION_MEMBERS; i++)
        pick[i].name = annotation_members[i];
    arena_reset(&w->scratch);
    p = pick_element(w, &e.at, pick, ANNOTATION_MEMBERS);
    e.at.id = to->id = read_id(&pick[MEMBER_ID], w->file->annotation_kind, &e.deviations);
    find_others(w, pick, &e, to);
    flat_rle = look_at_labels(w, &p, &e);
    if (flat_rle.width)
        e.deviations ^= DEVIATION(FLAT_POLYGON) | DEVIATION(FLAT_RLE);
    load(w, &e, &p, flat_rle, &object);
    to->crowd = e.crowd = object.crowd;
    for (size_t i = 0; e.has_bbox && i < 4; i++)
        to->box[i] = (float)e.bbox[i];
    to->geometry = check_hash_shape(&object, e.has_bbox ? hash_quick(e.bbox, sizeof e.bbox) : 0);
    w->check->element_failed = false;
    FOR_FAMILIES(w->check, w->file, annotation, &e);
    check_refused(w->check, &e.at, &w->faults);
}

static void walk_annotations(struct walk_state *w)
{
    begin_list(w, LIST_ANNOTATIONS);
    w->file->sure_annotations = w->file->readable;
    for (size_t i = 0; i < w->file->n_annotations; i++) {
        w->file->sure_annotations &= !w->file->annotations[i].broken;
        if (!w->file->annotations[i].broken)
            walk_annotation(w, i);
    }
}

/* --- all elements --- */

bool family_handles_file(const struct rule_family *family, const struct annotation_file *file)
{
    return file->listed || file_is_table(file) ? family->tables : family->labels || !file->labels;
}

void check_make_states(struct check *c, struct annotation_file *file)
{
    size_t n = 0;

    for (EACH(rule_family, family, check_families))
        n++;
    file->state = ARENA_ARRAY(&c->arena, void *, n);
    n = 0;
    for (EACH(rule_family, family, check_families))
        file->state[n++] = arena_take(&c->arena, family->state + 1);
}

void check_walk(struct check *c, struct annotation_file *file)
{
    struct walk_state w = { .check = c,
                            .file = file,
                            .faults = { .name = file->name, .text = file->text },
                            .rules = { .keypoints = KEYPOINTS_CONTINUOUS } };
    struct faults refused = { .name = file->name, .text = file->text };

    check_make_states(c, file);
    file->image_kind = file_is_results(file) ? find_kind(file, LIST_ANNOTATIONS, "image_id")
                                             : find_kind(file, LIST_IMAGES, "id");
    file->annotation_kind = find_kind(file, LIST_ANNOTATIONS, "id");
    read_images(&w);
    read_categories(&w, &refused);
    FOR_FAMILIES(c, file, file, file);
    walk_categories(&w, &refused);
    walk_images(&w);
    if (file_is_panoptic(file))
        check_walk_segments(c, file);
    else
        walk_annotations(&w);
    file->sure_annotations &= !w.labels_refused;
    FOR_FAMILIES(c, file, end, file);
    faults_drop(&refused);
    faults_drop(&w.faults);
    arena_drop(&w.scratch);
}
