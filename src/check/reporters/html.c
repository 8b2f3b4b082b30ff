/* html: one page without scripts: counts, findings by rule, and pictures of them. */
#include "preview/html.h"
#include "preview/thumbnail_crop.h"
#include "check/reporter.h"

#include <stdlib.h>
#include <string.h>

enum {
    PICTURES = 60,        /* per page */
    PICTURES_OF_RULE = 6, /* per rule */
};

/* The part of the page for one rule. */
struct rule_part {
    struct text rows; /* rows of its table */
    const struct finding *picture[PICTURES_OF_RULE];
    size_t n_pictures;
};

struct state {
    struct rule_part *part; /* one for each setting */
    size_t pictures;        /* printed so far */
};

static void print_begin(struct report *r)
{
    struct state *s = r->state;

    s->part = memory_take((r->check->n_settings + 1) * sizeof *s->part);
    memset(s->part, 0, r->check->n_settings * sizeof *s->part);
}

static bool wants_picture(const struct report *r, const struct rule_part *p,
                          const struct finding *f)
{
    const struct checked_image *image = finding_image(r->check, f);

    return image && *image->name && finding_file(r->check, f)->roots.n &&
           f->list != LIST_CATEGORIES && p->n_pictures < PICTURES_OF_RULE;
}

static void take_finding(struct report *r, const struct finding *f)
{
    struct state *s = r->state;
    struct rule_part *p = &s->part[check_setting(r->check, f->rule) - r->check->settings];
    const char *file = finding_name(r->check, f);
    struct text words = { 0 };

    text_adds(&p->rows, "<tr><td><code>");
    html_text(&p->rows, file, strlen(file));
    text_addf(&p->rows, ":%llu:%llu</code></td><td>", (unsigned long long)f->line,
              (unsigned long long)f->column);
    report_add_words(r->check, f, &words);
    html_text(&p->rows, words.at, words.length);
    text_adds(&p->rows, "</td></tr>\n");
    text_drop(&words);
    if (wants_picture(r, p, f))
        p->picture[p->n_pictures++] = f;
}

/* --- pictures --- */

/* Returns the part of the image with the finding's shape, or with its annotation's box; or nothing.
 */
static struct crop crop_of(const struct check *c, const struct finding *f, struct box *box)
{
    const struct annotation_file *file = finding_file(c, f);
    struct crop crop = { .folder = file_root_of(file, f->image),
                         .name = finding_image(c, f)->name };
    const float *b;

    if (f->shape) {
        crop.box = f->shape->kind == SHAPE_BOX ? &f->shape->box : NULL;
        crop.ring = f->shape->kind == SHAPE_RING ? &f->shape->ring : NULL;
        crop.point = f->shape->kind == SHAPE_POINT ? &f->shape->point : NULL;
    } else if (f->list == LIST_ANNOTATIONS && f->index < file->n_annotations) {
        b = file->annotations[f->index].box;
        *box = (struct box){ b[0], b[1], b[0] + b[2], b[1] + b[3] };
        crop.box = b[2] != 0 || b[3] != 0 ? box : NULL;
    }
    return crop;
}

static void print_picture(struct report *r, const struct finding *f)
{
    struct text out = { 0 }, jpeg = { 0 }, why = { 0 }, words = { 0 };
    struct box box;
    const struct crop crop = crop_of(r->check, f, &box);

    text_adds(&out, "<figure>");
    if (crop_make(&crop, &jpeg, &why)) {
        text_adds(&out, "<img alt=\"\" src=\"data:image/jpeg;base64,");
        html_base64(&out, jpeg.at, jpeg.length);
        text_adds(&out, "\">");
    } else {
        text_adds(&out, "<p class=\"quiet\">no picture: ");
        html_text(&out, why.at, why.length);
        text_adds(&out, "</p>");
    }
    report_add_words(r->check, f, &words);
    text_adds(&out, "<figcaption>");
    html_text(&out, words.at, words.length);
    text_adds(&out, "</figcaption></figure>\n");
    fwrite(out.at, 1, out.length, r->out);
    text_drop(&out);
    text_drop(&jpeg);
    text_drop(&why);
    text_drop(&words);
}

static void print_pictures(struct report *r, const struct rule_part *p)
{
    struct state *s = r->state;

    if (!p->n_pictures || s->pictures >= PICTURES)
        return;
    fputs("<div class=\"pictures\">\n", r->out);
    for (size_t i = 0; i < p->n_pictures && s->pictures < PICTURES; i++, s->pictures++)
        print_picture(r, p->picture[i]);
    fputs("</div>\n", r->out);
}

/* --- the page --- */

static void print_text(struct report *r, const char *words)
{
    struct text out = { 0 };

    html_text(&out, words, strlen(words));
    fputs(text_string(&out), r->out);
    text_drop(&out);
}

static void print_rule(struct report *r, const struct rule_setting *s)
{
    struct state *state = r->state;
    struct rule_part *p = &state->part[s - r->check->settings];
    size_t times = report_times(s);
    const char *severity = severity_word(s->severity);

    fprintf(r->out, "<h2 id=\"%s\"><span class=\"%s\">%s</span> %s: ", s->rule->id, severity,
            severity, s->rule->id);
    print_text(r, s->rule->summary);
    fputs("</h2>\n<p>", r->out);
    print_text(r, s->rule->cause);
    fputs("<br>", r->out);
    print_text(r, s->rule->remedy);
    fputs("</p>\n", r->out);
    print_pictures(r, p);
    fprintf(r->out, "<table>\n%s</table>\n", text_string(&p->rows));
    if (times > r->max_findings)
        fprintf(r->out, "<p class=\"quiet\">and %zu more</p>\n", times - r->max_findings);
}

static void print_summary(struct report *r, const struct rule_setting *const *all, size_t n)
{
    const struct check *c = r->check;
    struct text totals = { 0 };

    report_add_totals(c, &totals);
    fprintf(r->out, "<p>%s", text_string(&totals));
    text_drop(&totals);
    if (c->n_hidden)
        fprintf(r->out, "; %zu in the baseline", c->n_hidden);
    fputs("</p>\n<table>\n", r->out);
    for (size_t i = 0; i < n; i++) {
        const char *severity = severity_word(all[i]->severity);

        fprintf(r->out,
                "<tr><td class=\"%s\">%s</td><td><a href=\"#%s\">%s</a></td>"
                "<td class=\"number\">%zu</td><td>",
                severity, severity, all[i]->rule->id, all[i]->rule->id, report_times(all[i]));
        print_text(r, all[i]->rule->summary);
        fputs("</td></tr>\n", r->out);
    }
    fputs("</table>\n", r->out);
    if (n && c->n_files && c->files[0].roots.n)
        fprintf(r->out,
                "<p class=\"quiet\">The first %d findings with an image of each rule have a "
                "picture, up to %d pictures in total.</p>\n",
                PICTURES_OF_RULE, PICTURES);
}

static void add_title(const struct check *c, struct text *out)
{
    text_adds(out, "lockstep check:");
    for (size_t i = 0; i < c->n_files; i++)
        text_addf(out, "%s %s", i ? "," : "", c->files[i].name);
}

static void print_end(struct report *r)
{
    struct state *s = r->state;
    const struct check *c = r->check;
    const struct rule_setting **all =
        memory_take((c->n_settings + 1) * sizeof(struct rule_setting *));
    size_t n = report_settings(c, all);
    struct text out = { 0 }, title = { 0 };

    add_title(c, &title);
    html_open(&out, text_string(&title));
    fputs(text_string(&out), r->out);
    print_summary(r, all, n);
    for (size_t i = 0; i < n; i++)
        print_rule(r, all[i]);
    text_clear(&out);
    html_close(&out);
    fputs(text_string(&out), r->out);
    for (size_t i = 0; i < c->n_settings; i++)
        text_drop(&s->part[i].rows);
    free(s->part);
    free(all);
    text_drop(&out);
    text_drop(&title);
}

const struct reporter html_reporter = {
    .name = "html",
    .summary = "one page without script, with pictures of findings (with -i)",
    .state = sizeof(struct state),
    .max_findings = 100,
    .begin = print_begin,
    .finding = take_finding,
    .end = print_end,
};
