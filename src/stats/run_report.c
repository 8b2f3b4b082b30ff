/* run_report: what a finished run made of its source. */
#include "stats/run_report.h"

#include <stdlib.h>
#include <string.h>

/* --- lookups --- */

struct name_entry {
    const char *name;
    uint32_t index;
};

static int by_name(const void *a, const void *b)
{
    const struct name_entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Returns the first index of a name among sorted names; SURVEY_NONE if there is none. */
static uint32_t named_find(const struct name_entry *all, size_t n, const char *name)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(all[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && strcmp(all[low].name, name) == 0 ? all[low].index : SURVEY_NONE;
}

/* An object of the source, by its image and its id. */
struct object_key {
    int64_t id;
    uint32_t image, object;
};

static int by_key(const void *a, const void *b)
{
    const struct object_key *x = a, *y = b;

    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->object > y->object) - (x->object < y->object);
}

/* State while the report is made. */
struct maker {
    struct run_report *r;
    struct name_entry *before, *after;  /* images by name */
    struct id *ids;                     /* images of the source by id; NULL: they have none */
    struct object_key *objects;         /* of the source, sorted */
    uint32_t *part_before, *part_after; /* of each image; SURVEY_NONE: it has no output */
};

static struct name_entry *name_images(const struct survey *s)
{
    struct name_entry *all = memory_take((s->n_images + 1) * sizeof *all);

    for (size_t i = 0; i < s->n_images; i++)
        all[i] = (struct name_entry){ s->images[i].name, (uint32_t)i };
    qsort(all, s->n_images, sizeof *all, by_name);
    return all;
}

/* Folders of labels have no ids: there, objects are numbered by image, from 1. */
static struct object_key *key_objects(const struct survey *s)
{
    struct object_key *all = memory_take((s->n_objects + 1) * sizeof *all);
    uint32_t *seen = memory_take((s->n_images + 1) * sizeof *seen);

    memset(seen, 0, (s->n_images + 1) * sizeof *seen);
    for (size_t i = 0; i < s->n_objects; i++) {
        const struct survey_object *o = &s->objects[i];
        uint32_t place = o->image == SURVEY_NONE ? 0 : ++seen[o->image];

        all[i] =
            (struct object_key){ o->id == SURVEY_NO_ID ? place : o->id, o->image, (uint32_t)i };
    }
    qsort(all, s->n_objects, sizeof *all, by_key);
    free(seen);
    return all;
}

static struct id *key_images(const struct survey *s)
{
    struct id *all;

    if (!s->n_images || s->images[0].id == SURVEY_NO_ID)
        return NULL;
    all = memory_take(s->n_images * sizeof *all);
    for (size_t i = 0; i < s->n_images; i++)
        all[i] = (struct id){ s->images[i].id, (uint32_t)i };
    ids_sort(all, s->n_images);
    return all;
}

static uint32_t find_object(const struct maker *m, uint32_t image, int64_t id)
{
    const struct survey *s = m->r->in.before;
    const struct object_key key = { id, image, 0 };
    size_t low = 0, high = s->n_objects;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (by_key(&m->objects[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->n_objects && m->objects[low].image == image && m->objects[low].id == id
               ? m->objects[low].object
               : SURVEY_NONE;
}

/* --- members of a line --- */

const char *run_text(const struct value *object, const char *name)
{
    const struct value *v = object->kind == VALUE_OBJECT ? value_get(object, name) : NULL;

    return v && v->kind == VALUE_TEXT ? v->text : "";
}

static const struct value *list_of(const struct value *object, const char *name)
{
    static const struct value none = { .kind = VALUE_LIST };
    const struct value *v = value_get(object, name);

    return v && v->kind == VALUE_LIST ? v : &none;
}

static bool read_id(const struct value *object, const char *name, int64_t *id)
{
    const struct value *v = object->kind == VALUE_OBJECT ? value_get(object, name) : NULL;

    if (v && v->kind == VALUE_TEXT)
        *id = id_of_text(v->text, strlen(v->text));
    else if (v && v->kind == VALUE_NUMBER && v->number >= -0x1p53 && v->number <= 0x1p53)
        *id = (int64_t)v->number;
    else
        return false;
    return true;
}

size_t run_number(const struct run_report *r, const char *object, const char *name)
{
    const struct value *o = value_get(r->in.run_json, object);
    const struct value *v = o && o->kind == VALUE_OBJECT ? value_get(o, name) : NULL;

    return v && v->kind == VALUE_NUMBER && v->number >= 0 && v->number < 0x1p53 ? (size_t)v->number
                                                                                : 0;
}

/* --- lines --- */

/* Returns the next line, without its end; false after the last. */
static bool next_line(struct slice text, size_t *at, struct slice *line)
{
    const char *from = text.at + *at, *end;

    if (*at >= text.length)
        return false;
    end = memchr(from, '\n', text.length - *at);
    line->at = from;
    line->length = end ? (size_t)(end - from) : text.length - *at;
    *at += line->length + 1;
    return true;
}

static const struct value *parse(struct slice line, struct arena *arena)
{
    struct faults faults = { .name = "manifest.jsonl", .text = line };
    const struct value *root = value_parse(&faults, arena);

    faults_drop(&faults);
    return root && root->kind == VALUE_OBJECT ? root : NULL;
}

const struct value *run_report_line(const struct run_report *r, size_t line, struct arena *arena)
{
    size_t at = ((const struct run_line *)r->lines.at)[line].offset;
    struct slice text;

    return next_line(r->in.manifest, &at, &text) ? parse(text, arena) : NULL;
}

static uint32_t part_of(struct run_report *r, const char *name)
{
    struct run_part *part = r->parts.at;
    size_t i = r->parts.n;

    while (i > 0 && strcmp(part[i - 1].name, name) != 0)
        i--;
    if (i)
        return (uint32_t)(i - 1);
    part = pile_add(&r->parts, sizeof *part);
    part->name = arena_copy(&r->arena, name, strlen(name));
    return (uint32_t)(r->parts.n - 1);
}

/* Returns the index of the line's source in the annotations: by id, since a name may be found there
 * in another form. */
static uint32_t source_of(const struct maker *m, const struct value *line)
{
    const struct survey *s = m->r->in.before;
    const struct id *found;
    int64_t id;

    if (!s)
        return SURVEY_NONE;
    if (m->ids && read_id(line, "from", &id)) {
        found = ids_find(m->ids, s->n_images, id);
        return found ? found->index : SURVEY_NONE;
    }
    return named_find(m->before, s->n_images, run_text(line, "source"));
}

static uint32_t output_of(const struct maker *m, const struct value *line)
{
    const char *name = run_text(line, "output"), *slash = strchr(name, '/');
    const struct survey *s = m->r->in.after->survey;
    uint32_t found = slash ? named_find(m->after, s->n_images, slash + 1) : SURVEY_NONE;

    return found == SURVEY_NONE ? named_find(m->after, s->n_images, name) : found;
}

static void take_line(struct maker *m, const struct value *root, size_t offset)
{
    struct run_report *r = m->r;
    size_t number = r->lines.n;
    struct run_line *line = pile_add(&r->lines, sizeof *line);
    const struct value *steps = list_of(root, "steps");
    struct run_part *part;

    *line = (struct run_line){ .offset = offset,
                               .before = source_of(m, root),
                               .after = output_of(m, root),
                               .part = part_of(r, run_text(root, "part")),
                               .has_steps = steps->n > 0 };
    part = (struct run_part *)r->parts.at + line->part;
    part->images_after++;
    if (line->before != SURVEY_NONE && m->part_before[line->before] == SURVEY_NONE) {
        m->part_before[line->before] = line->part;
        part->images_before++;
        r->n_sources++;
    }
    if (line->after != SURVEY_NONE)
        m->part_after[line->after] = line->part;
    run_values_range(&r->values, steps, number);
}

static void read_lines(struct maker *m)
{
    struct run_report *r = m->r;
    struct arena arena = { 0 };
    struct slice line;

    for (size_t at = 0, from = 0; next_line(r->in.manifest, &at, &line); from = at) {
        const struct value *root = parse(line, &arena);

        if (root)
            take_line(m, root, from);
        else
            r->n_unread++;
        arena_reset(&arena);
    }
    if (!r->parts.n)
        part_of(r, "");
    arena_drop(&arena);
}

/* --- classes --- */

/* The classes are those of the outputs, in their order, then the source's others. A class of the
 * source is the outputs' class with its name; of several, the one with its id. */
static void match_classes(struct run_report *r)
{
    const struct survey *after = r->in.after->survey, *before = r->in.before;
    size_t n = after->n_categories, more = before ? before->n_categories : 0;
    struct run_class *classes = ARENA_ARRAY(&r->arena, struct run_class, n + more + 1);
    struct name_entry *names = memory_take((n + 1) * sizeof *names);

    r->class_before = ARENA_ARRAY(&r->arena, uint32_t, more + 1);
    for (size_t i = 0; i < n; i++) {
        classes[i].name = stats_category_name(r->in.after, i);
        names[i] = (struct name_entry){ after->categories[i].name, (uint32_t)i };
    }
    qsort(names, n, sizeof *names, by_name);
    r->n_classes = n;
    for (size_t i = 0; i < more; i++) {
        const struct survey_category *c = &before->categories[i];
        uint32_t found = named_find(names, n, c->name);

        for (uint32_t k = found; k < n && after->categories[found].id != c->id; k++)
            if (after->categories[k].id == c->id && strcmp(after->categories[k].name, c->name) == 0)
                found = k;
        if (found == SURVEY_NONE) {
            found = (uint32_t)r->n_classes++;
            classes[found].name = *c->name ? c->name : "(no name)";
        }
        r->class_before[i] = found;
    }
    r->class_before[more] = (uint32_t)r->n_classes;
    classes[r->n_classes++].name = "(no category)";
    r->classes = classes;
    free(names);
}

size_t run_class_before(const struct run_report *r, const struct survey_object *o)
{
    return r->class_before[o->category == SURVEY_NONE ? r->in.before->n_categories : o->category];
}

size_t run_class_after(const struct run_report *r, const struct survey_object *o)
{
    return o->category == SURVEY_NONE ? r->n_classes - 1 : o->category;
}

/* --- counts --- */

static struct run_count *count_at(const struct run_report *r, size_t part, size_t class,
                                  size_t size)
{
    return &r->counts[(part * r->n_classes + class) * SIZES + size];
}

struct run_count run_report_count(const struct run_report *r, size_t part, size_t class,
                                  size_t size)
{
    struct run_count sum = { 0 };

    for (size_t p = part == RUN_ALL ? 0 : part; p < (part == RUN_ALL ? r->parts.n : part + 1); p++)
        for (size_t c = class == RUN_ALL ? 0 : class;
             c < (class == RUN_ALL ? r->n_classes : class + 1); c++)
            for (size_t s = size == RUN_ALL ? 0 : size; s < (size == RUN_ALL ? SIZES : size + 1);
                 s++) {
                const struct run_count *one = count_at(r, p, c, s);

                sum.before += one->before;
                sum.after += one->after;
                sum.dropped += one->dropped;
            }
    return sum;
}

static void count_objects(struct maker *m)
{
    struct run_report *r = m->r;
    const struct survey *after = r->in.after->survey, *before = r->in.before;

    r->counts = ARENA_ARRAY(&r->arena, struct run_count, r->parts.n * r->n_classes * SIZES);
    for (size_t i = 0; i < after->n_objects; i++) {
        const struct survey_object *o = &after->objects[i];
        uint32_t part = o->image == SURVEY_NONE ? SURVEY_NONE : m->part_after[o->image];

        count_at(r, part == SURVEY_NONE ? 0 : part, run_class_after(r, o), stats_size_of(o))
            ->after++;
    }
    for (size_t i = 0; before && i < before->n_objects; i++) {
        const struct survey_object *o = &before->objects[i];
        uint32_t part = o->image == SURVEY_NONE ? SURVEY_NONE : m->part_before[o->image];

        if (part != SURVEY_NONE)
            count_at(r, part, run_class_before(r, o), stats_size_of(o))->before++;
    }
}

/* --- dropped objects --- */

static struct run_reason *reason_of(struct run_report *r, const char *name)
{
    struct run_reason *reason = r->reasons.at;

    for (size_t i = 0; i < r->reasons.n; i++)
        if (strcmp(reason[i].name, name) == 0)
            return &reason[i];
    reason = pile_add(&r->reasons, sizeof *reason);
    reason->name = arena_copy(&r->arena, name, strlen(name));
    return reason;
}

/* True if the object is among the worst already, in another output. */
static bool has_case(const struct run_reason *reason, uint32_t object)
{
    for (size_t i = 0; i < reason->n_worst; i++)
        if (reason->worst[i].object == object)
            return true;
    return false;
}

static void keep_case(struct run_reason *reason, struct run_case one)
{
    size_t i = reason->n_worst;

    if (has_case(reason, one.object))
        return;
    while (i > 0 && reason->worst[i - 1].area < one.area)
        i--;
    if (i == RUN_CASES)
        return;
    if (reason->n_worst < RUN_CASES)
        reason->n_worst++;
    memmove(&reason->worst[i + 1], &reason->worst[i],
            (reason->n_worst - 1 - i) * sizeof *reason->worst);
    reason->worst[i] = one;
}

static void count_dropped(struct maker *m, size_t number, const struct value *dropped)
{
    struct run_report *r = m->r;
    const struct run_line *line = (struct run_line *)r->lines.at + number;
    struct run_reason *reason = reason_of(r, run_text(dropped, "reason"));
    const char *of = run_text(dropped, "of");
    uint32_t image = line->before, object = SURVEY_NONE;
    const struct value *value;
    const struct survey_object *o;
    int64_t id;

    reason->n++;
    if (!r->in.before)
        return;
    if (*of)
        image = named_find(m->before, r->in.before->n_images, of);
    if (image != SURVEY_NONE && read_id(dropped, "from", &id))
        object = find_object(m, image, id);
    if (object == SURVEY_NONE) {
        count_at(r, line->part, r->n_classes - 1, SIZE_UNKNOWN)->dropped++;
        return;
    }
    o = &r->in.before->objects[object];
    value = value_get(dropped, "value");
    count_at(r, line->part, run_class_before(r, o), stats_size_of(o))->dropped++;
    keep_case(reason,
              (struct run_case){ number, object, stats_area_of(o),
                                 value && value->kind == VALUE_NUMBER ? value->number : 0 });
}

static int by_frequency(const void *a, const void *b)
{
    const struct run_reason *x = a, *y = b;

    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void read_lines_again(struct maker *m)
{
    struct run_report *r = m->r;
    struct arena arena = { 0 };

    for (size_t i = 0; i < r->lines.n; i++) {
        const struct value *root = run_report_line(r, i, &arena), *dropped;

        dropped = list_of(root, "dropped");
        run_values_count(&r->values, list_of(root, "steps"));
        for (size_t k = 0; k < dropped->n; k++)
            if (dropped->item[k].kind == VALUE_OBJECT)
                count_dropped(m, i, &dropped->item[k]);
        arena_reset(&arena);
    }
    if (r->reasons.n)
        qsort(r->reasons.at, r->reasons.n, sizeof(struct run_reason), by_frequency);
    arena_drop(&arena);
}

/* --- outputs to show --- */

/* Objects of the outputs by image: those of image i are at[first[i]] to at[first[i + 1] - 1]. */
struct by_image {
    uint32_t *first, *at;
};

static struct by_image objects_by_image(const struct survey *s)
{
    struct by_image to = { memory_take((s->n_images + 2) * sizeof *to.first),
                           memory_take((s->n_objects + 1) * sizeof *to.at) };

    memset(to.first, 0, (s->n_images + 2) * sizeof *to.first);
    for (size_t i = 0; i < s->n_objects; i++)
        if (s->objects[i].image != SURVEY_NONE)
            to.first[s->objects[i].image + 2]++;
    for (size_t i = 2; i < s->n_images + 2; i++)
        to.first[i] += to.first[i - 1];
    for (size_t i = 0; i < s->n_objects; i++)
        if (s->objects[i].image != SURVEY_NONE)
            to.at[to.first[s->objects[i].image + 1]++] = (uint32_t)i;
    return to;
}

/* Returns how much an output adds to the pairs: steps, then classes that no pair shows yet, then
 * objects. */
static size_t gain(const struct run_report *r, const struct by_image *objects, const bool *shown,
                   const struct run_line *line)
{
    const struct survey *s = r->in.after->survey;
    size_t gain = line->has_steps ? SIZE_MAX / 2 : 0, last = SIZE_MAX;

    if (line->after == SURVEY_NONE)
        return gain;
    for (uint32_t i = objects->first[line->after]; i < objects->first[line->after + 1]; i++) {
        size_t class = run_class_after(r, &s->objects[objects->at[i]]);

        gain += !shown[class] && class != last ? 2 : 0;
        last = class;
    }
    return gain + (objects->first[line->after] < objects->first[line->after + 1]);
}

static void show(const struct run_report *r, const struct by_image *objects, bool *shown,
                 const struct run_line *line)
{
    const struct survey *s = r->in.after->survey;

    if (line->after != SURVEY_NONE)
        for (uint32_t i = objects->first[line->after]; i < objects->first[line->after + 1]; i++)
            shown[run_class_after(r, &s->objects[objects->at[i]])] = true;
}

/* Chooses one output of each twelfth of the manifest. */
static void choose_pairs(struct run_report *r)
{
    struct by_image objects = objects_by_image(r->in.after->survey);
    bool *shown = memory_take(r->n_classes);
    const struct run_line *line = r->lines.at;
    size_t n = r->lines.n;

    memset(shown, 0, r->n_classes);
    r->n_pairs = n < RUN_PAIRS ? n : RUN_PAIRS;
    for (size_t i = 0; i < r->n_pairs; i++) {
        size_t best = i * n / r->n_pairs, most = 0;

        for (size_t k = best; k < (i + 1) * n / r->n_pairs; k++) {
            size_t g = gain(r, &objects, shown, &line[k]);

            best = g > most ? k : best;
            most = g > most ? g : most;
        }
        r->pair[i] = best;
        show(r, &objects, shown, &line[best]);
    }
    free(objects.first);
    free(objects.at);
    free(shown);
}

/* --- the report --- */

static uint32_t *no_parts(size_t n)
{
    uint32_t *all = memory_take((n + 1) * sizeof *all);

    memset(all, 0xff, (n + 1) * sizeof *all); /* SURVEY_NONE */
    return all;
}

void run_report_make(struct run_report *r, const struct run_inputs *in)
{
    struct maker m = { .r = r };

    *r = (struct run_report){ .in = *in };
    if (in->before) {
        m.before = name_images(in->before);
        m.ids = key_images(in->before);
        m.objects = key_objects(in->before);
    }
    m.after = name_images(in->after->survey);
    m.part_before = no_parts(in->before ? in->before->n_images : 0);
    m.part_after = no_parts(in->after->survey->n_images);
    read_lines(&m);
    match_classes(r);
    count_objects(&m);
    read_lines_again(&m);
    choose_pairs(r);
    free(m.before);
    free(m.after);
    free(m.ids);
    free(m.objects);
    free(m.part_before);
    free(m.part_after);
}

void run_report_drop(struct run_report *r)
{
    run_values_drop(&r->values);
    free(r->parts.at);
    free(r->reasons.at);
    free(r->lines.at);
    arena_drop(&r->arena);
}
