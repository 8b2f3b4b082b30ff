/* image_cameras: members of image records that hold camera matrices. */
#include "labels/coco/image_cameras.h"

#include "geom/camera.h"
#include "labels/coco/annotation_element.h"
#include "labels/coco/keep_number_text.h"
#include "labels/shared/translation.h"

#include <math.h>
#include <string.h>

/* A larger number, times those of a map, could be infinite. */
static const double LARGEST_NUMBER = 1e100;

/* A camera as a record has it: 4 numbers (fx, fy, cx, cy), 3 x 3 or 3 x 4, in one list or in a list
 * of rows. */
struct read_camera {
    struct camera camera;
    size_t n;
    bool rows;
};

/* --- reading --- */

/* Reads a list of at most `room` numbers. Returns how many there are; 0 if it is something else. */
static size_t read_numbers(struct slice list, double *to, size_t room)
{
    struct scan s = scan_again(list, 0);
    bool first = true;
    size_t n = 0;

    if (*list.at != '[')
        return 0;
    scan_open(&s, '[');
    while (scan_element(&s, &first)) {
        if (n == room || !scan_number(&s, &to[n]) || fabs(to[n]) > LARGEST_NUMBER)
            return 0;
        n++;
    }
    return n;
}

/* The same for three rows of three or four numbers each. */
static size_t read_rows(struct slice list, double to[12])
{
    struct scan s = scan_again(list, 0);
    struct slice row;
    bool first = true;
    size_t n = 0, columns = 0;

    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &row)) {
        size_t read = n < 12 ? read_numbers(row, to + n, 12 - n < 4 ? 12 - n : 4) : 0;

        if (read < 3 || (columns && read != columns))
            return 0;
        columns = read;
        n += read;
    }
    return n == 3 * columns ? n : 0;
}

static bool read_camera(struct slice value, struct read_camera *to)
{
    double v[12], *m = to->camera.matrix.m;
    size_t columns;

    to->n = read_numbers(value, v, COUNTOF(v));
    to->rows = !to->n && *value.at == '[';
    if (to->rows)
        to->n = read_rows(value, v);
    to->camera = (struct camera){ .matrix = MAT3_IDENTITY };
    if (to->n == 4) {
        m[0] = v[0];
        m[4] = v[1];
        m[2] = v[2];
        m[5] = v[3];
        return true;
    }
    columns = to->n / 3;
    for (size_t i = 0; i < 3 && to->n >= 9; i++) {
        memcpy(m + 3 * i, v + columns * i, 3 * sizeof *m);
        to->camera.last[i] = columns == 4 ? v[columns * i + 3] : 0;
    }
    return to->n == 9 || to->n == 12;
}

/* Returns a member of an object; `at` is NULL if it has none. */
static struct slice member_of(struct slice object, const char *name)
{
    struct slice value = pick_again(object, name);

    return value.at == object.at ? (struct slice){ 0 } : value;
}

/* Returns the member that a name from the pipeline means: "K", or "calib.P2" for a member of a
 * member; `at` is NULL if there is none. Also finds members of the line that an image was
 * translated from. */
static struct slice find_member(struct slice element, const char *name)
{
    const char *dot = strchr(name, '.');
    struct slice value = member_of(element, name), outer, line;
    struct text outer_name = { 0 };

    if (!value.at && dot) {
        text_add(&outer_name, name, (size_t)(dot - name));
        outer = member_of(element, text_string(&outer_name));
        text_drop(&outer_name);
        if (outer.at && *outer.at == '{')
            value = member_of(outer, dot + 1);
    }
    line = value.at ? (struct slice){ 0 } : member_of(element, TRANSLATED_LINE);
    return line.at ? find_member(line, name) : value;
}

/* A list of images may be another text than the text of the faults. */
static struct slice place_in(struct slice text, struct slice value)
{
    bool inside = value.at >= text.at && value.at < text.at + text.length;

    return inside ? value : (struct slice){ text.at, 0 };
}

static bool is_dropped(const struct keys *drop, const char *name)
{
    for (size_t i = 0; i < drop->n_of_images; i++)
        if (strcmp(drop->of_images[i].name, name) == 0)
            return true;
    return false;
}

/* False with a fault if the record has a member that decomposing this camera would write. */
static bool check_pose_names(const struct place *p, struct slice element, const char *name,
                             const char *key, bool projection, const struct rules *rules)
{
    static const char *const endings[] = { "rotation", "intrinsics", "translation" };
    bool good = true;

    for (size_t i = 0; i < (projection ? COUNTOF(endings) : 1); i++) {
        struct text beside = { 0 };
        struct slice value;

        text_addf(&beside, "%s_%s", key, endings[i]);
        value = find_member(element, text_string(&beside));
        if (value.at && !is_dropped(&rules->drop_keys, text_string(&beside)))
            good =
                place_fault(p, place_in(p->faults->text, value), text_string(&beside), "coco-type",
                            "%s: camera_rotation \"decompose\" writes this key, and the record "
                            "already has it; rename it, or drop it with \"drop_keys\": "
                            "[\"images.%s\"]",
                            name, text_string(&beside));
        text_drop(&beside);
    }
    return good;
}

bool coco_cameras_check(const struct dataset *d, size_t record, const struct rules *rules,
                        struct faults *f)
{
    struct place p = coco_place(f, "images", record);
    struct slice element = { 0 };
    bool good = true;

    if (rules->camera.n)
        element = d->format->find_record(d, record);
    for (size_t i = 0; element.at && *element.at == '{' && i < rules->camera.n; i++) {
        const char *key = rules->camera.at[i].name, *name = d->records[record].name;
        struct slice value = find_member(element, key), at = place_in(f->text, value);
        struct read_camera read;

        if (!value.at || *value.at == 'n')
            continue;
        if (!read_camera(value, &read)) {
            good = place_fault(&p, at, key, "coco-type",
                               "%s: expected a camera matrix, as annotations.camera says: 3 x 3 or "
                               "3 x 4 numbers, in rows or in one list, or [fx, fy, cx, cy]",
                               name);
            continue;
        }
        if (rules->camera_rotation != CAMERA_DECOMPOSE)
            continue;
        if (!camera_is_regular(&read.camera))
            good = place_fault(&p, at, key, "coco-type",
                               "%s: this camera matrix is singular, and camera_rotation "
                               "\"decompose\" cannot divide it",
                               name);
        good &= check_pose_names(&p, element, name, key, read.n == 12, rules);
    }
    return good;
}

/* --- printing --- */

static void print_numbers(const double *v, size_t n, struct text *text)
{
    text_addc(text, '[');
    for (size_t i = 0; i < n; i++) {
        text_adds(text, i ? ", " : "");
        number_print(text, v[i]);
    }
    text_addc(text, ']');
}

static void print_rows(const double *v, size_t columns, struct text *text)
{
    text_addc(text, '[');
    for (size_t i = 0; i < 3; i++) {
        text_adds(text, i ? ", " : "");
        print_numbers(v + columns * i, columns, text);
    }
    text_addc(text, ']');
}

/* Appends a member whose name is the camera's name and an ending. */
static void add_name(struct slice name, const char *ending, struct text *text)
{
    text_adds(text, ", \"");
    text_add(text, name.at, name.length);
    text_addf(text, "_%s\": ", ending);
}

/* Appends the value in the form that the source has. Four numbers become a matrix if they cannot
 * describe the camera. */
static void print_camera(const struct read_camera *c, struct slice source, struct text *text)
{
    size_t columns = c->n == 12 ? 4 : 3, before = text->length;
    double v[12];

    if (c->n == 4 && camera_four(&c->camera, v)) {
        print_numbers(v, 4, text);
        coco_keep_digits(source, before, text);
        return;
    }
    for (size_t i = 0; i < 3; i++) {
        memcpy(v + columns * i, c->camera.matrix.m + 3 * i, 3 * sizeof *v);
        if (columns == 4)
            v[4 * i + 3] = c->camera.last[i];
    }
    if (c->rows || c->n == 4)
        print_rows(v, columns, text);
    else
        print_numbers(v, 3 * columns, text);
    if (c->n != 4)
        coco_keep_digits(source, before, text);
}

static void print_moved(const struct output *out, struct slice name, struct slice source,
                        struct read_camera *c, struct text *text)
{
    const struct rules *rules = out->rules;
    struct posed_camera posed;

    camera_move(&c->camera, out->map, rules->camera_convention == CAMERA_INDEX);
    if (rules->camera_rotation != CAMERA_DECOMPOSE || camera_is_triangular(&c->camera)) {
        print_camera(c, source, text);
        return;
    }
    posed = camera_split(&c->camera);
    if (c->n != 12)
        c->camera.matrix = posed.intrinsics;
    print_camera(c, source, text);
    if (c->n == 12) {
        add_name(name, "intrinsics", text);
        print_rows(posed.intrinsics.m, 3, text);
    }
    add_name(name, "rotation", text);
    print_rows(posed.rotation.m, 3, text);
    if (c->n == 12) {
        add_name(name, "translation", text);
        print_numbers(posed.translation, 3, text);
    }
}

bool coco_cameras_move(const struct output *out)
{
    return out->map && out->rules && out->rules->camera.n && !mat3_is_identity(out->map);
}

/* A record whose members are printed, or a member of it whose members are printed. */
struct printed_object {
    const struct output *output;
    struct slice name; /* of that member; `at` is NULL for the record itself */
};

/* Returns the name of the object's member that a name from the pipeline means: for the member
 * "calib", "P2" of "calib.P2". NULL if there is none. */
static const char *name_within(struct slice object, const char *key)
{
    const char *dot = strchr(key, '.');
    struct text outer = { 0 };
    bool within;

    if (!object.at || !dot)
        return object.at ? NULL : key;
    text_add(&outer, key, (size_t)(dot - key));
    within = scan_equals(object, text_string(&outer));
    text_drop(&outer);
    return within ? dot + 1 : NULL;
}

static bool print_member(void *context, struct slice name, struct slice value, struct text *text)
{
    const struct printed_object *p = context;
    struct printed_object inner = { p->output, name };
    const struct keys *keys = &p->output->rules->camera;
    bool within = false;

    for (size_t i = 0; i < keys->n; i++) {
        const char *key = name_within(p->name, keys->at[i].name);
        struct read_camera c;

        if (key && scan_equals(name, key) && read_camera(value, &c)) {
            print_moved(p->output, name, value, &c, text);
            return true;
        }
        within |= !p->name.at && name_within(name, keys->at[i].name);
    }
    if (!within || *value.at != '{')
        return false;
    text_addc(text, '{');
    pick_print(value, text, print_member, &inner);
    text_addc(text, '}');
    return true;
}

bool coco_camera_print(const struct output *out, struct slice name, struct slice value,
                       struct text *text)
{
    struct printed_object record = { .output = out };

    return coco_cameras_move(out) && print_member(&record, name, value, text);
}
