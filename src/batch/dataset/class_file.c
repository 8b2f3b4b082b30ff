/* class_file: reads the file of --classes. */
#include "batch/dataset/class_file.h"

#include "batch/io/mapped_file.h"

#include "labels/yolo/classes.h"
#include "labels/yolo/yaml.h"

#include <stdlib.h>
#include <string.h>

/* --- a COCO file --- */

static bool is_json(struct slice text)
{
    struct scan s = scan_start(text, 0);

    return scan_peek(&s) == '{';
}

static bool refuse(struct faults *f, const char *why)
{
    return fault_add(f, 0, 0, "", "classes-value", "%s", why);
}

/* Returns the value of "categories", or a slice without text. */
static struct slice find_categories(struct scan *s)
{
    struct slice name, value, found = { 0 };
    bool first = true;

    scan_open(s, '{');
    while (scan_member(s, &first, &name) && scan_value(s, &value))
        if (scan_equals(name, "categories"))
            found = value;
    return found;
}

/* The names of the classes, and their ids. `ids` is empty unless all classes have one. */
struct listed_classes {
    struct pile names, ids;
};

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Checks that no id is there twice. */
static bool check_ids(struct faults *f, const struct pile *ids)
{
    int64_t *sorted = memory_take((ids->n + 1) * sizeof *sorted);
    bool good = true;

    if (ids->n) {
        memcpy(sorted, ids->at, ids->n * sizeof *sorted);
        qsort(sorted, ids->n, sizeof *sorted, by_number);
    }
    for (size_t i = 1; good && i < ids->n; i++)
        if (sorted[i] == sorted[i - 1])
            good = fault_add(f, 0, 0, "", "classes-value", "two categories have the id %lld",
                             (long long)sorted[i]);
    free(sorted);
    return good;
}

static bool read_categories(struct faults *f, struct slice list, struct arena *arena,
                            struct listed_classes *to)
{
    struct scan s = scan_again(list, 0);
    struct slice element;
    bool first = true;
    struct slice number;
    int64_t id;

    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &element)) {
        struct slice name = *element.at == '{' ? pick_again(element, "name") : element, value;
        struct scan string = scan_start(name, 0);

        if (*name.at != '"' || !scan_string(&string, arena, &value))
            return refuse(f, "each category must have a name, which is a string");
        *(const char **)pile_add(&to->names, sizeof value.at) = value.at;
        number = pick_again(element, "id");
        if (number_scan_integer(number, &id) == number.length)
            *(int64_t *)pile_add(&to->ids, sizeof id) = id;
    }
    if (to->ids.n && to->ids.n < to->names.n)
        return refuse(f, "some categories have an id, and others do not");
    return check_ids(f, &to->ids);
}

static bool read_json(struct faults *f, struct arena *arena, struct listed_classes *to)
{
    struct scan s = scan_start(f->text, 0);
    struct slice list = find_categories(&s);

    if (s.code)
        return fault_add(f, s.where, 1, "", s.code, "%s", s.what);
    if (!list.at || *list.at != '[')
        return refuse(f, "a COCO file with a list of \"categories\" was expected");
    return read_categories(f, list, arena, to);
}

/* --- a data.yaml, or one name per line --- */

static bool read_names(struct faults *f, const char *path, struct arena *arena, struct pile *names)
{
    struct dataset d = { .text = f->text, .index = f->text, .index_name = path, .arena = arena };
    struct yolo_classes classes;

    if (!yolo_classes_read(f, &d, &classes))
        return false;
    for (size_t i = 0; i < classes.n; i++)
        *(const char **)pile_add(names, sizeof(char *)) = classes.at[i].name;
    return true;
}

/* --- labelmap.txt of Pascal VOC: name:color:parts:actions per line --- */

static bool is_labelmap(const char *path)
{
    const char *slash = strrchr(path, '/');

    return strcmp(slash ? slash + 1 : path, "labelmap.txt") == 0;
}

/* Returns the length of the name, which may contain colons. SIZE_MAX: three columns do not follow.
 */
static size_t name_length(struct slice line)
{
    size_t colons = 0;

    for (size_t i = line.length; i-- > 0;)
        if (line.at[i] == ':' && ++colons == 3)
            return i;
    return SIZE_MAX;
}

/* True if the line is a comment: it begins with #. A class may do so, too; lines of outputs end
 * with three colons. */
static bool is_comment(struct slice line)
{
    return *line.at == '#' && (line.length < 4 || memcmp(line.at + line.length - 3, ":::", 3) != 0);
}

static bool read_labelmap(struct faults *f, struct arena *arena, struct pile *names)
{
    for (size_t at = 0; at < f->text.length;) {
        const char *begin = f->text.at + at, *end = memchr(begin, '\n', f->text.length - at);
        struct slice line = { begin, end ? (size_t)(end - begin) : f->text.length - at };
        size_t length;

        at += line.length + 1;
        while (line.length && strchr(" \t\r", line.at[line.length - 1]))
            line.length--;
        if (!line.length || is_comment(line))
            continue;
        length = name_length(line);
        if (length == SIZE_MAX || !length)
            return fault_add(f, (size_t)(begin - f->text.at), line.length, "", "classes-value",
                             "expected name:color:parts:actions in each line, such as \"cat:::\"");
        *(const char **)pile_add(names, sizeof(char *)) = arena_copy(arena, begin, length);
    }
    return true;
}

/* --- README.md of Hugging Face: YAML between two lines of dashes --- */

static bool is_readme(const char *path)
{
    const char *slash = strrchr(path, '/');

    return strcmp(slash ? slash + 1 : path, "README.md") == 0;
}

/* Returns the first "names" of a "class_label" in the tree; NULL if there are none. */
static const struct value *find_names(const struct value *v)
{
    const struct value *label = v->kind == VALUE_OBJECT ? value_get(v, "class_label") : NULL;
    const struct value *found =
        label && label->kind == VALUE_OBJECT ? value_get(label, "names") : NULL;

    for (size_t i = 0; !found && i < v->n; i++)
        found = find_names(&v->item[i]);
    return found;
}

static bool read_readme(struct faults *f, struct arena *arena, struct pile *names)
{
    static const char dashes[] = "---\n";
    const size_t length = strlen(dashes);
    struct slice text = f->text;
    const char *end = text.length > length && memcmp(text.at, dashes, length) == 0
                          ? memmem(text.at + length, text.length - length, "\n---", 4)
                          : NULL;
    const struct value *tree, *found;

    if (!end)
        return true;
    text = (struct slice){ text.at + length, (size_t)(end + 1 - text.at) - length };
    tree = yaml_read(f, text, arena);
    found = tree ? find_names(tree) : NULL;
    for (size_t i = 0; found && i < found->n; i++)
        if (found->item[i].text)
            *(const char **)pile_add(names, sizeof(char *)) = found->item[i].text;
    return tree;
}

const struct class_list *class_file_read(const char *path, struct arena *arena, struct faults *f)
{
    struct class_list *list = ARENA_NEW(arena, struct class_list);
    struct listed_classes read = { 0 };
    struct text why = { 0 };
    size_t twice = 0;
    bool good;

    *f = (struct faults){ .name = strcmp(path, "-") == 0 ? "stdin" : path };
    good = mapped_open(path, &f->text, &why) ||
           fault_add(f, 0, 0, "", "classes-unread", "%s", text_string(&why));
    text_drop(&why);
    good = good &&
           (is_readme(path)                           ? read_readme(f, arena, &read.names)
            : is_labelmap(path)                       ? read_labelmap(f, arena, &read.names)
            : is_json(f->text) && !yolo_is_yaml(path) ? read_json(f, arena, &read)
                                                      : read_names(f, path, arena, &read.names));
    arena_take_over(arena, read.names.at);
    arena_take_over(arena, read.ids.at);
    *list = (struct class_list){
        .file = f->name, .name = read.names.at, .id = read.ids.at, .n = read.names.n
    };
    if (good && !list->n && !is_labelmap(path)) /* an output without objects has an empty one */
        good = refuse(f, "the file names no class");
    if (good && !class_list_sort(list, arena, &twice))
        good = fault_add(f, 0, 0, "", "classes-value", "two classes are called \"%s\"",
                         list->name[twice]);
    return good ? list : NULL;
}
