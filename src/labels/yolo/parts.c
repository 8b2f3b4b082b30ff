/* parts: the parts of a YOLO dataset. */
#include "labels/yolo/parts.h"

#include "json/value.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { MAX_FOLDERS = 1000 };

/* --- places of the source --- */

struct finding {
    struct arena *arena;
    const char *index;       /* the path of data.yaml */
    struct dataset *dataset; /* its folders of images are known; NULL: they are not */
    struct faults *faults;
    yolo_read_fn *read;
    const char *bases[4]; /* absolute folders that a relative one may be below */
    size_t n_bases;
};

/* The absolute path without "." and "..", as it is spelled; no link is followed. */
static const char *tidy(struct arena *arena, const char *path)
{
    char *to = ARENA_ARRAY(arena, char, strlen(path) + 2); /* with the slash that it may lack */
    size_t n = 0;

    while (*path) {
        size_t length = strcspn(path, "/");

        if (length == 2 && strncmp(path, "..", 2) == 0) {
            while (n && to[--n] != '/')
                ;
        } else if (length && !(length == 1 && *path == '.')) {
            to[n++] = '/';
            memmove(to + n, path, length);
            n += length;
        }
        path += length + (path[length] == '/');
    }
    if (!n)
        to[n++] = '/';
    to[n] = '\0';
    return to;
}

static const char *find_real(struct arena *arena, const char *path)
{
    char *found = realpath(path, NULL);
    const char *copy = found ? arena_copy(arena, found, strlen(found)) : NULL;

    free(found);
    return copy;
}

static void add_base(struct finding *f, const char *path)
{
    const char *real = find_real(f->arena, path);

    if (real)
        f->bases[f->n_bases++] = real;
}

static void find_bases(struct finding *f, const struct value *yaml)
{
    struct arena *arena = f->arena;
    const char *slash = strrchr(f->index, '/');
    const char *beside = slash ? arena_copy(arena, f->index, (size_t)(slash - f->index) + 1) : ".";
    const struct value *path = value_get(yaml, "path");

    if (path && path->text && *path->text) {
        add_base(f, path->text);
        if (*path->text != '/')
            add_base(f, arena_printf(arena, "%s/%s", beside, path->text));
    }
    add_base(f, beside);
}

/* `kind`: S_IFDIR or S_IFREG. */
static bool is_there(const char *path, mode_t kind)
{
    struct stat status;

    return stat(path, &status) == 0 && (status.st_mode & S_IFMT) == kind;
}

/* The absolute path of what is there, or NULL. "../x" is tried as "x", too, as exporters that put
 * data.yaml into the dataset's folder need it. */
static const char *find_path(const struct finding *f, const char *path, mode_t kind)
{
    struct arena *arena = f->arena;

    if (*path == '/')
        return is_there(path, kind) ? tidy(arena, path) : NULL;
    for (size_t i = 0; i < f->n_bases; i++)
        for (size_t skip = 0; skip == 0 || (skip == 3 && strncmp(path, "../", 3) == 0); skip += 3) {
            const char *whole = tidy(arena, arena_printf(arena, "%s/%s", f->bases[i], path + skip));

            if (is_there(whole, kind))
                return whole;
        }
    return NULL;
}

/* The end of the first folder in the name whose last folders are these; 0: there is none. */
static size_t find_end(const char *name, const char *folders)
{
    size_t length = strlen(folders);

    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, folders, length) == 0 && at[length] == '/')
            return (size_t)(at - name) + length;
    }
    return 0;
}

/* A folder of another machine, or of an archive: the folder of images that ends as it does, or
 * NULL. "images" alone says too little. */
static const char *guess_folder(const struct finding *f, const char *folder)
{
    const struct dataset *d = f->dataset;
    const char *path = tidy(d->arena, folder);

    for (; path; path = strchr(path, '/')) {
        path += *path == '/';
        if (!*path || strcmp(path, "images") == 0)
            return NULL;
        for (size_t i = 0; i < d->n_records; i++) {
            const char *name = d->records[i].name;
            const char *root = d->roots[d->root_of ? d->root_of[i] : 0];
            size_t end = find_end(name, path);

            if (end && root)
                return arena_printf(d->arena, "%s/%.*s", root, (int)end, name);
        }
    }
    return NULL;
}

/* --- what data.yaml states --- */

static bool is_list_file(const char *path)
{
    size_t length = strlen(path);

    return length > 4 && strcasecmp(path + length - 4, ".txt") == 0;
}

static const struct value *get_entry(const struct value *v, size_t i)
{
    return v->kind == VALUE_LIST ? &v->item[i] : v;
}

static size_t count_entries(const struct value *v)
{
    return v->kind == VALUE_LIST ? v->n : v->text && *v->text && v->kind != VALUE_NULL;
}

/* Ultralytics reads these keys as parts; other loaders read "valid". */
static bool is_part_key(const char *key)
{
    static const char *const keys[] = { "train", "val", "valid", "validation", "test", "minival" };

    for (size_t i = 0; i < COUNTOF(keys); i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* True if the value of a key names what a part has: folders, or lists of images. */
static bool names_places(const struct finding *f, const struct value *v)
{
    size_t n = count_entries(v);

    for (size_t i = 0; i < n; i++) {
        const char *path = get_entry(v, i)->text;

        if (get_entry(v, i)->kind != VALUE_TEXT ||
            !find_path(f, path, is_list_file(path) ? S_IFREG : S_IFDIR))
            return false;
    }
    return n > 0;
}

static bool is_part(const struct finding *f, const struct value *v)
{
    static const char *const others[] = { "path", "download", "names", "nc", "kpt_names" };

    for (size_t i = 0; i < COUNTOF(others); i++)
        if (strcmp(v->name, others[i]) == 0)
            return false;
    return is_part_key(v->name) ? count_entries(v) > 0 : names_places(f, v);
}

static bool fail(const struct finding *f, const struct value *v, const char *format, ...)
    PRINTF_LIKE(3, 4);
static bool fail(const struct finding *f, const struct value *v, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fault_addv(f->faults, v->at.offset, v->at.length, "", "yolo-parts", format, args);
    va_end(args);
    return false;
}

/* Returns the folder below OUT/images that gets its images, or NULL. */
static const char *find_out(const struct dataset *d, const char *folder)
{
    for (size_t i = 0; folder && i < d->n_roots; i++) {
        const char *root = d->roots[i];
        size_t length = root ? strlen(root) : 0, own = strlen(folder);

        if (!root)
            continue;
        length -= length == 1;
        own -= own == 1;
        if (own > length && strncmp(folder, root, length) == 0 && folder[length] == '/')
            return folder + length + 1;
        if (own <= length && strncmp(folder, root, own) == 0 && (!root[own] || root[own] == '/'))
            return "";
    }
    return NULL;
}

/* The path as other systems write it; theirs has no slash. */
static const char *with_slashes(struct arena *arena, const char *path)
{
    char *to = arena_copy(arena, path, strlen(path));

    for (char *c = to; !strchr(path, '/') && *c; c++)
        if (*c == '\\')
            *c = '/';
    return to;
}

static bool read_folder(const struct finding *f, const struct value *part, const struct value *v,
                        struct part_folder *to)
{
    struct arena *arena = f->arena;
    const char *path;

    if (v->kind == VALUE_LIST || v->kind == VALUE_OBJECT || !v->text || !*v->text)
        return fail(f, v, "%s: expected a folder or a list of folders", part->name);
    if (is_list_file(v->text))
        return fail(f, v,
                    "%s is a list of images, and lockstep does not write lists of outputs; name "
                    "the folder of these images instead, or give only the names of the classes "
                    "with --classes, which omits the parts",
                    part->name);
    path = with_slashes(arena, v->text);
    to->path = find_path(f, path, S_IFDIR);
    if (!to->path && is_part_key(part->name))
        to->path = guess_folder(f, path);
    if (!to->path)
        return true;
    to->resolved = find_real(arena, to->path);
    to->out = find_out(f->dataset, to->path);
    if (!to->out)
        to->out = find_out(f->dataset, to->resolved);
    return true;
}

static bool read_part(const struct finding *f, const struct value *v, struct dataset_part *to)
{
    *to = (struct dataset_part){ .name = v->name,
                                 .listed = v->kind == VALUE_LIST,
                                 .n = count_entries(v) };
    if (to->n > MAX_FOLDERS)
        return fail(f, v, "%s has more than %d folders", v->name, (int)MAX_FOLDERS);
    to->folders = ARENA_ARRAY(f->arena, struct part_folder, to->n);
    for (size_t i = 0; i < to->n; i++)
        if (!read_folder(f, v, get_entry(v, i), &to->folders[i]))
            return false;
    return true;
}

static bool read_parts(struct finding *f, const struct value *yaml, struct parts *parts)
{
    bool good = true;

    find_bases(f, yaml);
    parts->at = ARENA_ARRAY(f->arena, struct dataset_part, yaml->n);
    for (size_t i = 0; good && i < yaml->n; i++)
        if (is_part(f, &yaml->item[i]))
            good = read_part(f, &yaml->item[i], &parts->at[parts->n++]);
    parts->stated = parts->n > 0;
    return good;
}

bool yolo_key_is_place(const struct dataset *d, const struct value *yaml, const struct value *v)
{
    struct finding f = { .arena = d->arena, .index = d->index_name };

    if (strcmp(v->name, "path") == 0 || strcmp(v->name, "download") == 0)
        return true;
    for (size_t i = 0; d->parts && i < d->parts->n; i++)
        if (strcmp(v->name, d->parts->at[i].name) == 0)
            return true;
    find_bases(&f, yaml);
    return is_part(&f, v);
}

/* --- places for a layout --- */

/* A path of another machine: what it ends with, below one of the folders; or NULL. "images" alone
 * says too little. */
static const char *guess_place(const struct finding *f, const char *path, mode_t kind)
{
    for (path = strchr(path, '/'); path; path = strchr(path, '/')) {
        const char *found;

        path += strspn(path, "/");
        if (strcmp(path, "images") == 0 || !*path)
            return NULL;
        found = *path == '.' ? NULL : find_path(f, path, kind);
        if (found)
            return found;
    }
    return NULL;
}

/* Returns the absolute path of an image that a list names. The list states it from the working
 * directory, from its own folder ("./"), or from another machine. */
static const char *find_image(const struct finding *f, const char *list, const char *line)
{
    const char *found = find_path(f, line, S_IFREG);

    if (!found)
        found = guess_place(f, line, S_IFREG);
    return found          ? found
           : *line == '/' ? tidy(f->arena, line)
                          : tidy(f->arena, arena_printf(f->arena, "%s/%s", list, line));
}

static bool read_list(const struct finding *f, const struct value *v, const char *path,
                      struct pile *places)
{
    struct finding beside = *f;
    char *list = arena_copy(f->arena, path, strlen(path));
    struct slice text;
    struct text why = { 0 };
    size_t at = 0;

    if (!f->read(path, f->arena, &text, &why)) {
        fail(f, v, "%s: %s", path, text_string(&why));
        text_drop(&why);
        return false;
    }
    *strrchr(list, '/') = '\0';
    memmove(&beside.bases[1], beside.bases, sizeof *beside.bases * f->n_bases);
    beside.bases[0] = list;
    beside.n_bases++;
    while (at < text.length) {
        const char *line = text.at + at, *end = memchr(line, '\n', text.length - at);
        size_t length = end ? (size_t)(end - line) : text.length - at;

        at += length + 1;
        while (length && strchr(" \t\r", line[length - 1]))
            length--;
        if (length)
            *(const char **)pile_add(places, sizeof(char *)) = find_image(
                &beside, list, with_slashes(f->arena, arena_copy(f->arena, line, length)));
    }
    return true;
}

/* Adds the absolute paths that an entry of a part names. */
static bool add_places(const struct finding *f, const struct value *part, const struct value *v,
                       struct yolo_part *to, struct pile *places)
{
    const char *path, *found;
    mode_t kind;

    if (v->kind == VALUE_LIST || v->kind == VALUE_OBJECT || !v->text || !*v->text)
        return fail(f, v, "%s: expected a folder, a list of images, or a list of these",
                    part->name);
    path = with_slashes(f->arena, v->text);
    kind = is_list_file(path) ? S_IFREG : S_IFDIR;
    found = find_path(f, path, kind);
    if (!found)
        found = guess_place(f, path, kind);
    if (!found && !to->missing)
        to->missing = v->text;
    if (!found)
        return true;
    if (kind == S_IFREG)
        return read_list(f, v, found, places);
    *(const char **)pile_add(places, sizeof(char *)) = found;
    return true;
}

static bool find_places(const struct finding *f, const struct value *v, struct yolo_part *to)
{
    struct pile places = { 0 };
    bool good = true;

    *to = (struct yolo_part){ .name = v->name };
    for (size_t i = 0; good && i < count_entries(v); i++)
        good = add_places(f, v, get_entry(v, i), to, &places);
    to->n = places.n;
    to->places = places.at;
    arena_take_over(f->arena, places.at);
    return good;
}

bool yolo_places_find(const char *index, const struct value *yaml, yolo_read_fn *read,
                      struct arena *arena, struct yolo_part **parts, size_t *n,
                      struct faults *faults)
{
    struct finding f = { .arena = arena, .index = index, .faults = faults, .read = read };
    bool good = true;

    *n = 0;
    *parts = ARENA_ARRAY(arena, struct yolo_part, yaml->n + 1);
    find_bases(&f, yaml);
    for (size_t i = 0; good && i < yaml->n; i++)
        if (is_part(&f, &yaml->item[i]))
            good = find_places(&f, &yaml->item[i], &(*parts)[(*n)++]);
    return good;
}

/* --- what names of folders suggest --- */

/* The folder of the part that the name is in, with a folder "images" that follows; 0: none. */
static size_t find_part(const char *name, const char *const words[3])
{
    static const char images[] = "/images/";
    size_t end = 0;

    for (size_t i = 0; i < 3 && words[i] && !end; i++)
        end = find_end(name, words[i]);
    return end && strncmp(name + end, images, sizeof images - 1) == 0 ? end + sizeof images - 2
                                                                      : end;
}

static bool has_folder(const struct dataset_part *part, const char *name, size_t length)
{
    for (size_t i = 0; i < part->n; i++)
        if (strlen(part->folders[i].out) == length &&
            strncmp(part->folders[i].out, name, length) == 0)
            return true;
    return false;
}

static void suggest_part(struct dataset *d, const char *key, const char *const words[3])
{
    struct dataset_part part = { .name = key };
    struct pile folders = { 0 };

    for (size_t i = 0; i < d->n_records && part.n < MAX_FOLDERS; i++) {
        const char *name = d->records[i].name;
        size_t end = find_part(name, words);

        if (!end || has_folder(&part, name, end))
            continue;
        *(struct part_folder *)pile_add(&folders, sizeof(struct part_folder)) =
            (struct part_folder){ .out = arena_copy(d->arena, name, end) };
        part.folders = folders.at;
        part.n = folders.n;
    }
    part.listed = part.n > 1;
    arena_take_over(d->arena, folders.at);
    if (part.n)
        d->parts->at[d->parts->n++] = part;
}

/* Images that are in no such folder are one part, which is what training tools require. */
static void suggest_parts(struct dataset *d)
{
    static const struct {
        const char *key, *words[3];
    } usual[] = { { "train", { "train" } },
                  { "val", { "val", "valid", "validation" } },
                  { "test", { "test" } } };

    d->parts->at = ARENA_ARRAY(d->arena, struct dataset_part, COUNTOF(usual));
    for (size_t i = 0; i < COUNTOF(usual); i++)
        suggest_part(d, usual[i].key, usual[i].words);
    if (d->parts->n)
        return;
    d->parts->at[d->parts->n++] = (struct dataset_part){
        .name = usual[0].key, .folders = ARENA_NEW(d->arena, struct part_folder), .n = 1
    };
    d->parts->at[0].folders[0].out = "";
}

bool yolo_parts_find(struct dataset *d, const struct value *yaml, struct faults *faults)
{
    struct finding f = {
        .arena = d->arena, .index = d->index_name, .dataset = d, .faults = faults
    };
    struct parts *parts = ARENA_NEW(d->arena, struct parts);

    if (yaml && !read_parts(&f, yaml, parts))
        return false;
    d->parts = parts;
    if (!parts->stated)
        suggest_parts(d);
    return true;
}
