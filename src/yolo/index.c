/* index: data.yaml as it is written beside labels. */
#include "classes.h"

#include <string.h>

/* --- strings --- */

/* Beside what JSON escapes: controls, line ends, the byte order mark and what is no character. */
static bool is_escaped(unsigned code)
{
    return (code >= 0x80 && code < 0xa0) || code == 0x2028 || code == 0x2029 || code == 0xfeff ||
           code == 0xfffe || code == 0xffff;
}

/* A name of UTF-8 as a quoted string of YAML. */
static void add_name(const char *name, struct text *out)
{
    struct text json = { 0 };

    text_add_json(&json, name, strlen(name));
    for (size_t i = 0; i < json.length; i++) {
        const unsigned char *c = (const unsigned char *)json.at + i;
        unsigned code = *c >> 5 == 6 ? (c[0] & 0x1fU) << 6 | (c[1] & 0x3fU)
                        : *c >> 4 == 14
                            ? (c[0] & 0x0fU) << 12 | (c[1] & 0x3fU) << 6 | (c[2] & 0x3fU)
                            : 0;

        if (!is_escaped(code)) {
            text_addc(out, (char)*c);
            continue;
        }
        text_addf(out, "\\u%04x", code);
        i += code < 0x800 ? 1 : 2;
    }
    text_drop(&json);
}

/* --- where the images are --- */

/* Where a folder of this name ends in the path, with its slash; 0 where it is not in it. */
static size_t folder_end(const char *path, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, name, length) == 0 && at[length] == '/')
            return (size_t)(at - path) + length + 1;
    }
    return 0;
}

/* The first bytes of a path below the folder of images: quoted where a plain one might have another
 * meaning. */
static void add_path(const char *path, size_t length, struct text *out)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
    struct text whole = { 0 };

    text_addf(&whole, "images/%.*s", (int)length, path);
    if (strspn(text_string(&whole), plain) == whole.length)
        text_add(out, whole.at, whole.length);
    else
        add_name(text_string(&whole), out);
    text_addc(out, '\n');
    text_drop(&whole);
}

/* Append the folder of OUT that has the images of a part of the dataset; false where no image lies
 * in a folder of this name. */
static bool add_folder(const struct dataset *d, const char *name, struct text *out)
{
    static const char images[] = "images/";

    for (size_t i = 0; i < d->n_records; i++) {
        const char *path = d->records[i].name;
        size_t end = folder_end(path, name);

        if (!end)
            continue;
        if (strncmp(path + end, images, sizeof images - 1) == 0)
            end += sizeof images - 1;
        add_path(path, end - 1, out);
        return true;
    }
    return false;
}

/* Training tools want both, train and val. */
static void print_folders(const struct dataset *d, struct text *out)
{
    static const struct {
        const char *key, *folders[3];
        bool needed;
    } parts[] = { { "train", { "train" }, true },
                  { "val", { "val", "valid", "validation" }, true },
                  { "test", { "test" }, false } };

    for (size_t i = 0; i < COUNTOF(parts); i++) {
        size_t before = out->length;
        bool found = false;

        text_addf(out, "%s: ", parts[i].key);
        for (size_t k = 0; k < COUNTOF(parts[i].folders) && parts[i].folders[k] && !found; k++)
            found = add_folder(d, parts[i].folders[k], out);
        if (!found && parts[i].needed)
            text_adds(out, "images\n");
        else if (!found)
            text_cut(out, before);
    }
}

/* --- what the source has --- */

static bool is_path(const char *name)
{
    static const char *const paths[] = { "path", "train", "val", "test", "download" };

    for (size_t i = 0; i < COUNTOF(paths); i++)
        if (strcmp(name, paths[i]) == 0)
            return true;
    return false;
}

/* Every key begins a line: then each has the lines up to the next. A byte order mark stands before
 * the first of them. */
static bool has_lines(struct slice all, const struct value *root)
{
    static const char mark[] = "\xef\xbb\xbf";

    for (size_t i = 0; i < root->n; i++) {
        size_t at = root->item[i].name_at.offset;
        bool marked = at >= 3 && memcmp(all.at + at - 3, mark, 3) == 0;

        if (marked)
            at -= 3;
        if (at && all.at[at - 1] != '\n')
            return false;
    }
    return root->n > 0;
}

/* In braces, or indented: every key that is not said otherwise. */
static void print_others(const struct value *root, bool keypoints, struct text *out)
{
    static const char *const said[] = { "nc", "names", "kpt_shape", "flip_idx", "kpt_names" };
    const size_t n = keypoints ? COUNTOF(said) : 2;

    for (size_t i = 0; i < root->n; i++) {
        const char *name = root->item[i].name;
        bool is_said = is_path(name);

        for (size_t k = 0; k < n; k++)
            is_said |= strcmp(name, said[k]) == 0;
        if (is_said)
            continue;
        add_name(name, out);
        text_adds(out, ": ");
        value_print(&root->item[i], out);
        text_addc(out, '\n');
    }
}

static void print_lines(const struct dataset *d, const struct value *root, struct text *out)
{
    size_t end = (size_t)(d->index.at - d->text.at) + d->index.length;

    for (size_t i = 0; i < root->n; i++) {
        size_t at = root->item[i].name_at.offset;
        size_t next = i + 1 < root->n ? root->item[i + 1].name_at.offset : end;

        if (!is_path(root->item[i].name))
            text_add(out, d->text.at + at, next - at);
    }
    if (out->length && out->at[out->length - 1] != '\n')
        text_addc(out, '\n');
}

/* --- what categories say --- */

static void print_names(const struct dataset *d, struct text *out)
{
    text_addf(out, "nc: %zu\nnames:%s\n", d->n_categories, d->n_categories ? "" : " []");
    for (size_t i = 0; i < d->n_categories; i++) {
        text_addf(out, "  %zu: ", i);
        add_name(d->categories[i].name, out);
        text_addc(out, '\n');
    }
}

/* The first category that has as many. */
static const struct category *keypoints_of(const struct dataset *d, size_t n)
{
    for (size_t i = 0; i < d->n_categories; i++)
        if (d->categories[i].n_keypoints == n)
            return &d->categories[i];
    return NULL;
}

static void print_keypoints(const struct dataset *d, size_t n, size_t dimensions, struct text *out)
{
    const struct category *c = keypoints_of(d, n);

    text_addf(out, "kpt_shape: [%zu, %zu]\n", n, dimensions);
    if (!c || c->n_unpaired || c->unnamed)
        return;
    text_adds(out, "flip_idx: [");
    for (size_t i = 0; i < n; i++)
        text_addf(out, "%s%zu", i ? ", " : "", i < c->n_mirror ? c->mirror[i] : i);
    text_adds(out, "]\n");
    if (!c->keypoint_name)
        return;
    text_addf(out, "kpt_names:\n  %zu:\n", (size_t)(c - d->categories));
    for (size_t i = 0; i < n; i++) {
        text_adds(out, "    - ");
        add_name(c->keypoint_name[i], out);
        text_addc(out, '\n');
    }
}

void yolo_index_print(const struct dataset *d, const struct yolo_classes *own, size_t n_keypoints,
                      struct text *out)
{
    size_t dimensions = own && own->dimensions ? own->dimensions : 3;

    print_folders(d, out);
    if (own && own->yaml && n_keypoints == own->n_keypoints && has_lines(d->text, own->yaml)) {
        print_lines(d, own->yaml, out);
        return;
    }
    print_names(d, out);
    if (n_keypoints)
        print_keypoints(d, n_keypoints, dimensions, out);
    if (own && own->yaml)
        print_others(own->yaml, n_keypoints || own->n_keypoints, out);
}
