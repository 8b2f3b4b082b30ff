/* fuzz_voc: Pascal VOC's XML is read, loaded, moved and written. The output is read again, and
 * untouched parts stay unchanged. */
#include "folder.h"

/* The input is a file, and after its first NUL the actions. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice input = { (const char *)data, size };
    struct slice labels = folder_stretch(&input);
    struct feed feed = { (const uint8_t *)input.at, input.length };

    folder_run(&voc_format, labels, (struct slice){ "", 0 }, NULL, feed);
    return 0;
}
