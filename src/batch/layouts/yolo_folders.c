/* yolo_folders: data.yaml, which names the folders or lists of images of each part; labels are in
 * parallel folders. Also Darknet's obj.data, which names lists of images. */
#include "batch/layout/layout.h"

#include "base/files.h"
#include "batch/io/folder.h"
#include "labels/yolo/classes.h"
#include "labels/yolo/parts.h"
#include "labels/yolo/yaml.h"

#include <stdlib.h>
#include <string.h>

/* --- data.yaml --- */

enum { MAX_INDEX_BYTES = 4 << 20, MAX_LIST_BYTES = 1 << 30 };

static bool read_bytes(const char *path, uint64_t max, struct arena *arena, struct slice *to,
                       struct text *why)
{
    struct text bytes = { 0 };
    bool good = input_read_named(path, max, &bytes, why);

    *to = (struct slice){ arena_copy(arena, text_string(&bytes), bytes.length), bytes.length };
    text_drop(&bytes);
    return good;
}

static bool read_list(const char *path, struct arena *arena, struct slice *to, struct text *why)
{
    return read_bytes(path, MAX_LIST_BYTES, arena, to, why);
}

/* --- obj.data --- */

static bool is_darknet(const char *name)
{
    return name_ends_with(name, ".data");
}

/* Adds a line "train = data/train.txt" as a member of the object. */
static void add_member(struct value *object, struct slice line, struct arena *arena)
{
    static const char *const known[][2] = {
        { "train", "train" }, { "valid", "val" }, { "test", "test" }, { "names", "names" }
    };
    const char *equals = line.length ? memchr(line.at, '=', line.length) : NULL;
    struct slice key, text;

    if (!equals)
        return;
    key = slice_trim((struct slice){ line.at, (size_t)(equals - line.at) });
    text = slice_trim((struct slice){ equals + 1, line.length - (size_t)(equals + 1 - line.at) });
    for (size_t i = 0; i < COUNTOF(known) && object->n <= COUNTOF(known); i++)
        if (strlen(known[i][0]) == key.length && memcmp(known[i][0], key.at, key.length) == 0)
            object->item[object->n++] =
                (struct value){ .kind = VALUE_TEXT,
                                .name = known[i][1],
                                .text = arena_copy(arena, text.at, text.length) };
}

/* Returns the members as data.yaml would have them: paths are relative to the working directory. */
static const struct value *read_darknet(struct slice text, struct arena *arena)
{
    enum { MAX_MEMBERS = 8 };
    struct value *object = ARENA_NEW(arena, struct value);

    *object = (struct value){ .kind = VALUE_OBJECT,
                              .item = ARENA_ARRAY(arena, struct value, MAX_MEMBERS),
                              .n = 1 };
    object->item[0] = (struct value){ .kind = VALUE_TEXT, .name = "path", .text = "." };
    for (size_t at = 0; at < text.length;) {
        const char *line = text.at + at, *end = memchr(line, '\n', text.length - at);
        size_t length = end ? (size_t)(end - line) : text.length - at;

        add_member(object, (struct slice){ line, length }, arena);
        at += length + 1;
    }
    return object;
}

/* Returns the file of class names: the path from the working directory, or what it ends with below
 * the dataset's folder; NULL: it is not there. */
static const char *find_names(const char *path, const char *folder, struct arena *arena)
{
    if (layout_has_file("", path))
        return path;
    while (path && !layout_has_file(folder, path)) {
        path = strchr(path, '/');
        path += path != NULL;
    }
    return path ? arena_printf(arena, "%s/%s", folder, path) : NULL;
}

/* --- the index --- */

/* Returns the rank of a file's name among those of an index: 2 for the usual ones, 1 for other YAML
 * files, 0 for a file of Darknet; -1: it is no index. */
static int rank_of(const char *name)
{
    if (strcmp(name, "data.yaml") == 0 || strcmp(name, "data.yml") == 0 ||
        strcmp(name, "dataset.yaml") == 0)
        return 2;
    return yolo_is_yaml(name) ? 1 : is_darknet(name) ? 0 : -1;
}

/* Reads the parts that a file states; none if it is about something else. `names` gets the file of
 * class names. */
static bool read_index(const char *index, const char *folder, struct arena *arena,
                       struct yolo_part **parts, size_t *n, const char **names,
                       struct faults *faults)
{
    struct text why = { 0 };
    const struct value *yaml;

    *n = 0;
    *names = index;
    faults->name = index;
    if (!read_bytes(index, MAX_INDEX_BYTES, arena, &faults->text, &why)) {
        fault_add(faults, 0, 0, "", "annotations-unread", "%s", text_string(&why));
        text_drop(&why);
        return false;
    }
    yaml = is_darknet(index) ? read_darknet(faults->text, arena)
                             : yaml_read(faults, faults->text, arena);
    if (!yaml)
        return false;
    if (is_darknet(index) && value_get(yaml, "names"))
        *names = find_names(value_get(yaml, "names")->text, folder, arena);
    if (yaml->kind != VALUE_OBJECT || !(value_get(yaml, "names") || value_get(yaml, "nc")))
        return true;
    return yolo_places_find(index, yaml, read_list, arena, parts, n, faults);
}

/* Returns the file of one rank that states the parts of the dataset, or NULL. Searches the folder
 * `below`; `folder` is the dataset's folder. */
static const char *find_ranked(const char *below, const char *folder, int rank, struct arena *arena,
                               struct yolo_part **parts, size_t *n, const char **classes,
                               struct faults *faults)
{
    const char *const *names = layout_list(below, arena);

    for (size_t i = 0; names[i]; i++) {
        const char *index = arena_printf(arena, "%s/%s", below, names[i]);
        bool usual = rank == 2, good;
        struct faults own = { 0 };

        if (rank_of(names[i]) != rank || !layout_has_file(below, names[i]))
            continue;
        good = read_index(index, folder, arena, parts, n, classes, usual ? faults : &own);
        faults_drop(&own);
        if ((good && *n) || (usual && !good))
            return index;
    }
    return NULL;
}

/* Returns the file that states the parts of the dataset in a folder, or NULL. Darknet runs in the
 * dataset's folder, and its file is often in the folder "data" there. */
static const char *find_index(const char *folder, struct arena *arena, struct yolo_part **parts,
                              size_t *n, const char **classes, struct faults *faults)
{
    const char *index = NULL;

    for (int rank = 2; rank >= 0 && !index; rank--)
        index = find_ranked(folder, folder, rank, arena, parts, n, classes, faults);
    return index ? index
                 : find_ranked(arena_printf(arena, "%s/data", folder), folder, 0, arena, parts, n,
                               classes, faults);
}

/* --- places --- */

/* Returns the length of the folder that both absolute paths are below, or are. */
static size_t common_length(const char *a, size_t length, const char *b)
{
    size_t i = 0;

    while (i < length && a[i] == b[i])
        i++;
    if ((i == length || a[i] == '/') && (!b[i] || b[i] == '/'))
        return i;
    while (i && a[i - 1] != '/')
        i--;
    return i ? i - 1 : 0;
}

/* Returns the absolute path of the only folder of a part's images. */
static const char *find_root(const struct yolo_part *from, struct arena *arena)
{
    const char *first = from->places[0];
    size_t length = strlen(first);

    for (size_t i = 1; i < from->n; i++)
        length = common_length(first, length, from->places[i]);
    if (length == strlen(first) && !path_is_folder(first))
        length = (size_t)(strrchr(first, '/') - first);
    return arena_copy(arena, first, length);
}

/* Returns the path below the dataset's folder; "": it is that folder, or not below it. */
static const char *path_below(const char *absolute, const char *base)
{
    size_t length = strlen(base);

    return strncmp(absolute, base, length) == 0 && absolute[length] == '/' ? absolute + length + 1
                                                                           : "";
}

/* Returns the folder of the labels of images in a folder: that with "labels" in place of "images";
 * or the same folder. */
static const char *find_labels(const char *images, struct arena *arena)
{
    const char *path = arena_printf(arena, "%s/", images);
    const char *at = path_last_folder(path, "images"), *labels;

    if (!at)
        return images;
    labels = arena_printf(arena, "%.*slabels%.*s", (int)(at - path), path,
                          (int)strlen(at + strlen("images")) - 1, at + strlen("images"));
    return path_is_folder(labels) ? labels : images;
}

static void set_places(struct layout_part *to, const struct yolo_part *from, const char *root,
                       struct arena *arena)
{
    const char **places = ARENA_ARRAY(arena, const char *, from->n);
    size_t length = strlen(root);

    for (size_t i = 0; i < from->n; i++)
        places[i] = from->places[i] + length + 1;
    to->places = places;
    to->n_places = from->n;
}

static void set_images(const struct found_layout *of, struct layout_part *to,
                       const struct yolo_part *from, const char *base, struct arena *arena)
{
    const char *root = find_root(from, arena);

    layout_set_images(of, to, arena, path_below(root, base));
    if (!*to->below && strcmp(root, base) != 0)
        *(const char **)to->images = root;
    if (from->n > 1 || strcmp(root, from->places[0]) != 0)
        set_places(to, from, root, arena);
    to->annotations = find_labels(to->images[0], arena);
}

/* --- parts --- */

static bool is_required(const char *part)
{
    return strcmp(part, "train") == 0 || strcmp(part, "val") == 0 || strcmp(part, "valid") == 0;
}

/* Adds a part that data.yaml states. A test part without images is only noted. `names` is the file
 * of class names. */
static void add_part(struct found_layout *to, const struct yolo_part *from, const char *index,
                     const char *names, const char *base, struct arena *arena)
{
    struct layout_part *part;
    const char *why;

    if (!name_is_safe(from->name, &why))
        return;
    if (!from->n && !is_required(from->name)) {
        to->note = arena_printf(arena, "there are no images of \"%s\": %s", from->name,
                                from->missing ? from->missing : "its list is empty");
        return;
    }
    part = layout_add_part(to, arena, from->name);
    part->index = names;
    if (from->missing || !from->n)
        part->missing = arena_printf(
            arena, "%s states %s, which %s; correct it, or name the parts to read with --part",
            index, from->missing ? from->missing : "a list of images",
            from->missing ? "is not there" : "is empty");
    else if (!*find_root(from, arena))
        part->missing = "its images have no folder in common but /, which is not searched";
    else
        set_images(to, part, from, base, arena);
}

static bool is_within(const char *inner, const char *outer)
{
    size_t length = strlen(outer);

    return strncmp(inner, outer, length) == 0 && (inner[length] == '/' || !inner[length]);
}

/* True if outputs can be in the same folders as their sources: each part in its own. */
static bool are_apart(const struct found_layout *of)
{
    for (size_t i = 0; i < of->n; i++) {
        if (!*of->parts[i].below && !of->parts[i].missing)
            return false;
        for (size_t k = 0; k < of->n; k++)
            if (k != i && !of->parts[i].missing && !of->parts[k].missing &&
                is_within(of->parts[i].below, of->parts[k].below))
                return false;
    }
    return true;
}

static bool find(const char *path, struct arena *arena, struct found_layout *to,
                 struct faults *faults)
{
    const char *slash = strrchr(path, '/'), *index = path, *names = NULL;
    struct yolo_part *parts = NULL;
    char *base;
    size_t n = 0;
    bool apart;

    if ((yolo_is_yaml(path) || is_darknet(path)) && !path_is_folder(path)) {
        to->path = !slash ? "." : arena_copy(arena, path, (size_t)(slash - path) + (slash == path));
        if (!read_index(path, to->path, arena, &parts, &n, &names, faults))
            return true;
    } else {
        index = find_index(path, arena, &parts, &n, &names, faults);
    }
    if (faults->n)
        return true;
    base = n ? realpath(to->path, NULL) : NULL;
    for (size_t i = 0; base && i < n; i++)
        add_part(to, &parts[i], index, names, base, arena);
    free(base);
    apart = are_apart(to);
    for (size_t i = 0; i < to->n; i++)
        if (!apart)
            to->parts[i].below = arena_printf(arena, "images/%s", to->parts[i].name);
    return to->n;
}

static void place(struct arena *arena, struct layout_part *part)
{
    part->name = *part->name ? layout_common_name(part->name) : "train";
    part->below = arena_printf(arena, "images/%s", part->name);
    part->file = NULL;
}

static const char *const targets[] = { "yolo", "yolo-segment", "yolo-pose", NULL };

const struct layout yolo_folders_layout = {
    .name = "yolo",
    .title = "YOLO",
    .summary = "data.yaml, images/train and labels/train, and so on; reads Darknet's obj.data, too",
    .find = find,
    .format = "yolo",
    .targets = targets,
    .place = place,
};
