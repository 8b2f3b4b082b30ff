/* expat: the functions of libexpat, which is loaded when first needed. */
#pragma once

#include "base/fault.h"

#include <expat.h>

/* Since expat 2.9 those whose numbers have 64 bits on all machines are to be used. */
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
#define BYTE_INDEX XML_GetCurrentByteIndex64
#define BYTE_COUNT XML_GetCurrentByteCount64
#else
#define BYTE_INDEX XML_GetCurrentByteIndex
#define BYTE_COUNT XML_GetCurrentByteCount
#endif

#define EXPAT_FUNCTIONS(X)                                                                         \
    X(XML_ParserCreate)                                                                            \
    X(XML_ParserFree)                                                                              \
    X(XML_SetUserData)                                                                             \
    X(XML_SetElementHandler)                                                                       \
    X(XML_SetCharacterDataHandler)                                                                 \
    X(XML_SetStartDoctypeDeclHandler)                                                              \
    X(XML_Parse)                                                                                   \
    X(XML_StopParser)                                                                              \
    X(BYTE_INDEX)                                                                                  \
    X(BYTE_COUNT)                                                                                  \
    X(XML_GetErrorCode)                                                                            \
    X(XML_ErrorString)

#define EXPAT_POINTER(function) __typeof__(&(function)) function;
struct expat {
    EXPAT_FUNCTIONS(EXPAT_POINTER)
};

/* Returns the functions; NULL, with a fault of this code, if the library cannot be loaded. */
const struct expat *expat_open(struct faults *, const char *code);
/* True if the text begins as UTF-16 does. */
bool expat_is_utf16(struct slice text);
