/* translate: opens annotations that are read as COCO. */
#include "batch/dataset/translate.h"

#include "base/files.h"
#include "base/stderr_line.h"
#include "batch/dataset/unsupported_format.h"
#include "batch/io/open.h"
#include "batch/io/image_name.h"
#include "batch/process/limits.h"
#include "labels/shared/translation.h"
#include "steps/registry.h"

#include <string.h>

/* --- images --- */

static bool is_there(const struct translate_inputs *in, size_t root, const char *name)
{
    struct text why = { 0 };
    const char *fault;
    bool there = name_is_safe(name, &fault) && input_exists(in->roots[root], name, in->links, &why);

    text_drop(&why);
    return there;
}

static bool read_size(const char *root, const char *name, struct frame *frame)
{
    static const size_t max_pixels = MAX_PIXELS;
    struct picture_header header;
    struct text why = { 0 };
    bool good = input_probe(root, name, &max_pixels, &header, &why);

    if (good)
        *frame = header.frame;
    text_drop(&why);
    return good;
}

static const char *find_image(void *context, const char *name, struct arena *arena,
                              struct frame *frame)
{
    static const char *const suffixes[] = { "",      ".jpg", ".jpeg", ".png",  ".JPG",
                                            ".JPEG", ".PNG", ".webp", ".tiff", ".bmp" };
    const struct translate_inputs *in = context;

    for (size_t i = 0; i < COUNTOF(suffixes); i++) {
        const char *full = arena_printf(arena, "%s%s", name, suffixes[i]);

        if (i && name_is_image(name))
            break;
        for (size_t root = 0; root < in->n_roots; root++)
            if (is_there(in, root, full) && (!frame || read_size(in->roots[root], full, frame)))
                return full;
    }
    return NULL;
}

/* --- the text --- */

/* Says which shapes are left out, and what the source is read as. */
static void note_results(struct faults *f, const struct format *from, const struct translation *t)
{
    struct text what = { 0 };

    if (!f->notes)
        return;
    omissions_print(&t->omissions, &what);
    if (what.length)
        note_add(f, 0, 0, "", "annotations-omitted",
                 arena_printf(t->arena, "COCO has no place for %s", text_string(&what)),
                 "they are left out", false);
    note_add(f, 0, 0, "", "annotations-translated",
             arena_printf(t->arena, "%s is read as COCO", from->title),
             "annotations are written as COCO, unless --to names another format", true);
    text_drop(&what);
}

const struct format *translate_text(const struct translate_inputs *in, struct arena *arena,
                                    struct faults *f)
{
    const size_t mark = f->text.length >= 3 && memcmp(f->text.at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    struct slice head = { f->text.at + mark, f->text.length - mark };
    const struct image_finder finder = { find_image, (void *)in };
    struct translation t = {
        .faults = f, .arena = arena, .classes = in->classes, .finder = in->n_roots ? &finder : NULL
    };
    const struct format *from;
    size_t before = f->n;
    struct fault_file *places;
    struct slice text;
    bool good;

    if (head.length > DETECT_BYTES)
        head.length = DETECT_BYTES;
    from = registry_format_translated(head);
    if (!from)
        return NULL;
    f->text = (struct slice){ f->text.at + mark, f->text.length - mark };
    good = from->translate(f, &t);
    good = translation_end(&t, &text, &places, &f->n_files) && good;
    if (good && f->n == before) {
        f->text = text;
        f->files = places;
        if (f->notes) {
            f->notes->text = text;
            f->notes->files = places;
            f->notes->n_files = f->n_files;
        }
        note_results(f, from, &t);
    } else {
        f->n_files = 0;
    }
    arena_drop(&t.omissions.arena);
    return f->n == before ? from : NULL;
}

void translate_tell(const struct faults *notes)
{
    for (size_t i = 0; i < notes->n; i++)
        if (!notes->list[i].common && strcmp(notes->list[i].code, "annotations-omitted") == 0)
            message_print("lockstep: warning: %s: %s; %s [annotations-omitted]", notes->name,
                          notes->list[i].message, notes->list[i].remedy);
}
