/* vips_api: loads and starts libvips on first use, and collects its errors and warnings. */
#include "pixels/codec/vips_api.h"

#include <errno.h>
#include <string.h>

#define NAME(name) #name,
#define VIPS_FILE "libvips.so.42"
/* A code of its own, since the image is not at fault. */
#define CODE " [image-library]"

struct vips_calls lib;

bool vips_load(struct text *why)
{
    static const char *const NAMES[] = { VIPS_FUNCTIONS(NAME) };
    static const struct dynlib LIBRARY = { VIPS_FILE, "libvips42, 8.13 or newer", NAMES,
                                           COUNTOF(NAMES) };
    static bool loaded;

    _Static_assert(VIPS_LIBRARY_CURRENT - VIPS_LIBRARY_AGE == 42, "headers of libvips.so.42");
    _Static_assert(sizeof lib == COUNTOF(NAMES) * sizeof(void *), "pointers alone");
    if (!loaded && !dynlib_open(&LIBRARY, &lib, why))
        text_adds(why, CODE);
    else
        loaded = true;
    return loaded;
}

void vips_identify(struct text *out)
{
    dynlib_identify(VIPS_FILE, out);
}

/* Warnings of libraries below libvips, one per line, of limited length. No return value reports
 * damage that these libraries tolerate. */
static struct {
    struct text header, pixels; /* reported while a header is read; while pixels are read */
    bool in_pixels;
} warnings;
enum { MAX_WARNINGS = 1 << 14 };

static void keep_warning(const GLogField *fields, gsize n)
{
    struct text *kept = warnings.in_pixels ? &warnings.pixels : &warnings.header;

    for (gsize i = 0; i < n && kept->length < MAX_WARNINGS; i++)
        if (strcmp(fields[i].key, "MESSAGE") == 0) {
            text_adds(kept, fields[i].value);
            text_addc(kept, '\n');
        }
}

/* True if a fatal message says that there is no memory for the stack of a thread; GLib would abort
 * then, which looks like a fault of the program. */
static bool lacks_memory(const GLogField *fields, gsize n)
{
    static const char said[] = "creating thread ";

    for (gsize i = 0; i < n; i++)
        if (strcmp(fields[i].key, "MESSAGE") == 0)
            return strncmp(fields[i].value, said, sizeof said - 1) == 0;
    return false;
}

/* Collects the messages that GLib and libvips would print, as lockstep reports by return values.
 * Fatal ones are passed on. */
static GLogWriterOutput on_log(GLogLevelFlags level, const GLogField *fields, gsize n,
                               gpointer none)
{
    if (level & (G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL)) {
        if (lacks_memory(fields, n))
            memory_gone(0);
        return lib.g_log_writer_default(level, fields, n, none);
    }
    if (level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING))
        keep_warning(fields, n);
    return G_LOG_WRITER_HANDLED;
}

/* Appends a line of a message, trimmed; false if it is empty then. */
static bool add_line(struct text *why, const char *message)
{
    size_t length;

    message += strspn(message, " \t\r\n");
    length = strcspn(message, "\r\n");
    while (length && (message[length - 1] == ' ' || message[length - 1] == '.'))
        length--;
    text_add_visible(why, message, length);
    return length > 0;
}

/* The first line of libvips' errors is the cause; the other lines repeat it. */
bool vips_fail(struct text *why)
{
    memory_check();
    if (!add_line(why, lib.vips_error_buffer()))
        text_adds(why, "libvips failed without a message");
    lib.vips_error_clear();
    return false;
}

void vips_forget_warnings(void)
{
    text_clear(&warnings.header);
    text_clear(&warnings.pixels);
    warnings.in_pixels = false;
    lib.vips_error_clear();
}

/* True if a line of `said` is not in `known`. The header is read again before the pixels. Its
 * warnings were known and concern only metadata, since reading it succeeded. */
static bool has_news(const char *said, const struct text *known, struct text *why)
{
    for (const char *at = said; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t length = strcspn(at, "\n");

        if (!known->length || !memmem(known->at, known->length, at, length))
            return add_line(why, at);
    }
    return false;
}

/* All rows came, but the data may be damaged. */
bool vips_pixels_are_valid(struct text *why)
{
    bool damaged;

    memory_check();
    damaged = has_news(lib.vips_error_buffer(), &warnings.header, why) ||
              has_news(text_string(&warnings.pixels), &warnings.header, why);
    lib.vips_error_clear();
    return !damaged;
}

bool vips_begin(struct text *why)
{
    static bool started;

    errno = 0;
    if (started)
        return true;
    if (!vips_load(why))
        return false;
    lib.g_log_set_writer_func(on_log, NULL, NULL);
    if (lib.vips_init("lockstep")) {
        vips_fail(why);
        text_adds(why, CODE);
        return false;
    }
    lib.vips_concurrency_set(1);
    lib.vips_cache_set_max(0);
    lib.vips_block_untrusted_set(TRUE);
    started = true;
    return true;
}

struct frame vips_frame(VipsImage *image)
{
    return (struct frame){ lib.vips_image_get_width(image), lib.vips_image_get_height(image) };
}

enum pixel_type vips_type(VipsImage *image)
{
    switch (lib.vips_image_get_format(image)) {
    case VIPS_FORMAT_UCHAR:
        return PIXEL_U8;
    case VIPS_FORMAT_USHORT:
        return PIXEL_U16;
    default:
        return PIXEL_F32;
    }
}

bool vips_each_row(VipsImage *image, vips_row_fn *use, void *context, struct text *why)
{
    enum { STRIP = 64 };
    VipsRegion *region = lib.vips_region_new(image);
    struct frame frame = vips_frame(image);
    bool ok = region != NULL;

    for (int top = 0; ok && top < frame.height; top += STRIP) {
        int height = frame.height - top < STRIP ? frame.height - top : STRIP;
        VipsRect strip = { 0, top, frame.width, height };

        ok = lib.vips_region_prepare(region, &strip) == 0;
        for (int y = top; ok && y < top + height; y++)
            use(context, y, region->data + (size_t)(y - region->valid.top) * (size_t)region->bpl);
    }
    if (region)
        lib.g_object_unref(region);
    memory_check();
    return ok || vips_fail(why);
}

void vips_pixels_follow(void)
{
    warnings.in_pixels = true;
}

void vips_header_read(void)
{
    memory_check();
    text_adds(&warnings.header, lib.vips_error_buffer());
    lib.vips_error_clear();
}
