/* vips_api: libvips, loaded and started, and its errors and warnings; for picture_vips*.c. */
#pragma once

#include "pixels/codec/vips_functions.h"

#include "pixels/plane.h"

#include <vips/vips.h>

/* clang-format off */
#define POINTER(name) __typeof__(name) *name;
/* All calls go through these. GLib makes a macro of g_free, which a name in parentheses is not. */
struct vips_calls {
    VIPS_FUNCTIONS(POINTER)
};
#undef POINTER
/* clang-format on */
extern struct vips_calls lib;

/* Load libvips and its functions; false with the reason. */
bool vips_load(struct text *why);
/* Append the name of its file, which has its version, without loading it. */
void vips_identify(struct text *out);
/* The same, and start it. */
bool vips_begin(struct text *why);
/* Append the first line of libvips' error, and clear it; returns false. Does not return when memory
 * ran out. */
bool vips_complain(struct text *why);
/* Forget all warnings and errors: a file is read next. */
void vips_forget_warnings(void);
/* The header has been read: what was reported so far concerns it alone. */
void vips_header_read(void);
/* From here on warnings concern pixels, no longer the header. */
void vips_pixels_follow(void);
/* True when no error or warning came with the pixels that did not come with the header, too; else
 * false with its first line. */
bool vips_pulled_well(struct text *why);

struct frame vips_frame(VipsImage *);
enum pixel_type vips_type(VipsImage *);

/* Called with each row in turn. */
typedef void vips_row_fn(void *context, int y, const unsigned char *row);
/* Compute the image strip by strip in this thread; false with the reason. */
bool vips_each_row(VipsImage *, vips_row_fn *, void *context, struct text *why);
