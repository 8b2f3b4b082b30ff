/* npy_write: tables of numbers in NumPy's file format. */
#include "batch/io/npy_write.h"

void npy_head(struct text *out, const char *type, size_t rows, size_t columns)
{
    enum {
        BEFORE = 10,
        ALIGNED = 64
    }; /* bytes before the header text; the header's size is a multiple of ALIGNED */
    struct text words = { 0 };

    text_addf(&words, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }", type, rows,
              columns);
    while ((BEFORE + words.length + 1) % ALIGNED)
        text_addc(&words, ' ');
    text_addc(&words, '\n');
    text_add(out, "\x93NUMPY\x01\x00", 8);
    text_addc(out, (char)(words.length & 0xff));
    text_addc(out, (char)(words.length >> 8));
    text_add(out, words.at, words.length);
    text_drop(&words);
}
