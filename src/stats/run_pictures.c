/* run_pictures: the pictures of a run's report. */
#include "stats/run_pictures.h"

#include "preview/html.h"
#include "preview/sheet_labels.h"
#include "preview/thumbnail_crop.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_BYTES = 1600000,  /* of all pictures of a page, in base64 */
    MAX_OUTLINES = 10000, /* bytes of a picture's labels after which outlines are left out */
    MAX_LABELS = 16000,   /* bytes after which labels are left out */
    QUALITY = 75,
};

void run_class_colour(size_t class, struct text *out)
{
    text_addf(out, "#%06x", (unsigned)sheet_colour(class, 0) & 0xffffff);
}

/* --- one picture --- */

/* An image of the source or of the outputs. */
struct shown_image {
    const struct survey *survey; /* or NULL */
    uint32_t image;              /* in the survey, or SURVEY_NONE */
    bool is_source;
    const char *name;
    struct frame frame;
};

static size_t class_of(const struct run_report *r, const struct shown_image *s,
                       const struct survey_object *o)
{
    return s->is_source ? run_class_before(r, o) : run_class_after(r, o);
}

/* Appends an image, or the reason why there is none; true if there is one. */
static bool add_image(struct run_pictures *p, const struct crop *crop, const char *alt,
                      struct text *out)
{
    struct text jpeg = { 0 }, why = { 0 };
    bool good = false;

    if (p->bytes >= MAX_BYTES)
        text_adds(&why, "the pictures of a page are limited to 1.6 MB");
    else
        good = crop_make(crop, &jpeg, &why);
    if (good) {
        p->bytes += jpeg.length / 3 * 4;
        text_adds(out, "<img alt=\"");
        html_text(out, alt, strlen(alt));
        text_adds(out, "\" src=\"data:image/jpeg;base64,");
        html_base64(out, jpeg.at, jpeg.length);
        text_adds(out, "\">");
    } else {
        text_adds(out, "<p class=\"quiet\">No picture: ");
        html_text(out, why.at, why.length);
        text_adds(out, "</p>");
    }
    text_drop(&jpeg);
    text_drop(&why);
    return good;
}

/* --- labels --- */

static void add_point(struct text *out, double x, double y)
{
    svg_number(out, x);
    text_addc(out, ',');
    svg_number(out, y);
    text_addc(out, ' ');
}

/* Appends the polygons of an annotation's JSON object. */
static void add_outlines(const struct survey_object *o, struct text *out)
{
    struct arena arena = { 0 };
    struct faults faults = { .name = "", .text = o->element };
    const struct value *root = value_parse(&faults, &arena), *list;

    list = root && root->kind == VALUE_OBJECT ? value_get(root, "segmentation") : NULL;
    for (size_t i = 0; list && list->kind == VALUE_LIST && i < list->n; i++) {
        const struct value *ring = &list->item[i];

        text_adds(out, "<polygon points=\"");
        for (size_t k = 0; ring->kind == VALUE_LIST && k + 1 < ring->n; k += 2)
            if (ring->item[k].kind == VALUE_NUMBER && ring->item[k + 1].kind == VALUE_NUMBER)
                add_point(out, ring->item[k].number, ring->item[k + 1].number);
        text_adds(out, "\"/>");
    }
    faults_drop(&faults);
    arena_drop(&arena);
}

static void add_label(const struct survey_object *o, size_t class, bool outlines, struct text *out)
{
    text_addf(out, "<g data-class=\"%zu\" stroke=\"", class);
    run_class_colour(class, out);
    text_adds(out, "\">");
    if (o->has_box) {
        text_adds(out, "<rect x=\"");
        svg_number(out, o->box[0]);
        text_adds(out, "\" y=\"");
        svg_number(out, o->box[1]);
        text_adds(out, "\" width=\"");
        svg_number(out, o->box[2] > 0 ? o->box[2] : 0);
        text_adds(out, "\" height=\"");
        svg_number(out, o->box[3] > 0 ? o->box[3] : 0);
        text_adds(out, "\"/>");
    }
    if (outlines && o->element.at && o->segmentation == SEGMENTATION_POLYGONS)
        add_outlines(o, out);
    text_adds(out, "</g>\n");
}

/* Appends the labels of an image as a drawing over it. Returns how many were left out. */
static size_t add_labels(const struct run_report *r, const struct shown_image *s, struct text *out)
{
    struct text labels = { 0 };
    size_t left_out = 0;

    for (size_t i = 0; s->survey && s->image != SURVEY_NONE && i < s->survey->n_objects; i++) {
        const struct survey_object *o = &s->survey->objects[i];

        if (o->image != s->image)
            continue;
        if (labels.length > MAX_LABELS)
            left_out++;
        else
            add_label(o, class_of(r, s, o), labels.length < MAX_OUTLINES, &labels);
    }
    if (labels.length)
        text_addf(out,
                  "<svg class=\"marks\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
                  "aria-hidden=\"true\">\n%s</svg>",
                  s->frame.width, s->frame.height, text_string(&labels));
    text_drop(&labels);
    return left_out;
}

/* --- classes of an image --- */

static size_t *count_classes(const struct run_report *r, const struct shown_image *s)
{
    size_t *n = memory_take(r->n_classes * sizeof *n);

    memset(n, 0, r->n_classes * sizeof *n);
    for (size_t i = 0; s->survey && s->image != SURVEY_NONE && i < s->survey->n_objects; i++)
        if (s->survey->objects[i].image == s->image)
            n[class_of(r, s, &s->survey->objects[i])]++;
    return n;
}

/* Appends "3 labels: 2 person, 1 car". */
static void add_words(const struct run_report *r, const size_t *classes, struct text *out)
{
    enum { NAMED = 8, LONGEST = 60 };
    size_t n = 0, named = 0;

    for (size_t i = 0; i < r->n_classes; i++)
        n += classes[i];
    text_addf(out, "%zu label%s", n, n == 1 ? "" : "s");
    for (size_t i = 0; i < r->n_classes && named < NAMED; i++)
        if (classes[i]) {
            const char *name = r->classes[i].name;
            size_t length = strlen(name), cut = length > LONGEST ? LONGEST : length;

            while (cut < length && cut && ((unsigned char)name[cut] & 0xc0) == 0x80)
                cut--;
            text_addf(out, "%s%zu ", named++ ? ", " : ": ", classes[i]);
            text_add(out, name, cut);
            text_adds(out, cut < length ? "..." : "");
        }
}

static void add_chips(const struct run_report *r, const size_t *before, const size_t *after,
                      struct text *out)
{
    enum { CHIPS = 12 };
    size_t n = 0;

    for (size_t i = 0; i < r->n_classes; i++)
        if ((before[i] || after[i]) && n++ < CHIPS) {
            text_adds(out, "<span><span class=\"chip\" style=\"background:");
            run_class_colour(i, out);
            text_adds(out, "\"></span><bdi>");
            html_text(out, r->classes[i].name, strlen(r->classes[i].name));
            if (r->in.before)
                text_addf(out, "</bdi> %zu &rarr; %zu</span>\n", before[i], after[i]);
            else
                text_addf(out, "</bdi> %zu</span>\n", after[i]);
        }
    if (n > CHIPS)
        text_addf(out, " and %zu more classes", n - CHIPS);
}

/* --- pairs --- */

static void add_shot(struct run_pictures *p, const struct shown_image *s, const size_t *classes,
                     struct text *out)
{
    const char *what = s->is_source ? "Source" : "Output";
    struct text alt = { 0 };
    size_t left_out = 0;

    text_addf(out, "<div><p>%s: <code>", what);
    html_text(out, s->name, strlen(s->name));
    text_addf(out, "</code>, %d x %d</p>", s->frame.width, s->frame.height);
    text_addf(&alt, "%s %s, ", what, s->name);
    add_words(p->r, classes, &alt);
    if (s->is_source && !*p->r->in.images) {
        text_adds(out, "<p class=\"quiet\">No picture: the run does not record where its images "
                       "are; name their folder with -i.</p>");
    } else if (!s->is_source && p->r->in.packed) {
        text_adds(out, "<p class=\"quiet\">No picture: the outputs are in archives.</p>");
    } else {
        const struct crop crop = { .folder = s->is_source ? p->r->in.images : p->r->in.out,
                                   .name = s->name,
                                   .frame = s->frame,
                                   .quality = QUALITY };

        text_adds(out, "<div class=\"shot\">");
        if (add_image(p, &crop, text_string(&alt), out))
            left_out = add_labels(p->r, s, out);
        text_adds(out, "</div>");
        if (left_out)
            text_addf(out, "<p class=\"quiet\">%zu of the labels are not drawn.</p>", left_out);
    }
    text_adds(out, "</div>\n");
    text_drop(&alt);
}

static struct frame frame_of(const struct value *line, const char *name)
{
    const struct value *v = value_get(line, name);
    struct frame f = { 0 };

    if (v && v->kind == VALUE_LIST && v->n == 2 && v->item[0].kind == VALUE_NUMBER &&
        v->item[1].kind == VALUE_NUMBER && v->item[0].number >= 1 && v->item[1].number >= 1 &&
        v->item[0].number <= 1e9 && v->item[1].number <= 1e9)
        f = (struct frame){ (int)v->item[0].number, (int)v->item[1].number };
    return f;
}

static void add_steps(const struct value *line, struct text *out)
{
    enum { NAMED = 16 };
    const struct value *steps = value_get(line, "steps");

    text_adds(out, "<p>Steps: ");
    if (!steps || steps->kind != VALUE_LIST || !steps->n)
        text_adds(out, "none");
    else
        for (size_t i = 0; i < steps->n && i < NAMED; i++) {
            const char *type = run_text(&steps->item[i], "type");

            text_adds(out, i ? ", " : "");
            html_text(out, type, strlen(type));
        }
    text_adds(out, "</p>");
}

static void add_pair(struct run_pictures *p, const struct value *line,
                     const struct shown_image *source, const struct shown_image *output,
                     struct text *out)
{
    const struct run_report *r = p->r;
    size_t *before = count_classes(r, source), *after = count_classes(r, output);

    text_adds(out, "<figure class=\"pair\" data-classes=\" ");
    for (size_t i = 0; i < r->n_classes; i++)
        if (before[i] || after[i])
            text_addf(out, "%zu ", i);
    text_adds(out, "\"><div class=\"two\">\n");
    add_shot(p, source, before, out);
    add_shot(p, output, after, out);
    text_adds(out, "</div><figcaption>");
    add_steps(line, out);
    add_chips(r, before, after, out);
    text_adds(out, "</figcaption></figure>\n");
    free(before);
    free(after);
}

void run_pictures_pair(struct run_pictures *p, size_t number, struct text *out)
{
    const struct run_report *r = p->r;
    const struct run_line *line = (const struct run_line *)r->lines.at + number;
    struct arena arena = { 0 };
    const struct value *root = run_report_line(r, number, &arena);
    const struct shown_image source = { r->in.before, line->before, true, run_text(root, "source"),
                                        frame_of(root, "size_in") };
    const struct shown_image output = { r->in.after->survey, line->after, false,
                                        run_text(root, "output"), frame_of(root, "size_out") };

    add_pair(p, root, &source, &output, out);
    arena_drop(&arena);
}

/* --- dropped objects --- */

static void add_case_words(const struct run_pictures *p, const struct run_case *c,
                           const char *reason, const struct value *line, struct text *out)
{
    const struct survey_object *o = &p->r->in.before->objects[c->object];
    size_t class = run_class_before(p->r, o);

    text_addf(out, "%s: ", p->r->classes[class].name);
    text_addf(out, "%.0f square pixels in %s, dropped in %s", c->area,
              p->r->in.before->images[o->image].name, run_text(line, "output"));
    if (strncmp(reason, "min_", 4) == 0 || strncmp(reason, "max_", 4) == 0)
        text_addf(out, " (%s: %.3g)", reason, c->value);
    else
        text_addf(out, " (%s)", reason);
}

void run_pictures_case(struct run_pictures *p, const struct run_case *c, const char *reason,
                       struct text *out)
{
    const struct survey *before = p->r->in.before;
    const struct survey_object *o = &before->objects[c->object];
    const struct survey_image *image = &before->images[o->image];
    const struct box box = { o->box[0], o->box[1], o->box[0] + o->box[2], o->box[1] + o->box[3] };
    struct arena arena = { 0 };
    const struct value *line = run_report_line(p->r, c->line, &arena);
    const char *source = run_text(line, "source");
    /* The name in the annotations may have another form than the file. */
    bool own = ((const struct run_line *)p->r->lines.at)[c->line].before == o->image;
    const struct crop crop = { .folder = p->r->in.images,
                               .name = own ? source : image->name,
                               .box = o->has_box ? &box : NULL,
                               .frame = own ? frame_of(line, "size_in") : (struct frame){ 0 },
                               .quality = QUALITY };
    struct text words = { 0 };

    add_case_words(p, c, reason, line, &words);
    text_addf(out, "<figure data-class=\"%zu\">", run_class_before(p->r, o));
    add_image(p, &crop, text_string(&words), out);
    text_adds(out, "<figcaption>");
    html_text(out, words.at, words.length);
    text_adds(out, "</figcaption></figure>\n");
    text_drop(&words);
    arena_drop(&arena);
}
