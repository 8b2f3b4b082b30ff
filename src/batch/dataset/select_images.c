/* select_images: selects the images of a dataset to process. */
#include "batch/dataset/select_images.h"

#include "batch/dataset/name_index.h"

#include "base/files.h"
#include "base/hash.h"
#include "json/document.h"

#include <string.h>
#include <unistd.h>

enum { MAX_HINTS = 20 }; /* maximum number of hints; each compares a name with all others */

/* State of a selection. */
struct chooser {
    struct image_selection *choice;
    struct job *job;
    struct faults *faults;
    struct name_index names;
    bool *named;                    /* for each record: it is named; NULL: names are not used */
    const struct category **wanted; /* ended by NULL; NULL: categories are not used */
    size_t n_wanted;
};

/* --- names --- */

static bool find(struct chooser *c, const char *name, size_t *record)
{
    return name_index_find(&c->names, c->job->dataset, (struct slice){ name, strlen(name) },
                           record);
}

/* Returns the path without a leading "./", which shells and lists of other tools write. */
static const char *skip_dot(const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 1 + strspn(path + 1, "/");
    return path;
}

const char *choice_name(const struct job *job, const char *word)
{
    word = skip_dot(word);
    for (size_t i = 0; i < job->images.roots.n; i++) {
        const char *root = skip_dot(job->images.roots.at[i]);
        size_t length = strlen(root);

        if (length && strncmp(word, root, length) == 0 &&
            (word[length] == '/' || root[length - 1] == '/'))
            return word + length + strspn(word + length, "/");
    }
    return word;
}

static const char *hint_of(const struct job *job, const char *name, struct arena *arena)
{
    const struct dataset *d = job->dataset;
    struct nearest near = { .word = choice_name(job, name) };

    for (size_t i = 0; i < d->n_records; i++)
        nearest_try(&near, d->records[i].name);
    return nearest_hint(&near, arena);
}

static void take_record(struct chooser *c, size_t record)
{
    c->choice->n_names += !c->named[record];
    c->named[record] = true;
}

static bool take_known(struct chooser *c, const char *name)
{
    size_t record;
    bool known = find(c, name, &record) || find(c, choice_name(c->job, name), &record);

    if (known)
        take_record(c, record);
    return known;
}

/* Adds the fault of an unknown name; `where` tells the place of the name. */
static void refuse_name(struct chooser *c, const char *name, const char *where)
{
    struct faults *f = c->faults;

    fault_add(f, 0, 0, where, "image-unknown", "no such image in the dataset%s",
              f->n < MAX_HINTS ? hint_of(c->job, name, &f->arena) : "");
}

/* True if the shell seems to have expanded a pattern after -i. The first file is then the option's
 * value, and the others are taken for names of images. */
static bool is_from_pattern(const struct job *job, const char *name)
{
    const struct dataset *d = job->dataset;

    return !d->format && d->n_records == job->images.roots.n && access(name, F_OK) == 0;
}

/* Selects the images that the command line names. */
static void take_words(struct chooser *c)
{
    const char *const *word = c->choice->names;

    for (; word && *word; word++) {
        if (take_known(c, *word))
            continue;
        if (is_from_pattern(c->job, *word)) {
            fault_add(c->faults, 0, 0, *word, "image-unknown",
                      "it is a file, but not of -i, which takes one folder or file; if the shell "
                      "expanded a pattern after -i, give the folder: -i %s",
                      job_root(c->job, 0));
            return;
        }
        refuse_name(c, *word, *word);
    }
}

/* Returns the name without a second column (-1, 0 or 1), which Pascal VOC's lists per class have.
 */
static const char *first_column(const char *line, struct arena *arena)
{
    const char *end = line + strlen(line), *column;
    struct slice second;

    while (end > line && end[-1] == ' ')
        end--;
    for (column = end; column > line && column[-1] != ' ';)
        column--;
    second = (struct slice){ column, (size_t)(end - column) };
    if (!scan_equals(second, "1") && !scan_equals(second, "0") && !scan_equals(second, "-1"))
        return line;
    while (column > line && column[-1] == ' ')
        column--;
    return column > line ? arena_copy(arena, line, (size_t)(column - line)) : line;
}

/* Selects the image with this name, or with this name and any suffix. Returns false if there is
 * none; several are a fault. */
static bool take_stem(struct chooser *c, const char *name, const char *where)
{
    const struct record *records = c->job->dataset->records;
    size_t record[2], n;

    if (take_known(c, name))
        return true;
    n = name_index_find_stem(&c->names, c->job->dataset, choice_name(c->job, name), record);
    if (n == 1)
        take_record(c, record[0]);
    else if (n)
        fault_add(c->faults, 0, 0, where, "image-ambiguous",
                  "%zu images have this name without its suffix: %s, %s%s", n,
                  records[record[0]].name, records[record[1]].name, n > 2 ? ", ..." : "");
    return n;
}

static void take_line(struct chooser *c, const char *line, const char *where)
{
    const char *name;

    if (take_stem(c, line, where))
        return;
    name = first_column(line, &c->faults->arena);
    if (name == line || !take_stem(c, name, where))
        refuse_name(c, name, where);
}

/* Gets the next name of a list, which ends with `end` (NUL or line feed). Returns false after the
 * last name. */
static bool next_name(struct slice list, size_t *at, char end, struct slice *name)
{
    const char *from = list.at + *at, *to;

    if (*at >= list.length)
        return false;
    to = memchr(from, end, list.length - *at);
    name->at = from;
    name->length = to ? (size_t)(to - from) : list.length - *at;
    *at += name->length + 1;
    if (end == '\n' && name->length && from[name->length - 1] == '\r')
        name->length--;
    return true;
}

static void take_list(struct chooser *c)
{
    static const char mark[] = "\xef\xbb\xbf";
    struct slice list = c->choice->list, name;
    char end = list.length && memchr(list.at, '\0', list.length) ? '\0' : '\n';
    size_t at = list.length >= 3 && memcmp(list.at, mark, 3) == 0 ? 3 : 0;

    for (size_t line = 1; next_name(list, &at, end, &name); line++) {
        char *copy;

        if (!name.length)
            continue;
        copy = arena_copy(&c->faults->arena, name.at, name.length);
        take_line(c, copy,
                  arena_printf(&c->faults->arena, "%s:%zu: %s", c->choice->list_name, line, copy));
    }
}

/* Hashes the names of the selected images, so that the spelling on the command line does not
 * matter. */
static void hash_names(struct chooser *c)
{
    const struct dataset *d = c->job->dataset;
    struct hash h;

    hash_start(&h);
    for (size_t i = 0; i < d->n_records; i++)
        if (c->named[i])
            hash_part(&h, d->records[i].name, strlen(d->records[i].name));
    c->choice->names_hash = hash_u64(&h);
}

static void take_names(struct chooser *c)
{
    const char *const *name = c->choice->names;

    if (!c->choice->list_name && !(name && *name))
        return;
    c->named = ARENA_ARRAY(c->job->dataset->arena, bool, c->job->dataset->n_records);
    take_words(c);
    if (c->choice->list_name)
        take_list(c);
    hash_names(c);
}

/* --- categories --- */

static const struct category *find_category(const struct dataset *d, const char *name)
{
    for (size_t i = 0; i < d->n_categories; i++)
        if (d->categories[i].name && strcmp(d->categories[i].name, name) == 0)
            return &d->categories[i];
    return NULL;
}

static void want(struct chooser *c, const char *name)
{
    const struct dataset *d = c->job->dataset;
    const struct category *found = find_category(d, name);
    struct nearest near = { .word = name };

    if (found) {
        c->wanted[c->n_wanted++] = found;
        return;
    }
    for (size_t i = 0; i < d->n_categories; i++)
        if (d->categories[i].name)
            nearest_try(&near, d->categories[i].name);
    fault_add(c->faults, 0, 0, "--categories", "category-unknown",
              "the annotations have no category \"%s\"%s", name,
              nearest_hint(&near, &c->faults->arena));
}

/* Selects categories by names separated by commas. A name may itself contain commas. */
static void want_some(struct chooser *c, const char *names)
{
    if (find_category(c->job->dataset, names)) {
        want(c, names);
        return;
    }
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, ",");

        if (length)
            want(c, arena_copy(&c->faults->arena, at, length));
        at += length + (at[length] == ',');
    }
}

static void take_categories(struct chooser *c)
{
    const struct names *names = &c->choice->categories;
    const struct dataset *list = c->job->dataset->list;
    size_t max_wanted = 0;

    if (!names->n)
        return;
    if (!c->job->dataset->format || list) {
        fault_add(c->faults, 0, 0, "--categories", "option-unused", "%s",
                  list ? "results cannot be selected by category; name the images"
                       : "without annotations there are no categories");
        return;
    }
    for (size_t i = 0; i < names->n; i++)
        max_wanted += strlen(names->at[i]) + 1;
    c->wanted = ARENA_ARRAY(&c->faults->arena, const struct category *, max_wanted);
    for (size_t i = 0; i < names->n; i++)
        want_some(c, names->at[i]);
}

static bool is_wanted(const struct chooser *c, const struct category *category)
{
    for (size_t i = 0; i < c->n_wanted; i++)
        if (c->wanted[i] == category)
            return true;
    return false;
}

/* True if the record has an object of a wanted category. A record that cannot be read is selected,
 * so that the command reports its fault. */
static bool has_wanted(const struct chooser *c, size_t record, struct arena *arena)
{
    const struct dataset *d = c->job->dataset;
    const struct record *r = &d->records[record];
    struct sample sample = { .arena = arena };
    struct faults faults = dataset_faults(d);
    bool found = false;

    if (d->format->has_category) {
        for (size_t i = 0; i < c->n_wanted && !found; i++)
            found = d->format->has_category(d, record, c->wanted[i]);
        return found;
    }
    if (r->height && c->job->images.trust != TRUST_FILE)
        sample.frame = (struct frame){ r->width, r->height };
    arena_reset(arena);
    found = !d->format->load(d, record, &c->job->plan->rules, &sample, &faults);
    for (size_t i = 0; i < sample.n_objects && !found; i++)
        found = is_wanted(c, sample.objects[i].category);
    faults_drop(&faults);
    return found;
}

/* --- the selection --- */

bool choice_matches(const struct names *patterns, const char *name)
{
    for (size_t i = 0; i < patterns->n; i++)
        if (path_matches(patterns->at[i], name))
            return true;
    return false;
}

static bool is_chosen(const struct chooser *c, size_t record, struct arena *arena)
{
    const struct image_selection *choice = c->choice;
    const char *name = c->job->dataset->records[record].name;

    return (!c->named || c->named[record]) &&
           (!choice->include.n || choice_matches(&choice->include, name)) &&
           !choice_matches(&choice->exclude, name) &&
           (!c->n_wanted || has_wanted(c, record, arena));
}

static bool choose(struct chooser *c)
{
    const struct dataset *d = c->job->dataset;
    size_t *chosen = ARENA_ARRAY(d->arena, size_t, d->n_records), n = 0;
    struct arena arena = { 0 };

    for (size_t i = 0; i < d->n_records; i++)
        if (is_chosen(c, i, &arena))
            chosen[n++] = i;
    arena_drop(&arena);
    c->job->images.chosen = chosen;
    c->job->images.n_records = n;
    c->job->images.choice = c->choice;
    return n ||
           fault_add(c->faults, 0, 0, "", "images-none",
                     "the selection matches no image of the dataset, which has %zu", d->n_records);
}

bool choice_make(struct image_selection *choice, struct job *job, struct faults *faults)
{
    struct chooser c = { .choice = choice, .job = job, .faults = faults };
    size_t before = faults->n;
    bool good;

    take_names(&c);
    take_categories(&c);
    good = faults->n == before;
    if (good && (c.named || c.n_wanted || choice->include.n || choice->exclude.n))
        good = choose(&c);
    name_index_drop(&c.names);
    return good;
}

/* --- output for run.json --- */

static void print_list(const char *name, const struct names *list, struct text *out)
{
    text_addf(out, "\"%s\": [", name);
    for (size_t i = 0; i < list->n; i++) {
        text_adds(out, i ? ", " : "");
        text_add_json(out, list->at[i], strlen(list->at[i]));
    }
    text_adds(out, "], ");
}

void choice_print(const struct job *job, struct text *out)
{
    const struct image_selection *c = job->images.choice;

    if (!c) {
        text_adds(out, "null");
        return;
    }
    text_addc(out, '{');
    print_list("include", &c->include, out);
    print_list("exclude", &c->exclude, out);
    print_list("categories", &c->categories, out);
    text_addf(out, "\"names\": %zu, \"hash\": \"%016llx\"}", c->n_names,
              (unsigned long long)c->names_hash);
}
