/* vips_api: loads and starts libvips, and handles its errors and warnings; for vips_*.c. */
#pragma once

#include "pixels/codec/vips_functions.h"

#include "pixels/plane.h"

#include <vips/vips.h>

/* clang-format off */
#define POINTER(name) __typeof__(name) *name;
/* All calls go through `lib`. GLib defines g_free as a macro, which does not apply to a name in
 * parentheses. */
struct vips_calls {
    VIPS_FUNCTIONS(POINTER)
};
#undef POINTER
/* clang-format on */
extern struct vips_calls lib;

/* Loads libvips and its functions. False with the reason. */
bool vips_load(struct text *why);
/* Appends the name of its file, which contains its version, without loading it. */
void vips_identify(struct text *out);
/* Loads and starts libvips. False with the reason. */
bool vips_begin(struct text *why);
/* Appends the first line of libvips' error to `why`, clears the error and returns false. Does not
 * return if memory ran out. */
bool vips_fail(struct text *why);
/* Forgets all warnings and errors. Call it before reading a file. */
void vips_forget_warnings(void);
/* Marks the end of the header: warnings so far concern only the header. */
void vips_header_read(void);
/* Marks the start of the pixels: warnings from now on concern them. */
void vips_pixels_follow(void);
/* True if the pixels caused no error or warning that the header did not cause too. Otherwise false
 * with the first line. */
bool vips_pixels_are_valid(struct text *why);

struct frame vips_frame(VipsImage *);
enum pixel_type vips_type(VipsImage *);

/* A function that is called with each row in turn. */
typedef void vips_row_fn(void *context, int y, const unsigned char *row);
/* Computes the image strip by strip in this thread and calls the function for each row. False with
 * the reason. */
bool vips_each_row(VipsImage *, vips_row_fn *, void *context, struct text *why);
