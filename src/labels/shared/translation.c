/* translation: the text of a COCO file that is made of another format's images and objects. */
#include "labels/shared/translation.h"

#include "labels/shared/class_names.h"

#include <stdlib.h>
#include <string.h>

struct added_image {
    const char *name;
    struct frame frame;
    size_t line;
    struct slice kept; /* its text in the source; or none */
};

struct added_object {
    size_t image, line, offset;
    const char *label; /* of `labels` */
    size_t at, length; /* of its members */
};

/* --- adding --- */

/* Returns the line of an offset, counted on from the last one. */
static size_t line_at(struct translation *t, size_t offset)
{
    const char *text = t->faults->text.at;

    if (!t->line)
        t->line = 1;
    for (; t->offset < offset; t->offset++)
        t->line += text[t->offset] == '\n';
    return t->line;
}

size_t translation_add_image(struct translation *t, const char *name, struct frame frame,
                             size_t offset)
{
    struct added_image *image = pile_add(&t->images, sizeof *image);

    *image = (struct added_image){ .name = arena_copy(t->arena, name, strlen(name)),
                                   .frame = frame,
                                   .line = line_at(t, offset) };
    return t->images.n - 1;
}

void translation_keep_line(struct translation *t, size_t image, struct slice line)
{
    ((struct added_image *)t->images.at)[image].kept = line;
}

const char *translation_image_name(const struct translation *t, size_t image, struct frame *frame)
{
    const struct added_image *all = t->images.at;

    *frame = all[image].frame;
    return all[image].name;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct category *)a)->name, ((const struct category *)b)->name);
}

/* Returns the name's one copy. */
static const char *label_of(struct translation *t, const char *name)
{
    const struct category key = { .name = name };

    class_names_add(&t->labels, name, t->arena);
    return ((const struct category *)bsearch(&key, t->labels.at, t->labels.n, sizeof key, by_name))
        ->name;
}

void translation_add_object(struct translation *t, size_t image, const char *label, size_t offset,
                            const struct text *members)
{
    struct added_object *object = pile_add(&t->objects, sizeof *object);

    *object = (struct added_object){ .image = image,
                                     .line = line_at(t, offset),
                                     .offset = offset,
                                     .label = label_of(t, label),
                                     .at = t->members.length,
                                     .length = members->length };
    text_add(&t->members, text_string(members), members->length);
}

void translation_add_class(struct translation *t, const char *name)
{
    const char *label = label_of(t, name), **all = t->declared.at;

    for (size_t i = 0; i < t->declared.n; i++)
        if (all[i] == label)
            return;
    *(const char **)pile_add(&t->declared, sizeof label) = label;
}

/* --- classes --- */

static bool parse_integer(const char *name, int64_t *to)
{
    size_t length = strlen(name);

    return length && number_scan_integer((struct slice){ name, length }, to) == length;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = 0, y = 0;

    parse_integer(*(const char *const *)a, &x);
    parse_integer(*(const char *const *)b, &y);
    return (x > y) - (x < y);
}

/* Lists the classes in the order of the source's list, then all others by name, or by number if all
 * names are numbers. */
static void list_classes(struct translation *t, struct class_list *list)
{
    const struct category *labels = t->labels.at;
    const char **names = ARENA_ARRAY(t->arena, const char *, t->labels.n + 1);
    const char *const *declared = t->declared.at;
    size_t n = 0, twice;
    bool numbers = true;
    int64_t value;

    for (; n < t->declared.n; n++)
        names[n] = declared[n];
    for (size_t i = 0; i < t->labels.n; i++) {
        bool known = false;

        for (size_t k = 0; k < t->declared.n && !known; k++)
            known = declared[k] == labels[i].name;
        numbers &= parse_integer(labels[i].name, &value);
        if (!known)
            names[n++] = labels[i].name;
    }
    if (numbers && !t->declared.n && n)
        qsort(names, n, sizeof *names, by_value);
    *list = (struct class_list){ .file = t->faults->name, .name = names, .n = n };
    class_list_sort(list, t->arena, &twice);
}

/* --- the text --- */

static void add_place(struct translation *t, const struct text *out, size_t line)
{
    *(struct fault_file *)pile_add(&t->places, sizeof(struct fault_file)) =
        (struct fault_file){ .offset = out->length, .name = t->faults->name, .line = line };
}

static void print_images(struct translation *t, struct text *out)
{
    const struct added_image *images = t->images.at;

    add_place(t, out, 1);
    text_adds(out, "\"images\": [");
    for (size_t i = 0; i < t->images.n; i++) {
        text_adds(out, i ? ",\n" : "\n");
        add_place(t, out, images[i].line);
        text_addf(out, "{\"id\": %zu, \"file_name\": ", i + 1);
        text_add_json(out, images[i].name, strlen(images[i].name));
        if (images[i].frame.width)
            text_addf(out, ", \"width\": %d, \"height\": %d", images[i].frame.width,
                      images[i].frame.height);
        if (images[i].kept.at) {
            text_adds(out, ", \"" TRANSLATED_LINE "\": ");
            text_add(out, images[i].kept.at, images[i].kept.length);
        }
        text_addc(out, '}');
    }
    text_adds(out, "]");
}

static bool print_objects(struct translation *t, const struct class_list *list, struct text *out)
{
    const struct added_object *objects = t->objects.at;
    bool good = true;
    size_t class;

    add_place(t, out, 1);
    text_adds(out, "\"annotations\": [");
    for (size_t i = 0; i < t->objects.n; i++) {
        const struct added_object *o = &objects[i];
        struct slice at = { t->faults->text.at + o->offset, 1 };

        if (!class_list_find(list, o->label, &class)) {
            good = class_list_fault(list, t->faults, at, "", o->label);
            continue;
        }
        text_adds(out, i ? ",\n" : "\n");
        add_place(t, out, o->line);
        text_adds(out, "{\"id\": ");
        text_add_integer(out, (int64_t)i + 1);
        text_adds(out, ", \"image_id\": ");
        text_add_integer(out, (int64_t)o->image + 1);
        text_addf(out, ", \"category_id\": %zu, ", class + 1);
        text_add(out, t->members.at + o->at, o->length);
        text_addc(out, '}');
    }
    text_addc(out, ']');
    return good;
}

static void print_classes(struct translation *t, const struct class_list *list, struct text *out)
{
    add_place(t, out, 1);
    text_adds(out, "\"categories\": [");
    for (size_t i = 0; i < list->n; i++) {
        text_adds(out, i ? ",\n" : "\n");
        add_place(t, out, 1);
        text_addf(out, "{\"id\": %zu, \"name\": ", i + 1);
        text_add_json(out, list->name[i], strlen(list->name[i]));
        text_adds(out, ", \"supercategory\": \"\"}");
    }
    text_addc(out, ']');
}

bool translation_end(struct translation *t, struct slice *text, struct fault_file **places,
                     size_t *n)
{
    struct class_list own;
    const struct class_list *list = t->classes;
    struct text out = { 0 };
    bool good;

    if (!list) {
        list_classes(t, &own);
        list = &own;
    }
    add_place(t, &out, 1);
    text_addc(&out, '{');
    print_images(t, &out);
    text_adds(&out, ",\n");
    good = print_objects(t, list, &out);
    text_adds(&out, ",\n");
    print_classes(t, list, &out);
    text_adds(&out, "}\n");
    arena_take_over(t->arena, out.at);
    arena_take_over(t->arena, t->places.at);
    *text = (struct slice){ out.at, out.length };
    *places = t->places.at;
    *n = t->places.n;
    free(t->images.at);
    free(t->objects.at);
    free(t->labels.at);
    free(t->declared.at);
    text_drop(&t->members);
    return good;
}

/* --- members --- */

static void print_bounds(struct box b, double area, struct text *out)
{
    const double v[] = { b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0 };

    text_adds(out, "\"bbox\": [");
    for (size_t i = 0; i < COUNTOF(v); i++) {
        text_adds(out, i ? ", " : "");
        number_print(out, v[i]);
    }
    text_adds(out, "], \"area\": ");
    number_print(out, area);
}

void translation_print_box(struct box b, struct text *out)
{
    print_bounds(b, (b.x1 - b.x0) * (b.y1 - b.y0), out);
    text_adds(out, ", \"iscrowd\": 0, \"segmentation\": []");
}

void translation_print_ring(const struct ring *ring, struct text *out)
{
    const struct rings rings = { (struct ring *)ring, 1 };

    print_bounds(rings_bounds(&rings), ring_area(ring), out);
    text_adds(out, ", \"iscrowd\": 0, \"segmentation\": [[");
    for (size_t i = 0; i < ring->n; i++) {
        text_adds(out, i ? ", " : "");
        number_print(out, ring->at[i].x);
        text_adds(out, ", ");
        number_print(out, ring->at[i].y);
    }
    text_adds(out, "]]");
}
