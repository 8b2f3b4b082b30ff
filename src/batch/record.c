/* record: one record through the whole house. */
#include "record.h"

#include "../base/rng.h"
#include "../plan/lossless.h"
#include "files.h"
#include "manifest.h"
#include "names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void report_clear(struct report *r)
{
    r->outcome = OUTCOME_DONE;
    r->objects_in = r->objects_out = r->outputs = r->rejected = r->given_up = r->resized = 0;
    text_clear(&r->why);
    text_clear(&r->manifest);
    text_clear(&r->records);
    text_clear(&r->record_pieces);
    text_clear(&r->objects);
    text_clear(&r->object_pieces);
}

void report_drop(struct report *r)
{
    text_drop(&r->why);
    text_drop(&r->manifest);
    text_drop(&r->records);
    text_drop(&r->record_pieces);
    text_drop(&r->objects);
    text_drop(&r->object_pieces);
}

void bench_drop(struct bench *b)
{
    pool_drop(&b->pool);
    arena_drop(&b->arena);
    text_drop(&b->bytes);
    text_drop(&b->mask_bytes);
    text_drop(&b->made);
}

/* A record in work. */
struct work {
    const struct job *job;
    struct bench *bench;
    size_t index;
    const struct record *record;
    bool dry;
    take_fn *take; /* what is done with each output, and for whom */
    void *context;
    struct report *report;
    struct picture_header header;
    int orientation;            /* EXIF's, heeded or not */
    struct frame other;         /* of the image, if it were heeded the other way */
    struct picture_wish wish;   /* what `image` was read by */
    struct picture image, mask; /* decoded once for all copies that wish the same */
    bool has_mask;
    /* With `reject_image_if`: how the copy in work was drawn, and where that is remembered. */
    struct attempts attempts;
    struct arena tried;
};

static bool fail(struct work *w, enum outcome outcome, const char *what, const char *why)
{
    text_clear(&w->report->why);
    text_addf(&w->report->why, "%s%s%s", what, *what && *why ? ": " : "", why);
    w->report->outcome = outcome;
    return false;
}

static void lap(const struct work *w, enum stage stage)
{
    clock_lap(w->bench->clock, stage, 0);
}

/* Do the annotations say another size than this? */
static bool record_differs(const struct record *r, struct frame f)
{
    return r->width && r->height && (r->width != f.width || r->height != f.height);
}

/* --- reading --- */

static bool read_file(struct work *w, const char *folder, const char *name, struct text *file)
{
    struct text why = { 0 };
    bool good = file_read_below(folder, name, file, &why);

    if (!good)
        fail(w, OUTCOME_INPUT, name, text_string(&why));
    text_drop(&why);
    return good;
}

static bool read_header(struct work *w, const char *name, const struct text *file,
                        struct picture_header *header)
{
    struct text why = { 0 };
    bool good = picture_probe((struct slice){ file->at, file->length }, header, &why);

    if (!good)
        fail(w, OUTCOME_INPUT, name, text_string(&why));
    text_drop(&why);
    return good;
}

void record_expect(const struct job *job, size_t record)
{
    const char *name = job->dataset->records[record].name;
    struct text mask = { 0 };

    file_expect_below(job->images, name);
    if (mask_name(job, record, &mask))
        file_expect_below(job->masks, text_string(&mask));
    text_drop(&mask);
}

static bool read_pixels(struct work *w, const char *name, const struct text *file,
                        const struct picture_wish *wish, struct picture *picture)
{
    struct picture_wish wished = wish ? *wish : (struct picture_wish){ 0 };
    struct text why = { 0 };
    bool good;

    wished.stored = w->job->plan->exif == EXIF_IGNORE;
    good = picture_read((struct slice){ file->at, file->length }, &w->bench->pool,
                        w->job->max_pixels, &wished, picture, &why);

    if (!good)
        fail(w, OUTCOME_INPUT, name, text_string(&why));
    text_drop(&why);
    return good;
}

static bool decode_mask(struct work *w)
{
    struct slice bytes = { w->bench->mask_bytes.at, w->bench->mask_bytes.length };
    struct picture_wish wish = { .stored = w->job->plan->exif == EXIF_IGNORE };
    struct text name = { 0 }, why = { 0 };
    bool good =
        picture_read_labels(bytes, &w->bench->pool, w->job->max_pixels, &wish, &w->mask, &why);

    mask_name(w->job, w->index, &name);
    if (!good)
        fail(w, OUTCOME_INPUT, text_string(&name), text_string(&why));
    text_drop(&name);
    text_drop(&why);
    return good;
}

/* Its name may be the image's own. */
static bool blame_mask(struct work *w)
{
    struct text why = { 0 };

    text_add(&why, w->report->why.at, w->report->why.length);
    fail(w, OUTCOME_INPUT, "its mask", "");
    text_addf(&w->report->why, " %s", text_string(&why));
    text_drop(&why);
    return false;
}

/* For a step that looks at it: where nothing is to be written it was not decoded yet. */
static const struct plane *mask_pixels(void *context)
{
    struct work *w = context;

    if (!w->mask.plane.px && !decode_mask(w)) {
        blame_mask(w);
        return NULL;
    }
    return &w->mask.plane;
}

static bool is_same_wish(const struct picture_wish *a, const struct picture_wish *b)
{
    return a->planar == b->planar && a->shrink == b->shrink && a->left == b->left &&
           a->top == b->top && a->width == b->width && a->height == b->height;
}

struct picture_wish take_wish(const struct take *take, const struct passes *passes)
{
    const struct work *w = take->work;
    enum picture_format format = output_format(w->job, w->record->name);
    struct picture_wish wish;

    if (w->header.format != PICTURE_JPEG || w->header.orientation != 1)
        return (struct picture_wish){ 0 };
    render_wish(take->drawing, passes, w->header.bands == 3 && format == PICTURE_JPEG, &wish);
    if (job_fan(w->job) > 1) /* each would want another part */
        wish.left = wish.top = wish.width = wish.height = 0;
    return wish;
}

const struct picture *take_image(const struct take *take, const struct picture_wish *wish)
{
    struct work *w = take->work;
    struct picture_wish wished = wish ? *wish : (struct picture_wish){ 0 };

    if (w->image.plane.px && is_same_wish(&w->wish, &wished))
        return &w->image;
    if (w->image.plane.px)
        picture_drop(&w->image, &w->bench->pool);
    w->wish = wished;
    if (!read_pixels(w, w->record->name, &w->bench->bytes, &wished, &w->image))
        return NULL;
    lap(w, STAGE_DECODE);
    return &w->image;
}

/* What the annotations say of the size must be so, unless the file's is trusted. */
static bool check_size(struct work *w)
{
    const struct record *r = w->record;
    bool ignored = w->job->plan->exif == EXIF_IGNORE;
    struct frame f = w->header.frame;
    struct text why = { 0 };

    if (!record_differs(r, f))
        return true;
    if (w->job->trust == TRUST_FILE) {
        w->report->resized = 1;
        return true;
    }
    text_addf(&why, "the annotations say %dx%d, the file is %dx%d", r->width, r->height, f.width,
              f.height);
    if (w->orientation > 1)
        text_adds(&why,
                  ignored ? " without its EXIF orientation" : " as its EXIF orientation shows it");
    if (r->width == f.height && r->height == f.width)
        text_adds(&why, ": width and height are swapped");
    text_adds(&why, "; ");
    if (!record_differs(r, w->other))
        text_addf(&why, "with \"exif\": \"%s\" they agree, ", ignored ? "apply" : "ignore");
    text_adds(&why, "with --trust file the file's is taken");
    fail(w, OUTCOME_INPUT, r->name, text_string(&why));
    text_drop(&why);
    return false;
}

static void heed_exif(const struct work *w, struct picture_header *header)
{
    if (w->job->plan->exif == EXIF_IGNORE)
        *header = picture_header_stored(header);
}

static bool read_image(struct work *w)
{
    bool good = read_file(w, w->job->images, w->record->name, &w->bench->bytes);

    lap(w, STAGE_READ);
    good = good && read_header(w, w->record->name, &w->bench->bytes, &w->header);
    if (good) {
        struct frame upright = w->header.frame;
        struct picture_header stored = picture_header_stored(&w->header);

        w->orientation = w->header.orientation;
        w->other = w->job->plan->exif == EXIF_IGNORE ? upright : stored.frame;
        heed_exif(w, &w->header);
        good = check_size(w);
    }
    lap(w, STAGE_HEADER);
    return good;
}

/* What is wrong with it, or NULL. */
static const char *mask_trouble(const struct work *w, const struct picture_header *h)
{
    if (job_has_segments(w->job))
        return h->format == PICTURE_PNG && h->bands == 3 && h->type == PIXEL_U8 && !h->palette
                   ? NULL
                   : "ids of segments are the colours of an RGB PNG of 8 bits, and this is none";
    if (h->palette)
        return h->format == PICTURE_PNG ? NULL
                                        : "it has a palette; only those of PNG masks can be kept";
    return h->bands == 1 ? NULL : "it has several bands; masks are gray, one label a value";
}

static bool read_mask(struct work *w)
{
    struct text name = { 0 };
    struct picture_header header;
    const char *trouble;
    char why[80];
    bool good;

    if (!mask_name(w->job, w->index, &name))
        return true;
    good = read_file(w, w->job->masks, text_string(&name), &w->bench->mask_bytes) &&
           read_header(w, text_string(&name), &w->bench->mask_bytes, &header);
    if (good)
        heed_exif(w, &header);
    trouble = good ? mask_trouble(w, &header) : NULL;
    if (trouble)
        good = fail(w, OUTCOME_INPUT, text_string(&name), trouble);
    if (good && !frame_equal(header.frame, w->header.frame)) {
        snprintf(why, sizeof why, "it is %dx%d, the image %dx%d", header.frame.width,
                 header.frame.height, w->header.frame.width, w->header.frame.height);
        good = fail(w, OUTCOME_INPUT, text_string(&name), why);
    }
    /* Objects that are in it are looked at even where nothing is written. */
    good = good && ((w->dry && !job_has_segments(w->job)) || decode_mask(w));
    w->has_mask = good;
    text_drop(&name);
    lap(w, STAGE_MASK_READ);
    return good || blame_mask(w);
}

/* --- writing --- */

static bool write_file(struct work *w, const char *folder, const char *name,
                       const struct text *bytes)
{
    struct text scratch = { 0 }, path = { 0 };
    bool good;

    if (!w->job->out)
        return true;
    path_join(&scratch, w->job->out, OUT_SCRATCH);
    path_join(&path, w->job->out, folder);
    good = file_write(text_string(&scratch), text_string(&path), name, bytes->at, bytes->length);
    if (!good)
        fail(w, OUTCOME_OUTPUT, name, strerror(errno));
    text_drop(&scratch);
    text_drop(&path);
    return good;
}

/* The file `name` as it will be, in the bench's `made`. */
static bool make_file(struct work *w, const char *name, const struct picture *picture,
                      enum picture_format format)
{
    const struct output_rules *rules = &w->job->plan->output;
    struct picture_options options = { .format = format,
                                       .quality = rules->quality,
                                       .subsampling = (enum subsampling)rules->subsampling,
                                       .compression = rules->compression };
    struct text *made = &w->bench->made, why = { 0 };
    bool good;

    text_clear(made);
    good = picture_write(picture, &options, made, &why);
    if (!good)
        fail(w, OUTCOME_INPUT, name, text_string(&why));
    text_drop(&why);
    return good;
}

/* May the file itself be the output? The same answer however ops are joined. */
static bool is_copied(const struct work *w, const struct drawing *drawing)
{
    if (w->job->plan->output.untouched != UNTOUCHED_COPY || w->orientation > 1 ||
        w->header.format != output_format(w->job, w->record->name))
        return false;
    for (size_t i = 0; i < drawing->n; i++)
        if (drawing->at[i].op->needs || drawing->at[i].action.family != NOTHING)
            return false;
    return true;
}

/* What to write of the source's coefficients, if that is the rule and will do. An image beyond the
 * limit is left to picture_read, which refuses it. */
static const struct excerpt *find_excerpt(const struct take *take, struct excerpt *excerpt)
{
    const struct work *w = take->work;
    enum picture_format format = output_format(w->job, w->record->name);
    struct frame f = w->header.frame;

    if (!w->job->plan->output.lossless || format != PICTURE_JPEG || take->copied ||
        (size_t)f.width * (size_t)f.height > w->job->max_pixels ||
        !lossless_excerpt(take->drawing, &w->header, &w->bench->arena, excerpt))
        return NULL;
    return excerpt;
}

/* False when the coefficients will not do after all; then nothing was written. */
static bool make_excerpt(struct work *w, const struct excerpt *excerpt)
{
    struct slice source = { w->bench->bytes.at, w->bench->bytes.length };
    struct text why = { 0 };
    bool good;

    text_clear(&w->bench->made);
    good = picture_write_excerpt(source, &w->header, excerpt, &w->bench->made, &why);
    text_drop(&why);
    lap(w, STAGE_EXCERPT);
    return good;
}

/* Decoded, rendered and encoded. */
static bool write_pixels(struct work *w, const struct take *take, const char *name)
{
    const struct plan *plan = w->job->plan;
    enum picture_format format = output_format(w->job, w->record->name);
    struct passes passes =
        passes_of(take->drawing, (enum optimize)plan->optimize, &w->bench->arena, NULL);
    const struct picture *image;
    struct picture_wish wish = take_wish(take, &passes);
    struct picture out;
    struct text why = { 0 };
    bool good;

    passes.clock = w->bench->clock;
    lap(w, STAGE_COMPILE);
    image = take_image(take, &wish);
    if (!image)
        return false;
    good = render_image(take->drawing, &passes, image, (enum subsampling)plan->output.subsampling,
                        &w->bench->pool, &w->bench->arena, &out, &why);
    lap(w, STAGE_RENDER);
    if (good) {
        good = make_file(w, name, &out, format);
        lap(w, STAGE_ENCODE);
        good = good && write_file(w, OUT_IMAGES, name, &w->bench->made);
        render_drop(&out, image, &w->bench->pool);
    } else {
        fail(w, OUTCOME_INPUT, w->record->name, text_string(&why));
    }
    text_drop(&why);
    return good;
}

static bool write_image(struct work *w, const struct take *take, const char *name)
{
    if (take->copied)
        return take_image(take, NULL) && /* which sees that it is whole */
               write_file(w, OUT_IMAGES, name, &w->bench->bytes);
    if (take->excerpt && make_excerpt(w, take->excerpt))
        return write_file(w, OUT_IMAGES, name, &w->bench->made);
    return write_pixels(w, take, name);
}

static bool write_mask(struct work *w, const struct drawing *drawing, const char *name)
{
    struct picture out = w->mask;
    bool good;

    render_mask(drawing, (enum optimize)w->job->plan->optimize, &w->mask.plane, &w->bench->pool,
                &w->bench->arena, &out.plane);
    lap(w, STAGE_MASK_RENDER);
    good = make_file(w, name, &out, PICTURE_PNG);
    lap(w, STAGE_MASK_ENCODE);
    good = good && write_file(w, OUT_MASKS, name, &w->bench->made);
    if (out.plane.px != w->mask.plane.px)
        pool_return(&w->bench->pool, &out.plane);
    return good;
}

/* The picture of the objects that stay. */
static bool write_segments(struct work *w, const struct sample *sample, const char *name)
{
    struct picture out = { .format = PICTURE_PNG };
    bool good;

    out.plane = pool_plane(&w->bench->pool, sample->frame, 3, PIXEL_U8);
    w->job->dataset->format->paint(w->job->dataset, w->index, sample, &out.plane);
    lap(w, STAGE_MASK_RENDER);
    good = make_file(w, name, &out, PICTURE_PNG);
    lap(w, STAGE_MASK_ENCODE);
    good = good && write_file(w, OUT_MASKS, name, &w->bench->made);
    pool_return(&w->bench->pool, &out.plane);
    return good;
}

/* --- one output --- */

static void add_piece(struct text *pieces, struct text *all, size_t before, size_t order,
                      unsigned k)
{
    struct piece piece = { order, k, (uint32_t)(all->length - before) };

    text_add(pieces, &piece, sizeof piece);
}

static void print_fragments(struct work *w, const struct sample *sample, const char *name,
                            const char *mask, unsigned k)
{
    const struct dataset *dataset = w->job->dataset;
    struct report *r = w->report;
    struct output output = { .k = k,
                             .of = job_fan(w->job),
                             .name = name,
                             .mask = mask,
                             .frame = sample->frame,
                             .renamed = strcmp(name, w->record->name) != 0,
                             .resized = !frame_equal(sample->frame, w->header.frame) ||
                                        record_differs(w->record, sample->frame) };
    size_t before = r->records.length, order = w->index;

    if (!dataset->format)
        return;
    dataset->format->print_record(dataset, w->index, &output, &r->records);
    add_piece(&r->record_pieces, &r->records, before, order, k);
    if (dataset->format->print_objects) {
        before = r->objects.length;
        dataset->format->print_objects(dataset, w->index, sample, &output, &r->objects, &order);
        if (r->objects.length > before)
            add_piece(&r->object_pieces, &r->objects, before, order, k);
    }
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];

        if (o->dropped)
            continue;
        r->objects_out++;
        if (!dataset->format->print_object)
            continue;
        before = r->objects.length;
        dataset->format->print_object(dataset, w->index, sample, o, &output, &w->job->plan->rules,
                                      &r->objects, &order);
        add_piece(&r->object_pieces, &r->objects, before, order, k);
    }
}

static bool load_objects(struct work *w, struct sample *sample)
{
    const struct dataset *dataset = w->job->dataset;
    struct faults faults = { .name = dataset->file, .text = dataset->text };
    bool good;

    if (!dataset->format)
        return true;
    if (w->has_mask && job_has_segments(w->job))
        sample->segments = &w->mask.plane;
    good = dataset->format->load(dataset, w->index, &w->job->plan->rules, sample, &faults);
    if (!good) {
        struct text message = { 0 };

        faults_print(&faults, 1, &message);
        message.at[strcspn(message.at, "\n")] = '\0';
        fail(w, OUTCOME_INPUT, "", text_string(&message));
        text_drop(&message);
    }
    faults_drop(&faults);
    w->report->objects_in = sample->n_objects;
    return good;
}

static bool draw(struct work *w, bool original, const struct lot *lot, struct sample *sample,
                 struct drawing *drawing)
{
    struct pixel_kind kind = { w->header.type, w->header.bands };
    struct text why = { 0 };
    bool good = true;

    *drawing = (struct drawing){ .absent = original && lot->branch > 0 };
    if (original)
        return true;
    if (w->has_mask && !sample->segments)
        sample->mask = (struct mask_source){ mask_pixels, w, &w->bench->pool };
    if (!plan_apply(w->job->plan, lot, kind, sample, drawing, &why))
        good = why.length == 0 ? false /* a mask that could not be read has said why */
                               : fail(w, OUTCOME_INPUT, w->record->name, text_string(&why));
    text_drop(&why);
    return good;
}

/* What output k is drawn by; of an original, what its copy would be. */
static struct lot lot_of(const struct work *w, unsigned k)
{
    const struct plan *plan = w->job->plan;
    unsigned copy = k / plan->fan;

    if (w->job->include_original && copy)
        copy--; /* originals change no draw */
    return (struct lot){ .seed = (uint64_t)plan->seed,
                         .image = { w->record->seed_key, strlen(w->record->seed_key) },
                         .copy = copy,
                         .branch = k % plan->fan,
                         .attempt = w->attempts.chosen };
}

/* Drawn and settled, in the bench's arena. */
static bool draw_settled(struct work *w, bool original, const struct lot *lot,
                         struct sample *sample, struct drawing *drawing)
{
    arena_reset(&w->bench->arena);
    *sample = (struct sample){ .arena = &w->bench->arena,
                               .name = w->record->name,
                               .frame = w->header.frame,
                               .matrix = MAT3_IDENTITY,
                               .has_matrix = true };
    if (!load_objects(w, sample) || !draw(w, original, lot, sample, drawing))
        return false;
    if (!drawing->absent)
        sample_settle(sample, &w->job->plan->rules);
    return true;
}

/* --- attempts --- */

/* The copy that attempts are made for. */
struct trial {
    struct work *work;
    struct lot lot;
};

static bool draw_draft(void *context, const struct draft *draft, struct sample *sample,
                       bool *absent)
{
    struct trial *t = context;
    struct drawing drawing;
    bool good;

    t->lot.attempt = draft->attempt;
    t->lot.branch = draft->branch;
    good = draw_settled(t->work, draft->original, &t->lot, sample, &drawing);
    *absent = drawing.absent;
    return good;
}

static bool fail_rejected(struct work *w)
{
    const struct attempts *a = &w->attempts;
    const struct refusal *last = &a->refused[a->n_refused - 1];
    char why[120];

    snprintf(why, sizeof why, "all %zu attempts were rejected; of the last, %s is %g", a->n_refused,
             last->reason, last->value);
    return fail(w, OUTCOME_INPUT, w->record->name, why);
}

/* Which attempt the copy that output k begins is. */
static bool choose_attempt(struct work *w, unsigned k)
{
    const struct plan *plan = w->job->plan;
    struct trial trial = { w, { 0 } };

    w->attempts = (struct attempts){ 0 };
    if (!plan->rules.reject_image_if.given || (w->job->include_original && k < plan->fan))
        return true;
    arena_reset(&w->tried);
    trial.lot = lot_of(w, k);
    if (!attempts_choose(plan, draw_draft, &trial, &w->tried, &w->attempts))
        return false;
    w->report->rejected += w->attempts.n_refused;
    w->report->given_up += w->attempts.given_up;
    return !w->attempts.given_up || plan->rules.when_rejected != REJECTED_FAIL || fail_rejected(w);
}

static bool take_output(struct work *w, unsigned k)
{
    const struct plan *plan = w->job->plan;
    bool untried = w->job->include_original && k < plan->fan;
    bool original =
        untried || (w->attempts.given_up && plan->rules.when_rejected == REJECTED_ORIGINAL);
    struct lot lot = lot_of(w, k);
    struct sample sample;
    struct drawing drawing;
    struct excerpt excerpt;
    struct take take = { .k = k,
                         .key = rng_key(lot.seed, lot.image, lot.copy, lot.branch, lot.attempt),
                         .in = w->header.frame,
                         .pixels = { w->header.type, w->header.bands },
                         .mask =
                             w->has_mask && !w->dry && !job_has_segments(w->job) ? &w->mask : NULL,
                         .attempts =
                             plan->rules.reject_image_if.given && !untried ? &w->attempts : NULL,
                         .sample = &sample,
                         .drawing = &drawing,
                         .work = w };

    if (!draw_settled(w, original, &lot, &sample, &drawing))
        return false;
    if (drawing.absent)
        return true;
    w->report->outputs++;
    take.copied = is_copied(w, &drawing);
    take.excerpt = find_excerpt(&take, &excerpt);
    lap(w, STAGE_DRAW);
    return w->take(w->context, &take, w->report);
}

/* Say what came of an output, and write its files unless dry. */
static bool write_output(void *context, const struct take *take, struct report *report)
{
    struct work *w = context;
    struct text name = { 0 }, mask = { 0 };
    struct manifest_entry entry = { .job = w->job,
                                    .record = w->index,
                                    .k = take->k,
                                    .sample = take->sample,
                                    .drawing = take->drawing,
                                    .in = take->in,
                                    .key = take->key,
                                    .attempts = take->attempts };
    bool good;

    output_name(w->job, w->record->name, take->k, &name);
    entry.output = text_string(&name);
    if (mask_output_name(w->job, w->index, take->k, &mask))
        entry.mask = text_string(&mask);
    manifest_print(&entry, &report->manifest);
    print_fragments(w, take->sample, entry.output, entry.mask, take->k);
    lap(w, STAGE_PRINT);
    good = w->dry || (write_image(w, take, entry.output) &&
                      (!take->mask || write_mask(w, take->drawing, entry.mask)) &&
                      (!take->sample->segments || write_segments(w, take->sample, entry.mask)));
    text_drop(&name);
    text_drop(&mask);
    return good;
}

void record_unwrite(const struct job *job, size_t record)
{
    struct text name = { 0 }, mask = { 0 }, folder = { 0 }, path = { 0 };

    for (unsigned k = 0; k < job_fan(job); k++) {
        output_name(job, job->dataset->records[record].name, k, &name);
        path_join(&folder, job->out, OUT_IMAGES);
        path_join(&path, text_string(&folder), text_string(&name));
        unlink(text_string(&path));
        if (!mask_output_name(job, record, k, &mask))
            continue;
        path_join(&folder, job->out, OUT_MASKS);
        path_join(&path, text_string(&folder), text_string(&mask));
        unlink(text_string(&path));
    }
    text_drop(&name);
    text_drop(&mask);
    text_drop(&folder);
    text_drop(&path);
}

/* What a failed record would have added must not reach the outputs. */
static void forget(struct report *r)
{
    enum outcome outcome = r->outcome;
    struct text why = r->why;

    r->why = (struct text){ 0 };
    report_clear(r);
    r->outcome = outcome;
    r->why = why;
}

static bool take_all(struct work *w)
{
    bool good;

    report_clear(w->report);
    clock_start(w->bench->clock);
    good = read_image(w) && read_mask(w);
    for (unsigned k = 0; good && k < job_fan(w->job); k++)
        good = (k % w->job->plan->fan || choose_attempt(w, k)) && take_output(w, k);
    if (w->image.plane.px)
        picture_drop(&w->image, &w->bench->pool);
    if (w->mask.plane.px)
        picture_drop(&w->mask, &w->bench->pool);
    arena_drop(&w->tried);
    lap(w, STAGE_REST);
    return good;
}

bool record_take(const struct job *job, struct bench *bench, size_t index, bool dry, take_fn *take,
                 void *context, struct report *report)
{
    struct work w = { .job = job,
                      .bench = bench,
                      .index = index,
                      .record = &job->dataset->records[index],
                      .dry = dry,
                      .take = take,
                      .context = context,
                      .report = report };

    return take_all(&w);
}

void record_run(const struct job *job, struct bench *bench, size_t index, bool dry,
                struct report *report)
{
    struct work w = { .job = job,
                      .bench = bench,
                      .index = index,
                      .record = &job->dataset->records[index],
                      .dry = dry,
                      .take = write_output,
                      .report = report };

    w.context = &w;
    if (take_all(&w))
        return;
    if (!dry && job->out)
        record_unwrite(job, index);
    forget(report);
}
