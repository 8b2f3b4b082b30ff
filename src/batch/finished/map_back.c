/* map_back: maps detections on the outputs of a run back to the source images. */
#include "batch/finished/map_back.h"

#include "batch/manifest/manifest_read.h"
#include "batch/dataset/name_index.h"
#include "batch/io/open.h"

#include "plan/inverse_map.h"
#include "plan/keypoint_mirror.h"
#include "plan/scores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A range of the spool that is written for one element of the results; `order` is the index of the
 * element. */
struct result_piece {
    size_t order, at, length;
};

/* A way back from an output with objects to a source image. */
struct pair {
    size_t source, record, way;
};

struct work {
    const struct back_outputs *outputs;
    const struct plan *base, *merge;
    const struct dataset *results, *annotations; /* `annotations` may be NULL */
    const struct job *job;                       /* has the annotations, or is NULL */
    struct rules rules;
    bool skip;
    struct name_index names, annotated;
    struct donor_source donors;
    struct back_counts *counts;
    struct faults *of_manifest, *of_results;
    struct arena arena; /* objects that are merged, or of one output */
    struct pile pieces, pairs;
    struct text spool;
    uint8_t *parts; /* per object: the number of images that it is on */
    int64_t n;      /* number of printed objects */
};

/* --- borrowed images: their sizes and objects --- */

/* Returns an image by index: first the images of the manifest lines, then the annotated ones. */
static const struct record *image_at(const struct work *w, size_t image)
{
    size_t n = w->outputs->source.n_records;

    return image < n ? &w->outputs->source.records[image] : &w->annotations->records[image - n];
}

static bool find_annotated(struct work *w, const char *name, size_t *record)
{
    size_t length = strlen(w->outputs->folder);

    if (length && strncmp(name, w->outputs->folder, length) == 0 && name[length] == '/')
        name += length + 1;
    return w->annotations && name_index_find(&w->annotated, w->annotations,
                                             (struct slice){ name, strlen(name) }, record);
}

static bool find_donor(void *context, const char *name, size_t *image, struct text *why)
{
    struct work *w = context;
    size_t record;

    if (name_index_find(&w->names, &w->outputs->source, (struct slice){ name, strlen(name) },
                        image))
        return true;
    if (!find_annotated(w, name, &record)) {
        text_addf(why, "the size of %s is unknown: no line of the manifest is of it, %s", name,
                  w->annotations ? "nor do the annotations list it"
                                 : "so give the annotations of the run with -a");
        return false;
    }
    *image = w->outputs->source.n_records + record;
    return true;
}

static const char *name_donor(void *context, size_t image)
{
    return image_at(context, image)->name;
}

/* Loads the objects of a borrowed image, if there are annotations. */
static bool load_objects(struct work *w, struct sample *sample, struct text *why)
{
    const struct dataset *d = w->annotations;
    struct faults faults;
    bool good;

    if (!find_annotated(w, sample->name, &sample->record))
        return true;
    faults = dataset_faults(d);
    good = d->format->load(d, sample->record, &w->base->rules, sample, &faults);
    for (size_t i = 0; i < sample->n_objects; i++)
        sample->objects[i].record = sample->record;
    if (!good)
        text_addf(why, "%s: %s [%s]", faults.list[0].path, faults.list[0].message,
                  faults.list[0].code);
    faults_drop(&faults);
    return good;
}

/* Returns the size of an image as the run saw it. Folders of labels do not give it. */
static bool find_size(const struct work *w, size_t image, struct frame *frame, struct text *why)
{
    const struct record *r = image_at(w, image);
    struct picture_header header;

    *frame = (struct frame){ r->width, r->height };
    if (r->width > 0 && r->height > 0)
        return true;
    if (!w->annotations->format->suffix) {
        text_addf(why, "the size of %s is unknown: the annotations do not give it", r->name);
        return false;
    }
    if (!input_probe(job_root(w->job, image - w->outputs->source.n_records), r->name,
                     &w->job->images.max_pixels, &header, why))
        return false;
    if (w->base->exif == EXIF_IGNORE)
        header = picture_header_stored(&header);
    *frame = header.frame;
    return true;
}

static bool load_donor(void *context, size_t image, struct arena *arena, struct sample *sample,
                       enum pixel_type *type, int *channels, struct text *why)
{
    struct work *w = context;
    const struct record *r = image_at(w, image);

    *sample = (struct sample){
        .arena = arena, .name = r->name, .matrix = MAT3_IDENTITY, .has_matrix = true
    };
    *type = PIXEL_U8;
    *channels = 3;
    return find_size(w, image, &sample->frame, why) && load_objects(w, sample, why);
}

/* --- one output --- */

/* Finds the output of a record of the results. Returns false if it has none. */
static bool find_output(const struct work *w, size_t record, size_t *output)
{
    *output = record; /* the list has the outputs in the same order */
    return record < w->outputs->list.n_records;
}

static struct slice line_of(const struct work *w, size_t output)
{
    struct slice text = w->outputs->text;
    uint64_t at = w->outputs->line[output];
    const char *end = memchr(text.at + at, '\n', text.length - at);

    return (struct slice){ text.at + at, end ? (size_t)(end - text.at) - at : text.length - at };
}

static bool find_ways(struct work *w, size_t output, struct arena *arena, struct back_ways *ways)
{
    const struct record *r = &w->outputs->list.records[output];
    struct faults faults = { .name = w->of_manifest->name, .text = line_of(w, output) };
    struct manifest_line line;
    const struct value *root = manifest_line_parse(&faults, arena, &line);
    const struct value *steps = root ? value_get(root, "steps") : NULL;
    struct text why = { 0 };
    struct frame out = { 0, 0 };
    struct plan plan;
    bool known = false;

    if (root && !steps) {
        value_fault(&faults, root, false, "param-missing", "\"steps\" is missing");
    } else if (root && manifest_line_read(root, arena, &line, &faults) &&
               plan_read_recorded(w->base, steps, arena, &plan, &faults)) {
        const struct frame in = { (int)line.size_in.at[0], (int)line.size_in.at[1] };
        enum back_outcome outcome = plan_back(&plan, &w->donors, in, arena, ways, &out, &why);

        known = outcome == BACK_KNOWN && frame_equal(out, (struct frame){ r->width, r->height });
        if (outcome == BACK_AMBIGUOUS && w->skip)
            w->counts->ambiguous += w->results->records[output].n_objects;
        else if (!known)
            value_fault(&faults, steps, false,
                        outcome == BACK_AMBIGUOUS ? "back-ambiguous" : "replay-line", "%s",
                        why.length ? text_string(&why) : "they give another size than size_out");
    }
    manifest_line_put_faults(&faults, w->of_manifest);
    faults_drop(&faults);
    text_drop(&why);
    return known;
}

static size_t source_of(struct work *w, size_t output, const struct back_way *way)
{
    const char *name = w->outputs->source.records[output].name;
    size_t source = way->record;

    if (!way->borrowed)
        name_index_find(&w->names, &w->outputs->source, (struct slice){ name, strlen(name) },
                        &source);
    return source;
}

static bool way_mirrors(const struct back_way *way)
{
    bool mirrors = false;

    for (size_t i = 0; i < way->n; i++)
        mirrors ^= map_scale(&way->step[i].map, way->step[i].in) < 0;
    return mirrors;
}

static bool refuse(struct work *w, size_t record, const char *code, const char *why)
{
    return fault_add(w->of_results, 0, 0, w->results->records[record].name, code, "%s", why);
}

/* Loads the objects of an output and maps them to the image that a way leads to. Drops objects
 * outside that image. */
static bool take(struct work *w, size_t record, const struct back_way *way, struct sample *s)
{
    const struct dataset *d = w->results;
    const struct record *r = &d->records[record];
    const char *reason;
    size_t kept = 0;

    *s = (struct sample){
        .arena = &w->arena, .name = r->name, .record = record, .frame = { r->width, r->height }
    };
    if (!d->format->load(d, record, &w->rules, s, w->of_results) ||
        !scores_check(w->merge ? scores_wanted(w->merge) : NULL,
                      "without scores there is only --merge none", d, record, s, w->of_results))
        return false;
    reason = way_mirrors(way) ? mirrors_reject(s, &w->arena) : NULL;
    if (reason)
        return refuse(w, record, "coco-flip-pairs", reason);
    sample_move_back(s, way->step, way->n);
    s->frame = way->in;
    sample_finalize(s, &w->rules);
    for (size_t i = 0; i < s->n_objects; i++)
        if (!s->objects[i].final.dropped) {
            s->objects[i].record = record;
            s->objects[kept++] = s->objects[i];
        }
    s->n_objects = kept;
    return true;
}

/* --- merging and printing --- */

/* Returns the source text of an image's id if the id is a string; otherwise `at` is NULL. */
static struct slice id_text(const struct work *w, size_t image)
{
    struct slice none = { 0 };
    size_t listed = w->outputs->source.n_records;

    if (!id_is_text(image_at(w, image)->id))
        return none;
    return image < listed ? pick_again(line_of(w, image), "from")
                          : source_id_text(w->annotations, image - listed);
}

static void print(struct work *w, size_t source, const struct sample *s)
{
    const struct record *r = image_at(w, source);
    struct output out = { .of = 1,
                          .name = r->name,
                          .frame = s->frame,
                          .numbered = true,
                          .image_id = r->id,
                          .image_text = id_text(w, source) };

    for (size_t i = 0; i < s->n_objects; i++) {
        const struct object *o = &s->objects[i];
        struct result_piece *piece;
        size_t order, at = w->spool.length;

        if (o->final.dropped) {
            w->counts->merged_away++;
            continue;
        }
        w->results->format->find_object(w->results, o->record, o->index, &order);
        out.object_id = ++w->n;
        w->results->format->print_object(w->results, o->record, s, o, &out, &w->rules, &w->spool);
        piece = pile_add(&w->pieces, sizeof *piece);
        *piece = (struct result_piece){ order, at, w->spool.length - at };
    }
}

static void count(struct work *w, const struct sample *s)
{
    for (size_t i = 0; i < s->n_objects; i++) {
        size_t order;

        w->results->format->find_object(w->results, s->objects[i].record, s->objects[i].index,
                                        &order);
        if (w->parts[order] < UINT8_MAX)
            w->parts[order]++;
    }
}

static void merge(struct work *w, size_t record, struct sample *s)
{
    const struct draw_id id = { .image = { "", 0 } };
    struct resolved_ops drawn;
    struct text why = { 0 };

    if (!plan_apply(w->merge, &id, (struct pixel_kind){ PIXEL_U8, 3 }, s, &drawn, &why))
        refuse(w, record, "step-refused", text_string(&why));
    sample_finalize(s, &w->rules);
    text_drop(&why);
}

/* Merges and prints the objects of all pairs of one source. */
static void merge_pairs(struct work *w, const struct pair *pair, size_t n)
{
    struct sample all = { .arena = &w->arena, .name = "" };

    arena_reset(&w->arena);
    for (size_t i = 0; i < n; i++) {
        struct back_ways ways;
        struct sample s;
        struct object *objects;

        if (!find_ways(w, pair[i].record, &w->arena, &ways) ||
            !take(w, pair[i].record, &ways.at[pair[i].way], &s))
            return;
        count(w, &s);
        objects = ARENA_ARRAY(&w->arena, struct object, all.n_objects + s.n_objects);
        if (all.n_objects)
            memcpy(objects, all.objects, all.n_objects * sizeof *objects);
        if (s.n_objects)
            memcpy(objects + all.n_objects, s.objects, s.n_objects * sizeof *objects);
        s.n_objects += all.n_objects;
        s.objects = objects;
        all = s;
    }
    merge(w, pair->record, &all);
    print(w, pair->source, &all);
}

static int by_source(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;

    if (p->source != q->source)
        return p->source < q->source ? -1 : 1;
    if (p->record != q->record)
        return p->record < q->record ? -1 : 1;
    return (p->way > q->way) - (p->way < q->way);
}

static void merge_all(struct work *w)
{
    struct pair *pair = w->pairs.at;
    size_t n = w->pairs.n;

    if (n)
        qsort(pair, n, sizeof *pair, by_source);
    for (size_t from = 0, end; from < n && !w->of_results->n; from = end) {
        for (end = from + 1; end < n && pair[end].source == pair[from].source; end++)
            ;
        merge_pairs(w, pair + from, end - from);
    }
}

/* --- all of it --- */

static void do_output(struct work *w, size_t record)
{
    struct back_ways ways;
    size_t output;

    arena_reset(&w->arena);
    if (!find_output(w, record, &output) || !find_ways(w, output, &w->arena, &ways))
        return;
    for (size_t i = 0; i < ways.n; i++) {
        size_t source = source_of(w, output, &ways.at[i]);
        struct sample s;

        if (w->merge) {
            *(struct pair *)pile_add(&w->pairs, sizeof(struct pair)) =
                (struct pair){ source, record, i };
        } else if (take(w, record, &ways.at[i], &s)) {
            count(w, &s);
            print(w, source, &s);
        }
    }
}

/* Order of the elements in the file; pieces of one element in the order in which they were made. */
static int by_order(const void *a, const void *b)
{
    const struct result_piece *p = a, *q = b;

    if (p->order != q->order)
        return p->order < q->order ? -1 : 1;
    return (p->at > q->at) - (p->at < q->at);
}

static void print_list(struct work *w, struct text *out)
{
    struct result_piece *piece = w->pieces.at;

    if (w->pieces.n)
        qsort(piece, w->pieces.n, sizeof *piece, by_order);
    text_addc(out, '[');
    for (size_t i = 0; i < w->pieces.n; i++) {
        text_adds(out, i ? ",\n" : "");
        text_add(out, w->spool.at + piece[i].at, piece[i].length);
    }
    text_adds(out, "]\n");
}

bool map_back(const struct back_outputs *outputs, const struct plan *base,
              const struct dataset *results, const struct job *annotated,
              const struct plan *merge_plan, bool skip, struct text *out,
              struct back_counts *counts, struct faults *of_manifest, struct faults *of_results)
{
    enum { MAX_FAULTS = 1000 }; /* enough to find the cause */
    struct work w = { .outputs = outputs,
                      .base = base,
                      .merge = merge_plan,
                      .annotations = annotated ? annotated->dataset : NULL,
                      .job = annotated,
                      .results = results,
                      .rules = { .keypoints = base->rules.keypoints, .boxes = BOXES_TIGHT },
                      .skip = skip,
                      .counts = counts,
                      .of_manifest = of_manifest,
                      .of_results = of_results };

    *counts = (struct back_counts){ .objects = results->n_objects };
    w.donors = (struct donor_source){
        .find = find_donor, .name = name_donor, .load = load_donor, .context = &w
    };
    w.parts = memory_take(results->n_objects + 1);
    memset(w.parts, 0, results->n_objects + 1);
    for (size_t i = 0; i < results->n_records; i++)
        if (results->records[i].n_objects && of_manifest->n + of_results->n < MAX_FAULTS)
            do_output(&w, i);
    if (merge_plan && !of_manifest->n && !of_results->n)
        merge_all(&w);
    for (size_t i = 0; i < results->n_objects; i++) {
        counts->split += w.parts[i] > 1;
        counts->lost += !w.parts[i];
    }
    counts->written = w.pieces.n;
    counts->lost -= counts->ambiguous;
    print_list(&w, out);
    name_index_drop(&w.names);
    name_index_drop(&w.annotated);
    arena_drop(&w.arena);
    text_drop(&w.spool);
    free(w.pieces.at);
    free(w.pairs.at);
    free(w.parts);
    return !of_manifest->n && !of_results->n;
}
