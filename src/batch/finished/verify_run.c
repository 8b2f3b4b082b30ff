/* verify_run: checks run.json and errors.jsonl. */
#include "batch/finished/verify.h"

#include "batch/manifest/recorded_steps.h"

#include "json/value.h"
#include "steps/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns a count in run.json, such as images.written; or -1, with a report, if it is missing. */
static int64_t read_count(struct verify_state *v, const char *object, const char *name)
{
    const struct value *counts = value_get(v->run.root, object);
    const struct value *n = counts && counts->kind == VALUE_OBJECT ? value_get(counts, name) : NULL;
    struct text why = { 0 };
    int64_t number = -1;

    if (n && n->kind == VALUE_NUMBER && n->number >= 0 && n->number < 9e15)
        number = (int64_t)n->number;
    if (number < 0) {
        text_addf(&why, "it has no count %s.%s", object, name);
        verify_report(v, "run.json", "verify-damaged", text_string(&why));
    }
    text_drop(&why);
    return number;
}

static const struct format *find_format(const struct value *name)
{
    if (name && name->kind == VALUE_TEXT)
        for (EACH(format, format, registry_formats))
            if (strcmp(format->name, name->text) == 0)
                return format;
    return NULL;
}

/* Checks that run.json lists every file that the run wrote, and that OUT has every file of the
 * list. */
static void check_files(struct verify_state *v)
{
    const struct format *writer = v->run.writer;
    const char *const written[] = {
        "manifest.jsonl",
        "run.json",
        v->run.skipped > 0 ? "errors.jsonl" : NULL,
        writer && !writer->suffix && !v->run.parts ? format_file(writer) : NULL,
        writer && v->run.parts && writer->divided_index ? writer->divided_index
        : writer                                        ? writer->index
                                                        : NULL,
    };
    struct text why = { 0 };

    for (size_t i = 0; i < COUNTOF(written); i++) {
        if (!written[i] || earlier_files_contain(&v->former, written[i]))
            continue;
        text_clear(&why);
        text_addf(&why, "it does not list %s", written[i]);
        verify_report(v, "run.json", "verify-damaged", text_string(&why));
    }
    for (size_t i = 0; v->run.parts && i < v->run.parts->n; i++) {
        const char *file = verify_part_file(v, i);

        text_clear(&why);
        text_addf(&why, "it does not list %s", file ? file : "");
        if (file && !earlier_files_contain(&v->former, file))
            verify_report(v, "run.json", "verify-damaged", text_string(&why));
        else if (file && writer && writer->lines && !out_dir_has_entry(&v->outdir, file))
            verify_report(v, file, "verify-missing", "it is not there");
    }
    for (size_t i = 1; i < v->former.n; i++)
        if (strcmp(v->former.names[i - 1], v->former.names[i]) == 0)
            verify_report(v, v->former.names[i], "verify-count", "it is listed twice");
    for (size_t i = 0; i < v->run.files->n; i++) {
        const char *name = v->run.files->item[i].text;

        if (!out_dir_has_entry(&v->outdir, name))
            verify_report(v, name, "verify-missing", "it is not there");
    }
    text_drop(&why);
}

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Collects the ids of the categories, sorted. Each category must have a unique id, and a name. */
static void check_categories(struct verify_state *v)
{
    const struct value *ids = value_get(v->run.root, "categories");
    const struct value *names = value_get(v->run.root, "category_names");
    size_t n = ids && ids->kind == VALUE_LIST ? ids->n : 0;
    bool good = (!ids || ids->kind == VALUE_LIST) && n == (names ? names->n : 0);

    v->category = ARENA_ARRAY(&v->former.arena, int64_t, n);
    for (size_t i = 0; i < n; i++) {
        good &= ids->item[i].kind == VALUE_NUMBER && fabs(ids->item[i].number) < 0x1p53;
        v->category[i] = good ? (int64_t)ids->item[i].number : (int64_t)i;
    }
    v->n_categories = n;
    if (n)
        qsort(v->category, n, sizeof *v->category, by_number);
    for (size_t i = 1; i < n; i++)
        good &= v->category[i - 1] != v->category[i];
    if (!good)
        verify_report(v, "run.json", "verify-damaged",
                      "its categories do not each have a unique id and a name");
}

bool verify_has_category(const struct verify_state *v, int64_t id)
{
    return v->n_categories &&
           bsearch(&id, v->category, v->n_categories, sizeof id, by_number) != NULL;
}

const char *verify_part_file(const struct verify_state *v, size_t part)
{
    const struct value *file = value_get(&v->run.parts->item[part], "annotations");

    return file && file->kind == VALUE_TEXT ? file->text : NULL;
}

/* Returns the list of parts; NULL without one, or if it is damaged, which is reported. */
static const struct value *find_run_parts(struct verify_state *v)
{
    const struct value *parts = value_get(v->run.root, "parts");
    bool good = !parts || parts->kind == VALUE_LIST;

    for (size_t i = 0; good && parts && i < parts->n; i++) {
        const struct value *part = &parts->item[i];
        const struct value *name = part->kind == VALUE_OBJECT ? value_get(part, "name") : NULL;

        good = name && name->kind == VALUE_TEXT;
    }
    if (!good)
        verify_report(v, "run.json", "verify-damaged", "its parts do not each have a name");
    return good ? parts : NULL;
}

bool verify_run(struct verify_state *v)
{
    static const char *const members[] = { "pipeline", "copies", "key", "notes" };
    struct faults faults = { .name = "run.json" };
    struct text bytes = { 0 }, why = { 0 };
    struct run_facts *s = &v->run;
    const struct value *to;

    if (verify_read(v, "run.json", &bytes)) {
        faults.text = (struct slice){ text_string(&bytes), bytes.length };
        s->root = value_parse(&faults, &v->former.arena);
    }
    if (!s->root || s->root->kind != VALUE_OBJECT) {
        fault_add(v->faults, 0, 0, "run.json", "out-damaged", "it is not the run.json of a run");
        s->root = NULL;
    } else {
        for (size_t i = 0; i < COUNTOF(members); i++)
            if (!value_get(s->root, members[i])) {
                text_clear(&why);
                text_addf(&why, "it has no member \"%s\"", members[i]);
                verify_report(v, "run.json", "verify-damaged", text_string(&why));
            }
        to = value_get(s->root, "to");
        s->files = value_get(s->root, "files");
        s->reader = find_format(value_get(s->root, "format"));
        s->writer = to ? find_format(to) : s->reader;
        v->source_ids = s->reader && s->reader->ids_of_image && s->reader != s->writer;
        s->parts = find_run_parts(v);
        v->dense = ARENA_ARRAY(&v->former.arena, bool, s->parts ? s->parts->n + 1 : 1);
        s->images = read_count(v, "images", "written");
        s->skipped = read_count(v, "images", "skipped");
        s->objects = read_count(v, "annotations", "written");
        check_files(v);
        check_categories(v);
    }
    faults_drop(&faults);
    text_drop(&bytes);
    text_drop(&why);
    return s->root != NULL;
}

/* True if the line describes an image that failed, with its code. */
static bool is_error(struct slice line)
{
    static const char *const members[] = { "source", "outcome", "code", "message" };
    struct scan s = scan_start(line, 0);
    struct slice whole;
    bool good = scan_peek(&s) == '{' && scan_value(&s, &whole) && scan_end(&s);

    for (size_t i = 0; good && i < COUNTOF(members); i++)
        good = pick_again(line, members[i]).at != line.at;
    return good;
}

static void check_errors(struct verify_state *v)
{
    struct text bytes = { 0 }, why = { 0 };
    struct slice all;
    int64_t n = 0, wrong = 0;

    if (earlier_files_contain(&v->former, "errors.jsonl") &&
        verify_read(v, "errors.jsonl", &bytes)) {
        all = (struct slice){ text_string(&bytes), bytes.length };
        for (uint64_t at = 0; at < all.length; n++) {
            struct slice line = slice_line(all, at);

            if (!is_error(line) && !wrong)
                wrong = n + 1;
            at += line.length + 1;
        }
        if (all.length && all.at[all.length - 1] != '\n' && !wrong)
            wrong = n;
        if (wrong) {
            text_addf(&why, "line %lld is not an image that failed", (long long)wrong);
            verify_report(v, "errors.jsonl", "verify-damaged", text_string(&why));
        }
        if (n != v->run.skipped && v->run.skipped >= 0)
            verify_count(v, "errors.jsonl", "lines", n, v->run.skipped);
    }
    text_drop(&bytes);
    text_drop(&why);
}

void verify_counts(struct verify_state *v)
{
    const struct run_facts *s = &v->run;

    if ((int64_t)v->n_lines != s->images && s->images >= 0)
        verify_count(v, "manifest.jsonl", "lines", (int64_t)v->n_lines, s->images);
    if ((int64_t)v->n_objects != s->objects && s->objects >= 0)
        verify_count(v, "manifest.jsonl", "annotations", (int64_t)v->n_objects, s->objects);
    check_errors(v);
}
