/* run_page: the report of a run as a page. */
#include "stats/run_page.h"
#include "stats/run_pictures.h"

#include "preview/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_CLASSES = 500, /* rows of a table, and choices of the filter */
    REASONS_SHOWN = 5, /* reasons with pictures */
    BAR_WIDTH = 10,
    BAR_HEIGHT = 44,
};

/* Without it, all pairs are shown, and all classes. */
static const char script[] =
    "(function () {\n"
    "  var pairs = Array.from(document.querySelectorAll('.pair')), at = 0, shown = pairs;\n"
    "  var bar = document.getElementById('pager'), place = document.getElementById('place');\n"
    "  var choice = document.getElementById('choice');\n"
    "  function each(selector, action) { document.querySelectorAll(selector).forEach(action); }\n"
    "  function page(step) {\n"
    "    at = shown.length ? (at + step + shown.length) % shown.length : 0;\n"
    "    pairs.forEach(function (p) { p.hidden = p !== shown[at]; });\n"
    "    place.textContent = shown.length ? at + 1 + ' of ' + shown.length\n"
    "                                     : 'No pair has this class';\n"
    "  }\n"
    "  function filter() {\n"
    "    var c = choice ? choice.value : '';\n"
    "    each('[data-class]', function (e) { e.hidden = c !== '' && e.dataset.class !== c; });\n"
    "    each('g[data-class]', function (e) {\n"
    "      e.style.display = c !== '' && e.dataset.class !== c ? 'none' : ''; });\n"
    "    shown = pairs.filter(function (p) {\n"
    "      return c === '' || p.dataset.classes.indexOf(' ' + c + ' ') >= 0; });\n"
    "    at = 0;\n"
    "    page(0);\n"
    "  }\n"
    "  if (bar) {\n"
    "    bar.hidden = false;\n"
    "    document.getElementById('back').onclick = function () { page(-1); };\n"
    "    document.getElementById('next').onclick = function () { page(1); };\n"
    "  }\n"
    "  if (choice) {\n"
    "    document.getElementById('filter').hidden = false;\n"
    "    choice.onchange = filter;\n"
    "  }\n"
    "  if (bar) filter();\n"
    "})();\n";

static void add_text(struct text *out, const char *text)
{
    html_text(out, text, strlen(text));
}

/* --- counts --- */

static void add_counts(const struct run_report *r, struct run_count count, struct text *out)
{
    if (r->in.before)
        text_addf(out,
                  "<td class=\"number\">%zu</td><td class=\"number\">%zu</td>"
                  "<td class=\"number\">%zu</td></tr>\n",
                  count.before, count.after, count.dropped);
    else
        text_addf(out, "<td class=\"number\">%zu</td></tr>\n", count.after);
}

static void open_table(const struct run_report *r, const char *id, const char *caption,
                       const char *columns, struct text *out)
{
    text_addf(out, "<table id=\"%s\"><caption>%s</caption>\n<thead><tr>%s", id, caption, columns);
    if (r->in.before)
        text_adds(out, "<th scope=\"col\" class=\"number\">Before</th>");
    text_adds(out, "<th scope=\"col\" class=\"number\">After</th>");
    if (r->in.before)
        text_adds(out, "<th scope=\"col\" class=\"number\">Dropped</th>");
    text_adds(out, "</tr></thead>\n<tbody>\n");
}

static void close_table(struct text *out)
{
    text_adds(out, "</tbody></table>\n");
}

static void add_sizes(const struct run_report *r, struct text *out)
{
    open_table(r, "by_size",
               "Objects by size: small is below 32 x 32 pixels, large from 96 x 96 on",
               "<th scope=\"col\">Size</th>", out);
    for (size_t i = 0; i < SIZES; i++) {
        struct run_count count = run_report_count(r, RUN_ALL, RUN_ALL, i);

        if (i == SIZE_UNKNOWN && !count.before && !count.after && !count.dropped)
            continue;
        text_addf(out, "<tr><th scope=\"row\">%s</th>", stats_size_names[i]);
        add_counts(r, count, out);
    }
    close_table(out);
}

static void add_parts(const struct run_report *r, struct text *out)
{
    const struct run_part *part = r->parts.at;

    if (r->parts.n < 2)
        return;
    open_table(r, "by_part", "Objects by part", "<th scope=\"col\">Part</th>", out);
    for (size_t i = 0; i < r->parts.n; i++) {
        text_adds(out, "<tr><th scope=\"row\"><bdi>");
        add_text(out, *part[i].name ? part[i].name : "(no name)");
        text_adds(out, "</bdi></th>");
        add_counts(r, run_report_count(r, i, RUN_ALL, RUN_ALL), out);
    }
    close_table(out);
}

struct class_weight {
    size_t n, class;
};

static int by_weight(const void *a, const void *b)
{
    const struct class_weight *x = a, *y = b;

    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return (x->class > y->class) - (x->class < y->class);
}

/* Returns the indices of the classes, the most frequent first. */
static size_t *order_of(const struct run_report *r, struct arena *arena, size_t *n)
{
    struct class_weight *all = ARENA_ARRAY(arena, struct class_weight, r->n_classes);
    size_t *order = ARENA_ARRAY(arena, size_t, r->n_classes);

    for (size_t i = 0; i < r->n_classes; i++) {
        struct run_count count = run_report_count(r, RUN_ALL, i, RUN_ALL);

        all[i] = (struct class_weight){ count.before + count.after + count.dropped, i };
    }
    *n = r->n_classes - !all[r->n_classes - 1].n;
    qsort(all, *n, sizeof *all, by_weight);
    for (size_t i = 0; i < *n; i++)
        order[i] = all[i].class;
    return order;
}

/* Starts a row of a class in a part. */
static void open_row(const struct run_report *r, size_t class, size_t part, struct text *out)
{
    const struct run_part *parts = r->parts.at;

    text_addf(out, "<tr data-class=\"%zu\"><th scope=\"row\"><bdi>", class);
    add_text(out, r->classes[class].name);
    text_adds(out, "</bdi></th>");
    if (r->parts.n > 1) {
        text_adds(out, "<td><bdi>");
        add_text(out, parts[part].name);
        text_adds(out, "</bdi></td>");
    }
}

static const char *class_columns(const struct run_report *r)
{
    return r->parts.n > 1 ? "<th scope=\"col\">Class</th><th scope=\"col\">Part</th>"
                          : "<th scope=\"col\">Class</th>";
}

static void add_classes(const struct run_report *r, const size_t *order, size_t n, struct text *out)
{
    open_table(r, "by_class", "Objects by class", class_columns(r), out);
    for (size_t i = 0; i < n; i++)
        for (size_t p = 0; p < r->parts.n; p++) {
            open_row(r, order[i], p, out);
            add_counts(r, run_report_count(r, p, order[i], RUN_ALL), out);
        }
    close_table(out);
}

static void add_class_sizes(const struct run_report *r, const size_t *order, size_t n,
                            struct text *out)
{
    text_addf(out,
              "<table id=\"by_class_size\"><caption>Objects by class and size%s</caption>\n"
              "<thead><tr>%s",
              r->in.before ? ": before and after" : "", class_columns(r));
    for (size_t s = 0; s < SIZE_UNKNOWN; s++)
        text_addf(out, "<th scope=\"col\" class=\"number\">%s</th>", stats_size_names[s]);
    text_adds(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < n; i++)
        for (size_t p = 0; p < r->parts.n; p++) {
            open_row(r, order[i], p, out);
            for (size_t s = 0; s < SIZE_UNKNOWN; s++) {
                struct run_count count = run_report_count(r, p, order[i], s);

                text_adds(out, "<td class=\"number\">");
                if (r->in.before)
                    text_addf(out, "%zu &rarr; ", count.before);
                text_addf(out, "%zu</td>", count.after);
            }
            text_adds(out, "</tr>\n");
        }
    close_table(out);
}

static void add_filter(const struct run_report *r, const size_t *order, size_t n, struct text *out)
{
    text_adds(out, "<p id=\"filter\" hidden><label>Class: <select id=\"choice\">"
                   "<option value=\"\">all</option>\n");
    for (size_t i = 0; i < n; i++) {
        text_addf(out, "<option value=\"%zu\">", order[i]);
        add_text(out, r->classes[order[i]].name);
        text_adds(out, "</option>\n");
    }
    text_adds(out, "</select></label> <span class=\"quiet\">in the tables of classes, the "
                   "dropped objects and the pairs</span></p>\n");
}

static void add_tables(const struct run_report *r, struct text *out)
{
    struct arena arena = { 0 };
    size_t n, kept;
    const size_t *order = order_of(r, &arena, &n);

    kept = n < MAX_CLASSES / r->parts.n ? n : MAX_CLASSES / r->parts.n;
    text_adds(out, "<h2>Objects before and after</h2>\n");
    if (!n) {
        text_adds(out, "<p>There are no classes.</p>\n");
        arena_drop(&arena);
        return;
    }
    if (r->in.before)
        text_adds(out, "<p class=\"quiet\">Before: the objects of the source images that have "
                       "outputs. An image with several outputs counts once. Dropped: objects of "
                       "the source that an output lacks, counted for each output.</p>\n");
    add_filter(r, order, kept, out);
    if (kept < n)
        text_addf(out,
                  "<p class=\"warning\">The %zu most frequent of %zu classes; --json prints "
                  "all.</p>\n",
                  kept, n);
    text_adds(out, "<div class=\"plots\">\n<div>\n");
    add_sizes(r, out);
    add_parts(r, out);
    text_adds(out, "</div>\n");
    add_classes(r, order, kept, out);
    add_class_sizes(r, order, kept, out);
    text_adds(out, "</div>\n");
    arena_drop(&arena);
}

/* --- the run --- */

static void add_row(struct text *out, const char *name, size_t n)
{
    text_addf(out, "<tr><th scope=\"row\">%s</th><td class=\"number\">%zu</td></tr>\n", name, n);
}

static void add_summary(const struct run_report *r, struct text *out)
{
    struct run_count all = run_report_count(r, RUN_ALL, RUN_ALL, RUN_ALL);
    size_t lost = run_number(r, "keypoints", "left_canvas");
    size_t skipped = run_number(r, "images", "skipped");

    text_adds(out, "<table id=\"summary\"><caption>The run</caption><tbody>\n");
    add_row(out, "images that were read", run_number(r, "images", "read"));
    if (skipped)
        add_row(out, "images that were skipped", skipped);
    add_row(out, "outputs", r->lines.n);
    if (r->in.before) {
        add_row(out, "objects before", all.before);
        add_row(out, "objects after", all.after);
        add_row(out, "dropped objects", all.dropped);
    } else {
        add_row(out, "objects after", all.after);
    }
    if (lost)
        add_row(out, "keypoints that left the canvas", lost);
    text_adds(out, "</tbody></table>\n");
    if (r->in.no_before) {
        text_adds(out, "<p class=\"warning\">The page has no counts before the run: ");
        add_text(out, r->in.no_before);
        text_adds(out, ".</p>\n");
    }
    if (r->n_unread)
        text_addf(out, "<p class=\"warning\">%zu line%s of manifest.jsonl could not be read.</p>\n",
                  r->n_unread, r->n_unread == 1 ? "" : "s");
}

/* --- dropped objects --- */

static const char *meaning_of(const char *reason)
{
    static const struct {
        const char *reason, *meaning;
    } all[] = {
        { "outside", "nothing of it is on the canvas" },
        { "hidden", "it is covered" },
        { "min_visibility", "the share that is left is below min_visibility" },
        { "min_area", "the area that is left is below min_area" },
        { "min_size", "a side is below min_size" },
        { "max_aspect", "its box is longer than max_aspect allows" },
    };

    for (size_t i = 0; i < COUNTOF(all); i++)
        if (strcmp(all[i].reason, reason) == 0)
            return all[i].meaning;
    return "a step, or the format, cannot keep it";
}

static void add_cases(const struct run_report *r, struct run_pictures *pictures, struct text *out)
{
    const struct run_reason *reason = r->reasons.at;

    if (!r->in.before || !*r->in.images) {
        text_adds(out, "<p class=\"quiet\">Pictures of dropped objects need the images and the "
                       "annotations of the source: name them with -i and -a.</p>\n");
        return;
    }
    text_addf(out,
              "<p class=\"quiet\">Below are the largest objects of the source that were "
              "dropped, up to %d for each reason.</p>\n<div class=\"pictures\">\n",
              RUN_CASES);
    for (size_t i = 0; i < r->reasons.n && i < REASONS_SHOWN; i++)
        for (size_t k = 0; k < reason[i].n_worst; k++)
            run_pictures_case(pictures, &reason[i].worst[k], reason[i].name, out);
    text_adds(out, "</div>\n");
}

static void add_dropped(const struct run_report *r, struct run_pictures *pictures, struct text *out)
{
    const struct run_reason *reason = r->reasons.at;

    text_adds(out, "<h2>Dropped objects</h2>\n");
    if (!r->reasons.n) {
        text_adds(out, "<p>No object was dropped.</p>\n");
        return;
    }
    text_adds(out, "<table id=\"dropped\"><thead><tr><th scope=\"col\">Reason</th>"
                   "<th scope=\"col\">Meaning</th>"
                   "<th scope=\"col\" class=\"number\">Objects</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < r->reasons.n; i++) {
        text_adds(out, "<tr><th scope=\"row\" class=\"word\">");
        add_text(out, reason[i].name);
        text_addf(out, "</th><td>%s</td><td class=\"number\">%zu</td></tr>\n",
                  meaning_of(reason[i].name), reason[i].n);
    }
    close_table(out);
    add_cases(r, pictures, out);
}

/* --- values of steps --- */

static void add_number(struct text *out, double number)
{
    text_addf(out, "%.4g", number);
}

static void add_bars(const struct step_value *v, struct text *out)
{
    size_t max = 0;

    for (size_t i = 0; i < VALUE_BINS; i++)
        max = v->bins[i] > max ? v->bins[i] : max;
    text_addf(out,
              "<svg class=\"bars\" role=\"img\" viewBox=\"0 0 %d %d\" "
              "preserveAspectRatio=\"none\" aria-label=\"Counts:",
              VALUE_BINS * BAR_WIDTH, BAR_HEIGHT);
    for (size_t i = 0; i < VALUE_BINS; i++)
        text_addf(out, " %zu", v->bins[i]);
    text_adds(out, "\">");
    for (size_t i = 0; i < VALUE_BINS; i++) {
        int height = max ? (int)ceil((double)v->bins[i] / (double)max * BAR_HEIGHT) : 0;

        if (height)
            text_addf(out, "<rect x=\"%zu\" y=\"%d\" width=\"%d\" height=\"%d\"/>", i * BAR_WIDTH,
                      BAR_HEIGHT - height, BAR_WIDTH - 1, height);
    }
    text_adds(out, "</svg>");
}

static void add_value(const struct step_value *v, struct text *out)
{
    text_adds(out, "<p><code>");
    add_text(out, v->name);
    text_adds(out, "</code>: ");
    if (v->n && v->min == v->max) {
        add_number(out, v->min);
    } else if (v->n) {
        add_number(out, v->min);
        text_adds(out, " to ");
        add_number(out, v->max);
        text_adds(out, ", mean ");
        add_number(out, v->sum / (double)v->n);
    }
    for (size_t i = 0; i < v->n_words; i++) {
        text_adds(out, i || v->n ? ", " : "");
        add_text(out, v->words[i].word);
        text_addf(out, " (%zu)", v->words[i].n);
    }
    if (v->n_other)
        text_addf(out, ", other (%zu)", v->n_other);
    text_adds(out, "</p>\n");
    if (v->n && v->min < v->max)
        add_bars(v, out);
}

static void add_steps(const struct run_report *r, struct text *out)
{
    const struct value_step *step = r->values.steps.at;

    text_adds(out, "<h2>Values of the steps</h2>\n");
    if (!r->values.steps.n) {
        text_adds(out, "<p>No output has a step.</p>\n");
        return;
    }
    text_addf(out,
              "<p class=\"quiet\">The steps as manifest.jsonl has them: what the transforms "
              "became, with their sampled values. Each histogram has %d bins from the least "
              "to the largest value.</p>\n<div class=\"cards\">\n",
              VALUE_BINS);
    for (size_t i = 0; i < r->values.steps.n; i++) {
        const struct step_value *value = step[i].values.at;

        text_adds(out, "<section class=\"card\"><h3>");
        add_text(out, step[i].type);
        text_addf(out, "</h3><p>in %zu of %zu outputs", step[i].outputs, r->lines.n);
        if (step[i].n > step[i].outputs)
            text_addf(out, ", %zu times", step[i].n);
        text_adds(out, "</p>\n");
        for (size_t k = 0; k < step[i].values.n; k++)
            add_value(&value[k], out);
        text_adds(out, "</section>\n");
    }
    text_adds(out, "</div>\n");
}

/* --- pairs --- */

static void add_pairs(const struct run_report *r, struct run_pictures *pictures, struct text *out)
{
    text_adds(out, "<h2>Sources and outputs</h2>\n");
    if (!r->n_pairs) {
        text_adds(out, "<p>The run wrote no outputs.</p>\n");
        return;
    }
    text_adds(out, "<p id=\"pager\" hidden><button id=\"back\" type=\"button\">Previous</button> "
                   "<button id=\"next\" type=\"button\">Next</button> "
                   "<span id=\"place\" aria-live=\"polite\"></span></p>\n");
    for (size_t i = 0; i < r->n_pairs; i++)
        run_pictures_pair(pictures, r->pair[i], out);
}

void run_page_print(const struct run_report *r, struct text *out)
{
    struct run_pictures pictures = { .r = r };
    struct text title = { 0 };

    text_addf(&title, "Report of a run: %zu output%s", r->lines.n, r->lines.n == 1 ? "" : "s");
    html_open_with_script(out, text_string(&title), script);
    add_summary(r, out);
    add_tables(r, out);
    add_dropped(r, &pictures, out);
    add_steps(r, out);
    add_pairs(r, &pictures, out);
    text_adds(out, "<h2>The outputs</h2>\n");
    stats_print_plots(r->in.after, out);
    html_close_with_script(out, script);
    text_drop(&title);
}
