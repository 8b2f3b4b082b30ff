/* coverage: which names of each library are steps here, and which are not. */
#include "manual/manual.h"

#include "migrate/aliases/foreign.h"

#include <string.h>
#include <strings.h>

/* Ultralytics' transforms have no names of their own in pipelines, but YOLO's training settings do.
 */
static const struct {
    const char *name;
    enum origin
        origin; /* origin of lockstep's own transforms with the library's names; or ORIGIN_NONE */
} libraries[] = {
    { "torchvision", ORIGIN_TORCHVISION },
    { "Albumentations", ORIGIN_ALBUMENTATIONS },
    { "MMDetection", ORIGIN_MMDETECTION },
    { "detectron2", ORIGIN_NONE },
    { "Ultralytics", ORIGIN_YOLO },
    { "imgaug", ORIGIN_NONE },
    { "Kornia", ORIGIN_NONE },
};

enum cover { COVER_SAME, COVER_OTHER, COVER_LOADER, COVER_NOTHING, COVERS };
static const char *const words[COVERS] = { "same", "other", "loader", "none" };

const char *library_name(size_t i)
{
    return i < COUNTOF(libraries) ? libraries[i].name : NULL;
}

static bool is_of(const struct foreign_name *f, const char *library)
{
    return strstr(f->libraries, library) != NULL && !strstr(f->remark, "is a base class");
}

/* Appends the name of a row's step. */
static void print_step(const struct foreign_name *f, struct text *out)
{
    static const char before[] = "{'type': '";
    const char *at = f->step + strlen(before);

    text_add(out, at, strcspn(at, "'"));
}

static enum cover cover_of(const struct foreign_name *f)
{
    struct text step = { 0 };
    bool same;

    if (!f->step)
        return strncmp(f->remark, "leave it out", 12) == 0 ? COVER_LOADER : COVER_NOTHING;
    print_step(f, &step);
    same = strcmp(text_string(&step), f->name) == 0;
    text_drop(&step);
    return same ? COVER_SAME : COVER_OTHER;
}

/* True if the library has the name in a row before this one, or a transform has it. */
static bool is_known(size_t library, size_t i)
{
    const struct foreign_name *f = foreign_at(i), *before;
    const struct transform *t = registry_transform(f->name);

    for (size_t k = 0; k < i; k++) {
        before = foreign_at(k);
        if (strcmp(before->name, f->name) == 0 && is_of(before, libraries[library].name))
            return true;
    }
    return t && t->origin == libraries[library].origin;
}

struct line {
    const char *name, *step, *remark;
    enum cover cover;
};

/* Calls `each` for all names of a library: transforms of lockstep with its names, and then rows of
 * the table. */
static void walk(size_t library, void (*each)(const struct line *, void *), void *context)
{
    const struct foreign_name *f;

    for (const struct transform *const *t = registry_transforms; *t; t++)
        if ((*t)->origin == libraries[library].origin)
            each(&(struct line){ (*t)->name, (*t)->name, "", COVER_SAME }, context);
    for (size_t i = 0; (f = foreign_at(i)); i++) {
        struct text step = { 0 };

        if (!is_of(f, libraries[library].name) || is_known(library, i))
            continue;
        if (f->step)
            print_step(f, &step);
        each(&(struct line){ f->name, text_string(&step), f->remark, cover_of(f) }, context);
        text_drop(&step);
    }
}

static void add_line(const struct line *line, void *context)
{
    struct text *out = context;
    bool other = line->cover == COVER_OTHER;

    text_addf(out, "%-32s  %-6s  %s%s%s\n", line->name, words[line->cover], other ? line->step : "",
              other && *line->remark ? "; " : "", line->remark);
}

bool manual_list_origin(struct text *out, const char *library)
{
    for (size_t i = 0; i < COUNTOF(libraries); i++)
        if (strcasecmp(libraries[i].name, library) == 0) {
            walk(i, add_line, out);
            return true;
        }
    return false;
}

static void count_line(const struct line *line, void *context)
{
    ((int *)context)[line->cover]++;
}

void manual_coverage(struct page *p)
{
    struct text table = { 0 };

    text_addf(&table, "%-16s%8s%8s%8s%8s%8s\n", "", "names", words[0], words[1], words[2],
              words[3]);
    for (size_t i = 0; i < COUNTOF(libraries); i++) {
        int n[COVERS] = { 0 };

        walk(i, count_line, n);
        text_addf(&table, "%-16s%8d%8d%8d%8d%8d%s", libraries[i].name, n[0] + n[1] + n[2] + n[3],
                  n[0], n[1], n[2], n[3], i + 1 < COUNTOF(libraries) ? "\n" : "");
    }
    page_paragraph(p, "The table counts the names of other libraries' transforms that lockstep "
                      "knows. Some are steps of the same name, or are written as another step. "
                      "Others are left to the loader that trains, or have no equivalent. `lockstep "
                      "list --origin LIBRARY` lists them one by one.");
    page_code(p, text_string(&table));
    text_drop(&table);
}
