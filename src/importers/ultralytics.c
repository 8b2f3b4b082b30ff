/* ultralytics: the hyper-parameters of YOLO trainers (hyp.*.yaml of YOLOv5, default.yaml and
 * args.yaml of YOLOv8 and later) as the steps that the trainer makes of them: v8_transforms and
 * classify_augmentations of ultralytics/data/augment.py. What a file leaves out is as in
 * ultralytics/cfg/default.yaml. */
#include "../base/number.h"
#include "../import/build.h"
#include "../import/import.h"
#include "../yolo/yaml.h"

#include <math.h>
#include <string.h>

enum { LARGEST_SIDE = 32750 };

struct reading {
    struct importing *m;
    const struct value *hyp;
    double size;
    bool stretched;                           /* RT-DETR's images lose their proportions */
    double mosaic, mixup, cutmix, copy_paste; /* chances */
    double degrees, translate, scale, shear;
};

/* Those that steps are made of. */
static const char *const augmenting[] = {
    "hsv_h",           "hsv_s",   "hsv_v",  "degrees", "translate", "scale",  "shear",
    "perspective",     "flipud",  "bgr",    "mosaic",  "mixup",     "cutmix", "copy_paste",
    "auto_augment",    "erasing", "fliplr", "imgsz",   "rect",      "model",  "task",
    "copy_paste_mode", "seed",
};

/* Those of training and its like, which say nothing of pixels or labels. */
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
        if (import_mentions(text, telling[i]))
            return true;
    return false;
}

/* --- what is given --- */

/* The value of a key, or NULL where the trainer's default counts. */
static const struct value *given(const struct reading *r, const char *key)
{
    const struct value *v = value_get(r->hyp, key);

    return v && v->kind != VALUE_NULL ? v : NULL;
}

static bool lose(const struct reading *r, const struct value *v, const char *why)
{
    import_lost(r->m, v, "%s is not carried over: %s", v->name, why);
    return false;
}

/* A number, also as a string, or true and false for 1 and 0. What is something else is lost, and
 * nothing is done. */
static double number(const struct reading *r, const char *key, double preset)
{
    const struct value *v = given(r, key);
    double n = 0;

    if (!v)
        return preset;
    if (v->kind == VALUE_NUMBER)
        return v->number;
    if (v->kind == VALUE_FLAG)
        return v->flag;
    if (v->kind != VALUE_TEXT || !*v->text ||
        number_scan((struct slice){ v->text, strlen(v->text) }, &n) != strlen(v->text)) {
        lose(r, v, "a number was expected");
        return 0;
    }
    return n;
}

static double number_within(const struct reading *r, const char *key, double preset, double lo,
                            double hi)
{
    double n = number(r, key, preset), within = fmin(fmax(n, lo), hi);

    if (n != within)
        import_lost(r->m, given(r, key), "%s: %g is not from %g to %g; %g is taken", key, n, lo, hi,
                    within);
    return within;
}

static double chance(const struct reading *r, const char *key, double preset)
{
    return number_within(r, key, preset, 0, 1);
}

static bool is_on(const struct value *v)
{
    return v && ((v->kind == VALUE_FLAG && v->flag) || (v->kind == VALUE_NUMBER && v->number > 0));
}

static const char *text_of(const struct reading *r, const char *key, const char *preset)
{
    const struct value *v = given(r, key);

    return !v ? preset : v->kind == VALUE_TEXT ? v->text : "";
}

/* --- steps --- */

/* `key`: of the file, for the step's place. */
static struct value *add_step(const struct reading *r, struct value *list, const char *type,
                              const char *key)
{
    const struct value *v = value_get(r->hyp, key);

    return build_step(list, type, v ? v : r->hyp, r->m->arena);
}

/* A step with a chance; none that is never done. */
static void add_chance(const struct reading *r, struct value *list, const char *type,
                       const char *key, double p)
{
    if (p > 0)
        build_number(add_step(r, list, type, key), "p", p);
}

static struct value *add_steps(const struct reading *r, struct value *step)
{
    return build_list(build_key(step, "transforms", VALUE_LIST), r->m->arena);
}

/* --- v8_transforms --- */

/* "fit": the step of lockstep's that gives borrowed images their size. */
static void add_fit(const struct reading *r, struct value *step, const char *type, const char *key)
{
    struct value *fit = build_inner(step, "fit", r->stretched ? "Resize" : type, r->m->arena);

    if (r->stretched) {
        struct value *size = build_list(build_key(fit, "size", VALUE_LIST), r->m->arena);

        build_item(size, r->size);
        build_item(size, r->size);
    } else {
        build_number(fit, key, r->size);
    }
    build_key(fit, "antialias", VALUE_FLAG)->flag = false;
}

/* The image itself, scaled to the trainer's size: by a step of Ultralytics, or out of shape. */
static void add_scaled(const struct reading *r, struct value *list, const char *type,
                       const char *key)
{
    struct value *step = add_step(r, list, r->stretched ? "Resize" : type, "imgsz");

    build_number(step, r->stretched ? "size" : key, r->size);
}

/* The parameters of RandomPerspective; `share`: of the canvas's side that the trainer's is. */
static void add_affine_keys(const struct reading *r, struct value *step, double share)
{
    build_number(step, "degrees", r->degrees);
    build_number(step, "translate", r->translate * share);
    build_number(step, "scale", r->scale);
    if (r->shear > 0)
        build_number(step, "shear", r->shear);
}

/* What is done to an image, or a mosaic, before others are mixed in. */
static void add_moves(const struct reading *r, struct value *list, double share)
{
    add_chance(r, list, "CopyPaste", "copy_paste", r->copy_paste);
    add_affine_keys(r, add_step(r, list, "RandomPerspective", "scale"), share);
}

/* Images meet at a place of a canvas of twice the size, of which the middle is kept. */
static void add_mosaic(const struct reading *r, struct value *list)
{
    struct value *step;

    add_scaled(r, list, "load_image", "imgsz");
    step = add_step(r, list, "Mosaic", "mosaic");
    build_number(step, "imgsz", r->size);
    add_fit(r, step, "LongestMaxSize", "max_size");
    add_moves(r, list, 0.5);
    build_number(add_step(r, list, "CenterCrop", "imgsz"), "size", r->size);
}

static void add_single(const struct reading *r, struct value *list)
{
    add_scaled(r, list, "LetterBox", "new_shape");
    add_moves(r, list, 1);
}

/* Either, by the chance of a mosaic. */
static void add_either(const struct reading *r, struct value *list)
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

/* MixUp and CutMix, with an image that has gone through all before but the mosaic. */
static void add_mix(const struct reading *r, struct value *list, const char *type, const char *key,
                    double p)
{
    struct value *step;

    if (p <= 0)
        return;
    step = add_step(r, list, type, key);
    build_number(step, "p", p);
    add_fit(r, step, "LetterBox", "size");
    add_affine_keys(r, step, 1);
}

static void add_albumentations(const struct reading *r, struct value *list)
{
    static const char *const rare[] = { "Blur", "MedianBlur", "ToGray", "CLAHE" };
    struct value *inner = add_steps(r, add_step(r, list, "Albumentations", ""));

    for (size_t i = 0; i < COUNTOF(rare); i++)
        build_number(add_step(r, inner, rare[i], ""), "p", 0.01);
}

static void add_hsv(const struct reading *r, struct value *list)
{
    double h = fabs(number_within(r, "hsv_h", 0.015, -1, 1));
    double s = fabs(number_within(r, "hsv_s", 0.7, -1, 1));
    double v = fabs(number_within(r, "hsv_v", 0.4, -1, 1));
    struct value *step;

    if (h + s + v <= 0)
        return;
    step = add_step(r, list, "RandomHSV", "hsv_h");
    build_number(step, "hgain", h);
    build_number(step, "sgain", s);
    build_number(step, "vgain", v);
}

static void read_moves(struct reading *r)
{
    const struct value *perspective = given(r, "perspective");
    bool single = is_on(given(r, "rect"));

    r->mosaic = single ? 0 : chance(r, "mosaic", 1);
    r->mixup = single ? 0 : chance(r, "mixup", 0);
    r->cutmix = single ? 0 : chance(r, "cutmix", 0);
    r->copy_paste = chance(r, "copy_paste", 0);
    r->degrees = fabs(number_within(r, "degrees", 0, -360, 360));
    r->translate = fabs(number_within(r, "translate", 0.1, -1, 1));
    r->scale = fabs(number_within(r, "scale", 0.5, -100, 100));
    r->shear = fabs(number_within(r, "shear", 0, -89, 89));
    if (perspective && number(r, "perspective", 0) != 0)
        lose(r, perspective, "no affine transform here tilts; RandomPerspective does");
}

static void add_detection(struct reading *r, struct value *list)
{
    read_moves(r);
    if (r->mosaic >= 1)
        add_mosaic(r, list);
    else if (r->mosaic > 0)
        add_either(r, list);
    else
        add_single(r, list);
    add_mix(r, list, "MixUp", "mixup", r->mixup);
    add_mix(r, list, "CutMix", "cutmix", r->cutmix);
    add_albumentations(r, list);
    add_hsv(r, list);
    add_chance(r, list, "flipud", "flipud", chance(r, "flipud", 0));
    add_chance(r, list, "fliplr", "fliplr", chance(r, "fliplr", 0.5));
    add_chance(r, list, "bgr", "bgr", chance(r, "bgr", 0));
    /* RandomPerspective.box_candidates */
    text_adds(&r->m->settings,
              "  \"annotations\": {\"min_size\": 2, \"max_aspect\": 100, \"min_visibility\": 0.1, "
              "\"$comment\": \"of objects with segments, the trainer keeps those of which a "
              "hundredth is left, too\"},\n");
}

/* --- classify_augmentations --- */

/* Does the file name one of torchvision's policies, or none? */
static bool add_policy(const struct reading *r, struct value *list)
{
    static const char *const names[] = { "randaugment", "augmix", "autoaugment" };
    static const char *const types[] = { "RandAugment", "AugMix", "AutoAugment" };
    const struct value *v = given(r, "auto_augment");
    const char *policy = !v ? names[0] : v->kind == VALUE_TEXT ? v->text : "?";

    for (size_t i = 0; i < COUNTOF(names); i++)
        if (strcmp(policy, names[i]) == 0) {
            add_step(r, list, types[i], "auto_augment");
            return true;
        }
    if (*policy && strcmp(policy, "none") != 0 && strcmp(policy, "None") != 0)
        lose(r, v, "the policies are randaugment, autoaugment and augmix");
    return false;
}

static void add_classification(const struct reading *r, struct value *list)
{
    struct value *step = add_step(r, list, "RandomResizedCrop", "imgsz"), *scale;

    build_number(step, "size", r->size);
    scale = build_list(build_key(step, "scale", VALUE_LIST), r->m->arena);
    build_item(scale, round((1 - number_within(r, "scale", 0.5, 0, 0.99)) * 1e9) / 1e9);
    build_item(scale, 1);
    add_chance(r, list, "fliplr", "fliplr", chance(r, "fliplr", 0.5));
    add_chance(r, list, "flipud", "flipud", chance(r, "flipud", 0));
    if (!add_policy(r, list)) {
        step = add_step(r, list, "ColorJitter", "hsv_v");
        build_number(step, "brightness", chance(r, "hsv_v", 0.4));
        build_number(step, "contrast", step->item[step->n - 1].number);
        build_number(step, "saturation", chance(r, "hsv_s", 0.7));
        build_number(step, "hue", number_within(r, "hsv_h", 0.015, 0, 0.5));
    }
    add_chance(r, list, "RandomErasing", "erasing", chance(r, "erasing", 0.4));
}

/* --- the file --- */

/* Is the word in the list, which has spaces around its words? */
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

static void lose_unknown(const struct reading *r)
{
    for (size_t i = 0; i < r->hyp->n; i++) {
        const struct value *v = &r->hyp->item[i];
        struct nearest near = { .word = v->name };
        bool known = is_trainers(v->name);

        for (size_t k = 0; k < COUNTOF(augmenting); k++) {
            known |= strcmp(v->name, augmenting[k]) == 0;
            nearest_try(&near, augmenting[k]);
        }
        if (!known)
            import_lost(r->m, v, "%s is no setting that is known%s", v->name,
                        nearest_hint(&near, r->m->arena));
    }
}

/* What changes while a model is trained. */
static void leave_to_trainer(const struct reading *r)
{
    struct text *out = &r->m->left_out;

    if (is_on(given(r, "close_mosaic")) && r->mosaic > 0)
        text_adds(out, "close_mosaic");
    if (is_on(given(r, "multi_scale")))
        text_addf(out, "%smulti_scale", out->length ? ", " : "");
}

static void read_common(struct reading *r)
{
    const struct value *seed = given(r, "seed"), *size = given(r, "imgsz");
    bool classes = strcmp(text_of(r, "task", ""), "classify") == 0;

    if (seed && seed->kind == VALUE_NUMBER && seed->number >= 0 &&
        seed->number == floor(seed->number) && seed->number <= 9007199254740992)
        text_addf(&r->m->settings, "  \"seed\": %.0f,\n", seed->number);
    r->size = classes ? 224 : 640;
    if (size && (size->kind != VALUE_NUMBER || size->number != floor(size->number)))
        import_lost(r->m, size, "imgsz: an integer was expected; %g is taken", r->size);
    else if (size)
        r->size = number_within(r, "imgsz", r->size, 1, LARGEST_SIDE);
    r->stretched = strncmp(text_of(r, "model", ""), "rtdetr", 6) == 0;
}

static bool read(struct importing *m)
{
    const struct value *root = yaml_read(m->faults, m->faults->text, m->arena), *inner;
    struct value *list = build_list(value_new(m->arena, VALUE_LIST), m->arena);
    struct reading r = { .m = m };

    if (!root)
        return false;
    inner = root->kind == VALUE_OBJECT ? value_get(root, "hyp") : NULL;
    r.hyp = inner && inner->kind == VALUE_OBJECT ? inner : root;
    if (r.hyp->kind != VALUE_OBJECT)
        return fault_add(m->faults, root->at.offset, 1, "", "import-unknown",
                         "hyper-parameters are keys with values, and these are none");
    m->origin = "Ultralytics";
    m->steps = list;
    read_common(&r);
    lose_unknown(&r);
    if (strcmp(text_of(&r, "task", ""), "classify") == 0) {
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
