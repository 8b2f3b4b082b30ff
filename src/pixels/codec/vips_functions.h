/* vips_functions: the functions that are called in libvips; for vips_api.c. */
#pragma once

#include "base/dynlib.h"

/* Every function of libvips and GLib that lockstep calls. */
#define VIPS_FUNCTIONS(X)                                                                          \
    X(g_free)                                                                                      \
    X(g_log_set_writer_func)                                                                       \
    X(g_log_writer_default)                                                                        \
    X(g_object_unref)                                                                              \
    X(vips_band_format_get_type)                                                                   \
    X(vips_block_untrusted_set)                                                                    \
    X(vips_cache_set_max)                                                                          \
    X(vips_colourspace)                                                                            \
    X(vips_concurrency_set)                                                                        \
    X(vips_copy)                                                                                   \
    X(vips_enum_nick)                                                                              \
    X(vips_error_buffer)                                                                           \
    X(vips_error_clear)                                                                            \
    X(vips_extract_area)                                                                           \
    X(vips_gifload_buffer)                                                                         \
    X(vips_image_get_bands)                                                                        \
    X(vips_image_get_blob)                                                                         \
    X(vips_image_get_format)                                                                       \
    X(vips_image_get_height)                                                                       \
    X(vips_image_get_interpretation)                                                               \
    X(vips_image_get_orientation)                                                                  \
    X(vips_image_get_typeof)                                                                       \
    X(vips_image_get_width)                                                                        \
    X(vips_image_new_from_memory)                                                                  \
    X(vips_image_set_blob_copy)                                                                    \
    X(vips_init)                                                                                   \
    X(vips_operation_block_set)                                                                    \
    X(vips_pngload_buffer)                                                                         \
    X(vips_region_new)                                                                             \
    X(vips_region_prepare)                                                                         \
    X(vips_svgload_buffer)                                                                         \
    X(vips_tiffload_buffer)                                                                        \
    X(vips_tiffsave_buffer)                                                                        \
    X(vips_webpload_buffer)                                                                        \
    X(vips_webpsave_buffer)
