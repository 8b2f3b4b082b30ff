/* sheet_caption: the texts of a contact sheet. */
#include "preview/sheet_paint.h"

#include <stdio.h>
#include <string.h>

static const struct svg_letters title_letters = { .size = 13, .bold = true, .colour = "#f2f2f2" };
static const struct svg_letters key_letters = { .size = 11, .colour = "#c9ccd1" };
static const struct svg_letters name_letters = { .size = 11, .bold = true, .colour = "#f2f2f2" };
static const struct svg_letters size_letters = { .size = 11, .colour = "#c9ccd1" };
static const struct svg_letters note_letters = { .size = 10.5, .colour = "#a4a9b0" };

/* Draws a line of a caption, cut to the width of the cell after `indent`. */
static void add_line(struct sheet_painter *w, const struct cell *cell, int line, double indent,
                     const struct svg_letters *letters, enum svg_cut cut, const char *string)
{
    struct text fitting = { 0 };
    struct point at = { cell->x + indent, cell->y + cell->shown.height + 14 * line };

    svg_letters_fit(letters, string, w->layout->sheet->width - indent, cut, &fitting);
    svg_letters(&w->svg, at, letters, text_string(&fitting));
    text_drop(&fitting);
}

/* Appends the image's labels: "; cat 0.7, dog 0.3;". Weights of 1 are left out. */
static void describe_labels(const struct sample *s, struct text *out)
{
    for (size_t i = 0; i < s->n_labels; i++) {
        const struct image_label *label = &s->labels[i];

        text_addf(out, "%s%s", i ? ", " : "; ", label->category->name);
        if (label->weight != 1)
            text_addf(out, " %.3g", label->weight);
    }
    text_adds(out, s->n_labels && s->n_objects ? ";" : "");
}

/* Appends "512 x 512, 3 of 5 objects" or, with labels, "512 x 512; street 0.7, park 0.3; 3
 * objects". */
static void describe(const struct sample *s, bool labels, struct text *out)
{
    const char *comma;
    size_t kept = 0;

    for (size_t i = 0; i < s->n_objects; i++)
        kept += !s->objects[i].final.dropped;
    text_addf(out, "%d \xc3\x97 %d", s->frame.width, s->frame.height);
    if (labels)
        describe_labels(s, out);
    comma = labels && s->n_labels ? "" : ",";
    if (kept < s->n_objects)
        text_addf(out, "%s %zu of %zu objects", comma, kept, s->n_objects);
    else if (s->n_objects)
        text_addf(out, "%s %zu object%s", comma, s->n_objects, s->n_objects > 1 ? "s" : "");
}

static bool is_named_before(const struct inputs *inputs, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(inputs->at[k].source, inputs->at[i].source) == 0)
            return true;
    return false;
}

/* Appends the op's name with the images that it borrows: "join (2.png, 7.png)". */
static void name_op(const struct resolved_op *d, struct text *out)
{
    bool any = false;

    text_adds(out, d->op->name);
    for (ROWS (row, d->op->params)) {
        const struct inputs *inputs = (const void *)((const char *)d->params + row->offset);

        for (size_t i = 0; row->kind == &inputs_kind && i < inputs->n; i++)
            if (*inputs->at[i].source && !is_named_before(inputs, i)) {
                text_addf(out, "%s%s", any ? ", " : " (", inputs->at[i].source);
                any = true;
            }
    }
    text_adds(out, any ? ")" : "");
}

/* Draws the names of the resolved ops on two lines; the second is cut to fit. */
static void caption_ops(struct sheet_painter *w, const struct cell *cell,
                        const struct resolved_ops *resolved_ops)
{
    struct text line = { 0 }, name = { 0 };
    double width = w->layout->sheet->width;
    int number = 2;

    for (size_t i = 0; i < resolved_ops->n; i++) {
        const char *comma = i + 1 < resolved_ops->n ? "," : "";
        double length;

        text_clear(&name);
        name_op(&resolved_ops->at[i], &name);
        length = svg_letters_width(&note_letters, text_string(&line)) +
                 svg_letters_width(&note_letters, text_string(&name)) +
                 svg_letters_width(&note_letters, " ,");
        if (number == 2 && line.length && length > width) {
            add_line(w, cell, number++, 0, &note_letters, SVG_CUT_END, text_string(&line));
            text_clear(&line);
        }
        text_addf(&line, "%s%s%s", line.length ? " " : "", text_string(&name), comma);
    }
    add_line(w, cell, number, 0, &note_letters, SVG_CUT_END,
             resolved_ops->n ? text_string(&line) : "unchanged");
    text_drop(&name);
    text_drop(&line);
}

/* Appends "dropped: 2 outside, 1 min_area". */
static void describe_dropped(const struct sample *s, struct text *out)
{
    for (size_t i = 0; i < s->n_objects; i++) {
        const char *reason = s->objects[i].final.dropped ? s->objects[i].final.reason : NULL;
        size_t n = 0;
        bool first = true;

        for (size_t k = 0; reason && k < s->n_objects; k++) {
            bool same =
                s->objects[k].final.dropped && strcmp(s->objects[k].final.reason, reason) == 0;

            n += same;
            first &= !same || k >= i;
        }
        if (reason && first)
            text_addf(out, "%s%zu %s", out->length ? ", " : "dropped: ", n, reason);
    }
}

static void caption_dropped(struct sheet_painter *w, const struct cell *cell,
                            const struct sample *s)
{
    struct text reasons = { 0 };

    describe_dropped(s, &reasons);
    add_line(w, cell, 4, 0, &note_letters, SVG_CUT_END, text_string(&reasons));
    text_drop(&reasons);
}

void sheet_failure(struct sheet_painter *w, const struct cell *cell, const char *name,
                   const char *why)
{
    struct box box = { cell->x, cell->y, cell->x + cell->shown.width,
                       cell->y + cell->shown.height };
    struct text line = { 0 };
    double y = cell->y + 20;

    svg_rectangle(&w->svg, box, (struct svg_ink){ "#5a2226", 1 });
    add_line(w, cell, 1, 0, &name_letters, SVG_CUT_START, name);
    while (*why && y < box.y1 - 4) {
        size_t length = strcspn(why, " ");
        struct text word = { 0 };

        text_add(&word, why, length);
        if (line.length && svg_letters_width(&size_letters, text_string(&line)) +
                                   svg_letters_width(&size_letters, text_string(&word)) >
                               cell->shown.width - 24) {
            svg_letters(&w->svg, (struct point){ cell->x + 10, y }, &size_letters,
                        text_string(&line));
            text_clear(&line);
            y += LINE;
        }
        text_addf(&line, "%s%s", line.length ? " " : "", text_string(&word));
        text_drop(&word);
        why += length + strspn(why + length, " ");
    }
    if (y < box.y1)
        svg_letters(&w->svg, (struct point){ cell->x + 10, y }, &size_letters, text_string(&line));
    text_drop(&line);
}

/* Appends "copy 2", or nothing for an original, which has a line for its name. */
static void name_copy(const struct layout *l, const struct pending_output *out, struct text *name)
{
    unsigned fan_out = l->sheet->job->plan->fan_out;

    if (out->k == 0)
        return;
    text_addf(name, "copy %u", out->k / fan_out - 1);
    if (fan_out > 1)
        text_addf(name, ".%u", out->k % fan_out);
}

/* Returns the x of the size, after the copy's name. */
static double size_indent(const struct text *name)
{
    return name->length ? svg_letters_width(&name_letters, text_string(name)) + 8 : 0;
}

/* Appends "cat 0.7", cut to the available width. Only the name is cut, at its end. */
static void name_label(const struct image_label *label, double width, struct text *out)
{
    struct text weight = { 0 };

    if (label->weight != 1)
        text_addf(&weight, " %.3g", label->weight);
    svg_letters_fit(&size_letters, label->category->name,
                    width - svg_letters_width(&size_letters, text_string(&weight)), SVG_CUT_END,
                    out);
    text_adds(out, text_string(&weight));
    text_drop(&weight);
}

/* Draws the image's labels with their weights, from a line on; with `w` NULL, only counts them.
 * Returns the number of lines. */
static int caption_labels(struct sheet_painter *w, const struct layout *l, const struct cell *cell,
                          const struct sample *s, int number)
{
    struct text line = { 0 }, label = { 0 };
    double width = l->sheet->width - svg_letters_width(&size_letters, ", ");
    int n = 0;

    for (size_t i = 0; i < s->n_labels; i++) {
        text_clear(&label);
        name_label(&s->labels[i], width, &label);
        if (line.length && svg_letters_width(&size_letters, text_string(&line)) +
                                   svg_letters_width(&size_letters, text_string(&label)) >
                               width) {
            if (w)
                add_line(w, cell, number + n, 0, &size_letters, SVG_CUT_END, text_string(&line));
            n++;
            text_clear(&line);
        }
        text_addf(&line, "%s%s", text_string(&label), i + 1 < s->n_labels ? ", " : "");
    }
    if (w)
        add_line(w, cell, number + n, 0, &size_letters, SVG_CUT_END, text_string(&line));
    text_drop(&line);
    text_drop(&label);
    return n + 1;
}

/* Returns the line after all others; for originals the third line, which is free. */
static int labels_line(const struct layout *l, const struct pending_output *out)
{
    return out->k == 0 && !l->sheet->reasons ? 3 : 4 + l->sheet->reasons;
}

/* True if the labels of the image fit into the line of its size. */
static bool labels_fit(const struct layout *l, const struct pending_output *out)
{
    struct text name = { 0 }, size = { 0 };
    bool fit;

    name_copy(l, out, &name);
    describe(out->sample, true, &size);
    fit = !out->sample->n_labels ||
          size_indent(&name) + svg_letters_width(&size_letters, text_string(&size)) <=
              l->sheet->width;
    text_drop(&name);
    text_drop(&size);
    return fit;
}

int sheet_caption_lines(const struct layout *l, const struct pending_output *out)
{
    int first = labels_line(l, out), n;

    if (labels_fit(l, out))
        return 0;
    n = caption_labels(NULL, l, NULL, out->sample, first);
    return first + n - (4 + l->sheet->reasons);
}

void sheet_caption(struct sheet_painter *w, const struct cell *cell,
                   const struct pending_output *out)
{
    const struct layout *l = w->layout;
    struct text name = { 0 }, size = { 0 };
    bool fit = labels_fit(l, out);

    name_copy(l, out, &name);
    describe(out->sample, fit, &size);
    if (out->k == 0) {
        add_line(w, cell, 1, 0, &name_letters, SVG_CUT_START, out->sample->name);
        add_line(w, cell, 2, 0, &size_letters, SVG_CUT_END, text_string(&size));
    } else {
        add_line(w, cell, 1, 0, &name_letters, SVG_CUT_END, text_string(&name));
        add_line(w, cell, 1, size_indent(&name), &size_letters, SVG_CUT_END, text_string(&size));
        caption_ops(w, cell, out->resolved_ops);
    }
    if (l->sheet->reasons)
        caption_dropped(w, cell, out->sample);
    if (!fit)
        caption_labels(w, l, cell, out->sample, labels_line(l, out));
    text_drop(&name);
    text_drop(&size);
}

/* Draws squares of the labels' colors with their numbers, as many as fit. */
static void add_legend(struct sheet_painter *w)
{
    const double y = MARGIN + HEADER + 4;
    double x = MARGIN;

    for (unsigned label = 1; label < COUNTOF(w->seen); label++) {
        char number[16], colour[8];
        double length;

        if (!w->seen[label])
            continue;
        snprintf(number, sizeof number, "%u", label);
        snprintf(colour, sizeof colour, "#%06x",
                 sheet_label_colour(label, w->seen[label] == LABEL_IGNORED));
        length = SWATCH + 4 + svg_letters_width(&key_letters, number) + 10;
        if (x + length > w->layout->frame.width - MARGIN - 20) {
            svg_letters(&w->svg, (struct point){ x, y }, &key_letters, "\xe2\x80\xa6");
            return;
        }
        svg_rectangle(&w->svg, (struct box){ x, y - SWATCH + 1, x + SWATCH, y + 1 },
                      (struct svg_ink){ colour, 1 });
        svg_letters(&w->svg, (struct point){ x + SWATCH + 4, y }, &key_letters, number);
        x += length;
    }
}

void sheet_header(struct sheet_painter *w)
{
    const struct layout *l = w->layout;
    struct text fitting = { 0 };
    double width = l->frame.width - 2 * MARGIN, key = 0;

    if (l->has_keypoints)
        key = sheet_labels_key_width(&key_letters);
    if (key > 0 && key < width / 2)
        sheet_labels_key((struct point){ l->frame.width - MARGIN - key, MARGIN + 11 }, &key_letters,
                         &w->svg);
    else
        key = 0;
    svg_letters_fit(&title_letters, l->sheet->title, width - key - GAP, SVG_CUT_END, &fitting);
    svg_letters(&w->svg, (struct point){ MARGIN, MARGIN + 11 }, &title_letters,
                text_string(&fitting));
    text_drop(&fitting);
    if (l->header > HEADER)
        add_legend(w);
}
