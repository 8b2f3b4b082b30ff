/* join_params: parameters of steps that join images. */
#include "steps/op_shared/join_params.h"

#include "steps/op_shared/rows.h"

const struct choice blended_choices[] = {
    { "refuse", BLENDED_REFUSE, "the image is refused" },
    { "heavier", BLENDED_HEAVIER, "the label of the image with the larger share" },
    { 0 },
};

const struct choice blending_choices[] = {
    { "none", BLENDING_NONE, "sharp, pixel by pixel" },
    { "feather", BLENDING_FEATHER, "blended over two pixels on both sides" },
    { 0 },
};

const struct choice piece_choices[] = {
    { "split", PIECES_SPLIT, "each part becomes a separate object" },
    { "largest", PIECES_LARGEST, "only the largest part stays" },
    { "drop", PIECES_DROP, "it is dropped" },
    { 0 },
};

/* --- donors --- */

static const struct row donor_rows[] = {
    NAMES(struct donors, has_category, .preset = "null",
          .help = "the image has at least one object of one of these categories"),
    FLAG(struct donors, same_size, .preset = "false",
         .help = "width and height are those of the image, by the annotations"),
    FLAG(struct donors, exclude_self, .preset = "true", .help = "never the image itself"),
    ROWS_END,
};

static bool donors_read(const struct row *row, const struct value *value, void *to,
                        const struct reader *reader, struct faults *faults)
{
    params_preset(donor_rows, to, reader->arena);
    return value->kind == VALUE_NULL || set_read(donor_rows, row, value, to, reader, faults);
}

static void donors_show(const struct row *row, const void *from, struct text *out)
{
    (void)row;
    set_show(donor_rows, from, out);
}

static void donors_schema(const struct row *row, struct text *out)
{
    (void)row;
    set_schema(donor_rows, out);
}

const struct kind donors_kind = {
    "donors", "{\"has_category\": [...], \"same_size\": false, \"exclude_self\": true}, or null",
    donors_read, donors_show, donors_schema
};

static bool donor_steps_read(const struct row *row, const struct value *value, void *to,
                             const struct reader *reader, struct faults *faults)
{
    return steps_kind.read(row, value, to, reader, faults);
}

static void donor_steps_show(const struct row *row, const void *from, struct text *out)
{
    steps_kind.print(row, from, out);
}

static void donor_steps_schema(const struct row *row, struct text *out)
{
    steps_kind.schema(row, out);
}

const struct kind donor_steps_kind = { "steps", "a list of steps", donor_steps_read,
                                       donor_steps_show, donor_steps_schema };

/* --- inputs --- */

#define PLACE .unit = "pixels", .preset = "0", .limit = { -1000000, 1000000 }
static const struct row input_rows[] = {
    TEXT(struct input, source, .preset = "\"\"",
         .help = "the name of another image of the dataset; empty: the image itself"),
    INTEGER(struct input, top, PLACE, .help = "row of the canvas where the input begins"),
    INTEGER(struct input, left, PLACE, .help = "column of the canvas where the input begins"),
    NUMBER(struct input, opacity, .preset = "1", .limit = { 0, 1 }, .above = true,
           .help = "opacity; 1 hides the inputs below it"),
    NUMBERS(struct input, objects, .preset = "[]", .whole = true, .most = 1000000,
            .limit = { 0, 1e9 },
            .help = "indices of annotations of its image, from 0: only these objects are "
                    "placed, cut out by their segmentation or box; empty: the whole image"),
    BLENDING_ROW(struct input, "\"none\""),
    STEPS(struct input, steps, .preset = "[]", .help = "steps that make the input from the image"),
    ROWS_END,
};
#undef PLACE

struct inputs inputs_take(struct arena *arena, size_t n)
{
    return (struct inputs){ ARENA_ARRAY(arena, struct input, n),
                            ARENA_ARRAY(arena, struct steps, n), n };
}

static bool inputs_read(const struct row *row, const struct value *value, void *to,
                        const struct reader *reader, struct faults *faults)
{
    struct inputs *inputs = to;
    bool good = true;

    if (!value_expect(value, VALUE_LIST, row->kind->wants, faults))
        return false;
    if (!value->n)
        return value_fault(faults, value, false, "param-length", "expected at least one input");
    *inputs = inputs_take(reader->arena, value->n);
    for (size_t i = 0; i < value->n; i++) {
        const struct value *item = &value->item[i];

        params_preset(input_rows, &inputs->at[i], reader->arena);
        good &= value_expect(item, VALUE_OBJECT, "an input, an object", faults) &&
                params_read(input_rows, item, &inputs->at[i], NULL, reader, faults);
        inputs->steps[i] = inputs->at[i].steps;
    }
    return good;
}

static void inputs_show(const struct row *row, const void *from, struct text *out)
{
    const struct inputs *inputs = from;

    (void)row;
    for (size_t i = 0; i < inputs->n; i++) {
        text_adds(out, i ? ", {" : "[{");
        params_print(input_rows, &inputs->at[i], out);
        text_addc(out, '}');
    }
    text_addc(out, ']');
}

static void input_schema(struct text *out)
{
    for (ROWS (row, input_rows)) {
        text_addf(out, "%s\"%s\": {\"description\": \"%s\", ", row == input_rows ? "" : ", ",
                  row->name, row->help);
        row->kind->schema(row, out);
        text_addc(out, '}');
    }
}

static void inputs_schema(const struct row *row, struct text *out)
{
    (void)row;
    text_adds(out, "\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"object\", "
                   "\"properties\": {");
    input_schema(out);
    text_adds(out, "}, \"patternProperties\": {\"^x-\": true}, \"additionalProperties\": false}");
}

const struct kind inputs_kind = { "inputs", "a list of inputs", inputs_read, inputs_show,
                                  inputs_schema };

/* --- emitting --- */

const char *run_donor(struct run *run, const struct donors *donors)
{
    return run->emitter->donor(run, donors);
}

void emit_like(struct run *run, int channels, int type)
{
    bool gray = run->channels < 3;

    if (gray && channels >= 3)
        emit_plain(run, "grayscale_to_rgb");
    else if (!gray && channels < 3)
        emit_plain(run, "rgb_to_grayscale");
    if (run->type != type)
        emit(run, "to_dtype", WORD("dtype", dtype_choices, type), YES("scale", true));
}

void emit_join(struct run *run, const struct joint *joint, chain_fn *chain, const void *context)
{
    run->emitter->join(run, joint, chain, context);
}
