/* ultralytics: reads the hyper-parameters of YOLO trainers: hyp.*.yaml of YOLOv5, default.yaml and
 * args.yaml of YOLOv8 and later. Makes the steps that the trainer makes of them: v8_transforms and
 * classify_augmentations of ultralytics/data/augment.py. Missing keys have the defaults of
 * ultralytics/cfg/default.yaml. */
#include "migrate/pipeline_builder.h"
#include "migrate/import.h"
#include "migrate/settings.h"
#include "labels/yolo/yaml.h"

#include <math.h>
#include <string.h>

enum { LARGEST_SIDE = 32750 };

struct trainer_file {
    struct settings s; /* the hyper-parameters */
    double size;
    bool stretched;                           /* RT-DETR ignores the aspect ratio */
    int trainer;                              /* YOLOv5, YOLOv7, or 8: YOLOv8 and later */
    double mosaic, mixup, cutmix, copy_paste; /* probabilities */
    double degrees, translate, scale, shear;
};

/* Keys that define steps. */
static const char *const augmenting[] = {
    "hsv_h",           "hsv_s",   "hsv_v",    "degrees", "translate", "scale",  "shear",
    "perspective",     "flipud",  "bgr",      "mosaic",  "mixup",     "cutmix", "copy_paste",
    "auto_augment",    "erasing", "fliplr",   "imgsz",   "rect",      "model",  "task",
    "copy_paste_mode", "seed",    "paste_in",
};

/* Keys for training and the like, which do not affect pixels or labels. */
static const char trainers[] =
    " agnostic_nms amp anchor_t anchors angle augment batch bbox_interval box boxes bucket cache "
    "cfg "
    "classes close_mosaic cls cls_pw compile conf copy_paste_mode cos_lr crop_fraction data "
    "deterministic device dfl dnn dropout dynamic embed end2end entity epochs evolve exist_ok "
    "fitness "
    "fl_gamma format fraction freeze half hide_conf hide_labels image_weights int8 iou iou_t keras "
    "kobj "
    "label_smoothing line_thickness line_width local_rank loss_ota lr0 lrf mask_ratio max_det "
    "min_memory mode momentum multi_scale name nbs nms noautoanchor nosave noval obj obj_pw opset "
    "optimize optimizer overlap_mask patience plots pose pretrained profile project quad resume "
    "retina_masks rle save save_conf save_crop save_dir save_frames save_hybrid save_json "
    "save_period "
    "save_txt show show_boxes show_conf show_labels simplify single_cls source split stream_buffer "
    "sync_bn time tracker upload_dataset v5loader val verbose vid_stride visualize warmup_bias_lr "
    "warmup_epochs warmup_momentum weight_decay weights workers workspace ";

static bool detect(struct slice text)
{
    static const char *const telling[] = { "hsv_h",  "hsv_s",  "hsv_v",
                                           "fliplr", "flipud", "copy_paste" };

    for (size_t i = 0; i < COUNTOF(telling); i++)
        if (import_has_word(text, telling[i]))
            return true;
    return false;
}

/* --- steps --- */

/* `key` gives the step's place in the file. */
static struct value *add_step(const struct trainer_file *r, struct value *list, const char *type,
                              const char *key)
{
    const struct value *v = value_get(r->s.object, key);

    return build_step(list, type, v ? v : r->s.object, r->s.m->arena);
}

/* Adds a step with a probability; adds nothing if the probability is 0. */
static void add_chance(const struct trainer_file *r, struct value *list, const char *type,
                       const char *key, double p)
{
    if (p > 0)
        build_number(add_step(r, list, type, key), "p", p);
}

static struct value *add_steps(const struct trainer_file *r, struct value *step)
{
    return build_list(build_key(step, "transforms", VALUE_LIST), r->s.m->arena);
}

/* --- v8_transforms --- */

/* Adds "fit": the step of lockstep that resizes borrowed images. */
static void add_fit(const struct trainer_file *r, struct value *step, const char *type,
                    const char *key)
{
    struct value *fit = build_inner(step, "fit", r->stretched ? "Resize" : type, r->s.m->arena);

    if (r->stretched) {
        struct value *size = build_list(build_key(fit, "size", VALUE_LIST), r->s.m->arena);

        build_item(size, r->size);
        build_item(size, r->size);
    } else {
        build_number(fit, key, r->size);
    }
    if (strcmp(type, "LongestMaxSize") == 0 && !r->stretched)
        build_key(fit, "rounding", VALUE_TEXT)->text = r->trainer == 7 ? "down" : "up";
    build_key(fit, "antialias", VALUE_FLAG)->flag = false;
}

/* Adds the step that scales the image to the trainer's size: a step of Ultralytics, or a stretch.
 */
static void add_scaled(const struct trainer_file *r, struct value *list, const char *type,
                       const char *key)
{
    struct value *step = add_step(r, list, r->stretched ? "Resize" : type, "imgsz");

    build_number(step, r->stretched ? "size" : key, r->size);
    if (strcmp(key, "imgsz") == 0 && r->trainer == 7 && !r->stretched)
        build_key(step, "rounding", VALUE_TEXT)->text = "down";
}

/* Adds a key that selects the rows for older trainers. */
static void add_trainer(const struct trainer_file *r, struct value *step)
{
    if (r->trainer < 8)
        build_number(step, "trainer", r->trainer);
}

/* Adds the parameters of RandomPerspective; `share` is the trainer's side as a share of the
 * canvas's side. */
static void add_affine_keys(const struct trainer_file *r, struct value *step, double share)
{
    build_number(step, "degrees", r->degrees);
    build_number(step, "translate", r->translate * share);
    if (r->trainer == 7) {
        struct value *scale = build_list(build_key(step, "scale", VALUE_LIST), r->s.m->arena);

        build_item(scale, fmax(round((1 - r->scale) * 1e9) / 1e9, 0.01));
        build_item(scale, 1.1 + r->scale);
    } else {
        build_number(step, "scale", r->scale);
    }
    if (r->shear > 0)
        build_number(step, "shear", r->shear);
}

/* Adds the steps for an image, or a mosaic, before other images are mixed in. */
static void add_moves(const struct trainer_file *r, struct value *list, double share)
{
    bool mixes = strcmp(settings_text(&r->s, "copy_paste_mode", "flip"), "mixup") == 0;

    if (!mixes)
        add_chance(r, list, "CopyPaste", "copy_paste", r->copy_paste);
    add_affine_keys(r, add_step(r, list, "RandomPerspective", "scale"), share);
}

/* The images meet at a point of a canvas of twice the size; then its middle is cropped. */
static void add_mosaic(const struct trainer_file *r, struct value *list)
{
    struct value *step;

    add_scaled(r, list, "load_image", "imgsz");
    step = add_step(r, list, "Mosaic", "mosaic");
    build_number(step, "imgsz", r->size);
    add_trainer(r, step);
    add_fit(r, step, "LongestMaxSize", "max_size");
    add_moves(r, list, 0.5);
    build_number(add_step(r, list, "CenterCrop", "imgsz"), "size", r->size);
}

static void add_single(const struct trainer_file *r, struct value *list)
{
    add_scaled(r, list, "load_image", "imgsz");
    if (!r->stretched)
        add_scaled(r, list, "LetterBox", "new_shape");
    add_moves(r, list, 1);
}

/* Adds either variant, by the probability of a mosaic. */
static void add_either(const struct trainer_file *r, struct value *list)
{
    struct value *step = add_step(r, list, "OneOf", "mosaic"), *chains, *chain;

    build_number(step, "p", 1);
    chains = add_steps(r, step);
    chain = add_step(r, chains, "Compose", "mosaic");
    build_number(chain, "p", r->mosaic);
    add_mosaic(r, add_steps(r, chain));
    chain = add_step(r, chains, "Compose", "mosaic");
    build_number(chain, "p", round((1 - r->mosaic) * 1e9) / 1e9);
    add_single(r, add_steps(r, chain));
}

/* Adds MixUp or CutMix with an image that had all earlier steps except the mosaic. */
static void add_mix(const struct trainer_file *r, struct value *list, const char *type,
                    const char *key, double p)
{
    struct value *step;

    if (p <= 0)
        return;
    step = add_step(r, list, type, key);
    build_number(step, "p", p);
    add_trainer(r, step);
    add_fit(r, step, "LetterBox", "size");
    add_affine_keys(r, step, 1);
}

static void add_albumentations(const struct trainer_file *r, struct value *list)
{
    static const char *const rare[] = { "Blur", "MedianBlur", "ToGray", "CLAHE" };
    struct value *inner = add_steps(r, add_step(r, list, "Albumentations", ""));

    for (size_t i = 0; i < COUNTOF(rare); i++)
        build_number(add_step(r, inner, rare[i], ""), "p", 0.01);
}

static void add_hsv(const struct trainer_file *r, struct value *list)
{
    double h = fabs(settings_within(&r->s, "hsv_h", 0.015, -1, 1));
    double s = fabs(settings_within(&r->s, "hsv_s", 0.7, -1, 1));
    double v = fabs(settings_within(&r->s, "hsv_v", 0.4, -1, 1));
    struct value *step;

    if (h + s + v <= 0)
        return;
    step = add_step(r, list, "RandomHSV", "hsv_h");
    add_trainer(r, step);
    build_number(step, "hgain", h);
    build_number(step, "sgain", s);
    build_number(step, "vgain", v);
}

static void read_moves(struct trainer_file *r)
{
    const struct value *perspective = settings_get(&r->s, "perspective");
    bool single = setting_is_on(settings_get(&r->s, "rect"));

    r->mosaic = single ? 0 : settings_chance(&r->s, "mosaic", 1);
    r->mixup = single ? 0 : settings_chance(&r->s, "mixup", 0);
    r->cutmix = single ? 0 : settings_chance(&r->s, "cutmix", 0);
    r->copy_paste = settings_chance(&r->s, "copy_paste", 0);
    r->degrees = fabs(settings_within(&r->s, "degrees", 0, -360, 360));
    r->translate = fabs(settings_within(&r->s, "translate", 0.1, -1, 1));
    r->scale = fabs(settings_within(&r->s, "scale", 0.5, -100, 100));
    r->shear = fabs(settings_within(&r->s, "shear", 0, -89, 89));
    if (setting_is_on(settings_get(&r->s, "paste_in")))
        settings_lose(&r->s, settings_get(&r->s, "paste_in"),
                      "objects of other images are scaled and pasted in; the nearest is CopyPaste");
    if (perspective && settings_number(&r->s, "perspective", 0) != 0)
        settings_lose(&r->s, perspective,
                      "affine transforms here have no perspective; use "
                      "RandomPerspective");
}

static void add_detection(struct trainer_file *r, struct value *list)
{
    read_moves(r);
    if (r->mosaic >= 1)
        add_mosaic(r, list);
    else if (r->mosaic > 0)
        add_either(r, list);
    else
        add_single(r, list);
    if (strcmp(settings_text(&r->s, "copy_paste_mode", "flip"), "mixup") == 0 &&
        r->copy_paste > 0) {
        struct value *step = add_step(r, list, "CopyPaste", "copy_paste");

        build_number(step, "p", r->copy_paste);
        build_key(step, "mode", VALUE_TEXT)->text = "mixup";
    }
    add_mix(r, list, "MixUp", "mixup", r->mixup);
    add_mix(r, list, "CutMix", "cutmix", r->cutmix);
    add_albumentations(r, list);
    add_hsv(r, list);
    add_chance(r, list, "flipud", "flipud", settings_chance(&r->s, "flipud", 0));
    add_chance(r, list, "fliplr", "fliplr", settings_chance(&r->s, "fliplr", 0.5));
    add_chance(r, list, "bgr", "bgr", settings_chance(&r->s, "bgr", 0));
    /* RandomPerspective.box_candidates */
    text_adds(&r->s.m->settings,
              "  \"annotations\": {\"min_size\": 2, \"max_aspect\": 100, \"min_visibility\": 0.1, "
              "\"$comment\": \"the trainer also keeps objects with segments if a hundredth of "
              "them is left\"},\n");
}

/* --- classify_augmentations --- */

/* Adds the torchvision policy that the file names; returns false if it names none. */
static bool add_policy(const struct trainer_file *r, struct value *list)
{
    static const char *const names[] = { "randaugment", "augmix", "autoaugment" };
    static const char *const types[] = { "RandAugment", "AugMix", "AutoAugment" };
    const struct value *v = settings_get(&r->s, "auto_augment");
    const char *policy = !v ? names[0] : v->kind == VALUE_TEXT ? v->text : "?";

    for (size_t i = 0; i < COUNTOF(names); i++)
        if (strcmp(policy, names[i]) == 0) {
            add_step(r, list, types[i], "auto_augment");
            return true;
        }
    if (*policy && strcmp(policy, "none") != 0 && strcmp(policy, "None") != 0)
        settings_lose(&r->s, v, "the policies are randaugment, autoaugment and augmix");
    return false;
}

static void add_classification(const struct trainer_file *r, struct value *list)
{
    struct value *step = add_step(r, list, "RandomResizedCrop", "imgsz"), *scale;

    build_number(step, "size", r->size);
    scale = build_list(build_key(step, "scale", VALUE_LIST), r->s.m->arena);
    build_item(scale, round((1 - settings_within(&r->s, "scale", 0.5, 0, 0.99)) * 1e9) / 1e9);
    build_item(scale, 1);
    add_chance(r, list, "fliplr", "fliplr", settings_chance(&r->s, "fliplr", 0.5));
    add_chance(r, list, "flipud", "flipud", settings_chance(&r->s, "flipud", 0));
    if (!add_policy(r, list)) {
        step = add_step(r, list, "ColorJitter", "hsv_v");
        build_number(step, "brightness", settings_chance(&r->s, "hsv_v", 0.4));
        build_number(step, "contrast", step->item[step->n - 1].number);
        build_number(step, "saturation", settings_chance(&r->s, "hsv_s", 0.7));
        build_number(step, "hue", settings_within(&r->s, "hsv_h", 0.015, 0, 0.5));
    }
    add_chance(r, list, "RandomErasing", "erasing", settings_chance(&r->s, "erasing", 0.4));
}

/* --- the file --- */

/* True if the word is in the list, which has spaces around its words. */
static bool is_trainers(const char *word)
{
    const char *at = trainers;
    size_t length = strlen(word);

    while (length && (at = strstr(at, word))) {
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
        at++;
    }
    return false;
}

static void lose_unknown(const struct trainer_file *r)
{
    for (size_t i = 0; i < r->s.object->n; i++) {
        const struct value *v = &r->s.object->item[i];
        struct nearest near = { .word = v->name };
        bool known = is_trainers(v->name);

        for (size_t k = 0; k < COUNTOF(augmenting); k++) {
            known |= strcmp(v->name, augmenting[k]) == 0;
            nearest_try(&near, augmenting[k]);
        }
        if (!known)
            import_lost(r->s.m, v, "unknown setting %s%s", v->name,
                        nearest_hint(&near, r->s.m->arena));
    }
}

/* Names settings that change during training. */
static void leave_to_trainer(const struct trainer_file *r)
{
    struct text *out = &r->s.m->left_out;

    if (setting_is_on(settings_get(&r->s, "close_mosaic")) && r->mosaic > 0)
        text_adds(out, "close_mosaic");
    if (setting_is_on(settings_get(&r->s, "multi_scale")))
        text_addf(out, "%smulti_scale", out->length ? ", " : "");
    if (setting_is_on(settings_get(&r->s, "rect")))
        text_addf(out, "%srect", out->length ? ", " : "");
}

/* Recognizes YOLOv7 by its losses and objects, and YOLOv5 by keys for anchors, which YOLOv8
 * removed. */
static int trainer_of(const struct trainer_file *r)
{
    if (value_get(r->s.object, "paste_in") || value_get(r->s.object, "loss_ota"))
        return 7;
    return value_get(r->s.object, "anchor_t") || value_get(r->s.object, "fl_gamma") ? 5 : 8;
}

static void read_common(struct trainer_file *r)
{
    const struct value *seed = settings_get(&r->s, "seed"), *size = settings_get(&r->s, "imgsz");
    bool classes = strcmp(settings_text(&r->s, "task", ""), "classify") == 0;

    if (seed && seed->kind == VALUE_NUMBER && seed->number >= 0 &&
        seed->number == floor(seed->number) && seed->number <= 9007199254740992)
        text_addf(&r->s.m->settings, "  \"seed\": %.0f,\n", seed->number);
    r->trainer = trainer_of(r);
    r->size = classes ? 224 : 640;
    if (size && (size->kind != VALUE_NUMBER || size->number != floor(size->number)))
        import_lost(r->s.m, size, "imgsz: expected an integer; %g is used", r->size);
    else if (size)
        r->size = settings_within(&r->s, "imgsz", r->size, 1, LARGEST_SIDE);
    r->stretched = strncmp(settings_text(&r->s, "model", ""), "rtdetr", 6) == 0;
}

static bool read(struct import_job *m)
{
    const struct value *root = yaml_read(m->faults, m->faults->text, m->arena), *inner;
    struct value *list = build_list(value_new(m->arena, VALUE_LIST), m->arena);
    struct trainer_file r = { .s.m = m };

    if (!root)
        return false;
    inner = root->kind == VALUE_OBJECT ? value_get(root, "hyp") : NULL;
    r.s.object = inner && inner->kind == VALUE_OBJECT ? inner : root;
    if (r.s.object->kind != VALUE_OBJECT)
        return fault_add(m->faults, root->at.offset, 1, "", "import-unknown",
                         "expected hyper-parameters: keys with values");
    m->origin = "Ultralytics";
    m->steps = list;
    read_common(&r);
    lose_unknown(&r);
    if (strcmp(settings_text(&r.s, "task", ""), "classify") == 0) {
        add_classification(&r, list);
    } else {
        add_detection(&r, list);
        leave_to_trainer(&r);
    }
    value_adopt(list);
    return true;
}

const struct importer ultralytics_importer = {
    .library = "Ultralytics",
    .origin = ORIGIN_YOLO,
    .files = "hyp.*.yaml, default.yaml or args.yaml of a trainer",
    .type_key = "type",
    .host = "Albumentations",
    .detect = detect,
    .read = read,
};
