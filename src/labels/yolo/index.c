/* index: writes data.yaml for the labels. */
#include "labels/yolo/classes.h"
#include "labels/yolo/parts.h"
#include "labels/shared/written_classes.h"

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

/* Quotes a scalar if it could have another meaning without quotes. */
static void add_plain(const char *string, struct text *out)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";

    if (strspn(string, plain) == strlen(string))
        text_adds(out, string);
    else
        add_name(string, out);
}

static void add_folder(const struct parts *parts, const char *below, struct text *out)
{
    struct text path = { 0 };

    if (parts->whole)
        text_adds(&path, *below ? below : ".");
    else
        text_addf(&path, "images%s%s", *below ? "/" : "", below);
    add_plain(text_string(&path), out);
    text_addc(out, '\n');
    text_drop(&path);
}

/* Words that are no strings in YAML are no names of parts that Ultralytics knows. */
static void add_part_name(const char *name, struct text *out)
{
    if (strcmp(name, "train") == 0 || strcmp(name, "val") == 0 || strcmp(name, "test") == 0)
        text_adds(out, name);
    else
        add_name(name, out);
}

/* The parts that have images, in the form that they have in the source. */
static void print_parts(const struct parts *parts, struct text *out)
{
    for (size_t i = 0; parts && i < parts->n; i++) {
        const struct dataset_part *p = &parts->at[i];

        if (!part_has_images(p))
            continue;
        add_part_name(p->name, out);
        text_adds(out, p->listed ? ":\n" : ": ");
        for (size_t k = 0; k < p->n; k++) {
            if (!p->folders[k].has_images)
                continue;
            text_adds(out, p->listed ? "  - " : "");
            add_folder(parts, p->folders[k].out, out);
        }
    }
}

/* --- what the source has --- */

/* True if every key begins a line: then each has the lines up to the next. A byte order mark may
 * come before the first key. */
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
static void print_others(const struct dataset *d, const struct value *root, bool keypoints,
                         struct text *out)
{
    static const char *const said[] = { "nc", "names", "kpt_shape", "flip_idx", "kpt_names" };
    const size_t n = keypoints ? COUNTOF(said) : 2;

    for (size_t i = 0; i < root->n; i++) {
        const char *name = root->item[i].name;
        bool is_said = yolo_key_is_place(d, root, &root->item[i]);

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

        if (!yolo_key_is_place(d, root, &root->item[i]))
            text_add(out, d->text.at + at, next - at);
    }
    if (out->length && out->at[out->length - 1] != '\n')
        text_addc(out, '\n');
}

/* --- what categories say --- */

static void print_names(const struct dataset *d, struct text *out)
{
    size_t n;
    const struct category *classes = classes_written(d, &n);

    text_addf(out, "nc: %zu\nnames:%s\n", n, n ? "" : " []");
    for (size_t i = 0; i < n; i++) {
        text_addf(out, "  %zu: ", i);
        add_name(classes[i].name, out);
        text_addc(out, '\n');
    }
}

/* The first category that has as many. */
static const struct category *keypoints_of(const struct category *classes, size_t n_classes,
                                           size_t n)
{
    for (size_t i = 0; i < n_classes; i++)
        if (classes[i].n_keypoints == n)
            return &classes[i];
    return NULL;
}

static void print_keypoints(const struct dataset *d, size_t n, size_t dimensions, struct text *out)
{
    size_t n_classes;
    const struct category *classes = classes_written(d, &n_classes),
                          *c = keypoints_of(classes, n_classes, n);

    text_addf(out, "kpt_shape: [%zu, %zu]\n", n, dimensions);
    if (!c || c->n_unpaired || c->unnamed)
        return;
    text_adds(out, "flip_idx: [");
    for (size_t i = 0; i < n; i++)
        text_addf(out, "%s%zu", i ? ", " : "", i < c->n_mirror ? c->mirror[i] : i);
    text_adds(out, "]\n");
    if (!c->keypoint_name)
        return;
    text_addf(out, "kpt_names:\n  %zu:\n", (size_t)(c - classes));
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

    print_parts(d->parts, out);
    if (own && own->yaml && !own->pinned && !d->written && d->categories == own->at &&
        n_keypoints == own->n_keypoints && has_lines(d->text, own->yaml)) {
        print_lines(d, own->yaml, out);
        return;
    }
    print_names(d, out);
    if (n_keypoints)
        print_keypoints(d, n_keypoints, dimensions, out);
    if (own && own->yaml)
        print_others(d, own->yaml, n_keypoints || own->n_keypoints, out);
}
